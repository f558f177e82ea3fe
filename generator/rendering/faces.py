"""Owns which faces of type Muster brings, and where the files of the templates lie.

Does not load any.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FACES = (
    ("Muster Sans", "MusterSans-Regular", 400, "normal"),
    ("Muster Sans", "MusterSans-Medium", 500, "normal"),
    ("Muster Sans", "MusterSans-SemiBold", 600, "normal"),
    ("Muster Sans", "MusterSans-Bold", 700, "normal"),
    ("Muster Sans", "MusterSans-Italic", 400, "italic"),
    ("Muster Serif", "MusterSerif-Regular", 400, "normal"),
    ("Muster Serif", "MusterSerif-Italic", 400, "italic"),
    ("Muster Serif", "MusterSerif-SemiBold", 600, "normal"),
    ("Muster Serif", "MusterSerif-Bold", 700, "normal"),
)
"""Family, file without ending, weight, style."""


def found(folders: Sequence[Path], name: str) -> Path:
    """Find a file of the templates; the first folder that has it has the word.

    Raises:
        FileNotFoundError: If no folder has it.
    """
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(name)


def printed_faces(folders: Sequence[Path]) -> list[Path]:
    """List the files of the faces that pages are printed with."""
    return [found(folders, f"fonts/{name}.ttf") for _, name, _, _ in FACES]
