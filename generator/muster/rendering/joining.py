"""Keep pages that were laid out apart as pieces, and join pieces into one tagged PDF.

A piece holds each object as text, with the numbers of other objects between. What a document has
only once (the lists of pages and tags, the outline, one font for all pieces) is taken out
when a piece is captured, so that joining is little more than giving all objects new numbers.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from typing import Any, ClassVar, Protocol

import pydyf
from fontTools.pens.filterPen import DecomposingFilterPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from pydantic import ConfigDict, TypeAdapter

from muster.rendering.pdf_output import pdf_pages, write_pdf

PdfValue = Any
"""Text as a PDF writes it (Latin-1), the number of an object, or a list or dictionary of values."""

PdfDictionary = dict[str, PdfValue]

Parts = list[str | int]
"""A value as runs of text in Latin-1, with the numbers of other objects between them.

Numbers that no object has stand for what is known only when the pieces are joined: 0 for the index
of the piece; -1, -2, … for the index, in the joined document, of its first, second, … page.
"""

PIECE_INDEX = 0
_FIRST_PAGE_INDEX = -1


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


# Capturing a piece

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
        values[page]["StructParents"] = _FIRST_PAGE_INDEX - index
    if links:
        raise ValueError("a piece with links cannot be joined")
    outline = values.pop(catalog.get("Outlines", 0), {})
    entries = _read_outline(values, outline.get("First"))
    tags = [_to_parts(tag) for tag in values.pop(document_tag)["K"]]
    fonts = _read_fonts(values, pages)
    # Tags come last: each is a dictionary with its type in `S`, as no other object is.
    numbers = sorted(values, key=lambda number: number not in streams and "S" in values[number])
    return PdfPiece(
        {number: PdfObject(_to_parts(values[number]), streams.get(number)) for number in numbers},
        pages,
        pdf.pages.number,
        document_tag,
        tags,
        [(int(n), _to_parts(t)) for n, t in zip(page_tags[::2], page_tags[1::2], strict=True)],
        entries,
        fonts,
        catalog["Metadata"],
        {key: _to_parts(catalog[key]) for key in _CATALOG_KEYS if key in catalog},
        {key: _to_parts(value) for key, value in _to_value(pdf.info).items()},
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


def _to_parts(value: PdfValue) -> Parts:
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
        entries.append(OutlineEntry(entry["Title"], _to_parts(entry["Dest"]), closed, children))
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


# Joining pieces


class _JoinedObject(pydyf.Object):  # type: ignore[misc]  # pydyf ships no types
    """An object whose bytes are known."""

    def __init__(self) -> None:
        super().__init__()
        self.content = b"null"
        self.is_stream = False

    @property
    def data(self) -> bytes:
        """The bytes of the object."""
        return self.content

    @property
    def compressible(self) -> bool:
        """Whether the object may stand in an object stream."""
        return not self.is_stream

    @property
    def name(self) -> str:
        """How other objects refer to it."""
        return f"{self.number} 0 R"

    def write(self, text: str, stream: bytes | None = None) -> None:
        """Set the value, and the content if it is a stream."""
        self.content = text.encode("latin-1")
        if stream is not None:
            self.content += b"\nstream\n" + stream + b"\nendstream"
            self.is_stream = True


def join_pieces(pieces: Sequence[PdfPiece]) -> bytes:
    """Join pieces into a tagged PDF; title, language and metadata are those of the first."""
    return _Joiner(pieces).join()


class _Joiner:
    def __init__(self, pieces: Sequence[PdfPiece]) -> None:
        self._pieces = pieces
        self._pdf = pydyf.PDF()
        self._document_tag = self._add()
        self._tree = self._add()
        self._page_tags = self._add()
        self._names: list[dict[int, str]] = []
        """For each piece, what to write for each number in its parts."""
        self._images: dict[bytes, str] = {}
        """The names of images, and of what belongs to them, by their content."""

    def join(self) -> bytes:
        """Return the bytes of the joined PDF."""
        fonts = self._merge_fonts()
        pages: list[str] = []
        tags: list[str] = []
        page_tags: list[str] = []
        for index, (piece, piece_fonts) in enumerate(zip(self._pieces, fonts, strict=True)):
            names = self._add_objects(piece, index, len(pages), piece_fonts)
            tags += [_written(parts, names) for parts in piece.tags]
            for page, parts in piece.page_tags:
                page_tags += [str(len(pages) + page), _written(parts, names)]
            pages += [names[number] for number in piece.pages]
        self._pdf.pages["Kids"] = "[" + " ".join(pages) + "]"
        self._pdf.pages["Count"] = len(pages)
        self._page_tags.write(f"<</Nums [{' '.join(page_tags)}]>>")
        self._document_tag.write(
            f"<</Type /StructElem/S /Document/K [{' '.join(tags)}]/P {self._tree.name}>>"
        )
        self._tree.write(
            f"<</Type /StructTreeRoot/ParentTree {self._page_tags.name}"
            f"/K [{self._document_tag.name}]>>"
        )
        self._write_catalog()
        return write_pdf(self._pdf)

    def _add(self) -> _JoinedObject:
        new = _JoinedObject()
        self._pdf.add_object(new)
        return new

    def _add_objects(
        self, piece: PdfPiece, index: int, first_page: int, fonts: dict[int, str]
    ) -> dict[int, str]:
        """Add the objects of a piece, and return what to write for each number in its parts."""
        names = {
            PIECE_INDEX: str(index),
            **{_FIRST_PAGE_INDEX - n: str(first_page + n) for n in range(len(piece.pages))},
            piece.page_tree: self._pdf.pages.reference.decode(),
            piece.document_tag: self._document_tag.name,
            **fonts,
        }
        dropped = {piece.metadata} if index else set()
        for font in piece.fonts:
            if font.number in fonts:
                dropped |= font.objects
        keys = _image_keys(piece)
        present = {n: self._images[key] for n, key in keys.items() if key in self._images}
        names |= present
        dropped |= present.keys()
        added = {number: self._add() for number in piece.objects if number not in dropped}
        names |= {number: new.name for number, new in added.items()}
        for number, key in keys.items():
            self._images.setdefault(key, names[number])
        for number, new in added.items():
            each = piece.objects[number]
            new.write(_written(each.parts, names), each.stream)
        self._names.append(names)
        return names

    def _write_catalog(self) -> None:
        """Write the catalogue and the document information, as the first piece has them."""
        first, names = self._pieces[0], self._names[0]
        catalog = self._pdf.catalog
        if outline := self._add_outline():
            catalog["Outlines"] = outline
        catalog |= {key: _written(parts, names) for key, parts in first.catalog.items()}
        catalog["StructTreeRoot"] = self._tree.name
        catalog["Metadata"] = names[first.metadata]
        self._pdf.info |= {key: _written(parts, names) for key, parts in first.info.items()}

    def _add_outline(self) -> str:
        """Add the joined outline, and return its name; nothing if there is none.

        If the first piece has one top entry, those of all other pieces stand below it.
        """
        outlines = [
            _resolve_outline(piece.outline, names)
            for piece, names in zip(self._pieces, self._names, strict=True)
        ]
        top, *others = outlines
        level = top[0].children if len(top) == 1 else top
        for entries in others:
            level += entries
        if not top:
            return ""
        outline = self._add()
        first, last, count = self._add_outline_level(top, outline)
        outline.write(f"<</Count {count}/First {first}/Last {last}>>")
        return outline.name

    def _add_outline_level(
        self, entries: Sequence[OutlineEntry], parent: _JoinedObject
    ) -> tuple[str, str, int]:
        """Add the entries of a level and all below them.

        Returns:
            The names of the first and the last entry, and how many entries are in view.
        """
        added = [self._add() for _ in entries]
        count = len(entries)
        for index, (entry, new) in enumerate(zip(entries, added, strict=True)):
            text = f"/Title {entry.title}/Dest {_written(entry.destination)}"
            below = 0
            if entry.children:
                first, last, below = self._add_outline_level(entry.children, new)
                text += f"/First {first}/Last {last}"
            text += f"/Count {-below if entry.closed else below}"
            count += 0 if entry.closed else below
            if index:
                text += f"/Prev {added[index - 1].name}"
            if index + 1 < len(added):
                text += f"/Next {added[index + 1].name}"
            new.write(f"<<{text}/Parent {parent.name}>>")
        return added[0].name, added[-1].name, count

    def _merge_fonts(self) -> list[dict[int, str]]:
        """Add one font for all of one name.

        Returns:
            For each piece, the numbers of the fonts that were merged, and the name of the new one.
        """
        uses: dict[str, list[tuple[int, PieceFont]]] = {}
        for index, piece in enumerate(self._pieces):
            for font in piece.fonts:
                uses.setdefault(font.name, []).append((index, font))
        merged: list[dict[int, str]] = [{} for _ in self._pieces]
        for same_name in uses.values():
            if len(same_name) > 1:
                name = self._add_merged_font(same_name)
                for index, font in same_name:
                    merged[index][font.number] = name
        return merged

    def _add_merged_font(self, uses: Sequence[tuple[int, PieceFont]]) -> str:
        """Add one font for several pieces, and return its name."""
        fonts = [font for _, font in uses]
        file = merge_font_files([(self._content(n, font.file), font) for n, font in uses])
        to_unicode = merge_to_unicode([self._content(n, font.to_unicode) for n, font in uses])
        file_stream = pydyf.Stream([file], {"Length1": len(file)}, compress=True)
        unicode_stream = pydyf.Stream([to_unicode], compress=True)
        self._pdf.add_object(file_stream)
        self._pdf.add_object(unicode_stream)
        widths = merge_widths(fonts)
        descriptor = {
            **merge_descriptors(fonts, widths),
            "FontFile2": file_stream.reference.decode(),
        }
        descendant = {
            **fonts[0].descendant,
            "W": widths,
            "FontDescriptor": self._add_value(descriptor),
        }
        return self._add_value(
            {
                **fonts[0].font,
                "ToUnicode": unicode_stream.reference.decode(),
                "DescendantFonts": [self._add_value(descendant)],
            }
        )

    def _content(self, index: int, number: int) -> bytes:
        """Return the content of a stream of a piece."""
        return zlib.decompress(self._pieces[index].objects[number].stream or b"")

    def _add_value(self, value: PdfValue) -> str:
        new = self._add()
        new.write(_written(_to_parts(value)))
        return new.name


def _image_keys(piece: PdfPiece) -> dict[int, bytes]:
    """Return a hash for each image, its mask and its colour profile: the same for equal content."""
    keys: dict[int, bytes] = {}

    def key_of(number: int) -> bytes:
        if number not in keys:
            each = piece.objects[number]
            digest = sha256(each.stream or b"")
            for part in each.parts:
                digest.update(part.encode() if isinstance(part, str) else key_of(part))
            keys[number] = digest.digest()
        return keys[number]

    for number, each in piece.objects.items():
        if each.stream is not None and "/Subtype /Image" in str(each.parts[0]):
            key_of(number)
    return keys


def _written(parts: Parts, names: Mapping[int, str] | None = None) -> str:
    """Return parts as text, with a name for each number."""
    names = names or {}
    return "".join([part if isinstance(part, str) else names[part] for part in parts])


def _resolve_outline(
    entries: Sequence[OutlineEntry], names: Mapping[int, str]
) -> list[OutlineEntry]:
    """Return the entries of a piece's outline, with names in place of the numbers of objects."""
    return [
        replace(
            entry,
            destination=[_written(entry.destination, names)],
            children=_resolve_outline(entry.children, names),
        )
        for entry in entries
    ]


# Merging fonts that were cut from one face

_UNICODE_PAIR = re.compile(rb"<([0-9a-f]{4})> <([0-9a-f]*)>")
_UNICODE_BATCH = 100
"""The most pairs that may stand in one block of a `ToUnicode` table."""

_FIXED_PITCH = 1
"""The flag of a font whose glyphs all have one width."""


def merge_font_files(files: Sequence[tuple[bytes, PieceFont]]) -> bytes:
    """Return a font file with the glyphs of all of the given ones."""
    fonts = dict(files)
    if len(fonts) == 1:
        return files[0][0]
    used = {file: set(glyph_widths_of(font)) for file, font in fonts.items()}
    # Only glyphs that are used keep their numbers. The parts of accented letters may have numbers
    # above these. The base is the file that uses the highest number, so that no glyph copied from
    # another file can need the number of such a part.
    base_file = max(fonts, key=lambda file: max(used[file], default=0))
    base = _open_font(base_file)
    present = used[base_file]
    for file in fonts:
        if missing := used[file] - present:
            _copy_glyphs(base, _open_font(file), missing)
            present |= missing
    out = BytesIO()
    base.save(out)
    return out.getvalue()


def _open_font(file: bytes) -> TTFont:
    return TTFont(BytesIO(file), recalcTimestamp=False)


def _copy_glyphs(base: TTFont, font: TTFont, glyphs: set[int]) -> None:
    """Copy glyphs, given by their numbers, from one font to another that lacks them."""
    names, base_names = font.getGlyphOrder(), base.getGlyphOrder()
    glyph_set = font.getGlyphSet()
    for number in sorted(glyphs):
        name, base_name = names[number], base_names[number]
        if base["hmtx"][base_name] == (0, 0):
            base["hmtx"][base_name] = font["hmtx"][name]
        glyph = font["glyf"][name]
        if glyph.numberOfContours and not base["glyf"][base_name].numberOfContours:
            if glyph.isComposite():
                # The parts of an accented letter have other numbers in each font: copy the outline.
                pen = TTGlyphPen(None)
                glyph_set[name].draw(DecomposingFilterPen(pen, glyph_set))
                glyph = pen.glyph()
            base["glyf"][base_name] = glyph


def merge_to_unicode(tables: Sequence[bytes]) -> bytes:
    """Merge the tables that tell which text each glyph stands for."""
    pairs: dict[bytes, bytes] = {}
    for table in tables:
        for glyph, text in _UNICODE_PAIR.findall(table):
            pairs.setdefault(glyph, text)
    before, _, rest = tables[0].partition(b"endcodespacerange")
    after = rest[rest.rindex(b"endcmap") :]
    lines = [before + b"endcodespacerange"]
    ordered = sorted(pairs.items())
    for start in range(0, len(ordered), _UNICODE_BATCH):
        batch = ordered[start : start + _UNICODE_BATCH]
        lines.append(b"%d beginbfchar" % len(batch))
        lines += [b"<%b> <%b>" % pair for pair in batch]
        lines.append(b"endbfchar")
    return b"\n".join([*lines, after])


def glyph_widths_of(font: PieceFont) -> dict[int, str]:
    """Return the width of each glyph that a font uses."""
    runs = font.descendant["W"]
    return {
        int(first) + step: width
        for first, run in zip(runs[::2], runs[1::2], strict=True)
        for step, width in enumerate(run)
    }


def merge_widths(fonts: Sequence[PieceFont]) -> list[PdfValue]:
    """Merge the widths of glyphs, as runs of glyphs with consecutive numbers."""
    widths: dict[int, str] = {}
    for font in fonts:
        widths = {**glyph_widths_of(font), **widths}
    runs: list[PdfValue] = []
    for glyph in sorted(widths):
        if glyph - 1 not in widths:
            runs += [str(glyph), []]
        runs[-1].append(widths[glyph])
    return runs


def merge_descriptors(fonts: Sequence[PieceFont], widths: list[PdfValue]) -> PdfDictionary:
    """Merge the descriptors of fonts, whose merged widths are given."""
    merged = dict(fonts[0].descriptor)
    left, bottom, _, top = merged["FontBBox"]
    right = max((font.descriptor["FontBBox"][2] for font in fonts), key=float)
    merged["FontBBox"] = [left, bottom, right, top]
    all_widths = [width for run in widths[1::2] for width in run]
    flags = int(merged["Flags"]) & ~_FIXED_PITCH
    fixed = len(all_widths) > 1 and len(set(all_widths)) == 1
    merged["Flags"] = str(flags | _FIXED_PITCH if fixed else flags)
    return merged
