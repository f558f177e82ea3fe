"""Owns what every command shares: exit codes, global choices, options, where to look for things.

Does not print and does not run a command.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from generator.systems import Library

FINE = 0
FINDINGS = 1
UNREADABLE = 2
BUG = 3
INTERRUPTED = 130
BROKEN_PIPE = 141


@dataclass(frozen=True, slots=True)
class Choices:
    """The options that stand before the command."""

    quiet: bool = False


def choices() -> Choices:
    """Give the choices of this run; the defaults when a command is called on its own."""
    context = click.get_current_context(silent=True)
    found = context.find_object(Choices) if context else None
    return found or Choices()


def keep_what_is_read() -> None:
    """Keep what is read from now on in the user's cache, so that the next run need not parse it."""
    from generator.reading import cache

    cache.keep_in(cache.user_folder(os.environ))


def library() -> Library:
    """Give the systems, armies and templates in reach of the working folder."""
    from generator.systems import Library

    keep_what_is_read()
    return Library()


form_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Words for people, or JSON for programs.",
)
"""`--format text|json`, handed over as `form`."""


class Several(click.ParamType[tuple[str, ...]]):
    """One or more of some words, separated by commas, each once, in the order of the choices."""

    name = "list"

    def __init__(self, words: Sequence[str], refused: dict[str, str] | None = None) -> None:
        """Take the words allowed, and words that are refused with a reason of their own."""
        self.words = tuple(words)
        self.refused = refused or {}

    def convert(
        self, value: str | tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split a list and refuse what is not among the words."""
        if isinstance(value, tuple):
            return value
        found = [word.strip() for word in value.split(",")]
        for word in found:
            if word in self.refused:
                self.fail(self.refused[word], param, ctx)
            if word not in self.words:
                from generator.reading import did_you_mean

                hint = did_you_mean(word, self.words)
                self.fail(f"read {word!r}, expected {', '.join(self.words)}{hint}", param, ctx)
        return tuple(word for word in self.words if word in found)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Name the words in the help."""
        del param, ctx
        return ",".join(self.words)
