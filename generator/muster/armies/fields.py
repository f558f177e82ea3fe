"""Read, compare and word the values of a list's fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from muster.problems import did_you_mean
from muster.values import BLANK, DASH, FORMS, Value, read_cell

FieldValue = str | int | Decimal | Value
"""A flag is a `bool`, a choice the id chosen, `points` and nothing else a bare Decimal."""

OWN_FORMS = ("choice", "whole", "flag", "line", "points")
MAX_LINE_LENGTH = 300
_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")
_POINTS = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?")


class BadFieldError(ValueError):
    """Say what was read in a field, and what form was expected, with an example."""

    def __init__(self, read: Any, expected: str, example: str = "") -> None:
        self.example = example
        shown = repr(read) if isinstance(read, str) else _container_name(read)
        if len(shown) > 60:  # noqa: PLR2004
            shown = f"{shown[:57]}…"
        super().__init__(f"read {shown}, expected {expected}")


def _container_name(read: Any) -> str:
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
    if not raw or len(raw) > MAX_LINE_LENGTH or "\n" in raw:
        raise BadFieldError(raw, f"one line of at most {MAX_LINE_LENGTH} characters")
    return raw


_EXPECTED = {
    "whole": "a whole number",
    "points": "a number of points",
    "flag": "true or false",
    "choice": "one of the choices",
}


def is_absent(value: FieldValue | None) -> bool:
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


def show_field(value: FieldValue | None, choices: Mapping[str, str]) -> str:
    """Give a value as a page shows it: the title of a choice, `yes` and `no` for a flag."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return format_number(value)
    if isinstance(value, str):
        return choices.get(value, value)
    return value.show()


def format_number(number: Decimal | int) -> str:
    """Write a number without needless zeros or exponent, and with a true minus sign."""
    if isinstance(number, int):
        return str(number).replace("-", "−")
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


AmountRange = tuple[Decimal, Decimal | None]
"""Least and greatest of a run of numbers, both included; None is without end."""

_MAX_LISTED = 4
"""As many single numbers are listed one by one; more become `8–20`."""


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does."""
    if len(words) < 2:  # noqa: PLR2004
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def lower_first(title: str) -> str:
    """Put a title into the middle of a sentence; `C-in-C` and the like stay as they are."""
    return title if title[1:2].isupper() or title[1:2] == "-" else title[:1].lower() + title[1:]


def upper_first(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]


def with_noun(number: Decimal | int, one: str, many: str) -> str:
    """Name a number of things: `1 stand`, `2 stands`."""
    return f"{format_number(number)} {one if number == 1 else many}"


def name_ranges(runs: Sequence[AmountRange], one: str, many: str) -> str:
    """Name what is allowed: `3, 4 or 6 stands`, `8–20 figures`, `1 or more units`."""
    single: list[str] = []
    for low, high in runs:
        if high is None:
            single.append(f"{format_number(low)} or more")
        elif low <= 0 < high:
            single.append(f"up to {format_number(high)}")
        elif high - low < _MAX_LISTED - 1 and low == low.to_integral_value():
            single += [format_number(low + step) for step in range(int(high - low) + 1)]
        else:
            single.append(f"{format_number(low)}–{format_number(high)}")
    if single == ["0"]:
        return f"no {many}"
    if not runs:
        return "none"
    noun = one if single in (["1"], ["up to 1"]) else many
    return f"{join_words(single, 'or')} {noun}"


def join_remedies(*parts: str) -> str:
    """Join remedies with `or` into one sentence."""
    said = [part.strip().rstrip(".") for part in parts if part.strip()]
    return f"{upper_first(', or '.join(said))}." if said else ""
