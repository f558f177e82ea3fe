"""Read a file as text that is safe to parse: size, kind of file, encoding, control characters."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from muster.dependencies import record_file
from muster.problems import Location, MusterError, Problem

LARGEST_FILE = 2 * 1024 * 1024
"""Bytes of the largest file that is read."""

BOM = "\ufeff"
# Beyond what YAML forbids: next line, line and paragraph separator. YAML counts lines by them and
# editors do not, so every place below one would be told wrongly.
_FORBIDDEN = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_CHARACTER_NAMES = {"\0": "NUL", BOM: "a byte order mark", "\x85": "next line"}
_CHARACTER_NAMES |= {"\u2028": "line separator", "\u2029": "paragraph separator", "\x1b": "escape"}


def read_text(path: str | Path, *, shown_as: str | None = None) -> str:
    """Read a text file of at most 2 MiB of UTF-8; a byte order mark at its head is dropped.

    Args:
        path: A regular file: a pipe or a device would never end, a folder has no text.
        shown_as: How messages name the file; else as the path says.

    Raises:
        MusterError: If the file cannot be read, is too large, is not UTF-8, or holds a control
            character; the last two with line and column.
    """
    name = shown_as if shown_as is not None else str(path)
    return check_text(_decode(read_bytes(path, name), name), name)


def read_bytes(path: str | Path, name: str, most: int = LARGEST_FILE) -> bytes:
    """Read a regular file of at most so many bytes, else 2 MiB, which messages call *name*.

    Raises:
        MusterError: If it cannot be read, is too large, or is no file.
    """
    try:
        record_file(path)
        return _read_bytes(path, name, most)
    except FileNotFoundError:
        raise _file_error("missing-file", "there is no such file", name) from None
    except NotADirectoryError:
        text = "there is no such file: a part of its path is no folder"
        raise _file_error("missing-file", text, name) from None
    except OSError as error:
        text = f"the file cannot be read: {error.strerror or type(error).__name__}"
        raise _file_error("unreadable-file", text, name) from None
    except ValueError:
        text = "no file can have such a name: it holds a NUL or a broken character"
        raise _file_error("unreadable-file", text, name) from None


def check_text(text: str, name: str) -> str:
    """Give the text without a byte order mark, if it is small enough and all of it can be shown.

    Raises:
        MusterError: If not, with the place of the first character that is forbidden.
    """
    # A character takes four bytes at most, so that most texts need no counting.
    if len(text) * 4 > LARGEST_FILE and len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        raise _too_large_error(name)
    text = text.removeprefix(BOM)
    if found := find_forbidden(text):
        character = text[found.start()]
        lines = _LINE_BREAK.split(text[: found.start()])
        where = Location(name, len(lines), len(lines[-1]) + 1)
        line = _LINE_BREAK.split(text[found.start() - len(lines[-1]) :], maxsplit=1)[0]
        called = f"the character {describe_character(character)} cannot stand in a text"
        hint = "; save the file as UTF-8" if character == "\0" else "; delete it"
        raise MusterError([Problem("bad-character", called + hint, where, line)])
    return text


def find_forbidden(text: str) -> re.Match[str] | None:
    """Find the first character that is a control character or half of a surrogate pair."""
    return _FORBIDDEN.search(text)


def describe_character(character: str) -> str:
    """Name a character that cannot be shown: its code, and its name if it has a common one."""
    code = f"U+{ord(character):04X}"
    return f"{code} ({_CHARACTER_NAMES[character]})" if character in _CHARACTER_NAMES else code


def split_lines(text: str) -> list[str]:
    """Cut a text into its lines as YAML and editors count them."""
    return _LINE_BREAK.split(text)


def _read_bytes(path: str | Path, name: str, most: int) -> bytes:
    # Looked at before it is opened, since opening a device can do something; and again after,
    # since another file may lie there by then. Without O_NONBLOCK a pipe would wait for a writer.
    _check_kind(Path(path).stat(), name, most)
    flags = os.O_RDONLY
    for wanted in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"):
        flags |= getattr(os, wanted, 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        _check_kind(os.fstat(file.fileno()), name, most)
        raw = file.read(most + 1)
    if len(raw) > most:
        raise _too_large_error(name, most)
    return raw


def _check_kind(found: os.stat_result, name: str, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise _file_error("not-a-file", "this is a folder, expected a file", name)
    if not stat.S_ISREG(found.st_mode):
        text = "this is a pipe, a socket or a device, expected a regular file"
        raise _file_error("not-a-file", text, name)
    if found.st_size > most:
        raise _too_large_error(name, most)


def _decode(raw: bytes, name: str) -> str:
    """Give the text of a file's bytes; what it holds is not looked at.

    Raises:
        MusterError: If it is not UTF-8, with the place of the first such byte.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8").removeprefix(BOM)
        lines = _LINE_BREAK.split(before)
        where = Location(name, len(lines), len(lines[-1]) + 1)
        rest = raw[error.start : error.start + 200].decode("utf-8", "replace")
        line = lines[-1] + _LINE_BREAK.split(rest, maxsplit=1)[0]
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = "the file is UTF-16, expected UTF-8; save it as UTF-8"
            line = ""
        else:
            text = f"the byte 0x{raw[error.start]:02X} is no UTF-8; save the file as UTF-8"
        raise MusterError([Problem("not-utf-8", text, where, line)]) from None


def _too_large_error(name: str, most: int = LARGEST_FILE) -> MusterError:
    limit = f"{most // 1024 // 1024} MiB"
    return _file_error(
        "file-too-large", f"the file is larger than {limit}, the most that is read", name
    )


def _file_error(code: str, text: str, name: str) -> MusterError:
    return MusterError([Problem(code, text, Location(name))])
