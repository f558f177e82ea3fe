"""Scenes: pieces of a diagram, such as units, arcs and arrows, on a canvas measured in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import cos, hypot, isclose, radians, sin
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from muster.limits import (
    MAX_BASES,
    MAX_DIRECTIONS,
    MAX_POINTS,
    MAX_SCENE_HEIGHT,
    MAX_SCENE_WIDTH,
)
from muster.values import DASH, Angle, Distance, Scaled, Span, Value
from muster.values.angle import BadAngle
from muster.values.distance import BadDistance, MeasureError
from muster.values.number import parse_number
from muster.yamlfile import Flag, Line, SignedNumber, StrictModel, WholeNumber

FULL_TURN = 360
MAX_SIGN = 3
"""Characters of a sign at a direction of a rose: more would run into its neighbours."""

BASES = {"foot": (4, 4), "horse": (4, 7), "gun": (7, 7), "officer": (5, 5)}
"""Width and depth of a base as drawn, in mm, by the arm of its figures."""

RawText = Any
"""A text before it is read: words, a length or an angle, one per scale, or `blank` for a box."""


def check_arc(text: str) -> str:
    """Return the text of an angle above 0° and below a full turn.

    Raises:
        BadAngle: If it is anything else.
    """
    if not 0 < Angle.parse(text).degrees < FULL_TURN:
        raise BadAngle(text, "an angle above 0° and below 360°,")
    return text


def check_size(size: Sequence[int]) -> Sequence[int]:
    """Return the width and height of a canvas that has room on every page.

    Raises:
        ValueError: If it is empty or too large.
    """
    limits = (MAX_SCENE_WIDTH, MAX_SCENE_HEIGHT)
    if not all(0 < side <= limit for side, limit in zip(size, limits, strict=True)):
        text = f"read a size of {size[0]} by {size[1]} mm, expected 1 to {limits[0]} by 1 to "
        raise ValueError(text + f"{limits[1]}")
    return size


def check_length(text: str) -> str:
    """Return the text of a length above 0 that needs no roll.

    Raises:
        BadDistance: If it is anything else.
    """
    amount = Distance.parse(text).amount
    if not isinstance(amount, Decimal) or amount <= 0:
        raise BadDistance(text, "a length above 0,")
    return text


def check_signs(signs: list[str]) -> list[str]:
    """Return the signs of a rose.

    Raises:
        ValueError: If one has no room.
    """
    for sign in signs:
        if len(sign) > MAX_SIGN and sign != "blank":
            text = f"read {sign!r}, expected at most {MAX_SIGN} characters, or `blank`"
            raise ValueError(text)
    return signs


def parse_measure(raw: Any) -> float:
    """Return a number of 0 or more, such as `12` or `2.5`.

    Raises:
        ValueError: If it is anything else.
    """
    number = parse_number(str(raw)[:_MOST_DIGITS]) if isinstance(raw, str | int) else None
    if number is None or not 0 <= number <= LARGEST_MEASURE:
        text = f"read {str(raw)[:30]!r}, expected a number from 0 to {LARGEST_MEASURE}, such as "
        raise ValueError(text + "12 or 2.5")
    return float(number)


LARGEST_MEASURE = 1000
SMALLEST_TABLETOP = 10
"""The largest number in a scene, which is the longest side of a table, too, and its shortest."""
_MOST_DIGITS = 10

Measure = Annotated[
    float,
    BeforeValidator(parse_measure),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": LARGEST_MEASURE}),
]
Millimetres = Annotated[Measure, Field(gt=0)]
Place = Annotated[list[Measure], Field(min_length=2, max_length=2)]
Degrees = Annotated[SignedNumber, Field(ge=-FULL_TURN, le=FULL_TURN)]
ArcAngle = Annotated[Line, AfterValidator(check_arc)]
Length = Annotated[Line, AfterValidator(check_length)]
Points = Annotated[list[Place], Field(min_length=2, max_length=MAX_POINTS)]


class WrittenPiece(StrictModel):
    """The keys that every piece of a scene has."""

    text: RawText = None
    """Words at the piece, such as `15cm`, which is printed in the edition's unit; one per scale,
    `{15mm: 4", 25mm: 6"}`; or `blank`, a box to write in. Default: none, or a dash.
    """


class WrittenUnit(WrittenPiece):
    """Bases with their figures."""

    kind: Literal["unit"]
    """`unit`: bases with figures; its text stands behind it."""
    at: Place
    """Middle of its front edge, `[x, y]` in mm from the left upper corner of the canvas."""
    face: Degrees = 0
    """Direction that it faces, in degrees clockwise; 0 is up the page. Default: 0."""
    arm: Literal["foot", "horse", "gun", "officer"] = "foot"
    """Figures: `foot`, `horse`, `gun` or `officer`. Default: foot."""
    side: Literal["own", "enemy"] = "own"
    """`own`, drawn on white bases, or `enemy`, on black ones. Default: own."""
    files: Annotated[WholeNumber, Field(ge=1, le=MAX_BASES)] = 1
    """Bases side by side. Default: 1."""
    ranks: Annotated[WholeNumber, Field(ge=1, le=MAX_BASES)] = 1
    """Bases one behind another. Default: 1."""
    base: Annotated[list[Millimetres], Field(min_length=2, max_length=2)] | None = None
    """Width and depth of a base as drawn, in mm. Default: as the arm needs."""
    figures: Annotated[WholeNumber, Field(le=6)] = 1
    """Figures side by side on a base, 0 to 6. Default: 1."""
    gap: Annotated[Measure, Field(le=20)] = 0
    """Gap between the bases, in mm. Default: 0, bases that touch."""
    ghost: Flag = False
    """`true` for a dashed outline: where the unit was, or may come to stand. Default: false."""


class WrittenArc(WrittenPiece):
    """An arc of fire or sight."""

    kind: Literal["arc"]
    """`arc`: a hatched sector; its text is the angle, unless another is written; a dash is none."""
    at: Place
    """Point from which it opens."""
    face: Degrees = 0
    """Direction of its middle, in degrees clockwise; 0 is up the page. Default: 0."""
    angle: ArcAngle
    """Angle from side to side, such as `45°`."""
    reach: Millimetres
    """Distance as drawn, in mm, to which it is shown."""


class WrittenCircle(WrittenPiece):
    """A distance all round, such as a command radius."""

    kind: Literal["circle"]
    """`circle`: a dashed circle; its text stands at its upper edge."""
    at: Place
    """Middle."""
    reach: Millimetres
    """Radius as drawn, in mm."""


class WrittenZone(WrittenPiece):
    """A rectangle of ground that a rule speaks of, such as a threat zone."""

    kind: Literal["zone"]
    """`zone`: a hatched rectangle; its text stands in the middle."""
    start: Place = Field(alias="from")
    """One corner."""
    to: Place
    """The opposite corner."""


class WrittenGround(WrittenPiece):
    """Ground, as on a map."""

    kind: Literal["ground"]
    """`ground`: a wood, a hill, rough ground or buildings; its text stands in the middle."""
    start: Place = Field(alias="from")
    """One corner of the rectangle that it fills."""
    to: Place
    """The opposite corner."""
    of: Literal["wood", "light-wood", "hill", "rough", "buildings"]
    """`wood`, `light-wood`, `hill`, `rough` or `buildings`."""


class WrittenLine(WrittenPiece):
    """A line, such as a flank line, a wall or an edge of the table."""

    kind: Literal["line"]
    """`line`: a line through points; its text stands beside its middle."""
    points: Points
    """Points in order."""
    style: Literal["solid", "dashed", "wall"] = "solid"
    """`solid`, `dashed` or `wall`. Default: solid."""


class WrittenArrow(WrittenPiece):
    """A move."""

    kind: Literal["arrow"]
    """`arrow`: a line through points with a head at its end; its text stands beside its middle."""
    points: Points
    """Points in order; the head is at the last."""
    style: Literal["solid", "dashed"] = "solid"
    """`solid` or `dashed`. Default: solid."""


class WrittenTurn(WrittenPiece):
    """A wheel or a turn."""

    kind: Literal["turn"]
    """`turn`: an arrow on a circle; its text stands outside its middle."""
    at: Place
    """Middle of the circle: the point on which something wheels."""
    face: Degrees = 0
    """Direction from there to the arrow's beginning, in degrees clockwise. Default: 0."""
    angle: Degrees
    """How far it turns, in degrees, clockwise if above 0."""
    reach: Millimetres
    """Radius as drawn, in mm."""


class WrittenMeasure(WrittenPiece):
    """A distance between two points."""

    kind: Literal["measure"]
    """`measure`: a line with a head at either end; its text stands beside its middle."""
    start: Place = Field(alias="from")
    """Where it begins."""
    to: Place
    """Where it ends."""
    style: Literal["line", "mark"] = "line"
    """`line`, or `mark`: only a mark at its end, with its text below. Default: line."""


class WrittenRosePiece(WrittenPiece):
    """A rose of directions within a scene."""

    kind: Literal["rose"]
    """`rose`: arrows from a point, with signs."""
    at: Place
    """Middle."""
    signs: Annotated[
        list[Line], Field(min_length=1, max_length=MAX_DIRECTIONS), AfterValidator(check_signs)
    ]
    """Sign of each direction, as in `rose:` of a drawing."""


class WrittenLabel(WrittenPiece):
    """Words."""

    kind: Literal["label"]
    """`label`: words by themselves."""
    at: Place
    """Where they stand."""
    align: Literal["left", "middle", "right"] = "middle"
    """Side of the words that is at that place. Default: middle."""


AnyPiece = Annotated[
    WrittenUnit
    | WrittenArc
    | WrittenCircle
    | WrittenZone
    | WrittenGround
    | WrittenLine
    | WrittenArrow
    | WrittenTurn
    | WrittenMeasure
    | WrittenRosePiece
    | WrittenLabel,
    Field(discriminator="kind"),
]
"""A piece of any kind."""

SceneSize = tuple[float, float]


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tabletop:
    """A table seen from above, drawn to scale with room around it for its measures."""

    width: Distance
    depth: Distance

    @property
    def measures(self) -> SceneSize:
        """Width and depth in its unit, as numbers."""
        return _number(self.width), _number(self.depth)

    @property
    def mm_each(self) -> float:
        """How long each centimetre or inch of the table is drawn, in mm."""
        return TABLETOP_MM / max(self.measures)

    @property
    def extent(self) -> SceneSize:
        """Width and height of the table as drawn, in mm."""
        width, depth = self.measures
        return width * self.mm_each, depth * self.mm_each

    @property
    def size(self) -> SceneSize:
        """Width and height of its canvas, in mm."""
        (width, height), (left, top) = self.extent, TABLETOP_CORNER
        return left + width + TABLETOP_EDGE, top + height + _BELOW_TABLETOP

    def draw(self, piece: Piece) -> Piece:
        """Return a piece, whose numbers are lengths on the table, as drawn on the canvas."""
        each, (left, top) = self.mm_each, TABLETOP_CORNER
        return replace(
            piece,
            points=tuple((left + x * each, top + y * each) for x, y in piece.points),
            reach=piece.reach * each,
            base=(piece.base[0] * each, piece.base[1] * each),
            gap=piece.gap * each,
        )


TABLETOP_MM = 76.0
"""Width, or if it is longer the depth, of a table as drawn, in mm."""

TABLETOP_EDGE = 1.2
"""Width of the edge that is drawn round a table, in mm."""

TABLETOP_CORNER = (5.2, 5.2)
"""Left upper corner of a table on its canvas, in mm; its width is above it, its depth beside."""

_BELOW_TABLETOP = 6.2
"""Room below a table for a scale, in mm."""


def _number(length: Distance) -> float:
    return float(length.amount) if isinstance(length.amount, Decimal) else 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a scene: its kind, its points in mm, and what else its kind needs.

    Angles are in degrees clockwise, and `face` 0 is up the page. A text that is blank is a box.
    """

    kind: str
    points: tuple[Point, ...]
    text: Value | None = None
    face: int = 0
    angle: float = 0
    reach: float = 0
    arm: str = ""
    side: str = ""
    files: int = 1
    ranks: int = 1
    base: SceneSize = (0, 0)
    figures: int = 1
    gap: float = 0
    ghost: bool = False
    style: str = ""
    signs: tuple[str, ...] = ()

    @property
    def size(self) -> SceneSize:
        """Width and depth of a unit, in mm."""
        width, depth = self.base
        return (
            self.files * (width + self.gap) - self.gap,
            self.ranks * (depth + self.gap) - self.gap,
        )

    @property
    def words(self) -> str:
        """The words at the piece, as printed; none for a box."""
        return self.text.show() if self.has_text and self.text else ""

    @property
    def has_text(self) -> bool:
        """Whether it has words or a box to write in."""
        return self.text is not None and self.text is not DASH

    def outline(self) -> Iterator[Point]:
        """Yield the outermost points of the piece, without its text."""
        match self.kind:
            case "unit":
                width, depth = self.size
                corners = [(x, y) for x in (-width / 2, width / 2) for y in (0, depth)]
                yield from (_turned(self.points[0], corner, self.face) for corner in corners)
            case "circle" | "rose":
                (x, y), reach = self.points[0], self.reach or ROSE_REACH
                yield from ((x - reach, y - reach), (x + reach, y + reach))
            case "arc" | "turn":
                first = self.face - self.angle / 2 if self.kind == "arc" else self.face
                if self.kind == "arc":
                    yield self.points[0]
                for n in range(17):
                    yield point_at(self.points[0], self.reach, first + self.angle * n / 16)
            case _:
                yield from self.points


ROSE_REACH = 11
"""Radius of a rose with its signs, in mm."""


def point_at(middle: Point, reach: float, face: float) -> Point:
    """Return the point in a direction from another, in degrees clockwise from up the page."""
    turn = radians(face)
    return middle[0] + reach * sin(turn), middle[1] - reach * cos(turn)


def point_towards(start: Point, end: Point, away: float) -> Point:
    """Return the point on a line that is so far from its start, or its end if that is nearer."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    part = min(away / length, 1) if length else 0
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _turned(middle: Point, offset: Point, face: float) -> Point:
    turn = radians(face)
    (x, y), (right, down) = middle, offset
    return x + right * cos(turn) - down * sin(turn), y + right * sin(turn) + down * cos(turn)


def build_piece(  # noqa: PLR0911 - one for each kind
    written: WrittenPiece, text: Value | None
) -> Piece:
    """Return a piece as a file writes it, with its text already read."""
    match written:
        case WrittenUnit():
            width, depth = written.base or BASES[written.arm]
            return Piece(
                written.kind,
                (_point(written.at),),
                text,
                face=written.face,
                arm=written.arm,
                side=written.side,
                files=written.files,
                ranks=written.ranks,
                base=(width, depth),
                figures=written.figures,
                gap=written.gap,
                ghost=written.ghost,
            )
        case WrittenArc():
            angle = Angle.parse(written.angle)
            return Piece(
                written.kind,
                (_point(written.at),),
                text or angle,
                face=written.face,
                angle=float(angle.degrees),
                reach=written.reach,
            )
        case WrittenCircle():
            return Piece(written.kind, (_point(written.at),), text, reach=written.reach)
        case WrittenZone() | WrittenMeasure() | WrittenGround():
            ends = (_point(written.start), _point(written.to))
            return Piece(written.kind, ends, text, style=_style_of(written))
        case WrittenLine() | WrittenArrow():
            points = tuple(_point(each) for each in written.points)
            return Piece(written.kind, points, text, style=written.style)
        case WrittenTurn():
            return Piece(
                written.kind,
                (_point(written.at),),
                text,
                face=written.face,
                angle=written.angle,
                reach=written.reach,
            )
        case WrittenRosePiece():
            signs = tuple("" if sign == "blank" else sign for sign in written.signs)
            return Piece(written.kind, (_point(written.at),), text, signs=signs)
        case WrittenLabel():
            return Piece(written.kind, (_point(written.at),), text, style=written.align)
    raise TypeError(type(written).__name__)


def _style_of(written: WrittenZone | WrittenMeasure | WrittenGround) -> str:
    match written:
        case WrittenMeasure(style=style) | WrittenGround(of=style):
            return style
    return ""


def _point(place: Sequence[float]) -> Point:
    return place[0], place[1]


TEXT_MM = 2.9
"""Size of the words in a drawing, in mm: a little more than 8 points."""

_CHARACTER_MM = 1.3
"""Width of an average character of these words."""


def scene_faults(piece: Piece, size: SceneSize, unit: str = "mm") -> Iterator[tuple[str, str]]:
    """Yield what keeps a piece from being drawn on a canvas or a table: codes and texts."""
    width, height = size
    slack = 0.01
    for x, y in piece.outline():
        if not (-slack <= x <= width + slack and -slack <= y <= height + slack):
            text = f"this {piece.kind} reaches to {x:.0f}, {y:.0f}, expected all of it within "
            yield "off-canvas", text + f"the canvas of {width:g} by {height:g} {unit}"
            break
    if unit == "mm" and len(piece.words) * _CHARACTER_MM > width:
        text = f"the text {piece.words!r} is too long for a canvas of {width:g} mm; shorten it"
        yield "long-text", text
    if piece.kind in {"line", "arrow", "measure"} and piece_length(piece) == 0:
        yield "no-length", f"this {piece.kind} has no length; its points must differ"
    if piece.kind in {"zone", "ground"} and not all(
        a != b for a, b in zip(piece.points[0], piece.points[1], strict=True)
    ):
        yield "no-length", f"this {piece.kind} has no size; its corners must differ in both numbers"
    if piece.kind == "label" and not piece.has_text:
        yield "no-text", "a label needs `text:`"


def piece_length(piece: Piece) -> float:
    """Return the length of a piece that has points, in mm."""
    pairs = zip(piece.points, piece.points[1:], strict=False)
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairs)


def scale_fault(piece: Piece, each: Distance, figure_scale: str) -> str:
    """Return what is wrong with the length of a piece to scale; nothing if it is drawn as written.

    A turn has no length, but has to go as far round as its text says.

    Args:
        piece: The piece, with its text.
        each: What 1 of its numbers stands for.
        figure_scale: The scale of figures that counts if its text differs by that.
    """
    text = piece.text
    if isinstance(text, Scaled) and figure_scale in text:
        text = text.at(figure_scale)
    if isinstance(text, Angle) and piece.kind == "turn":
        if isclose(abs(piece.angle), float(text.degrees)):
            return ""
        return f"this turn is drawn through {abs(piece.angle):g}°, and its text is {text}"
    if isinstance(text, Span) and text.band.high is not None:
        text = Distance(text.band.high, text.unit)
    lengths = _lengths_of(piece)
    if not lengths or not isinstance(text, Distance) or not isinstance(text.amount, Decimal):
        return ""
    try:
        stated = _number(text.to(each.unit))
    except MeasureError as error:
        return str(error)
    drawn = [length * _number(each) for length in lengths]
    if any(isclose(stated, length, rel_tol=_SCALE_TOLERANCE) for length in drawn):
        return ""
    found = " or ".join(f"{length:.4g}" for length in drawn)
    return f"this {piece.kind} is {found} {each.unit.value} long to scale, and its text is {text}"


_SCALE_TOLERANCE = 0.005


def _lengths_of(piece: Piece) -> list[float]:
    """Return the lengths that a text at a piece may state."""
    match piece.kind:
        case "measure" | "arrow" | "line":
            return [piece_length(piece)]
        case "circle":
            return [piece.reach]
        case "zone":
            (x1, y1), (x2, y2) = piece.points
            return [abs(x2 - x1), abs(y2 - y1)]
    return []
