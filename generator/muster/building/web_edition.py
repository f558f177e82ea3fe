"""The files of a system's web edition, and the data that each page is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from muster.building.builder_edition import BUILDER_KIND
from muster.building.jobs import ArmySummary, Job
from muster.documents.foreign import gather_foreign_words
from muster.documents.pictures import read_picture
from muster.documents.roster import Roster
from muster.documents.rulebook import gather_rulebook
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
    SettlePage,
    SitePage,
    SiteScript,
    TablesPage,
    army_file,
    gather_frame,
    gather_site,
    index_armies,
    index_book,
    neighbours,
    web_folder,
)
from muster.languages import marked, say, speaking, with_decimal_mark
from muster.rendering.paper import PAPERS
from muster.systems import System
from muster.systems.rulebook_edition import Edition

WEB_KIND = "web"
WEB_TITLE = marked("Web edition")

Given = ParamSpec("Given")
Made = TypeVar("Made")


def _in_its_language(
    make: Callable[Concatenate[System, Edition, Given], Made],
) -> Callable[Concatenate[System, Edition, Given], Made]:
    """Return a function that makes jobs of an edition, in the language of the edition."""

    @wraps(make)
    def make_in_language(
        system: System, edition: Edition, /, *given: Given.args, **named: Given.kwargs
    ) -> Made:
        with speaking(edition.language or system.identity.language):
            return make(system, edition, *given, **named)

    return make_in_language


_VARIANTS: dict[type, str] = {
    HomePage: "home",
    ChapterPage: "chapter",
    TablesPage: "tables",
    GlossaryPage: "glossary",
    IndexPage: "terms",
    ErrataPage: "errata",
    SettlePage: "settle",
}


def is_in_index(path: str, kind: str) -> bool:
    """Return whether a build's index lists a file; of websites it lists the home page only."""
    return kind not in (WEB_KIND, BUILDER_KIND) or path.endswith(f"/{HOME}")


@_in_its_language
def book_jobs(system: System, edition: Edition) -> list[Job]:
    """Return the jobs of the pages made from the rulebook, and of the files that all pages share.

    Raises:
        MusterError: With the errors of the prose.
    """
    book = gather_rulebook(system, edition)
    words = system.search_words
    frame, picture = gather_frame(system, edition), read_picture(system.picture_file)
    site = gather_site(frame, book, picture, words.not_terms)
    pages = [
        _page_job(system, each.page.file, _VARIANTS[type(each)], each.page.title, each)
        for each in site.pages
    ]
    language = edition.language or system.identity.language
    index = index_book(book, words.groups(language), words.examples)
    search = _page_job(system, "finds-book.js", "finds", say("Search"), index)
    script = SiteScript(language)
    shared = [
        *(_page_job(system, name, name, name, None) for name in STYLES),
        *(_page_job(system, name, name, name, script) for name in SCRIPTS),
    ]
    return [*pages, search, *shared]


@_in_its_language
def army_job(
    system: System, edition: Edition, army: str, roster: Roster, printed: Iterable[Job]
) -> Job:
    """Return the job of an army's page, which links to the army's printed documents."""
    foreign = gather_foreign_words(system.in_language(edition.language), roster)
    frame = replace(gather_frame(system, edition), foreign=foreign)
    page = SitePage(
        frame, army_file(army), roster.army, before=PageLink(ARMIES, say("Armies and prints"))
    )
    data = ArmyPage(page, roster, links_to(printed))
    return _page_job(system, page.file, "army", roster.army, data, army)


@_in_its_language
def list_jobs(
    system: System, edition: Edition, armies: Sequence[ArmySummary], printed: Sequence[Job]
) -> list[Job]:
    """Return the jobs of the page of armies and printed documents, and of its search index.

    Args:
        system: The system.
        edition: The edition that the web edition shows.
        armies: The armies that have pages.
        printed: The jobs of all other documents.
    """
    lines = tuple(
        ArmyLine(
            army.name,
            army_file(army.id),
            army.legal,
            with_decimal_mark(army.points),
            with_decimal_mark(army.limit),
            army.findings,
            links_to(job for job in printed if job.army == army.id),
        )
        for army in sorted(armies, key=lambda army: not army.legal)
    )
    frame = gather_frame(system, edition)
    if frame.foreign:
        names = tuple(army.name for army in armies)
        frame = replace(frame, foreign=replace(frame.foreign, texts=names))
    before, own, after = neighbours(frame, ARMIES)
    page = SitePage(frame, ARMIES, own.title, before, after)
    data = ArmiesPage(page, links_to(job for job in printed if not job.army), lines)
    return [
        _page_job(system, ARMIES, "armies", own.title, data),
        _page_job(system, "finds-armies.js", "finds", say("Search"), index_armies(lines)),
    ]


def links_to(jobs: Iterable[Job]) -> tuple[PrintedDocument, ...]:
    """Return the links from a page of the web edition to printed documents, one per title."""
    files: dict[str, list[DocumentFile]] = {}
    for job in jobs:
        paper = f", {PAPERS[job.paper].title}" if job.paper else ""
        label = say("page") if job.format == "html" else f"{job.format.upper()}{paper}"
        address = f"../{job.path.partition('/')[2]}"
        files.setdefault(job.title, []).append(DocumentFile(label, address))
    return tuple(PrintedDocument(title, tuple(each)) for title, each in files.items())


def _page_job(
    system: System, file: str, variant: str, title: str, data: Any, army: str = ""
) -> Job:
    shown = say(WEB_TITLE) if file == HOME else title
    path = f"{web_folder(system)}/{file}"
    return Job(path, WEB_KIND, file.rpartition(".")[2], variant, "", shown, system.id, army, data)
