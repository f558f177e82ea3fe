"""Which known name a written word stands for, and which it may have been meant for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from difflib import SequenceMatcher

Names = Iterable[tuple[str, str]]
"""Pairs of id and label; an id with several labels occurs once with each."""

_ALIKE_FROM = 0.7
"""The least likeness of two spellings of a suggested name, on difflib's scale from 0 to 1."""

_SHARED_FROM = 0.4
"""The least part of the letters of two names that are in words that both have, from 0 to 1."""

_SAME_WORD_FROM = 0.8
"""The least likeness of two words that count as one, of which one may be misspelt."""

_STEM_LENGTH = 4
"""The least number of letters that two words of one stem begin with: regular, regulars."""

_ACCEPTED_FROM = 0.75
"""The least likeness of a name that is accepted, if no other comes close."""

_LEAD_OVER_SECOND = 0.08
"""The least difference between the best name and the second for the best to be accepted."""

_MAX_WORD_LENGTH = 60
_MAX_NAMES = 1000

_SIGNS = str.maketrans({"−": "-", "–": "-", "’": "", "'": "", "_": " "})
_PUNCTUATION = re.compile(r"[,;:!?*()\[\]“”‘]|[./](?!\d)|(?<=[^\d\s])-|-(?!\d)")
"""Signs that do not tell names apart; the sign of a number and the dash of a band do."""


@lru_cache(maxsize=4096)
def plain_form(name: str) -> str:
    """Return a name as it is compared: lower case, without punctuation, single blanks."""
    return " ".join(_PUNCTUATION.sub(" ", name.casefold().translate(_SIGNS)).split())


def repeated(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Return each name that came before, with its place among all of them."""
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            yield place, name
        seen.add(name)


def find_names(word: str, known: Names) -> list[str]:
    """Return the ids that a written word stands for, each once.

    The very id wins, then an id that differs in case and punctuation only, then a label that does.
    More than one means that the word is ambiguous.
    """
    pairs = list(known)
    if any(key == word for key, _ in pairs):
        return [word]
    plain = plain_form(word)
    by_id = [key for key, _ in pairs if plain_form(key) == plain]
    found = by_id or [key for key, label in pairs if plain_form(label) == plain]
    return list(dict.fromkeys(found)) if plain else []


def matching_names(word: str, known: Names) -> list[str]:
    """Return the ids that have a name; else those that begin with it; else those that contain it.

    An id counts by its label too, and is returned once.
    """
    pairs = list(known)
    found = find_names(word, pairs)
    typed = plain_form(word)
    if found or not typed:
        return found
    forms = [(key, (plain_form(key), plain_form(label))) for key, label in pairs]
    tests: tuple[Callable[[str], bool], ...] = (
        lambda form: form.startswith(typed),
        lambda form: typed in form,
    )
    for test in tests:
        found = [key for key, own in forms if any(test(form) for form in own)]
        if found:
            break
    return list(dict.fromkeys(found))


def likely_name(word: str, known: Names) -> str:
    """Return the id that is clearly more like a misspelt name than all others; empty if none is.

    Only names of a system's own files are compared, at the prompt: nothing limits their number.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - slow to load, needed for errors only

    typed = plain_form(word)
    scores = sorted(
        (
            max(SequenceMatcher(None, typed, plain_form(name)).ratio() for name in {key, label}),
            key,
        )
        for key, label in known
    )
    if not scores or scores[-1][0] < _ACCEPTED_FROM:
        return ""
    best, others = scores[-1], scores[:-1]
    is_clear = all(best[0] - other >= _LEAD_OVER_SECOND for other, _ in others)
    return best[1] if is_clear else ""


def nearest_names(word: str, known: Names, most: int = 1) -> list[str]:
    """Return the ids that are nearest to a word, the best first; none if none is near.

    An id is near if it or its label shares words or their stems with the word, or is spelt alike.
    Names of more than 60 characters are not compared, and only the first 1000 are: a hostile file
    must not cause minutes of comparisons.

    Args:
        word: The word as it was written.
        known: Pairs of id and label.
        most: How many ids to return at most.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - slow to load, needed for errors only

    plain = plain_form(word[: _MAX_WORD_LENGTH + 1])
    if not plain or len(word) > _MAX_WORD_LENGTH:
        return []
    words = plain.split()
    spelling = SequenceMatcher(autojunk=False)
    spelling.set_seq2(plain)
    scores: dict[str, float] = {}
    for key, label in islice(known, _MAX_NAMES):
        for name in {key, label}:
            if not name or len(name) > _MAX_WORD_LENGTH:
                continue
            form = plain_form(name)
            shared = _shared_part(words, form.split())
            spelling.set_seq1(form)
            alike = _likeness(spelling, _SHARED_FROM)
            if shared >= _SHARED_FROM or alike >= _ALIKE_FROM:
                scores[key] = max(scores.get(key, 0), shared + alike)
    return sorted(scores, key=lambda key: -scores[key])[:most]


def _shared_part(words: Sequence[str], others: Sequence[str]) -> float:
    """Return the part of the letters of two names that is in words that both have, from 0 to 1."""
    left = list(others)
    letters = 0
    for word in words:
        other = next((each for each in left if _is_same_word(word, each)), None)
        if other is not None:
            left.remove(other)
            letters += len(word) + len(other)
    return letters / max(1, sum(map(len, words)) + sum(map(len, others)))


def _is_same_word(one: str, other: str) -> bool:
    """Return whether two words are equal, or have one stem, or one is the other misspelt.

    Words of one stem begin with the same letters, at least half of those of the longer word.
    """
    if one == other:
        return True
    if min(len(one), len(other)) < _STEM_LENGTH or one[0] != other[0]:
        return False
    from difflib import SequenceMatcher  # noqa: PLC0415 - as above

    stem = max(_STEM_LENGTH, (max(len(one), len(other)) + 1) // 2)
    if one[:stem] == other[:stem]:
        return True
    return _likeness(SequenceMatcher(None, one, other), _SAME_WORD_FROM) >= _SAME_WORD_FROM


def _likeness(spelling: SequenceMatcher[str], least: float) -> float:
    """Return the ratio of a matcher, or 0 if it is below `least`, which is quick to see."""
    if spelling.real_quick_ratio() < least or spelling.quick_ratio() < least:
        return 0
    ratio = spelling.ratio()
    return ratio if ratio >= least else 0
