"""Tests of templates: which folder comes first, and how faults are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.glyphs import FACES
from muster.rendering.printer import PrintError
from tests.rendering.conftest import TEMPLATES


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a template folder of the user's own."""
    (tmp_path / "sheet").mkdir()
    return tmp_path


def write(own: Path, text: str, name: str = "own.html.j2") -> TemplateEnvironment:
    (own / "sheet" / name).write_text(text, encoding="utf-8")
    return TemplateEnvironment([own, TEMPLATES])


def test_own_template_takes_the_place_of_a_shipped_one(own: Path) -> None:
    templates = write(own, "mine: {{ name }}", "print.html.j2")

    assert templates.render("sheet/print.html.j2", name="x") == "mine: x"
    assert templates.find_file("sheet/print.html.j2") == own / "sheet" / "print.html.j2"
    assert templates.find_file("sheet/sheet.css") == TEMPLATES / "sheet" / "sheet.css"


def test_values_are_escaped(own: Path) -> None:
    assert write(own, "{{ name }}").render("sheet/own.html.j2", name="<b>") == "&lt;b&gt;"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n{{ nothing }}", "sheet/own.html.j2, line 2, cannot be filled in: 'nothing' is undef"),
        ("{{ name.nothing }}", "sheet/own.html.j2, line 1, cannot be filled in: 'str object' has"),
        ("\n\n{% if %}", "sheet/own.html.j2, line 3, cannot be filled in: Expected an expression"),
        ('{% include "nothing.j2" %}', "cannot be filled in: 'nothing.j2' not found"),
        ("{{ name | nothing }}", "line 1, cannot be filled in: No filter named 'nothing'"),
    ],
    ids=["undefined", "attribute", "syntax", "include", "filter"],
)
def test_template_that_cannot_be_filled_in_is_told(text: str, said: str, own: Path) -> None:
    with pytest.raises(PrintError) as caught:
        write(own, text).render("sheet/own.html.j2", name="x")

    assert said in str(caught.value)


def test_template_that_is_missing_is_told(own: Path) -> None:
    with pytest.raises(PrintError, match=r"the template sheet/no\.j2 cannot be filled in"):
        TemplateEnvironment([own]).render("sheet/no.j2")


def test_style_that_is_missing_is_an_error(own: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"sheet/no\.css"):
        TemplateEnvironment([own, TEMPLATES]).read_style("sheet/no.css")


def test_every_face_is_declared_for_print(templates: TemplateEnvironment) -> None:
    assert templates.faces.count("@font-face") == len(FACES)
    assert "data:" not in templates.faces


def test_only_faces_that_are_small_go_into_a_page(templates: TemplateEnvironment) -> None:
    files = list(TEMPLATES.rglob("*.woff2"))

    assert templates.inlined_faces.count("@font-face") == len(files) // 2
    assert (
        templates.inlined_letters.count("unicode-range: U+384-3CE, U+400-491;") == len(files) // 2
    )
    assert "file:" not in templates.inlined_faces + templates.inlined_letters
