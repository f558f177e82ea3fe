"""Check the cards of a system, and what its rosters show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from muster.armies.linter import Linter
from muster.armies.possible_values import Possibilities, References, all_values
from muster.armies.vocabulary import LEADER, Entry
from muster.names import repeated
from muster.problems import MusterError, did_you_mean
from muster.systems import System
from muster.systems.layouts import (
    CardFact,
    CardLayout,
    Cards,
    Derivation,
    KeyFigure,
    Losses,
    RosterColumn,
    TableCell,
    ValueRow,
    WrittenCardBlock,
    sub_derivations,
)
from muster.systems.lint import LintIssue, as_errors, as_warning
from muster.systems.symbols import house_symbols
from muster.tables.references import AttributeReference
from muster.yamlfile import KeyPath


def card_issues(
    system: System, possible: Possibilities, references: References
) -> Iterator[LintIssue]:
    """Yield what is wrong with `cards.yaml`, if there is one."""
    try:
        cards = system.cards
    except MusterError as error:
        yield from as_errors(error.problems)
        return
    if cards is not None:
        document = system.document("cards.yaml")
        yield from _CardLinter(system, possible, references, document).issues(cards)


class _CardLinter(Linter):
    def issues(self, cards: Cards) -> Iterator[LintIssue]:
        """Check every card, block, row and value, and all that the roster shows."""
        commands = {level.id for level in self.written.levels}
        commands -= self.possible.composition.bottom_levels
        for index, card_id in repeated(card.id for card in cards.cards):
            text = f"the id {card_id!r} is used twice"
            yield self.error("duplicate-id", text, ("cards", index, "id"))
        for index, card in enumerate(cards.cards):
            path: KeyPath = ("cards", index)
            yield from self.check_filter(card.where, path)
            entries = self.possible.entries(card.level, card.where)
            if not entries and card.level not in commands:
                text = f"nothing in the composition matches this card of level {card.level!r}"
                yield as_warning(self.document.problem("unused-card", text, path))
            if card.losses is not None:
                yield from self._field(card.losses.count, (*path, "losses", "count"))
                yield from self.check_filter(card.losses.halved, (*path, "losses"), "halved")
                yield from self._loss_count(card, entries, (*path, "losses", "count"))
                yield from self._marks(card.losses, (*path, "losses"), entries)
            head: dict[str, Sequence[CardFact | KeyFigure]]
            head = {"facts": card.facts, "figures": card.figures}
            for name, values in head.items():
                for n, each in enumerate(values):
                    each_path: KeyPath = (*path, name, n)
                    yield from self.check_filter(each.where, each_path)
                    shown_for = [entry for entry in entries if self._can_match(entry, each.where)]
                    yield from self._value(each.value, (*each_path, "value"), shown_for)
            for name, blocks in (("blocks", card.blocks), ("lone", card.lone)):
                for n, block in enumerate(blocks):
                    yield from self._block(block, (*path, name, n), entries)
        yield from self._looks(cards)
        yield from self._roster(cards)

    def _block(
        self, block: WrittenCardBlock, path: KeyPath, entries: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        yield from self.check_filter(block.where, path)
        for m, row in enumerate(block.rows):
            row_path: KeyPath = (*path, "rows", m)
            yield from self.check_filter(row.where, row_path)
            yield from self._heads(block, row, (*row_path, "values"))
            shown_for = [
                entry
                for entry in entries
                if self._can_match(entry, block.where) and self._can_match(entry, row.where)
            ]
            for v, value in enumerate(row.values):
                yield from self._value(value, (*row_path, "values", v), shown_for)

    def _marks(
        self, losses: Losses, path: KeyPath, entries: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        """Check what is looked up for the marks of losses."""
        if not isinstance(losses.remark, str):
            yield from self._value(losses.remark, (*path, "remark"), entries)
        for n, mark in enumerate(losses.marks):
            mark_path: KeyPath = (*path, "marks", n)
            yield from self.check_filter(mark.where, mark_path)
            if not isinstance(mark.meaning, str):
                shown_for = [entry for entry in entries if self._can_match(entry, mark.where)]
                yield from self._value(mark.meaning, (*mark_path, "meaning"), shown_for)

    def _loss_count(
        self, card: CardLayout, entries: Sequence[Entry], path: KeyPath
    ) -> Iterator[LintIssue]:
        """Warn of boxes for losses that no card can have, since nothing says how many."""
        name = card.losses.count if card.losses is not None else ""
        text = ""
        if name not in self.possible.names:
            return
        if entries:
            levels = (level.fields for level in self.written.levels)
            groups = (self.written.profile, *levels, *(entry.fields for entry in entries))
            if not any(name in group and group[name].form == "whole" for group in groups):
                text = (
                    f"no unit with this card has a whole number {name!r}, so that no boxes are "
                    "printed; name a field of form whole, such as the size"
                )
        elif all(entry.size != name for entry in self.written.entries):
            text = (
                f"the boxes of a command count the sizes of its units, not {name!r}; name the "
                "field with their size"
            )
        if text:
            yield as_warning(self.document.problem("no-loss-boxes", text, path))

    def _heads(self, block: WrittenCardBlock, row: ValueRow, path: KeyPath) -> Iterator[LintIssue]:
        if block.heads and len(row.values) != len(block.heads):
            text = (
                f"read {len(row.values)} value{'' if len(row.values) == 1 else 's'}, expected "
                f"{len(block.heads)}, one for each head: {', '.join(block.heads)}"
            )
            yield self.error("wrong-width", text, path)

    def _looks(self, cards: Cards) -> Iterator[LintIssue]:
        """Check the colours and symbols of cards."""
        for index, colour in enumerate(cards.colours):
            yield from self.check_filter(colour.where, ("colours", index))
        known = [*house_symbols(), *cards.drawings]
        levels = [level.id for level in self.written.levels]
        for index, rule in enumerate(cards.symbols):
            path: KeyPath = ("symbols", index)
            yield from self.check_filter(rule.where, path)
            if rule.symbol not in known:
                text = f"there is no symbol {rule.symbol!r}{did_you_mean(rule.symbol, known)}"
                text += f"; known: {', '.join(known)}"
                yield self.error("unknown-symbol", text, (*path, "symbol"))
            if rule.level is not None and rule.level not in {*levels, LEADER}:
                text = f"there is no level {rule.level!r}{did_you_mean(rule.level, levels)}"
                yield self.error("unknown-level", text, (*path, "level"))
        used = {rule.symbol for rule in cards.symbols}
        for name in cards.drawings:
            if name not in used:
                text = f"no symbol uses the drawing {name!r}"
                yield as_warning(self.document.problem("unused-drawing", text, ("drawings", name)))

    def _roster(self, cards: Cards) -> Iterator[LintIssue]:
        columns: list[tuple[KeyPath, RosterColumn]] = [
            *((("roster", index), column) for index, column in enumerate(cards.roster)),
            *((("books", index), column) for index, column in enumerate(cards.books)),
        ]
        for path, column in columns:
            yield from self.check_filter(column.where, path)
            entries = self.possible.entries("", column.where)
            yield from self._value(column.value, (*path, "value"), entries)
            if column.otherwise is not None:
                others = self.possible.entries("", {})
                yield from self._value(column.otherwise, (*path, "otherwise"), others)
        for key, level, facts in (
            ("leaders", LEADER, cards.leaders),
            ("units", "unit", cards.units),
        ):
            for index, fact in enumerate(facts):
                own: KeyPath = (key, index)
                yield from self.check_filter(fact.where, own)
                entries = self.possible.entries(level, fact.where)
                for v, value in enumerate(fact.values):
                    yield from self._value(value, (*own, "values", v), entries)

    def _can_match(self, entry: Entry, where: Mapping[str, Sequence[str]]) -> bool:
        return all(self.possible.can_be(entry, name, values) for name, values in where.items())

    def check_filter(
        self, where: Mapping[str, Sequence[str]], path: KeyPath, key: str = "where"
    ) -> Iterator[LintIssue]:
        for name in where:
            yield from self._field(name, (*path, key))
        yield from super().check_filter(where, path, key)

    def _field(self, name: str, path: KeyPath) -> Iterator[LintIssue]:
        self.references.attributes.add(name)
        known = self.possible.names
        if name not in known:
            text = f"no unit has a field {name!r}{did_you_mean(name, known)}"
            yield self.error("unknown-field", text, path)

    def _value(
        self, derived: Derivation, path: KeyPath, entries: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        """Check a derived value and all values that it is made of.

        Args:
            derived: The value.
            path: Its path in the file.
            entries: The entries that it is shown for.
        """
        if isinstance(derived, TableCell):
            yield from self._cell(derived, path, entries)
        elif isinstance(derived, AttributeReference):
            yield from self._field(derived.field, (*path, "field"))
        for below, part in sub_derivations(derived):
            yield from self._value(part, (*path, *below), entries)

    def _cell(
        self, derived: TableCell, path: KeyPath, entries: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        table, issues = self.load_table(derived.table, path)
        yield from issues
        if table is None:
            return
        if derived.column is None and len(table.columns) > 1:
            text = f"“{table.title}” has several columns; name one with `column:`"
            yield self.error("column-needed", text, path)
        ids = {"row": [row.id for row in table.rows]}
        ids["column"] = [column.id for column in table.columns]
        for key, name in (("row", derived.row), ("column", derived.column)):
            if isinstance(name, AttributeReference):
                yield from self._field(name.field, (*path, key, "field"))
                possible = [self.possible.of(entry, name.field) for entry in entries]
                values = all_values(possible)
                open_ended = any(each.open_ended for each in possible)
                # A card shows a dash for a unit without a row, but some unit must have one.
                known = name.field in self.possible.names
                if known and possible and not open_ended and not set(values) & set(ids[key]):
                    listed = ", ".join(values)
                    text = f"{name.field} can be {listed}, but “{table.title}” has no such {key}"
                    if not values:
                        text = f"no unit that shows this value has a field {name.field!r}"
                    yield self.error(f"unknown-{key}", text, (*path, key))
            elif isinstance(name, TableCell):
                yield from self._cell(name, (*path, key), entries)
            elif name is not None and name not in ids[key]:
                text = f"there is no {key} {name!r} in “{table.title}”"
                text += did_you_mean(name, ids[key])
                yield self.error(f"unknown-{key}", text, (*path, key))
