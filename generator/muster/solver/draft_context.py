"""The request for a draft, what the draft may draw from, and the theme of an example army."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from math import ceil, floor
from typing import NamedTuple

from muster.armies.army import Army, Node, NodeKind
from muster.armies.book_rules import is_barred
from muster.armies.books import Book, Profile, UnitType, entry_of, profile_of
from muster.armies.composition import Composition
from muster.armies.fields import FieldValue, as_text, parse_share, read_field
from muster.armies.pricing import known_price
from muster.armies.themes import Body, Drafting, Filling, Theme, ThemePart, bodies_of
from muster.armies.vocabulary import LEADER, FieldSpec, Option, Selector
from muster.solver.domains import relevant_names

MOST_UNITS = 400
"""The most units of a draft."""


class TooLargeError(ValueError):
    """The limit is for more units than a draft can have."""


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """The army that is asked for.

    `limit` is in points, or in units in a system without points. `include` are units that the
    army must have, each with its number (None: one or more), and `exclude` are units that it must
    not have. `also` are bare types to draw from, even where the book has units of them.
    """

    limit: Decimal
    include: Mapping[str, int | None] = field(default_factory=dict)
    exclude: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()


class SizeKey(NamedTuple):
    """The key of a unit's possible sizes: the unit, its size field, and the army's own fields."""

    unit_type: str
    field: str
    army_fields: tuple[str, ...]


@dataclass(frozen=True)
class DraftContext:
    """The data that armies of one book and theme are drafted from.

    `sizes` is a cache of the sizes that units may have.
    """

    composition: Composition
    book: Book | None
    drafting: Drafting
    theme: Theme
    request: DraftRequest
    sizes: dict[SizeKey, dict[str, int]] = field(default_factory=dict)

    @cached_property
    def bodies(self) -> dict[str, Body]:
        """The bodies by id, the army itself first."""
        return bodies_of(self.drafting, self.composition)

    @cached_property
    def army(self) -> Body:
        """The body that is the army itself."""
        return next(iter(self.bodies.values()))

    @cached_property
    def fillings(self) -> list[Filling]:
        """The fillings, those of the theme first."""
        return [*self.theme.fields, *self.drafting.fields]

    @cached_property
    def scales(self) -> list[str]:
        """The ids of the system's scales."""
        return [scale.id for scale in self.composition.system.scales]

    @cached_property
    def nameable_units(self) -> dict[str, UnitType]:
        """All units that a request may name, by id: those of the book, then the bare types."""
        units: dict[str, UnitType] = dict(self.book.units) if self.book is not None else {}
        for entry in self.composition.entries.values():
            if entry.level in self.composition.levels:
                units.setdefault(entry.id, entry)
        return units

    @cached_property
    def drawable_units(self) -> dict[str, UnitType]:
        """The units to draw from; a bare type is one only if the book has no unit of it."""
        in_book = (
            {unit.entry.id for unit in self.book.units.values()} if self.book is not None else ()
        )
        named = self.request.include.keys() | self.request.also
        return {
            key: unit_type
            for key, unit_type in self.nameable_units.items()
            if key not in self.request.exclude
            and (isinstance(unit_type, Profile) or unit_type.id not in in_book or key in named)
        }

    def kind_of(
        self,
        above: NodeKind | None,
        level: str,
        unit_type: UnitType | None,
        fields: Mapping[str, FieldValue],
        options: Sequence[Option] = (),
    ) -> NodeKind:
        """Return the kind of a node with the fields and options that it has so far.

        Args:
            above: The kind of the node that it stands under; None for the army itself.
            level: The level's id.
            unit_type: The unit or leader; None for a level of command.
            fields: Its fields.
            options: Its options, besides those of its profile.
        """
        entry = entry_of(unit_type) if unit_type is not None else None
        profile = profile_of(unit_type) if unit_type is not None else None
        book = self.book if above is None else above.book
        taken = [*(profile.options if profile is not None else ()), *options]
        distinct = tuple({option.id: option for option in taken}.values())
        return NodeKind(self.composition, level, entry, profile, book, distinct, fields, above)

    def applies(self, filling: Filling, kind: NodeKind, inside: Sequence[str]) -> bool:
        """Return whether a filling applies to a node within bodies, as the node is now."""
        within = not filling.inside or bool(set(filling.inside) & set(inside))
        return within and kind.matches(filling.of)

    def option_chances(self, kind: NodeKind, inside: Sequence[str]) -> Iterator[tuple[Option, int]]:
        """Yield the options that a node may take, each with its chance in a thousand."""
        chances: dict[str, int] = {}
        for filling in self.fillings:
            if filling.take and self.applies(filling, kind, inside):
                for name, share in filling.take.items():
                    chances.setdefault(name, int(parse_share(share) * 1000))
        for name, chance in chances.items():
            option = self.composition.options[name]
            if kind.profile is None or not is_barred(kind.profile, option):
                yield option, chance

    def read_value(self, spec: FieldSpec, text: str) -> FieldValue:
        """Return the value of a field from its text."""
        return read_field(spec.form, spec.of, text, self.scales)

    def can_hold(self, body: Body, kind: NodeKind) -> bool:
        """Return whether a unit may stand in a body itself."""
        under = self.composition.levels[kind.level].under
        return body.of is not None and body.level in under and kind.matches(body.of)

    def can_hold_below(self, body: Body, kind: NodeKind) -> bool:
        """Return whether a unit may stand in a body itself or in one below it."""
        return self.can_hold(body, kind) or any(
            self.can_hold_below(self.bodies[below], kind) for below in body.holds
        )


# An example army as a theme

_SHARE_TOLERANCE = 2
"""How many hundredths a share may differ from that of the example."""


def theme_like(army: Army, title: str) -> Theme:
    """Return the theme of an example army.

    Each of its units is a part of the theme, and the fields of its nodes are the fillings.
    """
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
        low = max(0, floor(share) - _SHARE_TOLERANCE)
        high = min(100, ceil(share) + _SHARE_TOLERANCE)
        parts.append(ThemePart(of=Selector(where={"unit": [key]}), min=f"{low}%", max=f"{high}%"))
    fillings = [
        *_fillings_of(army, [army.root], Selector(level=army.root.level)),
        *(
            filling
            for key, same in units.items()
            for filling in _fillings_of(army, same, Selector(where={"unit": [key]}))
        ),
        *(
            filling
            for key, same in leaders.items()
            for filling in _fillings_of(army, same, Selector(entry=[key]))
        ),
    ]
    return Theme(id="like", title=title, parts=parts, fields=fillings)


def unit_types_in(army: Army) -> frozenset[str]:
    """Return the ids of the units of an army."""
    units = (node for node in army.nodes() if node.entry is not None and node.level != LEADER)
    return frozenset(node.kind.text("unit") for node in units)


def _node_weight(node: Node, army: Army) -> Decimal:
    if not army.composition.has_prices:
        return Decimal(node.count)
    return known_price(node.kind) * node.count


def _fillings_of(army: Army, nodes: Sequence[Node], of: Selector) -> Iterator[Filling]:
    """Yield the filling of nodes of one type: each value weighs as often as it occurs."""
    compared = relevant_names(army.composition).compared
    say: dict[str, dict[str, int]] = {}
    for name, spec in nodes[0].kind.field_specs.items():
        # The names of people and what is rolled belong to one army alone.
        if spec.roll is not None or (spec.form == "line" and name not in compared):
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
        for option in node.kind.options:
            if option not in node.kind.given_options:
                taken[option.id] += node.count
    take = {name: f"{count * 100 // number}%" for name, count in taken.items()}
    if say or take:
        yield Filling(of=of, say=say, take=take)
