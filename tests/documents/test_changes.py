"""Owns the facts about how a change between editions is put into words.

Does not compare editions, and prints nothing.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from muster.documents.changes import Changes, EditionLabel, gather_changes, spell_out_directives
from muster.editions.change import Change, diff_words, format_difference

OLD = EditionLabel("Club rules", "1.0", "v1", "Credit.")
NEW = EditionLabel("Club rules", "1.1", "v2", "Credit.")


def gathered(*changes: Change) -> Changes:
    return gather_changes((OLD, NEW), changes, (), None)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{given: 9 as roll}", "9"),
        ("{fact: 20 cm | L118}", "20 cm [L118]"),
        ("{value: rates row=foot column=open}", "[rates row=foot column=open]"),
        ("see {ref: rates}", "see [table rates]"),
        ("{chapter: panic/standing-firm | standing firm}", "standing firm"),
        ("{chapter: panic}", "[chapter panic]"),
        ("{sum: a b -1}", "[sum: a b -1]"),
        ("no braces", "no braces"),
    ],
)
def test_directive_is_said_so_that_a_reader_knows_what_stands_there(
    written: str, said: str
) -> None:
    assert spell_out_directives(written) == said


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(2), "+2"),
        (Fraction(-1, 2), "−0.5"),
        (Fraction(1, 3), "+1/3"),
        (Fraction(25, 2), "+12.5"),
        (Fraction(-1, 10000), "−0.0001"),
    ],
)
def test_difference_is_written_with_its_sign(number: Fraction, text: str) -> None:
    assert format_difference(number) == text


def test_changes_stand_under_their_headings_in_the_order_met() -> None:
    changes = gathered(
        Change("changed", "cell", "Moves", ("moves", "foot", "open"), ("Foot", "Open"), "1", "2"),
        Change("added", "note", "Fire", ("fire", "notes", "1"), ("note 1",), new="Aim."),
        Change("removed", "row", "Moves", ("moves", "carts"), ("Carts",), "7 cm"),
    )

    assert [(each.title, len(each.items)) for each in changes.sections] == [
        ("Moves", 2),
        ("Fire", 1),
    ]
    assert changes.sections[0].items[0].place == "Foot, Open"
    assert changes.count == 3


def test_part_that_comes_as_a_whole_says_so() -> None:
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
