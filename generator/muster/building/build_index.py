"""The index of a build: what lies in the output folder, and the two files that list it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from muster import __version__
from muster.building.jobs import Job
from muster.building.plan import Plan
from muster.building.runner import Outcome
from muster.building.store import STATE_FOLDER, write_whole
from muster.building.web_edition import is_in_index
from muster.documents.index_page import ArmyFiles, BuildIndex, BuiltFile, SystemFiles, format_size
from muster.rendering.paper import PAPERS

INDEX_FILES = ("index.html", "index.pdf")
INDEX_GROUP = "index"
_FORMAT_VERSION = 2
_KIND_ORDER = ("web", "rulebook", "roster", "cards", "sheet")
"""The kinds of documents in the order of the list."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as it is remembered; an empty army is the system's own."""

    system: str
    army: str
    kind: str
    title: str
    format: str
    paper: str
    size: int
    pages: int


@dataclass(frozen=True, slots=True)
class ListedArmy:
    """An army as it is remembered."""

    name: str
    legal: bool
    points: str
    limit: str
    findings: int


@dataclass(slots=True)
class IndexRecord:
    """All that is remembered: files by path, systems by id, armies by `system/army`."""

    files: dict[str, ListedFile] = field(default_factory=dict)
    systems: dict[str, tuple[str, str]] = field(default_factory=dict)
    armies: dict[str, ListedArmy] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> IndexRecord:
        """Read the facts; a file that is missing, broken or of another shape counts as empty."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["shape"] != _FORMAT_VERSION:
                return cls()
            return cls(
                {str(key): ListedFile(**value) for key, value in data["files"].items()},
                {str(key): (str(a), str(b)) for key, (a, b) in data["systems"].items()},
                {str(key): ListedArmy(**value) for key, value in data["armies"].items()},
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def save(self, path: Path) -> None:
        """Write the facts whole.

        Raises:
            OSError: If they cannot be written.
        """
        write_whole(path, self.text())

    def text(self) -> bytes:
        """Write the facts as JSON."""
        data: dict[str, Any] = {"shape": _FORMAT_VERSION, **asdict(self)}
        return (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def update_index_record(facts: IndexRecord, plan: Plan, outcome: Outcome, out: Path) -> None:
    """Bring the facts up to date: what was planned now, and of the rest what is still there."""
    facts.systems.update({key: (title, edition) for key, title, edition in plan.systems})
    for army in plan.armies:
        facts.armies[f"{army.system}/{army.id}"] = ListedArmy(
            army.name, army.legal, army.points, army.limit, army.findings
        )
    done = {each.path: each for each in outcome.results}
    for job in plan.jobs:
        if not is_in_index(job.path, job.kind):
            continue
        made = done[job.path]
        paper = PAPERS[job.paper].title if job.paper else ""
        facts.files[job.path] = ListedFile(
            job.system, job.army, job.kind, job.title, job.format, paper, made.size, made.pages
        )
    for path in list(facts.files):
        failed = path in done and (done[path].error or done[path].bug)
        if failed or not (out / path).is_file():
            del facts.files[path]


def make_index(facts: IndexRecord, plan: Plan, outcome: Outcome) -> BuildIndex:
    """Make the index of what is there, with what this build could not do.

    An army that has files but was not planned, though its system was, is from an earlier build,
    and the list says so.
    """
    errors = {each.path: each.error or each.bug for each in outcome.failed}
    listed = dict(facts.files)
    for job in plan.jobs:
        if job.path in errors:
            listed[job.path] = ListedFile(
                job.system, job.army, job.kind, job.title, job.format, "", 0, 0
            )

    def files(system: str, army: str) -> Iterator[BuiltFile]:
        for path, each in sorted(listed.items(), key=_sort_key):
            if (each.system, each.army) == (system, army):
                error = errors.get(path, "")
                size = "" if error else format_size(each.size)
                yield BuiltFile(path, each.title, each.format, each.paper, size, each.pages, error)

    planned = {system for system, _, _ in plan.systems}
    fresh = {f"{army.system}/{army.id}" for army in plan.armies}

    def armies(system: str) -> Iterator[ArmyFiles]:
        for army in sorted({each.army for each in listed.values() if each.system == system}):
            key = f"{system}/{army}"
            known = facts.armies.get(key)
            if not army or known is None:
                continue
            old = system in planned and key not in fresh
            name = f"{known.name} (from an earlier build)" if old else known.name
            yield ArmyFiles(
                army,
                name,
                known.legal,
                known.points,
                known.limit,
                known.findings,
                tuple(files(system, army)),
            )

    def legal_first(system: str) -> tuple[ArmyFiles, ...]:
        return tuple(sorted(armies(system), key=lambda army: not army.legal))

    parts = [
        SystemFiles(key, *facts.systems[key], tuple(files(key, "")), legal_first(key))
        for key in sorted(facts.systems)
        if key in planned or any(each.system == key for each in listed.values())
    ]
    warnings = [problem.render() for problem in plan.problems]
    warnings += [f"{path}: {error}" for path, error in errors.items()]
    return BuildIndex(__version__, tuple(parts), tuple(warnings))


def _sort_key(item: tuple[str, ListedFile]) -> tuple[int, int, str, str]:
    """Put the book first, then roster, cards and sheet; and each before its other forms."""
    path, each = item
    stem, _, ending = path.rpartition(".")
    return _KIND_ORDER.index(each.kind), len(stem), stem, ending


def index_jobs(plan: Plan, outcome: Outcome, out: Path, paper: str = "a4") -> list[Job]:
    """Bring the facts up to date, and give the jobs that print `index.html` and `index.pdf`.

    Args:
        plan: What was to be built.
        outcome: What became of it.
        out: The output folder.
        paper: The paper of `index.pdf`.

    Raises:
        OSError: If the output folder cannot be written.
    """
    record = out / STATE_FOLDER / "index.json"
    facts = IndexRecord.load(record)
    before = facts.text()
    update_index_record(facts, plan, outcome, out)
    if facts.text() != before:
        facts.save(record)
    index = make_index(facts, plan, outcome)
    return [
        Job(
            name,
            INDEX_GROUP,
            name.rpartition(".")[2],
            "",
            paper,
            "Index",
            "",
            "",
            index,
            group=INDEX_GROUP,
        )
        for name in INDEX_FILES
    ]
