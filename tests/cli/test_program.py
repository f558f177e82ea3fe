"""Tests of how a run of `muster` starts and ends, whatever the command."""

import errno
from pathlib import Path

import click
import pytest

from muster import __version__
from muster.cli import main
from muster.cli import program as module
from muster.cli.program import COMMANDS, program
from muster.problems import Location, MusterError, Problem
from tests.cli.conftest import Muster


def test_help_names_every_command_and_the_exit_codes(muster: Muster) -> None:
    result = muster("--help")

    assert result.exit_code == 0
    assert all(f"\n  {name}" in result.stdout for name in COMMANDS)
    assert "2 invalid input or usage" in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, muster: Muster) -> None:
    result = muster(name, "--help")

    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: muster {name}")


def test_version_is_the_packages(muster: Muster) -> None:
    assert muster("--version").stdout == f"muster {__version__}\n"


def test_nothing_asked_shows_the_help_and_is_wrong_usage(muster: Muster) -> None:
    result = muster()

    assert result.exit_code == 2
    assert "Commands:" in result.stderr


def test_unknown_command_names_the_nearest(muster: Muster) -> None:
    result = muster("chek")

    assert result.exit_code == 2
    assert "did you mean 'check'" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--wrong"], ["list", "--wrong"], ["--folder", "nowhere"]],
    ids=["of the program", "of a command", "no folder"],
)
def test_wrong_usage_is_2(arguments: list[str], muster: Muster) -> None:
    result = muster(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error:" in result.stderr


def test_folder_works_as_if_started_there_and_comes_back(muster: Muster, folder: Path) -> None:
    (folder / "elsewhere").mkdir()

    result = muster("--folder", "elsewhere", "new", "army", "mine", "--system", "slaughterloo")

    assert result.exit_code == 0
    assert (folder / "elsewhere" / "armies" / "slaughterloo" / "mine.yaml").is_file()
    assert Path.cwd() == folder


def replace_list(monkeypatch: pytest.MonkeyPatch, command: click.Command) -> None:
    """Make `muster list` run another command."""
    monkeypatch.setattr("muster.cli.catalogue.list_command", command)


def break_down(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make `muster list` fail with an error."""

    @click.command("list")
    def command() -> None:
        raise error

    replace_list(monkeypatch, command)


def test_bug_is_one_line_that_says_where_to_report(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(monkeypatch, KeyError("two\nlines"))

    result = muster("list")

    assert result.exit_code == 3
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert "KeyError" in result.stderr
    assert "open an issue" in result.stderr


def test_package_that_is_missing_is_named_and_no_bug(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(monkeypatch, ModuleNotFoundError("No module named 'rich'", name="rich.console"))

    result = muster("list")

    assert result.exit_code == 2
    assert result.stderr.startswith("muster: this needs rich, which is not installed.")
    assert "muster doctor" in result.stderr


def test_module_of_ours_that_is_missing_is_a_bug(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(monkeypatch, ModuleNotFoundError("No module named 'muster.x'", name="muster.x"))

    assert muster("list").exit_code == 3


def test_debug_shows_the_traceback_of_a_bug(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(monkeypatch, KeyError("x"))

    result = muster("--debug", "list")

    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert "open an issue" in result.stderr


def test_problems_are_shown_once_each_and_end_with_2(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Problem("one", "is wrong", Location("a.yaml", 3, 5), "  a: b")
    two = Problem("two", "is wrong too", Location("b.yaml", None, None))
    break_down(monkeypatch, MusterError((one, two, one)))

    result = muster("list")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("a.yaml:3:5: is wrong [one]") == 1
    assert "b.yaml: is wrong too [two]" in result.stderr


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=["Ctrl-C", "Abort"])
def test_interrupted_run_is_130(
    error: BaseException, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(monkeypatch, error)

    result = muster("list")

    assert result.exit_code == 130
    assert "Traceback" not in result.stderr


def test_interrupt_that_a_library_turned_into_another_error_is_130(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = ImportError("initialization failed")
    error.__cause__ = KeyboardInterrupt()
    break_down(monkeypatch, error)

    result = muster("list")

    assert (result.exit_code, result.stderr) == (130, "muster: interrupted\n")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "build/x"), "build/x: No space left"),
        (OSError(errno.ENOSPC, "No space left on device"), "muster: No space left"),
        (OSError("no more"), "muster: no more"),
    ],
    ids=["with a file", "without a file", "without a reason"],
)
def test_full_disk_is_2_and_one_line(
    error: OSError, text: str, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(monkeypatch, error)

    result = muster("list")

    assert result.exit_code == 2
    assert text in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_reader_that_goes_away_is_no_error(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_discard_stdout", lambda: None)
    break_down(monkeypatch, BrokenPipeError())

    result = muster("list")

    assert (result.exit_code, result.stderr) == (141, "")


def test_command_that_returns_nothing_ends_with_0(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_list(monkeypatch, click.Command("list", callback=lambda: None))

    assert muster("list").exit_code == 0


def test_no_color_is_honoured(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = muster("check", "armies/club/first.yaml", color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    plain = muster("check", "armies/club/first.yaml", color=True).stdout

    assert "\x1b[" in coloured
    assert "\x1b[" not in plain


def test_arguments_of_the_process_are_taken_when_none_are_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["muster", "--version"])
    monkeypatch.setattr("muster.cli.program.signal.signal", lambda *_: None)

    with pytest.raises(SystemExit) as end:
        main()

    assert end.value.code == 0
    assert capsys.readouterr().out == f"muster {__version__}\n"


def test_commands_are_listed_in_the_order_of_the_table() -> None:
    assert program.list_commands(click.Context(program)) == list(COMMANDS)
    assert program.get_command(click.Context(program), "nothing") is None


def test_table_of_commands_may_name_commands_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "wrong", "catalogue:SCHEMA_DIALECT")

    with pytest.raises(TypeError, match="catalogue:SCHEMA_DIALECT is not a command"):
        program.get_command(click.Context(program), "wrong")


def test_quiet_may_stand_after_the_command_too(muster: Muster) -> None:
    assert muster("list", "--quiet").exit_code == 0
    assert muster("--quiet", "list").stdout == muster("list", "--quiet").stdout


def test_option_after_the_double_dash_is_left_in_place(muster: Muster) -> None:
    assert muster("list", "--", "--quiet").exit_code == 2
