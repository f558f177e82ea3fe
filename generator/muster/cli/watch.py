"""`muster watch`: print documents again whenever a file is saved."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.building.jobs import Request
from muster.cli import show
from muster.cli.army_files import ignored_files_warning
from muster.cli.options import FINE, global_options

if TYPE_CHECKING:
    from muster.building.runner import Outcome
    from muster.building.workers import JobResult
    from muster.problems import Problem

from muster.cli.build_request import (
    MAX_FILES_NAMED,
    build_options,
    note_own_templates,
    processor_count,
    require_printing,
    separate_armies,
)


@click.command("watch")
@build_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Port on this machine; 0 chooses a free one.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def watch_command(
    *,
    request: Request,
    as_json: bool,
    out: Path,
    jobs: int | None,
    port: int | None,
    no_open: bool,
) -> int:
    """Build, serve the pages on this machine, and rebuild what a saved file affects.

    Open pages reload automatically and show problems in files. Press Ctrl-C to stop.
    """
    from muster.building.live_server import LivePages, LiveServer
    from muster.building.watcher import Watcher
    from muster.problems import Location, MusterError, Problem, display_path

    if as_json:
        raise click.UsageError(
            "`muster watch` has no JSON output; use `muster build --format json`"
        )
    require_printing(request)
    request, unknown = separate_armies(request)
    for army in request.armies:
        if army.elsewhere:
            text = "`muster watch` follows armies below `armies/` only; use `muster build`"
            unknown.append(Problem("not-watched", text, Location(display_path(Path(army.file)))))
    if unknown:
        raise MusterError(unknown)  # It is refused before the server starts.
    if warning := ignored_files_warning(request.folder):
        show.note(f"warning: {warning}")
    folder = request.folder
    note_own_templates()
    live = LivePages()
    server = LiveServer(folder / out, live, port)
    watcher = Watcher(request, folder / out, live, _WatchReporter(), jobs or processor_count())
    server.start()
    show.result(f"watching {folder}; open {server.address} - press Ctrl-C to stop")
    sys.stdout.flush()
    if not no_open:
        click.launch(server.address)
    try:
        watcher.run()
    except KeyboardInterrupt:
        show.note("muster: stopped watching")
    finally:
        server.close()
    return FINE


class _WatchReporter:
    """Prints which files were saved, what was built, and what is wrong."""

    def __init__(self) -> None:
        # Builds are reported from another thread, which has no click context of its own.
        self._quiet = global_options().quiet

    def files_saved(self, paths: Sequence[Path]) -> None:
        """Print the names of the files that were saved."""
        from muster.problems import display_path

        # An editor may have written a temporary file while saving and removed it again.
        saved = [path for path in paths if path.exists()] or list(paths)
        if not saved:
            return
        names = [display_path(path) for path in saved]
        self._note(f"saved {show.listed(names, MAX_FILES_NAMED)}")

    def document_built(self, done: JobResult, seconds: float) -> None:
        """Print the name of a page for screens; PDFs are counted when the build has ended."""
        if done.path.endswith(".html") and not (done.error or done.bug):
            self._note(f"  {done.path} after {seconds:.2f} s")

    def problems_found(self, problems: Sequence[Problem]) -> None:
        """Print what is wrong with files."""
        show.problems(problems)

    def build_ended(self, outcome: Outcome, seconds: float) -> None:
        """Print what could not be printed, and how much was built."""
        for document in outcome.failed:
            bug = f"{show.BUG_TEXT}: " if document.bug else ""
            show.error(f"{document.path}: {bug}{document.bug or document.error}")
        built = sum(
            document.fresh and not (document.error or document.bug) for document in outcome.results
        )
        for path in outcome.removed:
            self._note(f"  removed {path}: no longer needed")
        self._note(f"{show.counted(built, 'document')} built, {seconds:.1f} s")

    def build_failed(self, error: Exception) -> None:
        """Print why a build stopped."""
        show.error(" ".join(f"{type(error).__name__}: {error}".split()))

    def _note(self, text: str) -> None:
        if not self._quiet:
            show.note(text)
