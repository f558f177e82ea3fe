"""The plan of a build: which documents are made from which data and into which files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from muster.armies import Army, Verdict, check, load_army
from muster.building.jobs import FORMATS, KINDS, ArmySummary, DeferredData, Job
from muster.building.web_edition import plan_army_page, plan_book_pages, plan_list_pages
from muster.dependencies import CachedResult, Dependencies, get_or_make, record_dependencies
from muster.documents.cards import Deck, gather_cards
from muster.documents.measures import Measures, choose_measures
from muster.documents.roster import format_points, gather_roster
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.sheet import concerns_army, gather_sheet
from muster.problems import Location, MusterError, Problem
from muster.systems import Library, System
from muster.systems.library import LibraryItem
from muster.systems.rulebook_edition import STANDARD_EDITION, Edition
from muster.tables import Column, NoEntryError, Row, Table


@dataclass(slots=True)
class JobGroup:
    """Jobs that are made of data gathered at one go, and what that data was made of.

    The jobs of a unit that was kept from the last build have no data until they are due.
    """

    id: str
    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmySummary] = field(default_factory=list)
    uses: Dependencies = field(default_factory=dict)
    gather: Callable[[], tuple[list[Job], list[ArmySummary]]] | None = None


GroupLookup = Callable[[str], JobGroup | None]
"""Gives a unit as the last build left it, if nothing that it was made of changed since."""


def no_known_groups(_: str) -> JobGroup | None:
    """Know of no earlier build."""
    return None


@dataclass(slots=True)
class Plan:
    """All jobs of a build in stable order, the armies met, and what could not be planned."""

    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmySummary] = field(default_factory=list)
    systems: list[tuple[str, str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    groups: dict[str, JobGroup] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """Units, armies and systems that could not be planned; what an earlier build made stays."""
    known: GroupLookup = no_known_groups

    def add_group(
        self,
        unit_id: str,
        where: str,
        gather: Callable[[], tuple[list[Job], list[ArmySummary]]],
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
            unit = JobGroup(unit_id)
            with collect_problems(self, where, unit_id), record_dependencies() as unit.uses:
                unit.jobs, unit.armies = gather()
            if unit_id in self.failed:
                return []
            unit.jobs = [replace(job, group=unit_id) for job in unit.jobs]
        unit.gather = gather
        self.groups[unit_id] = unit
        self.armies.extend(unit.armies)
        return unit.jobs

    def with_data(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """Give jobs with their data, gathering now what was kept from the last build.

        A job whose data cannot be had, since a file has changed this very moment, is left out;
        the plan's problems say why.
        """
        gathered: dict[str, dict[str, Job]] = {}
        for job in jobs:
            if not isinstance(job.data, DeferredData):
                yield job
                continue
            if job.group not in gathered:
                gathered[job.group] = self._gather_group(self.groups[job.group])
            if job.path in gathered[job.group]:
                yield replace(job, data=gathered[job.group][job.path].data)

    def _gather_group(self, unit: JobGroup) -> dict[str, Job]:
        found: list[Job] = []
        with collect_problems(self, f"content/{unit.id}", unit.id):
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
    known: GroupLookup = no_known_groups,
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
        with collect_problems(plan, f"content/{system_id}", system_id):
            system = library.system(system_id)
            plan.systems.append((system.id, system.title, system.identity.edition))
            chosen = _choose_measures(system, scale, unit)
            if "sheet" in kinds:
                for sheet_id in system.sheet_ids():
                    _plan_sheet(plan, library, system_id, sheet_id, formats, papers, chosen)
            if "rulebook" in kinds:
                with collect_problems(
                    plan, f"content/{system_id}/editions", f"{system_id}/rulebook"
                ):
                    for edition in read_editions(system):
                        _plan_rulebook(plan, library, system_id, edition, formats, since)
            web = "web" in kinds and "html" in formats and bool(system.chapter_files())
            if web:
                plan_book_pages(plan, library, system_id)
            for army_id, found in library.armies(system_id).items():
                muster = _ArmyReader(library, found, system_id, scale, unit, backs)
                folder = _DocumentFolder(
                    f"{system_id}/armies/{army_id}", system_id, army_id, formats, papers or ("a4",)
                )
                _plan_army(plan, folder, muster, kinds, system.sheet_ids())
                if web:
                    plan_army_page(plan, library, system_id, army_id, muster.read)
            if web:
                plan_list_pages(plan, library, system_id)
    # What is wrong with a file that all armies rest on is told once.
    plan.problems = list(dict.fromkeys(plan.problems))
    return plan


@contextmanager
def collect_problems(plan: Plan, where: str, what: str) -> Iterator[None]:
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


def _choose_measures(system: System, scale: str, unit: str) -> Measures:
    """Choose scale and unit.

    Raises:
        MusterError: If the system has no such scale.
    """
    try:
        return choose_measures(system, scale, unit)
    except KeyError:
        known = ", ".join(each.id for each in system.scales)
        text = f"{system.title} has no scale {scale!r}; it has {known}"
        place = Location(f"content/{system.id}/system.yaml", None, None)
        raise MusterError((Problem("unknown-scale", text, place),)) from None


def _own_scale(army: Army) -> str:
    """Give the scale of an army, if its system has several."""
    return army.scale if len(army.system.scales) > 1 else ""


def _summarise_army(army: Army, verdict: Verdict, army_id: str, *, own: bool) -> ArmySummary:
    return ArmySummary(
        army_id,
        army.name,
        army.system.id,
        verdict.legal,
        format_points(verdict.price.total),
        format_points(army.limit),
        len(verdict.findings),
        own,
    )


def _papers_with_suffixes(papers: Sequence[str]) -> list[tuple[str, str]]:
    """Give each paper with the ending of its file's name; the first paper has none."""
    return [(paper, "" if n == 0 else f"-{paper}") for n, paper in enumerate(papers)]


def _plan_sheet(  # noqa: PLR0913, PLR0917 - the choices of one command
    plan: Plan,
    library: Library,
    system_id: str,
    sheet_id: str,
    formats: Sequence[str],
    papers: Sequence[str],
    chosen: Measures,
) -> None:
    folder = _DocumentFolder(system_id, system_id, "", formats, papers or ("a4", "letter"))

    def gather() -> tuple[list[Job], list[ArmySummary]]:
        sheet = gather_sheet(library.system(system_id), sheet_id, measures=chosen)
        return folder.both("sheet", sheet_id, "", sheet.subtitle, sheet), []

    where = f"content/{system_id}/sheets"
    plan.jobs.extend(plan.add_group(f"{system_id}/{sheet_id}", where, gather))


def _plan_rulebook(
    plan: Plan,
    library: Library,
    system_id: str,
    edition: Edition,
    formats: Sequence[str],
    since: Sequence[tuple[str, str]],
) -> None:
    """Plan an edition: it says itself on which paper, for which scale and in which unit."""
    folder = _DocumentFolder(system_id, system_id, "", formats, (edition.paper,))
    standard = edition.id == STANDARD_EDITION
    stem = "rulebook" if standard else f"rulebook-{edition.id}"
    title = f"Rulebook: {edition.title}"

    def gather() -> tuple[list[Job], list[ArmySummary]]:
        book = gather_rulebook(library.system(system_id), edition, dict(since).get(system_id, ""))
        html = folder.html("rulebook", stem, edition.id, title, book) if standard else []
        return [*html, *folder.pdf("rulebook", stem, edition.id, title, book)], []

    where = f"content/{system_id}/prose"
    plan.jobs.extend(plan.add_group(f"{system_id}/rulebook-{edition.id}", where, gather))


@dataclass(frozen=True, slots=True)
class _DocumentFolder:
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
        papers = [("", "")] if variant == "single" else _papers_with_suffixes(self.papers)
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


ReadArmy = tuple[Army, Verdict, Measures]


@dataclass(frozen=True, slots=True)
class _ArmyReader:
    """An army file that is read and judged once, when the first of its documents wants it."""

    library: Library
    found: LibraryItem
    system: str
    scale: str
    unit: str
    backs: str
    _kept: dict[str, CachedResult[ReadArmy]] = field(default_factory=dict)

    def read(self) -> ReadArmy:
        """Give the army, its verdict, and the measures of its documents.

        Raises:
            MusterError: With the faults of the army's file, or of one that it rests on.
        """
        return get_or_make(self._kept, self.found.id, self._read)

    def _read(self) -> ReadArmy:
        army = load_army(self.found.path, self.library)
        system = self.library.system(self.system)
        chosen = _choose_measures(system, self.scale or _own_scale(army), self.unit)
        return army, check(army), chosen


def _plan_army(
    plan: Plan,
    folder: _DocumentFolder,
    muster: _ArmyReader,
    kinds: Sequence[str],
    sheets: Sequence[str],
) -> None:
    """Plan an army's documents; without the army there are none."""
    where = f"content/{folder.system}"

    def note() -> tuple[list[Job], list[ArmySummary]]:
        army, verdict, _ = muster.read()
        return [], [_summarise_army(army, verdict, folder.army, own=muster.found.own)]

    def roster() -> tuple[list[Job], list[ArmySummary]]:
        army, verdict, chosen = muster.read()
        data = gather_roster(army.system, army, verdict, chosen)
        full = folder.both("roster", "roster", "full", "Roster", data)
        return full + folder.both("roster", "roster-short", "short", "Roster on one page", data), []

    def cards() -> tuple[list[Job], list[ArmySummary]]:
        army, verdict, chosen = muster.read()
        deck = gather_cards(army.system, army, verdict, chosen)
        return plan_cards(folder, deck, muster.backs), []

    def sheet(sheet_id: str) -> tuple[list[Job], list[ArmySummary]]:
        return _plan_army_sheet(folder, muster, sheet_id), []

    plan.add_group(folder.path, where, note)
    if folder.path in plan.failed:
        return
    jobs: list[Job] = []
    if "roster" in kinds:
        jobs += plan.add_group(f"{folder.path}/roster", f"{where}/cards.yaml", roster)
    if "cards" in kinds:
        jobs += plan.add_group(f"{folder.path}/cards", f"{where}/cards.yaml", cards)
    if "sheet" in kinds:
        for sheet_id in sheets:
            gather = partial(sheet, sheet_id)
            jobs += plan.add_group(f"{folder.path}/{sheet_id}", f"{where}/sheets", gather)
    plan.jobs.extend(link_neighbours(jobs))


def _plan_army_sheet(folder: _DocumentFolder, muster: _ArmyReader, sheet_id: str) -> list[Job]:
    """Plan a sheet of what concerns an army; none if nothing does."""
    army, _, chosen = muster.read()
    have = army.attribute_values()

    def keep_it(part: Column | Row | Table) -> bool:
        return concerns_army(part, have)

    sheet = gather_sheet(army.system, sheet_id, army=army.name, keep=keep_it, measures=chosen)
    if not sheet.sides:
        return []
    return folder.both("sheet", sheet_id, "", "Quick reference for this army", sheet)


_CARD_FORMATS = (
    ("cards", "9-up", "Unit cards, nine to a page"),
    ("cards-large", "4-up", "Unit cards, large, four to a page"),
    ("cards-single", "single", "Unit cards, one to a page"),
)


class _JobNamer(Protocol):
    """Names the jobs of an army's folder."""

    def html(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Name a page for screens."""

    def pdf(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Name a PDF for each paper."""


def plan_cards(folder: _JobNamer, deck: Deck, backs: str) -> list[Job]:
    """Plan cards in every format, if there are any; on screens they have no backs."""
    if not deck.cards:
        return []
    jobs = list(folder.html("cards", "cards", "9-up", "Unit cards", deck))
    printed = replace(deck, backs=backs) if backs else deck
    for stem, variant, title in _CARD_FORMATS:
        jobs += folder.pdf("cards", stem, variant, title, printed)
    return jobs


def link_neighbours(jobs: Sequence[Job]) -> list[Job]:
    """Tell each page for screens which others of its army stand beside it."""
    pages = [(job.title, job.path.rpartition("/")[2]) for job in jobs if job.format == "html"]
    return [
        replace(job, beside=tuple(page for page in pages if not job.path.endswith("/" + page[1])))
        if job.format == "html"
        else job
        for job in jobs
    ]
