"""One change between two editions: its kind, its place, the old and the new value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fractions import Fraction as Exact
from typing import Any, Literal

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
"""A text as runs of words: `=` stands in both editions, `-` in the old, `+` in the new."""

_TOKEN = re.compile(r"(?:\{[^{}]*\}|\S)+")
_NOT_NUMERIC = {"identity", "scale", "phase", "chapter", "column", "row", "erratum"}
"""Parts whose numbers are names: edition 1.1 is not 0.1 more than edition 1.0."""

_MIN_WORDS = 4
_MAX_WORDS = 1500


@dataclass(frozen=True, slots=True)
class Change:
    """A change. `at` leads to it by ids, `place` in words; `heading` is what it is listed under.

    `by` is the difference of two numbers of one unit. `words` marks what differs in a text.
    `prices` names what a changed cell is the price of.
    """

    kind: ChangeKind
    part: PartKind
    heading: str
    at: tuple[str, ...]
    place: tuple[str, ...] = ()
    old: str = ""
    new: str = ""
    by: Exact | None = None
    words: WordDiff = ()
    prices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Give the keys that `muster diff --format json` promises."""
        return {
            "kind": self.kind,
            "part": self.part,
            "heading": self.heading,
            "at": list(self.at),
            "place": list(self.place),
            "old": self.old,
            "new": self.new,
            "by": None if self.by is None else json_number(self.by),
            "words": [list(run) for run in self.words],
            "prices": list(self.prices),
        }


def json_number(number: Exact) -> int | float:
    """Give a difference as JSON knows numbers."""
    return int(number) if number.denominator == 1 else float(number)


def format_difference(number: Exact) -> str:
    """Write a difference as a page shows it: `+2`, `−½` as `−1/2`, `+0.25`."""
    sign = "−" if number < 0 else "+"
    size = abs(number)
    if size.denominator == 1:
        return f"{sign}{size}"
    exact = 10_000 * size
    if exact.denominator == 1:
        text = f"{exact.numerator:05d}"
        return sign + f"{text[:-4]}.{text[-4:]}".rstrip("0")
    return f"{sign}{size}"


def fill_change(change: Change, old: Any, new: Any) -> Change:
    """Fill in a change of a text or number: both as shown, the difference, the words marked."""
    before, after = format_value(old), format_value(new)
    words = diff_words(before, after) if isinstance(old, str) and isinstance(new, str) else ()
    by = None if change.part in _NOT_NUMERIC else _difference(old, new)
    return replace(change, old=before, new=after, by=by, words=words)


def format_value(value: Any) -> str:
    """Write a part of an edition in one line."""
    if value is None:
        return "blank"
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case list():
            return ", ".join(format_value(each) for each in value)
        case dict():
            return ", ".join(f"{key} {_format_bracketed(each)}" for key, each in value.items())
    return str(value)


def _format_bracketed(value: Any) -> str:
    return f"({format_value(value)})" if isinstance(value, dict | list) else format_value(value)


def diff_words(old: str, new: str) -> WordDiff:
    """Mark the words that differ between two texts; none for texts of a few words."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if min(len(before), len(after)) < _MIN_WORDS or len(before) + len(after) > _MAX_WORDS:
        return ()
    return tuple(_word_runs(before, after))


def _word_runs(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    for way, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if way == "equal":
            yield "=", " ".join(before[a:b])
            continue
        if a < b:
            yield "-", " ".join(before[a:b])
        if c < d:
            yield "+", " ".join(after[c:d])


def _difference(old: Any, new: Any) -> Exact | None:
    before, after = _parse_amount(old), _parse_amount(new)
    if before is None or after is None or before[1] != after[1]:
        return None
    return after[0] - before[0]


def _parse_amount(value: Any) -> tuple[Exact, str] | None:
    """Give the number of a value, and its unit: lengths of different units do not compare."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value)
    for form in (Fraction, Modifier, Distance, Percent, Target, Cost, Count):
        try:
            return _amount_and_unit(form.parse(text))
        except (BadValue, TypeError):
            continue
    return None


def _amount_and_unit(value: Any) -> tuple[Exact, str]:
    """Take a value apart.

    Raises:
        TypeError: If it is a roll or a band.
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
    return Exact(number), unit  # type: ignore[arg-type]  # a roll or a band raises
