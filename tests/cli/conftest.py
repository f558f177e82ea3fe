"""Owns what tests of the command line share: a folder with a small system, and a way to run.

Does not run a second process; `test_process` does.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.program import program
from tests.scaffold import lay_out

Muster = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a working folder with the system `club` and its army `first`."""
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def muster(folder: Path) -> Muster:
    """Give a function that runs `muster` in the folder; nothing may fall through the boundary."""
    del folder

    def run(*arguments: str, color: bool = False) -> Result:
        result = CliRunner().invoke(program, list(arguments), color=color)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run
