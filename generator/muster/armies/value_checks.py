"""Check the values that an army file states: against its books, and tables that they name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muster.armies.army import NodeKind
from muster.armies.composition import Composition, UnknownCellError
from muster.armies.counting import contribution_of
from muster.armies.fields import as_text, format_number, lower_first
from muster.armies.pricing import price_of_kind
from muster.armies.rolls import RollOutcome, readable_totals, roll_outcomes, stated_total
from muster.armies.vocabulary import FieldSpec, Roll
from muster.limits import MAX_SIZE
from muster.problems import MusterError, Problems
from muster.tables import NoEntryError, Table
from muster.tables.references import AttributeReference
from muster.yamlfile import Document, KeyPath


class ValueChecks:
    """Checks the values of the nodes of one army file, and adds the problems that it finds."""

    def __init__(
        self, composition: Composition, document: Document, problems: Problems, scale: str
    ) -> None:
        """Take the army's composition, its file, the list of its problems and its scale."""
        self.composition = composition
        self.document = document
        self.problems = problems
        self.scale = scale
        self.tables: dict[str, Table | None] = {}
        self.outcomes: dict[tuple[str, str], list[RollOutcome]] = {}

    def _add(self, code: str, text: str, path: KeyPath, *, example: str = "") -> None:
        self.problems.add(self.document.problem(code, text, path, example=example))

    def check_size(self, kind: NodeKind, path: KeyPath, data: Mapping[str, Any]) -> None:
        """Refuse a size that no unit has."""
        size = kind.entry.size if kind.entry else None
        value = kind.value(size) if size else None
        if size and isinstance(value, int) and value > MAX_SIZE:
            spec = kind.field_spec(size)
            many = (spec and (spec.many or spec.title)) or size
            text = f"read '{value}', expected at most {MAX_SIZE} {lower_first(many)}"
            place = (*path, size) if size in data else path
            self._add("bad-size", text, place, example=f"{size}: 12")

    def check_cells(self, kind: NodeKind, path: KeyPath, data: Mapping[str, Any]) -> None:
        """Add a problem if a number or a text of the list names no row or column of a table."""
        if not self.composition.open_keys:
            return
        try:
            # The cache of the kind keeps both results for the check.
            price_of_kind(kind)
            contribution_of(kind)
        except UnknownCellError as error:
            if not error.field:
                raise
            stated = error.field in data
            text = error.text if stated else f"{error.field} of {kind.title}: {error.text}"
            self._add("unknown-cell", text, (*path, error.field) if stated else path)

    def check_required(
        self,
        kind: NodeKind,
        specs: Mapping[str, FieldSpec],
        data: Mapping[str, Any],
        path: KeyPath,
        title: str,
    ) -> None:
        """Report fields that the list must state and does not."""
        size = kind.entry.size if kind.entry else None
        for name, spec in specs.items():
            if (spec.required or name == size) and name not in data and kind.value(name) is None:
                code = "missing-size" if name == size else "missing-key"
                choices = f", one of {', '.join(spec.of)}" if spec.of else ""
                what = (spec.title or name).lower()
                self._add(
                    code, f"the key {name!r} is missing here: the {what} of {title}{choices}", path
                )

    def check_rolled(self, kind: NodeKind, specs: Mapping[str, FieldSpec], path: KeyPath) -> None:
        """Refuse a stated total that the dice cannot show, and a number that no total gives.

        A choice is not looked at: its own list says what it may be, and a composition what it may
        be for a unit.
        """
        for name, spec in specs.items():
            roll = spec.roll
            if roll is None:
                continue
            total = stated_total(roll, kind)
            value = as_text(kind.fields.get(name)) if spec.form != "choice" else ""
            if value in ("", spec.default) and total is None:
                continue
            table = self._table(roll.table)
            outcomes = self._outcomes(table, roll, kind) if table is not None else []
            if table is None or not outcomes:
                continue
            values = list(dict.fromkeys(outcome.value for outcome in outcomes))
            if value not in ("", spec.default, *values):
                text = f"read {value!r}, expected one of {', '.join(values)}, as in “{table.title}”"
                self._add("bad-value", text, (*path, name))
            totals = readable_totals(outcomes, roll, kind)
            if total is not None and totals and total not in totals:
                least, most = format_number(totals[0]), format_number(totals[-1])
                expected = f"expected a roll from {least} to {most}, as in “{table.title}”"
                self._add("bad-value", f"read '{total}', {expected}", (*path, str(roll.total)))

    def _table(self, table_id: str) -> Table | None:
        """Return a table at the army's scale; None, with its problems, if it cannot be read."""
        if table_id not in self.tables:
            self.tables[table_id] = None
            try:
                self.tables[table_id] = self.composition.system.table(table_id).at_scale(self.scale)
            except MusterError as error:
                self.problems.extend(error.problems)
        return self.tables[table_id]

    def _outcomes(self, table: Table, roll: Roll, kind: NodeKind) -> list[RollOutcome]:
        """Return the outcomes of a roll; none if what it is read by is not stated."""
        key = roll.lookup_key
        name = kind.text(key.field) if isinstance(key, AttributeReference) else key
        if (table.id, name) not in self.outcomes:
            try:
                self.outcomes[table.id, name] = roll_outcomes(table, roll, name)
            except NoEntryError:
                self.outcomes[table.id, name] = []
        return self.outcomes[table.id, name]

    def check_book(self, kind: NodeKind, path: KeyPath) -> None:
        """Refuse a field of a command that says something else than the command's book."""
        if kind.book is None:
            return
        for name, value in kind.fields.items():
            said = kind.book.attributes.get(name)
            if said is not None and as_text(value) != said:
                text = (
                    f"read {as_text(value)!r}, expected {said!r}, which the army book "
                    f"{kind.book.id!r} says; leave `{name}:` out or choose another book"
                )
                self._add("not-of-the-book", text, (*path, name))

    def check_profile(self, kind: NodeKind, path: KeyPath) -> None:
        """Refuse a field of a unit that says something else than the `fields:` of its profile."""
        stated = kind.profile.fields if kind.profile is not None else {}
        for name, said in stated.items():
            value = kind.fields.get(name, said)
            if as_text(value) != as_text(said):
                text = (
                    f"read {as_text(value)!r}, expected {as_text(said)!r}, which the army book "
                    f"says of {kind.title}; leave `{name}:` out or choose another unit"
                )
                self._add("not-of-the-profile", text, (*path, name))
