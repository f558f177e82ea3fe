"""Tests of the fingerprint of all that lays out and writes pages."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muster.rendering import fingerprint
from muster.rendering.card_pages import cards_pdf
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.fingerprint import templates_fingerprint
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import card, deck


class Store(dict[str, bytes]):
    """A piece store whose content can be listed."""

    def put(self, made_from: str, data: bytes) -> None:
        self[made_from] = data


@pytest.fixture
def renderers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of our renderers, which may be changed."""
    folder = tmp_path / "rendering"
    shutil.copytree(Path(fingerprint.__file__).parent, folder)
    monkeypatch.setattr(fingerprint, "_RENDERERS_FOLDER", folder)
    return folder


def set_version(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    installed = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: "99" if name == library else installed(name)
    )


def test_fingerprint_changes_with_any_template(tmp_path: Path) -> None:
    own = tmp_path / "own.html.j2"
    own.write_text("a", encoding="utf-8")
    before = templates_fingerprint([tmp_path, TEMPLATES])
    own.write_text("b", encoding="utf-8")
    after = templates_fingerprint([tmp_path, TEMPLATES])

    assert len({before, after, templates_fingerprint([TEMPLATES])}) == 3


def test_fingerprint_changes_with_the_words_of_a_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "languages" / "de.po"
    words.parent.mkdir()
    words.write_text("a", encoding="utf-8")
    monkeypatch.setattr(fingerprint, "LANGUAGES_FOLDER", words.parent)
    before = templates_fingerprint([TEMPLATES])
    words.write_text("b", encoding="utf-8")

    assert templates_fingerprint([TEMPLATES]) != before


def test_fingerprint_changes_with_our_renderers(renderers: Path) -> None:
    before = templates_fingerprint([TEMPLATES])
    (renderers / "joining.py").write_text("changed", encoding="utf-8")

    assert templates_fingerprint([TEMPLATES]) != before


@pytest.mark.parametrize("library", ["weasyprint", "pydyf", "fonttools"])
def test_fingerprint_changes_with_the_libraries_that_print(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = templates_fingerprint([TEMPLATES])
    set_version(monkeypatch, library)

    assert templates_fingerprint([TEMPLATES]) != before


def test_starting_points_of_authors_do_not_count(tmp_path: Path) -> None:
    before = templates_fingerprint([tmp_path])
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "army.yaml").write_text("a", encoding="utf-8")

    assert templates_fingerprint([tmp_path]) == before


@pytest.mark.parametrize("changed", ["renderers", "pydyf", "fonttools"])
def test_no_piece_is_joined_that_older_code_has_made(
    changed: str, renderers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = deck(*(card(f"{letter} company") for letter in "ABCDEFGHIJKLMNOPQRS"))
    store = Store()
    cards_pdf(TemplateEnvironment([TEMPLATES]), cards, "9-up", "a4", {}, store)
    old = dict(store)
    if changed == "renderers":
        (renderers / "joining.py").write_text("changed", encoding="utf-8")
    else:
        set_version(monkeypatch, changed)

    cards_pdf(TemplateEnvironment([TEMPLATES]), cards, "9-up", "a4", {}, store)

    assert old
    assert len(store) == 2 * len(old)


def test_fingerprint_loads_nothing_heavy() -> None:
    code = "import sys; import muster.rendering.fingerprint; print(*sys.modules)"
    loaded = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert not {"weasyprint", "jinja2", "markdown", "fontTools"} & set(loaded)
