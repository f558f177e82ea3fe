"""Read a file as text that is safe to parse: size, kind of file, encoding, control characters."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Sequence
from io import BufferedReader
from pathlib import Path

from muster.dependencies import record_file
from muster.problems import Location, MusterError, Problem

LARGEST_FILE = 2 * 1024 * 1024
"""The size of the largest file that is read, in bytes."""

LARGEST_BINARY = 16 * 1024 * 1024
"""The size of the largest font or picture that is read, in bytes."""

BOM = "\ufeff"
# Beyond what YAML forbids: next line, line and paragraph separator. YAML counts lines by them and
# editors do not, so every place below one would be reported wrongly.
_FORBIDDEN = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_READING = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"):
    _READING |= getattr(os, _flag, 0)
_CHARACTER_NAMES = {"\0": "NUL", BOM: "a byte order mark", "\x85": "next line"}
_CHARACTER_NAMES |= {"\u2028": "line separator", "\u2029": "paragraph separator", "\x1b": "escape"}


class NotRegularError(OSError):
    """Raised instead of opening what is not a regular file."""


def open_regular(path: str | Path) -> BufferedReader:
    """Open a regular file for reading: a pipe would wait, a device may never end.

    Raises:
        NotRegularError: If it is a folder, a pipe, a socket or a device; `strerror` says which.
        OSError: If it cannot be opened.
    """
    # Checked before it is opened, since opening a device may have an effect, and again afterwards,
    # since another file may have taken its place. Without O_NONBLOCK a pipe would wait for a
    # writer.
    _refuse_other_kinds(path, os.stat(path))  # noqa: PTH116 - called for each input; `Path` is slower
    handle = os.open(path, _READING)
    try:
        _refuse_other_kinds(path, os.fstat(handle))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def leads_out(path: str | Path, folder: str | Path) -> bool:
    """Return whether a path within a folder is, or lies behind, a link to somewhere else."""
    real = os.path.realpath(path)
    return not Path(real).is_relative_to(os.path.realpath(folder))


def working_folder_around(path: str | Path) -> Path | None:
    """Return the working folder if a path that the user has named is below it, else None.

    A link in a folder that somebody sent leads out of it no more often if its name was typed.
    """
    folder = Path.cwd()
    return folder if Path(os.path.abspath(path)).is_relative_to(folder) else None  # noqa: PTH100 - no link is followed, and `..` is


def link_problem(name: str, what: str = "the file") -> Problem:
    """Return the problem of a file, which messages call *name*, that `leads_out` of its folder."""
    text = f"this is a link out of its folder, which is not followed; put {what} itself here"
    return Problem("link-leads-out", text, Location(name))


def read_text(
    path: str | Path, *, shown_as: str | None = None, within: str | Path | None = None
) -> str:
    """Return the text of a file of at most 2 MiB of UTF-8, without a leading byte order mark.

    Args:
        path: A regular file: a pipe or a device would never end, a folder has no text.
        shown_as: The name of the file in messages; by default the path as given.
        within: The folder that no link may lead out of; without it, links may lead anywhere.

    Raises:
        MusterError: If the file cannot be read, is too large, is not UTF-8, or holds a control
            character; the last two with line and column.
    """
    name = shown_as if shown_as is not None else str(path)
    return check_text(_decode(read_bytes(path, name, within=within), name), name)


def read_bytes(
    path: str | Path,
    name: str,
    max_bytes: int = LARGEST_FILE,
    *,
    within: str | Path | None = None,
) -> bytes:
    """Return the bytes of a regular file, which messages call *name*.

    Args:
        path: The file.
        name: What messages call it.
        max_bytes: Its largest size.
        within: The folder that no link may lead out of; without it, links may lead anywhere.

    Raises:
        MusterError: If it cannot be read, is larger than `max_bytes`, is not a regular file, or is
            a link that leads out of *within*.
    """
    try:
        record_file(path)
        if within is not None and leads_out(path, within):
            raise MusterError([link_problem(name)])
        return _read_regular_file(path, name, max_bytes)
    except NotRegularError as error:
        raise _file_error("not-a-file", str(error.strerror), name) from None
    except FileNotFoundError:
        raise _file_error("missing-file", "there is no such file", name) from None
    except NotADirectoryError:
        text = "there is no such file: a part of its path is not a folder"
        raise _file_error("missing-file", text, name) from None
    except OSError as error:
        text = f"the file cannot be read: {error.strerror or type(error).__name__}"
        raise _file_error("unreadable-file", text, name) from None
    except ValueError:
        text = "no file can have this name: it contains a NUL or an invalid character"
        raise _file_error("unreadable-file", text, name) from None


def check_text(text: str, name: str) -> str:
    """Return a text without a leading byte order mark.

    Raises:
        MusterError: If it is larger than 2 MiB in UTF-8, or holds a character that cannot be
            shown, with the place of the first one.
    """
    # A character takes four bytes at most, so most texts need not be encoded to be measured.
    if len(text) * 4 > LARGEST_FILE and len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        raise _too_large_error(name)
    text = text.removeprefix(BOM)
    if match := find_forbidden(text):
        character = match.group()
        lines = _LINE_BREAK.split(text[: match.start()])
        where = Location(name, len(lines), len(lines[-1]) + 1)
        line = _LINE_BREAK.split(text[match.start() - len(lines[-1]) :], maxsplit=1)[0]
        message = f"the character {describe_character(character)} is not allowed in text"
        hint = "; save the file as UTF-8" if character == "\0" else "; remove it"
        raise MusterError([Problem("bad-character", message + hint, where, line)])
    return text


def find_forbidden(text: str) -> re.Match[str] | None:
    """Return the first control character or half of a surrogate pair in a text."""
    return _FORBIDDEN.search(text)


def without_forbidden(text: str) -> str:
    """Return a text with a space in place of each character that no file may hold."""
    return _FORBIDDEN.sub(" ", text)


def describe_character(character: str) -> str:
    """Return the code of a character that cannot be shown, with its common name if it has one."""
    code = f"U+{ord(character):04X}"
    return f"{code} ({_CHARACTER_NAMES[character]})" if character in _CHARACTER_NAMES else code


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as YAML and editors count them."""
    return _LINE_BREAK.split(text)


def problem_at(
    code: str,
    text: str,
    file: str,
    lines: Sequence[str],
    place: tuple[int, int],
    example: str = "",
) -> Problem:
    """Return a problem at a line and column, both from 1, with the text of that line."""
    line, column = place
    line_text = lines[line - 1] if line <= len(lines) else ""
    return Problem(code, text, Location(file, line, column), line_text, example)


def _read_regular_file(path: str | Path, name: str, max_bytes: int) -> bytes:
    with open_regular(path) as file:
        # Not by its size: it may grow meanwhile.
        raw = file.read(max_bytes + 1)
    if len(raw) > max_bytes:
        raise _too_large_error(name, max_bytes)
    return raw


def _refuse_other_kinds(path: str | Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise NotRegularError(errno.EISDIR, "this is a folder, expected a file", str(path))
    if not stat.S_ISREG(status.st_mode):
        text = "this is a pipe, a socket or a device, expected a regular file"
        raise NotRegularError(errno.EINVAL, text, str(path))


def _decode(raw: bytes, name: str) -> str:
    """Return the text of a file's bytes.

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
            text = f"the byte 0x{raw[error.start]:02X} is not valid UTF-8; save the file as UTF-8"
        raise MusterError([Problem("not-utf-8", text, where, line)]) from None


def _too_large_error(name: str, max_bytes: int = LARGEST_FILE) -> MusterError:
    limit = f"{max_bytes // 1024 // 1024} MiB"
    return _file_error("file-too-large", f"the file is larger than the limit of {limit}", name)


def _file_error(code: str, text: str, name: str) -> MusterError:
    return MusterError([Problem(code, text, Location(name))])
