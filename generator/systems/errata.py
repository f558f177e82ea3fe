"""Owns the errata: each damaged or doubtful place of a source, as printed and as read.

Does not print them; documents turn them into footnote marks and appendices.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from generator.reading import Id, Line, Lines, Prose, Strict

Treatment = Literal["printed", "reading", "slip", "blank"]


class Place(Strict):
    """Where an erratum applies: a table or part of one, a chapter, or another part."""

    table: Id | None = None
    row: Line | None = None
    column: Line | None = None
    chapter: Id | None = None
    part: Literal["composition", "books"] | None = None

    @model_validator(mode="after")
    def _one_kind_of_place(self) -> Place:
        named = [self.table, self.chapter, self.part]
        if sum(name is not None for name in named) != 1:
            text = "a place names one of table, chapter or part"
            raise ValueError(text)
        if self.table is None and (self.row or self.column):
            text = "a row or a column needs its table"
            raise ValueError(text)
        return self


class Erratum(Strict):
    """One doubtful place, the reading adopted, and why."""

    id: Id
    lines: Lines
    places: list[Place] = Field(min_length=1)
    printed: Prose
    read: Prose
    reason: Prose
    treatment: Treatment
    certainty: Literal["certain", "likely", "open"]

    @property
    def flagged(self) -> bool:
        """Tell whether it prints as a footnote mark; a plain slip does not."""
        return self.treatment != "slip"


class Errata(Strict):
    """The whole of `errata.yaml`."""

    entries: list[Erratum]


class Spot(NamedTuple):
    """A spot in a table; an empty row or column means all of them."""

    table: str
    row: str
    column: str


def spots(errata: Errata) -> dict[Spot, list[Erratum]]:
    """Sort the errata by the spot that each concerns, in the order of the file."""
    found: dict[Spot, list[Erratum]] = {}
    for entry in errata.entries:
        for place in entry.places:
            if place.table is not None:
                spot = Spot(place.table, place.row or "", place.column or "")
                found.setdefault(spot, []).append(entry)
    return found
