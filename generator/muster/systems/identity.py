"""The model of `system.yaml`: the system's title, source, scales, unit, phases and chapters."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from muster.yamlfile import Id, Line, Prose, SourceLines, StrictModel

Tone = Literal["neutral", "command", "initiative", "movement", "fire", "melee", "morale", "army"]
"""The colour of a phase, named by what happens in it; templates decide how a tone is printed."""


class Scale(StrictModel):
    """A scale of figures; values may differ from one to another."""

    id: Id
    title: Line


class Source(StrictModel):
    """Where the rules come from; every page prints the credit."""

    title: Line
    authors: list[Line] = []
    publisher: Line = ""
    year: Line = ""
    version: Line = ""
    credit: Prose


class Phase(StrictModel):
    """A part of the turn, in turn order."""

    id: Id
    title: Line
    tone: Tone = "neutral"


class Chapter(StrictModel):
    """A chapter of the rules, in the order of the book."""

    id: Id
    title: Line
    source: SourceLines | None = None


class Identity(StrictModel):
    """The contents of `system.yaml`."""

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
