"""The bundled typefaces, the characters that they can print, and where a file has others."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from muster.problems import Location, MusterError, Problem, display_path
from muster.rendering.font_files import opened_font
from muster.systems import System
from muster.systems.file_names import VISIBLE_PO, VISIBLE_PROSE, VISIBLE_YAML
from muster.systems.lint import LintIssue, as_warning
from muster.yamlfile import Document, read_document, read_text

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
"""Family, file name without its ending, weight, style."""


def find_template_file(folders: Sequence[Path], name: str) -> Path:
    """Return the path of a template file, from the first folder that has it.

    Raises:
        FileNotFoundError: If no folder has it.
    """
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(name)


def print_face_files(folders: Sequence[Path]) -> list[Path]:
    """Return the font files that pages are printed with."""
    return [find_template_file(folders, f"fonts/{name}.ttf") for _, name, _, _ in FACES]


MISSING_GLYPH = "no-such-sign"
_SHAPELESS_CATEGORIES = ("Cc", "Cf", "Zl", "Zp", "Zs")
"""Unicode categories of characters that draw nothing: controls, and spaces of all kinds."""
_LONGEST_QUOTE = 40
"""How many characters of a text a message quotes."""

DataPath = tuple[str | int, ...]


@lru_cache(maxsize=8)
def printable_code_points(faces: tuple[Path, ...]) -> frozenset[int]:
    """Return the code points that every face has a glyph for."""
    return frozenset[int].intersection(*(_code_points_of(face) for face in faces))


def _code_points_of(face: Path) -> frozenset[int]:
    with opened_font(face) as font:
        return frozenset(font.getBestCmap())


def missing_characters(text: str, code_points: frozenset[int]) -> list[str]:
    """Return the characters of a text that cannot be printed, each once, in order."""
    if text.isascii():
        return []
    missing = dict.fromkeys(char for char in text if ord(char) not in code_points)
    return [char for char in missing if unicodedata.category(char) not in _SHAPELESS_CATEGORIES]


def find_missing_in_document(document: Document, faces: Sequence[Path]) -> Iterator[Problem]:
    """Yield a problem for each text of a YAML file that has characters no font can print.

    Comments are never printed, and may hold any character.
    """
    code_points = printable_code_points(tuple(faces))
    for path, text in _iter_texts(document.data, ()):
        if missing := missing_characters(text, code_points):
            yield document.problem(MISSING_GLYPH, _missing_message(missing, text), path)


def _iter_texts(data: Any, path: DataPath) -> Iterator[tuple[DataPath, str]]:
    match data:
        case str():
            yield path, data
        case Mapping():
            for key, value in data.items():
                yield from _iter_texts(value, (*path, key))
        case list():
            for index, item in enumerate(data):
                yield from _iter_texts(item, (*path, index))


def find_missing_in_prose(text: str, file: str, faces: Sequence[Path]) -> Iterator[Problem]:
    """Yield a problem for each line of prose, or of a translation, that no font can print."""
    code_points = printable_code_points(tuple(faces))
    for number, line in enumerate(text.splitlines(), 1):
        if missing := missing_characters(line, code_points):
            at = Location(file, number, line.index(missing[0]) + 1)
            yield Problem(MISSING_GLYPH, _missing_message(missing, line), at, line)


def _missing_message(missing: Sequence[str], text: str) -> str:
    named = ", ".join(f"“{char}” ({_character_name(char)})" for char in missing)
    shown = text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
    if len(missing) == 1:
        rest = "is in none of Muster’s fonts: it prints as an empty box, or in another font"
    else:
        rest = "are in none of Muster’s fonts: they print as empty boxes, or in other fonts"
    return f"{named} in “{shown}” {rest} of this machine"


def _character_name(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()


def find_missing_glyphs(
    system: System, book_folders: Sequence[Path], templates: Sequence[Path]
) -> Iterator[LintIssue]:
    """Yield a warning for each text of a system's files that no bundled font can print.

    Args:
        system: The rule system.
        book_folders: Further folders with army books of the system.
        templates: The template folders; a file is taken from the first that has it.
    """
    faces = print_face_files(templates)
    folders = dict.fromkeys(system.folder.rglob(VISIBLE_YAML), system.folder)
    folders |= dict.fromkeys(system.folder.rglob(VISIBLE_PROSE), system.folder)
    folders |= dict.fromkeys(system.folder.rglob(VISIBLE_PO), system.folder)
    for folder in book_folders:
        folders |= dict.fromkeys(folder.glob(VISIBLE_YAML), folder)
    for path, folder in sorted(folders.items()):
        name = display_path(path)
        try:
            if path.suffix in (".md", ".po"):
                text = read_text(path, shown_as=name, within=folder)
                problems = find_missing_in_prose(text, name, faces)
            else:
                document = read_document(path, shown_as=name, within=folder)
                problems = find_missing_in_document(document, faces)
            for problem in problems:
                yield as_warning(problem)
        except MusterError:
            # Other checks report a file that cannot be read.
            continue
