"""Owns `muster` itself: the table of commands, the options before them, and how every run ends.

Does not hold a command; each is a module of its own that loads when it is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import chdir, suppress
from typing import Any, NoReturn

import click

from generator import __version__
from generator.cli.choices import (
    BROKEN_PIPE,
    BUG,
    FINE,
    INTERRUPTED,
    UNREADABLE,
    Choices,
)
from generator.problems import MusterError


def _build() -> click.Command:
    from generator.cli.build import command

    return command


def _clean() -> click.Command:
    from generator.cli.clean import command

    return command


def _check() -> click.Command:
    from generator.cli.check import command

    return command


def _draft() -> click.Command:
    from generator.cli.draft import command

    return command


def _repair() -> click.Command:
    from generator.cli.repair import command

    return command


def _prove() -> click.Command:
    from generator.cli.prove import command

    return command


def _raise() -> click.Command:
    from generator.cli.raising import command

    return command


def _lint() -> click.Command:
    from generator.cli.lint import command

    return command


def _export() -> click.Command:
    from generator.cli.export import command

    return command


def _diff() -> click.Command:
    from generator.cli.diff import command

    return command


def _impose() -> click.Command:
    from generator.cli.impose import command

    return command


def _lookup() -> click.Command:
    from generator.cli.lookup import command

    return command


def _list() -> click.Command:
    from generator.cli.listing import command

    return command


def _new() -> click.Command:
    from generator.cli.new import command

    return command


def _schema() -> click.Command:
    from generator.cli.schema import command

    return command


def _doctor() -> click.Command:
    from generator.cli.doctor import command

    return command


def _watch() -> click.Command:
    from generator.cli.watch import command

    return command


COMMANDS: dict[str, Callable[[], click.Command]] = {
    "build": _build,
    "watch": _watch,
    "clean": _clean,
    "check": _check,
    "repair": _repair,
    "draft": _draft,
    "raise": _raise,
    "lint": _lint,
    "prove": _prove,
    "export": _export,
    "diff": _diff,
    "impose": _impose,
    "lookup": _lookup,
    "list": _list,
    "new": _new,
    "schema": _schema,
    "doctor": _doctor,
}
"""Each command by name, and what loads it: `muster check` must not pay for `muster build`."""


class Program(click.Group):
    """The group of all commands, loaded one by one, and the boundary where every error ends."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of a person's work, not of the alphabet."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        del ctx
        loader = COMMANDS.get(cmd_name)
        return loader() if loader else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command asked for; an unknown one is refused with the nearest."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from generator.reading import did_you_mean

            hint = did_you_mean(name, COMMANDS)
            ctx.fail(f"There is no command {name!r}{hint}; there are {', '.join(COMMANDS)}.")
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run with arguments, those of the process when none are given, and end the process."""
        given = list(sys.argv[1:] if args is None else args)
        sys.exit(self.outcome(given))

    def outcome(self, arguments: list[str]) -> int:
        """Run with arguments and give the exit code; nothing but an exit code leaves here."""
        debug = "--debug" in arguments  # now: reading the arguments uses them up
        try:
            with self.make_context("muster", _fronted(arguments)) as context:
                code = self.invoke(context)
                sys.stdout.flush()
                return code if isinstance(code, int) else FINE
        except click.exceptions.Exit as end:
            return end.exit_code
        except (KeyboardInterrupt, click.Abort):
            click.echo("muster: stopped", err=True)
            return INTERRUPTED
        except Exception as fault:  # noqa: BLE001 - the boundary where every error ends
            return ended(fault, debug=debug)


_ANYWHERE = ("--quiet", "--debug")
"""Options of the program itself that people also write behind the command."""


def _fronted(arguments: list[str]) -> list[str]:
    """Move the options that may stand anywhere before the command; none behind `--` is moved."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    front = [each for each in _ANYWHERE if each in arguments[:end]]
    rest = [each for each in arguments[:end] if each not in front]
    return [*front, *rest, *arguments[end:]]


def ended(fault: Exception, *, debug: bool) -> int:
    """Tell of the error that ended a run, and give its exit code."""
    match fault:
        case click.ClickException():
            fault.show()
            return UNREADABLE
        case BrokenPipeError():
            _close_quietly()
            return BROKEN_PIPE
        case MusterError():
            from generator.cli import show

            show.problems(fault.problems)
            return UNREADABLE
        case OSError():
            click.echo(f"muster: {_reason(fault)}", err=True)
            return UNREADABLE
    if debug:
        import traceback

        click.echo("".join(traceback.format_exception(fault)), err=True, nl=False)
    text = " ".join(f"{type(fault).__name__}: {fault}".split())
    click.echo(
        f"muster: this is a bug in Muster: {text[:300]} - please open an issue at Muster's"
        " repository with this line and what `muster --debug` says beside it",
        err=True,
    )
    return BUG


def _reason(fault: OSError) -> str:
    """Say in one line what the system refused."""
    what = fault.strerror or str(fault)
    return f"{fault.filename}: {what}" if fault.filename else what


def _close_quietly() -> None:
    """Point stdout at nothing, so that Python's last flush has nobody to complain to."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 fine, 1 findings, 2 input or usage cannot be read, 3 a bug in Muster.",
)
@click.option("--quiet", is_flag=True, help="Print results and errors, nothing else.")
@click.option("--debug", is_flag=True, help="Show the traceback of a bug.")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Work in another folder, as if started there.",
)
@click.version_option(__version__, message="muster %(version)s")
@click.pass_context
def program(context: click.Context, *, quiet: bool, debug: bool, folder: str | None) -> None:
    """Turn rule systems and army lists into sheets, cards, rosters and verdicts."""
    del debug  # `outcome` looks for it before anything can fail
    if os.environ.get("NO_COLOR"):
        context.color = False
    context.obj = Choices(quiet=quiet)
    if folder is not None:
        context.with_resource(chdir(folder))
