"""The words on a translated system's pages that are still in the language of its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from muster.documents.roster import Roster
from muster.systems import System
from muster.systems.translations import Translation

_QUOTE = re.compile(r"„([^“„]+)“|«\s?([^«»]+?)\s?»")
_WORD = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class ForeignWords:
    """Words in another language than their page.

    Attributes:
        language: The tag of their language.
        texts: Whole texts, each in a place of its own.
        quotes: What texts in the page's language quote.
    """

    language: str
    texts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


def gather_foreign_words(system: System, roster: Roster | None = None) -> ForeignWords | None:
    """Return what a translated system's pages say in the language of its source.

    Args:
        system: The system, in the language of the pages.
        roster: The army that the pages show, if any; army files are not translated.

    Returns:
        The words; None for a system in its own language.
    """
    speaker = system.speaker
    if not isinstance(speaker, Translation):
        return None
    written = {entry.text for entry in speaker.entries}
    texts = [entry.printed for entry in system.errata.entries if entry.printed in written]
    quotes = dict.fromkeys(_source_quotes(speaker, frozenset(texts)))
    if roster is not None:
        texts += army_texts(roster)
    return ForeignWords(
        system.written_in,
        tuple(dict.fromkeys(text for text in texts if _WORD.search(text))),
        tuple(quotes),
    )


def _source_quotes(translation: Translation, printed: frozenset[str]) -> Iterator[str]:
    """Yield what a translation quotes just as the source has it.

    A text that is translated as it stands, such as “Initiative”, is in both languages, unless it is
    what the source prints.
    """
    for entry in translation.entries:
        for match in _QUOTE.finditer(entry.said):
            quote = match[1] or match[2]
            is_in_both = translation.known.get(quote) == quote and quote not in printed
            if quote in entry.text and not is_in_both and "{" not in quote and _WORD.search(quote):
                yield quote


def army_texts(roster: Roster) -> Iterator[str]:
    """Yield the title and the notes of an army, and the names of its groups.

    Units and leaders have names, which belong to no language.
    """
    yield roster.army
    yield from roster.notes.splitlines()
    for section in roster.sections:
        yield section.notes
        for entry in section.entries:
            if entry.kind == "group" and entry.is_named:
                yield entry.name
