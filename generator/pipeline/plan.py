"""Owns the plan of a build: which documents, made of which data, into which files.

Does not render; a job carries frozen data and the name of the way to render it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from generator import __version__
from generator.armies import Army, Verdict, check, read_army
from generator.documents.cards import Deck, gather_cards
from generator.documents.measures import Measures, measures
from generator.documents.roster import gather_roster, points_text
from generator.documents.sheet import concerns, gather_sheet
from generator.problems import Location, MusterError, Problem
from generator.systems import Library, System
from generator.tables import Column, NoEntryError, Row, Table

KINDS = ("sheet", "cards", "roster")
FORMATS = ("html", "pdf")


@dataclass(frozen=True, slots=True)
class Job:
    """One document in one file."""

    path: str
    kind: str
    format: str
    variant: str
    paper: str
    title: str
    system: str
    army: str
    data: Any
    beside: tuple[tuple[str, str], ...] = ()
    """Title and file name of each page for screens in the same folder."""

    def fingerprint(self, templates: str) -> str:
        """Hash everything that the file is made from."""
        parts = (__version__, templates, self.kind, self.format, self.variant, self.paper)
        return sha256(repr((parts, self.path, self.beside, self.data)).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ArmyNote:
    """What the index page says of an army."""

    id: str
    name: str
    system: str
    legal: bool
    points: str
    limit: str
    findings: int
    own: bool


@dataclass(slots=True)
class Plan:
    """All jobs of a build in stable order, the armies met, and what could not be planned."""

    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmyNote] = field(default_factory=list)
    systems: list[tuple[str, str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def make_plan(  # noqa: PLR0913 - the choices of one command
    library: Library,
    systems: Sequence[str],
    kinds: Sequence[str] = KINDS,
    formats: Sequence[str] = FORMATS,
    papers: Sequence[str] = (),
    *,
    scale: str = "",
    unit: str = "",
) -> Plan:
    """Plan the documents of some systems, or of all when none is named.

    Without a choice of paper, sheets come on A4 and on Letter, armies' documents on A4. Without
    one of scale, sheets show all scales and armies' documents the army's own; without one of
    unit (`cm`, `in`), lengths stay in the system's own.
    A fault in one system or army does not stop the others; it is kept in the plan's problems.
    """
    plan = Plan()
    for system_id in systems or list(library.systems()):
        with _kept(plan, system_id):
            system = library.system(system_id)
            plan.systems.append((system.id, system.title, system.identity.edition))
            chosen = _chosen(system, scale, unit)
            if "sheet" in kinds:
                with _kept(plan, f"{system_id}/sheets"):
                    _sheets(plan, system, formats, papers or ("a4", "letter"), chosen)
            for army_id, found in library.armies(system_id).items():
                with _kept(plan, system_id):
                    army = read_army(found.path, library)
                    verdict = check(army)
                    plan.armies.append(_note(army, verdict, army_id, own=found.own))
                    path = f"{system_id}/armies/{army_id}"
                    folder = _Folder(path, system_id, army_id, formats, papers or ("a4",))
                    own = chosen if scale else _chosen(system, _own_scale(army), unit)
                    _army(plan, folder, army, verdict, kinds, own)
    # What is wrong with a file that all armies rest on is told once.
    plan.problems = list(dict.fromkeys(plan.problems))
    return plan


@contextmanager
def _kept(plan: Plan, where: str) -> Iterator[None]:
    """Keep what cannot be planned in the plan's problems, and go on with the rest."""
    try:
        yield
    except MusterError as error:
        plan.problems.extend(error.problems)
    except (NoEntryError, TypeError) as error:
        text = f"{error}; `muster lint` says more"
        place = Location(f"content/{where}", None, None)
        plan.problems.append(Problem("unknown-entry", text, place))


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


def _sheets(
    plan: Plan,
    system: System,
    formats: Sequence[str],
    papers: Sequence[str],
    chosen: Measures,
) -> None:
    for sheet_id in system.sheet_ids():
        sheet = gather_sheet(system, sheet_id, chosen=chosen)
        stem = f"{system.id}/{sheet_id}"
        if "html" in formats:
            plan.jobs.append(
                Job(f"{stem}.html", "sheet", "html", "", "", sheet.subtitle, system.id, "", sheet)
            )
        if "pdf" in formats:
            plan.jobs.extend(
                Job(f"{stem}{end}.pdf", "sheet", "pdf", "", p, sheet.subtitle, system.id, "", sheet)
                for p, end in _papers(papers)
            )


@dataclass(frozen=True, slots=True)
class _Folder:
    """The jobs of one army, as they are planned."""

    path: str
    system: str
    army: str
    formats: Sequence[str]
    papers: Sequence[str]
    jobs: list[Job] = field(default_factory=list)

    def html(self, kind: str, stem: str, variant: str, title: str, data: Any) -> None:
        if "html" in self.formats:
            self._add(stem + ".html", kind, variant, "", title, data)

    def pdf(self, kind: str, stem: str, variant: str, title: str, data: Any) -> None:
        """Plan one PDF a paper; a page of its own size is the same on all of them."""
        if "pdf" not in self.formats:
            return
        for paper, end in [("", "")] if variant == "single" else _papers(self.papers):
            self._add(f"{stem}{end}.pdf", kind, variant, paper, title, data)

    def both(self, kind: str, stem: str, variant: str, title: str, data: Any) -> None:
        self.html(kind, stem, variant, title, data)
        self.pdf(kind, stem, variant, title, data)

    def _add(self, name: str, kind: str, variant: str, paper: str, title: str, data: Any) -> None:
        path = f"{self.path}/{name}"
        ending = name.rpartition(".")[2]
        self.jobs.append(
            Job(path, kind, ending, variant, paper, title, self.system, self.army, data)
        )


def _army(
    plan: Plan,
    folder: _Folder,
    army: Army,
    verdict: Verdict,
    kinds: Sequence[str],
    chosen: Measures,
) -> None:
    system = army.system
    if "roster" in kinds:
        with _kept(plan, f"{system.id}/cards.yaml"):
            roster = gather_roster(system, army, verdict, chosen)
            folder.both("roster", "roster", "full", "Roster", roster)
            folder.both("roster", "roster-short", "short", "Roster on one page", roster)
    if "cards" in kinds:
        with _kept(plan, f"{system.id}/cards.yaml"):
            _cards(folder, gather_cards(system, army, verdict, chosen))
    if "sheet" in kinds:
        have = army.attribute_values()

        def keep(part: Column | Row | Table) -> bool:
            return concerns(part, have)

        with _kept(plan, f"{system.id}/sheets"):
            for sheet_id in system.sheet_ids():
                sheet = gather_sheet(system, sheet_id, army=army.name, keep=keep, chosen=chosen)
                if sheet.sides:
                    folder.both("sheet", sheet_id, "", "Quick reference for this army", sheet)
    plan.jobs.extend(_beside(folder.jobs))


def _cards(folder: _Folder, deck: Deck) -> None:
    """Plan cards in every format, if there are any."""
    if deck.cards:
        folder.html("cards", "cards", "9-up", "Unit cards", deck)
        folder.pdf("cards", "cards", "9-up", "Unit cards, nine to a page", deck)
        folder.pdf("cards", "cards-large", "4-up", "Unit cards, large, four to a page", deck)
        folder.pdf("cards", "cards-single", "single", "Unit cards, one to a page", deck)


def _beside(jobs: Sequence[Job]) -> list[Job]:
    """Tell each page for screens which others of its army stand beside it."""
    pages = [(job.title, job.path.rpartition("/")[2]) for job in jobs if job.format == "html"]
    return [
        replace(job, beside=tuple(page for page in pages if not job.path.endswith("/" + page[1])))
        if job.format == "html"
        else job
        for job in jobs
    ]
