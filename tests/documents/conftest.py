"""The small system of `muster new system`, from which the tests of documents gather."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from muster.armies import Army, Verdict, army_from_document, check
from muster.systems import Library, System
from muster.yamlfile import document_from_text
from tests.scaffold import SYSTEM, lay_out

HEAD = "system: club\nbook: first-book\nname: The army\n"

Read = Callable[[str], tuple[System, Army, Verdict]]


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """Return the folder of the system; a test may edit its files before it reads them."""
    return lay_out(tmp_path)


@pytest.fixture
def system(content: Path) -> System:
    """Return the system as its files are now."""
    return Library(content.parent.parent).system(SYSTEM)


@pytest.fixture
def read(content: Path) -> Read:
    """Return a function that reads and checks an army of the system as its files are now."""

    def read(text: str) -> tuple[System, Army, Verdict]:
        library = Library(content.parent.parent)
        army = army_from_document(document_from_text(HEAD + text, "army.yaml"), library)
        return library.system(SYSTEM), army, check(army)

    return read
