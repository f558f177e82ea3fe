"""Owns the facts about drafted armies: legal, spent, different, the same again, and as wished.

Does not time them, nor draft by the hundred; `benchmarks/bench_draft` does.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from muster.armies import Army, army_from_document, check, load_army, load_book
from muster.armies.composition import LEADER, load_composition
from muster.armies.fields import parse_share
from muster.armies.pricing import price_of_kind
from muster.armies.themes import Theme, load_drafting, load_theme, part_of, theme_ids
from muster.solver.draft_context import (
    DraftContext,
    DraftRequest,
    TooLargeError,
    theme_like,
    unit_types_in,
)
from muster.solver.draft_nodes import ordinal
from muster.solver.drafting import DraftedArmy, DraftHeader, NoLegalDraft, draft_army
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.scaffold import SHIPPED, lay_out

ROOT: Final = Path(__file__).resolve().parent.parent.parent
SHELF: Final = Library(ROOT)
BOOKS: Final[list[tuple[str, str | None]]] = [
    *((system, book) for system in SHIPPED for book in SHELF.system(system).yaml_ids("books")),
    *((system, None) for system in SHIPPED if not SHELF.system(system).yaml_ids("books")),
]
THEMES: Final = [
    (system, book, theme) for system, book in BOOKS for theme in theme_ids(SHELF.system(system))
]


def kit(
    system: str,
    book: str | None = None,
    theme: str | Theme = "",
    *,
    limit: str = "",
    include: Mapping[str, int | None] | None = None,
    exclude: frozenset[str] = frozenset(),
) -> DraftContext:
    opened = SHELF.system(system)
    drafting = load_drafting(opened)
    wishes = DraftRequest(Decimal(limit or drafting.limit or 0), include or {}, exclude)
    found = book and load_book(opened, book)
    chosen = theme if isinstance(theme, Theme) else load_theme(opened, theme or "balanced")
    return DraftContext(load_composition(opened), found or None, drafting, chosen, wishes)


def drafted(wanted: DraftContext, seed: int = 1) -> DraftedArmy:
    found = draft_army(wanted, SHELF, seed, DraftHeader(f"Army {seed}"))
    assert isinstance(found, DraftedArmy)
    return found


@cache
def three(system: str, book: str | None, theme: str) -> tuple[DraftedArmy, ...]:
    wanted = kit(system, book, theme)
    return tuple(drafted(wanted, seed) for seed in (1, 2, 3))


def army_of(found: DraftedArmy) -> Army:
    return army_from_document(document_from_text(found.text, "army.yaml"), SHELF)


def numbers(army: Army) -> dict[str, int]:
    """Count the units of an army by what a list calls them."""
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
    wanted = kit(system, book, theme)

    found = three(system, book, theme)

    assert [each.verdict.findings for each in found] == [()] * 3
    assert [each.total for each in found] == [wanted.wishes.limit] * 3
    assert len({each.fingerprint for each in found}) == 3
    for each in found:
        verdict = check(army_of(each))
        assert (verdict.legal, verdict.points) == (True, each.verdict.points)


@pytest.mark.parametrize(("system", "book", "theme"), THEMES)
def test_shares_of_the_parts_are_those_of_the_theme_or_near(
    system: str, book: str | None, theme: str
) -> None:
    wanted = kit(system, book, theme)
    parts = wanted.theme.parts
    spent = [Fraction(0)] * len(parts)
    for found in three(system, book, theme):
        for node in army_of(found).nodes():
            place = part_of(parts, node.kind) if node.entry is not None else None
            if place is not None and node.level != LEADER:
                priced = price_of_kind(node.kind) if wanted.composition.has_prices else None
                spent[place] += Fraction(priced.known) if priced else 1

    # A unit more or less is much in a small army: what three have together must be near.
    near = Fraction(1, 10)
    for part, points in zip(parts, spent, strict=True):
        assert parse_share(part.min) - near <= points / sum(spent) <= parse_share(part.max) + near


def test_every_command_has_its_general_and_every_group_one_arm() -> None:
    for seed in range(4):
        army = army_of(drafted(kit("seven-years-war", "prussia", limit="550"), seed))
        for node in army.nodes():
            if node.level == "command":
                assert [child.level for child in node.children].count(LEADER) == 1
            if node.level == "group":
                assert len({child.kind.text("arm") for child in node.children}) == 1
            assert node.children or not node.is_branch


def test_same_seed_drafts_the_same_bytes_in_another_process() -> None:
    program = (
        "from tests.solver import test_draft as t\n"
        "print(*(t.drafted(t.kit(*each), 5).text for each in t.BOOKS), sep='')"
    )
    command = [sys.executable, "-c", program]

    texts = {
        subprocess.run(  # noqa: S603 - our own program
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        ).stdout
        for salt in ("1", "2")
    }

    assert len(texts) == 1


def test_units_that_are_wished_for_are_there_in_just_that_number() -> None:
    include = {"cuirassiers": 2, "grenadiers": None, "abatis": 1}
    found = numbers(army_of(drafted(kit("seven-years-war", "prussia", include=include))))

    assert (found["cuirassiers"], found["abatis"]) == (2, 1)
    assert found["grenadiers"] >= 1


def test_units_that_are_not_wished_for_are_not_there() -> None:
    exclude = frozenset({"musketeers", "early-musketeers"})

    for seed in range(4):
        found = numbers(army_of(drafted(kit("seven-years-war", "prussia", exclude=exclude), seed)))
        assert not exclude & found.keys()


def test_limit_that_no_costs_reach_is_spent_to_the_last_step() -> None:
    assert drafted(kit("seven-years-war", "austria", limit="250.1")).total == 250
    assert drafted(kit("slaughterloo", "sample-human", limit="400.3")).total == 400
    # 2 stands of light infantry cost 4 points, a stand of horse 3: together they are the most.
    assert drafted(kit("seven-years-war", "austria", limit="7")).total == 7


def test_wishes_that_rules_forbid_are_named_with_them() -> None:
    wanted = kit("slaughterloo", "sample-human", include={"flying-cavalry": 1})

    found = draft_army(wanted, SHELF, 1, DraftHeader("None"))

    assert isinstance(found, NoLegalDraft)
    assert {rule.code for rule in found.rules} == {"unit-size", "include"}


def test_wishes_that_the_limit_forbids_are_named_with_it() -> None:
    points = kit("seven-years-war", "prussia", limit="50", include={"cuirassiers": 20})
    units = kit("huzzah", limit="10", include={"infantry": 20})

    codes = []
    for wanted in (points, units):
        found = draft_army(wanted, SHELF, 1, DraftHeader("None"))
        assert isinstance(found, NoLegalDraft)
        codes.append({rule.code for rule in found.rules})

    assert codes == [{"over-limit", "include"}, {"limit", "include"}]


def test_limit_for_more_units_than_anybody_draws_up_is_refused() -> None:
    with pytest.raises(TooLargeError, match="at most 400 units"):
        draft_army(kit("huzzah", limit="401"), SHELF, 1, DraftHeader("Horde"))


@pytest.mark.parametrize(
    ("system", "limit"), [("seven-years-war", "400"), ("slaughterloo", "2400"), ("huzzah", "40")]
)
def test_army_like_another_has_units_in_the_same_shares(system: str, limit: str) -> None:
    example = load_army(ROOT / "armies" / system / "typical.yaml", SHELF)
    book = example.root.kind.book
    plain = kit(system, book.id if book else None, theme_like(example, "like it"), limit=limit)
    wishes = DraftRequest(plain.wishes.limit, also=unit_types_in(example))
    wanted = DraftContext(plain.composition, plain.book, plain.drafting, plain.theme, wishes)

    found = drafted(wanted)

    assert found.total == Decimal(limit)
    old, new = numbers(example), numbers(army_of(found))
    assert new.keys() <= old.keys()
    assert len(new) >= len(old) * 2 // 3
    for name, number in new.items():
        before = Fraction(old[name], sum(old.values()))
        assert abs(Fraction(number, sum(new.values())) - before) < Fraction(1, 6), name


def test_what_the_rules_roll_is_rolled_as_raise_rolls_it() -> None:
    found = drafted(kit("huzzah"), 7)

    units = [node for node in army_of(found).nodes() if node.level == "unit"]
    assert len(found.rolls) == len(units) == 20
    assert all(unit.rolled.startswith("quality 2D6 = ") for unit in units)
    assert "unrolled" not in found.text


def test_names_come_from_the_book_and_then_are_numbers() -> None:
    text = drafted(kit("seven-years-war", "prussia", include={"hussars-a": 3})).text

    named = [line for line in text.splitlines() if "unit: hussars-a" in line]
    assert any("Bosniaks" in line for line in named)
    assert any("Black Hussars" in line for line in named)
    assert any("1st Hussars (a)" in line for line in named)


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st")],
)
def test_numbers_are_counted_as_people_count(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_system_without_a_word_on_drafts_is_drafted_from_its_rules(tmp_path: Path) -> None:
    lay_out(tmp_path)
    shelf = Library(tmp_path, shipped=ROOT)
    club = shelf.system("club")
    theme = Theme(id="any", title="Any")
    book = load_book(club, "first-book")
    wanted = DraftContext(
        load_composition(club), book, load_drafting(club), theme, DraftRequest(Decimal(100))
    )

    found: Any = draft_army(wanted, shelf, 1, DraftHeader("Small"))

    assert (found.total, found.verdict.findings) == (100, ())
