"""What a PDF is made for (PDF/UA, PDF/A, PDF/X, printing on both sides), and how it is written."""

from __future__ import annotations

import datetime as dt
import re
import warnings
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, NoReturn
from uuid import NAMESPACE_URL, uuid5

import pydyf
from PIL import Image, ImageCms
from weasyprint import Attachment
from weasyprint.document import Document

from muster.rendering.paper import PAPERS

_FILE_HEADER = b"%%PDF-%b\n%%\xf0\x9f\x96\xa4\n"
_FREE_ENTRY, _OFFSET_ENTRY, _STREAM_ENTRY = range(3)
_CrossReference = tuple[int, int, int]
"""How an object is found: by no place, its first byte, or the stream that holds it; and which."""


def write_pdf(pdf: pydyf.PDF, version: str = "1.7", *, named: bool = False) -> bytes:
    """Write a PDF: streams as they are, all other objects packed into one of their own.

    With *named*, the file has an id, reckoned from all that is in it.
    """
    if pdf.info:
        pdf.add_object(pdf.info)
    body = bytearray(_FILE_HEADER % version.encode())
    places: list[_CrossReference] = []
    packed: list[pydyf.Object] = []
    for each in pdf.objects:
        if each.free == "f":
            places.append((_FREE_ENTRY, 0, each.generation))
        elif each.compressible:
            # The number of their stream is that of the next object.
            places.append((_STREAM_ENTRY, len(pdf.objects), len(packed)))
            packed.append(each)
        else:
            places.append((_OFFSET_ENTRY, len(body), each.generation))
            body += each.indirect + b"\n"
    bundle = _object_stream(packed)
    pdf.add_object(bundle)
    places.append((_OFFSET_ENTRY, len(body), 0))
    body += bundle.indirect + b"\n"
    start = len(body)
    places.append((_OFFSET_ENTRY, start, 0))
    table = _cross_reference_stream(places)
    table.extra |= {"Root": pdf.catalog.reference}
    if pdf.info:
        table.extra |= {"Info": pdf.info.reference}
    if named:
        name = pydyf.String(sha256(body).hexdigest()[:32])
        table.extra |= {"ID": pydyf.Array((name, name))}
    pdf.add_object(table)
    body += table.indirect + b"\nstartxref\n%d\n%%%%EOF\n" % start
    return bytes(body)


def _compressed_stream(payload: bytes, about: dict[str, object]) -> pydyf.Stream:
    return pydyf.Stream([zlib.compress(payload)], {**about, "Filter": "/FlateDecode"})


def _object_stream(objects: Iterable[pydyf.Object]) -> pydyf.Stream:
    """Pack objects into a stream, with the number and the place of each at its head."""
    head, rest, place = [], [], 0
    for each in objects:
        data = each.data
        head += [each.number, place]
        rest.append(data)
        place += len(data) + 1
    listed = " ".join(map(str, head)).encode()
    about = {"Type": "/ObjStm", "N": len(rest), "First": len(listed) + 1}
    return _compressed_stream(b"\n".join([listed, *rest]), about)


def _cross_reference_stream(places: list[_CrossReference]) -> pydyf.Stream:
    """Tell where each object is; all numbers of a column are of one width."""
    widths = [(max(column).bit_length() + 7) // 8 or 1 for column in zip(*places, strict=True)]
    payload = b"".join(
        number.to_bytes(width, "big")
        for place in places
        for number, width in zip(place, widths, strict=True)
    )
    count = len(places)
    about = {
        "Type": "/XRef",
        "Index": pydyf.Array((0, count)),
        "W": pydyf.Array(widths),
        "Size": count,
    }
    return _compressed_stream(payload, about)


if TYPE_CHECKING:
    from weasyprint.document import Document

    from muster.systems.press_profile import PressProfile

Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each from 0 to 1."""

_CHANNEL_MAX = 255
_NUMBER = rb"(-?[\d.]+)"
_COLOUR = re.compile(rb" ".join([_NUMBER] * 3) + rb" (rg|RG)")
"""How a stream sets the colour of areas, or of lines."""
_OPERATORS = {b"rg": b"k", b"RG": b"K"}
_RANDOM_ID = re.compile(rb"(?<=xmp\.did:)[0-9a-f-]{36}")


class UnprintableError(Exception):
    """Say what of a book a press cannot print."""


@dataclass(frozen=True)
class Separation:
    """A press: its profile, and what its file is known by."""

    profile: PressProfile
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
        intent["Info"] = pydyf.String(self._profile_description)
        intent["DestOutputProfile"] = held.reference
        pdf.catalog["OutputIntents"] = pydyf.Array([intent])

    def _print(self, stream: pydyf.Stream) -> None:
        if stream.extra.get("Subtype") == "/Image":
            text = "PDF/X-4 has no way yet to print an image, only what is drawn"
            raise UnprintableError(text)
        if stream.extra.get("Type") == "/Metadata":
            known = str(uuid5(NAMESPACE_URL, self.name)).encode()
            stream.stream = [_RANDOM_ID.sub(known, part) for part in stream.stream]
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
        return _convert_colour(self._transform, (red, green, blue))

    @cached_property
    def _transform(self) -> Any:
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
            raise UnprintableError(text) from None

    @cached_property
    def _profile_description(self) -> str:
        self._transform  # noqa: B018 - it says what is wrong with a profile
        return ImageCms.getProfileDescription(
            ImageCms.ImageCmsProfile(BytesIO(self.profile.data))
        ).strip()


@lru_cache(maxsize=1024)
def _convert_colour(change: Any, colour: tuple[float, float, float]) -> Inks:
    pixel = Image.new("RGB", (1, 1), tuple(round(part * _CHANNEL_MAX) for part in colour))
    shown: Any = ImageCms.applyTransform(pixel, change)
    cyan, magenta, yellow, black = (
        round(part / _CHANNEL_MAX, 4) for part in shown.getpixel((0, 0))
    )
    return cyan, magenta, yellow, black


TurnEdge = Literal["", "long", "short"]
"""The edge over which a sheet printed on both sides is turned; "" for one side only."""

DUPLEX_NAMES = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
"""How a PDF says it; of what has one side it says nothing."""


def turn_edge_of(orientation: str) -> TurnEdge:
    """Tell over which edge a sheet is turned so that its back stands upright beside its front."""
    return "short" if orientation == "landscape" else "long"


def set_print_preferences(pdf: pydyf.PDF, turn: TurnEdge) -> None:
    """Write into a PDF that it is to be printed at its own size, and how it is turned over."""
    wishes = pdf.catalog.setdefault("ViewerPreferences", pydyf.Dictionary())
    wishes["PrintScaling"] = "/None"
    if turn:
        wishes["Duplex"] = DUPLEX_NAMES[turn]


_PDF_VERSIONS = {"pdf/x-4": "1.6"}
"""The version of PDF that a variant is written in, if it is not the usual one."""
_PT_PER_MM = 72 / 25.4


class _WritingStopped(Exception):  # noqa: N818 - it never leaves this module
    """Stop WeasyPrint before it writes what it made."""


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that a PDF holds beside its pages."""

    name: str
    text: str
    about: str
    day: str
    """When it was made, as 2025-01-31: fixed, so that the same data give the same bytes."""


@dataclass(frozen=True, slots=True)
class PdfTarget:
    """What a PDF is for."""

    variant: str = "pdf/ua-1"
    """As WeasyPrint names it."""
    bleed_mm: float | None = None
    """How far the bleed reaches; what lies beyond is for marks. None: pages have no bleed."""
    attachment: AttachedFile | None = None
    separation: Separation | None = None
    """The press that is to print it, for PDF/X."""

    def options(self) -> dict[str, Any]:
        """Give what WeasyPrint is told of it."""
        told: dict[str, Any] = {"pdf_variant": self.variant, "pdf_version": self._version}
        if self.attachment is not None:
            day = dt.datetime.fromisoformat(self.attachment.day).replace(tzinfo=dt.UTC)
            told["attachments"] = [
                Attachment(
                    string=self.attachment.text.encode(),
                    name=self.attachment.name,
                    description=self.attachment.about,
                    created=day,
                    modified=day,
                    relationship="Data",
                )
            ]
        return told

    @property
    def _version(self) -> str:
        return _PDF_VERSIONS.get(self.variant, "1.7")

    def make_pdf(self, document: Document) -> pydyf.PDF:
        """Give a document's PDF as WeasyPrint makes it, before it is written."""
        taken: list[pydyf.PDF] = []

        def take(_: Document, pdf: pydyf.PDF) -> NoReturn:
            taken.append(pdf)
            raise _WritingStopped

        if self.separation is not None:
            self.separation.prepare(document)
        with warnings.catch_warnings():
            # WeasyPrint leaves it to Python to close the file of its colour profile.
            warnings.filterwarnings("ignore", r"unclosed file .*\.icc", ResourceWarning)
            with suppress(_WritingStopped):
                document.write_pdf(finisher=take, **self.options())
        return taken[0]

    def write(self, pdf: pydyf.PDF) -> bytes:
        """Write a PDF that is finished; only PDF/UA can do without an id of the file."""
        return write_pdf(pdf, self._version, named=self.variant != UA_1.variant)

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
            _finish_archive(pdf)
        if self.separation is not None:
            self.separation.finish(pdf)


def _finish_archive(pdf: pydyf.PDF) -> None:
    """Name each attachment once and say only when it was changed; let anyone read the metadata."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"] = pydyf.Array(dict.fromkeys(pdf.catalog["AF"]))
    for each in pdf.objects:
        if isinstance(each, pydyf.Stream):
            if each.extra.get("Type") == "/EmbeddedFile":
                del each.extra["Params"]["CreationDate"]
            elif each.extra.get("Type") == "/Metadata":
                each.compress = False


UA_1 = PdfTarget()


if TYPE_CHECKING:
    from muster.documents.rulebook import Rulebook

_CROP_MARK_MM = 6.0
_VARIANTS = {"ua-1": "pdf/ua-1", "a-3": "pdf/a-3a", "x-4": "pdf/x-4"}


@dataclass(frozen=True, slots=True)
class PageEdge:
    """What is printed beyond the edge at which a page is cut, in millimetres."""

    beyond: float
    """How far the paper reaches: the bleed, and room for marks if there are any."""
    crop: bool
    left: float
    """Where the ground of the cover begins, from the cover's text."""
    top: float
    width: float
    height: float


def target_of(book: Rulebook) -> PdfTarget:
    """Tell what a book's PDF is for."""
    press = book.press
    attached = None
    if press.attached:
        about = f"{book.title}, edition {book.version}: all that it says, as data"
        attached = AttachedFile(f"{book.system}.json", press.attached, about, book.date)
    separation = None
    if press.profile:
        separation = Separation(
            press.profile, f"{book.system} {book.edition} {book.digest}", book.date
        )
    # A press asks for the boxes even where nothing lies beyond the trim.
    bleeds = press.bleed_mm or press.crop or press.profile
    return PdfTarget(_VARIANTS[press.pdf], press.bleed_mm if bleeds else None, attached, separation)


def edge_of(book: Rulebook, inner: float, top: float) -> PageEdge | None:
    """Give the edge of a book's pages, if there is any.

    Args:
        book: The book.
        inner: The margin at the back of the book, where the cover's text begins.
        top: The upper margin.
    """
    press, paper = book.press, PAPERS[book.paper]
    bleed = press.bleed_mm
    if not bleed and not press.crop:
        return None
    # WeasyPrint draws marks over the outer half of what lies beyond: no bleed may reach there.
    beyond = max(2 * bleed, bleed + _CROP_MARK_MM) if press.crop else bleed
    width, height = paper.width_mm + 2 * bleed, paper.height_mm + 2 * bleed
    return PageEdge(beyond, press.crop, -inner - bleed, -top - bleed, width, height)
