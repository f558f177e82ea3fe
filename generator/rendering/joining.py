"""Owns the joining of pieces into one PDF: one tree of tags, one outline, one font of each face.

Does not lay out. Pages are as they would be had they been laid out together; links between
pieces are not provided for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pydyf

from generator.rendering.merging import (
    Font,
    font_of,
    merged_descriptor,
    merged_file,
    merged_unicode,
    merged_widths,
)
from generator.rendering.pieces import PLACE, Piece, Value
from generator.rendering.writing import written

_KEPT = ("Lang", "ViewerPreferences", "MarkInfo")
"""What the catalogue says of every piece alike."""


class _Object(pydyf.Object):  # type: ignore[misc]  # pydyf ships no types
    """An object whose bytes are known."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b"null"

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self.written


@dataclass(slots=True)
class _Entry:
    """An entry of the outline."""

    title: Value
    dest: Value
    closed: bool
    piece: int
    children: list[_Entry] = field(default_factory=list)


def joined(pieces: Sequence[Piece]) -> bytes:
    """Join pieces into a tagged PDF; title, language and metadata are those of the first.

    Raises:
        ValueError: If a piece holds what cannot be joined, such as links.
    """
    return _Joiner(pieces).write()


class _Joiner:
    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.pdf = pydyf.PDF()
        self.numbers: list[dict[int, int]] = []
        self.document = self._new()
        self.tree = self._new()
        self.parents = self._new()

    def write(self) -> bytes:
        """Join all, and write the PDF."""
        fonts = self._fonts()
        for index, piece in enumerate(self.pieces):
            self.numbers.append(self._numbered(index, piece, fonts))
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
        root, tree = _reference(self.tree), _reference(self.document)
        self.parents.written = b"<</Nums [" + b" ".join(nums) + b"]>>"
        self.document.written = (
            b"<</Type /StructElem/S /Document/K [" + b" ".join(kids) + b"]/P " + root + b">>"
        )
        parents = _reference(self.parents)
        self.tree.written = (
            b"<</Type /StructTreeRoot/ParentTree " + parents + b"/K [" + tree + b"]>>"
        )
        self._head(root)
        return written(self.pdf)

    def _new(self) -> _Object:
        made = _Object()
        self.pdf.add_object(made)
        return made

    def _head(self, tree: bytes) -> None:
        """Write what stands in the catalogue, as the first piece says it."""
        first = self.pieces[0]
        catalog = self.pdf.catalog
        outline = self._outline()
        if outline is not None:
            catalog["Outlines"] = outline
        for key in _KEPT:
            if key in first.catalog:
                catalog[key] = self._bytes(0, first.catalog[key])
        catalog["StructTreeRoot"] = tree
        catalog["Metadata"] = self._bytes(0, first.catalog["Metadata"])
        for key, value in first.info.items():
            self.pdf.info[key] = self._bytes(0, value)

    # Objects

    def _numbered(
        self, index: int, piece: Piece, fonts: dict[tuple[int, int], int]
    ) -> dict[int, int]:
        """Give every object of a piece a number in the whole; some give way to one of the whole."""
        tree = piece.catalog["StructTreeRoot"]
        root = piece.dictionary(tree)
        roots = root["K"]
        if not isinstance(tree, int) or not isinstance(roots, list) or len(roots) != 1:
            raise ValueError("a piece has one tree of tags")
        parents = root["ParentTree"]
        numbers: dict[int, int] = {
            piece.root: self.pdf.pages.number,
            tree: self.tree.number,
            roots[0]: self.document.number,
        }
        if isinstance(parents, int):
            numbers[parents] = self.parents.number
        dropped = {piece.root, tree, roots[0], parents, *_outline_numbers(piece)}
        if index:
            dropped.add(piece.catalog["Metadata"])
        for (owner, number), mine in fonts.items():
            if owner == index:
                numbers[number] = mine
                dropped |= {number, *_font_numbers(piece, number)}
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

    def _copy(self, index: int, piece: Piece, number: int, mine: int, before: int) -> None:
        """Write an object of a piece under its new number."""
        target = self.pdf.objects[mine]
        held = piece.objects[number]
        value = held.value
        if held.stream is not None and isinstance(target, pydyf.Stream) and isinstance(value, dict):
            target.extra = {key: self._bytes(index, each) for key, each in value.items()}
            return
        if not isinstance(target, _Object) or target in (self.tree, self.document, self.parents):
            return
        if number in piece.pages and isinstance(value, dict):
            if "Annots" in value:
                raise ValueError("a piece with links cannot be joined")
            at = piece.pages.index(number)
            value = {**value, "StructParents": str(before + at)}
        if target.written == b"null":
            target.written = self._bytes(index, value)

    def _copy_tags(self, index: int, piece: Piece) -> None:
        """Write the tags of a piece, with the numbers of the whole."""
        numbers = self.numbers[index]
        names = {number: f"{mine} 0 R" for number, mine in numbers.items()}
        names[PLACE] = str(index)
        for number, tag in piece.tags.items():
            parts = [part if isinstance(part, str) else names[part] for part in tag]
            target = self.pdf.objects[numbers[number]]
            target.written = "".join(parts).encode("latin-1")

    def _bytes(self, index: int, value: Value) -> bytes:
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

    def _tags(self, index: int, piece: Piece, nums: list[bytes], before: int) -> list[bytes]:
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
        tops: list[_Entry] = []
        for index, piece in enumerate(self.pieces):
            entries = list(_entries(piece, index))
            if index and len(tops) == 1:
                tops[0].children += entries
            else:
                tops += entries
        if not tops:
            return None
        made = self._new()
        first, last, count = self._level(tops, made)
        made.written = b"<</Count %d/First %b/Last %b>>" % (count, first, last)
        return _reference(made)

    def _level(self, entries: Sequence[_Entry], parent: _Object) -> tuple[bytes, bytes, int]:
        """Write the entries of a level; give the first, the last, and how many are in view."""
        made = [self._new() for _ in entries]
        count = len(entries)
        for place, (entry, each) in enumerate(zip(entries, made, strict=True)):
            parts = [b"/Title " + self._bytes(entry.piece, entry.title)]
            parts.append(b"/Dest " + self._bytes(entry.piece, entry.dest))
            below = 0
            if entry.children:
                first, last, below = self._level(entry.children, each)
                parts.append(b"/First %b/Last %b" % (first, last))
            parts.append(b"/Count %d" % (-below if entry.closed else below))
            count += 0 if entry.closed else below
            if place:
                parts.append(b"/Prev " + _reference(made[place - 1]))
            if place + 1 < len(made):
                parts.append(b"/Next " + _reference(made[place + 1]))
            parts.append(b"/Parent " + _reference(parent))
            each.written = b"<<" + b"".join(parts) + b">>"
        return _reference(made[0]), _reference(made[-1]), count

    # Fonts

    def _fonts(self) -> dict[tuple[int, int], int]:
        """Merge the fonts of one name; give the number in the whole of each that was merged."""
        owners: dict[str, list[tuple[int, int]]] = {}
        for index, piece in enumerate(self.pieces):
            for name, number in _named_fonts(piece):
                if (index, number) not in owners.setdefault(name, []):
                    owners[name].append((index, number))
        numbers: dict[tuple[int, int], int] = {}
        for places in owners.values():
            fonts = [font_of(self.pieces[index], number) for index, number in places]
            known = [font for font in fonts if font is not None]
            if len(places) > 1 and len(known) == len(fonts):
                numbers |= dict.fromkeys(places, self._merged(known))
        return numbers

    def _merged(self, fonts: Sequence[Font]) -> int:
        """Write one font for several pieces; give its number."""
        held = merged_file(fonts)
        file = pydyf.Stream([held], {"Length1": len(held)}, compress=True)
        unicode = pydyf.Stream([merged_unicode([font.unicode for font in fonts])], compress=True)
        self.pdf.add_object(file)
        self.pdf.add_object(unicode)
        widths = merged_widths(fonts)
        descriptor = {**merged_descriptor(fonts, widths), "FontFile2": file.reference.decode()}
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

    def _plain(self, value: dict[str, Any]) -> _Object:
        made = self._new()
        made.written = self._bytes(0, value)
        return made


def _reference(target: _Object) -> bytes:
    written: bytes = target.reference
    return written


def _named_fonts(piece: Piece) -> Iterator[tuple[str, int]]:
    for page in piece.pages:
        resources = piece.dictionary(piece.dictionary(page)["Resources"])
        for name, number in piece.dictionary(resources.get("Font", {})).items():
            if isinstance(number, int):
                yield name, number


def _font_numbers(piece: Piece, number: int) -> Iterator[int]:
    """List the objects that a font is made of."""
    font = piece.dictionary(number)
    descendants = font["DescendantFonts"]
    inner = descendants[0] if isinstance(descendants, list) else descendants
    about = piece.dictionary(inner)["FontDescriptor"]
    for each in (font["ToUnicode"], inner, about, piece.dictionary(about)["FontFile2"]):
        if isinstance(each, int):
            yield each


def _entries(piece: Piece, index: int) -> Iterator[_Entry]:
    """Read the outline of a piece."""
    root = piece.catalog.get("Outlines")
    if root is not None:
        yield from _below(piece, index, piece.dictionary(root).get("First"))


def _below(piece: Piece, index: int, number: Value | None) -> Iterator[_Entry]:
    while number is not None:
        entry = piece.dictionary(number)
        children = list(_below(piece, index, entry.get("First")))
        closed = str(entry["Count"]).startswith("-")
        yield _Entry(entry["Title"], entry["Dest"], closed, index, children)
        number = entry.get("Next")


def _outline_numbers(piece: Piece) -> Iterator[int]:
    """List the objects of a piece's outline."""
    waiting = [piece.catalog.get("Outlines")]
    while waiting:
        number = waiting.pop()
        if isinstance(number, int):
            yield number
            entry = piece.dictionary(number)
            waiting += [entry.get("First"), entry.get("Next")]
