"""Owns the reading of a file's text: size, encoding, and signs that no text file holds.

Does not know YAML.
"""

from __future__ import annotations

import re
import stat
from pathlib import Path

from generator.problems import Location, MusterError, Problem

MOST_BYTES = 2 * 1024 * 1024
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: Path, shown_as: str) -> str:
    """Read a text file of at most two mebibytes in UTF-8.

    Raises:
        MusterError: If it is missing, no regular file, too large, or not plain UTF-8 text.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise _error("not-a-file", "this is no regular file", shown_as)
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _error("missing-file", "there is no such file", shown_as) from None
    except OSError as error:
        text = f"it cannot be read: {error.strerror or error}"
        raise _error("unreadable-file", text, shown_as) from None
    if len(data) > MOST_BYTES:
        text = f"it is larger than {MOST_BYTES // 1024 // 1024} MiB, the most that is read"
        raise _error("too-large", text, shown_as)
    return checked_text(data, shown_as)


def checked_text(data: bytes, shown_as: str) -> str:
    """Decode UTF-8 and refuse signs that no text file holds.

    Raises:
        MusterError: At the line and column of the first bad byte or sign.
    """
    if data.startswith(_WIDE):
        raise _error("bad-encoding", "it is UTF-16; save it as UTF-8", shown_as, 1, 1)
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = _place(before.removeprefix("\ufeff"), len(before))
        told = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise _error("bad-encoding", told, shown_as, line, column) from None
    check_signs(text, shown_as)
    return text


def check_signs(text: str, shown_as: str) -> None:
    """Refuse control characters, which an editor does not show.

    Raises:
        MusterError: At the first of them.
    """
    if found := _FORBIDDEN.search(text):
        line, column = _place(text, found.start())
        told = f"the control character U+{ord(found[0]):04X} cannot stand in a text file"
        raise _error("bad-character", told, shown_as, line, column)


def _place(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _error(
    code: str, text: str, file: str, line: int | None = None, column: int | None = None
) -> MusterError:
    return MusterError((Problem(code, text, Location(file, line, column)),))
