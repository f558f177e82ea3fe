"""Keep pages that were laid out apart as pieces of a PDF.

A piece holds each object as text, with the numbers of other objects between. What a document has
only once (the lists of pages and tags, the outline, one font for all pieces) is taken out
when a piece is captured, so that joining is little more than giving all objects new numbers.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import pydyf
from pydantic import ConfigDict, TypeAdapter

from muster.rendering.pdf_output import pdf_pages

PdfValue = Any
"""Text as a PDF writes it (Latin-1), the number of an object, or a list or dictionary of values."""

PdfDictionary = dict[str, PdfValue]

Parts = list[str | int]
"""A value as runs of text in Latin-1, with the numbers of other objects between them.

Numbers that no object has stand for what is known only when the pieces are joined: 0 for the index
of the piece; -1, -2, … for the index, in the joined document, of its first, second, … page.
"""

PIECE_INDEX = 0
FIRST_PAGE_INDEX = -1


@dataclass(frozen=True, slots=True)
class PdfObject:
    """An object: its value, and for a stream its content, compressed."""

    __pydantic_config__: ClassVar = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    parts: Parts
    stream: bytes | None = None


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the outline, with those below it."""

    title: str
    destination: Parts
    closed: bool
    children: list[OutlineEntry]


@dataclass(frozen=True, slots=True)
class PieceFont:
    """A font that can be merged with those of the same name in other pieces."""

    name: str
    number: int
    font: PdfDictionary
    descendant: PdfDictionary
    descriptor: PdfDictionary

    @property
    def file(self) -> int:
        """The number of the stream that holds the font file."""
        number: int = self.descriptor["FontFile2"]
        return number

    @property
    def to_unicode(self) -> int:
        """The number of the stream that tells which text each glyph stands for."""
        number: int = self.font["ToUnicode"]
        return number

    @property
    def objects(self) -> set[int]:
        """The numbers of all objects of the font."""
        (descendant,) = self.font["DescendantFonts"]
        descriptor = self.descendant["FontDescriptor"]
        return {self.number, descendant, descriptor, self.file, self.to_unicode}


@dataclass(frozen=True, slots=True)
class PdfPiece:
    """Pages and all that they need, by the numbers of the objects."""

    objects: dict[int, PdfObject]
    pages: tuple[int, ...]
    page_tree: int
    """The number of the object that lists the pages; it is not among the objects."""
    document_tag: int
    """The number of the topmost tag; it is not among the objects."""
    tags: list[Parts]
    """The tags just below the topmost."""
    page_tags: list[tuple[int, Parts]]
    """The index of each page in this piece, with a list of the tags that it holds."""
    outline: list[OutlineEntry]
    fonts: list[PieceFont]
    metadata: int
    catalog: dict[str, Parts]
    info: dict[str, Parts]


_PIECE = TypeAdapter(PdfPiece)


def pack_piece(piece: PdfPiece) -> bytes:
    """Return a piece as bytes."""
    return zlib.compress(_PIECE.dump_json(piece), 6)


def unpack_piece(data: bytes) -> PdfPiece | None:
    """Read a piece from bytes; None if they are not one."""
    try:
        return _PIECE.validate_json(zlib.decompress(data))
    except (ValueError, zlib.error):
        return None


class PieceStore(Protocol):
    """A store that keeps pieces of documents between builds, by what they are made from."""

    def get(self, made_from: str) -> bytes | None:
        """Return a piece, or None if it is not there."""

    def put(self, made_from: str, data: bytes) -> None:
        """Store a piece."""


class NoPieceStore:
    """A store that keeps nothing."""

    def get(self, made_from: str) -> bytes | None:
        """Return None."""

    def put(self, made_from: str, data: bytes) -> None:
        """Do nothing."""


_CATALOG_KEYS = ("Lang", "ViewerPreferences", "MarkInfo")
"""Entries of the catalogue that are the same for all pieces."""

_HEADER_ID_KEYS = ("ID", "Headers")
"""The keys under which tags name header cells of tables; two pieces may use the same names."""

_REFERENCE = re.compile(rb"(\d+) 0 R")


def capture_piece(pdf: pydyf.PDF) -> PdfPiece:
    """Return the pages of a PDF that is about to be written, with all that they need.

    Raises:
        ValueError: If there are links, or more than one tree of tags: these cannot be joined.
    """
    catalog: PdfDictionary = _to_value(pdf.catalog)
    values: dict[int, PdfValue] = {}
    streams: dict[int, bytes] = {}
    for each in pdf.objects:
        if each.free == "f" or each is pdf.catalog or each is pdf.pages:
            continue
        if isinstance(each, pydyf.Stream):
            values[each.number], streams[each.number] = _compressed_stream(each)
        else:
            values[each.number] = _to_value(each)
    tree = values.pop(catalog["StructTreeRoot"])
    (document_tag,) = tree["K"]
    pages = tuple(page.number for page in pdf_pages(pdf))
    page_tags = values.pop(tree["ParentTree"])["Nums"]
    links = len(page_tags) // 2 > len(pages)
    for index, page in enumerate(pages):
        links = links or "Annots" in values[page]
        values[page]["StructParents"] = FIRST_PAGE_INDEX - index
    if links:
        raise ValueError("a piece with links cannot be joined")
    outline = values.pop(catalog.get("Outlines", 0), {})
    entries = _read_outline(values, outline.get("First"))
    tags = [to_parts(tag) for tag in values.pop(document_tag)["K"]]
    fonts = _read_fonts(values, pages)
    # Tags come last: each is a dictionary with its type in `S`, as no other object is.
    numbers = sorted(values, key=lambda number: number not in streams and "S" in values[number])
    return PdfPiece(
        {number: PdfObject(to_parts(values[number]), streams.get(number)) for number in numbers},
        pages,
        pdf.pages.number,
        document_tag,
        tags,
        [(int(n), to_parts(t)) for n, t in zip(page_tags[::2], page_tags[1::2], strict=True)],
        entries,
        fonts,
        catalog["Metadata"],
        {key: to_parts(catalog[key]) for key in _CATALOG_KEYS if key in catalog},
        {key: to_parts(value) for key, value in _to_value(pdf.info).items()},
    )


def _compressed_stream(stream: pydyf.Stream) -> tuple[PdfDictionary, bytes]:
    """Return the dictionary of a stream, and its content, compressed."""
    extra: PdfDictionary = _to_value(stream.extra)
    content = b"\n".join(_write_leaf(item) for item in stream.stream)
    if "Filter" not in extra:
        content = zlib.compress(content, 9)
        extra["Filter"] = "/FlateDecode"
    return {**extra, "Length": str(len(content))}, content


def _to_value(item: Any) -> PdfValue:
    match item:
        case Mapping():
            return {str(key): _to_value(value) for key, value in item.items()}
        case list() | tuple():
            return [_to_value(value) for value in item]
        case bytes() if match := _REFERENCE.fullmatch(item):
            return int(match[1])
        case _:
            return _write_leaf(item).decode("latin-1")


def _write_leaf(item: Any) -> bytes:
    """Return a number, name or text as a PDF writes it."""
    written: bytes = item if isinstance(item, bytes) else pydyf.Array([item]).data[1:-1]
    return written


def to_parts(value: PdfValue) -> Parts:
    """Return a value as few parts, with the names of header cells marked by the piece's index."""
    parts: Parts = []
    for part in _iter_parts(value):
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _iter_parts(value: PdfValue, key: str = "") -> Iterator[str | int]:
    match value:
        case dict():
            yield "<<"
            for name, item in value.items():
                yield f"/{name} "
                yield from _iter_parts(item, name)
            yield ">>"
        case list():
            yield "["
            for index, item in enumerate(value):
                if index:
                    yield " "
                yield from _iter_parts(item, key)
            yield "]"
        case str() if key in _HEADER_ID_KEYS:
            yield from ("(", PIECE_INDEX, "-", value[1:])
        case _:
            yield value


def _read_outline(values: dict[int, PdfValue], number: int | None) -> list[OutlineEntry]:
    """Remove the entries of a level, from the given one on, from the objects, and return them."""
    entries: list[OutlineEntry] = []
    while number is not None:
        entry = values.pop(number)
        closed = entry["Count"].startswith("-")
        children = _read_outline(values, entry.get("First"))
        entries.append(OutlineEntry(entry["Title"], to_parts(entry["Dest"]), closed, children))
        number = entry.get("Next")
    return entries


def _read_fonts(values: dict[int, PdfValue], pages: Sequence[int]) -> list[PieceFont]:
    """Return the fonts of a piece that can be merged, each once."""

    def resolve(value: PdfValue) -> PdfDictionary:
        found: PdfDictionary = values[value] if isinstance(value, int) else value
        return found

    uses: dict[tuple[str, int], None] = {}
    for page in pages:
        resources = resolve(values[page]["Resources"])
        uses |= dict.fromkeys(resolve(resources.get("Font", {})).items())
    fonts = []
    for name, number in uses:
        font = values[number]
        if font["Subtype"] == "/Type0" and font["Encoding"] == "/Identity-H":
            descendant = values[font["DescendantFonts"][0]]
            descriptor = values[descendant["FontDescriptor"]]
            if "FontFile2" in descriptor:
                fonts.append(PieceFont(name, number, font, descendant, descriptor))
    return fonts
