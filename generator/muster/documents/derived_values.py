"""The names and derived values that cards and rosters show of a unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from muster.armies import Army, Book, Node
from muster.armies.fields import join_words, lower_first, upper_first, with_noun
from muster.armies.nouns import entry_nouns
from muster.armies.vocabulary import LEADER
from muster.documents.measures import Measures, TableSource
from muster.languages import say, say_number
from muster.systems.layouts import (
    Combination,
    Derivation,
    Empty,
    Joined,
    RoundedDown,
    ShareOf,
    StatedNumber,
    TableCell,
    Words,
)
from muster.tables import NoEntryError
from muster.tables.references import AttributeReference, cell_keys
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
from muster.values.quantity import BadQuantity, Quantity, calculate, number_in, quantity_of

FieldLookup = Callable[[str], object]
"""Returns a unit's field, stat or attribute by name; None if it has none."""


@dataclass(frozen=True, slots=True)
class DerivedCell:
    """A derived value as printed; `kind` is the one of a cell in `table_view`."""

    text: str
    kind: str
    result: str = ""
    """The end of the text that is what the rest comes to; empty if there is none."""

    @property
    def is_filled(self) -> bool:
        """Whether it says more than a dash; a blank does, since it is a box to be filled in."""
        return self.kind == "blank" or self.text not in {"", "–"}


def derive_cell(
    derivation: Derivation,
    tables: TableSource,
    field: FieldLookup,
    measures: Measures | None = None,
) -> DerivedCell:
    """Return a value ready to print, in the unit of `measures`, else in that of the rules.

    Raises:
        NoEntryError: If a table has no such row or column.
        MusterError: If there is no such table.
        TypeError: If a part that is calculated with is not a number.
    """
    match derivation:
        case Words(words=words):
            return DerivedCell(words, "text")
        case Joined(join=parts):
            cells = [derive_cell(part, tables, field, measures) for part in parts]
            return join_cells(cells, derivation)
        case _:
            value = derive_value(derivation, tables, field)
            return to_cell(measures.convert_value(value) if measures else value)


def join_cells(cells: Sequence[DerivedCell], written: Joined) -> DerivedCell:
    """Return several cells as one; a blank makes the whole blank, and nothing but dashes a dash."""
    if any(cell.kind == "blank" for cell in cells):
        return DerivedCell("", "blank")
    if all(cell.kind == "dash" for cell in cells):
        return DerivedCell("–", "dash")
    texts = [cell.text for cell in cells if written.dashes or cell.kind != "dash"]
    last = texts[-1] if written.result and len(texts) > 1 else ""
    return DerivedCell(written.by.join(texts), "number", last)


def to_cell(value: Value) -> DerivedCell:
    """Return a value ready to print."""
    if value is BLANK:
        return DerivedCell("", "blank")
    if value is DASH:
        return DerivedCell("–", "dash")
    if isinstance(value, Text):
        return DerivedCell(str(value), "text")
    return DerivedCell(value.show(), "signed" if isinstance(value, Modifier | Cost) else "number")


def derive_value(  # noqa: PLR0911 - one case for each kind of derivation
    derivation: Derivation, tables: TableSource, field: FieldLookup
) -> Value:
    """Return the value of a derivation. A blank part makes it blank, else a dash makes it a dash.

    Raises:
        NoEntryError: If a table has no such row or column.
        MusterError: If there is no such table.
        TypeError: If a part that is calculated with is not a number.
    """
    match derivation:
        case TableCell():
            return _look_up(derivation, tables, field)
        case AttributeReference(field=name):
            return field_to_value(field(name))
        case StatedNumber(number=text):
            return Number.parse(text)
        case Words(words=text):
            return Text.parse(text)
        case Empty():
            return BLANK
        case Combination(parts=parts):
            return _combine(derivation, [derive_value(part, tables, field) for part in parts])
        case RoundedDown(down=part):
            return _round_down(derive_value(part, tables, field))
        case ShareOf(share=share, of=whole):
            return _share_of(derive_value(whole, tables, field), share)
    raise TypeError(type(derivation).__name__)


def field_to_value(field: object) -> Value:
    """Return the value of a unit's field: None is a dash, a number a number, a text a text.

    Raises:
        TypeError: If it is of any other type and not a value.
    """
    match field:
        case None | "":
            return DASH
        case bool():
            return Text.parse(say("yes") if field else say("no"))
        case int() | Decimal():
            return Number(Decimal(field))
        case str():
            return Text.parse(field)
        case _ if hasattr(field, "show"):
            return field
    raise TypeError(type(field).__name__)


def _look_up(reference: TableCell, tables: TableSource, field: FieldLookup) -> Value:
    """Return a cell; a dash where a field that names it is empty, or names no row."""

    def text_of(named: AttributeReference | TableCell) -> str | None:
        if isinstance(named, AttributeReference):
            value = field(named.field)
            return None if value is None else str(value)
        cell = _look_up(named, tables, field)
        absent = cell is BLANK or cell is DASH
        return None if absent else str(cell).lower().replace(" ", "-")

    table = tables.table(reference.table)
    keys = cell_keys(reference.row, reference.column, text_of)
    if keys is None:
        return DASH
    row, column = keys
    if all(each.id != row for each in table.rows):
        if not isinstance(reference.row, str):
            return DASH
        raise NoEntryError(table.title, row)
    return table.cell(row, column)


def _combine(combination: Combination, values: Sequence[Value]) -> Value:
    if any(value is BLANK for value in values):
        return BLANK
    if any(value is DASH for value in values):
        return DASH
    quantities = [_quantity(value) for value in values]
    lengths = [value for value in values if isinstance(value, Distance | Modifier) and value.unit]
    for length in lengths:
        if length.unit != lengths[0].unit:
            text = f"{lengths[0]} and {length} are in different units"
            raise TypeError(text)
    try:
        result = calculate(combination.operation, quantities)
    except BadQuantity as error:
        raise TypeError(str(error)) from None
    # A number needed on a die, such as 4+, stays one when a number is added to it.
    if isinstance(values[0], Target) and combination.operation in {"sum", "less"}:
        return replace(values[0], number=result.amount)
    return result.as_value()


def _round_down(value: Value) -> Value:
    if value is BLANK or value is DASH:
        return value
    return Number(calculate("sum", [_quantity(value)], "down").amount)


def _share_of(whole: Value, share: str) -> Value:
    """Return a share of a number, rounded up."""
    if whole is BLANK or whole is DASH:
        return whole
    operands = [_quantity(whole), Quantity(Percent.parse(share).fraction)]
    return Number(calculate("product", operands, "up").amount)


def _quantity(value: Value) -> Quantity:
    """Return a value as a quantity to calculate with; costs, percentages and bands have none.

    Raises:
        TypeError: If the value has no quantity.
    """
    calculable = isinstance(value, Number | Modifier | Distance | Count | Target | Fraction)
    if not calculable or number_in(value) is None:
        text = f"expected a number to calculate with, read {value}"
        raise TypeError(text)
    return quantity_of(value)


def node_name(node: Node) -> str:
    """Return what a node is called: its own name, else its leader's, else what it is.

    A command without a name is called by what it holds, such as `3 line battalions`.
    """
    if node.name or not node.is_branch:
        return node.name or node.title
    leader = next((child.name for child in node.children if child.level == LEADER), "")
    return (
        say("{command} of {leader}", command=node.title, leader=leader)
        if leader
        else _contents_name(node)
    )


_MOST_NOUNS = 2
"""The most kinds of unit that the name of a command lists."""


def _contents_name(branch: Node) -> str:
    """Return what a command holds: `3 line battalions`, `Hussars and cuirassiers`.

    Of more kinds of unit it is their types, of more types the number of units.
    """
    units = [node for node in branch.walk() if node.entry is not None and node.level != LEADER]
    number = sum(unit.count for unit in units)
    titles = list(dict.fromkeys(_noun_in_sentence(unit) for unit in units))
    entry = units[0].entry if units and units[0].profile is None else None
    if len(titles) == 1 and number > 1 and entry is not None:
        one, many = entry_nouns(entry)
        many = many if many != one else say("units of {kind}", kind=many)
        return with_noun(number, one, many)
    if len(titles) > _MOST_NOUNS:
        titles = list(dict.fromkeys(lower_first(unit.entry_title) for unit in units))
    if 0 < len(titles) <= _MOST_NOUNS:
        return upper_first(join_words(titles))
    if not number:
        return branch.title
    return say_number(
        "{command} of {n} unit", "{command} of {n} units", number, command=branch.title
    )


def _noun_in_sentence(unit: Node) -> str:
    """Return the title of a unit for the middle of a sentence; a nation keeps its capital."""
    nation = unit.kind.shown("nation")
    return unit.title if nation and unit.title.startswith(nation) else lower_first(unit.title)


def unit_type_name(node: Node) -> str:
    """Return what a unit is: beside a name of its own the title that its book gives it, too."""
    title = node.title if node.name else ""
    if not title or title == node.entry_title:
        return node.entry_title
    return f"{title}, {lower_first(node.entry_title)}"


def nation_title(army: Army) -> str:
    """Return whose army it is: its books, else its nations; empty if none is named."""
    return join_words(nation_titles(army))


def nation_titles(army: Army) -> list[str]:
    """Return the titles of an army's books, else its nations.

    The army's own comes first, then those of its commands and units. Units count only if every
    one of them has a nation: the one gun that says that it is captured does not name the army.
    """
    titles = [book_title(node.book) for node in army.nodes() if node.book is not None]
    if not titles:
        nations = [node.kind.shown("nation") for node in army.units()]
        above = [node.kind.shown("nation") for node in army.nodes() if node.is_branch]
        titles = list(map(upper_first, above + (nations if all(nations) else [])))
    return list(dict.fromkeys(title for title in titles if title))


def unit_nation(node: Node, army_nation: str) -> str:
    """Return the nation of a unit if it is another than that of its command, or of the army.

    A book says it for its units.

    Args:
        node: The unit.
        army_nation: The first of the `nation_titles` of the army.
    """
    nation = "" if node.book else upper_first(node.kind.shown("nation"))
    above = upper_first(node.kind.parent.shown("nation")) if node.kind.parent else ""
    return "" if nation in {above, army_nation} else nation


def book_title(book: Book | None) -> str:
    """Return a book's title, marked if its values are our own invention; empty without a book."""
    if book is None:
        return ""
    return say("{book} (sample values)", book=book.title) if book.sample else book.title
