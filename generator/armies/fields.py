"""Owns the fields of a list or a profile: their forms, how one is read, shown and compared.

Does not know which entry takes which field; `composition` does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from generator.reading import did_you_mean
from generator.values import BLANK, DASH, FORMS, Value, read_cell

FieldValue = str | int | Decimal | Value
"""A flag is a `bool`, a choice the id chosen, `points` and nothing else a bare Decimal."""

OWN_FORMS = ("choice", "whole", "flag", "line", "points")
LONGEST_LINE = 300
_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")
_POINTS = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?")


class BadFieldError(ValueError):
    """Say what was read in a field, and what form was expected, with an example."""

    def __init__(self, read: Any, expected: str, example: str = "") -> None:
        self.example = example
        shown = repr(read) if isinstance(read, str) else _kind(read)
        if len(shown) > 60:  # noqa: PLR2004
            shown = f"{shown[:57]}…"
        super().__init__(f"read {shown}, expected {expected}")


def _kind(read: Any) -> str:
    return "a list" if isinstance(read, list) else "a mapping"


def known_forms() -> list[str]:
    """List every form that a field may have."""
    return [*OWN_FORMS, *(form for form in FORMS if form not in OWN_FORMS)]


def read_points(text: Any) -> Decimal:
    """Read points: an exact number with at most four places.

    Raises:
        BadFieldError: If the text is no such number.
    """
    if not isinstance(text, str) or not _POINTS.fullmatch(text):
        raise BadFieldError(text, "a number of points", "12.5")
    return Decimal(text)


def read_whole(text: Any) -> int:
    """Read a whole number of up to nine digits; no sign, no leading zero.

    Raises:
        BadFieldError: If the text is no such number.
    """
    if not isinstance(text, str) or not _WHOLE.fullmatch(text):
        raise BadFieldError(text, "a whole number", "4")
    return int(text)


def read_field(
    form: str, choices: Mapping[str, str], raw: Any, scales: Collection[str] = ()
) -> FieldValue:
    """Read a field's value as it was written.

    Args:
        form: One of `known_forms()`.
        choices: For a choice: id -> title.
        raw: What stands in the file; a value form takes mappings too.
        scales: The ids of the system's scales.

    Raises:
        ValueError: If it does not have the form; the message says which was expected.
    """
    if form not in OWN_FORMS:
        return read_cell(raw, form, scales)
    if not isinstance(raw, str):
        raise BadFieldError(raw, _EXPECTED.get(form, "text"))
    if form == "whole":
        return read_whole(raw)
    if form == "points":
        return read_points(raw)
    if form == "flag":
        if raw not in ("true", "false"):
            raise BadFieldError(raw, "true or false", "true")
        return raw == "true"
    if form == "choice":
        if raw not in choices:
            hint = did_you_mean(raw, choices)
            raise BadFieldError(raw, f"one of {', '.join(choices)}{hint}", next(iter(choices), ""))
        return raw
    if not raw or len(raw) > LONGEST_LINE or "\n" in raw:
        raise BadFieldError(raw, f"one line of at most {LONGEST_LINE} characters")
    return raw


_EXPECTED = {
    "whole": "a whole number",
    "points": "a number of points",
    "flag": "true or false",
    "choice": "one of the choices",
}


def absent(value: FieldValue | None) -> bool:
    """Tell whether a value is missing, blank or a dash."""
    return value is None or value is BLANK or value is DASH


def as_text(value: FieldValue | None) -> str:
    """Give a value as a file writes it, to compare it with what a constraint names."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def as_number(value: FieldValue | None) -> Decimal | int:
    """Give a value as a number to sum up; what is no number counts 0."""
    if isinstance(value, int | Decimal):
        return value
    return 0


def show(value: FieldValue | None, choices: Mapping[str, str]) -> str:
    """Give a value as a page shows it: the title of a choice, `yes` and `no` for a flag."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, str):
        return choices.get(value, value)
    return value.show()


def plain(number: Decimal | int) -> str:
    """Write a number without needless zeros or exponent, and with a true minus sign."""
    if isinstance(number, int):
        return str(number).replace("-", "−")
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")
