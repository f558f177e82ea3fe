"""Tests of printed rosters: the full form, and the short form on one page."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from muster.documents.cards import CardRow
from muster.documents.derived_values import DerivedCell
from muster.documents.roster import BookNote, RosterSection
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.printed import Printed, PrintError
from muster.rendering.roster_pages import roster_html, roster_pdf
from muster.rendering.type_size import SizeMemory
from tests.rendering.samples import entry, roster, told


def text_of(printed: Printed) -> str:
    pages = PdfReader(BytesIO(printed.data)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def test_long_roster_goes_on_with_numbered_pages(templates: TemplateEnvironment) -> None:
    printed = roster_pdf(templates, roster(90, army='The "King\'s" & <own>'), "full", "a4", {})

    assert printed.pages > 1
    assert f"Page 2 of {printed.pages}" in text_of(printed)
    assert text_of(printed).count('The "King\'s" & <own>') == printed.pages + 1


def test_names_in_other_scripts_print_in_embedded_fonts(templates: TemplateEnvironment) -> None:
    names = ("Лейб-гвардии Преображенский полк", "Ιερός Λόχος")
    section = RosterSection(names[1], "command", (entry(name=names[0]),), "")
    sample = roster(army=names[0], sections=(section,))

    printed = roster_pdf(templates, sample, "full", "a4", {})

    assert all(name in text_of(printed) for name in names)
    outlines: set[str] = set()
    for page in PdfReader(BytesIO(printed.data)).pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]  # a dictionary
            below = font.get_object()["/DescendantFonts"][0].get_object()
            assert "+Muster-S" in below["/BaseFont"]
            file = TTFont(BytesIO(below["/FontDescriptor"]["/FontFile2"].get_object().get_data()))
            table = font.get_object()["/ToUnicode"].get_object().get_data().decode()
            for glyph, sign in re.findall(r"<([0-9a-f]+)> <([0-9a-f]+)>", table, re.IGNORECASE):
                if file["glyf"][file.getGlyphOrder()[int(glyph, 16)]].numberOfContours:
                    outlines.add(bytes.fromhex(sign).decode("utf-16-be"))
    assert {letter for name in names for letter in name if letter.isalpha()} <= outlines


def test_only_pages_with_other_scripts_include_their_letters(
    templates: TemplateEnvironment,
) -> None:
    plain, other = (
        roster_html(templates, roster(army=name), "full", "i.html")
        for name in ("The “Jäger” of Łódź", "Лейб-гвардии")
    )

    assert templates.inlined_letters in other
    assert "unicode-range" not in plain


def test_short_form_is_one_page_and_its_type_is_remembered(templates: TemplateEnvironment) -> None:
    memory: SizeMemory = {}

    printed = roster_pdf(templates, roster(45), "short", "letter", memory)

    assert printed.pages == 1
    (size,) = memory.values()
    assert 6 <= size < 10
    assert roster_pdf(templates, roster(45), "short", "letter", memory) == printed


def test_short_form_that_is_too_long_is_an_error(templates: TemplateEnvironment) -> None:
    with pytest.raises(
        PrintError, match=r"The army: roster, short: \d+ mm too long .* 6 pt; print"
    ):
        roster_pdf(templates, roster(200), "short", "a4", {})


def test_short_form_leaves_out_the_arithmetic_and_the_boxes(templates: TemplateEnvironment) -> None:
    full, short = (roster_html(templates, roster(), form, "i.html") for form in ("full", "short"))

    assert full.count("6 × 4") == 3
    assert full.count('class="tick"') == 18
    assert "6 × 4" not in short
    assert 'class="tick"' not in short


def test_illegal_army_says_so_on_every_page_with_its_findings(
    templates: TemplateEnvironment,
) -> None:
    spoilt = roster(90, legal=False, findings=(told(),))

    printed = roster_pdf(templates, spoilt, "full", "a4", {})

    said = text_of(printed)
    assert said.count("· not legal") == printed.pages
    assert "Error: Guards. A unit has too many stands. Found 9; allowed 4–8. Take 1 off." in said
    assert "The army, L1 · line 6 of the army file" in said


def test_roster_without_points_shows_none(templates: TemplateEnvironment) -> None:
    sections = (RosterSection("First", "command", (entry(points=""),), ""),)
    held = roster(has_points=False, points="", limit="", sections=sections)

    html = roster_html(templates, held, "full", "i.html")

    assert "points" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)


def test_roster_says_which_prices_are_missing(templates: TemplateEnvironment) -> None:
    html = roster_html(templates, roster(missing=("the General",)), "full", "i.html")

    assert "72</b> of 100 points, without the General" in html


def test_entries_show_counts_notes_blanks_and_groups(templates: TemplateEnvironment) -> None:
    entries = (
        entry("Wing", kind="group", values=(), boxes=0, points=""),
        entry("Line", count=3, depth=1, notes="Raw recruits", values=(DerivedCell("", "blank"),)),
    )
    held = roster(
        sections=(
            RosterSection("First", "command", entries, ""),
            RosterSection("None", "c", (), ""),
        )
    )

    html = roster_html(templates, held, "full", "i.html", [("Unit cards", "cards.html")])

    assert "3 × <b>Line</b>" in html
    assert "Raw recruits" in html
    assert html.count('class="row"') == 3
    assert '<a href="cards.html">Unit cards</a>' in html
    assert html.count("<table") == 1
    assert roster_pdf(templates, held, "full", "a4", {}).pages == 1


def test_column_that_nothing_fills_has_no_head(templates: TemplateEnvironment) -> None:
    bare = roster(has_sizes=False, has_losses=False)

    full, empty = (roster_html(templates, each, "full", "i.html") for each in (roster(), bare))

    assert (full.count(">Strength</th>"), full.count(">Losses</th>")) == (1, 1)
    assert (empty.count(">Strength</th>"), empty.count(">Losses</th>")) == (0, 0)
    assert (full.count("<td"), empty.count("<td")) == (12, 6)


def test_leader_has_his_values_beside_his_name(templates: TemplateEnvironment) -> None:
    facts = (
        CardRow("Quality", (DerivedCell("Poor", "text"),)),
        CardRow("Radius", (DerivedCell("", "blank"),)),
    )
    leader = entry("Old Fritz", kind="leader", values=(), facts=facts)
    held = roster(sections=(RosterSection("First", "command", (leader,), ""),))

    html = roster_html(templates, held, "short", "i.html")

    assert "Quality <b>Poor</b></span> · " in html
    assert 'Radius <span class="box">' in html
    assert roster_pdf(templates, held, "full", "a4", {}).pages == 1


def test_roster_tells_of_its_books_and_what_suggested_means(templates: TemplateEnvironment) -> None:
    held = roster(books=(BookNote("Prussia", "Examples, L1", "Mostly *foot*."),), suggests=True)

    html = roster_html(templates, held, "full", "i.html")

    assert "<b>Prussia</b> Examples, L1. Mostly <em>foot</em>." in html
    assert "<b>suggested</b> an example of the source" in html
    assert "suggested" not in roster_html(templates, roster(), "full", "i.html")
