"""Owns the plan of a build: which documents, made of which data, into which files.

Does not render; a job carries frozen data and the name of the way to render it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from generator.armies import Army, Verdict, check, read_army
from generator.documents.cards import gather_cards
from generator.documents.measures import Measures, measures
from generator.documents.roster import gather_roster, points_text
from generator.documents.rulebook import editions, gather_rulebook
from generator.documents.sheet import concerns, gather_sheet
from generator.pipeline.decks import beside, plan_cards
from generator.pipeline.job import ArmyNote, Job, Later
from generator.pipeline.request import FORMATS, KINDS
from generator.pipeline.site import plan_army, plan_book, plan_lists
from generator.problems import Location, MusterError, Problem
from generator.systems import Library, System
from generator.systems.editions import STANDARD, Edition
from generator.systems.library import Found
from generator.tables import Column, NoEntryError, Row, Table
from generator.uses import Kept, Uses, keep, noting


@dataclass(slots=True)
class Unit:
    """Jobs that are made of data gathered at one go, and what that data was made of.

    The jobs of a unit that was kept from the last build have no data until they are due.
    """

    id: str
    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmyNote] = field(default_factory=list)
    uses: Uses = field(default_factory=dict)
    gather: Callable[[], tuple[list[Job], list[ArmyNote]]] | None = None


Known = Callable[[str], Unit | None]
"""Gives a unit as the last build left it, if nothing that it was made of changed since."""


def none_known(_: str) -> Unit | None:
    """Know of no earlier build."""
    return None


@dataclass(slots=True)
class Plan:
    """All jobs of a build in stable order, the armies met, and what could not be planned."""

    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmyNote] = field(default_factory=list)
    systems: list[tuple[str, str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    units: dict[str, Unit] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """Units, armies and systems that could not be planned; what an earlier build made stays."""
    known: Known = none_known

    def unit(
        self,
        unit_id: str,
        where: str,
        gather: Callable[[], tuple[list[Job], list[ArmyNote]]],
        *,
        anew: bool = False,
    ) -> list[Job]:
        """Plan a unit, gathering its data unless the last build knows all that is wanted of it.

        Args:
            unit_id: Its id: the system, then the army, then a word of its own.
            where: The file that is named if a fault has no place of its own.
            gather: Gives its jobs, and the army met.
            anew: Gather it in any case: what it is made of is not all read from files.
        """
        unit = None if anew else self.known(unit_id)
        if unit is None:
            unit = Unit(unit_id)
            with kept(self, where, unit_id), noting() as unit.uses:
                unit.jobs, unit.armies = gather()
            if unit_id in self.failed:
                return []
            unit.jobs = [replace(job, unit=unit_id) for job in unit.jobs]
        unit.gather = gather
        self.units[unit_id] = unit
        self.armies.extend(unit.armies)
        return unit.jobs

    def with_data(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """Give jobs with their data, gathering now what was kept from the last build.

        A job whose data cannot be had, since a file has changed this very moment, is left out;
        the plan's problems say why.
        """
        gathered: dict[str, dict[str, Job]] = {}
        for job in jobs:
            if not isinstance(job.data, Later):
                yield job
                continue
            if job.unit not in gathered:
                gathered[job.unit] = self._gathered(self.units[job.unit])
            if job.path in gathered[job.unit]:
                yield replace(job, data=gathered[job.unit][job.path].data)

    def _gathered(self, unit: Unit) -> dict[str, Job]:
        found: list[Job] = []
        with kept(self, f"content/{unit.id}", unit.id):
            if unit.gather is not None:
                found, _ = unit.gather()
        return {job.path: job for job in found}


def make_plan(  # noqa: PLR0913 - the choices of one command
    library: Library,
    systems: Sequence[str],
    kinds: Sequence[str] = KINDS,
    formats: Sequence[str] = FORMATS,
    papers: Sequence[str] = (),
    *,
    scale: str = "",
    unit: str = "",
    since: Sequence[tuple[str, str]] = (),
    backs: str = "",
    known: Known = none_known,
) -> Plan:
    """Plan the documents of some systems, or of all when none is named.

    Without a choice of paper, sheets come on A4 and on Letter, armies' documents on A4. Without
    one of scale, sheets show all scales and armies' documents the army's own; without one of
    unit (`cm`, `in`), lengths stay in the system's own. With `backs`, the edge over which sheets
    are turned, cards are printed on both sides.
    A fault in one system or army does not stop the others; it is kept in the plan's problems.
    """
    plan = Plan(known=known)
    for system_id in systems or list(library.systems()):
        with kept(plan, f"content/{system_id}", system_id):
            system = library.system(system_id)
            plan.systems.append((system.id, system.title, system.identity.edition))
            chosen = _chosen(system, scale, unit)
            if "sheet" in kinds:
                for sheet_id in system.sheet_ids():
                    _sheet(plan, library, system_id, sheet_id, formats, papers, chosen)
            if "rulebook" in kinds:
                with kept(plan, f"content/{system_id}/editions", f"{system_id}/rulebook"):
                    for edition in editions(system):
                        _rulebook(plan, library, system_id, edition, formats, since)
            web = "web" in kinds and "html" in formats and bool(system.chapter_files())
            if web:
                plan_book(plan, library, system_id)
            for army_id, found in library.armies(system_id).items():
                muster = _Muster(library, found, system_id, scale, unit, backs)
                folder = _Folder(
                    f"{system_id}/armies/{army_id}", system_id, army_id, formats, papers or ("a4",)
                )
                _army(plan, folder, muster, kinds, system.sheet_ids())
                if web:
                    plan_army(plan, library, system_id, army_id, muster.read)
            if web:
                plan_lists(plan, library, system_id)
    # What is wrong with a file that all armies rest on is told once.
    plan.problems = list(dict.fromkeys(plan.problems))
    return plan


@contextmanager
def kept(plan: Plan, where: str, what: str) -> Iterator[None]:
    """Keep what cannot be planned in the plan's problems, and go on with the rest."""
    try:
        yield
    except MusterError as error:
        plan.problems.extend(error.problems)
        plan.failed.append(what)
    except (NoEntryError, TypeError) as error:
        text = f"{error}; `muster lint` says more"
        plan.problems.append(Problem("unknown-entry", text, Location(where, None, None)))
        plan.failed.append(what)


def _chosen(system: System, scale: str, unit: str) -> Measures:
    """Choose scale and unit.

    Raises:
        MusterError: If the system has no such scale.
    """
    try:
        return measures(system, scale, unit)
    except KeyError:
        known = ", ".join(each.id for each in system.scales)
        text = f"{system.title} has no scale {scale!r}; it has {known}"
        place = Location(f"content/{system.id}/system.yaml", None, None)
        raise MusterError((Problem("unknown-scale", text, place),)) from None


def _own_scale(army: Army) -> str:
    """Give the scale of an army, if its system has several."""
    return army.scale if len(army.system.scales) > 1 else ""


def _note(army: Army, verdict: Verdict, army_id: str, *, own: bool) -> ArmyNote:
    return ArmyNote(
        army_id,
        army.name,
        army.system.id,
        verdict.legal,
        points_text(verdict.price.total),
        points_text(army.limit),
        len(verdict.findings),
        own,
    )


def _papers(papers: Sequence[str]) -> list[tuple[str, str]]:
    """Give each paper with the ending of its file's name; the first paper has none."""
    return [(paper, "" if n == 0 else f"-{paper}") for n, paper in enumerate(papers)]


def _sheet(  # noqa: PLR0913, PLR0917 - the choices of one command
    plan: Plan,
    library: Library,
    system_id: str,
    sheet_id: str,
    formats: Sequence[str],
    papers: Sequence[str],
    chosen: Measures,
) -> None:
    folder = _Folder(system_id, system_id, "", formats, papers or ("a4", "letter"))

    def gather() -> tuple[list[Job], list[ArmyNote]]:
        sheet = gather_sheet(library.system(system_id), sheet_id, chosen=chosen)
        return folder.both("sheet", sheet_id, "", sheet.subtitle, sheet), []

    where = f"content/{system_id}/sheets"
    plan.jobs.extend(plan.unit(f"{system_id}/{sheet_id}", where, gather))


def _rulebook(
    plan: Plan,
    library: Library,
    system_id: str,
    edition: Edition,
    formats: Sequence[str],
    since: Sequence[tuple[str, str]],
) -> None:
    """Plan an edition: it says itself on which paper, for which scale and in which unit."""
    folder = _Folder(system_id, system_id, "", formats, (edition.paper,))
    standard = edition.id == STANDARD
    stem = "rulebook" if standard else f"rulebook-{edition.id}"
    title = f"Rulebook: {edition.title}"

    def gather() -> tuple[list[Job], list[ArmyNote]]:
        book = gather_rulebook(library.system(system_id), edition, dict(since).get(system_id, ""))
        html = folder.html("rulebook", stem, edition.id, title, book) if standard else []
        return [*html, *folder.pdf("rulebook", stem, edition.id, title, book)], []

    where = f"content/{system_id}/prose"
    plan.jobs.extend(plan.unit(f"{system_id}/rulebook-{edition.id}", where, gather))


@dataclass(frozen=True, slots=True)
class _Folder:
    """Names the jobs of one folder: of an army, or of a system."""

    path: str
    system: str
    army: str
    formats: Sequence[str]
    papers: Sequence[str]

    def html(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        if "html" not in self.formats:
            return []
        return [self._job(stem + ".html", kind, variant, "", title, data)]

    def pdf(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Plan one PDF a paper; a page of its own size is the same on all of them."""
        if "pdf" not in self.formats:
            return []
        papers = [("", "")] if variant == "single" else _papers(self.papers)
        return [
            self._job(f"{stem}{end}.pdf", kind, variant, paper, title, data)
            for paper, end in papers
        ]

    def both(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        html = self.html(kind, stem, variant, title, data)
        return [*html, *self.pdf(kind, stem, variant, title, data)]

    def _job(self, name: str, kind: str, variant: str, paper: str, title: str, data: Any) -> Job:
        path = f"{self.path}/{name}"
        ending = name.rpartition(".")[2]
        return Job(path, kind, ending, variant, paper, title, self.system, self.army, data)


Read = tuple[Army, Verdict, Measures]


@dataclass(frozen=True, slots=True)
class _Muster:
    """An army file that is read and judged once, when the first of its documents wants it."""

    library: Library
    found: Found
    system: str
    scale: str
    unit: str
    backs: str
    _kept: dict[str, Kept[Read]] = field(default_factory=dict)

    def read(self) -> Read:
        """Give the army, its verdict, and the measures of its documents.

        Raises:
            MusterError: With the faults of the army's file, or of one that it rests on.
        """
        return keep(self._kept, self.found.id, self._read)

    def _read(self) -> Read:
        army = read_army(self.found.path, self.library)
        system = self.library.system(self.system)
        chosen = _chosen(system, self.scale or _own_scale(army), self.unit)
        return army, check(army), chosen


def _army(
    plan: Plan, folder: _Folder, muster: _Muster, kinds: Sequence[str], sheets: Sequence[str]
) -> None:
    """Plan an army's documents; without the army there are none."""
    where = f"content/{folder.system}"

    def note() -> tuple[list[Job], list[ArmyNote]]:
        army, verdict, _ = muster.read()
        return [], [_note(army, verdict, folder.army, own=muster.found.own)]

    def roster() -> tuple[list[Job], list[ArmyNote]]:
        army, verdict, chosen = muster.read()
        data = gather_roster(army.system, army, verdict, chosen)
        full = folder.both("roster", "roster", "full", "Roster", data)
        return full + folder.both("roster", "roster-short", "short", "Roster on one page", data), []

    def cards() -> tuple[list[Job], list[ArmyNote]]:
        army, verdict, chosen = muster.read()
        deck = gather_cards(army.system, army, verdict, chosen)
        return plan_cards(folder, deck, muster.backs), []

    def sheet(sheet_id: str) -> tuple[list[Job], list[ArmyNote]]:
        return _own_sheet(folder, muster, sheet_id), []

    plan.unit(folder.path, where, note)
    if folder.path in plan.failed:
        return
    jobs: list[Job] = []
    if "roster" in kinds:
        jobs += plan.unit(f"{folder.path}/roster", f"{where}/cards.yaml", roster)
    if "cards" in kinds:
        jobs += plan.unit(f"{folder.path}/cards", f"{where}/cards.yaml", cards)
    if "sheet" in kinds:
        for sheet_id in sheets:
            gather = partial(sheet, sheet_id)
            jobs += plan.unit(f"{folder.path}/{sheet_id}", f"{where}/sheets", gather)
    plan.jobs.extend(beside(jobs))


def _own_sheet(folder: _Folder, muster: _Muster, sheet_id: str) -> list[Job]:
    """Plan a sheet of what concerns an army; none if nothing does."""
    army, _, chosen = muster.read()
    have = army.attribute_values()

    def keep_it(part: Column | Row | Table) -> bool:
        return concerns(part, have)

    sheet = gather_sheet(army.system, sheet_id, army=army.name, keep=keep_it, chosen=chosen)
    if not sheet.sides:
        return []
    return folder.both("sheet", sheet_id, "", "Quick reference for this army", sheet)
