"""Owns how an army is written out as a file of its own, in the shape that a player writes by hand.

Does not change a file that is there (see `reading.rewriting` and `reading.editing`) and does not
know what an army may say: it writes what it is given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WIDTH = 100
_PLAIN = re.compile(r"[^\W_](?:[\w.’/&+ -]*[\w.’+])?")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_ORDINAL = re.compile(r"[0-9]+(st|nd|rd|th)\b")
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")


def army_text(data: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Write an army: nested mappings and lists of text, below comments of a line each."""
    lines = [f"# {comment}" for comment in comments]
    for key, value in data.items():
        lines += _entry(key, value, 0)
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Any, indent: int) -> Iterator[str]:
    """Write one key of a mapping."""
    start = f"{' ' * indent}{key}: "
    if isinstance(value, list) and any(isinstance(each, dict) and each for each in value):
        yield start.rstrip()
        for each in value:
            yield from _item(each, indent + 2)
    elif isinstance(value, dict) and not _is_leaf(value):
        yield start.rstrip()
        for name, each in value.items():
            yield from _entry(name, each, indent + 2)
    else:
        yield from _in_line(start, value)


def _item(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    """Write one entry of a list."""
    start = f"{' ' * indent}- "
    if _is_leaf(value):
        yield from _in_line(start, value)
        return
    lines = [line for key, each in value.items() for line in _entry(key, each, indent + 2)]
    yield start + lines[0][indent + 2 :]
    yield from lines[1:]


def _is_leaf(value: Mapping[str, Any]) -> bool:
    """Tell whether a mapping stands in one line: a unit or a leader."""
    return all(
        isinstance(each, str) or (isinstance(each, list) and all(isinstance(e, str) for e in each))
        for each in value.values()
    )


def _in_line(start: str, value: Any) -> Iterator[str]:
    """Write a scalar or leaf behind its beginning; one that is too long goes on below."""
    if not isinstance(value, dict) or not value:
        yield start + _flow(value)
        return
    parts = [f"{key}: {_flow(each)}" for key, each in value.items()]
    line = f"{start}{{{parts[0]}"
    for part in parts[1:]:
        if len(line) + len(part) + 3 > WIDTH:
            yield f"{line},"
            line = f"{' ' * (len(start) + 1)}{part}"
        else:
            line += f", {part}"
    yield line + "}"


def _flow(value: Any) -> str:
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(_flow(each) for each in value)}]"
    return f"{{{', '.join(f'{key}: {_flow(each)}' for key, each in value.items())}}}"


def scalar(text: str) -> str:
    """Write a text so that it is read as that text and nothing else, in quotes where needed."""
    worded = _PLAIN.fullmatch(text) and text.lower() not in _WORDS
    if _NUMBER.fullmatch(text) or (worded and (not text[0].isdigit() or _ORDINAL.match(text))):
        return text
    return json.dumps(text, ensure_ascii=False)
