"""Which names of files can be ids: they become parts of addresses, of links and of messages."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from muster.problems import Location, Problem, display_path

VISIBLE_YAML = "[!.]*.yaml"
VISIBLE_PROSE = "[!.]*.md"
VISIBLE_PO = "[!.]*.po"
"""The files of a folder that are read. Editors keep hidden ones beside them, such as `.#a.yaml`."""

_MAX_LENGTH = 100
_MARKS = frozenset(" -_.,'()")
"""The characters beside letters and digits that a name may have, in the middle."""


def is_good_name(stem: str) -> bool:
    """Return whether the name of a file, without its ending, can be an id.

    It begins with a letter or a digit of any script and ends with one or with a bracket. Other
    characters mean something in an address (`#`, `?`, `%`, `/`), to a terminal or to a shell.
    """
    return (
        0 < len(stem) <= _MAX_LENGTH
        and stem[0].isalnum()
        and (_is_letter(stem[-1]) or stem[-1] == ")")
        and all(_is_letter(character) or character in _MARKS for character in stem)
        and ".." not in stem
    )


def _is_letter(character: str) -> bool:
    """Return whether a character is a letter, an accent of one, or a digit."""
    return unicodedata.category(character)[0] in "LMN"


def name_problem(path: Path) -> Problem:
    """Return the problem of a file whose name cannot be an id."""
    text = (
        f"no id can be made of the file name {path.name!a}, expected letters, digits, blanks and "
        "hyphens, such as advance-guard.yaml"
    )
    return Problem("bad-file-name", text, Location(display_path(path)))
