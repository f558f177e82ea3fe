"""The tiny system of the tests of armies, with constraints, for the tests of the solver."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest

from tests.armies.conftest import BOOK, COMPOSITION, COSTS, SIZES, SYSTEM

Tiny = Callable[..., Path]


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """Return a function that writes the tiny system with constraints and returns its root.

    `composition` takes the place of the usual one, up to the constraints, and `book` that of
    the usual book.
    """

    def write(*constraints: str, composition: str = COMPOSITION, book: str = BOOK) -> Path:
        folder = tmp_path / "content" / "tiny"
        for name in ("tables", "books"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
        (folder / "tables" / "costs.yaml").write_text(COSTS, encoding="utf-8")
        (folder / "tables" / "sizes.yaml").write_text(SIZES, encoding="utf-8")
        (folder / "books" / "north.yaml").write_text(book, encoding="utf-8")
        rules = ""
        for constraint in constraints:
            cited = f"{constraint}\nmessage: Tried.\nrule: {{chapter: army, source: L1}}"
            rules += indent(cited, "    ").replace("    ", "  - ", 1) + "\n"
        text = f"{composition}{rules or '  []'}\n"
        (folder / "composition.yaml").write_text(text, encoding="utf-8")
        return tmp_path

    return write
