"""Tests of `muster doctor` and `muster clean`."""

import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Final

import pytest

from muster.cli import maintenance
from muster.rendering.libraries import install_command
from muster.systems import Library
from tests.cli.conftest import Muster

ROOT: Final = Path(__file__).resolve().parents[2]
QUICK: Final = ("build", "club", "--jobs", "1", "--only", "roster", "--format", "html")
FIRST: Final = "build/club/armies/first"


def test_sound_machine_is_0(muster: Muster) -> None:
    result = muster("doctor")

    assert result.exit_code == 0, result.output
    assert "MISSING" not in result.stdout
    assert "WeasyPrint loads" in result.stdout


def test_doctor_expects_what_the_project_requires() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]

    def names(dependencies: list[str]) -> list[str]:
        return sorted(dependency.partition(">=")[0] for dependency in dependencies)

    extras = project["optional-dependencies"]
    assert sorted(maintenance.PACKAGES) == names(project["dependencies"])
    assert sorted(maintenance.OPTIONAL_PACKAGES) == names(extras["solver"] + extras["cluster"])
    assert project["requires-python"] == ">={}.{}".format(*maintenance.OLDEST_PYTHON)


def test_doctor_shows_which_folders_are_used(muster: Muster, folder: Path) -> None:
    (folder / "templates").mkdir()

    lines = [line.split(None, 1)[1].rstrip() for line in muster("doctor").stdout.splitlines()]

    assert any(" your own, content/club" in line for line in lines if line[:11] == "system club")
    assert any(" shipped, " in line for line in lines if "slaughterloo" in line)
    assert any("your own, armies/club/first.yaml" in line for line in lines)
    assert [line.split()[1] for line in lines if line.startswith("templates")] == [
        *("your", "shipped,")
    ]


def test_missing_package_is_shown_with_its_command(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(maintenance, "version", version)

    result = muster("doctor")

    assert result.exit_code == 1
    assert f"remedy: {sys.executable} -m pip install rich" in result.stdout


def test_package_that_few_need_may_be_missing(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if name in maintenance.OPTIONAL_PACKAGES:
            raise PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(maintenance, "version", version)

    result = muster("doctor")

    assert result.exit_code == 0
    (place,) = [n for n, line in enumerate(result.stdout.splitlines()) if " ortools " in line]
    line, remedy = result.stdout.splitlines()[place : place + 2]
    assert line.startswith("optional  ortools")
    assert "not installed; for `muster draft`, `repair`, `prove` and `check --room`" in line
    assert remedy.strip() == f"to add it: {sys.executable} -m pip install ortools"


def test_doctor_examines_packages_though_one_cannot_be_imported(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ModuleNotFoundError("No module named 'pydantic'", name="pydantic")

    monkeypatch.setattr(maintenance, "open_library", fail)

    result = muster("doctor")

    assert result.exit_code == 1
    assert "pydantic" in result.stdout
    assert "not examined: No module named 'pydantic'" in result.stdout


def test_missing_library_is_shown_with_its_command(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is None here cannot be imported.
    monkeypatch.setitem(sys.modules, "muster.rendering.printer", None)
    monkeypatch.setattr(
        "muster.rendering.libraries.which", lambda name: name if name == "dnf" else None
    )

    result = muster("doctor")

    assert result.exit_code == 1
    assert "remedy: sudo dnf install pango harfbuzz" in result.stdout


def test_unknown_package_manager_gets_a_general_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster.rendering.libraries.which", lambda _: None)

    assert "your package manager" in install_command()


def test_windows_gets_its_own_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    assert "pacman -S mingw-w64-ucrt-x86_64-pango" in install_command()


def test_old_python_is_shown(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "OLDEST_PYTHON", (99, 0))

    result = muster("doctor")

    assert result.exit_code == 1
    assert "remedy: install Python 3.11" in result.stdout


def test_build_folder_that_cannot_be_written_is_shown(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)

    result = muster("doctor", "--out", "deep/down/build")

    assert result.exit_code == 1
    assert "Permission denied" in result.stdout
    assert not Path("deep").exists()


def test_folder_without_anything_lacks_systems_and_fonts(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Library, "systems", lambda _: {})
    monkeypatch.setattr(Library, "roots", lambda _, name: [(Path("none") / name, False)])

    result = muster("doctor")

    assert result.exit_code == 1
    assert "remedy: muster new system NAME" in result.stdout
    assert "not found in any templates/fonts" in result.stdout


def test_clean_says_what_it_removes(muster: Muster, folder: Path) -> None:
    muster(*QUICK)
    (folder / FIRST / "roster.html").write_text("mine", encoding="utf-8")

    result = muster("clean")

    assert result.exit_code == 0
    assert "kept build/club/armies/first/roster.html: changed since" in result.stderr
    assert "removed 2 documents and a print cache of 0." in result.stderr
    files = [path for path in (folder / "build").rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["roster.html"]


def test_clean_of_the_cache_leaves_the_documents(muster: Muster, folder: Path) -> None:
    muster(*QUICK, "--out", "prints")

    result = muster("clean", "--cache", "--out", "prints")

    assert "removed a print cache of 0." in result.stderr
    assert (folder / "prints" / "index.html").is_file()
    assert not (folder / "prints" / ".muster" / "cache").exists()


def test_clean_of_nothing_is_0(muster: Muster, folder: Path) -> None:
    assert muster("clean").exit_code == 0
    assert not (folder / "build").exists()
