"""The model of `search.yaml`: words that the search of the web edition takes for one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from muster.limits import MAX_CARD_ITEMS
from muster.problems import Problem
from muster.yamlfile import Document, Line, StrictModel

SEARCH_FILE = "search.yaml"

Synonyms = Annotated[list[Line], Field(min_length=2, max_length=20)]
"""Words or phrases of one meaning; whoever types one of them finds all."""


class SearchWords(StrictModel):
    """The contents of `search.yaml`."""

    synonyms: list[Synonyms] = Field(min_length=1, max_length=MAX_CARD_ITEMS)
    """Groups of two or more words or short phrases that mean the same to a player, such as
    `[melee, close combat, hand-to-hand]`. Whoever searches for one of them finds all. The rules
    themselves must use at least one of each group.
    """


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, set off by single spaces: `hand to hand`."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def synonym_problems(document: Document, words: SearchWords, text: str) -> Iterator[Problem]:
    """Find words that stand in two groups, and groups that lead nowhere.

    A group leads somewhere if the rules use one of its words, or a word that begins with it.

    Args:
        document: The file.
        words: Its contents.
        text: All that the rules say.
    """
    said = f" {plain_words(text)}"
    seen: dict[str, int] = {}
    for place, group in enumerate(words.synonyms):
        for position, written in enumerate(group):
            word = plain_words(written)
            path = ("synonyms", place, position)
            if not word:
                message = f"read {written!r}, expected a word, such as `melee`"
                yield document.problem("no-word", message, path)
            elif word in seen:
                where = "this group" if seen[word] == place else f"group {seen[word] + 1}"
                message = f"{written!r} stands in {where} already; a word belongs to one group"
                yield document.problem("repeated-synonym", message, path)
            seen.setdefault(word, place)
        if not any(f" {plain_words(written)}" in said for written in group):
            message = f"the rules use none of the words {', '.join(group)}, so these find nothing"
            yield document.problem("unused-synonyms", message, ("synonyms", place))
