"""Turn the contents of a BattleScribe unit into fields, options and prices of one type of unit.

What a unit must have is part of its price. One of several that it must choose is a field with a
choice. What it may have once is an option; what it may have several times is a field with a number,
and so is every member of a group that has such a member. Entries within entries are counted in the
unit itself, against what they stand in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from muster.armies.fields import lower_first, plural_of
from muster.exchange.battlescribe import LinkedEntry
from muster.exchange.battlescribe_part_limits import PartLimits
from muster.exchange.battlescribe_parts import (
    LABEL,
    Bounds,
    Collected,
    Holder,
    ImportedPrice,
    Part,
    UnitDraft,
    slug,
    unique,
)
from muster.limits import MAX_SIZE

_MAX_DEPTH = 12


class UnitReader:
    """Reads the contents of one unit, and has its rules added when all units are read."""

    def __init__(self, collected: Collected, part_limits: PartLimits, draft: UnitDraft) -> None:
        self.collected = collected
        self.part_limits = part_limits
        self.data = collected.data
        self.draft = draft

    def read(self) -> None:
        """Read all that the unit may have."""
        self._contents(self.draft.selection, Holder(), 0)

    # Numbers

    def bounds(self, selection: LinkedEntry) -> Bounds:
        """Return how many of an entry or group are allowed in what it stands in."""
        return self.collected.bounds(selection, ("parent",))

    def fixed_number(self, selection: LinkedEntry, cap: Bounds | None = None) -> int | None:
        """Return how many of an entry there always are; None if the list chooses.

        Args:
            selection: The entry.
            cap: The bounds of its group, if it is the only member.
        """
        if self.collected.changes_visibility(selection):
            return None
        bounds = self.bounds(selection)
        if bounds.is_fixed:
            return bounds.low
        if cap is not None and cap.is_fixed and (bounds.high is None or bounds.high >= cap.low):
            return cap.low
        return None

    def fixed_cost(self, selection: LinkedEntry, depth: int = 0) -> ImportedPrice:
        """Return the points of an entry with all that it always has."""
        self.collected.count_part(selection)
        total = ImportedPrice(Decimal(0)) if selection.is_group else self.collected.cost(selection)
        if depth >= _MAX_DEPTH:
            return total
        for child, number in self.fixed_children(selection):
            total = total.plus(self.fixed_cost(child, depth + 1), number)
        return total

    def fixed_children(self, selection: LinkedEntry) -> Iterator[tuple[LinkedEntry, int]]:
        """Yield what an entry always has with its number; groups, whose members may be so, too."""
        members = self._visible_children(selection)
        sole = self.bounds(selection) if selection.is_group and len(members) == 1 else None
        for child in members:
            if child.is_group:
                if not self.collected.changes_visibility(child):
                    yield child, 1
            elif number := self.fixed_number(child, sole):
                yield child, number

    def _visible_children(self, selection: LinkedEntry) -> list[LinkedEntry]:
        return [
            child
            for child in self.data.children(selection)
            if not child.is_hidden or self.collected.changes_visibility(child)
        ]

    # Contents

    def _contents(self, selection: LinkedEntry, holder: Holder, depth: int) -> None:
        if depth >= _MAX_DEPTH:
            self.data.omit("too-deep", "entries within entries, deeper than 12 levels", selection)
            return
        for child in self._visible_children(selection):
            self.collected.count_part(child)
            if child.is_group:
                self._group(child, holder, depth + 1)
            else:
                self._entry(child, holder, depth + 1)

    def _group(
        self, group: LinkedEntry, holder: Holder, depth: int, *, as_fields: bool = False
    ) -> tuple[list[Part], int]:
        """Read a group; return its parts, and how many members there always are."""
        if depth >= _MAX_DEPTH:
            self.data.omit("too-deep", "groups within groups, deeper than 12 levels", group)
            return [], 0
        bounds = self.bounds(group)
        members = self._visible_children(group)
        as_fields = as_fields or self._needs_fields(group, bounds.high)
        if self._is_choice(group, members, holder, as_fields=as_fields):
            return self._choice(group, members, depth), 0
        parts: list[Part] = []
        constant = 0
        for member in members:
            self.collected.count_part(member)
            if member.is_group:
                found, number = self._group(member, holder, depth + 1, as_fields=as_fields)
            else:
                sole = bounds if len(members) == 1 else None
                found, number = self._entry(
                    member, holder, depth + 1, as_field=as_fields, cap=bounds.high, sole=sole
                )
            parts += found
            constant += number
        if parts:
            self.collected.later(
                lambda: self.part_limits.bound_parts(
                    self.draft, group, parts, holder, bounds, constant
                )
            )
        self._hide(group, parts)
        return parts, constant

    def _is_choice(
        self, group: LinkedEntry, members: Sequence[LinkedEntry], holder: Holder, *, as_fields: bool
    ) -> bool:
        """Return whether a unit must have just one member of a group, whatever else it has."""
        bounds = self.bounds(group)
        shown = [group, *members]
        return (
            holder == Holder()
            and not as_fields
            and bounds.is_fixed
            and bounds.low == 1
            and len(members) > 1
            and not any(member.is_group for member in members)
            and all(self.bounds(member).low == 0 for member in members)
            and not any(self.collected.changes_visibility(each) for each in shown)
        )

    def _needs_fields(self, group: LinkedEntry, cap: int | None) -> bool:
        """Return whether a member of a group may be chosen more than once."""
        for member in self._visible_children(group):
            high = self.bounds(member).high
            most = min((each for each in (high, cap) if each is not None), default=None)
            if member.is_group:
                if self._needs_fields(member, most):
                    return True
            elif (most is None or most > 1) and self.fixed_number(member) is None:
                return True
        return False

    def _entry(
        self,
        entry: LinkedEntry,
        holder: Holder,
        depth: int,
        *,
        as_field: bool = False,
        cap: int | None = None,
        sole: Bounds | None = None,
    ) -> tuple[list[Part], int]:
        """Read an entry; return the part that it became, or how many of it there always are."""
        fixed = self.fixed_number(entry, sole)
        if fixed is not None:
            if fixed:
                self._contents(entry, Holder(holder.part, holder.times * fixed), depth)
                self.collected.place(self.draft, entry, None)
            return [], fixed
        bounds = self.bounds(entry)
        high = min((each for each in (bounds.high, cap) if each is not None), default=None)
        if high is not None and high <= 0:
            return [], 0
        is_option = (
            not as_field
            and high == 1
            and holder.times == 1
            and (holder.part is None or holder.part.kind != "field")
        )
        price = self.fixed_cost(entry)
        if is_option:
            part = Part("option", self.collected.option(self.draft, entry, price))
        else:
            part = Part("field", self._field(entry, price, bounds, holder))
        self.collected.place(self.draft, entry, part)
        self._hide(entry, [part])
        self.collected.later(
            lambda: self.part_limits.bound_parts(self.draft, entry, [part], holder, bounds, 0)
        )
        self._contents(entry, Holder(part), depth)
        return [part], 0

    def _field(
        self, entry: LinkedEntry, price: ImportedPrice, bounds: Bounds, holder: Holder
    ) -> str:
        draft = self.draft
        name = self.collected.field_name(draft, entry.name, "whole")
        title = entry.name[:LABEL]
        noun = lower_first(title)
        spec = {"form": "whole", "title": title}
        if plural_of(noun) != noun:
            spec["many"] = plural_of(noun)[:LABEL]
        draft.fields[name] = spec
        draft.prices[Part("field", name)] = price
        if holder.part is None and bounds.low and not bounds.least.changes:
            if entry.kind == "model" and not draft.size:
                draft.size = name
            elif not self.collected.changes_visibility(entry):
                spec["default"] = str(min(bounds.low * holder.times, MAX_SIZE))
        return name

    def _choice(self, group: LinkedEntry, members: Sequence[LinkedEntry], depth: int) -> list[Part]:
        """Read a group of which a unit must have just one member as a field with a choice."""
        draft = self.draft
        name = self.collected.field_name(draft, group.name, "choice")
        titles: dict[str, str] = {}
        taken: set[str] = set()
        parts = []
        for member in members:
            value = unique(slug(member.name, 60), taken)
            titles[value] = member.name[:LABEL]
            part = Part("choice", name, value)
            draft.prices[part] = self.fixed_cost(member)
            self.collected.place(draft, member, part)
            parts.append(part)
        title = group.name[:LABEL]
        draft.fields[name] = {"form": "choice", "title": title, "of": titles, "required": True}
        for member, part in zip(members, parts, strict=True):
            self._contents(member, Holder(part), depth)
        return parts

    def _hide(self, selection: LinkedEntry, parts: Sequence[Part]) -> None:
        if parts and self.collected.changes_visibility(selection):
            kept = list(parts)
            self.collected.later(lambda: self.part_limits.hide_parts(self.draft, selection, kept))
