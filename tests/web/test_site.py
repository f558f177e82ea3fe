"""Tests of the web edition that need no browser: its pages, links, styles and plan."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from muster.building.plan import Plan
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.website import (
    ChapterPage,
    IndexPage,
    gather_frame,
    gather_site,
    index_armies,
    index_book,
    strip_markdown,
)
from muster.rendering.web_files import search_script, split_by_theme
from muster.systems import Library
from tests.plans import make_plan
from tests.scaffold import SHIPPED, SYSTEM, lay_out, spoil
from tests.web.conftest import ROOT, Site, write_site

FILES = {"fonts.css", "site.css", "army.css", "dark.css"}
FILES |= {"theme.js", "stems.js", "find.js", "search.js", "reading.js", "fit.js"}
FILES |= {"ticks.js", "answers.js"}
FINDS = {"finds-book.js", "finds-armies.js"}
BEHIND = {"settle.html", "tables.html", "glossary.html", "terms.html", "errata.html", "armies.html"}


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """Write the small system that `muster new system` begins with."""
    return lay_out(tmp_path)


def planned(content: Path, *, kinds: tuple[str, ...] = ("web",)) -> Plan:
    """Return a new plan of the system."""
    return make_plan(Library(content.parent.parent), [SYSTEM], kinds)


@cache
def ids(path: Path) -> frozenset[str]:
    """Return the ids of a page."""
    return frozenset(re.findall(r'\sid="([^"]+)"', path.read_text(encoding="utf-8")))


def leads_nowhere(page: Path) -> list[str]:
    """Return the links of a page, within its site, that lead nowhere."""
    text = page.read_text(encoding="utf-8")
    lost = []
    for address in map(unescape, re.findall(r'\s(?:href|src)="([^"]+)"', text)):
        file, _, part = address.partition("#")
        there = page.parent / file if file else page
        if address.startswith(("data:", "../")):
            continue
        if not there.is_file() or (part and part not in ids(there)):
            lost.append(address)
    return lost


@pytest.mark.parametrize("system", SHIPPED)
def test_every_link_of_a_site_leads_somewhere(system: str, site: Site) -> None:
    pages = sorted(site(system).glob("*.html"))
    lost = {page.name: leads_nowhere(page) for page in pages}

    assert {name: each for name, each in lost.items() if each} == {}
    assert len(pages) > len(BEHIND)


@pytest.mark.parametrize("system", SHIPPED)
def test_everything_that_is_found_is_there(system: str, site: Site) -> None:
    folder = site(system)
    for name in FINDS:
        text = (folder / name).read_text(encoding="utf-8")
        found = json.loads(f"[{text[text.index('...[') + 4 : text.rindex(']')]}]")
        assert found, name
        for kind, title, _, address, _, _ in found:
            file, _, part = address.partition("#")

            assert title, (kind, address)
            assert (folder / file).is_file(), (kind, title, address)
            assert not part or part in ids(folder / file), (kind, title, address)


def test_a_lost_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        '<p id="here"><a href="#here">1</a><a href="#there">2</a><a href="b.html">3</a>'
    )

    assert leads_nowhere(page) == ["#there", "b.html"]


@pytest.mark.parametrize("system", SHIPPED)
def test_every_page_is_headed_and_marked_up_in_order(system: str, site: Site) -> None:
    for page in site(system).glob("*.html"):
        text = page.read_text(encoding="utf-8")
        levels = [1, *map(int, re.findall(r"<h([1-6])\b", text))]

        assert levels.count(1) == 2, page.name
        assert all(b <= a + 1 for a, b in pairwise(levels)), page.name
        assert re.search(r'<html lang="[a-z]', text), page.name
        assert [len(re.findall(f"<{name}\\b", text)) for name in ("header", "main", "footer")] == [
            *(1, 1, 1)
        ], page.name


def test_there_is_a_page_for_each_chapter_and_army_and_one_copy_of_what_they_share(
    content: Path,
) -> None:
    plan = planned(content)
    library = Library(content.parent.parent)
    chapters = {f"chapter-{each.id}.html" for each in library.system(SYSTEM).chapters}

    assert {job.path for job in plan.jobs} == {
        f"{SYSTEM}/web/{name}"
        for name in {"index.html", "army-first.html"} | chapters | FILES | FINDS | BEHIND
    }


def test_a_site_is_not_planned_without_pages_for_screens_or_without_prose(content: Path) -> None:
    library = Library(content.parent.parent)

    assert make_plan(library, [SYSTEM], ["web"], ["pdf"]).jobs == []
    for chapter in (content / "prose").iterdir():
        chapter.unlink()
    assert planned(content).jobs == []


def changed(before: Plan, after: Plan) -> set[str]:
    """Return the paths of the files that differ between two plans."""
    old = {job.path: job.fingerprint("") for job in before.jobs}
    new = {job.path: job.fingerprint("") for job in after.jobs}
    return {path.rpartition("/")[2] for path in new if new[path] != old.get(path)}


def test_only_pages_on_which_a_change_is_seen_are_made_anew(content: Path) -> None:
    before = planned(content)
    table = next(each for each in (content / "tables").iterdir() if each.stem == "ranges")
    spoil(table, "title: ", "title: New ")
    after = planned(content)

    placed = {
        f"chapter-{page.stem.partition('-')[2]}.html"
        for page in (content / "prose").iterdir()
        if "{table: ranges}" in page.read_text(encoding="utf-8")
    }
    assert len(placed) == 1
    assert changed(before, after) == {
        *placed,
        *("index.html", "tables.html", "finds-book.js"),
        "errata.html",  # a place of that table is doubtful
    }


def test_an_army_changes_its_own_page_and_the_lists(content: Path) -> None:
    before = planned(content)
    army = content.parent.parent / "armies" / SYSTEM / "first.yaml"
    spoil(army, "name: First army", "name: Last army")

    assert changed(before, planned(content)) == {
        *("army-first.html", "armies.html", "finds-armies.js")
    }


def test_a_fault_in_the_prose_keeps_the_site_from_being_planned_and_is_told_once(
    content: Path,
) -> None:
    chapter = min((content / "prose").iterdir())
    chapter.write_text("Read {table: no-such-table}.\n", encoding="utf-8")
    plan = planned(content, kinds=("web", "rulebook"))

    assert plan.jobs == []
    assert plan.problems
    assert len(plan.problems) == len(set(plan.problems))
    assert f"{SYSTEM}/web" in plan.failed


def test_an_army_that_cannot_be_read_is_not_listed(content: Path) -> None:
    (content.parent.parent / "armies" / SYSTEM / "second.yaml").write_text("system: [\n")
    plan = planned(content)

    assert plan.problems
    names = [job.path.rpartition("/")[2] for job in plan.jobs]
    assert "army-first.html" in names
    assert "army-second.html" not in names
    (lists,) = (job.data for job in plan.jobs if job.path.endswith("/armies.html"))
    assert [army.file for army in lists.armies] == ["army-first.html"]


def test_pages_lead_to_the_prints_that_are_built_with_them(content: Path) -> None:
    plan = planned(content, kinds=("web", "roster", "rulebook"))
    data = {job.path.rpartition("/")[2]: job.data for job in plan.jobs if job.kind == "web"}

    def led_to(name: str) -> list[tuple[str, str]]:
        return [(form.label, form.address) for each in data[name].prints for form in each.forms]

    assert led_to("army-first.html") == [
        ("page", "../armies/first/roster.html"),
        ("PDF, A4", "../armies/first/roster.pdf"),
        ("page", "../armies/first/roster-short.html"),
        ("PDF, A4", "../armies/first/roster-short.pdf"),
        ("PDF, A4", "../armies/first/roster-tournament.pdf"),
    ]
    assert led_to("armies.html") == [("page", "../rulebook.html"), ("PDF, A4", "../rulebook.pdf")]
    assert planned(content).jobs[-2].data.prints == ()


def test_the_places_of_the_index_are_numbered_page_by_page(content: Path) -> None:
    system = Library(content.parent.parent).system(SYSTEM)
    edition = read_editions(system)[0]
    site = gather_site(gather_frame(system, edition), gather_rulebook(system, edition))
    for page in site.pages:
        if isinstance(page, ChapterPage):
            marks = [piece.target for piece in page.passage.pieces if piece.kind == "mark"]
            assert marks == [f"m-{n}" for n in range(1, len(marks) + 1)]
    (terms,) = (page for page in site.pages if isinstance(page, IndexPage))
    assert terms.letters
    # A term that only a table says leads to the table.
    assert all("#m-" in address or "#t-" in address for _, address in terms.page.links)


def test_pages_hold_the_links_that_leave_them_and_no_other(content: Path) -> None:
    for job in planned(content).jobs:
        for _, address in getattr(getattr(job.data, "page", None), "links", ()):
            assert not job.path.endswith(address.partition("#")[0])


def test_what_is_found_in_a_row_tells_its_cells(site: Site) -> None:
    text = (site(SHIPPED[0]) / "finds-book.js").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith('["row"')]

    assert any(" · " in row for row in rows)


def test_armies_are_found_with_their_verdict(content: Path) -> None:
    (lists,) = (j.data for j in planned(content).jobs if j.path.endswith("/armies.html"))
    (found,) = index_armies(lists.armies).found

    assert (found.kind, found.title, found.address) == ("army", "First army", "army-first.html")
    assert found.text == "legal"


def test_finds_are_written_so_that_a_browser_reads_them_as_they_are(content: Path) -> None:
    system = Library(content.parent.parent).system(SYSTEM)
    edition = read_editions(system)[0]
    book = gather_rulebook(system, edition)
    finds = index_book(book)
    script = search_script(finds)

    assert script.startswith('window.musterLanguage = "en";\n')
    assert len(script.splitlines()) == len(finds.found) + 3
    assert not any("{" in each.text or "**" in each.text for each in finds.found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A **bold** and *thin* word", "A bold and thin word"),
        (
            "Of two:\n\n- one,\n  the first\n- two\n\nAfter",
            "Of two: · one, the first · two · After",
        ),
        ('!!! example "Reading"\n    Four.', "Reading Four."),
        ("1. first\n2. second", "first · second"),
    ],
    ids=["emphasis", "list", "note", "numbers"],
)
def test_text_to_be_searched_has_no_signs_of_markdown(text: str, said: str) -> None:
    assert strip_markdown(text) == said


def test_a_figure_at_the_beginning_of_a_line_is_found() -> None:
    system = Library(ROOT).system("huzzah")
    finds = index_book(gather_rulebook(system, read_editions(system)[0])).found
    (orders,) = (each.text for each in finds if each.title == "What can be ordered")

    assert "effective rating is 9" in orders


def test_a_row_is_found_where_it_stands(site: Site) -> None:
    folder = site("slaughterloo")
    text = (folder / "finds-book.js").read_text(encoding="utf-8")
    found = json.loads(f"[{text[text.index('...[') + 4 : text.rindex(']')]}]")
    addresses = [each[3] for each in found if each[0] == "row" and "#r-" in each[3]]

    assert len(addresses) > 100
    assert len(addresses) == len(set(addresses))


def test_rules_for_a_dark_screen_stand_apart() -> None:
    light, dark = split_by_theme(
        "a { b: c }\n@media (prefers-color-scheme: dark) {\n  d { e: f }\n}\ng { h: i }"
    )

    assert light.split() == ["a", "{", "b:", "c", "}", "g", "{", "h:", "i", "}"]
    assert dark.split() == ["d", "{", "e:", "f", "}"]


def test_styles_of_a_site_fetch_nothing(site: Site) -> None:
    folder = site(SHIPPED[0])
    for name in ("fonts.css", "site.css", "army.css", "dark.css"):
        text = (folder / name).read_text(encoding="utf-8")
        addresses = re.findall(r"url\(\s*[\"']?([^\"')]*)", text)

        assert "@import" not in text
        assert all(each.startswith("data:font/woff2") for each in addresses), name
    assert "prefers-color-scheme" not in (folder / "site.css").read_text(encoding="utf-8")


def test_what_an_author_writes_is_shown_and_never_obeyed(content: Path) -> None:
    army = content.parent.parent / "armies" / SYSTEM / "first.yaml"
    spoil(army, "name: First army", "name: '<script>alert(1)</script>'")
    folder = write_site(Library(content.parent.parent), SYSTEM, content.parent.parent / "out")

    for page in folder.glob("*.html"):
        assert "<script>alert" not in page.read_text(encoding="utf-8"), page.name
