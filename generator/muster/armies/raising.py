"""Raise an army: roll the fields that a list leaves open, and write the results into its file."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations
from typing import NamedTuple

from muster.armies.army import Army, Node, NodeKind
from muster.armies.army_file import MAX_ENTRIES
from muster.armies.fields import (
    MAX_LINE_LENGTH,
    FieldValue,
    as_text,
    format_number,
    lower_first,
    read_field,
    show_field,
)
from muster.armies.vocabulary import AttributeReference, FieldSpec, Roll
from muster.problems import MusterError, Problem
from muster.tables import NoEntryError, Table
from muster.values import BLANK, DASH, Band, Dice, Number, Target, Text, Value
from muster.yamlfile import KeyPath
from muster.yamlfile.editing import Repeat, rewrite_document


class RollOutcome(NamedTuple):
    """A band of totals and the value that it gives, as a list would write it."""

    band: Band
    value: str


def roll_outcomes(table: Table, roll: Roll, named: str) -> list[RollOutcome]:
    """List the bands of a roll, in the order of the table; a dash or a blank gives none.

    Args:
        table: The table that the roll is read in, at one scale.
        roll: How it is read.
        named: The row or column that it is read by.

    Raises:
        NoEntryError: If there is no such row or column.
    """
    if roll.read_by == "row":
        cells = zip(table.row(named).cells, table.columns, strict=True)
        return [
            RollOutcome(band, column.id)
            for cell, column in cells
            if (band := _band_of_cell(cell)) is not None
        ]
    index = table.column(named)
    if roll.read_by == "column":
        return [
            RollOutcome(band, row.id)
            for row in table.rows
            if (band := _band_of_cell(row.cells[index], row.band)) is not None
        ]
    return [
        RollOutcome(row.band, str(cell))
        for row in table.rows
        if row.band is not None and (cell := row.cells[index]) is not DASH and cell is not BLANK
    ]


def _band_of_cell(cell: Value, own: Band | None = None) -> Band | None:
    """Give a cell as a band; words, such as a printed sign, stand for the row's own band."""
    match cell:
        case Band():
            return cell
        case Number(amount=amount):
            return Band(amount, amount)
        case Target(number=number, or_more=or_more):
            return Band(number, None) if or_more else Band(None, number)
        case Text():
            return own
    return None


def outcome_of(
    outcomes: Sequence[RollOutcome], total: Decimal, *, capped: bool
) -> RollOutcome | None:
    """Find what a total gives; None if no band holds it.

    Where several bands hold it, as `over 7` and `over 10` do, the narrowest is meant. A capped
    total beyond the outermost band counts as that band's, even where a wider one holds it.
    """
    if not outcomes:
        return None
    if capped:
        top = max(outcomes, key=_lower)
        if top.band.high is not None and total > top.band.high:
            return top
    holding = [outcome for outcome in outcomes if outcome.band.holds(total)]
    if holding:
        return max(holding, key=lambda outcome: (_lower(outcome), -_upper(outcome)))
    bottom = min(outcomes, key=_lower)
    return bottom if capped and total <= _lower(bottom) else None


_INFINITY = Decimal("Infinity")


def _lower(outcome: RollOutcome) -> Decimal:
    return -_INFINITY if outcome.band.low is None else outcome.band.low


def _upper(outcome: RollOutcome) -> Decimal:
    return _INFINITY if outcome.band.high is None else outcome.band.high


def possible_totals(roll: Roll) -> Iterator[Decimal]:
    """Give every total that a roll can come to, with whatever is added, the least first.

    Raises:
        BadDice: If the dice are no dice.
    """
    every = chain.from_iterable(combinations(roll.plus, size) for size in range(len(roll.plus) + 1))
    sums = {sum(plus.add for plus in chosen) for chosen in every}
    thrown = Dice.parse(roll.dice).outcomes()
    yield from sorted({total + plus for total in thrown for plus in sums})


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """One roll: where, for which field, the dice as thrown, and what the total gives.

    `path` is the node's place in the list as it was; `copy` counts from 0 those that an entry
    with a count stands for. `value` is as a list writes it, `shown` as a page does.
    """

    path: KeyPath
    copy: int
    label: str
    field: str
    title: str
    dice: Dice
    faces: tuple[int, ...]
    modifier: int
    total: Decimal
    value: str
    shown: str

    @property
    def record(self) -> str:
        """The throw in one line: `quality 2D6 = 4 + 3 = 7`."""
        faces = " + ".join(str(face) for face in self.faces)
        more = self.dice.plus + self.modifier
        if self.dice.times != 1:
            faces = f"({faces})" if len(self.faces) > 1 else faces
            faces = f"{faces} × {format_number(self.dice.times)}"
        if more:
            faces += f" {'−' if more < 0 else '+'} {format_number(abs(more))}"
        # Dice may bring an addition of their own: it is told once, with what a rule adds.
        bare = Dice(self.dice.count, self.dice.sides, self.dice.times, more)
        total = format_number(self.total)
        steps = [f"{lower_first(self.title)} {bare.show()}", faces, total]
        if faces == total:
            steps.pop()
        text = " = ".join(steps)
        return text if len(text) <= MAX_LINE_LENGTH // 3 else f"{steps[0]} = {total}"


def raise_army(army: Army, seed: int) -> tuple[DiceRoll, ...]:
    """Roll all that is rolled and not stated, as it stands in the file.

    The same army and seed give the same rolls, on every machine.

    Raises:
        MusterError: With every roll that is impossible, each at its node, such as one by a class
            that the list does not give.
    """
    return _ArmyRoller(army, seed).roll_all()


def raised_text(army: Army, rolls: tuple[DiceRoll, ...], seed: int) -> str:
    """Give the army's file anew, with what was rolled: all words and comments are kept.

    Raises:
        MusterError: If the file is laid out in a way that cannot be kept.
    """
    edits = list(_roll_edits(army, rolls))
    return rewrite_document(army.document, edits, f"# Raised by muster raise --seed {seed}.")


def _roll_edits(army: Army, rolls: tuple[DiceRoll, ...]) -> Iterator[Repeat]:
    by_path: dict[KeyPath, dict[int, list[DiceRoll]]] = {}
    for roll in rolls:
        by_path.setdefault(roll.path, {}).setdefault(roll.copy, []).append(roll)
    for node in army.nodes():
        if node.path not in by_path:
            continue
        copies = []
        for copy, own in by_path[node.path].items():
            said: dict[str, str | None] = {roll.field: roll.value for roll in own}
            record = "; ".join([*([node.rolled] if node.rolled else []), *(r.record for r in own)])
            said["rolled"] = record
            if node.count > 1:
                said["count"] = None
                if node.name:
                    said["name"] = f"{node.name} {copy + 1}"
            copies.append(said)
        yield Repeat(node.path, tuple(copies))


class _ArmyRoller:
    """Rolls for one army and keeps what is impossible."""

    def __init__(self, army: Army, seed: int) -> None:
        self.army = army
        # Nobody's secrets hang on it, and a seed must give the same army for ever.
        self.random = random.Random(seed)  # noqa: S311
        self.scales = [scale.id for scale in army.system.scales]
        self.tables: dict[str, Table] = {}
        self.found: list[DiceRoll] = []
        self.problems: dict[Problem, None] = {}

    def roll_all(self) -> tuple[DiceRoll, ...]:
        """Give all rolls.

        Raises:
            MusterError: As `raise_army`.
        """
        self._refuse_too_many()
        self._roll_node(self.army.root, None)
        if self.problems:
            raise MusterError(self.problems)
        return tuple(self.found)

    def _refuse_too_many(self) -> None:
        entries = 0
        for node in self.army.nodes():
            entries += node.count if list(_fields_to_roll(node)) else 1
            if entries > MAX_ENTRIES:
                text = f"raised one by one, its units are more than the {MAX_ENTRIES} of an army"
                raise MusterError((self._problem("too-many-units", text, node),))

    def _problem(self, code: str, text: str, node: Node, example: str = "") -> Problem:
        return self.army.document.problem(code, text, node.path, example=example)

    def _add_impossible(self, text: str, node: Node, example: str = "") -> None:
        problem = self._problem("roll-impossible", text, node, example)
        # Units of one entry have the same fault, which is told once.
        self.problems.setdefault(problem)

    def _roll_node(self, node: Node, above: NodeKind | None) -> None:
        wanted = list(_fields_to_roll(node))
        kind = node.kind
        if above is not kind.parent or wanted:
            kind = _kind_with(kind, {}, above)
        for copy in range(node.count if wanted else 1):
            own = kind
            for name, spec, roll in wanted:
                found = self._roll_field(node, own, copy, name, spec, roll)
                if found is not None:
                    # What was rolled may be what the next roll is read by.
                    own = _kind_with(own, {name: found}, above)
            if copy == 0:
                inside = own
        for child in node.children:
            self._roll_node(child, inside)

    def _roll_field(
        self, node: Node, kind: NodeKind, copy: int, name: str, spec: FieldSpec, roll: Roll
    ) -> FieldValue | None:
        """Throw the dice for one field; None if there is nothing to read the total by."""
        title = spec.title or name
        outcomes = self._outcomes(node, kind, title, roll)
        if outcomes is None:
            return None
        dice = Dice.parse(roll.dice)
        faces = tuple(self.random.randint(1, dice.sides) for _ in range(dice.count))
        plus = sum(
            each.add
            for each in roll.plus
            if all(kind.text(key) in values for key, values in each.where.items())
        )
        total = sum(faces) * dice.times + dice.plus + plus
        outcome = outcome_of(outcomes, total, capped=roll.capped)
        if outcome is None:
            text = (
                f"the table has no {lower_first(title)} for {node.label} and a roll of "
                f"{format_number(total)}"
            )
            self._add_impossible(text, node)
            return None
        try:
            value = read_field(spec.form, spec.of, outcome.value, self.scales)
        except ValueError as error:
            text = (
                f"the {lower_first(title)} of {node.label} cannot be what the table gives: {error}"
            )
            self._add_impossible(text, node)
            return None
        label = f"{node.label} {copy + 1}" if node.count > 1 else node.label
        self.found.append(
            DiceRoll(
                node.path, copy, label, name, title, dice, faces, plus, total,
                outcome.value, show_field(value, spec.of),
            )
        )  # fmt: skip
        return value

    def _outcomes(
        self, node: Node, kind: NodeKind, title: str, roll: Roll
    ) -> list[RollOutcome] | None:
        named = roll.lookup_key
        if isinstance(named, AttributeReference):
            key = named.field
            named = kind.text(key)
            if not named:
                spec = kind.field_spec(key) or kind.composition.spec(key)
                what = lower_first(spec.title) if spec and spec.title else key.replace("-", " ")
                text = (
                    f"the {lower_first(title)} of {node.label} is rolled by its {what}, "
                    f"which nothing"
                    f" gives: state its {what} (`{key}:`)"
                )
                example = f"{key}: {next(iter(spec.of))}" if spec and spec.of else ""
                self._add_impossible(text, node, example)
                return None
        if roll.table not in self.tables:
            self.tables[roll.table] = self.army.system.table(roll.table).at_scale(self.army.scale)
        try:
            return roll_outcomes(self.tables[roll.table], roll, named)
        except NoEntryError as error:
            text = f"the {lower_first(title)} of {node.label} cannot be rolled: {error}"
            self._add_impossible(text, node)
            return None


def _fields_to_roll(node: Node) -> Iterator[tuple[str, FieldSpec, Roll]]:
    """List the fields that a node takes, that are rolled, and that nothing of its own states."""
    level = node.kind.composition.levels.get(node.level)
    specs: Mapping[str, FieldSpec] = {
        **(level.fields if level else {}),
        **(node.entry.fields if node.entry else {}),
    }
    for name, spec in specs.items():
        # What a field is unless somebody says otherwise, such as `unrolled`, says nothing.
        if spec.roll is not None and as_text(node.kind.stated_value(name)) in ("", spec.default):
            yield name, spec, spec.roll


def _kind_with(
    kind: NodeKind, rolled: Mapping[str, FieldValue], above: NodeKind | None
) -> NodeKind:
    """Give a kind that says more; what others have found out of the old one does not count."""
    fields = {**kind.fields, **rolled}
    return NodeKind(
        kind.composition, kind.level, kind.entry, kind.profile, kind.book, kind.options,
        fields, above,
    )  # fmt: skip
