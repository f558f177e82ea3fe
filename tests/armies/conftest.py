"""A tiny rule system for the tests of armies, whose composition each test may change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from muster.armies import Army, Verdict, army_from_document, check
from muster.systems import Library
from muster.yamlfile import document_from_text

ROOT = Path(__file__).parent.parent.parent

SYSTEM = """
id: tiny
title: Tiny
edition: "1"
unit: cm
scales: [{id: 15mm, title: 15 mm}, {id: 25mm, title: 25 mm}]
source: {title: Tiny, credit: Our own.}
phases: [{id: turn, title: Turn}]
chapters: [{id: army, title: The army}]
"""

COSTS = """
id: costs
title: Costs
kind: grid
chapter: army
source: L1
form: cost
columns: [{id: points, label: Points}]
rows:
  - {id: foot, label: Foot, cells: [3 per stand]}
  - {id: horse, label: Horse, cells: [5 per stand]}
  - {id: ditch, label: Ditch, cells: [1 per 3cm]}
  - {id: unknown, label: Unknown, cells: [blank]}
  - {id: light, label: Light, cells: ["-2"]}
"""

SIZES = """
id: sizes
title: Sizes
kind: grid
chapter: army
source: L1
form: band
columns: [{id: size, label: Size}]
rows:
  - {id: foot, label: Foot, cells: [3-6]}
  - {id: horse, label: Horse, cells: [–]}
  - {id: guns, label: Guns, cells: [blank]}
"""

COMPOSITION = """
levels:
  - {id: army, title: Army, leaders: {chief: {entry: chief}}}
  - {id: wing, title: Wing, key: wings, under: [army], leaders: {head: {entry: head}}}
  - {id: unit, title: Unit, key: units, under: [army, wing]}
profile:
  morale: {form: number, title: Morale}
  move: {form: distance, title: Move}
entries:
  - {id: chief, title: Chief, level: leader, fields: {rank: {form: whole, default: "1"}}}
  - {id: head, title: Head, level: leader}
  - id: foot
    title: Foot
    level: unit
    attributes: {arm: foot}
    size: stands
    fields: &stands
      stands: {form: whole, title: Stands, one: stand, many: stands}
      price: {form: points, title: Price}
      drill: {form: choice, of: {raw: Raw, old: Old hands}, default: raw, title: Drill}
    price: [{each: {table: costs, row: {field: type}}, times: stands}]
  - id: horse
    title: Horse
    level: unit
    attributes: {arm: horse}
    size: stands
    fields: *stands
    price: [{each: {table: costs, row: {field: type}}, times: stands}]
  - id: guns
    title: Guns
    level: unit
    attributes: {arm: guns}
    size: stands
    fields: *stands
    price: [{each: {field: price}, times: stands, label: Guns}]
options:
  - {id: shields, title: Shields, attributes: {armour: shields}}
  - {id: pikes, title: Pikes, attributes: {weapon: pikes}}
constraints:
"""

BOOK = """
id: north
title: The North
nation: Northern
attributes: {temper: cold}
units:
  - id: axemen
    title: Axemen
    type: foot
    options: [shields]
    stats: {morale: "7", move: blank}
    fields: {stands: "4", drill: old}
    attributes: {hair: long}
"""

PRICED_OPTIONS = COMPOSITION.replace(
    "attributes: {armour: shields}}",
    "attributes: {armour: shields}, price: [{each: {table: costs, row: horse}, times: stands}]}",
).replace(
    "attributes: {weapon: pikes}}",
    """attributes: {weapon: pikes},
     price: [
       {each: {table: costs, row: light}, where: {arm: [foot, guns]}}, {each: {field: price}}]}
  - {id: drums, title: Drums, price: [{each: {table: costs, row: light}}]}""",
)
"""The composition with prices of options, one of which makes a unit cheaper."""
GRANTING = (
    COMPOSITION.replace("attributes: {arm: foot}", "attributes: {arm: foot, slot: core}")
    .replace("attributes: {arm: horse}", "attributes: {arm: horse, slot: special}")
    .replace("attributes: {arm: guns}", "attributes: {arm: guns, slot: special}")
    .replace("attributes: {weapon: pikes}", "attributes: {weapon: pikes, slot: pike}")
    .replace(
        "price: [{each: {field: price}, times: stands, label: Guns}]",
        "price: [{each: {field: price}, times: stands, label: Guns, where: {slot: [core]}}]",
    )
    .replace(
        "constraints:\n",
        """grants:
  - of: {entry: [horse]}
    set: {slot: core}
    within: army
    when: {of: {entry: [chief], where: {rank: ["2"]}}, min: 1}
  - {of: {entry: [guns]}, set: {slot: core}, within: army, when: {limit: 30+}}
  - of: {where: {arm: [horse]}}
    set: {slot: mass}
    within: wing
    when: [{of: {entry: [horse]}, min: 3}]
constraints:
  - id: mostly-core
    kind: share
    message: Two thirds of the units are core.
    rule: {chapter: army}
    part: {where: {slot: [core]}}
    whole: {level: unit}
    within: army
    min: 2/3
""",
    )
)
"""The composition with attributes that the state of the army gives, and what looks at them."""

ARMED = COMPOSITION.replace(
    "      price: {form: points, title: Price}\n",
    """      price: {form: points, title: Price}
      flamers: {form: whole, title: Flamers, one: flamer, many: flamers, default: "0"}
      mortars: {form: whole, title: Mortars, one: mortar, many: mortars, default: "0"}
""",
)
"""The composition with weapons that stands may carry: the contents of a unit."""

LIMITED_BOOK = (
    BOOK.replace("attributes: {hair: long}", "number: {max: 2}\n    may: [pikes]")
    + """\
  - {id: riders, title: Riders, type: horse, number: {min: 1, max: 1, per: 20}, source: L7}
  - {id: slingers, title: Slingers, type: foot, number: {max: 1, per: 20, begun: true}, may: []}
"""
)
"""The book with numbers of its units and the options that they may take."""

Judge = Callable[[str, str], Verdict]
Read = Callable[..., Army]


@pytest.fixture(scope="session")
def library() -> Library:
    """Return the library of what is shipped."""
    return Library(ROOT)


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Write the tiny system, without constraints, and return its folder."""
    folder = tmp_path / "content" / "tiny"
    for name in ("tables", "books"):
        (folder / name).mkdir(parents=True)
    (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
    (folder / "tables" / "costs.yaml").write_text(COSTS, encoding="utf-8")
    (folder / "tables" / "sizes.yaml").write_text(SIZES, encoding="utf-8")
    (folder / "books" / "north.yaml").write_text(BOOK, encoding="utf-8")
    (folder / "composition.yaml").write_text(COMPOSITION + "  []\n", encoding="utf-8")
    return folder


@pytest.fixture
def read(system: Path, tmp_path: Path) -> Read:
    """Return a function that reads an army of the tiny system."""

    def read_one(army: str) -> Army:
        text = f"system: {system.name}\n{dedent(army).strip()}\n"
        return army_from_document(document_from_text(text, "army.yaml"), Library(tmp_path))

    return read_one


@pytest.fixture
def judge(system: Path, read: Read) -> Judge:
    """Return a function that checks an army against one constraint."""

    def judge_one(constraint: str, army: str) -> Verdict:
        rule = "id: tried\nmessage: Tried.\nrule: {chapter: army, source: L1}\n"
        body = indent(rule + dedent(constraint).strip(), "    ").replace("    ", "  - ", 1)
        text = f"{COMPOSITION}{body}\n"
        (system / "composition.yaml").write_text(text, encoding="utf-8")
        return check(read(army))

    return judge_one
