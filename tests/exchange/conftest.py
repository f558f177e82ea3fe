"""What tests of exchange share: an invented game as BattleScribe data, and its import."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.exchange.battlescribe import read_data_set
from muster.exchange.battlescribe_import import ImportedSystem, import_system
from muster.systems import Library

MARSH = Path(__file__).parent / "marsh"
FILES = [MARSH / name for name in ("marsh.gst", "newts.cat", "herons.cat", "wild.cat")]


def write_system(imported: ImportedSystem, folder: Path) -> Library:
    """Write an imported system below a folder, and return the library of that folder."""
    for name, text in imported.files.items():
        file = folder / "content" / imported.id / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Library(folder)


def changed(tmp_path: Path, old: str, new: str, *more: tuple[str, str]) -> ImportedSystem:
    """Return the invented game, imported after changes of its files, each once in a file."""
    files = []
    found: set[str] = set()
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for before, after in ((old, new), *more):
            found |= {before} if before in text else set()
            text = text.replace(before, after, 1)
        copy = tmp_path / file.name
        copy.write_text(text, encoding="utf-8")
        files.append(copy)
    assert found == {old, *(before for before, _ in more)}
    return import_system(read_data_set(files), "marsh-wars")


@pytest.fixture(scope="session")
def marsh() -> ImportedSystem:
    """Return the invented game, imported."""
    return import_system(read_data_set(FILES), "marsh-wars")


@pytest.fixture(scope="session")
def marsh_library(marsh: ImportedSystem, tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Return a library that has the invented game."""
    return write_system(marsh, tmp_path_factory.mktemp("marsh"))
