"""Owns the plain words for what a field expects: one entry for each type of Pydantic error.

Does not read Pydantic's English, which changes; only the type of an error and what it carries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from generator.reading.models import (
    BAD_FLAG,
    BAD_LINES,
    BAD_SIGNED,
    BAD_WHOLE,
    ID_PATTERN,
    LINE_PATTERN,
)
from generator.reading.spelling import did_you_mean


class Expected(NamedTuple):
    """A problem's code, the form that was expected, an example, and a hint to put behind."""

    code: str
    words: str
    example: str = ""
    hint: str = ""


_TEXT = Expected("wrong-type", "text")
_LIST = Expected("wrong-type", "a list", "[first, second] or lines that begin with a dash")
MAPPING = Expected("wrong-type", "a mapping of keys and values", "{id: rough, label: Rough}")
_WHOLE = Expected("bad-whole", "a whole number of up to nine digits, without a sign or zeros ahead")
_SIGNED = Expected("bad-signed", "a whole number of up to nine digits, with or without a sign")
_FLAG = Expected("bad-flag", "true or false", "true")
_ID = Expected("bad-id", "an id: small letters, digits and single hyphens", "old-guard")
_LINE = Expected("bad-line", "text in one line, without tabs")
_LINES = Expected("bad-lines", "lines of the source, the lower number first", "L85, L216-234")
_NUMBER = Expected("wrong-type", "a number", "4")

FORMS: Final = {
    "string_type": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "dict_type": MAPPING,
    "mapping_type": MAPPING,
    "model_type": MAPPING,
    "model_attributes_type": MAPPING,
    BAD_WHOLE: _WHOLE._replace(example="4"),
    BAD_SIGNED: _SIGNED._replace(example="+2"),
    BAD_FLAG: _FLAG,
    BAD_LINES: _LINES,
    "int_type": _NUMBER,
    "int_parsing": _NUMBER,
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
}
SHAPES: Final = frozenset(kind for kind, each in FORMS.items() if each in (_TEXT, _LIST, MAPPING))
"""Errors that say no more than that text stands for a list, or the like."""

SCALARS: Final = frozenset({*FORMS, "literal_error", "enum"}) - SHAPES
"""Errors that mean the same when what was read is a list or a mapping."""

_PATTERNS = {ID_PATTERN: _ID, LINE_PATTERN: _LINE}
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
_BOUNDS = {
    "greater_than_equal": ("ge", "or more"),
    "less_than_equal": ("le", "or less"),
    "greater_than": ("gt", "or more, itself left out"),
    "less_than": ("lt", "or less, itself left out"),
}


def expected(kind: str, carried: Mapping[str, Any], read: Any) -> Expected | None:
    """Say what a field expected that refused a value; None if the error is of no known type.

    Args:
        kind: The error's `type`.
        carried: Its `ctx`.
        read: The value.
    """
    if kind in FORMS:
        return FORMS[kind]
    if kind in ("literal_error", "enum"):
        return _choice(_QUOTED.findall(str(carried.get("expected"))), read)
    if kind == "string_pattern_mismatch":
        pattern = str(carried.get("pattern"))
        return _PATTERNS.get(pattern, Expected("bad-text", f"a text of the pattern {pattern}"))
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return Expected("out-of-bounds", f"{carried.get(key)} {words}")
    return _size(kind, carried)


def choices_of(carried: Mapping[str, Any]) -> list[str]:
    """List the words that a union of models tells its members by."""
    return _QUOTED.findall(str(carried.get("expected_tags")))


def choice(words: list[str], read: Any) -> Expected:
    """Say that one of some words was expected, and which of them may have been meant."""
    return _choice(words, read)


def shown(read: Any) -> str:
    """Write what was read so that it fits into a line."""
    if isinstance(read, dict):
        return "a mapping" if read else "an empty mapping"
    if isinstance(read, list):
        return "a list" if read else "an empty list"
    if read == "":
        return "nothing"
    # Cut first: the text may have thousands of characters.
    text = repr(read[:61] if isinstance(read, str) else read)
    return text if len(text) <= 62 else f"{text[:60]}…"  # noqa: PLR2004 - about half a line


def _choice(words: list[str], read: Any) -> Expected:
    hint = did_you_mean(read, words) if isinstance(read, str) else ""
    listed = " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"  # noqa: PLR2004
    return Expected("bad-choice", listed, "", hint)


def _size(kind: str, carried: Mapping[str, Any]) -> Expected | None:
    least, most = carried.get("min_length"), carried.get("max_length")
    if kind == "string_too_short":
        if least == 1:
            return Expected("empty", "some text")
        return Expected("too-short", f"text of at least {least} characters")
    if kind == "string_too_long":
        return Expected("too-long", f"text of at most {most} characters")
    if kind == "too_short":
        return Expected("too-few", f"at least {least} {'entry' if least == 1 else 'entries'}")
    if kind == "too_long":
        counted = carried.get("actual_length")
        found = f", not {counted}" if counted is not None else ""
        return Expected("too-many", f"at most {most} {'entry' if most == 1 else 'entries'}{found}")
    return None
