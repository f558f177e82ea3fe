"""Tests of chapters whose changed paragraphs are marked."""

from __future__ import annotations

import pytest

from muster.documents.passages import Passage, PassagePiece
from muster.rendering.prose_html import chapter_html


def html(text: str, *pieces: PassagePiece) -> str:
    passage = Passage("a", 1, "A", "", text, pieces, ())
    return str(chapter_html(passage, lambda _: "", {}))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\nTwo.{0}\n\nThree.", '<p>One.</p>\n<p data-changed="yes">Two.</p>\n<p>Three.</p>'),
        ("- One\n- Two{0}", '<ul>\n<li>One</li>\n<li data-changed="yes">Two</li>\n</ul>'),
        ("One *two*{0}", '<p data-changed="yes">One <em>two</em></p>'),
    ],
)
def test_paragraph_that_ends_with_a_bar_is_marked(text: str, expected: str) -> None:
    assert html(text, PassagePiece("bar")) == expected


def test_paragraph_of_a_panel_is_marked() -> None:
    made = html('!!! note "N"\n    One.\n\n    Two.{0}', PassagePiece("bar"))

    assert '<p data-changed="yes">Two.</p>' in made
    assert "<p>One.</p>" in made


def test_words_before_a_bar_are_kept() -> None:
    assert html("A {0}.{1}", PassagePiece("words", "1–6"), PassagePiece("bar")) == (
        '<p data-changed="yes">A <span class="whole">1–6</span>.</p>'
    )
