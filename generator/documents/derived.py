"""Owns the working-out of derived values: a closed set of ways, for one unit of one army.

Does not know which values a card shows; `cards.yaml` says that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from generator.documents.measures import Measures, Tables
from generator.systems.derive import (
    Derived,
    Difference,
    Empty,
    FromField,
    FromTable,
    Joined,
    Least,
    Name,
    Number,
    Product,
    RoundedDown,
    ShareOf,
    Sum,
    Words,
)
from generator.tables import NoEntryError
from generator.values import (
    BLANK,
    DASH,
    Cost,
    Count,
    Distance,
    Fraction,
    Modifier,
    Percent,
    Target,
    Text,
    Value,
)
from generator.values import Number as NumberValue

_HAIR = Decimal("1e-9")

Ask = Callable[[str], object]
"""Gives a unit's field, stat or attribute by name; None if it has none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A derived value as printed; `kind` as of `views.Cell`."""

    text: str
    kind: str


def answer(derived: Derived, system: Tables, ask: Ask, chosen: Measures | None = None) -> Answer:
    """Work out a value and make it ready to print, in the unit chosen."""
    match derived:
        case Words(words=words):
            return Answer(words, "text")
        case Joined(join=parts, by=by):
            answers = [answer(part, system, ask, chosen) for part in parts]
            return joined(answers, by)
        case _:
            found = value(derived, system, ask)
            return shown(chosen.value(found) if chosen else found)


def joined(answers: Sequence[Answer], by: str) -> Answer:
    """Join answers; a dash is left out, and an unknown part makes the whole unknown."""
    if any(each.kind == "blank" for each in answers):
        return Answer("", "blank")
    known = [each.text for each in answers if each.kind != "dash"]
    return Answer(by.join(known), "number") if known else Answer("–", "dash")


def shown(found: Value) -> Answer:
    """Make a value ready to print."""
    if found is BLANK:
        return Answer("", "blank")
    if found is DASH:
        return Answer("–", "dash")
    if isinstance(found, Text):
        return Answer(str(found), "text")
    return Answer(found.show(), "signed" if isinstance(found, Modifier | Cost) else "number")


def value(  # noqa: C901, PLR0911 - one short case for each way
    derived: Derived, system: Tables, ask: Ask
) -> Value:
    """Work out a value. An unknown part makes the whole a blank; a dash makes it a dash.

    Raises:
        NoEntryError: If a table has no such row or column.
        MusterError: If there is no such table.
        TypeError: If a part is not a number where one is wanted.
    """
    match derived:
        case FromTable():
            return _from_table(derived, system, ask)
        case FromField(field=name):
            return as_value(ask(name))
        case Number(number=text):
            return NumberValue.parse(text)
        case Words(words=text):
            return Text.parse(text)
        case Empty():
            return BLANK
        case Product(product=parts):
            return _combine(_times, parts, system, ask)
        case Sum(sum=parts):
            return _combine(_plus, parts, system, ask)
        case Difference(less=parts):
            return _combine(_minus, parts, system, ask)
        case Least(least=parts):
            return _combine(min, parts, system, ask)
        case RoundedDown(down=part):
            return _down(value(part, system, ask))
        case ShareOf(share=share, of=whole):
            return _share(value(whole, system, ask), share)
    raise TypeError(type(derived).__name__)


def as_value(raw: object) -> Value:
    """Make a value of a unit's field: None is a dash, a number a number, anything else words."""
    match raw:
        case None | "":
            return DASH
        case bool():
            return Text.parse("yes" if raw else "no")
        case int() | Decimal():
            return NumberValue(Decimal(raw))
        case str():
            return Text.parse(raw)
        case _ if hasattr(raw, "show"):
            return raw
    raise TypeError(type(raw).__name__)


def _name(name: Name | FromTable, tables: Tables, ask: Ask) -> str | None:
    match name:
        case FromField(field=field):
            found = ask(field)
            return None if found is None else str(found)
        case FromTable():
            cell = _from_table(name, tables, ask)
            absent = cell is BLANK or cell is DASH
            return None if absent else str(cell).lower().replace(" ", "-")
        case _:
            return name


def _from_table(derived: FromTable, system: Tables, ask: Ask) -> Value:
    table = system.table(derived.table)
    row = _name(derived.row, system, ask)
    column = None if derived.column is None else _name(derived.column, system, ask)
    if row is None or (derived.column is not None and column is None):
        return DASH
    if not isinstance(derived.row, str) and all(each.id != row for each in table.rows):
        return DASH
    if row not in {each.id for each in table.rows}:
        raise NoEntryError(table.title, row)
    return table.cell(row, column)


def _numbers(values: Sequence[Value]) -> list[Decimal]:
    numbers = []
    for each in values:
        match each:
            case NumberValue(amount=amount) | Modifier(amount=Decimal() as amount):
                numbers.append(amount)
            case Distance(amount=Decimal() as amount):
                numbers.append(amount)
            case Count(amount=Decimal() as amount):
                numbers.append(amount)
            case Target(number=number):
                numbers.append(number)
            case Fraction(exact=exact):
                numbers.append(Decimal(exact.numerator) / exact.denominator)
            case _:
                text = f"expected a plain number to reckon with, found {each}"
                raise TypeError(text)
    return numbers


def _times(a: Decimal, b: Decimal) -> Decimal:
    return a * b


def _plus(a: Decimal, b: Decimal) -> Decimal:
    return a + b


def _minus(a: Decimal, b: Decimal) -> Decimal:
    return a - b


def _combine(
    how: Callable[[Decimal, Decimal], Decimal],
    parts: Sequence[Derived],
    system: Tables,
    ask: Ask,
) -> Value:
    values = [value(part, system, ask) for part in parts]
    if any(each is BLANK for each in values):
        return BLANK
    if any(each is DASH for each in values):
        return DASH
    numbers = _numbers(values)
    total = numbers[0]
    for number in numbers[1:]:
        total = how(total, number)
    # A number needed, and what is added to it, is a number needed.
    if isinstance(values[0], Target) and how in (_plus, _minus):
        return replace(values[0], number=total)
    lengths = [each for each in values if isinstance(each, Distance | Modifier) and each.unit]
    unit = lengths[0].unit if lengths else None
    for length in lengths:
        if length.unit != unit:
            text = f"{lengths[0]} and {length} are in different units"
            raise TypeError(text)
    return NumberValue(total) if unit is None else Distance(total, unit)


def _down(part: Value) -> Value:
    if part is BLANK or part is DASH:
        return part
    exact = _numbers([part])[0]
    # Sevenths and ninths of figures come a hair short of whole numbers as decimals.
    return NumberValue((exact + _HAIR).to_integral_value(ROUND_FLOOR))


def _share(whole: Value, share: str) -> Value:
    if whole is BLANK or whole is DASH:
        return whole
    part = Percent.parse(share).fraction
    exact = _numbers([whole])[0] * part.numerator / part.denominator
    return NumberValue(exact.to_integral_value(ROUND_CEILING))
