"""Write constraints of Muster for what BattleScribe data say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from muster.exchange.battlescribe import EntryModifier, LinkedEntry, UnsupportedError
from muster.exchange.battlescribe_conditions import (
    Condition,
    ConditionReader,
    Context,
    any_of,
    whole,
)
from muster.exchange.battlescribe_parts import (
    ARMY,
    FORCE,
    LABEL,
    UNIT,
    Bound,
    BoundChange,
    Bounds,
    Collected,
    slug,
    unique,
)

Constraint = dict[str, Any]
"""A constraint, as `composition.yaml` writes it."""

BARE = "units-of-books"
"""The id of the constraint that keeps bare types out of armies."""

_MOST_CHANGES = 3
_LARGEST = 999_999_999
_PLACES = {UNIT: "a unit", FORCE: "a force", ARMY: "an army"}


class Counted(NamedTuple):
    """What a constraint counts: the beginning of its id, words, and keys of the constraint."""

    name: str
    label: str
    keys: dict[str, Any]
    message: str = ""
    """What the constraint says, if the data have it in words: then the name is the rule's id."""

    def named(self, end: str) -> Counted:
        """Return it with an end to its name, by which constraints on one thing differ."""
        return self if self.message else self._replace(name=f"{self.name}-{end}")


class ConstraintWriter:
    """Writes the constraints of an import."""

    def __init__(self, collected: Collected) -> None:
        self.collected = collected
        self.data = collected.data
        self.conditions = ConditionReader(collected)
        self.constraints: list[Constraint] = []
        self._ids: set[str] = {BARE}

    def add(self, counted: Counted, text: str, kind: str, within: str, **keys: Any) -> None:
        """Add a constraint; the keys of what is counted are not among its own."""
        message = counted.message or f"{counted.label}: {text}."
        switches = {key: keys.pop(key, None) for key in ("when", "unless")}
        self.constraints.append({
            "id": unique(slug(counted.name, 74), self._ids),
            "kind": kind,
            "message": message if len(message) <= LABEL else f"{message[: LABEL - 1]}…",
            "rule": {"chapter": "army"},
            **keys,
            "within": within,
            **{key: value for key, value in switches.items() if value},
        })  # fmt: skip

    def add_count(
        self,
        counted: Counted,
        bounds: Bounds,
        context: Context,
        selection: LinkedEntry,
        when: Sequence[Condition] = (),
    ) -> None:
        """Add what bounds say of a count, with a constraint for each value that they may have.

        Args:
            counted: What is counted.
            bounds: The least and the greatest number.
            context: The scope, and what conditions are about.
            selection: The entry, for what cannot be said.
            when: Conditions that must hold in any case.
        """
        place = _PLACES[context.within]
        low, high = whole(bounds.least.value, up=True), whole(bounds.most.value, up=False)
        plain = not bounds.least.changes and not bounds.most.changes
        plain = plain and not self.collected.changes_visibility(selection)
        if plain and low is not None and low > 0 and high is not None and high >= 0:
            numbers = str(low) if low == high else f"{low} to {high}"
            ends = {"min": low, "max": high}
            text = f"{numbers} in {place}"
            self.add(
                counted, text, "count", context.within, **counted.keys, **ends, when=list(when)
            )
            return
        for key, bound in (("min", bounds.least), ("max", bounds.most)):
            for value, on, off in self._values(bound, context, selection):
                number = whole(value, up=key == "min")
                if number is None or not int(key == "min") <= number <= _LARGEST:
                    continue  # A maximum below 0 is none at all.
                text = f"at {'least' if key == 'min' else 'most'} {number} in {place}"
                shown, hidden = self._visibility(context, selection) if key == "min" else ([], [])
                switches = {"when": [*when, *on, *shown], "unless": any_of([*off, *hidden])}
                named = counted.named(key)
                self.add(
                    named,
                    text,
                    "count",
                    context.within,
                    **counted.keys,
                    **{key: number},
                    **switches,
                )

    def _visibility(
        self, context: Context, selection: LinkedEntry
    ) -> tuple[list[Condition], list[Condition]]:
        """Return the conditions that show an entry, and those that hide it.

        Nobody must have what is hidden. What cannot be said is recorded by `hide`.
        """
        shown: list[Condition] = []
        hidden: list[Condition] = []
        for modifier in selection.modifiers():
            if modifier.element.get("field") != "hidden" or modifier.is_plain:
                continue
            try:
                condition = self.conditions.condition_of(modifier, context)
            except UnsupportedError:
                continue
            if isinstance(condition, dict):
                hides = modifier.element.get("value") == "true"
                (hidden if hides else shown if selection.is_hidden else []).append(condition)
        return shown, hidden

    def _values(
        self, bound: Bound, context: Context, selection: LinkedEntry
    ) -> list[tuple[Decimal | None, list[Condition], list[Condition]]]:
        """Return each value of a bound with the conditions that must hold, and must not."""
        always: list[BoundChange] = []
        changes: list[tuple[BoundChange, Condition]] = []
        for change in bound.changes:
            condition = self._supported(change.modifier, context, selection)
            if condition is True:
                always.append(change)
            elif isinstance(condition, dict):
                changes.append((change, condition))
        if len(changes) > _MOST_CHANGES:
            self.data.omit("modifier", "more than three modifiers change this limit", selection)
            changes = []
        found = []
        for chosen in product((False, True), repeat=len(changes)):
            parted = list(zip(changes, chosen, strict=True))
            applied = [*always, *(change for (change, _), used in parted if used)]
            value = bound.value
            for change in bound.changes:
                if change in applied:
                    is_set = change.modifier.element.get("type") == "set"
                    step = change.value - (bound.value or 0)
                    value = change.value if is_set or value is None else value + step
            on = [condition for (_, condition), used in parted if used]
            off = [condition for (_, condition), used in parted if not used]
            found.append((value, on, off))
        return found

    def _supported(
        self, modifier: EntryModifier, context: Context, selection: LinkedEntry
    ) -> Condition | bool:
        """Return a modifier's condition; False, recorded, if it cannot be said."""
        try:
            return self.conditions.condition_of(modifier, context)
        except UnsupportedError as error:
            element = modifier.element
            what = f"{element.get('type')} {element.get('field')} {element.get('value')}"
            self.data.omit("modifier", f"a modifier ({what}) is left out: {error}", selection)
            return False

    def hide(self, counted: Counted, context: Context, selection: LinkedEntry) -> None:
        """Add that there is none of something where it is hidden."""
        for modifier in selection.modifiers():
            if modifier.element.get("field") != "hidden" or modifier.is_plain:
                continue
            hides = modifier.element.get("value") == "true"
            condition = self._supported(modifier, context, selection)
            keys = {**counted.keys, "max": 0}
            if condition is False and not hides and selection.is_hidden:
                text = "it is hidden, and what shows it cannot be said: it may be chosen here"
                self.data.omit("hidden", text, selection)
            elif condition is True and hides:
                self.add(counted, "none", "count", context.within, **keys)
            elif isinstance(condition, dict) and hides:
                self.add(
                    counted, "not in this case", "count", context.within, **keys, when=condition
                )
            elif isinstance(condition, dict) and selection.is_hidden:
                text = "only in certain cases"
                self.add(counted, text, "count", context.within, **keys, unless=condition)

    def join_alike(self) -> None:
        """Make one constraint of those that say the same of several units."""
        titles = {draft.id: draft.title for draft in self.collected.drafts}
        alike: dict[str, list[Constraint]] = {}
        for rule in self.constraints:
            entries = rule.get("of", {}).get("entry", ())
            one = rule["within"] == UNIT and rule["kind"] == "count" and len(entries) == 1
            rest = {key: value for key, value in rule.items() if key not in {"id", "message"}}
            rest["of"] = {**rest.get("of", {}), "entry": []}
            alike.setdefault(json.dumps(rest) if one else rule["id"], []).append(rule)
        joined = []
        for first, *others in alike.values():
            if others:
                (own,) = first["of"]["entry"]
                first["of"]["entry"] = [each["of"]["entry"][0] for each in (first, *others)]
                first["message"] = first["message"].removeprefix(f"{titles[own]}, ")
                first["id"] = unique(first["id"].removeprefix(f"{own}-"), self._ids)
                options = first["of"].get("options")
                if options and self.collected.holders_of(options) <= {*first["of"]["entry"]}:
                    del first["of"]["entry"]
            joined.append(first)
        self.constraints = joined
