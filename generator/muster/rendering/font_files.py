"""Open font files, which may be a stranger's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from struct import iter_unpack, unpack_from

from fontTools.ttLib import TTFont

from muster.problems import Location, MusterError, Problem, display_path
from muster.yamlfile.textfile import LARGEST_BINARY, read_bytes

_SIGNATURES = (b"\0\1\0\0", b"OTTO", b"true")
"""How TrueType and OpenType files begin. Others are compressed, a few KB from gigabytes."""
_MOST_CHARACTERS = 0x110000
"""How many characters there can be."""
_LISTED_FORMATS = (4, 12)
"""The formats of a character map that hold ranges, which may be many times as long as the file."""
_SHORT_FORMATS = (0, 6, 14)
"""The formats whose maps are as long as the file at most. Format 14 is of variants only."""


@contextmanager
def opened_font(path: Path) -> Iterator[TTFont]:
    """Open a TrueType or OpenType file.

    Raises:
        MusterError: If the file cannot be read, is larger than 16 MiB, or is no such font, also if
            that is only found out while it is used.
    """
    name = display_path(path)
    data = read_bytes(path, name, LARGEST_BINARY)
    text = "the file cannot be read as a font"
    if not data.startswith(_SIGNATURES):
        text += ", expected a TrueType or OpenType file, not a compressed one"
        raise MusterError([Problem("bad-font", text, Location(name))])
    try:
        with TTFont(BytesIO(data), lazy=True) as font:
            _refuse_endless_map(font.reader["cmap"])
            yield font
    except Exception as error:
        # A damaged font raises anything at all.
        raise MusterError([Problem("bad-font", text, Location(name))]) from error


def _refuse_endless_map(table: bytes) -> None:
    """Refuse a character map with more characters than there are, which would fill the memory.

    Raises:
        ValueError: If it has, or if it is in a format that fonts of Unicode do not use.
        struct.error: If it is shorter than it says.
    """
    (count,) = unpack_from(">H", table, 2)
    for _, _, start in iter_unpack(">HHL", table[4 : 4 + 8 * count]):
        (form,) = unpack_from(">H", table, start)
        if form not in (*_LISTED_FORMATS, *_SHORT_FORMATS):
            raise ValueError("a character map in an unusual format")
        if form in _LISTED_FORMATS and _listed_characters(table, start, form) > _MOST_CHARACTERS:
            raise ValueError("a character map with more characters than there are")


def _listed_characters(table: bytes, start: int, form: int) -> int:
    """Return how many characters the ranges of a map list, each as often as it is listed."""
    if form == 4:  # noqa: PLR2004 - one of the formats above
        (twice,) = unpack_from(">H", table, start + 6)
        lasts = unpack_from(f">{twice // 2}H", table, start + 14)
        firsts = unpack_from(f">{twice // 2}H", table, start + 16 + twice)
        return sum(max(last - first + 1, 0) for first, last in zip(firsts, lasts, strict=True))
    (groups,) = unpack_from(">L", table, start + 12)
    ranges = iter_unpack(">LLL", table[start + 16 : start + 16 + 12 * groups])
    return sum(max(last - first + 1, 0) for first, last, _ in ranges)
