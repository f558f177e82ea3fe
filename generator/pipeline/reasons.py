"""Owns the words for why a document is made again.

Does not find out what changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from generator.uses import Part

FORCED = "forced"
NEW = "new"
MISSING = "output missing"
ALTERED = "output altered"
TEMPLATES = "templates, fonts or renderers changed"
PROGRAM = "another version of Muster"
CHOICES = "asked for otherwise: scale, unit, paper, or what stands beside it"
UNSURE = "its content changed"

_FOLDERS = {
    "tables": "table",
    "books": "army book",
    "sheets": "sheet",
    "prose": "chapter",
    "editions": "edition",
}
_FILES = {
    "system.yaml": "system file",
    "composition.yaml": "composition",
    "cards.yaml": "cards file",
    "errata.yaml": "errata",
}
_MOST = 3


def named(part: Part) -> str:
    """Name a part as a player knows it: `table kill-table`, `army first`, `files in tables`."""
    path = PurePath(part.path)
    if part.pattern:
        return f"files in {path.name}"
    if path.name in _FILES and path.parent.parent.name == "content":
        return _FILES[path.name]
    if path.parent.name in _FOLDERS and path.parent.parent.parent.name == "content":
        return f"{_FOLDERS[path.parent.name]} {path.stem}"
    if path.parent.parent.name == "armies":
        return f"army {path.stem}"
    return path.name


def changed(parts: Iterable[Part]) -> str:
    """Say which parts changed: `table kill-table changed`."""
    # That a folder has other files says less than which file was changed.
    ordered = sorted(parts, key=lambda part: bool(part.pattern))
    names = list(dict.fromkeys(named(part) for part in ordered))
    if not names:
        return UNSURE
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{', '.join(names[:_MOST])}{more} changed"
