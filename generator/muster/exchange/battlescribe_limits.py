"""Turn limits on units, categories and forces of BattleScribe data into constraints of Muster."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from muster.exchange.battlescribe import (
    LIMIT,
    RULE,
    EntryModifier,
    LinkedEntry,
    UnsupportedError,
    number_of,
)
from muster.exchange.battlescribe_conditions import Condition, Context
from muster.exchange.battlescribe_constraints import ConstraintWriter, Counted
from muster.exchange.battlescribe_parts import (
    ARMY,
    FORCE,
    KIND,
    UNIT,
    Bound,
    Bounds,
    UnitDraft,
    slug,
)
from muster.exchange.safe_xml import Element
from muster.values.number import plain_number


class ArmyLimits:
    """Adds what limits units, categories and forces in a force or an army."""

    def __init__(self, writer: ConstraintWriter) -> None:
        self.writer = writer
        self.collected = writer.collected
        self.data = writer.data
        self.conditions = writer.conditions

    def limit_unit(self, draft: UnitDraft) -> None:
        """Say how many of a unit a force or an army may have, and when it may have none."""
        counted = Counted(draft.id, draft.title, {"of": {"entry": [draft.id]}})
        self._limits(draft.selection, counted, draft)
        context = Context(draft, self.collected.scope_of("force"))
        self.writer.hide(counted._replace(name=f"{draft.id}-shown"), context, draft.selection)

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
                    raise UnsupportedError(f"it counts in the scope {scope!r}")  # noqa: TRY301 - told below
                within = self.collected.scope_of(scope)
                if counted.keys["of"].get("level") == FORCE:
                    within = ARMY
                when = self._force_condition(only, within)
                self._limit(holder, constraint, counted, Context(draft, within), when)
            except UnsupportedError as error:
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
        context: Context,
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
                raise UnsupportedError("it is a percentage that changes")
            if not bound.is_open:
                of_limit = constraint.get("field").startswith(LIMIT)
                self._share(counted, key, bound.value / 100, context, when, of_limit=of_limit)
            return
        if repeats:
            self._grow(counted, key, _growths_of(repeats, bound), context, when)
            return
        if bound.is_open:
            return
        bounds = Bounds(bound, Bound()) if key == "min" else Bounds(Bound(), bound)
        self.writer.add_count(counted, bounds, context, holder, when)

    def _counted_by(self, constraint: Element, counted: Counted) -> Counted | None:
        """Return what a constraint counts, numbers or points; None if it limits nothing.

        Raises:
            UnsupportedError: If it is anything else.
        """
        field = constraint.get("field")
        if constraint.get("percentValue") == "true":
            # A percentage of the limit is one of points.
            field = field.removeprefix(LIMIT)
        by_points = field == self.collected.points and bool(field)
        if field not in {"selections", "forces"} and not by_points:
            raise UnsupportedError(f"it counts {field!r}, not selections or points")
        level = counted.keys["of"].get("level")
        if by_points and level == FORCE:
            raise UnsupportedError("it counts the points of a force")
        if not by_points:
            # Of the only kind of force, which is counted by its units, there is just one.
            return None if level == UNIT else counted
        return counted._replace(keys={"of": counted.keys["of"], "by": "points"})

    def _grow(
        self,
        counted: Counted,
        key: str,
        growths: list[Growth],
        context: Context,
        when: list[Condition],
    ) -> None:
        """Say a limit that grows from 0 with the army's limit, or with what else it has."""
        growths = [growth for growth in growths if self._counts_any(growth, context)]
        by_limit = [g.repeat.get("field") == f"{LIMIT}{self.collected.points}" for g in growths]
        if not growths and key == "max":
            named = counted.named("max")
            self.writer.add(
                named, "none", "count", context.within, **counted.keys, max=0, when=when
            )
        elif by_limit == [True]:
            self._per_limit(counted, key, growths[0], context, when)
        elif key == "min" or "by" in counted.keys or any(by_limit):
            raise UnsupportedError("it grows with several counts")
        elif len(growths) == 1:
            self._per_other(counted, growths[0], context, when)
        else:
            self._per_others(counted, growths, context, when)

    def _share(
        self,
        counted: Counted,
        key: str,
        share: Decimal,
        context: Context,
        when: list[Condition],
        *,
        of_limit: bool,
    ) -> None:
        """Say a share: of the limit, of the points of all units, or of their number."""
        if not 0 <= share <= 1:
            raise UnsupportedError("it is not a share from 0 to 100 %")
        by_points = counted.keys.get("by") == "points"
        percent = f"{plain_number(round(share * 100, 4))}%"
        what = "the limit" if of_limit else "all points" if by_points else "all units"
        total: Any = "limit" if of_limit else {"level": UNIT}
        by = {"by": "points"} if by_points else {}
        text = f"at {'least' if key == 'min' else 'most'} {percent} of {what}"
        named = counted.named(f"share-{key}")
        ends = {key: percent}
        of = counted.keys["of"]
        self.writer.add(
            named, text, "share", context.within, part=of, whole=total, **by, **ends, when=when
        )

    def _per_limit(
        self, counted: Counted, key: str, growth: Growth, context: Context, when: list[Condition]
    ) -> None:
        """Say a limit that grows with that of the army."""
        if counted.keys.get("by") == "points":
            self._share(counted, key, growth.step / growth.every, context, when, of_limit=True)
            return
        if growth.step % 1 or growth.every % 1:
            raise UnsupportedError("it grows by a fraction")
        step, every = int(growth.step), int(growth.every)
        begun = {"begun": True} if growth.repeat.get("roundUp") == "true" else {}
        word = "least" if key == "min" else "most"
        text = f"at {word} {step} for each {every} points of the limit"
        named = counted.named(key)
        ends = {key: step, "per": every, **begun}
        self.writer.add(named, text, "count", context.within, **counted.keys, **ends, when=when)

    def _per_other(
        self, counted: Counted, growth: Growth, context: Context, when: list[Condition]
    ) -> None:
        """Say a limit that grows with the number of something else."""
        _, step, every = growth
        if step % 1 or every % 1 or (step != 1 and every != 1):
            raise UnsupportedError("it grows with a count in a way that is no share")
        other = self._other(growth, context)
        title = self.conditions.title(growth.repeat.get("childId"))
        named = counted.named("for-each")
        if every == 1:
            # Of a share in which the whole is 0 there is nothing to judge: none of these is fine.
            text = f"at most {plain_number(step)} for each {title}"
            shares = {"part": other, "whole": counted.keys["of"]}
            ends = {"min": f"1/{plain_number(step)}"}
            self.writer.add(named, text, "share", context.within, **shares, **ends, when=when)
            return
        text = f"at most one for {plain_number(every)} {title}"
        ends = {"max": f"1/{plain_number(every)}"}
        self._share_of(named, text, context.within, ends, {"of": other}, when)

    def _per_others(
        self, counted: Counted, growths: Sequence[Growth], context: Context, when: list[Condition]
    ) -> None:
        """Say a limit that grows with several counts: each unit allows so many more."""
        if any(growth.every != 1 or growth.step % 1 for growth in growths):
            raise UnsupportedError("it grows with several counts, and not by one for each")
        selectors = [self._other(growth, context) for growth in growths]
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
        self._share_of(named, text, context.within, {"max": "1/1"}, total, when)

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
        self.writer.add(counted, text, "share", within, **shares, when=when)
        unless = {**total, "min": 1}
        self.writer.add(counted, text, "count", within, of=of, max=0, when=when, unless=unless)

    def _counts_any(self, growth: Growth, context: Context) -> bool:
        """Return whether there can be any of what a limit grows with."""
        is_limit = growth.repeat.get("field").startswith(LIMIT)
        return (
            is_limit or self.conditions.selector(growth.repeat.get("childId"), context) is not None
        )

    def _other(self, growth: Growth, context: Context) -> dict[str, Any]:
        """Return the selector of what a limit grows with.

        Raises:
            UnsupportedError: If it is not units of the same scope.
        """
        repeat = growth.repeat
        if repeat.get("field") != "selections" or repeat.get("roundUp") == "true":
            raise UnsupportedError(f"it grows with {repeat.get('field')!r}")
        other = self.conditions.selector(repeat.get("childId"), context)
        if other is None or set(other) != {"of"} or self.conditions.within(repeat, context):
            raise UnsupportedError("it grows with what stands in units, or in another scope")
        selector: dict[str, Any] = other["of"]
        return selector

    def limit_parts(self, selection: LinkedEntry, constraint: Element) -> None:
        """Say how many of something within units a whole force or army may have."""
        places = self.collected.places.get(selection.ids[-1], [])
        parts = [(draft, part) for draft, part in places if part is not None]
        keys = self.collected.counted(parts) if len(parts) == len(places) else None
        try:
            bound, repeats = self.collected.bound(selection, constraint)
        except UnsupportedError as error:
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
        self.writer.add_count(counted, bounds, Context(None, within), selection)


class Growth(NamedTuple):
    """How a limit grows from 0: by `step` for `every` of what the repeat counts."""

    repeat: Element
    step: Decimal
    every: Decimal


def _growths_of(repeats: Sequence[EntryModifier], bound: Bound) -> list[Growth]:
    """Return with what a limit grows.

    Raises:
        UnsupportedError: If it does in a way that no constraint has.
    """
    if bound.changes or bound.value:
        raise UnsupportedError("it grows from other than 0, or changes besides")
    growths = []
    for modifier in repeats:
        if modifier.conditions or modifier.element.get("type") != "increment":
            raise UnsupportedError("it grows only under conditions, or shrinks")
        for repeat in modifier.repeats:
            step = number_of(modifier.element) * number_of(repeat, "repeats", "1")
            every = number_of(repeat)
            if step <= 0 or every <= 0 or repeat.get("percentValue") == "true":
                raise UnsupportedError("it grows by nothing, or by a percentage")
            growths.append(Growth(repeat, step, every))
    return growths
