"""Write a rule system as BattleScribe data: a game system, and a catalogue for each army book.

The elements stand in the order of the public schema. Levels of command become one force: what the
rules say of them, and all else that the data cannot say, is listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import count as count_up
from xml.etree.ElementTree import Element

from muster.armies import Book
from muster.armies.army import NodeKind
from muster.armies.composition import Composition
from muster.armies.constraints import (
    AnyCondition,
    AnyConstraint,
    Condition,
    Conditions,
    CountRule,
    ExcludesRule,
    LimitCondition,
    RequiresRule,
    ShareRule,
)
from muster.armies.fields import is_absent, parse_share, upper_first
from muster.armies.nouns import nouns_of
from muster.armies.ranges import whole_range_of
from muster.armies.vocabulary import LEADER, Selector
from muster.exchange.battlescribe import LIMIT, RULE, SPACE, UnsupportedError
from muster.exchange.battlescribe_contents import Contents, Group, Item, contents_of
from muster.exchange.battlescribe_elements import (
    ARMY_FORCE,
    PLAIN,
    POINTS,
    VERSION,
    join_conditions,
    make_constraint,
    make_costs,
    make_element,
    make_list,
    make_text,
    query_attributes,
    xml_file,
)
from muster.systems import System
from muster.values import Band

PROFILE = "profile"
_OPEN = Decimal(-1)


@dataclass(slots=True)
class ExportedSystem:
    """The files of a system by their names, what they hold, and what they cannot say."""

    files: dict[str, str]
    contents: dict[tuple[str, str], Contents]
    """Units, leaders and works by the ids of their book (empty for the system) and their own."""
    omissions: list[str]


@dataclass(slots=True)
class _Category:
    """A category, with the units that are in it and its limits."""

    id: str
    name: str
    members: set[str]
    comment: str = ""
    constraints: list[Element] = field(default_factory=list)
    modifiers: list[Element] = field(default_factory=list)


def export_system(composition: Composition, books: Sequence[Book]) -> ExportedSystem:
    """Return a system with its books as BattleScribe data.

    Raises:
        MusterError: If a table that prices or rules use cannot be read.
    """
    return _Exporter(composition, books).run()


def army_of(composition: Composition, book: Book | None) -> NodeKind:
    """Return an army of a book, or of a system, in which its units stand."""
    return NodeKind(composition, composition.top.id, None, None, book, (), {}, None)


def exported_kinds(composition: Composition, book: Book | None) -> Iterator[tuple[str, NodeKind]]:
    """Yield the units of a book, or the bare types and leaders of a system, with their ids."""
    root = army_of(composition, book)
    if book is None:
        for entry in composition.entries.values():
            yield entry.id, NodeKind(composition, entry.level, entry, None, None, (), {}, root)
        return
    for profile in book.units.values():
        entry, options = profile.entry, profile.options
        kind = NodeKind(composition, entry.level, entry, profile, book, options, {}, root)
        yield profile.id, kind


class _Exporter:
    """Writes one system."""

    def __init__(self, composition: Composition, books: Sequence[Book]) -> None:
        self.composition = composition
        self.system: System = composition.system
        self.books = books
        self.priced = composition.has_prices
        self.army = army_of(composition, None)
        self.contents: dict[tuple[str, str], Contents] = {}
        self.omissions: list[str] = []
        self.categories: list[_Category] = []
        self._ids = count_up(1)

    def run(self) -> ExportedSystem:
        """Return the files."""
        for book in (None, *self.books):
            for key, kind in exported_kinds(self.composition, book):
                self._read(book, key, kind)
        self._levels()
        for entry in self.composition.entries.values():
            members = {c.id for c in self.contents.values() if c.kind.entry is entry}
            self.categories.append(_Category(f"type.{entry.id}", entry.title, members))
        for rule in self.composition.constraints:
            self._rule(rule)
        if self.composition.written.grants:
            self.omissions.append("attributes that the state of the army gives are left out")
        name = self.system.id
        files = {f"{name}.gst": xml_file(self._game_system())}
        for book in self.books:
            files[f"{book.id}.cat"] = xml_file(self._catalogue(book))
        if not self.books:
            # A game system alone cannot be played: its units are in a catalogue of their own.
            files[f"{name}-units.cat"] = xml_file(self._catalogue(None))
        return ExportedSystem(files, self.contents, self.omissions)

    def _read(self, book: Book | None, key: str, kind: NodeKind) -> None:
        if book is None and self.books and kind.level != LEADER and self._is_barred(kind):
            return
        start = book.id if book is not None else self.system.id
        found = contents_of(kind, f"{start}.{key}")
        where = f"{book.title if book else self.system.title}: {kind.title}"
        if not found.is_priced:
            self.omissions.append(f"{where}: no price is known, so that it costs 0")
        self.contents[book.id if book else "", key] = found
        self.omissions += [f"{where}: {text}" for text in dict.fromkeys(found.omissions)]

    def _is_barred(self, kind: NodeKind) -> bool:
        """Return whether the rules bar a bare type from every army."""
        return any(
            isinstance(rule, CountRule)
            and rule.max == 0
            and rule.within == self.composition.top.id
            and not (rule.when or rule.unless)
            and kind.matches(rule.of)
            for rule in self.composition.constraints
        )

    def _levels(self) -> None:
        inner = [
            level.title for level in self.composition.levels.values() if self._is_inner(level.id)
        ]
        if inner:
            text = f"levels of command ({', '.join(inner)}) are one force, with all units in it"
            self.omissions.append(text)
        top = self.composition.top
        self.omissions += [
            f"{top.title}: “{spec.title or name}” is a field of the army"
            for name, spec in top.fields.items()
        ]

    def _is_inner(self, level: str) -> bool:
        return level != self.composition.top.id and level not in self.composition.bottom_levels

    # Rules

    def _rule(self, rule: AnyConstraint) -> None:
        try:
            if rule.within == self.composition.top.id:
                self._army_rule(rule)
            elif rule.within in self.composition.bottom_levels or rule.within == LEADER:
                self._unit_rule(rule)
            else:
                raise UnsupportedError("it counts in a level of command")  # noqa: TRY301 - told below
        except UnsupportedError as error:
            self.omissions.append(f"rule {rule.id} (“{rule.message}”): {error}")

    def _unit_rule(self, rule: AnyConstraint) -> None:
        """Refuse a rule on single units that their numbers, groups and options do not say.

        Raises:
            UnsupportedError: If it is one.
        """
        switched = rule.when is not None or rule.unless is not None
        counts = isinstance(rule, CountRule) and (rule.sum is not None or rule.by == "options")
        options = any(selector.options for _, selector in rule.selectors())
        if switched or not (counts or options):
            raise UnsupportedError("it asks more of a unit than numbers and options")

    def _army_rule(self, rule: AnyConstraint) -> None:
        if isinstance(rule, CountRule):
            self._count_rule(rule)
        elif isinstance(rule, ShareRule):
            self._share_rule(rule)
        elif isinstance(rule, RequiresRule | ExcludesRule):
            self._pair_rule(rule)
        else:
            raise UnsupportedError("it is no count, share, demand or exclusion")

    def _count_rule(self, rule: CountRule) -> None:
        if rule.sum is not None or rule.each is not None or rule.step is not None:
            raise UnsupportedError("it adds up fields, counts each value, or asks for multiples")
        if rule.by not in {"number", "points"}:
            raise UnsupportedError("it counts options")
        least, most = self._ends(rule)
        category = self._category(rule.id, rule.of, rule.message)
        by = POINTS if rule.by == "points" else "selections"
        ends = [("min", least), ("max", most)]
        for key, value in ends:
            if value is None or (key == "min" and value <= 0):
                continue
            name = f"{category.id}.{key}"
            start = Decimal(0) if key == "min" else _OPEN
            if rule.per is not None:
                if rule.when or rule.unless:
                    raise UnsupportedError("it grows with the limit, and only under conditions")
                category.modifiers.append(self._growth(name, value, rule.per, begun=rule.begun))
                category.constraints.append(make_constraint(name, key, Decimal(0), "roster", by))
                continue
            switched = self._switches(rule, name, value, start)
            category.modifiers += switched
            first = start if rule.when is not None else value
            category.constraints.append(make_constraint(name, key, first, "roster", by))
        self.categories.append(category)

    def _ends(self, rule: CountRule) -> tuple[Decimal | None, Decimal | None]:
        """Return the least and the greatest number that a count allows.

        Raises:
            UnsupportedError: If they are several ranges, or depend on the unit.
        """
        least = None if rule.min is None else Decimal(rule.min)
        most = None if rule.max is None else Decimal(rule.max)
        if not rule.allowed:
            return least, most
        (allowed, *more) = rule.allowed
        if more:
            raise UnsupportedError("it allows several ranges")
        if isinstance(allowed, str):
            found = whole_range_of(Band.parse(allowed))
        elif isinstance(allowed.row, str) and (
            allowed.column is None or isinstance(allowed.column, str)
        ):
            found = whole_range_of(
                self.composition.cell(allowed.table, allowed.row, allowed.column)
            )
        else:
            raise UnsupportedError("the allowed number depends on the unit")
        if found is None:
            raise UnsupportedError("the allowed number is words")
        return found

    def _share_rule(self, rule: ShareRule) -> None:
        if rule.when or rule.unless or rule.whole_by is not None:
            raise UnsupportedError("it is a share under conditions, or of something else")
        whole = rule.whole
        of_limit = whole == "limit" and rule.by == "points"
        of_level = (
            isinstance(whole, Selector)
            and rule.by in {"number", "points"}
            and not (whole.entry or whole.where or whole.options)
            and whole.level in self.composition.bottom_levels
        )
        of_all = of_level and len(self.composition.bottom_levels) == 1
        if of_level and not of_all:
            raise UnsupportedError("it is a share of units, but percentages there count leaders")
        if not of_limit and not of_all:
            raise UnsupportedError("it is a share of neither the limit nor all units")
        category = self._category(rule.id, rule.part, rule.message)
        by = f"{LIMIT}{POINTS}" if of_limit else POINTS if rule.by == "points" else "selections"
        for key, share in (("min", rule.min), ("max", rule.max)):
            if share is not None:
                percent = parse_share(share) * 100
                value = Decimal(percent.numerator) / percent.denominator
                if Fraction(value) != percent:
                    raise UnsupportedError("it is no percentage with decimals that end")
                made = make_constraint(f"{category.id}.{key}", key, value, "roster", by)
                made.set("percentValue", "true")
                category.constraints.append(made)
        self.categories.append(category)

    def _pair_rule(self, rule: RequiresRule | ExcludesRule) -> None:
        """Say a demand or an exclusion as a limit that one category puts on another."""
        if rule.when or rule.unless:
            raise UnsupportedError("it demands or excludes something under conditions")
        demands = isinstance(rule, RequiresRule)
        other = rule.needs if isinstance(rule, RequiresRule) else rule.bars
        category = self._category(rule.id, other, rule.message)
        cause = self._category(f"{rule.id}.of", rule.of)
        self.categories.append(cause)
        key = "min" if demands else "max"
        name = f"{category.id}.{key}"
        condition = self._query("condition", "selections", Decimal(1), cause.id, kind="atLeast")
        change = {"type": "set", "field": name, "value": Decimal(int(demands))}
        category.modifiers.append(
            make_element("modifier", change, make_list("conditions", [condition]))
        )
        start = Decimal(0) if demands else _OPEN
        category.constraints.append(make_constraint(name, key, start, "roster", "selections"))
        self.categories.append(category)

    def _category(self, key: str, selector: Selector, message: str = "") -> _Category:
        """Return a category of the units that a selector means, whatever a list says.

        It is named by what the units are; the message of its rule is its comment.

        Raises:
            UnsupportedError: If that depends on what a list says of them.
        """
        if selector.options:
            raise UnsupportedError("it counts units with an option")
        if selector.level is not None and (
            self._is_inner(selector.level) or selector.level == self.composition.top.id
        ):
            raise UnsupportedError("it counts levels of command")
        members = set()
        for found in self.contents.values():
            kind = found.kind
            stated = kind.profile.fields if kind.profile is not None else {}
            for name_ in selector.where:
                top = self.composition.top.fields
                if (name_ in kind.field_specs and name_ not in stated) or name_ in top:
                    raise UnsupportedError(f"it counts units by “{name_}”, which a list may change")
            if kind.matches(selector):
                members.add(found.id)
        _, many = nouns_of(self.army, selector)
        return _Category(f"{RULE}{key}", upper_first(many), members, message)

    def _switches(
        self, rule: CountRule, name: str, value: Decimal, start: Decimal
    ) -> list[Element]:
        """Return the modifiers that set a limit where `when` holds, and open it where `unless`."""
        made = []
        for written, expected in rule.switches():
            to = value if expected else start
            change = {"type": "set", "field": name, "value": to}
            condition = self._condition(written, rule)
            kind = "conditionGroups" if condition.tag == "conditionGroup" else "conditions"
            made.append(make_element("modifier", change, make_list(kind, [condition])))
        return made

    def _condition(self, condition: AnyCondition, rule: CountRule) -> Element:
        if isinstance(condition, Conditions):
            parts = [self._condition(part, rule) for part in condition.parts]
            return join_conditions(parts, "or" if condition.any else "and")
        if isinstance(condition, LimitCondition):
            return self._limit_condition(Band.parse(condition.limit))
        return self._count_condition(condition, rule)

    def _count_condition(self, condition: Condition, rule: CountRule) -> Element:
        if condition.within not in {None, self.composition.top.id} or condition.sum is not None:
            raise UnsupportedError("its condition adds up fields, or counts in another scope")
        if condition.by not in {"number", "points"}:
            raise UnsupportedError("its condition counts options")
        key = f"{rule.id}.if-{next(self._ids)}"
        category = self._category(key, condition.of)
        self.categories.append(category)
        by = POINTS if condition.by == "points" else "selections"
        ends = [("atLeast", condition.min), ("atMost", condition.max)]
        parts = [
            self._query("condition", by, Decimal(end), category.id, kind=kind)
            for kind, end in ends
            if end is not None
        ]
        return parts[0] if len(parts) == 1 else join_conditions(parts, "and")

    def _limit_condition(self, band: Band) -> Element:
        parts = []
        ends = [
            ("greaterThan" if band.low_open else "atLeast", band.low),
            ("lessThan" if band.high_open else "atMost", band.high),
        ]
        for kind, end in ends:
            if end is not None:
                limit = f"{LIMIT}{POINTS}"
                parts.append(self._query("condition", limit, end, "any", kind=kind))
        return parts[0] if len(parts) == 1 else join_conditions(parts, "and")

    def _growth(self, name: str, value: Decimal, per: int, *, begun: bool) -> Element:
        """Return the modifier that adds to a limit for each so many points of the army's limit."""
        repeat = self._query("repeat", f"{LIMIT}{POINTS}", Decimal(per), ARMY_FORCE)
        repeat.set("repeats", "1")
        repeat.set("roundUp", "true" if begun else "false")
        grow = {"type": "increment", "field": name, "value": value}
        return make_element("modifier", grow, make_list("repeats", [repeat]))

    def _query(self, tag: str, what: str, value: Decimal, child: str, kind: str = "") -> Element:
        made = make_element(tag, query_attributes(what, "roster", value))
        made.set("childId", child)
        if kind:
            made.set("type", kind)
        return made

    # Files

    def _game_system(self) -> Element:
        types = [{"id": POINTS, "name": "pts", "defaultCostLimit": "-1"}] if self.priced else []
        stats = self._stats()
        kinds = [
            make_element("characteristicType", {"id": f"stat.{name}", "name": title})
            for name, title in stats.items()
        ]
        profile = make_element(
            "profileType", {"id": PROFILE, "name": "Unit"}, make_list("characteristicTypes", kinds)
        )
        identity = self.system.identity
        source = make_element("publication", {"id": "source", "name": identity.source.credit[:300]})
        own = [] if not self.books else self._entries("")
        return make_element(
            "gameSystem",
            {
                "id": self.system.id,
                "name": self.system.title,
                "revision": 1,
                "battleScribeVersion": VERSION,
                "xmlns": f"{SPACE}gameSystemSchema",
            },
            make_list("publications", [source]),
            make_list("costTypes", [make_element("costType", each) for each in types]),
            make_list("profileTypes", [profile] if stats else []),
            make_list("categoryEntries", map(_category_entry, self.categories)),
            make_list("forceEntries", [self._force()]),
            make_list("selectionEntries", own),
        )

    def _stats(self) -> dict[str, str]:
        return {
            name: spec.title or name
            for name, spec in self.composition.written.profile.items()
            if spec.form != "points"
        }

    def _force(self) -> Element:
        links = [
            _category_link(f"{ARMY_FORCE}.{each.id}", each, primary=False)
            for each in self.categories
        ]
        attributes = {"id": ARMY_FORCE, "name": self.composition.top.title, "hidden": False}
        return make_element("forceEntry", attributes, make_list("categoryLinks", links))

    def _catalogue(self, book: Book | None) -> Element:
        title = book.title if book is not None else f"{self.system.title}: units"
        return make_element(
            "catalogue",
            {
                "id": catalogue_id(self.system, book),
                "name": title,
                "revision": 1,
                "battleScribeVersion": VERSION,
                "library": False,
                "gameSystemId": self.system.id,
                "gameSystemRevision": 1,
                "xmlns": f"{SPACE}catalogueSchema",
            },
            make_list("selectionEntries", self._entries(book.id if book is not None else "")),
        )

    def _entries(self, book: str) -> list[Element]:
        return [self._unit(found) for (own, _), found in self.contents.items() if own == book]

    def _unit(self, found: Contents) -> Element:
        kind = found.kind
        mine = [each for each in self.categories if found.id in each.members]
        entry = kind.entry
        primary = f"type.{entry.id}" if entry is not None else ""
        links = [
            _category_link(f"{found.id}.in.{each.id}", each, primary=each.id == primary)
            for each in mine
        ]
        modifiers, constraints = self._number(found)
        attributes = {"id": found.id, "name": kind.title, **PLAIN, "type": "unit"}
        return make_element(
            "selectionEntry",
            attributes,
            make_list("modifiers", modifiers),
            make_list("constraints", constraints),
            self._profile(found),
            make_list("categoryLinks", links),
            make_list("selectionEntries", [self._item(item) for item in found.loose_items()]),
            make_list("selectionEntryGroups", [self._group(group) for group in found.groups]),
            make_costs(found.cost, priced=self.priced),
        )

    def _number(self, found: Contents) -> tuple[list[Element], list[Element]]:
        """Return how many of a unit its book allows, as modifiers and constraints."""
        profile = found.kind.profile
        rule = profile.number if profile is not None else None
        modifiers, constraints = [], []
        for key, end in (("min", rule.min), ("max", rule.max)) if rule is not None else ():
            if end is None:
                continue
            name = f"{found.id}.{key}"
            value = Decimal(end)
            if rule is not None and rule.per is not None:
                modifiers.append(self._growth(name, value, rule.per, begun=rule.begun))
                value = Decimal(0)
            constraints.append(make_constraint(name, key, value, "roster", "selections"))
        return modifiers, constraints

    def _profile(self, found: Contents) -> Element | None:
        profile = found.kind.profile
        values = []
        for name, title in self._stats().items():
            value = profile.stats.get(name) if profile is not None else None
            if value is not None and not is_absent(value):
                made = make_element("characteristic", {"name": title, "typeId": f"stat.{name}"})
                made.text = found.kind.shown(name)
                values.append(made)
        if not values:
            return None
        attributes = {
            "id": f"{found.id}.profile",
            "name": found.kind.title,
            "hidden": False,
            "typeId": PROFILE,
            "typeName": "Unit",
        }
        made = make_element("profile", attributes, make_list("characteristics", values))
        return make_list("profiles", [made])

    def _item(self, item: Item, *, grouped: bool = False) -> Element:
        modifiers = []
        for other, points in item.rates.items():
            repeat = make_element("repeat", query_attributes("selections", "parent", Decimal(1)))
            for key, value in (("childId", other), ("repeats", "1"), ("roundUp", "false")):
                repeat.set(key, value)
            change = {
                "type": "increment" if points > 0 else "decrement",
                "field": POINTS,
                "value": abs(points),
            }
            modifiers.append(make_element("modifier", change, make_list("repeats", [repeat])))
        for other in item.bars:
            condition = make_element(
                "condition", query_attributes("selections", "parent", Decimal(1))
            )
            condition.set("childId", other)
            condition.set("type", "atLeast")
            change = {"type": "set", "field": "hidden", "value": "true"}
            modifiers.append(make_element("modifier", change, make_list("conditions", [condition])))
        ends: list[tuple[str, int | None]] = [("min", item.least or None), ("max", item.most)]
        limits = [
            make_constraint(f"{item.id}.{key}", key, Decimal(end), "parent", "selections")
            for key, end in ends
            if end is not None and not (grouped and key == "min")
        ]
        kind = "model" if item.is_model else "upgrade"
        return make_element(
            "selectionEntry",
            {"id": item.id, "name": item.name, **PLAIN, "type": kind},
            make_list("modifiers", modifiers),
            make_list("constraints", limits),
            make_costs(item.cost, priced=self.priced),
        )

    def _group(self, group: Group) -> Element:
        ends = [("min", group.least or None), ("max", group.most)]
        limits = [
            make_constraint(f"{group.id}.{key}", key, Decimal(end), "parent", "selections")
            for key, end in ends
            if end is not None
        ]
        attributes = {"id": f"{group.id}.group", "name": group.name, **PLAIN}
        if group.default:
            attributes["defaultSelectionEntryId"] = group.default
        return make_element(
            "selectionEntryGroup",
            attributes,
            make_list("constraints", limits),
            make_list("selectionEntries", [self._item(item) for item in group.items]),
        )


def catalogue_id(system: System, book: Book | None) -> str:
    """Return the id of the catalogue of a book, or of the units of a system without books."""
    return f"{system.id}.book.{book.id}" if book is not None else f"{system.id}.units"


def _category_link(key: str, category: _Category, *, primary: bool) -> Element:
    attributes = {"id": key, "name": category.name, "hidden": False}
    return make_element("categoryLink", {**attributes, "targetId": category.id, "primary": primary})


def _category_entry(category: _Category) -> Element:
    return make_element(
        "categoryEntry",
        {"id": category.id, "name": category.name, "hidden": False},
        make_text("comment", category.comment),
        make_list("modifiers", category.modifiers),
        make_list("constraints", category.constraints),
    )
