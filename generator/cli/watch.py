"""Owns `muster watch`: what to build and serve, and the words for what happens meanwhile.

Does not build, serve or watch; `pipeline` does.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import show
from generator.cli.choices import FINE, choices, library
from generator.cli.wanted import processors, wanted

if TYPE_CHECKING:
    from generator.pipeline import Outcome
    from generator.pipeline.request import Request
    from generator.pipeline.workers import Done
    from generator.problems import Problem

_MOST_NAMED = 3


@click.command("watch")
@wanted
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Which port of this machine; 0 is any free one."
)
@click.option("--no-open", "stay", is_flag=True, help="Open no browser.")
def command(
    *,
    request: Request,
    machine: bool,
    out: Path,
    jobs: int | None,
    port: int | None,
    stay: bool,
) -> int:
    """Build, serve the pages to this machine, and build again what a saved file touches.

    Open pages reload by themselves and show what is wrong with a file. Ctrl-C ends it.
    """
    from generator.pipeline.live import Live
    from generator.pipeline.server import Server
    from generator.pipeline.watch import Watch

    if machine:
        text = "watch is followed by people; programs follow `muster build --format json`"
        raise click.UsageError(text)
    shelf = library()
    for each in request.systems:
        shelf.system(each)
    folder = request.folder
    live = Live()
    server = Server(folder / out, live, port)
    watch = Watch(request, folder / out, live, _Teller(folder), jobs or processors())
    server.start()
    show.result(f"watching {folder}; open {server.address} - Ctrl-C ends it")
    sys.stdout.flush()
    if not stay:
        click.launch(server.address)
    try:
        watch.run()
    except KeyboardInterrupt:
        show.note("muster: stopped watching")
    finally:
        server.close()
    return FINE


class _Teller:
    """Tells the terminal what was saved and built, and what is wrong."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Builds are told from another thread, which has no choices of its own.
        self._quiet = choices().quiet

    def saved(self, paths: Sequence[Path]) -> None:
        """Tell which files were saved."""
        # What an editor wrote beside the file on the way is gone again.
        named = [path for path in paths if path.exists()] or list(paths)
        if named:
            names = ", ".join(self._named(path) for path in named[:_MOST_NAMED])
            more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
            self._note(f"saved {names}{more}")

    def built(self, done: Done, seconds: float) -> None:
        """Tell of each page for screens; prints are told at the end."""
        if done.path.endswith(".html") and not (done.error or done.bug):
            self._note(f"  {done.path} after {seconds:.2f} s")

    def wrong(self, problems: Sequence[Problem]) -> None:
        """Tell what is wrong with files."""
        show.problems(problems)

    def ended(self, outcome: Outcome, seconds: float) -> None:
        """Tell what could not be printed, and that all is done."""
        for each in outcome.failed:
            show.fault(f"{each.path}: {each.error or each.bug}")
        fresh = sum(each.fresh and not (each.error or each.bug) for each in outcome.done)
        self._note(f"{fresh} documents built, {seconds:.1f} s")

    def failed(self, error: Exception) -> None:
        """Tell that a build could not be done."""
        show.fault(" ".join(f"{type(error).__name__}: {error}".split()))

    def _named(self, path: Path) -> str:
        return (
            str(path.relative_to(self._folder)) if path.is_relative_to(self._folder) else str(path)
        )

    def _note(self, text: str) -> None:
        if not self._quiet:
            show.note(text)
