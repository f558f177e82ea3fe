"""Test where systems, armies, books and templates are found."""

from pathlib import Path

import pytest

from muster.problems import MusterError
from muster.systems import Library, LibraryItem
from muster.systems.library import shipped_root
from tests.scaffold import lay_out


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    lay_out(tmp_path / "shipped", "club")
    lay_out(tmp_path / "shipped", "league")
    (tmp_path / "shipped" / "templates").mkdir()
    return tmp_path / "shipped"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


def test_folder_without_anything_has_what_is_shipped(folder: Path, shipped: Path) -> None:
    library = Library(folder, shipped)

    assert list(library.systems()) == ["club", "league"]
    assert not any(found.own for found in library.systems().values())
    assert library.templates() == [shipped / "templates"]
    assert library.book_folders("club") == [shipped / "content" / "club" / "books"]


def test_own_system_adds_to_the_shipped_ones(folder: Path, shipped: Path) -> None:
    lay_out(folder, "alliance")

    assert list(Library(folder, shipped).systems()) == ["alliance", "club", "league"]


def test_own_system_takes_the_place_of_a_shipped_one(folder: Path, shipped: Path) -> None:
    content = lay_out(folder, "club")
    library = Library(folder, shipped)

    assert library.systems()["club"] == LibraryItem("club", content, own=True)
    assert library.system("club").folder == content


def test_own_army_takes_the_place_of_a_shipped_one(folder: Path, shipped: Path) -> None:
    army = folder / "armies" / "club" / "first.yaml"
    army.parent.mkdir(parents=True)
    army.touch()
    (army.parent / "second.yaml").touch()

    armies = Library(folder, shipped).armies("club")

    assert {key: found.own for key, found in armies.items()} == {"first": True, "second": True}
    assert not Library(folder, shipped).armies("league")["first"].own


def test_own_books_are_found_without_an_own_system(folder: Path, shipped: Path) -> None:
    books = folder / "content" / "club" / "books"
    books.mkdir(parents=True)
    library = Library(folder, shipped)

    assert library.book_folders("club") == [books, shipped / "content" / "club" / "books"]
    assert not library.systems()["club"].own


def test_own_templates_come_first(folder: Path, shipped: Path) -> None:
    (folder / "templates").mkdir()

    assert Library(folder, shipped).templates() == [folder / "templates", shipped / "templates"]


def test_shipped_folder_has_no_folder_of_the_user(shipped: Path) -> None:
    library = Library(shipped, shipped)

    assert library.roots("content") == [(shipped / "content", False)]
    assert not library.systems()["club"].own


def test_library_starts_in_the_working_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)

    assert Library().folder == folder
    assert Library().shipped == shipped_root()


def test_checkout_ships_what_lies_beside_the_package() -> None:
    assert (shipped_root() / "generator").is_dir()


def test_installed_package_ships_what_lies_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "generator" / "systems" / "library.py"
    (tmp_path / "generator" / "shipped").mkdir(parents=True)
    monkeypatch.setattr("muster.systems.library.__file__", str(module))

    assert shipped_root() == tmp_path / "generator" / "shipped"


def test_unknown_system_names_the_nearest(folder: Path, shipped: Path) -> None:
    with pytest.raises(MusterError) as error:
        Library(folder, shipped).system("leage")

    (problem,) = error.value.problems
    assert problem.code == "unknown-system"
    assert "did you mean 'league'" in problem.text


@pytest.mark.parametrize("name", ["league", "League rules", "leag", "LEAGUE", "legue"])
def test_system_is_found_as_a_person_names_it(name: str, folder: Path, shipped: Path) -> None:
    title = shipped / "content/league/system.yaml"
    title.write_text(title.read_text(encoding="utf-8").replace("Club rules", "League rules"))

    assert Library(folder, shipped).find_system(name).id == "league"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x", "there is no rule system 'x'"),
        ("l", "'l' matches more than one rule system: lea, league"),
    ],
)
def test_system_that_nobody_can_tell_is_refused(
    name: str, words: str, folder: Path, shipped: Path
) -> None:
    lay_out(shipped, "lea")
    with pytest.raises(MusterError) as error:
        Library(folder, shipped).find_system(name)

    assert words in error.value.problems[0].text


def test_system_is_opened_once(folder: Path, shipped: Path) -> None:
    library = Library(folder, shipped)

    assert library.system("club") is library.system("club")
