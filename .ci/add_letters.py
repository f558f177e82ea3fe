"""Add Greek and Cyrillic letters to the bundled fonts, from wider cuts of the same designs.

Run after `cut_fonts.py`. The first argument is the folder with the sources of the letters (see
templates/fonts/README.md). The same sources give the same bytes.

    python .ci/add_letters.py FOLDER-WITH-SOURCE-WOFF2 templates/fonts
"""

import sys
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont

LETTERS = "384-38A,38C,38E-3A1,3A3-3CE,400-45F,462,463,472-475,490,491"
"""Greek with its accents, Cyrillic, and the letters that Russian had until 1918."""

SOURCES = {
    "MusterSans-Regular": "FiraSans-Regular",
    "MusterSans-Italic": "FiraSans-Italic",
    "MusterSans-Medium": "FiraSans-Medium",
    "MusterSans-SemiBold": "FiraSans-Medium",
    "MusterSans-Bold": "FiraSans-Medium",
    "MusterSerif-Regular": "SourceSerif4-Regular",
    "MusterSerif-Italic": "SourceSerif4-It",
    "MusterSerif-SemiBold": "SourceSerif4-Semibold",
    "MusterSerif-Bold": "SourceSerif4-Bold",
}
"""Each face, and the file that begins so with its letters; Fira Sans is to be had up to Medium."""


def add_letters(font: TTFont, source: TTFont) -> None:
    """Add the letters that a face lacks, after its own glyphs, whose numbers stay as they are."""
    has, names, glyphs = font.getBestCmap(), source.getBestCmap(), source.getGlyphSet()
    missing = [code for code in parse_unicodes(LETTERS) if code not in has]
    if font["head"].unitsPerEm != source["head"].unitsPerEm:
        raise SystemExit("the source of the letters has another number of units to an em")
    if missing:
        owners = [each["name"].getDebugName(0) for each in (font, source)]
        font["name"].setName(f"{owners[0]}; Greek and Cyrillic: {owners[1]}", 0, 3, 1, 0x409)
    font.setGlyphOrder([*font.getGlyphOrder(), *(f"letter{code:04X}" for code in missing)])
    for code in missing:
        outline = DecomposingRecordingPen(glyphs)
        glyphs[names[code]].draw(outline)
        pen = TTGlyphPen(None)
        outline.replay(pen)
        glyph = pen.glyph()
        font["glyf"][f"letter{code:04X}"] = glyph
        glyph.recalcBounds(font["glyf"])
        width = source["hmtx"][names[code]][0]
        font["hmtx"][f"letter{code:04X}"] = (width, getattr(glyph, "xMin", 0))
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[code] = f"letter{code:04X}"


def only_letters(path: Path) -> TTFont:
    """Return the letters of a print face as a font for the screen."""
    font = TTFont(path, recalcTimestamp=False)
    options = Options(
        layout_features=[], glyph_names=False, notdef_outline=True, name_IDs=["*"],
        recalc_timestamp=False,
    )  # fmt: skip
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(LETTERS))
    subsetter.subset(font)
    font.flavor = "woff2"
    return font


def main(sources: Path, target: Path) -> None:
    """Add the letters to every print face, and write those of the screen's faces to their files."""
    for name, source_name in SOURCES.items():
        path = target / f"{name}.ttf"
        font = TTFont(path, recalcTimestamp=False)
        source = min(sources.rglob(f"{source_name}[-.]*.woff2"))
        add_letters(font, TTFont(source))
        font.save(path, reorderTables=True)
        if (target / f"{name}.woff2").exists():
            only_letters(path).save(target / f"{name}-letters.woff2")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
