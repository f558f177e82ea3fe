"""Work out which language a text is in from its most common words."""

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
"""With fewer common words, the language of a text is unclear."""

_TIMES = 3
"""Another language needs more than so many times the common words of the stated one."""


def differing_language(text: str, stated: str) -> str:
    """Return the language that a text is clearly in, or "" if that is the stated one or unclear.

    Args:
        text: The text; too few common words make it unclear.
        stated: The tag of the language that it is said to be in, such as `de-AT`.
    """
    words = re.findall(r"\w+", text.lower())
    counts = {
        language: sum(word in common for word in words) for language, common in COMMON_WORDS.items()
    }
    likeliest = max(counts, key=lambda language: counts[language])
    own = counts[stated.partition("-")[0].lower()]
    is_clear = counts[likeliest] >= _FEWEST and counts[likeliest] > _TIMES * own
    return likeliest if is_clear else ""
