"""Owns the universe of a system: every army, up to some size, as one skeleton for each setting.

Does not ask anything of it; `prove` does. A setting is a book, or none, and the fields of the army
itself that a rule can tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from generator.armies.books import Book, Profile
from generator.armies.composition import Composition
from generator.armies.fields import FieldValue
from generator.armies.slots import Slot
from generator.armies.vocabulary import Entry
from generator.solving.freedom import Freedom, Names, everything, names_of, values_of
from generator.solving.skeleton import Skeleton

_MOST_SETTINGS = 12
"""As many settings of the army's own fields are tried for one book."""

_MANY = 24
"""As many of one sort may stand in one place of a universe."""

_FAR = 60
"""As far as a number of a unit goes in a universe, from 0 on."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A book, or none, and what an army says of itself."""

    book: Book | None
    fields: Mapping[str, FieldValue]


def settings(composition: Composition, books: Sequence[Book | None]) -> Iterator[Setting]:
    """Go through settings, the plainest of each book first, then what the fields may say."""
    fields = list(islice(_fields(composition), _MOST_SETTINGS))
    for said in fields:
        for book in books:
            yield Setting(book, said)


def _fields(composition: Composition) -> Iterator[Mapping[str, FieldValue]]:
    names = names_of(composition)
    choices: list[list[tuple[str, FieldValue | None]]] = []
    for name, spec in composition.top.fields.items():
        values: list[FieldValue | None] = []
        if name in names.compared or spec.required:
            values = list(values_of(spec, name, names))
        if not spec.required:
            values.insert(0, None)
        if values:
            choices.append([(name, value) for value in values])
    for said in product(*choices):
        yield {name: value for name, value in said if value is not None}


class Universe:
    """The skeleton of all armies of one setting, and where each sort of unit may stand in it."""

    def __init__(
        self,
        composition: Composition,
        setting: Setting,
        *,
        breadth: int = 2,
        extra: Sequence[Entry] = (),
    ) -> None:
        """Build it.

        Args:
            composition: The system's.
            setting: The book and what the army says.
            breadth: How many commands of one sort stand under the army; under others is one.
            extra: Bare types that stand beside the units of the book.
        """
        self.composition = composition
        self.setting = setting
        self.skeleton = Skeleton(composition, book=setting.book, fields=setting.fields)
        self.extra = extra
        self.where: dict[str, list[Slot]] = {}
        self._fill(self.skeleton.root, breadth)
        self.demands = self.skeleton.demands()

    @property
    def names(self) -> Names:
        """What rules and prices ask for."""
        return self.skeleton.names

    def _fill(self, above: Slot, breadth: int) -> None:
        level = self.composition.levels[above.level]
        for key, leader in level.leaders.items():
            entry = self.composition.entries[leader.entry]
            for _ in range(2 if leader.many else 1):
                freedom = everything(self.composition, self.names, entry)
                bare = Freedom(0, 1, freedom.amounts, freedom.choices)
                self.where.setdefault(entry.id, []).append(self.skeleton.leader(above, key, bare))
        for below in self.composition.below[level.id]:
            if below.id in self.composition.bottom:
                for what in self._troops(below.id):
                    freedom = everything(
                        self.composition, self.names, what, most=_MANY, near=0, far=_FAR
                    )
                    slot = self.skeleton.unit(above, below.id, what, freedom)
                    self.where.setdefault(what.id, []).append(slot)
            else:
                for _ in range(breadth):
                    self._fill(self.skeleton.branch(above, below.id), 1)

    def _troops(self, level: str) -> Iterator[Profile | Entry]:
        book = self.setting.book
        if book is not None:
            yield from (unit for unit in book.units.values() if unit.entry.level == level)
            yield from (entry for entry in self.extra if entry.level == level)
        else:
            entries = self.composition.entries.values()
            yield from (entry for entry in entries if entry.level == level)
