"""Draw the cover of a book that has no picture: flat shapes in the colours of its system.

All lengths are in hundredths of the drawing's width, so that a scene fits any paper; y points down.
Nothing is random: the same look gives the same drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

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
    shapes = "".join(_SCENES[look.scene](scene))
    box = f"0 0 100 {_number(scene.height)}"
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


def _block(x: float, y: float, width: float, turn: float, fill: str, slash: str = "") -> str:
    """Return a formation seen from above, centred on a point; horse has a slash across it."""
    half, depth = width / 2, width * 0.21
    place = f"translate({_number(x)} {_number(y)}) rotate({_number(turn)})"
    body = _rectangle(-half, -depth, width, 2 * depth, fill)
    if slash:
        body += _polygon(slash, (-half, depth), (half, -depth), (half, depth))
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
    s = size
    return (
        _polygon(
            colour,
            (x - 0.16 * s, foot),
            (x - 0.2 * s, foot - 0.62 * s),
            (x - 0.1 * s, foot - 0.7 * s),
            (x + 0.1 * s, foot - 0.7 * s),
            (x + 0.2 * s, foot - 0.62 * s),
            (x + 0.16 * s, foot),
        )
        + _disc(x, foot - 0.78 * s, 0.1 * s, colour)
        + _polygon(
            colour,
            (x - 0.12 * s, foot - 0.84 * s),
            (x - 0.14 * s, foot - 1.08 * s),
            (x + 0.14 * s, foot - 1.08 * s),
            (x + 0.12 * s, foot - 0.84 * s),
        )
        + _polygon(
            colour,
            (x + 0.2 * s, foot - 0.3 * s),
            (x + 0.26 * s, foot - 0.3 * s),
            (x + 0.34 * s, foot - 1.62 * s),
            (x + 0.31 * s, foot - 1.62 * s),
        )
    )


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
    for n in range(15):
        yield _soldier(2.5 + n * 6.7, edge + 0.5, 9.4, near)
    top = edge - 30
    yield _rectangle(12.3, top, 0.9, 30, near)
    flag = ((13, 0.4), (31, 2.4), (26, 6), (31, 9.6), (13, 11.6))
    yield _polygon(colours.signal, *((px, top + dy) for px, dy in flag))


def _draw_lines(scene: _Scene) -> Iterator[str]:
    """Yield two battle lines seen from above: one in echelon turns the flank of the other."""
    colours, h = scene.colours, scene.height
    yield _rectangle(0, 0, 100, h, colours.ground)
    yield _polygon(colours.darker(0.32), (0, 0), (100, 0), (100, h * 0.34), (0, h * 0.6))
    yield _polygon(colours.darker(0.48), (0, 0), (62, 0), (0, h * 0.36))
    pale = colours.darker(0.14) if not scene.stark else colours.ground
    yield _symbol(scene.ornament, 76, h * 0.73, 54, pale)
    yield _symbol(scene.ornament, 17, h * 0.16, 19, colours.light)
    slash, turn = colours.darker(0.45), -21
    for n in range(5):
        yield _block(40 + n * 13.5, h * 0.3 - n * 5.2, 12, turn, colours.signal)
    for n in (1, 3):
        x, y = 38.6 + n * 13.5, h * 0.3 - 8 - n * 5.2
        yield _block(x, y, 12, turn, colours.signal, slash)
    second = mix(colours.light, colours.ground, 0.0 if scene.stark else 0.34)
    for n in range(6):
        yield _block(13 + n * 13.4, h * 0.82 - n * 8.2, 12, turn, colours.light)
    for n in range(4):
        horse = slash if n in {0, 3} else ""
        yield _block(22 + n * 13.4, h * 0.93 - n * 8.2, 12, turn, second, horse)
    yield _arrow((10, h * 0.74), (9, h * 0.44), (25, h * 0.34), colours.light, 1.3)
    yield _arrow((85, h * 0.47), (95, h * 0.36), (93, h * 0.2), colours.light, 1.3)


def _draw_rays(scene: _Scene) -> Iterator[str]:
    """Yield a burst of rays with the ornament in its middle, and the arms in a row below."""
    colours, h = scene.colours, scene.height
    yield _rectangle(0, 0, 100, h, colours.darker(0.25))
    x, y, reach, count = 50.0, h * 0.45, 60 + h, 22
    ray = colours.light if scene.stark else colours.lighter(0.14)
    for n in range(count):
        first, second = ((n + part) * 2 * pi / count for part in (-0.25, 0.25))
        points = ((x + reach * cos(a), y + reach * sin(a)) for a in (first, second))
        yield _polygon(ray, (x, y), *points)
    spikes = 26
    points_of_burst = [
        (
            x + (41 if n % 2 else 33) * cos(n * pi / spikes),
            y + (41 if n % 2 else 33) * sin(n * pi / spikes),
        )
        for n in range(2 * spikes)
    ]
    yield _polygon(colours.signal, *points_of_burst)
    if scene.stark:
        yield _disc(x, y, 32, colours.ground)
    yield _disc(x, y, 30, colours.light)
    yield _symbol(scene.ornament, x, y - 1, 46, colours.darker(0.55))
    arms = scene.arms
    base = h * 0.9
    yield _rectangle(0, base - 9, 100, h - base + 9, colours.darker(0.62))
    for n, arm in enumerate(arms * (6 // len(arms)) if arms else ()):
        yield _symbol(arm, 100 / 6 * (n + 0.5), (base - 9 + h) / 2, 10.5, colours.light)


def _blob(x: float, y: float, radius: float, turn: float, fill: str) -> str:
    """Return a closed curve around a point, the shape of a hill on a map."""
    count = 72
    points = []
    for n in range(count):
        angle = n * 2 * pi / count
        r = radius * (1 + 0.16 * sin(2 * angle + turn) + 0.09 * sin(3 * angle + 2 * turn))
        points.append((x + 1.25 * r * cos(angle), y + r * sin(angle)))
    return _polygon(fill, *points)


_OUR_FIGURES = (
    *((8, 0.93), (17, 0.86), (27, 0.9), (36, 0.83)),
    *((46, 0.86), (55, 0.79), (22, 0.78), (41, 0.75)),
)
_THEIR_FIGURES = ((66, 0.16), (74, 0.24), (86, 0.2), (80, 0.34), (92, 0.36), (61, 0.3))
"""How far to the right each figure stands, and how far down, as a share of the height."""


def _draw_contours(scene: _Scene) -> Iterator[str]:
    """Yield a map of two hills and a river, with single figures in open order about them."""
    colours, h = scene.colours, scene.height
    paper = colours.light if scene.stark else mix(colours.light, colours.ground, 0.12)
    yield _rectangle(0, 0, 100, h, paper)
    hills = ((30, h * 0.24, 42, 0.4), (84, h * 0.66, 36, 2.1))
    steps = 6
    for x, y, radius, turn in hills:
        for n in range(steps):
            share = 0.2 + 0.15 * n
            fill = mix(colours.light, colours.ground, share)
            if scene.stark:
                fill = colours.light if n % 2 else colours.ground
            yield _blob(x, y, radius * (1 - n / (steps + 0.6)), turn + n * 0.12, fill)
    bends = (_number(h * share) for share in (0.7, 0.52, 0.72, 0.52, 0.3, 0.12))
    river = "M-3 {} C20 {} 42 {} 52 {} S78 {} 104 {}".format(*bends)
    yield _path(river, colours.darker(0.55), 5)
    yield _path(river, mix(colours.light, colours.ground, 0.0 if scene.stark else 0.5), 3.2)
    yield _symbol(scene.ornament, 29, h * 0.235, 27, colours.light)
    for x, share in _OUR_FIGURES:
        yield _figure(x, h * share, -35, colours.darker(0.6), paper)
    for x, share in _THEIR_FIGURES:
        yield _figure(x, h * share, 145, colours.signal, paper)
    yield _arrow((38, h * 0.7), (48, h * 0.6), (56, h * 0.36), colours.darker(0.6), 1.1)


def _figure(x: float, y: float, turn: float, colour: str, edge: str) -> str:
    """Return a single figure seen from above: a round base with a point towards its front."""
    place = f"translate({_number(x)} {_number(y)}) rotate({_number(turn)})"
    base = _disc(0, 0, 3.1, edge) + _disc(0, 0, 2.6, colour)
    return f'<g transform="{place}">{base}{_polygon(colour, (2.2, -1.5), (5.4, 0), (2.2, 1.5))}</g>'


_COLUMNS = 4
_PATTERN = "oxhx hoxh xhod doho hxhx oxdo"
"""The shapes of a board, row by row: `o` an ornament, `d` a disc, `h` and `x` a half."""


def _draw_discs(scene: _Scene) -> Iterator[str]:
    """Yield a board of discs and halves, with the ornament turned all ways on some."""
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
        elif kind in "od":
            yield _disc(x, y, radius * 0.82, front) + _disc(x, y, radius * 0.36, back)
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
    "contours": _draw_contours,
    "discs": _draw_discs,
}
