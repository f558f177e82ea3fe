"""What unit cards hold: names, loss boxes and derived values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from muster.armies import Army, Node, Verdict
from muster.documents.derived_values import (
    DerivedCell,
    FieldLookup,
    book_title,
    derive_cell,
    join_cells,
    node_name,
    unit_type_name,
)
from muster.documents.measures import Measures, choose_measures
from muster.systems import System
from muster.systems.layouts import (
    CardLayout,
    Derivation,
    Joined,
    Losses,
    ValueRow,
    Words,
    WrittenCardBlock,
)
from muster.tables.references import AttributeFilter, AttributeReference
from muster.values import Percent

_MIN_UNITS = 2
"""Units that a command must have for a card of its own; a lone unit's card says it all."""


@dataclass(frozen=True, slots=True)
class LossBox:
    """One box to tick off when a figure or stand is lost, with the mark reached there."""

    number: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A labelled row of values."""

    label: str
    values: tuple[DerivedCell, ...]


@dataclass(frozen=True, slots=True)
class CardBlock:
    """A block of a card."""

    title: str
    tone: str
    heads: tuple[str, ...]
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card of one unit or leader. It never splits."""

    id: str
    title: str
    facts: tuple[str, ...]
    command: str
    army: str
    nation: str
    colour: str
    shape: str
    cost: str
    options: tuple[str, ...]
    losses: tuple[LossBox, ...]
    losses_label: str
    boxes: tuple[str, ...]
    blocks: tuple[CardBlock, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of an army."""

    system: str
    army: str
    language: str
    edition: str
    credit: str
    legal: bool
    cards: tuple[Card, ...]
    backs: str = ""
    """The edge, `long` or `short`, over which sheets are turned whose backs are printed too."""


class NodeFields:
    """What a derivation and a condition ask of one node."""

    def __init__(self, node: Node) -> None:
        self._node = node

    def __call__(self, name: str) -> object:
        """Give a field, stat or attribute; None if nothing says it."""
        return self._node.value(name)

    def shown(self, name: str) -> str:
        """Give it as a page shows it: the title of a choice, not its id."""
        return self._node.kind.shown(name)


class ValueDeriver:
    """Works out derived values for an army's documents, for one scale and in one unit.

    Without a choice the army's own scale is taken, and the system's own unit.
    """

    def __init__(self, system: System, army: Army, chosen: Measures | None = None) -> None:
        one = army.scale if len(system.scales) > 1 else ""
        self._chosen = chosen or choose_measures(system, one)
        self._tables = self._chosen.tables(system)

    def __call__(self, derived: Derivation, ask: FieldLookup) -> DerivedCell:
        """Work out a value of one node."""
        match derived:
            case Joined(join=parts, by=by):
                return join_cells([self(part, ask) for part in parts], by)
            case Words(words=words):
                return DerivedCell(self.convert_text(words), "text")
            case AttributeReference(field=field) if isinstance(ask, NodeFields):
                found = ask(field)
                if isinstance(found, str) and found:
                    return DerivedCell(ask.shown(field), "text")
        return derive_cell(derived, self._tables, ask, self._chosen)

    def convert_text(self, text: str) -> str:
        """Give a layout's own words; lengths in them are in the unit of the document."""
        return self._chosen.convert_text(text)


def gather_cards(
    system: System, army: Army, verdict: Verdict, chosen: Measures | None = None
) -> Deck:
    """Gather a card for every unit and leader that the system has a card layout for.

    A unit with a count has that many cards.

    Raises:
        NoEntryError: If a layout names a row or column that its table lacks.
        MusterError: If a layout names a table that does not exist.
    """
    layouts = system.cards.cards if system.cards else []
    costs = {line.path: line.points_each for line in verdict.price.lines}
    faults: dict[str, list[str]] = {}
    for finding in verdict.findings:
        if finding.severity == "error":
            faults.setdefault(finding.path, []).append(finding.message)
    work = ValueDeriver(system, army, chosen)
    cards: list[Card] = []
    for node, command in _walk_with_command(army.root, ""):
        layout = next((each for each in layouts if _layout_applies(each, node)), None)
        if layout is None or (node.is_branch and _count_units(node) < _MIN_UNITS):
            continue
        cost = costs.get(node.path_text, "")
        told = tuple(faults.get(node.path_text, ()))
        cards.extend(
            _make_card(work, army, node, layout, command, cost, told, copy)
            for copy in range(node.count)
        )
    identity = system.identity
    return Deck(
        system=system.title,
        army=army.name,
        language=identity.language,
        edition=identity.edition,
        credit=identity.source.credit,
        legal=verdict.legal,
        cards=tuple(cards),
    )


def meets_filter(where: AttributeFilter | Mapping[str, Sequence[str]], ask: FieldLookup) -> bool:
    """Tell whether a unit has one of the wanted values for every attribute named."""
    for name, wanted in where.items():
        found = ask(name)
        have = found if isinstance(found, tuple | list | frozenset) else (found,)
        if not any(_filter_text(each) in wanted for each in have):
            return False
    return True


def _filter_text(found: object) -> str:
    if isinstance(found, bool):
        return "true" if found else "false"
    return "none" if found is None else str(found)


def _walk_with_command(node: Node, command: str) -> Iterator[tuple[Node, str]]:
    for child in node.children:
        yield child, command
        yield from _walk_with_command(child, node_name(child) if child.is_branch else command)


def _layout_applies(layout: CardLayout, node: Node) -> bool:
    return layout.level == node.level and meets_filter(layout.where, NodeFields(node))


def _make_card(  # noqa: PLR0913, PLR0917 - a card is made of just these
    work: ValueDeriver,
    army: Army,
    node: Node,
    layout: CardLayout,
    command: str,
    cost: str,
    faults: tuple[str, ...],
    copy: int,
) -> Card:
    ask = NodeFields(node)
    losses = () if layout.losses is None else _loss_boxes(layout.losses, node, ask)
    numbered = f" {copy + 1}" if node.count > 1 else ""
    blocks = [
        _fill_block(block, work, ask) for block in layout.blocks if meets_filter(block.where, ask)
    ]
    book = node.book
    return Card(
        id=f"{node.path_text}-{copy}",
        title=node_name(node) + numbered,
        facts=_type_and_strength(node, layout),
        command=command,
        army=army.name,
        nation=book_title(book),
        colour=book.colour if book else "#54585f",
        shape=book.shape if book else "square",
        cost=cost,
        options=tuple(node.option_titles),
        losses=losses,
        losses_label=layout.losses.label if layout.losses else "",
        boxes=tuple(layout.boxes),
        blocks=tuple(block for block in blocks if block.rows),
        faults=faults,
    )


def _count_units(node: Node) -> int:
    return sum(each.count for each in node.walk() if each.level == "unit")


def total_size(node: Node) -> int:
    """Add up the sizes of all units below a command."""
    return sum(each.size * each.count for each in node.walk() if each.level == "unit")


def _type_and_strength(node: Node, layout: CardLayout) -> tuple[str, ...]:
    """Say what a card is of, beside its name: type and strength, or none that repeats it."""
    kind = unit_type_name(node) if node.name or node.profile else layout.title
    title = node.name or node.title
    return tuple(fact for fact in (kind, node.strength) if fact and fact != title)


def _loss_boxes(written: Losses, node: Node, ask: FieldLookup) -> tuple[LossBox, ...]:
    found = total_size(node) if node.is_branch else ask(written.count)
    if not isinstance(found, int) or found < 1:
        return ()
    marks: dict[int, list[str]] = {}
    for mark in written.marks:
        at = ceil(found * Percent.parse(mark.share).fraction)
        marks.setdefault(at, []).append(mark.label)
    return tuple(LossBox(n, ", ".join(marks.get(n, ()))) for n in range(1, found + 1))


def _fill_block(written: WrittenCardBlock, work: ValueDeriver, ask: FieldLookup) -> CardBlock:
    return CardBlock(
        title=work.convert_text(written.title),
        tone=written.tone,
        heads=tuple(work.convert_text(head) for head in written.heads),
        rows=fill_rows(written.rows, work, ask),
    )


def fill_rows(
    written: Sequence[ValueRow], work: ValueDeriver, ask: FieldLookup
) -> tuple[CardRow, ...]:
    """Work out the rows that concern a node, but for those that hold nothing but dashes."""
    rows = []
    for row in written:
        if not meets_filter(row.where, ask):
            continue
        answers = tuple(work(each, ask) for each in row.values)
        if not all(each.kind == "dash" for each in answers):
            rows.append(CardRow(work.convert_text(row.label), answers))
    return tuple(rows)
