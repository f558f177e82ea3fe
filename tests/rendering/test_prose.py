"""Tests of prose: bold and italic are obeyed, and no other markup is."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.rendering.prose_html import inline_html


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
