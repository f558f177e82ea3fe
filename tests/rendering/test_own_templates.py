"""Tests of the page on writing one's own templates: its example works, its lists are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import Environment

from muster.rendering.book_pages import book_html
from muster.rendering.card_pages import cards_pdf
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS
from muster.rendering.printed import PrintError
from muster.rendering.roster_pages import roster_pdf
from muster.rendering.sheet_pages import sheet_pdf
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import army_book, book_unit, card, deck, roster, sheet, side

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


PAGE = "<html lang=en><head><title>x</title></head><body>{}</body></html>"


def own_templates(folder: Path, name: str, text: str) -> TemplateEnvironment:
    """Return the shipped templates with another one in the place of one."""
    (folder / name).parent.mkdir()
    (folder / name).write_text(text, encoding="utf-8")
    return TemplateEnvironment([folder, TEMPLATES])


def print_sample(kind: str, templates: TemplateEnvironment) -> None:
    """Print a document of a kind whose type size is measured."""
    match kind:
        case "sheet":
            sheet_pdf(templates, sheet(side()), PAPERS["a4"], {})
        case "roster":
            roster_pdf(templates, roster(), "full", "a4", {})
        case "cards":
            cards_pdf(templates, deck(card()), "9-up", "a4", {})


@pytest.mark.parametrize("body", ["<p>x</p>", "<p id='m-0'>x</p>", ""])
@pytest.mark.parametrize("kind", ["sheet", "roster", "cards"])
def test_own_template_without_the_ids_that_are_measured_is_named(
    kind: str, body: str, tmp_path: Path
) -> None:
    own = own_templates(tmp_path, f"{kind}/print.html.j2", PAGE.format(body))

    with pytest.raises(PrintError, match=f"{kind}/print.html.j2"):
        print_sample(kind, own)


def test_own_template_without_a_macro_is_named(tmp_path: Path) -> None:
    name = "rulebook/parts.html.j2"
    parts = own_templates(tmp_path, name, "{% macro table() %}x{% endmacro %}").macros(name)

    with pytest.raises(PrintError, match=r"rulebook/parts.html.j2 has no macro 'errata'"):
        parts.errata([])
    with pytest.raises(PrintError, match=r"rulebook/parts.html.j2 cannot be filled in: macro"):
        parts.table(1, 2)
