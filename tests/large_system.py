"""A large rule system to measure and test with: as large as a real game, and made up at random.

It has the shape of published fantasy mass-battle games: many army books whose units have a price,
no size, and a least and a greatest number for each thousand points; characters; one of each magic
item in an army; and rules that are about a single book. All prices are multiples of five. The same
seed gives the same system.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.scaffold import lay_out

SYSTEM = "large"
_TROOPS = {
    "infantry": ("spearmen", "bowmen", "guards", "axemen", "pikemen", "rabble", "reavers"),
    "cavalry": ("lancers", "outriders", "wolf-riders", "horse-bows", "knights"),
    "chariots": ("war-wagons", "scythed-chariots", "sledges"),
    "monsters": ("giant", "wyrm", "trolls", "great-eagles", "mammoth"),
    "machines": ("bolt-thrower", "catapult", "cannon", "fire-barge"),
}
"""The troops that books choose from, by arm; the common ones stand in many books."""

_PRICES = {
    "infantry": (25, 90),
    "cavalry": (60, 130),
    "chariots": (80, 140),
    "monsters": (65, 250),
    "machines": (50, 120),
}
_SHARED_ITEMS = {"banner": 8, "weapon": 11, "device": 11}
_COMPULSORY = 2
_SPECIAL_RULES = 4
"""How many rules of a book bind two of its units to each other."""


@dataclass(frozen=True)
class LargeBook:
    """A book as it was made: its id, and the price of each unit; the first is the general."""

    id: str
    characters: dict[str, int]
    troops: dict[str, int]
    options: tuple[str, ...]
    numbers: dict[str, tuple[int, int]]
    """The least and the greatest number of a unit for each thousand points."""


@dataclass
class _Texts:
    """The files of the system while they are made."""

    options: list[str] = field(default_factory=list)
    prices: list[str] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)

    def option(self, name: str, title: str, points: int) -> None:
        price = f"[{{each: {{table: points, row: {name}}}}}]"
        self.options.append(f"  - {{id: {name}, title: {title}, price: {price}}}")
        self.prices.append(f'  - {{id: {name}, label: {title}, cells: ["{points}"]}}')

    def rule(self, name: str, kind: str, message: str, keys: str, within: str = "army") -> None:
        self.constraints.append(
            f"  - {{id: {name}, kind: {kind}, message: {message}, rule: {{chapter: army}},\n"
            f"     within: {within}, {keys}}}"
        )


def write_large_system(folder: Path, *, books: int = 25, seed: int = 1) -> list[LargeBook]:
    """Write the system below a folder, and return its books.

    With 25 books there are about 310 units, 500 constraints and 80 options.
    """
    chance = random.Random(seed)  # noqa: S311 - a made-up game, not secrets
    content = lay_out(folder, SYSTEM)
    (folder / "armies" / SYSTEM / "first.yaml").unlink()
    for name in ("books/first-book.yaml", "cards.yaml", "tables/unit-sizes.yaml"):
        (content / name).unlink()
    (content / "prose" / "01-army.md").write_text(_PROSE, encoding="utf-8")
    texts = _Texts()
    _shared_rules(texts, chance)
    made = [_write_book(texts, content, number, chance) for number in range(1, books + 1)]
    _write(content / "composition.yaml", _COMPOSITION, options=texts.options)
    with (content / "composition.yaml").open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in ("constraints:", *texts.constraints))
    _write(content / "tables" / "points.yaml", _POINTS, rows=texts.prices)
    (content / "drafting.yaml").write_text(_DRAFTING, encoding="utf-8")
    (content / "themes").mkdir(exist_ok=True)
    (content / "themes" / "even.yaml").write_text(_THEME, encoding="utf-8")
    return made


def _write(path: Path, head: str, **lists: list[str]) -> None:
    lines = [head.rstrip("\n")]
    for key, items in lists.items():
        lines += [f"{key}:", *items]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _fives(chance: random.Random, low: int, high: int) -> int:
    return chance.randrange(low, high + 5, 5)


def _shared_rules(texts: _Texts, chance: random.Random) -> None:
    """Add the magic items of all books, and the rules on every army."""
    texts.rule(
        "one-general",
        "count",
        "An army has one general.",
        "of: {entry: [general]}, min: 1, max: 1",
    )
    texts.rule(
        "characters",
        "share",
        "Characters cost at most half of the limit.",
        "part: {level: character}, whole: limit, by: points, max: 1/2",
    )
    texts.rule(
        "same-unit",
        "count",
        "There are at most eight of a unit for each thousand points.",
        "of: {level: unit}, each: unit, max: 8, per: 1000, begun: true",
    )
    texts.rule(
        "machines",
        "share",
        "There are no more machines than other units.",
        "part: {where: {arm: [machines]}}, whole: {level: unit}, max: 1/2",
    )
    for sort, number in _SHARED_ITEMS.items():
        for n in range(1, number + 1):
            name = f"{sort}-{n}"
            texts.option(name, f"{sort.title()} {n}", _fives(chance, 5, 60))
            texts.rule(
                f"one-{name}",
                "count",
                f"There is one {name} in an army.",
                f"of: {{options: [{name}]}}, max: 1",
            )
            if sort == "banner":
                needs, whom = "where: {arm: [infantry, cavalry, chariots]}", "Regiments"
            elif n % 4 == 0:
                needs, whom = "entry: [wizard]", "Wizards"
            else:
                needs, whom = "level: character", "Characters"
            texts.rule(
                f"who-{name}",
                "only-if",
                f"{whom} alone may have the {name}.",
                f"of: {{options: [{name}]}}, needs: {{{needs}}}",
            )
    items = ", ".join(
        f"{sort}-{n + 1}" for sort, many in _SHARED_ITEMS.items() for n in range(many)
    )
    for level in ("unit", "character"):
        texts.rule(
            f"one-item-{level}",
            "count",
            f"A {level} has at most one magic item.",
            f"of: {{options: [{items}]}}, by: options, max: 1",
            level,
        )


def _write_book(texts: _Texts, content: Path, number: int, chance: random.Random) -> LargeBook:
    """Write one book, and add its options and rules."""
    book = f"host-{number:02}"
    characters = {"warlord": _fives(chance, 100, 155), "champion": _fives(chance, 60, 90)}
    if chance.random() < 0.8:
        characters["sorcerer"] = _fives(chance, 40, 90)
    arms = ["infantry", "infantry", "infantry", "cavalry", "cavalry", "monsters", "machines"]
    arms += chance.choices(list(_TROOPS), k=chance.randint(2, 3))
    troops: dict[str, int] = {}
    arm_of: dict[str, str] = {}
    for arm in arms:
        free = [unit for unit in _TROOPS[arm] if unit not in troops]
        if free:
            unit = chance.choice(free)
            troops[unit] = _fives(chance, *_PRICES[arm])
            arm_of[unit] = arm
    options = (f"mount-{number}", f"drill-{number}")
    texts.option(options[0], f"Mount {number}", _fives(chance, 10, 100))
    texts.option(options[1], f"Drill {number}", _fives(chance, 5, 20))
    numbers = dict.fromkeys(troops, (0, 2)) | {"warlord": (1, 1)}
    made = LargeBook(book, characters, troops, options, numbers)
    for rule in _rules_of(made, arm_of, chance):
        texts.rule(*rule)
    lines = [f"id: {book}", f"title: Host {number}", "units:"]
    for unit, points in characters.items():
        entry = {"warlord": "general", "champion": "hero", "sorcerer": "wizard"}[unit]
        title = unit.title()
        lines.append(
            f'  - {{id: {unit}, title: {title}, type: {entry}, stats: {{points: "{points}"}}}}'
        )
    for unit, points in troops.items():
        title = unit.replace("-", " ").capitalize()
        permitted = ""
        if arm_of[unit] in {"monsters", "machines"}:
            permitted = ", may: []"
        if arm_of[unit] == "monsters":
            permitted += ', number: {max: "2", per: "1000", begun: "true"}'
        lines.append(
            f"  - {{id: {unit}, title: {title}, type: {arm_of[unit]},"
            f' stats: {{points: "{points}"}}{permitted}}}'
        )
    (content / "books" / f"{book}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made


def random_list(book: LargeBook, chance: random.Random, *, points: int) -> str:
    """Return the text of an army of a book: near the points, and legal or not as it comes."""
    thousands = -(-points // 1000)
    prices = {**book.characters, **book.troops}
    most = {unit: high * thousands for unit, (_, high) in book.numbers.items()}
    taken = {unit: low * thousands for unit, (low, _) in book.numbers.items() if low}
    taken["warlord"] = 1
    spent = sum(prices[unit] * number for unit, number in taken.items())
    free = [unit for unit in prices if unit != "warlord"]
    while free:
        unit = chance.choice(free)
        number = chance.randint(1, 2)
        if spent + prices[unit] * number > points or taken.get(unit, 0) + number > most[unit]:
            free.remove(unit)
            continue
        taken[unit] = taken.get(unit, 0) + number
        spent += prices[unit] * number
    lines = [f"system: {SYSTEM}", f"book: {book.id}", f"limit: {points}"]
    for key, level, units in (
        ("characters", "character", book.characters),
        ("units", "unit", book.troops),
    ):
        lines.append(f"{key}:")
        for unit in units:
            number = taken.get(unit, 0)
            while number:
                some = chance.randint(1, number)
                number -= some
                item = f"{'weapon' if level == 'character' else 'banner'}-{chance.randint(1, 8)}"
                options = f", options: [{item}]" if chance.random() < 0.1 else ""
                lines.append(f"  - {{{level}: {unit}, count: {some}{options}}}")
    return "\n".join(lines) + "\n"


_Rule = tuple[str, str, str, str]


def _rules_of(made: LargeBook, arm_of: dict[str, str], chance: random.Random) -> Iterator[_Rule]:
    """Yield the rules on the armies of one book: name, kind, message, keys; add the `numbers`."""
    book, characters, troops, numbers = made.id, made.characters, made.troops, made.numbers

    def of(unit: str) -> str:
        return f"{{where: {{book: [{book}], unit: [{unit}]}}}}"

    foot = [unit for unit in troops if arm_of[unit] == "infantry"]
    compulsory = foot[:_COMPULSORY]
    for unit in (*characters, *troops):
        if unit == "warlord" or (unit in arm_of and arm_of[unit] == "monsters"):
            continue
        per = ", per: 1000, begun: true"
        low, high = 0, chance.randint(1, 3)
        if unit in compulsory:
            low = chance.randint(1, 3)
            high = low + chance.randint(2, 5)
            keys = (
                f"min: {low}, max: {high}{per}, when: {{of: {{where: {{book: [{book}]}}}}, min: 1}}"
            )
        else:
            per = per if unit in characters or chance.random() < 0.7 else ""
            keys = f"max: {high}{per}"
        numbers[unit] = (low, high)
        message = f"The number of {unit} is limited."
        yield f"{book}-{unit}", "count", message, f"of: {of(unit)}, {keys}"
    mount, drill = made.options
    yield (
        f"{book}-mount",
        "only-if",
        "Only characters of this book ride it.",
        f"of: {{options: [{mount}]}}, needs: {{level: character, where: {{book: [{book}]}}}}",
    )
    yield f"{book}-mounts", "count", "There is one mount.", f"of: {{options: [{mount}]}}, max: 1"
    names = ", ".join(chance.sample(foot, 2))
    yield (
        f"{book}-drill",
        "only-if",
        "Only some units drill.",
        f"of: {{options: [{drill}]}}, needs: {{where: {{book: [{book}], unit: [{names}]}}}}",
    )
    others = [unit for unit in troops if unit not in compulsory]
    pairs = [(one, other) for one in others for other in troops if one != other]
    bound: set[str] = set()
    for turn, (one, other) in enumerate(chance.sample(pairs, _SPECIAL_RULES)):
        name = f"{book}-special-{turn}"
        if turn == 0:
            needed = next(unit for unit in others if unit != one)
            bound = {one, needed}
            yield (
                name,
                "requires",
                f"{one} need {needed}.",
                f"of: {of(one)}, needs: {of(needed)}",
            )
        elif turn == 1:
            free = [unit for unit in others if unit not in {one, *bound}]
            barred = chance.choice(free)
            yield (
                name,
                "excludes",
                f"Not both {one} and {barred}.",
                f"of: {of(one)}, bars: {of(barred)}",
            )
        elif turn == 2:
            yield (
                name,
                "share",
                f"There are no more {one} than {other}.",
                f"part: {of(one)}, whole: {of(other)}, max: 100%",
            )
        else:
            yield (
                name,
                "count",
                f"There is one unit of {one} unless the army has three of {other}.",
                f"of: {of(one)}, max: 1, unless: {{of: {of(other)}, min: 3}}",
            )


_COMPOSITION = """\
pricing: {chapter: army}
levels:
  - {id: army, title: Army}
  - {id: character, title: Character, key: characters, under: [army]}
  - {id: unit, title: Unit, key: units, under: [army]}
profile:
  points: {form: points, title: Points}
entries:
  - {id: general, title: General, level: character, attributes: {arm: staff},
     price: [{each: {field: points}}]}
  - {id: hero, title: Hero, level: character, attributes: {arm: staff},
     price: [{each: {field: points}}]}
  - {id: wizard, title: Wizard, level: character, attributes: {arm: staff},
     price: [{each: {field: points}}]}
  - {id: infantry, title: Infantry, level: unit, attributes: {arm: infantry},
     price: [{each: {field: points}}]}
  - {id: cavalry, title: Cavalry, level: unit, attributes: {arm: cavalry},
     price: [{each: {field: points}}]}
  - {id: chariots, title: Chariots, level: unit, attributes: {arm: chariots},
     price: [{each: {field: points}}]}
  - {id: monsters, title: Monsters, level: unit, attributes: {arm: monsters},
     price: [{each: {field: points}}]}
  - {id: machines, title: Machines, level: unit, attributes: {arm: machines},
     price: [{each: {field: points}}]}
"""

_POINTS = """\
id: points
title: Points
kind: grid
chapter: army
form: cost
columns: [{id: points, label: Points}]
"""

_PROSE = """\
Everything in this game is made up, to measure how long it takes.

{table: points}
"""

_DRAFTING = """\
limit: 2000
theme: even
bodies:
  - {id: army, level: army, of: {where: {level: [unit, character]}}}
"""

_THEME = """\
id: even
title: Even
parts:
  - {of: {level: character}, min: 10%, max: 40%}
  - {of: {where: {arm: [infantry, cavalry]}}, min: 40%, max: 100%}
  - {of: {level: unit}, min: 0%, max: 60%}
"""
