"""Match a name that a person typed with the ids and titles that exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from muster.cli import show
from muster.cli.options import UNREADABLE
from muster.names import likely_name, matching_names, nearest_names

_MAX_SUGGESTED = 5


class NameMatchError(click.ClickException):
    """A name matches nothing, or more than one thing."""

    exit_code = UNREADABLE

    def __init__(self, message: str, word: str = "", found: Sequence[str] = ()) -> None:
        """Take the message, and if a word matches several ids, the word and the ids."""
        super().__init__(message)
        self.word = word
        self.found = tuple(found)


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
        text = f"{word!r} matches more than one {what}: {', '.join(found)}"
        raise NameMatchError(text, word, found)
    if found:
        return found[0]
    if likely := likely_name(word, pairs):
        return likely
    if similar := nearest_names(word, pairs, _MAX_SUGGESTED):
        raise NameMatchError(_message(word, what, ", ".join(similar), "the nearest are"))
    ids = list(dict(pairs))
    raise NameMatchError(_message(word, what, show.listed(ids), "known:"))


def _message(word: str, what: str, names: str, intro: str) -> str:
    return f"there is no {what} {word!r}; {intro} {names or 'none'}"
