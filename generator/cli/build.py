"""Owns `muster build`: what to build, the progress of it, and how it ended.

Does not render and starts no process; `pipeline` does.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from generator.cli import show
from generator.cli.choices import BUG, FINE, UNREADABLE, Several, choices, library

if TYPE_CHECKING:
    from rich.progress import Progress

    from generator.pipeline import Done, Outcome, Plan

KINDS = ("sheet", "cards", "roster")
FORMATS = ("html", "pdf")
PAPERS = ("a4", "letter")
NOT_YET = {"rulebook": "rulebooks come with the prose edition; build sheet, cards or roster"}


def processors() -> int:
    """Count the processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can say
        return os.cpu_count() or 1


@click.command("build")
@click.argument("systems", nargs=-1, metavar="[SYSTEM ...]")
@click.option("--only", type=Several(KINDS, NOT_YET), default=KINDS, help="Which documents.")
@click.option("--format", "formats", type=Several(FORMATS), default=FORMATS, help="Which files.")
@click.option(
    "--paper", "papers", type=Several(PAPERS), default=(), help="Which paper; sheets come on both."
)
@click.option("--scale", default="", metavar="SCALE", help="One figure scale, such as 15mm.")
@click.option(
    "--unit", type=click.Choice(("cm", "in")), help="Lengths in this unit, marked if converted."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="Where to.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="How many processes; as many as processors."
)
@click.option("--force", is_flag=True, help="Build what is up to date, too.")
def command(  # noqa: PLR0913 - the command line is fixed
    *,
    systems: tuple[str, ...],
    only: tuple[str, ...],
    formats: tuple[str, ...],
    papers: tuple[str, ...],
    scale: str,
    unit: str | None,
    out: Path,
    jobs: int | None,
    force: bool,
) -> int:
    """Build every document of all systems, or of those named, into build/.

    What is up to date is left alone. Illegal armies are printed too, and marked.
    """
    from generator.pipeline import build, build_index, make_plan, templates_mark

    begin = perf_counter()
    shelf = library()
    templates = shelf.templates()
    plan = make_plan(
        shelf, list(dict.fromkeys(systems)), only, formats, papers, scale=scale, unit=unit or ""
    )
    show.problems(plan.problems)
    mark = templates_mark(templates)
    with _listener(plan) as listener:
        outcome = build(
            plan,
            out,
            templates,
            mark,
            workers=jobs or processors(),
            force=force,
            listener=listener.hear,
        )
        listener.say("index")
        outcome.index, failed = build_index(
            plan, outcome, out, templates, mark, paper=(*papers, "a4")[0]
        )
    outcome.done.extend(failed)
    _summary(plan, outcome, perf_counter() - begin)
    if any(each.bug for each in outcome.done):
        return BUG
    return UNREADABLE if plan.problems or outcome.failed else FINE


class _Listener(AbstractContextManager["_Listener"]):
    """Hears of every document that is done; this one says nothing."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End; nothing to tidy."""

    def hear(self, done: Done) -> None:
        """Hear that a document is done, well or not."""

    def say(self, name: str) -> None:
        """Hear what is made next, when it is no document of the plan."""


class _Lines(_Listener):
    """One plain line a document, for logs and pipes."""

    def hear(self, done: Done) -> None:
        """Tell of a document that was made; what was up to date is only counted."""
        if done.error or done.bug:
            show.note(f"failed  {done.path}")
        elif done.fresh:
            show.note(f"built   {done.path}  {done.seconds:.1f} s")


class _Bar(_Listener):
    """A bar with counts and the document just done, for terminals."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        self._progress: Progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("", total=total)

    def __enter__(self) -> Self:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away, so that the summary stands alone."""
        self._progress.stop()

    def hear(self, done: Done) -> None:
        """Move on by one."""
        self._progress.update(self._task, advance=1, description=done.path)

    def say(self, name: str) -> None:
        """Name what is made now."""
        self._progress.update(self._task, description=name)


def _listener(plan: Plan) -> _Listener:
    """Choose how to follow a build: not at all, by lines, or by a bar."""
    if choices().quiet:
        return _Listener()
    return _Bar(len(plan.jobs)) if _on_terminal() else _Lines()


def _on_terminal() -> bool:
    return sys.stderr.isatty()


def _summary(plan: Plan, outcome: Outcome, seconds: float) -> None:
    """Tell what failed and why, which armies are not legal, and how much was built."""
    for each in outcome.failed:
        if each.bug:
            show.fault(f"{each.path}: this is a bug in Muster: {each.bug}")
        else:
            show.fault(f"{each.path}: {each.error}")
    for army in plan.armies:
        if not army.legal:
            count = f"{army.findings} finding" + ("s" if army.findings != 1 else "")
            show.note(f"not legal: {army.name} ({army.system}), {count}; printed and marked")
    made = [each for each in outcome.done if not each.error and not each.bug]
    fresh = sum(each.fresh for each in made)
    pages = sum(each.pages for each in made)
    kept = f", {len(made) - fresh} up to date" if fresh < len(made) else ""
    show.note(f"{fresh} documents built{kept}, {pages} pages, {seconds:.1f} s")
    if outcome.index is not None:
        show.note(f"open {outcome.index}")
