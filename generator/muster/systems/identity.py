"""The model of `system.yaml`: the system's title, source, scales, unit, phases and chapters."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from muster.languages import known_languages
from muster.systems.look import Look, Symbol
from muster.systems.pictures import WrittenPicture
from muster.tables import Note
from muster.tables.file_models import WrittenConvention
from muster.tables.reading import build_note
from muster.yamlfile import Id, Label, Line, Prose, SourceLines, StrictModel

Tone = Literal["neutral", "command", "initiative", "movement", "fire", "melee", "morale", "army"]
"""The colour of a phase, named by what happens in it; templates decide how a tone is printed."""


_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(-[A-Za-z0-9]{2,8})*")


def is_language(text: str) -> bool:
    """Return whether a text is the tag of a language that Muster has words in."""
    tag = _LANGUAGE.fullmatch(text)
    return tag is not None and tag[1].lower() in known_languages()


def expected_language() -> str:
    """Return words that name the languages that Muster has words in."""
    known = ", ".join(known_languages())
    return f"one of {known}, alone or with a region, such as de or en-GB"


def _check_language(text: str) -> str:
    if not is_language(text):
        raise ValueError(f"read {text!r}, expected {expected_language()}")
    return text


Language = Annotated[Line, AfterValidator(_check_language)]
"""The tag of a language that Muster has words in, after BCP 47, such as `en`, `de` or `en-GB`."""


ANY_SCALE = "any"
"""The id of the scale of rules that state none; sheets do not name it."""


class Scale(StrictModel):
    """A scale of figures; values may differ from one to another."""

    id: Id
    """Id of the scale, such as `15mm`; cells and army files name it. `any`: none is stated."""
    title: Label
    """Title as printed, such as `15 mm figures`."""


class Source(StrictModel):
    """Where the rules come from; every page prints the credit."""

    title: Line
    """Title of the rules that the tables are taken from."""
    authors: list[Label] = []
    """Names of the authors, or that they are unknown."""
    publisher: Line = ""
    """Publisher of the source."""
    year: Line = ""
    """Year of the source."""
    version: Line = ""
    """Version of the source."""
    credit: Prose
    """Sentence that every page prints about the source."""


class Phase(StrictModel):
    """A part of the turn, in turn order."""

    id: Id
    """Id of the phase, such as `fire`; tables name it."""
    title: Label
    """Title as printed, such as `Fire`."""
    tone: Tone = "neutral"
    """Tone of its blocks on sheets, by what happens in it. Default: neutral."""
    sign: Symbol | None = None
    """Sign of the phase on sheets, one of Muster's symbols such as `swords`; it tells phases apart
    where their tones are alike. Default: that of the tone.
    """


class Chapter(StrictModel):
    """A chapter of the rules, in the order of the book."""

    id: Id
    """Id of the chapter; its prose is `prose/NN-<id>.md`."""
    title: Label
    """Title as printed."""
    source: SourceLines | None = None
    """Lines of the source that it covers."""
    spread: bool = False
    """Whether it has pages of its own: on paper wide enough, it begins a page, with its text and
    drawings in two columns, and a hole on the page before it is ruled for house rules. Default:
    false.
    """


class Identity(StrictModel):
    """The contents of `system.yaml`."""

    id: Id
    """Id of the system; the same as its folder's name."""
    title: Label
    """Title as printed."""
    edition: Line
    """Edition of the rules, such as `2.4`; every page prints it."""
    language: Language = "en"
    """Language of the content, and of Muster's words beside it: `en`, `de` or `fr`, alone or with a
    region such as `de-AT`. Default: en.
    """
    unit: Literal["cm", "in"]
    """Unit of length of the rules, `cm` or `in`."""
    scales: list[Scale] = Field(min_length=1)
    """Scales of figures; the first counts where an army file names none."""
    source: Source
    """Where the rules come from."""
    phases: list[Phase] = Field(min_length=1)
    """Phases of the turn, in turn order."""
    chapters: list[Chapter] = Field(min_length=1)
    """Chapters of the rules, in order."""
    look: Look = Look()
    """Colour, masthead and ornaments of its sheets. Default: black, a rule, no ornament."""
    conventions: list[Prose | WrittenConvention] = []
    """Sentences on how to read the tables, printed with the contents of the rulebook and on
    sheets: texts, or `{text: …, tables: […]}` for what one side of a sheet needs, and
    `{text: …, for: …}` for what concerns some armies only.
    """
    picture: WrittenPicture | None = None
    """Picture of the system, for the first page of its website, and for rosters and the backs of
    cards whose book has none. Default: none.
    """

    @property
    def filtered_conventions(self) -> list[Note]:
        """The conventions, each with the tables and the units that it is for."""
        return [build_note(each) for each in self.conventions]
