"""The `muster` program: its table of commands, its global options, and how every run ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import chdir, suppress
from typing import Any, NoReturn

import click

from muster import __version__
from muster.cli.options import BROKEN_PIPE, BUG, FINE, INTERRUPTED, UNREADABLE, GlobalOptions
from muster.problems import MusterError


def _build() -> click.Command:
    from muster.cli.build import build_command

    return build_command


def _clean() -> click.Command:
    from muster.cli.maintenance import clean_command

    return clean_command


def _check() -> click.Command:
    from muster.cli.check import check_command

    return check_command


def _draft() -> click.Command:
    from muster.cli.draft import draft_command

    return draft_command


def _repair() -> click.Command:
    from muster.cli.army_changes import repair_command

    return repair_command


def _prove() -> click.Command:
    from muster.cli.system_checks import prove_command

    return prove_command


def _raise() -> click.Command:
    from muster.cli.army_changes import raise_command

    return raise_command


def _lint() -> click.Command:
    from muster.cli.system_checks import lint_command

    return lint_command


def _export() -> click.Command:
    from muster.cli.catalogue import export_command

    return export_command


def _diff() -> click.Command:
    from muster.cli.diff import diff_command

    return diff_command


def _impose() -> click.Command:
    from muster.cli.impose import impose_command

    return impose_command


def _lookup() -> click.Command:
    from muster.cli.lookup import lookup_command

    return lookup_command


def _list() -> click.Command:
    from muster.cli.catalogue import list_command

    return list_command


def _new() -> click.Command:
    from muster.cli.new import new_command

    return new_command


def _schema() -> click.Command:
    from muster.cli.catalogue import schema_command

    return schema_command


def _doctor() -> click.Command:
    from muster.cli.maintenance import doctor_command

    return doctor_command


def _watch() -> click.Command:
    from muster.cli.build import watch_command

    return watch_command


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
            from muster.problems import did_you_mean

            hint = did_you_mean(name, COMMANDS)
            ctx.fail(f"There is no command {name!r}{hint}; there are {', '.join(COMMANDS)}.")
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run with arguments, those of the process when none are given, and end the process."""
        given = list(sys.argv[1:] if args is None else args)
        sys.exit(self.run(given))

    def run(self, arguments: list[str]) -> int:
        """Run with arguments and give the exit code; nothing but an exit code leaves here."""
        debug = "--debug" in arguments  # now: reading the arguments uses them up
        try:
            with self.make_context("muster", _global_flags_first(arguments)) as context:
                code = self.invoke(context)
                sys.stdout.flush()
                return code if isinstance(code, int) else FINE
        except click.exceptions.Exit as end:
            return end.exit_code
        except (KeyboardInterrupt, click.Abort):
            click.echo("muster: stopped", err=True)
            return INTERRUPTED
        except Exception as fault:  # noqa: BLE001 - the boundary where every error ends
            return report_error(fault, debug=debug)


_GLOBAL_FLAGS = ("--quiet", "--debug")
"""Options of the program itself that people also write behind the command."""


def _global_flags_first(arguments: list[str]) -> list[str]:
    """Move the options that may stand anywhere before the command; none behind `--` is moved."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    front = [each for each in _GLOBAL_FLAGS if each in arguments[:end]]
    rest = [each for each in arguments[:end] if each not in front]
    return [*front, *rest, *arguments[end:]]


def report_error(fault: Exception, *, debug: bool) -> int:
    """Tell of the error that ended a run, and give its exit code."""
    match fault:
        case click.ClickException():
            fault.show()
            return UNREADABLE
        case BrokenPipeError():
            _discard_stdout()
            return BROKEN_PIPE
        case MusterError():
            from muster.cli import show

            show.problems(fault.problems)
            return UNREADABLE
        case OSError():
            click.echo(f"muster: {_os_error_text(fault)}", err=True)
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


def _os_error_text(fault: OSError) -> str:
    """Say in one line what the system refused."""
    what = fault.strerror or str(fault)
    return f"{fault.filename}: {what}" if fault.filename else what


def _discard_stdout() -> None:
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
    context.obj = GlobalOptions(quiet=quiet)
    if folder is not None:
        context.with_resource(chdir(folder))
