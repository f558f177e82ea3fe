"""Tests of prose as HTML: paragraphs, and chapters with their pieces, ids and change marks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape
from pypdf import PdfReader

from muster.documents.passages import Heading, Passage, PassagePiece
from muster.documents.rulebook import Rulebook, gather_rulebook, read_editions
from muster.rendering import rulebook_pages
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import find_wrong_references
from muster.rendering.page_plan import PagePlan, bottom_changes
from muster.rendering.printed import PrintError
from muster.rendering.prose_html import (
    chapter_html,
    inline_html,
    inline_piece_html,
    keep_compounds,
    keep_first_line,
    move_spaces_inside,
    set_fractions,
)
from muster.rendering.table_moves import Moves
from muster.systems import open_system
from tests.scaffold import lay_out


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain", "plain"),
        ("**bold** and *slanted*", "<strong>bold</strong> and <em>slanted</em>"),
        ("a < b & c", "a &lt; b &amp; c"),
        ("*a* < b & c", "<em>a</em> &lt; b &amp; c"),
        ("<b>*x*</b>", "&lt;b&gt;<em>x</em>&lt;/b&gt;"),
        ("<script>alert(1)</script> *x*", "&lt;script&gt;alert(1)&lt;/script&gt; <em>x</em>"),
        ("[a](http://x) *x*", "[a](http://x) <em>x</em>"),
        ("![a](http://x) *x*", "![a](http://x) <em>x</em>"),
        ("[a][b] ![a][b] ![b] *x*", "[a][b] ![a][b] ![b] <em>x</em>"),
        ("<http://x.example> *x*", "&lt;http://x.example&gt; <em>x</em>"),
        ("<a@x.example> *x*", "&lt;a@x.example&gt; <em>x</em>"),
        ("1. *first*", "1. <em>first</em>"),
        ("- *a*", "- <em>a</em>"),
        ("# *a*", "# <em>a</em>"),
        ("> *a*", "&gt; <em>a</em>"),
        ("    *a*", "    <em>a</em>"),
        ("[a]: http://x *b*", "[a]: http://x <em>b</em>"),
        ("one\ntwo *a*", "one two <em>a</em>"),
        ("one\r\rtwo\u2028\n*a*", "one two <em>a</em>"),
        ("2 * 3", "2 * 3"),
        ("***", "***"),
    ],
)
def test_prose_is_turned_into_safe_html(text: str, html: str) -> None:
    assert str(inline_html(text)) == html


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[tuple[str, int]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add((tag, len(attrs)))


PIECES = ["<", ">", "*", "**", "[a](b)", "![", "]", "(", ")", "`", "\\", "&lt;", "<b x=1>", "-->"]
PIECES += ["<!--", "\n", "    ", "1. ", "# ", "http://x", "\x02", "\x03", "a", "</p>", "<p>", "_"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_prose_gives_other_tags_than_bold_and_slanted(text: str) -> None:
    tags = Tags()
    tags.feed(str(inline_html(text)))

    assert tags.found <= {("em", 0), ("strong", 0), ("code", 0), ("br", 0)}
    assert re.search(r"<(?!/?(em|strong|code|br ?/?)\b)", str(inline_html(text))) is None


LISTS = {"errata": Markup("<div>all errata</div>")}


def html(text: str, *pieces: PassagePiece, headings: tuple[Heading, ...] = ()) -> str:
    passage = Passage("a", 1, "A", text, pieces, headings)
    return str(chapter_html(passage, lambda _: Markup("<table></table>"), LISTS))


def test_words_stand_in_their_braces_and_are_escaped() -> None:
    assert html("Roll {0}.", PassagePiece("words", "<2D6>")) == "<p>Roll &lt;2D6&gt;.</p>"


def test_link_holds_plain_text_and_says_how_its_page_is_set_off() -> None:
    found = html("See {0}.", PassagePiece("link", "*Morale*", "c-morale", "after"))

    assert found == '<p>See <em><a class="to after" href="#c-morale">Morale</a></em>.</p>'


def test_place_that_the_index_names_prints_nothing() -> None:
    found = html("Fear.{0}", PassagePiece("mark", target="i-1"))

    assert found == '<p>Fear.<a class="here" id="i-1"></a></p>'


def test_list_of_errata_is_a_block() -> None:
    found = html("Before.\n\n{0}\n\nAfter.", PassagePiece("errata"))

    assert found == "<p>Before.</p>\n<div>all errata</div>\n<p>After.</p>"


def test_heading_has_its_address_and_stands_below_the_chapters() -> None:
    found = html("## The roll", headings=(Heading(2, "The roll", "c-a--the-roll"),))

    assert found == '<h3 id="c-a--the-roll">The roll</h3>'


def test_example_has_its_title() -> None:
    found = html('!!! example "Foot"\n    It has {0} stands.', PassagePiece("words", "6"))

    assert '<div class="admonition example">' in found
    assert '<p class="admonition-title">Foot</p>' in found
    assert "<p>It has 6 stands.</p>" in found


def test_raw_html_and_links_are_shown_as_written() -> None:
    found = html("<script>x</script> [a](http://b)")

    assert found == "<p>&lt;script&gt;x&lt;/script&gt; [a](http://b)</p>"


def test_name_of_single_letters_is_kept_in_one_line() -> None:
    assert html("The C-in-C.") == '<p>The <span class="whole">C-in-C</span>.</p>'


def test_space_before_an_element_moves_into_it() -> None:
    text = Markup('see <em><a class="to after" href="#c">Morale</a></em> and <strong>x</strong>')

    assert move_spaces_inside(text) == (
        'see<em><a class="to after" href="#c"> Morale</a></em> and<strong> x</strong>'
    )


def test_line_may_break_before_what_stays_whole() -> None:
    text = Markup('the <span class="whole">C-in-C</span>')

    assert move_spaces_inside(text) == 'the<span> <span class="whole">C-in-C</span></span>'


@pytest.mark.parametrize(
    ("told", "wrong"),
    [("2", []), ("7", ["there"])],
    ids=["right", "wrong"],
)
def test_page_number_that_misses_its_place_is_found(
    told: str, wrong: list[str], templates: TemplateEnvironment
) -> None:
    text = (
        "<html lang='en'><title>Book</title>"
        f"<style>a::after {{ content: ' (page {told})' }} h2 {{ break-before: page }}</style>"
        '<p><a href="#there">There</a></p><h2 id="there">There</h2>'
    )
    found: list[list[str]] = []

    templates.printer.pdf(
        text, [], "book", before_drawing=lambda pages: found.append(find_wrong_references(pages))
    )

    assert found == [wrong]


def test_page_number_of_what_goes_on_overleaf_is_its_first(
    templates: TemplateEnvironment,
) -> None:
    text = (
        "<html lang='en'><title>Book</title>"
        "<style>a::after { content: target-counter(attr(href), page) } p { break-before: page }"
        "</style><a href='#long'></a><section id='long'><p>One</p><p>Two</p></section>"
    )
    found: list[list[str]] = []

    templates.printer.pdf(
        text, [], "book", before_drawing=lambda pages: found.append(find_wrong_references(pages))
    )

    assert found == [[]]


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    """Return the first rulebook of the club's rules."""
    lay_out(tmp_path)
    system = open_system(tmp_path / "content" / "club")
    return gather_rulebook(system, read_editions(system)[0])


@pytest.fixture
def unplanned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep pages as they are, so that only their numbers change."""

    def keep(
        _flow: object, _chapters: object, bottoms: Mapping[int, float], moves: Moves, *_: object
    ) -> PagePlan:
        return PagePlan(bottoms, moves, {}, 0, 0)

    monkeypatch.setattr(rulebook_pages, "plan_pages", keep)


@pytest.mark.usefixtures("unplanned")
def test_book_is_laid_out_anew_until_its_page_numbers_are_right(
    templates: TemplateEnvironment, book: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned, numbered = 1, 2
    monkeypatch.setattr(rulebook_pages, "_PLANNED_LAYOUTS", planned)
    monkeypatch.setattr(rulebook_pages, "_NUMBERED_LAYOUTS", numbered)
    faults = [["c-turn"]] * (planned + 2 * numbered) + [[]]
    monkeypatch.setattr(
        rulebook_pages, "find_wrong_references", lambda _: faults.pop(0) if faults else ["c-turn"]
    )
    memory: dict[str, float] = {}

    rulebook_pages.rulebook_pdf(templates, book, memory)

    assert faults == []
    changes = [change for name, change in memory.items() if name.endswith("/bottom")]
    assert changes == [bottom_changes(rulebook_pages.layout_of(book).bottom)[2]]
    with pytest.raises(PrintError, match="no layout has the right page numbers for c-turn"):
        rulebook_pages.rulebook_pdf(templates, book, {})


@pytest.mark.usefixtures("unplanned")
def test_book_is_laid_out_with_right_page_numbers_before_its_margin_changes(
    templates: TemplateEnvironment, book: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = PdfReader(BytesIO(rulebook_pages.rulebook_pdf(templates, book, {}).data))
    find_really, faults = find_wrong_references, [["c-turn"]]
    monkeypatch.setattr(
        rulebook_pages,
        "find_wrong_references",
        lambda pages: faults.pop() if faults else find_really(pages),
    )
    memory: dict[str, float] = {}

    first = rulebook_pages.rulebook_pdf(templates, book, memory).data

    numbered = PdfReader(BytesIO(first))
    assert [page.extract_text() for page in numbered.pages] == [
        page.extract_text() for page in usual.pages
    ]
    assert [change for name, change in memory.items() if name.endswith("/bottom")] == [0]
    assert any(name.endswith("/#c-turn") for name in memory)
    monkeypatch.setattr(rulebook_pages, "first_pages", lambda _: pytest.fail("laid out again"))
    assert rulebook_pages.rulebook_pdf(templates, book, memory).data == first


def html_of(text: str, *pieces: PassagePiece) -> str:
    passage = Passage("a", 1, "A", text, pieces, ())
    return str(chapter_html(passage, lambda _: "", {}))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\nTwo.{0}\n\nThree.", '<p>One.</p>\n<p data-changed="yes">Two.</p>\n<p>Three.</p>'),
        ("- One\n- Two{0}", '<ul>\n<li>One</li>\n<li data-changed="yes">Two</li>\n</ul>'),
        ("One *two*{0}", '<p data-changed="yes">One <em>two</em></p>'),
    ],
    ids=["paragraph", "item", "emphasis"],
)
def test_paragraph_that_ends_with_a_bar_is_marked(text: str, expected: str) -> None:
    assert html_of(text, PassagePiece("bar")) == expected


def test_paragraph_of_a_panel_is_marked() -> None:
    made = html_of('!!! note "N"\n    One.\n\n    Two.{0}', PassagePiece("bar"))

    assert '<p data-changed="yes">Two.</p>' in made
    assert "<p>One.</p>" in made


def test_words_before_a_bar_are_kept() -> None:
    assert html_of("A {0}.{1}", PassagePiece("words", "1–6"), PassagePiece("bar")) == (
        '<p data-changed="yes">A <span class="whole">1–6</span>.</p>'
    )


def test_paragraph_of_one_line_below_a_heading_stays_with_what_follows() -> None:
    headings = (Heading(2, "H", "h"), Heading(2, "I", "i"), Heading(2, "J", "j"))
    text = f"One.\n\n## H\n\nTwo.\n\n## I\n\n{'x ' * 60}\n\n## J\n\n{{0}}\n"
    errata = (PassagePiece("errata"),)
    passage = Passage("a", 1, "A", text, errata, headings)

    html = str(chapter_html(passage, lambda _: Markup(), {"errata": Markup("<hr>")}))

    assert "<p>One.</p>" in html
    assert '<p class="brief">Two.</p>' in html
    assert "<p>x x" in html
    assert "<p><hr>" not in html
    assert html.count("<p") == 3


def test_only_what_is_printed_counts_for_a_paragraph_of_one_line() -> None:
    pieces = (PassagePiece("mark", target="i-1"), PassagePiece("words", "word " * 20))
    text = f"## H\n\n{'x ' * 44}{{0}}\n\n## I\n\nTwo {{1}}\n"
    headings = (Heading(2, "H", "h"), Heading(2, "I", "i"))

    html = str(chapter_html(Passage("a", 1, "A", text, pieces, headings), lambda _: "", {}))  # type: ignore[arg-type, return-value]

    assert '<p class="brief">x x' in html
    assert "<p>Two" in html


def test_first_line_of_a_chapter_stays_with_what_follows_if_it_is_alone() -> None:
    long = Markup("<p>{}</p><p>Two.</p>").format("x " * 60)

    kept = keep_first_line(Markup("<p>One <b>&amp;</b>.</p>\n<p>Two.</p>"))

    assert kept == '<p class="brief">One <b>&amp;</b>.</p>\n<p>Two.</p>'
    assert keep_first_line(long) == long
    assert keep_first_line(Markup("<ul></ul>")) == "<ul></ul>"


def test_initials_in_a_value_from_a_table_stay_on_one_line() -> None:
    piece = PassagePiece("words", "C-in-C’s Exp + 1")

    assert inline_piece_html(piece) == '<span class="whole">C-in-C</span>’s Exp + 1'


def test_number_of_an_erratum_stays_with_its_word() -> None:
    assert move_spaces_inside(Markup('5 cards.<sup class="sign"><a>7</a></sup>')) == (
        '5<span> <span class="whole">cards.<sup class="sign"><a>7</a></sup></span></span>'
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1/10", '<span class="over">1</span>/<span class="under">10</span>'),
        ("1/1/10", "1/1/10"),
        ("D6/2", "D6/2"),
        ("4", "4"),
    ],
)
def test_numbers_of_fractions_are_raised_and_lowered(written: str, shown: str) -> None:
    assert set_fractions(escape(written)) == shown


def test_short_words_with_hyphens_are_not_broken() -> None:
    html = keep_compounds("No C-in-C <yet>, but Saint-Germain-en-Laye")

    assert html == 'No <span class="whole">C-in-C</span> &lt;yet&gt;, but Saint-Germain-en-Laye'
