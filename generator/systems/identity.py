"""Owns what `system.yaml` says: who a rule system is, its phases, chapters, scales and unit.

Does not hold its tables; `system` reads those when they are asked for.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.reading import Id, Line, Lines, Prose, Strict

Tone = Literal["neutral", "command", "initiative", "movement", "fire", "melee", "morale", "army"]
"""A phase's colour, by what happens in it; the templates say how each tone prints."""


class Scale(Strict):
    """A figure scale that values may differ by."""

    id: Id
    title: Line


class Source(Strict):
    """Where the rules come from, as credited on every page."""

    title: Line
    authors: list[Line] = []
    publisher: Line = ""
    year: Line = ""
    version: Line = ""
    credit: Prose


class Phase(Strict):
    """A part of the turn, in turn order."""

    id: Id
    title: Line
    tone: Tone = "neutral"


class Chapter(Strict):
    """A chapter of the rules, in the order of the book."""

    id: Id
    title: Line
    source: Lines | None = None


class Identity(Strict):
    """The whole of `system.yaml`."""

    id: Id
    title: Line
    edition: Line
    language: Line = "en"
    unit: Literal["cm", "in"]
    scales: list[Scale] = Field(min_length=1)
    source: Source
    phases: list[Phase] = Field(min_length=1)
    chapters: list[Chapter] = Field(min_length=1)
    conventions: list[Prose] = []
