"""Match a name that a person typed with the ids and titles that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import click

from muster.cli.options import UNREADABLE

_SUGGESTED_FROM = 0.6
"""A likeness from which on a name is offered, on difflib's scale from 0 to 1."""

_ACCEPTED_FROM = 0.75
"""A likeness from which on a name is taken, if no other comes close."""

_LEAD_OVER_SECOND = 0.08
"""By how much the best must lead the second to be taken."""


_MAX_LISTED = 12
"""As many are named when nothing is near."""


class NameMatchError(click.ClickException):
    """Say that a name fits nothing, or too much."""

    exit_code = UNREADABLE


def match_name(word: str, known: Iterable[tuple[str, str]], what: str) -> str:
    """Find the id of what a person means.

    An id or label that is the same wins, then the only one that begins so, then the only one
    that holds the word, then the one that is clearly nearest.

    Args:
        word: What was typed.
        known: Pairs of id and label.
        what: What is looked for, such as `table`, for the message.

    Raises:
        UnclearError: If nothing, or more than one thing, is meant; it names the near ones.
    """
    pairs = list(known)
    asked = _normalised(word)
    forms = [(key, (_normalised(key), _normalised(label))) for key, label in pairs]
    exact = [key for key, each in forms if key == word] or _ids_matching(
        forms, lambda form: form == asked
    )
    if exact:
        return exact[0]
    if asked:
        tests: tuple[Callable[[str], bool], ...] = (
            lambda form: form.startswith(asked),
            lambda form: asked in form,
        )
        for test in tests:
            found = _ids_matching(forms, test)
            if len(found) == 1:
                return found[0]
            if found:
                raise NameMatchError(_message(word, what, found, "it may be"))
    likeness = sorted(((_similarity(asked, each), key) for key, each in forms), reverse=True)
    best, *rest = likeness or [(0.0, "")]
    if best[0] >= _ACCEPTED_FROM and all(best[0] - other >= _LEAD_OVER_SECOND for other, _ in rest):
        return best[1]
    near = [key for score, key in likeness if score >= _SUGGESTED_FROM][:5]
    if near:
        raise NameMatchError(_message(word, what, near, "the nearest are"))
    known_ids = [key for key, _ in pairs]
    more = [f"and {len(pairs) - _MAX_LISTED} more"] if len(pairs) > _MAX_LISTED else []
    raise NameMatchError(_message(word, what, known_ids[:_MAX_LISTED] + more, "there are"))


def _ids_matching(
    forms: Sequence[tuple[str, tuple[str, str]]], test: Callable[[str], bool]
) -> list[str]:
    """Give the ids of which a form passes, each once, in order."""
    return [key for key, each in forms if any(test(form) for form in each if form)]


def _normalised(word: str) -> str:
    """Write a word as it compares: small, with blanks, signs as a keyboard has them."""
    signs = str.maketrans({"−": "-", "–": "-", "’": "'", "_": " "})
    text = word.strip().lower().translate(signs)
    if not text[:1].isdigit() and text[:1] != "-":
        text = text.replace("-", " ")
    return " ".join(text.split())


def _similarity(asked: str, forms: tuple[str, str]) -> float:
    from difflib import SequenceMatcher

    return max(SequenceMatcher(None, asked, form).ratio() for form in forms)


def _message(word: str, what: str, near: Sequence[str], intro: str) -> str:
    return f"no {what} is called {word!r}; {intro} {', '.join(near)}"
