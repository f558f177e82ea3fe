"""One change between two editions: its kind, its place, and the value before and after it."""

from __future__ import annotations

import fractions
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import SequenceMatcher
from typing import Any, Literal

from muster.editions.matching import is_comparable
from muster.values import BadValue, Cost, Count, Distance, Fraction, Modifier, Percent, Target

ChangeKind = Literal["changed", "added", "removed", "renamed", "moved"]
PartKind = Literal[
    "identity",
    "scale",
    "phase",
    "chapter",
    "table",
    "column",
    "row",
    "cell",
    "note",
    "paragraph",
    "erratum",
    "composition",
    "level",
    "unit-type",
    "option",
    "field",
    "constraint",
    "cost",
    "book",
    "unit",
]

WordDiff = tuple[tuple[str, str], ...]
"""A text as runs of words, each marked `=` (in both editions), `-` (old only) or `+` (new only)."""

_TOKEN = re.compile(r"(?:\{[^{}]*\}|\S)+")
_NOT_NUMERIC = {"identity", "scale", "phase", "chapter", "column", "row", "erratum"}
"""Parts whose numbers are names: edition 1.1 is not 0.1 more than edition 1.0."""

_MIN_WORDS = 4
"""A text of fewer words is shown whole, before and after, without its words marked."""

_MAX_WORDS = 1500
"""The words of both texts together, above which comparing them word by word takes too long."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change between two editions.

    Attributes:
        kind: What happened to the part.
        part: What kind of part changed.
        heading: The title under which the change is listed.
        at: The path to the part, as ids.
        place: The same path in words, for readers.
        old: The value before, as shown.
        new: The value after, as shown.
        by: New minus old, if both are numbers of one unit.
        words: The words that differ, if both are texts of some length.
        prices: The titles of whatever takes its price from a changed cell.
    """

    kind: ChangeKind
    part: PartKind
    heading: str
    at: tuple[str, ...]
    place: tuple[str, ...] = ()
    old: str = ""
    new: str = ""
    by: fractions.Fraction | None = None
    words: WordDiff = ()
    prices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the change with the keys that `muster diff --format json` promises."""
        return {
            "kind": self.kind,
            "part": self.part,
            "heading": self.heading,
            "at": list(self.at),
            "place": list(self.place),
            "old": self.old,
            "new": self.new,
            "by": None if self.by is None else _json_number(self.by),
            "words": [list(run) for run in self.words],
            "prices": list(self.prices),
        }


def _json_number(number: fractions.Fraction) -> int | float:
    """Return an integer if the number is whole, else the nearest float."""
    return int(number) if number.denominator == 1 else float(number)


def format_difference(number: fractions.Fraction) -> str:
    """Return a difference with its sign, as a page shows it: `+2`, `−0.5`, `+1/3`.

    A number that needs more than four decimal places is written as a fraction.
    """
    sign = "−" if number < 0 else "+"
    size = abs(number)
    ten_thousandths = 10_000 * size
    if size.denominator == 1 or ten_thousandths.denominator != 1:
        return f"{sign}{size}"
    digits = f"{ten_thousandths.numerator:05d}"
    return sign + f"{digits[:-4]}.{digits[-4:]}".rstrip("0")


def fill_change(change: Change, old: Any, new: Any) -> Change:
    """Return a change with its values as shown, their difference, and the words that differ."""
    before, after = format_value(old), format_value(new)
    words = diff_words(before, after) if isinstance(old, str) and isinstance(new, str) else ()
    by = None if change.part in _NOT_NUMERIC else _difference(old, new)
    return replace(change, old=before, new=after, by=by, words=words)


def format_value(value: Any) -> str:
    """Return a part of an edition as one line of text."""
    if value is None:
        return "blank"
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case list():
            return ", ".join(format_value(item) for item in value)
        case dict():
            return ", ".join(f"{key} {_format_bracketed(item)}" for key, item in value.items())
    return str(value)


def _format_bracketed(value: Any) -> str:
    return f"({format_value(value)})" if isinstance(value, dict | list) else format_value(value)


def diff_words(old: str, new: str) -> WordDiff:
    """Return the runs of words that two texts share or do not share.

    The result is empty for texts of fewer than four words, which are easier to read whole, and
    for very long ones, or those that repeat few words.
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if min(len(before), len(after)) < _MIN_WORDS or len(before) + len(after) > _MAX_WORDS:
        return ()
    if not is_comparable(before, after):
        return ()
    return tuple(_word_runs(before, after))


def _word_runs(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield "=", " ".join(before[old_start:old_end])
            continue
        if old_start < old_end:
            yield "-", " ".join(before[old_start:old_end])
        if new_start < new_end:
            yield "+", " ".join(after[new_start:new_end])


def _difference(old: Any, new: Any) -> fractions.Fraction | None:
    before, after = _parse_amount(old), _parse_amount(new)
    if before is None or after is None:
        return None
    (old_number, old_unit), (new_number, new_unit) = before, after
    return new_number - old_number if old_unit == new_unit else None


def _parse_amount(value: Any) -> tuple[fractions.Fraction, str] | None:
    """Return the number in a value and its unit; None if it holds no single number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value)
    for form in (Fraction, Modifier, Distance, Percent, Target, Cost, Count):
        try:
            return _amount_and_unit(form.parse(text))
        except (BadValue, TypeError):
            continue
    return None


def _amount_and_unit(value: Any) -> tuple[fractions.Fraction, str]:
    """Return the number in a value and its unit; numbers of different units do not compare.

    Raises:
        TypeError: If the value is a roll or a band, which has no single number.
    """
    match value:
        case Fraction(exact=number):
            unit = ""
        case Target(number=number, or_more=or_more):
            unit = "+" if or_more else "-"
        case Distance(amount=number, unit=length):
            unit = str(length)
        case Cost(amount=number, per=per, every=every, unit=length):
            unit = f"per {every} {length} {per}"
        case Count(amount=number, noun=noun):
            unit = noun.removesuffix("s")
        case _:
            number = value.amount
            unit = "%" if isinstance(value, Percent) else ""
    if not isinstance(number, Decimal | fractions.Fraction | int):
        raise TypeError(f"{value} has no single number")
    return fractions.Fraction(number), unit
