"""Match a name that a person typed with the ids and titles that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from muster.cli import show
from muster.cli.options import UNREADABLE
from muster.names import find_names, nearest_names, plain_form

_ACCEPTED_FROM = 0.75
"""The least likeness of a name that is accepted, if no other comes close."""

_LEAD_OVER_SECOND = 0.08
"""The least difference between the best name and the second for the best to be accepted."""

_MAX_SUGGESTED = 5

MAX_LISTED = 12
"""The number of names that are listed when none is similar."""


class NameMatchError(click.ClickException):
    """A name matches nothing, or more than one thing."""

    exit_code = UNREADABLE


def match_name(word: str, known: Iterable[tuple[str, str]], what: str) -> str:
    """Return the id that a typed name stands for.

    An id or label that is equal wins, then the only one that begins with the name, then the only
    one that contains it, then one that is clearly more similar than all others.

    Args:
        word: The name as it was typed.
        known: Pairs of id and label.
        what: What the name is of, such as `table`, for the message.

    Raises:
        NameMatchError: If the name matches nothing, or several; it suggests similar names.
    """
    pairs = list(known)
    found = matching_names(word, pairs)
    if len(found) > 1:
        raise NameMatchError(f"{word!r} matches more than one {what}: {', '.join(found)}")
    if found:
        return found[0]
    typed = plain_form(word)
    forms = [(key, (plain_form(key), plain_form(label))) for key, label in pairs]
    scores = sorted(((_likeness(typed, own), key) for key, own in forms), reverse=True)
    best, *rest = scores or [(0.0, "")]
    if best[0] >= _ACCEPTED_FROM and all(best[0] - other >= _LEAD_OVER_SECOND for other, _ in rest):
        return best[1]
    if similar := nearest_names(word, pairs, _MAX_SUGGESTED):
        raise NameMatchError(_message(word, what, ", ".join(similar), "the nearest are"))
    ids = list(dict(pairs))
    raise NameMatchError(_message(word, what, show.listed(ids, MAX_LISTED), "known:"))


def matching_names(word: str, known: Iterable[tuple[str, str]]) -> list[str]:
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


def _likeness(typed: str, forms: tuple[str, str]) -> float:
    """Return the likeness to an id or its label, whichever is greater, from 0 to 1."""
    from difflib import SequenceMatcher

    return max(SequenceMatcher(None, typed, form).ratio() for form in forms)


def _message(word: str, what: str, names: str, intro: str) -> str:
    return f"there is no {what} {word!r}; {intro} {names or 'none'}"
