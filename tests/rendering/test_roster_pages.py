"""Tests of printed rosters: the full form, and the short form on one page."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from muster.documents.cards import CardRow, LossBox
from muster.documents.derived_values import DerivedCell
from muster.documents.roster import (
    BookNote,
    ColumnKey,
    MarkNote,
    Marks,
    Roster,
    RosterSection,
    Track,
)
from muster.documents.share_link import LONGEST_CODE
from muster.documents.short_roster import sign as signed_form
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS, PT_PER_MM
from muster.rendering.printed import Printed
from muster.rendering.roster_columns import column_widths, one_line_size, wrapped_size
from muster.rendering.roster_pages import ROSTER_MARGIN_MM, roster_html, roster_pdf
from muster.rendering.type_size import SizeMemory
from tests.pages.printed import Pdf
from tests.qr_codes import code_on_page, mask_of_code, text_of_code
from tests.rendering.samples import entry, roster, told


def text_of(printed: Printed) -> str:
    pages = PdfReader(BytesIO(printed.data)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def test_long_roster_goes_on_with_numbered_pages(templates: TemplateEnvironment) -> None:
    printed = roster_pdf(templates, roster(50, army='The "King\'s" & <own>'), "full", "a4", {})

    assert printed.pages > 1
    assert f"Page 2 of {printed.pages}" in text_of(printed)
    assert text_of(printed).count('The "King\'s" & <own>') == printed.pages + 1


def test_what_goes_on_from_another_page_is_named_there(templates: TemplateEnvironment) -> None:
    units = tuple(entry(f"Unit {n}") for n in range(5))
    short = tuple(RosterSection(f"Line {n}", "c", units, "72") for n in range(12))

    long, whole = (
        roster_pdf(templates, held, "full", "a4", {})
        for held in (roster(50), roster(sections=short))
    )

    assert long.pages > 1
    assert text_of(long).count("First line, cont.") == long.pages - 1
    assert whole.pages > 1
    assert "cont." not in text_of(whole)


def test_names_in_other_scripts_print_in_embedded_fonts(templates: TemplateEnvironment) -> None:
    names = ("Лейб-гвардии Преображенский полк", "Ιερός Λόχος")
    section = RosterSection(names[1], "command", (entry(name=names[0], values=()),), "")
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


def test_roster_with_room_to_spare_has_larger_type(templates: TemplateEnvironment) -> None:
    few: SizeMemory = {}
    many: SizeMemory = {}
    roster_pdf(templates, roster(3), "full", "a4", few)
    roster_pdf(templates, roster(32), "full", "a4", many)

    assert max(many.values()) < max(few.values()) == 12


@pytest.mark.parametrize(
    ("boxes", "count", "room", "held"),
    [
        (4, 1, 60, 4),
        (4, 4, 90, 16),
        (12, 1, 20, 12),
        (16, 1, 90, 16),
        (16, 1, 40, 10),
        (20, 3, 90, 20),
    ],
)
def test_column_of_boxes_holds_whole_units_where_there_is_room(
    boxes: int, count: int, room: int, held: int
) -> None:
    unit = entry(boxes=boxes, count=count, how="")
    line = roster(sections=(RosterSection("Line", "command", (unit,), "24"),))

    width = column_widths(line, room, on_paper=True).losses

    numbers = 1.1 * count if count > 1 else 0
    assert held * 1.18 < width < (held + 1) * 1.18 + 4 + numbers


def test_boxes_of_a_unit_stand_in_fives_and_each_unit_has_its_own(
    templates: TemplateEnvironment,
) -> None:
    section = RosterSection("Line", "command", (entry(boxes=12, count=2),), "24")

    html = roster_html(templates, roster(sections=(section,), keys=()), "full", "i.html")

    rows = re.split('<span class="row[ "]', html)[1:]
    fives = [row.split('<span class="five">')[1:] for row in rows]
    assert [[five.count('class="tick"') for five in row] for row in fives] == [[5, 5, 2]] * 2


@pytest.mark.parametrize("variant", ["full", "short"])
def test_boxes_of_equal_units_have_the_numbers_of_their_cards(
    templates: TemplateEnvironment, variant: str
) -> None:
    units = (entry("Line", boxes=40, count=3), entry("Guards", boxes=12))
    section = RosterSection("First", "command", units, "48")

    html = roster_html(templates, roster(sections=(section,), keys=()), variant, "i.html")

    first, second = html.split("Guards</b>")
    numbers = re.findall(r'<span class="copy">(\d+)</span><span class="track', first)
    assert numbers == ["1", "2", "3"]
    assert 'class="copy"' not in second


def test_boxes_leave_room_for_the_numbers_of_equal_units() -> None:
    one, two = (
        roster(sections=(RosterSection("Line", "c", (entry(boxes=12, count=count),), "24"),))
        for count in (1, 2)
    )

    alone, numbered = (column_widths(each, 40, on_paper=True) for each in (one, two))

    assert numbered.losses > alone.losses
    assert numbered.boxes_a_line(Track(12), 2) == alone.boxes_a_line(Track(12), 1) == 12
    assert alone.boxes_a_line(Track(12), 2) < 12


@pytest.mark.parametrize(("text", "em"), [("Close order", 5.0), ("Regulars of the C class", 5.0)])
def test_short_words_stay_on_one_line_however_narrow_the_page(text: str, em: float) -> None:
    value = (DerivedCell(text, "text"),)
    key = ColumnKey("Order", "close or open order")
    section = RosterSection("First line", "command", (entry(values=value),), "", keys=(key,))
    narrow = roster(sections=(section,), keys=(key,))

    (width,) = column_widths(narrow, 10, on_paper=True).columns.values()

    assert (width > em) is (text == "Close order")


def of_many_columns(**changes: Any) -> Roster:
    """Return a roster whose columns leave names no room beside long tracks of boxes."""
    keys = tuple(ColumnKey(f"Key {n}", "Value") for n in range(9))
    values = (DerivedCell("20 cm", "number"),) * len(keys)
    unit = entry("Grenadier battalion Billerbeck", boxes=16, values=values, **changes)
    section = RosterSection("Line", "command", (unit,) * 4, "24", keys=keys)
    return roster(keys=keys, sections=(section,))


def test_boxes_stand_below_the_values_where_names_have_no_room(
    templates: TemplateEnvironment,
) -> None:
    few, many = (
        text_of(roster_pdf(templates, held, "full", "a4", {}))
        for held in (roster(3), of_many_columns())
    )

    assert "Unit Strength Mv Losses" in few
    assert "Unit Losses Key 0" in many
    assert many.count("Grenadier battalion Billerbeck 20 cm") == 4
    assert many.count("6 stands · Foot") == 4


def test_long_roster_has_its_boxes_below_too(templates: TemplateEnvironment) -> None:
    held = of_many_columns()
    (section,) = held.sections
    long = replace(held, sections=(replace(section, entries=section.entries * 15),))

    printed = roster_pdf(templates, long, "full", "a4", {})

    said = text_of(printed)
    assert printed.pages > 1
    assert said.count("Grenadier battalion Billerbeck 20 cm") == 60
    assert said.count("Unit Losses Key 0") == printed.pages


def test_marks_stand_in_their_boxes_and_are_explained(templates: TemplateEnvironment) -> None:
    note = MarkNote("Figures", "officer dies on", (("1", "6"), ("2", "5–6")))
    marks = Marks((LossBox(2, "1"), LossBox(6, "2")), note)
    group = entry("Horse", kind="group", boxes=0, values=(), points="", marks=marks)
    large = entry(boxes=0, losses_of=99, marks=marks)
    section = RosterSection("Line", "command", (group, entry(marks=marks), large), "24")
    held = roster(sections=(section,), keys=())

    html = roster_html(templates, held, "full", "i.html")

    ticks = re.findall(r'class="tick( marked)?">(?:<span class="mark">)?([^<]*)<', html)
    assert [mark or "–" for marked, mark in ticks if marked] == ["1", "2"]
    assert [number for number, (marked, _) in enumerate(ticks, start=1) if marked] == [2, 6]
    assert html.count("1 at <b>2</b>") == html.count("2 at <b>6</b>") == 2
    printed = text_of(roster_pdf(templates, held, "full", "a4", {}))
    assert "Figures: officer dies on 1 6, 2 5–6." in printed


def test_boxes_of_marks_that_nobody_states_are_thick_and_empty(
    templates: TemplateEnvironment,
) -> None:
    note = MarkNote("Figures", "officer dies on 1D6 as marked")
    marks = Marks((LossBox(2, "5–6"), LossBox(4, to_write=True)), note)
    written, stated = (
        roster(sections=(RosterSection("Line", "c", (entry(marks=each),), "24"),), keys=())
        for each in (marks, replace(marks, boxes=marks.boxes[:1]))
    )

    html = roster_html(templates, written, "full", "i.html")

    assert 'class="tick marked several"><span class="mark">5–6</span>' in html
    assert 'class="tick marked open"><span class="unseen">to fill in</span>' in html
    assert ": write in." in html
    assert ": write in." not in roster_html(templates, stated, "full", "i.html")
    plain = replace(written, sections=(RosterSection("Line", "c", (entry(),), "24"),))
    room = [column_widths(each, on_paper=True).boxes.box for each in (plain, stated)]
    assert room[0] < room[1]


def test_boxes_of_a_roster_on_paper_align_whatever_their_marks(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    note = MarkNote("Figures", "officer dies on 1D6 as marked")
    short, long = (Marks((LossBox(2, mark), LossBox(4, "7")), note) for mark in ("6", "5–6"))
    units = (entry(marks=short), entry(marks=long), entry(marks=long, halved=True))
    held = roster(sections=(RosterSection("First", "c", units, "72"),), keys=())

    file = tmp_path / "roster.pdf"
    file.write_bytes(roster_pdf(templates, held, "full", "a4", {}).data)

    lefts = {round(piece.left, 1) for piece in Pdf(file).pages[0] if piece.text == "7"}
    assert len(lefts) == 1


def test_tables_of_a_roster_share_their_columns(templates: TemplateEnvironment) -> None:
    keys = (ColumnKey("Mv", "Move"), ColumnKey("Rg", "Range"))
    value = DerivedCell("10", "number")
    both = RosterSection("A", "c", (entry(values=(value, value)),), "24", keys=keys)
    one = RosterSection("B", "c", (entry(values=(value,)),), "24", keys=keys[1:])

    html = roster_html(templates, roster(keys=keys, sections=(both, one)), "full", "i.html")

    first, second = re.findall(r"<thead.*?</thead>", html, re.DOTALL)
    assert re.findall(r"width: [\d.]+em", first) == re.findall(r"width: [\d.]+em", second)
    assert [head.count(">Mv</th>") for head in (first, second)] == [1, 0]
    assert [head.count("></td>") for head in (first, second)] == [0, 1]


def test_tallies_are_told_apart_by_the_shape_of_their_boxes(
    templates: TemplateEnvironment,
) -> None:
    tallies = (Track(5, "Kills"), Track(5, "Staggers", "round"))
    unit = entry(boxes=0, tallies=tallies, count=2)
    section = RosterSection("Line", "command", (unit,), "24")
    held = roster(losses="Kills · Staggers", sections=(section,), keys=())

    html = roster_html(templates, held, "full", "i.html")

    assert html.count('class="track square" data-label="Kills"') == 2
    assert html.count('class="track round" data-label="Staggers"') == 2
    assert "Kills · Staggers" in text_of(roster_pdf(templates, held, "full", "a4", {}))


def test_points_have_their_decimals_in_a_column(templates: TemplateEnvironment) -> None:
    units = (entry(points="24"), entry(points="7.5"))
    held = roster(sections=(RosterSection("Line", "command", units, "31.5"),))

    whole, broken = (roster_html(templates, each, "full", "i.html") for each in (roster(), held))

    assert 'class="fraction"' not in whole
    assert re.findall(r'class="fraction" style="[^"]*">([^<]*)<', broken) == ["", ".5"]


def test_group_stands_on_the_page_of_its_first_unit(templates: TemplateEnvironment) -> None:
    entries = [
        each
        for n in range(60)
        for each in (
            entry(f"Wing {n}.", kind="group", boxes=0, points="", values=()),
            entry(f"Unit {n}.", depth=1, how=""),
        )
    ]
    section = RosterSection("Line", "command", tuple(entries), "", keys=roster().keys)

    printed = roster_pdf(templates, roster(sections=(section,)), "full", "a4", {})

    pages = [page.extract_text() for page in PdfReader(BytesIO(printed.data)).pages]
    assert len(pages) > 1
    for page in pages:
        assert re.findall(r"Wing (\d+)\.", page) == re.findall(r"Unit (\d+)\.", page)


def test_room_that_a_roster_leaves_has_lines_for_notes(templates: TemplateEnvironment) -> None:
    few, many = (roster_pdf(templates, roster(n), "full", "a4", {}) for n in (3, 25))

    assert (few.pages, many.pages) == (1, 1)
    assert "Notes" in text_of(few)
    assert "Notes" not in text_of(many)


def test_short_form_is_one_page_and_its_type_is_remembered(templates: TemplateEnvironment) -> None:
    memory: SizeMemory = {}

    printed = roster_pdf(templates, roster(45), "short", "letter", memory)

    assert printed.pages == 1
    assert 6 <= max(memory.values()) < 10
    assert roster_pdf(templates, roster(45), "short", "letter", memory) == printed


def in_sections(number: int) -> Roster:
    move = ColumnKey("Mv", "Move in the open")
    own = (entry("Unit"),)
    sections = (
        RosterSection(f"Command {n}", "command", own, "24", keys=(move,)) for n in range(number)
    )
    return roster(sections=tuple(sections))


@pytest.mark.parametrize(
    ("sample", "seen", "left_out"),
    [
        (roster(60), "Unit 59", ""),
        (in_sections(45), "Command 44", "The full roster lists the units of each command."),
        (in_sections(150), "Command 0", "commands stand on the full roster."),
    ],
    ids=["many-units", "many-commands", "too-many-commands"],
)
def test_short_form_of_a_huge_army_is_one_page_too(
    templates: TemplateEnvironment, sample: Roster, seen: str, left_out: str
) -> None:
    printed = roster_pdf(templates, sample, "short", "a4", {})

    assert printed.pages == 1
    assert seen in text_of(printed)
    assert left_out in text_of(printed)


def test_short_form_prints_again_if_the_libraries_changed(templates: TemplateEnvironment) -> None:
    memory: SizeMemory = {}
    before = roster_pdf(templates, roster(45), "short", "a4", memory)
    for key in memory:
        memory[key] = 30.0

    assert roster_pdf(templates, roster(45), "short", "a4", memory) == before


def test_short_form_leaves_out_the_arithmetic_and_keeps_the_boxes(
    templates: TemplateEnvironment,
) -> None:
    full, short = (roster_html(templates, roster(), form, "i.html") for form in ("full", "short"))

    assert full.count("6 × 4") == 3
    assert "6 × 4" not in short
    assert full.count('class="tick"') == short.count('class="tick"') == 18


def test_page_for_a_tournament_has_lines_to_sign_on_and_no_boxes(
    templates: TemplateEnvironment,
) -> None:
    unnamed = roster_pdf(templates, roster(), "tournament", "a4", {})
    named = roster_pdf(templates, roster(player="Anna Weiß"), "tournament", "a4", {})

    said = text_of(unnamed)
    assert unnamed.pages == 1
    assert [said.count(word) for word in ("Player", "Event", "Signed: ", "Date")] == [1, 1, 2, 1]
    assert all(f"Unit {n}" in said for n in range(3))
    assert "Veterans" in said
    assert "72 of 100 points" in said
    assert "6 × 4" not in said
    assert "Losses" not in said
    assert "Anna Weiß" in text_of(named)
    assert "list builder" not in said


def test_page_for_a_tournament_has_the_code_of_its_list(templates: TemplateEnvironment) -> None:
    link = "https://club.example/lists/#list=Xq3-_" + "A7" * 6

    linked = roster_pdf(templates, roster(link=link), "tournament", "a4", {})

    assert "This list in the list builder" in text_of(linked)
    rows = code_on_page(linked.data)
    assert text_of_code(rows, mask_of_code(rows)) == link


def test_longest_link_has_its_code_on_the_page_for_a_tournament(
    templates: TemplateEnvironment,
) -> None:
    link = "https://club.example/lists/#list=" + "A" * (LONGEST_CODE - 33)

    linked = roster_pdf(templates, roster(link=link), "tournament", "a4", {})

    assert linked.pages == 1
    assert "This list in the list builder" in text_of(linked)


def test_page_for_a_tournament_lists_every_unit_of_a_large_army(
    templates: TemplateEnvironment,
) -> None:
    units = tuple(entry(f"Unit {n}", values=()) for n in range(150))
    section = RosterSection("First line", "command", units, "72")
    held = roster(sections=(section,), keys=(), legal=False)

    printed = roster_pdf(templates, held, "tournament", "a4", {})

    said = text_of(printed)
    assert printed.pages > 1
    assert all(f"Unit {n} " in said for n in range(150))
    assert said.count("· not legal") == printed.pages
    assert said.count("Signed: organiser") == 1


def test_illegal_army_says_so_on_every_page_with_its_findings(
    templates: TemplateEnvironment,
) -> None:
    spoilt = roster(50, legal=False, findings=(told(),))

    printed = roster_pdf(templates, spoilt, "full", "a4", {})

    said = text_of(printed)
    assert said.count("· not legal") == printed.pages
    assert "Guards. A unit has too many stands. It has 9; it may have 4–8. Take 1 off." in said
    assert "The army, L1" in said
    assert "line 6" not in said


def test_roster_without_points_shows_none(templates: TemplateEnvironment) -> None:
    key = ColumnKey("Mv", "Move in the open")
    sections = (RosterSection("First", "command", (entry(points=""),), "", keys=(key,)),)
    held = roster(has_points=False, points="", limit="", sections=sections)

    html = roster_html(templates, held, "full", "i.html")

    assert "points" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)


def test_roster_says_which_prices_are_missing(templates: TemplateEnvironment) -> None:
    html = roster_html(templates, roster(missing=("the General",)), "full", "i.html")

    assert "72</b> of 100 points, without the General" in html
    assert "at least 72 of 100 points" in html


def test_what_is_said_of_a_unit_is_parted(templates: TemplateEnvironment) -> None:
    rows = tuple(CardRow("", (DerivedCell(word, "text"),)) for word in ("Guard", "Ogres"))
    told, plain = (
        roster(sections=(RosterSection("Line", "c", (unit,), "24"),), keys=())
        for unit in (
            entry("Leib", type="Foot", facts=rows, options=("Rifles", "Drilled")),
            entry("Leib", type="Foot", facts=(), options=()),
        )
    )

    printed = text_of(roster_pdf(templates, told, "full", "a4", {}))

    assert "Leib Foot · Guard · Ogres · Rifles, Drilled" in printed
    html = roster_html(templates, plain, "full", "i.html")
    assert 'class="dot"' not in html


def test_entries_show_counts_notes_blanks_and_groups(templates: TemplateEnvironment) -> None:
    entries = (
        entry("Wing", kind="group", values=(), boxes=0, points=""),
        entry("Line", count=3, depth=1, notes="Raw recruits", values=(DerivedCell("", "blank"),)),
    )
    held = roster(
        sections=(
            RosterSection("First", "command", entries, "", keys=roster().keys),
            RosterSection("None", "c", (), ""),
        )
    )

    html = roster_html(templates, held, "full", "i.html", [("Unit cards", "cards.html")])

    assert "3 × <b>Line</b>" in html
    assert "Raw recruits" in html
    assert html.count('class="row ') == 3
    assert '<a href="cards.html">Unit cards</a>' in html
    assert html.count("<table") == 1
    assert roster_pdf(templates, held, "full", "a4", {}).pages == 1


def test_column_that_nothing_fills_has_no_head(templates: TemplateEnvironment) -> None:
    units = tuple(entry(strength="", boxes=0) for _ in range(3))
    bare = roster(sections=(RosterSection("First", "command", units, "", keys=roster().keys),))

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

    # A dot between the facts would hang at the end of a line.
    assert 'Quality&nbsp;<b>Poor</b></span> <span class="fact">Radius' in html
    assert 'Radius&nbsp;<span class="box">' in html
    assert roster_pdf(templates, held, "full", "a4", {}).pages == 1


def test_roster_tells_of_its_books(templates: TemplateEnvironment) -> None:
    held = roster(books=(BookNote("Prussia", "Mostly *foot*."),))

    html = roster_html(templates, held, "full", "i.html")

    assert "<b>Prussia</b> Mostly <em>foot</em>." in html


def test_roster_names_its_player(templates: TemplateEnvironment) -> None:
    html = roster_html(templates, roster(player="Anna Weiß"), "full", "i.html")

    assert "Player <b>Anna Weiß</b>" in html


def test_errors_stand_below_another_heading_than_what_is_worth_checking(
    templates: TemplateEnvironment,
) -> None:
    warning = replace(told("A unit looks odd."), severity="warning")

    html = roster_html(templates, roster(legal=False, findings=(warning, told())), "full", "i.html")

    said = [html.index(text) for text in ("must be put right", "too many stands")]
    said += [html.index(text) for text in ("worth checking", "looks odd")]
    assert said == sorted(said)


def test_unit_with_a_long_description_has_more_than_a_line_instead_of_small_type(
    templates: TemplateEnvironment,
) -> None:
    long = entry("Guards", options=tuple(f"Option {n} of a long list" for n in range(6)))
    section = RosterSection("First line", "command", (long, entry("Line")), "48")

    printed = roster_pdf(templates, roster(sections=(section,), keys=()), "tournament", "a4", {})

    assert printed.pages == 1
    assert text_of(printed).count("Notes") == 1
    room_pt = (PAPERS["a4"].width_mm - 2 * ROSTER_MARGIN_MM) * PT_PER_MM
    signed = signed_form(roster(sections=(section,), keys=()))
    assert one_line_size(signed, room_pt, 13) < 9.5 <= wrapped_size(signed, room_pt, 13)
