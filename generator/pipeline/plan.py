"""Owns the plan of a build: which documents, made of which data, into which files.

Does not render; a job carries frozen data and the name of the way to render it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from generator import __version__
from generator.armies import Army, Verdict, check, read_army
from generator.documents.cards import gather_cards
from generator.documents.roster import gather_roster, points_text
from generator.documents.sheet import concerns, gather_sheet
from generator.problems import Location, MusterError, Problem
from generator.systems import Library, System
from generator.tables import NoEntryError, Row, Table

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

    def fingerprint(self, templates: str) -> str:
        """Hash everything that the file is made from."""
        parts = (__version__, templates, self.kind, self.format, self.variant, self.paper)
        return sha256(repr((parts, self.path, self.data)).encode()).hexdigest()[:32]


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


def make_plan(
    library: Library,
    systems: Sequence[str],
    kinds: Sequence[str] = KINDS,
    formats: Sequence[str] = FORMATS,
    papers: Sequence[str] = (),
) -> Plan:
    """Plan the documents of some systems, or of all when none is named.

    Without a choice of paper, sheets come on A4 and on Letter, armies' documents on A4.
    A fault in one system or army does not stop the others; it is kept in the plan's problems.
    """
    plan = Plan()
    for system_id in systems or list(library.systems()):
        try:
            system = library.system(system_id)
            plan.systems.append((system.id, system.title, system.identity.edition))
            if "sheet" in kinds:
                _sheets(plan, system, formats, papers or ("a4", "letter"))
        except MusterError as error:
            plan.problems.extend(error.problems)
            continue
        except (NoEntryError, TypeError) as error:
            plan.problems.append(_dangling(system_id, error))
            continue
        for army_id, found in library.armies(system_id).items():
            try:
                army = read_army(found.path, library)
                verdict = check(army)
                wanted = (kinds, formats, papers or ("a4",))
                _army(plan, system, army_id, army, verdict, wanted)
                plan.armies.append(
                    ArmyNote(
                        army_id,
                        army.name,
                        system.id,
                        verdict.legal,
                        points_text(verdict.price.total),
                        points_text(army.limit),
                        len(verdict.findings),
                        found.own,
                    )
                )
            except MusterError as error:
                plan.problems.extend(error.problems)
            except (NoEntryError, TypeError) as error:
                plan.problems.append(_dangling(f"{system_id}/cards.yaml", error))
    return plan


def _dangling(where: str, error: Exception) -> Problem:
    return Problem("unknown-entry", str(error), Location(f"content/{where}", None, None))


def _papers(papers: Sequence[str]) -> list[tuple[str, str]]:
    """Give each paper with the ending of its file's name; the first paper has none."""
    return [(paper, "" if n == 0 else f"-{paper}") for n, paper in enumerate(papers)]


def _sheets(
    plan: Plan, system: System, formats: Sequence[str], papers: Sequence[str]
) -> None:
    for sheet_id in system.sheet_ids():
        sheet = gather_sheet(system, sheet_id)
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


def _army(  # noqa: PLR0913, PLR0917 - one caller
    plan: Plan,
    system: System,
    army_id: str,
    army: Army,
    verdict: Verdict,
    wanted: tuple[Sequence[str], Sequence[str], Sequence[str]],
) -> None:
    kinds, formats, papers = wanted
    folder = f"{system.id}/armies/{army_id}"

    def add(kind: str, stem: str, variant: str, title: str, data: Any) -> None:
        if "html" in formats:
            path = f"{folder}/{stem}.html"
            plan.jobs.append(Job(path, kind, "html", variant, "", title, system.id, army_id, data))
        if "pdf" in formats:
            for paper, end in _papers(papers):
                path = f"{folder}/{stem}{end}.pdf"
                plan.jobs.append(
                    Job(path, kind, "pdf", variant, paper, title, system.id, army_id, data)
                )

    if "roster" in kinds:
        roster = gather_roster(system, army, verdict)
        add("roster", "roster", "full", "Roster", roster)
        add("roster", "roster-short", "short", "Roster on one page", roster)
    if "cards" in kinds and system.cards is not None:
        deck = gather_cards(system, army, verdict)
        add("cards", "cards", "9-up", "Unit cards, nine to a page", deck)
        if "pdf" in formats:
            for paper, end in _papers(papers):
                path = f"{folder}/cards-large{end}.pdf"
                title = "Unit cards, large, four to a page"
                plan.jobs.append(
                    Job(path, "cards", "pdf", "4-up", paper, title, system.id, army_id, deck)
                )
            plan.jobs.append(
                Job(
                    f"{folder}/cards-single.pdf",
                    "cards",
                    "pdf",
                    "single",
                    "",
                    "Unit cards, one to a page",
                    system.id,
                    army_id,
                    deck,
                )
            )
    if "sheet" in kinds:
        have = army.attribute_values()

        def keep(part: Row | Table) -> bool:
            return concerns(part, have)

        for sheet_id in system.sheet_ids():
            sheet = gather_sheet(system, sheet_id, army=army.name, keep=keep)
            add("sheet", sheet_id, "", "Quick reference for this army", sheet)
