"""Owns the checks on `cards.yaml`: every table, row, column and field on a card is there.

Does not work out values; `documents` does, for the units of an army.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.armies.composition import LEADER
from generator.armies.possible import Prospects
from generator.armies.uses import Uses
from generator.armies.vocabulary import Entry
from generator.armies.where import where_flaws
from generator.problems import MusterError
from generator.reading import Document, did_you_mean
from generator.systems import System
from generator.systems.derive import Derived, FromField, FromTable
from generator.systems.flaw import Flaw, errors, warning
from generator.systems.layouts import Cards

Path = tuple[str | int, ...]
_PARTS = ("product", "sum", "less", "least", "join")


def card_flaws(system: System, prospects: Prospects, uses: Uses) -> Iterator[Flaw]:
    """Check the cards and the roster's columns against the composition and the tables."""
    try:
        cards = system.cards
    except MusterError as fault:
        yield from errors(fault.problems)
        return
    if cards is not None:
        yield from _Cards(system, prospects, uses, system.document("cards.yaml")).flaws(cards)


class _Cards:
    def __init__(
        self, system: System, prospects: Prospects, uses: Uses, document: Document
    ) -> None:
        self.system = system
        self.prospects = prospects
        self.uses = uses
        self.document = document
        self.levels = {
            level.id
            for level in prospects.composition.written.levels
            if level.id not in prospects.composition.bottom
        }

    def _error(self, code: str, text: str, path: Path) -> Flaw:
        return Flaw("error", self.document.problem(code, text, path))

    def flaws(self, cards: Cards) -> Iterator[Flaw]:
        """Check every card, block, row and value, and all that the roster shows."""
        seen: set[str] = set()
        for place, card in enumerate(cards.cards):
            path: Path = ("cards", place)
            if card.id in seen:
                text = f"the id {card.id!r} stands above already"
                yield self._error("duplicate-id", text, (*path, "id"))
            seen.add(card.id)
            yield from self._where(card.where, path)
            entries = self.prospects.entries(card.level, card.where)
            if not entries and card.level not in self.levels:
                text = f"nothing in the composition has this card of level {card.level!r}"
                yield warning(self.document.problem("unused-card", text, path))
            if card.losses is not None:
                yield from self._field(card.losses.count, (*path, "losses", "count"))
            for n, block in enumerate(card.blocks):
                at: Path = (*path, "blocks", n)
                yield from self._where(block.where, at)
                for m, row in enumerate(block.rows):
                    yield from self._where(row.where, (*at, "rows", m))
                    wanted = [block.where, row.where]
                    who = [entry for entry in entries if self._can_be(entry, wanted)]
                    for v, value in enumerate(row.values):
                        yield from self._value(value, (*at, "rows", m, "values", v), who)
        yield from self._roster(cards)

    def _roster(self, cards: Cards) -> Iterator[Flaw]:
        for place, column in enumerate(cards.roster):
            path: Path = ("roster", place)
            yield from self._where(column.where, path)
            who = self.prospects.entries("", column.where)
            yield from self._value(column.value, (*path, "value"), who)

        for place, fact in enumerate(cards.leaders):
            path = ("leaders", place)
            yield from self._where(fact.where, path)
            who = self.prospects.entries(LEADER, fact.where)
            for v, value in enumerate(fact.values):
                yield from self._value(value, (*path, "values", v), who)

    def _can_be(self, entry: Entry, wanted: Sequence[Mapping[str, Sequence[str]]]) -> bool:
        return all(
            self.prospects.can_be(entry, name, values)
            for each in wanted
            for name, values in each.items()
        )

    def _where(self, where: Mapping[str, Sequence[str]], path: Path) -> Iterator[Flaw]:
        for name in where:
            yield from self._field(name, (*path, "where"))
        yield from where_flaws(self.prospects, self.document, where, (*path, "where"))

    def _field(self, name: str, path: Path) -> Iterator[Flaw]:
        self.uses.attributes.add(name)
        known = self.prospects.names
        if name not in known:
            text = f"no unit has a field {name!r}{did_you_mean(name, known)}"
            yield self._error("unknown-field", text, path)

    def _value(self, derived: Derived, path: Path, who: Sequence[Entry]) -> Iterator[Flaw]:
        """Check one derived value and all values that it is made of."""
        if isinstance(derived, FromTable):
            yield from self._cell(derived, path, who)
        elif isinstance(derived, FromField):
            yield from self._field(derived.field, (*path, "field"))
        for key in _PARTS:
            for n, part in enumerate(getattr(derived, key, ())):
                yield from self._value(part, (*path, key, n), who)
        for key in ("of", "down"):
            whole = getattr(derived, key, None)
            if whole is not None:
                yield from self._value(whole, (*path, key), who)

    def _cell(self, derived: FromTable, path: Path, who: Sequence[Entry]) -> Iterator[Flaw]:
        self.uses.tables.add(derived.table)
        try:
            table = self.system.table(derived.table)
        except MusterError as fault:
            if derived.table not in self.system.table_ids():
                text = fault.problems[0].text
                yield self._error("unknown-table", text, (*path, "table"))
            return
        if derived.column is None and len(table.columns) > 1:
            text = f"“{table.title}” has several columns: name one"
            yield self._error("column-needed", text, path)
        ids = {"row": [row.id for row in table.rows]}
        ids["column"] = [column.id for column in table.columns]
        for key, name in (("row", derived.row), ("column", derived.column)):
            if isinstance(name, FromField):
                yield from self._field(name.field, (*path, key, "field"))
                found = [self.prospects.of(entry, name.field) for entry in who]
                values = frozenset[str]().union(*(each.values for each in found))
                # A card shows a dash where a unit has no row; a card that never has one is wrong.
                if found and not any(e.open_ended for e in found) and not values & set(ids[key]):
                    told = ", ".join(sorted(values)) or "nothing"
                    text = f"{name.field} can be {told}: no {key} of “{table.title}” is called so"
                    yield self._error(f"unknown-{key}", text, (*path, key))
            elif isinstance(name, FromTable):
                yield from self._cell(name, (*path, key), who)
            elif name is not None and name not in ids[key]:
                text = f"there is no {key} {name!r} in “{table.title}”"
                text += did_you_mean(name, ids[key])
                yield self._error(f"unknown-{key}", text, (*path, key))
