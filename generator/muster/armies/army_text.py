"""Write an army as YAML, in the form of the shipped army files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LINE_WIDTH = 100
_PLAIN_TEXT = re.compile(r"[^\W_](?:[\w.’/&+ -]*[\w.’+])?")
_RESERVED_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_ORDINAL = re.compile(r"[0-9]+(st|nd|rd|th)\b")
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")


def format_army(data: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return an army as YAML.

    Args:
        data: Nested mappings and lists of text, as they are read from a file.
        comments: Lines of comment to put above them.
    """
    lines = [f"# {comment}" for comment in comments]
    for key, value in data.items():
        lines += _format_entry(key, value, 0)
    return "\n".join(lines) + "\n"


def _format_entry(key: str, value: Any, indent: int) -> Iterator[str]:
    """Yield the lines of one key of a mapping."""
    start = f"{' ' * indent}{key}: "
    if isinstance(value, list) and any(isinstance(each, dict) and each for each in value):
        yield start.rstrip()
        for each in value:
            yield from _format_item(each, indent + 2)
    elif isinstance(value, dict) and not _is_leaf(value):
        yield start.rstrip()
        for name, each in value.items():
            yield from _format_entry(name, each, indent + 2)
    else:
        yield from _format_inline(start, value)


def _format_item(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    """Yield the lines of one item of a list."""
    start = f"{' ' * indent}- "
    if _is_leaf(value):
        yield from _format_inline(start, value)
        return
    lines = [line for key, each in value.items() for line in _format_entry(key, each, indent + 2)]
    yield start + lines[0][indent + 2 :]
    yield from lines[1:]


def _is_leaf(value: Mapping[str, Any]) -> bool:
    """Return whether a mapping is written in one line, as a unit or a leader is."""
    return all(
        isinstance(part, str) or (isinstance(part, list) and all(isinstance(e, str) for e in part))
        for part in value.values()
    )


def _format_inline(start: str, value: Any) -> Iterator[str]:
    """Yield the lines of a scalar or leaf after `start`, broken where they would be too long."""
    if not isinstance(value, dict) or not value:
        yield start + _format_flow(value)
        return
    parts = [f"{key}: {_format_flow(each)}" for key, each in value.items()]
    line = f"{start}{{{parts[0]}"
    for part in parts[1:]:
        if len(line) + len(part) + 3 > LINE_WIDTH:
            yield f"{line},"
            line = f"{' ' * (len(start) + 1)}{part}"
        else:
            line += f", {part}"
    yield line + "}"


def _format_flow(value: Any) -> str:
    if isinstance(value, str):
        return quote_scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(_format_flow(each) for each in value)}]"
    return f"{{{', '.join(f'{key}: {_format_flow(each)}' for key, each in value.items())}}}"


def quote_scalar(text: str) -> str:
    """Return a text as a YAML scalar that reads as that same text, in quotes where needed."""
    is_plain = _PLAIN_TEXT.fullmatch(text) and text.lower() not in _RESERVED_WORDS
    if _NUMBER.fullmatch(text) or (is_plain and (not text[0].isdigit() or _ORDINAL.match(text))):
        return text
    return json.dumps(text, ensure_ascii=False)
