"""Owns `muster build`: what to build, how that is followed, and how it ended.

Does not render and starts no process; `pipeline` does.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from generator.cli import show
from generator.cli.choices import BUG, FINE, UNREADABLE, choices, keep_what_is_read
from generator.cli.wanted import processors, wanted
from generator.pipeline.request import Older, Request

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.cli.progress import Follower
    from generator.pipeline import Outcome, Plan
    from generator.pipeline.making import Crew
    from generator.pipeline.ready import Standing

MEGABYTES = 512


@click.command("build")
@wanted
@click.option(
    "--changes-since",
    metavar="OLD",
    help="Mark in rulebooks what changed since an older edition, named as in `muster diff`.",
)
@click.option("--force", is_flag=True, help="Build what is up to date, too.")
@click.option("--dry-run", is_flag=True, help="Say what would be built, and why; build nothing.")
@click.option("--timings", is_flag=True, help="List the slowest documents at the end.")
@click.option(
    "--progress",
    "form",
    type=click.Choice(("bar", "plain", "json")),
    help="How to follow it; json is one object a line on stdout, as with --format json. "
    "[default: bar on a terminal]",
)
@click.option(
    "--cache",
    "megabytes",
    type=click.IntRange(min=0),
    default=MEGABYTES,
    show_default=True,
    envvar="MUSTER_CACHE_MB",
    metavar="MB",
    help="The largest that the cache of prints may grow; 0 is none.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Print on a running dask.distributed scheduler, such as tcp://10.0.0.5:8786.",
)
def command(  # noqa: PLR0913 - the command line is fixed
    *,
    request: Request,
    machine: bool,
    out: Path,
    jobs: int | None,
    changes_since: str | None,
    force: bool,
    dry_run: bool,
    timings: bool,
    form: str | None,
    megabytes: int,
    scheduler: str | None,
) -> int:
    """Build every document of all systems, or of those named, into build/.

    What is up to date is left alone. Illegal armies are printed too, and marked.
    """
    begin = perf_counter()
    form = form or ("json" if machine else None)
    if changes_since:
        since = _since(changes_since, request.systems, request.kinds)
        request = replace(request, since=since)
    if not force:
        from generator.pipeline.ready import standing

        found = standing(out, request)
        if found is not None:
            return _stands(found, out, form, perf_counter() - begin, dry_run=dry_run)
    if dry_run:
        return _foretell(request, out, form, force=force)
    crew, workers = _crew(scheduler, jobs)
    return _build(
        request, out, crew, begin, form, workers,
        force=force, timings=timings, megabytes=megabytes,
    )  # fmt: skip


def _since(old: str, systems: tuple[str, ...], kinds: tuple[str, ...]) -> Older:
    """Read the older edition of each system.

    Raises:
        click.ClickException: If there is none, or no rulebook is built.
    """
    from generator.cli.choices import library
    from generator.cli.since import older_editions

    if "rulebook" not in kinds:
        text = "--changes-since marks rulebooks, and --only leaves them out"
        raise click.UsageError(text)
    return older_editions(old, systems, library())


def _crew(scheduler: str | None, jobs: int | None) -> tuple[Crew, int]:
    """Choose who prints, and how many they are: processes of our own, or a cluster.

    Processes of our own begin to load what they print with.

    Raises:
        click.UsageError: If the cluster cannot be asked.
    """
    from generator.pipeline.workers import Workers, warm_up

    if scheduler is None:
        count = jobs or processors()
        warm_up(count)  # while all that plans is loaded
        return partial(Workers, count), count
    from generator.pipeline.cluster import Cluster, ClusterError

    try:
        cluster = Cluster(scheduler)
    except ClusterError as error:
        raise click.UsageError(str(error)) from None
    return cluster.crew, cluster.count


def _build(  # noqa: PLR0913 - the choices of one command
    request: Request,
    out: Path,
    crew: Crew,
    begin: float,
    form: str | None,
    workers: int,
    *,
    force: bool,
    timings: bool,
    megabytes: int,
) -> int:
    """Build what is asked for, and tell how it went."""
    from generator.cli import signs
    from generator.pipeline.making import make
    from generator.systems import Library

    keep_what_is_read()
    with _follower(form, workers) as follower:
        plan, outcome = make(
            request, out, crew, force=force, listener=follower, megabytes=megabytes
        )
    show.problems(plan.problems)
    signs.warn(Library(request.folder), [(army.system, army.id) for army in plan.armies])
    _summary(plan, outcome, perf_counter() - begin, form)
    if timings:
        for seconds, path in follower.slowest():
            show.note(f"{seconds:6.1f} s  {path}")
    if any(each.bug for each in outcome.done):
        return BUG
    return UNREADABLE if plan.problems or outcome.failed else FINE


def _stands(found: Standing, out: Path, form: str | None, seconds: float, *, dry_run: bool) -> int:
    """Tell that there is nothing to do."""
    if form == "json":
        if dry_run:
            _object("plan", total=found.documents, due=0)
        else:
            _end(0, 0, found.documents, found.pages, seconds)
        return FINE
    if dry_run:
        show.result(f"nothing to do: {found.documents} documents are up to date")
        return FINE
    _not_legal(found.illegal)
    show.note(
        f"0 documents built, {found.documents} up to date, {found.pages} pages, {seconds:.1f} s"
    )
    show.note(f"open {out / 'index.html'}")
    return FINE


def _foretell(request: Request, out: Path, form: str | None, *, force: bool) -> int:
    """Say what would be built, and why."""
    from generator.pipeline.making import look_through
    from generator.pipeline.record import Record

    keep_what_is_read()
    look = look_through(request, out, Record(out), force=force)
    show.problems(look.plan.problems)
    if form == "json":
        _object("plan", total=len(look.plan.jobs), due=len(look.due))
    for each in look.due:
        if form == "json":
            _object("due", path=each.job.path, why=each.why)
        else:
            show.result(f"{each.job.path}  ({each.why})")
    if form != "json":
        show.note(f"{len(look.due)} documents would be built, {len(look.fine)} are up to date")
    return UNREADABLE if look.plan.problems else FINE


def _follower(form: str | None, workers: int) -> Follower:
    """Choose how to follow a build: not at all, by lines, by a bar, or by objects."""
    from generator.cli.progress import FOLLOWERS, Follower

    if choices().quiet and form != "json":
        return Follower(workers)
    return FOLLOWERS[form or ("bar" if _on_terminal() else "plain")](workers)


def _on_terminal() -> bool:
    return sys.stderr.isatty()


def _summary(plan: Plan, outcome: Outcome, seconds: float, form: str | None) -> None:
    """Tell what failed and why, which armies are not legal, and how much was built."""
    for each in outcome.failed:
        if each.bug:
            show.fault(f"{each.path}: this is a bug in Muster: {each.bug}")
        else:
            show.fault(f"{each.path}: {each.error}")
    made = [each for each in outcome.done if not each.error and not each.bug]
    found = sum(each.found for each in made)
    fresh = sum(each.fresh for each in made) - found
    kept = len(made) - fresh - found
    pages = sum(each.pages for each in made)
    if form == "json":
        _end(fresh, found, kept, pages, seconds, outcome)
        return
    _not_legal((army.name, army.system, army.findings) for army in plan.armies if not army.legal)
    for path in outcome.removed:
        show.note(f"removed {path}: it is no longer planned")
    for path in outcome.left:
        show.note(f"left    {path}: it is no longer planned, but was altered since it was built")
    told = [f"{fresh} documents built"]
    told += [f"{found} found again"] if found else []
    told += [f"{kept} up to date"] if kept else []
    show.note(f"{', '.join(told)}, {pages} pages, {seconds:.1f} s")
    if outcome.index is not None:
        show.note(f"open {outcome.index}")


def _not_legal(armies: Iterable[tuple[str, str, int]]) -> None:
    for name, system, findings in armies:
        count = f"{findings} finding" + ("s" if findings != 1 else "")
        show.note(f"not legal: {name} ({system}), {count}; printed and marked")


def _object(event: str, **facts: Any) -> None:
    import json

    show.result(json.dumps({"event": event, **facts}, ensure_ascii=False))


def _end(
    built: int,
    found: int,
    kept: int,
    pages: int,
    seconds: float,
    outcome: Outcome | None = None,
) -> None:
    """Tell a program how the build ended."""
    failed = [each.path for each in outcome.failed] if outcome else []
    removed = outcome.removed if outcome else []
    _object(
        "end", built=built, found=found, kept=kept, failed=failed, removed=removed,
        pages=pages, seconds=round(seconds, 3),
    )  # fmt: skip
