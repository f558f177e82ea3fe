"""Owns the check of `available`, and its translation: a value that a table has not for a node.

Does not count: what holds for one node of a sort holds for all. A blank cell says nothing.
"""

from __future__ import annotations

from generator.armies.checks.scope import Fault, Place
from generator.armies.pricing import cell
from generator.armies.solving import Linear
from generator.armies.sort import Sort
from generator.armies.vocabulary import AvailableRule, FromField, FromTable
from generator.armies.words import join, sentence
from generator.values import DASH


def available(rule: AvailableRule, sort: Sort) -> Fault | None:
    """Check one sort: the cell that its values name must not be a dash.

    The value at fault is the one that names the column, or the row where no field names that.

    Raises:
        MusterError: If there is no such cell.
    """
    if not sort.is_a(rule.of) or cell(sort, rule.cell) is not DASH:
        return None
    across = isinstance(rule.cell.column, FromField)
    named = rule.cell.column if across else rule.cell.row
    name = named.field if isinstance(named, FromField) else ""
    spec = sort.spec(name) or sort.composition.spec(name)
    titles = spec.of if spec else {}
    allowed = [titles.get(each, label) for each, label in _others(rule.cell, sort, across=across)]
    rolled = spec is not None and spec.roll is not None
    leave = "leave it out and roll" if rolled and allowed else "leave it out"
    said = join(allowed, "or")
    return Fault(
        allowed=said or "none",
        actual=sort.shown(name),
        remedy=sentence(f"take {'one of ' * (len(allowed) > 1)}{said}" if allowed else "", leave),
        key=name if name in sort.fields else "",
    )


def _others(reference: FromTable, sort: Sort, *, across: bool) -> list[tuple[str, str]]:
    """List id and label of what the table has in the same row, or in the same column."""
    table = sort.composition.system.table(reference.table)
    choices = table.columns if across else table.rows
    key = "column" if across else "row"
    return [
        (each.id, each.label)
        for each in choices
        if cell(sort, reference.model_copy(update={key: each.id})) is not DASH
    ]


def available_demand(rule: AvailableRule, place: Place) -> None:
    """State for a solver that who is meant has none of the values whose cell is a dash."""
    meant = place.meant(rule.of)
    for when, (cell_there,) in place.cells([rule.cell]):
        if cell_there is DASH:
            place.demand(Linear(1), [(0, 0)], (meant, *when))
