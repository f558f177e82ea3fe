"""Read QR codes back, as a phone does: from a picture of a page, and from their modules."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

_PX = 4
"""The width of a module in pixels: 0.3 mm at the resolution below."""
_DPI = round(_PX / 0.3 * 25.4)
_SIZE = 29
"""The modules of a code of version 3 across."""
_CORNER = 7

MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda i, j: (i + j) % 2 == 0,
    lambda i, _: i % 2 == 0,
    lambda _, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: (i * j) % 2 + (i * j) % 3 == 0,
    lambda i, j: ((i * j) % 2 + (i * j) % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + (i * j) % 3) % 2 == 0,
)


def text_of_code(rows: list[list[bool]], mask: int) -> str:
    """Return the text of a code of version 3 and level L, which has a single block."""
    size = len(rows)

    def is_data(i: int, j: int) -> bool:
        corner = (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9)
        return not (corner or 6 in {i, j} or max(abs(i - size + 7), abs(j - size + 7)) <= 2)

    bits: list[bool] = []
    columns = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for n, right in enumerate(columns):
        for i in range(size) if n % 2 else range(size - 1, -1, -1):
            pair = [j for j in (right, right - 1) if is_data(i, j)]
            bits.extend(rows[i][j] ^ MASKS[mask](i, j) for j in pair)
    number = int("".join(str(int(bit)) for bit in bits[:440]), 2)
    told = number.to_bytes(55, "big").hex()
    assert told[0] == "4", "bytes"
    return bytes.fromhex(told[3 : 3 + 2 * int(told[1:3], 16)]).decode()


def mask_of_code(rows: list[list[bool]]) -> int:
    """Return the number of the mask of a code, which stands beside its first corner."""
    bits = [rows[8][2] ^ True, rows[8][3], rows[8][4] ^ True]
    return int("".join(str(int(bit)) for bit in bits), 2)


def code_on_page(pdf: Path) -> list[list[bool]]:
    """Return the modules of the code of version 3 on the first page of a PDF.

    Raises:
        LookupError: If there is none.
    """
    picture = pdf.with_suffix(".png")
    command = ["pdftoppm", "-r", str(_DPI), "-gray", "-png", "-singlefile", "-l", "1"]
    subprocess.run([*command, str(pdf), str(picture.with_suffix(""))], check=True)  # noqa: S603 - our own file
    with Image.open(picture) as held:
        page = held.convert("L")
        for left, top in _corners(page):
            rows = [
                [
                    _is_dark(page, left + x * _PX + _PX // 2, top + y * _PX + _PX // 2)
                    for x in range(_SIZE)
                ]
                for y in range(_SIZE)
            ]
            if all(_has_corner(rows, x, y) for x, y in ((0, 0), (_SIZE - 7, 0), (0, _SIZE - 7))):
                return rows
    raise LookupError(f"no code in {pdf}")


def _corners(page: Image.Image) -> Iterator[tuple[int, int]]:
    """Yield the upper left corners of dark areas, at which a code may begin."""
    room = _SIZE * _PX
    dark = page.point(lambda grey: 255 if grey < 128 else 0)
    data, width = dark.tobytes(), dark.width
    for y in range(1, dark.height - room):
        line, above = data[y * width : (y + 1) * width], data[(y - 1) * width : y * width]
        x = line.find(b"\xff")
        while 0 < x < width - room:
            if not line[x - 1] and not above[x]:
                yield x, y
            x = line.find(b"\xff", x + 1)


def _is_dark(page: Image.Image, x: int, y: int) -> bool:
    grey = page.getpixel((x, y))
    assert isinstance(grey, int)
    return grey < 128


def _has_corner(rows: list[list[bool]], left: int, top: int) -> bool:
    """Return whether a square in a square stands at a place, as at three corners of a code."""
    return all(
        rows[top + y][left + x] == (max(abs(x - 3), abs(y - 3)) != 2)
        for x in range(_CORNER)
        for y in range(_CORNER)
    )
