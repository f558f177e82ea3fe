"""Turn prose in Markdown into safe HTML: single paragraphs, and whole chapters with tables."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.extensions.admonition import AdmonitionExtension
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE, AtomicString
from markupsafe import Markup, escape

from muster.languages import marked, say
from muster.rendering.page_boxes import CHANGED_ATTRIBUTE

if TYPE_CHECKING:
    from muster.documents.foreign import ForeignWords
    from muster.documents.passages import BookTable, Passage, PassagePiece


def disable_raw_html(reader: Markdown) -> None:
    """Make a Markdown reader show raw HTML, links and images as plain text."""
    reader.preprocessors.deregister("html_block")
    for name in (
        "html",
        "image_link",
        "image_reference",
        "link",
        "reference",
        "autolink",
        "automail",
        "short_image_ref",
        "short_reference",
    ):
        reader.inlinePatterns.deregister(name, strict=False)


def _build_reader() -> Markdown:
    reader = Markdown()
    disable_raw_html(reader)
    return reader


_READER = _build_reader()
_BREAKS = re.compile(r"[\r\n\v\f\u0085\u2028\u2029]+")
_PARAGRAPH_TAGS = ("<p>", "</p>")


def tie_marks(html: Markup, marks: Markup) -> Markup:
    """Append marks to the last word, so that no line breaks between them.

    A last word within an element is not wrapped: elements are not taken apart.
    """
    if not marks:
        return html
    before, space, last = html.rpartition(" ")
    if not last or "<" in last or ">" in last:
        return html + marks
    return before + space + Markup('<span class="whole">{}{}</span>').format(last, marks)


_COMPOUND = re.compile(r"\w+(?:-\w+)+")
_LONGEST_COMPOUND = 12


def keep_compounds(text: str) -> Markup:
    """Return a text as HTML in which short words with hyphens, such as C-in-C, are not broken."""

    def keep(found: re.Match[str]) -> str:
        word = found[0]
        return f'<span class="whole">{word}</span>' if len(word) <= _LONGEST_COMPOUND else word

    return Markup(_COMPOUND.sub(keep, escape(text)))  # noqa: S704 - only the words are wrapped


_UNIT = re.compile(r"(?<=\d) (?=(?:cm|mm)\b)")
"""The space between a number and its unit, which becomes a no-break space."""
_RANGE = re.compile(r"\d+–\d+(?:\u202f(?:cm|mm)\b)?")


_FRACTION = re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})(?![\w/])")


def set_fractions(html: Markup) -> Markup:
    """Return the HTML of a figure with the numbers of its fractions raised and lowered."""
    if "/" not in html:
        return html
    raised = r'<span class="over">\1</span>/<span class="under">\2</span>'
    return Markup(_FRACTION.sub(raised, str(html)))  # noqa: S704 - it was safe before


@lru_cache(maxsize=4096)
def inline_html(text: str) -> Markup:
    """Return one paragraph of prose as HTML, without a `<p>` around it."""
    text = _UNIT.sub("\u202f", text)
    if "*" not in text:
        return _keep_ranges_in_text(escape(text))
    _READER.reset()
    # A zero-width space in front keeps Markdown from reading `1.` or `-` as a list.
    html = _READER.convert("\u200b" + _BREAKS.sub(" ", text))
    plain = html.removeprefix(_PARAGRAPH_TAGS[0]).removesuffix(_PARAGRAPH_TAGS[1]).lstrip("\u200b")
    return _keep_ranges_in_text(Markup(plain))  # noqa: S704 - Markdown escaped it


def _keep_ranges_in_text(html: Markup) -> Markup:
    """Keep lines from breaking within a range, if the text has several words."""
    if " " not in html:
        return html  # a single word does not break
    return keep_ranges_whole(html)


def keep_ranges_whole(html: Markup) -> Markup:
    """Keep lines from breaking within a range of numbers."""
    return Markup(_RANGE.sub(r'<span class="whole">\g<0></span>', str(html)))  # noqa: S704 - it was safe before


_MAIN = re.compile(r"(?s)(?<=<main)(?=[ >]).*(?=</main>)")
_TEXT = re.compile(r">[^<]+<")


def mark_foreign(html: str, foreign: ForeignWords | None) -> str:
    """Return a page whose words in another language are marked with it, in its content."""
    if foreign is None:
        return html
    span = f'<span lang="{foreign.language}">'
    if foreign.texts:
        texts = "|".join(re.escape(str(inline_html(text))) for text in foreign.texts)
        whole = re.compile(rf"(>\s?)({texts})(?=\s?<)")
        html = _MAIN.sub(lambda main: whole.sub(rf"\1{span}\2</span>", main[0]), html)
    if foreign.quotes:
        quotes = "|".join(
            re.escape(str(inline_html(quote)))
            for quote in sorted(foreign.quotes, key=len, reverse=True)
        )
        quoted = re.compile(rf"(„|«\s?)({quotes})(?=“|\s?»)")

        def mark(text: re.Match[str]) -> str:
            return quoted.sub(rf"\1{span}\2</span>", text[0])

        html = _MAIN.sub(lambda main: _TEXT.sub(mark, main[0]), html)
    return html


_INLINE_SLOT = r"\{(\d+)\}"
_INITIALS = r"\b([A-Z]-(?:[a-z]{1,3}-)?[A-Z])\b"
_INITIALS_IN_HTML = re.compile(rf"{_INITIALS}(?![^<>]*>)")
_INLINE = r'em|strong|a class="(?:to|near)[^">]*" href="[^">]*"'
_SPACE_BEFORE = re.compile(rf"(?<=[^\s>])\s+((?:<(?:{_INLINE})>)+)")
_SIGN = r'(?:<a class="here" id="[^"]*"></a>)*<sup class="sign">(?:(?!</sup>).)*</sup>'
_SIGNED_WORD = re.compile(rf"(?<![^\s<>])([^\s<>]{{1,40}})({_SIGN})")
_MARKS = "<sup>[^<]*</sup>"
_WHOLE_AFTER_SPACE = re.compile(
    rf'(?<=[^\s>])\s+(<span class="whole">[^<]*(?:{_SIGN}|{_MARKS})?</span>)'
)
_BLOCK_SLOT = re.compile(r"\s*\{(\d+)\}\s*")

BlockRenderer = Callable[["PassagePiece"], Markup]
"""Returns the HTML of a piece that is a block of its own."""


def chapter_html(
    passage: Passage, table: Callable[[BookTable], Markup], lists: dict[str, Markup]
) -> Markup:
    """Return a chapter's text as HTML.

    Args:
        passage: The chapter.
        table: Returns the HTML of one of its tables.
        lists: The HTML of the errata.
    """

    def block(piece: PassagePiece) -> Markup:
        return lists[piece.kind] if piece.table is None else table(piece.table)

    reader = Markdown(extensions=[AdmonitionExtension(), _PieceExtension(passage, block)])
    disable_raw_html(reader)
    return Markup(reader.convert(passage.text))  # noqa: S704 - Markdown escaped it


def move_spaces_inside(html: Markup) -> Markup:
    """Move each space before an inline element into the element.

    WeasyPrint 70 breaks a line after its first word if the line's text fits but the space at its
    end does not, and an element follows. An element that must stay whole is wrapped in another,
    which takes the space. The number of an erratum stays whole with the word that it follows.
    """
    tied = _SIGNED_WORD.sub(r'<span class="whole">\1\2</span>', str(html))
    wrapped = _WHOLE_AFTER_SPACE.sub(r"<span> \1</span>", tied)
    return Markup(_SPACE_BEFORE.sub(r"\1 ", wrapped))  # noqa: S704 - it was safe before


_ONE_LINE_CHARS = 95
"""The characters that a line of the widest page has room for, with some to spare."""


def keep_first_line(html: Markup) -> Markup:
    """Return a chapter whose first paragraph, if it is one line, stays with what follows."""
    first, end, rest = html.partition("</p>")
    if first.startswith("<p>") and len(first.striptags()) < _ONE_LINE_CHARS:
        opened = Markup('<p class="brief">') + first[len("<p>") :]
        return opened + Markup(end) + Markup(rest)  # noqa: S704 - it was safe before
    return html


def inline_piece_html(piece: PassagePiece) -> Markup:
    """Return the HTML of a piece that is part of a sentence.

    A link holds plain text only: WeasyPrint would make a separate link of each element inside.
    """
    match piece.kind:
        case "mark":
            return Markup('<a class="here" id="{}"></a>').format(piece.target)
        case "sign":
            return Markup('<sup class="sign"><a class="near" href="#{}">{}</a></sup>').format(
                piece.target, piece.text
            )
        case "link":
            kind = f"to {piece.page}" if piece.page else "near"
            text = piece.text.replace("*", "")
            link = Markup('<a class="{}" href="#{}">{}</a>').format(kind, piece.target, text)
            return Markup("<em>{}</em>").format(link) if piece.text.startswith("*") else link
        case _:
            html = inline_html(piece.text)
            whole = html if " " in html else keep_ranges_whole(html)
            return Markup(_INITIALS_IN_HTML.sub(r'<span class="whole">\1</span>', str(whole)))  # noqa: S704 - it was safe before


class _PieceExtension(Extension):
    """Replaces the braces of a chapter by its pieces, and gives its headings ids."""

    def __init__(self, passage: Passage, block: BlockRenderer) -> None:
        super().__init__()
        self.passage = passage
        self.block = block

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        md.parser.blockprocessors.register(_BlockPieces(md, self.passage, self.block), "alone", 95)
        md.inlinePatterns.register(_InlinePieces(md, self.passage), "within", 185)
        md.inlinePatterns.register(_UnbrokenInitials(_INITIALS, md), "whole", 180)
        md.treeprocessors.register(_Headings(md, self.passage), "headings", 1)
        md.treeprocessors.register(_PanelTitles(md), "panels", 3)
        md.treeprocessors.register(_ChangeMarks(md), "bars", 2)


class _BlockPieces(BlockProcessor):
    """Replaces braces that stand alone in a block: a table or the errata."""

    def __init__(self, md: Markdown, passage: Passage, block: BlockRenderer) -> None:
        super().__init__(md.parser)
        self.md = md
        self.passage = passage
        self.block = block

    def test(self, parent: ET.Element, block: str) -> bool:  # noqa: ARG002 - the library's signature
        found = _BLOCK_SLOT.fullmatch(block)
        return bool(found) and self._piece(block).kind in ("table", "errata")

    def _piece(self, block: str) -> PassagePiece:
        return self.passage.pieces[int(block.strip()[1:-1])]

    def run(self, parent: ET.Element, blocks: list[str]) -> bool | None:
        html = self.block(self._piece(blocks.pop(0)))
        ET.SubElement(parent, "p").text = self.md.htmlStash.store(str(html))
        return True


class _InlinePieces(InlineProcessor):
    """Replaces braces within a sentence."""

    def __init__(self, md: Markdown, passage: Passage) -> None:
        super().__init__(_INLINE_SLOT, md)
        self.passage = passage

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name and signature
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[str | ET.Element, int, int]:
        piece = self.passage.pieces[int(m[1])]
        if piece.kind == "bar":
            return ET.Element("span", {CHANGED_ATTRIBUTE: "yes"}), m.start(0), m.end(0)
        return self.md.htmlStash.store(str(inline_piece_html(piece))), m.start(0), m.end(0)


class _UnbrokenInitials(InlineProcessor):
    """Keeps names of single letters, such as `C-in-C`, on one line."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name and signature
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[ET.Element, int, int]:
        element = ET.Element("span", {"class": "whole"})
        element.text = AtomicString(m[0])
        return element, m.start(0), m.end(0)


_PANEL_TITLES = {
    "Example": marked("Example"),
    "Note": marked("Note"),
    "Warning": marked("Warning"),
}
"""What Markdown calls a panel without a title, by its kind."""


class _PanelTitles(Treeprocessor):
    """Calls panels that have no title of their own what they are, in the book's language."""

    def run(self, root: ET.Element) -> None:
        for element in root.iter("p"):
            if element.get("class") == "admonition-title" and element.text in _PANEL_TITLES:
                element.text = say(_PANEL_TITLES[element.text])


class _ChangeMarks(Treeprocessor):
    """Marks each paragraph, item and heading that ends with a change bar, and removes the bar."""

    def run(self, root: ET.Element) -> None:
        for element in list(root.iter()):
            for bar in [
                each for each in element if each.tag == "span" and CHANGED_ATTRIBUTE in each.attrib
            ]:
                element.remove(bar)
                element.set(CHANGED_ATTRIBUTE, "yes")


class _Headings(Treeprocessor):
    """Gives headings their ids, and the level that they have within a book.

    A paragraph of one line below a heading is `brief`: it stays with what follows.
    """

    def __init__(self, md: Markdown, passage: Passage) -> None:
        super().__init__(md)
        self.passage = passage

    def run(self, root: ET.Element) -> None:
        headings = iter(self.passage.headings)
        for element in root.iter():
            if element.tag in ("h2", "h3"):
                element.set("id", next(headings).anchor)
                element.tag = f"h{int(element.tag[1]) + 1}"
        above = False
        for element in root:
            text = "".join(element.itertext())
            # A table is a paragraph too by now, of nothing but a placeholder.
            brief = self._length(text) < _ONE_LINE_CHARS and not HTML_PLACEHOLDER_RE.fullmatch(text)
            if above and element.tag == "p" and brief:
                element.set("class", "brief")
            above = element.tag in ("h3", "h4")

    def _length(self, text: str) -> int:
        """Return the number of characters that are printed for a text with placeholders."""
        blocks = self.md.htmlStash.rawHtmlBlocks
        shown = HTML_PLACEHOLDER_RE.sub(
            lambda found: Markup(blocks[int(found[1])]).striptags(),  # noqa: S704 - for its length
            text,
        )
        return len(shown)
