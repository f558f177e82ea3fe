"""`muster build` and `muster watch`: print documents once, or again whenever a file is saved."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from muster.building.jobs import DEFAULT_CACHE_MB, FORMATS, KINDS, OlderEditions, Request
from muster.cli import show
from muster.cli.options import (
    BUG,
    FINE,
    UNREADABLE,
    CommaSeparated,
    global_options,
    library,
    use_reading_cache,
)

_PAPERS = ("a4", "letter")
_JSON = "json"

_BUILD_OPTIONS = (
    click.argument("systems", nargs=-1, metavar="[SYSTEM ...]"),
    click.option("--only", type=CommaSeparated(KINDS), default=KINDS, help="Which documents."),
    click.option(
        "--format",
        "formats",
        type=CommaSeparated((*FORMATS, _JSON)),
        default=FORMATS,
        help="Which files; json is no file: with it, a build is told to programs.",
    ),
    click.option(
        "--paper",
        "papers",
        type=CommaSeparated(_PAPERS),
        default=(),
        help="Which paper; sheets come on both.",
    ),
    click.option("--scale", default="", metavar="SCALE", help="One figure scale, such as 15mm."),
    click.option(
        "--unit", type=click.Choice(("cm", "in")), help="Lengths in this unit, marked if converted."
    ),
    click.option(
        "--card-backs",
        "backs",
        type=click.Choice(("long", "short")),
        help="Print backs of cards, too, for a printer that turns sheets over this edge.",
    ),
    click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("build"),
        show_default=True,
        help="Where to.",
    ),
    click.option(
        "--jobs", type=click.IntRange(1, 256), help="How many processes; as many as processors."
    ),
)


def build_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command these options; it gets `request`, `out`, and `jobs` if a number was given.

    It gets `machine`, too: whether a program listens, so that it is told in JSON what is done.
    """

    @wraps(command)
    def called(  # noqa: PLR0913 - the command line is fixed
        *,
        systems: tuple[str, ...],
        only: tuple[str, ...],
        formats: tuple[str, ...],
        papers: tuple[str, ...],
        scale: str,
        unit: str | None,
        backs: str | None,
        **others: Any,
    ) -> int:
        folder = Path.cwd().resolve()
        named = tuple(dict.fromkeys(systems))
        files = tuple(each for each in formats if each != _JSON) or FORMATS
        request = Request(folder, named, only, files, papers, scale, unit or "", backs=backs or "")
        return command(request=request, machine=_JSON in formats, **others)

    for option in reversed(_BUILD_OPTIONS):
        called = option(called)
    return called


def processor_count() -> int:
    """Count the processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can say
        return os.cpu_count() or 1


if TYPE_CHECKING:
    from collections.abc import Iterable

    from muster.building.full_build import WorkersFactory
    from muster.building.plan import Plan
    from muster.building.record import UpToDate
    from muster.building.runner import Outcome
    from muster.cli.progress import Reporter


@click.command("build")
@build_options
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
    default=DEFAULT_CACHE_MB,
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
def build_command(  # noqa: PLR0913 - the command line is fixed
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
        since = _older_editions(changes_since, request.systems, request.kinds)
        request = replace(request, since=since)
    if not force:
        from muster.building.record import find_up_to_date

        found = find_up_to_date(out, request)
        if found is not None:
            return _report_up_to_date(found, out, form, perf_counter() - begin, dry_run=dry_run)
    if dry_run:
        return _report_dry_run(request, out, form, force=force)
    crew, workers = _choose_workers(scheduler, jobs)
    return _run_build(
        request, out, crew, begin, form, workers,
        force=force, timings=timings, megabytes=megabytes,
    )  # fmt: skip


def _older_editions(old: str, systems: tuple[str, ...], kinds: tuple[str, ...]) -> OlderEditions:
    """Read the older edition of each system.

    Raises:
        click.ClickException: If there is none, or no rulebook is built.
    """
    from muster.cli.diff import older_editions
    from muster.cli.options import library

    if "rulebook" not in kinds:
        text = "--changes-since marks rulebooks, and --only leaves them out"
        raise click.UsageError(text)
    return older_editions(old, systems, library())


def _choose_workers(scheduler: str | None, jobs: int | None) -> tuple[WorkersFactory, int]:
    """Choose who prints, and how many they are: processes of our own, or a cluster.

    Processes of our own begin to load what they print with.

    Raises:
        click.UsageError: If the cluster cannot be asked.
    """
    from muster.building.workers import Workers, start_fork_server

    if scheduler is None:
        count = jobs or processor_count()
        start_fork_server(count)  # while all that plans is loaded
        return partial(Workers, count), count
    from muster.building.cluster import ClusterError, connect_cluster

    try:
        return connect_cluster(scheduler)
    except ClusterError as error:
        raise click.UsageError(str(error)) from None


def _run_build(  # noqa: PLR0913 - the choices of one command
    request: Request,
    out: Path,
    crew: WorkersFactory,
    begin: float,
    form: str | None,
    workers: int,
    *,
    force: bool,
    timings: bool,
    megabytes: int,
) -> int:
    """Build what is asked for, and tell how it went."""
    from muster.building.full_build import run_build
    from muster.systems import Library

    use_reading_cache()
    with _choose_reporter(form, workers) as follower:
        plan, outcome = run_build(
            request, out, crew, force=force, listener=follower, megabytes=megabytes
        )
    show.problems(plan.problems)
    warn_about_missing_glyphs(
        Library(request.folder), [(army.system, army.id) for army in plan.armies]
    )
    _report_outcome(plan, outcome, perf_counter() - begin, form)
    if timings:
        for seconds, path in follower.slowest():
            show.note(f"{seconds:6.1f} s  {path}")
    if any(each.bug for each in outcome.results):
        return BUG
    return UNREADABLE if plan.problems or outcome.failed else FINE


def _report_up_to_date(
    found: UpToDate, out: Path, form: str | None, seconds: float, *, dry_run: bool
) -> int:
    """Tell that there is nothing to do."""
    if form == "json":
        if dry_run:
            _print_event("plan", total=found.documents, due=0)
        else:
            _print_end_event(0, 0, found.documents, found.pages, seconds)
        return FINE
    if dry_run:
        show.result(f"nothing to do: {found.documents} documents are up to date")
        return FINE
    _note_illegal_armies(found.illegal)
    show.note(
        f"0 documents built, {found.documents} up to date, {found.pages} pages, {seconds:.1f} s"
    )
    show.note(f"open {out / 'index.html'}")
    return FINE


def _report_dry_run(request: Request, out: Path, form: str | None, *, force: bool) -> int:
    """Say what would be built, and why."""
    from muster.building.full_build import find_due
    from muster.building.record import Record

    use_reading_cache()
    look = find_due(request, out, Record(out), force=force)
    show.problems(look.plan.problems)
    if form == "json":
        _print_event("plan", total=len(look.plan.jobs), due=len(look.due))
    for each in look.due:
        if form == "json":
            _print_event("due", path=each.job.path, why=each.why)
        else:
            show.result(f"{each.job.path}  ({each.why})")
    if form != "json":
        show.note(
            f"{len(look.due)} documents would be built, {len(look.up_to_date)} are up to date"
        )
    return UNREADABLE if look.plan.problems else FINE


def _choose_reporter(form: str | None, workers: int) -> Reporter:
    """Choose how to follow a build: not at all, by lines, by a bar, or by objects."""
    from muster.cli.progress import REPORTERS, Reporter

    if global_options().quiet and form != "json":
        return Reporter(workers)
    return REPORTERS[form or ("bar" if _stderr_is_terminal() else "plain")](workers)


def _stderr_is_terminal() -> bool:
    return sys.stderr.isatty()


def _report_outcome(plan: Plan, outcome: Outcome, seconds: float, form: str | None) -> None:
    """Tell what failed and why, which armies are not legal, and how much was built."""
    for each in outcome.failed:
        if each.bug:
            show.error(f"{each.path}: this is a bug in Muster: {each.bug}")
        else:
            show.error(f"{each.path}: {each.error}")
    made = [each for each in outcome.results if not each.error and not each.bug]
    found = sum(each.from_cache for each in made)
    fresh = sum(each.fresh for each in made) - found
    kept = len(made) - fresh - found
    pages = sum(each.pages for each in made)
    if form == "json":
        _print_end_event(fresh, found, kept, pages, seconds, outcome)
        return
    _note_illegal_armies(
        (army.name, army.system, army.findings) for army in plan.armies if not army.legal
    )
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


def _note_illegal_armies(armies: Iterable[tuple[str, str, int]]) -> None:
    for name, system, findings in armies:
        count = f"{findings} finding" + ("s" if findings != 1 else "")
        show.note(f"not legal: {name} ({system}), {count}; printed and marked")


def _print_event(event: str, **facts: Any) -> None:
    import json

    show.result(json.dumps({"event": event, **facts}, ensure_ascii=False))


def _print_end_event(
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
    _print_event(
        "end", built=built, found=found, kept=kept, failed=failed, removed=removed,
        pages=pages, seconds=round(seconds, 3),
    )  # fmt: skip


if TYPE_CHECKING:
    from muster.problems import Problem
    from muster.systems import Library


def warn_about_missing_glyphs(library: Library, armies: Iterable[tuple[str, str]]) -> None:
    """Tell of every text that cannot be printed as it is written, at its place.

    Args:
        library: Where the army files lie.
        armies: System and id of each army that was planned.
    """
    for problem in _missing_glyphs(library, armies):
        where = show.place(problem.location.file, problem.location.line, problem.location.column)
        show.note(f"{where}: warning: {problem.text} [{problem.code}]")


def _missing_glyphs(library: Library, armies: Iterable[tuple[str, str]]) -> list[Problem]:
    from muster.problems import MusterError, display_path
    from muster.rendering.glyphs import find_missing_in_document, print_face_files
    from muster.yamlfile import read_document

    faces = print_face_files(library.templates())
    found: list[Problem] = []
    for system, army in armies:
        path = library.armies(system)[army].path
        try:
            found += find_missing_in_document(
                read_document(path, shown_as=display_path(path)), faces
            )
        except MusterError:
            # The plan has told what is wrong with the file.
            continue
    return found


if TYPE_CHECKING:
    from muster.building.runner import Outcome
    from muster.building.workers import JobResult
    from muster.problems import Problem

_MAX_FILES_NAMED = 3


@click.command("watch")
@build_options
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Which port of this machine; 0 is any free one."
)
@click.option("--no-open", "stay", is_flag=True, help="Open no browser.")
def watch_command(
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
    from muster.building.live_server import LivePages, LiveServer
    from muster.building.watcher import Watcher

    if machine:
        text = "watch is followed by people; programs follow `muster build --format json`"
        raise click.UsageError(text)
    shelf = library()
    for each in request.systems:
        shelf.system(each)
    folder = request.folder
    live = LivePages()
    server = LiveServer(folder / out, live, port)
    watch = Watcher(request, folder / out, live, _WatchReporter(folder), jobs or processor_count())
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


class _WatchReporter:
    """Tells the terminal what was saved and built, and what is wrong."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Builds are told from another thread, which has no choices of its own.
        self._quiet = global_options().quiet

    def files_saved(self, paths: Sequence[Path]) -> None:
        """Tell which files were saved."""
        # What an editor wrote beside the file on the way is gone again.
        named = [path for path in paths if path.exists()] or list(paths)
        if named:
            names = ", ".join(self._named(path) for path in named[:_MAX_FILES_NAMED])
            more = (
                f" and {len(named) - _MAX_FILES_NAMED} more"
                if len(named) > _MAX_FILES_NAMED
                else ""
            )
            self._note(f"saved {names}{more}")

    def document_built(self, done: JobResult, seconds: float) -> None:
        """Tell of each page for screens; prints are told at the end."""
        if done.path.endswith(".html") and not (done.error or done.bug):
            self._note(f"  {done.path} after {seconds:.2f} s")

    def problems_found(self, problems: Sequence[Problem]) -> None:
        """Tell what is wrong with files."""
        show.problems(problems)

    def build_ended(self, outcome: Outcome, seconds: float) -> None:
        """Tell what could not be printed, and that all is done."""
        for each in outcome.failed:
            show.error(f"{each.path}: {each.error or each.bug}")
        fresh = sum(each.fresh and not (each.error or each.bug) for each in outcome.results)
        self._note(f"{fresh} documents built, {seconds:.1f} s")

    def build_failed(self, error: Exception) -> None:
        """Tell that a build could not be done."""
        show.error(" ".join(f"{type(error).__name__}: {error}".split()))

    def _named(self, path: Path) -> str:
        return (
            str(path.relative_to(self._folder)) if path.is_relative_to(self._folder) else str(path)
        )

    def _note(self, text: str) -> None:
        if not self._quiet:
            show.note(text)
