"""What a draft is asked for and what it may draw from; the theme of an example army."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from math import ceil, floor

from muster.armies.army import Army, Node, NodeKind
from muster.armies.books import Book, Profile
from muster.armies.composition import LEADER, Composition
from muster.armies.fields import FieldValue, as_text, parse_share, read_field
from muster.armies.pricing import price_of_kind
from muster.armies.themes import Body, Drafting, Filling, Theme, ThemePart, bodies_of
from muster.armies.vocabulary import Entry, FieldSpec, Option, Selector
from muster.solver.domains import relevant_names

MOST_UNITS = 400
"""As many units a draft has at the most."""

UnitType = Profile | Entry
"""A unit of a book, or a bare type."""


class TooLargeError(ValueError):
    """Say that nobody draws up an army of so many units."""


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """What an army is to be: its limit, and units that it has (None: one or more) or has not.

    `also` are bare types to draw from, even where the book has units of them.
    """

    limit: Decimal
    include: Mapping[str, int | None] = field(default_factory=dict)
    exclude: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DraftContext:
    """What armies of one book and theme are drafted from."""

    composition: Composition
    book: Book | None
    drafting: Drafting
    theme: Theme
    wishes: DraftRequest
    sizes: dict[object, dict[str, int]] = field(default_factory=dict)
    """Sizes that were found out, by whatever they hang on."""

    @cached_property
    def bodies(self) -> dict[str, Body]:
        """The bodies by id, the army itself first."""
        return bodies_of(self.drafting, self.composition)

    @cached_property
    def fillings(self) -> list[Filling]:
        """The fillings, those of the theme first."""
        return [*self.theme.fields, *self.drafting.fields]

    @cached_property
    def scales(self) -> list[str]:
        """The ids of the system's scales."""
        return [scale.id for scale in self.composition.system.scales]

    @cached_property
    def known(self) -> dict[str, UnitType]:
        """All units that may be named, by id: those of the book, then the bare types."""
        found: dict[str, UnitType] = dict(self.book.units) if self.book is not None else {}
        for entry in self.composition.entries.values():
            if entry.level in self.composition.levels:
                found.setdefault(entry.id, entry)
        return found

    @cached_property
    def types(self) -> dict[str, UnitType]:
        """The units to draw from: a bare type only where the book has no unit of it."""
        own = {unit.entry.id for unit in self.book.units.values()} if self.book is not None else ()
        wanted = self.wishes.include.keys() | self.wishes.also
        return {
            key: what
            for key, what in self.known.items()
            if key not in self.wishes.exclude
            and (isinstance(what, Profile) or what.id not in own or key in wanted)
        }

    @cached_property
    def army(self) -> Body:
        """The body that is the army itself."""
        return next(iter(self.bodies.values()))

    def sort(
        self,
        above: NodeKind | None,
        level: str,
        what: UnitType | None,
        fields: Mapping[str, FieldValue],
        options: Sequence[Option] = (),
    ) -> NodeKind:
        """Give the sort of a node with the fields and options that it has so far."""
        profile = what if isinstance(what, Profile) else None
        entry = what.entry if isinstance(what, Profile) else what
        book = self.book if above is None else above.book
        taken = [*(profile.options if profile is not None else ()), *options]
        own = tuple({option.id: option for option in taken}.values())
        return NodeKind(self.composition, level, entry, profile, book, own, fields, above)

    def specs(self, sort: NodeKind) -> Mapping[str, FieldSpec]:
        """Give the fields that a list may fill in for a node."""
        level = self.composition.levels.get(sort.level)
        return {
            **(level.fields if level is not None else {}),
            **(sort.entry.fields if sort.entry is not None else {}),
        }

    def means(self, filling: Filling, sort: NodeKind, inside: Sequence[str]) -> bool:
        """Tell whether a filling means a node within bodies, as the node is now."""
        within = not filling.inside or bool(set(filling.inside) & set(inside))
        return within and sort.matches(filling.of)

    def chances(self, sort: NodeKind, inside: Sequence[str]) -> Iterator[tuple[Option, int]]:
        """List the options that a node may take, each with its chance in a thousand."""
        taken: dict[str, int] = {}
        for filling in self.fillings:
            if filling.take and self.means(filling, sort, inside):
                for name, part in filling.take.items():
                    taken.setdefault(name, int(parse_share(part) * 1000))
        for name, chance in taken.items():
            yield self.composition.options[name], chance

    def read(self, spec: FieldSpec, text: str) -> FieldValue:
        """Read a value that is to be said."""
        return read_field(spec.form, spec.of, text, self.scales)

    def takes(self, body: Body, sort: NodeKind) -> bool:
        """Tell whether a unit may stand in a body, itself or in one below."""
        return self.holds(body, sort) or any(
            self.takes(self.bodies[below], sort) for below in body.holds
        )

    def holds(self, body: Body, sort: NodeKind) -> bool:
        """Tell whether a unit may stand in a body itself."""
        under = self.composition.levels[sort.level].under
        return body.of is not None and body.level in under and sort.matches(body.of)


def is_stated(sort: NodeKind, name: str) -> bool:
    """Tell whether the profile or type of a node states a field."""
    return as_text(sort.stated_value(name)) != ""


_SHARE_TOLERANCE = 2
"""As many parts of a hundred as a share may be away from the example's."""


def theme_like(army: Army, title: str) -> Theme:
    """Make a theme of an army: each of its units is a part, what its nodes say are the fields."""
    units: dict[str, list[Node]] = {}
    leaders: dict[str, list[Node]] = {}
    for node in army.nodes():
        if node.entry is not None and node.level == LEADER:
            leaders.setdefault(node.entry.id, []).append(node)
        elif node.entry is not None:
            units.setdefault(node.kind.text("unit"), []).append(node)
    whole = sum((_node_weight(node, army) for same in units.values() for node in same), Decimal(0))
    parts = []
    for key, same in units.items():
        share = sum((_node_weight(node, army) for node in same), Decimal(0)) * 100 / (whole or 1)
        low, high = (
            max(0, floor(share) - _SHARE_TOLERANCE),
            min(100, ceil(share) + _SHARE_TOLERANCE),
        )
        parts.append(ThemePart(of=Selector(where={"unit": [key]}), min=f"{low}%", max=f"{high}%"))
    fillings = [
        *_fillings_of(army, [army.root], Selector(level=army.root.level)),
        *(
            each
            for key, same in units.items()
            for each in _fillings_of(army, same, Selector(where={"unit": [key]}))
        ),
        *(
            each
            for key, same in leaders.items()
            for each in _fillings_of(army, same, Selector(entry=[key]))
        ),
    ]
    return Theme(id="like", title=title, parts=parts, fields=fillings)


def unit_types_in(army: Army) -> frozenset[str]:
    """List the units that an army names."""
    units = (node for node in army.nodes() if node.entry is not None and node.level != LEADER)
    return frozenset(node.kind.text("unit") for node in units)


def _node_weight(node: Node, army: Army) -> Decimal:
    if not army.composition.has_prices:
        return Decimal(node.count)
    priced = price_of_kind(node.kind)
    return priced.known * node.count if priced is not None else Decimal(0)


def _fillings_of(army: Army, nodes: Sequence[Node], of: Selector) -> Iterator[Filling]:
    """Give what nodes of one kind say, each value as often as it is said."""
    asked = relevant_names(army.composition).compared
    level = army.composition.levels.get(nodes[0].level)
    entry = nodes[0].entry
    specs: dict[str, FieldSpec] = {
        **(level.fields if level is not None else {}),
        **(entry.fields if entry is not None else {}),
    }
    say: dict[str, dict[str, int]] = {}
    for name, spec in specs.items():
        # Names of people and what is rolled are an army's own.
        if spec.roll is not None or (spec.form == "line" and name not in asked):
            continue
        values: Counter[str] = Counter()
        for node in nodes:
            text = as_text(node.kind.fields.get(name)) or spec.default or ""
            values[text] += node.count
        if values[""] == 0 and set(values) != {spec.default}:
            say[name] = dict(values)
    number = sum(node.count for node in nodes)
    taken: Counter[str] = Counter()
    for node in nodes:
        given = node.kind.profile.options if node.kind.profile is not None else ()
        for option in node.kind.options:
            if option not in given:
                taken[option.id] += node.count
    take = {key: f"{many * 100 // number}%" for key, many in taken.items()}
    if say or take:
        yield Filling(of=of, say=say, take=take)
