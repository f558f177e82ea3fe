"""The model of an edition file: which chapters are published, and how they look."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from muster.systems.identity import Language
from muster.systems.look import Colour, Scene
from muster.systems.pictures import PictureFile, WrittenPicture
from muster.yamlfile import Document, Id, Line, Prose, StrictModel

PaperId = Literal["a4", "a5", "letter", "digest"]
SMALL_PAPERS = {"a5", "digest"}
"""Papers of books whose pages are narrow, less than 180 mm."""
ThemeId = Literal["colour", "monochrome", "large-print", "high-contrast"]

STANDARD_EDITION = "standard"
"""The id of the edition that every system with prose has."""


def _check_date(text: str) -> str:
    # `fromisoformat` would take other forms, such as 2025-W05-5.
    with suppress(ValueError):
        if dt.date.fromisoformat(text).isoformat() == text:
            return text
    raise ValueError(f"read {text!r}, expected a date such as 2026-11-22")


_MOST_BLEED_MM = 10
_MILLIMETRES = re.compile(r"(\d{1,2}(?:\.\d{1,2})?) ?mm")


def _check_bleed(text: str) -> str:
    match = _MILLIMETRES.fullmatch(text)
    if match is None or not 0 < float(match[1]) <= _MOST_BLEED_MM:
        expected = f"more than 0 mm and at most {_MOST_BLEED_MM} mm such as 3 mm"
        raise ValueError(f"read {text!r}, expected {expected}")
    return text


Bleed = Annotated[Line, AfterValidator(_check_bleed)]
"""How far colour is printed beyond the edge at which a page is cut, such as `3 mm`."""

_LEAF = re.compile(r"(\d(?:\.\d{1,3})?) ?mm")


def _check_leaf(text: str) -> str:
    match = _LEAF.fullmatch(text)
    if match is None or not 0 < float(match[1]) <= 1:
        raise ValueError(f"read {text!r}, expected more than 0 mm and at most 1 mm such as 0.1 mm")
    return text


Leaf = Annotated[Line, AfterValidator(_check_leaf)]
"""The thickness of a leaf of paper, such as `0.1 mm`."""

PdfVariant = Literal["ua-1", "a-3", "x-4"]
"""The kind of PDF: for screen readers, for an archive (with the system's data inside), for a press.

PDF/UA-1, PDF/A-3 and PDF/X-4 in the words of the standards.
"""

Day = Annotated[Line, AfterValidator(_check_date)]
"""A day such as `2025-01-31`, fixed in the file so that printing again gives the same bytes."""


class EditionCover(StrictModel):
    """What an edition has on its cover instead of what its system says under `look:`."""

    picture: WrittenPicture | None = None
    """Picture on the front instead of the drawing. Default: none."""
    logo: WrittenPicture | None = None
    """Publisher's logo, at the foot of the front. Default: none."""
    text: Prose | None = None
    """Text on the back, if the cover is a file of its own. Default: none."""
    scene: Scene | None = None
    """What is drawn, as `cover:` of a look. Default: what the system says."""
    accent: Colour | None = None
    """Colour of the ground. Default: what the system says."""
    light: Colour | None = None
    """Light colour. Default: what the system says."""
    signal: Colour | None = None
    """Colour that stands out. Default: what the system says."""


class Edition(StrictModel):
    """The contents of `editions/<edition>.yaml`."""

    id: Id
    """Id of the edition; the same as the file's name without `.yaml`. `standard` becomes
    `rulebook.pdf` and `rulebook.html`.
    """
    title: Line
    """Title of the edition, on the cover, such as `Pocket edition`."""
    subtitle: Line = ""
    """Line below the title of the rules on the cover. Default: none."""
    date: Day
    """Date in the colophon, such as `"2025-11-21"`; fixed, so that printing again gives the same
    file.
    """
    chapters: list[Id] = Field(default=[])
    """Ids of the chapters that it prints; their numbers stay. Default: all."""
    without_tables: list[Id] = Field(default=[])
    """Ids of tables that it leaves out; `muster lint` warns of prose that refers to them."""
    army_books: list[Id] = Field(default=[])
    """Ids of army books that it prints behind the chapters. Default: none."""
    paper: PaperId = "a4"
    """Paper: `a4`, `a5`, `letter` or `digest`. Default: a4."""
    scale: Id | None = None
    """Id of the one figure scale that it is for. Default: all."""
    unit: Literal["own", "cm", "in"] = "own"
    """Unit of lengths: `own`, `cm` or `in`; lengths of tables, facts and examples are converted.
    Default: own.
    """
    theme: ThemeId = "colour"
    """Colours and type: `colour`, `monochrome`, `large-print` or `high-contrast`. Default: colour.
    """
    language: Language | None = None
    """Language of the document, and of Muster's words in it: that of the system, or one that it is
    translated into, alone or with a region such as `de-AT`. Default: that of the system.
    """
    publisher: Line = ""
    """Publisher, on the cover and in the colophon. Default: none."""
    mark: Line = ""
    """Order number or the like in the colophon, such as `M-HZ-STD`. Default: none."""
    chapter_start: Literal["run-on", "new-page"] = "run-on"
    """How chapters begin: `run-on`, below the last one with a small head, or `new-page`, on a page
    of their own with a large head. Default: run-on.
    """
    cover: EditionCover = EditionCover()
    """Picture, logo and colours of the cover. Default: those of the system."""
    chapter_pictures: dict[Id, WrittenPicture] = Field(default={})
    """Picture above the head of a chapter, by the chapter's id. Default: none."""
    bleed: Bleed | None = None
    """How far the cover's background reaches beyond the cut, such as `3 mm`; at most 10 mm.
    Default: none.
    """
    pages: Literal["any", "multiple-of 2", "multiple-of 4", "multiple-of 8", "multiple-of 16"] = (
        "any"
    )
    """`multiple-of 4` or another number for a print house, which adds blank pages at the end, and
    begins the first chapter on a right-hand page: 2, 4, 8 or 16. Default: any.
    """
    leaf: Leaf | None = None
    """Thickness of a leaf of the paper, such as `0.1 mm`; at most 1 mm. With it, the cover is a
    file of its own: back, spine and front on one sheet. Default: none.
    """
    crop: bool = False
    """`true` for crop marks on larger paper. Default: false."""
    profile: Id | None = None
    """Name of the press's colour profile for `pdf: x-4`: `coated` is `editions/coated.icc`."""
    pdf: PdfVariant = Field(default="ua-1", validate_default=True)
    """`ua-1` for screen readers, `a-3` for an archive, `x-4` for a press. Default: ua-1."""
    colophon: Prose | None = None
    """Sentence of the publisher's own in the colophon. Default: none."""

    @field_validator("pdf")
    @classmethod
    def _check_profile(cls, pdf: PdfVariant, info: ValidationInfo) -> PdfVariant:
        # A profile that was refused is missing from the data.
        if "profile" in info.data and (pdf == "x-4") != (info.data["profile"] is not None):
            text = "`pdf: x-4` and `profile:`, the colour profile of the press, are used together"
            raise ValueError(text)
        return pdf

    @property
    def bleed_mm(self) -> float:
        """The bleed in millimetres; 0 for none."""
        return float(self.bleed.removesuffix("mm")) if self.bleed else 0

    @property
    def leaf_mm(self) -> float:
        """The thickness of a leaf in millimetres; 0 if it is not known."""
        return float(self.leaf.removesuffix("mm")) if self.leaf else 0

    @property
    def page_multiple(self) -> int:
        """The number that its pages are a multiple of; 1 for any."""
        return 1 if self.pages == "any" else int(self.pages.rpartition(" ")[2])

    @property
    def has_pictures(self) -> bool:
        """Whether it names any picture."""
        return bool(self.cover.picture or self.cover.logo or self.chapter_pictures)

    def picture_files(self, document: Document, folder: Path) -> Iterator[tuple[str, PictureFile]]:
        """Yield the pictures of the edition: each one's place, and the file, which is not read yet.

        A place is `cover`, `logo`, or `chapter:` with the id of a chapter.

        Args:
            document: The edition's file.
            folder: The folder that it lies in.
        """
        if self.cover.picture is not None:
            path: tuple[str, str] = ("cover", "picture")
            yield "cover", PictureFile(self.cover.picture, folder, document, path, fills_page=True)
        if self.cover.logo is not None:
            yield "logo", PictureFile(self.cover.logo, folder, document, ("cover", "logo"))
        for chapter, written in self.chapter_pictures.items():
            path = ("chapter_pictures", chapter)
            file = PictureFile(written, folder, document, path, fills_page=True)
            yield f"chapter:{chapter}", file
