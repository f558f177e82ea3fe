"""What a translation has not followed yet: texts of its system that were changed or added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any

from muster.armies.lint_translations import missing_texts
from muster.armies.system_texts import PlacedText, system_texts
from muster.systems import System
from muster.systems.translations import TRANSLATIONS_FOLDER, Translation

_MOST_COMPARED = 50
"""Texts that are gone and compared with each new one, the first that are left."""


@dataclass(frozen=True, slots=True)
class UnfollowedText:
    """A text that a translation has not followed.

    Attributes:
        kind: `changed`, `added` or `removed`.
        place: Where the text stands; of a removed one, the line of the translation.
        old: The text that is translated; empty for one that was added, or is not known any more.
        new: The text as it is now; empty for one that was removed.
    """

    kind: str
    place: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class TranslationLag:
    """All that one translation has not followed."""

    language: str
    file: str
    texts: tuple[UnfollowedText, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        return asdict(self)


def translation_lags(system: System) -> list[TranslationLag]:
    """Return what each translation of a system has not followed.

    Raises:
        MusterError: If a translation or a part of the system cannot be read.
    """
    languages = system.translation_languages()
    texts = system_texts(system) if languages else []
    translations = [system.translation(language) for language in languages]
    # Not by its path: an edition may have been unpacked into a folder that will be gone.
    folder = f"{system.id}/{TRANSLATIONS_FOLDER}"
    return [
        TranslationLag(each.language, file, tuple(_unfollowed_texts(each, file, texts)))
        for each in translations
        for file in [f"{folder}/{each.language}.po"]
    ]


def _unfollowed_texts(
    translation: Translation, file: str, texts: list[PlacedText]
) -> Iterator[UnfollowedText]:
    """Yield changed and added texts in the order of the system, then removed ones.

    An added text that is nearly one of those that are gone is that text, changed.
    """
    written = {each.text for each in texts}
    gone = {
        entry.text: entry
        for entry in translation.entries
        if entry.said and entry.text not in written
    }
    doubtful = {entry.text for entry in translation.entries if entry.doubtful}
    for each in missing_texts(translation, texts, doubtful=True):
        near = [] if each.text in doubtful else _nearest(each.text, list(gone))
        kind = "changed" if near or each.text in doubtful else "added"
        yield UnfollowedText(kind, each.place, near[0] if near else "", each.text)
        for text in near:
            del gone[text]
    for entry in gone.values():
        yield UnfollowedText("removed", f"{file}:{entry.line}", entry.text, "")


def _nearest(text: str, known: list[str]) -> list[str]:
    return get_close_matches(text, known[:_MOST_COMPARED], 1)
