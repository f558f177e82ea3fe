"""Owns the check that all that a system's files say can be printed in the bundled fonts.

Does not know any font; `signs` asks them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.problems import MusterError
from generator.reading import read_document
from generator.reading.naming import shown
from generator.rendering.faces import printed_faces
from generator.rendering.signs import file_signs, prose_signs
from generator.systems import System
from generator.systems.flaw import Flaw, warning


def sign_flaws(
    system: System, book_folders: Sequence[Path], templates: Sequence[Path]
) -> Iterator[Flaw]:
    """Find the signs of a system's files that no bundled font can print.

    Args:
        system: The rule system.
        book_folders: Further folders with books of it.
        templates: The template folders, the first having the first word.
    """
    faces = printed_faces(templates)
    files = [*system.folder.rglob("*.yaml"), *system.folder.rglob("*.md")]
    for folder in book_folders:
        files += folder.glob("*.yaml")
    for path in sorted(files):
        name = shown(path)
        try:
            if path.suffix == ".md":
                problems = prose_signs(path.read_text(encoding="utf-8"), name, faces)
            else:
                problems = file_signs(read_document(path, shown_as=name), faces)
            for problem in problems:
                yield warning(problem)
        except (MusterError, UnicodeDecodeError, OSError):
            # Whoever reads the file says what is wrong with it.
            continue
