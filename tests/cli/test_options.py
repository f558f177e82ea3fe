"""Tests of options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import click
import pytest

from muster.cli.options import CommaSeparated, has_solver, refuse_overwrite
from tests.cli.conftest import Muster


def test_words_are_split_at_commas_in_the_order_of_the_choices() -> None:
    kind = CommaSeparated(("sheet", "cards", "roster"))

    assert kind.convert("roster, sheet", None, None) == ("sheet", "roster")
    assert kind.convert(("cards",), None, None) == ("cards",)


def test_unknown_word_is_refused_with_the_nearest() -> None:
    with pytest.raises(click.BadParameter, match="expected one of sheet, cards"):
        CommaSeparated(("sheet", "cards")).convert("sheets", None, None)


def test_existing_file_is_refused_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    refuse_overwrite(path)
    path.touch()

    refuse_overwrite(path, force=True)

    with pytest.raises(click.UsageError, match="already exists; choose another file"):
        refuse_overwrite(path)
    with pytest.raises(click.UsageError, match="choose another name"):
        refuse_overwrite(path, advice="choose another name")


@pytest.mark.parametrize(
    "arguments",
    [
        ("draft", "huzzah"),
        ("repair", "armies/club/first.yaml"),
        ("prove", "club"),
        ("check", "--room", "armies/club/first.yaml"),
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.usefixtures("without_solver")
def test_command_without_the_solver_says_what_it_needs(
    muster: Muster, arguments: tuple[str, ...]
) -> None:
    result = muster(*arguments)

    assert result.exit_code == 2
    assert "needs the optional solver (OR-Tools)" in result.stderr
    assert f"run `{sys.executable} -m pip install ortools`" in result.stderr


def test_another_module_of_the_name_is_not_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ortools.sat", "ortools.sat.python"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "ortools", ModuleType("ortools"))

    assert not has_solver()
