"""The base class of all models that files are read into, and the types of their fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

ID_PATTERN: Final = r"^[a-z0-9]+(-[a-z0-9]+)*$"
LINE_PATTERN: Final = r"^[^\n\r\t]*$"
BAD_WHOLE: Final = "muster_whole"
BAD_SIGNED: Final = "muster_signed"
BAD_FLAG: Final = "muster_flag"
BAD_LINES: Final = "muster_lines"

_LARGEST_NUMBER: Final = 999_999_999
_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")
_SIGNED = re.compile(r"[+-]?(0|[1-9][0-9]{0,8})")
_LINES = re.compile(r"L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(, ?L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*")
_SPAN = re.compile(r"L([0-9]+)-([0-9]+)")
# To an editor that knows the schema 1998 is a number and true a flag; Muster reads both as text.
_ANY_SCALAR: Final = ["string", "number", "boolean"]


class StrictModel(BaseModel):
    """A part of a file: it refuses unknown keys, and is immutable once read."""

    # Validators are built when first used: a run that reads one file needs few of them.
    model_config = ConfigDict(
        extra="forbid", frozen=True, defer_build=True, protected_namespaces=()
    )


def _parse_whole(raw: Any) -> int:
    if isinstance(raw, str) and len(raw) <= 9 and _WHOLE.fullmatch(raw):  # noqa: PLR2004 - digits
        return int(raw)
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= _LARGEST_NUMBER:
        return raw
    raise PydanticCustomError(BAD_WHOLE, "no whole number")


def _parse_signed(raw: Any) -> int:
    # Nobody writes more than a sign and nine digits; a longer text is not matched at all.
    if isinstance(raw, str) and len(raw) <= 10 and _SIGNED.fullmatch(raw):  # noqa: PLR2004
        return int(raw)
    if isinstance(raw, int) and not isinstance(raw, bool) and abs(raw) <= _LARGEST_NUMBER:
        return raw
    raise PydanticCustomError(BAD_SIGNED, "no whole number")


def _parse_flag(raw: Any) -> bool:
    if raw == "true" or raw is True:
        return True
    if raw == "false" or raw is False:
        return False
    raise PydanticCustomError(BAD_FLAG, "neither true nor false")


def _check_source_lines(text: str) -> str:
    spans = _SPAN.findall(text)
    if not _LINES.fullmatch(text) or any(int(first) > int(last) for first, last in spans):
        raise PydanticCustomError(BAD_LINES, "no source lines")
    return text


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=80)]
"""An identifier in kebab-case, for machines; it is never shown to players."""

WholeNumber = Annotated[
    int,
    BeforeValidator(_parse_whole),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": _LARGEST_NUMBER}),
]
"""A whole number of up to nine digits, without sign, leading zero or separators."""

SignedNumber = Annotated[
    int,
    BeforeValidator(_parse_signed),
    WithJsonSchema({"type": "integer", "minimum": -_LARGEST_NUMBER, "maximum": _LARGEST_NUMBER}),
]
"""A whole number to add or subtract: `+2`, `-1`; without a sign it is added."""

Flag = Annotated[bool, BeforeValidator(_parse_flag), WithJsonSchema({"type": "boolean"})]
"""`true` or `false`, and none of YAML's other words for them."""

Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=300, pattern=LINE_PATTERN),
    WithJsonSchema(
        {"type": _ANY_SCALAR, "minLength": 1, "maxLength": 300, "pattern": LINE_PATTERN}
    ),
]
"""Text in one line of 1 to 300 characters; white space around it is dropped."""


@dataclass(frozen=True, slots=True)
class Translated:
    """Marks the type of a text that players read, which a translation says in another language.

    `most` is the greatest number of its characters; if it is `one_line`, it has no line break.
    """

    most: int
    one_line: bool


Label = Annotated[Line, Translated(most=300, one_line=True)]
"""A `Line` that players read: a title, a label, a sentence of the rules.

A `Line` itself is for what no translation changes: figures, forms, names of people, values that
other files name.
"""

Prose = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=4000),
    WithJsonSchema({"type": _ANY_SCALAR, "minLength": 1, "maxLength": 4000}),
    Translated(most=4000, one_line=False),
]
"""Text of 1 to 4000 characters, of any number of lines; white space around it is dropped.

Players read it, so translations translate it.
"""

SourceLines = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=300),
    AfterValidator(_check_source_lines),
    WithJsonSchema({"type": "string", "maxLength": 300, "pattern": f"^{_LINES.pattern}$"}),
]
"""Lines of the source: `L216-234`, or several, `L85, L172`; the first is not above the last."""
