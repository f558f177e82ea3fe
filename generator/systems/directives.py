"""Owns what may stand in the braces of prose: a closed set of directives, one type each.

Does not read them (`braces` does) and does not look anything up (`reckoning` does).
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.systems.amounts import Amount, Rounding, Way


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """`{table: ID}`: the table stands here."""

    table: str


@dataclass(frozen=True, slots=True)
class NameTable:
    """`{ref: ID}`: the table by its number; `| words` stand before it in brackets."""

    table: str
    capital: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class NameChapter:
    """`{chapter: ID/SECTION | words}`: another place of the book."""

    chapter: str
    section: str
    words: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A row, a column or a cell of a table: how each is found, in the order written."""

    table: str
    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShowCell:
    """`{value: TABLE key=…}`: the text of a cell."""

    spot: Spot
    words: str = ""


@dataclass(frozen=True, slots=True)
class ShowLabel:
    """`{label: TABLE row=…}`: the label of a row or column; `plain` in running text."""

    spot: Spot
    plain: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """`{given: 9 as roll}`, `{given: 20 cm}`: a number or length that an example supposes."""

    amount: Amount
    signed: bool
    name: str


@dataclass(frozen=True, slots=True)
class Let:
    """`{let: NAME = TABLE key=…}`: a cell's number gets a name; prints nothing.

    `{let: NAME = TABLE per-band}` names the length of one band, which the table states.
    """

    name: str
    spot: Spot
    per_band: bool = False


@dataclass(frozen=True, slots=True)
class Show:
    """`{show: NAME}`: a named value."""

    name: str


Part = str | Amount
"""What is reckoned with: a name, or an amount typed here."""


@dataclass(frozen=True, slots=True)
class Reckon:
    """`{sum: a b -1}` and its like: computes from names and numbers; may name the result."""

    way: Way
    parts: tuple[Part, ...]
    rounding: Rounding
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """`{rolled: TABLE key=… dice=@die}`: works out a cell that is rolled, by what the dice show."""

    spot: Spot
    dice: tuple[Part, ...]
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """`{fact: 20 cm | L118}`: a figure that stands in no table, with its source lines."""

    text: str
    lines: str
    name: str = ""
    amount: Amount | None = None
    """What is named: the number or length that the text is."""


@dataclass(frozen=True, slots=True)
class IndexTerm:
    """`{index: term > below}`: an entry of the index; prints nothing."""

    term: str
    below: str


@dataclass(frozen=True, slots=True)
class AllErrata:
    """`{errata}`: the list of all errata."""


@dataclass(frozen=True, slots=True)
class AllBlanks:
    """`{blanks}`: the list of all blanks to fill in."""


Directive = (
    PlaceTable
    | NameTable
    | NameChapter
    | ShowCell
    | ShowLabel
    | Given
    | Let
    | Show
    | Reckon
    | Rolled
    | Fact
    | IndexTerm
    | AllErrata
    | AllBlanks
)

ALONE = (PlaceTable, AllErrata, AllBlanks)
"""The directives that stand alone in their line: what they print is no part of a sentence."""
