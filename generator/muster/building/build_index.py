"""The index of a build: what is in the output folder, and the two files that list it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from muster import __version__
from muster.building.jobs import FORMATS, INDEX_GROUP, KINDS, Job
from muster.building.plan import Plan
from muster.building.record import IndexRecord, ListedArmy, ListedFile
from muster.building.runner import Outcome
from muster.building.web_edition import is_in_index
from muster.building.workers import JobResult
from muster.documents.index_page import (
    ArmyDocuments,
    BuildIndex,
    BuiltFile,
    SystemDocuments,
    format_size,
)
from muster.languages import say, speaking, with_decimal_mark
from muster.rendering.paper import PAPERS

_KIND_ORDER = tuple(
    each for kind in KINDS[::-1] for each in ((kind, "cover") if kind == "rulebook" else (kind,))
)
"""The kinds of documents in the order of the index; covers stand with their rulebooks."""


def index_files(formats: Sequence[str]) -> list[str]:
    """Return the files of an index: `index.html` always, and `index.pdf` if PDFs are built."""
    return ["index.html", *(["index.pdf"] if "pdf" in formats else [])]


def update_index_record(listed: IndexRecord, plan: Plan, outcome: Outcome, out: Path) -> None:
    """Add what was built now to what the index lists, and remove what is no longer there."""
    listed.systems.update({system.id: system for system in plan.systems})
    for army in plan.armies:
        listed.armies[f"{army.system}/{army.id}"] = ListedArmy(
            army.name, army.legal, army.points, army.limit, army.findings, army.elsewhere
        )
    results = {result.path: result for result in outcome.results}
    for job in plan.jobs:
        if not is_in_index(job.path, job.kind):
            continue
        result = results[job.path]
        paper = PAPERS[job.paper].title if job.paper else ""
        listed.files[job.path] = ListedFile(
            job.system, job.army, job.kind, job.title, job.format, paper, result.size, result.pages
        )
    failed = {result.path for result in outcome.failed}
    for path in list(listed.files):
        if path in failed or not (out / path).is_file():
            del listed.files[path]
    planned = {f"{army.system}/{army.id}" for army in plan.armies}
    with_files = {f"{file.system}/{file.army}" for file in listed.files.values()}
    for key in listed.armies.keys() - planned - with_files:
        del listed.armies[key]


def make_index(
    listed: IndexRecord, plan: Plan, outcome: Outcome, language: str = "en"
) -> BuildIndex:
    """Return the index of what is there, with what this build could not print, in a language.

    An army that has files but was not planned, though its whole system was, is from an earlier
    build, and the index says so.
    """
    errors = {result.path: result.error or result.bug for result in outcome.failed}
    all_files = dict(listed.files)
    for job in plan.jobs:
        if job.path in errors:
            all_files[job.path] = ListedFile(
                job.system, job.army, job.kind, job.title, job.format, "", 0, 0
            )

    def files(system: str, army: str) -> Iterator[BuiltFile]:
        for path, file in sorted(all_files.items(), key=_sort_key):
            if (file.system, file.army) == (system, army):
                error = errors.get(path, "")
                size = "" if error else format_size(file.size)
                yield BuiltFile(
                    path, file.kind, file.title, file.format, file.paper, size, file.pages, error
                )

    planned_systems = {system.id for system in plan.systems}
    planned_armies = {f"{army.system}/{army.id}" for army in plan.armies}

    def armies(system: str) -> Iterator[ArmyDocuments]:
        for army in sorted({file.army for file in all_files.values() if file.system == system}):
            key = f"{system}/{army}"
            known = listed.armies.get(key)
            if not army or known is None:
                continue
            unplanned = key not in planned_armies and not known.elsewhere
            old = system in plan.whole_systems and unplanned
            yield ArmyDocuments(
                army,
                say("{name} (from an earlier build)", name=known.name) if old else known.name,
                known.legal,
                with_decimal_mark(known.points),
                with_decimal_mark(known.limit),
                known.findings,
                tuple(files(system, army)),
            )

    def legal_first(system: str) -> tuple[ArmyDocuments, ...]:
        return tuple(sorted(armies(system), key=lambda army: not army.legal))

    with speaking(language):
        systems = [
            SystemDocuments(
                *(system, known.title, known.edition, tuple(files(system, ""))),
                *(legal_first(system), known.accent, known.ornament),
            )
            for system, known in sorted(listed.systems.items())
            if system in planned_systems
            or any(file.system == system for file in all_files.values())
        ]
    warnings = [problem.render() for problem in plan.problems]
    warnings += [f"{path}: {error}" for path, error in errors.items()]
    shared = tuple(files("", ""))
    return BuildIndex(
        __version__, tuple(systems), tuple(warnings), shared=shared, language=language
    )


def list_finished(listed: IndexRecord, plan: Plan, done: list[JobResult], out: Path) -> Plan:
    """Add what was built so far to what the index lists; return the plan of it alone."""
    finished = {result.path for result in done}
    part = replace(plan, jobs=[job for job in plan.jobs if job.path in finished])
    update_index_record(listed, part, Outcome(done), out)
    return part


def early_index_job(
    listed: IndexRecord, plan: Plan, done: list[JobResult], out: Path, language: str = "en"
) -> Job:
    """Return the job that prints `index.html` while most documents are still to be printed.

    It links only to what is there, and says how many documents are not.
    """
    part = list_finished(listed, plan, done, out)
    (job, *_) = index_jobs(listed, part, Outcome(done), language=language)
    index = replace(job.data, waiting=len(plan.jobs) - len(part.jobs))
    return replace(job, data=index)


def _sort_key(item: tuple[str, ListedFile]) -> tuple[int, int, str, str]:
    """Sort by kind, then each document before its variants, which have longer names.

    Army books are sorted by name, since they differ in length.
    """
    path, file = item
    stem, _, format_ = path.rpartition(".")
    length = 0 if file.kind == "book" else len(stem)
    return _KIND_ORDER.index(file.kind), length, stem, format_


def index_jobs(
    listed: IndexRecord,
    plan: Plan,
    outcome: Outcome,
    formats: Sequence[str] = FORMATS,
    paper: str = "a4",
    language: str = "en",
) -> list[Job]:
    """Return the jobs that print `index.html`, and `index.pdf` on a paper if PDFs are built."""
    index = make_index(listed, plan, outcome, language)

    def job(name: str) -> Job:
        format_ = name.rpartition(".")[2]
        return Job(name, INDEX_GROUP, format_, "", paper, "Index", "", "", index, group=INDEX_GROUP)

    return [job(name) for name in index_files(formats)]
