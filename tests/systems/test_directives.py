"""Test what may stand in the braces of prose, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from muster.systems.directives import (
    EXAMPLES,
    LONGEST_DIRECTIVE,
    VERBS,
    BadDirective,
    Calculate,
    CellQuery,
    Fact,
    Given,
    IndexTerm,
    Let,
    NameChapter,
    ResolveRoll,
    ShowCell,
    parse_directive,
)
from muster.values import LengthUnit
from muster.values.quantity import Quantity


def test_cell_is_found_by_keys_that_may_hold_spaces() -> None:
    directive = parse_directive("value: hits roll=up to 6 stands=@men")

    assert directive == ShowCell(CellQuery("hits", (("roll", "up to 6"), ("stands", "@men"))))


def test_sum_takes_names_numbers_rounding_and_a_name() -> None:
    directive = parse_directive("quotient: figures 4 down silently as trays")

    four = Quantity(Fraction(4))
    assert directive == Calculate("quotient", ("figures", four), "down", silent=True, name="trays")


def test_operand_may_have_a_unit() -> None:
    directive = parse_directive("product: die 5cm")

    operands = ("die", Quantity(Fraction(5), LengthUnit.CM))
    assert directive == Calculate("product", operands, "", silent=False, name="")


def test_roll_names_the_dice_that_are_rolled() -> None:
    directive = parse_directive("rolled: moves row=a b dice=@fear column=first silently as run")

    query = CellQuery("moves", (("row", "a b"), ("column", "first")))
    assert directive == ResolveRoll(query, ("fear",), silent=True, name="run")
    assert parse_directive("rolled: moves dice=@a 3") == ResolveRoll(
        CellQuery("moves", ()), ("a", Quantity(Fraction(3))), silent=False, name=""
    )


def test_band_of_a_table_can_be_named() -> None:
    assert parse_directive("let: b = moves per-band") == Let(
        "b", CellQuery("moves", ()), per_band=True
    )


def test_fact_that_is_a_number_or_length_can_be_named() -> None:
    directive = parse_directive("fact: 6 cm | L420, L422 as onward")

    assert directive == Fact("6 cm", "L420, L422", "onward", Quantity(Fraction(6), LengthUnit.CM))


@pytest.mark.parametrize(
    ("written", "number", "unit", "name"),
    [
        ("9", "9", None, ""),
        ("+2 as fire", "2", None, "fire"),
        ("−1.5", "-1.5", None, ""),
        ("20 cm", "20", LengthUnit.CM, ""),
        ('5" as gap', "5", LengthUnit.INCH, "gap"),
    ],
    ids=["number", "signed and named", "negative", "length", "named length"],
)
def test_given_number_may_have_sign_unit_and_name(
    written: str, number: str, unit: LengthUnit | None, name: str
) -> None:
    directive = parse_directive(f"given: {written}")

    assert directive == Given(Quantity(Fraction(number), unit), written.startswith("+"), name)


def test_bar_separates_words_and_source() -> None:
    assert parse_directive("fact: 20 cm | L118-120") == Fact("20 cm", "L118-120")
    assert parse_directive("chapter: a/b | there") == NameChapter("a", "b", "there")
    assert parse_directive("index: a > b") == IndexTerm("a", "b")


@pytest.mark.parametrize("verb", EXAMPLES)
def test_every_verb_has_an_example_that_can_be_read(verb: str) -> None:
    parse_directive(EXAMPLES[verb].strip("{}"))


def test_every_verb_but_the_lists_has_an_example() -> None:
    assert set(VERBS) - set(EXAMPLES) == {"errata"}


BAD: Final = {
    "valu: hits": "unknown-verb",
    "hits": "unknown-verb",
    "": "unknown-verb",
    "table:": "missing-argument",
    "table: a b": "bad-directive",
    "errata: all": "bad-directive",
    "value: row=a": "missing-argument",
    "value: hits roll": "bad-directive",
    "value: | three": "missing-argument",
    "label: hits": "missing-argument",
    "given: nine": "bad-directive",
    "given: 9 as": "missing-argument",
    "given: 9 as NINE": "bad-directive",
    "let: a": "missing-argument",
    "show: A": "bad-directive",
    "less: a": "missing-argument",
    "less: a b c": "missing-argument",
    "sum: a $": "bad-directive",
    "fact: 20 cm": "fact-without-source",
    "fact: 20 cm | page 3": "fact-without-source",
    "fact: | L3": "missing-argument",
    "fact: 2D6 | L3 as roll": "bad-directive",
    "rolled: hits row=a": "missing-argument",
    "rolled: hits dice=@a dice=@b": "missing-argument",
    "rolled: silently as run": "missing-argument",
    "rolled: hits dice=" + "1 " * 21: "bad-directive",
    "let: a = hits per-band row=b": "bad-directive",
    "index: > a": "bad-directive",
    "index: a >": "bad-directive",
    "chapter: a |": "missing-argument",
    "index: " + "a" * LONGEST_DIRECTIVE: "long-directive",
}


@pytest.mark.parametrize(("body", "code"), BAD.items(), ids=[body[:40] for body in BAD])
def test_bad_directive_is_refused(body: str, code: str) -> None:
    with pytest.raises(BadDirective) as caught:
        parse_directive(body)

    assert caught.value.code == code
    assert str(caught.value)


def test_unknown_verb_suggests_the_nearest() -> None:
    with pytest.raises(BadDirective, match="did you mean 'value'"):
        parse_directive("valeu: hits")
