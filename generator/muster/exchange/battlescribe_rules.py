"""Turn constraints of BattleScribe data and their modifiers into constraints of Muster."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from muster.exchange.battlescribe import (
    LIMIT,
    RULE,
    EntryModifier,
    LinkedEntry,
    UnsayableError,
    number_of,
)
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
    KIND,
    LABEL,
    UNIT,
    Bound,
    BoundChange,
    Bounds,
    Collected,
    Holder,
    Part,
    UnitDraft,
    counted_keys,
    slug,
    times,
    unique,
)
from muster.exchange.safe_xml import Element
from muster.values.number import plain_number

Rule = dict[str, Any]
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


class Rules:
    """Writes the constraints of an import."""

    def __init__(self, collected: Collected) -> None:
        self.collected = collected
        self.data = collected.data
        self.conditions = ConditionReader(collected)
        self.constraints: list[Rule] = []
        self._ids: set[str] = {BARE}

    # Writing

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
        ctx: Context,
        selection: LinkedEntry,
        when: Sequence[Condition] = (),
    ) -> None:
        """Add what bounds say of a count, with a constraint for each value that they may have.

        Args:
            counted: What is counted.
            bounds: The least and the greatest number.
            ctx: The scope, and what conditions are about.
            selection: The entry, for what cannot be said.
            when: ConditionReader that must hold in any case.
        """
        place = _PLACES[ctx.within]
        low, high = whole(bounds.least.value, up=True), whole(bounds.most.value, up=False)
        plain = not bounds.least.changes and not bounds.most.changes
        plain = plain and not self.collected.changes_visibility(selection)
        if plain and low is not None and low > 0 and high is not None and high >= 0:
            numbers = str(low) if low == high else f"{low} to {high}"
            ends = {"min": low, "max": high}
            text = f"{numbers} in {place}"
            self.add(counted, text, "count", ctx.within, **counted.keys, **ends, when=list(when))
            return
        for key, bound in (("min", bounds.least), ("max", bounds.most)):
            for value, on, off in self._values(bound, ctx, selection):
                number = whole(value, up=key == "min")
                if number is None or not int(key == "min") <= number <= _LARGEST:
                    continue  # A maximum below 0 is none at all.
                end = number
                text = f"at {'least' if key == 'min' else 'most'} {end} in {place}"
                shown, hidden = self._visibility(ctx, selection) if key == "min" else ([], [])
                switches = {"when": [*when, *on, *shown], "unless": any_of([*off, *hidden])}
                named = counted.named(key)
                self.add(named, text, "count", ctx.within, **counted.keys, **{key: end}, **switches)

    def _visibility(
        self, ctx: Context, selection: LinkedEntry
    ) -> tuple[list[Condition], list[Condition]]:
        """Return the conditions that show an entry, and those that hide it.

        Nobody must have what is hidden. What cannot be said is recorded by `_hide`.
        """
        shown: list[Condition] = []
        hidden: list[Condition] = []
        for modifier in selection.modifiers():
            if modifier.element.get("field") != "hidden" or modifier.is_plain:
                continue
            try:
                condition = self.conditions.condition_of(modifier, ctx)
            except UnsayableError:
                continue
            if isinstance(condition, dict):
                hides = modifier.element.get("value") == "true"
                (hidden if hides else shown if selection.is_hidden else []).append(condition)
        return shown, hidden

    def _values(
        self, bound: Bound, ctx: Context, selection: LinkedEntry
    ) -> list[tuple[Decimal | None, list[Condition], list[Condition]]]:
        """Return each value of a bound with the conditions that must hold, and must not."""
        always: list[BoundChange] = []
        changes: list[tuple[BoundChange, Condition]] = []
        for change in bound.changes:
            condition = self._sayable(change.modifier, ctx, selection)
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

    def _sayable(
        self, modifier: EntryModifier, ctx: Context, selection: LinkedEntry
    ) -> Condition | bool:
        """Return a modifier's condition; False, recorded, if it cannot be said."""
        try:
            return self.conditions.condition_of(modifier, ctx)
        except UnsayableError as error:
            element = modifier.element
            what = f"{element.get('type')} {element.get('field')} {element.get('value')}"
            self.data.omit("modifier", f"a modifier ({what}) is left out: {error}", selection)
            return False

    def join_alike(self) -> None:
        """Make one constraint of those that say the same of several units."""
        titles = {draft.id: draft.title for draft in self.collected.drafts}
        alike: dict[str, list[Rule]] = {}
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

    # Parts of units

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
            self.add_count(counted, ready, Context(draft, UNIT), selection)
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
        self.add_count(counted, ready, Context(draft, UNIT), selection, when)

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
            self.add(counted, text, "only-if", UNIT, of=of, needs=needs)
        elif part.kind == "field":
            own = {"of": {"entry": [draft.id]}, "sum": part.key}
            unless = self._chosen(draft, holder)
            self.add(counted, text, "count", UNIT, **own, max=0, unless=unless)

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
            self.add(most, text, "share", UNIT, **shares, min=f"1/{high}")
        elif high is not None:
            self.add(most, "none", "count", UNIT, of=own, sum=named, max=0)
        text = f"at least {low} for each {title}"
        if low > 1:
            self.add(least, text, "share", UNIT, **shares, max=f"1/{low}")
            when = [{"of": own, "sum": each.key, "min": 1}]
            self.add(least, text, "count", UNIT, of=own, sum=named, min=1, when=when)
        elif low == 1:
            turned = {**shares, "by": named, "whole-by": each.key}
            self.add(least, text, "share", UNIT, **turned, min="1/1")

    def hide_parts(self, draft: UnitDraft, selection: LinkedEntry, parts: Sequence[Part]) -> None:
        """Say under which conditions a unit has none of some parts."""
        counted = self._counted(draft, selection, parts)
        if counted is not None:
            shown = counted.named("shown")
            self._hide(shown, Context(draft, UNIT), selection)

    def _hide(self, counted: Counted, ctx: Context, selection: LinkedEntry) -> None:
        for modifier in selection.modifiers():
            if modifier.element.get("field") != "hidden" or modifier.is_plain:
                continue
            hides = modifier.element.get("value") == "true"
            condition = self._sayable(modifier, ctx, selection)
            keys = {**counted.keys, "max": 0}
            if condition is False and not hides and selection.is_hidden:
                text = "it is hidden, and what shows it cannot be said: it may be chosen here"
                self.data.omit("hidden", text, selection)
            elif condition is True and hides:
                self.add(counted, "none", "count", ctx.within, **keys)
            elif isinstance(condition, dict) and hides:
                self.add(counted, "not in this case", "count", ctx.within, **keys, when=condition)
            elif isinstance(condition, dict) and selection.is_hidden:
                text = "only in certain cases"
                self.add(counted, text, "count", ctx.within, **keys, unless=condition)

    # Units, categories and forces

    def limit_unit(self, draft: UnitDraft) -> None:
        """Say how many of a unit a force or an army may have, and when it may have none."""
        counted = Counted(draft.id, draft.title, {"of": {"entry": [draft.id]}})
        self._limits(draft.selection, counted, draft)
        ctx = Context(draft, self.collected.scope_of("force"))
        self._hide(counted._replace(name=f"{draft.id}-shown"), ctx, draft.selection)

    def limit_category(self, holder: LinkedEntry, category: str, force: str | None) -> None:
        """Say how many units of a category a force may have, or how many points they may cost.

        Args:
            holder: The category, or its link in a force.
            category: The id of the category.
            force: The id of the only force that it holds for, if there are several.
        """
        if not any(True for _ in holder.all("constraints", "constraint")):
            return
        where = self.collected.category_selector(category)
        if where is None:
            return
        element = self.data.by_id.get(category)
        title = element.get("name") if element is not None else holder.name
        name = title if force is None else f"{self.collected.forces[force]}-{title}"
        message = ""
        if category.startswith(RULE) and element is not None:
            message = next((comment.text for comment in element.all("comment")), "")
            name = category.removeprefix(RULE)
        self._limits(holder, Counted(name, title, {"of": where}, message), None, force)

    def limit_force(self, force: LinkedEntry) -> None:
        """Say how many forces of a kind an army may have."""
        of: dict[str, Any] = {"level": UNIT}
        if self.collected.has_forces:
            of = {"level": FORCE, "where": {KIND: [self.collected.forces[force.id]]}}
        self._limits(force, Counted(force.name, force.name, {"of": of}), None)

    def _limits(
        self,
        holder: LinkedEntry,
        counted: Counted,
        draft: UnitDraft | None,
        force: str | None = None,
    ) -> None:
        for constraint in holder.all("constraints", "constraint"):
            what = f"a limit ({constraint.get('type')} {constraint.get('value')}) is left out"
            scope = constraint.get("scope")
            only = force
            if scope in self.collected.forces:
                scope, only = "force", scope if self.collected.has_forces else None
            try:
                if scope not in {"parent", "force", "roster"}:
                    raise UnsayableError(f"it counts in the scope {scope!r}")  # noqa: TRY301 - told below
                within = self.collected.scope_of(scope)
                if counted.keys["of"].get("level") == FORCE:
                    within = ARMY
                when = self._force_condition(only, within)
                self._limit(holder, constraint, counted, Context(draft, within), when)
            except UnsayableError as error:
                self.data.omit("constraint", f"{what}: {error}", holder)

    def _force_condition(self, force: str | None, within: str) -> list[Condition]:
        if force is None:
            return []
        of = {"level": FORCE, "where": {KIND: [self.collected.forces[force]]}}
        return [{"of": of, "min": 1}] if within == FORCE else [{"of": of, "within": ARMY, "min": 1}]

    def _limit(
        self,
        holder: LinkedEntry,
        constraint: Element,
        counted: Counted,
        ctx: Context,
        when: list[Condition],
    ) -> None:
        found = self._counted_by(constraint, counted)
        if found is None:
            return
        counted = found
        bound, repeats = self.collected.bound(holder, constraint)
        key = constraint.get("type")
        if constraint.get("percentValue") == "true":
            if repeats or bound.changes or bound.value is None:
                raise UnsayableError("it is a percentage that changes")
            if not bound.is_open:
                of_limit = constraint.get("field").startswith(LIMIT)
                self._share(counted, key, bound.value / 100, ctx, when, of_limit=of_limit)
            return
        if repeats:
            self._grow(counted, key, _growths_of(repeats, bound), ctx, when)
            return
        if bound.is_open:
            return
        bounds = Bounds(bound, Bound()) if key == "min" else Bounds(Bound(), bound)
        self.add_count(counted, bounds, ctx, holder, when)

    def _counted_by(self, constraint: Element, counted: Counted) -> Counted | None:
        """Return what a constraint counts, numbers or points; None if it limits nothing.

        Raises:
            UnsayableError: If it is anything else.
        """
        field = constraint.get("field")
        if constraint.get("percentValue") == "true":
            # A percentage of the limit is one of points.
            field = field.removeprefix(LIMIT)
        by_points = field == self.collected.points and bool(field)
        if field not in {"selections", "forces"} and not by_points:
            raise UnsayableError(f"it counts {field!r}, not selections or points")
        level = counted.keys["of"].get("level")
        if by_points and level == FORCE:
            raise UnsayableError("it counts the points of a force")
        if not by_points:
            # Of the only kind of force, which is counted by its units, there is just one.
            return None if level == UNIT else counted
        return counted._replace(keys={"of": counted.keys["of"], "by": "points"})

    def _grow(
        self,
        counted: Counted,
        key: str,
        growths: list[Growth],
        ctx: Context,
        when: list[Condition],
    ) -> None:
        """Say a limit that grows from 0 with the army's limit, or with what else it has."""
        growths = [growth for growth in growths if self._counts_any(growth, ctx)]
        by_limit = [g.repeat.get("field") == f"{LIMIT}{self.collected.points}" for g in growths]
        if not growths and key == "max":
            named = counted.named("max")
            self.add(named, "none", "count", ctx.within, **counted.keys, max=0, when=when)
        elif by_limit == [True]:
            self._per_limit(counted, key, growths[0], ctx, when)
        elif key == "min" or "by" in counted.keys or any(by_limit):
            raise UnsayableError("it grows with several counts")
        elif len(growths) == 1:
            self._per_other(counted, growths[0], ctx, when)
        else:
            self._per_others(counted, growths, ctx, when)

    def _share(
        self,
        counted: Counted,
        key: str,
        share: Decimal,
        ctx: Context,
        when: list[Condition],
        *,
        of_limit: bool,
    ) -> None:
        """Say a share: of the limit, of the points of all units, or of their number."""
        if not 0 <= share <= 1:
            raise UnsayableError("it is not a share from 0 to 100 %")
        by_points = counted.keys.get("by") == "points"
        percent = f"{plain_number(round(share * 100, 4))}%"
        what = "the limit" if of_limit else "all points" if by_points else "all units"
        total: Any = "limit" if of_limit else {"level": UNIT}
        by = {"by": "points"} if by_points else {}
        text = f"at {'least' if key == 'min' else 'most'} {percent} of {what}"
        named = counted.named(f"share-{key}")
        ends = {key: percent}
        of = counted.keys["of"]
        self.add(named, text, "share", ctx.within, part=of, whole=total, **by, **ends, when=when)

    def _per_limit(
        self, counted: Counted, key: str, growth: Growth, ctx: Context, when: list[Condition]
    ) -> None:
        """Say a limit that grows with that of the army."""
        if counted.keys.get("by") == "points":
            self._share(counted, key, growth.step / growth.every, ctx, when, of_limit=True)
            return
        if growth.step % 1 or growth.every % 1:
            raise UnsayableError("it grows by a fraction")
        step, every = int(growth.step), int(growth.every)
        begun = {"begun": True} if growth.repeat.get("roundUp") == "true" else {}
        word = "least" if key == "min" else "most"
        text = f"at {word} {step} for each {every} points of the limit"
        named = counted.named(key)
        ends = {key: step, "per": every, **begun}
        self.add(named, text, "count", ctx.within, **counted.keys, **ends, when=when)

    def _per_other(
        self, counted: Counted, growth: Growth, ctx: Context, when: list[Condition]
    ) -> None:
        """Say a limit that grows with the number of something else."""
        _, step, every = growth
        if step % 1 or every % 1 or (step != 1 and every != 1):
            raise UnsayableError("it grows with a count in a way that is no share")
        other = self._other(growth, ctx)
        title = self.conditions.title(growth.repeat.get("childId"))
        named = counted.named("for-each")
        if every == 1:
            # Of a share in which the whole is 0 there is nothing to judge: none of these is fine.
            text = f"at most {plain_number(step)} for each {title}"
            shares = {"part": other, "whole": counted.keys["of"]}
            ends = {"min": f"1/{plain_number(step)}"}
            self.add(named, text, "share", ctx.within, **shares, **ends, when=when)
            return
        text = f"at most one for {plain_number(every)} {title}"
        ends = {"max": f"1/{plain_number(every)}"}
        self._share_of(named, text, ctx.within, ends, {"of": other}, when)

    def _per_others(
        self, counted: Counted, growths: Sequence[Growth], ctx: Context, when: list[Condition]
    ) -> None:
        """Say a limit that grows with several counts: each unit allows so many more."""
        if any(growth.every != 1 or growth.step % 1 for growth in growths):
            raise UnsayableError("it grows with several counts, and not by one for each")
        selectors = [self._other(growth, ctx) for growth in growths]
        name = f"allows-{slug(counted.label, 60)}"
        titles = []
        for growth, selector in zip(growths, selectors, strict=True):
            title = self.conditions.title(growth.repeat.get("childId"))
            titles.append(f"{plain_number(growth.step)} for each {title}")
            for draft in self.collected.drafts_of(selector):
                draft.allowances[name] = draft.allowances.get(name, 0) + int(growth.step)
        total = {"of": {"level": UNIT}, "sum": name}
        named = counted.named("for-each")
        text = f"at most {', '.join(titles)}"
        self._share_of(named, text, ctx.within, {"max": "1/1"}, total, when)

    def _share_of(
        self,
        counted: Counted,
        text: str,
        within: str,
        ends: dict[str, str],
        total: dict[str, Any],
        when: list[Condition],
    ) -> None:
        """Say a share of another count; where that is 0, which no share judges, there is none."""
        of = counted.keys["of"]
        by = {"by": "number", "whole-by": total["sum"]} if "sum" in total else {}
        shares = {"part": of, "whole": total["of"], **by, **ends}
        self.add(counted, text, "share", within, **shares, when=when)
        unless = {**total, "min": 1}
        self.add(counted, text, "count", within, of=of, max=0, when=when, unless=unless)

    def _counts_any(self, growth: Growth, ctx: Context) -> bool:
        """Return whether there can be any of what a limit grows with."""
        is_limit = growth.repeat.get("field").startswith(LIMIT)
        return is_limit or self.conditions.selector(growth.repeat.get("childId"), ctx) is not None

    def _other(self, growth: Growth, ctx: Context) -> dict[str, Any]:
        """Return the selector of what a limit grows with.

        Raises:
            UnsayableError: If it is not units of the same scope.
        """
        repeat = growth.repeat
        if repeat.get("field") != "selections" or repeat.get("roundUp") == "true":
            raise UnsayableError(f"it grows with {repeat.get('field')!r}")
        other = self.conditions.selector(repeat.get("childId"), ctx)
        if other is None or set(other) != {"of"} or self.conditions.within(repeat, ctx):
            raise UnsayableError("it grows with what stands in units, or in another scope")
        selector: dict[str, Any] = other["of"]
        return selector

    def limit_parts(self, selection: LinkedEntry, constraint: Element) -> None:
        """Say how many of something within units a whole force or army may have."""
        places = self.collected.places.get(selection.ids[-1], [])
        parts = [(draft, part) for draft, part in places if part is not None]
        keys = self.collected.counted(parts) if len(parts) == len(places) else None
        try:
            bound, repeats = self.collected.bound(selection, constraint)
        except UnsayableError as error:
            self.data.omit("constraint", f"a limit is left out: {error}", selection)
            return
        is_plain = constraint.get("field") == "selections" and not repeats
        if keys is None or not is_plain or constraint.get("percentValue") == "true":
            if places:
                text = (
                    "a limit on what stands in several units, which no one count says, is left out"
                )
                self.data.omit("constraint", text, selection)
            return
        within = self.collected.scope_of(constraint.get("scope"))
        if constraint.get("type") == "max":
            bounds = Bounds(Bound(), bound)
            if bound.is_open:
                return
        else:
            bounds = Bounds(bound, Bound())
        counted = Counted(f"{selection.name}-in-{within}", selection.name, keys)
        self.add_count(counted, bounds, Context(None, within), selection)


class Growth(NamedTuple):
    """How a limit grows from 0: by `step` for `every` of what the repeat counts."""

    repeat: Element
    step: Decimal
    every: Decimal


def _growths_of(repeats: Sequence[EntryModifier], bound: Bound) -> list[Growth]:
    """Return with what a limit grows.

    Raises:
        UnsayableError: If it does in a way that no constraint has.
    """
    if bound.changes or bound.value:
        raise UnsayableError("it grows from other than 0, or changes besides")
    growths = []
    for modifier in repeats:
        if modifier.conditions or modifier.element.get("type") != "increment":
            raise UnsayableError("it grows only under conditions, or shrinks")
        for repeat in modifier.repeats:
            step = number_of(modifier.element) * number_of(repeat, "repeats", "1")
            every = number_of(repeat)
            if step <= 0 or every <= 0 or repeat.get("percentValue") == "true":
                raise UnsayableError("it grows by nothing, or by a percentage")
            growths.append(Growth(repeat, step, every))
    return growths


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
