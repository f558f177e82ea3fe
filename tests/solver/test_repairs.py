"""Test repairs: the change is the smallest there is, and the rest of the file stays as it is.

The smallest change is found by trying all changes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.armies import Army, army_from_document, check, load_army, load_composition
from muster.solver.cpsat import Conflict
from muster.solver.domains import domain_around, full_domain, relevant_names
from muster.solver.repairs import RepairedArmy, repair_army, with_smallest_changes
from muster.yamlfile import Document, document_from_text
from muster.yamlfile.editing import edit_document
from tests.armies.conftest import COMPOSITION
from tests.cases.test_cases import CASES, army_document
from tests.solver.conftest import Tiny
from tests.solver.lists import ROOT, library

SAMPLES = sorted((ROOT / "armies").glob("*/*.yaml"))

RULES = (
    "id: size\nkind: count\nof: {entry: [foot]}\nsum: stands\nwithin: unit\nallowed: [3-4, 6-7]",
    "id: one-chief\nkind: count\nof: {entry: [chief]}\nwithin: army\nmin: 1\nmax: 1",
    "id: heads\nkind: count\nof: {entry: [head]}\nwithin: wing\nmin: 1",
    "id: few-horse\nkind: count\nof: {entry: [horse]}\nwithin: wing\nmax: 1",
    "id: both\nkind: excludes\nof: {options: [pikes]}\nbars: {options: [shields]}\nwithin: unit",
    "id: one-arm\nkind: alike\nof: {level: unit}\nattribute: arm\nwithin: wing",
)

Data = dict[str, Any]


def test_army_over_a_cap_by_the_limit_is_repaired_with_or_without_a_limit(tiny: Tiny) -> None:
    cap = "id: cap\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 1\nper: 30"
    few = "id: few\nkind: count\nof: {entry: [horse]}\nwithin: army\nmax: 1"
    root = tiny(cap, few)
    units = [{"unit": name, "stands": "3"} for name in ("foot", "foot", "horse", "horse")]

    capped = repair_army(
        read(root, {"system": "tiny", "limit": "59", "units": units}), library(root)
    )
    free = repair_army(read(root, {"system": "tiny", "units": units}), library(root))

    assert isinstance(capped, RepairedArmy)
    assert isinstance(free, RepairedArmy)
    assert [len(list(each.army.units())) for each in (capped, free)] == [2, 3]
    assert [finding.code for finding in check(free.army).findings] == ["no-limit"]


def read(root: Path, data: Data) -> Army:
    return army_from_document(Document("army.yaml", "", deepcopy(data)), library(root))


class Cost(NamedTuple):
    """How large a change is, the most important measure first."""

    touched: int
    edits: int
    points: int
    figures: int
    added: int


class Plan(NamedTuple):
    """Where a unit stands (None: nowhere), its size and its options."""

    place: int | None
    stands: int
    options: tuple[str, ...]


PRICES = {"foot": 3, "horse": 5}


def units_of(data: Data) -> list[tuple[int, Data]]:
    """List units with the index of their wing; -1 is the army itself."""
    own = [(-1, unit) for unit in data.get("units", [])]
    return own + [
        (n, unit) for n, wing in enumerate(data.get("wings", [])) for unit in wing.get("units", [])
    ]


def plans(place: int, unit: Data, wings: int, *, faulty: bool) -> Iterator[tuple[Plan, Cost]]:
    """Yield all changes of a unit, each with its cost; out of a faulty wing it may move changed."""
    stands, options = int(unit["stands"]), tuple(unit.get("options", ()))
    price = PRICES[unit["unit"]]
    yield Plan(None, 0, ()), Cost(12, 1, stands * price, stands, 0)
    kept = [tuple(o for o, keep in zip(options, which, strict=True) if keep)
            for which in product([True, False], repeat=len(options))]  # fmt: skip
    for where, new, chosen in product(range(-1, wings), range(1, 9), kept):
        changed, moved, lost = (new, chosen) != (stands, options), where != place, chosen != options
        if changed and moved and not faulty:
            continue
        touched = 2 * changed + lost + 2 * moved
        edits = (new != stands) + len(options) - len(chosen) + 2 * moved + (changed and moved)
        figures, added = abs(new - stands), max(0, new - stands)
        yield Plan(where, new, chosen), Cost(touched, edits, figures * price, figures, added)


def leaders(there: bool) -> Iterator[tuple[bool, Cost]]:  # noqa: FBT001 - a fact about the list
    yield there, Cost(0, 0, 0, 0, 0)
    yield not there, Cost(18 if there else 2, 1, 0, 1, int(not there))


def total(costs: list[Cost]) -> Cost:
    return Cost(*(sum(part) for part in zip(*costs, strict=True)))


def every_change(data: Data, faulty: set[str]) -> Iterator[tuple[Data, Cost]]:
    """Yield every list that can be made of a list, each with the cost of the change."""
    wings = data.get("wings", [])
    units = units_of(data)
    choices = [
        list(plans(place, unit, len(wings), faulty=place >= 0 and wings[place]["name"] in faulty))
        for place, unit in units
    ]
    heads = [list(leaders("head" in wing)) for wing in wings]
    chiefs = list(leaders("chief" in data))
    for chosen in product(*choices):
        for chief, *led in product(chiefs, *heads):
            cost = total([each for _, each in (*chosen, chief, *led)])
            new: Data = {"system": "tiny", "limit": data["limit"]}
            if chief[0]:
                new["chief"] = {}
            made: list[Data] = [{"head": {}} if has else {} for has, _ in led]
            for (_, unit), (plan, _) in zip(units, chosen, strict=True):
                if plan.place is not None:
                    where = new if plan.place < 0 else made[plan.place]
                    said = {"unit": unit["unit"], "stands": str(plan.stands)}
                    where.setdefault("units", []).append({**said, "options": list(plan.options)})
            # A wing that becomes empty may stay or go; to remove one that was empty is a change.
            free = [not wing and bool(old) for wing, old in zip(made, wings, strict=True)]
            cost = cost._replace(touched=cost.touched + 12 * sum(free))
            for gone in product(*([False, True] if empty else [False] for empty in free)):
                kept = [wing for wing, out in zip(made, gone, strict=True) if not out]
                yield {**new, "wings": kept} if kept else new, cost


def smallest(root: Path, data: Data) -> Cost | None:
    """Return the cost of the smallest change, by trying every one, the smallest first."""
    errors = [each for each in check(read(root, data)).findings if each.severity == "error"]
    faulty = {finding.node.name for finding in errors}
    ranked = sorted(every_change(data, faulty), key=lambda each: each[1])
    for new, cost in ranked:
        if check(read(root, new)).legal:
            return cost
    return None


def cost_of(data: Data, new: Data) -> Cost:
    """Return the cost of a change from the list before and the list after, by names."""
    before = {unit["name"]: (place, unit) for place, unit in named_units(data)}
    after = {unit["name"]: (place, unit) for place, unit in named_units(new)}
    touched = edits = points = figures = added = 0
    for name, (place, unit) in before.items():
        nowhere = ("", {**unit, "stands": "0"})
        stands, (where, now) = int(unit["stands"]), after.get(name, nowhere)
        more = int(now["stands"]) - stands
        if name in after:
            moved, lost = where != place, len(unit["options"]) - len(now["options"])
            touched += 2 * (now != unit) + (lost > 0) + 2 * moved
            edits += (more != 0) + lost + 2 * moved + (moved and now != unit)
        else:
            touched, edits = touched + 12, edits + 1
        points += abs(more) * PRICES[unit["unit"]]
        figures += abs(more)
        added += max(0, more)
    for had, has in zip(heads_of(data), heads_of(new), strict=True):
        touched += 18 if had and not has else 2 * (had != has)
        edits += had != has
        figures += had != has
        added += has and not had
    touched += 12 * len(held_names(data) - held_names(new))
    return Cost(touched, edits, points, figures, added)


def held_names(data: Data) -> set[str]:
    """Return the names of the wings that hold anything."""
    wings = data.get("wings", [])
    return {wing["name"] for wing in wings if "head" in wing or wing.get("units")}


def named_units(data: Data) -> list[tuple[str, Data]]:
    """List units with the name of their wing."""
    found = [("", unit) for unit in data.get("units", [])]
    for wing in data.get("wings", []):
        found += [(wing["name"], unit) for unit in wing.get("units", [])]
    plain = [(place, {**unit, "options": unit.get("options", [])}) for place, unit in found]
    assert set(after_keys(plain)) <= {"unit", "stands", "options", "name"}
    return plain


def after_keys(units: list[tuple[str, Data]]) -> list[str]:
    return [key for _, unit in units for key in unit]


def heads_of(data: Data) -> list[bool]:
    """Return whether there is a chief, and a head in each of two wings."""
    wings = {wing["name"]: wing for wing in data.get("wings", [])}
    return ["chief" in data, *("head" in wings.get(name, {}) for name in ("w0", "w1"))]


def small_army(chance: random.Random) -> Data:
    """Return a random list of two units in up to two wings; most of them are not legal."""
    data: Data = {"system": "tiny", "limit": str(chance.choice([12, 20, 30, 99]))}
    if chance.random() < 0.7:
        data["chief"] = {}
    wings: list[Data] = [{"name": f"w{n}"} for n in range(2)]
    for wing in wings:
        if chance.random() < 0.7:
            wing["head"] = {}
    for n in range(2):
        unit = {
            "name": f"u{n}",
            "unit": chance.choice(["foot", "foot", "horse"]),
            "stands": str(chance.choice([1, 2, 3, 4, 5, 6, 8])),
        }
        options = [o for o in ("pikes", "shields") if chance.random() < 0.4]
        chance.choice([data, *wings]).setdefault("units", []).append({**unit, "options": options})
    wings = [wing for wing in wings if "units" in wing or "head" in wing]
    return {**data, "wings": wings} if wings else data


def test_repair_is_the_smallest_of_all_changes(tiny: Tiny) -> None:
    root = tiny(*RULES)

    @settings(
        max_examples=12,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32))
    def minimal(seed: int) -> None:
        data = small_army(random.Random(seed))  # noqa: S311 - nothing to guess
        army = read(root, data)

        repair = repair_army(army, library(root))

        assert isinstance(repair, RepairedArmy)
        if not check(army).legal:
            new = repair.army.document.data
            assert cost_of(data, new) == smallest(root, data), (data, new)

    minimal()


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_case_can_be_repaired(path: Path) -> None:
    army = army_from_document(army_document(path), library())

    repair = repair_army(army, library())

    assert isinstance(repair, RepairedArmy)
    assert check(repair.army).legal
    assert bool(repair.changes) != check(army).legal
    assert all(change.fixes for change in repair.changes)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_repaired_file_reads_as_the_repaired_army(path: Path) -> None:
    army = load_army(path, library())
    repair = repair_army(army, library())
    assert isinstance(repair, RepairedArmy)

    document = edit_document(army.document, repair.edits)

    again = army_from_document(document_from_text(document.text, path.name), library())
    assert check(again).legal
    assert again.document.data == repair.army.document.data


def slaughterloo(text: str) -> Army:
    lines = f"system: slaughterloo\nbook: sample-human\n{dedent(text).strip()}\n"
    return army_from_document(document_from_text(lines, "army.yaml"), library())


ONE_DIVISION = """
    commander: {experience: raw}
    divisions:
      - units: [{unit: fusiliers, name: Keepers, figures: 24}]
"""


def test_kept_unit_does_not_change() -> None:
    army = slaughterloo(f"""
    limit: 400
    commander: {{experience: raw}}
    divisions:
      - general: {{experience: raw}}
        units:
          - {{unit: fusiliers, name: Keepers, figures: 20}}
          - {{unit: fusiliers, name: Others, figures: 20}}
          - {{unit: cuirassiers, figures: 10}}
    """)  # fmt: skip  # noqa: F541
    keepers = next(node for node in army.nodes() if node.name == "Keepers")

    repair = repair_army(army, library(), [keepers])

    assert isinstance(repair, RepairedArmy)
    assert keepers not in [change.node for change in repair.changes]


def test_rules_that_contradict_each_other_are_named() -> None:
    army = slaughterloo(ONE_DIVISION)
    keepers = next(node for node in army.nodes() if node.name == "Keepers")

    repair = repair_army(army, library(), [keepers])

    assert isinstance(repair, Conflict)
    assert {group.code for group in repair.rules} == {"keep", "unit-size"}


def test_conflict_has_no_needless_rule() -> None:
    army = slaughterloo("limit: 55\ncommander: {experience: raw}")

    repair = repair_army(army, library())

    assert isinstance(repair, Conflict)
    codes = {group.code for group in repair.rules}
    assert codes == {"one-commander", "any-divisions", "division-units", "unit-size", "over-limit"}


def test_repair_does_not_meet_a_limit_by_an_unknown_price() -> None:
    army = slaughterloo("limit: 100\n" + dedent(ONE_DIVISION).strip())

    repair = repair_army(army, library())

    assert isinstance(repair, RepairedArmy)
    assert check(repair.army).price.missing == ()


def test_remedy_of_an_error_is_what_the_repair_does() -> None:
    army = slaughterloo(ONE_DIVISION)

    verdict = with_smallest_changes(check(army), library())

    assert [finding.code for finding in verdict.findings] == [
        finding.code for finding in check(army).findings
    ]
    assert "from 24 to 20 figures" in verdict.findings[-1].remedy


def test_remedy_stays_where_nothing_is_legal() -> None:
    army = slaughterloo("limit: 55\ncommander: {experience: raw}")

    assert with_smallest_changes(check(army), library()).findings == check(army).findings


HUZZAH = "system: huzzah\nexcellent-officers: allowed\ncommander: {name: K, quality: average}\n"


@pytest.mark.parametrize("roll", [2, 12])
def test_repair_writes_no_roll_that_dice_cannot_show(roll: int) -> None:
    units = f"units:\n  - {{unit: infantry, class: elites-a, quality: green, roll: {roll}}}\n"
    army = army_from_document(document_from_text(HUZZAH + units, "army.yaml"), library())

    repair = repair_army(army, library())

    assert isinstance(repair, RepairedArmy)
    document = edit_document(army.document, repair.edits)
    assert check(army_from_document(document, library())).legal


def test_new_unit_states_no_dice() -> None:
    composition = load_composition(library().system("huzzah"))

    domain = full_domain(composition, relevant_names(composition), composition.entries["infantry"])

    assert "quality" in domain.choices
    assert "roll" not in domain.amounts


def test_comments_of_a_unit_go_with_it() -> None:
    text = """\
system: slaughterloo
commander: {experience: raw}
divisions:
  - general: {experience: raw}
    units:
      # The line
      - {unit: line-infantry, figures: 20, points: 4}
      # Only the Undead
      # fly.
      - {unit: flying-cavalry, figures: 6, points: 14}  # bats
      # The scouts
      - {unit: light-infantry, figures: 6, points: 4}
"""
    army = army_from_document(document_from_text(text, "army.yaml"), library())

    repair = repair_army(army, library())

    assert isinstance(repair, RepairedArmy)
    lines = text.splitlines(keepends=True)
    assert edit_document(army.document, repair.edits).text == "".join(lines[:7] + lines[10:])


def test_repair_changes_no_roll_of_a_list() -> None:
    units = "units:\n  - {unit: infantry, class: elites-a, quality: veteran, roll: 11}\n"
    army = army_from_document(document_from_text(HUZZAH + units, "army.yaml"), library())
    (unit,) = army.units()

    domain = domain_around(unit.kind, relevant_names(army.composition), 1, ())

    assert "roll" not in domain.amounts


def repaired(text: str) -> tuple[list[str], RepairedArmy]:
    """Return the words of the changes of a repair, and the repair; every change fixes an error."""
    army = army_from_document(document_from_text(dedent(text), "army.yaml"), library())
    repair = repair_army(army, library())
    assert isinstance(repair, RepairedArmy)
    assert all(change.fixes for change in repair.changes)
    return [change.words for change in repair.changes], repair


SEVEN_YEARS = "system: seven-years-war\ncommander: {name: F}\n"
MARKERS = "system: order-markers\nnation: french\ncommander: {grade: good}\n"
BOOK = "system: slaughterloo\nbook: sample-human\ncommander: {experience: raw}\n"
SIDE = "system: lshm-skirmish\nside: french\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            (
                f"{BOOK}divisions: [{{general: {{experience: raw}}, units: ["
                "{unit: light-battery, guns: 4, figures: 6}, {unit: lancers, figures: 3}]}]"
            ),
            ["reduce Light battery from 4 to 3 guns", "raise Lancers from 3 to 4 figures"],
        ),
        (
            f"{SEVEN_YEARS}limit: 200\ngroups: [{{units: [{{unit: light-infantry, stands: 1}}]}}]",
            ["raise Light infantry from 1 to 2 stands"],
        ),
        (
            (
                f"{SIDE}command-groups: [{{officers: [{{rank: colonel}}]}}]\n"
                "units: [{unit: line-infantry, weapon: musket}]"
            ),
            ["add a Standard to the Command group", "add a Musician to the Command group"],
        ),
        (
            (
                f"{HUZZAH}units: [{{unit: light-artillery, class: regulars-b, moves-as: foot-guns, "
                "formation: square}]"
            ),
            ["leave out the formation of Light artillery"],
        ),
        (
            f"{MARKERS}units: [{{unit: foot-artillery, class: line, gunners: 5}}]",
            ["set the gun class of Foot artillery to heavy, 12 lb"],
        ),
        (
            f"{SIDE}units: [{{unit: line-infantry, weapon: ball, figures: 13}}]",
            ["reduce Line infantry from 13 to 12 figures"],
        ),
        (
            f"{SIDE}units: [{{unit: grenadiers, weapon: musket, figures: 18}}]",
            ["reduce Grenadiers from 18 to 12 figures"],
        ),
        (
            (
                f"{BOOK}limit: 400\ndivisions: [{{general: {{experience: raw}}, units: ["
                "{unit: fusiliers, figures: 20, count: 2}, {unit: cuirassiers, figures: 10}]}]"
            ),
            ["reduce Cuirassiers from 10 to 5 figures"],
        ),
        (
            (
                f"{BOOK}divisions: [{{general: {{experience: raw}}, units: ["
                "{unit: fusiliers, officer: character, figures: 24}]}]"
            ),
            ["reduce Fusiliers from 24 to 20 figures"],
        ),
        (
            f"{HUZZAH}units: [{{unit: infantry, class: elites-a, quality: green, roll: 11}}]",
            ["change the quality of Infantry from green to veteran"],
        ),
    ],
    ids=[
        "gun-of-the-book", "one-stand-more", "what-is-lacking", "no-invented-roll",
        "no-number-unasked", "no-weapon-unasked", "no-new-warning", "general-stays",
        "officer-stays", "as-the-roll-says",
    ],
)  # fmt: skip
def test_repair_changes_only_what_an_error_needs(text: str, words: list[str]) -> None:
    assert repaired(text)[0] == words


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("of: {entry: [foot]}\nmin: 5", ["add 4 × Foot (1 stand)"]),
        ("of: {entry: [foot]}\nmin: 30", ["add 29 × Foot (1 stand)"]),
        ("of: {level: wing}\nmin: 3", ["add a Wing"] * 3),
    ],
)
def test_repair_adds_as_many_as_a_rule_demands(tiny: Tiny, rule: str, words: list[str]) -> None:
    root = tiny(f"id: enough\nkind: count\nwithin: army\n{rule}")
    army = read(root, {"system": "tiny", "units": [{"unit": "foot", "stands": "4"}]})

    repair = repair_army(army, library(root))

    assert isinstance(repair, RepairedArmy)
    assert [change.words for change in repair.changes] == words


def test_number_over_its_maximum_goes_to_the_maximum(tiny: Tiny) -> None:
    drill = "      drill: {form: choice"
    field = '      heavy-weapons: {form: whole, default: "0", title: Heavy weapons}\n'
    rule = "id: two\nkind: count\nof: {level: unit}\nsum: heavy-weapons\nwithin: unit\nmax: 2"
    root = tiny(rule, composition=COMPOSITION.replace(drill, f"{field}{drill}"))
    unit = {"unit": "foot", "stands": "4", "heavy-weapons": "3"}

    repair = repair_army(read(root, {"system": "tiny", "units": [unit]}), library(root))

    assert isinstance(repair, RepairedArmy)
    assert [change.words for change in repair.changes] == [
        "reduce the heavy weapons of Foot from 3 to 2"
    ]


def test_battery_keeps_its_place_in_a_repair() -> None:
    words, _ = repaired(
        f"{SEVEN_YEARS}commands: [{{general: {{name: A}}, groups: [{{name: Guns, units: ["
        "{unit: heavy-artillery, stands: 2}, {unit: militia, stands: 3}]}]}]"
    )

    assert words == [
        "reduce Heavy artillery from 2 to 1 stand",
        "move Militia to the Command of A",
    ]


def test_remedies_of_a_hard_list_end_with_their_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster.solver.repairs.REMEDY_EFFORT", 0.002)
    units = "".join(f"  - {{unit: musketeers, stands: {7 + n % 3}}}\n" for n in range(50))
    text = f"system: seven-years-war\nbook: prussia\ncommander: {{name: A}}\nunits:\n{units}"
    verdict = check(army_from_document(document_from_text(text, "army.yaml"), library(ROOT)))

    assert not verdict.legal
    assert with_smallest_changes(verdict, library(ROOT)) is verdict


def test_repair_adds_a_command_with_the_field_that_it_must_have(tiny: Tiny) -> None:
    side = "fields: {side: {form: choice, of: {left: Left, right: Right}, required: true}}"
    leaders = "leaders: {head: {entry: head}}"
    left = "id: left\nkind: count\nof: {level: wing, where: {side: [right]}}\nwithin: army\nmin: 2"
    root = tiny(left, composition=COMPOSITION.replace(leaders, f"{leaders}, {side}"))

    repair = repair_army(read(root, {"system": "tiny"}), library(root))

    assert isinstance(repair, RepairedArmy)
    assert repair.army.document.data["wings"] == [{"side": "right"}, {"side": "right"}]


def test_rules_that_demand_commands_in_commands_end_soon(tiny: Tiny) -> None:
    """A hostile file may demand twelve commands in each of twelve: there is no end to that."""
    unit = "  - {id: unit, title: Unit, key: units, under: [army, wing"
    lines = "  - {id: line, title: Line, key: lines, under: [wing]}\n"
    composition = COMPOSITION.replace(unit, f"{lines}{unit}, line")
    rules = [
        f"id: {of}\nkind: count\nof: {{level: {of}}}\nwithin: {within}\nmin: 99"
        for of, within in (("wing", "army"), ("line", "wing"))
    ]
    root = tiny(*rules, composition=composition)

    repair = repair_army(read(root, {"system": "tiny"}), library(root))

    assert isinstance(repair, Conflict)


def test_unit_moves_to_a_command_of_the_same_level() -> None:
    words, _ = repaired(
        f"{SEVEN_YEARS}commands: [{{general: {{name: A}}, groups: ["
        "{name: Foot, units: [{unit: militia, stands: 4}, {unit: heavy-cavalry, stands: 3}]}, "
        "{name: Horse, units: [{unit: heavy-cavalry, stands: 3}]}]}]"
    )

    assert words == ["move Heavy cavalry of Group “Foot” to Group “Horse”"]


@pytest.mark.slow
def test_a_large_army_at_sixty_percent_of_its_points_is_repaired() -> None:
    file = ROOT / "armies" / "seven-years-war" / "large.yaml"
    text = file.read_text(encoding="utf-8").replace("limit: 550", "limit: 313")
    army = army_from_document(document_from_text(text, "large.yaml"), library())

    repaired = repair_army(army, library())

    assert isinstance(repaired, RepairedArmy)
    assert check(repaired.army).legal
