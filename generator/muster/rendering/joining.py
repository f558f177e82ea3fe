"""Keep pages that were laid out apart as pieces, and join pieces into one tagged PDF."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Protocol

import orjson
import pydyf
from fontTools.pens.filterPen import DecomposingFilterPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from muster.rendering.pdf_output import write_pdf

PdfValue = str | int | list[Any] | dict[str, Any]
"""A part of an object: its bytes as Latin-1, the number of another object, a list, a dictionary."""

TagParts = list[str | int]
"""A tag: its bytes as Latin-1, and between them the numbers of other objects, or `PLACE`."""

PIECE_INDEX = 0
"""What stands in a tag for the place of its piece among others; no object has this number."""

_REFERENCE = re.compile(rb"(\d+) 0 R")


@dataclass(frozen=True, slots=True)
class PdfObject:
    """One object: its value, and for a stream what it holds, compressed."""

    value: PdfValue
    stream: bytes | None = None


@dataclass(frozen=True, slots=True)
class PdfPiece:
    """Pages and all that they need, by the numbers of the objects."""

    objects: dict[int, PdfObject]
    tags: dict[int, TagParts]
    """All tags below the topmost: most of a document's objects, and copied as they are."""
    catalog: dict[str, PdfValue]
    info: dict[str, PdfValue]
    page_tree: int
    """The number of the object that lists the pages."""
    pages: tuple[int, ...]

    def dictionary(self, number: PdfValue) -> dict[str, PdfValue]:
        """Give an object that is a dictionary.

        Raises:
            ValueError: If it is none.
        """
        found = self.objects[number].value if isinstance(number, int) else number
        if not isinstance(found, dict):
            text = f"object {number!r} is no dictionary"
            raise ValueError(text)  # noqa: TRY004 - what was read is wrong, not how it was called
        return found


def capture_piece(pdf: pydyf.PDF) -> PdfPiece:
    """Take all objects of a PDF that is about to be written."""
    objects: dict[int, PdfObject] = {}
    tags: dict[int, TagParts] = {}
    for each in pdf.objects:
        if each.free == "f" or each is pdf.catalog:
            continue
        if isinstance(each, pydyf.Stream):
            extra = {str(key): _to_value(value) for key, value in each.extra.items()}
            payload = b"\n".join(_write_leaf(item) for item in each.stream)
            if "Filter" not in extra:
                payload = zlib.compress(payload, 9)
                extra["Filter"] = "/FlateDecode"
            objects[each.number] = PdfObject(extra, payload)
            continue
        value = _to_value(each)
        if isinstance(value, dict) and value.get("S", _DOCUMENT_TAG) != _DOCUMENT_TAG:
            tags[each.number] = _tag_parts(value)
        else:
            objects[each.number] = PdfObject(value)
    return PdfPiece(
        objects,
        tags,
        {str(key): _to_value(value) for key, value in pdf.catalog.items()},
        {str(key): _to_value(value) for key, value in pdf.info.items()},
        pdf.pages.number,
        tuple(pdf.pages["Kids"][::3]),
    )


def _to_value(item: Any) -> PdfValue:
    match item:
        case pydyf.Stream():
            raise ValueError("a stream stands on its own")
        case Mapping():
            return {str(key): _to_value(value) for key, value in item.items()}
        case list() | tuple():
            return [_to_value(value) for value in item]
        case bytes() if found := _REFERENCE.fullmatch(item):
            return int(found[1])
        case _:
            return _write_leaf(item).decode("latin-1")


_DOCUMENT_TAG = "/Document"
"""What the topmost tag is; every tag says in `S` what it is, and no other object has an `S`."""

_HEADER_ID_KEYS = ("ID", "Headers")
"""Where tags name the heads of tables: in two pieces the names are alike."""


def _tag_parts(value: PdfValue) -> TagParts:
    """Write a tag; the heads of tables in one piece are told from those in another."""
    parts: TagParts = []
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
            for name, each in value.items():
                yield f"/{name} "
                yield from _iter_parts(each, name)
            yield ">>"
        case list():
            yield "["
            for at, each in enumerate(value):
                if at:
                    yield " "
                yield from _iter_parts(each, key)
            yield "]"
        case str() if key in _HEADER_ID_KEYS:
            yield from ("(", PIECE_INDEX, "-", value[1:])
        case _:
            yield value


def _write_leaf(item: Any) -> bytes:
    """Write a number, name or text as a PDF does."""
    written: bytes = item if isinstance(item, bytes) else pydyf.Array([item]).data[1:-1]
    return written


def pack_piece(piece: PdfPiece) -> bytes:
    """Write a piece as bytes."""
    streams = b""
    objects = []
    for number, held in piece.objects.items():
        objects.append([number, held.value, None if held.stream is None else len(held.stream)])
        streams += held.stream or b""
    tags = list(piece.tags.items())
    head = [objects, tags, piece.catalog, piece.info, piece.page_tree, piece.pages]
    written = zlib.compress(orjson.dumps(head), 6)
    return len(written).to_bytes(4, "big") + written + streams


def unpack_piece(data: bytes) -> PdfPiece | None:
    """Read a piece from bytes; None if they are none."""
    try:
        size = int.from_bytes(data[:4], "big")
        written, told, catalog, info, root, pages = orjson.loads(
            zlib.decompress(data[4 : 4 + size])
        )
        at = 4 + size
        objects = {}
        for number, value, length in written:
            stream = None if length is None else data[at : at + length]
            at += length or 0
            objects[int(number)] = PdfObject(value, stream)
        if at != len(data):
            return None
        tags = {int(number): list(tag) for number, tag in told}
        return PdfPiece(objects, tags, dict(catalog), dict(info), int(root), tuple(map(int, pages)))
    except (ValueError, TypeError, zlib.error):
        return None


class PieceStore(Protocol):
    """Where pieces of documents are kept between builds, by what they are made from."""

    def get(self, made_from: str) -> bytes | None:
        """Give a piece, if it is there."""

    def put(self, made_from: str, data: bytes) -> None:
        """Keep a piece."""


class NoPieceStore:
    """Keeps nothing."""

    def get(self, made_from: str) -> bytes | None:
        """Give nothing."""
        del made_from
        return None

    def put(self, made_from: str, data: bytes) -> None:
        """Keep nothing."""


_UNICODE_PAIR = re.compile(rb"<([0-9a-f]{4})> <([0-9a-f]*)>")
_UNICODE_BATCH = 100
_FIXED_PITCH = 1


@dataclass(frozen=True, slots=True)
class PieceFont:
    """A font of one piece, with the objects that it is made of."""

    font: dict[str, PdfValue]
    descendant: dict[str, PdfValue]
    descriptor: dict[str, PdfValue]
    file: bytes
    to_unicode: bytes


def read_font(piece: PdfPiece, number: PdfValue) -> PieceFont | None:
    """Read a font of a piece; None if it is not one that can be merged."""
    font = piece.dictionary(number)
    if font.get("Encoding") != "/Identity-H" or font.get("Subtype") != "/Type0":
        return None
    descendants = font["DescendantFonts"]
    if not isinstance(descendants, list):
        return None
    descendant = piece.dictionary(descendants[0])
    descriptor = piece.dictionary(descendant["FontDescriptor"])
    file = descriptor.get("FontFile2")
    if not isinstance(file, int):
        return None
    return PieceFont(
        font,
        descendant,
        descriptor,
        _decompress_stream(piece, file),
        _decompress_stream(piece, font["ToUnicode"]),
    )


def _decompress_stream(piece: PdfPiece, number: PdfValue) -> bytes:
    held = piece.objects[number] if isinstance(number, int) else PdfObject("")
    return zlib.decompress(held.stream or b"")


def merge_font_files(fonts: Sequence[PieceFont]) -> bytes:
    """Merge the glyphs of fonts that were cut from one."""
    files = {font.file: font for font in fonts}
    if len(files) == 1:
        return fonts[0].file
    used = {file: set(glyph_widths_of(font)) for file, font in files.items()}
    # Only glyphs that are used keep their number; parts of accented letters may stand behind the
    # last one that is used. In the font that goes furthest nobody else wants those places.
    furthest = max(files, key=lambda file: max(used[file], default=0))
    base = _open_font(furthest)
    order = base.getGlyphOrder()
    had = used[furthest]
    for file in files:
        if lacking := used[file] - had:
            _copy_glyphs(base, order, _open_font(file), lacking)
            had |= lacking
    out = BytesIO()
    base.save(out)
    return out.getvalue()


def _open_font(file: bytes) -> TTFont:
    return TTFont(BytesIO(file), recalcTimestamp=False)


def _copy_glyphs(base: TTFont, order: list[str], font: TTFont, lacking: set[int]) -> None:
    """Give a font the glyphs that it lacks and another has, by their numbers."""
    names = font.getGlyphOrder()
    drawn = font.getGlyphSet()
    for number in sorted(lacking):
        name, target = names[number], order[number]
        if base["hmtx"][target] == (0, 0):
            base["hmtx"][target] = font["hmtx"][name]
        glyph = font["glyf"][name]
        if glyph.numberOfContours and not base["glyf"][target].numberOfContours:
            if glyph.isComposite():
                # Drawn whole: the parts of an accented letter stand elsewhere in each font.
                pen = TTGlyphPen(None)
                drawn[name].draw(DecomposingFilterPen(pen, drawn))
                glyph = pen.glyph()
            base["glyf"][target] = glyph


def merge_to_unicode(maps: Sequence[bytes]) -> bytes:
    """Merge the tables that tell which text each glyph stands for."""
    pairs: dict[bytes, bytes] = {}
    for each in maps:
        for glyph, text in _UNICODE_PAIR.findall(each):
            pairs.setdefault(glyph, text)
    before, _, rest = maps[0].partition(b"endcodespacerange")
    after = rest[rest.rindex(b"endcmap") :]
    lines = [before + b"endcodespacerange"]
    listed = sorted(pairs.items())
    for at in range(0, len(listed), _UNICODE_BATCH):
        batch = listed[at : at + _UNICODE_BATCH]
        lines.append(b"%d beginbfchar" % len(batch))
        lines += [b"<%b> <%b>" % pair for pair in batch]
        lines.append(b"endbfchar")
    return b"\n".join([*lines, after])


def glyph_widths_of(font: PieceFont) -> dict[int, PdfValue]:
    """Read the width of every glyph that a font uses."""
    runs = font.descendant["W"]
    widths: dict[int, PdfValue] = {}
    if isinstance(runs, list):
        for first, run in zip(runs[::2], runs[1::2], strict=True):
            widths |= {int(first) + step: width for step, width in enumerate(run)}
    return widths


def merge_widths(fonts: Sequence[PieceFont]) -> list[PdfValue]:
    """Merge the widths of glyphs, in runs of glyphs that follow each other."""
    widths: dict[int, PdfValue] = {}
    for font in fonts:
        widths = {**glyph_widths_of(font), **widths}
    merged: list[PdfValue] = []
    run: list[PdfValue] = []
    for glyph in sorted(widths):
        if glyph - 1 not in widths:
            run = []
            merged += [str(glyph), run]
        run.append(widths[glyph])
    return merged


def merge_descriptors(fonts: Sequence[PieceFont], widths: list[PdfValue]) -> dict[str, PdfValue]:
    """Merge what is said of a font as a whole."""
    found = dict(fonts[0].descriptor)
    every = [width for run in widths[1::2] if isinstance(run, list) for width in run]
    boxes = [font.descriptor["FontBBox"] for font in fonts]
    widest = max((box[2] for box in boxes if isinstance(box, list)), key=float)
    first = boxes[0]
    if isinstance(first, list):
        found["FontBBox"] = [first[0], first[1], widest, first[3]]
    flags = int(str(found["Flags"])) & ~_FIXED_PITCH
    fixed = len(every) > 1 and len(set(every)) == 1
    found["Flags"] = str(flags | _FIXED_PITCH if fixed else flags)
    return found


_CATALOG_KEYS = ("Lang", "ViewerPreferences", "MarkInfo")
"""What the catalogue says of every piece alike."""


class _WrittenObject(pydyf.Object):  # type: ignore[misc]  # pydyf ships no types
    """An object whose bytes are known."""

    def __init__(self) -> None:
        super().__init__()
        self.content = b"null"

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self.content


@dataclass(slots=True)
class _OutlineEntry:
    """An entry of the outline."""

    title: PdfValue
    dest: PdfValue
    closed: bool
    piece_index: int
    children: list[_OutlineEntry] = field(default_factory=list)


def join_pieces(pieces: Sequence[PdfPiece]) -> bytes:
    """Join pieces into a tagged PDF; title, language and metadata are those of the first.

    Raises:
        ValueError: If a piece holds what cannot be joined, such as links.
    """
    return _Joiner(pieces).write()


class _Joiner:
    def __init__(self, pieces: Sequence[PdfPiece]) -> None:
        self.pieces = pieces
        self.pdf = pydyf.PDF()
        self.numbers: list[dict[int, int]] = []
        self.document = self._new()
        self.tree = self._new()
        self.parents = self._new()

    def write(self) -> bytes:
        """Join all, and write the PDF."""
        fonts = self._merge_fonts()
        for index, piece in enumerate(self.pieces):
            self.numbers.append(self._assign_numbers(index, piece, fonts))
        pages: list[int] = []
        kids: list[bytes] = []
        nums: list[bytes] = []
        for index, piece in enumerate(self.pieces):
            for number, mine in self.numbers[index].items():
                if number in piece.objects:
                    self._copy(index, piece, number, mine, len(pages))
            self._copy_tags(index, piece)
            kids += self._tags(index, piece, nums, len(pages))
            pages += [self.numbers[index][page] for page in piece.pages]
        self.pdf.pages["Kids"] = pydyf.Array([each for n in pages for each in (n, 0, "R")])
        self.pdf.pages["Count"] = len(pages)
        root, tree = _reference_to(self.tree), _reference_to(self.document)
        self.parents.content = b"<</Nums [" + b" ".join(nums) + b"]>>"
        self.document.content = (
            b"<</Type /StructElem/S /Document/K [" + b" ".join(kids) + b"]/P " + root + b">>"
        )
        parents = _reference_to(self.parents)
        self.tree.content = (
            b"<</Type /StructTreeRoot/ParentTree " + parents + b"/K [" + tree + b"]>>"
        )
        self._write_catalog(root)
        return write_pdf(self.pdf)

    def _new(self) -> _WrittenObject:
        made = _WrittenObject()
        self.pdf.add_object(made)
        return made

    def _write_catalog(self, tree: bytes) -> None:
        """Write what stands in the catalogue, as the first piece says it."""
        first = self.pieces[0]
        catalog = self.pdf.catalog
        outline = self._outline()
        if outline is not None:
            catalog["Outlines"] = outline
        for key in _CATALOG_KEYS:
            if key in first.catalog:
                catalog[key] = self._bytes(0, first.catalog[key])
        catalog["StructTreeRoot"] = tree
        catalog["Metadata"] = self._bytes(0, first.catalog["Metadata"])
        for key, value in first.info.items():
            self.pdf.info[key] = self._bytes(0, value)

    # Objects

    def _assign_numbers(
        self, index: int, piece: PdfPiece, fonts: dict[tuple[int, int], int]
    ) -> dict[int, int]:
        """Give every object of a piece a number in the whole; some give way to one of the whole."""
        tree = piece.catalog["StructTreeRoot"]
        root = piece.dictionary(tree)
        roots = root["K"]
        if not isinstance(tree, int) or not isinstance(roots, list) or len(roots) != 1:
            raise ValueError("a piece has one tree of tags")
        parents = root["ParentTree"]
        numbers: dict[int, int] = {
            piece.page_tree: self.pdf.pages.number,
            tree: self.tree.number,
            roots[0]: self.document.number,
        }
        if isinstance(parents, int):
            numbers[parents] = self.parents.number
        dropped = {piece.page_tree, tree, roots[0], parents, *_objects_of_outline(piece)}
        if index:
            dropped.add(piece.catalog["Metadata"])
        for (owner, number), mine in fonts.items():
            if owner == index:
                numbers[number] = mine
                dropped |= {number, *_objects_of_font(piece, number)}
        for number, held in piece.objects.items():
            if number in dropped:
                continue
            if held.stream is None:
                numbers[number] = self._new().number
            else:
                made = pydyf.Stream([held.stream])
                self.pdf.add_object(made)
                numbers[number] = made.number
        numbers |= {number: self._new().number for number in piece.tags}
        return numbers

    def _copy(self, index: int, piece: PdfPiece, number: int, mine: int, before: int) -> None:
        """Write an object of a piece under its new number."""
        target = self.pdf.objects[mine]
        held = piece.objects[number]
        value = held.value
        if held.stream is not None and isinstance(target, pydyf.Stream) and isinstance(value, dict):
            target.extra = {key: self._bytes(index, each) for key, each in value.items()}
            return
        if not isinstance(target, _WrittenObject) or target in (
            self.tree,
            self.document,
            self.parents,
        ):
            return
        if number in piece.pages and isinstance(value, dict):
            if "Annots" in value:
                raise ValueError("a piece with links cannot be joined")
            at = piece.pages.index(number)
            value = {**value, "StructParents": str(before + at)}
        if target.content == b"null":
            target.content = self._bytes(index, value)

    def _copy_tags(self, index: int, piece: PdfPiece) -> None:
        """Write the tags of a piece, with the numbers of the whole."""
        numbers = self.numbers[index]
        names = {number: f"{mine} 0 R" for number, mine in numbers.items()}
        names[PIECE_INDEX] = str(index)
        for number, tag in piece.tags.items():
            parts = [part if isinstance(part, str) else names[part] for part in tag]
            target = self.pdf.objects[numbers[number]]
            target.content = "".join(parts).encode("latin-1")

    def _bytes(self, index: int, value: PdfValue) -> bytes:
        """Write a value of a piece, with the numbers of the whole."""
        match value:
            case int():
                return b"%d 0 R" % self.numbers[index][value]
            case dict():
                inner = [
                    b"/" + key.encode("latin-1") + b" " + self._bytes(index, each)
                    for key, each in value.items()
                ]
                return b"<<" + b"".join(inner) + b">>"
            case list():
                return b"[" + b" ".join(self._bytes(index, each) for each in value) + b"]"
            case _:
                return value.encode("latin-1")

    # Tags

    def _tags(self, index: int, piece: PdfPiece, nums: list[bytes], before: int) -> list[bytes]:
        """Give the top tags of a piece; note which tags its pages hold."""
        root = piece.dictionary(piece.catalog["StructTreeRoot"])
        tops = root["K"]
        parents = piece.dictionary(root["ParentTree"])["Nums"]
        if not isinstance(parents, list) or not isinstance(tops, list):
            raise ValueError("a piece has tags")  # noqa: TRY004 - what was read is wrong
        for number, tags in zip(parents[::2], parents[1::2], strict=True):
            if int(number) >= len(piece.pages):
                raise ValueError("a piece with links cannot be joined")
            nums += [str(before + int(number)).encode(), self._bytes(index, tags)]
        kids = piece.dictionary(tops[0])["K"]
        return [self._bytes(index, kid) for kid in kids] if isinstance(kids, list) else []

    # Outline

    def _outline(self) -> bytes | None:
        """Join the outlines: what follows the one top entry of the first stands below it."""
        tops: list[_OutlineEntry] = []
        for index, piece in enumerate(self.pieces):
            entries = list(_read_outline(piece, index))
            if index and len(tops) == 1:
                tops[0].children += entries
            else:
                tops += entries
        if not tops:
            return None
        made = self._new()
        first, last, count = self._write_outline_level(tops, made)
        made.content = b"<</Count %d/First %b/Last %b>>" % (count, first, last)
        return _reference_to(made)

    def _write_outline_level(
        self, entries: Sequence[_OutlineEntry], parent: _WrittenObject
    ) -> tuple[bytes, bytes, int]:
        """Write the entries of a level; give the first, the last, and how many are in view."""
        made = [self._new() for _ in entries]
        count = len(entries)
        for place, (entry, each) in enumerate(zip(entries, made, strict=True)):
            parts = [b"/Title " + self._bytes(entry.piece_index, entry.title)]
            parts.append(b"/Dest " + self._bytes(entry.piece_index, entry.dest))
            below = 0
            if entry.children:
                first, last, below = self._write_outline_level(entry.children, each)
                parts.append(b"/First %b/Last %b" % (first, last))
            parts.append(b"/Count %d" % (-below if entry.closed else below))
            count += 0 if entry.closed else below
            if place:
                parts.append(b"/Prev " + _reference_to(made[place - 1]))
            if place + 1 < len(made):
                parts.append(b"/Next " + _reference_to(made[place + 1]))
            parts.append(b"/Parent " + _reference_to(parent))
            each.content = b"<<" + b"".join(parts) + b">>"
        return _reference_to(made[0]), _reference_to(made[-1]), count

    # Fonts

    def _merge_fonts(self) -> dict[tuple[int, int], int]:
        """Merge the fonts of one name; give the number in the whole of each that was merged."""
        owners: dict[str, list[tuple[int, int]]] = {}
        for index, piece in enumerate(self.pieces):
            for name, number in _fonts_of_pages(piece):
                if (index, number) not in owners.setdefault(name, []):
                    owners[name].append((index, number))
        numbers: dict[tuple[int, int], int] = {}
        for places in owners.values():
            fonts = [read_font(self.pieces[index], number) for index, number in places]
            known = [font for font in fonts if font is not None]
            if len(places) > 1 and len(known) == len(fonts):
                numbers |= dict.fromkeys(places, self._merged(known))
        return numbers

    def _merged(self, fonts: Sequence[PieceFont]) -> int:
        """Write one font for several pieces; give its number."""
        held = merge_font_files(fonts)
        file = pydyf.Stream([held], {"Length1": len(held)}, compress=True)
        unicode = pydyf.Stream(
            [merge_to_unicode([font.to_unicode for font in fonts])], compress=True
        )
        self.pdf.add_object(file)
        self.pdf.add_object(unicode)
        widths = merge_widths(fonts)
        descriptor = {**merge_descriptors(fonts, widths), "FontFile2": file.reference.decode()}
        told = self._plain(descriptor)
        inner = self._plain(
            {**fonts[0].descendant, "W": widths, "FontDescriptor": told.reference.decode()}
        )
        whole = self._plain(
            {
                **fonts[0].font,
                "ToUnicode": unicode.reference.decode(),
                "DescendantFonts": [inner.reference.decode()],
            }
        )
        number: int = whole.number
        return number

    def _plain(self, value: dict[str, Any]) -> _WrittenObject:
        made = self._new()
        made.content = self._bytes(0, value)
        return made


def _reference_to(target: _WrittenObject) -> bytes:
    written: bytes = target.reference
    return written


def _fonts_of_pages(piece: PdfPiece) -> Iterator[tuple[str, int]]:
    for page in piece.pages:
        resources = piece.dictionary(piece.dictionary(page)["Resources"])
        for name, number in piece.dictionary(resources.get("Font", {})).items():
            if isinstance(number, int):
                yield name, number


def _objects_of_font(piece: PdfPiece, number: int) -> Iterator[int]:
    """List the objects that a font is made of."""
    font = piece.dictionary(number)
    descendants = font["DescendantFonts"]
    inner = descendants[0] if isinstance(descendants, list) else descendants
    about = piece.dictionary(inner)["FontDescriptor"]
    for each in (font["ToUnicode"], inner, about, piece.dictionary(about)["FontFile2"]):
        if isinstance(each, int):
            yield each


def _read_outline(piece: PdfPiece, index: int) -> Iterator[_OutlineEntry]:
    """Read the outline of a piece."""
    root = piece.catalog.get("Outlines")
    if root is not None:
        yield from _read_outline_level(piece, index, piece.dictionary(root).get("First"))


def _read_outline_level(
    piece: PdfPiece, index: int, number: PdfValue | None
) -> Iterator[_OutlineEntry]:
    while number is not None:
        entry = piece.dictionary(number)
        children = list(_read_outline_level(piece, index, entry.get("First")))
        closed = str(entry["Count"]).startswith("-")
        yield _OutlineEntry(entry["Title"], entry["Dest"], closed, index, children)
        number = entry.get("Next")


def _objects_of_outline(piece: PdfPiece) -> Iterator[int]:
    """List the objects of a piece's outline."""
    waiting = [piece.catalog.get("Outlines")]
    while waiting:
        number = waiting.pop()
        if isinstance(number, int):
            yield number
            entry = piece.dictionary(number)
            waiting += [entry.get("First"), entry.get("Next")]
