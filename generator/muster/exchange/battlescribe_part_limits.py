"""Turn limits on the parts of BattleScribe units into constraints of Muster."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from muster.exchange.battlescribe import LinkedEntry
from muster.exchange.battlescribe_conditions import Condition, Context, whole
from muster.exchange.battlescribe_constraints import ConstraintWriter, Counted
from muster.exchange.battlescribe_parts import (
    LABEL,
    UNIT,
    Bound,
    Bounds,
    Holder,
    Part,
    UnitDraft,
    counted_keys,
    times,
)


class PartLimits:
    """Adds what limits the options, choices and numbers of units."""

    def __init__(self, writer: ConstraintWriter) -> None:
        self.writer = writer
        self.collected = writer.collected
        self.data = writer.data

    def bound_parts(
        self,
        draft: UnitDraft,
        selection: LinkedEntry,
        parts: Sequence[Part],
        holder: Holder,
        bounds: Bounds,
        constant: int,
    ) -> None:
        """Say how many of some parts a unit may have, in what they stand in.

        Args:
            draft: The unit.
            selection: The entry or group that they are.
            parts: The parts.
            holder: What they stand in.
            bounds: How many each of these may have.
            constant: How many each has in any case, besides the parts.
        """
        counted = self._counted(draft, selection, parts)
        if counted is None:
            self.data.omit(
                "group", "a limit on options and numbers together is left out", selection
            )
            return
        if holder.part is None:

            def scaled(value: Decimal) -> Decimal:
                # Below 0 a maximum is none at all, and so must not become one here.
                return value if value < 0 else max(value * holder.times - constant, Decimal(0))

            least, most = (times(bound, scaled) for bound in (bounds.least, bounds.most))
            ready = _without_needless(Bounds(least, most), parts)
            self.writer.add_count(counted, ready, Context(draft, UNIT), selection)
            return
        if bounds.least.changes or bounds.most.changes:
            text = "a modifier of a limit within an option or a number is left out"
            self.data.omit("modifier", text, selection)
        low = (whole(bounds.least.value, up=True) or 0) * holder.times - constant
        high = whole(bounds.most.value, up=False)
        high = None if high is None else high * holder.times - constant
        if holder.part.kind == "field":
            self._bound_by_number(draft, counted, holder.part, low, high)
            return
        if not selection.is_group:
            self._demand_holder(draft, selection, parts[0], holder.part)
        ends = Bounds(Bound(Decimal(low)), Bound(None if high is None else Decimal(high)))
        when = [self._chosen(draft, holder.part)]
        ready = _without_needless(ends, parts)
        self.writer.add_count(counted, ready, Context(draft, UNIT), selection, when)

    def _counted(
        self, draft: UnitDraft, selection: LinkedEntry, parts: Sequence[Part]
    ) -> Counted | None:
        keys = counted_keys([(draft, part) for part in parts])
        if keys is None:
            return None
        if len(parts) > 1:
            keys |= _noun(selection.name)
        name = f"{draft.id}-{selection.name}"
        return Counted(name, f"{draft.title}, {selection.name}", keys)

    def _chosen(self, draft: UnitDraft, part: Part) -> Condition:
        """Return the condition that a unit has an option, or a value of a choice."""
        return {"of": _selector(draft, part), "min": 1}

    def _demand_holder(
        self, draft: UnitDraft, selection: LinkedEntry, part: Part, holder: Part
    ) -> None:
        """Say that a part may be taken only with the option or choice that it stands in."""
        name, label = f"{draft.id}-{selection.name}-with", f"{draft.title}, {selection.name}"
        counted = Counted(name, label, {})
        text = f"only with {self.title_of(draft, holder)}"
        if part.kind == "option":
            of, needs = _selector(draft, part), _selector(draft, holder)
            self.writer.add(counted, text, "only-if", UNIT, of=of, needs=needs)
        elif part.kind == "field":
            own = {"of": {"entry": [draft.id]}, "sum": part.key}
            unless = self._chosen(draft, holder)
            self.writer.add(counted, text, "count", UNIT, **own, max=0, unless=unless)

    def title_of(self, draft: UnitDraft, part: Part) -> str:
        """Return the title of a part."""
        if part.kind == "option":
            return self.collected.options[part.key].title
        spec = draft.fields[part.key]
        return str(spec["of"][part.value] if part.kind == "choice" else spec["title"])

    def _bound_by_number(
        self, draft: UnitDraft, counted: Counted, each: Part, low: int, high: int | None
    ) -> None:
        """Compare parts with the field that they stand in: so many for each of it."""
        own = {"entry": [draft.id]}
        named = counted.keys.get("sum")
        if named is None:
            return
        title = self.title_of(draft, each)
        most, least = (counted.named(key) for key in ("max", "min"))
        # A share of which the whole is 0 is not judged: so the part is what there must be first.
        shares = {"part": own, "whole": own, "by": each.key, "whole-by": named}
        if high is not None and high > 0:
            text = f"at most {high} for each {title}"
            self.writer.add(most, text, "share", UNIT, **shares, min=f"1/{high}")
        elif high is not None:
            self.writer.add(most, "none", "count", UNIT, of=own, sum=named, max=0)
        text = f"at least {low} for each {title}"
        if low > 1:
            self.writer.add(least, text, "share", UNIT, **shares, max=f"1/{low}")
            when = [{"of": own, "sum": each.key, "min": 1}]
            self.writer.add(least, text, "count", UNIT, of=own, sum=named, min=1, when=when)
        elif low == 1:
            turned = {**shares, "by": named, "whole-by": each.key}
            self.writer.add(least, text, "share", UNIT, **turned, min="1/1")

    def hide_parts(self, draft: UnitDraft, selection: LinkedEntry, parts: Sequence[Part]) -> None:
        """Say under which conditions a unit has none of some parts."""
        counted = self._counted(draft, selection, parts)
        if counted is not None:
            shown = counted.named("shown")
            self.writer.hide(shown, Context(draft, UNIT), selection)


def _selector(draft: UnitDraft, part: Part) -> dict[str, Any]:
    """Return the selector of units that have an option, or a value of a choice."""
    if part.kind == "option":
        return {"entry": [draft.id], "options": [part.key]}
    return {"entry": [draft.id], "where": {part.key: [part.value]}}


def _noun(title: str) -> dict[str, str]:
    """Return the noun that findings count members of a group or a category by."""
    noun = f"of “{title}”"[:LABEL]
    return {"one": noun, "many": noun}


def _without_needless(bounds: Bounds, parts: Sequence[Part]) -> Bounds:
    """Leave out a maximum that options keep by themselves: each is there once at the most."""
    most = bounds.most
    options = all(part.kind != "field" for part in parts)
    if options and not most.changes and most.value is not None and most.value >= len(parts):
        return Bounds(bounds.least, Bound())
    return bounds
