"""The model of `search.yaml`: words that the search of the web edition takes for one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from muster.limits import MAX_CARD_ITEMS
from muster.problems import MusterError, Problem
from muster.systems.system import System
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


def synonym_problems(system: System, document: Document, words: SearchWords) -> Iterator[Problem]:
    """Find words that stand in two groups, and groups that lead nowhere.

    A group leads somewhere if a chapter, a title, a row or a column uses one of its words, or a
    word that begins with it.
    """
    texts = plain_words(" ".join(_texts(system)))
    seen: dict[str, int] = {}
    for place, group in enumerate(words.synonyms):
        for position, written in enumerate(group):
            word = plain_words(written)
            path = ("synonyms", place, position)
            if not word:
                text = f"read {written!r}, expected a word, such as `melee`"
                yield document.problem("no-word", text, path)
            elif word in seen:
                where = "this group" if seen[word] == place else f"group {seen[word] + 1} as well"
                text = f"{written!r} stands in {where}; a word belongs to one group, once"
                yield document.problem("repeated-synonym", text, path)
            seen.setdefault(word, place)
        if not any(f" {plain_words(written)}" in f" {texts}" for written in group):
            text = f"the rules use none of the words {', '.join(group)}, so these find nothing"
            yield document.problem("unused-synonyms", text, ("synonyms", place))


def _texts(system: System) -> Iterator[str]:
    """Yield what can be found: the chapters, and all words of the tables that can be read."""
    for chapter in system.readable_prose.chapters:
        yield chapter.title
        yield chapter.text
    for table_id in system.table_ids():
        try:
            system.table(table_id)
        except MusterError:
            continue  # Reported with the tables.
        yield from _strings(system.document("tables", f"{table_id}.yaml").data)


def _strings(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from _strings(value)
        case list():
            for value in data:
                yield from _strings(value)
