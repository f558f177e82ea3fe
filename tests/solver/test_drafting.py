"""Test drafted armies: they are legal, spend the limit, differ by seed and are as requested."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from muster.armies import Army, army_from_document, check, load_army, load_book
from muster.armies.composition import load_composition
from muster.armies.fields import parse_share
from muster.armies.pricing import price_of_kind
from muster.armies.themes import Theme, load_drafting, load_theme, part_of, theme_ids
from muster.armies.vocabulary import LEADER
from muster.solver.cpsat import Conflict
from muster.solver.draft_context import (
    DraftContext,
    DraftRequest,
    TooLargeError,
    theme_like,
    unit_types_in,
)
from muster.solver.draft_nodes import ordinal
from muster.solver.drafting import DraftedArmy, DraftHeader, draft_army
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.scaffold import SHIPPED, lay_out, spoil
from tests.solver.conftest import Tiny

ROOT: Final = Path(__file__).resolve().parent.parent.parent
LIBRARY: Final = Library(ROOT)
BOOKS: Final[list[tuple[str, str | None]]] = [
    *((system, book) for system in SHIPPED for book in LIBRARY.system(system).yaml_ids("books")),
    *((system, None) for system in SHIPPED if not LIBRARY.system(system).yaml_ids("books")),
]
THEMES: Final = [
    (system, book, theme) for system, book in BOOKS for theme in theme_ids(LIBRARY.system(system))
]


def context_of(
    system: str,
    book: str | None = None,
    theme: str | Theme = "",
    *,
    limit: str = "",
    include: Mapping[str, int | None] | None = None,
    exclude: frozenset[str] = frozenset(),
) -> DraftContext:
    opened = LIBRARY.system(system)
    drafting = load_drafting(opened)
    request = DraftRequest(Decimal(limit or drafting.limit or 0), include or {}, exclude)
    found = book and load_book(opened, book)
    chosen = theme if isinstance(theme, Theme) else load_theme(opened, theme or "balanced")
    return DraftContext(load_composition(opened), found or None, drafting, chosen, request)


def drafted(context: DraftContext, seed: int = 1) -> DraftedArmy:
    found = draft_army(context, LIBRARY, seed, DraftHeader(f"Army {seed}"))
    assert isinstance(found, DraftedArmy)
    return found


@cache
def three(system: str, book: str | None, theme: str) -> tuple[DraftedArmy, ...]:
    context = context_of(system, book, theme)
    return tuple(drafted(context, seed) for seed in (1, 2, 3))


def army_of(found: DraftedArmy) -> Army:
    return army_from_document(document_from_text(found.text, "army.yaml"), LIBRARY)


def numbers(army: Army) -> dict[str, int]:
    """Return how many units an army has of each type, by the id in its file."""
    found: dict[str, int] = {}
    for node in army.nodes():
        if node.entry is not None and node.level != LEADER:
            name = node.kind.text("unit")
            found[name] = found.get(name, 0) + node.count
    return found


@pytest.mark.parametrize(("system", "book", "theme"), THEMES)
def test_every_theme_of_every_book_drafts_armies_that_pass_the_check(
    system: str, book: str | None, theme: str
) -> None:
    context = context_of(system, book, theme)

    found = three(system, book, theme)

    assert [each.verdict.findings for each in found] == [()] * 3
    assert [each.total for each in found] == [context.request.limit] * 3
    assert len({each.fingerprint for each in found}) == 3
    for each in found:
        verdict = check(army_of(each))
        assert (verdict.legal, verdict.points) == (True, each.verdict.points)


@pytest.mark.parametrize(("system", "book", "theme"), THEMES)
def test_shares_of_the_parts_are_those_of_the_theme_or_near(
    system: str, book: str | None, theme: str
) -> None:
    context = context_of(system, book, theme)
    parts = context.theme.parts
    spent = [Fraction(0)] * len(parts)
    for found in three(system, book, theme):
        for node in army_of(found).nodes():
            place = part_of(parts, node.kind) if node.entry is not None else None
            if place is not None and node.level != LEADER:
                priced = price_of_kind(node.kind) if context.composition.has_prices else None
                spent[place] += Fraction(priced.known) if priced else 1

    # In a small army one unit is a large share, so that three armies are taken together.
    near = Fraction(1, 10)
    for part, points in zip(parts, spent, strict=True):
        assert parse_share(part.min) - near <= points / sum(spent) <= parse_share(part.max) + near


def test_every_command_has_its_general_and_every_group_one_arm() -> None:
    for seed in range(4):
        army = army_of(drafted(context_of("seven-years-war", "prussia", limit="550"), seed))
        for node in army.nodes():
            if node.level == "command":
                assert [child.level for child in node.children].count(LEADER) == 1
            if node.level == "group":
                assert len({child.kind.text("arm") for child in node.children}) == 1
            assert node.children or not node.is_branch


def test_same_seed_drafts_the_same_bytes_in_another_process() -> None:
    program = (
        "from tests.solver import test_drafting as t\n"
        "print(*(t.drafted(t.context_of(*each), 5).text for each in t.BOOKS), sep='')"
    )
    command = [sys.executable, "-c", program]
    python_path = os.pathsep.join([str(ROOT / "generator"), str(ROOT)])

    texts = {
        subprocess.run(  # noqa: S603 - our own program
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": python_path},
            check=True,
            capture_output=True,
        ).stdout
        for salt in ("1", "2")
    }

    assert len(texts) == 1


def test_included_units_are_there_in_just_that_number() -> None:
    include = {"cuirassiers": 2, "grenadiers": None, "abatis": 1}
    found = numbers(army_of(drafted(context_of("seven-years-war", "prussia", include=include))))

    assert (found["cuirassiers"], found["abatis"]) == (2, 1)
    assert found["grenadiers"] >= 1


def test_excluded_units_are_not_there() -> None:
    exclude = frozenset({"musketeers", "early-musketeers"})

    for seed in range(4):
        found = numbers(
            army_of(drafted(context_of("seven-years-war", "prussia", exclude=exclude), seed))
        )
        assert not exclude & found.keys()


def test_limit_that_no_costs_reach_is_spent_to_the_last_step() -> None:
    assert drafted(context_of("seven-years-war", "austria", limit="250.1")).total == 250
    assert drafted(context_of("slaughterloo", "sample-human", limit="400.3")).total == 400
    # 2 stands of light infantry cost 4 points and a stand of horse 3; no army costs more.
    assert drafted(context_of("seven-years-war", "austria", limit="7")).total == 7


def test_request_that_rules_forbid_is_named_with_them() -> None:
    context = context_of("slaughterloo", "sample-human", include={"flying-cavalry": 1})

    found = draft_army(context, LIBRARY, 1, DraftHeader("None"))

    assert isinstance(found, Conflict)
    assert {rule.code for rule in found.rules} == {"unit-size", "include"}


def test_request_that_the_limit_forbids_is_named_with_it() -> None:
    points = context_of("seven-years-war", "prussia", limit="50", include={"cuirassiers": 20})
    units = context_of("huzzah", limit="10", include={"infantry": 20})

    codes = []
    for context in (points, units):
        found = draft_army(context, LIBRARY, 1, DraftHeader("None"))
        assert isinstance(found, Conflict)
        codes.append({rule.code for rule in found.rules})

    assert codes == [{"over-limit", "include"}, {"limit", "include"}]


def test_limit_for_too_many_units_is_refused() -> None:
    with pytest.raises(TooLargeError, match="at most 400 units"):
        draft_army(context_of("huzzah", limit="401"), LIBRARY, 1, DraftHeader("Horde"))


@pytest.mark.parametrize(
    ("system", "limit"), [("seven-years-war", "400"), ("slaughterloo", "2400"), ("huzzah", "40")]
)
def test_army_like_another_has_units_in_the_same_shares(system: str, limit: str) -> None:
    example = load_army(ROOT / "armies" / system / "typical.yaml", LIBRARY)
    book = example.root.kind.book
    plain = context_of(
        system, book.id if book else None, theme_like(example, "like it"), limit=limit
    )
    request = DraftRequest(plain.request.limit, also=unit_types_in(example))
    context = DraftContext(plain.composition, plain.book, plain.drafting, plain.theme, request)

    found = drafted(context)

    assert found.total == Decimal(limit)
    old, new = numbers(example), numbers(army_of(found))
    assert new.keys() <= old.keys()
    assert len(new) >= len(old) * 2 // 3
    for name, number in new.items():
        before = Fraction(old[name], sum(old.values()))
        assert abs(Fraction(number, sum(new.values())) - before) < Fraction(1, 6), name


def test_what_the_rules_roll_is_rolled_as_raise_rolls_it() -> None:
    found = drafted(context_of("huzzah"), 7)

    units = [node for node in army_of(found).nodes() if node.level == "unit"]
    assert len(found.rolls) == len(units) == 20
    assert all(unit.rolled.startswith("quality 2D6 = ") for unit in units)
    assert "unrolled" not in found.text


def test_names_come_from_the_book_and_then_are_numbers() -> None:
    text = drafted(context_of("seven-years-war", "prussia", include={"hussars-a": 3})).text

    named = [line for line in text.splitlines() if "unit: hussars-a" in line]
    assert any("Bosniaks" in line for line in named)
    assert any("Black Hussars" in line for line in named)
    assert any("1st Hussars (a)" in line for line in named)


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st")],
)
def test_ordinal_is_written_as_people_say_it(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_system_without_a_drafting_file_is_drafted_from_its_rules(tmp_path: Path) -> None:
    lay_out(tmp_path)
    library = Library(tmp_path, shipped=ROOT)
    club = library.system("club")
    theme = Theme(id="any", title="Any")
    book = load_book(club, "first-book")
    context = DraftContext(
        load_composition(club), book, load_drafting(club), theme, DraftRequest(Decimal(100))
    )

    found: Any = draft_army(context, library, 1, DraftHeader("Small"))

    assert (found.total, found.verdict.findings) == (100, ())


def club_drafts(root: Path, *, seeds: range, limit: int = 100) -> Iterator[DraftedArmy]:
    """Yield drafts of a changed copy of the starter system, one for each seed."""
    library = Library(root, shipped=ROOT)
    club = library.system("club")
    book = load_book(club, "first-book")
    request = DraftRequest(Decimal(limit))
    theme = Theme(id="any", title="Any")
    context = DraftContext(load_composition(club), book, load_drafting(club), theme, request)
    for seed in seeds:
        found = draft_army(context, library, seed, DraftHeader("Small"))
        assert isinstance(found, DraftedArmy), [rule.code for rule in found.rules]
        yield found


def test_draft_takes_only_numbers_that_name_a_row(tmp_path: Path) -> None:
    content = lay_out(tmp_path)
    terms = "row: foot}, times: stands, label: Foot"
    spoil(content / "composition.yaml", terms, "row: {field: stands}}, label: Foot")
    rows = '  - {id: "5", label: Five, cells: ["15"]}\n  - {id: "8", label: Eight, cells: ["20"]}\n'
    spoil(content / "tables" / "points.yaml", "rows:\n", f"rows:\n{rows}")

    for found in club_drafts(tmp_path, seeds=range(1, 3)):
        foot = [unit for unit in found.verdict.army.units() if unit.entry_title == "Foot"]
        assert {unit.size for unit in foot} <= {5, 8}


def demand(content: Path, of: str, least: str) -> None:
    """Add a rule that every army has a number of something."""
    rule = (
        f"  - {{id: enough, kind: count, of: {of}, within: army, {least}, message: Tried., "
        "rule: {chapter: army}}\n"
    )
    spoil(content / "composition.yaml", "constraints:\n", f"constraints:\n{rule}")


@pytest.mark.parametrize("least", ["min: 8", "sum: stands, min: 8"])
def test_draft_has_as_many_of_a_unit_as_a_rule_demands(tmp_path: Path, least: str) -> None:
    demand(lay_out(tmp_path), "{where: {unit: [battery]}}", least)

    for found in club_drafts(tmp_path, seeds=range(1, 6, 4), limit=300):
        assert found.total == 300
        assert numbers(found.verdict.army)["battery"] >= 8


def test_draft_has_characters_of_a_level_of_their_own(tmp_path: Path) -> None:
    content = lay_out(tmp_path)
    composition = content / "composition.yaml"
    units = "  - {id: unit, title: Unit, key: units, under: [army]}\n"
    heroes = "  - {id: hero, title: Hero, key: heroes, under: [army]}\n"
    spoil(composition, units, units + heroes)
    price = "{table: points, row: general}"
    wizard = f"  - {{id: wizard, title: Wizard, level: hero, price: [{{each: {price}}}]}}\n"
    spoil(composition, "options:\n", f"{wizard}options:\n")
    demand(content, "{level: hero}", "min: 1, max: 2")

    for found in club_drafts(tmp_path, seeds=range(1, 4)):
        assert 1 <= numbers(found.verdict.army)["wizard"] <= 2


@pytest.mark.parametrize("limit", [40, 100])
def test_draft_has_as_many_commands_as_a_rule_demands(tiny: Tiny, limit: int) -> None:
    root = tiny(
        "id: wings\nkind: count\nof: {level: wing}\nwithin: army\nmin: 5",
        "id: size\nkind: count\nof: {level: unit}\nsum: stands\nwithin: unit\nallowed: [2-4]",
    )
    library = Library(root)
    system = library.system("tiny")
    theme = Theme(id="any", title="Any")
    request = DraftRequest(Decimal(limit))
    context = DraftContext(load_composition(system), None, load_drafting(system), theme, request)

    found = draft_army(context, library, 1, DraftHeader("Wings"))

    assert isinstance(found, DraftedArmy)
    assert len(found.verdict.army.document.data["wings"]) >= 5
