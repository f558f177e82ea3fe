"""Owns prices: what one node of a sort costs, and the arithmetic that shows it.

Does not compare a total with a limit (see `verdict`). Points are exact and never rounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from generator.armies.army import Army
from generator.armies.fields import FieldValue, as_number, plain
from generator.armies.findings import Price, PriceLine
from generator.armies.sort import Sort
from generator.armies.vocabulary import FromField, FromTable, Term
from generator.armies.words import lower
from generator.values import BLANK, DASH, Cost, Count, InexactCostError, Modifier, Number, Value

ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class Tag:
    """The price of one node: what is known of it, what is missing, and how it comes about.

    `simple` says that the arithmetic is one product or number, which needs no bracket.
    """

    known: Decimal
    missing: tuple[str, ...]
    how: str
    simple: bool


@dataclass(frozen=True, slots=True)
class _Part:
    """A known term: `amount` for `every` so many, `quantity` times (None: once), its points."""

    amount: Decimal
    quantity: Decimal | None
    every: Decimal
    points: Decimal


def tag(sort: Sort) -> Tag | None:
    """Price one node of a sort; None if it is nothing that points are paid for.

    Raises:
        MusterError: If a price names a cell that is not there.
    """
    if sort.priced is None:
        sort.priced = (_tag(sort),)
    found: Tag | None = sort.priced[0]
    return found


def price(army: Army) -> Price:
    """Price an army, with a line for each node that points are paid for.

    A line without a full price has no points; what is known of it is in the total.
    """
    if not army.composition.prices:
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
        priced = node.sort.priced
        found = priced[0] if priced is not None else tag(node.sort)
        if found is None:
            continue
        count = node.count
        known = found.known if count == 1 else found.known * count
        total += known
        if found.missing:
            missing.extend(f"the {what} of {node.label}" for what in found.missing)
            lines.append(PriceLine(node, count, None, None, known, _how(found, count)))
        else:
            lines.append(PriceLine(node, count, found.known, known, known, _how(found, count)))
    return Price(total, tuple(lines), tuple(missing))


def _how(found: Tag, count: int) -> str:
    if count == 1:
        return found.how
    sums = found.how if not found.missing else f"({found.how})"
    if found.missing:
        return f"{count} × {sums}"
    if found.simple and " = " not in found.how:
        return f"{count} × {found.how} = {plain(found.known * count)}"
    working = found.how.rsplit(" = ", 1)[0]
    inner = working if found.simple else f"({working})"
    return f"{count} × {inner} = {plain(found.known * count)}"


def _tag(sort: Sort) -> Tag | None:
    if sort.entry is None:
        return None
    terms = [term for term in _terms(sort) if all(_meets(sort, term))]
    if not terms:
        return None
    parts: list[_Part] = []
    missing: list[str] = []
    free = True
    for term in terms:
        each = _each(sort, term)
        quantity = _quantity(sort, term)
        amount = amount_of(each)
        if amount is None:
            missing.append(lower(term.label or "price"))
        elif (points := _points(each, amount, quantity)) is None:
            missing.append(f"inexact {lower(term.label or 'price')}")
        else:
            free = free and isinstance(each, Cost) and each.free
            every = each.every if isinstance(each, Cost) else Decimal(1)
            parts.append(_Part(amount, quantity, every, points))
    known = sum((part.points for part in parts), ZERO)
    if missing:
        # What counts nought times says nothing beside what is not known.
        parts = [part for part in parts if part.quantity != 0]
    how = _working(parts)
    simple = " + " not in _outside(how) and " − " not in _outside(how)
    if missing:
        short = f"without the {' and the '.join(missing)}"
        sums = f"{how} = {plain(known)}" if _worked(how) else how
        return Tag(known, tuple(missing), f"{sums}, {short}" if sums else short, simple=False)
    if free:
        return Tag(known, (), "free", simple=True)
    return Tag(known, (), f"{how} = {plain(known)}" if _worked(how) else how, simple)


def _worked(how: str) -> bool:
    return any(sign in how for sign in ("×", " + ", " − ", "÷"))


def _outside(how: str) -> str:
    """Leave out what stands in brackets."""
    depth = 0
    kept = []
    for sign in how:
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            kept.append(sign)
    return "".join(kept)


def _terms(sort: Sort) -> Iterator[Term]:
    if sort.entry is not None:
        yield from sort.entry.price
    for option in sort.options:
        yield from option.price


def _meets(sort: Sort, term: Term) -> Iterator[bool]:
    for name, wanted in term.where.items():
        yield sort.text(name) in wanted


def _each(sort: Sort, term: Term) -> FieldValue | None:
    if isinstance(term.each, FromField):
        return sort.value(term.each.field)
    return cell(sort, term.each)


def cell(sort: Sort, reference: FromTable) -> Value | None:
    """Give the cell that a reference means for a sort; None if its field is not filled in.

    Raises:
        MusterError: If there is no such cell.
    """
    names: list[str | None] = []
    for name in (reference.row, reference.column):
        if isinstance(name, FromField):
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


def _quantity(sort: Sort, term: Term) -> Decimal | None:
    if term.times is None:
        return None
    return max(Decimal(as_number(sort.value(term.times))) - term.less, ZERO)


def _points(each: FieldValue | None, amount: Decimal, quantity: Decimal | None) -> Decimal | None:
    """Give the exact points; None if they have no end, as for 10 cm at 1 per 3 cm."""
    quantity = Decimal(1) if quantity is None else quantity
    if not isinstance(each, Cost):
        return amount * quantity
    try:
        return each.times(quantity)
    except InexactCostError:
        return None


def _working(parts: list[_Part]) -> str:
    """Write the terms: those of one quantity in one bracket, `4 × (3 + 0.25) + 25`."""
    groups: dict[tuple[Decimal | None, Decimal], list[Decimal]] = {}
    for part in parts:
        groups.setdefault((part.quantity, part.every), []).append(part.amount)
    said: list[str] = []
    for (quantity, every), amounts in groups.items():
        if quantity == 0 and said:
            continue
        inner = _sum(amounts)
        if quantity is None:
            said.append(inner)
            continue
        factor = plain(quantity) if every == 1 else f"{plain(quantity)} ÷ {plain(every)}"
        said.append(f"{factor} × {inner if len(amounts) == 1 else f'({inner})'}")
    return " + ".join(said).replace("+ −", "− ")


def _sum(amounts: list[Decimal]) -> str:
    text = plain(amounts[0])
    for amount in amounts[1:]:
        text += f" − {plain(-amount)}" if amount < 0 else f" + {plain(amount)}"
    return text
