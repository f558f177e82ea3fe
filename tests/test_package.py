"""The package `muster` as a library: what it offers, and that the README's example runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

import muster
import muster.building.full_build
from muster.problems import MusterError
from muster.tables import NoEntryError

ROOT = Path(__file__).resolve().parent.parent
TYPICAL = ROOT / "armies" / "seven-years-war" / "typical.yaml"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with the package as it is installed."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )


def test_army_is_loaded_and_checked() -> None:
    verdict = muster.check(muster.load_army(TYPICAL))

    assert verdict.legal
    assert verdict.points == Decimal("218.50")


def test_army_file_that_cannot_be_read_is_a_muster_error(tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    path.write_text("system: [")

    with pytest.raises(MusterError):
        muster.load_army(path)


@pytest.mark.parametrize(
    ("table", "keys", "text"),
    [
        ("kill-table", {"attack-points": 12, "hit-score": 5}, "2"),
        ("kill-table", {"attack-points": "12", "hit-score": Decimal(5)}, "2"),
        ("kill-table", {"row": 12, "column": 5}, "2"),
        ("artillery-ranges", {"row": "light", "column": "short"}, None),
    ],
    ids=["numbers", "texts", "row-and-column", "ids"],
)
def test_cell_is_looked_up(
    table: str, keys: dict[str, str | int | Decimal], text: str | None
) -> None:
    system = muster.load_system("slaughterloo")
    expected = text or str(system.table(table).row("light").cells[0])

    by_system = muster.lookup(system, table, keys)
    by_id = muster.lookup("slaughterloo", table, keys)

    assert str(by_system) == str(by_id) == expected


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ({"attack-points": 99, "hit-score": 5}, NoEntryError),
        ({"attack-points": 12}, NoEntryError),
        ({"hit-score": 5, "nonsense": 1}, KeyError),
        ({}, KeyError),
    ],
    ids=["off-the-edge", "no-column", "no-such-axis", "no-row"],
)
def test_lookup_that_finds_no_cell_raises(
    keys: dict[str, str | int | Decimal], error: type[Exception]
) -> None:
    with pytest.raises(error):
        muster.lookup("slaughterloo", "kill-table", keys)


def test_unknown_system_is_a_muster_error() -> None:
    with pytest.raises(MusterError, match="nowhere"):
        muster.load_system("nowhere")


def test_function_build_is_not_hidden_by_a_subpackage() -> None:
    assert callable(muster.building.full_build.run_build)
    assert callable(muster.build)


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, muster; print([m for m in sys.modules if m.startswith('muster.')])"

    assert run(ROOT, "-c", code).stdout == "[]\n"


@pytest.mark.parametrize("name", ["generator.py", "content.py", "values.py", "cli.py"])
def test_file_of_a_common_name_in_the_folder_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("raise SystemExit('this file ran')")

    done = run(tmp_path, "-m", "muster", "list", "huzzah")

    assert (done.returncode, done.stderr) == (0, "")
    assert "Huzzah!" in done.stdout


@pytest.mark.slow
def test_example_of_the_readme_runs(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    # A copy of Muster with the army that the example loads, and without those of huzzah, each of
    # which would have a sheet printed too.
    for name in ("generator", "content", "templates", "armies/seven-years-war"):
        shutil.copytree(ROOT / name, tmp_path / name)

    done = run(tmp_path, "-c", f"import sys; sys.path.insert(0, 'generator')\n{example}")

    assert done.returncode == 0, done.stderr
    said = re.findall(r"# prints: (.*)", example)
    assert done.stdout.splitlines() == said
    assert (tmp_path / "build/huzzah/quick-reference.pdf").is_file()
