"""Owns the way from a chapter's Markdown to HTML, with tables and references in its braces.

Does not gather data and does not draw tables: a table's HTML is handed in.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import TYPE_CHECKING

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.extensions.admonition import AdmonitionExtension
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from markupsafe import Markup

from generator.rendering.bars import MARK
from generator.rendering.prose import held, inline, without_raw_html

if TYPE_CHECKING:
    from generator.documents.passages import BookTable, Passage, Piece

_SLOT = r"\{(\d+)\}"
_INITIALS = r"\b([A-Z]-(?:[a-z]{1,3}-)?[A-Z])\b"
_INLINE = r'em|strong|a class="(?:to|near)[^">]*" href="[^">]*"'
_SPACE_BEFORE = re.compile(rf"(?<=[^\s>])\s+((?:<(?:{_INLINE})>)+)")
_WHOLE_BEHIND_SPACE = re.compile(r'(?<=[^\s>])\s+(<span class="whole">[^<]*</span>)')
_ALONE = re.compile(r"\s*\{(\d+)\}\s*")

Block = Callable[["Piece"], Markup]
"""Gives the HTML of a piece that is no part of a sentence."""


def chapter_html(
    passage: Passage, table: Callable[[BookTable], Markup], lists: dict[str, Markup]
) -> Markup:
    """Turn a chapter's text into HTML.

    Args:
        passage: The chapter.
        table: Gives the HTML of one of its tables.
        lists: The HTML of the errata and of the blanks.
    """

    def block(piece: Piece) -> Markup:
        return lists[piece.kind] if piece.table is None else table(piece.table)

    reader = Markdown(extensions=[AdmonitionExtension(), _Pieces(passage, block)])
    without_raw_html(reader)
    return Markup(reader.convert(passage.text))  # noqa: S704 - Markdown escaped it


def safe_lines(html: Markup) -> Markup:
    """Move each space before an inline element into the element.

    WeasyPrint 70 breaks a line behind its first word where a text fits but for the space at its
    end and an element follows. What must stay whole gets an element around it for the space.
    """
    wrapped = _WHOLE_BEHIND_SPACE.sub(r"<span> \1</span>", str(html))
    return Markup(_SPACE_BEFORE.sub(r"\1 ", wrapped))  # noqa: S704 - it was safe before


def words_html(piece: Piece) -> Markup:
    """Give the HTML of a piece that is part of a sentence.

    A link holds plain text only: WeasyPrint makes a link of its own of each element within.
    """
    match piece.kind:
        case "mark":
            return Markup('<a class="here" id="{}"></a>').format(piece.target)
        case "link":
            kind = f"to {piece.page}" if piece.page else "near"
            text = piece.text.replace("*", "")
            link = Markup('<a class="{}" href="#{}">{}</a>').format(kind, piece.target, text)
            return Markup("<em>{}</em>").format(link) if piece.text.startswith("*") else link
        case _:
            html = inline(piece.text)
            return html if " " in html else held(html)


class _Pieces(Extension):
    """Puts a chapter's pieces into its braces, and addresses on its headings."""

    def __init__(self, passage: Passage, block: Block) -> None:
        super().__init__()
        self.passage = passage
        self.block = block

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        md.parser.blockprocessors.register(_Alone(md, self.passage, self.block), "alone", 95)
        md.inlinePatterns.register(_Within(md, self.passage), "within", 185)
        md.inlinePatterns.register(_Whole(_INITIALS, md), "whole", 180)
        md.treeprocessors.register(_Headings(md, self.passage), "headings", 1)
        md.treeprocessors.register(_Bars(md), "bars", 2)


class _Alone(BlockProcessor):
    """A pair of braces that is a block of its own: a table, or the errata."""

    def __init__(self, md: Markdown, passage: Passage, block: Block) -> None:
        super().__init__(md.parser)
        self.md = md
        self.passage = passage
        self.block = block

    def test(self, parent: ET.Element, block: str) -> bool:  # noqa: ARG002 - the library's shape
        found = _ALONE.fullmatch(block)
        return bool(found) and self._piece(block).kind in ("table", "errata", "blanks")

    def _piece(self, block: str) -> Piece:
        return self.passage.pieces[int(block.strip()[1:-1])]

    def run(self, parent: ET.Element, blocks: list[str]) -> bool | None:
        html = self.block(self._piece(blocks.pop(0)))
        ET.SubElement(parent, "p").text = self.md.htmlStash.store(str(html))
        return True


class _Within(InlineProcessor):
    """A pair of braces within a sentence."""

    def __init__(self, md: Markdown, passage: Passage) -> None:
        super().__init__(_SLOT, md)
        self.passage = passage

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name and shape
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[str | ET.Element, int, int]:
        piece = self.passage.pieces[int(m[1])]
        if piece.kind == "bar":
            return ET.Element("span", {MARK: "yes"}), m.start(0), m.end(0)
        return self.md.htmlStash.store(str(words_html(piece))), m.start(0), m.end(0)


class _Whole(InlineProcessor):
    """A name of single letters, such as `C-in-C`, that no line may break."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name and shape
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[ET.Element, int, int]:
        element = ET.Element("span", {"class": "whole"})
        element.text = AtomicString(m[0])
        return element, m.start(0), m.end(0)


class _Bars(Treeprocessor):
    """Marks each paragraph, item and heading that ends with a bar, and takes the bar out."""

    def run(self, root: ET.Element) -> None:
        for element in list(root.iter()):
            for bar in [each for each in element if each.tag == "span" and MARK in each.attrib]:
                element.remove(bar)
                element.set(MARK, "yes")


class _Headings(Treeprocessor):
    """Gives sections their addresses, and the level that they have within a book."""

    def __init__(self, md: Markdown, passage: Passage) -> None:
        super().__init__(md)
        self.passage = passage

    def run(self, root: ET.Element) -> None:
        headings = iter(self.passage.headings)
        for element in root.iter():
            if element.tag in ("h2", "h3"):
                element.set("id", next(headings).anchor)
                element.tag = f"h{int(element.tag[1]) + 1}"
