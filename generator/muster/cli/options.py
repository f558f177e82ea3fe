"""Exit codes, options and checks that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from muster.systems import Library

FINE = 0
FINDINGS = 1
UNREADABLE = 2
BUG = 3
INTERRUPTED = 130
BROKEN_PIPE = 141


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    """The options that stand before the command."""

    quiet: bool = False


def global_options() -> GlobalOptions:
    """Give the choices of this run; the defaults when a command is called on its own."""
    context = click.get_current_context(silent=True)
    found = context.find_object(GlobalOptions) if context else None
    return found or GlobalOptions()


def library() -> Library:
    """Give the systems, armies and templates in reach of the working folder."""
    from muster.systems import Library

    return Library()


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Words for people, or JSON for programs.",
)
"""`--format text|json`, handed over as `form`."""


class CommaSeparated(click.ParamType[tuple[str, ...]]):
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
                from muster.problems import did_you_mean

                hint = did_you_mean(word, self.words)
                self.fail(f"read {word!r}, expected {', '.join(self.words)}{hint}", param, ctx)
        return tuple(word for word in self.words if word in found)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Name the words in the help."""
        del param, ctx
        return ",".join(self.words)


def has_solver() -> bool:
    """Tell whether the extra `solver` is installed, without loading it."""
    return find_spec("ortools") is not None


def require_solver(command: str) -> None:
    """Refuse a command that cannot work without the extra `solver`.

    Raises:
        click.UsageError: If it is not installed.
    """
    if not has_solver():
        raise click.UsageError(
            f"`muster {command}` needs the extra `solver` (OR-tools): `make` installs it, or"
            " install muster[solver]"
        )
