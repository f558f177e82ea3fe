"""Test which files are recorded as dependencies, those of cached results included."""

from __future__ import annotations

from pathlib import Path

from muster.dependencies import (
    CachedResult,
    Dependency,
    file_signature,
    get_or_make,
    record_dependencies,
    record_file,
    record_listing,
    tracked_property,
)
from muster.systems import Library
from muster.systems.file_names import VISIBLE_YAML
from tests.scaffold import lay_out


def names(dependencies: dict[Dependency, tuple[int, ...]]) -> set[str]:
    return {
        Path(part.path).name + (f"/{part.pattern}" if part.pattern else "") for part in dependencies
    }


def test_file_is_noted_as_it_was_before_it_was_read(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("old", encoding="utf-8")
    before = file_signature(file)
    with record_dependencies() as dependencies:
        record_file(file)
        file.write_text("newer", encoding="utf-8")
        record_file(file)

    assert dependencies == {Dependency(str(file)): before}
    assert before[0] == 3
    assert file_signature(file) != before


def test_file_that_is_not_there_has_no_signature(tmp_path: Path) -> None:
    with record_dependencies() as dependencies:
        record_file(tmp_path / "none")

    assert dependencies == {Dependency(str(tmp_path / "none")): ()}


def test_path_from_the_working_folder_on_is_made_whole(tmp_path: Path) -> None:
    with record_dependencies() as dependencies:
        record_file("a.yaml")
        record_listing(tmp_path, "*.yaml")

    assert list(dependencies) == [
        Dependency(str(Path.cwd() / "a.yaml")),
        Dependency(str(tmp_path), "*.yaml"),
    ]


def test_a_dependency_goes_to_all_open_recordings(tmp_path: Path) -> None:
    with record_dependencies() as outer:
        record_file(tmp_path / "a")
        with record_dependencies() as inner:
            record_file(tmp_path / "b")
        record_file(tmp_path / "c")

    assert names(inner) == {"b"}
    assert names(outer) == {"a", "b", "c"}
    record_file(tmp_path / "d")
    assert names(outer) == {"a", "b", "c"}


def test_dependencies_of_a_cached_result_are_recorded_each_time(tmp_path: Path) -> None:
    store: dict[str, CachedResult[int]] = {}
    made: list[int] = []

    def make() -> int:
        record_file(tmp_path / "a")
        made.append(1)
        return 7

    with record_dependencies() as first:
        assert get_or_make(store, "x", make) == 7
    with record_dependencies() as second:
        assert get_or_make(store, "x", make) == 7

    assert first == second
    assert names(second) == {"a"}
    assert made == [1]


class Holder:
    @tracked_property
    def number(self) -> int:
        """Return a new number each time that it is computed."""
        record_file("number")
        return id(object())


def test_tracked_property_is_computed_once_for_each_instance() -> None:
    holder = Holder()
    first = holder.number
    with record_dependencies() as dependencies:
        second = holder.number

    assert first == second
    assert names(dependencies) == {"number"}
    assert Holder.__dict__["number"].__doc__ == "Return a new number each time that it is computed."


def test_system_notes_what_each_of_its_parts_is_made_of(tmp_path: Path) -> None:
    lay_out(tmp_path)
    system = Library(tmp_path, tmp_path).system("club")
    table_id = system.table_ids()[0]
    parts = {}
    for _ in range(2):
        with record_dependencies() as parts["table"]:
            system.table(table_id)
        with record_dependencies() as parts["cards"]:
            _ = system.cards
        with record_dependencies() as parts["errata"]:
            _ = system.errata
        with record_dependencies() as parts["sheet"]:
            system.sheet("quick-reference")
        with record_dependencies() as parts["ids"]:
            system.sheet_ids()

    assert names(parts["table"]) == {f"{table_id}.yaml"}
    assert names(parts["cards"]) == {"cards.yaml"}
    assert names(parts["errata"]) == {"errata.yaml"}
    assert names(parts["sheet"]) == {"quick-reference.yaml"}
    assert names(parts["ids"]) == {f"sheets/{VISIBLE_YAML}"}


def test_library_notes_which_systems_and_armies_there_are(tmp_path: Path) -> None:
    lay_out(tmp_path)
    with record_dependencies() as dependencies:
        library = Library(tmp_path, tmp_path / "shipped")
        library.system("club")
        library.armies("club")
        library.book_folders("club")

    assert {"content/*/system.yaml", f"club/{VISIBLE_YAML}", "club/books", "system.yaml"} <= names(
        dependencies
    )
