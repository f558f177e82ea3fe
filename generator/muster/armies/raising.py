"""Raise an army: roll the fields that a list leaves open, and write the results into its file."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from muster.armies.army import Army, Node, NodeKind
from muster.armies.fields import (
    MAX_LINE_LENGTH,
    FieldValue,
    as_text,
    format_number,
    lower_first,
    read_field,
    show_field,
)
from muster.armies.rolls import RollOutcome, outcome_of, roll_modifier, roll_outcomes, stated_total
from muster.armies.vocabulary import FieldSpec, Roll
from muster.limits import MAX_ENTRIES
from muster.problems import MusterError, Problem
from muster.tables import NoEntryError, Table
from muster.tables.references import AttributeReference
from muster.values import Dice
from muster.yamlfile import KeyPath
from muster.yamlfile.editing import Repeat, rewrite_document


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """One roll: its node and field, the dice as thrown, and the value that the total gives.

    `path` is the path of the node in the list before it was raised; `copy` numbers from 0 the
    units that an entry with a count stands for. `value` is as a list writes it, `shown` as a page
    shows it. There are no `faces` where the list states the total.
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
        """The throw in one line: `quality 2D6 = 4 + 3 = 7`; without faces `quality 2D6 = 7`."""
        faces = " + ".join(str(face) for face in self.faces)
        more = self.dice.plus + self.modifier
        # Dice such as 2d6+1 add a number themselves; it is shown once, with the modifier.
        dice = Dice(self.dice.count, self.dice.sides, self.dice.times, more)
        total = format_number(self.total)
        if not faces:
            return f"{lower_first(self.title)} {dice.show()} = {total}"
        if self.dice.times != 1:
            faces = f"({faces})" if len(self.faces) > 1 else faces
            faces = f"{faces} × {format_number(self.dice.times)}"
        if more:
            faces += f" {'−' if more < 0 else '+'} {format_number(abs(more))}"
        steps = [f"{lower_first(self.title)} {dice.show()}", faces, total]
        if faces == total:
            steps.pop()
        text = " = ".join(steps)
        return text if len(text) <= MAX_LINE_LENGTH // 3 else f"{steps[0]} = {total}"


def raise_army(army: Army, seed: int) -> tuple[DiceRoll, ...]:
    """Roll every field that is rolled and not stated, in the order of the file.

    Where a list states the total of the dice, nothing is thrown: that total gives the value. The
    same army and seed give the same rolls on every machine.

    Raises:
        MusterError: With every roll that is impossible, each at its node: for example a roll that
            depends on the class of the unit where the list does not state the class.
    """
    return _ArmyRoller(army, seed).roll_all()


def raised_text(army: Army, rolls: tuple[DiceRoll, ...], seed: int) -> str:
    """Return the text of the army's file with the rolled values added; comments are kept.

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
        for copy, own_rolls in by_path[node.path].items():
            keys: dict[str, str | None] = {roll.field: roll.value for roll in own_rolls}
            earlier = [node.rolled] if node.rolled else []
            keys["rolled"] = "; ".join([*earlier, *(roll.record for roll in own_rolls)])
            if len(by_path[node.path]) > 1:
                keys["count"] = None
                if node.name:
                    keys["name"] = f"{node.name} {copy + 1}"
            copies.append(keys)
        yield Repeat(node.path, tuple(copies))


class _ArmyRoller:
    """Rolls for one army, and collects the rolls that are impossible as problems."""

    def __init__(self, army: Army, seed: int) -> None:
        self.army = army
        # No secret depends on it, and a seed must always give the same army.
        self.random = random.Random(seed)  # noqa: S311
        self.scales = [scale.id for scale in army.system.scales]
        self.tables: dict[str, Table] = {}
        self.rolls: list[DiceRoll] = []
        self.problems: dict[Problem, None] = {}

    def roll_all(self) -> tuple[DiceRoll, ...]:
        """Return all rolls.

        Raises:
            MusterError: As for `raise_army`.
        """
        self._refuse_too_many()
        self._roll_node(self.army.root, None)
        if self.problems:
            raise MusterError(self.problems)
        return tuple(self.rolls)

    def _refuse_too_many(self) -> None:
        entries = 0
        for node in self.army.nodes():
            entries += _number_of_copies(node, list(_fields_to_roll(node)))
            if entries > MAX_ENTRIES:
                text = f"with an entry for each unit there would be more than {MAX_ENTRIES} entries"
                raise MusterError((self._problem("too-many-units", text, node),))

    def _problem(self, code: str, text: str, node: Node, example: str = "") -> Problem:
        return self.army.document.problem(code, text, node.path, example=example)

    def _add_impossible(self, text: str, node: Node, example: str = "") -> None:
        problem = self._problem("roll-impossible", text, node, example)
        # All units of one entry have the same problem, which is reported once.
        self.problems.setdefault(problem)

    def _roll_node(self, node: Node, above: NodeKind | None) -> None:
        """Roll for a node and all below it; `above` is the kind above with its rolled values."""
        fields = list(_fields_to_roll(node))
        kind = node.kind
        if above is not kind.parent or fields:
            kind = _kind_with(kind, {}, above)
        copies = _number_of_copies(node, fields)
        for copy in range(copies):
            copy_kind = kind
            label = f"{node.label} {copy + 1}" if copies > 1 else node.label
            for name, spec, roll in fields:
                value = self._roll_field(node, copy_kind, (copy, label), name, spec, roll)
                if value is not None:
                    # The next roll may depend on the value of this one.
                    copy_kind = _kind_with(copy_kind, {name: value}, above)
            if copy == 0:
                first_kind = copy_kind
        for child in node.children:
            self._roll_node(child, first_kind)

    def _roll_field(
        self,
        node: Node,
        kind: NodeKind,
        copy: tuple[int, str],
        name: str,
        spec: FieldSpec,
        roll: Roll,
    ) -> FieldValue | None:
        """Roll one field of a copy and return its value; None if the roll is impossible."""
        title = spec.title or name
        outcomes = self._outcomes(node, kind, title, roll)
        if outcomes is None:
            return None
        dice = Dice.parse(roll.dice)
        modifier = roll_modifier(roll, kind)
        stated = stated_total(roll, kind)
        if stated is None:
            faces = tuple(self.random.randint(1, dice.sides) for _ in range(dice.count))
            total = sum(faces) * dice.times + dice.plus + modifier
        else:
            faces, total = (), stated
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
                f"the table gives a {lower_first(title)} of {node.label} that the field does not "
                f"accept: {error}"
            )
            self._add_impossible(text, node)
            return None
        number, label = copy
        self.rolls.append(
            DiceRoll(
                node.path, number, label, name, title, dice, faces, modifier, total,
                outcome.value, show_field(value, spec.of),
            )
        )  # fmt: skip
        return value

    def _outcomes(
        self, node: Node, kind: NodeKind, title: str, roll: Roll
    ) -> list[RollOutcome] | None:
        """Return the outcomes of a roll for a node; None, with a problem, if it has none."""
        lookup_key = roll.lookup_key
        if isinstance(lookup_key, AttributeReference):
            name = lookup_key.field
            lookup_key = kind.text(name)
            if not lookup_key:
                spec = kind.field_spec(name) or kind.composition.spec(name)
                what = lower_first(spec.title) if spec and spec.title else name.replace("-", " ")
                text = (
                    f"the {lower_first(title)} of {node.label} depends on its {what}, "
                    f"which is not stated: add `{name}:`"
                )
                example = f"{name}: {next(iter(spec.of))}" if spec and spec.of else ""
                self._add_impossible(text, node, example)
                return None
        if roll.table not in self.tables:
            self.tables[roll.table] = self.army.system.table(roll.table).at_scale(self.army.scale)
        try:
            return roll_outcomes(self.tables[roll.table], roll, lookup_key)
        except NoEntryError as error:
            text = f"the {lower_first(title)} of {node.label} cannot be rolled: {error}"
            self._add_impossible(text, node)
            return None


def _fields_to_roll(node: Node) -> Iterator[tuple[str, FieldSpec, Roll]]:
    """Yield the fields that a node takes, that are rolled, and that are not stated yet."""
    level = node.kind.composition.levels.get(node.level)
    specs: Mapping[str, FieldSpec] = {
        **(level.fields if level else {}),
        **(node.entry.fields if node.entry else {}),
    }
    for name, spec in specs.items():
        # A field that states its default, such as `unrolled`, is rolled too.
        if spec.roll is not None and as_text(node.kind.stated_value(name)) in ("", spec.default):
            yield name, spec, spec.roll


def _number_of_copies(node: Node, fields: Sequence[tuple[str, FieldSpec, Roll]]) -> int:
    """Return how many entries a node becomes: one for each unit if any of its dice are thrown."""
    thrown = any(stated_total(roll, node.kind) is None for _, _, roll in fields)
    return node.count if thrown else 1


def _kind_with(
    kind: NodeKind, rolled: Mapping[str, FieldValue], above: NodeKind | None
) -> NodeKind:
    """Return a new kind with rolled fields and another kind above it; nothing cached is kept."""
    fields = {**kind.fields, **rolled}
    return NodeKind(
        kind.composition, kind.level, kind.entry, kind.profile, kind.book, kind.options,
        fields, above,
    )  # fmt: skip
