"""Tests of the page on writing one's own templates: its example works, its lists are whole."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment

from muster.rendering.book_pages import book_html
from muster.rendering.environment import TemplateEnvironment
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import army_book, book_unit

README = (TEMPLATES / "README.md").read_text(encoding="utf-8")


def test_example_takes_the_place_of_the_shipped_template(tmp_path: Path) -> None:
    (example,) = re.findall(r"```jinja\n(.*?)```", README, re.DOTALL)
    (name,) = re.findall(r"`templates/([\w/.]+)` of your folder", README)
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text(example, encoding="utf-8")

    page = book_html(
        TemplateEnvironment([tmp_path, TEMPLATES]),
        army_book(book_unit("Musketeers"), book_unit("<Hussars>")),
        "index.html",
    )

    assert "<h1>Prussia, as we play it</h1>" in page
    assert "2 units to choose from." in page
    assert "<p>The club meets on Thursdays.</p>" in page
    assert "<b>&lt;Hussars&gt;</b>" in page


def test_every_filter_and_function_of_ours_is_listed(templates: TemplateEnvironment) -> None:
    jinja, plain = templates._jinja, Environment(autoescape=True)
    named = set(re.findall(r"^\| `\w+ \\\| (\w+)", README, re.MULTILINE))
    functions = set(re.findall(r"^\| `(\w+)\(", README, re.MULTILINE))

    assert named == set(jinja.filters) - set(plain.filters)
    assert functions == set(jinja.globals) - set(plain.globals)


def test_every_template_of_a_document_is_listed() -> None:
    named = set(re.findall(r"`(\w+/(?:print|screen)\.html\.j2)`", README))
    shipped = {
        path.relative_to(TEMPLATES).as_posix()
        for path in TEMPLATES.glob("*/*.html.j2")
        if path.name in {"print.html.j2", "screen.html.j2"} and path.parent.name != "base"
    }

    assert named - {"base/screen.html.j2"} == shipped
