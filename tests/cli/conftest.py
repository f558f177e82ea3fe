"""What tests of the command line share: a folder with a small system, and a way to run `muster`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.program import program
from tests.scaffold import lay_out

Muster = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the system `club` and its army `first`."""
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def muster(folder: Path) -> Muster:
    """A function that runs `muster` in the folder and asserts that no exception leaves it."""
    del folder

    def run(*arguments: str, color: bool = False) -> Result:
        result = CliRunner().invoke(program, list(arguments), color=color)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run


@pytest.fixture
def without_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run as if the extra `solver` were not installed."""
    monkeypatch.setattr("muster.cli.options.find_spec", lambda _: None)
