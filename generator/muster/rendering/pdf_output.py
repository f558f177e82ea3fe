"""The purposes of a PDF (PDF/UA, PDF/A, PDF/X, printing on both sides), and how it is written."""

from __future__ import annotations

import datetime as dt
import re
import warnings
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import md5, sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import NAMESPACE_URL, uuid5

import pydyf
from PIL import Image, ImageCms

from muster.rendering.paper import DUPLEX_NAMES, PT_PER_MM, TurnEdge

if TYPE_CHECKING:
    from weasyprint.document import Document

    from muster.documents.rulebook import Rulebook
    from muster.systems.press_profile import PressProfile

_FILE_HEADER = b"%%PDF-%b\n%%\xf0\x9f\x96\xa4\n"
_STREAM = b"\nstream\n"
_FREE_ENTRY, _OFFSET_ENTRY, _STREAM_ENTRY = range(3)
_CrossReference = tuple[int, int, int]
"""An entry of the table of objects: its kind, where the object is, and a third number.

    A free entry has no place; else the place is the first byte, or the number of the stream that
    holds the object, and then the third number is its index there.
    """


def write_pdf(pdf: pydyf.PDF, version: str = "1.7", *, named: bool = False) -> bytes:
    """Return the bytes of a PDF: streams as they are, all other objects in one object stream.

    With *named*, the file gets an id, which is a hash of its content.
    """
    if pdf.info:
        pdf.add_object(pdf.info)
    body = bytearray(_FILE_HEADER % version.encode())
    entries: list[_CrossReference] = []
    packed: list[pydyf.Object] = []
    for each in pdf.objects:
        if each.free == "f":
            entries.append((_FREE_ENTRY, 0, each.generation))
        elif each.compressible:
            # The object stream is added below, and its number is the next one.
            entries.append((_STREAM_ENTRY, len(pdf.objects), len(packed)))
            packed.append(each)
        else:
            entries.append((_OFFSET_ENTRY, len(body), each.generation))
            body += _written(each) + b"\n"
    bundle = _object_stream(packed)
    pdf.add_object(bundle)
    entries.append((_OFFSET_ENTRY, len(body), 0))
    body += _written(bundle) + b"\n"
    start = len(body)
    entries.append((_OFFSET_ENTRY, start, 0))
    table = _cross_reference_stream(entries)
    table.extra |= {"Root": pdf.catalog.reference}
    if pdf.info:
        table.extra |= {"Info": pdf.info.reference}
    if named:
        name = pydyf.String(sha256(body).hexdigest()[:32])
        table.extra |= {"ID": pydyf.Array((name, name))}
    pdf.add_object(table)
    body += _written(table) + b"\nstartxref\n%d\n%%%%EOF\n" % start
    return bytes(body)


def _written(each: pydyf.Object) -> bytes:
    """Return an object as the file has it, so that the end of a stream is certain.

    A stream that ends with a carriage return seems to some readers to end before it, with the line
    break that follows. A line break of its own then stands behind it, which all ways to compress
    ignore.
    """
    written: bytes = each.indirect
    end = b"\nendstream\nendobj"
    if not isinstance(each, pydyf.Stream) or not written.endswith(b"\r" + end):
        return written
    start = written.index(_STREAM) + len(_STREAM)
    extra = {**each.extra, "Filter": "/FlateDecode"} if each.compress else each.extra
    again = pydyf.Stream([written[start : -len(end)], b""], extra)
    again.number, again.generation = each.number, each.generation
    rewritten: bytes = again.indirect
    return rewritten


def pdf_pages(pdf: pydyf.PDF) -> list[Any]:
    """Return the page objects of a PDF, in order."""
    # Each reference is three items: the number, the generation and `R`.
    return [pdf.objects[number] for number in pdf.pages["Kids"][::3]]


def _compressed_stream(payload: bytes, extra: dict[str, object]) -> pydyf.Stream:
    return pydyf.Stream([zlib.compress(payload)], {**extra, "Filter": "/FlateDecode"})


def _object_stream(objects: Iterable[pydyf.Object]) -> pydyf.Stream:
    """Return a stream that holds objects; it begins with the number and offset of each."""
    numbers, contents, offset = [], [], 0
    for each in objects:
        data = each.data
        numbers += [each.number, offset]
        contents.append(data)
        offset += len(data) + 1
    header = " ".join(map(str, numbers)).encode()
    extra = {"Type": "/ObjStm", "N": len(contents), "First": len(header) + 1}
    return _compressed_stream(b"\n".join([header, *contents]), extra)


def _cross_reference_stream(entries: list[_CrossReference]) -> pydyf.Stream:
    """Return the table of where each object is; the numbers of a column have one width."""
    widths = [(max(column).bit_length() + 7) // 8 or 1 for column in zip(*entries, strict=True)]
    payload = b"".join(
        number.to_bytes(width, "big")
        for entry in entries
        for number, width in zip(entry, widths, strict=True)
    )
    count = len(entries)
    extra = {
        "Type": "/XRef",
        "Index": pydyf.Array((0, count)),
        "W": pydyf.Array(widths),
        "Size": count,
    }
    return _compressed_stream(payload, extra)


Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each from 0 to 1."""

_CHANNEL_MAX = 255
_NUMBER = rb"(-?[\d.]+)"
_COLOUR = re.compile(rb" ".join([_NUMBER] * 3) + rb" (rg|RG)")
"""How a content stream sets the colour of areas (`rg`) and of lines (`RG`)."""
_OPERATORS = {b"rg": b"k", b"RG": b"K"}
_RANDOM_ID = re.compile(rb"(?<=xmp\.did:)[0-9a-f-]{36}")


class UnprintableError(Exception):
    """A book holds something that a press cannot print."""


@dataclass(frozen=True)
class Separation:
    """The press that a book is printed for, and the identity of its file."""

    profile: PressProfile
    name: str
    """Identifies the file: the same book always has the same name."""
    day: str
    """The date of the book, as `2025-01-31`."""

    def prepare(self, document: Document) -> None:
        """Set the date and remove the links, which PDF/X-4 does not allow on a page."""
        document.metadata.created = document.metadata.modified = f"{self.day}T00:00:00Z"
        document.output_intent = "device-cmyk"  # the space in which transparent colours are mixed
        for page in document.pages:
            page.links = []

    def finish(self, pdf: pydyf.PDF) -> None:
        """Convert all colours to inks, and name the printing condition they are meant for.

        Raises:
            UnprintableError: If there is an image, or the profile cannot be used.
        """
        for each in pdf.objects:
            if isinstance(each, pydyf.Stream):
                self._convert(each)
        profile = pydyf.Stream([self.profile.data], {"N": 4}, compress=True)
        pdf.add_object(profile)
        intent = pydyf.Dictionary({"Type": "/OutputIntent", "S": "/GTS_PDFX"})
        intent["OutputConditionIdentifier"] = pydyf.String(self.profile.name)
        intent["Info"] = pydyf.String(self._profile_description)
        intent["DestOutputProfile"] = profile.reference
        pdf.catalog["OutputIntents"] = pydyf.Array([intent])

    def _convert(self, stream: pydyf.Stream) -> None:
        if stream.extra.get("Subtype") == "/Image":
            text = "Muster cannot print images in PDF/X-4 yet, only drawings"
            raise UnprintableError(text)
        if stream.extra.get("Type") == "/Metadata":
            fixed_id = str(uuid5(NAMESPACE_URL, self.name)).encode()
            stream.stream = [_RANDOM_ID.sub(fixed_id, part) for part in stream.stream]
            return
        for index, part in enumerate(stream.stream):
            if isinstance(part, bytes) and (match := _COLOUR.fullmatch(part)):
                *levels, operator = match.groups()
                inks = self.inks(*map(float, levels))
                written = [f"{ink:.4g}".encode() for ink in inks]
                stream.stream[index] = b" ".join([*written, _OPERATORS[operator]])

    def inks(self, red: float, green: float, blue: float) -> Inks:
        """Return the inks of a colour, whose parts go from 0 to 1; greys use black alone.

        Text in four inks would blur wherever they are not printed exactly over each other.
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
        self._transform  # noqa: B018 - raises if the profile cannot be used
        return ImageCms.getProfileDescription(
            ImageCms.ImageCmsProfile(BytesIO(self.profile.data))
        ).strip()


@lru_cache(maxsize=1024)
def _convert_colour(transform: Any, colour: tuple[float, float, float]) -> Inks:
    pixel = Image.new("RGB", (1, 1), tuple(round(part * _CHANNEL_MAX) for part in colour))
    converted: Any = ImageCms.applyTransform(pixel, transform)
    cyan, magenta, yellow, black = (
        round(part / _CHANNEL_MAX, 4) for part in converted.getpixel((0, 0))
    )
    return cyan, magenta, yellow, black


def set_print_preferences(pdf: pydyf.PDF, turn_edge: TurnEdge) -> None:
    """Ask for a PDF to be printed at its own size, and turned over the given edge."""
    preferences = pdf.catalog.setdefault("ViewerPreferences", pydyf.Dictionary())
    preferences["PrintScaling"] = "/None"
    if turn_edge:
        preferences["Duplex"] = DUPLEX_NAMES[turn_edge]


_PROFILE_SPACES = {
    "/DeviceRGB": (b"RGB ", 3),
    "/DeviceGray": (b"GRAY", 1),
    "/DeviceCMYK": (b"CMYK", 4),
}
"""For each colour space of an image: what its profile calls it, and the number of its channels."""
_PROFILE_SPACE = slice(16, 20)


def keep_colour_profiles(pdf: pydyf.PDF, profiles: Mapping[str, bytes]) -> None:
    """Give images the colour profiles of the pictures that they show.

    WeasyPrint drops them, so that a viewer would take all colours for its own. A profile for
    another colour space than the image's stays away.

    Args:
        pdf: The PDF before it is written.
        profiles: The ICC profiles by the addresses of the pictures, empty for one without.
    """
    by_name = {
        md5(address.encode(), usedforsecurity=False).hexdigest(): profile
        for address, profile in profiles.items()
        if profile
    }
    written: dict[tuple[bytes, str], pydyf.Stream] = {}
    for name, number in (_named_images(pdf) if by_name else {}).items():
        # WeasyPrint names an image by the hash of its address, between two characters.
        profile = by_name.get(name[1:-1], b"")
        image = pdf.objects[number]
        space = str(image.extra.get("ColorSpace"))
        expected, channels = _PROFILE_SPACES.get(space, (b"", 0))
        if not profile or profile[_PROFILE_SPACE] != expected:
            continue
        if (profile, space) not in written:
            extra = {"N": channels, "Alternate": space}
            written[profile, space] = pydyf.Stream([profile], extra, compress=True)
            pdf.add_object(written[profile, space])
        reference = written[profile, space].reference
        image.extra["ColorSpace"] = pydyf.Array(["/ICCBased", reference])


def _named_images(pdf: pydyf.PDF) -> dict[str, int]:
    """Return the numbers of all images and drawings, by the names that pages have for them."""
    named: dict[str, int] = {}
    for each in pdf.objects:
        holder = each.extra if isinstance(each, pydyf.Stream) else each
        if isinstance(holder, dict):
            resources = holder.get("Resources", holder)
            inner = resources.get("XObject") if isinstance(resources, dict) else None
            for name, reference in inner.items() if isinstance(inner, dict) else ():
                named[name] = int(bytes(reference).split()[0])
    return named


_PDF_VERSIONS = {"pdf/x-4": "1.6"}
"""The version of PDF that a variant is written in, if not 1.7."""


class _WritingStopped(Exception):  # noqa: N818 - it never leaves this module
    """Stops WeasyPrint before it writes the PDF that it has made."""


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that is attached to a PDF."""

    name: str
    text: str
    about: str
    day: str
    """Its date, as `2025-01-31`: fixed, so that the same data give the same bytes."""


@dataclass(frozen=True, slots=True)
class PdfTarget:
    """The purpose of a PDF: the variant of the standard, and what comes with it."""

    variant: str = "pdf/ua-1"
    """The name that WeasyPrint has for it."""
    bleed_mm: float | None = None
    """How far the bleed reaches beyond the trim; None for pages without a bleed box."""
    attachment: AttachedFile | None = None
    separation: Separation | None = None
    """The press that prints it, for PDF/X."""

    def options(self) -> dict[str, Any]:
        """Return the options to pass to WeasyPrint."""
        options: dict[str, Any] = {"pdf_variant": self.variant, "pdf_version": self._version}
        if self.attachment is not None:
            from weasyprint import Attachment  # noqa: PLC0415 - only where it prints

            day = dt.datetime.fromisoformat(self.attachment.day).replace(tzinfo=dt.UTC)
            options["attachments"] = [
                Attachment(
                    string=self.attachment.text.encode(),
                    name=self.attachment.name,
                    description=self.attachment.about,
                    created=day,
                    modified=day,
                    relationship="Data",
                )
            ]
        return options

    @property
    def _version(self) -> str:
        return _PDF_VERSIONS.get(self.variant, "1.7")

    def make_pdf(self, document: Document) -> pydyf.PDF:
        """Return a document's PDF as WeasyPrint makes it, before it is written."""
        made: list[pydyf.PDF] = []

        def take(_: Document, pdf: pydyf.PDF) -> NoReturn:
            made.append(pdf)
            raise _WritingStopped

        if self.separation is not None:
            self.separation.prepare(document)
        with warnings.catch_warnings():
            # WeasyPrint does not close the file of its colour profile.
            warnings.filterwarnings("ignore", r"unclosed file .*\.icc", ResourceWarning)
            with suppress(_WritingStopped):
                document.write_pdf(finisher=take, **self.options())
        return made[0]

    def write(self, pdf: pydyf.PDF) -> bytes:
        """Return the bytes of a finished PDF; all variants but PDF/UA need a file id."""
        return write_pdf(pdf, self._version, named=self.variant != UA_1.variant)

    def finish(self, pdf: pydyf.PDF) -> None:
        """Set what WeasyPrint has no option for: the bleed box, and what PDF/A and PDF/X need.

        Raises:
            UnprintableError: If a press cannot print what is on a page.
        """
        if self.bleed_mm is not None:
            bleed = self.bleed_mm * PT_PER_MM
            for page in pdf_pages(pdf):
                left, top, right, bottom = page["TrimBox"]
                page["BleedBox"] = pydyf.Array(
                    [left - bleed, top - bleed, right + bleed, bottom + bleed]
                )
        if self.variant.startswith("pdf/a"):
            _finish_archive(pdf)
        if self.separation is not None:
            self.separation.finish(pdf)


def _finish_archive(pdf: pydyf.PDF) -> None:
    """List each attachment once, without a creation date, and leave the metadata uncompressed."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"] = pydyf.Array(dict.fromkeys(pdf.catalog["AF"]))
    for each in pdf.objects:
        if isinstance(each, pydyf.Stream):
            if each.extra.get("Type") == "/EmbeddedFile":
                del each.extra["Params"]["CreationDate"]
            elif each.extra.get("Type") == "/Metadata":
                each.compress = False


UA_1 = PdfTarget()

_CROP_MARK_MM = 6.0
_VARIANTS = {"ua-1": "pdf/ua-1", "a-3": "pdf/a-3a", "x-4": "pdf/x-4"}


@dataclass(frozen=True, slots=True)
class PageEdge:
    """The area beyond the edge at which a page is cut, in millimetres."""

    beyond: float
    """How far the paper reaches beyond the edge: the bleed, and room for crop marks."""
    crop: bool


def target_of(book: Rulebook) -> PdfTarget:
    """Return what a book's PDF is made for."""
    press = book.press
    attachment = None
    if press.attached:
        about = f"{book.title}, edition {book.version}: all that it says, as data"
        attachment = AttachedFile(f"{book.system}.json", press.attached, about, book.date)
    separation = None
    if press.profile:
        separation = Separation(
            press.profile, f"{book.system} {book.edition} {book.digest}", book.date
        )
    # A press needs the boxes even if nothing lies beyond the trim.
    bleeds = press.bleed_mm or press.crop or press.profile
    return PdfTarget(
        _VARIANTS[press.pdf], press.bleed_mm if bleeds else None, attachment, separation
    )


def edge_of(book: Rulebook) -> PageEdge | None:
    """Return what is printed beyond the edge of a book's pages; None for nothing."""
    press, bleed = book.press, book.press.bleed_mm
    if not bleed and not press.crop:
        return None
    # WeasyPrint draws crop marks in the outer half of this area, where no bleed may reach.
    beyond = max(2 * bleed, bleed + _CROP_MARK_MM) if press.crop else bleed
    return PageEdge(beyond, press.crop)
