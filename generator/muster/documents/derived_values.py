"""The names and derived values that cards and rosters show of a unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from muster.armies import Book, Node
from muster.documents.measures import Measures, TableSource
from muster.systems.layouts import (
    Derivation,
    Difference,
    Empty,
    FieldReference,
    Joined,
    KeyName,
    Least,
    Product,
    RoundedDown,
    ShareOf,
    StatedNumber,
    Sum,
    TableCell,
    Words,
)
from muster.tables import NoEntryError
from muster.values import (
    BLANK,
    DASH,
    Cost,
    Count,
    Distance,
    Fraction,
    Modifier,
    Number,
    Percent,
    Target,
    Text,
    Value,
)

_ROUNDING_TOLERANCE = Decimal("1e-9")

FieldLookup = Callable[[str], object]
"""Gives a unit's field, stat or attribute by name; None if it has none."""


@dataclass(frozen=True, slots=True)
class DerivedCell:
    """A derived value as printed; `kind` as of `views.Cell`."""

    text: str
    kind: str


def derive_cell(
    derived: Derivation, system: TableSource, ask: FieldLookup, chosen: Measures | None = None
) -> DerivedCell:
    """Work out a value and make it ready to print, in the unit chosen."""
    match derived:
        case Words(words=words):
            return DerivedCell(words, "text")
        case Joined(join=parts, by=by):
            answers = [derive_cell(part, system, ask, chosen) for part in parts]
            return join_cells(answers, by)
        case _:
            found = derive_value(derived, system, ask)
            return to_cell(chosen.convert_value(found) if chosen else found)


def join_cells(answers: Sequence[DerivedCell], by: str) -> DerivedCell:
    """Join answers; a dash is left out, and an unknown part makes the whole unknown."""
    if any(each.kind == "blank" for each in answers):
        return DerivedCell("", "blank")
    known = [each.text for each in answers if each.kind != "dash"]
    return DerivedCell(by.join(known), "number") if known else DerivedCell("–", "dash")


def to_cell(found: Value) -> DerivedCell:
    """Make a value ready to print."""
    if found is BLANK:
        return DerivedCell("", "blank")
    if found is DASH:
        return DerivedCell("–", "dash")
    if isinstance(found, Text):
        return DerivedCell(str(found), "text")
    return DerivedCell(found.show(), "signed" if isinstance(found, Modifier | Cost) else "number")


def derive_value(  # noqa: C901, PLR0911 - one short case for each way
    derived: Derivation, system: TableSource, ask: FieldLookup
) -> Value:
    """Work out a value. An unknown part makes the whole a blank; a dash makes it a dash.

    Raises:
        NoEntryError: If a table has no such row or column.
        MusterError: If there is no such table.
        TypeError: If a part is not a number where one is wanted.
    """
    match derived:
        case TableCell():
            return _look_up(derived, system, ask)
        case FieldReference(field=name):
            return field_to_value(ask(name))
        case StatedNumber(number=text):
            return Number.parse(text)
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
            return _round_down(derive_value(part, system, ask))
        case ShareOf(share=share, of=whole):
            return _share_of(derive_value(whole, system, ask), share)
    raise TypeError(type(derived).__name__)


def field_to_value(raw: object) -> Value:
    """Make a value of a unit's field: None is a dash, a number a number, anything else words."""
    match raw:
        case None | "":
            return DASH
        case bool():
            return Text.parse("yes" if raw else "no")
        case int() | Decimal():
            return Number(Decimal(raw))
        case str():
            return Text.parse(raw)
        case _ if hasattr(raw, "show"):
            return raw
    raise TypeError(type(raw).__name__)


def _resolve_name(name: KeyName | TableCell, tables: TableSource, ask: FieldLookup) -> str | None:
    match name:
        case FieldReference(field=field):
            found = ask(field)
            return None if found is None else str(found)
        case TableCell():
            cell = _look_up(name, tables, ask)
            absent = cell is BLANK or cell is DASH
            return None if absent else str(cell).lower().replace(" ", "-")
        case _:
            return name


def _look_up(derived: TableCell, system: TableSource, ask: FieldLookup) -> Value:
    table = system.table(derived.table)
    row = _resolve_name(derived.row, system, ask)
    column = None if derived.column is None else _resolve_name(derived.column, system, ask)
    if row is None or (derived.column is not None and column is None):
        return DASH
    if not isinstance(derived.row, str) and all(each.id != row for each in table.rows):
        return DASH
    if row not in {each.id for each in table.rows}:
        raise NoEntryError(table.title, row)
    return table.cell(row, column)


def _to_decimals(values: Sequence[Value]) -> list[Decimal]:
    numbers = []
    for each in values:
        match each:
            case Number(amount=amount) | Modifier(amount=Decimal() as amount):
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
    parts: Sequence[Derivation],
    system: TableSource,
    ask: FieldLookup,
) -> Value:
    values = [derive_value(part, system, ask) for part in parts]
    if any(each is BLANK for each in values):
        return BLANK
    if any(each is DASH for each in values):
        return DASH
    numbers = _to_decimals(values)
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
    return Number(total) if unit is None else Distance(total, unit)


def _round_down(part: Value) -> Value:
    if part is BLANK or part is DASH:
        return part
    exact = _to_decimals([part])[0]
    # Sevenths and ninths of figures come a hair short of whole numbers as decimals.
    return Number((exact + _ROUNDING_TOLERANCE).to_integral_value(ROUND_FLOOR))


def _share_of(whole: Value, share: str) -> Value:
    if whole is BLANK or whole is DASH:
        return whole
    part = Percent.parse(share).fraction
    exact = _to_decimals([whole])[0] * part.numerator / part.denominator
    return Number(exact.to_integral_value(ROUND_CEILING))


def node_name(node: Node) -> str:
    """Name a command: by its own name, else by its leader's, else by what it is."""
    if node.name or not node.is_branch:
        return node.name or node.title
    leader = next((child.name for child in node.children if child.level == "leader"), "")
    return f"{node.title} of {leader}" if leader else node.title


def unit_type_name(node: Node, *, cited: bool = False) -> str:
    """Name a unit's type, and say if its book only suggests it.

    Args:
        node: The unit.
        cited: Say, too, which lines of the source its profile rests on.
    """
    profile = node.profile
    if profile is None:
        return node.entry_title
    marks = [*["suggested"] * profile.suggested, *[profile.source] * bool(cited and profile.source)]
    return f"{node.entry_title} ({', '.join(marks)})" if marks else node.entry_title


def book_title(book: Book | None) -> str:
    """Name a book, and say if its values are our own invention; empty without a book."""
    if book is None:
        return ""
    return f"{book.title} (sample values)" if book.sample else book.title
