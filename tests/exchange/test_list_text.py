"""Test that a list as text says just what the list builder copies, of every sample army."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from muster.armies import army_from_document, check, load_army
from muster.exchange.list_text import ListForm, list_as_text
from muster.yamlfile import document_from_text
from tests.builder.conftest import ROOT, judge_source, library, system_data
from tests.web.conftest import start_browser

FORMS: dict[ListForm, str] = {"text": "text", "markdown": "Markdown", "bbcode": "BBCode"}
"""The forms, with their names in the list builder."""
SAMPLES = sorted((ROOT / "armies").glob("*/*.yaml"))
AS_TEXT = """([data, written, form]) => {
  const system = new Muster.System(JSON.parse(data));
  const { list } = Muster.readList(system, JSON.parse(written));
  return Muster.asText(form, system, list);
}"""

HOSTILE = """\
system: slaughterloo
name: "*A* [b]_x_ <i> #1 | `y` \\U0001F600"
notes: "[url]here"
divisions:
  - name: "[x] *y*"
    units:
      - {unit: militia-infantry, figures: 8, officer: none, points: 2, name: "[img]<b>", notes: "*n*"}
"""  # noqa: E501 - one entry of a list

browser = pytest.fixture(scope="module")(start_browser)


@pytest.fixture(scope="module")
def sharing(browser: Browser) -> Page:
    """Return a page that holds the judge of the list builder, and what it shares lists with."""
    page = browser.new_page()
    share = (ROOT / "templates" / "builder" / "share.js").read_text(encoding="utf-8")
    page.add_script_tag(content=f"{judge_source()}\n{share}")
    return page


@pytest.mark.slow
@pytest.mark.xdist_group("builder-agreement")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_text_of_every_sample_is_that_of_the_list_builder(sharing: Page, path: Path) -> None:
    army = load_army(path, library())
    data = system_data(army.system.id)
    verdict = check(army)

    for form, its_name in FORMS.items():
        copied = sharing.evaluate(AS_TEXT, [data, json.dumps(army.document.data), its_name])
        assert list_as_text(verdict, form) == copied


@pytest.mark.slow
@pytest.mark.xdist_group("builder-agreement")
def test_names_that_are_markup_are_escaped_as_the_list_builder_does(sharing: Page) -> None:
    army = army_from_document(document_from_text(HOSTILE, "army.yaml"), library())
    verdict = check(army)
    texts = {form: list_as_text(verdict, form) for form in FORMS}

    for form, its_name in FORMS.items():
        data = [system_data("slaughterloo"), json.dumps(army.document.data), its_name]
        assert texts[form] == sharing.evaluate(AS_TEXT, data)
    assert "\\[img\\]\\<b\\>" in texts["markdown"]
    assert "[\u200bimg]" in texts["bbcode"]


def test_text_without_points_says_the_verdict_alone() -> None:
    army = load_army(ROOT / "armies" / "order-markers" / "small.yaml", library())

    text = list_as_text(check(army), "text")

    head = text.splitlines()
    assert head[1] == "=" * len(head[0])
    assert head[2].endswith(". Legal.")
    assert " point" not in text
