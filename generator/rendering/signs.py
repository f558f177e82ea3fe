"""Owns the question which signs the bundled fonts can print, and where others stand in a file.

Does not print. A sign that a bundled font lacks is drawn from whatever font a machine has, or as
an empty box: the same file would look different elsewhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTFont

from generator.problems import Location, Problem
from generator.reading import Document

CODE = "no-such-sign"
_SPACES = ("Cc", "Cf", "Zl", "Zp", "Zs")
"""What has no shape of its own: whatever lays text out makes room for it, or leaves it out."""
_LONGEST = 40

Spot = tuple[str | int, ...]


@lru_cache(maxsize=8)
def printable(faces: tuple[Path, ...]) -> frozenset[int]:
    """List the code points that every face has."""
    return frozenset[int].intersection(*(_signs(face) for face in faces))


def _signs(face: Path) -> frozenset[int]:
    with TTFont(face, lazy=True) as font:
        return frozenset(font.getBestCmap())


def missing(text: str, signs: frozenset[int]) -> list[str]:
    """List the signs of a text that cannot be printed, each once, in order."""
    if text.isascii():
        return []
    odd = dict.fromkeys(sign for sign in text if ord(sign) not in signs)
    return [sign for sign in odd if unicodedata.category(sign) not in _SPACES]


def file_signs(document: Document, faces: Sequence[Path]) -> Iterator[Problem]:
    """Find the signs of a YAML file that cannot be printed, each text at its place.

    Comments are for those who read the file, and may hold anything.
    """
    signs = printable(tuple(faces))
    for path, text in _texts(document.data, ()):
        if odd := missing(text, signs):
            yield document.problem(CODE, _told(odd, text), path)


def _texts(held: Any, path: Spot) -> Iterator[tuple[Spot, str]]:
    match held:
        case str():
            yield path, held
        case Mapping():
            for key, each in held.items():
                yield from _texts(each, (*path, key))
        case list():
            for place, each in enumerate(held):
                yield from _texts(each, (*path, place))


def prose_signs(text: str, file: str, faces: Sequence[Path]) -> Iterator[Problem]:
    """Find the signs of a file of prose that cannot be printed, line by line."""
    signs = printable(tuple(faces))
    for number, line in enumerate(text.splitlines(), 1):
        if odd := missing(line, signs):
            at = Location(file, number, line.index(odd[0]) + 1)
            yield Problem(CODE, _told(odd, line), at, line)


def _told(odd: Sequence[str], text: str) -> str:
    named = ", ".join(f"“{sign}” ({_name(sign)})" for sign in odd)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    verb = "is" if len(odd) == 1 else "are"
    return (
        f"{named} in “{shown}” {verb} in no font that Muster brings: "
        "printed as an empty box, or as this machine’s own fonts draw it"
    )


def _name(sign: str) -> str:
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".strip()
