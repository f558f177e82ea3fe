"""Test that the repair of a broken list is the one that a player would choose.

Each case has its reason. What was never meant comes first: a size out of range goes to the nearest
end of its range, and what a unit is stays as it is while a number will do.
"""

from __future__ import annotations

from textwrap import indent

import pytest

from muster.armies import army_from_document, check
from muster.solver.repairs import RepairedArmy, repair_army
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import SYSTEM

COMPOSITION = """
levels:
  - {id: army, title: Army, leaders: {marshal: {entry: marshal}}}
  - {id: division, title: Division, key: divisions, under: [army], leaders: {general: {entry: general}}}
  - {id: unit, title: Unit, key: units, under: [division]}
entries:
  - id: marshal
    title: Marshal
    level: leader
    fields: &skill
      skill: {form: choice, of: {poor: Poor, plain: Plain, good: Good}, default: plain, title: Skill}
    price: [{each: {table: prices, row: {field: skill}}, label: Skill}]
  - id: general
    title: General
    level: leader
    fields: *skill
    price: [{each: {table: prices, row: {field: skill}}, label: Skill}]
  - id: foot
    title: Foot
    one: unit of foot
    many: units of foot
    level: unit
    size: figures
    fields: &figures
      figures: {form: whole, title: Figures, one: figure, many: figures}
      drill: {form: choice, of: {raw: Raw, trained: Trained}, default: trained, title: Drill}
      heavy-weapons: {form: whole, default: "0", title: Heavy weapons}
    price: [{each: {table: prices, row: {field: drill}}, times: figures, label: Foot}]
  - id: horse
    title: Horse
    level: unit
    size: figures
    fields: *figures
    price: [{each: {table: prices, row: horse}, times: figures, label: Horse}]
  - id: guns
    title: Battery
    level: unit
    size: crew
    fields:
      crew: {form: whole, title: Crew, one: gunner, many: gunners}
      guns: {form: whole, title: Guns, required: true}
      gun: {form: choice, of: {light: Light gun, heavy: Heavy gun, howitzer: Howitzer}, required: true, title: Gun}
    price: [{each: {table: prices, row: {field: gun}}, times: guns, label: Guns}]
options:
  - {id: veterans, title: Veterans, price: [{each: {table: prices, row: veterans}, times: figures}]}
  - {id: pikes, title: Pikes}
constraints:
"""  # noqa: E501 - one entry a line

PRICES = """
id: prices
title: Prices
kind: grid
chapter: army
form: cost
columns: [{id: points, label: Points}]
rows:
  - {id: poor, label: Poor, cells: ["10"]}
  - {id: plain, label: Plain, cells: ["20"]}
  - {id: good, label: Good, cells: ["50"]}
  - {id: raw, label: Raw, cells: [2 per figure]}
  - {id: trained, label: Trained, cells: [3 per figure]}
  - {id: horse, label: Horse, cells: [6 per figure]}
  - {id: light, label: Light gun, cells: [10 per gun]}
  - {id: heavy, label: Heavy gun, cells: [16 per gun]}
  - {id: howitzer, label: Howitzer, cells: [12 per gun]}
  - {id: veterans, label: Veterans, cells: [+1 per figure]}
"""

RULES = (
    "id: marshal, kind: count, of: {entry: [marshal]}, within: army, min: 1, max: 1",
    "id: general, kind: count, of: {entry: [general]}, within: division, min: 1, max: 1",
    "id: division-units, kind: count, of: {level: unit}, within: division, min: 1, max: 4",
    (
        "id: foot-size, kind: count, of: {entry: [foot]}, sum: figures, within: unit, "
        'allowed: [6-12, "18"]'
    ),
    "id: horse-size, kind: count, of: {entry: [horse]}, sum: figures, within: unit, allowed: [4-8]",
    "id: crew, kind: count, of: {entry: [guns]}, sum: crew, within: unit, allowed: [2-6]",
    "id: guns, kind: count, of: {entry: [guns]}, sum: guns, within: unit, allowed: [1-3]",
    "id: weapons, kind: count, of: {level: unit}, sum: heavy-weapons, within: unit, max: 2",
    "id: batteries, kind: count, of: {entry: [guns]}, within: army, max: 2",
    "id: gun-total, kind: count, of: {level: unit}, sum: guns, within: army, max: 5",
    "id: good, kind: count, of: {level: leader, where: {skill: [good]}}, within: army, max: 1",
    (
        "id: raw-veterans, kind: excludes, of: {where: {drill: [raw]}}, "
        "bars: {options: [veterans]}, within: unit"
    ),
    "id: foot-pikes, kind: only-if, of: {options: [pikes]}, needs: {entry: [foot]}, within: unit",
)  # fmt: skip

FOOT, HORSE = "unit: foot, figures: 8", "unit: horse, figures: 5"
GUNS = "unit: guns, crew: 4, guns: 2, gun: light"


@pytest.fixture(scope="module")
def parade(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Return a library with a small system of divisions, points and ranges of sizes."""
    root = tmp_path_factory.mktemp("parade")
    folder = root / "content" / "tiny"
    (folder / "tables").mkdir(parents=True)
    (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
    (folder / "tables" / "prices.yaml").write_text(PRICES, encoding="utf-8")
    rules = "\n".join(f"{{{rule}, message: Tried., rule: {{chapter: army}}}}" for rule in RULES)
    text = f"{COMPOSITION}{indent(rules, '  - ')}\n"
    (folder / "composition.yaml").write_text(text, encoding="utf-8")
    return Library(root)


def division(*units: str, name: str = "", general: str | None = "{}") -> str:
    """Return a division in one line."""
    parts = [f"name: {name}"] if name else []
    parts += [f"general: {general}"] if general is not None else []
    listed = ", ".join(f"{{{unit}}}" for unit in units)
    return f"{{{', '.join([*parts, f'units: [{listed}]'])}}}"


def army(*divisions: str, marshal: str = "{}", limit: int | None = None) -> str:
    """Return the text of an army."""
    head = f"system: tiny\nmarshal: {marshal}\n" + (f"limit: {limit}\n" if limit else "")
    return f"{head}divisions: [{', '.join(divisions)}]\n"


def words_of(text: str, source: Library) -> list[str]:
    loaded = army_from_document(document_from_text(text, "army.yaml"), source)
    assert not check(loaded).legal
    repair = repair_army(loaded, source)
    assert isinstance(repair, RepairedArmy)
    assert check(repair.army).legal
    return [change.words for change in repair.changes]


# Sizes go to the nearest end of their range, in the same unit and the same type.
SIZES = {
    "too large": (
        army(division("unit: horse, figures: 11")),
        ["reduce Horse from 11 to 8 figures"],
    ),
    "too small": (army(division("unit: foot, figures: 3")), ["raise Foot from 3 to 6 figures"]),
    "far too small": (
        army(division("unit: horse, figures: 1")),
        ["raise Horse from 1 to 4 figures"],
    ),
    "too small beside another": (
        army(division("unit: foot, figures: 3", FOOT)),
        ["raise the first Foot of the Division from 3 to 6 figures"],
    ),
    "between, nearer the lower": (
        army(division("unit: foot, figures: 14")),
        ["reduce Foot from 14 to 12 figures"],
    ),
    "between, nearer the upper": (
        army(division("unit: foot, figures: 17")),
        ["raise Foot from 17 to 18 figures"],
    ),
    "beyond the last": (
        army(division("unit: foot, figures: 25")),
        ["reduce Foot from 25 to 18 figures"],
    ),
    "three alike": (
        army(division("unit: foot, figures: 13, count: 3")),
        ["reduce each of the 3 units of foot from 13 to 12 figures"],
    ),
    "one gun too many": (
        army(division("unit: guns, crew: 4, guns: 4, gun: light")),
        ["reduce the guns of Battery from 4 to 3"],
    ),
    "no gun": (
        army(division("unit: guns, crew: 4, guns: 0, gun: heavy")),
        ["raise the guns of Battery from 0 to 1"],
    ),
    "one gunner too many": (
        army(division("unit: guns, crew: 7, guns: 1, gun: light")),
        ["reduce Battery from 7 to 6 gunners"],
    ),
    "one weapon too many": (
        army(division(f"{FOOT}, heavy-weapons: 3")),
        ["reduce the heavy weapons of Foot from 3 to 2"],
    ),
    "two sizes": (
        army(division("unit: foot, figures: 30", "unit: horse, figures: 2")),
        ["reduce Foot from 30 to 18 figures", "raise Horse from 2 to 4 figures"],
    ),
    "guns of all batteries": (
        army(division("unit: guns, crew: 4, guns: 3, gun: light, name: A", f"{GUNS}, name: B"),
             division("unit: foot, figures: 5")),
        ["raise Foot from 5 to 6 figures"],
    ),
    "six guns of five": (
        army(division(*["unit: guns, crew: 4, guns: 3, gun: heavy, name: A",
                        "unit: guns, crew: 4, guns: 3, gun: light, name: B"])),
        ["reduce the guns of Battery “B” from 3 to 2"],
    ),
}  # fmt: skip

# A limit is met by the least loss: the total nearest under it, and nothing becomes something else.
LIMITS = {
    "a worse marshal would lose more": (
        army(division(FOOT, HORSE), marshal="{skill: good}", limit=119),
        ["reduce Horse from 5 to 4 figures"],
    ),
    "three points over": (
        army(division(FOOT, HORSE), limit=91),
        ["reduce Foot from 8 to 7 figures"],
    ),
    "six points over": (
        army(division("unit: foot, figures: 6", HORSE), limit=82),
        ["reduce Horse from 5 to 4 figures"],
    ),
    "veterans stay": (
        army(division("unit: foot, figures: 8, options: [veterans]"), limit=70),
        ["reduce Foot from 8 to 7 figures"],
    ),
    "drill stays": (army(division(FOOT), limit=63), ["reduce Foot from 8 to 7 figures"]),
    "gun stays": (
        army(division("unit: guns, crew: 4, guns: 3, gun: heavy", FOOT), limit=111),
        ["reduce Foot from 8 to 7 figures"],
    ),
    "whole count": (
        army(division(f"{FOOT}, count: 2"), limit=80),
        ["reduce each of the 2 units of foot from 8 to 6 figures"],
    ),
    "size before skill": (
        army(division(FOOT, FOOT, general="{skill: good}"), limit=115),
        ["reduce the second Foot of the Division from 8 to 7 figures"],
    ),
}

# Several findings are put right together, each by its own smallest change.
TOGETHER = {
    "sizes and a general": (
        army(
            division("unit: foot, figures: 13", name="Left"),
            division("unit: horse, figures: 9", name="Right", general=None),
        ),
        [
            "reduce Foot from 13 to 12 figures",
            "reduce Horse from 9 to 8 figures",
            "add a General to Division “Right”",
        ],
    ),
    "five of four and no marshal": (
        army(division(*[FOOT] * 5, name="Left"), division(HORSE, name="Right")).replace(
            "marshal: {}\n", ""
        ),
        ["move the fifth Foot of Division “Left” to Division “Right”", "add a Marshal"],
    ),
    "guns of one battery and of all": (
        army(division(f"{GUNS}, name: A", "unit: guns, crew: 4, guns: 4, gun: heavy, name: B")),
        ["reduce the guns of Battery “B” from 4 to 3"],
    ),
    "option and limit": (
        army(division(f"{HORSE}, options: [pikes]", FOOT), limit=90),
        ["reduce Horse from 5 to 4 figures and leave out “Pikes” for it"],
    ),
    "weapons of each of two": (
        army(division(f"{FOOT}, heavy-weapons: 5, count: 2")),
        ["reduce the heavy weapons of each of the 2 units of foot from 5 to 2"],
    ),
    "small and far below the limit": (
        army(division("unit: foot, figures: 3", HORSE), limit=100),
        ["raise Foot from 3 to 6 figures"],
    ),
    "a worse general rather than no foot": (
        army(
            division("unit: foot, figures: 6", "unit: horse, figures: 4", general="{skill: good}"),
            limit=100,
        ),
        ["change the skill of the General of the Division from good to plain"],
    ),
    "general without units": (
        army(division(FOOT), "{general: {}}"),
        ["remove the second Division with its General"],
    ),
}

# Commands keep their units, and get the leaders that they lack.
COMMANDS = {
    "no marshal": (
        "system: tiny\ndivisions: [{general: {}, units: [{unit: foot, figures: 8}]}]\n",
        ["add a Marshal"],
    ),
    "three without generals": (
        army(*[division(FOOT, general=None)] * 3),
        [f"add a General to the {each} Division" for each in ("first", "second", "third")],
    ),
    "one without a general": (
        army(division(FOOT, name="Left"), division(HORSE, name="Right", general=None)),
        ["add a General to Division “Right”"],
    ),
    "nobody in it": (
        army(division(FOOT), "{name: Right, general: {}}"),
        ["remove Division “Right” with its General"],
    ),
    "five of four, and one": (
        army(division(*[FOOT] * 5, name="Left"), division(HORSE, name="Right")),
        ["move the fifth Foot of Division “Left” to Division “Right”"],
    ),
    "five of four as a count": (
        army(division(f"{FOOT}, count: 5")),
        ["keep 4 of the 5 units of foot"],
    ),
    "three batteries of two": (
        army(division(f"{GUNS}, name: A", "unit: guns, crew: 2, guns: 1, gun: light, name: B"),
             division("unit: guns, crew: 4, guns: 2, gun: heavy, name: C")),
        ["remove Battery “B” (2 gunners)"],
    ),
    "three batteries of two as a count": (
        army(division("unit: guns, crew: 2, guns: 1, gun: light, count: 3")),
        ["keep 2 of the 3 Batteries"],
    ),
}  # fmt: skip

OPTIONS = {
    "option of another type": (
        army(division(f"{HORSE}, options: [pikes]")),
        ["leave out “Pikes” for Horse"],
    ),
    "option against the drill": (
        army(division(f"{FOOT}, drill: raw, options: [veterans]")),
        ["leave out “Veterans” for Foot"],
    ),
    "option and size": (
        army(division("unit: horse, figures: 10, options: [pikes]")),
        ["reduce Horse from 10 to 8 figures and leave out “Pikes” for it"],
    ),
}
CASES = {**SIZES, **LIMITS, **TOGETHER, **COMMANDS, **OPTIONS}


@pytest.mark.parametrize("case", CASES)
def test_repair_is_what_a_player_would_choose(case: str, parade: Library) -> None:
    text, words = CASES[case]

    assert words_of(text, parade) == words
