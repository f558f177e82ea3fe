"""Cut the bundled fonts from their sources: some characters, some features, new names.

The first argument is the folder with the sources (see templates/fonts/README.md). The same sources
give the same bytes.

    python .ci/cut_fonts.py FOLDER-WITH-SOURCE-TTF templates/fonts
"""

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont

PRINT_SIGNS = (
    "20-7E,A0-17F,2000-206F,20AC,2116,2122,2150-215E,2190-2193,21B5,2212,2248,2260,"
    "2264,2265,25A0-25FF,2605,2610,2611,2660-2667,2713,2715"
)
"""The characters that a printed page may have."""

SCREEN_SIGNS = (
    "20-7E,A0-FF,104,105,106,107,10C-10F,118-11B,131,139-144,147,148,150-155,158-15B,"
    "15E-161,164,165,16E-171,178-17E,2007,2009,2013,2014,2018-201A,201C-201E,2020-2022,"
    "2026,202F,2032,2033,20AC,2122,2190-2193,2212,2248,2260,2264,2265,25A0,25A1,25B2,"
    "25B3,25C6,25C7,25CB,25CF,2605,2610,2713,2715"
)
"""The characters of the fonts that each HTML page includes: fewer, to keep pages small."""

PRINT_FEATURES = "ccmp locl kern liga frac numr dnom sups case tnum lnum onum pnum mark mkmk"
SCREEN_FEATURES = "ccmp kern liga tnum lnum"

FIGURES = {"Muster Sans": "tnum", "Muster Serif": "pnum"}
"""The figures that a print face shows by default: of one width in tables, but not in prose.

They are not requested in CSS, because WeasyPrint 70.0 loses memory with each line that does.
"""

KEPT_NAMES = (0, 13, 14)
"""Copyright, licence, licence address: the Open Font License requires that they stay."""

NORMAL_WIDTH = 5
ENGLISH_ON_WINDOWS = (3, 1, 0x409)

Point = tuple[float, float]
Draw = Callable[[TTGlyphPen, "Measure"], int]


@dataclass(frozen=True, slots=True)
class Face:
    """A face: the file name of its source, and its family and style here."""

    source: str
    family: str
    style: str
    on_screen: bool = False

    @property
    def file_name(self) -> str:
        """The name of the file without its ending, which is also the PostScript name."""
        return f"{self.family}-{self.style}".replace(" ", "")


FACES = (
    Face("FiraSansCondensed_400Regular", "Muster Sans", "Regular", on_screen=True),
    Face("FiraSansCondensed_400Regular_Italic", "Muster Sans", "Italic", on_screen=True),
    Face("FiraSansCondensed_500Medium", "Muster Sans", "Medium"),
    Face("FiraSansCondensed_600SemiBold", "Muster Sans", "SemiBold", on_screen=True),
    Face("FiraSansCondensed_700Bold", "Muster Sans", "Bold"),
    Face("SourceSerif4_400Regular", "Muster Serif", "Regular", on_screen=True),
    Face("SourceSerif4_400Regular_Italic", "Muster Serif", "Italic"),
    Face("SourceSerif4_600SemiBold", "Muster Serif", "SemiBold", on_screen=True),
    Face("SourceSerif4_700Bold", "Muster Serif", "Bold"),
)


@dataclass(frozen=True, slots=True)
class Measure:
    """The measures of a face that drawn signs use, in font units (1000 to an em)."""

    height: int
    """The height of a capital, which is the height of a drawn shape."""

    line: int
    """The width of an outline, which grows with the weight of the face."""

    slant: float
    """How far a point moves right for each unit that it lies above the baseline."""

    margin: int = 70
    """The space on the left and on the right of a shape."""


def ring(pen: TTGlyphPen, points: Iterable[Point], *, hole: bool = False) -> None:
    """Draw a closed outline; a hole runs in the other direction, as TrueType requires."""
    corners = list(points)
    if hole:
        corners.reverse()
    pen.moveTo(corners[0])
    for corner in corners[1:]:
        pen.lineTo(corner)
    pen.closePath()


def polygon(measure: Measure, corners: Iterable[Point], shrink: float = 0) -> list[Point]:
    """Return corners in font units, moved `shrink` units towards the middle.

    They are given in shares of half the height, from the middle.
    """
    scale = measure.height / 2
    reach = (scale - shrink) / scale
    middle = measure.margin + scale
    return [
        (round(middle + x * scale * reach), round(scale + y * scale * reach)) for x, y in corners
    ]


def shape(*corners: Point, hollow: bool = False, inset: float = 1.0) -> Draw:
    """Draw a polygon; `inset` is how many line widths the corners of its hole are moved in."""

    def draw(pen: TTGlyphPen, measure: Measure) -> int:
        ring(pen, polygon(measure, corners))
        if hollow:
            ring(pen, polygon(measure, corners, measure.line * inset), hole=True)
        return measure.height + 2 * measure.margin

    return draw


def disc(*, hollow: bool = False) -> Draw:
    """Draw a circle of eight quadratic curves, whose control points are all off the curve."""

    def turn(pen: TTGlyphPen, measure: Measure, shrink: float, step: int) -> None:
        radius = (measure.height / 2 - shrink) / math.cos(math.pi / 8)
        middle = measure.height / 2
        points: list[Point | None] = []
        for eighth in range(8):
            angle = step * eighth * math.pi / 4
            x = measure.margin + middle + radius * math.cos(angle)
            points.append((round(x), round(middle + radius * math.sin(angle))))
        pen.qCurveTo(*points, None)
        pen.closePath()

    def draw(pen: TTGlyphPen, measure: Measure) -> int:
        turn(pen, measure, 0, -1)
        if hollow:
            turn(pen, measure, measure.line, 1)
        return measure.height + 2 * measure.margin

    return draw


def prime(count: int) -> Draw:
    """Draw the mark of a foot or an inch: wedges that lean, from the height of a capital."""

    def draw(pen: TTGlyphPen, measure: Measure) -> int:
        top = measure.height + 20
        foot = measure.height - 230
        width = round(measure.line * 1.25)
        step = width + 90
        for number in range(count):
            left = 30 + number * step
            lean = 70 + round(measure.slant * 250)
            ring(
                pen,
                [
                    (left, foot),
                    (left + lean - 15, top),
                    (left + lean + width, top),
                    (left + round(width * 0.45), foot),
                ],
            )
        return 30 + (count - 1) * step + width + 85

    return draw


def space(width: int) -> Draw:
    """Draw a space of this width."""

    def draw(_pen: TTGlyphPen, _measure: Measure) -> int:
        return width

    return draw


def strokes(*lines: tuple[Point, ...]) -> Draw:
    """Draw filled polygons, whose points are given as for `polygon`."""

    def draw(pen: TTGlyphPen, measure: Measure) -> int:
        for corners in lines:
            ring(pen, polygon(measure, corners))
        return measure.height + 2 * measure.margin

    return draw


SQUARE = ((-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0))
TRIANGLE = ((-1.0, -0.9), (0.0, 0.9), (1.0, -0.9))
DIAMOND = ((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, -1.0))
STAR = tuple(
    (
        (1.05 if spike % 2 == 0 else 0.41) * math.sin(spike * math.pi / 5),
        (1.05 if spike % 2 == 0 else 0.41) * math.cos(spike * math.pi / 5) - 0.08,
    )
    for spike in range(10)
)
CROSS = (
    ((-0.85, 0.67), (-0.67, 0.85), (0.85, -0.67), (0.67, -0.85)),
    ((-0.85, -0.67), (0.67, 0.85), (0.85, 0.67), (-0.67, -0.85)),
)
TICK = ((-0.9, 0.05), (-0.68, 0.25), (-0.3, -0.3), (0.72, 0.9), (0.92, 0.74), (-0.26, -0.8))

DRAWN: dict[int, tuple[str, Draw]] = {
    0x2007: ("figurespace.muster", space(500)),
    0x2009: ("thinspace.muster", space(160)),
    0x202F: ("nobreakthinspace.muster", space(160)),
    0x2032: ("prime.muster", prime(1)),
    0x2033: ("doubleprime.muster", prime(2)),
    0x25A0: ("square.muster", shape(*SQUARE)),
    0x25A1: ("hollowsquare.muster", shape(*SQUARE, hollow=True)),
    0x25B2: ("triangle.muster", shape(*TRIANGLE)),
    0x25B3: ("hollowtriangle.muster", shape(*TRIANGLE, hollow=True, inset=1.9)),
    0x25C6: ("diamond.muster", shape(*DIAMOND)),
    0x25C7: ("hollowdiamond.muster", shape(*DIAMOND, hollow=True, inset=1.42)),
    0x25CB: ("hollowdisc.muster", disc(hollow=True)),
    0x25CF: ("disc.muster", disc()),
    0x2605: ("star.muster", shape(*STAR)),
    0x2610: ("box.muster", shape(*SQUARE, hollow=True)),
    0x2713: ("tick.muster", strokes(TICK)),
    0x2715: ("cross.muster", strokes(*CROSS)),
}
"""Signs that we draw where a face lacks them, so that no other font is used."""


def draw_missing(font: TTFont) -> None:
    """Add each sign of `DRAWN` that the face lacks, with the measures of the face."""
    has = font.getBestCmap()
    weight = font["OS/2"].usWeightClass
    measure = Measure(
        height=font["OS/2"].sCapHeight,
        line=round(52 + (weight - 400) * 0.09),
        slant=math.tan(math.radians(-font["post"].italicAngle)),
    )
    missing = {code: sign for code, sign in DRAWN.items() if code not in has}
    font.setGlyphOrder([*font.getGlyphOrder(), *(name for name, _ in missing.values())])
    for code, (name, draw) in missing.items():
        pen = TTGlyphPen(None)
        width = draw(pen, measure)
        glyph = pen.glyph()
        font["glyf"][name] = glyph
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, getattr(glyph, "xMin", 0))
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[code] = name


def rename(font: TTFont, face: Face) -> None:
    """Rename the face: a changed font may not keep a reserved font name."""
    version = str(font["name"].getDebugName(5)).split(";", 1)[0].removeprefix("Version ")
    kept = {number: font["name"].getDebugName(number) for number in KEPT_NAMES}
    linked = face.style in {"Regular", "Italic", "Bold"}
    names = {
        **kept,
        1: face.family if linked else f"{face.family} {face.style}",
        2: face.style if linked else "Regular",
        3: f"{version};MUSTER;{face.file_name}",
        4: f"{face.family} {face.style}",
        5: f"Version {version}; cut for Muster",
        6: face.file_name,
        16: face.family,
        17: face.style,
    }
    font["name"].names = []
    for number, text in sorted(names.items()):
        font["name"].setName(text, number, *ENGLISH_ON_WINDOWS)


def cut(source: Path, face: Face, *, signs: str, features: str, flavor: str | None) -> TTFont:
    """Reduce a face to some characters and features, without hints."""
    font = TTFont(source, recalcTimestamp=False)
    draw_missing(font)
    options = Options(
        layout_features=features.split(),
        drop_tables=["DSIG", "STAT", "BASE", "gasp", "meta"],
        hinting=False,
        glyph_names=False,
        notdef_outline=True,
        name_IDs=["*"],
        name_languages=["*"],
        recalc_timestamp=False,
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(signs))
    subsetter.subset(font)
    rename(font, face)
    # The family has only one width, so that a page need not select a condensed one.
    font["OS/2"].usWidthClass = NORMAL_WIDTH
    font.flavor = flavor
    return font


def show_unasked(font: TTFont, feature: str) -> None:
    """Make the figures of a feature the default figures of the face."""
    table = font["GSUB"].table
    swaps: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == feature:
            for index in record.Feature.LookupListIndex:
                for each in table.LookupList.Lookup[index].SubTable:
                    swaps.update(getattr(each, "ExtSubTable", each).mapping)
    for signs in font["cmap"].tables:
        for digit in map(ord, "0123456789"):
            if digit in signs.cmap:
                signs.cmap[digit] = swaps.get(signs.cmap[digit], signs.cmap[digit])


def main(sources: Path, target: Path) -> None:
    """Cut every face, for print and (where it is used there) for the screen."""
    for face in FACES:
        source = next(sources.rglob(f"{face.source}.ttf"))
        font = cut(source, face, signs=PRINT_SIGNS, features=PRINT_FEATURES, flavor=None)
        show_unasked(font, FIGURES[face.family])
        font.save(target / f"{face.file_name}.ttf", reorderTables=True)
        if face.on_screen:
            font = cut(source, face, signs=SCREEN_SIGNS, features=SCREEN_FEATURES, flavor="woff2")
            font.save(target / f"{face.file_name}.woff2")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
