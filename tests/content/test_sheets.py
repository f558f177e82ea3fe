"""Tests of the five quick-reference sheets: what stands where, what comes first, which notes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from muster import load_army
from muster.documents.sheet import Sheet, SheetSide, gather_sheet
from muster.documents.table_view import TableView
from muster.systems import open_system
from muster.tables import Diagram
from tests.scaffold import SHIPPED

CONTENT = Path(__file__).parents[2] / "content"
SYSTEMS = pytest.mark.parametrize("system", SHIPPED)

_FOOT_CHARACTERS = 430
"""Characters of two lines below a sheet of A4, at 7 pt."""

_GREY_CHARACTERS = 300
"""Characters of all notes below tables of a side."""

ACTIONS = {
    "slaughterloo": {
        "a unit acts": "form-roll-uses form-modifiers form-conditions interrupt-actions",
        "it moves": "movement-terrain terrain-types",
        "it takes Morale": "morale-triggers morale-modifiers morale-failure rally status-figures",
        "infantry fires": (
            "fire-restrictions firing-arc small-arms-attack fire-modifiers kill-table "
            "kills-per-figure casualty-effects form-roll-uses form-conditions"
        ),
        "guns fire": (
            "artillery-ranges artillery-class artillery-attack fire-modifiers kill-table "
            "howitzer-procedure howitzer-ranges shell-rose"
        ),
        "it fights": (
            "melee-order melee-attack melee-modifiers melee-cases kill-table kills-per-figure "
            "casualty-effects form-roll-uses form-conditions"
        ),
        "a Division breaks": "division-break morale-modifiers morale-failure",
    },
    "lshm-skirmish": {
        "a unit moves": "card-draw movement movement-adjustments joker-movement",
        "a unit fires": (
            "card-draw may-not-fire fire-steps arcs target-classes fire-chart fire-modifiers "
            "hit-cards joker-fire volley artillery-crew hits-on-artillery officer-pistol"
        ),
        "it charges": (
            "movement charge-steps closing closing-failed close-combat-steps close-combat "
            "close-combat-loser close-combat-end"
        ),
        "it tests morale": "morale-kinds morale states",
    },
    "huzzah": {
        "a unit is threatened": "threat-zones threat-tests threat-disadvantaged ratings",
        "an order is given": "order-modifiers officer-quality command-radius",
        "a unit moves": "movement movement-terrain",
        "units engage": (
            "to-settle engagement-modifiers engagement-disadvantaged engagement-rolls "
            "engagement-outcome ratings"
        ),
        "a unit rallies": "rally-modifiers rally-results ratings",
        "a command is checked": "command-check command-check-failed officer-quality",
        "a command is reorganised": "reorganise reorganise-result officer-quality",
        "batteries are rearmed": "rearm officer-quality",
    },
    "order-markers": {
        "orders are revealed": "orders deploy-options tactical-steps movement-15mm",
        "a unit charges": (
            "charge-responses movement-15mm small-arms-dice small-arms-modifiers class-effects "
            "morale-modifiers morale-results close-combat-modifiers close-combat-results"
        ),
        "muskets fire": "small-arms-dice small-arms-ranges small-arms-to-hit small-arms-modifiers",
        "guns fire": "artillery-dice artillery-ranges artillery-to-hit artillery-modifiers",
        "units fight": "close-combat-class close-combat-modifiers close-combat-results",
        "a unit tests morale": "class-effects morale-modifiers morale-results definitions",
    },
    "seven-years-war": {
        "orders change": "order-attempts order-range general-types orders",
        "a unit moves": "orders movement-rates reserve-drill through-friends disorder",
        "a unit shoots": (
            "shooting-rules shooting-arcs shooting-ranges shooting-modifiers shooting-results "
            "bounce-through general-loss"
        ),
        "a unit charges": (
            "melee-steps charge-check turn-to-face light-fallback evade movement-rates "
            "morale-modifiers morale-charging morale-casualties"
        ),
        "units fight": "combat-values melee-modifiers melee-results general-loss breakthrough",
        "a unit pursues": "rout-pursuit-moves pursuit-rules movement-rates",
        "a group checks morale": (
            "morale-triggers morale-modifiers morale-casualties morale-charging morale-rally"
        ),
    },
}
"""The tables that players look up for one action."""

FORMULAS = {
    "slaughterloo": {
        "morale-modifiers": "2D6 ≤ Morale",
        "form-roll-uses": "Form + 1D6 ≥ base",
        "small-arms-attack": "1D6 + Fire",
        "artillery-ranges": "1D6 + Fire + class",
        "howitzer-procedure": "1D6 + Fire > target score",
        "melee-attack": "1D6 + Melee",
    },
    "lshm-skirmish": {
        "fire-chart": "Firers × the fraction",
        "closing": "1D10",
        "close-combat": "1D10 + modifiers",
        "morale": "2D6 below the number",
    },
    "huzzah": {
        "threat-tests": "2D6 ≤ rating",
        "order-modifiers": "2D6 ≤ command rating + modifiers: obeyed; 11 or 12 fails",
        "engagement-modifiers": "2D6 ≤ rating after shifts: succeeds by rating − roll",
        "rally-modifiers": "2D6 ≤ rating",
        "command-check": "2D6 ≤ command rating",
        "rearm": "2D6 ≤ C-in-C’s rating",
    },
    "order-markers": {
        "initiative": "1D6 + C-in-C",
        "small-arms-dice": "D10 ≥ to hit",
        "artillery-dice": "D10 ≥ to hit",
        "close-combat-class": "class + factors",
        "class-effects": "modifiers ≥ to pass",
    },
    "seven-years-war": {
        "shooting-modifiers": "D6 + modifiers",
        "melee-modifiers": "D6 + modifiers",
        "morale-modifiers": "2D6 + modifiers",
    },
}
"""What stands in the formula at the head of the block of a table."""


@cache
def sheet_of(system: str) -> Sheet:
    return gather_sheet(open_system(CONTENT / system))


def views(side: SheetSide) -> list[TableView]:
    return [view for block in side.blocks for view in block.views]


@pytest.mark.parametrize(
    ("system", "action"), [(each, action) for each, done in ACTIONS.items() for action in done]
)
def test_nobody_turns_the_sheet_over_within_an_action(system: str, action: str) -> None:
    needed = set(ACTIONS[system][action].split())

    sides = [
        {each for view in views(side) for each in (view.id, *view.joined)}
        for side in sheet_of(system).sides
    ]

    assert any(needed <= side for side in sides)


@pytest.mark.parametrize(
    ("system", "table"), [(each, table) for each, found in FORMULAS.items() for table in found]
)
def test_formula_stands_at_the_head_of_its_block(system: str, table: str) -> None:
    blocks = [block for side in sheet_of(system).sides for block in side.blocks]

    found = [block.formula for block in blocks if block.views and block.views[0].id == table]

    assert found
    for formula in found:
        plain = formula.replace("\u00a0", " ").replace("\u202f", " ")
        assert FORMULAS[system][table] in plain


@SYSTEMS
def test_sequence_of_play_stands_first(system: str) -> None:
    assert views(sheet_of(system).sides[0])[0].id == "turn-sequence"


@SYSTEMS
def test_block_has_the_colour_of_its_phase(system: str) -> None:
    """The phases in the masthead are the key to the colours of the blocks."""
    read = open_system(CONTENT / system)
    titles = {phase.title: phase.id for phase in read.phases}
    for side in sheet_of(system).sides:
        tabs = {phase.tone for phase in side.phases if phase.here}
        for block in side.blocks:
            tables = [read.table(view.id) for view in block.views]

            assert block.tone in {*tabs, "neutral"}, block.title
            assert len({table.phase for table in tables}) <= 1, block.title
            assert titles.get(block.title, tables[0].phase) == tables[0].phase, block.title


@SYSTEMS
def test_numbers_of_the_book_rise_down_a_side(system: str) -> None:
    for side in sheet_of(system).sides:
        shown = [view.number for view in views(side) if view.number]
        numbers = [tuple(map(int, number.split("."))) for number in shown]

        assert numbers == sorted(numbers)
        assert numbers


@SYSTEMS
def test_notes_are_for_play_and_few(system: str) -> None:
    """Characters are counted, not lines: as many at the foot as two lines of the page hold.

    Grey notes below tables are counted apart from those, for all scales at once; in a narrow column
    they take more lines than at the foot.
    """
    for side in sheet_of(system).sides:
        notes = [note for block in side.blocks for note in block.notes]
        foot = [note.text for note in side.footnotes]

        remarks = [block.remark for block in side.blocks]
        for text in (*notes, *foot, *remarks):
            assert not re.search(r"\bsource\b|as printed|\bread as\b", text, re.IGNORECASE), text
        assert len(" ".join([*sheet_of(system).conventions, *foot])) < _FOOT_CHARACTERS
        assert sum(map(len, notes)) <= _GREY_CHARACTERS


def test_grades_of_leaders_stand_from_the_best_to_the_worst() -> None:
    (view,) = (
        each
        for side in sheet_of("order-markers").sides
        for each in views(side)
        if each.id == "initiative"
    )

    assert [line.label.split()[0] for line in view.lines] == ["Charismatic", "Exceptional", "Good"]


def test_free_action_is_the_first_row_of_its_table() -> None:
    blocks = [block for side in sheet_of("slaughterloo").sides for block in side.blocks]
    actions = next(block for block in blocks if block.id == "form-roll-uses")

    labels = [line.label for line in actions.views[0].lines]
    assert labels[:2] == ["One action", "More than one action"]
    assert actions.formula.startswith("Easiest action free;")
    assert actions.views[0].lines[1].cells[1].text.startswith("all but easiest")


def test_howitzer_has_its_steps_and_ranges_under_one_head_and_one_name_for_its_score() -> None:
    blocks = [block for side in sheet_of("slaughterloo").sides for block in side.blocks]
    (howitzer,) = (block for block in blocks if block.id == "howitzer-procedure")

    steps, ranges = howitzer.views
    assert "target score" in howitzer.formula.replace("\u00a0", " ")
    assert any("target score" in cell.text for line in steps.lines for cell in line.cells)
    assert "Target score" in [head.label for head in ranges.heads]


def test_what_players_agree_on_is_a_box_and_no_remark() -> None:
    blocks = [block for side in sheet_of("slaughterloo").sides for block in side.blocks]

    assert not [block.title for block in blocks if "agree" in block.remark]
    boxes = {
        view.id
        for block in blocks
        for view in block.views
        for line in view.lines
        if "flying cav." in line.label and any(cell.kind == "blank" for cell in line.cells)
    }
    assert boxes == {"kills-per-figure", "melee-attack", "movement-terrain"}


def test_interrupt_says_when_it_may_be_tried_and_what_a_failed_roll_does() -> None:
    blocks = [block for side in sheet_of("slaughterloo").sides for block in side.blocks]
    (interrupt,) = (block for block in blocks if block.id == "interrupt-actions")

    assert "about to make contact" in interrupt.remark
    assert interrupt.views[0].lines[-1].label == "Failed roll"


def test_all_about_morale_stands_on_one_side() -> None:
    fire_and_morale = sheet_of("lshm-skirmish").sides[1]

    assert [view.id for view in views(fire_and_morale)][-3:] == ["morale-kinds", "morale", "states"]


def test_ratings_stand_before_the_engagements_that_need_them() -> None:
    ids = [view.id for view in views(sheet_of("huzzah").sides[1])]

    assert ids.index("ratings") + 1 == ids.index("engagement-modifiers")


def test_skirmishers_stand_before_what_comes_later_in_the_turn() -> None:
    """Who wins them is said in their block, not below the boxes of the orders."""
    blocks = sheet_of("huzzah").sides[0].blocks

    assert [block.id for block in blocks[:2]] == ["turn-sequence", "skirmisher-superiority"]
    assert "winner" in blocks[1].text


def test_orders_fold_into_halves_of_about_one_height() -> None:
    """A hole below the last order is space that larger type could take."""
    (view,) = (each for each in views(sheet_of("order-markers").sides[0]) if each.id == "orders")

    halves = [
        sum(len(cell.text) for line in part for cell in line.cells if cell.kind != "dash")
        for part in view.parts
    ]
    assert len(halves) == len(view.parts) == 2
    assert max(halves) < 1.25 * min(halves)


def test_charge_moves_say_what_dense_terrain_costs() -> None:
    blocks = [block for side in sheet_of("order-markers").sides for block in side.blocks]

    moves = next(block for block in blocks if block.title == "Charge moves")
    assert [head.label for head in moves.views[0].heads] == ["Move", "Dense terrain"]


def test_rows_of_losses_say_whose_they_are() -> None:
    """A score stands in the first row of its table, and whoever loses by it below."""
    shown = {view.id: view for side in sheet_of("seven-years-war").sides for view in views(side)}

    for name, loser in (("shooting-results", "Target"), ("melee-results", "Enemy")):
        assert shown[name].corner == "Score"
        assert [line.label for line in shown[name].lines] == [loser]


def test_kinds_of_general_have_no_heads_between_them() -> None:
    shown = {view.id: view for side in sheet_of("seven-years-war").sides for view in views(side)}

    kinds = shown["general-types"].lines
    assert [line.label for line in kinds] == [
        *("Cavalry general", "Infantry general", "Brave", "Cautious")
    ]
    assert not any(line.group for line in kinds)


def test_army_sheet_says_nothing_of_troops_that_it_lacks() -> None:
    army = load_army(CONTENT.parent / "armies" / "seven-years-war" / "typical.yaml")
    sheet = gather_sheet(army.system, army=army)

    lines = [line for side in sheet.sides for view in views(side) for line in view.lines]
    notes = [note for side in sheet.sides for block in side.blocks for note in block.notes]
    words = [line.label for line in lines] + notes
    assert "Massed, in type 1–3" in words
    assert [text for text in words if "ilitia" in text or "(a)" in text] == []


def test_shooting_rules_stand_beside_the_shooting_table() -> None:
    ids = [view.id for view in views(sheet_of("seven-years-war").sides[0])]

    start = ids.index("shooting-rules")
    assert ids[start : start + 5] == [
        *("shooting-rules", "shooting-arcs", "shooting-ranges", "shooting-modifiers"),
        "shooting-results",
    ]


# The figures of drawings and of tables are the same


def arcs(system: str, table: str) -> dict[str, str]:
    """Return what each drawing of a diagram says, by its label: an arc in a scene, its angle."""
    diagram = open_system(CONTENT / system).table(table)
    assert isinstance(diagram, Diagram)
    drawn = {row.label: str(row.cells[0]) for row in diagram.rows}
    for drawing in diagram.drawings:
        for piece in drawing.scene:
            if piece.kind == "arc":
                drawn[drawing.label] = f"{piece.angle:g}°"
    return drawn


def test_arcs_are_drawn_as_wide_as_tables_say() -> None:
    skirmish = open_system(CONTENT / "lshm-skirmish").table("target-area")
    stated = {row.label: row.cells[0].show() for row in skirmish.rows}
    drawn = arcs("lshm-skirmish", "arcs")

    assert {label: drawn[label] for label in stated} == stated
    firing = open_system(CONTENT / "slaughterloo").table("distances").cell("firing-arc")
    assert list(arcs("slaughterloo", "firing-arc").values()) == [firing.show()]


FIRST_LENGTH = re.compile(r"(\d+)[–/-]\d+\s?(cm|mm|″)")
LENGTH = re.compile(r"[\d½]+\s?(?:cm|mm|″|°)")


def lengths(text: str) -> set[str]:
    return {"".join(found.split()) for found in LENGTH.findall(text.replace('"', "″"))}


@pytest.mark.parametrize("system_id", SHIPPED)
def test_scenes_draw_no_length_or_angle_that_other_tables_lack(system_id: str) -> None:
    system = open_system(CONTENT / system_id)
    stated: set[str] = set()
    drawn: dict[str, set[str]] = {}
    for table in system.tables():
        if table.chapter == "first-game":  # ours: how far apart the armies begin
            continue
        if isinstance(table, Diagram):
            scenes = [piece for drawing in table.drawings for piece in drawing.scene]
            drawn[table.id] = lengths(" ".join([*(p.words for p in scenes), table.caption]))
            drawn[table.id] |= lengths(" ".join(drawing.alt for drawing in table.drawings))
        else:
            cells = [cell.show() for row in table.rows for cell in row.cells]
            labels = [row.label for row in table.rows]
            words = " ".join([*cells, *labels, table.remark, *table.all_notes])
            stated |= lengths(words)
            # `16–30 cm` and `6/8″` state both of their ends.
            stated |= {"".join(found) for found in FIRST_LENGTH.findall(words)}
    assert any(drawn.values())
    assert {name: found - stated for name, found in drawn.items() if found - stated} == {}


def test_rose_has_the_directions_that_the_source_prints_and_no_others() -> None:
    directions = open_system(CONTENT / "slaughterloo").table("howitzer-direction")
    known = [row.label if row.cells[0].show() else "to fill in" for row in directions.rows]

    (drawn,) = arcs("slaughterloo", "shell-rose").values()

    assert drawn == ", ".join(known)
    assert (known[0], known[4]) == ("1", "5")


def test_shell_misses_by_the_roll_with_fire() -> None:
    system = open_system(CONTENT / "slaughterloo")
    formula = system.table("formulas").row("shell-deviation").cells[-1].show()
    step = system.table("howitzer-procedure").row("miss")

    for text in (formula, step.short, step.cells[-1].show()):
        assert "(target score − (1D6 + Fire)) ×" in text
