"""Read a finished PDF as WeasyPrint writes it: its text with position and type, and its tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from pypdf import PdfReader

MM = 72 / 25.4
UNSEEN_PT = 1
"""The size of words for screen readers only: "to fill in" in an empty box."""
_FOOT_MM = 15
Matrix = tuple[float, float, float, float, float, float]

_TOKEN = re.compile(
    rb"(?P<cm>(?:-?[\d.]+ ){6})cm\b"
    rb"|(?P<tm>(?:-?[\d.]+ ){6})Tm\b"
    rb"|/(?P<font>[^\s/]+) (?P<size>-?[\d.]+) Tf\b"
    rb"|<</MCID (?P<mcid>\d+)>>\s+BDC\b"
    rb"|\[(?P<text>[^\]]*)\] TJ\b"
    rb"|(?<![\w/])(?P<state>q|Q|EMC|BMC)(?!\w)"
)
_AREA = re.compile(
    rb"(?P<cm>(?:-?[\d.]+ ){6})cm\b"
    rb"|(?P<re>(?:-?[\d.]+ ){4})re\b"
    rb"|\[[^\]]*\] TJ\b"
    rb"|(?<![\w/])(?P<state>q|Q)(?!\w)"
)
_RUN = re.compile(rb"<([0-9a-fA-F]*)>|(-?[\d.]+)")
_CHARACTER = re.compile(r"<([0-9a-fA-F]+)> <([0-9a-fA-F]*)>")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; sizes and positions in points, from the lower left corner of its page."""

    page: int
    mcid: int
    text: str
    font: str
    size: float
    left: float
    right: float
    baseline: float


@dataclass(slots=True)
class Tag:
    """An element of the tag tree: its type, its own pieces, and the elements below it."""

    sort: str
    id: str = ""
    headers: tuple[str, ...] | None = None
    pieces: list[Piece] = field(default_factory=list)
    below: list[Tag] = field(default_factory=list)
    columns: int = 1
    """How many columns of a table it spans."""

    def walk(self) -> Iterator[Tag]:
        """Yield this element and all below it, in reading order."""
        yield self
        for each in self.below:
            yield from each.walk()

    def find(self, *sorts: str) -> list[Tag]:
        """Return the elements of some types, in reading order."""
        return [each for each in self.walk() if each.sort in sorts]

    def all_pieces(self) -> list[Piece]:
        """Return the pieces of this element and of all below it, in reading order."""
        return [piece for each in self.walk() for piece in each.pieces]

    @property
    def text(self) -> str:
        """All text, with one space between words."""
        return " ".join("".join(piece.text for piece in self.all_pieces()).split())


class _Font:
    def __init__(self, written: Any) -> None:
        self.name = str(written["/BaseFont"]).removeprefix("/").partition("+")[2]
        below = written["/DescendantFonts"][0].get_object()
        described = below["/FontDescriptor"].get_object()
        self.embedded = any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3"))
        table = written["/ToUnicode"].get_object().get_data().decode()
        self.signs = {
            int(glyph, 16): bytes.fromhex(sign).decode("utf-16-be")
            for glyph, sign in _CHARACTER.findall(table.partition("endcodespacerange")[2])
        }
        self.widths: dict[int, float] = {}
        written_widths = below["/W"].get_object()
        for first, run in zip(written_widths[::2], written_widths[1::2], strict=True):
            self.widths.update({int(first) + n: float(width) for n, width in enumerate(run)})


def _times(a: Matrix, b: Matrix) -> Matrix:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def _matrix(written: bytes) -> Matrix:
    a, b, c, d, e, f = (float(number) for number in written.split())
    return a, b, c, d, e, f


class Pdf:
    """A finished PDF."""

    def __init__(self, path: Path) -> None:
        self.reader = PdfReader(path)
        self.root: Any = self.reader.trailer["/Root"]

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        """Width and height of every page, once it is cut, in millimetres."""
        boxes = [page.trimbox for page in self.reader.pages]
        return [(float(box.width) / MM, float(box.height) / MM) for box in boxes]

    @cached_property
    def _fonts(self) -> list[dict[str, _Font]]:
        known: dict[int, _Font] = {}
        pages = []
        for page in self.reader.pages:
            fonts = {}
            resources: Any = page["/Resources"]
            for name, held in resources.get("/Font", {}).items():
                if held.idnum not in known:
                    known[held.idnum] = _Font(held.get_object())
                fonts[name.removeprefix("/")] = known[held.idnum]
            pages.append(fonts)
        return pages

    @property
    def fonts(self) -> set[tuple[str, bool]]:
        """The name of every font, and whether the file holds it."""
        return {(font.name, font.embedded) for page in self._fonts for font in page.values()}

    @cached_property
    def pages(self) -> list[list[Piece]]:
        """The pieces of every page, in the order in which they are drawn."""
        return [list(self._pieces(number)) for number in range(len(self.reader.pages))]

    def _pieces(self, number: int) -> Iterator[Piece]:
        content = self.reader.pages[number].get_contents()
        assert content is not None
        matrix: Matrix = (1, 0, 0, 1, 0, 0)
        stack: list[Matrix] = []
        marks: list[int] = []
        place = matrix
        font, size = "", 0.0
        for token in _TOKEN.finditer(content.get_data()):
            match token.lastgroup:
                case "cm":
                    matrix = _times(_matrix(token["cm"]), matrix)
                case "tm":
                    place = _matrix(token["tm"])
                case "size":
                    font, size = token["font"].decode(), float(token["size"])
                case "mcid":
                    # What stands within an artifact is one, whatever its number.
                    marks.append(-1 if -1 in marks else int(token["mcid"]))
                case "text":
                    face = self._fonts[number][font]
                    text, wide = _shown(face, token["text"])
                    at = _times(place, matrix)
                    yield Piece(
                        page=number,
                        mcid=marks[-1] if marks else -1,
                        text=text,
                        font=face.name,
                        size=round(size * abs(at[3]), 2),
                        left=at[4],
                        right=at[4] + wide * size * at[0],
                        baseline=at[5],
                    )
                case _:
                    state = token["state"]
                    if state == b"q":
                        stack.append(matrix)
                    elif state == b"Q":
                        matrix = stack.pop()
                    elif state == b"BMC":
                        marks.append(-1)
                    else:
                        marks.pop()

    def areas(self, number: int) -> list[tuple[float, float, float]]:
        """Return the top of each rectangle of a page, its height and its width, in millimetres."""
        found: list[tuple[float, float, float]] = []
        height = float(self.reader.pages[number].trimbox.height)
        content = self.reader.pages[number].get_contents()
        assert content is not None
        matrix: Matrix = (1, 0, 0, 1, 0, 0)
        stack: list[Matrix] = []
        for token in _AREA.finditer(content.get_data()):
            if token["cm"]:
                matrix = _times(_matrix(token["cm"]), matrix)
            elif token["re"]:
                _, y, wide, high = (float(each) for each in token["re"].split())
                ends = [height - matrix[3] * at - matrix[5] for at in (y, y + high)]
                sizes = abs(high * matrix[3]) / MM, abs(wide * matrix[0]) / MM
                found.append((min(ends) / MM, *sizes))
            elif token["state"] == b"q":
                stack.append(matrix)
            elif token["state"] == b"Q":
                matrix = stack.pop()
        return found

    @cached_property
    def _tagged(self) -> set[tuple[int, int]]:
        return {(piece.page, piece.mcid) for piece in self.tags.all_pieces()}

    def body(self, number: int) -> list[Piece]:
        """Return the pieces of a page, without its running head and foot."""
        return [
            piece
            for piece in self.pages[number]
            if piece.text.strip()
            and (piece.page, piece.mcid) in self._tagged
            and piece.baseline > _FOOT_MM * MM
        ]

    def blank_shares(self) -> list[float]:
        """Return the share of each page's text area that is blank at its foot, from 0 to 1.

        Drawings are no part of it: that of a cover, which holds little else, tells nothing.
        """
        return [self._blank_share(number) for number in range(len(self.sizes))]

    def _blank_share(self, number: int) -> float:
        height = self.sizes[number][1]
        # The ground of the text area is the largest rectangle but that of the page.
        areas = [area for area in self.areas(number) if area[1] < height]
        top, high, _ = max(areas, key=lambda area: area[1], default=(0, height, 0))
        ends = [height - (p.baseline - p.size / 4) / MM for p in self.body(number)]
        ends += [upper + deep for upper, deep, _ in areas if deep < high - 1]
        lowest = max((end for end in ends if end < top + high + 1), default=top)
        return max(0, 1 - (lowest - top) / high)

    @cached_property
    def tags(self) -> Tag:
        """The tag tree."""
        pieces: dict[tuple[int, int], list[Piece]] = {}
        for page in self.pages:
            for piece in page:
                pieces.setdefault((piece.page, piece.mcid), []).append(piece)
        numbers = {
            page.indirect_reference.idnum: number
            for number, page in enumerate(self.reader.pages)
            if page.indirect_reference is not None
        }
        return _tag(self.root["/StructTreeRoot"], -1, pieces, numbers)


def _shown(font: _Font, written: bytes) -> tuple[str, float]:
    """Return the text of a TJ operand, and its width in units of the type size."""
    text, wide = [], 0.0
    for glyphs, back in _RUN.findall(written):
        if back:
            wide -= float(back)
        for at in range(0, len(glyphs), 4):
            glyph = int(glyphs[at : at + 4], 16)
            text.append(font.signs.get(glyph, ""))
            wide += font.widths[glyph]
    return "".join(text), wide / 1000


def _tag(
    written: Any,
    page: int,
    pieces: dict[tuple[int, int], list[Piece]],
    numbers: dict[int, int],
) -> Tag:
    if "/Pg" in written:
        page = numbers[written.raw_get("/Pg").idnum]
    described = written.get("/A", {})
    headers = described.get("/Headers")
    tag = Tag(
        str(written.get("/S", "/Root")).removeprefix("/"),
        str(written.get("/ID", "")),
        None if headers is None else tuple(str(each) for each in headers),
        columns=int(described.get("/ColSpan", 1)),
    )
    held = written.get("/K", [])
    for each in held if isinstance(held, list) else [held]:
        below = each.get_object()
        if isinstance(below, int):
            tag.pieces.extend(pieces.get((page, below), ()))
        elif "/MCID" in below:
            on = numbers[below.raw_get("/Pg").idnum] if "/Pg" in below else page
            tag.pieces.extend(pieces.get((on, below["/MCID"]), ()))
        elif "/S" in below:
            tag.below.append(_tag(below, page, pieces, numbers))
    return tag


def unit_rows(part: Tag) -> Iterator[Tag]:
    """Yield the rows of a roster's tables that have a head and values: those of units."""
    for row in part.find("TR"):
        if [cell.sort for cell in row.below].count("TH") == 1 and row.find("TD"):
            yield row


def lines_of_text(row: Tag) -> int:
    """Return how many lines the text of a row of a table takes, as far as it is seen."""
    pieces = [piece for piece in row.all_pieces() if piece.text.strip() and piece.size > UNSEEN_PT]
    seen = sorted(piece.baseline for piece in pieces)
    return sum(above - below > 1 for below, above in pairwise(seen)) + 1
