"""A small system with prose in two copies, and a way to edit one of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from muster.editions.compare import Comparison, compare_editions
from muster.editions.snapshot import edition_data
from muster.systems import open_system
from tests.scaffold import lay_out, spoil

ARMY = """\
The army has one **General**, and foot.

- Foot holds the ground that it stands on.
- Horse goes round it.

## Sizes

{table: unit-sizes}

A unit of foot has {value: unit-sizes row=foot column=stands} stands.
"""
TURN = """\
Both sides play at once, and nobody waits for the other side to end a step.

{table: turn-sequence}
"""


class Editions:
    """Two copies of one system; tests edit the new one."""

    def __init__(self, folder: Path) -> None:
        self.old = lay_out(folder / "old")
        shutil.rmtree(self.old / "prose", ignore_errors=True)
        (self.old / "prose").mkdir()
        (self.old / "prose" / "01-army.md").write_text(ARMY, encoding="utf-8")
        (self.old / "prose" / "02-turn.md").write_text(TURN, encoding="utf-8")
        self.new = folder / "new" / "content" / "club"
        shutil.copytree(self.old, self.new)

    def edit(self, *edits: tuple[str, str, str]) -> Editions:
        """Replace text in files of the new copy: file, old text, new text."""
        for name, old, new in edits:
            spoil(self.new / name, old, new)
        return self

    def data(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return both copies as plain data."""
        return edition_data(open_system(self.old)), edition_data(open_system(self.new))

    def compare(self) -> Comparison:
        """Return the comparison of both copies."""
        return compare_editions(*self.data())


@pytest.fixture
def editions(tmp_path: Path) -> Editions:
    """Return the two copies."""
    return Editions(tmp_path)
