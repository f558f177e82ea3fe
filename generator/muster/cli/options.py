"""Exit codes, options and checks that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from muster.systems import Library

FINE = 0
FINDINGS = 1
UNREADABLE = 2
BUG = 3
INTERRUPTED = 130
BROKEN_PIPE = 141

PAPERS = ("a4", "letter")
"""The paper sizes that documents are printed on."""


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    """The options that stand before the command."""

    quiet: bool = False
    folder: str = ""
    """The folder that was named with `--folder`."""


def global_options() -> GlobalOptions:
    """Return the global options of this run; the defaults when a command is called on its own."""
    context = click.get_current_context(silent=True)
    options = context.find_object(GlobalOptions) if context else None
    return options or GlobalOptions()


def open_library() -> Library:
    """Return the systems, armies and templates that can be found from the working folder."""
    from muster.systems import Library

    return Library()


format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or JSON for programs.",
)
"""`--format text|json`, passed as `output_format`."""


class CommaSeparated(click.ParamType[tuple[str, ...]]):
    """A list of words from a fixed set, separated by commas, in upper or lower case.

    Converts to a tuple that holds each word once, in the order of the set.
    """

    name = "list"

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)

    def convert(
        self, value: str | tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split *value* at its commas; refuse a word that is not in the set."""
        if isinstance(value, tuple):
            return value
        given = [word.strip().lower() for word in value.split(",")]
        for word in given:
            if word not in self.words:
                from muster.problems import did_you_mean

                hint = did_you_mean(word, self.words)
                self.fail(
                    f"read {word!r}, expected one of {', '.join(self.words)}{hint}", param, ctx
                )
        return tuple(word for word in self.words if word in given)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the words, for the help text."""
        del param, ctx
        return ",".join(self.words)


def join_lists(
    context: click.Context, option: click.Parameter, lists: tuple[tuple[str, ...], ...]
) -> tuple[str, ...]:
    """Return the words of all lists of an option that was given several times, each once.

    They come in the order in which they were given first.
    """
    del context, option
    return tuple(dict.fromkeys(word for each in lists for word in each))


class _Points(click.ParamType[Decimal]):
    """Points above 0, as an army file writes them: `250`, `12.5`."""

    name = "points"

    def convert(
        self, value: str | Decimal, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """Return the points as an exact number; refuse what is none, or not above 0."""
        if isinstance(value, Decimal):
            return value
        from muster.armies.fields import read_points

        try:
            points = read_points(value)
        except ValueError:
            points = Decimal(0)
        if points <= 0:
            text = f"read {value!r}, expected a number of points above 0 such as 250 or 12.5"
            self.fail(text, param, ctx)
        return points


POINTS = _Points()
"""The type of an option that is a number of points."""

SEED = click.IntRange(0, 999_999_999)
"""The type of a `--seed` option."""

_DRAWN_SEEDS = 1_000_000
"""Seeds are drawn below this: a number that people can read out to each other."""


def draw_seed() -> int:
    """Return a random seed, for a run that was given none."""
    import random

    return random.SystemRandom().randrange(_DRAWN_SEEDS)


def refuse_overwrite(
    path: Path,
    *,
    force: bool = False,
    advice: str = "choose another file with --out, or use --force",
) -> None:
    """Refuse to write over an existing file unless *force* is set.

    Raises:
        click.UsageError: If the file exists; the message ends with *advice*.
    """
    if path.exists() and not force:
        raise click.UsageError(f"{path} already exists; {advice}")


def _refuse_linked_out(context: click.Context, option: click.Parameter, out: Path) -> Path:
    """Return the output folder, as the callback of an option.

    Raises:
        MusterError: If it is a link, or lies behind one, that leads out of the working folder.
    """
    from muster.building.store import refuse_linked_folder

    del context, option
    refuse_linked_folder(out)
    return out


_Command = TypeVar("_Command", bound=Callable[..., Any])


def build_folder_option(text: str, *, refuse_links: bool = True) -> Callable[[_Command], _Command]:
    """Return the option `--out` of the commands that work on a build, with its help text."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        default=Path("build"),
        show_default=True,
        callback=_refuse_linked_out if refuse_links else None,
        help=text,
    )


def check_web_address(context: click.Context, option: click.Parameter, address: str) -> str:
    """Return the address of a web page, as the callback of an option; empty if none was given.

    Raises:
        click.BadParameter: If it is no address of the web, or has a part after `#`.
    """
    if address and not re.fullmatch(r"https?://[^\s#/]+(?:/[^\s#]*)?", address):
        text = f"read {address!r}, expected a web address such as https://club.example/lists/"
        raise click.BadParameter(text, context, option)
    return address


def has_solver() -> bool:
    """Return whether the extra `solver` is installed, without importing the solver itself.

    A folder that only happens to be called `ortools` is not the solver.
    """
    try:
        return find_spec("ortools.sat.python") is not None
    except ImportError:
        return False


def require_solver(command: str) -> None:
    """Refuse a command that cannot work without the extra `solver`.

    Raises:
        click.UsageError: If it is not installed.
    """
    if not has_solver():
        from muster.problems import pip_command

        raise click.UsageError(
            f"`muster {command}` needs the optional solver (OR-Tools), which is not installed. In a"
            f" clone of Muster, run `make`; elsewhere, run `{pip_command('ortools')}`"
        )
