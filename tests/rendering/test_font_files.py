"""Tests of font files that are opened, and above all of those that are not."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable

from muster.problems import MusterError
from muster.rendering.font_files import opened_font
from muster.rendering.glyphs import FACES
from muster.rendering.printed import PrintError
from muster.rendering.printer import Printer
from tests.rendering.conftest import TEMPLATES

FACE = TEMPLATES / "fonts" / "MusterSans-Regular.ttf"


def font_with_map(path: Path, form: int, body: bytes, copies: int = 1) -> Path:
    """Write one of our fonts with another map of characters, in a format, and return its path."""
    start = 4 + 8 * copies
    records = struct.pack(">HHL", 3, 10, start) * copies
    table = DefaultTable("cmap")
    table.data = struct.pack(">HH", 0, copies) + records + struct.pack(">H", form) + body
    with TTFont(FACE) as font:
        font["cmap"] = table
        font.save(path)
    return path


def ranges_of_characters(*groups: tuple[int, int]) -> bytes:
    """Return a map of format 12, without its number."""
    data = b"".join(struct.pack(">LLL", first, last, 1) for first, last in groups)
    return struct.pack(">HLLL", 0, 16 + len(data), 0, len(groups)) + data


def segments_of_characters(first: int, last: int, count: int) -> bytes:
    """Return a map of format 4, without its number, of the same segment again and again."""
    lasts, firsts = (struct.pack(f">{count}H", *[each] * count) for each in (last, first))
    rest = struct.pack(f">{count}H", *[0] * count) * 2
    head = struct.pack(">HHHHHH", 16 + 8 * count, 0, 2 * count, 0, 0, 0)
    return head + lasts + b"\0\0" + firsts + rest


@pytest.mark.parametrize("name", [name for _, name, _, _ in FACES])
def test_our_fonts_are_opened(name: str) -> None:
    with opened_font(FACE.with_name(f"{name}.ttf")) as font:
        assert ord("A") in font.getBestCmap()


@pytest.mark.parametrize("signature", [b"wOF2", b"wOFF", b"", b"%PDF"])
def test_what_is_no_plain_font_is_not_unpacked(signature: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.ttf").write_bytes(signature and signature + bytes(100))

    with (
        pytest.raises(MusterError, match=r"a\.ttf: .* expected a TrueType or OpenType file"),
        opened_font(tmp_path / "a.ttf"),
    ):
        pass


@pytest.mark.parametrize(
    ("form", "body"),
    [
        (12, ranges_of_characters((0, 0xFFFF_FFFF))),
        (12, ranges_of_characters(*[(0, 0xFFFF)] * 18)),
        (4, segments_of_characters(0, 0xFFFE, 18)),
        (4, struct.pack(">HHH", 8, 0, 0xFFFF)),
        (2, bytes(600)),
        (13, ranges_of_characters((0, 0xFFFF_FFFF))),
    ],
)
def test_map_of_more_characters_than_there_are_is_refused(
    form: int, body: bytes, tmp_path: Path
) -> None:
    path = font_with_map(tmp_path / "a.ttf", form, body)

    with (
        pytest.raises(MusterError, match=r"a\.ttf: the file cannot be read as a font"),
        opened_font(path),
    ):
        raise AssertionError("the map was not looked at")


@pytest.mark.parametrize(
    ("form", "body"),
    [(12, ranges_of_characters((65, 66))), (4, segments_of_characters(65, 66, 2))],
)
def test_map_of_a_few_characters_is_read(form: int, body: bytes, tmp_path: Path) -> None:
    with opened_font(font_with_map(tmp_path / "a.ttf", form, body)) as font:
        assert set(font.getBestCmap()) == {65, 66}


def test_compressed_font_is_not_unpacked_for_print(tmp_path: Path) -> None:
    font = tmp_path / "a.ttf"
    font.write_bytes(b"wOF2" + bytes(100))
    rule = f'@font-face {{ font-family: a; src: url("{font.as_uri()}") }}'

    with pytest.raises(PrintError, match="Font-face 'a' cannot be loaded"):
        Printer([tmp_path], rule)
