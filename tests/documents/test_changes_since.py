"""Tests of a rulebook that shows what changed since an older edition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muster.documents.passages import Passage
from muster.documents.rulebook import Rulebook, gather_rulebook, read_editions
from muster.editions.snapshot import edition_data
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import CHANGED_ATTRIBUTE
from muster.rendering.rulebook_pages import rulebook_html
from muster.systems import open_system
from tests.scaffold import SHIPPED

ROOT = Path(__file__).resolve().parents[2]

NEW_TEXT = "These words stood in no edition that was ever printed."


def book(system: str, old: Any = None) -> Rulebook:
    opened = open_system(ROOT / "content" / system)
    return gather_rulebook(opened, read_editions(opened)[0], "" if old is None else json.dumps(old))


def data(system: str) -> dict[str, Any]:
    return json.loads(json.dumps(edition_data(open_system(ROOT / "content" / system))))  # type: ignore[no-any-return]


def barred(passage: Passage) -> list[str]:
    """Return the paragraphs that end with a bar, without what their braces print."""
    marks = [f"{{{n}}}" for n, piece in enumerate(passage.pieces) if piece.kind == "bar"]
    return [passage.text[: passage.text.index(mark)].rpartition("\n\n")[2] for mark in marks]


@pytest.mark.parametrize("system", SHIPPED)
def test_book_without_an_older_edition_has_no_changes(system: str) -> None:
    rulebook = book(system)

    assert rulebook.changes is None
    assert not any(barred(chapter) for chapter in rulebook.chapters)
    assert not any(line.changed for table in rulebook.tables for line in table.view.lines)


@pytest.mark.parametrize("system", SHIPPED)
def test_book_of_an_edition_that_did_not_change_has_no_bar(system: str) -> None:
    rulebook = book(system, data(system))

    assert rulebook.changes is not None
    assert rulebook.changes.count == 0
    assert not any(barred(chapter) for chapter in rulebook.chapters)


@pytest.mark.parametrize("system", SHIPPED)
def test_changed_row_paragraph_and_note_have_bars(system: str) -> None:
    old = data(system)
    table = next(each for each in old["tables"] if len(each["rows"]) > 1)
    table["rows"][1]["cells"][0]["value"] = "something else"
    noted = next(each for each in old["tables"] if each is not table)
    noted["notes"].append("A note that is gone.")
    chapter = old["prose"][0]
    place = next(n for n, text in enumerate(chapter["paragraphs"]) if text[0].isalpha())
    chapter["paragraphs"][place] = NEW_TEXT

    rulebook = book(system, old)

    shown = {each.view.id: each for each in rulebook.tables}
    assert [n for n, line in enumerate(shown[table["id"]].view.lines) if line.changed] == [1]
    assert [each.view.id for each in rulebook.tables if each.changed] == [noted["id"]]
    bars = {each.id: barred(each) for each in rulebook.chapters if barred(each)}
    assert list(bars) == [chapter["id"]]
    assert len(bars[chapter["id"]]) == 1
    assert rulebook.changes is not None
    kinds = sorted({item.kind for section in rulebook.changes.sections for item in section.items})
    assert kinds in (["changed", "removed"], ["added", "changed", "removed"])


def test_renamed_id_is_not_a_change_for_readers() -> None:
    old = data(SHIPPED[0])
    old["tables"][0]["rows"][0]["id"] = "another-id"

    rulebook = book(SHIPPED[0], old)

    assert rulebook.changes is not None
    assert rulebook.changes.count == 0
    assert not any(line.changed for table in rulebook.tables for line in table.view.lines)


def test_page_for_screens_marks_the_paragraph_and_lists_the_change() -> None:
    old = data(SHIPPED[0])
    chapter = old["prose"][0]
    place = next(n for n, text in enumerate(chapter["paragraphs"]) if text[0].isalpha())
    chapter["paragraphs"][place] = NEW_TEXT

    html = rulebook_html(
        TemplateEnvironment([ROOT / "templates"]), book(SHIPPED[0], old), "index.html"
    )

    assert html.count(f'<p {CHANGED_ATTRIBUTE}="yes">') == 1
    assert "Changes in this edition" in html
    assert NEW_TEXT.split(maxsplit=1)[0] in html
