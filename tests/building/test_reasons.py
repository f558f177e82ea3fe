"""Owns the facts about the words for why a document is made again.

Does not build anything.
"""

from __future__ import annotations

import pytest

from muster.building.runner import changed_text
from muster.dependencies import Dependency


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/x/content/club/tables/kill-table.yaml", "table kill-table changed"),
        ("/x/content/club/books/blues.yaml", "army book blues changed"),
        ("/x/content/club/sheets/quick.yaml", "sheet quick changed"),
        ("/x/content/club/prose/01-a.md", "chapter 01-a changed"),
        ("/x/content/club/editions/a5.yaml", "edition a5 changed"),
        ("/x/content/club/system.yaml", "system file changed"),
        ("/x/content/club/composition.yaml", "composition changed"),
        ("/x/content/club/cards.yaml", "cards file changed"),
        ("/x/content/club/errata.yaml", "errata changed"),
        ("/x/armies/club/first.yaml", "army first changed"),
        ("/x/templates/page.css", "page.css changed"),
    ],
)
def test_part_is_named_as_players_know_it(path: str, words: str) -> None:
    assert changed_text([Dependency(path)]) == words


def test_files_come_before_folders_and_few_are_named() -> None:
    tables = [Dependency(f"/x/content/club/tables/{name}.yaml") for name in "abcd"]
    folder = Dependency("/x/content/club/tables", "*.yaml")

    assert changed_text([folder, tables[0]]) == "table a, files in tables changed"
    assert changed_text([folder]) == "files in tables changed"
    assert changed_text([*tables, tables[0]]) == "table a, table b, table c and 1 more changed"
    assert changed_text([]) == "its content changed"
