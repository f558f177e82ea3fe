"""Owns the facts about which parts of a new edition get a bar in the margin.

Does not draw bars.
"""

from __future__ import annotations

from pathlib import Path

from muster.documents.changes import find_bars
from muster.documents.table_view import Footnotes, view_table
from muster.editions.change import Change, ChangeKind, PartKind
from muster.editions.snapshot import locate_paragraphs
from muster.systems import open_system
from tests.scaffold import lay_out

PROSE = """\
First of all
in two lines.

## Firing

- One item.
- Another{index: item}.

!!! example "Foot fires"
    Inside.

{table: fire}

{let: rate = fire row=foot}
"""


def change(kind: ChangeKind, part: PartKind, *at: str) -> Change:
    return Change(kind, part, "", at)


def test_paragraphs_are_told_with_the_place_where_they_end() -> None:
    ends = {text: PROSE[:end].rpartition("\n")[2] for text, end in locate_paragraphs(PROSE)}

    assert ends == {
        "First of all in two lines.": "in two lines.",
        "## Firing": "## Firing",
        "- One item.": "- One item.",
        "- Another{index: item}.": "- Another{index: item}.",
        '!!! example "Foot fires"': '!!! example "Foot fires"',
        "    Inside.": "    Inside.",
        "{table: fire}": "{table: fire}",
        "{let: rate = fire row=foot}": "{let: rate = fire row=foot}",
    }


def test_changed_paragraph_gets_a_bar_where_it_ends() -> None:
    bars = find_bars([change("changed", "paragraph", "prose", "fire", "4")])

    assert [
        PROSE[:end].rpartition("\n")[2] for end in bars.changed_paragraph_ends("fire", PROSE)
    ] == ["- Another{index: item}."]
    assert list(bars.changed_paragraph_ends("move", PROSE)) == []


def test_chapter_whose_prose_is_new_gets_bars_but_for_what_takes_none() -> None:
    for new in (
        change("added", "paragraph", "prose", "fire"),
        change("added", "chapter", "chapters", "fire"),
    ):
        bars = find_bars([new])

        assert len(list(bars.changed_paragraph_ends("fire", PROSE))) == 5


def test_paragraph_that_is_gone_has_no_bar() -> None:
    bars = find_bars([change("removed", "paragraph", "prose", "fire", "4")])

    assert bars.paragraphs == {}


def test_chapter_that_is_only_called_otherwise_gets_no_bars() -> None:
    assert find_bars([change("changed", "chapter", "chapters", "fire", "title")]).chapters == set()


def test_row_with_a_changed_cell_or_label_gets_a_bar() -> None:
    bars = find_bars(
        [
            change("changed", "cell", "moves", "foot", "open"),
            change("added", "row", "moves", "carts"),
            change("removed", "row", "moves", "horse", "for"),
        ]
    )

    assert bars.rows == {"moves": {"foot", "carts", "horse"}}
    assert not bars.caption_changed("moves")


def test_what_is_in_no_row_gives_the_caption_a_bar() -> None:
    for each in (
        change("removed", "row", "moves", "carts"),
        change("changed", "column", "moves", "open", "label"),
        change("added", "note", "moves", "notes", "1"),
        change("changed", "table", "moves", "title"),
    ):
        bars = find_bars([each])

        assert bars.caption_changed("moves")
        assert bars.rows == {}


def test_new_table_gets_a_bar_from_top_to_bottom() -> None:
    bars = find_bars([change("added", "table", "moves")])

    assert bars.tables == {"moves"}
    assert bars.caption_changed("moves")


def test_table_that_is_gone_has_no_bar() -> None:
    bars = find_bars([change("removed", "table", "moves")])

    assert bars.tables == set()


def test_lines_of_changed_rows_are_flagged(tmp_path: Path) -> None:
    system = open_system(lay_out(tmp_path))
    table = system.table("movement")
    shown = view_table(table, Footnotes(system))

    some = find_bars([change("changed", "cell", "movement", "horse", "open")]).mark_rows(
        shown, table
    )
    every = find_bars([change("added", "table", "movement")]).mark_rows(shown, table)
    none = find_bars([]).mark_rows(shown, table)

    assert [line.changed for line in some.lines] == [False, True, False]
    assert [line.changed for line in every.lines] == [True, True, True]
    assert none == shown
