"""Owns what a draft is asked for, and what there is to draft from: types, bodies, theme.

Does not choose (see `draft_plan`) and does not know a seed: a kit serves any number of drafts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from generator.armies.books import Book, Profile
from generator.armies.composition import Composition
from generator.armies.fields import FieldValue, as_text, read_field
from generator.armies.sort import Sort
from generator.armies.soundness import share
from generator.armies.themes import Body, Drafting, Filling, Theme, bodies_of
from generator.armies.vocabulary import Entry, FieldSpec, Option

MOST_UNITS = 400
"""As many units a draft has at the most."""

What = Profile | Entry
"""A unit of a book, or a bare type."""


class TooLargeError(ValueError):
    """Say that nobody draws up an army of so many units."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an army is to be: its limit, and units that it has (None: one or more) or has not.

    `also` are bare types to draw from, even where the book has units of them.
    """

    limit: Decimal
    include: Mapping[str, int | None] = field(default_factory=dict)
    exclude: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Kit:
    """What armies of one book and theme are drafted from."""

    composition: Composition
    book: Book | None
    drafting: Drafting
    theme: Theme
    wishes: Wishes
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
    def known(self) -> dict[str, What]:
        """All units that may be named, by id: those of the book, then the bare types."""
        found: dict[str, What] = dict(self.book.units) if self.book is not None else {}
        for entry in self.composition.entries.values():
            if entry.level in self.composition.levels:
                found.setdefault(entry.id, entry)
        return found

    @cached_property
    def types(self) -> dict[str, What]:
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
        above: Sort | None,
        level: str,
        what: What | None,
        fields: Mapping[str, FieldValue],
        options: Sequence[Option] = (),
    ) -> Sort:
        """Give the sort of a node with the fields and options that it has so far."""
        profile = what if isinstance(what, Profile) else None
        entry = what.entry if isinstance(what, Profile) else what
        book = self.book if above is None else above.book
        taken = [*(profile.options if profile is not None else ()), *options]
        own = tuple({option.id: option for option in taken}.values())
        return Sort(self.composition, level, entry, profile, book, own, fields, above)

    def specs(self, sort: Sort) -> Mapping[str, FieldSpec]:
        """Give the fields that a list may fill in for a node."""
        level = self.composition.levels.get(sort.level)
        return {
            **(level.fields if level is not None else {}),
            **(sort.entry.fields if sort.entry is not None else {}),
        }

    def means(self, filling: Filling, sort: Sort, inside: Sequence[str]) -> bool:
        """Tell whether a filling means a node within bodies, as the node is now."""
        within = not filling.inside or bool(set(filling.inside) & set(inside))
        return within and sort.is_a(filling.of)

    def chances(self, sort: Sort, inside: Sequence[str]) -> Iterator[tuple[Option, int]]:
        """List the options that a node may take, each with its chance in a thousand."""
        taken: dict[str, int] = {}
        for filling in self.fillings:
            if filling.take and self.means(filling, sort, inside):
                for name, part in filling.take.items():
                    taken.setdefault(name, int(share(part) * 1000))
        for name, chance in taken.items():
            yield self.composition.options[name], chance

    def read(self, spec: FieldSpec, text: str) -> FieldValue:
        """Read a value that is to be said."""
        return read_field(spec.form, spec.of, text, self.scales)

    def takes(self, body: Body, sort: Sort) -> bool:
        """Tell whether a unit may stand in a body, itself or in one below."""
        return self.holds(body, sort) or any(
            self.takes(self.bodies[below], sort) for below in body.holds
        )

    def holds(self, body: Body, sort: Sort) -> bool:
        """Tell whether a unit may stand in a body itself."""
        under = self.composition.levels[sort.level].under
        return body.of is not None and body.level in under and sort.is_a(body.of)


def is_said(sort: Sort, name: str) -> bool:
    """Tell whether the profile or type of a node states a field."""
    return as_text(sort.said(name)) != ""
