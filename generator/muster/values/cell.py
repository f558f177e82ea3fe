"""Parse a cell as it is written in a file into its value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final, Protocol, Self

from muster.problems import closest_word
from muster.values.absent import BLANK, DASH
from muster.values.angle import Angle
from muster.values.band import Band
from muster.values.cost import Cost
from muster.values.count import Count
from muster.values.dice import Dice
from muster.values.distance import Distance, Span
from muster.values.fraction import Fraction
from muster.values.modifier import Modifier
from muster.values.number import Number
from muster.values.percent import Percent
from muster.values.scaled import MIN_SCALES, BadScaled, Scaled
from muster.values.target import Target
from muster.values.text import Text
from muster.values.value import BadValue, Value


class Parsed(Value, Protocol):
    """A value that is parsed from one text."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the value of a text; `str()` turns it into text again."""
        ...


class BadForm(BadValue):
    """Raised when there is no such form."""

    form = "a form of values"
    sample = "distance"


class BadCell(BadValue):
    """Raised when a cell is neither a text, nor words, nor a value per scale."""

    form = "text, {text: words} or a value per scale"
    sample = '15cm, {text: as Light} or {15mm: 6", 25mm: 9"}'


FORMS: Final[Mapping[str, type[Parsed]]] = MappingProxyType(
    {
        "number": Number,
        "fraction": Fraction,
        "percent": Percent,
        "dice": Dice,
        "band": Band,
        "target": Target,
        "distance": Distance,
        "range": Span,
        "angle": Angle,
        "modifier": Modifier,
        "count": Count,
        "cost": Cost,
        "text": Text,
    }
)
"""Each `form:` of a column or table, and the type that parses it."""


def parse_value(form: str, text: str) -> Value:
    """Return the value of a text in a form; a dash or `blank` has no special meaning here.

    Raises:
        BadValue: If there is no such form, or the text is not one of its values.
    """
    parsed = FORMS.get(form)
    if parsed is None:
        raise BadForm(form, f"a form, one of {', '.join(FORMS)},", _closest_word(form, FORMS))
    return parsed.parse(text)


def read_cell(raw: object, form: str, scales: Collection[str] = ()) -> Value:
    """Return the value of a cell as YAML gives it: a text, `{text: …}`, or a value per scale.

    A dash (`–` or `-`) and `blank` mean the same in every form, `text` included.

    Args:
        raw: The cell; all of its scalars are text.
        form: The form of its text, unless it is prose (`{text: …}`).
        scales: The ids of the system's scales.

    Raises:
        BadValue: If it is anything else, or names a scale that the system does not have.
    """
    if isinstance(raw, str):
        return _parse_text(raw, form)
    if not isinstance(raw, Mapping):
        raise BadCell(_describe(raw))
    if raw.keys() == {"text"}:
        return _parse_prose(raw["text"])
    for scale in raw:
        if not isinstance(scale, str):
            raise BadCell(_describe(raw))
        if scale not in scales:
            raise _unknown_scale_error(scale, scales)
    if len(raw) < MIN_SCALES:
        raise BadScaled(_describe(raw))
    return Scaled({scale: _parse_at_scale(value, form) for scale, value in raw.items()})


def _parse_text(text: str, form: str) -> Value:
    # Dashes and blanks are short, so a long text need not be stripped to be compared.
    stripped = text.strip() if len(text) <= len(" blank ") else text
    if stripped in {"–", "-"}:
        return DASH
    if stripped == "blank":
        return BLANK
    return parse_value(form, text)


def _parse_at_scale(raw: object, form: str) -> Value:
    if isinstance(raw, str):
        return _parse_text(raw, form)
    if isinstance(raw, Mapping) and raw.keys() == {"text"}:
        return _parse_prose(raw["text"])
    raise BadCell(_describe(raw), "text or {text: words} at each scale,", '{15mm: 6", 25mm: 9"}')


def _parse_prose(raw: object) -> Text:
    if not isinstance(raw, str):
        raise BadCell(_describe(raw), "words,", "{text: as Light}")
    return Text.parse(raw)


def _unknown_scale_error(scale: str, scales: Collection[str]) -> BadScaled:
    if not scales:
        return BadScaled(scale, "a plain value, since this system has no scales,", "15cm")
    known = ", ".join(scales)
    expected = f"one of the system's scales ({known})"
    return BadScaled(scale, expected, _closest_word(scale, scales))


def _closest_word(word: str, known: Collection[str]) -> str:
    return closest_word(word, known) or next(iter(known))


def _describe(raw: object) -> str:
    """Return words for what is not a text, without walking through large or deep data."""
    match raw:
        case Mapping():
            keys = [key[:20] for key in islice(raw, 3) if isinstance(key, str)]
            return f"{{{', '.join(keys)}: …}}"
        case list() | tuple():
            return "a list"
        case None:
            return "nothing"
    return type(raw).__name__
