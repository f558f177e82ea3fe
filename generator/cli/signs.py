"""Owns the warning, after a build, of signs in army files that no bundled font has.

Does not look into fonts; `rendering.signs` does. The army is printed all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from generator.cli import show

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.systems import Library


def warn(library: Library, armies: Iterable[tuple[str, str]]) -> None:
    """Tell of every text that cannot be printed as it is written, at its place.

    Args:
        library: Where the army files lie.
        armies: System and id of each army that was planned.
    """
    for problem in _odd(library, armies):
        where = show.place(problem.location.file, problem.location.line, problem.location.column)
        show.note(f"{where}: warning: {problem.text} [{problem.code}]")


def _odd(library: Library, armies: Iterable[tuple[str, str]]) -> list[Problem]:
    from generator.problems import MusterError
    from generator.reading import read_document
    from generator.reading.naming import shown
    from generator.rendering.faces import printed_faces
    from generator.rendering.signs import file_signs

    faces = printed_faces(library.templates())
    found: list[Problem] = []
    for system, army in armies:
        path = library.armies(system)[army].path
        try:
            found += file_signs(read_document(path, shown_as=shown(path)), faces)
        except MusterError:
            # The plan has told what is wrong with the file.
            continue
    return found
