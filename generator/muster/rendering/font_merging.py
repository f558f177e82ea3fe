"""Merge fonts that were cut from one face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO

from fontTools.pens.filterPen import DecomposingFilterPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from muster.rendering.pdf_pieces import PdfDictionary, PdfValue, PieceFont

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
