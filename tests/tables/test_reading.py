"""Test the reading of tables: each kind, and each problem at its place, all at once."""

from __future__ import annotations

from decimal import Decimal
from textwrap import dedent

import pytest

from muster.limits import MAX_PIECES
from muster.problems import MusterError
from muster.tables import (
    Definitions,
    Diagram,
    Grid,
    Lookup,
    Modifiers,
    NoEntryError,
    Results,
    Steps,
    Table,
    read_table,
)
from muster.values import BLANK, DASH, Band, Distance, Modifier, Number, Scaled, Text
from muster.yamlfile import document_from_text

HEAD = """\
id: sample
title: Sample
chapter: fire
source: L1-9
"""


def table(body: str, scales: tuple[str, ...] = ()) -> Table:
    return read_table(document_from_text(HEAD + dedent(body), "sample.yaml"), scales)


def faults(body: str, scales: tuple[str, ...] = ()) -> list[tuple[str, int | None]]:
    """Return the code and the line, counted in *body* from 1, of every problem."""
    with pytest.raises(MusterError) as caught:
        table(body, scales)
    above = HEAD.count("\n")
    return [
        (p.code, None if p.location.line is None else p.location.line - above)
        for p in caught.value.problems
    ]


GRID = """\
kind: grid
form: distance
columns: [{id: short, label: Short}, {id: note, label: Note, form: text}]
rows:
  - {id: bows, label: Bows, cells: [10cm, loose order]}
  - {id: guns, label: Guns, cells: [blank, –], group: Heavy}
"""

KILLS = """\
kind: lookup
form: number
down: {id: points, title: Points}
across: {id: score, title: Score, bands: [up to -1, 0-3, 4+]}
rising: [down, across]
rows:
  - {band: 1-2, cells: [0, 0, 1]}
  - {band: 3-4, cells: [0, 1, 2]}
"""


def test_table_with_more_cells_than_can_be_printed_is_refused_at_its_rows() -> None:
    columns = ", ".join(f"{{id: c{n}, label: C}}" for n in range(100))
    rows = "".join(f"  - {{id: r{n}, label: R, cells: [{'a, ' * 99}a]}}\n" for n in range(51))
    text = f"kind: grid\ncolumns: [{columns}]\nrows:\n{rows}"

    assert faults(text) == [("too-many-cells", 4)]
    assert len(table(text.replace("  - {id: r50,", "  # {id: r50,")).rows) == 50


def test_rank_that_is_wider_than_a_page_is_refused_and_not_padded() -> None:
    text = f"kind: diagram\nkey: {{a: Archer}}\nranks:\n  - a\n  - {'a ' * 101}\n"

    assert faults(text) == [("too-many-figures", 5)]


def test_a_grid_types_its_cells_by_the_form_of_their_column() -> None:
    found = table(GRID)

    assert isinstance(found, Grid)
    assert found.cell("bows", "short") == Distance.parse("10cm")
    assert found.cell("bows", "note") == Text.parse("loose order")
    assert found.cell("guns", "short") is BLANK
    assert found.cell("guns", "note") is DASH
    assert found.row("guns").group == "Heavy"


def test_a_lookup_answers_for_scores_within_its_bands() -> None:
    found = table(KILLS)

    assert isinstance(found, Lookup)
    assert found.entry(Decimal(3), Decimal(100)) == Number.parse("2")
    assert found.entry(Decimal(2), Decimal(-40)) == Number.parse("0")


@pytest.mark.parametrize(
    ("down", "across", "edge"),
    [(0, 2, "begins with 1–2"), (5, 2, "ends with 3–4"), (-1, 9, "begins with 1–2")],
)
def test_off_the_edge_there_is_no_entry_and_never_nought(down: int, across: int, edge: str) -> None:
    found = table(KILLS)
    assert isinstance(found, Lookup)

    with pytest.raises(NoEntryError, match="no entry") as caught:
        found.entry(Decimal(down), Decimal(across))

    assert str(caught.value).endswith(f", which {edge}")


def test_a_lookup_off_the_columns_names_the_nearest_bands() -> None:
    found = table(KILLS.replace("up to -1, 0-3, 4+", "0-3, 4-5, 6-9"))
    assert isinstance(found, Lookup)

    with pytest.raises(NoEntryError) as caught:
        found.entry(Decimal(1), Decimal(11))

    assert caught.value.near == ("6–9",)


@pytest.mark.parametrize(("score", "near"), [("2", ("0–1", "3–4")), ("5", ("3–4", "6–9"))])
def test_score_in_a_gap_names_the_bands_around_it(score: str, near: tuple[str, ...]) -> None:
    found = table(KILLS.replace("bands: [up to -1, 0-3, 4+]", "gaps: Odd., bands: [0-1, 3-4, 6-9]"))
    assert isinstance(found, Lookup)

    with pytest.raises(NoEntryError, match=f"; the nearest are {near[0]}, {near[1]}") as caught:
        found.band_column(Decimal(score))

    assert caught.value.near == near


def test_an_unknown_row_names_the_nearest() -> None:
    with pytest.raises(NoEntryError) as caught:
        table(GRID).cell("bow", "short")

    assert caught.value.near == ("bows",)


def test_a_cell_of_several_columns_needs_a_column() -> None:
    with pytest.raises(NoEntryError):
        table(GRID).cell("bows")


def test_modifiers_say_what_they_change_and_for_whom() -> None:
    found = table("""\
        kind: modifiers
        changes: the hit score
        good: high
        whose: the firer
        rows:
          - {id: cover, label: Soft cover, value: -2}
          - {id: flank, label: Flank, value: +1}
        """)

    assert isinstance(found, Modifiers)
    assert (found.changes, found.good, found.whose) == ("the hit score", "high", "the firer")
    assert found.cell("cover") == Modifier.parse("-2")


def test_results_cover_every_roll_of_their_dice() -> None:
    found = table("""\
        kind: results
        dice: d6
        columns: [{id: outcome, label: Outcome}]
        rows:
          - {band: 1-3, cells: [miss]}
          - {band: 4-6, cells: [hit]}
        """)

    assert isinstance(found, Results)
    assert str(found.band_row(Decimal(5)).cells[0]) == "hit"


def test_results_that_miss_a_roll_say_which() -> None:
    body = """\
kind: results
dice: 2d6
columns: [{id: outcome, label: Outcome}]
rows:
  - {band: 3-7, cells: [miss]}
  - {band: 8-11, cells: [hit]}
"""
    with pytest.raises(MusterError) as caught:
        table(body)

    (problem,) = caught.value.problems
    assert problem.code == "dice-uncovered"
    assert "2, 12" in problem.text


def test_a_sequence_nests_its_steps() -> None:
    found = table("""\
        kind: sequence
        steps:
          - {id: command, label: Command, text: Deal cards., who: both}
          - id: action
            label: Action
            steps: [{id: fire, label: Fire, short: shoot}]
        """)

    assert isinstance(found, Steps)
    assert [row.id for row in found.rows] == ["command", "action", "fire"]
    assert [row.depth for row in found.rows] == [0, 0, 1]
    assert found.cell("command", "who") == Text.parse("both")
    assert found.cell("fire", "text") is DASH


def test_definitions_hold_a_value_a_meaning_or_both() -> None:
    found = table("""\
        kind: definitions
        form: distance
        rows:
          - {id: set-up, label: Set-up, value: 30cm}
          - {id: arc, label: Arc, value: 45°, form: angle, text: to each side}
        """)

    assert isinstance(found, Definitions)
    assert [column.id for column in found.columns] == ["value", "text"]
    assert found.cell("set-up", "text") is DASH
    assert found.cell("arc", "value").show() == "45°"


def test_a_diagram_keeps_its_ranks_from_the_front() -> None:
    found = table("""\
        kind: diagram
        ranks: ["F F", "o"]
        key: {F: fires, o: does not}
        spacing: open
        """)

    assert isinstance(found, Diagram)
    assert [str(cell) for cell in found.rows[0].cells] == ["F", "F"]
    assert found.rows[1].cells[1] is DASH
    assert found.open_order


def test_a_value_per_scale_is_found_by_name_and_spread_over_columns() -> None:
    body = """\
        kind: grid
        form: distance
        columns: [{id: move, label: Move}, {id: who, label: Who, form: text}]
        rows: [{id: foot, label: Foot, cells: [{15mm: 6", 25mm: 9"}, all]}]
        """
    found = table(body, ("15mm", "25mm"))

    spread = found.split_by_scale([("15mm", "15 mm"), ("25mm", "25 mm")])

    assert [column.id for column in spread.columns] == ["move-15mm", "move-25mm", "who"]
    assert spread.cell("foot", "move-25mm") == Distance.parse('9"')
    assert found.at_scale("15mm").cell("foot", "move") == Distance.parse('6"')


def test_a_band_holds_both_of_its_ends() -> None:
    found = table(KILLS)
    assert isinstance(found, Lookup)

    assert found.band_row(Decimal(1)).band == Band.parse("1-2")
    assert found.band_row(Decimal(2)).band == Band.parse("1-2")


def test_bands_may_run_downwards() -> None:
    found = table(KILLS.replace("1-2", "9-10").replace("3-4", "7-8"))

    assert [row.id for row in found.rows] == ["9-10", "7-8"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("", [("missing-key", None)], id="no kind"),
        pytest.param("kind: grdi\n", [("bad-kind", 1)], id="a misspelt kind"),
        pytest.param("kind: [grid]\n", [("bad-kind", 1)], id="a kind that is a list"),
        pytest.param(GRID.replace("10cm", "10 feet"), [("bad-value", 5)], id="a bad distance"),
        pytest.param(
            GRID.replace("10cm", "ten").replace("blank", "12"),
            [("bad-value", 5), ("bad-value", 6)],
            id="two bad cells at once",
        ),
        pytest.param(GRID.replace("form: distance", "form: lenght"), None, id="a misspelt form"),
        pytest.param(GRID.replace("[blank, –]", "[blank]"), [("wrong-width", 6)], id="a short row"),
        pytest.param(
            GRID.replace("[blank, –]", "[blank, –, 3cm]"), [("wrong-width", 6)], id="a long row"
        ),
        pytest.param(GRID.replace("id: guns", "id: bows"), None, id="a row twice"),
        pytest.param(
            GRID.replace("id: note", "id: short"), [("duplicate-id", 3)], id="a column twice"
        ),
        pytest.param(KILLS.replace("3-4", "2-4"), [("band-gap", 8)], id="an overlap down"),
        pytest.param(KILLS.replace("3-4", "5-6"), [("band-gap", 8)], id="a gap down"),
        pytest.param(KILLS.replace("0-3", "1-3"), [("band-gap", 4)], id="a gap across"),
        pytest.param(KILLS.replace("4+", "3+"), [("band-gap", 4)], id="an overlap across"),
        pytest.param(KILLS.replace("1-2", "2-1"), [("bad-value", 7)], id="a band upside down"),
        pytest.param(
            KILLS.replace("band: 3-4", "id: x, label: X"), [("mixed-rows", 8)], id="mixed rows"
        ),
        pytest.param(
            KILLS.replace("across:", "columns: [{id: a, label: A}]\nacross:"),
            None,
            id="columns and across",
        ),
        pytest.param(KILLS.replace("form: number", "form: number\nroling: [down]"), None, id="key"),
    ],
)
def test_each_fault_is_told_at_its_place(
    body: str, expected: list[tuple[str, int | None]] | None
) -> None:
    found = faults(body)

    assert found
    if expected is not None:
        assert [code for code, _ in found] == [code for code, _ in expected]
        assert all(line in (None, got) for (_, line), (_, got) in zip(expected, found, strict=True))


def test_a_gap_is_fine_when_the_axis_says_why() -> None:
    body = KILLS.replace("title: Points}", "title: Points, gaps: the source prints no row}")

    found = table(body.replace("3-4", "5-6"))

    assert found.row("5-6").label == "5–6"


def test_a_diagram_refuses_a_figure_that_is_not_in_its_key() -> None:
    body = 'kind: diagram\nranks: ["F Q"]\nkey: {F: fires}\n'

    assert faults(body) == [("unknown-figure", 2)]


DRAWN = "kind: diagram\nkey: {F: fires}\ndrawings:\n  - {label: A, ranks: [F F]}\n"


def test_a_diagram_of_several_drawings_has_a_row_for_each() -> None:
    text = DRAWN + "  - {label: B, arc: 22.5°}\n  - {label: C, rose: [N, blank, S]}\n"

    drawn = table(text)

    assert [(row.label, str(row.cells[0])) for row in drawn.rows] == [
        *(("A", "F F"), ("B", "22.5°"), ("C", "N, to fill in, S")),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(DRAWN.replace("F F", "F Q"), ("unknown-figure", 4), id="figure"),
        pytest.param(DRAWN.replace("ranks: [F F]", "arc: 0°"), ("bad-value", 4), id="no angle"),
        pytest.param(DRAWN.replace("ranks: [F F]", "arc: 360°"), ("bad-value", 4), id="full"),
        pytest.param(DRAWN.replace("ranks: [F F]", "arc: wide"), ("bad-value", 4), id="words"),
        pytest.param(DRAWN.replace("ranks: [F F]", "rose: [ahead]"), ("bad-value", 4), id="sign"),
        pytest.param(DRAWN.replace("]}", "], arc: 30°}"), ("bad-value", 4), id="two in one"),
        pytest.param(DRAWN.replace(", ranks: [F F]", ""), ("bad-value", 4), id="nothing drawn"),
        pytest.param(DRAWN + "ranks: [F]\n", ("bad-value", -3), id="ranks and drawings"),
        pytest.param("kind: diagram\nkey: {}\n", ("bad-value", -3), id="neither"),
    ],
)
def test_a_fault_of_a_drawing_is_told_at_its_place(body: str, expected: tuple[str, int]) -> None:
    assert faults(body) == [expected]


SCENE = """\
kind: diagram
drawings:
  - label: A charge
    alt: Horse before foot.
    size: [40, 30]
    scene:
      - {kind: unit, at: [20, 10], files: 6}
      - {kind: measure, from: [5, 5], to: [35, 5], text: {15mm: 4", 25mm: 6"}}
"""


def test_a_scene_has_its_pieces_and_their_lengths_are_values() -> None:
    found = table(SCENE, ("15mm", "25mm"))

    assert isinstance(found, Diagram)
    (drawing,) = found.drawings
    unit, measure = drawing.scene
    assert (unit.kind, unit.points, unit.size) == ("unit", ((20, 10),), (24, 4))
    assert isinstance(measure.text, Scaled)
    assert measure.text.at("25mm") == Distance.parse('6"')
    assert "Horse before foot." in str(found.rows[0].cells[0])


FAR = "      - {kind: unit, at: [20, 10], files: 6}"


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("{kind: unicorn, at: [20, 10]}", ("bad-choice", 7)),
        ("{kind: unit}", ("missing-key", 7)),
        ("{kind: unit, at: [20, 10], colour: red}", ("unknown-key", 7)),
        ("{kind: unit, at: [20]}", ("too-few", 7)),
        ("{kind: unit, at: [20, 10], files: 0}", ("out-of-bounds", 7)),
        ("{kind: unit, at: [20, 10], files: 99}", ("out-of-bounds", 7)),
        ("{kind: unit, at: [20, 10], files: 12}", ("off-canvas", 7)),
        ("{kind: unit, at: [20, 1], face: 180}", ("off-canvas", 7)),
        ("{kind: circle, at: [20, 15], reach: 16}", ("off-canvas", 7)),
        ("{kind: arc, at: [20, 15], angle: 90°, reach: 16}", ("off-canvas", 7)),
        ("{kind: turn, at: [20, 15], angle: 180, reach: 22}", ("off-canvas", 7)),
        ("{kind: arc, at: [20, 15], angle: 400°, reach: 6}", ("bad-value", 7)),
        ("{kind: rose, at: [5, 15], signs: [1, 2]}", ("off-canvas", 7)),
        ("{kind: rose, at: [20, 15], signs: [ahead]}", ("bad-value", 7)),
        ("{kind: line, points: [[1, 1], [41, 1]]}", ("off-canvas", 7)),
        ("{kind: line, points: [[1, 1], [1, 1]]}", ("no-length", 7)),
        ("{kind: line, points: [[1, 1]]}", ("too-few", 7)),
        ("{kind: zone, from: [1, 1], to: [1, 9]}", ("no-length", 7)),
        ("{kind: label, at: [1, 1]}", ("no-text", 7)),
        ("{kind: line, points: [[1, 1], [9, 1]], text: {30mm: 4cm}}", ("bad-value", 7)),
        (f"{{kind: label, at: [1, 1], text: {'x' * 60}}}", ("long-text", 7)),
    ],
)
def test_a_fault_of_a_piece_is_told_at_its_place(piece: str, expected: tuple[str, int]) -> None:
    assert FAR in SCENE
    line = f"      - {piece}"

    assert faults(SCENE.replace(FAR, line), ("15mm", "25mm")) == [expected]


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ('{kind: measure, from: [1, 1], to: [13, 1], text: 6"}', []),
        ('{kind: measure, from: [1, 1], to: [14, 1], text: 6"}', [("not-to-scale", 8)]),
        ('{kind: measure, from: [1, 1], to: [13, 1], text: {15mm: 6", 25mm: 9"}}', []),
        (
            '{kind: measure, from: [1, 1], to: [19, 1], text: {15mm: 6", 25mm: 9"}}',
            [("not-to-scale", 8)],
        ),
        ("{kind: measure, from: [1, 1], to: [13, 1], text: 15cm}", [("not-to-scale", 8)]),
        ('{kind: arrow, points: [[1, 1], [6, 1], [6, 8]], text: 6"}', []),
        ('{kind: arrow, points: [[1, 1], [6, 8]], text: 6"}', [("not-to-scale", 8)]),
        ('{kind: circle, at: [20, 15], reach: 12, text: 6"}', []),
        ('{kind: circle, at: [20, 15], reach: 11, text: 6"}', [("not-to-scale", 8)]),
        ('{kind: zone, from: [2, 2], to: [20, 14], text: 6"}', []),
        ('{kind: zone, from: [2, 2], to: [20, 15], text: 6"}', [("not-to-scale", 8)]),
        ("{kind: turn, at: [20, 20], angle: 45, reach: 12, text: 45°}", []),
        ("{kind: turn, at: [20, 20], angle: 40, reach: 12, text: 45°}", [("not-to-scale", 8)]),
        ("{kind: measure, from: [1, 1], to: [14, 1], text: about right}", []),
    ],
)
def test_a_length_in_a_drawing_to_scale_is_as_long_as_written(
    piece: str, expected: list[tuple[str, int]]
) -> None:
    text = SCENE.replace("    scene:\n", '    scale: 0.5"\n    scene:\n')
    text = text[: text.index(FAR)] + f"      - {piece}\n"

    found = faults(text, ("15mm", "25mm")) if expected else table(text, ("15mm", "25mm"))

    assert found == expected if expected else isinstance(found, Diagram)


TABLETOP = """\
kind: diagram
drawings:
  - label: Map
    alt: A table.
    table: [48", 36"]
    scene:
      - {kind: unit, at: [24, 12], files: 6, base: [1, 1.5]}
      - {kind: measure, from: [24, 12], to: [24, 18], text: 6"}
"""


def test_a_table_is_drawn_in_its_own_unit_at_one_scale() -> None:
    found = table(TABLETOP)

    assert isinstance(found, Diagram)
    (drawing,) = found.drawings
    assert drawing.tabletop is not None
    width, depth = drawing.tabletop.extent
    assert width / 48 == pytest.approx(depth / 36)
    unit, measure = drawing.scene
    assert unit.size[0] == pytest.approx(width * 6 / 48)
    assert measure.points[1][1] - measure.points[0][1] == pytest.approx(depth * 6 / 36)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("[24, 18]", "[24, 19]", [("not-to-scale", 8)]),
        ("at: [24, 12]", "at: [46, 12]", [("off-canvas", 7)]),
        ('36"]', "90cm]", [("two-units", 5)]),
        ('36"]', 'd6"]', [("bad-value", 5)]),
        ('48", 36"]', '1001", 36"]', [("bad-value", 5)]),
        ('48", 36"]', '48", 99999999"]', [("bad-value", 5)]),
        ('36"]', '0"]', [("bad-value", 5)]),
        ("    table:", "    size: [60, 40]\n    table:", [("bad-value", 3)]),
        ("    table:", '    scale: 1"\n    table:', [("bad-value", 3)]),
        ("at: [24, 12]", "at: [24, -12]", [("bad-value", 7)]),
        ("at: [24, 12]", "at: [24, 1e3]", [("bad-value", 7)]),
        ("at: [24, 12]", "at: [24, 1001]", [("bad-value", 7)]),
    ],
)
def test_a_fault_of_a_table_from_above_is_told(
    before: str, after: str, expected: list[tuple[str, int]]
) -> None:
    assert before in TABLETOP

    assert faults(TABLETOP.replace(before, after)) == expected


def test_all_faults_of_a_scene_come_at_once() -> None:
    text = SCENE.replace(FAR, "      - {kind: unit, at: [1, 1]}").replace("[35, 5]", "[95, 5]")

    assert faults(text, ("15mm", "25mm")) == [("off-canvas", 7), ("off-canvas", 8)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("    alt: Horse before foot.\n", "", "bad-value"),
        ("    size: [40, 30]\n", "", "bad-value"),
        ("[40, 30]", "[400, 30]", "bad-value"),
        ("[40, 30]", "[0, 30]", "bad-value"),
        (FAR, f"{FAR}\n" * MAX_PIECES + FAR, "too-many"),
    ],
)
def test_a_scene_needs_a_canvas_and_words_for_who_cannot_see_it(
    before: str, after: str, expected: str
) -> None:
    assert before in SCENE

    found = faults(SCENE.replace(before, after), ("15mm", "25mm"))

    assert [code for code, _ in found] == [expected]


def test_a_definition_without_text_or_value_is_a_fault() -> None:
    assert faults("kind: definitions\nrows:\n  - {id: a, label: A}\n") == [("missing-key", 3)]


def test_a_banded_row_needs_a_band_or_a_name() -> None:
    body = """\
kind: results
columns: [{id: outcome, label: Outcome}]
rows:
  - {cells: [x]}
  - {id: b, label: B, cells: [y]}
"""
    assert faults(body) == [("missing-key", 4)]


def test_bad_dice_are_told_where_they_stand() -> None:
    body = """\
kind: results
dice: 2d
columns: [{id: outcome, label: Outcome}]
rows:
  - {band: 1-6, cells: [x]}
"""
    assert faults(body) == [("bad-value", 2)]


QUALITY = """\
kind: lookup
form: band
covers: 2d6
down: {id: class, title: Class}
columns: [{id: raw, label: Raw}, {id: trained, label: Trained}, {id: veteran, label: Veteran}]
rows:
  - {id: militia, label: Militia, cells: [2-9, 10-12, –]}
  - {id: guards, label: Guards, cells: [–, 2-6, 7-12]}
"""


def test_each_row_may_have_to_cover_a_roll_once() -> None:
    assert table(QUALITY).covers == "2d6"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("10-12, –", "11-12, –", [("dice-uncovered", 7)]),
        ("2-6, 7-12", "2-7, 7-12", [("dice-twice", 8)]),
        ("covers: 2d6", "covers: 2d", [("bad-value", 3)]),
    ],
)
def test_a_row_that_misses_a_roll_or_holds_it_twice_is_told(
    old: str, new: str, expected: list[tuple[str, int]]
) -> None:
    assert faults(QUALITY.replace(old, new)) == expected


ZONES = """\
kind: grid
form: distance
per-band: 5cm
columns: [{id: line, label: Line}, {id: column, label: Column}]
rows:
  - {id: foot, label: Foot, cells: [15cm, –]}
  - {id: guns, label: Guns, cells: [0cm, d6cm]}
"""


def test_lengths_may_have_to_be_whole_bands() -> None:
    assert table(ZONES).per_band == Distance.parse("5cm")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("15cm", "16cm", [("not-whole-bands", 6)]),
        ("per-band: 5cm", "per-band: d6cm", [("bad-value", 3)]),
        ("per-band: 5cm", "per-band: five", [("bad-value", 3)]),
    ],
)
def test_a_length_between_two_bands_is_told(
    old: str, new: str, expected: list[tuple[str, int]]
) -> None:
    assert faults(ZONES.replace(old, new)) == expected
