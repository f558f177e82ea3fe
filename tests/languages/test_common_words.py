"""Tests of telling the language of a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.languages import differing_language, known_languages
from muster.languages.common_words import COMMON_WORDS
from muster.systems import Library
from tests.languages.catalogues import messages_of, read_catalogue

ROOT = Path(__file__).resolve().parents[2]


def test_every_language_has_common_words() -> None:
    assert sorted(COMMON_WORDS) == list(known_languages())


@pytest.mark.parametrize("language", ["de", "fr"])
def test_language_of_a_catalogue_is_told(language: str) -> None:
    text = " ".join(" ".join(said) for _, said in messages_of(read_catalogue(language)))

    assert differing_language(text, language) == ""
    assert differing_language(text, "en") == language


@pytest.mark.parametrize("system", sorted(Library(ROOT).systems()))
def test_language_of_a_shipped_system_is_told(system: str) -> None:
    text = " ".join(chapter.text for chapter in Library(ROOT).system(system).prose.chapters)

    assert differing_language(text, "en-GB") == ""
    assert differing_language(text, "fr") == "en"
    assert differing_language(text, "de") == "en"


def test_language_of_german_rules_is_told() -> None:
    system = Library(ROOT).system("seven-years-war").in_language("de")
    text = " ".join(chapter.text for chapter in system.prose.chapters)

    assert differing_language(text, "de-AT") == ""
    assert differing_language(text, "en") == "de"


def test_nothing_is_known_of_a_short_text() -> None:
    assert differing_language("The unit halts at the edge of the wood.", "fr") == ""
