"""Owns the merging of fonts: the glyphs that several pieces of a document use, in one font.

Does not choose glyphs. WeasyPrint keeps each glyph's number when it cuts a font down to what is
used, so that glyphs of one number are the same in all pieces.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from fontTools.pens.filterPen import DecomposingFilterPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from generator.rendering.pieces import Held, Piece, Value

_PAIR = re.compile(rb"<([0-9a-f]{4})> <([0-9a-f]*)>")
_BATCH = 100
_FIXED_PITCH = 1


@dataclass(frozen=True, slots=True)
class Font:
    """A font of one piece, with the objects that it is made of."""

    font: dict[str, Value]
    descendant: dict[str, Value]
    descriptor: dict[str, Value]
    file: bytes
    unicode: bytes


def font_of(piece: Piece, number: Value) -> Font | None:
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
    return Font(
        font, descendant, descriptor, _stream(piece, file), _stream(piece, font["ToUnicode"])
    )


def _stream(piece: Piece, number: Value) -> bytes:
    held = piece.objects[number] if isinstance(number, int) else Held("")
    return zlib.decompress(held.stream or b"")


def merged_file(fonts: Sequence[Font]) -> bytes:
    """Merge the glyphs of fonts that were cut from one."""
    files = {font.file: font for font in fonts}
    if len(files) == 1:
        return fonts[0].file
    used = {file: set(widths_of(font)) for file, font in files.items()}
    # Only glyphs that are used keep their number; parts of accented letters may stand behind the
    # last one that is used. In the font that goes furthest nobody else wants those places.
    furthest = max(files, key=lambda file: max(used[file], default=0))
    base = _opened(furthest)
    order = base.getGlyphOrder()
    had = used[furthest]
    for file in files:
        if lacking := used[file] - had:
            _take_over(base, order, _opened(file), lacking)
            had |= lacking
    out = BytesIO()
    base.save(out)
    return out.getvalue()


def _opened(file: bytes) -> TTFont:
    return TTFont(BytesIO(file), recalcTimestamp=False)


def _take_over(base: TTFont, order: list[str], font: TTFont, lacking: set[int]) -> None:
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


def merged_unicode(maps: Sequence[bytes]) -> bytes:
    """Merge the tables that tell which text each glyph stands for."""
    pairs: dict[bytes, bytes] = {}
    for each in maps:
        for glyph, text in _PAIR.findall(each):
            pairs.setdefault(glyph, text)
    before, _, rest = maps[0].partition(b"endcodespacerange")
    after = rest[rest.rindex(b"endcmap") :]
    lines = [before + b"endcodespacerange"]
    listed = sorted(pairs.items())
    for at in range(0, len(listed), _BATCH):
        batch = listed[at : at + _BATCH]
        lines.append(b"%d beginbfchar" % len(batch))
        lines += [b"<%b> <%b>" % pair for pair in batch]
        lines.append(b"endbfchar")
    return b"\n".join([*lines, after])


def widths_of(font: Font) -> dict[int, Value]:
    """Read the width of every glyph that a font uses."""
    runs = font.descendant["W"]
    widths: dict[int, Value] = {}
    if isinstance(runs, list):
        for first, run in zip(runs[::2], runs[1::2], strict=True):
            widths |= {int(first) + step: width for step, width in enumerate(run)}
    return widths


def merged_widths(fonts: Sequence[Font]) -> list[Value]:
    """Merge the widths of glyphs, in runs of glyphs that follow each other."""
    widths: dict[int, Value] = {}
    for font in fonts:
        widths = {**widths_of(font), **widths}
    merged: list[Value] = []
    run: list[Value] = []
    for glyph in sorted(widths):
        if glyph - 1 not in widths:
            run = []
            merged += [str(glyph), run]
        run.append(widths[glyph])
    return merged


def merged_descriptor(fonts: Sequence[Font], widths: list[Value]) -> dict[str, Value]:
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
