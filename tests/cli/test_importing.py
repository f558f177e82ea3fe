"""Test that `muster import` writes a system that the other commands understand."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.cli.conftest import Muster
from tests.exchange.conftest import FILES


def test_command_writes_a_system_that_drafts_and_checks(muster: Muster, folder: Path) -> None:
    zipped = folder / "marsh.bsr"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in FILES:
            archive.write(file, file.name)

    result = muster("import", "battlescribe", "marsh.bsr")
    assert result.exit_code == 0, result.stderr
    assert "9 units in 2 books, 16 rules" in result.stderr
    assert (folder / "content" / "marsh-wars" / "import-report.txt").exists()
    assert muster("lint", "marsh-wars").exit_code == 0
    for book in ("newts", "herons"):
        drafted = muster("draft", "marsh-wars", "--book", book, "--limit", "600", "--seed", "1")
        assert drafted.exit_code == 0, drafted.stderr
        assert muster("check", f"armies/marsh-wars/{book}-any-1.yaml").exit_code == 0
    assert muster("import", "battlescribe", "marsh.bsr").exit_code == 2


def test_command_tells_what_is_wrong_with_a_file(muster: Muster, folder: Path) -> None:
    (folder / "bad.gst").write_text("<!DOCTYPE x><x/>", encoding="utf-8")
    result = muster("import", "battlescribe", "bad.gst")

    assert result.exit_code == 2
    assert "bad.gst:1:" in result.stderr
    assert not (folder / "content" / "x").exists()
