"""Read QR codes back, as a phone does: from the drawing on a page, and from their modules."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

from pypdf import PdfReader

_SIZE = 29
"""The modules of a code of version 3 across."""
_STROKE = re.compile(rb"^(\d+) (\d+\.5) m\n(\d+) \2 l$", re.MULTILINE)

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


def code_on_page(data: bytes) -> list[list[bool]]:
    """Return the modules of the code of version 3 that is drawn on the first page of a PDF.

    Each run of dark modules is a stroke through the middle of its row, a module wide.
    """
    content = PdfReader(BytesIO(data)).pages[0].get_contents()
    assert content is not None
    rows = [[False] * _SIZE for _ in range(_SIZE)]
    for left, y, right in _STROKE.findall(content.get_data()):
        for x in range(int(left), int(right)):
            rows[int(float(y))][x] = True
    return rows
