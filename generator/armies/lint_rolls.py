"""Owns the checks on what `muster raise` rolls: every throw finds a value that the field takes.

Does not roll; `raising` does, for one army.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.armies.composition import rolls
from generator.armies.fields import read_field
from generator.armies.possible import Possible, Prospects
from generator.armies.rolls import rung_of, rungs, totals
from generator.armies.uses import Uses
from generator.armies.vocabulary import FieldSpec, FromField, Roll
from generator.armies.where import where_flaws
from generator.problems import MusterError
from generator.reading import did_you_mean
from generator.systems import System
from generator.systems.flaw import Flaw
from generator.tables import Table

Path = tuple[str | int, ...]


def roll_flaws(system: System, prospects: Prospects, uses: Uses) -> Iterator[Flaw]:
    """Check every roll of a composition against its table."""
    lint = _Rolls(system, prospects, uses)
    for path, spec, roll in rolls(prospects.composition.written):
        yield from lint.flaws(path, spec, roll)


class _Rolls:
    def __init__(self, system: System, prospects: Prospects, uses: Uses) -> None:
        self.system = system
        self.prospects = prospects
        self.uses = uses
        self.scales = [scale.id for scale in system.scales]

    def _error(self, code: str, text: str, path: Path) -> Flaw:
        document = self.prospects.composition.document
        return Flaw("error", document.problem(code, text, path))

    def flaws(self, path: Path, spec: FieldSpec, roll: Roll) -> Iterator[Flaw]:
        """Check one roll: its table, what it is read by, what is added, and every total."""
        document = self.prospects.composition.document
        self.uses.tables.add(roll.table)
        for n, plus in enumerate(roll.plus):
            self.uses.attributes |= set(plus.where)
            where = (*path, "plus", n, "where")
            yield from where_flaws(self.prospects, document, plus.where, where)
        if isinstance(roll.named, FromField):
            self.uses.attributes.add(roll.named.field)
        try:
            table = self.system.table(roll.table).at_scale(self.scales[0])
        except MusterError as fault:
            # A broken table is told with the tables; here only the name is at fault.
            if roll.table not in self.system.table_ids():
                yield self._error("unknown-table", fault.problems[0].text, (*path, "table"))
            return
        known = [row.id for row in table.rows]
        if roll.way != "row":
            known = [column.id for column in table.columns]
        what = "row" if roll.way == "row" else "column"
        for name in self._names(path, roll, known):
            if name not in known:
                text = f"there is no {what} {name!r} in “{table.title}”{did_you_mean(name, known)}"
                yield self._error(f"unknown-{what}", text, (*path, roll.way))
            else:
                yield from self._covered(path, spec, roll, table, name)

    def _names(self, path: Path, roll: Roll, known: Sequence[str]) -> Sequence[str]:
        """List what the roll may be read by; all of the table where a list may write anything."""
        if not isinstance(roll.named, FromField):
            return [roll.named]
        found = self._possible(path, roll.named.field)
        if any(each.open_ended for each in found):
            return known
        return sorted(frozenset[str]().union(*(each.values for each in found)))

    def _possible(self, path: Path, name: str) -> list[Possible]:
        """Give what those who have the field can say of a name: entries, or a level of command."""
        written = self.prospects.composition.written
        kind, place, *_ = path
        if kind == "entries":
            return [self.prospects.of(written.entries[int(place)], name)]
        level = written.levels[int(place)].id
        entries = [entry for entry in written.entries if entry.level == level]
        found = [self.prospects.of(entry, name) for entry in entries]
        return found or [self.prospects.above(name)]

    def _covered(
        self, path: Path, spec: FieldSpec, roll: Roll, table: Table, name: str
    ) -> Iterator[Flaw]:
        """Check that every total has a value, and that every value is one of the field's."""
        ladder = rungs(table, roll, name)
        missed = [
            str(total)
            for total in totals(roll)
            if rung_of(ladder, total, capped=roll.capped) is None
        ]
        if missed:
            what = f"{', '.join(missed[:6])}{' and more' if len(missed) > 6 else ''}"  # noqa: PLR2004
            text = f"“{table.title}” has nothing for {name!r} and a roll of {what} on {roll.dice}"
            yield self._error("roll-uncovered", text, path)
        for value in dict.fromkeys(rung.value for rung in ladder):
            try:
                read_field(spec.form, spec.of, value, self.scales)
            except ValueError as error:
                text = f"the roll gives a value that the field does not take: {error}"
                yield self._error("bad-value", text, path)
