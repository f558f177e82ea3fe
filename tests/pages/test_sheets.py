"""Tests of the printed sheets of every shipped system: type, main tables, bars, marks, scales."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise, product

import pytest

from muster.building.plan import Plan
from muster.documents.sheet import Sheet
from muster.systems import Library
from tests.pages.conftest import ROOT
from tests.pages.printed import MM, UNSEEN_PT, Pdf, Piece, Tag

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]

LEAST_PT = {"a4": 8.0, "letter": 7.5}
LEAST_UNITS_PT = 11
MOST_UNEVEN_MM = 6
MOST_UNEVEN_GAPS = 2.2
END_OF_BLOCK_MM = 0.8
"""How much more may be below the last line of one block than of another: that is no gap."""
BOX_RISE = 0.18
"""How much higher a row to write in is than others, in em."""
MOST_UNEVEN_PITCH = 1.06
"""The usual three hundredths, with what rounding to a tenth of a point adds."""
TITLE_RISE = 1.02
"""How high the bar of a block reaches above the line of its title, in em of that."""
DESCENT = 0.25
LARGEST_TEXT_PT = 10.5
FEWEST_LINES = 4
LEAST_PITCH_PT = 6
"""Nearer to each other are parts of one line, such as the figures of a fraction."""
LEAST_FRACTION_PT = {"a4": 9.0, "letter": 8.4}
MOST_FOOT_LINES = 2
NOTES = {"House rules and reminders", "Hausregeln und Notizen"}
MARK_PT = 7
NEAR_MM = 8
"""Heads of blocks whose left edges are nearer than this stand in one column."""
LEAST_STEP = 8
"""The least difference of two greys that are told apart, in L* of CIELAB."""


def printed_sheets(plan: Plan) -> dict[str, tuple[str, Sheet]]:
    """Return paper and data of all printed sheets, by their path."""
    return {
        job.path: (job.paper, job.data)
        for job in plan.jobs
        if (job.kind, job.format) == ("sheet", "pdf")
    }


def system_sheets(plan: Plan) -> dict[str, tuple[str, Sheet]]:
    """Return paper and data of the printed sheets of systems, by their path."""
    return {path: each for path, each in printed_sheets(plan).items() if not each[1].army}


def is_mark(piece: Piece) -> bool:
    return re.fullmatch(r"[a-z\s]{1,3}", piece.text.strip()) is not None


def test_type_of_sheets_is_large_enough(pdfs: dict[str, Pdf], plan: Plan) -> None:
    small = {
        (path, piece.size, piece.text)
        for path, (paper, _) in printed_sheets(plan).items()
        for pieces in pdfs[path].pages
        for piece in pieces
        if 1 < piece.size < LEAST_PT[paper]
        if not is_mark(piece)
    }

    assert small == set()


def test_main_tables_are_wide_and_large(pdfs: dict[str, Pdf], plan: Plan) -> None:
    seen = 0
    for path, (paper, sheet) in system_sheets(plan).items():
        pdf = pdfs[path]
        # A table that is the main one of a side may stand in a column of the other, too.
        mains = {
            (number, block.title)
            for number, side in enumerate(sheet.sides)
            for block in side.blocks
            if block.main
        }
        for section in pdf.tags.find("Sect"):
            title = section.find("H3")[0].text if section.find("H3") else ""
            page = section.all_pieces()[0].page
            if not any(main in title for number, main in mains if number == page):
                continue
            seen += 1
            cells = [piece for tag in section.find("TD", "TH") for piece in tag.all_pieces()]
            sizes = {piece.size for piece in cells if not is_mark(piece)}
            assert max(sizes) >= 9, path
            # The figures of fractions are smaller.
            assert min(sizes) >= LEAST_FRACTION_PT[paper], path
            labels = [piece for tag in section.find("TBody") for piece in tag.all_pieces()]
            page_mm = pdf.sizes[labels[0].page][0]
            wide = max(each.right for each in labels) - min(each.left for each in labels)
            # The last figure stands in the middle of its column.
            assert wide / (page_mm * MM) > 0.4 - 0.03, path
            heads = [tag.all_pieces() for tag in section.find("THead")[0].find("TH")]
            assert all(len({piece.baseline for piece in head}) == 1 for head in heads), path

    assert seen >= 6


def test_sheet_has_no_empty_column(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for path, (_, sheet) in system_sheets(plan).items():
        pdf = pdfs[path]
        for number, side in enumerate(sheet.sides):
            width, height = pdf.sizes[number]
            inner = [
                piece.left / MM / width
                for piece in pdf.pages[number]
                if 0.1 < piece.baseline / MM / height < 0.85
            ]
            every = len(side.columns)
            for column in range(every):
                begin, end = column / every, (column + 1) / every
                assert any(begin < left < end for left in inner), (path, number, column)


def feet_mm(pdf: Pdf, page: int) -> list[float]:
    """Return how high above the lowest column each column of a page ends, in millimetres.

    A column of a page is what stands below heads of blocks that begin at one place. Lines for notes
    end it where they begin, and are told by their head; so such a column is left out.
    """
    lowest: dict[float, float] = {}
    for section in pdf.tags.find("Sect"):
        pieces = [piece for piece in section.all_pieces() if piece.page == page and piece.size > 1]
        heads = [piece for tag in section.find("H3") for piece in tag.all_pieces()]
        if pieces and heads:
            left = min(piece.left for piece in heads)
            left = next((each for each in lowest if abs(each - left) < NEAR_MM * MM), left)
            foot = min(piece.baseline for piece in pieces)
            lowest[left] = min(lowest.get(left, foot), foot)
    noted = [piece.left for piece in pdf.pages[page] if piece.text.strip() in NOTES]
    feet = [
        foot
        for left, foot in lowest.items()
        if all(abs(each - left) >= NEAR_MM * MM for each in noted)
    ]
    return [(foot - min(feet)) / MM for foot in feet]


def test_columns_of_sheets_end_level(pdfs: dict[str, Pdf], plan: Plan) -> None:
    uneven = {
        (path, page): [round(each, 1) for each in feet]
        for path in printed_sheets(plan)
        for page in range(len(pdfs[path].pages))
        for feet in [feet_mm(pdfs[path], page)]
        if feet and max(feet) > MOST_UNEVEN_MM
    }

    assert uneven == {}


def stacks(pdf: Pdf, page: int) -> list[list[Tag]]:
    """Return the blocks of a page by columns, from the left, each from its head to its foot."""
    columns: dict[float, list[Tag]] = {}
    for section in pdf.tags.find("Sect"):
        heads = [piece for tag in section.find("H3") for piece in tag.all_pieces()]
        if heads and heads[0].page == page:
            left = min(piece.left for piece in heads)
            left = next((each for each in columns if abs(each - left) < NEAR_MM * MM), left)
            columns.setdefault(left, []).append(section)
    return [columns[left] for left in sorted(columns)]


def gaps_mm(pdf: Pdf, page: int) -> list[float]:
    """Return the gaps between the blocks of a page: from the last line to the bar below it."""
    gaps = []
    for column in stacks(pdf, page):
        for above, below in pairwise(column):
            title = max(below.find("H3")[0].all_pieces(), key=lambda piece: piece.size)
            bar = title.baseline + TITLE_RISE * title.size
            last = min(above.all_pieces(), key=lambda piece: piece.baseline)
            size = max(piece.size for piece in above.all_pieces() if not is_mark(piece))
            below_pt = DESCENT * min(size, LARGEST_TEXT_PT)
            if any(
                piece.size <= UNSEEN_PT and abs(piece.baseline - last.baseline) < LEAST_PITCH_PT
                for piece in above.all_pieces()
            ):
                below_pt += BOX_RISE * min(size, LARGEST_TEXT_PT)
            gaps.append((last.baseline - below_pt - bar) / MM)
    return gaps


def test_blocks_of_a_side_have_one_gap(pdfs: dict[str, Pdf], plan: Plan) -> None:
    uneven = {
        (path, page): [round(each, 1) for each in sorted(gaps)]
        for path in system_sheets(plan)
        for page in range(len(pdfs[path].pages))
        for gaps in [gaps_mm(pdfs[path], page)]
        if gaps and max(gaps) > MOST_UNEVEN_GAPS * min(gaps) + END_OF_BLOCK_MM
    }

    assert uneven == {}


def pitches(pdf: Pdf, page: int) -> list[list[float]]:
    """Return the usual distances of two lines in each column of a page, in points.

    Rows of tables and lines of text are not equally far apart: a column of both has two.
    """
    found = []
    for column in stacks(pdf, page):
        steps: Counter[float] = Counter()
        for section in column:
            lines = sorted({round(piece.baseline, 2) for piece in section.all_pieces()})
            between = (round(above - below, 1) for below, above in pairwise(lines))
            steps.update(each for each in between if each > LEAST_PITCH_PT)
        usual = [each for each, times in steps.most_common(2) if times >= FEWEST_LINES]
        found += [usual] if usual else []
    return found


def test_lines_of_a_side_have_one_pitch(pdfs: dict[str, Pdf], plan: Plan) -> None:
    uneven = {
        (path, page): each
        for path in system_sheets(plan)
        for page in range(len(pdfs[path].pages))
        for each in [pitches(pdfs[path], page)]
        if each and min(max(one) / min(one) for one in product(*each)) > MOST_UNEVEN_PITCH
    }

    assert uneven == {}


def test_foot_of_a_sheet_does_not_end_with_a_single_word(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for path in printed_sheets(plan):
        for number, pieces in enumerate(pdfs[path].pages):
            lowest = min(piece.baseline for piece in pieces)
            line = "".join(piece.text for piece in pieces if abs(piece.baseline - lowest) < 1)
            assert len(line.split()) > 1, (path, number)


def test_conventions_stand_where_their_tables_are(plan: Plan) -> None:
    sides = {
        (path, convention): [
            number for number, side in enumerate(sheet.sides) if convention in side.conventions
        ]
        for path, (_, sheet) in system_sheets(plan).items()
        for convention in sheet.conventions
    }
    here = {
        text: numbers for (path, text), numbers in sides.items() if path.startswith("slaughterloo")
    }

    assert all(sides.values())
    assert [numbers for text, numbers in here.items() if "Form roll" in text] == [[0, 1]]
    assert [numbers for text, numbers in here.items() if "fire and melee" in text] == [[0, 1]]


def test_notes_at_the_foot_of_a_sheet_have_two_lines_at_most(
    pdfs: dict[str, Pdf], plan: Plan
) -> None:
    for path in printed_sheets(plan):
        pdf = pdfs[path]
        foots = [tag.all_pieces() for tag in pdf.tags.find("P")]
        for number, pieces in enumerate(pdf.pages):
            lowest = min(piece.baseline for piece in pieces)
            # A page of units may have none.
            foot = next(
                (
                    foot
                    for foot in foots
                    if any((piece.page, piece.baseline) == (number, lowest) for piece in foot)
                ),
                [],
            )
            lines = {round(piece.baseline) for piece in foot if piece.size > MARK_PT}
            assert len(lines) <= MOST_FOOT_LINES, (path, number)


def test_no_figure_of_a_sheet_has_a_digit_for_a_mark(plan: Plan) -> None:
    for path, (_, sheet) in system_sheets(plan).items():
        marks = {note.mark for side in sheet.sides for note in side.footnotes}

        assert all(re.fullmatch("[a-z]+", mark) for mark in marks), path


def test_sheets_print_one_scale(plan: Plan) -> None:
    scales = {path: sheet.scale for path, (_, sheet) in system_sheets(plan).items()}

    assert {scale for path, scale in scales.items() if "order-markers" in path} == {
        "15\u202fmm",
        "25\u202fmm",
    }
    assert not [scale for scale in scales.values() if "," in scale]


def lightness(colour: str) -> float:
    """Return L* of CIELAB of a colour `#rrggbb`, 0 to 100."""
    shares = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return 116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light


def alike(phases: list[tuple[str, str]], tones: dict[str, str]) -> list[tuple[str, str]]:
    """Return the signs of two phases whose bars cannot be told apart in grey."""
    return [
        (one[1], other[1])
        for one, other in combinations(phases, 2)
        if one[1] == other[1]
        and abs(lightness(tones[one[0]]) - lightness(tones[other[0]])) < LEAST_STEP
    ]


def test_phases_are_told_apart_in_grey(plan: Plan) -> None:
    css = (ROOT / "templates" / "base" / "print.css").read_text(encoding="utf-8")
    tones = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", css))
    for path, (_, sheet) in system_sheets(plan).items():
        phases = [(phase.tone, phase.sign) for phase in sheet.sides[0].phases]

        assert alike(phases, tones) == [], path
    named = ["command", "initiative", "movement", "fire", "melee", "morale"]
    assert alike([(each, "same") for each in named], tones) == []
    assert alike([("fire", "x"), ("fire", "x")], tones) == [("x", "x")]
    assert alike([("fire", "x"), ("fire", "y")], tones) == []


def test_looks_of_all_systems_differ() -> None:
    library = Library(ROOT)
    looks = [library.system(each).identity.look for each in library.systems()]

    assert len({look.accent for look in looks}) == len(looks)
    assert len({look.ornament for look in looks} - {""}) == len(looks)
    assert len({look.masthead for look in looks}) == len(looks)


def army_sheets(plan: Plan) -> dict[str, Sheet]:
    """Return the data of the printed sheets of armies, by their path."""
    return {path: sheet for path, (_, sheet) in printed_sheets(plan).items() if sheet.army}


def test_units_of_an_army_stand_first_in_type_no_smaller_than_the_rules(
    pdfs: dict[str, Pdf], plan: Plan
) -> None:
    for path, sheet in army_sheets(plan).items():
        pdf = pdfs[path]
        of_rules = [id(table) for block in pdf.tags.find("Sect") for table in block.find("Table")]
        tables = [table for table in pdf.tags.find("Table") if id(table) not in of_rules]
        own = [table.all_pieces() for table in tables]
        assert own, path
        assert {piece.page for pieces in own for piece in pieces} == {0}, path
        size = min(piece.size for pieces in own for piece in pieces if piece.size > 1)
        if len(pdf.pages) > len(sheet.sides):
            assert size >= LEAST_UNITS_PT, path
        else:
            sizes = Counter(piece.size for piece in pdf.pages[0] for _ in piece.text)
            ((rules, _),) = sizes.most_common(1)
            assert size >= rules - 0.01, path


def test_units_have_boxes_for_losses_or_it_is_said_where_else(
    pdfs: dict[str, Pdf], plan: Plan
) -> None:
    with_boxes = []
    for path, sheet in army_sheets(plan).items():
        words = {piece.text.strip() for piece in pdfs[path].pages[0]}
        if sheet.units[0].losses_head in words:
            with_boxes.append(path)
        else:
            # Words that end a line have no space behind them.
            assert "Lossesaretickedoff" in "".join(pdfs[path].tags.text.split()), path

    assert len(with_boxes) >= 15


def test_sheet_of_a_small_army_is_one_leaf(pdfs: dict[str, Pdf], plan: Plan) -> None:
    small = [path for path in army_sheets(plan) if "/first-game" in path or "/small/" in path]

    assert len(small) >= 15
    assert [path for path in small if len(pdfs[path].pages) > 2] == []


def test_sheet_does_not_name_a_scale_that_is_not_stated(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for path in printed_sheets(plan):
        assert "not stated" not in pdfs[path].tags.text, path
