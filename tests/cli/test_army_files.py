"""Tests of how army files are named: by path, by name, by a folder, and what is refused."""

from pathlib import Path

import click
import pytest

from muster.cli.army_files import ArmyFiles, as_id, ignored_files_warning, refuse_shipped
from muster.problems import MusterError
from muster.systems import Library
from tests.scaffold import lay_out


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an army of its own beside two shipped systems with one army each."""
    lay_out(tmp_path / "shipped", "club")
    lay_out(tmp_path / "shipped", "league")
    own = tmp_path / "own" / "armies" / "club" / "mine.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("system: club\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "own")
    return tmp_path / "own"


@pytest.fixture
def files(home: Path) -> ArmyFiles:
    return ArmyFiles(Library(home, home.parent / "shipped"))


def code_and_text(files: ArmyFiles, word: str) -> tuple[str, str]:
    with pytest.raises(MusterError) as caught:
        files.find(word)
    (problem,) = caught.value.problems
    return problem.code, problem.text


@pytest.mark.parametrize(
    "word",
    ["mine", "Mine", "mine.yaml", "mine.yml", "club/mine", "armies/club/mine.yaml"],
)
def test_army_is_found_by_name_and_by_file(word: str, files: ArmyFiles) -> None:
    assert files.find(word) == Path("armies/club/mine.yaml")


def test_file_comes_before_a_name(files: ArmyFiles, home: Path) -> None:
    (home / "mine").touch()

    assert files.find("mine") == Path("mine")


def test_name_in_several_systems_is_ambiguous_and_lists_the_files(
    files: ArmyFiles, home: Path
) -> None:
    code, text = code_and_text(files, "first")

    assert code == "ambiguous-army"
    for system in ("club", "league"):
        file = home.parent / "shipped" / "armies" / system / "first.yaml"
        assert f"{system}/first ({file})" in text
        assert files.find(f"{system}/first") == file


def test_own_army_comes_before_shipped_ones_of_the_name(files: ArmyFiles, home: Path) -> None:
    (home / "armies" / "league").mkdir()
    (home / "armies" / "league" / "first.yaml").touch()

    assert files.find("first") == Path("armies/league/first.yaml")


def test_armies_of_one_system_may_be_the_only_ones(home: Path) -> None:
    library = Library(home, home.parent / "shipped")

    assert ArmyFiles(library, ["league"]).find("first").parent.name == "league"


def test_unknown_name_says_what_was_looked_for(files: ArmyFiles) -> None:
    code, text = code_and_text(files, "mien")

    assert code == "unknown-army"
    assert text == (
        "there is no army 'mien', and no file of this name (did you mean 'mine'?);"
        " known: mine, first"
    )


def test_many_armies_are_not_all_listed(files: ArmyFiles, home: Path) -> None:
    for number in range(20):
        (home / "armies" / "club" / f"a{number}.yaml").touch()

    assert code_and_text(files, "zzz")[1].endswith(", and 10 more")


def test_file_that_is_not_there_is_left_to_its_reader(files: ArmyFiles) -> None:
    assert files.find("nowhere.yaml") == Path("nowhere.yaml")


def test_folder_stands_for_the_army_files_below_it(files: ArmyFiles, home: Path) -> None:
    for name in ("b.yml", "a.yaml", "sub/c.yaml", "notes.txt", ".d.yaml", ".hidden/e.yaml"):
        (home / "event" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "event" / name).touch()
    lay_out(home / "event", "rules")

    found = [str(path) for path in files.find_all("event")]

    assert found == [
        *("event/a.yaml", "event/b.yml"),
        *("event/armies/rules/first.yaml", "event/sub/c.yaml"),
    ]


def test_folder_without_army_files_is_told(files: ArmyFiles, home: Path) -> None:
    (home / "event").mkdir()

    with pytest.raises(MusterError, match="there is no army file in this folder"):
        files.find_all("event")


@pytest.mark.parametrize(
    ("system", "army", "expected"),
    [
        ("club", "mine", "mine"),
        ("club", "first", "first"),
        ("league", "mine", "league/mine"),
        ("club", "league", "club/league"),
    ],
    ids=["own", "shipped elsewhere", "own elsewhere", "a system"],
)
def test_shortest_name_is_the_one_that_is_understood(
    system: str, army: str, expected: str, files: ArmyFiles, home: Path
) -> None:
    assert files.name_for(system, army) == expected

    file = home / "armies" / system / f"{army}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.touch()
    assert ArmyFiles(files.library).find(expected).resolve() == file


def test_name_in_a_clone_has_its_system_if_another_has_it(home: Path) -> None:
    clone = home.parent / "shipped"

    assert ArmyFiles(Library(clone, clone)).name_for("club", "first") == "club/first"
    assert ArmyFiles(Library(clone, clone)).name_for("club", "second") == "second"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("My army (2)", "my-army-2"),
        ("../up", "up"),
        ("a#b?c", "a-b-c"),
        ("Über", "ber"),
        ("…", ""),
        ("x" * 80, "x" * 60),
    ],
)
def test_name_of_a_file_becomes_an_id(name: str, expected: str) -> None:
    assert as_id(name) == expected


def test_shipped_file_is_not_written(files: ArmyFiles, home: Path) -> None:
    refuse_shipped(Path("armies/club/mine.yaml"), files.library, "copy it")
    with pytest.raises(click.UsageError, match="stays as it is; copy it"):
        refuse_shipped(files.find("league/first"), files.library, "copy it")
    refuse_shipped(home / "own.yaml", Library(home, home), "in a clone")


def test_files_that_no_build_finds_are_named(home: Path) -> None:
    assert not ignored_files_warning(home)
    (home / "armies" / "loose.yaml").touch()
    (home / "armies" / "club" / "short.yml").touch()
    (home / "armies" / ".hidden.yml").touch()

    assert ignored_files_warning(home) == (
        "ignored: armies/club/short.yml, armies/loose.yaml;"
        " expected army files such as armies/SYSTEM/my-army.yaml"
    )
