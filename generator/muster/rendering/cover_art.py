"""Draw the cover of a book that has no picture: flat shapes in the colours of its system.

All lengths are in hundredths of the drawing's width, so that a scene fits any paper; y points down.
Nothing is random: the same look gives the same drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from muster.rendering.drawings import ink_on

if TYPE_CHECKING:
    from muster.documents.cover import CoverLook

_BLACK, _WHITE = "#000000", "#ffffff"
_OUTLINE_SIZE = 100
"""The square that outlines of symbols and ornaments are drawn on."""


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour (`#rrggbb`) with a share, from 0 to 1, of another."""
    pairs = ((int(colour[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def grey_of(colour: str) -> str:
    """Return the grey that a printer with black ink makes of a colour."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)
    return f"#{level:02x}{level:02x}{level:02x}"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a cover, as `#rrggbb`: one to paint on, and two that stand out from it."""

    ground: str
    light: str
    signal: str

    def darker(self, share: float) -> str:
        """Return the ground with a share of black."""
        return mix(self.ground, _BLACK, share)

    def lighter(self, share: float) -> str:
        """Return the ground with a share of the light colour."""
        return mix(self.ground, self.light, share)


def palette_of(look: CoverLook, theme: str) -> Palette:
    """Return the colours of a cover in a theme: greys for black ink, black and white for contrast.

    In high contrast, mixtures of the ground stay black.
    """
    if theme == "high-contrast":
        return Palette(_BLACK, _WHITE, _WHITE)
    colours = (look.accent, look.light, look.signal)
    if theme == "monochrome":
        return Palette(*map(grey_of, colours))
    return Palette(*colours)


_EDGE_MM = 1.6
"""The line along the upper edge of a panel, as the style sheet has it on the front."""
_PANEL_BLACK = 0.72
"""The share of black in a dark panel, and in the ink on a light one, so that either is read."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The colours below the drawing of a cover, as `#rrggbb`: its ground, type and upper edge."""

    ground: str
    ink: str
    edge: str


def panel_of(look: CoverLook, theme: str) -> Panel:
    """Return the colours of the panel that goes with the scene of a cover."""
    colours = palette_of(look, theme)
    dark = colours.darker(_PANEL_BLACK)
    grounds = {"rays": colours.signal, "card": colours.light, "lines": colours.light}
    ground = grounds.get(look.scene, dark)
    if ink_on(ground) == _WHITE:
        return Panel(ground, _WHITE, colours.light)
    return Panel(ground, dark, dark)


@dataclass(frozen=True, slots=True)
class _Scene:
    """What a scene is drawn with: its colours, its height, the ornament and arms of the system."""

    colours: Palette
    height: float
    ornament: str
    arms: tuple[str, ...]
    stark: bool
    """Whether there are two colours only, so that shades cannot tell shapes apart."""


def draw_cover(look: CoverLook, theme: str, width: float, height: float) -> str:
    """Return the drawing of a cover as SVG of a width and height in millimetres.

    Args:
        look: The system's colours, ornament, arms and scene.
        theme: The theme of the edition.
        width: The width of the drawing.
        height: Its height.
    """
    scene = _Scene(
        palette_of(look, theme),
        height / width * 100,
        look.ornament,
        look.arms,
        theme == "high-contrast",
    )
    return _svg("".join(_SCENES[look.scene](scene)), width, height)


def draw_back(look: CoverLook, theme: str, width: float, height: float, panel: float) -> str:
    """Return what lies under the back cover and the spine, as SVG in millimetres.

    Args:
        look: The look of the front.
        theme: The theme of the edition.
        width: The width of back and spine together.
        height: Their height.
        panel: The height of the panel at their foot.
    """
    colours = palette_of(look, theme)
    h, top = height / width * 100, (height - panel) / width * 100
    edge = panel_of(look, theme)
    pale = colours.ground if theme == "high-contrast" else colours.darker(0.16)
    shapes = _rectangle(0, 0, 100, h, colours.darker(0.3))
    shapes += _symbol(look.ornament, 56, top * 0.6, 78, pale)
    for n, arm in enumerate(look.arms):
        shapes += _symbol(arm, 14 + n * 15, top - 13, 11, colours.light)
    # A little deeper than the drawing, so that no light shows below it.
    shapes += _rectangle(0, top, 100, h - top + 1, edge.ground)
    shapes += _rectangle(0, top, 100, _EDGE_MM / width * 100, edge.edge)
    return _svg(shapes, width, height)


def _svg(shapes: str, width: float, height: float) -> str:
    box = f"0 0 100 {_number(height / width * 100)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(width)}mm"'
        f' height="{_number(height)}mm" viewBox="{box}" preserveAspectRatio="none">{shapes}</svg>'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _rectangle(left: float, top: float, width: float, height: float, fill: str) -> str:
    sizes = zip(("x", "y", "width", "height"), (left, top, width, height), strict=True)
    return "<rect " + " ".join(f'{k}="{_number(v)}"' for k, v in sizes) + f' fill="{fill}"/>'


def _disc(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{fill}"/>'


def _polygon(fill: str, *points: tuple[float, float]) -> str:
    listed = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    return f'<polygon points="{listed}" fill="{fill}"/>'


def _symbol(outline: str, x: float, y: float, size: float, fill: str, turn: float = 0) -> str:
    """Return an outline centred on a point, turned by some degrees; nothing without an outline."""
    if not outline:
        return ""
    scale = size / _OUTLINE_SIZE
    turned = f" rotate({_number(turn)})" if turn else ""
    place = f"translate({_number(x)} {_number(y)}){turned} scale({scale:.4f}) translate(-50 -50)"
    return f'<path transform="{place}" d="{outline}" fill="{fill}"/>'


def _block(
    middle: tuple[float, float],
    width: float,
    turn: float,
    fill: str,
    slash: str = "",
    front: str = "",
) -> str:
    """Return a formation seen from above; horse has a slash across it, foot a line of ranks."""
    half, depth = width / 2, width * 0.21
    place = f"translate({_number(middle[0])} {_number(middle[1])}) rotate({_number(turn)})"
    body = _rectangle(-half, -depth, width, 2 * depth, fill)
    if slash:
        body += _polygon(slash, (-half, depth), (half, -depth), (half, depth))
    elif front:
        body += _rectangle(-half, -0.3, width, 0.6, front)
    return f'<g transform="{place}">{body}</g>'


def _path(steps: str, stroke: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{steps}" fill="none" stroke="{stroke}" stroke-width="{width}"{dashed}/>'


def _arrow(
    start: tuple[float, float],
    bend: tuple[float, float],
    end: tuple[float, float],
    colour: str,
    width: float,
) -> str:
    """Return a broken line that curves from one point to another, with a head at its end."""
    start_text, bend_text, end_text = (f"{_number(x)} {_number(y)}" for x, y in (start, bend, end))
    line = _path(f"M{start_text} Q{bend_text} {end_text}", colour, width, f"{width * 2.4} {width}")
    along = (end[0] - bend[0], end[1] - bend[1])
    length = hypot(*along) or 1
    ahead = (along[0] / length, along[1] / length)
    size = width * 3
    tip = (end[0] + ahead[0] * size, end[1] + ahead[1] * size)
    sides = [
        (end[0] - ahead[1] * size * side * 0.7, end[1] + ahead[0] * size * side * 0.7)
        for side in (1, -1)
    ]
    return line + _polygon(colour, tip, *sides)


def _soldier(x: float, foot: float, size: float, colour: str) -> str:
    """Return a musketeer in outline, standing on a level, with the musket at the shoulder."""
    outlines = (
        ((-0.2, 0), (-0.24, -0.5), (-0.19, -0.64), (0.19, -0.64), (0.24, -0.5), (0.2, 0)),
        ((-0.08, -0.6), (-0.09, -0.82), (0.09, -0.82), (0.08, -0.6)),
        ((-0.13, -0.8), (-0.12, -0.86), (-0.15, -1.08), (0.15, -1.08), (0.12, -0.86), (0.13, -0.8)),
        ((-0.035, -1.06), (-0.06, -1.2), (0, -1.3), (0.06, -1.2), (0.035, -1.06)),
        ((0.22, -0.2), (0.28, -0.2), (0.36, -1.3), (0.325, -1.3)),
        ((0.325, -1.28), (0.37, -1.62), (0.36, -1.28)),
    )
    return "".join(
        _polygon(colour, *((x + dx * size, foot + dy * size) for dx, dy in outline))
        for outline in outlines
    )


def _placed(shapes: str, x: float, y: float, size: float, turn: float = 0) -> str:
    """Return shapes that are drawn about 0, at a point, in a size and turned by some degrees."""
    turned = f" rotate({_number(turn)})" if turn else ""
    place = f"translate({_number(x)} {_number(y)}){turned} scale({size:.4f})"
    return f'<g transform="{place}">{shapes}</g>'


@dataclass(frozen=True, slots=True)
class _Dress:
    """The colours of a soldier seen from in front."""

    coat: str
    facing: str
    belt: str
    hat: str
    skin: str


def _shako(dress: _Dress, badge: str) -> str:
    """Return a shako with its badge and plume, about 46 wide; the middle of its foot is at 0."""
    return (
        _polygon(dress.facing, (-3, -33), (-5.5, -47), (0, -61), (5.5, -47), (3, -33))
        + _polygon(dress.hat, (-15, 0), (-20, -35), (20, -35), (15, 0))
        + _polygon(dress.belt, (-20, -35), (-19.4, -31), (19.4, -31), (20, -35))
        + _symbol(badge, 0, -16, 23, dress.belt)
        + _polygon(dress.hat, (-17, 0), (17, 0), (13, 5), (-13, 5))
        + _polygon(dress.belt, (-15, 0), (-15.4, -2.4), (15.4, -2.4), (15, 0))
    )


def _coat(dress: _Dress) -> str:
    """Return a soldier from the waist, at 0, to the collar: about 96 wide and 68 high."""
    sides = (-1, 1)
    seams = (
        _polygon(dress.hat, (side * 30, 0), (side * 28.6, -36), (side * 31.6, 0)) for side in sides
    )
    outlines = (
        ((22, -55), (33, -53), (-19, 0), (-31, 0)),
        ((26, -56), (44, -51), (50, -43), (38, -47), (27, -50)),
    )
    belts = (
        _polygon(dress.belt, *((side * x, y) for x, y in outline))
        for outline in outlines
        for side in sides
    )
    return (
        _polygon(
            dress.coat,
            *(
                (-45, 0),
                (-47, -40),
                (-41, -52),
                (-13, -60),
                (13, -60),
                (41, -52),
                (47, -40),
                (45, 0),
            ),
        )
        + "".join(seams)
        + _polygon(dress.facing, (-22, -58), (-13, 0), (13, 0), (22, -58))
        + "".join(belts)
        + _disc(0, -27.5, 7, dress.hat)
        + _disc(0, -27.5, 5, dress.belt)
        + _polygon(dress.facing, (-14, -68), (14, -68), (15, -57), (-15, -57))
    )


def _head(dress: _Dress) -> str:
    """Return the head of a soldier, whose collar is about 60 above 0."""
    return (
        _polygon(
            dress.skin,
            *((-13, -90), (13, -90), (13, -76), (9, -67), (0, -63), (-9, -67), (-13, -76)),
        )
        + _polygon(dress.hat, (-13, -90), (-13, -78), (-16, -80), (-16, -90))
        + _polygon(dress.hat, (13, -90), (13, -78), (16, -80), (16, -90))
        + _polygon(dress.hat, (-10, -73), (0, -77.5), (10, -73), (6, -71.5), (0, -74), (-6, -71.5))
    )


def _musket(dress: _Dress, x: float, foot: float, top: float) -> str:
    """Return an upright musket with its bayonet."""
    return _polygon(
        dress.hat, (x - 2.6, foot), (x - 1.4, top), (x + 1.4, top), (x + 2.6, foot)
    ) + _polygon(dress.belt, (x - 1.3, top + 1), (x, top - 30), (x + 1.3, top + 1))


def _draw_sun(scene: _Scene) -> Iterator[str]:
    """Yield a great sun with the ornament in it, over hills and a line of musketeers."""
    colours, h = scene.colours, scene.height
    yield _rectangle(0, 0, 100, h, colours.darker(0.3))
    x, y = 58.0, h * 0.4
    for radius, share in ((74, 0.18), (58, 0.04)):
        yield _disc(x, y, radius, colours.darker(share))
    yield _disc(x, y, 44, colours.lighter(0.0) if scene.stark else colours.lighter(0.16))
    yield _disc(x, y, 31, colours.light)
    yield _symbol(scene.ornament, x, y + 1, 41, colours.darker(0.62))
    far, near = colours.darker(0.5), colours.darker(0.86)
    base = h * 0.74
    hills = ((0, -3), (14, -13), (25, -4), (36, -10), (50, 3), (66, -6), (80, -16), (100, -2))
    yield _polygon(far, (0, h), *((px, base + dy) for px, dy in hills), (100, h))
    edge = h * 0.9
    yield _polygon(near, (0, h), (0, edge), (100, edge), (100, h))
    for n in range(13):
        yield _soldier(3 + n * 7.9, edge + 0.5, 15, near)
    top = edge - 36
    yield _rectangle(12.3, top, 0.9, 36, near)
    flag = ((13, 0.4), (31, 2.4), (26, 6), (31, 9.6), (13, 11.6))
    yield _polygon(colours.signal, *((px, top + dy) for px, dy in flag))


def _draw_lines(scene: _Scene) -> Iterator[str]:
    """Yield two battle lines over fields, seen from above: one turns the flank of the other."""
    colours, h = scene.colours, scene.height
    yield _rectangle(0, 0, 100, h, colours.ground)
    fields = (
        (0.34, ((0, 0), (46, 0), (30, 0.2), (0, 0.32))),
        (0.5, ((46, 0), (100, 0), (100, 0.14), (62, 0.3), (30, 0.2))),
        (0.4, ((100, 0.14), (100, 0.4), (72, 0.5), (62, 0.3))),
        (0.24, ((0, 0.32), (30, 0.2), (62, 0.3), (72, 0.5), (24, 0.72), (0, 0.62))),
        (0.12, ((0, 0.62), (24, 0.72), (34, 1), (0, 1))),
        (0.2, ((72, 0.5), (100, 0.4), (100, 0.74), (80, 0.8))),
    )
    for share, corners in fields:
        yield _polygon(colours.darker(share), *((x, y * h) for x, y in corners))
    pale = colours.ground if scene.stark else colours.lighter(0.16)
    yield _symbol(scene.ornament, 77, h * 0.76, h * 0.52, pale)
    slash, turn = colours.darker(0.55), -24
    shade = 1.0 if scene.stark else 0.6
    step, rise = 15.6, 6.95
    for n in range(5):
        yield _block((36 + n * step, h * 0.3 - n * rise), 14, turn, colours.signal, front=slash)
    for n in (0, 2):
        x, y = 46 + n * step, h * 0.165 - n * rise
        yield _block((x, y), 14, turn, colours.signal, mix(colours.signal, slash, shade))
    second = mix(colours.light, colours.ground, 0.0 if scene.stark else 0.34)
    for n in range(5):
        middle = (16 + n * step, h * 0.73 - n * rise * 1.12)
        yield _block(middle, 14, turn, colours.light, front=slash)
    for n in range(4):
        horse = mix(second, slash, shade) if n in {0, 3} else ""
        x, y = 21 + n * step, h * 0.88 - n * rise * 1.12
        yield _block((x, y), 14, turn, second, horse, front=slash)
    yield _arrow((7, h * 0.66), (5, h * 0.36), (20, h * 0.3), colours.light, 1.7)
    yield _arrow((88, h * 0.4), (99, h * 0.27), (93, h * 0.13), colours.light, 1.7)


def _draw_rays(scene: _Scene) -> Iterator[str]:
    """Yield a soldier who raises his shako before a burst of rays, with his file beside him."""
    colours, h = scene.colours, scene.height
    yield _rectangle(0, 0, 100, h, colours.darker(0.25))
    x, y, reach, count = 48.0, h * 0.47, 60 + h, 22
    ray = colours.light if scene.stark else colours.lighter(0.14)
    for n in range(count):
        first, second = ((n + part) * 2 * pi / count for part in (-0.25, 0.25))
        points = ((x + reach * cos(a), y + reach * sin(a)) for a in (first, second))
        yield _polygon(ray, (x, y), *points)
    spikes, wide, narrow = 26, h * 0.46, h * 0.38
    points_of_burst = [
        (
            x + (wide if n % 2 else narrow) * cos(n * pi / spikes),
            y + (wide if n % 2 else narrow) * sin(n * pi / spikes),
        )
        for n in range(2 * spikes)
    ]
    yield _polygon(colours.signal, *points_of_burst)
    if scene.stark:
        yield _disc(x, y, h * 0.37, colours.ground)
    yield _disc(x, y, h * 0.35, colours.light)
    dark = colours.darker(0.6)
    skin = colours.light if scene.stark else mix(colours.light, colours.signal, 0.4)
    far = _Dress(colours.darker(0.45), colours.darker(0.3), colours.lighter(0.4), dark, skin)
    near = _Dress(colours.ground, colours.signal, colours.light, dark, skin)
    if scene.stark:
        far = near
    file = _coat(far) + _head(far) + _placed(_shako(far, scene.ornament), 0, -88, 1)
    # Each musket stands beside its soldier's shako, so that none rises from another man's head.
    for place, side in ((7, 22), (26.5, 0), (70, -22), (90, -22)):
        musket = _musket(far, side, 0, -118) if side else ""
        yield _placed(file + musket, place, h + 1, h * 0.0042)
    yield _placed(_cheering(near, scene.ornament), 45, h + 1, h * 0.0056)


def _cheering(dress: _Dress, badge: str) -> str:
    """Return a bareheaded soldier who raises his shako; his waist is at 0."""
    arm = ((33, -55), (46, -44), (58, -70), (70, -104), (57, -108), (45, -78), (36, -66))
    return (
        _musket(dress, -50, 0, -104)
        + _polygon(dress.coat, *arm)
        + _coat(dress)
        + _head(dress)
        + _polygon(
            dress.hat,
            *((-17, -80), (-18, -94), (-10, -102), (3, -103), (14, -99), (18, -92), (17, -80)),
            *((13, -88), (2, -92), (-9, -89), (-13, -84)),
        )
        + _polygon(dress.hat, (-6, -70), (6, -70), (4, -66), (-4, -66))
        + _placed(_shako(dress, badge), 68, -118, 0.92, 24)
        + _polygon(dress.facing, (70, -103), (57, -107), (55, -100), (67, -96))
        + _placed(_fist(dress), 64.5, -109, 1.1, 24)
    )


def _fist(dress: _Dress) -> str:
    """Return a closed hand about 15 wide and high, with its middle at 0: four fingers, a thumb."""
    hand = ((-7, -6), (-5.5, -8), (6, -8), (7.5, -6), (7.5, 3), (5.5, 8), (-5.5, 8), (-7.5, 3))
    thumb = ((-7.5, 0.6), (0, -1), (4.6, -0.4), (5.4, 1.6), (4, 3.4), (-1, 3.2), (-6, 5.6))
    edge = tuple((x, y - 0.9) for x, y in thumb[:4])
    return (
        _polygon(dress.skin, *hand)
        + "".join(
            _polygon(dress.hat, (x - 0.4, -8), (x + 0.4, -8), (x + 0.2, -1), (x - 0.2, -1))
            for x in (-3.4, 0.2, 3.8)
        )
        + _polygon(dress.hat, *edge, *reversed(thumb[:4]))
        + _polygon(dress.skin, *thumb)
    )


_CARD = (56.0, 80.0)
"""Width and height of a playing card."""


def _card(face: str, edge: str) -> str:
    """Return an empty playing card, whose middle is at 0."""
    width, height = _CARD
    sizes = f'x="{-width / 2}" y="{-height / 2}" width="{width}" height="{height}"'
    inner = f'x="{3 - width / 2}" y="{3 - height / 2}" width="{width - 6}" height="{height - 6}"'
    return (
        f'<rect {sizes} rx="4" fill="{face}" stroke="{edge}" stroke-width="0.9"/>'
        f'<rect {inner} rx="2" fill="none" stroke="{edge}" stroke-width="0.5"/>'
    )


def _diamond(x: float, y: float, size: float, fill: str) -> str:
    half, tall = size * 0.38, size * 0.5
    return _polygon(fill, (x, y - tall), (x + half, y), (x, y + tall), (x - half, y))


def _draw_card(scene: _Scene) -> Iterator[str]:
    """Yield three playing cards: on the first, two skirmishers as on a court card."""
    colours, h = scene.colours, scene.height
    dark = colours.darker(0.62)
    paper = colours.light
    yield _rectangle(0, 0, 100, h, colours.ground)
    if not scene.stark:
        for n in range(-6, 7):
            x = 50 + n * 17
            yield _polygon(colours.darker(0.14), (x, 0), (x + 8.5, 0), (x - 21.5, h), (x - 30, h))
    size = h * 0.0112
    edge = colours.ground if scene.stark else dark
    black = _card(paper, edge) + _symbol(scene.ornament, 0, 0, 40, dark)
    black += _symbol(scene.ornament, -20, -31, 9, dark)
    red = _card(paper, edge) + _diamond(0, 0, 40, colours.signal)
    red += _diamond(20, -30.5, 10, colours.signal)
    yield _placed(black, 25, h * 0.54, size * 0.94, -15)
    yield _placed(red, 75, h * 0.54, size * 0.94, 15)
    skin = paper if scene.stark else mix(paper, colours.signal, 0.3)
    ours = _Dress(colours.ground, colours.signal, paper, dark, skin)
    red_coat = colours.ground if scene.stark else colours.signal
    theirs = _Dress(red_coat, colours.ground, paper, dark, skin)
    court = _card(paper, edge)
    for dress, turn in ((ours, 0), (theirs, 180)):
        bust = (
            _musket(dress, -50, 0, -92)
            + _coat(dress)
            + _head(dress)
            + _placed(_shako(dress, scene.ornament), 0, -88, 1)
        )
        court += _placed(_placed(bust, 1.5, 0, 0.255), 0, 0, 1, turn)
    pips = _symbol(scene.ornament, -20.5, -31, 9, dark)
    court += pips + _placed(_diamond(-20.5, -31, 10, colours.signal), 0, 0, 1, 180)
    band = ((-25, 4.4), (-25, -0.6), (25, -4.4), (25, 0.6))
    court += _polygon(edge, *band)
    court += _polygon(paper if scene.stark else colours.signal, *((x, y * 0.62) for x, y in band))
    yield _placed(court, 50, h * 0.5, size)


_COLUMNS = 4
_PATTERN = "oahx hxoa aohx xhao oxah hoxa"
"""The shapes of a board, row by row: `o` an ornament, `a` an arm, `h` and `x` a half."""


def _draw_discs(scene: _Scene) -> Iterator[str]:
    """Yield a board of arms and halves, with the ornament turned all ways on some."""
    colours, size = scene.colours, 100 / _COLUMNS
    dark, deep = colours.darker(0.5), colours.darker(0.74)
    # Ground and shape of a tile, which differ enough to be seen in grey as well.
    pairs: tuple[tuple[str, str], ...] = (
        (colours.ground, colours.light),
        (deep, colours.ground),
        (colours.light, dark),
        (colours.signal, deep),
        (dark, colours.light),
    )
    if scene.stark:
        pairs = ((colours.ground, colours.light), (colours.light, colours.ground))
    rows = max(round(scene.height / size), 1)
    tall = scene.height / rows
    for place in range(rows * _COLUMNS):
        row, column = divmod(place, _COLUMNS)
        back, front = pairs[(row * 2 + column + row // 2) % len(pairs)]
        left, top = column * size, row * tall
        # A little more than a tile, so that no light shows between two.
        yield _rectangle(left, top, size + 0.1, tall + 0.1, back)
        x, y, radius = left + size / 2, top + tall / 2, min(size, tall) / 2
        kind = _PATTERN.split()[row % len(_PATTERN.split())][column]
        turn = (row * 3 + column * 2 + place // 3) % 4 * 90
        if kind == "o" and scene.ornament:
            yield _symbol(scene.ornament, x, y, radius * 1.64, front, turn)
        elif kind in "oa":
            yield _disc(x, y, radius * 0.82, front)
            arm = scene.arms[(row + column) % len(scene.arms)] if scene.arms else ""
            yield _symbol(arm, x, y, radius * 1.16, back) or _disc(x, y, radius * 0.36, back)
        else:
            yield _half(x, y, radius, turn, front)


def _half(x: float, y: float, radius: float, turn: float, fill: str) -> str:
    """Return half a disc, its flat side down, turned by some degrees."""
    r = _number(radius)
    place = f"translate({_number(x)} {_number(y)}) rotate({_number(turn)})"
    return f'<path transform="{place}" d="M-{r} 0 A{r} {r} 0 0 1 {r} 0 Z" fill="{fill}"/>'


_SCENES: dict[str, Callable[[_Scene], Iterator[str]]] = {
    "sun": _draw_sun,
    "lines": _draw_lines,
    "rays": _draw_rays,
    "card": _draw_card,
    "discs": _draw_discs,
}
