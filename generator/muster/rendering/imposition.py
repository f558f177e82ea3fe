"""Impose a finished PDF as a booklet: its pages, in folding order, on larger sheets."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.errors import PyPdfError
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    RectangleObject,
    TextStringObject,
)

from muster.rendering.drawings import RULER_WIDTH_MM, Ruler, build_ruler, ruler_operators
from muster.rendering.paper import PAPERS
from muster.rendering.pdf_output import DUPLEX_NAMES, TurnEdge

PAGES_A_SHEET = 4


@dataclass(frozen=True, slots=True)
class FoldedSide:
    """One side of a sheet that is folded in the middle, seen as it is printed."""

    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class FoldedSheet:
    """A sheet; its front is outside when it is folded."""

    front: FoldedSide
    back: FoldedSide
    depth: int
    """How many sheets of the same signature lie around it."""


def order_booklet(pages: int, sheets: int = 0) -> tuple[FoldedSheet, ...]:
    """Order pages for sheets that are folded once, and laid into each other.

    Args:
        pages: How many there are; blank ones follow them until the last sheet is full.
        sheets: How many lie in each other before the next signature begins; 0 is all.
    """
    total = -(-pages // PAGES_A_SHEET)
    most = sheets or max(total, 1)
    folded: list[FoldedSheet] = []
    for before in range(0, total, most):
        inside = min(most, total - before)
        first = before * PAGES_A_SHEET
        last = first + inside * PAGES_A_SHEET - 1
        for depth in range(inside):
            low, high = first + 2 * depth, last - 2 * depth
            front = FoldedSide(_page_or_blank(high, pages), _page_or_blank(low, pages))
            back = FoldedSide(_page_or_blank(low + 1, pages), _page_or_blank(high - 1, pages))
            folded.append(FoldedSheet(front, back, depth))
    return tuple(folded)


def _page_or_blank(number: int, pages: int) -> int | None:
    return number if number < pages else None


logging.getLogger("pypdf").addHandler(logging.NullHandler())

_PT_PER_MM = 72 / 25.4
_MAX_PAGES = 2000
_KEEP_SIZE_ABOVE = 0.995
"""A page that is larger than its half of the sheet by less than this is not made smaller."""

_FOLD_MM = 4.0
_CUT_MM = 4.0
_CUT_GAP_MM = 1.0
_UNREADABLE_ERRORS = (
    *(PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(AssertionError, NotImplementedError, ArithmeticError, RecursionError),
)
"""What pypdf raises over files that are no PDF, or a broken one."""


class ImposeError(Exception):
    """Say that a file cannot be imposed."""


@dataclass(frozen=True, slots=True)
class ImpositionOptions:
    """How a booklet is wanted."""

    paper: str = "a4"
    turn: TurnEdge = "short"
    creep_mm: float = 0
    """How much nearer to the fold the pages of each sheet stand than those of the one around it."""
    signature: int = 0
    """Sheets that lie in each other before the next signature begins; 0 is all."""
    ruled: bool = True
    """Whether a sheet with a ruler comes first."""


@dataclass(frozen=True, slots=True)
class Imposed:
    """An imposed PDF."""

    data: bytes
    pages: int
    """Pages of the book."""
    sheets: int
    """Sheets of paper, without that of the ruler."""
    scale: float
    """Below 1 if the pages had to be made smaller."""


@dataclass(frozen=True, slots=True)
class _PageForm:
    """A page of the book, ready to be placed, and its trimmed size in points."""

    reference: Any
    left: float
    bottom: float
    width: float
    height: float


def impose(file: Path, wish: ImpositionOptions, templates: tuple[Path, ...]) -> Imposed:
    """Impose a PDF as a booklet; the same file gives the same bytes.

    Pages are cut to their trim. They stand against the fold at their own size, or smaller if
    the paper asks for it, and never larger.

    Raises:
        ImposeError: If the file is no PDF that can be read, is locked, or has no page.
        OSError: If the file cannot be opened.
    """
    held = file.read_bytes()
    try:
        reader = PdfReader(BytesIO(held))
        if reader.is_encrypted:
            raise ImposeError("it is locked with a password; unlock it first")
        count = len(reader.pages)
    except _UNREADABLE_ERRORS as error:
        raise ImposeError(_unreadable_message(error)) from None
    if not 0 < count <= _MAX_PAGES:
        text = f"it has {count} pages, expected 1 to {_MAX_PAGES}"
        raise ImposeError(text)
    try:
        return _Imposer(reader, wish, build_ruler(templates)).print()
    except _UNREADABLE_ERRORS as error:
        raise ImposeError(_unreadable_message(error)) from None


def _unreadable_message(error: Exception) -> str:
    said = " ".join(str(error).split())[:120]
    return f"it cannot be read as a PDF ({said or type(error).__name__})"


class _Imposer:
    def __init__(self, reader: PdfReader, wish: ImpositionOptions, drawn: Ruler) -> None:
        self._reader = reader
        self._wish = wish
        self._drawn = drawn
        self._writer = PdfWriter()
        self._writer.pdf_header = "%PDF-1.7"
        width, height = PAPERS[wish.paper].turned("landscape")
        self._width, self._height = width * _PT_PER_MM, height * _PT_PER_MM
        self._forms = [self._form(page) for page in reader.pages]
        room = self._width / 2, self._height
        scale = min(min(room[0] / form.width, room[1] / form.height) for form in self._forms)
        self._scale = 1 if scale > _KEEP_SIZE_ABOVE else scale

    def print(self) -> Imposed:
        """Print all sheets, fronts and backs in turn."""
        sheets = order_booklet(len(self._forms), self._wish.signature)
        if self._wish.ruled:
            self._side(self._draw_ruler(), {}, turned=False)
            self._side("", {}, turned=False)
        for sheet in sheets:
            self._print_side(sheet, sheet.front, front=True)
            self._print_side(sheet, sheet.back, front=False)
        self._set_metadata()
        out = BytesIO()
        self._writer.write(out)
        return Imposed(out.getvalue(), len(self._forms), len(sheets), self._scale)

    def _form(self, page: PageObject) -> _PageForm:
        """Make a form of a page, cut to its trim."""
        if page.rotation % 360:
            page.transfer_rotation_to_content()
        box = page.trimbox
        content = page.get_contents()
        form = DecodedStreamObject()
        form.set_data(content.get_data() if content is not None else b"")
        form[NameObject("/Type")] = NameObject("/XObject")
        form[NameObject("/Subtype")] = NameObject("/Form")
        form[NameObject("/BBox")] = RectangleObject(tuple(float(each) for each in box))
        resources: Any = page.get("/Resources", DictionaryObject())
        form[NameObject("/Resources")] = resources.get_object().clone(self._writer)
        if "/Group" in page:
            group: Any = page["/Group"]
            form[NameObject("/Group")] = group.get_object().clone(self._writer)
        reference = self._writer._add_object(form.flate_encode())  # noqa: SLF001 - no other way
        width, height = float(box.width), float(box.height)
        if width <= 0 or height <= 0:
            raise ValueError("a page without size")
        return _PageForm(reference, float(box.left), float(box.bottom), width, height)

    def _print_side(self, sheet: FoldedSheet, side: FoldedSide, *, front: bool) -> None:
        """Print a side; a back that is turned over the long edge is printed upside down."""
        parts: list[str] = []
        forms: dict[str, Any] = {}
        fold = self._width / 2
        creep = sheet.depth * self._wish.creep_mm * _PT_PER_MM
        edges: list[float] = []
        for number, name, left in ((side.left, "L", True), (side.right, "R", False)):
            if number is None:
                continue
            form = self._forms[number]
            wide, high = form.width * self._scale, form.height * self._scale
            x = fold - wide + creep if left else fold - creep
            y = (self._height - high) / 2
            half = f"{0 if left else fold:.4f} 0 {fold:.4f} {self._height:.4f} re W n"
            at = f"{x - form.left * self._scale:.4f} {y - form.bottom * self._scale:.4f}"
            scale = f"{self._scale:.6f}"
            parts.append(f"q {half} {scale} 0 0 {scale} {at} cm /{name} Do Q")
            forms[name] = form.reference
            edges.append(wide)
        if front:
            parts.append(self._marks(max(edges, default=0)))
        turned = not front and self._wish.turn == "long"
        self._side("\n".join(parts), forms, turned=turned)

    def _marks(self, wide: float) -> str:
        """Mark the fold at both ends, dashed, and the cuts where the paper leaves room for them."""
        fold, top = self._width / 2, self._height
        lines = [f"q 0.5 G 0.4 w [2 2] 0 d {fold:.3f} 0 m {fold:.3f} {_FOLD_MM * _PT_PER_MM:.3f} l"]
        lines.append(f"{fold:.3f} {top:.3f} m {fold:.3f} {top - _FOLD_MM * _PT_PER_MM:.3f} l S Q")
        high = max(form.height for form in self._forms) * self._scale
        below, beside = (self._height - high) / 2, fold - wide
        cut, gap = _CUT_MM * _PT_PER_MM, _CUT_GAP_MM * _PT_PER_MM
        marks: list[str] = []
        if below >= cut + gap:
            for x in (fold - wide, fold + wide):
                for y, step in ((below - gap, -cut), (top - below + gap, cut)):
                    marks.append(f"{x:.3f} {y:.3f} m {x:.3f} {y + step:.3f} l")
        if beside >= cut + gap:
            for y in (below, top - below):
                for x, step in ((beside - gap, -cut), (self._width - beside + gap, cut)):
                    marks.append(f"{x:.3f} {y:.3f} m {x + step:.3f} {y:.3f} l")
        if marks:
            lines.append("q 0 G 0.4 w " + " ".join(marks) + " S Q")
        return "\n".join(lines)

    def _draw_ruler(self) -> str:
        """Draw the ruler in the middle of a side."""
        left = (self._width / _PT_PER_MM - RULER_WIDTH_MM) / 2
        drawn = ruler_operators(self._drawn, left, self._height / _PT_PER_MM / 2)
        return f"q {_PT_PER_MM:.6f} 0 0 {_PT_PER_MM:.6f} 0 0 cm\n{drawn}\nQ"

    def _side(self, content: str, forms: dict[str, Any], *, turned: bool) -> None:
        page = self._writer.add_blank_page(self._width, self._height)
        if turned:
            content = f"q -1 0 0 -1 {self._width:.4f} {self._height:.4f} cm\n{content}\nQ"
        stream = DecodedStreamObject()
        stream.set_data(content.encode())
        page[NameObject("/Contents")] = self._writer._add_object(stream.flate_encode())  # noqa: SLF001 - no other way
        held = DictionaryObject({NameObject(f"/{name}"): form for name, form in forms.items()})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): held})
        size = ArrayObject(FloatObject(each) for each in (0, 0, self._width, self._height))
        page[NameObject("/TrimBox")] = size

    def _set_metadata(self) -> None:
        """Keep title and language; say how it is to be printed, and by what it was made."""
        said = self._reader.metadata
        title = (said.title if said else None) or ""
        self._writer.metadata = None
        self._writer.add_metadata({"/Title": title, "/Creator": "Muster", "/Producer": "pypdf"})
        root = self._writer.root_object
        language = self._reader.root_object.get("/Lang")
        if isinstance(language, str):
            root[NameObject("/Lang")] = TextStringObject(language)
        wishes: dict[str, Any] = {
            "/PrintScaling": NameObject("/None"),
            "/DisplayDocTitle": BooleanObject(value=True),
        }
        wishes["/Duplex"] = NameObject(DUPLEX_NAMES[self._wish.turn])
        root[NameObject("/ViewerPreferences")] = DictionaryObject(
            {NameObject(key): value for key, value in wishes.items()}
        )
