"""The blocks of a chapter: its headings, paragraphs, items of lists and titles of panels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from muster.yamlfile.textfile import split_lines

_PREFIX = re.compile(r"[ \t>]*(?:#{1,6}[ \t]+|(?:[*+-]|\d{1,3}\.)[ \t]+)?")
"""What stands before the words of a line: indent, and the sign of a heading or an item."""
_PANEL = re.compile(r'([ \t>]*!!! ?[\w-]+ +")([^"]*)("[ \t]*)')
_ALONE = re.compile(r"[ \t>]*(?:#|!!!)")
"""The start of a line that is a block by itself: a heading, or the head of a panel."""


class ProseBlock(NamedTuple):
    """A block of Markdown: its words in one line, and what stands before and behind them.

    `line` and `column` are the place of its words, from 1. A blank line is a block without words.
    """

    before: str
    words: str
    after: str
    line: int
    column: int

    def with_words(self, words: str) -> str:
        """Return the line of Markdown that says other words in this place."""
        return f"{self.before}{words}{self.after}"


def split_blocks(text: str) -> Iterator[ProseBlock]:
    """Yield the blocks of a chapter in order.

    The lines of a block are joined, so that it makes no difference how they are wrapped.
    """
    block: ProseBlock | None = None
    for number, line in enumerate(split_lines(text), 1):
        prefix = _prefix_of(line)
        words = line[len(prefix) :].strip()
        if block is not None and words and not prefix.strip(" \t>") and not _ALONE.match(line):
            block = block._replace(words=f"{block.words} {words}")
            continue
        if block is not None:
            yield block
            block = None
        if panel := _PANEL.fullmatch(line):
            yield ProseBlock(panel[1], panel[2], panel[3], number, len(panel[1]) + 1)
        elif not words or _ALONE.match(line):
            # Without its spaces, a rule of hyphens or the like stays what it is.
            yield ProseBlock(prefix if words else line, words, "", number, len(prefix) + 1)
        else:
            block = ProseBlock(prefix, words, "", number, len(prefix) + 1)
    if block is not None:
        yield block


def _prefix_of(line: str) -> str:
    match = _PREFIX.match(line)
    return match[0] if match else ""
