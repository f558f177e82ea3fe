"""Tests of a chapter's HTML: pieces in their places, safe text, ids."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup

from muster.documents.passages import Heading, Passage, PassagePiece
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.rendering import rulebook_pages
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import find_wrong_references, remove_repeated_numbers
from muster.rendering.printer import PrintError
from muster.rendering.prose_html import chapter_html, move_spaces_inside
from muster.systems import open_system
from tests.scaffold import lay_out

LISTS = {"errata": Markup("<div>all errata</div>"), "blanks": Markup("<ul></ul>")}


def html(text: str, *pieces: PassagePiece, headings: tuple[Heading, ...] = ()) -> str:
    passage = Passage("a", 1, "A", "", text, pieces, headings)
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


def test_page_that_an_entry_names_twice_is_printed_once(templates: TemplateEnvironment) -> None:
    page = '<a class="pg" href="#{0}"></a>'
    entry = "".join(page.format(each) for each in ("a", "b", "c"))
    text = (
        '<html lang="en"><title>x</title><style>.pg::before { content: ", " }'
        " .pg::after { content: target-counter(attr(href), page) }"
        " div { break-before: page }</style>"
        f'<p class="entry">term{entry}</p><div><b id="a">a</b><b id="b">b</b></div>'
        '<div id="c">c</div>'
    )
    told: list[str] = []

    def check_pages(pages: list[object]) -> None:
        remove_repeated_numbers(pages)
        boxes = pages[0]._page_box.descendants()  # type: ignore[attr-defined]
        told.extend(box.text for box in boxes if getattr(box, "text", None))

    templates.printer.pdf(text, [], "index", before_drawing=check_pages)

    assert "".join(told) == "term, 2, 3"


def test_line_may_break_before_what_stays_whole() -> None:
    text = Markup('the <span class="whole">C-in-C</span>')

    assert move_spaces_inside(text) == 'the<span> <span class="whole">C-in-C</span></span>'


@pytest.mark.parametrize(("told", "wrong"), [("2", []), ("7", ["there"])])
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


def test_book_is_laid_out_anew_until_its_page_numbers_are_right(
    templates: TemplateEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path)
    system = open_system(tmp_path / "content" / "club")
    book = gather_rulebook(system, read_editions(system)[0])
    faults = [["c-turn"], ["c-turn"], []]
    monkeypatch.setattr(
        rulebook_pages, "find_wrong_references", lambda _: faults.pop(0) if faults else ["c-turn"]
    )
    memory: dict[str, float] = {}

    rulebook_pages.rulebook_pdf(templates, book, memory)

    assert faults == []
    assert list(memory.values()) == [5.0]
    with pytest.raises(PrintError, match="no layout gives the right page of c-turn"):
        rulebook_pages.rulebook_pdf(templates, book, {})
