"""Price an army and show the arithmetic.

A price is a sum of terms, each a number from a table or a field times a number of figures. It stays
that simple on purpose: the solver turns the same terms into linear rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal

from muster.armies.army import Army, NodeKind
from muster.armies.composition import UnknownCellError
from muster.armies.fields import FieldValue, as_number, format_number, lower_first
from muster.armies.findings import Price, PriceLine
from muster.armies.vocabulary import Option, PriceTerm, TableCellReference
from muster.languages import say
from muster.tables.references import AttributeReference, cell_keys
from muster.values import Cost, Count, InexactCostError, Modifier, Number, Value
from muster.values.quantity import number_in

ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class KindPrice:
    """The price of one node: the known points, the names of what is missing, and the arithmetic.

    `simple` is whether the arithmetic is one product or number, which needs no brackets when it is
    multiplied.
    """

    known: Decimal
    missing: tuple[str, ...]
    working: str
    simple: bool


@dataclass(frozen=True, slots=True)
class _PriceOfKind:
    """The price of a kind of node, if points are paid for it, as its cache keeps it."""

    price: KindPrice | None


@dataclass(frozen=True, slots=True)
class _PricedTerm:
    """A term whose points are known: `amount` points for each `every` of the `quantity`.

    The quantity is None where the term counts once.
    """

    amount: Decimal
    quantity: Decimal | None
    every: Decimal
    points: Decimal


def price(army: Army) -> Price:
    """Return the price of an army, with a line for each node that points are paid for.

    A line with something missing has no points; what is known of it is in the total.

    Raises:
        MusterError: If a price names a cell that is not there.
    """
    if not army.composition.has_prices:
        return Price(None)
    lines: list[PriceLine] = []
    missing: list[str] = []
    total = ZERO
    nodes = list(army.root.children)
    nodes.reverse()
    while nodes:
        node = nodes.pop()
        if node.children:
            nodes.extend(reversed(node.children))
        kind_price = price_of_kind(node.kind)
        if kind_price is None:
            continue
        count = node.count
        known = kind_price.known if count == 1 else kind_price.known * count
        total += known
        working = _line_working(kind_price, count)
        if kind_price.missing:
            missing.extend(
                say("the {price} of {unit}", price=name, unit=node.label)
                for name in kind_price.missing
            )
            lines.append(PriceLine(node, count, None, None, known, working))
        else:
            lines.append(PriceLine(node, count, kind_price.known, known, known, working))
    return Price(total, tuple(lines), tuple(missing))


def _line_working(price: KindPrice, count: int) -> str:
    """Return the arithmetic for `count` nodes of one price: `2 × 4 × 3 = 24`."""
    if count == 1:
        return price.working
    if price.missing:
        return f"{count} × ({price.working})"
    working = price.working.rsplit(" = ", 1)[0]
    inner = working if price.simple else f"({working})"
    return f"{count} × {inner} = {format_number(price.known * count)}"


def price_of_kind(kind: NodeKind) -> KindPrice | None:
    """Return the price of one node of a kind; None if no points are paid for it.

    Raises:
        MusterError: If a price names a cell that is not there.
    """
    return kind.cache.get_or_make(_PriceOfKind, _find_price, kind).price


def _find_price(kind: NodeKind) -> _PriceOfKind:
    return _PriceOfKind(_calculate_price(kind))


def known_price(kind: NodeKind) -> Decimal:
    """Return the known points of one node of a kind; 0 if points are not paid for it."""
    kind_price = price_of_kind(kind)
    return kind_price.known if kind_price is not None else ZERO


def counted_options(kind: NodeKind, names: Collection[str]) -> list[Option]:
    """Return the options of one node that are among some, or all of them if none is named."""
    return [option for option in kind.options if not names or option.id in names]


def known_option_points(kind: NodeKind, names: Collection[str]) -> Decimal:
    """Return the known points of one node's options, of some or of all if none is named.

    Raises:
        MusterError: If a price names a cell that is not there.
    """
    total = ZERO
    for option in counted_options(kind, names) if kind.entry is not None else ():
        for term in option.price:
            each = _price_of_each(kind, term) if _applies(term, kind) else None
            amount = amount_of(each)
            if amount is not None:
                total += _points(each, amount, _quantity(kind, term)) or ZERO
    return total


def _calculate_price(kind: NodeKind) -> KindPrice | None:
    if kind.entry is None:
        return None
    terms = [term for term in _terms(kind) if _applies(term, kind)]
    if not terms:
        return None
    priced: list[_PricedTerm] = []
    missing: list[str] = []
    free = True
    for term in terms:
        each = _price_of_each(kind, term)
        quantity = _quantity(kind, term)
        amount = amount_of(each)
        if amount is None:
            missing.append(lower_first(term.label or say("price")))
        elif (points := _points(each, amount, quantity)) is None:
            label = lower_first(term.label or say("price"))
            missing.append(say("inexact {price}", price=label))
        else:
            free = free and isinstance(each, Cost) and each.free
            every = each.every if isinstance(each, Cost) else Decimal(1)
            priced.append(_PricedTerm(amount, quantity, every, points))
    known = sum((term.points for term in priced), ZERO)
    if missing:
        # If a price is missing, terms for none of something only lengthen the arithmetic.
        priced = [term for term in priced if term.quantity != 0]
    working = _format_working(priced)
    outside_brackets = _without_brackets(working)
    simple = " + " not in outside_brackets and " − " not in outside_brackets
    if _has_operator(working):
        working = f"{working} = {format_number(known)}"
    if missing:
        prices = say(" and the ").join(missing)
        without = say("without the {prices}", prices=prices)
        text = f"{working}, {without}" if working else without
        return KindPrice(known, tuple(missing), text, simple=False)
    if free:
        return KindPrice(known, (), say("free"), simple=True)
    return KindPrice(known, (), working, simple)


def _terms(kind: NodeKind) -> Iterator[PriceTerm]:
    if kind.entry is not None:
        yield from kind.entry.price
    for option in kind.options:
        yield from option.price


def _applies(term: PriceTerm, kind: NodeKind) -> bool:
    return all(kind.text(name) in texts for name, texts in term.where.items())


def _price_of_each(kind: NodeKind, term: PriceTerm) -> FieldValue | None:
    if isinstance(term.each, AttributeReference):
        return kind.value(term.each.field)
    return resolve_cell(kind, term.each)


def resolve_cell(kind: NodeKind, reference: TableCellReference) -> Value | None:
    """Return the cell that a reference names for a kind; None if a field in it is empty.

    Raises:
        UnknownCellError: If there is no such cell.
        MusterError: If the table cannot be read.
    """
    keys = cell_keys(reference.row, reference.column, lambda named: kind.text(named.field))
    if keys is None:
        return None
    try:
        return kind.composition.cell(reference.table, *keys)
    except UnknownCellError as error:
        error.field, error.text = _value_without_cell(kind, reference)
        raise


_MAX_KEYS_SHOWN = 12


def _value_without_cell(kind: NodeKind, reference: TableCellReference) -> tuple[str, str]:
    """Return the open field whose value names no row or column, and what was expected of it."""
    table = kind.composition.system.table(reference.table)
    for what, key, parts in (
        ("rows", reference.row, table.rows),
        ("columns", reference.column, table.columns),
    ):
        if isinstance(key, AttributeReference) and key.field in kind.composition.open_keys:
            read, known = kind.text(key.field), [part.id for part in parts]
            if read not in known:
                more = len(known) - _MAX_KEYS_SHOWN
                listed = ", ".join(known[:_MAX_KEYS_SHOWN]) + (
                    f" and {more} more" if more > 0 else ""
                )
                text = (
                    f"read {read[:40]!r}, expected one of {listed}, the {what} of “{table.title}”"
                )
                return key.field, text
    return "", ""


def amount_of(each: FieldValue | None) -> Decimal | None:
    """Return a price as a bare number, whatever it is paid for; None if it holds none."""
    if isinstance(each, int | Decimal) and not isinstance(each, bool):
        return Decimal(each)
    if not isinstance(each, Cost | Number | Modifier | Count):
        return None
    number = number_in(each)
    return number if isinstance(number, Decimal) else None


def _quantity(kind: NodeKind, term: PriceTerm) -> Decimal | None:
    """Return how many times a term counts, never below 0; None for once."""
    if term.times is None:
        return None
    return max(Decimal(as_number(kind.value(term.times))) - term.less, ZERO)


def _points(each: FieldValue | None, amount: Decimal, quantity: Decimal | None) -> Decimal | None:
    """Return the exact points; None if there are none, as for 10 cm at 1 per 3 cm."""
    quantity = Decimal(1) if quantity is None else quantity
    if not isinstance(each, Cost):
        return amount * quantity
    try:
        return each.points_for(quantity)
    except InexactCostError:
        return None


def _format_working(terms: list[_PricedTerm]) -> str:
    """Return the arithmetic; terms of one quantity share a bracket, `4 × (3 + 0.25) + 25`."""
    groups: dict[tuple[Decimal | None, Decimal], list[Decimal]] = {}
    for term in terms:
        groups.setdefault((term.quantity, term.every), []).append(term.amount)
    texts: list[str] = []
    for (quantity, every), amounts in groups.items():
        if quantity == 0 and texts:
            continue
        inner = _format_sum(amounts)
        if quantity is None:
            texts.append(inner)
            continue
        factor = format_number(quantity)
        if every != 1:
            factor += f" ÷ {format_number(every)}"
        texts.append(f"{factor} × {inner if len(amounts) == 1 else f'({inner})'}")
    return " + ".join(texts).replace("+ −", "− ")


def _format_sum(amounts: list[Decimal]) -> str:
    text = format_number(amounts[0])
    for amount in amounts[1:]:
        text += f" − {format_number(-amount)}" if amount < 0 else f" + {format_number(amount)}"
    return text


def _has_operator(working: str) -> bool:
    return any(sign in working for sign in ("×", " + ", " − ", "÷"))


def _without_brackets(working: str) -> str:
    """Return the arithmetic without what stands in brackets."""
    depth = 0
    kept = []
    for character in working:
        depth += (character == "(") - (character == ")")
        if depth == 0:
            kept.append(character)
    return "".join(kept)
