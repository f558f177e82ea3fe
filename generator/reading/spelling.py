"""Owns the guess which known word a misspelt one was meant to be.

Does not know what the words stand for.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

_LONGEST = 60
_MOST = 1000


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Find the known word that is most like a word, if any is like it; case does not count.

    Words of more than 60 characters have no like, and only 1000 known words are looked at:
    a hostile file must not buy minutes of comparing.
    """
    if not word or len(word) > _LONGEST:
        return None
    words = {each.casefold(): each for each in islice(known, _MOST) if len(each) <= _LONGEST}
    low = word.casefold()
    if low in words:
        return words[low]
    from difflib import get_close_matches  # noqa: PLC0415 - slow to load, wanted only for a fault

    close = get_close_matches(low, words, n=1, cutoff=0.6)
    return words[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give ` (did you mean 'title'?)` to put behind a message, or nothing if no word is like it."""
    found = nearest(word, known)
    return f" (did you mean {found!r}?)" if found is not None else ""
