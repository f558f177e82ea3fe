"""Tests of comparing two editions: what is one change, and what is none."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from muster.editions.change import Change, diff_words
from muster.editions.compare import compare_editions
from muster.editions.parts import DiffContext, compare_texts
from muster.editions.snapshot import edition_data
from muster.systems import open_system
from tests.editions.conftest import Editions
from tests.scaffold import SHIPPED

CONTENT = Path(__file__).resolve().parent.parent.parent / "content"
Edits = tuple[tuple[str, str, str], ...]


def summary(change: Change) -> tuple[str, ...]:
    return change.kind, change.part, "/".join(change.at), change.old, change.new


@pytest.mark.parametrize("system", SHIPPED)
def test_edition_does_not_differ_from_itself(system: str) -> None:
    data = edition_data(open_system(CONTENT / system))

    assert compare_editions(data, data).changes == ()


@pytest.mark.parametrize("system", SHIPPED)
def test_edition_does_not_differ_from_its_export(system: str) -> None:
    data = edition_data(open_system(CONTENT / system))
    exported: dict[str, Any] = json.loads(json.dumps(data))

    assert exported == data
    assert compare_editions(exported, data).changes == ()


def test_edition_does_not_differ_from_its_copy(editions: Editions) -> None:
    assert editions.compare().changes == ()


S = "system.yaml"
C = "composition.yaml"
E = "errata.yaml"
B = "books/first-book.yaml"
MOVE = "tables/movement.yaml"
RANGES = "tables/ranges.yaml"
HITS = "tables/hits.yaml"
TURN = "tables/turn-sequence.yaml"
FOOT_MOVES = "{id: foot,  label: Foot,  cells: [15cm, 10cm]}"

ONE_CHANGE: dict[str, tuple[Edits, tuple[str, ...]]] = {
    # The system
    "edition": (
        ((S, 'edition: "1.0"', 'edition: "1.1"'),),
        ("changed", "identity", "system/edition", "1.0", "1.1"),
    ),
    "credit": (
        ((S, "the club's own rules", "our rules"),),
        (
            "changed",
            "identity",
            "system/source",
            *(f"Club rules: {w} rules." for w in ("the club's own", "our")),
        ),
    ),
    "unit of length": (
        ((S, "unit: cm ", "unit: in "),),
        ("changed", "identity", "system/unit", "cm", "in"),
    ),
    "scale": (
        ((S, "title: 28 mm figures", "title: 28 mm"),),
        ("changed", "scale", "scales/28mm/title", "28 mm figures", "28 mm"),
    ),
    "phase moved": (
        (
            (S, "  - {id: movement, title: Movement, tone: movement}\n", ""),
            (
                S,
                "tone: fire}\n",
                "tone: fire}\n  - {id: movement, title: Movement, tone: movement}\n",
            ),
        ),
        ("moved", "phase", "phases/shooting", "", "to the beginning"),
    ),
    "phase's tone": (
        ((S, "tone: fire", "tone: melee"),),
        ("changed", "phase", "phases/shooting/tone", "fire", "melee"),
    ),
    "chapter added": (
        ((S, "  - {id: doubtful,", "  - {id: camp, title: In camp}\n  - {id: doubtful,"),),
        ("added", "chapter", "chapters/camp", "", ""),
    ),
    "chapter's title": (
        ((S, "{id: morale,   title: Morale}", "{id: morale,   title: Courage}"),),
        ("changed", "chapter", "chapters/morale/title", "Morale", "Courage"),
    ),
    "convention": (
        ((S, "plus is good.", "minus is bad."),),
        (
            *("changed", "identity", "system/conventions"),
            *(f"Modifiers are added to the dice: {w}." for w in ("plus is good", "minus is bad")),
        ),
    ),
    # Tables
    "table's title": (
        ((MOVE, "title: Movement", "title: Moves"),),
        ("changed", "table", "movement/title", "Movement", "Moves"),
    ),
    "table's chapter": (
        ((MOVE, "chapter: movement", "chapter: turn"),),
        ("changed", "table", "movement/section", "movement", "turn"),
    ),
    "table's remark": (
        ((HITS, "roll down, stands shooting across", "roll down, stands across"),),
        (
            "changed",
            "table",
            "hits/remark",
            "roll down, stands shooting across",
            "roll down, stands across",
        ),
    ),
    "what a modifier changes": (
        (("tables/shooting-modifiers.yaml", "changes: the roll", "changes: the score"),),
        ("changed", "table", "shooting-modifiers/changes", "the roll", "the score"),
    ),
    "note added": (
        ((MOVE, "form: distance\n", "form: distance\nnotes: [Nobody flies.]\n"),),
        ("added", "note", "movement/notes/1", "", "Nobody flies."),
    ),
    "length": (
        ((MOVE, "[15cm, 10cm]", "[20cm, 10cm]"),),
        ("changed", "cell", "movement/foot/open", "15\u202fcm", "20\u202fcm"),
    ),
    "number": (
        ((HITS, "[0, 1, 1]", "[0, 1, 2]"),),
        ("changed", "cell", "hits/7-9/5+", "1", "2"),
    ),
    "roll": (
        ((RANGES, "[10cm, 20cm,  2d6]", "[10cm, 20cm,  3d6]"),),
        ("changed", "cell", "ranges/foot/dice", "2D6", "3D6"),
    ),
    "blank filled in": (
        ((RANGES, "[20cm, blank, 2d6]", "[20cm, 50cm, 2d6]"),),
        ("changed", "cell", "ranges/guns/far", "blank", "50\u202fcm"),
    ),
    "dash filled in": (
        ((MOVE, "[10cm, –]", "[10cm, 5cm]"),),
        ("changed", "cell", "movement/guns/rough", "–", "5\u202fcm"),
    ),
    "row's label": (
        ((MOVE, "{id: foot,  label: Foot,", "{id: foot,  label: On foot,"),),
        ("changed", "row", "movement/foot/label", "Foot", "On foot"),
    ),
    "row added": (
        (
            (
                MOVE,
                f"  - {FOOT_MOVES}",
                f"  - {FOOT_MOVES}\n  - {{id: carts, label: Carts, cells: [7cm, 1cm]}}",
            ),
        ),
        ("added", "row", "movement/carts", "", "7\u202fcm · 1\u202fcm"),
    ),
    "row removed": (
        ((MOVE, f"  - {FOOT_MOVES}\n", ""),),
        ("removed", "row", "movement/foot", "15\u202fcm · 10\u202fcm", ""),
    ),
    "row moved": (
        (
            (MOVE, f"  - {FOOT_MOVES}\n", ""),
            (MOVE, "# an en dash: does not apply\n", f"# –\n  - {FOOT_MOVES}\n"),
        ),
        ("moved", "row", "movement/foot", "", "after Guns"),
    ),
    "row renamed": (
        ((MOVE, "{id: foot,  label: Foot,", "{id: afoot, label: Foot,"),),
        ("renamed", "row", "movement/afoot", "foot", "afoot"),
    ),
    "row's group": (
        ((MOVE, "label: Foot,", "label: Foot, group: Men,"),),
        ("changed", "row", "movement/foot/group", "none", "Men"),
    ),
    "whom a row is for": (
        ((MOVE, "label: Foot,", "label: Foot, for: {arm: [foot]},"),),
        ("added", "row", "movement/foot/for", "", "arm (foot)"),
    ),
    "band": (
        ((HITS, "{band: 12+, ", "{band: 12-13, "),),
        ("changed", "row", "hits/12-13/band", "12+", "12–13"),
    ),
    "column's label": (
        ((MOVE, "label: Rough}", "label: Broken}"),),
        ("changed", "column", "movement/rough/label", "Rough", "Broken"),
    ),
    "column renamed": (
        ((MOVE, "{id: rough, label: Rough}", "{id: broken, label: Rough}"),),
        ("renamed", "column", "movement/broken", "rough", "broken"),
    ),
    "column added": (
        (
            (
                MOVE,
                "{id: rough, label: Rough}",
                "{id: rough, label: Rough}, {id: road, label: Road}",
            ),
            (MOVE, "[15cm, 10cm]", "[15cm, 10cm, 20cm]"),
            (MOVE, "[25cm, 10cm]", "[25cm, 10cm, 30cm]"),
            (MOVE, "[10cm, –]", "[10cm, –, 9cm]"),
        ),
        ("added", "column", "movement/road", "", "20\u202fcm · 30\u202fcm · 9\u202fcm"),
    ),
    "meaning of a term": (
        (("tables/terms.yaml", "Close enough to be led.", "Close enough to be led by him."),),
        (
            "changed",
            "cell",
            "terms/near/text",
            "Close enough to be led.",
            "Close enough to be led by him.",
        ),
    ),
    "step": (
        ((TURN, "take off stands.", "take stands off."),),
        (
            *("changed", "cell", "turn-sequence/hits/text"),
            *(f"Read the hits off the table and take {w}." for w in ("off stands", "stands off")),
        ),
    ),
    "label of a step with inner steps": (
        ((TURN, "label: Shooting", "label: Fire"),),
        ("changed", "row", "turn-sequence/shooting/label", "Shooting", "Fire"),
    ),
    "short text": (
        ((TURN, "short: Fewer units first.", "short: Fewest first."),),
        ("changed", "row", "turn-sequence/movement/short", "Fewer units first.", "Fewest first."),
    ),
    # Prose
    "paragraph reworded": (
        (("prose/01-army.md", "and foot.", "and horse."),),
        (
            *("changed", "paragraph", "prose/army/1"),
            *(f"The army has one **General**, and {w}." for w in ("foot", "horse")),
        ),
    ),
    "item of a list": (
        (("prose/01-army.md", "Horse goes round it.", "Horse rides round it."),),
        (
            *("changed", "paragraph", "prose/army/3"),
            *("- Horse goes round it.", "- Horse rides round it."),
        ),
    ),
    "paragraph added": (
        (("prose/02-turn.md", "\n{table", "\nThen they rest.\n\n{table"),),
        ("added", "paragraph", "prose/turn/2", "", "Then they rest."),
    ),
    "paragraph removed": (
        (("prose/01-army.md", "- Horse goes round it.\n", ""),),
        ("removed", "paragraph", "prose/army/3", "- Horse goes round it.", ""),
    ),
    "paragraph moved to another chapter": (
        (
            ("prose/01-army.md", "- Horse goes round it.\n", ""),
            ("prose/02-turn.md", "\n{table", "\n- Horse goes round it.\n\n{table"),
        ),
        (
            *("moved", "paragraph", "prose/turn/2"),
            *("from Chapter: The army, paragraph 3", "- Horse goes round it."),
        ),
    ),
    # Doubtful places
    "erratum": (
        ((E, "certainty: open", "certainty: likely"),),
        ("changed", "erratum", "errata/guns-far-range/certainty", "open", "likely"),
    ),
    "erratum renamed": (
        ((E, "- id: guns-far-range", "- id: far-guns"),),
        ("renamed", "erratum", "errata/far-guns", "guns-far-range", "far-guns"),
    ),
    # Army lists
    "level's title": (
        ((C, "{id: unit, title: Unit,", "{id: unit, title: Body,"),),
        ("changed", "level", "levels/unit/title", "Unit", "Body"),
    ),
    "type of unit renamed": (
        (
            (C, "- id: guns\n", "- id: cannon\n"),
            (B, "type: guns}", "type: cannon}"),
        ),
        ("renamed", "unit-type", "entries/cannon", "guns", "cannon"),
    ),
    "option renamed": (
        (
            (C, "- id: veteran\n", "- id: hardened\n"),
            (C, "options: [veteran]", "options: [hardened]"),
            (B, "options: [veteran]", "options: [hardened]"),
        ),
        ("renamed", "option", "options/hardened", "veteran", "hardened"),
    ),
    "attribute": (
        ((C, "attributes: {arm: horse}", "attributes: {arm: mounted}"),),
        ("changed", "unit-type", "entries/horse/attributes/arm", "horse", "mounted"),
    ),
    "limit raised": (
        ((C, "    max: 1\n", "    max: 2\n"),),
        ("changed", "constraint", "constraints/one-general/max", "1", "2"),
    ),
    "limit taken away": (
        ((C, "    max: 1\n", ""),),
        ("removed", "constraint", "constraints/one-general/max", "1", ""),
    ),
    "share": (
        ((C, "min: 1/2", "min: 1/3"),),
        ("changed", "constraint", "constraints/enough-foot/min", "1/2", "1/3"),
    ),
    "constraint stated at last": (
        ((C, "    stated: false\n", ""),),
        ("removed", "constraint", "constraints/enough-foot/stated", "false", ""),
    ),
    "allowed sizes": (
        ((C, "allowed: [{table: unit-sizes, row: {field: arm}}]", "allowed: [4-6]"),),
        (
            *("changed", "constraint", "constraints/size/allowed"),
            *("table unit-sizes, row (field arm)", "4-6"),
        ),
    ),
    "constraint renamed": (
        ((C, "- id: enough-foot", "- id: half-foot"),),
        ("renamed", "constraint", "constraints/half-foot", "enough-foot", "half-foot"),
    ),
    "constraint's chapter": (
        (
            (
                C,
                "rule: {chapter: army}\n    stated",
                "rule: {chapter: turn}\n    stated",
            ),
        ),
        ("changed", "constraint", "constraints/enough-foot/rule/chapter", "army", "turn"),
    ),
    "term of a price": (
        ((C, "row: horse}, times: stands", "row: horse}, times: stands, less: 1"),),
        ("added", "cost", "entries/horse/price/0/less", "", "1"),
    ),
    "price's label": (
        ((C, "label: Veterans}", "label: Old hands}"),),
        ("changed", "cost", "options/veteran/price/0/label", "Veterans", "Old hands"),
    ),
    # Army books
    "book's title": (
        ((B, "title: The First Nation", "title: A Nation"),),
        ("changed", "book", "books/first-book/title", "The First Nation", "A Nation"),
    ),
    "unit added": (
        ((B, "units:\n", "units:\n  - {id: militia, title: Militia, type: foot}\n"),),
        ("added", "unit", "books/first-book/units/militia", "", "type foot"),
    ),
    "unit removed": (
        ((B, "  - {id: dragoons, title: Dragoons,       type: horse}\n", ""),),
        ("removed", "unit", "books/first-book/units/dragoons", "type horse", ""),
    ),
    "unit renamed": (
        ((B, "{id: dragoons, ", "{id: riders, "),),
        ("renamed", "unit", "books/first-book/units/riders", "dragoons", "riders"),
    ),
    "unit's options": (
        ((B, "options: [veteran]", "options: []"),),
        ("removed", "unit", "books/first-book/units/guards/options", "veteran", ""),
    ),
}


@pytest.mark.parametrize("name", ONE_CHANGE)
def test_one_edit_is_one_change(name: str, editions: Editions) -> None:
    edits, expected = ONE_CHANGE[name]

    comparison = editions.edit(*edits).compare()

    assert [summary(change) for change in comparison.changes] == [expected]


def test_renamed_table_is_one_change_though_others_refer_to_it(editions: Editions) -> None:
    (editions.new / "tables" / "unit-sizes.yaml").rename(editions.new / "tables" / "sizes.yaml")
    editions.edit(
        ("tables/sizes.yaml", "id: unit-sizes", "id: sizes"),
        (C, "table: unit-sizes", "table: sizes"),
    )
    prose = editions.new / "prose" / "01-army.md"
    text = prose.read_text(encoding="utf-8")
    prose.write_text(text.replace("unit-sizes", "sizes"), encoding="utf-8")

    comparison = editions.compare()

    assert [summary(change) for change in comparison.changes] == [
        ("renamed", "table", "sizes", "unit-sizes", "sizes")
    ]


def test_renamed_row_is_one_change_though_a_price_refers_to_it(editions: Editions) -> None:
    editions.edit(
        ("tables/points.yaml", "{id: guns, ", "{id: cannon, "),
        (C, "{table: points, row: guns}", "{table: points, row: cannon}"),
    )

    comparison = editions.compare()

    assert [summary(change) for change in comparison.changes] == [
        ("renamed", "row", "points/cannon", "guns", "cannon")
    ]


def test_renamed_chapter_is_one_change_though_others_refer_to_it(editions: Editions) -> None:
    for path in [*editions.new.rglob("*.yaml")]:
        text = path.read_text(encoding="utf-8")
        for before, after in (("chapter: turn", "chapter: round"), ("id: turn, ", "id: round, ")):
            text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")
    (editions.new / "prose" / "02-turn.md").rename(editions.new / "prose" / "02-round.md")

    comparison = editions.compare()

    assert [summary(change) for change in comparison.changes] == [
        ("renamed", "chapter", "chapters/round", "turn", "round")
    ]


def test_part_that_is_renamed_and_changed_is_both(editions: Editions) -> None:
    editions.edit((C, "- id: one-general", "- id: generals"), (C, "    max: 1\n", "    max: 2\n"))

    comparison = editions.compare()

    assert [summary(change) for change in comparison.changes] == [
        ("renamed", "constraint", "constraints/generals", "one-general", "generals"),
        ("changed", "constraint", "constraints/generals/max", "1", "2"),
    ]


def test_another_condition_of_the_same_number_is_not_the_old_one_renamed(
    editions: Editions,
) -> None:
    editions.edit(
        (
            "tables/shooting-modifiers.yaml",
            "{id: close,   label: Close range,     value: +2}",
            "{id: enfilade, label: Into a flank, value: +2}",
        )
    )

    comparison = editions.compare()

    assert [change.kind for change in comparison.changes] == ["removed", "added"]


def test_added_table_is_one_change(editions: Editions) -> None:
    text = (editions.new / "tables" / "movement.yaml").read_text(encoding="utf-8")
    for before, after in (("movement", "roads"), ("Movement", "Roads"), ("15cm", "35cm")):
        text = text.replace(before, after)
    (editions.new / "tables" / "roads.yaml").write_text(text, encoding="utf-8")

    comparison = editions.compare()

    assert [summary(change) for change in comparison.changes] == [
        ("added", "table", "roads", "", "3 rows, 2 columns")
    ]


def test_renamed_group_of_many_rows_is_one_change(editions: Editions) -> None:
    path = "tables/movement.yaml"
    for folder in (editions.old, editions.new):
        text = (folder / path).read_text(encoding="utf-8")
        group = "All" if folder == editions.old else "Everybody"
        (folder / path).write_text(text.replace(", cells", f", group: {group}, cells"), "utf-8")
        text = (
            (folder / path).read_text(encoding="utf-8").replace("  cells", f"group: {group}, cells")
        )
        (folder / path).write_text(text, encoding="utf-8")

    comparison = editions.compare()

    assert [summary(change) for change in comparison.changes] == [
        ("changed", "row", "movement/foot/group", "All", "Everybody")
    ]


def test_difference_of_two_numbers_of_one_unit_is_given(editions: Editions) -> None:
    editions.edit((MOVE, "[15cm, 10cm]", "[7.5cm, 10cm]"), (C, "min: 1/2", "min: 1/3"))

    comparison = editions.compare()

    assert [change.as_json()["by"] for change in comparison.changes] == [
        -7.5,
        pytest.approx(-1 / 6),
    ]


def test_lengths_of_two_units_have_no_difference(editions: Editions) -> None:
    editions.edit((MOVE, "[15cm, 10cm]", '[6", 10cm]'))

    (change,) = editions.compare().changes

    assert change.by is None


def test_cell_that_is_a_price_names_what_it_is_the_price_of(editions: Editions) -> None:
    editions.edit(("tables/points.yaml", "[5 per stand]", "[6 per stand]"))

    (change,) = editions.compare().changes

    assert change.prices == ("Horse",)
    assert change.by == 1


def test_words_that_differ_are_marked(editions: Editions) -> None:
    editions.edit(("prose/02-turn.md", "nobody waits", "no side ever waits"))

    (change,) = editions.compare().changes

    assert change.words == (
        ("=", "Both sides play at once, and"),
        ("-", "nobody"),
        ("+", "no side ever"),
        ("=", "waits for the other side to end a step."),
    )


def test_wrapping_of_prose_is_no_change(editions: Editions) -> None:
    editions.edit(("prose/02-turn.md", "at once, and nobody", "at once,\nand nobody"))

    assert editions.compare().changes == ()


def test_value_written_in_another_way_is_no_change(editions: Editions) -> None:
    editions.edit((MOVE, "[15cm, 10cm]", "[15.0cm, 10cm]"), (RANGES, "20cm,  2d6", "20cm, 2D6"))

    assert editions.compare().changes == ()


def test_default_that_is_written_out_is_no_change(editions: Editions) -> None:
    editions.edit((C, "    max: 1\n", "    max: 1\n    stated: true\n"))

    assert editions.compare().changes == ()


def test_changes_can_be_compared_the_other_way_round(editions: Editions) -> None:
    editions.edit((MOVE, f"  - {FOOT_MOVES}\n", ""), (C, "    max: 1\n", "    max: 2\n"))
    old, new = editions.data()

    back = compare_editions(new, old)

    assert [summary(change)[:3] for change in back.changes] == [
        ("added", "row", "movement/foot"),
        ("changed", "constraint", "constraints/one-general/max"),
    ]


def test_part_that_an_edition_lacks_is_named_and_not_compared(
    editions: Editions,
) -> None:
    old, new = editions.edit((C, "    max: 1\n", "    max: 2\n")).data()
    bare = {key: old[key] for key in ("system", "tables")}

    comparison = compare_editions(bare, new)

    assert comparison.changes == ()
    assert comparison.missing == (
        *("identity", "details", "prose", "errata", "composition", "books"),
    )


def test_added_composition_is_one_change(editions: Editions) -> None:
    old, new = editions.data()
    old["composition"] = None

    (change,) = compare_editions(old, new).changes

    assert summary(change) == ("added", "composition", "composition", "", "")


def test_texts_of_few_words_are_not_compared_word_by_word() -> None:
    chance = random.Random(1)  # noqa: S311 - no secret
    old, new = ([" ".join(chance.choices("ab", k=3000)) for _ in range(16)] for _ in range(2))
    begin = time.process_time()

    changes = list(compare_texts(DiffContext("A", "chapter", ()), old, new))

    assert changes
    assert all(not change.words for change in changes)
    assert time.process_time() - begin < 3


def test_prose_is_compared_word_by_word() -> None:
    old = "The unit of the left moves the length of the road before the foot of the enemy. " * 8
    new = old.replace("left", "right", 1)

    assert [run for run in diff_words(old, new) if run[0] != "="] == [("-", "left"), ("+", "right")]
