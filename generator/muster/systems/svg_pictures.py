"""Check an SVG from a stranger, and write it anew from what is allowed in it.

Shapes, groups and gradients are allowed. Scripts, style sheets, text (it would need fonts), other
pictures and addresses are refused, each at its line and column. What drawing programs note for
themselves, in names of their own, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NoReturn
from xml.parsers import expat

from muster.limits import MAX_DRAWING_DEPTH, MAX_DRAWING_ELEMENTS
from muster.problems import MusterError, Problem
from muster.yamlfile.textfile import problem_at, split_lines

_SVG: Final = "http://www.w3.org/2000/svg"
_LINK_NAMES = frozenset({"href", "http://www.w3.org/1999/xlink|href"})
_BETWEEN = "|"
"""What stands between the namespace and the name of an element or attribute."""

_SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
_GRADIENTS = frozenset({"linearGradient", "radialGradient"})
_ELEMENTS = _SHAPES | _GRADIENTS | {"svg", "g", "defs", "stop"}
_IGNORED = frozenset({"title", "desc", "metadata"})
"""Elements that are left out with all that they hold: the picture's `alt:` says what it shows."""

_PAINT = frozenset({
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity",
    "color", "stop-color", "stop-opacity", "display", "visibility",
})  # fmt: skip
_PLACES = frozenset({
    "id", "d", "points", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2",
    "y2", "fx", "fy", "transform", "offset", "gradientUnits", "gradientTransform", "spreadMethod",
})  # fmt: skip
_WORDS = frozenset({
    "id", "d", "points", "gradientUnits", "spreadMethod", "fill", "fill-rule", "stroke",
    "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "color", "stop-color", "display",
    "visibility",
})  # fmt: skip
"""Attributes that are not one length; of the others, those that transform are checked apart."""
_CUTTING = frozenset({"clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end"})
_DROPPED = frozenset({"version", "class", "enable-background", "xml:space", "baseProfile"})
"""Attributes without an effect on what is allowed, which drawing programs write."""

_VALUE = re.compile(r"[A-Za-z0-9#%.,()+\-_ \t\n\r]*")
_HEXADECIMAL = re.compile(r"#[0-9A-Fa-f]*")
_HUGE = re.compile(r"(?<![\d.])\d{8,}|\d[eE](?:\+?\d\d|-\d{3})")
"""A number that no drawing needs, and that may be too large to calculate with."""
_REFERENCE = re.compile(r"url\(#[A-Za-z][\w.\-]*\)")
_LINK = re.compile(r"#[A-Za-z][\w.\-]*")
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?"
_PLAIN = re.compile(_NUMBER)
_LENGTH = re.compile(rf"{_NUMBER}(?:px|pt|mm|cm|in|em|%)?")
_TRANSFORM = re.compile(
    r"\s*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*"
    rf"\(\s*{_NUMBER}(?:(?:[\s,]+|(?=[+\-.])){_NUMBER}){{0,5}}\s*\)[\s,]*)*"
)
_SPACE = re.compile(r"[\s,]+")
_LARGEST_SIZE = 100_000
_MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class SvgPicture:
    """An SVG that was written anew, and its size in its own units."""

    data: bytes
    width: float
    height: float


def clean_svg(text: str, file: str) -> SvgPicture:
    """Return an SVG written anew from what is allowed in it.

    Raises:
        MusterError: If it cannot be read as XML, or holds anything that is not allowed, with the
            first place of it in the *file*.
    """
    return _Cleaner(text, file).clean()


class _Cleaner:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._parts: list[str] = []
        self._open: list[str] = []
        """The names of the elements that are open; empty for one that is left out."""
        self._skipped = 0
        """How many elements are open that are left out."""
        self._count = 0
        self._size = (0.0, 0.0)
        self._parser = expat.ParserCreate(namespace_separator=_BETWEEN)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.ProcessingInstructionHandler = self._refuse_instruction

    def clean(self) -> SvgPicture:
        try:
            self._parser.Parse(self._text, True)  # noqa: FBT003 - its only form
        except expat.ExpatError as error:
            place = error.lineno, error.offset + 1
            self._fail("not-xml", f"cannot be read as XML: {expat.ErrorString(error.code)}", place)
        return SvgPicture("".join(self._parts).encode(), *self._size)

    def _fail(self, code: str, text: str, place: tuple[int, int] | None = None) -> NoReturn:
        here = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        raise MusterError([self._problem(code, text, place or here)])

    def _problem(self, code: str, text: str, place: tuple[int, int]) -> Problem:
        return problem_at(code, text, self._file, split_lines(self._text), place)

    def _refuse_doctype(self, *_: object) -> None:
        self._fail("bad-drawing", "read a document type, expected none; remove the `<!DOCTYPE …>`")

    def _refuse_instruction(self, target: str, _: str) -> None:
        self._fail("bad-drawing", f"read the instruction {target!r}, expected none; remove it")

    def _start(self, full_name: str, attributes: dict[str, str]) -> None:
        space, _, name = full_name.rpartition(_BETWEEN)
        if self._skipped or (self._open and (space != _SVG or name in _IGNORED)):
            if name in {"script", "style", "foreignObject"}:
                self._refuse_element(name)
            self._skipped += 1
            return
        if not self._open and full_name != f"{_SVG}{_BETWEEN}svg":
            text = f'read the element {name!r}, expected `<svg xmlns="{_SVG}" viewBox=…>`'
            self._fail("bad-drawing", text)
        if name not in _ELEMENTS or (name == "svg" and self._open):
            self._refuse_element(name)
        self._count += 1
        if self._count > MAX_DRAWING_ELEMENTS:
            self._fail("bad-drawing", f"a drawing may have at most {MAX_DRAWING_ELEMENTS} elements")
        if len(self._open) >= MAX_DRAWING_DEPTH:
            text = f"groups may stand within each other at most {MAX_DRAWING_DEPTH} deep"
            self._fail("bad-drawing", text)
        # What passes has no character that would have to be escaped.
        written = "".join(f' {key}="{value}"' for key, value in self._attributes(name, attributes))
        self._parts.append(f"<{name}{written}>")
        self._open.append(name)

    def _end(self, _: str) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self._parts.append(f"</{self._open.pop()}>")

    def _refuse_element(self, name: str) -> NoReturn:
        hints = {
            "text": "; turn text into paths",
            "style": "; save the drawing with presentation attributes",
            "use": "; turn clones into shapes of their own",
            "image": "; name a PNG or JPEG as a picture of its own",
        }
        text = f"read the element {name!r}, expected shapes, groups and gradients only"
        self._fail("bad-drawing", text + hints.get(name, ""))

    def _attributes(self, element: str, written: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the attributes that an element keeps."""
        if not self._open:
            yield from self._root_attributes(written)
        for key, value in written.items():
            if key in _LINK_NAMES and element in _GRADIENTS:
                if not _LINK.fullmatch(value):
                    self._refuse_value(key.rpartition(_BETWEEN)[2], value)
                yield "href", value
            elif key in _LINK_NAMES:
                self._refuse_value("href", value)
            elif key == "style":
                yield from self._style(value)
            elif key in _PAINT or (key in _PLACES and self._open):
                yield key, self._checked(key, value)
            elif key.startswith("on") or (
                self._open and _BETWEEN not in key and key not in _DROPPED
            ):
                self._refuse_attribute(key)

    def _root_attributes(self, written: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the namespace, the view box and the size, which is that of the view box."""
        box = written.get("viewBox", "")
        if not box:
            box = f"0 0 {written.get('width', '')} {written.get('height', '')}".replace("px", "")
        numbers = _SPACE.split(box.strip())
        good = len(numbers) == 4 and all(map(_PLAIN.fullmatch, numbers))  # noqa: PLR2004 - sides
        sizes = [float(each) for each in numbers[2:]] if good else []
        if not good or not all(0 < each <= _LARGEST_SIZE for each in sizes):
            self._fail("bad-drawing", f"read {box[:40]!r}, expected a viewBox such as '0 0 120 80'")
        self._size = sizes[0], sizes[1]
        yield "xmlns", _SVG
        yield "viewBox", " ".join(numbers)
        yield "width", numbers[2]
        yield "height", numbers[3]

    def _style(self, value: str) -> Iterator[tuple[str, str]]:
        """Yield the declarations of a style as attributes; those without an effect are left out."""
        for declaration in value.split(";"):
            key, _, setting = declaration.partition(":")
            key, setting = key.strip(), setting.strip()
            if key in _CUTTING and setting != "none":
                self._refuse_attribute(key)
            if key in _PAINT:
                yield key, self._checked(key, setting)

    def _checked(self, key: str, value: str) -> str:
        """Return a value, which may refer to nothing but a part of its own drawing."""
        rest = _REFERENCE.sub("", value)
        bad = not _VALUE.fullmatch(rest) or "url" in rest.lower()
        if bad or (key != "id" and _HUGE.search(_HEXADECIMAL.sub("", rest))):
            self._refuse_value(key, value)
        form = _TRANSFORM if key in {"transform", "gradientTransform"} else _LENGTH
        if key not in _WORDS and not form.fullmatch(value.strip()):
            example = "'rotate(45)'" if form is _TRANSFORM else "'1.5'"
            text = f"{key}: read {_shortened(value)!r}, expected a value such as {example}"
            self._fail("bad-drawing", text)
        return value

    def _refuse_value(self, key: str, value: str) -> NoReturn:
        text = f"{key}: read {_shortened(value)!r}, expected a value without addresses"
        self._fail("bad-drawing", f"{text}, such as '#1d3f6e' or 'url(#shade)'")

    def _refuse_attribute(self, key: str) -> NoReturn:
        text = f"read the attribute {key!r}, expected shapes, colours and places only; remove it"
        self._fail("bad-drawing", text)


def _shortened(value: str) -> str:
    """Return a value as a message shows it."""
    return value if len(value) <= _MOST_SHOWN else value[:_MOST_SHOWN] + "…"
