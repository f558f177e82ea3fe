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
from muster.rendering.paper import DUPLEX_NAMES, PAPERS, PT_PER_MM, TurnEdge
from muster.yamlfile.textfile import open_regular

PAGES_A_SHEET = 4


@dataclass(frozen=True, slots=True)
class FoldedSide:
    """One side of a sheet that is folded in the middle: two pages, or None for a blank half."""

    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class FoldedSheet:
    """A sheet of two sides; the front is outside when it is folded."""

    front: FoldedSide
    back: FoldedSide
    depth: int
    """How many sheets of the same signature are wrapped around it."""


def order_booklet(pages: int, sheets: int = 0) -> tuple[FoldedSheet, ...]:
    """Return the sheets of a booklet, which are folded once and nested.

    Args:
        pages: The number of pages; blank ones are added until the last sheet is full.
        sheets: The sheets in a signature, i.e. nested in each other; 0 for all.
    """
    total = -(-pages // PAGES_A_SHEET)
    per_signature = sheets or max(total, 1)
    folded: list[FoldedSheet] = []
    for before in range(0, total, per_signature):
        nested = min(per_signature, total - before)
        first = before * PAGES_A_SHEET
        last = first + nested * PAGES_A_SHEET - 1
        for depth in range(nested):
            low, high = first + 2 * depth, last - 2 * depth
            front = FoldedSide(_page_or_blank(high, pages), _page_or_blank(low, pages))
            back = FoldedSide(_page_or_blank(low + 1, pages), _page_or_blank(high - 1, pages))
            folded.append(FoldedSheet(front, back, depth))
    return tuple(folded)


def _page_or_blank(number: int, pages: int) -> int | None:
    return number if number < pages else None


logging.getLogger("pypdf").addHandler(logging.NullHandler())

_MAX_PAGES = 2000
_MOST_BYTES = 256 * 1024 * 1024
"""The size of the largest PDF that is read."""
_KEEP_SIZE_ABOVE = 0.995
"""A scale above this counts as 1: a page that is this little too large is not made smaller."""

_FOLD_MM = 4.0
_CUT_MM = 4.0
_CUT_GAP_MM = 1.0
_UNREADABLE_ERRORS = (
    *(PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(AssertionError, NotImplementedError, ArithmeticError, RecursionError),
)
"""The errors that pypdf raises for a file that is not a PDF, or is a broken one."""


class ImposeError(Exception):
    """A file cannot be imposed."""


@dataclass(frozen=True, slots=True)
class ImpositionOptions:
    """How a booklet is to be made."""

    paper: str = "a4"
    turn: TurnEdge = "short"
    creep_mm: float = 0
    """How much nearer to the fold the pages of a sheet stand than those of the sheet around it."""
    signature: int = 0
    """The number of sheets in a signature; 0 for all."""
    ruled: bool = True
    """Whether a sheet with a ruler comes first."""


@dataclass(frozen=True, slots=True)
class Imposed:
    """An imposed PDF."""

    data: bytes
    pages: int
    """The number of pages of the book."""
    sheets: int
    """The number of sheets, without that of the ruler."""
    scale: float
    """The scale of the pages: 1, or less if they had to be made smaller."""


@dataclass(frozen=True, slots=True)
class _PageForm:
    """A page of the book as a form that can be placed, with its trim box in points."""

    reference: Any
    left: float
    bottom: float
    width: float
    height: float


def impose(file: Path, options: ImpositionOptions, folders: tuple[Path, ...]) -> Imposed:
    """Impose a PDF as a booklet; the same file gives the same bytes.

    Pages are cut to their trim box. They stand against the fold at their own size, or smaller
    if the paper is too small for it, and never larger.

    Raises:
        ImposeError: If the file is no readable PDF, is encrypted, or has too few or many pages.
        OSError: If the file cannot be opened.
    """
    with open_regular(file) as opened:
        data = opened.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ImposeError(f"the file is larger than the limit of {_MOST_BYTES // 1024 // 1024} MiB")
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted:
            raise ImposeError("the file is protected by a password; remove the password first")
        count = len(reader.pages)
    except _UNREADABLE_ERRORS as error:
        raise ImposeError(_unreadable_message(error)) from None
    if not 0 < count <= _MAX_PAGES:
        text = f"the file has {count} pages, expected 1 to {_MAX_PAGES}"
        raise ImposeError(text)
    try:
        return _Imposer(reader, options, build_ruler(folders)).print()
    except _UNREADABLE_ERRORS as error:
        raise ImposeError(_unreadable_message(error)) from None


def _unreadable_message(error: Exception) -> str:
    description = " ".join(str(error).split())[:120]
    return f"the file cannot be read as a PDF ({description or type(error).__name__})"


class _Imposer:
    def __init__(self, reader: PdfReader, options: ImpositionOptions, ruler: Ruler) -> None:
        self._reader = reader
        self._options = options
        self._ruler = ruler
        self._writer = PdfWriter()
        self._writer.pdf_header = "%PDF-1.7"
        width, height = PAPERS[options.paper].turned("landscape")
        self._width, self._height = width * PT_PER_MM, height * PT_PER_MM
        self._forms = [self._form(page) for page in reader.pages]
        room = self._width / 2, self._height
        scale = min(min(room[0] / form.width, room[1] / form.height) for form in self._forms)
        self._scale = 1 if scale > _KEEP_SIZE_ABOVE else scale

    def print(self) -> Imposed:
        """Write all sheets, front and back in turn, and return the PDF."""
        sheets = order_booklet(len(self._forms), self._options.signature)
        if self._options.ruled:
            self._add_page(self._draw_ruler(), {}, upside_down=False)
            self._add_page("", {}, upside_down=False)
        for sheet in sheets:
            self._print_side(sheet, sheet.front, front=True)
            self._print_side(sheet, sheet.back, front=False)
        self._set_metadata()
        out = BytesIO()
        self._writer.write(out)
        return Imposed(out.getvalue(), len(self._forms), len(sheets), self._scale)

    def _form(self, page: PageObject) -> _PageForm:
        """Return a page as a form, upright as viewers show it, and cut to its trim box."""
        box = page.trimbox
        width, height = float(box.width), float(box.height)
        if width <= 0 or height <= 0:
            raise ValueError("a page has no size")
        left, bottom, right, top = (float(edge) for edge in box)
        content = page.get_contents()
        form = DecodedStreamObject()
        form.set_data(content.get_data() if content is not None else b"")
        form[NameObject("/Type")] = NameObject("/XObject")
        form[NameObject("/Subtype")] = NameObject("/Form")
        form[NameObject("/BBox")] = RectangleObject((left, bottom, right, top))
        # Turned clockwise, a page has its lower left corner at 0.
        match page.rotation % 360:
            case 0:
                matrix = None
            case 90:
                matrix = (0, -1, 1, 0, -bottom, right)
            case 180:
                matrix = (-1, 0, 0, -1, right, top)
            case 270:
                matrix = (0, 1, -1, 0, top, -left)
            case angle:
                raise ValueError(f"a page is rotated by {angle}°, expected a multiple of 90°")
        if matrix is not None:
            form[NameObject("/Matrix")] = ArrayObject(FloatObject(each) for each in matrix)
            left = bottom = 0
        if page.rotation % 180:
            width, height = height, width
        resources: Any = page.get("/Resources", DictionaryObject())
        form[NameObject("/Resources")] = resources.get_object().clone(self._writer)
        if "/Group" in page:
            group: Any = page["/Group"]
            form[NameObject("/Group")] = group.get_object().clone(self._writer)
        reference = self._writer._add_object(form.flate_encode())  # noqa: SLF001 - no other way
        return _PageForm(reference, left, bottom, width, height)

    def _print_side(self, sheet: FoldedSheet, side: FoldedSide, *, front: bool) -> None:
        """Write a side; backs that are turned over the long edge stand upside down."""
        parts: list[str] = []
        forms: dict[str, Any] = {}
        fold = self._width / 2
        creep = sheet.depth * self._options.creep_mm * PT_PER_MM
        widths: list[float] = []
        for number, name, left in ((side.left, "L", True), (side.right, "R", False)):
            if number is None:
                continue
            form = self._forms[number]
            width, height = form.width * self._scale, form.height * self._scale
            x = fold - width + creep if left else fold - creep
            y = (self._height - height) / 2
            clip = f"{0 if left else fold:.4f} 0 {fold:.4f} {self._height:.4f} re W n"
            origin = f"{x - form.left * self._scale:.4f} {y - form.bottom * self._scale:.4f}"
            scale = f"{self._scale:.6f}"
            parts.append(f"q {clip} {scale} 0 0 {scale} {origin} cm /{name} Do Q")
            forms[name] = form.reference
            widths.append(width)
        if front:
            parts.append(self._marks(max(widths, default=0)))
        upside_down = not front and self._options.turn == "long"
        self._add_page("\n".join(parts), forms, upside_down=upside_down)

    def _marks(self, page_width: float) -> str:
        """Return operators that mark the fold, and the cuts where there is room for them."""
        fold, top = self._width / 2, self._height
        lines = [f"q 0.5 G 0.4 w [2 2] 0 d {fold:.3f} 0 m {fold:.3f} {_FOLD_MM * PT_PER_MM:.3f} l"]
        lines.append(f"{fold:.3f} {top:.3f} m {fold:.3f} {top - _FOLD_MM * PT_PER_MM:.3f} l S Q")
        page_height = max(form.height for form in self._forms) * self._scale
        below, beside = (self._height - page_height) / 2, fold - page_width
        cut, gap = _CUT_MM * PT_PER_MM, _CUT_GAP_MM * PT_PER_MM
        marks: list[str] = []
        if below >= cut + gap:
            for x in (fold - page_width, fold + page_width):
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
        """Return operators that draw the ruler in the middle of a side."""
        left = (self._width / PT_PER_MM - RULER_WIDTH_MM) / 2
        operators = ruler_operators(self._ruler, left, self._height / PT_PER_MM / 2)
        return f"q {PT_PER_MM:.6f} 0 0 {PT_PER_MM:.6f} 0 0 cm\n{operators}\nQ"

    def _add_page(self, content: str, forms: dict[str, Any], *, upside_down: bool) -> None:
        page = self._writer.add_blank_page(self._width, self._height)
        if upside_down:
            content = f"q -1 0 0 -1 {self._width:.4f} {self._height:.4f} cm\n{content}\nQ"
        stream = DecodedStreamObject()
        stream.set_data(content.encode())
        page[NameObject("/Contents")] = self._writer._add_object(stream.flate_encode())  # noqa: SLF001 - no other way
        xobjects = DictionaryObject({NameObject(f"/{name}"): form for name, form in forms.items()})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): xobjects})
        size = ArrayObject(FloatObject(each) for each in (0, 0, self._width, self._height))
        page[NameObject("/TrimBox")] = size

    def _set_metadata(self) -> None:
        """Keep title and language; set how to print it, and what made it."""
        metadata = self._reader.metadata
        title = (metadata.title if metadata else None) or ""
        self._writer.metadata = None
        self._writer.add_metadata({"/Title": title, "/Creator": "Muster", "/Producer": "pypdf"})
        root = self._writer.root_object
        language = self._reader.root_object.get("/Lang")
        if isinstance(language, str):
            root[NameObject("/Lang")] = TextStringObject(language)
        preferences: dict[str, Any] = {
            "/PrintScaling": NameObject("/None"),
            "/DisplayDocTitle": BooleanObject(value=True),
        }
        preferences["/Duplex"] = NameObject(DUPLEX_NAMES[self._options.turn])
        root[NameObject("/ViewerPreferences")] = DictionaryObject(
            {NameObject(key): value for key, value in preferences.items()}
        )
