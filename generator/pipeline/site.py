"""Owns which files a system's web edition has, what each is made of, and how they are planned.

Does not render them. There is one job a file, so that a change makes only those pages anew on
which it is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from generator.armies import Army, Verdict
from generator.documents.measures import Measures
from generator.documents.roster import Roster, gather_roster
from generator.documents.rulebook import editions, gather_rulebook
from generator.documents.web import (
    ARMIES,
    HOME,
    SCRIPTS,
    STYLES,
    ArmiesPage,
    ArmyLine,
    ArmyPage,
    ChapterPage,
    ErrataPage,
    Form,
    GlossaryPage,
    HomePage,
    Page,
    Print,
    Step,
    TablesPage,
    TermsPage,
    army_file,
    gather_frame,
    gather_site,
    neighbours,
)
from generator.documents.web_search import army_finds, book_finds
from generator.pipeline.job import ArmyNote, Job, data_mark
from generator.rendering.paper import PAPERS
from generator.systems import Library, System
from generator.systems.editions import Edition

KIND = "web"
TITLE = "Web edition"

_VARIANTS: dict[type, str] = {
    HomePage: "home",
    ChapterPage: "chapter",
    TablesPage: "tables",
    GlossaryPage: "glossary",
    TermsPage: "terms",
    ErrataPage: "errata",
}

Gathered = tuple[list[Job], list[ArmyNote]]


class Planner(Protocol):
    """What is wanted of a plan."""

    jobs: list[Job]
    armies: list[ArmyNote]
    failed: list[str]

    def unit(
        self, unit_id: str, where: str, gather: Callable[[], Gathered], *, anew: bool = False
    ) -> list[Job]:
        """Plan jobs whose data is gathered at one go."""


def is_listed(path: str, kind: str) -> bool:
    """Tell whether a build's index names a file: of a site it names the first page alone."""
    return kind != KIND or path.endswith(f"/{HOME}")


def plan_book(plan: Planner, library: Library, system_id: str) -> None:
    """Plan the pages that are made of the rulebook's standard edition."""

    def gather() -> Gathered:
        system = library.system(system_id)
        return book_jobs(system, editions(system)[0]), []

    plan.jobs.extend(plan.unit(_unit(system_id), f"content/{system_id}/prose", gather))


def plan_army(
    plan: Planner,
    library: Library,
    system_id: str,
    army_id: str,
    read: Callable[[], tuple[Army, Verdict, Measures]],
) -> None:
    """Plan an army's page, unless the army or the book could not be planned."""
    folder = f"{system_id}/armies/{army_id}"
    if _unit(system_id) in plan.failed:
        plan.failed.append(f"{folder}/web")
    if {folder, f"{folder}/web"} & set(plan.failed):
        return
    prints = [job for job in _prints(plan, system_id) if job.army == army_id]

    def gather() -> Gathered:
        system = library.system(system_id)
        army, verdict, chosen = read()
        roster = gather_roster(system, army, verdict, chosen)
        return [army_job(system, editions(system)[0], army_id, roster, prints)], []

    where = f"content/{system_id}/cards.yaml"
    # What an earlier build knows of the page holds only if it leads to the same prints.
    named = f"{folder}/web/{data_mark(prints_of(prints))[:8]}"
    plan.jobs.extend(plan.unit(named, where, gather))


def plan_lists(plan: Planner, library: Library, system_id: str) -> None:
    """Plan the page of armies and prints, of what is planned of them; it is always gathered."""
    if _unit(system_id) in plan.failed:
        return
    there = {job.army for job in plan.jobs if job.kind == KIND and job.system == system_id}
    armies = [note for note in plan.armies if note.system == system_id and note.id in there]
    prints = _prints(plan, system_id)

    def gather() -> Gathered:
        system = library.system(system_id)
        return list_jobs(system, editions(system)[0], armies, prints), []

    where = f"content/{system_id}/editions"
    plan.jobs.extend(plan.unit(f"{_unit(system_id)}/lists", where, gather, anew=True))


def _unit(system_id: str) -> str:
    return f"{system_id}/web"


def _prints(plan: Planner, system_id: str) -> list[Job]:
    return [job for job in plan.jobs if job.kind != KIND and job.system == system_id]


def book_jobs(system: System, edition: Edition) -> list[Job]:
    """Give the files that are made of the rulebook, and those that all pages share.

    Raises:
        MusterError: With the faults of the prose.
    """
    book = gather_rulebook(system, edition)
    site = gather_site(gather_frame(system, edition), book)
    pages = [
        _job(system, each.page.file, _VARIANTS[type(each)], each.page.title, each)
        for each in site.pages
    ]
    finds = _job(system, "finds-book.js", "finds", "Search", book_finds(site, book))
    shared = [_job(system, name, name, name, None) for name in (*STYLES, *SCRIPTS)]
    return [*pages, finds, *shared]


def army_job(
    system: System, edition: Edition, army: str, roster: Roster, prints: Iterable[Job]
) -> Job:
    """Give an army's page."""
    frame = gather_frame(system, edition)
    page = Page(frame, army_file(army), roster.army, before=Step(ARMIES, "Armies and prints"))
    data = ArmyPage(page, roster, prints_of(prints))
    return _job(system, page.file, "army", roster.army, data, army)


def list_jobs(
    system: System, edition: Edition, armies: Sequence[ArmyNote], prints: Sequence[Job]
) -> list[Job]:
    """Give the page of armies and prints, and what search knows of armies.

    Args:
        system: The system.
        edition: The edition that the site shows.
        armies: Its armies that have pages.
        prints: All else that is built of it.
    """
    lines = tuple(
        ArmyLine(
            note.name,
            army_file(note.id),
            note.legal,
            note.points,
            note.limit,
            note.findings,
            prints_of(job for job in prints if job.army == note.id),
        )
        for note in sorted(armies, key=lambda note: not note.legal)
    )
    frame = gather_frame(system, edition)
    before, own, after = neighbours(frame, ARMIES)
    page = Page(frame, ARMIES, own.title, before, after)
    data = ArmiesPage(page, prints_of(job for job in prints if not job.army), lines)
    return [
        _job(system, ARMIES, "armies", own.title, data),
        _job(system, "finds-armies.js", "finds", "Search", army_finds(lines)),
    ]


def prints_of(jobs: Iterable[Job]) -> tuple[Print, ...]:
    """Name documents as a page of the site leads to them."""
    forms: dict[str, list[Form]] = {}
    for job in jobs:
        paper = f", {PAPERS[job.paper].title}" if job.paper else ""
        label = "page" if job.format == "html" else f"{job.format.upper()}{paper}"
        address = f"../{job.path.partition('/')[2]}"
        forms.setdefault(job.title, []).append(Form(label, address))
    return tuple(Print(title, tuple(each)) for title, each in forms.items())


def _job(system: System, file: str, variant: str, title: str, data: Any, army: str = "") -> Job:
    named = TITLE if file == HOME else title
    path = f"{system.id}/web/{file}"
    return Job(path, KIND, file.rpartition(".")[2], variant, "", named, system.id, army, data)
