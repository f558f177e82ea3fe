"""The model of an edition file: which chapters are published, and how they look."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from muster.yamlfile import Id, Line, Prose, StrictModel

PaperId = Literal["a4", "a5", "letter", "digest"]
ThemeId = Literal["colour", "monochrome", "large-print", "high-contrast"]

STANDARD_EDITION = "standard"
"""The id of the edition that every system with prose has."""


def _check_date(text: str) -> str:
    if len(text) != len("2025-01-31") or dt.date.fromisoformat(text).isoformat() != text:
        raise ValueError(f"read {text!r}, expected a date such as 2025-01-31")
    return text


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

PdfVariant = Literal["ua-1", "a-3", "x-4"]
"""The kind of PDF: for screen readers, for an archive (with the system's data inside), for a press.

PDF/UA-1, PDF/A-3 and PDF/X-4 in the words of the standards.
"""

Day = Annotated[Line, AfterValidator(_check_date)]
"""A day such as `2025-01-31`, fixed in the file so that printing again gives the same bytes."""


class Edition(StrictModel):
    """The contents of `editions/<edition>.yaml`."""

    id: Id
    title: Line
    subtitle: Line = ""
    date: Day
    chapters: list[Id] = Field(default=[])
    without_tables: list[Id] = Field(default=[])
    army_books: list[Id] = Field(default=[])
    paper: PaperId = "a4"
    scale: Id | None = None
    unit: Literal["own", "cm", "in"] = "own"
    theme: ThemeId = "colour"
    language: Line | None = None
    publisher: Line = ""
    mark: Line = ""
    bleed: Bleed | None = None
    crop: bool = False
    pdf: PdfVariant = "ua-1"
    profile: Id | None = None
    colophon: Prose | None = None

    @model_validator(mode="after")
    def _check_profile(self) -> Edition:
        if (self.pdf == "x-4") != (self.profile is not None):
            text = "`pdf: x-4` and `profile:`, the colour profile of the press, are used together"
            raise ValueError(text)
        return self

    @property
    def bleed_mm(self) -> float:
        """The bleed in millimetres; 0 for none."""
        return float(self.bleed.removesuffix("mm")) if self.bleed else 0
