"""The files of a system's web edition, and the data that each page is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from muster.armies import Army, Verdict
from muster.building.jobs import ArmySummary, Job, data_fingerprint
from muster.documents.measures import Measures
from muster.documents.roster import Roster, gather_roster
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.website import (
    ARMIES,
    HOME,
    SCRIPTS,
    STYLES,
    ArmiesPage,
    ArmyLine,
    ArmyPage,
    ChapterPage,
    DocumentFile,
    ErrataPage,
    GlossaryPage,
    HomePage,
    IndexPage,
    PageLink,
    PrintedDocument,
    SitePage,
    TablesPage,
    army_file,
    gather_frame,
    gather_site,
    index_armies,
    index_book,
    neighbours,
)
from muster.rendering.paper import PAPERS
from muster.systems import Library, System
from muster.systems.rulebook_edition import Edition

WEB_KIND = "web"
WEB_TITLE = "Web edition"

_VARIANTS: dict[type, str] = {
    HomePage: "home",
    ChapterPage: "chapter",
    TablesPage: "tables",
    GlossaryPage: "glossary",
    IndexPage: "terms",
    ErrataPage: "errata",
}

GatheredJobs = tuple[list[Job], list[ArmySummary]]


class _PlanProtocol(Protocol):
    """What is wanted of a plan."""

    jobs: list[Job]
    armies: list[ArmySummary]
    failed: list[str]

    def add_group(
        self, unit_id: str, where: str, gather: Callable[[], GatheredJobs], *, anew: bool = False
    ) -> list[Job]:
        """Plan jobs whose data is gathered at one go."""


def is_in_index(path: str, kind: str) -> bool:
    """Tell whether a build's index names a file: of a site it names the first page alone."""
    return kind != WEB_KIND or path.endswith(f"/{HOME}")


def plan_book_pages(plan: _PlanProtocol, library: Library, system_id: str) -> None:
    """Plan the pages that are made of the rulebook's standard edition."""

    def gather() -> GatheredJobs:
        system = library.system(system_id)
        return book_jobs(system, read_editions(system)[0]), []

    plan.jobs.extend(plan.add_group(_group_id(system_id), f"content/{system_id}/prose", gather))


def plan_army_page(
    plan: _PlanProtocol,
    library: Library,
    system_id: str,
    army_id: str,
    read: Callable[[], tuple[Army, Verdict, Measures]],
) -> None:
    """Plan an army's page, unless the army or the book could not be planned."""
    folder = f"{system_id}/armies/{army_id}"
    if _group_id(system_id) in plan.failed:
        plan.failed.append(f"{folder}/web")
    if {folder, f"{folder}/web"} & set(plan.failed):
        return
    prints = [job for job in _printed_jobs(plan, system_id) if job.army == army_id]

    def gather() -> GatheredJobs:
        system = library.system(system_id)
        army, verdict, chosen = read()
        roster = gather_roster(system, army, verdict, chosen)
        return [army_job(system, read_editions(system)[0], army_id, roster, prints)], []

    where = f"content/{system_id}/cards.yaml"
    # What an earlier build knows of the page holds only if it leads to the same prints.
    named = f"{folder}/web/{data_fingerprint(links_to(prints))[:8]}"
    plan.jobs.extend(plan.add_group(named, where, gather))


def plan_list_pages(plan: _PlanProtocol, library: Library, system_id: str) -> None:
    """Plan the page of armies and prints, of what is planned of them; it is always gathered."""
    if _group_id(system_id) in plan.failed:
        return
    there = {job.army for job in plan.jobs if job.kind == WEB_KIND and job.system == system_id}
    armies = [note for note in plan.armies if note.system == system_id and note.id in there]
    prints = _printed_jobs(plan, system_id)

    def gather() -> GatheredJobs:
        system = library.system(system_id)
        return list_jobs(system, read_editions(system)[0], armies, prints), []

    where = f"content/{system_id}/editions"
    plan.jobs.extend(plan.add_group(f"{_group_id(system_id)}/lists", where, gather, anew=True))


def _group_id(system_id: str) -> str:
    return f"{system_id}/web"


def _printed_jobs(plan: _PlanProtocol, system_id: str) -> list[Job]:
    return [job for job in plan.jobs if job.kind != WEB_KIND and job.system == system_id]


def book_jobs(system: System, edition: Edition) -> list[Job]:
    """Give the files that are made of the rulebook, and those that all pages share.

    Raises:
        MusterError: With the faults of the prose.
    """
    book = gather_rulebook(system, edition)
    site = gather_site(gather_frame(system, edition), book)
    pages = [
        _page_job(system, each.page.file, _VARIANTS[type(each)], each.page.title, each)
        for each in site.pages
    ]
    finds = _page_job(system, "finds-book.js", "finds", "Search", index_book(site, book))
    shared = [_page_job(system, name, name, name, None) for name in (*STYLES, *SCRIPTS)]
    return [*pages, finds, *shared]


def army_job(
    system: System, edition: Edition, army: str, roster: Roster, prints: Iterable[Job]
) -> Job:
    """Give an army's page."""
    frame = gather_frame(system, edition)
    page = SitePage(
        frame, army_file(army), roster.army, before=PageLink(ARMIES, "Armies and prints")
    )
    data = ArmyPage(page, roster, links_to(prints))
    return _page_job(system, page.file, "army", roster.army, data, army)


def list_jobs(
    system: System, edition: Edition, armies: Sequence[ArmySummary], prints: Sequence[Job]
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
            links_to(job for job in prints if job.army == note.id),
        )
        for note in sorted(armies, key=lambda note: not note.legal)
    )
    frame = gather_frame(system, edition)
    before, own, after = neighbours(frame, ARMIES)
    page = SitePage(frame, ARMIES, own.title, before, after)
    data = ArmiesPage(page, links_to(job for job in prints if not job.army), lines)
    return [
        _page_job(system, ARMIES, "armies", own.title, data),
        _page_job(system, "finds-armies.js", "finds", "Search", index_armies(lines)),
    ]


def links_to(jobs: Iterable[Job]) -> tuple[PrintedDocument, ...]:
    """Name documents as a page of the site leads to them."""
    forms: dict[str, list[DocumentFile]] = {}
    for job in jobs:
        paper = f", {PAPERS[job.paper].title}" if job.paper else ""
        label = "page" if job.format == "html" else f"{job.format.upper()}{paper}"
        address = f"../{job.path.partition('/')[2]}"
        forms.setdefault(job.title, []).append(DocumentFile(label, address))
    return tuple(PrintedDocument(title, tuple(each)) for title, each in forms.items())


def _page_job(
    system: System, file: str, variant: str, title: str, data: Any, army: str = ""
) -> Job:
    named = WEB_TITLE if file == HOME else title
    path = f"{system.id}/web/{file}"
    return Job(path, WEB_KIND, file.rpartition(".")[2], variant, "", named, system.id, army, data)
