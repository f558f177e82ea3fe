"""Tests of the craft of printed sheets: main tables, formulas, one pitch, mastheads, signs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from muster.documents.page_look import PageLook
from muster.documents.sheet import SheetBlock, SidePhase, gather_sheet
from muster.documents.table_view import (
    ColumnHead,
    PrintedCell,
    TableLine,
    TableView,
    rule_lines,
    spread_classes,
)
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS
from muster.rendering.sheet_masthead import masthead_classes
from muster.rendering.sheet_packing import pack_blocks
from muster.rendering.sheet_pages import sheet_html, sheet_pdf
from muster.rendering.sheet_sides import main_spans
from muster.systems import open_system
from muster.systems.look import Masthead
from tests.pages.printed import MM, Pdf, Piece
from tests.rendering.samples import block, sheet, side, view
from tests.scaffold import SHIPPED

A4 = PAPERS["a4"]
CONTENT = Path(__file__).parents[2] / "content"


def printed(templates: TemplateEnvironment, tmp_path: Path, *blocks: SheetBlock) -> list[Piece]:
    """Return the pieces of the first page of a sheet of four columns."""
    held = sheet(side(*blocks, columns=(1, 1, 1, 1)))
    path = tmp_path / "sheet.pdf"
    path.write_bytes(sheet_pdf(templates, held, A4, {}).data)
    return Pdf(path).pages[0]


def kills() -> TableView:
    """Return a table of twelve rows and eight columns of figures."""
    cells = tuple(PrintedCell(str(number), "number") for number in range(700, 708))
    lines = tuple(TableLine(f"Row {n}", cells) for n in range(12))
    heads = tuple(view().heads[:1]) * 8
    return rule_lines(view(lines=lines, heads=heads))


@pytest.mark.parametrize(
    ("columns", "spans"),
    [
        ((1, 1), [range(1), range(1, 2)]),
        ((1, 1, 1, 1), [range(2), range(1, 3), range(2, 4)]),
        ((2, 5, 3), [range(1, 2)]),
        ((9, 12, 10), [range(2), range(1, 3)]),
    ],
    ids=str,
)
def test_main_table_has_as_few_columns_as_are_wide_enough(
    columns: tuple[int, ...], spans: list[range]
) -> None:
    own = side(block(main=True, wide=True), columns=columns)

    assert main_spans(sheet(own), own, A4) == spans


def test_side_without_a_main_table_has_no_span() -> None:
    own = side()

    assert [len(span) for span in main_spans(sheet(own), own, A4)] == [0]


def test_main_table_is_wide_and_its_figures_are_large(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    blocks = [block(f"Block {n}", view(rows=9)) for n in range(12)]
    main = block("Kills", kills(), main=True, wide=True)

    pieces = printed(templates, tmp_path, *blocks[:6], main, *blocks[6:])

    figures = [piece for piece in pieces if piece.text in {str(n) for n in range(700, 708)}]
    labels = [piece for piece in pieces if piece.text.startswith("Row ")]
    assert len(figures) == 96
    assert min(piece.size for piece in figures) >= 9
    wide = max(piece.right for piece in figures) - min(piece.left for piece in labels)
    # The last figure stands in the middle of its column.
    assert wide / (297 * MM) > 0.4 - 0.02
    other = [piece for piece in pieces if piece.text.startswith("Foot")]
    assert max(piece.size for piece in other) < min(piece.size for piece in figures)


def test_columns_of_a_main_table_of_two_rows_are_equally_wide(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    """A short head does not make its figures stand closer than those below a long one."""
    labels = ("Experienced", "Raw", "Green")
    heads = tuple(replace(view().heads[0], label=label) for label in labels)
    lines = tuple(
        TableLine(f"Row {n}", tuple(PrintedCell(f"{n}0{m}", "number") for m in range(3)))
        for n in (1, 2)
    )
    main = block("Ratings", rule_lines(view(lines=lines, heads=heads)), main=True, wide=True)

    pieces = printed(templates, tmp_path, main, *[block(f"Block {n}") for n in range(6)])

    first, second, third = [p.left for p in pieces if p.text in {"100", "101", "102"}]
    assert second - first == pytest.approx(third - second, abs=0.1)


def test_what_stands_above_counts_when_blocks_are_packed() -> None:
    packing = pack_blocks({1: [10.0] * 4}, (1, 1), 2, (22, 0))

    assert packing.columns == ((0,), (1, 2, 3))
    assert packing.heights == (32, 34)


def test_number_in_the_book_stands_at_the_right_of_its_head(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    pieces = printed(templates, tmp_path, block("Volleys", replace(view(), number="4.2")))

    (number,) = (piece for piece in pieces if piece.text.strip() == "4.2")
    (title,) = (piece for piece in pieces if piece.text.strip() == "Volleys")
    assert number.left > title.right + 100
    assert number.size <= title.size


def test_lines_of_tables_and_prose_have_one_pitch(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    pairs = view(lines=tuple(TableLine(f"Pair {n}", (PrintedCell("+1"),)) for n in range(6)))
    terms = view(
        lines=tuple(TableLine(f"Term {n}", (PrintedCell("means so"),)) for n in range(6)),
        form="terms",
    )
    steps = view(lines=tuple(TableLine(f"Step {n}", (), number=str(n)) for n in range(6)))
    forms = [
        block("A", replace(pairs, form="pairs")),
        block("B", terms),
        block("C", replace(steps, form="steps")),
        block("D", text=" ".join(["A long tale of words."] * 30)),
    ]

    pieces = printed(templates, tmp_path, *forms)

    pitches: set[float] = set()
    for start in ("Pair", "Term", "Step", "A long"):
        baselines = sorted({p.baseline for p in pieces if p.text.startswith(start)}, reverse=True)
        pitches |= {round(above - below, 1) for above, below in pairwise(baselines)}
    # WeasyPrint rounds positions to a hundredth of a pixel or so.
    assert max(pitches) - min(pitches) <= 0.1


def test_formula_stands_between_head_and_table(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    pieces = printed(templates, tmp_path, block("Kills", view(), formula="1D6 + Fire − DF"))

    words = "".join(piece.text for piece in pieces)
    assert words.index("Kills") < words.index("1D6 + Fire − DF") < words.index("Foot")
    formula = next(piece for piece in pieces if "D6" in piece.text)
    assert "Serif" in formula.font
    html = sheet_html(templates, sheet(side(block(formula="1D6 − DF"))), "i.html")
    assert '<p class="formula">1D6 − DF</p>' in html


@pytest.mark.parametrize("masthead", get_args(Masthead))
def test_every_masthead_prints_the_title_ornament_and_arms(
    masthead: str, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    look = PageLook("#7a1420", masthead, "M10 10 H90 V90 H10 Z", ("M0 0 H50 V50 Z",))
    plain, path = tmp_path / "plain.pdf", tmp_path / "look.pdf"

    path.write_bytes(sheet_pdf(templates, sheet(look=look), A4, {}).data)
    plain.write_bytes(sheet_pdf(templates, sheet(), A4, {}).data)

    assert "Club rules" in Pdf(path).tags.text
    drawn = Pdf(path).reader.pages[0].get_contents()
    assert drawn is not None
    # 7a1420 as shares of one.
    assert b"0.47843" in drawn.get_data()
    assert path.stat().st_size > plain.stat().st_size


def test_mastheads_differ(templates: TemplateEnvironment) -> None:
    looks = [PageLook("#7a1420", each, "M10 10 H90 V90 Z") for each in get_args(Masthead)]

    assert len({sheet_pdf(templates, sheet(look=each), A4, {}).data for each in looks}) == 5


def test_phase_has_its_sign_on_chips_and_bars(templates: TemplateEnvironment) -> None:
    held = sheet(side(block(sign="M1 1 H9 V9 Z")))
    chip = SidePhase("Move", "movement", here=True, sign="M1 1 H9 V9 Z")

    assert 'class="icon"' in sheet_html(templates, held, "i.html")
    assert 'class="icon"' not in sheet_html(templates, sheet(), "i.html")
    assert chip.sign


def test_rows_of_a_main_table_are_ruled_by_threes() -> None:
    lines = tuple(TableLine(str(n), ()) for n in range(7))

    ruled = rule_lines(view(lines=lines)).lines

    assert [line.ruled for line in ruled] == [False, False, True] * 2 + [False]
    assert not any(line.banded for line in ruled)


def test_classes_of_a_main_table_are_banded_and_ruled() -> None:
    labels = ["Range", "I, 1", "I, 2–5", "II, 1", "II, 2–5"]

    ruled = rule_lines(view(lines=tuple(TableLine(label, ()) for label in labels))).lines

    assert [line.banded for line in ruled] == [False, False, False, True, True]
    assert [line.ruled for line in ruled] == [True, False, True, False, True]
    assert [(line.category, line.rest) for line in ruled][:3] == [
        *(("", "Range"), ("I", "1"), ("I", "2–5")),
    ]
    assert [line.is_first for line in ruled][1:4] == [True, False, True]


def test_classes_stand_across_with_what_belongs_to_none_in_the_heading() -> None:
    labels = ["Range", "I, 1", "I, 6", "II, 1", "II, 6"]
    lines = tuple(TableLine(label, (PrintedCell(label),)) for label in labels)

    spread = spread_classes(view(lines=lines, heads=(ColumnHead("Musket"),)))

    assert [head.label for head in spread.heads] == ["I", "II"]
    assert [(line.label, line.group) for line in spread.lines] == [
        *(("1", "Musket · Range Range"), ("6", "")),
    ]
    assert [cell.text for cell in spread.lines[1].cells] == ["I, 6", "II, 6"]


@pytest.mark.parametrize("labels", [["Weak", "Strong"], ["I, 1", "II, 1", "II, 6"], ["I, 1"]])
def test_rows_without_like_classes_stay_as_they_are(labels: list[str]) -> None:
    plain = view(lines=tuple(TableLine(label, (PrintedCell("4"),)) for label in labels))

    assert spread_classes(plain) == plain


def test_groups_of_a_main_table_are_its_classes() -> None:
    groups = ["Weak", "Weak", "Strong"]
    lines = tuple(TableLine("x", (), within=group) for group in groups)

    assert [line.banded for line in rule_lines(view(lines=lines)).lines] == [False, False, True]


@pytest.mark.parametrize(("count", "chips"), [(4, 1), (12, 2)])
def test_phases_that_need_two_lines_are_halved(
    count: int, chips: int, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    phases = tuple(SidePhase(f"Phase{n} of play", "fire", here=True) for n in range(count))
    path = tmp_path / "sheet.pdf"

    path.write_bytes(sheet_pdf(templates, sheet(replace(side(), phases=phases)), A4, {}).data)

    tops = Counter(
        round(piece.baseline) for piece in Pdf(path).pages[0] if piece.text.startswith("Phase")
    )
    assert list(tops.values()) == [count // chips] * chips


@pytest.mark.parametrize(
    ("text", "short"), [("normal distance", 1), ("within the normal reach", 0)]
)
def test_short_words_at_the_right_stay_on_one_line(
    text: str, short: int, templates: TemplateEnvironment
) -> None:
    lines = (TableLine("Town", (PrintedCell(text, "text"),)),)

    html = sheet_html(templates, sheet(side(block("B", view(form="pairs", lines=lines)))), "i.html")

    assert html.count('class="text short"') == short


@pytest.mark.parametrize("system", SHIPPED)
def test_phases_of_shipped_systems_stand_in_one_row(system: str) -> None:
    held = gather_sheet(open_system(CONTENT / system))
    for paper in ("a4", "letter"):
        classes = masthead_classes(held, held.sides, PAPERS[paper])

        assert not [each for each in classes if "in-rows" in each], paper


def test_page_leads_to_the_first_block_of_each_phase(templates: TemplateEnvironment) -> None:
    phases = (
        SidePhase("Move", "movement", here=True, sign="M1 1 H9 V9 Z"),
        SidePhase("Shoot", "fire", here=True, sign="M2 2 H9 V9 Z"),
        SidePhase("Rout", "army", here=False, sign="M3 3 H9 V9 Z"),
    )
    blocks = (
        block("March", sign="M1 1 H9 V9 Z"),
        block("Charge", sign="M1 1 H9 V9 Z"),
        replace(block("Range", sign="M2 2 H9 V9 Z"), tone="fire"),
    )
    html = sheet_html(templates, sheet(replace(side(*blocks), phases=phases)), "i.html")
    turn = html.partition('<nav class="turn"')[2].partition("</nav>")[0]

    assert re.findall(r'href="#([^"]+)"', turn) == ["phase-1", "phase-2"]
    assert "Rout" not in turn
    for anchor, title in (("phase-1", "March"), ("phase-2", "Range")):
        assert html.count(f'id="{anchor}"') == 1
        assert title in html.partition(f'id="{anchor}"')[2].partition("</h3>")[0]
