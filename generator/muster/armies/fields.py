"""Parse the values of an army list's fields, compare them and put them into words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from muster.languages import (
    keeps_capitals,
    marked,
    say,
    say_number,
    spoken_language,
    with_decimal_mark,
)
from muster.problems import did_you_mean
from muster.values import BLANK, DASH, FORMS, Value, read_cell

FieldValue = str | int | Decimal | Value
"""A flag is a `bool`, a choice is the id chosen, and only `points` are a bare `Decimal`."""

Amount = Decimal | int

AmountRange = tuple[Decimal, Decimal | None]
"""The least and the greatest of a range of numbers, both included; None is without end."""

OWN_FORMS = ("choice", "whole", "flag", "line", "points")
"""The forms of fields that are not forms of table cells too."""

_EXPECTED = {
    "whole": "a whole number",
    "points": "a number of points",
    "flag": "true or false",
    "choice": "one of the choices",
}
MAX_LINE_LENGTH = 300
_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")
_MAX_LISTED = 4
"""A range of up to this many numbers is listed one by one; a longer one becomes `8–20`."""
_POINTS = re.compile(r"(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?")


class BadFieldError(ValueError):
    """Raised when a field does not have its form; says what was read and what was expected."""

    def __init__(self, read: Any, expected: str, example: str = "") -> None:
        self.example = example
        text = (
            (repr(read) if read else "nothing") if isinstance(read, str) else _container_name(read)
        )
        if len(text) > 60:  # noqa: PLR2004
            text = f"{text[:57]}…"
        super().__init__(f"read {text}, expected {expected}")


def _container_name(read: Any) -> str:
    return "a list" if isinstance(read, list) else "a mapping"


def known_forms() -> list[str]:
    """Return every form that a field may have."""
    return [*OWN_FORMS, *(form for form in FORMS if form not in OWN_FORMS)]


def read_points(text: Any) -> Decimal:
    """Parse points: an exact number, 0 or more, with at most four decimal places.

    A list and a book state prices and limits, which are never below 0. What makes a unit cheaper
    is a cell of a table.

    Raises:
        BadFieldError: If the text is not such a number.
    """
    if not isinstance(text, str) or not _POINTS.fullmatch(text):
        raise BadFieldError(text, "a number of points, 0 or more", "12.5")
    return Decimal(text)


def read_whole(text: Any) -> int:
    """Parse a whole number of up to nine digits, without sign or leading zero.

    Raises:
        BadFieldError: If the text is not such a number.
    """
    if not isinstance(text, str) or not _WHOLE.fullmatch(text):
        negative = isinstance(text, str) and _WHOLE.fullmatch(text.removeprefix("-"))
        raise BadFieldError(text, f"a whole number{' of 0 or more' if negative else ''}", "4")
    return int(text)


def parse_share(text: str) -> Fraction:
    """Parse a share: `1/4`, `25%`, `0.25`.

    Raises:
        ValueError: If the text is not a share from 0 to 1.
    """
    try:
        share = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1 or len(text) > 20:  # noqa: PLR2004
        message = f"read {text[:20]!r}, expected a share such as 1/4 or 25%"
        raise ValueError(message)
    return share


def read_field(
    form: str, choices: Mapping[str, str], raw: Any, scales: Collection[str] = ()
) -> FieldValue:
    """Parse the value of a field.

    Args:
        form: One of `known_forms()`.
        choices: For a choice: id -> title.
        raw: The value as the file has it; the forms of table cells take mappings too.
        scales: The ids of the system's scales.

    Raises:
        ValueError: If the value does not have the form; the message says what was expected.
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
            hint = did_you_mean(raw, choices, choices)
            raise BadFieldError(raw, f"one of {', '.join(choices)}{hint}", next(iter(choices), ""))
        return raw
    if not raw or len(raw) > MAX_LINE_LENGTH or "\n" in raw:
        raise BadFieldError(raw, f"one line of at most {MAX_LINE_LENGTH} characters")
    return raw


def is_absent(value: FieldValue | None) -> bool:
    """Return whether a value is missing, blank or a dash."""
    return value is None or value is BLANK or value is DASH


def as_text(value: FieldValue | None) -> str:
    """Return a value as a file writes it, to compare it with the values that a filter names."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def as_number(value: FieldValue | None) -> Decimal | int:
    """Return a value as a number to add up; 0 if it is not a number."""
    if isinstance(value, int | Decimal):
        return value
    return 0


def show_field(value: FieldValue | None, choices: Mapping[str, str]) -> str:
    """Return a value as a page shows it: the title of a choice, `yes` or `no` for a flag."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return format_number(value)
    if isinstance(value, str):
        return choices.get(value, value)
    return value.show()


def format_number(number: Decimal | int) -> str:
    """Format a number without trailing zeros or exponent, and with a true minus sign."""
    if isinstance(number, int):
        return str(number).replace("-", "−")
    text = f"{number:f}"
    if "." in text:
        text = with_decimal_mark(text.rstrip("0").rstrip("."))
    return text.replace("-", "−")


def join_words(words: Sequence[str], last: str = marked("and")) -> str:
    """Join words as in a sentence: `a, b and c`, or with `or` before the last."""
    if len(words) < 2:  # noqa: PLR2004
        return "".join(words)
    return f"{', '.join(words[:-1])} {say(last)} {words[-1]}"


def lower_first(title: str) -> str:
    """Return a title for the middle of a sentence; `C-in-C` and the like keep their capital.

    So do all nouns on a document in a language that writes them so.
    """
    if keeps_capitals():
        return title
    return title if title[1:2].isupper() or title[1:2] == "-" else title[:1].lower() + title[1:]


def upper_first(text: str) -> str:
    """Return a text with a capital letter, for the start of a sentence."""
    return text[:1].upper() + text[1:]


def plural_of(noun: str) -> str:
    """Return the plural of a noun: `Guards` and `light infantry` stay, `battery` → `batteries`.

    In another language than English a noun stays: what has another plural there states it.
    """
    if (
        spoken_language() != "en"
        or noun.lower().endswith(_SAME_IN_PLURAL)
        or not noun[-1:].isalpha()
    ):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


_SAME_IN_PLURAL = ("infantry", "cavalry", "artillery", "s", "men", "militia")


def with_article(noun: str) -> str:
    """Return a noun with `a` or `an` before it, in English."""
    if noun[:1].lower() in "aeiou":
        return say("an {thing}", thing=noun)
    return say("a {thing}", thing=noun)


def with_noun(number: Decimal | int, one: str, many: str) -> str:
    """Format a number of things: `1 stand`, `2 stands`."""
    return say_number("{n} {one}", "{n} {many}", number, one=one, many=many)


def in_points(number: Decimal | int) -> str:
    """Format a number of points: `1 point`, `2.5 points`."""
    return say_number("{n} point", "{n} points", number)


def name_ranges(ranges: Sequence[AmountRange], one: str, many: str) -> str:
    """Put allowed ranges into words: `3, 4 or 6 stands`, `8–20 figures`, `at most 2 units`."""
    parts: list[str] = []
    for low, high in ranges:
        if high is None:
            parts.append(say("{number} or more", number=format_number(low)))
        elif low <= 0 < high:
            parts.append(_up_to(high, alone=len(ranges) == 1))
        elif high - low < _MAX_LISTED - 1 and low == low.to_integral_value():
            parts += [format_number(low + step) for step in range(int(high - low) + 1)]
        else:
            parts.append(f"{format_number(low)}–{format_number(high)}")
    if not ranges or parts == ["0"]:
        return say("none")
    noun = one if parts in (["1"], [_up_to(Decimal(1), alone=True)]) else many
    joined = join_words(parts, marked("or"))
    return f"{joined} {noun}"


def _up_to(high: Decimal, *, alone: bool) -> str:
    number = format_number(high)
    return say("at most {number}", number=number) if alone else say("up to {number}", number=number)


def join_remedies(*parts: str) -> str:
    """Join remedies with `or` into one sentence; empty ones are left out."""
    remedies = [part.strip().rstrip(".") for part in parts if part.strip()]
    either = say(", or ")
    return f"{upper_first(either.join(remedies))}." if remedies else ""


def spell_out_lines(text: str) -> str:
    """Return a text with line numbers of the source in words: `L9` is `line 9 of the source`."""

    def in_words(found: re.Match[str]) -> str:
        lines = [part[1:].replace("-", "–") for part in found[0].split(", ")]
        if len(lines) == 1 and "–" not in lines[0]:
            return say("line {lines} of the source", lines=lines[0])
        return say("lines {lines} of the source", lines=join_words(lines))

    return _SOURCE_LINES.sub(in_words, text)


_SOURCE_LINES = re.compile(r"\bL[0-9]+(?:-[0-9]+)?(?:, L[0-9]+(?:-[0-9]+)?)*\b")
