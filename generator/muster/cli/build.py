"""`muster build`: print documents."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from muster.building.jobs import DEFAULT_CACHE_MB, OlderEditions, Request
from muster.cli import show
from muster.cli.army_files import ignored_files_warning
from muster.cli.build_request import (
    build_options,
    note_own_templates,
    processor_count,
    require_printing,
    separate_armies,
)
from muster.cli.options import BUG, FINE, UNREADABLE, global_options, open_library

if TYPE_CHECKING:
    from muster.building.full_build import WorkersFactory
    from muster.building.plan import Plan
    from muster.building.record import UpToDate
    from muster.building.runner import Outcome
    from muster.cli.progress import Reporter
    from muster.problems import Problem
    from muster.systems import Library


@click.command("build")
@build_options
@click.option(
    "--changes-since",
    metavar="OLD",
    help="Mark what changed in rulebooks since an older edition; name it as for `muster diff`.",
)
@click.option("--force", is_flag=True, help="Also build what is up to date.")
@click.option(
    "--dry-run", is_flag=True, help="Print what would be built and why, but build nothing."
)
@click.option("--timings", is_flag=True, help="List the slowest documents at the end.")
@click.option(
    "--open", "open_page", is_flag=True, help="Open the roster of the army named, or the index."
)
@click.option(
    "--progress",
    type=click.Choice(("bar", "plain", "json")),
    help="How to show progress; json prints one object per line on stdout, as --format json does. "
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
    help="Maximum size of the print cache; 0 disables it.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Print on the workers of a dask.distributed scheduler, such as tcp://10.0.0.5:8786.",
)
def build_command(  # noqa: PLR0913 - the command line is fixed
    *,
    request: Request,
    as_json: bool,
    out: Path,
    jobs: int | None,
    changes_since: str | None,
    force: bool,
    dry_run: bool,
    timings: bool,
    open_page: bool,
    progress: str | None,
    megabytes: int,
    scheduler: str | None,
) -> int:
    """Build all documents of all systems, or of the systems and armies named.

    An army is named by its file or its name, and gets its roster, cards and sheet; of a folder, all
    army files below it are built. Documents that are up to date are not built again. Illegal armies
    are printed too, and marked.
    """
    from muster.building.record import find_up_to_date

    started = perf_counter()
    progress = progress or ("json" if as_json else None)
    if warning := ignored_files_warning(request.folder):
        show.note(f"warning: {warning}")
    # If all names are of systems that are up to date, nothing else need be read.
    recorded = None if force or changes_since else find_up_to_date(out, request)
    unknown: list[Problem] = []
    named = request
    if recorded is None and request.systems:
        request, unknown = separate_armies(request)
        show.problems(unknown)
        if request.covers_all_systems:
            return UNREADABLE
    if changes_since:
        request = replace(request, since=_older_editions(changes_since, request))
    note_own_templates(progress)
    if recorded is None and not force and request != named:
        recorded = find_up_to_date(out, request)
    if recorded is not None:
        _report_up_to_date(recorded, progress, perf_counter() - started, dry_run=dry_run)
        if not dry_run:
            _report_page(request, out, recorded.paths, progress, open_page=open_page)
        return UNREADABLE if unknown else FINE
    if dry_run:
        code = _report_dry_run(request, out, progress, force=force)
    else:
        if scheduler is None:
            require_printing(request)
        make_workers, count = _choose_workers(scheduler, jobs)
        code = _run_build(
            request, out, make_workers, count, started, progress,
            force=force, timings=timings, open_page=open_page, megabytes=megabytes,
        )  # fmt: skip
    return code or (UNREADABLE if unknown else FINE)


def _older_editions(old: str, request: Request) -> OlderEditions:
    """Read the older edition of each system.

    Raises:
        click.ClickException: If there is none, or if no rulebook is to be built.
    """
    from muster.cli.diff import older_editions

    if "rulebook" not in request.kinds:
        raise click.UsageError("--changes-since marks rulebooks, but --only excludes them")
    if request.armies and not request.systems:
        raise click.UsageError("--changes-since marks rulebooks, expected a system to build")
    return older_editions(old, request.systems, open_library())


def _choose_workers(scheduler: str | None, jobs: int | None) -> tuple[WorkersFactory, int]:
    """Choose where to print: in processes of this machine, or on a cluster.

    Processes of this machine start to load what they print with at once.

    Returns:
        The factory of the workers, and their number.

    Raises:
        click.UsageError: If the cluster cannot be reached.
    """
    from muster.building.workers import Workers, start_fork_server

    if scheduler is None:
        count = jobs or processor_count()
        # The server loads the renderers while this process makes the plan.
        start_fork_server(count)
        return partial(Workers, count), count
    from muster.building.cluster import ClusterError, connect_cluster

    try:
        return connect_cluster(scheduler)
    except ClusterError as error:
        raise click.UsageError(str(error)) from None


def _run_build(  # noqa: PLR0913 - the choices of one command
    request: Request,
    out: Path,
    make_workers: WorkersFactory,
    worker_count: int,
    started: float,
    progress: str | None,
    *,
    force: bool,
    timings: bool,
    open_page: bool,
    megabytes: int,
) -> int:
    """Build the documents of a request, print how it went, and return the exit code."""
    from muster.building.full_build import run_build
    from muster.systems import Library

    with _choose_reporter(progress, worker_count) as reporter:
        plan, outcome = run_build(
            request, out, make_workers, force=force, listener=reporter, megabytes=megabytes
        )
    show.problems(plan.problems)
    warn_about_missing_glyphs(
        Library(request.folder),
        [(army.system, army.id) for army in plan.armies if not army.elsewhere],
        [Path(army.elsewhere) for army in plan.armies if army.elsewhere],
    )
    seconds = perf_counter() - started
    if not outcome.results and not outcome.removed:
        if progress == "json":
            _print_end_event(0, 0, 0, 0, seconds, outcome)
        return _report_nothing(request, plan.problems)
    _report_outcome(plan, outcome, seconds, progress)
    paths = [each.path for each in outcome.results if not (each.error or each.bug)]
    _report_page(request, out, paths, progress, open_page=open_page)
    if timings:
        for seconds, path in reporter.slowest():
            show.note(f"{seconds:6.1f} s  {path}")
    if any(document.bug for document in outcome.results):
        return BUG
    return UNREADABLE if plan.problems or outcome.failed else FINE


def _choose_reporter(progress: str | None, worker_count: int) -> Reporter:
    """Choose how to show the progress of a build: a bar, lines, JSON, or not at all."""
    from muster.cli.progress import REPORTERS, Reporter

    if global_options().quiet and progress != "json":
        return Reporter(worker_count)
    return REPORTERS[progress or ("bar" if _stderr_is_terminal() else "plain")](worker_count)


def _stderr_is_terminal() -> bool:
    return sys.stderr.isatty()


def _report_up_to_date(
    recorded: UpToDate, progress: str | None, seconds: float, *, dry_run: bool
) -> None:
    """Print that there is nothing to do."""
    if progress == "json":
        if dry_run:
            show.event("plan", total=recorded.documents, due=0)
        else:
            _print_end_event(0, 0, recorded.documents, recorded.pages, seconds)
    elif dry_run:
        show.result(f"nothing to do: all {recorded.documents} documents are up to date")
    else:
        _note_illegal_armies(recorded.illegal)
        show.note(
            f"0 documents built, {recorded.documents} up to date,"
            f" {show.counted(recorded.pages, 'page')}, {seconds:.1f} s"
        )


def _report_page(
    request: Request, out: Path, paths: Sequence[str], progress: str | None, *, open_page: bool
) -> None:
    """Print what to open, and open it if asked to: the roster of the only army, or the index.

    Args:
        request: The request that was built.
        out: The output folder.
        paths: The documents in it, in the order of the plan.
        progress: How progress is shown; programs get no more than they get as JSON.
        open_page: Whether to open it.
    """
    page = out / "index.html"
    text = f"open {page}"
    if len(request.armies) == 1 and not request.systems:
        folder = f"{request.armies[0].system}/armies/{request.armies[0].id}/"
        names = [path.removeprefix(folder) for path in paths if path.startswith(folder)]
        if names:
            page = out / folder / names[0]
            text = f"in {out / folder}: {', '.join(names)}\nopen {page}"
    if progress != "json":
        show.note(text)
    if open_page:
        click.launch(str(page))


def _report_nothing(request: Request, problems: Sequence[Problem]) -> int:
    """Print what was looked for if a build has no documents, and return its exit code.

    If there are problems, they are the reason, and have been printed.
    """
    if not problems:
        armies = [f"{army.system}/{army.id}" for army in request.armies]
        names = ", ".join([*request.systems, *armies]) or "all systems"
        show.error(
            f"there is nothing to build: looked for {', '.join(request.kinds)} as"
            f" {' or '.join(request.formats)} of {names}"
        )
    return UNREADABLE


def _report_dry_run(request: Request, out: Path, progress: str | None, *, force: bool) -> int:
    """Print what would be built, and why."""
    from muster.building.full_build import find_due
    from muster.building.record import Record

    found = find_due(request, out, Record(out), force=force)
    show.problems(found.plan.problems)
    if progress == "json":
        show.event("plan", total=len(found.plan.jobs), due=len(found.due))
        for due in found.due:
            show.event("due", path=due.job.path, why=due.why)
    else:
        for due in found.due:
            show.result(f"{due.job.path}  ({due.why})")
        show.note(
            f"{show.counted(len(found.due), 'document')} would be built,"
            f" {len(found.up_to_date)} up to date"
        )
    if not found.plan.jobs:
        return _report_nothing(request, found.plan.problems)
    return UNREADABLE if found.plan.problems else FINE


def _report_outcome(plan: Plan, outcome: Outcome, seconds: float, progress: str | None) -> None:
    """Print what failed and why, which armies are not legal, and how much was built."""
    for document in outcome.failed:
        bug = f"{show.BUG_TEXT}: " if document.bug else ""
        show.error(f"{document.path}: {bug}{document.bug or document.error}")
    good = [document for document in outcome.results if not document.error and not document.bug]
    from_cache = sum(document.from_cache for document in good)
    built = sum(document.fresh for document in good) - from_cache
    up_to_date = len(good) - built - from_cache
    pages = sum(document.pages for document in good)
    if progress == "json":
        _print_end_event(built, from_cache, up_to_date, pages, seconds, outcome)
        return
    _note_illegal_armies(plan.illegal)
    for path in outcome.removed:
        show.note(f"removed {path}: no longer needed")
    for path in outcome.left:
        show.note(f"kept    {path}: no longer needed, but changed since it was built")
    counts = [f"{show.counted(built, 'document')} built"]
    counts += [f"{from_cache} from the cache"] if from_cache else []
    counts += [f"{up_to_date} up to date"] if up_to_date else []
    show.note(f"{', '.join(counts)}, {show.counted(pages, 'page')}, {seconds:.1f} s")


def _note_illegal_armies(armies: Iterable[tuple[str, str, int]]) -> None:
    """Print which armies are not legal; each is a name, a system and a number of findings."""
    for name, system, findings in armies:
        count = show.counted(findings, "finding")
        show.note(f"not legal: {name} ({system}), {count}; printed and marked as not legal")


def _print_end_event(
    built: int,
    from_cache: int,
    up_to_date: int,
    pages: int,
    seconds: float,
    outcome: Outcome | None = None,
) -> None:
    """Print the last JSON event of a build; without an *outcome* nothing was to be done."""
    failed = [document.path for document in outcome.failed] if outcome else []
    removed = outcome.removed if outcome else []
    show.event(
        "end", built=built, found=from_cache, kept=up_to_date, failed=failed, removed=removed,
        pages=pages, seconds=round(seconds, 3),
    )  # fmt: skip


def warn_about_missing_glyphs(
    library: Library, armies: Iterable[tuple[str, str]], files: Iterable[Path] = ()
) -> None:
    """Print a warning for each character of army files that no bundled font can print.

    Args:
        library: Where the army files lie.
        armies: System and id of each army that was planned.
        files: Army files that lie elsewhere.
    """
    found = [library.armies(system).get(army) for system, army in armies]
    # An army may have been removed since it was planned.
    paths = [army.path for army in found if army is not None]
    for problem in _missing_glyphs(library, [*paths, *files]):
        show.note(f"{problem.location}: warning: {problem.text} [{problem.code}]")


def _missing_glyphs(library: Library, paths: Iterable[Path]) -> list[Problem]:
    from muster.problems import MusterError, display_path
    from muster.rendering.glyphs import find_missing_in_document, print_face_files
    from muster.yamlfile import read_document

    faces = print_face_files(library.templates())
    missing: list[Problem] = []
    for path in paths:
        try:
            document = read_document(path, shown_as=display_path(path))
        except MusterError:
            # The problems of the plan say what is wrong with the file.
            continue
        missing += find_missing_in_document(document, faces)
    return missing
