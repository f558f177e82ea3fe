"""The model of `search.yaml`: how the web edition takes words, in search and in the chapters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated

from pydantic import Field

from muster.limits import MAX_CARD_ITEMS
from muster.problems import Problem, did_you_mean
from muster.systems.identity import Language
from muster.yamlfile import Document, Id, KeyPath, Line, StrictModel

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
    translations: dict[Language, list[Synonyms]] = Field(default_factory=dict)
    """By language, such as `de`, the groups for the rules in that language. They stand in place of
    `synonyms`: players of each language have words of their own.
    """

    examples: list[Id] = Field(default_factory=list, max_length=MAX_CARD_ITEMS)
    """Ids of the chapters that play through the rules instead of stating them, such as
    `first-game`. Search lists their sections after those of the other chapters. Default: none.
    """

    not_terms: list[Line] = Field(default_factory=list, max_length=MAX_CARD_ITEMS)
    """Phrases that contain a word of the glossary in another meaning, such as `line of sight` where
    a line is a formation. The web edition explains terms on tap, but not there. Default: none.
    """

    def groups(self, language: str) -> list[Synonyms]:
        """Return the groups for the rules in a language; `de-AT` takes those of `de`."""
        return self.translations.get(language.partition("-")[0], self.synonyms)


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, set off by single spaces: `hand to hand`."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def unknown_examples(
    document: Document, examples: Iterable[str], chapters: Collection[str]
) -> Iterator[Problem]:
    """Find ids among `examples` that no chapter has."""
    for place, each in enumerate(examples):
        if each not in chapters:
            hint = did_you_mean(each, chapters)
            message = f"read {each!r}, which is the id of no chapter{hint}"
            yield document.problem("unknown-chapter", message, ("examples", place))


def unused_phrases(
    document: Document, phrases: Iterable[str], texts: Iterable[str]
) -> Iterator[Problem]:
    """Find phrases of `not_terms` that the rules have in no language.

    Args:
        document: The file.
        phrases: The phrases.
        texts: All that the rules say, in each language.
    """
    said = [f" {plain_words(text)} " for text in texts]
    for place, phrase in enumerate(phrases):
        if not any(f" {plain_words(phrase)} " in text for text in said):
            message = f"read {phrase!r}, which the rules do not say; remove it"
            yield document.problem("unused-phrase", message, ("not_terms", place))


def synonym_problems(
    document: Document, groups: Iterable[Sequence[str]], above: KeyPath, text: str
) -> Iterator[Problem]:
    """Find words that stand in two groups, and groups that lead nowhere.

    A group leads somewhere if the rules use one of its words, or a word that begins with it.

    Args:
        document: The file.
        groups: The groups of one language.
        above: The keys that lead to them.
        text: All that the rules say in that language.
    """
    said = f" {plain_words(text)}"
    seen: dict[str, int] = {}
    for place, group in enumerate(groups):
        for position, written in enumerate(group):
            word = plain_words(written)
            path = (*above, place, position)
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
            yield document.problem("unused-synonyms", message, (*above, place))
