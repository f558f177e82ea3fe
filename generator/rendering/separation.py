"""Owns the way from the colours of a laid-out book to the inks of a press (PDF/X-4).

Does not read the press's profile; `systems.profiles` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import pydyf
from PIL import Image, ImageCms

if TYPE_CHECKING:
    from weasyprint.document import Document

    from generator.systems.profiles import Profile

Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each from 0 to 1."""

_MOST = 255
_NUMBER = rb"(-?[\d.]+)"
_COLOUR = re.compile(rb" ".join([_NUMBER] * 3) + rb" (rg|RG)")
"""How a stream sets the colour of areas, or of lines."""
_OPERATORS = {b"rg": b"k", b"RG": b"K"}
_RANDOM = re.compile(rb"(?<=xmp\.did:)[0-9a-f-]{36}")


class Unprintable(Exception):  # noqa: N818 - it never leaves the printer
    """Say what of a book a press cannot print."""


@dataclass(frozen=True)
class Separation:
    """A press: its profile, and what its file is known by."""

    profile: Profile
    name: str
    """Names the file among all others: the same book has the same name."""
    day: str
    """When the book was made, as 2025-01-31."""

    def prepare(self, document: Document) -> None:
        """Fix the date and take the links away: PDF/X-4 has no place for them on a page."""
        document.metadata.created = document.metadata.modified = f"{self.day}T00:00:00Z"
        document.output_intent = "device-cmyk"  # in which overlaid colours are mixed
        for page in document.pages:
            page.links = []

    def finish(self, pdf: pydyf.PDF) -> None:
        """Print all colours in inks, and say which press they are for.

        Raises:
            Unprintable: If there is an image, or the profile cannot be used.
        """
        for each in pdf.objects:
            if isinstance(each, pydyf.Stream):
                self._print(each)
        held = pydyf.Stream([self.profile.data], {"N": 4}, compress=True)
        pdf.add_object(held)
        intent = pydyf.Dictionary({"Type": "/OutputIntent", "S": "/GTS_PDFX"})
        intent["OutputConditionIdentifier"] = pydyf.String(self.profile.name)
        intent["Info"] = pydyf.String(self._described)
        intent["DestOutputProfile"] = held.reference
        pdf.catalog["OutputIntents"] = pydyf.Array([intent])

    def _print(self, stream: pydyf.Stream) -> None:
        if stream.extra.get("Subtype") == "/Image":
            text = "PDF/X-4 has no way yet to print an image, only what is drawn"
            raise Unprintable(text)
        if stream.extra.get("Type") == "/Metadata":
            known = str(uuid5(NAMESPACE_URL, self.name)).encode()
            stream.stream = [_RANDOM.sub(known, part) for part in stream.stream]
            return
        for at, part in enumerate(stream.stream):
            if isinstance(part, bytes) and (found := _COLOUR.fullmatch(part)):
                *levels, operator = found.groups()
                inks = self.inks(*(float(each) for each in levels))
                written = [f"{ink:.4g}".encode() for ink in inks]
                stream.stream[at] = b" ".join([*written, _OPERATORS[operator]])

    def inks(self, red: float, green: float, blue: float) -> Inks:
        """Give the inks of a colour, whose parts go from 0 to 1; greys print in black alone.

        Text in four inks would blur where these are not laid exactly over each other.
        """
        if red == green == blue:
            return 0, 0, 0, round(1 - red, 4)
        return _converted(self._change, (red, green, blue))

    @cached_property
    def _change(self) -> Any:
        try:
            return ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"),
                ImageCms.ImageCmsProfile(BytesIO(self.profile.data)),
                "RGB",
                "CMYK",
                renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
            )
        except (OSError, ImageCms.PyCMSError) as error:
            text = f"the profile {self.profile.name}.icc cannot be used: {error}"
            raise Unprintable(text) from None

    @cached_property
    def _described(self) -> str:
        self._change  # noqa: B018 - it says what is wrong with a profile
        return ImageCms.getProfileDescription(
            ImageCms.ImageCmsProfile(BytesIO(self.profile.data))
        ).strip()


@lru_cache(maxsize=1024)
def _converted(change: Any, colour: tuple[float, float, float]) -> Inks:
    pixel = Image.new("RGB", (1, 1), tuple(round(part * _MOST) for part in colour))
    shown: Any = ImageCms.applyTransform(pixel, change)
    cyan, magenta, yellow, black = (round(part / _MOST, 4) for part in shown.getpixel((0, 0)))
    return cyan, magenta, yellow, black
