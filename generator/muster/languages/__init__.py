"""The words of the interface on printed documents, in English and other languages."""

from muster.languages.catalogues import missing_messages
from muster.languages.common_words import differing_language
from muster.languages.words import (
    LANGUAGES_FOLDER,
    in_sentence,
    keeps_capitals,
    known_languages,
    marked,
    quoted,
    say,
    say_in_english,
    say_number,
    speaking,
    spoken_language,
    translations,
    with_decimal_mark,
)

__all__ = [
    "LANGUAGES_FOLDER",
    "differing_language",
    "in_sentence",
    "keeps_capitals",
    "known_languages",
    "marked",
    "missing_messages",
    "quoted",
    "say",
    "say_in_english",
    "say_number",
    "speaking",
    "spoken_language",
    "translations",
    "with_decimal_mark",
]
