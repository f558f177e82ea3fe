"""The model of `errata.yaml`: each doubtful place of a source, as printed and as read."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from muster.yamlfile import Id, Label, Line, Prose, SourceLines, StrictModel

Treatment = Literal["printed", "reading", "slip", "blank"]
"""The treatment of a doubtful place.

`printed` keeps what the source prints, `reading` prints something else, `slip` corrects an obvious
mistake, and `blank` leaves a box to fill in.
"""


class Place(StrictModel):
    """Where an erratum applies: a table or part of one, a chapter, or another part."""

    table: Id | None = None
    """Id of the table."""
    row: Line | None = None
    """Id of a row of the table. Default: the whole table or column."""
    column: Line | None = None
    """Id of a column of the table. Default: the whole row."""
    chapter: Id | None = None
    """Id of the chapter, for a place in no table."""
    part: Literal["composition", "books"] | None = None
    """`composition` or `books`, for a place in those files."""

    @model_validator(mode="after")
    def _check_kind_of_place(self) -> Place:
        named = [self.table, self.chapter, self.part]
        if sum(name is not None for name in named) != 1:
            text = "a place needs exactly one of `table:`, `chapter:` and `part:`"
            raise ValueError(text)
        if self.table is None and (self.row or self.column):
            text = "`row:` and `column:` need `table:`"
            raise ValueError(text)
        return self


class Erratum(StrictModel):
    """A doubtful place of the source: what is printed, what is read instead, and why."""

    id: Id
    """Id of the entry, such as `line-charge`."""
    lines: SourceLines
    """Lines of the source, such as `L118` or `L120-124`."""
    places: list[Place] = Field(min_length=1)
    """Where it applies; tables of the rulebook get a footnote there."""
    printed: Prose
    """What the source prints."""
    read: Prose
    """What is read instead."""
    reason: Prose
    """Why it is read so."""
    sheet: Prose = ""
    """What players need to know of it in play, in a few words: the footnote on sheets. Default:
    none, and the rulebook alone tells of it.
    """
    treatment: Treatment
    """`printed` keeps what the source prints, `reading` prints another reading, `slip` corrects an
    obvious mistake, `blank` leaves a box to fill in.
    """
    certainty: Literal["certain", "likely", "open"]
    """How sure the reading is: `certain`, `likely` or `open`."""
    question: Label = ""
    """What players settle before their first game, as one question. An entry that is `open` or
    leaves a blank needs it; the rulebook prints all questions on a page before its first chapter.
    """
    tick: Label = ""
    """What a box to tick says, such as `in our army book`, where an answer is too long to write
    on that page: a whole profile, or the text of a card. Default: there is room to write instead.
    """

    @model_validator(mode="after")
    def _check_tick(self) -> Erratum:
        if self.tick and not self.question:
            text = "`tick:` needs `question:`"
            raise ValueError(text)
        return self

    @property
    def flagged(self) -> bool:
        """Whether its places get a footnote; those of a plain slip do not."""
        return self.treatment != "slip"

    @property
    def left_to_players(self) -> bool:
        """Whether players settle it: nothing else is read than what is printed or missing."""
        return bool(self.question) and self.treatment in ("printed", "blank")


class Errata(StrictModel):
    """The contents of `errata.yaml`."""

    entries: list[Erratum]
    """Doubtful places, in any order."""


class TablePlace(NamedTuple):
    """A place in a table; an empty row or column means all of them."""

    table: str
    row: str
    column: str


def errata_by_place(errata: Errata) -> dict[TablePlace, list[Erratum]]:
    """Return the errata of each place in a table, both in the order of the file."""
    by_place: dict[TablePlace, list[Erratum]] = {}
    for entry in errata.entries:
        for place in entry.places:
            if place.table is not None:
                table_place = TablePlace(place.table, place.row or "", place.column or "")
                by_place.setdefault(table_place, []).append(entry)
    return by_place
