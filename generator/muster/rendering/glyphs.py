"""The bundled typefaces, the characters that they can print, and where a file has others."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTFont

from muster.problems import Location, MusterError, Problem, display_path
from muster.systems import System
from muster.systems.lint import LintIssue, as_warning
from muster.yamlfile import Document, read_document

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


def find_template_file(folders: Sequence[Path], name: str) -> Path:
    """Find a file of the templates; the first folder that has it has the word.

    Raises:
        FileNotFoundError: If no folder has it.
    """
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(name)


def print_face_files(folders: Sequence[Path]) -> list[Path]:
    """List the files of the faces that pages are printed with."""
    return [find_template_file(folders, f"fonts/{name}.ttf") for _, name, _, _ in FACES]


MISSING_GLYPH = "no-such-sign"
_SHAPELESS_CATEGORIES = ("Cc", "Cf", "Zl", "Zp", "Zs")
"""What has no shape of its own: whatever lays text out makes room for it, or leaves it out."""
_LONGEST_QUOTE = 40

DataPath = tuple[str | int, ...]


@lru_cache(maxsize=8)
def printable_code_points(faces: tuple[Path, ...]) -> frozenset[int]:
    """List the code points that every face has."""
    return frozenset[int].intersection(*(_code_points_of(face) for face in faces))


def _code_points_of(face: Path) -> frozenset[int]:
    with TTFont(face, lazy=True) as font:
        return frozenset(font.getBestCmap())


def missing_characters(text: str, signs: frozenset[int]) -> list[str]:
    """List the signs of a text that cannot be printed, each once, in order."""
    if text.isascii():
        return []
    odd = dict.fromkeys(sign for sign in text if ord(sign) not in signs)
    return [sign for sign in odd if unicodedata.category(sign) not in _SHAPELESS_CATEGORIES]


def find_missing_in_document(document: Document, faces: Sequence[Path]) -> Iterator[Problem]:
    """Find the signs of a YAML file that cannot be printed, each text at its place.

    Comments are for those who read the file, and may hold anything.
    """
    signs = printable_code_points(tuple(faces))
    for path, text in _iter_texts(document.data, ()):
        if odd := missing_characters(text, signs):
            yield document.problem(MISSING_GLYPH, _missing_message(odd, text), path)


def _iter_texts(held: Any, path: DataPath) -> Iterator[tuple[DataPath, str]]:
    match held:
        case str():
            yield path, held
        case Mapping():
            for key, each in held.items():
                yield from _iter_texts(each, (*path, key))
        case list():
            for place, each in enumerate(held):
                yield from _iter_texts(each, (*path, place))


def find_missing_in_prose(text: str, file: str, faces: Sequence[Path]) -> Iterator[Problem]:
    """Find the signs of a file of prose that cannot be printed, line by line."""
    signs = printable_code_points(tuple(faces))
    for number, line in enumerate(text.splitlines(), 1):
        if odd := missing_characters(line, signs):
            at = Location(file, number, line.index(odd[0]) + 1)
            yield Problem(MISSING_GLYPH, _missing_message(odd, line), at, line)


def _missing_message(odd: Sequence[str], text: str) -> str:
    named = ", ".join(f"“{sign}” ({_character_name(sign)})" for sign in odd)
    shown = text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
    verb = "is" if len(odd) == 1 else "are"
    return (
        f"{named} in “{shown}” {verb} in no font that Muster brings: "
        "printed as an empty box, or as this machine’s own fonts draw it"
    )


def _character_name(sign: str) -> str:
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".strip()


def find_missing_glyphs(
    system: System, book_folders: Sequence[Path], templates: Sequence[Path]
) -> Iterator[LintIssue]:
    """Find the signs of a system's files that no bundled font can print.

    Args:
        system: The rule system.
        book_folders: Further folders with books of it.
        templates: The template folders, the first having the first word.
    """
    faces = print_face_files(templates)
    files = [*system.folder.rglob("*.yaml"), *system.folder.rglob("*.md")]
    for folder in book_folders:
        files += folder.glob("*.yaml")
    for path in sorted(files):
        name = display_path(path)
        try:
            if path.suffix == ".md":
                problems = find_missing_in_prose(path.read_text(encoding="utf-8"), name, faces)
            else:
                problems = find_missing_in_document(read_document(path, shown_as=name), faces)
            for problem in problems:
                yield as_warning(problem)
        except (MusterError, UnicodeDecodeError, OSError):
            # Whoever reads the file says what is wrong with it.
            continue
