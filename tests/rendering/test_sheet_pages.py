"""Tests of printed sheets: packing, one page a side, the type size that fits, what cannot fit."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from muster.documents.cards import CardRow
from muster.documents.derived_values import DerivedCell
from muster.documents.roster import Track
from muster.documents.table_view import (
    ColumnHead,
    Footnote,
    Formation,
    PrintedCell,
    TableLine,
    fold_view,
)
from muster.documents.unit_table import UnitColumn, UnitRow, UnitTable
from muster.rendering import sheet_fitting, sheet_measuring
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS, PX_PER_MM
from muster.rendering.printed import Printed, PrintError, TrialLayout
from muster.rendering.printer import Printer
from muster.rendering.sheet_fitting import (
    LARGEST_PT,
    SMALLEST_PT,
    WANTED_PT,
    fit_sides,
    lay_out_trial,
    level_widths,
    lower_widths,
)
from muster.rendering.sheet_levelling import LAST_UNEVEN_PITCH
from muster.rendering.sheet_measuring import TriedHeights
from muster.rendering.sheet_packing import columns_near, pack_blocks
from muster.rendering.sheet_pages import sheet_html, sheet_pdf
from muster.rendering.sheet_sides import (
    NOTES_PITCH_MM,
    SMALLEST_MARK_PT,
    LaidColumn,
    LaidGroup,
    LaidSide,
    columns_of,
    credit_side,
)
from muster.rendering.sheet_units import LARGE_ENOUGH_PT, LARGEST_UNITS_PT, UNIT_SCALES
from muster.rendering.type_size import SizeMemory
from tests.pages.printed import MM, Pdf
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import block, sheet, side, view

A4 = PAPERS["a4"]


def of_size(memory: SizeMemory, side: int = 0) -> str:
    """Return the key of the size of a side."""
    (name,) = (each for each in memory if each.endswith(f".{side}.size"))
    return name


def test_each_side_is_one_page_and_the_type_is_remembered(templates: TemplateEnvironment) -> None:
    memory: SizeMemory = {}

    printed = sheet_pdf(templates, sheet(side(), side(columns=(1, 2))), A4, memory)

    assert printed.pages == 2
    assert memory[of_size(memory)] == LARGEST_PT
    assert sheet_pdf(templates, sheet(side(), side(columns=(1, 2))), A4, memory) == printed


def test_sheet_that_is_remembered_is_not_measured(
    templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory: SizeMemory = {}
    first = sheet_pdf(templates, sheet(), A4, memory)
    monkeypatch.setattr(Printer, "measure", None)

    assert sheet_pdf(templates, sheet(), A4, memory) == first


def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the HTML of all trial layouts from now on."""
    asked: list[str] = []
    real = Printer.measure

    def measure(self: Printer, html: str, *more: Any, **named: Any) -> TrialLayout:
        asked.append(html)
        return real(self, html, *more, **named)

    monkeypatch.setattr(Printer, "measure", measure)
    return asked


def test_only_blocks_that_changed_are_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [block(f"Block {n}", view(rows=3)) for n in range(4)]
    memory: SizeMemory = {}
    sheet_pdf(TemplateEnvironment([TEMPLATES]), sheet(side(*blocks)), A4, memory)
    blocks[2] = block("Another", view(rows=4))
    anew = sheet_pdf(TemplateEnvironment([TEMPLATES]), sheet(side(*blocks)), A4, {})
    asked = measured(monkeypatch)

    again = sheet_pdf(TemplateEnvironment([TEMPLATES]), sheet(side(*blocks)), A4, memory)

    assert again == anew
    assert "Another" in asked[0]
    assert "Block 0" not in asked[0]


def test_sheets_share_the_heights_of_their_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [block(f"Block {n}", view(rows=3)) for n in range(4)]
    shared = TemplateEnvironment([TEMPLATES])
    sheet_pdf(shared, sheet(side(*blocks)), A4, {})
    alone = sheet_pdf(TemplateEnvironment([TEMPLATES]), sheet(side(*blocks[:3])), A4, {})
    asked = measured(monkeypatch)

    assert sheet_pdf(shared, sheet(side(*blocks[:3])), A4, {}) == alone
    assert "Block 0" not in asked[0]


def test_few_heights_are_kept_for_other_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_measuring, "_MAX_CACHED_HEIGHTS", 2)
    templates = TemplateEnvironment([TEMPLATES])

    for turn in range(9):
        sheet_pdf(templates, sheet(side(block(f"Block {turn}", view(rows=3)))), A4, {})

    assert 0 < len(templates.heights) < 9


@pytest.mark.parametrize("spoilt", ["0.0.blocks", "0.room", "0.1.gap", "size"])
def test_memory_that_cannot_be_is_found_anew(spoilt: str, templates: TemplateEnvironment) -> None:
    memory: SizeMemory = {}
    first = sheet_pdf(templates, sheet(), A4, memory)
    kept = dict(memory)
    key = of_size(memory).removesuffix(".0.size")
    if spoilt == "0.0.blocks":
        memory[f"{key}.{spoilt}"] = 7
    elif spoilt == "size":
        memory[f"{key}.0.size"] = 90.0
    else:
        del memory[f"{key}.{spoilt}"]

    assert sheet_pdf(templates, sheet(), A4, memory) == first
    assert memory == kept


def test_fuller_sheet_has_smaller_type(templates: TemplateEnvironment) -> None:
    blocks = [block(f"Block {n}", view(rows=8)) for n in range(8)]
    memory: SizeMemory = {}

    sheet_pdf(templates, sheet(side(*blocks)), A4, memory)

    assert SMALLEST_PT <= memory[of_size(memory)] < LARGEST_PT


def test_each_side_has_type_as_large_as_it_has_room_for(templates: TemplateEnvironment) -> None:
    full = side(*[block(f"Block {n}", view(rows=8)) for n in range(8)])
    memory: SizeMemory = {}

    sheet_pdf(templates, sheet(full, side()), A4, memory)

    assert memory[of_size(memory, 0)] < memory[of_size(memory, 1)] == LARGEST_PT


def test_side_that_cannot_fit_is_named_with_millimetres(templates: TemplateEnvironment) -> None:
    full = side(block("Long", view(rows=150)), title="The back")

    with pytest.raises(PrintError) as caught:
        sheet_pdf(templates, sheet(side(), full), A4, {})

    found = re.search(
        r"Quick reference, A4 does not fit at 7 pt.*: side “The back” is (\d+) mm too long\.",
        str(caught.value),
    )
    assert found is not None
    assert 100 < int(found[1]) < 1000
    assert "The turn" not in str(caught.value)


def test_text_wider_than_its_column_is_named(templates: TemplateEnvironment) -> None:
    lines = (TableLine("Foot", (PrintedCell("x" * 90, "number"),)),)
    wide = block("Wide", view(lines=lines, heads=view().heads[:1]))

    with pytest.raises(PrintError, match=r"“x{40}” is wider than its column"):
        sheet_pdf(templates, sheet(side(wide, columns=(1, 1, 1))), A4, {})


def test_block_that_is_too_wide_for_one_column_goes_to_another(
    templates: TemplateEnvironment,
) -> None:
    lines = (TableLine("Foot", (PrintedCell("x" * 60, "number"),)),)
    wide = block("Wide", view(lines=lines, heads=view().heads[:1]))

    printed = sheet_pdf(templates, sheet(side(block(), wide, block(), columns=(1, 4))), A4, {})

    assert printed.pages == 1
    with pytest.raises(PrintError, match="wider"):
        sheet_pdf(templates, sheet(side(wide, block(), columns=(1, 4))), A4, {})


def test_frame_that_is_too_wide_is_told(templates: TemplateEnvironment) -> None:
    with pytest.raises(PrintError, match=r"“x{40}” is wider"):
        sheet_pdf(templates, sheet(side(title="x" * 400)), A4, {})


def test_every_form_of_table_is_printed(templates: TemplateEnvironment) -> None:
    figure = Formation(
        (("F", "L"), ("G", ".")), (("F", "foot"),), open_order=True, caption="A square"
    )
    outcome = (
        TableLine("2–4", (PrintedCell("Rout to the edge.", "text", ("a",)),), group="Low"),
        TableLine("5", ()),
    )
    forms = [
        block(
            "Grid", view(lines=(*view().lines, TableLine("x", view().lines[0].cells, group="g")))
        ),
        block("Band", view(heads=tuple(replace(head, kind="band") for head in view().heads))),
        block("Pairs", fold_view(view(form="pairs"), 2)),
        block("Outcomes", view(form="outcomes", lines=outcome[:1])),
        block("Terms", view(form="terms"), notes=("A *note*.",)),
        block("Listed", view(form="listed")),
        block(
            "Steps",
            view(
                form="steps",
                lines=(TableLine("a", (PrintedCell("b"), PrintedCell("c")), number="1"),),
            ),
        ),
        block("Figure", view(form="figure", figure=figure), text="Some **text**."),
        block("Two", view("One"), view("Other", remark="r")),
    ]

    printed = sheet_pdf(templates, sheet(side(*forms)), A4, {})
    html = sheet_html(templates, sheet(side(*forms)), "index.html")

    assert printed.pages == 1
    for each in forms:
        assert f">{each.title}" in html
    assert 'alt="Movement: A square"' in html
    assert "<strong>text</strong>" in html


def test_sheet_for_an_army_names_it(templates: TemplateEnvironment) -> None:
    html = sheet_html(templates, sheet(army="The <army>"), "../index.html", [("Roster", "r.html")])

    assert "<h1>The &lt;army&gt;</h1>" in html
    assert '<a href="r.html">Roster</a>' in html


def units(rows: int, name: str = "Reds") -> tuple[UnitTable, ...]:
    """Return a table of so many units."""
    cells = (DerivedCell("10 cm", "number"), DerivedCell("", "blank"))
    boxes = (Track(4),)
    each = [
        UnitRow(f"{name} {n}", n % 2 + 1, "Line infantry", 4, cells, tracks=boxes)
        for n in range(rows)
    ]
    facts = (CardRow("Reach", (DerivedCell("8 cm", "number"),)), CardRow("Grade", cells[:1]))
    head = UnitRow("Left wing", leaders=(("Long", facts),))
    columns = (UnitColumn("Mv", "move", 5), UnitColumn("Val", "value to fill in", 3))
    return (UnitTable(columns, "Stands", (head, *each), 3, losses_head="Losses"),)


def test_units_of_an_army_stand_first(templates: TemplateEnvironment) -> None:
    army = sheet(side(), side(), army="The army", units=units(5))

    printed = sheet_pdf(templates, army, A4, {})
    html = sheet_html(templates, army, "index.html")

    pages = PdfReader(BytesIO(printed.data)).pages
    first, second = (page.extract_text().replace("\n", " ") for page in pages)
    assert first.startswith("The army")
    assert first.index("Reds 1") < first.index("Movement")
    assert re.search("2\xa0×\xa0Reds 1\\s+Line infantry", first)
    assert "Left wing" in first
    assert "Reds 1" not in second
    assert html.index("2&nbsp;×&nbsp;Reds 1") < html.index("Movement")
    assert "Mv: move; Val: value to fill in." in html


def pages_with(text: str, printed: Printed) -> list[int]:
    pages = PdfReader(BytesIO(printed.data)).pages
    return [number for number, page in enumerate(pages) if text in page.extract_text()]


def test_units_stand_at_the_head_of_the_first_side(templates: TemplateEnvironment) -> None:
    full, empty = side(*[block(f"B{n}") for n in range(8)]), side(block("C"))

    for sides in [(full, empty), (empty, full)]:
        printed = sheet_pdf(templates, sheet(*sides, army="The army", units=units(30)), A4, {})

        assert pages_with("Reds 29", printed) == [0]


@pytest.mark.parametrize(("rows", "pages"), [(5, 1), (30, 1), (70, 2)])
def test_units_with_sizes_have_boxes_for_losses_wherever_they_stand(
    rows: int, pages: int, templates: TemplateEnvironment
) -> None:
    blocks = [block(f"B{n}") for n in range(8)]
    army = sheet(side(*blocks), army="The army", units=units(rows))

    printed = sheet_pdf(templates, army, A4, {})

    assert printed.pages == pages
    assert pages_with("Losses", printed) == [0]


def test_units_are_larger_than_the_rules_where_there_is_room(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.pdf"
    for number, least in [(5, UNIT_SCALES[0]), (40, 1)]:
        army = sheet(side(), army="The army", units=units(number))

        path.write_bytes(sheet_pdf(templates, army, A4, {}).data)

        pieces = Pdf(path).pages[0]
        (own,) = {round(each.size, 2) for each in pieces if "Reds 1" in each.text}
        (rules,) = {round(each.size, 2) for each in pieces if "Foot 1" in each.text}
        assert own >= round(rules * least, 2) - 0.01


def test_units_of_a_command_stand_in_parts_if_that_saves_many_rows(
    templates: TemplateEnvironment,
) -> None:
    for number, parts in [(2, 1), (8, 1), (16, 3)]:
        (table,) = units(number)
        army = sheet(side(), army="The army", units=(replace(table, losses_head=""),))

        printed = sheet_pdf(templates, army, A4, {})

        text = PdfReader(BytesIO(printed.data)).pages[0].extract_text()
        # The head of each part, and the note on what it means.
        assert text.count("Val") == parts + 1


def test_page_of_few_units_has_lines_for_notes(templates: TemplateEnvironment) -> None:
    blocks = [block(f"B{n}", view(rows=10)) for n in range(8)]
    for number, notes in [(6, True), (28, False)]:
        memory: SizeMemory = {}
        army = sheet(side(*blocks), army="The army", units=units(number))

        printed = sheet_pdf(templates, army, A4, memory)

        assert pages_with("House rules", printed) == ([0] if notes else [])
        assert sheet_pdf(templates, army, A4, memory) == printed


@pytest.mark.parametrize(
    ("rows", "pages", "has_units"),
    [(40, 1, True), (70, 2, True), (150, 1, False)],
    ids=["there", "own page", "nowhere"],
)
def test_units_without_room_at_the_least_size_have_a_page_of_their_own(
    rows: int, pages: int, *, has_units: bool, templates: TemplateEnvironment
) -> None:
    memory: SizeMemory = {}
    army = sheet(side(*[block(f"B{n}") for n in range(8)]), army="The army", units=units(rows))

    printed = sheet_pdf(templates, army, A4, memory)

    assert printed.pages == pages
    assert pages_with("Reds 30", printed) == ([0] if has_units else [])
    assert memory[of_size(memory)] >= WANTED_PT
    assert sheet_pdf(templates, army, A4, memory) == printed


def test_type_of_a_page_of_units_is_as_large_as_it_has_room_for(
    templates: TemplateEnvironment,
) -> None:
    sizes = []
    for rows in (70, 80):
        memory: SizeMemory = {}
        army = sheet(side(*[block(f"B{n}") for n in range(8)]), army="The army", units=units(rows))
        sheet_pdf(templates, army, A4, memory)
        sizes.append(memory[of_size(memory, 1)])

    assert LARGEST_UNITS_PT >= sizes[0] > sizes[1]


def test_page_of_units_has_a_box_for_each_figure(templates: TemplateEnvironment) -> None:
    blocks = [block(f"B{n}", view(rows=9)) for n in range(8)]
    memory: SizeMemory = {}

    printed = sheet_pdf(
        templates, sheet(side(*blocks), army="The army", units=units(12)), A4, memory
    )

    assert pages_with("Losses", printed) == [0]
    assert memory[of_size(memory, 1)] >= LARGE_ENOUGH_PT


@pytest.mark.parametrize("word", ["x" * 200, "Ein langer Name " * 12])
def test_long_names_of_army_and_units_are_not_cut(
    word: str, templates: TemplateEnvironment
) -> None:
    army = sheet(side(), army=word, units=units(3, word))

    text = PdfReader(BytesIO(sheet_pdf(templates, army, A4, {}).data)).pages[0].extract_text()

    assert text.replace("\n", "").replace(" ", "").count(word.replace(" ", "")) == 1 + 3


def test_fault_in_an_own_style_sheet_is_told(tmp_path: Path) -> None:
    (tmp_path / "sheet").mkdir()
    (tmp_path / "sheet" / "sheet.css").write_text(".side { flow: round }", encoding="utf-8")

    with pytest.raises(PrintError, match="flow"):
        sheet_pdf(TemplateEnvironment([tmp_path, TEMPLATES]), sheet(), A4, {})


def lines_of(pdf: bytes) -> list[str]:
    return [
        line.strip()
        for page in PdfReader(BytesIO(pdf)).pages
        for line in page.extract_text().splitlines()
    ]


def test_value_stays_on_one_line_however_narrow_its_column(templates: TemplateEnvironment) -> None:
    row = TableLine("Charge", tuple(PrintedCell("2D6 + 12″", "number") for _ in range(6)))
    heads = tuple(ColumnHead(head) for head in "abcdef")
    narrow = block("Narrow", view(rows=0, lines=(row,), heads=heads))

    printed = sheet_pdf(templates, sheet(side(narrow, columns=(1, 1, 1))), A4, {})

    assert sum(line.count("2D6 + 12″") for line in lines_of(printed.data)) == 6


def test_head_stands_over_its_cells(templates: TemplateEnvironment) -> None:
    heads = (ColumnHead("Result", kind="words"), ColumnHead("Score"))
    row = TableLine("6", (PrintedCell("It goes"), PrintedCell("off", "text")))
    held = sheet(side(block("B", view(lines=(row,), heads=heads))))

    html = sheet_html(templates, held, "i.html")

    assert '<th scope="col" class="words">Result</th>' in html
    assert '<td class="text words">It goes</td><td class="text">off</td>' in html


def test_footnote_marks_are_no_smaller_than_they_may_be(templates: TemplateEnvironment) -> None:
    marked = view(
        lines=(TableLine("Foot", (PrintedCell("15 cm", "number", ("a",)),)),),
        heads=(ColumnHead("Open"),),
    )
    sizes: set[float] = set()

    def note(text: str, *told: Any) -> None:
        if text.strip() == "a":
            sizes.add(round(told[-1] * abs(told[1][3]) * abs(told[0][3]), 2))

    printed = sheet_pdf(templates, sheet(side(block("B", marked))), A4, {})
    for page in PdfReader(BytesIO(printed.data)).pages:
        page.extract_text(visitor_text=note)

    assert min(sizes) >= SMALLEST_MARK_PT


HEIGHTS = st.lists(st.integers(1, 50).map(float), min_size=1, max_size=9)


def brute_force(heights: list[float], columns: int, gap: float) -> float:
    """Return the lowest possible tallest column, over all divisions of the blocks."""
    best = float("inf")
    count = len(heights)
    for used in range(1, min(columns, count) + 1):
        for cuts in combinations(range(1, count), used - 1):
            ends = (0, *cuts, count)
            tall = max(sum(heights[a:b]) + gap * (b - a - 1) for a, b in pairwise(ends))
            best = min(best, tall)
    return best


@given(HEIGHTS, st.integers(1, 4), st.integers(0, 5).map(float))
def test_the_tallest_column_is_as_low_as_any_cut_allows(
    heights: list[float], columns: int, gap: float
) -> None:
    packing = pack_blocks({1: heights}, [1] * columns, gap)

    assert packing.height == brute_force(heights, columns, gap)


@given(HEIGHTS, st.integers(1, 4))
def test_every_block_stands_once_and_in_order(heights: list[float], columns: int) -> None:
    packing = pack_blocks({1: heights}, [1] * columns, 0)

    placed = [place for column in packing.columns for place in column]
    assert placed == list(range(len(heights)))


def test_a_wide_column_uses_the_heights_measured_for_its_width() -> None:
    packing = pack_blocks({1: [10, 10, 40], 2: [5, 5, 10]}, [1, 2], 0)

    assert packing.columns == ((0,), (1, 2))
    assert packing.heights == (10, 15)


def test_equally_low_packings_prefer_even_columns() -> None:
    packing = pack_blocks({1: [10, 2, 2, 2]}, [1, 1, 1], 0)

    assert set(packing.heights) == {10, 4, 2}


def test_columns_end_level_and_have_one_pitch(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    """The second column has a row less, which its lines take up: nobody sees it."""
    full = side(
        *(block(f"Full {n}", view(rows=12)) for n in range(4)),
        *(block(f"Less {n}", view(rows=12 if n else 11)) for n in range(4)),
        columns=(1, 1),
    )
    printed = sheet_pdf(templates, sheet(full, full), A4, {})
    (tmp_path / "sheet.pdf").write_bytes(printed.data)

    rows = [p for p in Pdf(tmp_path / "sheet.pdf").pages[0] if p.text.startswith("Foot")]
    middle = 297 / 2 * MM

    feet = [
        min(piece.baseline for piece in rows if (piece.left > middle) == right)
        for right in (False, True)
    ]
    assert abs(feet[0] - feet[1]) < 1 * MM
    pitches = {
        round(above - below, 1)
        for right in (False, True)
        for above, below in pairwise(
            sorted({p.baseline for p in rows if (p.left > middle) == right}, reverse=True)
        )
        if above - below < 15
    }
    assert max(pitches) / min(pitches) < LAST_UNEVEN_PITCH + 0.02


def test_blocks_that_end_with_a_formula_are_as_high_as_measured(
    templates: TemplateEnvironment,
) -> None:
    rolls = [replace(block(f"Roll {n}", formula="1D6 + grade"), views=()) for n in range(16)]

    assert sheet_pdf(templates, sheet(side(*rolls, columns=(1,))), A4, {}).pages == 1


def test_short_columns_have_lines_for_notes(templates: TemplateEnvironment) -> None:
    own = side(block("Long", view(rows=30)), block("Short", view(rows=3)), columns=(1, 1))
    for army in ("The army", ""):
        memory: SizeMemory = {}

        printed = sheet_pdf(templates, sheet(own, army=army), A4, memory)

        assert pages_with("House rules", printed) == [0]
        assert sheet_pdf(templates, sheet(own, army=army), A4, memory) == printed


def test_column_with_most_words_becomes_the_widest(
    templates: TemplateEnvironment,
) -> None:
    words = "Words that need several lines of a narrow column. " * 60
    own = side(block("Rows", view(rows=36)), block("Words", text=words), columns=(3, 1))
    memory: SizeMemory = {}

    sheet_pdf(templates, sheet(own, army="The army"), A4, memory)

    rows, text = (value for name, value in sorted(memory.items()) if name.endswith(".weight"))
    assert text > 1.4 * rows
    assert memory[of_size(memory)] > 9


def laid_side(*columns: tuple[float, float]) -> LaidSide:
    """Return a side of 100 mm, with the width of each column and what is free below its block."""
    blocks = (block("Text"),)
    laid = tuple(LaidColumn(blocks, width, 3.5, free_mm=free) for width, free in columns)
    own = side(columns=(1,) * len(columns))
    groups = tuple(LaidGroup((column,), column.width_mm) for column in laid)
    return LaidSide(own, groups, range(-1, -1), 3.5, 100, 0, (), 9)


def tried_in(laid: LaidSide) -> TriedHeights:
    """Return the heights of the blocks of a side, which are text: half as high if twice as wide."""
    tried = TriedHeights()
    for n, column in enumerate(columns_of(laid)):
        high = (laid.room_mm - column.free_mm) * PX_PER_MM
        for share in (0.5, 0.8, 0.9, 1, 1.1, 1.2, 2):
            tried.add(f"0-{n}", column.width_mm * share, laid.size_pt, high / share)
    return tried


def test_column_that_ends_far_above_others_becomes_narrower() -> None:
    first, second = level_widths(laid_side((50, 0), (50, 30)))

    assert first > second > first * 0.7
    assert level_widths(laid_side((50, 0), (50, 1.5))) == ()


def test_widths_follow_from_heights_that_were_tried() -> None:
    laid = laid_side((50, 0), (50, 30))

    first, second = lower_widths(laid, tried_in(laid))

    assert second / first == pytest.approx(0.7, abs=0.03)
    assert lower_widths(laid_side((50, 0), (50, 1.5)), TriedHeights()) == ()


def test_no_column_becomes_narrower_than_can_be_read() -> None:
    laid = laid_side((80, 0), (40, 95))

    for first, second in (level_widths(laid), lower_widths(laid, tried_in(laid))):
        assert 0.4 < second / first < 0.5


def test_blocks_are_laid_out_in_the_widths_of_columns_near_their_own() -> None:
    near = columns_near([3, 2, 1], 1)

    assert near == [{0}, {0}, {0, 1}, {0, 1}, {1, 2}, {1, 2}]


def test_columns_of_many_widths_are_packed_as_if_all_blocks_were_tried_in_each(
    templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [block(f"Block {n}", view(rows=2 + n % 5)) for n in range(16)]
    own = sheet(side(*blocks, columns=(5, 7, 6, 8)))
    printed = sheet_pdf(templates, own, A4, {})

    monkeypatch.setattr(sheet_fitting, "_FIRST_REACH", 99)
    monkeypatch.setattr(sheet_fitting, "_REACH", 99)

    assert sheet_pdf(templates, own, A4, {}) == printed


@pytest.mark.parametrize("count", [3, 5, 6, 7, 11])
def test_columns_end_at_the_foot_of_their_side(count: int, templates: TemplateEnvironment) -> None:
    blocks = [block(f"Block {n}", view(rows=9 + 3 * (n % 3))) for n in range(count)]
    own = sheet(side(*blocks, columns=(1, 1, 1)))

    (laid,) = fit_sides(templates, own, A4, {})

    # Below a single block there are lines for notes, as many as there is room for.
    most_mm = {True: 6, False: NOTES_PITCH_MM}
    assert all(column.free_mm <= most_mm[column.gaps > 0] for column in columns_of(laid))


def test_packing_does_not_depend_on_the_columns_that_were_guessed(
    templates: TemplateEnvironment,
) -> None:
    blocks = [block(f"Block {n}", view(rows=2 + n % 5)) for n in range(16)]
    own = sheet(side(*blocks, columns=(30, 31, 29, 32)))

    fullness = []
    for columns in ({0}, {3}, {0, 1, 2, 3}):
        near = [[columns for _ in blocks]]
        fullness.append(lay_out_trial(templates, own, A4, 7.0, {}, near).fullness)

    assert fullness[:2] == pytest.approx(fullness[2:] * 2, rel=0.03)


def test_credit_stands_on_the_side_with_the_fewest_notes() -> None:
    notes = (Footnote("a", "A long tale.", ""),)
    first, second = replace(side(), footnotes=notes), side()

    assert credit_side(sheet(first, second)) == 1
    assert credit_side(sheet(second, first)) == 0
    assert credit_side(sheet(second, second)) == 0
