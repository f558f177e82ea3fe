"""A colour profile of an imaginary press, small and made from a formula.

Each ink absorbs exactly one light: cyan that of red, and so on. No real press prints like that.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import product

_HEADER = 128
_GRID = 9
_D50 = (0.9642, 1.0, 0.8249)
_TO_XYZ = ((0.4361, 0.3851, 0.1431), (0.2225, 0.7169, 0.0606), (0.0139, 0.0971, 0.7141))
_FROM_XYZ = ((3.1341, -1.6174, -0.4906), (-0.9787, 1.9161, 0.0334), (0.0719, -0.2290, 1.4052))
_BEND, _SLOPE = 216 / 24389, 24389 / 27

Colour = Sequence[float]


def press_profile() -> bytes:
    """Return an ICC profile (version 2.4) of class `prtr` for CMYK, between inks and CIE Lab."""
    tags = {
        b"desc": _described("Press of no name"),
        b"cprt": b"text\0\0\0\0Public domain\0",
        b"wtpt": b"XYZ \0\0\0\0" + _fixed(*_D50),
        b"A2B0": _table(_lab_of_inks, 4, 3, 2),
        b"B2A0": _table(_inks_of_lab, 3, 4, _GRID),
    }
    listed, held = struct.pack(">I", len(tags)), b""
    begin = _HEADER + 4 + 12 * len(tags)
    for name, data in tags.items():
        listed += name + struct.pack(">II", begin + len(held), len(data))
        held += data + b"\0" * (-len(data) % 4)
    head = struct.pack(">I4xI4s4s4s", begin + len(held), 0x02400000, b"prtr", b"CMYK", b"Lab ")
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp"
    head = head.ljust(68, b"\0") + _fixed(*_D50)
    return head.ljust(_HEADER, b"\0") + listed + held


def _described(text: str) -> bytes:
    data = text.encode("ascii") + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(data)) + data + bytes(78)


def _fixed(*numbers: float) -> bytes:
    return struct.pack(f">{len(numbers)}i", *(round(each * 65536) for each in numbers))


def _table(convert: Callable[[Colour], Colour], inputs: int, outputs: int, grid: int) -> bytes:
    """Return a table of bytes; its first index varies slowest."""
    straight = bytes(range(256))
    steps = [step / (grid - 1) for step in range(grid)]
    nodes = (convert(node) for node in product(steps, repeat=inputs))
    held = bytes(min(255, max(0, round(part * 255))) for node in nodes for part in node)
    head = struct.pack(">4s4xBBBx", b"mft1", inputs, outputs, grid)
    return head + _fixed(1, 0, 0, 0, 1, 0, 0, 0, 1) + straight * inputs + held + straight * outputs


def _lab_of_inks(inks: Colour) -> Colour:
    *coloured, black = inks
    light = [((1 - ink) * (1 - black)) ** 2.2 for ink in coloured]
    x, y, z = (
        _bent(part / white) for part, white in zip(_times(_TO_XYZ, light), _D50, strict=True)
    )
    return (116 * y - 16) / 100, (500 * (x - y) + 128) / 255, (200 * (y - z) + 128) / 255


def _inks_of_lab(lab: Colour) -> Colour:
    y = (lab[0] * 100 + 16) / 116
    x, z = y + (lab[1] * 255 - 128) / 500, y - (lab[2] * 255 - 128) / 200
    parts = (_unbent(part) * white for part, white in zip((x, y, z), _D50, strict=True))
    lacks = [1 - min(1, max(0, light)) ** (1 / 2.2) for light in _times(_FROM_XYZ, list(parts))]
    black = min(lacks)
    return [*((lack - black) / (1 - black) if black < 1 else 0 for lack in lacks), black]


def _times(matrix: Sequence[Colour], colour: Colour) -> Iterator[float]:
    return (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)


def _bent(part: float) -> float:
    return part ** (1 / 3) if part > _BEND else (_SLOPE * part + 16) / 116


def _unbent(part: float) -> float:
    return part**3 if part**3 > _BEND else (116 * part - 16) / _SLOPE
