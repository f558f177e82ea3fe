"""Owns the small system that the tests of documents gather from: the one of `muster new system`.

Does not gather.
"""

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
    """Write the system; a test may spoil its files before it reads them."""
    return lay_out(tmp_path)


@pytest.fixture
def system(content: Path) -> System:
    """Open the system as it stands."""
    return Library(content.parent.parent).system(SYSTEM)


@pytest.fixture
def read(content: Path) -> Read:
    """Give the way to read and check an army of the system as it stands."""

    def read(text: str) -> tuple[System, Army, Verdict]:
        library = Library(content.parent.parent)
        army = army_from_document(document_from_text(HEAD + text, "army.yaml"), library)
        return library.system(SYSTEM), army, check(army)

    return read
