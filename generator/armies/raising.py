"""Owns the raising of an army: what its system's files say is rolled, rolled, and written down.

Does not know any one system, and writes no file: it gives the text of the new one. What a list
states is kept and not rolled.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from generator.armies.army import Army, Node, Path
from generator.armies.fields import LONGEST_LINE, FieldValue, as_text, plain, read_field, show
from generator.armies.roll_call import MOST_UNITS
from generator.armies.rolls import Rung, rung_of, rungs
from generator.armies.sort import Sort
from generator.armies.vocabulary import FieldSpec, FromField, Roll
from generator.armies.words import lower
from generator.problems import MusterError, Problem
from generator.reading.rewriting import Edit, rewrite
from generator.tables import NoEntryError, Table
from generator.values import Dice


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll: where, for which field, the dice as thrown, and what the total gives.

    `path` is the node's place in the list as it was; `copy` counts from 0 those that an entry
    with a count stands for. `value` is as a list writes it, `shown` as a page does.
    """

    path: Path
    copy: int
    label: str
    field: str
    title: str
    dice: Dice
    faces: tuple[int, ...]
    plus: int
    total: Decimal
    value: str
    shown: str

    @property
    def record(self) -> str:
        """The throw in one line: `quality 2D6 = 4 + 3 = 7`."""
        faces = " + ".join(str(face) for face in self.faces)
        more = self.dice.plus + self.plus
        if self.dice.times != 1:
            faces = f"({faces})" if len(self.faces) > 1 else faces
            faces = f"{faces} × {plain(self.dice.times)}"
        if more:
            faces += f" {'−' if more < 0 else '+'} {plain(abs(more))}"
        # Dice may bring an addition of their own: it is told once, with what a rule adds.
        bare = Dice(self.dice.count, self.dice.sides, self.dice.times, more)
        total = plain(self.total)
        steps = [f"{lower(self.title)} {bare.show()}", faces, total]
        if faces == total:
            steps.pop()
        text = " = ".join(steps)
        return text if len(text) <= LONGEST_LINE // 3 else f"{steps[0]} = {total}"


def raise_army(army: Army, seed: int) -> tuple[Rolled, ...]:
    """Roll all that is rolled and not stated, as it stands in the file.

    The same army and seed give the same rolls, on every machine.

    Raises:
        MusterError: With every roll that is impossible, each at its node, such as one by a class
            that the list does not give.
    """
    return _Raising(army, seed).rolls()


def raised_text(army: Army, rolls: tuple[Rolled, ...], seed: int) -> str:
    """Give the army's file anew, with what was rolled: all words and comments are kept.

    Raises:
        MusterError: If the file is laid out in a way that cannot be kept.
    """
    edits = list(_edits(army, rolls))
    return rewrite(army.document, edits, f"# Raised by muster raise --seed {seed}.")


def _edits(army: Army, rolls: tuple[Rolled, ...]) -> Iterator[Edit]:
    by_path: dict[Path, dict[int, list[Rolled]]] = {}
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
        yield Edit(node.path, tuple(copies))


class _Raising:
    """Rolls for one army and keeps what is impossible."""

    def __init__(self, army: Army, seed: int) -> None:
        self.army = army
        # Nobody's secrets hang on it, and a seed must give the same army for ever.
        self.random = random.Random(seed)  # noqa: S311
        self.scales = [scale.id for scale in army.system.scales]
        self.tables: dict[str, Table] = {}
        self.found: list[Rolled] = []
        self.problems: dict[Problem, None] = {}

    def rolls(self) -> tuple[Rolled, ...]:
        """Give all rolls.

        Raises:
            MusterError: As `raise_army`.
        """
        self._refuse_too_many()
        self._visit(self.army.root, None)
        if self.problems:
            raise MusterError(self.problems)
        return tuple(self.found)

    def _refuse_too_many(self) -> None:
        entries = 0
        for node in self.army.nodes():
            entries += node.count if list(_wanted(node)) else 1
            if entries > MOST_UNITS:
                text = f"raised one by one, its units are more than the {MOST_UNITS} of an army"
                raise MusterError((self._problem("too-many-units", text, node),))

    def _problem(self, code: str, text: str, node: Node, example: str = "") -> Problem:
        return self.army.document.problem(code, text, node.path, example=example)

    def _impossible(self, text: str, node: Node, example: str = "") -> None:
        problem = self._problem("roll-impossible", text, node, example)
        # Units of one entry have the same fault, which is told once.
        self.problems.setdefault(problem)

    def _visit(self, node: Node, above: Sort | None) -> None:
        wanted = list(_wanted(node))
        sort = node.sort
        if above is not sort.parent or wanted:
            sort = _with(sort, {}, above)
        for copy in range(node.count if wanted else 1):
            own = sort
            for name, spec, roll in wanted:
                found = self._roll(node, own, copy, name, spec, roll)
                if found is not None:
                    # What was rolled may be what the next roll is read by.
                    own = _with(own, {name: found}, above)
            if copy == 0:
                inside = own
        for child in node.children:
            self._visit(child, inside)

    def _roll(
        self, node: Node, sort: Sort, copy: int, name: str, spec: FieldSpec, roll: Roll
    ) -> FieldValue | None:
        """Throw the dice for one field; None if there is nothing to read the total by."""
        title = spec.title or name
        ladder = self._ladder(node, sort, title, roll)
        if ladder is None:
            return None
        dice = Dice.parse(roll.dice)
        faces = tuple(self.random.randint(1, dice.sides) for _ in range(dice.count))
        plus = sum(
            each.add
            for each in roll.plus
            if all(sort.text(key) in values for key, values in each.where.items())
        )
        total = sum(faces) * dice.times + dice.plus + plus
        rung = rung_of(ladder, total, capped=roll.capped)
        if rung is None:
            text = f"the table has no {lower(title)} for {node.label} and a roll of {plain(total)}"
            self._impossible(text, node)
            return None
        try:
            value = read_field(spec.form, spec.of, rung.value, self.scales)
        except ValueError as error:
            text = f"the {lower(title)} of {node.label} cannot be what the table gives: {error}"
            self._impossible(text, node)
            return None
        label = f"{node.label} {copy + 1}" if node.count > 1 else node.label
        self.found.append(
            Rolled(
                node.path, copy, label, name, title, dice, faces, plus, total,
                rung.value, show(value, spec.of),
            )
        )  # fmt: skip
        return value

    def _ladder(self, node: Node, sort: Sort, title: str, roll: Roll) -> list[Rung] | None:
        named = roll.named
        if isinstance(named, FromField):
            key = named.field
            named = sort.text(key)
            if not named:
                spec = sort.spec(key) or sort.composition.spec(key)
                what = lower(spec.title) if spec and spec.title else key.replace("-", " ")
                text = (
                    f"the {lower(title)} of {node.label} is rolled by its {what}, which nothing"
                    f" gives: state its {what} (`{key}:`)"
                )
                example = f"{key}: {next(iter(spec.of))}" if spec and spec.of else ""
                self._impossible(text, node, example)
                return None
        if roll.table not in self.tables:
            self.tables[roll.table] = self.army.system.table(roll.table).at_scale(self.army.scale)
        try:
            return rungs(self.tables[roll.table], roll, named)
        except NoEntryError as error:
            text = f"the {lower(title)} of {node.label} cannot be rolled: {error}"
            self._impossible(text, node)
            return None


def _wanted(node: Node) -> Iterator[tuple[str, FieldSpec, Roll]]:
    """List the fields that a node takes, that are rolled, and that nothing of its own states."""
    level = node.sort.composition.levels.get(node.level)
    specs: Mapping[str, FieldSpec] = {
        **(level.fields if level else {}),
        **(node.entry.fields if node.entry else {}),
    }
    for name, spec in specs.items():
        # What a field is unless somebody says otherwise, such as `unrolled`, says nothing.
        if spec.roll is not None and as_text(node.sort.said(name)) in ("", spec.default):
            yield name, spec, spec.roll


def _with(sort: Sort, rolled: Mapping[str, FieldValue], above: Sort | None) -> Sort:
    """Give a sort that says more; what others have found out of the old one does not count."""
    fields = {**sort.fields, **rolled}
    return Sort(
        sort.composition, sort.level, sort.entry, sort.profile, sort.book, sort.options,
        fields, above,
    )  # fmt: skip
