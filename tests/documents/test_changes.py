"""Tests of putting changes into words, and of which parts of a book get a change bar."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from muster.documents.changed_prose import names_in, plain_prose
from muster.documents.changes import (
    Changes,
    EditionLabel,
    find_bars,
    gather_changes,
)
from muster.documents.table_view import Footnotes, view_table
from muster.editions.change import (
    Change,
    ChangeKind,
    PartKind,
    WordDiff,
    diff_words,
    fill_change,
    format_difference,
)
from muster.editions.snapshot import locate_paragraphs
from muster.systems import open_system
from tests.scaffold import lay_out

OLD = EditionLabel("Club rules", "1.0", "v1", "Credit.")
NEW = EditionLabel("Club rules", "1.1", "v2", "Credit.")


def gathered(*changes: Change) -> Changes:
    return gather_changes((OLD, NEW), changes, (), None)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("{given: 9 as roll}", "9"),
        ("{fact: 20 cm | L118}", "20 cm"),
        ("{value: rates row=foot column=open}", "[Rates: Foot, Open]"),
        ("{value: rates roll=@score column=open}", "[Rates: roll …, Open]"),
        ("{label: rates row=foot | foot}", "foot"),
        ("see {ref: rates}", "see the table “Rates”"),
        ("{Ref: rates}", "The table “Rates”"),
        ("{chapter: panic/standing-firm | standing firm}", "standing firm"),
        ("{chapter: panic}", "“Panic”"),
        ("{let: m = rates row=foot column=open}moves {sum: a b -1}.", "moves …."),
        ("{sum: a b silently as c}", ""),
        ("an{index: foot} **army**", "an army"),
        ("    ## The sky", "The sky"),
        ('!!! example "Slow foot"', "Example: Slow foot"),
        ("no braces", "no braces"),
    ],
    ids=[
        "given",
        "fact",
        "value",
        "value-by-roll",
        "label",
        "ref",
        "capital-ref",
        "chapter-with-words",
        "chapter",
        "calculation",
        "silent",
        "markup",
        "heading",
        "panel",
        "no-directive",
    ],
)
def test_directive_is_shown_as_what_it_stands_for(written: str, shown: str) -> None:
    names = names_in(
        {
            "prose": [{"id": "panic", "title": "Panic"}],
            "tables": [
                {
                    "id": "rates",
                    "title": "Rates",
                    "rows": [{"id": "foot", "label": "Foot"}],
                    "columns": [{"id": "open", "label": "Open"}],
                }
            ],
        }
    )

    assert plain_prose(written, names) == shown


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (
            "Foot {let: a = b row=c}move {sum: a} now.",
            "Foot {let: a = b row=d}move {sum: a} now.",
            [("in what is worked out or indexed", (("=", "Foot move … now."),))],
        ),
        ("{index: a}", "{index: b}", []),
    ],
    ids=["worked-out", "index-alone"],
)
def test_change_that_no_reader_sees_is_told_as_such_or_left_out(
    old: str, new: str, shown: list[tuple[str, WordDiff]]
) -> None:
    change = Change("changed", "paragraph", "Chapter: A", ("prose", "a", "1"))
    changes = gathered(fill_change(change, old, new))

    items = [item for section in changes.sections for item in section.items]
    assert [(item.remark, item.words) for item in items] == shown


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(2), "+2"),
        (Fraction(-1, 2), "−0.5"),
        (Fraction(1, 3), "+1/3"),
        (Fraction(25, 2), "+12.5"),
        (Fraction(-1, 10000), "−0.0001"),
    ],
    ids=["whole", "half", "third", "above-one", "four-places"],
)
def test_difference_is_written_with_its_sign(number: Fraction, text: str) -> None:
    assert format_difference(number) == text


def test_changes_stand_under_their_headings_in_the_order_met() -> None:
    changes = gathered(
        Change("changed", "cell", "Moves", ("moves", "foot", "open"), ("Foot", "Open"), "1", "2"),
        Change("added", "note", "Fire", ("fire", "notes", "1"), ("note 1",), new="Aim."),
        Change("removed", "row", "Moves", ("moves", "carts"), ("Carts",), "7 cm"),
    )

    assert [(section.title, len(section.items)) for section in changes.sections] == [
        ("Moves", 2),
        ("Fire", 1),
    ]
    assert changes.sections[0].items[0].place == "Foot, Open"
    assert changes.count == 3


def test_part_that_is_added_as_a_whole_says_so() -> None:
    (section,) = gathered(Change("added", "table", "Roads", ("roads",), new="3 rows")).sections

    assert section.items[0].place == "the whole table"


def test_long_runs_that_stay_are_shortened() -> None:
    before = " ".join(f"w{n}" for n in range(20))
    words = diff_words(f"{before} old end", f"{before} new end")

    (section,) = gathered(
        Change("changed", "paragraph", "Chapter: A", ("prose", "a", "1"), words=words)
    ).sections

    assert section.items[0].words == (
        ("=", "… w14 w15 w16 w17 w18 w19"),
        ("-", "old"),
        ("+", "new"),
        ("=", "end"),
    )


def test_text_that_fits_a_line_is_short_and_prose_never_is() -> None:
    (section,) = gathered(
        Change("changed", "cell", "Moves", ("m", "f", "o"), ("Foot",), "1", "2"),
        Change("added", "paragraph", "Moves", ("prose", "m", "1"), ("paragraph 1",), new="Go."),
        Change("changed", "cell", "Moves", ("m", "g", "o"), ("Guns",), "1", "2" * 80),
    ).sections

    assert [item.place for item in section.short] == ["Foot"]
    assert [item.place for item in section.long] == ["paragraph 1", "Guns"]


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


def make_change(kind: ChangeKind, part: PartKind, *at: str) -> Change:
    return Change(kind, part, "", at)


def test_paragraphs_come_with_the_offset_where_they_end() -> None:
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
    bars = find_bars([make_change("changed", "paragraph", "prose", "fire", "4")])

    assert [
        PROSE[:end].rpartition("\n")[2] for end in bars.changed_paragraph_ends("fire", PROSE)
    ] == ["- Another{index: item}."]
    assert list(bars.changed_paragraph_ends("move", PROSE)) == []


def test_chapter_whose_prose_is_new_gets_bars() -> None:
    for new in (
        make_change("added", "paragraph", "prose", "fire"),
        make_change("added", "chapter", "chapters", "fire"),
    ):
        bars = find_bars([new])

        assert len(list(bars.changed_paragraph_ends("fire", PROSE))) == 5


def test_removed_paragraph_has_no_bar() -> None:
    bars = find_bars([make_change("removed", "paragraph", "prose", "fire", "4")])

    assert bars.paragraphs == {}


def test_chapter_with_only_a_new_title_gets_no_bars() -> None:
    assert (
        find_bars([make_change("changed", "chapter", "chapters", "fire", "title")]).chapters
        == set()
    )


def test_row_with_a_changed_cell_or_label_gets_a_bar() -> None:
    bars = find_bars(
        [
            make_change("changed", "cell", "moves", "foot", "open"),
            make_change("added", "row", "moves", "carts"),
            make_change("removed", "row", "moves", "horse", "for"),
        ]
    )

    assert bars.rows == {"moves": {"foot", "carts", "horse"}}
    assert not bars.caption_changed("moves")


def test_change_outside_the_rows_gives_the_caption_a_bar() -> None:
    for each in (
        make_change("removed", "row", "moves", "carts"),
        make_change("changed", "column", "moves", "open", "label"),
        make_change("added", "note", "moves", "notes", "1"),
        make_change("changed", "table", "moves", "title"),
    ):
        bars = find_bars([each])

        assert bars.caption_changed("moves")
        assert bars.rows == {}


def test_new_table_gets_a_bar_from_top_to_bottom() -> None:
    bars = find_bars([make_change("added", "table", "moves")])

    assert bars.tables == {"moves"}
    assert bars.caption_changed("moves")


def test_removed_table_has_no_bar() -> None:
    bars = find_bars([make_change("removed", "table", "moves")])

    assert bars.tables == set()


def test_lines_of_changed_rows_are_flagged(tmp_path: Path) -> None:
    system = open_system(lay_out(tmp_path))
    table = system.table("movement")
    shown = view_table(table, Footnotes(system))

    some = find_bars([make_change("changed", "cell", "movement", "horse", "open")]).mark_rows(
        shown, table
    )
    every = find_bars([make_change("added", "table", "movement")]).mark_rows(shown, table)
    none = find_bars([]).mark_rows(shown, table)

    assert [line.changed for line in some.lines] == [False, True, False]
    assert [line.changed for line in every.lines] == [True, True, True]
    assert none == shown
