"""Owns what a sheet file and the cards file say: which tables and values print, and in which order.

Does not place anything on a page; `documents` gathers, `rendering` packs.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.reading import Flag, Id, Line, Prose, Strict, Whole
from generator.systems.derive import Derived, Share
from generator.systems.identity import Tone

Where = dict[Id, list[Line]]
"""Attribute -> the values that want it, `none` if it is not there; all must match."""


class Block(Strict):
    """One block of a sheet: a table, or several under one head."""

    table: Id | None = None
    tables: list[Id] = []
    title: Line | None = None
    remark: Line | None = None
    rows: list[Line] = []
    short: Flag = False
    fold: Whole = 1
    turn: list[Id] = []
    listed: Flag = False
    shade: Flag = False
    notes: Flag = True
    tone: Tone | None = None
    text: Prose | None = None
    scale: Id | None = None


class Side(Strict):
    """One side of a sheet: its columns by relative width, its blocks in turn order."""

    title: Line
    columns: list[Whole] = Field(min_length=1, max_length=6)
    blocks: list[Block] = Field(min_length=1)


class Sheet(Strict):
    """The whole of `sheets/<sheet>.yaml`."""

    id: Id
    title: Line
    orientation: Literal["portrait", "landscape"] = "landscape"
    sides: list[Side] = Field(min_length=1, max_length=2)


class ValueRow(Strict):
    """A row of derived values on a card; a row with heads above it may do without a label."""

    label: Line = ""
    values: list[Derived] = Field(min_length=1)
    where: Where = {}


class CardBlock(Strict):
    """A block of a card: rows of derived values under optional column heads."""

    title: Line = ""
    tone: Tone = "neutral"
    heads: list[Line] = []
    rows: list[ValueRow] = Field(min_length=1)
    where: Where = {}


class Mark(Strict):
    """A mark beside one of the loss boxes: the box at which a share is reached."""

    share: Share
    label: Line


class Losses(Strict):
    """Boxes to tick off: one for each of a number, with marks at shares of it."""

    label: Line
    count: Id
    marks: list[Mark] = []


class CardLayout(Strict):
    """The card of one sort of unit or leader."""

    id: Id
    title: Line = ""
    level: Literal["unit", "leader"] | Id = "unit"
    where: Where = {}
    losses: Losses | None = None
    boxes: list[Line] = []
    blocks: list[CardBlock] = []


class RosterColumn(Strict):
    """A column of key values on the roster."""

    label: Line
    title: Line
    value: Derived
    where: Where = {}


class Cards(Strict):
    """The whole of `cards.yaml`.

    On a roster units fill columns, and leaders have their values beside their names.
    """

    cards: list[CardLayout] = Field(min_length=1)
    roster: list[RosterColumn] = []
    leaders: list[ValueRow] = []
