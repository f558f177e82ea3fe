"""Plan a build: every document of the systems and armies that a request names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from muster.armies import Army, Verdict, book_ids, load_book
from muster.armies.composition import COMPOSITION_FILE
from muster.building.builder_edition import BUILDER_GROUP, shared_jobs, system_jobs
from muster.building.jobs import (
    KINDS,
    ArmySummary,
    ChosenArmy,
    GatheredJobs,
    Job,
    Request,
    SystemSummary,
    data_fingerprint,
)
from muster.building.plan import (
    Gather,
    GroupLookup,
    Plan,
    collect_problems,
    no_known_groups,
)
from muster.building.plan_sources import (
    ArmyReader,
    DocumentFolder,
    SystemReader,
    choose_known_measures,
)
from muster.building.web_edition import (
    WEB_KIND,
    WEB_TITLE,
    army_job,
    book_jobs,
    links_to,
    list_jobs,
)
from muster.documents.army_book import UNITS_ID, gather_army_book
from muster.documents.cards import Deck, gather_cards
from muster.documents.measures import Measures
from muster.documents.roster import Roster, format_points, gather_roster
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.share_link import LONGEST_CODE, list_link
from muster.documents.sheet import gather_sheet
from muster.documents.tokens import gather_tokens
from muster.documents.website import HOME, make_searchable
from muster.languages import known_languages, marked, say, speaking
from muster.problems import Location, MusterError, Problem, display_path
from muster.systems import Library, System
from muster.systems.library import LibraryItem
from muster.systems.rulebook_edition import STANDARD_EDITION, Edition


def make_plan(
    library: Library,
    request: Request,
    known: GroupLookup = no_known_groups,
    printed: Mapping[str, str] = MappingProxyType({}),
) -> Plan:
    """Plan the documents of a request.

    An error in one system or army does not stop the others; it is kept in the plan's problems.

    Args:
        library: Where systems and armies are found.
        request: What to build.
        known: Returns a group as the last build left it.
        printed: The file of each army from elsewhere that the output folder holds, by
            `system/army`; another file of the same name does not take its place.
    """
    plan = Plan(known=known)
    systems = list(library.systems()) if request.covers_all_systems else request.systems
    for system_id in systems:
        with collect_problems(plan, f"content/{system_id}", system_id):
            _plan_system(plan, library, library.system(system_id), request)
    for army in request.armies:
        with collect_problems(plan, army.file, f"{army.system}/armies/{army.id}"):
            _refuse_other_file(army, printed.get(f"{army.system}/{army.id}", ""))
            _plan_chosen_army(plan, library, army, request)
    if _includes_builder(request):
        _plan_builder(plan, library, systems)
    # An error in a file that all armies depend on is reported once.
    plan.problems = list(dict.fromkeys(plan.problems))
    return plan


def _plan_system(plan: Plan, library: Library, system: System, request: Request) -> None:
    plan.systems.append(_summary(system))
    measures = choose_known_measures(system, request.scale, request.unit)
    readers = _system_readers(library, system, request)
    for reader in readers:
        _plan_sheets(plan, reader, measures)
        _plan_tokens(plan, reader)
        _plan_books(plan, reader, measures)
    if "rulebook" in request.kinds:
        file = f"content/{system.id}/editions"
        with collect_problems(plan, file, f"{system.id}/rulebook"):
            for edition in read_editions(system):
                if request.is_in_language(edition.language or system.identity.language):
                    _plan_rulebook(plan, library, system.id, edition, request)
    has_web = _has_web(system, request)
    for reader in readers if has_web else ():
        _plan_web_book(plan, reader)
    plan.problems.extend(library.refused_armies(system.id))
    for item in library.armies(system.id).values():
        for reader in readers:
            army = ArmyReader(reader, item)
            _plan_army(plan, army, system.sheet_ids())
            if has_web:
                _plan_web_army(plan, army)
    for reader in readers if has_web else ():
        _plan_web_lists(plan, reader)
    _link_languages(plan, readers if has_web else ())


def _has_web(system: System, request: Request) -> bool:
    return "web" in request.kinds and "html" in request.formats and bool(system.chapter_files())


def _system_readers(library: Library, system: System, request: Request) -> list[SystemReader]:
    """Return a reader for each language to print in: the system's own, then those of translations.

    Raises:
        MusterError: If the system is asked for by name in a language that it is not in.
    """
    own = system.identity.language
    known = ["", *system.translation_languages()]
    chosen = [language for language in known if request.is_in_language(language or own)]
    if not chosen and not request.covers_all_systems:
        asked = request.languages[0]
        text = f"{system.title} is not in {asked!r}, expected {' or '.join([own, *known[1:]])}"
        place = Location(f"content/{system.id}/translations", None, None)
        example = f"`muster translate {system.id} {asked}` begins a translation"
        raise MusterError((Problem("no-translation", text, place, example=example),))
    return [SystemReader(library, system.id, request, language) for language in chosen]


def _includes_builder(request: Request) -> bool:
    """Return whether the list builder is planned: with all systems, or if it is asked for itself.

    A build of all documents of one system leaves the builder alone, which offers others too.
    """
    asked_for = request.covers_all_systems or set(request.kinds) != set(KINDS)
    return "builder" in request.kinds and "html" in request.formats and asked_for


def _plan_builder(plan: Plan, library: Library, systems: Sequence[str]) -> None:
    """Plan the list builder of some systems; one whose files have problems is left out."""

    def gather(system_id: str, language: str, pages: Collection[str]) -> GatheredJobs:
        system = library.system(system_id)
        if not system.has_file(COMPOSITION_FILE):
            return [], []
        return system_jobs(system, library.book_folders(system_id), pages, language), []

    has_documents = bool(plan.jobs)
    jobs: list[Job] = []
    for system_id in systems:
        file = f"content/{system_id}/{COMPOSITION_FILE}"
        for language in ("", *_builder_languages(library, system_id)):
            web = f"{system_id}/web{language and f'-{language}'}/"
            pages = tuple(sorted(job.path for job in plan.jobs if job.path.startswith(web)))
            # The data of an earlier build are up to date only if they link to the same pages.
            group_id = f"{BUILDER_GROUP}/{system_id}{language and f'.{language}'}"
            group_id += f"/{data_fingerprint(pages)[:8]}"
            jobs += plan.add_group(group_id, file, partial(gather, system_id, language, pages))
    if jobs:
        shared = plan.add_group(
            BUILDER_GROUP,
            "content",
            lambda: (shared_jobs(jobs, has_documents=has_documents), []),
            always_gather=True,
        )
        plan.jobs.extend([*shared, *jobs])


def _builder_languages(library: Library, system_id: str) -> list[str]:
    """Return the languages of a system's translations in which the list builder has words.

    A system that cannot be read has none: that is told where its data are gathered.
    """
    try:
        known = library.system(system_id).translation_languages()
    except MusterError:
        return []
    return [language for language in known if language in known_languages()]


def _refuse_other_file(army: ChosenArmy, printed: str) -> None:
    """Refuse an army whose documents would take the place of another's, which is still there.

    Raises:
        MusterError: If *printed*, the file that they were made from so far, is another one.
    """
    other = Path(printed)
    if not army.elsewhere or not other.is_file() or other.resolve() == Path(army.file).resolve():
        return
    text = (
        f"{display_path(other)} was printed into the same folder, {army.system}/armies/{army.id};"
        " rename one of the two files, or choose another folder with --out"
    )
    raise MusterError([Problem("same-name", text, Location(display_path(Path(army.file))))])


def _summary(system: System) -> SystemSummary:
    look = system.identity.look
    return SystemSummary(
        system.id, system.title, system.identity.edition, look.accent, look.ornament
    )


def _plan_chosen_army(plan: Plan, library: Library, army: ChosenArmy, request: Request) -> None:
    """Plan the documents of one army, unless they are planned with its system."""
    if f"{army.system}/armies/{army.id}" in plan.groups:
        return
    system = library.system(army.system)
    if system.id not in plan.whole_systems | plan.partial:
        plan.systems.append(_summary(system))
        plan.partial.add(system.id)
    file = Path(army.file)
    item = LibraryItem(army.id, file, own=not file.is_relative_to(library.shipped))
    readers = _system_readers(library, system, request)
    for reader in readers if request.languages else readers[:1]:
        _plan_army(plan, ArmyReader(reader, item, army.elsewhere), system.sheet_ids())


def _plan_sheets(plan: Plan, reader: SystemReader, measures: Measures) -> None:
    folder = reader.folder(("a4", "letter"), on_paper=True)
    written = reader.library.system(reader.system_id)

    def gather(sheet_id: str) -> GatheredJobs:
        system = reader.system()
        jobs: list[Job] = []
        for stem, chosen in _sheets_by_scale(system, sheet_id, measures):
            sheet = gather_sheet(system, sheet_id, measures=chosen)
            title = sheet.subtitle if stem == sheet_id else f"{sheet.subtitle}, {sheet.scale}"
            jobs += folder.both("sheet", stem, "", title, sheet)
        return jobs, []

    # Each in a group of its own: a translation that cannot be read spoils no other sheet.
    for sheet_id in written.sheet_ids() if "sheet" in reader.request.kinds else ():
        group_id, file = f"{written.id}/{sheet_id}{reader.ending}", f"content/{written.id}/sheets"
        jobs = plan.add_group(group_id, file, partial(gather, sheet_id))
        if _has_web(written, reader.request):
            with speaking(reader.language or written.identity.language):
                web = ((say(WEB_TITLE), f"web{reader.ending}/{HOME}"),)
            jobs = [replace(job, beside=web) if job.format == "html" else job for job in jobs]
        plan.jobs.extend(jobs)


def _sheets_by_scale(
    system: System, sheet_id: str, measures: Measures
) -> list[tuple[str, Measures]]:
    """Return the file names of a sheet, without endings, and the measures of each.

    There is a sheet for each scale, that of the first under the sheet's own name, unless one scale
    was asked for or the sheet file wants all on one sheet.
    """
    scales = [scale.id for scale in system.scales]
    if measures.scale or len(scales) == 1 or system.sheet(sheet_id).scales == "together":
        return [(sheet_id, measures)]
    stems = [sheet_id, *(f"{sheet_id}-{scale}" for scale in scales[1:])]
    return [
        (stem, replace(measures, scale=scale)) for stem, scale in zip(stems, scales, strict=True)
    ]


def _plan_tokens(plan: Plan, reader: SystemReader) -> None:
    written = reader.library.system(reader.system_id)
    if "tokens" not in reader.request.kinds or not written.has_file("tokens.yaml"):
        return
    folder = reader.folder(("a4",))

    @reader.in_language
    def gather() -> GatheredJobs:
        sheet = gather_tokens(reader.system())
        return folder.both("tokens", "tokens", "", say("Tokens"), sheet) if sheet else [], []

    group_id, file = f"{written.id}/tokens{reader.ending}", f"content/{written.id}/tokens.yaml"
    plan.jobs.extend(plan.add_group(group_id, file, gather))


def _plan_books(plan: Plan, reader: SystemReader, measures: Measures) -> None:
    """Plan the army books of a system; for one without books, its types of unit."""
    written = reader.library.system(reader.system_id)
    if "book" not in reader.request.kinds or not written.has_file(COMPOSITION_FILE):
        return
    folders = reader.book_folders(written.id)
    books = book_ids(written, folders)
    folder = reader.folder(("a4", "letter"), below="books" if books else "")

    @reader.in_language
    def gather(book_id: str) -> GatheredJobs:
        system = reader.system()
        book = load_book(system, book_id, folders) if books else None
        data = gather_army_book(system, book, measures, pictured=True)
        title = say("{kind}: {title}", kind=data.kind, title=data.title) if book else data.title
        return folder.both("book", book_id, "", title, data), []

    file = f"content/{written.id}/{'books' if books else COMPOSITION_FILE}"
    jobs: list[Job] = []
    for book_id in books or [UNITS_ID]:
        group_id = f"{folder.path}/{book_id}{reader.ending}"
        jobs += plan.add_group(group_id, file, partial(gather, book_id))
    plan.jobs.extend(_link_neighbours(jobs))


def _plan_rulebook(
    plan: Plan, library: Library, system_id: str, edition: Edition, request: Request
) -> None:
    """Plan an edition, which itself says on which paper, for which scale and in which unit."""
    folder = DocumentFolder(system_id, system_id, "", request.formats, (edition.paper,))
    standard = edition.id == STANDARD_EDITION
    stem = "rulebook" if standard else f"rulebook-{edition.id}"
    older_edition = dict(request.since).get(system_id, "")

    @SystemReader(library, system_id, request, edition.language or "").in_language
    def gather() -> GatheredJobs:
        title = say("Rulebook: {edition}", edition=edition.title)
        book = gather_rulebook(library.system(system_id), edition, older_edition)
        words = library.system(system_id).search_words
        page = make_searchable(book, words.groups(book.language), words.examples)
        html = folder.html("rulebook", stem, edition.id, title, page) if standard else []
        if not edition.language and _has_web(library.system(system_id), request):
            html = [replace(job, beside=((say(WEB_TITLE), f"web/{HOME}"),)) for job in html]
        jobs = [*html, *folder.pdf("rulebook", stem, edition.id, title, book)]
        if edition.leaf_mm:
            cover = say("{document}, cover", document=title)
            jobs += folder.pdf("cover", f"{stem}-cover", edition.id, cover, book)
        return [replace(job, language=edition.language or "") for job in jobs], []

    file = f"content/{system_id}/prose"
    plan.jobs.extend(plan.add_group(f"{system_id}/rulebook-{edition.id}", file, gather))


def _plan_army(plan: Plan, reader: ArmyReader, sheet_ids: Sequence[str]) -> None:
    """Plan an army's documents in a language; if the army cannot be read there are none."""
    folder, request = reader.document_folder(), reader.source.request
    content = f"content/{folder.system}"

    def summarise() -> GatheredJobs:
        army, verdict, _ = reader.read()
        return [], [_summarise_army(army, verdict, reader)]

    @reader.source.in_language
    def roster() -> GatheredJobs:
        army, verdict, measures = reader.read()
        data = gather_roster(army.system, army, verdict, measures)
        link = list_link(request.builder_at, army) if request.builder_at else ""
        jobs = _roster_jobs(folder, data, link)
        if _includes_builder(request):
            up = "../" * (folder.path.count("/") + 1)
            copy = (say("Edit a copy"), list_link(f"{up}builder/index.html", army))
            jobs = [replace(job, beside=(copy,)) if job.format == "html" else job for job in jobs]
        return jobs, []

    @reader.source.in_language
    def cards() -> GatheredJobs:
        army, verdict, measures = reader.read()
        deck = gather_cards(army.system, army, verdict, measures)
        return _card_jobs(folder, deck, request.backs), []

    @reader.source.in_language
    def sheet(sheet_id: str) -> GatheredJobs:
        return _army_sheet_jobs(folder, reader, sheet_id), []

    if folder.path not in plan.groups:
        plan.add_group(folder.path, content, summarise)
    if folder.path in plan.failed:
        return
    documents: list[tuple[str, str, str, Gather]] = [
        ("roster", "roster", "cards.yaml", roster),
        ("cards", "cards", "cards.yaml", cards),
        *(("sheet", sheet_id, "sheets", partial(sheet, sheet_id)) for sheet_id in sheet_ids),
    ]
    jobs: list[Job] = []
    for kind, name, file, gather in documents:
        if kind in request.kinds:
            group_id = f"{folder.path}/{name}{folder.ending}"
            jobs += plan.add_group(group_id, f"{content}/{file}", gather)
    plan.jobs.extend(_link_neighbours(jobs))


def _summarise_army(army: Army, verdict: Verdict, reader: ArmyReader) -> ArmySummary:
    return ArmySummary(
        reader.item.id,
        army.name,
        army.system.id,
        verdict.legal,
        format_points(verdict.price.total),
        format_points(army.limit),
        len(verdict.findings),
        reader.item.own,
        str(reader.item.path) if reader.elsewhere else "",
    )


def _roster_jobs(folder: DocumentFolder, roster: Roster, link: str) -> list[Job]:
    """Return the jobs of a roster's forms; the one for a tournament is signed, so on paper only."""
    tournament = say("Roster for a tournament, to sign")
    linked = replace(roster, link=link) if 0 < len(link) <= LONGEST_CODE else roster
    return [
        *folder.both("roster", "roster", "full", say("Roster"), roster),
        *folder.both("roster", "roster-short", "short", say("Roster on one page"), roster),
        *folder.pdf("roster", "roster-tournament", "tournament", tournament, linked),
    ]


_CARD_FORMATS = (
    ("cards", "9-up", marked("Unit cards, nine to a page")),
    ("cards-large", "4-up", marked("Unit cards, large, four to a page")),
    ("cards-single", "single", marked("Unit cards, one to a page")),
)


def _card_jobs(folder: DocumentFolder, deck: Deck, backs: str) -> list[Job]:
    """Return the jobs of cards in every format, if there are any; on screens they have no backs."""
    if not deck.cards:
        return []
    jobs = folder.html("cards", "cards", "9-up", say("Unit cards"), deck)
    printed = replace(deck, backs=backs) if backs else deck
    for stem, variant, title in _CARD_FORMATS:
        jobs += folder.pdf("cards", stem, variant, say(title), printed)
    return jobs


def _army_sheet_jobs(folder: DocumentFolder, reader: ArmyReader, sheet_id: str) -> list[Job]:
    """Return the jobs of a sheet with the parts that concern an army; none if no part does."""
    army, _, measures = reader.read()
    sheet = gather_sheet(army.system, sheet_id, army=army, measures=measures)
    if not sheet.sides:
        return []
    return folder.both("sheet", sheet_id, "", say("Quick reference for this army"), sheet)


def _link_neighbours(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs of a folder; each page for screens also links to the others beside it.

    A job that is known from the last build has those links already; its own lead to other folders.
    """
    pages = [(job.title, job.path.rpartition("/")[2]) for job in jobs if job.format == "html"]

    def linked(job: Job) -> Job:
        others = (page for page in pages if not job.path.endswith("/" + page[1]))
        own = (link for link in job.beside if "/" in link[1])
        return replace(job, beside=(*others, *own))

    return [linked(job) if job.format == "html" else job for job in jobs]


def _plan_web_book(plan: Plan, reader: SystemReader) -> None:
    """Plan the pages of the web edition that are made from the rulebook."""

    def gather() -> GatheredJobs:
        return book_jobs(reader.system(), reader.web_edition()), []

    file = f"content/{reader.system_id}/prose"
    plan.jobs.extend(plan.add_group(_web_group(reader), file, gather))


def _plan_web_army(plan: Plan, reader: ArmyReader) -> None:
    """Plan an army's page, unless the army or the book could not be planned."""
    folder, source = reader.document_folder(), reader.source
    group_id = f"{folder.path}/web{folder.ending}"
    if _web_group(source) in plan.failed:
        plan.failed.append(group_id)
    if {folder.path, group_id} & set(plan.failed):
        return
    printed = [job for job in _printed_jobs(plan, source) if job.army == folder.army]

    def gather() -> GatheredJobs:
        system = source.system()
        army, verdict, measures = reader.read()
        roster = gather_roster(system, army, verdict, measures)
        return [army_job(system, source.web_edition(), folder.army, roster, printed)], []

    # The page of an earlier build is up to date only if it links to the same documents.
    group_id += f"/{data_fingerprint(links_to(printed))[:8]}"
    plan.jobs.extend(plan.add_group(group_id, f"content/{folder.system}/cards.yaml", gather))


def _plan_web_lists(plan: Plan, reader: SystemReader) -> None:
    """Plan the page of armies and printed documents, from what is planned of them so far."""
    group, system_id = _web_group(reader), reader.system_id
    if group in plan.failed:
        return
    with_page = {job.army for job in plan.jobs if job.path.startswith(f"{group}/")}
    armies = [army for army in plan.armies if army.system == system_id and army.id in with_page]
    printed = _printed_jobs(plan, reader)

    def gather() -> GatheredJobs:
        return list_jobs(reader.system(), reader.web_edition(), armies, printed), []

    file = f"content/{system_id}/editions"
    plan.jobs.extend(plan.add_group(f"{group}/lists", file, gather, always_gather=True))


def _link_languages(plan: Plan, readers: Sequence[SystemReader]) -> None:
    """Link each page of a web edition to the same page in the other languages, if it has one."""
    paths = {job.path for job in plan.jobs if job.kind == WEB_KIND and job.format == "html"}
    names: dict[str, str] = {}
    for reader in readers:
        language = reader.language or reader.library.system(reader.system_id).identity.language
        with speaking(language):
            # What the language calls itself; its code, if Muster does not speak it.
            own = say("English")
        names[_web_group(reader)] = language if own == "English" and language[:2] != "en" else own
    for place, job in enumerate(plan.jobs):
        group, _, file = job.path.rpartition("/")
        if job.path in paths and group in names:
            beside = tuple(
                (name, f"../{other.rpartition('/')[2]}/{file}")
                for other, name in names.items()
                if other != group and f"{other}/{file}" in paths
            )
            plan.jobs[place] = replace(job, beside=beside)


def _web_group(reader: SystemReader) -> str:
    """Return the group of the web edition in a language, which is its folder too."""
    return f"{reader.system_id}/web{reader.ending}"


def _printed_jobs(plan: Plan, reader: SystemReader) -> list[Job]:
    """Return the documents of a system that the web edition in a language links to."""
    jobs = [job for job in plan.jobs if job.kind != WEB_KIND and job.system == reader.system_id]
    if not reader.language:
        # The documents of an army in the system's own language, and all others in every language.
        return [job for job in jobs if not (job.army and job.language)]
    remark = f" ({reader.language})"
    spoken = [job for job in jobs if job.language == reader.language]
    return [replace(job, title=job.title.removesuffix(remark)) for job in spoken]
