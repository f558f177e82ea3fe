"""Tell from its commonest words which language a text is in."""

from __future__ import annotations

import re

COMMON_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "de": "aber auf bei das der dem den ein eine einer für ist mit nicht oder und von wird zu",
        "en": "a and are at by for from if in is it not of or that the their to with you",
        "fr": "au aux avec ce dans des du est et la le les ne ou par pas pour que qui une",
    }.items()
}
"""Common words of each language that stand in no other of them, or seldom."""

_FEWEST = 50
"""Common words without which nothing is known of a text."""

_TIMES = 3
"""How many times as many common words as those of the stated language show another one."""


def differing_language(text: str, stated: str) -> str:
    """Return the language that a text is plainly in, if it is not the stated one; else nothing.

    Args:
        text: The text. Nothing is known of a short one.
        stated: The tag of the language that it is said to be in.
    """
    words = re.findall(r"\w+", text.lower())
    counts = {
        language: sum(word in common for word in words) for language, common in COMMON_WORDS.items()
    }
    likeliest = max(counts, key=lambda language: counts[language])
    expected = counts[stated.partition("-")[0].lower()]
    plain = counts[likeliest] >= _FEWEST and counts[likeliest] > _TIMES * expected
    return likeliest if plain else ""
