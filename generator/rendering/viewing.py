"""Owns what a PDF says to whoever prints or keeps it: no scaling, turning, boxes, its variant.

Does not lay out and does not impose. A program may still ask its user, who has the last word.
"""

from __future__ import annotations

import datetime as dt
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import pydyf
from weasyprint import Attachment
from weasyprint.document import Document

from generator.rendering.separation import Separation
from generator.rendering.writing import written

Turn = Literal["", "long", "short"]
"""The edge over which a sheet printed on both sides is turned; "" for one side only."""

DUPLEX = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
"""How a PDF says it; of what has one side it says nothing."""


def turn_of(orientation: str) -> Turn:
    """Tell over which edge a sheet is turned so that its back stands upright beside its front."""
    return "short" if orientation == "landscape" else "long"


def advise(pdf: pydyf.PDF, turn: Turn) -> None:
    """Write into a PDF that it is to be printed at its own size, and how it is turned over."""
    wishes = pdf.catalog.setdefault("ViewerPreferences", pydyf.Dictionary())
    wishes["PrintScaling"] = "/None"
    if turn:
        wishes["Duplex"] = DUPLEX[turn]


_VERSION = {"pdf/x-4": "1.6"}
"""The version of PDF that a variant is written in, if it is not the usual one."""
_PT_PER_MM = 72 / 25.4


class _Taken(Exception):  # noqa: N818 - it never leaves this module
    """Stop WeasyPrint before it writes what it made."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that a PDF holds beside its pages."""

    name: str
    text: str
    about: str
    day: str
    """When it was made, as 2025-01-31: fixed, so that the same data give the same bytes."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a PDF is for."""

    variant: str = "pdf/ua-1"
    """As WeasyPrint names it."""
    bleed_mm: float | None = None
    """How far the bleed reaches; what lies beyond is for marks. None: pages have no bleed."""
    attached: Attached | None = None
    separation: Separation | None = None
    """The press that is to print it, for PDF/X."""

    def options(self) -> dict[str, Any]:
        """Give what WeasyPrint is told of it."""
        told: dict[str, Any] = {"pdf_variant": self.variant, "pdf_version": self._version}
        if self.attached is not None:
            day = dt.datetime.fromisoformat(self.attached.day).replace(tzinfo=dt.UTC)
            told["attachments"] = [
                Attachment(
                    string=self.attached.text.encode(),
                    name=self.attached.name,
                    description=self.attached.about,
                    created=day,
                    modified=day,
                    relationship="Data",
                )
            ]
        return told

    @property
    def _version(self) -> str:
        return _VERSION.get(self.variant, "1.7")

    def made(self, document: Document) -> pydyf.PDF:
        """Give a document's PDF as WeasyPrint makes it, before it is written."""
        taken: list[pydyf.PDF] = []

        def take(_: Document, pdf: pydyf.PDF) -> NoReturn:
            taken.append(pdf)
            raise _Taken

        if self.separation is not None:
            self.separation.prepare(document)
        with warnings.catch_warnings():
            # WeasyPrint leaves it to Python to close the file of its colour profile.
            warnings.filterwarnings("ignore", r"unclosed file .*\.icc", ResourceWarning)
            with suppress(_Taken):
                document.write_pdf(finisher=take, **self.options())
        return taken[0]

    def written(self, pdf: pydyf.PDF) -> bytes:
        """Write a PDF that is finished; only PDF/UA can do without an id of the file."""
        return written(pdf, self._version, named=self.variant != UA_1.variant)

    def finish(self, pdf: pydyf.PDF) -> None:
        """Set what WeasyPrint has no option for: the bleed box, and what PDF/A and PDF/X ask for.

        Raises:
            Unprintable: If a press cannot print what is on a page.
        """
        if self.bleed_mm is not None:
            bleed = self.bleed_mm * _PT_PER_MM
            for number in pdf.pages["Kids"][::3]:
                page = pdf.objects[number]
                left, top, right, bottom = page["TrimBox"]
                page["BleedBox"] = pydyf.Array(
                    [left - bleed, top - bleed, right + bleed, bottom + bleed]
                )
        if self.variant.startswith("pdf/a"):
            _archived(pdf)
        if self.separation is not None:
            self.separation.finish(pdf)


def _archived(pdf: pydyf.PDF) -> None:
    """Name each attachment once and say only when it was changed; let anyone read the metadata."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"] = pydyf.Array(dict.fromkeys(pdf.catalog["AF"]))
    for each in pdf.objects:
        if isinstance(each, pydyf.Stream):
            if each.extra.get("Type") == "/EmbeddedFile":
                del each.extra["Params"]["CreationDate"]
            elif each.extra.get("Type") == "/Metadata":
                each.compress = False


UA_1 = Target()
