"""Tests of plans: which documents, under which names, and what is not planned."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from muster.building.jobs import ChosenArmy, Job, Request
from muster.building.plan import Plan
from muster.systems import Library
from tests.plans import make_plan
from tests.scaffold import lay_out, spoil


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Return a library of two small systems, without what is shipped."""
    lay_out(tmp_path)
    lay_out(tmp_path, "other")
    empty = tmp_path / "shipped"
    empty.mkdir()
    return Library(tmp_path, empty)


def paths(plan: Plan) -> list[str]:
    return [job.path for job in plan.jobs]


def codes(plan: Plan) -> list[str]:
    return [problem.code for problem in plan.problems]


def test_everything_is_planned_in_stable_order(library: Library) -> None:
    plan = make_plan(library, ["club"])

    assert plan.problems == []
    assert [path for path in paths(plan) if "/web/" not in path] == [
        "club/quick-reference.html",
        "club/quick-reference.pdf",
        "club/quick-reference-letter.pdf",
        "club/books/first-book.html",
        "club/books/first-book.pdf",
        "club/books/first-book-letter.pdf",
        "club/rulebook.html",
        "club/rulebook.pdf",
        "club/armies/first/roster.html",
        "club/armies/first/roster.pdf",
        "club/armies/first/roster-short.html",
        "club/armies/first/roster-short.pdf",
        "club/armies/first/roster-tournament.pdf",
        "club/armies/first/cards.html",
        "club/armies/first/cards.pdf",
        "club/armies/first/cards-large.pdf",
        "club/armies/first/cards-single.pdf",
        "club/armies/first/quick-reference.html",
        "club/armies/first/quick-reference.pdf",
    ]
    assert [(each.id, each.title, each.edition) for each in plan.systems] == [
        ("club", "Club rules", "1.0")
    ]
    (army,) = plan.armies
    assert (army.id, army.name, army.legal, army.points, army.limit) == (
        *("first", "First army", True, "107", "120"),
    )
    assert (army.findings, army.own) == (0, True)


def test_all_systems_are_planned_when_none_is_named(library: Library) -> None:
    assert [system.id for system in make_plan(library, []).systems] == ["club", "other"]


@pytest.mark.parametrize(
    ("kinds", "formats", "papers", "expected"),
    [
        (("roster",), ("html",), (), ["roster.html", "roster-short.html"]),
        (
            ("roster",),
            ("pdf",),
            ("letter", "a4"),
            [
                *("roster.pdf", "roster-a4.pdf", "roster-short.pdf", "roster-short-a4.pdf"),
                *("roster-tournament.pdf", "roster-tournament-a4.pdf"),
            ],
        ),
        (("cards",), ("html",), (), ["cards.html"]),
        (("cards",), ("pdf",), ("letter",), ["cards.pdf", "cards-large.pdf", "cards-single.pdf"]),
        (("sheet",), ("html",), (), ["quick-reference.html"]),
        (("book",), ("html",), (), []),
    ],
    ids=["rosters", "rosters on two papers", "cards", "cards on paper", "sheets", "books"],
)
def test_only_the_kinds_and_formats_chosen_are_planned(
    kinds: list[str], formats: list[str], papers: list[str], expected: list[str], library: Library
) -> None:
    plan = make_plan(library, ["club"], kinds, formats, papers)

    assert [path.rpartition("/")[2] for path in paths(plan) if "/armies/" in path] == expected


def test_system_without_books_has_a_document_of_its_types(library: Library) -> None:
    content = library.folder / "content" / "club"
    (content / "books" / "first-book.yaml").unlink()

    plan = make_plan(library, ["club"], ("book",))

    assert paths(plan) == ["club/units.html", "club/units.pdf", "club/units-letter.pdf"]
    assert {job.title for job in plan.jobs} == {"Types of unit"}


def test_tokens_of_a_system_are_planned_if_it_has_any(library: Library) -> None:
    none = make_plan(library, ["club"], ("tokens",))
    text = "tokens: [{id: routing, label: Routing, symbol: rout, number: 3}]\n"
    (library.folder / "content" / "club" / "tokens.yaml").write_text(text, encoding="utf-8")

    plan = make_plan(library, ["club"], ("tokens",))
    papers = make_plan(library, ["club"], ("tokens",), ("pdf",), ("letter", "a4"))

    assert paths(none) == []
    assert paths(plan) == ["club/tokens.html", "club/tokens.pdf"]
    assert [job.paper for job in plan.jobs] == ["", "a4"]
    assert paths(papers) == ["club/tokens.pdf", "club/tokens-a4.pdf"]


def test_unknown_symbol_of_a_token_leaves_the_rest_of_the_plan(library: Library) -> None:
    text = "tokens: [{id: routing, label: Routing, symbol: rot, number: 3}]\n"
    (library.folder / "content" / "club" / "tokens.yaml").write_text(text, encoding="utf-8")

    plan = make_plan(library, ["club"], ("tokens", "sheet"))

    (problem,) = plan.problems
    assert (problem.code, problem.location.line) == ("unknown-symbol", 1)
    assert {job.kind for job in plan.jobs} == {"sheet"}


def test_pages_of_books_link_to_each_other(library: Library) -> None:
    books = library.folder / "content" / "club" / "books"
    text = (books / "first-book.yaml").read_text(encoding="utf-8")
    second = text.replace("id: first-book", "id: second").replace("The First Nation", "The Second")
    (books / "second.yaml").write_text(second, encoding="utf-8")

    jobs = {job.path: job for job in make_plan(library, ["club"], ("book",)).jobs}

    assert jobs["club/books/first-book.html"].beside == (("Army book: The Second", "second.html"),)


def test_single_cards_have_no_paper(library: Library) -> None:
    jobs = {job.path: job for job in make_plan(library, ["club"], ("cards",)).jobs}

    assert jobs["club/armies/first/cards-single.pdf"].paper == ""
    assert jobs["club/armies/first/cards.pdf"].paper == "a4"


def test_pages_for_screens_name_those_beside_them(library: Library) -> None:
    jobs = {job.path: job for job in make_plan(library, ["club"]).jobs}

    assert jobs["club/armies/first/roster.html"].beside == (
        ("Roster on one page", "roster-short.html"),
        ("Unit cards", "cards.html"),
        ("Quick reference for this army", "quick-reference.html"),
    )
    assert jobs["club/armies/first/roster.pdf"].beside == ()
    alone = make_plan(library, ["club"], ("cards",)).jobs
    assert {job.beside for job in alone} == {()}


def test_broken_system_does_not_stop_the_other(library: Library) -> None:
    spoil(library.folder / "content" / "club" / "system.yaml", "unit: cm", "unit: miles")

    plan = make_plan(library, [])

    assert {path.partition("/")[0] for path in paths(plan)} == {"other", "builder"}
    (problem,) = plan.problems
    assert problem.location.file.endswith("club/system.yaml")


def test_unknown_system_is_told(library: Library) -> None:
    plan = make_plan(library, ["clob", "other"])

    assert codes(plan) == ["unknown-system"]
    assert len([path for path in paths(plan) if "/web/" not in path]) == 19


def test_broken_army_does_not_stop_the_others(library: Library) -> None:
    armies = library.folder / "armies" / "club"
    (armies / "broken.yaml").write_text("system: club\nbook: nothing\n", encoding="utf-8")

    plan = make_plan(library, ["club"])

    assert [army.id for army in plan.armies] == ["first"]
    assert plan.problems
    assert {problem.location.file.rpartition("/")[2] for problem in plan.problems} == {
        "broken.yaml"
    }


def test_broken_sheet_does_not_stop_rosters_and_cards(library: Library) -> None:
    sheet = library.folder / "content" / "club" / "sheets" / "quick-reference.yaml"
    spoil(sheet, "{table: terms}", "{table: terns}")

    plan = make_plan(library, ["club"])

    assert codes(plan) == ["unknown-table"]
    assert {job.kind for job in plan.jobs} == {"roster", "cards", "book", "rulebook", "web"}


def test_fault_of_the_cards_is_told_once_for_all_armies(library: Library) -> None:
    armies = library.folder / "armies" / "club"
    (armies / "second.yaml").write_bytes((armies / "first.yaml").read_bytes())
    spoil(library.folder / "content" / "club" / "cards.yaml", "label: Stands", "labl: Stands")

    plan = make_plan(library, ["club"])

    assert sorted(codes(plan)) == ["missing-key", "unknown-key"]
    assert {job.kind for job in plan.jobs} == {"sheet", "rulebook", "web"}
    assert [army.id for army in plan.armies] == ["first", "second"]


def test_cards_that_name_no_row_are_told(library: Library) -> None:
    cards = library.folder / "content" / "club" / "cards.yaml"
    spoil(cards, "row: {field: arm}, column: rough", "row: camels, column: rough")

    plan = make_plan(library, ["club"])

    (problem,) = plan.problems
    assert (problem.code, problem.location.file) == ("unknown-entry", "content/club/cards.yaml")
    assert "camels" in problem.text
    assert "muster lint" in problem.text
    assert {job.kind for job in plan.jobs} == {"sheet", "roster", "book", "rulebook", "web"}


def test_army_without_cards_has_no_documents_of_them(library: Library) -> None:
    (library.folder / "content" / "club" / "cards.yaml").unlink()

    plan = make_plan(library, ["club"])

    assert plan.problems == []
    assert "cards" not in {job.kind for job in plan.jobs}


def test_army_that_no_table_concerns_has_no_sheet(library: Library) -> None:
    content = library.folder / "content" / "club"
    for table in (content / "tables").glob("*.yaml"):
        text = table.read_text(encoding="utf-8")
        table.write_text(text + "for: {arm: [camels]}\n", encoding="utf-8")

    plan = make_plan(library, ["club"], ("sheet",))

    assert paths(plan) == [
        *(f"club/quick-reference{end}" for end in (".html", ".pdf", "-letter.pdf")),
    ]


def test_own_army_is_marked(library: Library) -> None:
    assert [army.own for army in make_plan(library, ["club"]).armies] == [True]
    elsewhere = Library(library.shipped, library.folder)
    assert [army.own for army in make_plan(elsewhere, ["club"]).armies] == [False]


def of_two_scales(library: Library, sheet: str = "") -> Library:
    """Give the system a second scale, and its sheet another key."""
    folder = library.folder / "content" / "club"
    one = "scales: [{id: 28mm, title: 28 mm figures}"
    spoil(folder / "system.yaml", one, f"{one}, {{id: 6mm, title: 6 mm figures}}")
    with (folder / "sheets" / "quick-reference.yaml").open("a", encoding="utf-8") as file:
        file.write(sheet)
    return Library(library.folder, library.shipped)


def sheets(plan: Plan) -> dict[str, str]:
    """Return the scale of every sheet for screens of a system, by its path."""
    return {
        job.path: job.data.scale
        for job in plan.jobs
        if (job.kind, job.format, job.army) == ("sheet", "html", "")
    }


def test_each_scale_has_a_sheet(library: Library) -> None:
    plan = make_plan(of_two_scales(library), ["club"])

    assert sheets(plan) == {
        "club/quick-reference.html": "28 mm figures",
        "club/quick-reference-6mm.html": "6 mm figures",
    }


def test_scale_that_is_asked_for_has_the_only_sheet(library: Library) -> None:
    plan = make_plan(of_two_scales(library), ["club"], scale="6mm")

    assert sheets(plan) == {"club/quick-reference.html": "6 mm figures"}


def test_scales_stand_together_on_request(library: Library) -> None:
    plan = make_plan(of_two_scales(library, "scales: together\n"), ["club"])

    assert sheets(plan) == {"club/quick-reference.html": "28 mm figures, 6 mm figures"}


def test_scale_that_is_not_there_is_told(library: Library) -> None:
    plan = make_plan(library, ["club"], scale="6mm")

    assert codes(plan) == ["unknown-scale"]
    assert plan.jobs == []


def test_lengths_come_in_the_unit_chosen(library: Library) -> None:
    plan = make_plan(library, ["club"], ("sheet",), unit="in")

    assert plan.jobs[0].data.unit.startswith("inches, converted")


@pytest.mark.parametrize("change", ["data", "beside", "variant", "paper"])
def test_fingerprint_changes_with_all_that_a_file_is_made_from(
    change: str, library: Library
) -> None:
    job = make_plan(library, ["club"], ("roster",)).jobs[0]
    other: dict[str, Any] = {"data": 1, "beside": (("a", "b"),), "variant": "x", "paper": "letter"}

    changed = replace(job, **{change: other[change]})

    assert changed.fingerprint("t") != job.fingerprint("t")
    assert job.fingerprint("t") != job.fingerprint("u")


def test_list_builder_offers_all_systems_or_those_it_is_asked_for(library: Library) -> None:
    whole = make_plan(library, [])
    one = make_plan(library, ["other"], ["builder"])

    def systems(plan: Plan) -> list[str]:
        found = [path for path in paths(plan) if path.startswith("builder/systems/")]
        return [path.removeprefix("builder/systems/") for path in found]

    assert systems(whole) == ["club.js", "club.tables.js", "other.js", "other.tables.js"]
    assert systems(one) == ["other.js", "other.tables.js"]
    assert not systems(make_plan(library, ["club"])), "one system must not take the others' place"
    assert not systems(make_plan(library, [], ["builder"], ["pdf"]))


def test_list_builder_leaves_out_a_system_with_problems(library: Library, tmp_path: Path) -> None:
    spoil(tmp_path / "content" / "club" / "system.yaml", "unit: cm", "unit: miles")

    plan = make_plan(library, [], ["builder"])

    (index,) = (job for job in plan.jobs if job.path == "builder/index.html")
    assert [system.id for system in index.data.systems] == ["other"]
    assert plan.problems


def test_own_book_is_in_the_list_builder_and_renews_its_shared_files(
    library: Library, tmp_path: Path
) -> None:
    def page_of(plan: Plan) -> Job:
        return next(job for job in plan.jobs if job.path == "builder/sw.js")

    before = make_plan(library, [], ["builder"])
    book = tmp_path / "content" / "club" / "books" / "first-book.yaml"
    own = book.read_text(encoding="utf-8").replace("id: first-book", "id: own-book")
    (book.parent / "own-book.yaml").write_text(own, encoding="utf-8")

    after = make_plan(Library(tmp_path, library.shipped), [], ["builder"])

    data = next(job.data.data for job in after.jobs if job.path == "builder/systems/club.js")
    assert '"id":"own-book"' in data
    assert page_of(before).fingerprint("") != page_of(after).fingerprint("")


def test_list_builder_links_to_the_index_if_other_documents_are_built(library: Library) -> None:
    def linked(plan: Plan) -> bool:
        (index,) = (job for job in plan.jobs if job.path == "builder/index.html")
        return bool(index.data.has_documents)

    assert linked(make_plan(library, []))
    assert not linked(make_plan(library, [], ["builder"]))


def test_findings_of_the_list_builder_link_to_pages_that_are_built(library: Library) -> None:
    def data(plan: Plan) -> str:
        return next(str(j.data.data) for j in plan.jobs if j.path == "builder/systems/club.js")

    whole, alone = make_plan(library, []), make_plan(library, [], ["builder"])

    linked = set(re.findall(r'"page":"../([^"]*)"', data(whole)))
    assert linked
    assert linked <= set(paths(whole))
    assert '"page"' not in data(alone)


def translate(library: Library) -> None:
    """Begin a German translation of the system `club`."""
    folder = library.folder / "content" / "club" / "translations"
    folder.mkdir()
    words = 'msgid "Movement"\nmsgstr "Bewegung"\n\nmsgid "Line battalion"\nmsgstr "Linie"\n'
    (folder / "de.po").write_text(words, encoding="utf-8")


def test_a_translated_system_has_its_sheet_in_both_languages(library: Library) -> None:
    translate(library)
    plan = make_plan(library, ["club"], kinds=("sheet",))

    jobs = {job.path: job for job in plan.jobs}
    english, german = (jobs[f"club/quick-reference{end}.html"] for end in ("", "-de"))
    assert "Bewegung" in str(german.data)
    assert "Bewegung" not in str(english.data)
    assert german.data.language == "de"


def test_a_translation_that_cannot_be_read_spoils_no_other_sheet(library: Library) -> None:
    folder = library.folder / "content" / "club" / "translations"
    folder.mkdir()
    (folder / "de.po").write_text("msgid\n", encoding="utf-8")
    plan = make_plan(library, ["club"], kinds=("sheet",), formats=("html",))

    assert "club/quick-reference.html" in paths(plan)
    assert "club/quick-reference-de.html" not in paths(plan)
    assert codes(plan) == ["bad-po"]


def test_translation_has_pages_for_screens_of_every_document(library: Library) -> None:
    translate(library)
    plan = make_plan(library, ["club"])

    assert plan.problems == []
    german = [path for path in paths(plan) if "-de" in path and "/web-de/" not in path]
    assert german == [
        "club/quick-reference-de.html",
        "club/quick-reference-de.pdf",
        "club/quick-reference-de-letter.pdf",
        "club/books/first-book-de.html",
        "club/armies/first/roster-de.html",
        "club/armies/first/roster-short-de.html",
        "club/armies/first/cards-de.html",
        "club/armies/first/quick-reference-de.html",
    ]
    web = {path.rpartition("/")[2] for path in paths(plan) if "/web/" in path}
    assert web == {path.rpartition("/")[2] for path in paths(plan) if "/web-de/" in path}
    assert len(plan.armies) == 1


def test_language_that_is_asked_for_is_the_only_one_and_on_paper(library: Library) -> None:
    translate(library)
    whole = make_plan(library, ["club"], languages=("de",))
    english = make_plan(library, ["club"], languages=("en",))

    assert "club/armies/first/roster-de.pdf" in paths(whole)
    assert "club/books/first-book-de-letter.pdf" in paths(whole)
    assert [path for path in paths(whole) if "-de" not in path] == []
    assert paths(english) == [
        path for path in paths(make_plan(library, ["club"])) if "-de" not in path
    ]


def test_army_is_printed_in_its_own_language_unless_another_is_asked_for(library: Library) -> None:
    translate(library)
    file = library.folder / "armies" / "club" / "first.yaml"
    chosen = (ChosenArmy("club", "first", str(file), elsewhere=False),)
    own = make_plan(library, [], armies=chosen)
    german = make_plan(library, [], armies=chosen, languages=("de",))

    assert not [path for path in paths(own) if "-de" in path]
    assert "club/armies/first/cards-de.pdf" in paths(german)
    assert not [path for path in paths(german) if "-de" not in path]


def test_roster_in_another_language_says_its_texts_and_findings_in_it(library: Library) -> None:
    translate(library)
    army = library.folder / "armies" / "club" / "first.yaml"
    spoil(army, "limit: 120", "limit: 12")
    plan = make_plan(library, ["club"], kinds=("roster",), formats=("html",))
    jobs = {job.path: job for job in plan.jobs}

    english, german = (jobs[f"club/armies/first/roster{end}.html"].data for end in ("", "-de"))
    assert (english.language, german.language) == ("en", "de")
    assert "12 points" in english.findings[0].found
    assert "12 Punkte" in german.findings[0].found
    assert "Linie" in str(german)
    assert "Linie" not in str(english)


def test_documents_of_a_language_link_to_each_other(library: Library) -> None:
    translate(library)
    plan = make_plan(library, ["club"], formats=("html",))
    jobs = {job.path: job for job in plan.jobs}

    beside = [name for _, name in jobs["club/armies/first/roster-de.html"].beside]
    assert beside == ["roster-short-de.html", "cards-de.html", "quick-reference-de.html"]
    page = jobs["club/web-de/army-first.html"].data
    files = [file.address for document in page.prints for file in document.forms]
    assert files == [f"../armies/first/{name}" for name in ("roster-de.html", *beside)]
    assert page.prints[0].title == "Armeeliste"
    assert jobs["club/web-de/army-first.html"].beside == (("English", "../web/army-first.html"),)
    assert jobs["club/web/index.html"].beside == (("Deutsch", "../web-de/index.html"),)
    sheet = jobs["club/quick-reference-de.html"]
    assert sheet.beside == (("Web-Ausgabe", "web-de/index.html"),)
    alone = make_plan(library, ["club"], ("web", "sheet"), languages=("en",)).jobs
    assert {job.beside for job in alone if job.kind == "web"} == {()}


def test_list_builder_in_a_language_links_to_the_rules_in_it(library: Library) -> None:
    translate(library)
    plan = make_plan(library, [])
    data = {job.path: str(getattr(job.data, "data", "")) for job in plan.jobs}

    english, german = (
        set(re.findall(r'"page":"../([^"]*)"', data[f"builder/systems/club{language}.js"]))
        for language in ("", ".de")
    )
    assert german == {path.replace("club/web/", "club/web-de/") for path in english}
    assert {path.partition("#")[0] for path in german} <= set(paths(plan))
    assert all(path.startswith("club/web-de/") for path in german)


def test_a_translation_that_cannot_be_read_leaves_the_list_builder_in_english(
    library: Library,
) -> None:
    folder = library.folder / "content" / "club" / "translations"
    folder.mkdir()
    (folder / "de.po").write_text("msgid\n", encoding="utf-8")
    plan = make_plan(library, [], ["builder", "web"])

    builder = [path for path in paths(plan) if path.startswith("builder/systems/")]
    names = ("club.js", "club.tables.js", "other.js", "other.tables.js")
    assert builder == [f"builder/systems/{name}" for name in names]
    assert "club/web/index.html" in paths(plan)
    assert not [path for path in paths(plan) if "web-de" in path]
    (problem,) = plan.problems
    assert (problem.code, problem.location.file.rpartition("/")[2]) == ("bad-po", "de.po")


def test_system_that_is_not_in_a_language_is_refused_if_it_is_named(library: Library) -> None:
    translate(library)
    named = make_plan(library, ["other"], languages=("de",))
    every = make_plan(library, [], languages=("de",))

    assert codes(named) == ["no-translation"]
    assert "Club rules is not in 'de', expected en" in named.problems[0].text
    assert "muster translate other de" in named.problems[0].example
    assert every.problems == []
    assert {job.system for job in every.jobs if job.system} == {"club"}


def test_older_documents_stay_when_one_language_is_built(library: Library) -> None:
    assert not Request(library.folder, languages=("de",)).covers_all_kinds
    assert Request(library.folder).covers_all_kinds
