"""Turn conditions of BattleScribe data into conditions of Muster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, NamedTuple

from muster.exchange.battlescribe import LIMIT, EntryModifier, UnsupportedError, number_of
from muster.exchange.battlescribe_parts import ARMY, FORCE, KIND, UNIT, Collected, UnitDraft
from muster.exchange.safe_xml import Element
from muster.values.number import plain_number

_MAX_DEPTH = 8
_MOST_CONDITIONS = 20

Condition = dict[str, Any]
"""A condition, as `composition.yaml` writes it."""


class Context(NamedTuple):
    """What a constraint stands in: its unit, if any, and the scope in which it counts."""

    draft: UnitDraft | None
    within: str


class ConditionReader:
    """Says conditions in the words of Muster."""

    def __init__(self, collected: Collected) -> None:
        self.collected = collected

    def condition_of(self, modifier: EntryModifier, context: Context) -> Condition | bool:
        """Return all conditions of a modifier as one; True or False where that is known.

        Raises:
            UnsupportedError: If one of them cannot be said.
        """
        if modifier.repeats:
            raise UnsupportedError("it repeats for each of something")
        made = [self._condition(each, context, 0) for each in modifier.conditions]
        return _joined(made, every=True)

    def _condition(self, element: Element, context: Context, depth: int) -> Condition | bool:
        if depth > _MAX_DEPTH:
            raise UnsupportedError("its conditions are nested too deep")
        if element.name == "conditionGroup":
            inner = [
                *element.all("conditions", "condition"),
                *element.all("conditionGroups", "conditionGroup"),
            ]
            made = [self._condition(each, context, depth + 1) for each in inner]
            return _joined(made, every=element.get("type") != "or")
        if element.get("percentValue") == "true":
            raise UnsupportedError("it counts a percentage")
        kind = element.get("type")
        if kind in {"instanceOf", "notInstanceOf"}:
            return self._instance(element, context, expected=kind == "instanceOf")
        value = number_of(element)
        if element.get("field") == f"{LIMIT}{self.collected.points}":
            return _limit_condition(kind, value)
        if element.get("field") == "forces":
            return self._forces(element.get("childId"), kind, value)
        return self._count(element, context, kind, value)

    def _count(
        self, element: Element, context: Context, kind: str, value: Decimal
    ) -> Condition | bool:
        """Return a condition on a count of selections, or of their points."""
        field = element.get("field")
        counted = self.selector(element.get("childId"), context)
        if counted is None:
            return _compare(kind, Decimal(0), value)
        if field == self.collected.points and field:
            if "sum" in counted or {"entry", "where"} <= counted["of"].keys():
                raise UnsupportedError("it counts the points of what stands in units")
            counted["by"] = "option-points" if counted.get("by") == "options" else "points"
        elif field != "selections":
            raise UnsupportedError(f"it counts {field!r}")
        within = self.within(element, context)
        if within is not None:
            counted["within"] = within
        return _ranged(counted, kind, value)

    def _forces(self, child: str, kind: str, value: Decimal) -> Condition | bool:
        """Return a condition on how many forces of a kind there are."""
        key = self.collected.forces.get(child)
        if key is None:
            raise UnsupportedError("it counts forces that are not of the system")
        if not self.collected.has_forces:
            return _compare(kind, Decimal(1), value)
        of = {"level": FORCE, "where": {KIND: [key]}}
        return _ranged({"of": of, "within": ARMY}, kind, value)

    def within(self, element: Element, context: Context) -> str | None:
        """Return the scope of a count; None if it is that of the constraint itself."""
        scope = element.get("scope")
        if scope in {"force", "roster"}:
            found = self.collected.scope_of(scope)
        elif scope in self.collected.forces:
            found = self.collected.scope_of("force")
        elif context.within == UNIT or (scope in {"parent", "self"} and context.draft is None):
            own = {"parent", "self", "ancestor", "unit", "root-entry"}
            ids = set(context.draft.selection.ids) if context.draft else set()
            if scope not in own | ids:
                raise UnsupportedError(f"it counts in the scope {scope!r}")
            found = context.within
        elif scope == "parent":
            found = self.collected.scope_of("force")
        else:
            raise UnsupportedError(f"it counts in the scope {scope!r}")
        order = [UNIT, FORCE, ARMY]
        if order.index(found) < order.index(context.within):
            raise UnsupportedError("it counts in a narrower scope than the limit holds for")
        return None if found == context.within else found

    def _instance(self, element: Element, context: Context, *, expected: bool) -> Condition | bool:
        """Return whether something is of a sort: known of a unit, else a condition."""
        child, scope = element.get("childId"), element.get("scope")
        if child in self.collected.forces:
            if not self.collected.has_forces:
                return expected
            of = {"level": FORCE, "where": {KIND: [self.collected.forces[child]]}}
            wanted = {"min": 1} if expected else {"max": 0}
            within = {} if context.within == FORCE else {"within": ARMY}
            if context.within == UNIT:
                within = {"within": FORCE}
            return {"of": of, **within, **wanted}
        if child in self.collected.books:
            of = {"level": ARMY, "where": {"book": [self.collected.books[child]]}}
            return {"of": of, "within": ARMY, **({"min": 1} if expected else {"max": 0})}
        if context.draft is not None and scope in {
            "self",
            "parent",
            "ancestor",
            "unit",
            "root-entry",
        }:
            own = {*context.draft.selection.ids, context.draft.selection.kind}
            own |= {link.get("targetId") for link in context.draft.selection.categories()}
            known = (
                child in own or child in self.collected.units or child in self.collected.categories
            )
            if known or child in {"unit", "model", "upgrade"}:
                return (child in own) == expected
        raise UnsupportedError(f"it asks whether {scope!r} is {self.title(child)}")

    def selector(self, child: str, context: Context) -> dict[str, Any] | None:
        """Return what a count names by an id: units, a category, or what stands in units.

        Returns:
            The keys of a count; None for a category that no unit has, of which there are none.

        Raises:
            UnsupportedError: If the files have no such thing.
        """
        collected = self.collected
        if child in {"any", "unit", "model"}:
            if context.within == UNIT or child == "model":
                raise UnsupportedError(f"it counts every {child!r}")
            return {"of": {"level": UNIT}}
        if child in collected.units:
            return {"of": {"entry": sorted(collected.units[child])}}
        if child in collected.categories:
            where = collected.category_selector(child)
            return None if where is None else {"of": where}
        places = collected.places.get(child, [])
        if context.within == UNIT and context.draft is not None:
            places = [place for place in places if place[0] is context.draft] or places
        counted = None
        if places and all(part is not None for _, part in places):
            counted = collected.counted([(d, part) for d, part in places if part is not None])
        if counted is None:
            raise UnsupportedError(f"it counts {self.title(child)}, which is no one choice here")
        return counted

    def title(self, key: str) -> str:
        """Return the name of what has an id, in quotation marks."""
        element = self.collected.data.by_id.get(key)
        return f"“{element.get('name')}”" if element is not None else repr(key)


def whole(value: Decimal | None, *, up: bool) -> int | None:
    """Return a number as a whole one, rounded up or down; None for none."""
    if value is None:
        return None
    return int(value.to_integral_value(ROUND_CEILING if up else ROUND_FLOOR))


def any_of(conditions: Sequence[Condition]) -> Any:
    """Return conditions as one that holds where any of them does; None without any."""
    return {"any": list(conditions)} if len(conditions) > 1 else next(iter(conditions), None)


def _joined(conditions: Sequence[Condition | bool], *, every: bool) -> Condition | bool:
    """Return several conditions as one, of which every one must hold, or any."""
    open_ones = [each for each in conditions if isinstance(each, dict)]
    if len(open_ones) > _MOST_CONDITIONS:
        raise UnsupportedError(f"it has more than {_MOST_CONDITIONS} conditions")
    known = [each for each in conditions if isinstance(each, bool)]
    if every and not all(known):
        return False
    if not every and any(known):
        return True
    if not open_ones:
        return every
    if len(open_ones) == 1:
        return open_ones[0]
    return {"all" if every else "any": open_ones}


_COMPARISONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "atLeast": lambda number, value: number >= value,
    "atMost": lambda number, value: number <= value,
    "greaterThan": lambda number, value: number > value,
    "lessThan": lambda number, value: number < value,
    "equalTo": lambda number, value: number == value,
    "notEqualTo": lambda number, value: number != value,
}


def _compare(kind: str, number: Decimal, value: Decimal) -> bool:
    if kind not in _COMPARISONS:
        raise UnsupportedError(f"it compares by {kind!r}")
    return _COMPARISONS[kind](number, value)


def _ranged(counted: dict[str, Any], kind: str, value: Decimal) -> Condition | bool:
    """Return a condition on a count of whole numbers; True or False where that is known."""
    low, high = whole(value, up=True) or 0, whole(value, up=False) or 0
    ranges: dict[str, tuple[int | None, int | None]] = {
        "atLeast": (low, None),
        "greaterThan": (high + 1, None),
        "atMost": (None, high),
        "lessThan": (None, low - 1),
    }
    if kind in {"equalTo", "notEqualTo"}:
        if low != high:
            return kind == "notEqualTo"
        ranges["equalTo"] = (low, low)
        if kind == "notEqualTo":
            sides = [_range(counted, None, low - 1), _range(counted, low + 1, None)]
            return _joined(sides, every=False)
    if kind not in ranges:
        raise UnsupportedError(f"it compares by {kind!r}")
    return _range(counted, *ranges[kind])


def _range(counted: dict[str, Any], low: int | None, high: int | None) -> Condition | bool:
    if high is not None and high < 0:
        return False
    if high is None and (low is None or low <= 0):
        return True
    ends = {"min": low} if low is not None and low > 0 else {}
    return {**counted, **ends, **({} if high is None else {"max": high})}


def _limit_condition(kind: str, value: Decimal) -> Condition:
    number = plain_number(value)
    bands = {
        "atLeast": f"{number}+",
        "atMost": f"up to {number}",
        "greaterThan": f"over {number}",
        "lessThan": f"under {number}",
        "equalTo": number,
    }
    if kind == "notEqualTo":
        return {"any": [{"limit": f"under {number}"}, {"limit": f"over {number}"}]}
    if kind not in bands:
        raise UnsupportedError(f"it compares the limit by {kind!r}")
    return {"limit": bands[kind]}
