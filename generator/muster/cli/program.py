"""The `muster` program: its table of commands, its global options, and its exit codes."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import chdir, suppress
from importlib import import_module
from io import StringIO
from typing import Any, NoReturn

import click

from muster import __version__
from muster.cli import show
from muster.cli.options import BROKEN_PIPE, BUG, FINE, INTERRUPTED, UNREADABLE, GlobalOptions
from muster.problems import MusterError, visible

COMMANDS = {
    "build": "build:build_command",
    "watch": "watch:watch_command",
    "clean": "maintenance:clean_command",
    "check": "check:check_command",
    "repair": "repair_raise:repair_command",
    "draft": "draft:draft_command",
    "raise": "repair_raise:raise_command",
    "lint": "system_checks:lint_command",
    "prove": "system_checks:prove_command",
    "translate": "translate:translate_command",
    "export": "export:export_command",
    "import": "importing:import_command",
    "diff": "diff:diff_command",
    "impose": "impose:impose_command",
    "lookup": "lookup:lookup_command",
    "list": "catalogue:list_command",
    "new": "new:new_command",
    "schema": "catalogue:schema_command",
    "doctor": "maintenance:doctor_command",
}
"""Each command as `module:name` below `muster.cli`, in the order of `muster --help`.

A module is imported only when its command runs: `muster check` must not pay for `muster build`.
"""


class Program(click.Group):
    """The group of all commands, which loads each on demand and turns every error into a code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of a person's work."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return the command; None if there is no such command."""
        del ctx
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command = getattr(import_module(f"muster.cli.{module}"), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{place} is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command in *args*; refuse an unknown name and suggest the nearest one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from muster.problems import did_you_mean

            hint = did_you_mean(name, COMMANDS)
            ctx.fail(f"there is no command {name!r}{hint}; known: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run with *args*, or with the process's arguments, and end the process."""
        arguments = list(sys.argv[1:] if args is None else args)
        show.prepare_streams()
        code = self.run(arguments)
        if threading.current_thread() is threading.main_thread():
            # What is left to do is Python's, which would answer Ctrl-C with a traceback.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.exit(code)

    def run(self, arguments: list[str]) -> int:
        """Run with *arguments* and return the exit code; no exception is raised."""
        # Read before the parser, which removes the arguments that it has read from the list.
        debug = "--debug" in arguments
        try:
            code = self._run_command(arguments)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            return _report_interrupt()
        except Exception as error:  # noqa: BLE001 - the boundary where every error ends
            return report_error(error, debug=debug)
        return code

    def _run_command(self, arguments: list[str]) -> int:
        try:
            with self.make_context("muster", _global_flags_first(arguments)) as context:
                code = self.invoke(context)
        except click.exceptions.Exit as ended:
            return ended.exit_code
        return code if isinstance(code, int) else FINE


_GLOBAL_FLAGS = ("--quiet", "--debug")
"""Options of the program itself that people also write after the command."""


def _global_flags_first(arguments: list[str]) -> list[str]:
    """Return *arguments* with the global flags first; those after `--` are left in place."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = [flag for flag in _GLOBAL_FLAGS if flag in arguments[:end]]
    rest = [argument for argument in arguments[:end] if argument not in flags]
    return [*flags, *rest, *arguments[end:]]


def _report_interrupt() -> int:
    click.echo("muster: interrupted", err=True)
    return INTERRUPTED


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error comes from Ctrl-C, which some libraries turn into another error."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def report_error(error: Exception, *, debug: bool) -> int:
    """Print the error that ended a run, and return its exit code."""
    if _is_interrupt(error):
        return _report_interrupt()
    match error:
        case BrokenPipeError():
            _discard_stdout()
            return BROKEN_PIPE
        case click.ClickException():
            shown = StringIO()
            error.show(shown)
            click.echo(visible(shown.getvalue()), err=True, nl=False)
        case MusterError():
            show.problems(error.problems)
        case ModuleNotFoundError(name=str(name)) if not name.startswith("muster"):
            click.echo(_missing_package_text(name.partition(".")[0]), err=True)
        case OSError():
            if _is_of_stdout(error):
                _discard_stdout()
            click.echo(visible(f"muster: {_os_error_text(error)}"), err=True)
        case _:
            return _report_bug(error, debug=debug)
    return UNREADABLE


def _missing_package_text(package: str) -> str:
    from muster.problems import pip_command

    return (
        f"muster: this needs {package}, which is not installed. In a clone of Muster, run `make`; "
        f"elsewhere, run `{pip_command('muster-wargames')}`, or `muster doctor` to see what is "
        "missing"
    )


def _report_bug(error: Exception, *, debug: bool) -> int:
    if debug:
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    click.echo(
        f"muster: {show.BUG_TEXT}: {visible(text[:300])} - please open an issue in Muster's"
        " repository with this line and the output of `muster --debug`",
        err=True,
    )
    return BUG


def _os_error_text(error: OSError) -> str:
    """Return what the operating system refused, in one line, with the file's name if known."""
    reason = error.strerror or str(error)
    name = "standard output" if _is_of_stdout(error) else error.filename
    return f"{name}: {reason}" if name else reason


def _is_of_stdout(error: OSError) -> bool:
    """Return whether there is no room for our output; all files are written with their names."""
    return error.errno == errno.ENOSPC and not error.filename


def _discard_stdout() -> None:
    """Redirect stdout to the null device, so that Python's last flush at exit does not fail."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 success, 1 findings, 2 invalid input or usage, 3 a bug in Muster.",
)
@click.option("--quiet", is_flag=True, help="Print only results and errors.")
@click.option("--debug", is_flag=True, help="Show the traceback if Muster fails because of a bug.")
@click.option(
    "--folder",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="Run as if started in this folder.",
)
@click.version_option(__version__, message="muster %(version)s")
@click.pass_context
def program(context: click.Context, *, quiet: bool, debug: bool, folder: str | None) -> None:
    """Turn rule systems and army lists into sheets, cards, rosters and verdicts."""
    del debug  # `Program.run` has read it already, before anything could fail.
    if os.environ.get("NO_COLOR"):
        context.color = False
    context.obj = GlobalOptions(quiet=quiet, folder=folder or "")
    if folder is not None:
        context.with_resource(chdir(folder))
