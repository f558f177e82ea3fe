"""Match a name that a person typed with the ids and titles that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import click

from muster.cli.options import UNREADABLE

_SUGGESTED_FROM = 0.6
"""The least similarity of a name that is suggested, on difflib's scale from 0 to 1."""

_ACCEPTED_FROM = 0.75
"""The least similarity of a name that is accepted, if no other comes close."""

_LEAD_OVER_SECOND = 0.08
"""The least difference between the best name and the second for the best to be accepted."""

_MAX_SUGGESTED = 5

_MAX_LISTED = 12
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
    typed = _normalised(word)
    forms = [(key, (_normalised(key), _normalised(label))) for key, label in pairs]
    ids = [key for key, _ in pairs]
    exact = [key for key in ids if key == word] or _ids_matching(forms, lambda form: form == typed)
    if exact:
        return exact[0]
    if typed:
        tests: tuple[Callable[[str], bool], ...] = (
            lambda form: form.startswith(typed),
            lambda form: typed in form,
        )
        for test in tests:
            matching = _ids_matching(forms, test)
            if len(matching) == 1:
                return matching[0]
            if matching:
                names = ", ".join(matching)
                raise NameMatchError(f"{word!r} matches more than one {what}: {names}")
    scores = sorted(((_similarity(typed, own), key) for key, own in forms), reverse=True)
    best, *rest = scores or [(0.0, "")]
    if best[0] >= _ACCEPTED_FROM and all(best[0] - other >= _LEAD_OVER_SECOND for other, _ in rest):
        return best[1]
    similar = [key for score, key in scores if score >= _SUGGESTED_FROM][:_MAX_SUGGESTED]
    if similar:
        raise NameMatchError(_message(word, what, similar, "the nearest are"))
    more = [f"and {len(ids) - _MAX_LISTED} more"] if len(ids) > _MAX_LISTED else []
    raise NameMatchError(_message(word, what, ids[:_MAX_LISTED] + more, "known:"))


def _ids_matching(
    forms: Sequence[tuple[str, tuple[str, str]]], test: Callable[[str], bool]
) -> list[str]:
    """Return the ids of which the id or the label passes a test, in order."""
    return [key for key, own in forms if any(test(form) for form in own if form)]


def _normalised(word: str) -> str:
    """Return a name as it is compared: lower case, single blanks, signs as a keyboard has them.

    The hyphen of an id becomes a blank, but not the sign of a number or the dash of a band.
    """
    signs = str.maketrans({"−": "-", "–": "-", "’": "'", "_": " "})
    text = word.strip().lower().translate(signs)
    if not text[:1].isdigit() and text[:1] != "-":
        text = text.replace("-", " ")
    return " ".join(text.split())


def _similarity(typed: str, forms: tuple[str, str]) -> float:
    """Return the similarity to an id or its label, whichever is greater, from 0 to 1."""
    from difflib import SequenceMatcher

    return max(SequenceMatcher(None, typed, form).ratio() for form in forms)


def _message(word: str, what: str, names: Sequence[str], intro: str) -> str:
    return f"there is no {what} {word!r}; {intro} {', '.join(names) or 'none'}"
