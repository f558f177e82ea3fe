"""The data of unit cards: names, loss boxes and derived values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import NamedTuple

from muster.armies import Army, Node, Verdict
from muster.armies.fields import upper_first
from muster.armies.nouns import plural_of_level
from muster.documents.derived_values import (
    DerivedCell,
    FieldLookup,
    book_title,
    derive_cell,
    join_cells,
    nation_titles,
    node_name,
    unit_type_name,
)
from muster.documents.measures import Measures, choose_measures
from muster.documents.own_language import in_own_language
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.documents.pictures import book_picture, distinct_pictures, read_picture
from muster.documents.table_view import Part, PartFilter
from muster.languages import say, say_number
from muster.limits import MAX_LOSS_BOXES
from muster.systems import System
from muster.systems.layouts import (
    CardLayout,
    Cards,
    ColourRule,
    Derivation,
    Joined,
    Losses,
    RosterColumn,
    Tally,
    ValueRow,
    Words,
    WrittenCardBlock,
)
from muster.systems.pictures import Picture
from muster.systems.symbols import house_symbols
from muster.tables.references import AttributeFilter, AttributeReference
from muster.values import Percent

_MIN_UNITS = 2
"""The units that a command needs for a card of its own; a lone unit's card is enough."""


NO_COLOUR = "#54585f"
"""The colour of what has none: a dark grey."""


@dataclass(frozen=True, slots=True)
class LossBox:
    """A box to tick when a figure or stand is lost, with the mark that this loss reaches.

    Where there are too many for boxes, only those with a mark are kept.
    """

    number: int
    mark: str = ""
    to_write: bool = False
    """Whether its mark is to be written in, for nobody knows what it stands for."""

    @property
    def hung(self) -> str:
        """The second of two marks, if it is a sign that has room above the edge of the box."""
        first, comma, second = self.mark.partition(", ")
        return second if comma and len(first) <= _LONGEST_FIGURE_IN and len(second) == 1 else ""


@dataclass(frozen=True, slots=True)
class LossTrack:
    """The boxes to tick off, and what explains their marks.

    `meanings` are marks with what each stands for, nothing if that is to be filled in; a halved box
    takes two ticks. If there are too many losses for boxes, `of` is their number: the losses are
    written.
    """

    label: str
    boxes: tuple[LossBox, ...]
    of: int = 0
    remark: str = ""
    meanings: tuple[tuple[str, str], ...] = ()
    in_boxes: str = ""
    """What explains what its marks stand for in the boxes, if it is not the remark."""
    to_write: str = ""
    """What explains it if players write in what its marks stand for."""
    halved: bool = False
    strength: str = ""
    """The size of the unit in words, if the boxes stand for that: shown instead of the label."""
    shape: str = "square"
    kept_as: str = "losses"
    """What a browser keeps its ticks as: `losses`, as on a roster, or the label of a tally."""

    @property
    def has_numbers(self) -> bool:
        """Whether its boxes are numbered: not those in halves, nor where marks are figures, too."""
        marks = "".join(box.mark for box in self.boxes)
        written = any(box.to_write for box in self.boxes)
        return not self.halved and not written and not any(sign.isnumeric() for sign in marks)

    @property
    def hangs(self) -> bool:
        """Whether a mark hangs above the edge of one of its boxes."""
        return any(box.hung for box in self.boxes)

    @property
    def told_in_boxes(self) -> LossTrack:
        """The track with what its marks stand for in the boxes, if they have room for that.

        Where `1`, `2` and `3` stand for rolls of 6, 5–6 and 4–6, the rolls say all.
        """
        if len(self.boxes) > _MOST_TOLD or any(
            len(meaning) > _LONGEST_TOLD for _, meaning in self.meanings
        ):
            return self
        told = dict(self.meanings)
        boxes = []
        for box in self.boxes:
            marks = [told.get(mark, mark) for mark in box.mark.split(", ")]
            mark = ", ".join(each for each in marks if each)
            boxes.append(replace(box, mark=mark, to_write=bool(box.mark) and "" in marks))
        remark = self.in_boxes if self.meanings and self.in_boxes else self.remark
        if self.to_write and any(box.to_write for box in boxes):
            remark = self.to_write
        return replace(self, boxes=tuple(boxes), remark=remark, meanings=())


_LONGEST_FIGURE_IN = 2
"""The most characters of a mark that stands in a box below another one."""
_MOST_TOLD = 30
_LONGEST_TOLD = 3
"""The most boxes of a track, and characters of a meaning, that leave room for it in a box."""


_LONG_FIGURE = 6
"""A figure of more characters is set in smaller type."""


@dataclass(frozen=True, slots=True)
class LargeFigure:
    """A figure that stands large under a card's name."""

    label: str
    value: DerivedCell
    main: bool = False
    """Whether it is asked of the unit most."""

    @property
    def compact(self) -> str:
        """Its text with nothing around the signs of a formula, since it stands large: `D6+16`."""
        return self.value.text.replace(" + ", "+").replace(" − ", "−")

    @property
    def is_narrow(self) -> bool:
        """Whether it is set in smaller type: it is long, or has descenders above its label."""
        return len(self.compact) > _LONG_FIGURE or any(each in "gjpqy" for each in self.compact)

    @property
    def is_word(self) -> bool:
        """Whether it is words without a number, which stand smaller than figures."""
        return self.value.kind == "text" and not any(map(str.isdigit, self.value.text))


_FLAT_HEADS = 46
"""The most characters of a label and the heads beside it that fit one line in the smallest type."""
_MOST_LISTED = 10
"""The most lines in which a command's card lists its units."""
_MOST_LED = 16
"""The most units on the card of their leader, where they may stand one after the other."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A labelled row of values."""

    label: str
    values: tuple[DerivedCell, ...]

    @property
    def is_empty(self) -> bool:
        """Whether all its values are boxes to fill in."""
        return all(value.kind == "blank" for value in self.values)

    @property
    def length(self) -> int:
        """How many characters a row with one value has."""
        return len(self.label) + len(self.values[0].text)


@dataclass(frozen=True, slots=True)
class CardBlock:
    """A block of a card."""

    title: str
    tone: str
    heads: tuple[str, ...]
    rows: tuple[CardRow, ...]
    only: str = ""
    """The size of the cards that it is for, `large` or `small`; empty for both."""
    beside: str = ""
    """The title of the block that it stands beside, if that is the one before it."""
    colour: str = ""
    """The colour of its title, if it is not that of its tone."""
    is_list: bool = False
    """Whether it lists units, below its title."""
    spare: bool = False
    """Whether a card that has no room otherwise does without it: it is its command's."""

    @property
    def is_flat(self) -> bool:
        """Whether heads and labels are short enough to stand on one line each."""
        labels = [self.title, *(row.label for row in self.rows)]
        return len(max(labels, key=len)) + sum(len(head) + 1 for head in self.heads) <= _FLAT_HEADS

    @property
    def lines(self) -> int:
        """How many lines its table has, with its heads; a title can stand beside its rows."""
        return len(self.rows) + bool(self.heads or self.is_list)


@dataclass(frozen=True, slots=True)
class ToFill:
    """What players write on a card: a label, with the head of each box."""

    label: str
    heads: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class Card:
    """A card of one unit, leader or command. It is never split between pages."""

    id: str
    title: str
    facts: tuple[str, ...]
    command: str
    army: str
    nation: str
    colour: str
    shape: str
    """The shape of its nation's badge; empty if it has none."""
    symbol: str
    """The outline of its symbol; empty if it has none."""
    cost: str
    options: tuple[str, ...]
    figures: tuple[LargeFigure, ...]
    """Its key figures; those that it does not have are `absent`."""
    losses: LossTrack | None
    tallies: tuple[LossTrack, ...]
    """Further tracks, of what it collects."""
    boxes: tuple[str, ...]
    blocks: tuple[CardBlock, ...]
    faults: tuple[str, ...]
    led: tuple[CardRow, ...] = ()
    """The units that a leader leads, with their strengths, which stand where there is room."""
    led_title: str = ""
    """What these are, such as `Units`."""
    led_groups: tuple[CardRow, ...] = ()
    """The groups that a leader leads, which stand where there is no room for all units."""
    led_groups_title: str = ""
    """What these are, such as `Groups`."""
    picture: Picture | None = None
    """The picture of the unit, its front."""
    tick_name: str = ""
    """What a browser keeps the ticks of its boxes under."""
    sums: tuple[str, ...] = ()
    """Those of its units, for a group: its track of losses sums theirs up on a screen."""
    to_fill: tuple[ToFill, ...] = ()
    """What stands in one block of boxes to fill in, once `with_boxes_together` has found it."""
    absent: tuple[LargeFigure, ...] = ()
    """Key figures that are a dash, which stand where other cards have a figure."""
    level: str = ""
    """The level of its node: cards of one level have the same figure at the same place."""
    kind: str = ""
    """Its layout: cards of one kind are set alike."""
    stacks: bool = False
    """Whether the titles of its blocks stand above their rows, since those of one of its kind have
    no room beside them."""
    places: tuple[LargeFigure | None, ...] = ()
    """The large figures at their places, once `put_figures_in_place` has found them."""

    @property
    def large_figures(self) -> tuple[LargeFigure, ...]:
        """The key figures that are known, and a box for one that is asked of the unit most."""
        return tuple(each for each in self.figures if each.main or each.value.kind != "blank")

    def with_boxes_together(self) -> Card:
        """Return the card with what is empty, key figures and whole rows, in one block of boxes.

        A figure that is asked of the unit most has its box where it would stand.
        A single box stays where it is: of a key figure it is a row of its own.
        """
        large = self.large_figures
        figures = [upper_first(each.label) for each in self.figures if each not in large]
        empty = [(block, row) for block in self.blocks for row in block.rows if row.is_empty]
        if len(figures) + sum(len(row.values) for _, row in empty) == 1:
            box = tuple(CardRow(label, (DerivedCell("", "blank"),)) for label in figures)
            own = (CardBlock("", "neutral", (), box),) if box else ()
            return replace(self, blocks=(*self.blocks, *own))
        asked = [*map(ToFill, figures), *_boxes_of(empty)]
        known = (
            replace(block, rows=tuple(row for row in block.rows if not row.is_empty))
            for block in self.blocks
        )
        blocks = tuple(block for block in known if block.rows)
        return replace(self, blocks=blocks, to_fill=tuple(dict.fromkeys(asked)))

    @property
    def tracks(self) -> tuple[LossTrack, ...]:
        """All boxes to tick off one after the other: its losses, then its tallies."""
        return (*([self.losses.told_in_boxes] if self.losses else []), *self.tallies)

    @property
    def bands(self) -> tuple[tuple[CardBlock, ...], ...]:
        """Its blocks in order, those that stand side by side together."""
        bands: list[tuple[CardBlock, ...]] = []
        for block in self.blocks:
            if bands and block.beside and block.beside == bands[-1][-1].title:
                bands[-1] = (*bands[-1], block)
            else:
                bands.append((block,))
        return tuple(bands)

    @property
    def without_spare(self) -> Card:
        """The card without the blocks of its command."""
        return replace(self, blocks=tuple(block for block in self.blocks if not block.spare))

    def for_cards(self, *, large: bool) -> Card:
        """Return the card with the blocks that large cards have, or small ones."""
        size = "large" if large else "small"
        blocks = tuple(block for block in self.blocks if block.only in {"", size})
        return replace(self, blocks=blocks)


def _boxes_of(empty: Sequence[tuple[CardBlock, CardRow]]) -> Iterator[ToFill]:
    """Yield the boxes of empty rows; the title of a block names those whose label is not enough."""
    labels = Counter(row.label or block.title for block, row in empty)
    for block, row in empty:
        if block.heads:
            label = block.title if len(block.rows) == 1 and block.title else row.label
            yield ToFill(label, block.heads)
            continue
        label = row.label or block.title
        if block.title and row.label and labels[label] > 1:
            label = say("{title}: {subtitle}", title=block.title, subtitle=row.label)
        yield ToFill(label, ("",) * len(row.values))


def put_figures_in_place(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return cards with their large figures at places that are the same on all of one level.

    A figure with a label stands at one place. Figures that no card has both may share a place. A
    card that lacks a figure has a dash there if it says so.
    """
    places: dict[str, dict[tuple[str, int], int]] = {card.level: {} for card in cards}
    for card in sorted(cards, key=lambda card: len(card.large_figures), reverse=True):
        known = places[card.level]
        keys = [key for key, _ in _keyed_figures(card)]
        taken = {known[key] for key in keys if key in known}
        for key in keys:
            if key not in known:
                known[key] = next(n for n in range(len(taken) + 1) if n not in taken)
                taken.add(known[key])
    return tuple(_with_places(card, places[card.level]) for card in cards)


def _keyed_figures(card: Card) -> Iterator[tuple[tuple[str, int], LargeFigure]]:
    """Yield the large figures of a card by their labels, and which of this label they are."""
    seen: Counter[str] = Counter()
    for figure in card.large_figures:
        yield (figure.label, seen[figure.label]), figure
        seen[figure.label] += 1


def _with_places(card: Card, places: Mapping[tuple[str, int], int]) -> Card:
    absent = {(each.label, 0): each for each in card.absent}
    at = {places[key]: each for key, each in absent.items() if key in places}
    at |= {places[key]: figure for key, figure in _keyed_figures(card)}
    number = max(places.values(), default=-1) + 1 if at else 0
    return replace(card, places=tuple(at.get(n) for n in range(number)))


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
    army_id: str = ""
    """The name of the army's file without its ending: two armies may have one name."""
    backs: str = ""
    """The edge, `long` or `short`, over which sheets are turned to print backs, if any."""
    back: Picture | None = None
    """The picture on all backs: all cards have the same."""
    pictures: tuple[Picture, ...] = ()
    """The pictures of its fronts, each once."""
    names_in: str = ""
    """The language of the army's name, if it is another than that of the cards."""
    look: PageLook = PLAIN_LOOK


class NodeFields:
    """The fields, stats and attributes of a node, for derivations and filters."""

    def __init__(self, node: Node) -> None:
        self._node = node

    def __call__(self, name: str) -> object:
        """Return a field, stat or attribute; None if the node has none of this name."""
        return self._node.value(name)

    def shown(self, name: str) -> str:
        """Return a field as a page shows it: the title of a choice, not its id."""
        return self._node.kind.shown(name)

    def lacks_profile(self, names: Iterable[str]) -> bool:
        """Return whether a book would give the unit such values, but none describes it."""
        known = self._node.kind.composition.written.profile
        return self._node.profile is None and any(name in known for name in names)


class CommandFields(NodeFields):
    """Those of a command: what it does not state itself is what all its units have alike."""

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        self._units = [NodeFields(unit) for unit in node.walk() if unit.level == "unit"]

    def __call__(self, name: str) -> object:
        """Return a field, stat or attribute of the command, or the one that its units share."""
        value = super().__call__(name)
        if value is not None or not self._units:
            return value
        first, *others = (unit(name) for unit in self._units)
        return first if all(other == first for other in others) else None

    def shown(self, name: str) -> str:
        """Return it as a page shows it."""
        return super().shown(name) or (self._units[0].shown(name) if self._units else "")


class ValueDeriver:
    """Derives values for an army's documents, for one scale and in one unit of length.

    Unless measures are given, these are the army's own scale and the system's own unit.
    """

    def __init__(self, system: System, army: Army, measures: Measures | None = None) -> None:
        scale = army.scale if len(system.scales) > 1 else ""
        self._measures = measures or choose_measures(system, scale)
        self._tables = self._measures.tables(system)
        self.nation = next(iter(nation_titles(army)), "")
        """The nation of the army, the first if it has several."""

    def __call__(self, derivation: Derivation, fields: FieldLookup) -> DerivedCell:
        """Return a value derived from a node's fields."""
        match derivation:
            case Joined(join=parts):
                return join_cells([self(part, fields) for part in parts], derivation)
            case Words(words=words):
                return DerivedCell(self.convert_text(words), "text")
            case AttributeReference(field=field) if isinstance(fields, NodeFields):
                value = fields(field)
                if isinstance(value, str) and value:
                    return DerivedCell(fields.shown(field), "text")
        return derive_cell(derivation, self._tables, fields, self._measures)

    def convert_text(self, text: str) -> str:
        """Return a layout's own words, with lengths converted to the document's unit."""
        return self._measures.convert_text(text)


@in_own_language
def gather_cards(
    system: System, army: Army, verdict: Verdict, measures: Measures | None = None
) -> Deck:
    """Gather a card for every unit, leader and command that the system has a layout for.

    A unit with a count has that many cards.

    Args:
        system: The rule system.
        army: The army.
        verdict: Its verdict, whose prices and errors the cards show.
        measures: Scale and unit of length; else the army's scale, in the system's own unit.

    Raises:
        NoEntryError: If a layout names a row or column that its table lacks.
        MusterError: If a layout names a table that does not exist, or a picture cannot be read.
    """
    costs = {line.path: line.points_each for line in verdict.price.lines if line.each}
    faults: dict[str, list[str]] = {}
    for finding in verdict.findings:
        if finding.severity == "error":
            faults.setdefault(finding.path, []).append(finding.message)
    deriver = ValueDeriver(system, army, measures)
    names = tick_names(army)
    cards: list[Card] = []
    for node, command in _walk_with_command(army.root, None):
        layout = layout_of(node, system.cards)
        if layout is None or (node.is_branch and _count_units(node) < _MIN_UNITS):
            continue
        cost = costs.get(node.path_text, "")
        messages = tuple(faults.get(node.path_text, ()))
        made = (
            _make_card(deriver, army, node, system.cards, layout, command, cost, messages, number)
            for number in range(node.count)
        )
        own_names = names[node.path_text]
        units = node.walk() if node.is_branch else ()
        sums = [name for unit in units if unit.level == "unit" for name in names[unit.path_text]]
        cards.extend(
            replace(card, tick_name=name, sums=tuple(sums))
            for card, name in zip(made, own_names, strict=True)
        )
    pictures = distinct_pictures((card.picture for card in cards), army.document.file)
    identity = system.identity
    return Deck(
        system=system.title,
        army=army.name,
        language=identity.language,
        edition=identity.edition,
        credit=identity.source.credit,
        legal=verdict.legal,
        army_id=Path(army.document.file).stem,
        cards=tuple(cards),
        back=book_picture(system, army.book) if cards else None,
        pictures=pictures,
        names_in=names_language(system),
        look=gather_look(system),
    )


def names_language(system: System) -> str:
    """Return the language of what army files say, which are not translated; else empty."""
    return "" if system.written_in == system.identity.language else system.written_in


def tick_names(army: Army) -> dict[str, tuple[str, ...]]:
    """Return the names under which a browser keeps the ticks of all nodes, by their paths.

    A node with a count has a name for each of its units. The second of a name has a number behind
    it. A name of words outlives a change of the list, which a path does not.
    """
    used: Counter[str] = Counter()
    names: dict[str, tuple[str, ...]] = {}
    for node in army.nodes():
        own = []
        for _ in range(node.count):
            name = node_name(node)
            used[name] += 1
            own.append(f"{name} {used[name]}" if used[name] > 1 else name)
        names[node.path_text] = tuple(own)
    return names


def meets_filter(where: AttributeFilter | Mapping[str, Sequence[str]], fields: FieldLookup) -> bool:
    """Return whether a unit has one of the allowed values of every attribute in a filter.

    An attribute that the unit lacks has the value `none`, and a yes-or-no one `true` or `false`.
    """
    for name, allowed in where.items():
        value = fields(name)
        values = value if isinstance(value, tuple | list | frozenset) else (value,)
        if not any(_filter_text(item) in allowed for item in values):
            return False
    return True


def parts_for(nodes: Iterable[Node]) -> PartFilter:
    """Return a filter of the parts that concern an army, or a book, by its units and leaders.

    A part with `for:` concerns those of which a unit or leader meets it; one without concerns all.
    """
    kinds = {id(node.kind): NodeFields(node) for node in nodes if node.entry is not None}
    fields = list(kinds.values())

    def concerns(part: Part) -> bool:
        return part.only_for is None or any(
            meets_filter(each, unit) for each in part.only_for for unit in fields
        )

    return concerns


def column_value(column: RosterColumn, deriver: ValueDeriver, fields: FieldLookup) -> DerivedCell:
    """Return a unit's value in a column; a dash in columns of other units.

    A unit that no book describes has a blank where another's profile has a value.
    """
    value = column.value if meets_filter(column.where, fields) else column.otherwise
    cell = DerivedCell("–", "dash") if value is None else deriver(value, fields)
    is_unknown = isinstance(fields, NodeFields) and fields.lacks_profile(shown_fields(value))
    return DerivedCell("", "blank") if cell.kind == "dash" and is_unknown else cell


def shown_fields(value: Derivation | None) -> set[str]:
    """Return the fields whose values a column shows as they are, one beside the other."""
    parts = value.join if isinstance(value, Joined) else [value]
    return {part.field for part in parts if isinstance(part, AttributeReference)}


def column_title(column: RosterColumn, deriver: ValueDeriver, keep: PartFilter) -> str:
    """Return what the head of a column stands for, as far as it concerns an army."""
    parts = (part.text for part in column.title_parts if keep(part))
    return deriver.convert_text(", ".join(parts))


def _filter_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _walk_with_command(node: Node, command: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """Yield all nodes below one, each with the command that it is in, if it is in any."""
    for child in node.children:
        yield child, command
        yield from _walk_with_command(child, child if child.is_branch else command)


def layout_of(node: Node, looks: Cards | None) -> CardLayout | None:
    """Return the first layout of a card for a node; None if no layout is for it."""
    layouts = looks.cards if looks else []
    return next((layout for layout in layouts if _layout_applies(layout, node)), None)


def _layout_applies(layout: CardLayout, node: Node) -> bool:
    return layout.level == node.level and meets_filter(layout.where, NodeFields(node))


def _make_card(  # noqa: PLR0913, PLR0917 - a card needs all of these
    deriver: ValueDeriver,
    army: Army,
    node: Node,
    looks: Cards | None,
    layout: CardLayout,
    command: Node | None,
    cost: str,
    faults: tuple[str, ...],
    copy_number: int,
) -> Card:
    fields = CommandFields(node) if node.is_branch else NodeFields(node)
    own_blocks = layout.blocks
    layout = _with_command(layout, node, command, looks, has_room=not faults)
    losses = loss_track(layout.losses, node, fields, deriver) if layout.losses else None
    facts = _type_and_strength(node, layout)
    if losses and losses.strength:
        facts = tuple(fact for fact in facts if fact != node.strength)
    # A no-break space: no number stands on a line of its own.
    suffix = f"\u00a0{copy_number + 1}" if node.count > 1 else ""
    blocks = [
        replace(_fill_block(block, deriver, fields), spare=block not in own_blocks)
        for block in layout.blocks
        if meets_filter(block.where, fields)
    ]
    if node.is_branch:
        blocks.append(_list_units(node))
    figures = _large_figures(layout, deriver, fields)
    book = node.book
    nation = (book.nation if book and book.sample else book_title(book)) or upper_first(
        node.kind.shown("nation")
    )
    within = node_name(command) if command else ""
    led, led_groups = _list_led(node, command or army.root)
    return Card(
        id=f"{node.path_text}-{copy_number}",
        title=node_name(node) + suffix,
        facts=(*facts, *_own_facts(layout, deriver, fields, facts)),
        # Whose card it is must be said, though it may have no nation and be in no command.
        command=within if within and within != nation else "" if nation else army.name,
        army=army.name,
        nation=nation,
        colour=node_colour(node, looks),
        shape=node_shape(node, looks),
        symbol=node_symbol(node, looks),
        cost=cost,
        options=tuple(node.option_titles),
        figures=tuple(each for each in figures if each.value.kind != "dash"),
        absent=tuple(each for each in figures if each.value.kind == "dash"),
        losses=losses,
        tallies=tuple(tally_track(tally, fields) for tally in layout.tallies),
        boxes=tuple(layout.boxes),
        blocks=tuple(block for block in blocks if block.rows),
        faults=faults,
        led=led.rows,
        led_title=led.title,
        led_groups=led_groups.rows,
        led_groups_title=led_groups.title,
        level=node.level,
        kind=layout.id,
        picture=read_picture(node.picture),
    )


def _count_units(node: Node) -> int:
    return sum(unit.count for unit in node.walk() if unit.level == "unit")


def total_size(node: Node) -> int:
    """Return the sum of the sizes of all units below a command."""
    return sum(unit.size * unit.count for unit in node.walk() if unit.level == "unit")


def _type_and_strength(node: Node, layout: CardLayout) -> tuple[str, ...]:
    """Return the type and the strength of a node, without what its title says already."""
    kind = unit_type_name(node) if node.name or node.profile else layout.title
    title = node.name or node.title
    return tuple(fact for fact in (kind, node.strength) if fact and fact != title)


def _own_facts(
    layout: CardLayout, deriver: ValueDeriver, fields: FieldLookup, said: Sequence[str]
) -> Iterator[str]:
    """Yield the layout's own facts, without blanks, what a unit lacks and what is said already."""
    known = " ".join(said).casefold()
    for fact in layout.facts:
        if meets_filter(fact.where, fields):
            cell = deriver(fact.value, fields)
            is_known = cell.text.casefold() in known
            if cell.text and cell.kind not in {"blank", "dash"} and not is_known:
                yield upper_first(cell.text)


def _list_units(branch: Node, most: int = _MOST_LISTED) -> CardBlock:
    """Return the units of a command with their strengths; no rows if there are too many of them."""
    units = [unit for unit in branch.walk() if unit.level == "unit"]
    rows = tuple(map(_unit_row, units))
    return CardBlock(say("Units"), "army", (), rows if len(rows) <= most else (), is_list=True)


def _unit_row(unit: Node) -> CardRow:
    """Return a row for a unit, or several equal ones, with its strength."""
    name = node_name(unit)
    return CardRow(
        f"{unit.count} × {name}" if unit.count > 1 else name,
        (DerivedCell(_strength_of_each(unit), "number"),),
    )


def _strength_of_each(unit: Node) -> str:
    """Return the strength of a unit; that of several says that it is not their sum."""
    if unit.count > 1 and unit.strength:
        return say("{number} each", number=unit.strength)
    return unit.strength


class _Held(NamedTuple):
    """What a leader has below him, and what it is."""

    title: str
    rows: tuple[CardRow, ...]


_NOTHING_HELD = _Held("", ())


def _list_led(leader: Node, command: Node) -> tuple[_Held, _Held]:
    """Return what a leader's card lists of his command, and what it does for want of room.

    These are his units, else his groups. If the strength of a unit is not known, or he leads the
    whole army, they are what stands directly under him. Of several leaders of an army none leads
    all of it.
    """
    if leader.level != "leader" or (not command.path and isinstance(leader.path[-1], int)):
        return _NOTHING_HELD, _NOTHING_HELD
    held = [child for child in command.children if child.is_branch or child.level == "unit"]
    own = [child for child in held if not child.is_branch]
    direct = _list_held(held)
    if not command.path:
        return direct, _list_held(own) if len(own) < len(held) else _NOTHING_HELD
    units = _list_units(command, _MOST_LED)
    if not units.rows or not all(row.values[0].text for row in units.rows):
        return direct, _NOTHING_HELD
    return _Held(units.title, units.rows), direct if len(own) < len(held) else _NOTHING_HELD


def _list_held(nodes: Sequence[Node]) -> _Held:
    """Return units with their strengths and commands with those of theirs; none if too many."""
    if not 0 < len(nodes) <= _MOST_LED:
        return _NOTHING_HELD
    rows = (_group_row(node) if node.is_branch else _unit_row(node) for node in nodes)
    levels = {node.level for node in nodes}
    return _Held(_title_of_level(nodes[0]) if len(levels) == 1 else say("Leads"), tuple(rows))


def _title_of_level(node: Node) -> str:
    """Return what units or commands of the level of a node are called, such as `Groups`."""
    level = node.kind.composition.levels.get(node.level)
    return upper_first(plural_of_level(level)) if level and node.is_branch else say("Units")


def _group_row(group: Node) -> CardRow:
    """Return a row for a command with its strength, else with the number of its units."""
    size = total_size(group)
    units = [unit for unit in group.walk() if unit.level == "unit"]
    strengths = {unit.format_size(size) for unit in units}
    strength = strengths.pop() if size and len(strengths) == 1 else ""
    return CardRow(
        node_name(group),
        (
            DerivedCell(
                strength or say_number("{n} unit", "{n} units", _count_units(group)), "number"
            ),
        ),
    )


def node_colour(node: Node, looks: Cards | None) -> str:
    """Return the colour of a node's card: its book's, else that of the first rule for it."""
    if node.book and node.book.colour:
        return node.book.colour
    rule = _colour_rule(node, looks)
    return rule.colour if rule else NO_COLOUR


def nation_colour(node: Node, looks: Cards | None) -> str:
    """Return the colour of a node's nation: its book's, or of a rule that names it; else ""."""
    if node.book and node.book.colour:
        return node.book.colour
    rule = _colour_rule(node, looks)
    return rule.colour if rule and rule.where else ""


def army_colour(army: Army, looks: Cards | None) -> str:
    """Return the colour of an army's nation, or of the only one that its units have; else ""."""
    units = [node for node in army.nodes() if node.level == "unit"]
    colours = {nation_colour(unit, looks) for unit in units}
    return nation_colour(army.root, looks) or (colours.pop() if len(colours) == 1 else "")


def node_shape(node: Node, looks: Cards | None) -> str:
    """Return the shape of a node's badge: its book's, else that of the first rule, if any."""
    rule = _colour_rule(node, looks)
    return node.book.shape if node.book else (rule.shape or "" if rule else "")


def _colour_rule(node: Node, looks: Cards | None) -> ColourRule | None:
    fields = NodeFields(node)
    rules = looks.colours if looks else []
    return next((rule for rule in rules if meets_filter(rule.where, fields)), None)


def node_symbol(node: Node, looks: Cards | None) -> str:
    """Return the outline of the symbol that the first rule for a node names; "" if none does."""
    if looks is None:
        return ""
    fields = NodeFields(node)
    for rule in looks.symbols:
        if rule.level in {None, node.level} and meets_filter(rule.where, fields):
            return looks.drawings.get(rule.symbol) or house_symbols().get(rule.symbol, "")
    return ""


def _large_figures(
    layout: CardLayout, deriver: ValueDeriver, fields: FieldLookup
) -> tuple[LargeFigure, ...]:
    """Return the figures that stand large; a dash is one that a unit does not have."""
    figures = [
        LargeFigure(
            deriver.convert_text(written.label), deriver(written.value, fields), written.main
        )
        for written in layout.figures
        if meets_filter(written.where, fields)
    ]
    return tuple(figures)


def _with_command(
    layout: CardLayout,
    node: Node,
    command: Node | None,
    looks: Cards | None,
    *,
    has_room: bool,
) -> CardLayout:
    """Return the layout of a card; a lone unit's has what it needs of its command's card, too.

    Its command has no card of its own. A unit in no command that has cards is alone, too.
    A block of its command stands in place of its own of that title. A small card that has no room,
    for it tells faults, keeps its own.
    """
    if node.level != "unit" or looks is None:
        return layout
    above = layout_of(command, looks) if command else None
    if command and above and _count_units(command) >= _MIN_UNITS:
        return layout
    above = above or next((each for each in looks.cards if each.lone), None)
    if above is None:
        return layout
    losses = layout.losses
    if losses and above.losses and not losses.marks:
        marks = {"marks": above.losses.marks, "remark": above.losses.remark}
        losses = losses.model_copy(update=marks)
    lone = [block for block in above.lone if meets_filter(block.where, NodeFields(node))]
    replaced = {block.title for block in lone if block.title}
    own = [block for block in layout.blocks if block.title not in replaced]
    if not has_room:
        lone = [block.model_copy(update={"only": "large"}) for block in lone]
        own = [
            block.model_copy(update={"only": "small"}) if block.title in replaced else block
            for block in layout.blocks
        ]
    blocks = [*own, *lone]
    return layout.model_copy(update={"losses": losses, "blocks": blocks})


def loss_track(
    written: Losses, node: Node, fields: FieldLookup, deriver: ValueDeriver
) -> LossTrack | None:
    """Return a box for each figure or stand; a mark is at the first loss that reaches its share.

    The last loss has no mark: it leaves nothing that a mark could change.

    Of more than `MAX_LOSS_BOXES`, only those with a mark are returned.
    """
    size = total_size(node) if node.is_branch else fields(written.count)
    if not isinstance(size, int) or size < 1:
        return None

    def told(words: str | Derivation) -> str:
        return words if isinstance(words, str) else deriver(words, fields).text

    marks: dict[int, list[str]] = {}
    own = [mark for mark in written.marks if meets_filter(mark.where, fields)]
    for mark in own:
        loss = ceil(size * Percent.parse(mark.share).fraction)
        if loss < size:
            marks.setdefault(loss, []).append(mark.label)
    reached = {loss: _join_marks(labels) for loss, labels in marks.items()}
    numbers = range(1, size + 1) if size <= MAX_LOSS_BOXES else sorted(marks)
    return LossTrack(
        label=written.label,
        # "12 stands" says more than "Stands", and the head of the card need not say it.
        strength=node.strength if size == node.size and size <= MAX_LOSS_BOXES else "",
        boxes=tuple(LossBox(n, reached.get(n, "")) for n in numbers),
        of=size if size > MAX_LOSS_BOXES else 0,
        remark=told(written.remark) if marks or not written.marks else "",
        meanings=tuple((m.label, told(m.meaning)) for m in own if marks and m.meaning),
        in_boxes=written.in_boxes,
        to_write=told(written.to_write),
        halved=bool(written.halved) and meets_filter(written.halved, fields),
    )


def tally_track(written: Tally, fields: FieldLookup) -> LossTrack:
    """Return the boxes of what a unit collects; the last has a mark if the unit states how many."""
    stated = fields(written.count) if written.count else None
    if not isinstance(stated, int) or not 1 <= stated <= MAX_LOSS_BOXES:
        boxes = [LossBox(number) for number in range(1, written.boxes + 1)]
        return LossTrack(written.label, tuple(boxes), shape=written.shape, kept_as=written.label)
    boxes = [LossBox(number) for number in range(1, stated)]
    return LossTrack(
        written.label,
        (*boxes, LossBox(stated, written.mark)),
        remark=written.remark,
        shape=written.shape,
        kept_as=written.label,
    )


_MODIFIER = re.compile(r"[+−]\d+")


def _join_marks(labels: Sequence[str]) -> str:
    """Return the marks that one loss reaches: the last of its modifiers, and all others."""
    modifiers = [label for label in labels if _MODIFIER.fullmatch(label)]
    return ", ".join([*modifiers[-1:], *(label for label in labels if label not in modifiers)])


def _fill_block(written: WrittenCardBlock, deriver: ValueDeriver, fields: FieldLookup) -> CardBlock:
    return CardBlock(
        title=deriver.convert_text(written.title),
        tone=written.tone,
        heads=tuple(deriver.convert_text(head) for head in written.heads),
        rows=fill_rows(written.rows, deriver, fields),
        only=written.only or "",
        beside=deriver.convert_text(written.beside),
        colour=written.colour or "",
    )


def fill_rows(
    written: Sequence[ValueRow], deriver: ValueDeriver, fields: FieldLookup
) -> tuple[CardRow, ...]:
    """Return the rows that concern a node, without those that hold nothing but dashes."""
    rows = []
    for row in written:
        if not meets_filter(row.where, fields):
            continue
        cells = tuple(deriver(value, fields) for value in row.values)
        if not all(cell.kind == "dash" for cell in cells):
            rows.append(CardRow(deriver.convert_text(row.label), cells))
    return tuple(rows)
