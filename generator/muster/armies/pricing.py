"""Price an army and show the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from muster.armies.army import Army, NodeKind
from muster.armies.fields import FieldValue, as_number, format_number, lower_first
from muster.armies.findings import Price, PriceLine
from muster.armies.vocabulary import AttributeReference, PriceTerm, TableCellReference
from muster.values import BLANK, DASH, Cost, Count, InexactCostError, Modifier, Number, Value

ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class KindPrice:
    """The price of one node: what is known of it, what is missing, and how it comes about.

    `simple` says that the arithmetic is one product or number, which needs no bracket.
    """

    known: Decimal
    missing: tuple[str, ...]
    working: str
    simple: bool


@dataclass(frozen=True, slots=True)
class _PricedTerm:
    """A known term: `amount` for `every` so many, `quantity` times (None: once), its points."""

    amount: Decimal
    quantity: Decimal | None
    every: Decimal
    points: Decimal


def price_of_kind(sort: NodeKind) -> KindPrice | None:
    """Price one node of a sort; None if it is nothing that points are paid for.

    Raises:
        MusterError: If a price names a cell that is not there.
    """
    if sort.cached_price is None:
        sort.cached_price = (_work_out_price(sort),)
    found: KindPrice | None = sort.cached_price[0]
    return found


def known_price(kind: NodeKind) -> Decimal:
    """Return the known points of one node of a kind; 0 if points are not paid for it."""
    priced = price_of_kind(kind)
    return priced.known if priced is not None else ZERO


def price(army: Army) -> Price:
    """Price an army, with a line for each node that points are paid for.

    A line without a full price has no points; what is known of it is in the total.
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
        priced = node.kind.cached_price
        found = priced[0] if priced is not None else price_of_kind(node.kind)
        if found is None:
            continue
        count = node.count
        known = found.known if count == 1 else found.known * count
        total += known
        if found.missing:
            missing.extend(f"the {what} of {node.label}" for what in found.missing)
            lines.append(PriceLine(node, count, None, None, known, _line_working(found, count)))
        else:
            lines.append(
                PriceLine(node, count, found.known, known, known, _line_working(found, count))
            )
    return Price(total, tuple(lines), tuple(missing))


def _line_working(found: KindPrice, count: int) -> str:
    if count == 1:
        return found.working
    sums = found.working if not found.missing else f"({found.working})"
    if found.missing:
        return f"{count} × {sums}"
    if found.simple and " = " not in found.working:
        return f"{count} × {found.working} = {format_number(found.known * count)}"
    working = found.working.rsplit(" = ", 1)[0]
    inner = working if found.simple else f"({working})"
    return f"{count} × {inner} = {format_number(found.known * count)}"


def _work_out_price(sort: NodeKind) -> KindPrice | None:
    if sort.entry is None:
        return None
    terms = [term for term in _terms(sort) if all(_filter_matches(sort, term))]
    if not terms:
        return None
    parts: list[_PricedTerm] = []
    missing: list[str] = []
    free = True
    for term in terms:
        each = _term_amount(sort, term)
        quantity = _quantity(sort, term)
        amount = amount_of(each)
        if amount is None:
            missing.append(lower_first(term.label or "price"))
        elif (points := _points(each, amount, quantity)) is None:
            missing.append(f"inexact {lower_first(term.label or 'price')}")
        else:
            free = free and isinstance(each, Cost) and each.free
            every = each.every if isinstance(each, Cost) else Decimal(1)
            parts.append(_PricedTerm(amount, quantity, every, points))
    known = sum((part.points for part in parts), ZERO)
    if missing:
        # What counts nought times says nothing beside what is not known.
        parts = [part for part in parts if part.quantity != 0]
    how = _format_working(parts)
    simple = " + " not in _without_brackets(how) and " − " not in _without_brackets(how)
    if missing:
        short = f"without the {' and the '.join(missing)}"
        sums = f"{how} = {format_number(known)}" if _has_operator(how) else how
        return KindPrice(known, tuple(missing), f"{sums}, {short}" if sums else short, simple=False)
    if free:
        return KindPrice(known, (), "free", simple=True)
    return KindPrice(
        known, (), f"{how} = {format_number(known)}" if _has_operator(how) else how, simple
    )


def _has_operator(how: str) -> bool:
    return any(sign in how for sign in ("×", " + ", " − ", "÷"))


def _without_brackets(how: str) -> str:
    """Leave out what stands in brackets."""
    depth = 0
    kept = []
    for sign in how:
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            kept.append(sign)
    return "".join(kept)


def _terms(sort: NodeKind) -> Iterator[PriceTerm]:
    if sort.entry is not None:
        yield from sort.entry.price
    for option in sort.options:
        yield from option.price


def _filter_matches(sort: NodeKind, term: PriceTerm) -> Iterator[bool]:
    for name, wanted in term.where.items():
        yield sort.text(name) in wanted


def _term_amount(sort: NodeKind, term: PriceTerm) -> FieldValue | None:
    if isinstance(term.each, AttributeReference):
        return sort.value(term.each.field)
    return resolve_cell(sort, term.each)


def resolve_cell(sort: NodeKind, reference: TableCellReference) -> Value | None:
    """Give the cell that a reference means for a sort; None if its field is not filled in.

    Raises:
        MusterError: If there is no such cell.
    """
    names: list[str | None] = []
    for name in (reference.row, reference.column):
        if isinstance(name, AttributeReference):
            found = sort.text(name.field)
            if not found:
                return None
            names.append(found)
        else:
            names.append(name)
    return sort.composition.cell(reference.table, names[0] or "", names[1])


def amount_of(each: FieldValue | None) -> Decimal | None:
    """Give a price as a bare number, whatever it is counted by; None if it is none."""
    if each is None or each is BLANK or each is DASH or isinstance(each, bool):
        return None
    match each:
        case int() | Decimal():
            return Decimal(each)
        case Cost(amount=amount) | Number(amount=amount):
            return amount
        case Modifier(amount=Decimal() as amount) | Count(amount=Decimal() as amount):
            return amount
    return None


def _quantity(sort: NodeKind, term: PriceTerm) -> Decimal | None:
    if term.times is None:
        return None
    return max(Decimal(as_number(sort.value(term.times))) - term.less, ZERO)


def _points(each: FieldValue | None, amount: Decimal, quantity: Decimal | None) -> Decimal | None:
    """Give the exact points; None if they have no end, as for 10 cm at 1 per 3 cm."""
    quantity = Decimal(1) if quantity is None else quantity
    if not isinstance(each, Cost):
        return amount * quantity
    try:
        return each.points_for(quantity)
    except InexactCostError:
        return None


def _format_working(parts: list[_PricedTerm]) -> str:
    """Write the terms: those of one quantity in one bracket, `4 × (3 + 0.25) + 25`."""
    groups: dict[tuple[Decimal | None, Decimal], list[Decimal]] = {}
    for part in parts:
        groups.setdefault((part.quantity, part.every), []).append(part.amount)
    said: list[str] = []
    for (quantity, every), amounts in groups.items():
        if quantity == 0 and said:
            continue
        inner = _format_sum(amounts)
        if quantity is None:
            said.append(inner)
            continue
        factor = (
            format_number(quantity)
            if every == 1
            else f"{format_number(quantity)} ÷ {format_number(every)}"
        )
        said.append(f"{factor} × {inner if len(amounts) == 1 else f'({inner})'}")
    return " + ".join(said).replace("+ −", "− ")


def _format_sum(amounts: list[Decimal]) -> str:
    text = format_number(amounts[0])
    for amount in amounts[1:]:
        text += f" − {format_number(-amount)}" if amount < 0 else f" + {format_number(amount)}"
    return text
