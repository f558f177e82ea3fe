"""Owns the facts about the warning of signs that no bundled font has, as a build tells it."""

from pathlib import Path

import pytest

from muster.cli import build
from muster.systems import Library
from tests.scaffold import lay_out, spoil


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    return Library(tmp_path)


def test_sign_in_an_army_is_told_at_its_place(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    path = library.folder / "armies" / "club" / "first.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\nnotes: The \u9f8d sleeps\n", encoding="utf-8")

    build.warn_about_missing_glyphs(library, [("club", "first")])

    line = text.count("\n") + 2
    told = capsys.readouterr().err
    assert told.startswith(f"armies/club/first.yaml:{line}:8: warning: “\u9f8d” (U+9F8D ")
    assert told.endswith("[no-such-sign]\n")


def test_army_of_known_signs_or_without_yaml_is_passed_over(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    build.warn_about_missing_glyphs(library, [("club", "first")])
    spoil(library.folder / "armies" / "club" / "first.yaml", "system:", "\u9f8d: [")

    build.warn_about_missing_glyphs(library, [("club", "first")])

    assert capsys.readouterr().err == ""
