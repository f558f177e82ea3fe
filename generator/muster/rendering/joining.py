"""Join pieces of a PDF, whose pages were laid out apart, into one tagged PDF."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import pydyf

from muster.rendering.font_merging import (
    merge_descriptors,
    merge_font_files,
    merge_to_unicode,
    merge_widths,
)
from muster.rendering.pdf_output import write_pdf
from muster.rendering.pdf_pieces import (
    FIRST_PAGE_INDEX,
    PIECE_INDEX,
    OutlineEntry,
    Parts,
    PdfPiece,
    PdfValue,
    PieceFont,
    to_parts,
)


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
            **{FIRST_PAGE_INDEX - n: str(first_page + n) for n in range(len(piece.pages))},
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
        new.write(_written(to_parts(value)))
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
