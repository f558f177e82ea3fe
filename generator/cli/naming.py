"""Owns how a name that a person typed is matched with what there is.

Does not print; a name that fits nothing, or several things equally well, is an error with the
near ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import click

from generator.cli.choices import UNREADABLE

_NEAR = 0.6
"""A likeness from which on a name is offered, on difflib's scale from 0 to 1."""

_CLEAR = 0.75
"""A likeness from which on a name is taken, if no other comes close."""

_LEAD = 0.08
"""By how much the best must lead the second to be taken."""


_TOLD = 12
"""As many are named when nothing is near."""


class UnclearError(click.ClickException):
    """Say that a name fits nothing, or too much."""

    exit_code = UNREADABLE


def find(word: str, known: Iterable[tuple[str, str]], what: str) -> str:
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
    asked = _plain(word)
    forms = [(key, (_plain(key), _plain(label))) for key, label in pairs]
    exact = [key for key, each in forms if key == word] or _only(forms, lambda form: form == asked)
    if exact:
        return exact[0]
    if asked:
        tests: tuple[Callable[[str], bool], ...] = (
            lambda form: form.startswith(asked),
            lambda form: asked in form,
        )
        for test in tests:
            found = _only(forms, test)
            if len(found) == 1:
                return found[0]
            if found:
                raise UnclearError(_message(word, what, found, "it may be"))
    likeness = sorted(((_like(asked, each), key) for key, each in forms), reverse=True)
    best, *rest = likeness or [(0.0, "")]
    if best[0] >= _CLEAR and all(best[0] - other >= _LEAD for other, _ in rest):
        return best[1]
    near = [key for score, key in likeness if score >= _NEAR][:5]
    if near:
        raise UnclearError(_message(word, what, near, "the nearest are"))
    known_ids = [key for key, _ in pairs]
    more = [f"and {len(pairs) - _TOLD} more"] if len(pairs) > _TOLD else []
    raise UnclearError(_message(word, what, known_ids[:_TOLD] + more, "there are"))


def _only(forms: Sequence[tuple[str, tuple[str, str]]], test: Callable[[str], bool]) -> list[str]:
    """Give the ids of which a form passes, each once, in order."""
    return [key for key, each in forms if any(test(form) for form in each if form)]


def _plain(word: str) -> str:
    """Write a word as it compares: small, with blanks, signs as a keyboard has them."""
    signs = str.maketrans({"−": "-", "–": "-", "’": "'", "_": " "})
    text = word.strip().lower().translate(signs)
    if not text[:1].isdigit() and text[:1] != "-":
        text = text.replace("-", " ")
    return " ".join(text.split())


def _like(asked: str, forms: tuple[str, str]) -> float:
    from difflib import SequenceMatcher

    return max(SequenceMatcher(None, asked, form).ratio() for form in forms)


def _message(word: str, what: str, near: Sequence[str], intro: str) -> str:
    return f"no {what} is called {word!r}; {intro} {', '.join(near)}"
