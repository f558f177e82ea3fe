"""Test a rule system's folder: what is read, when, and what is refused."""

from pathlib import Path

import pytest

from muster.problems import MusterError
from muster.systems import System, open_system
from muster.systems.errata import TablePlace, errata_by_place
from tests.scaffold import lay_out, spoil


def codes(error: pytest.ExceptionInfo[MusterError]) -> list[str]:
    return [problem.code for problem in error.value.problems]


def test_opening_reads_system_yaml_only(content: Path) -> None:
    for path in content.rglob("*.yaml"):
        if path.name != "system.yaml":
            path.write_text("[", encoding="utf-8")

    system = open_system(content)

    assert (system.id, system.title) == ("club", "Club rules")
    assert [phase.id for phase in system.phases] == ["movement", "shooting", "morale"]
    assert [scale.id for scale in system.scales] == ["28mm"]
    assert system.chapters[0].title == "The army"


def test_folder_without_system_yaml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MusterError) as error:
        open_system(tmp_path)

    assert "system.yaml" in str(error.value)


def test_id_must_be_the_folders_name(content: Path) -> None:
    spoil(content / "system.yaml", "id: club ", "id: clubs ")

    with pytest.raises(MusterError) as error:
        open_system(content)

    assert codes(error) == ["id-is-not-folder-name"]


def test_two_problems_of_system_yaml_come_together(content: Path) -> None:
    spoil(content / "system.yaml", "unit: cm", "unit: ell")
    spoil(content / "system.yaml", 'edition: "1.0"', "printing: 1")

    with pytest.raises(MusterError) as error:
        open_system(content)

    assert len(error.value.problems) == 3
    assert all(problem.location.line for problem in error.value.problems)


def test_chapter_is_found_by_id(content: Path) -> None:
    system = open_system(content)

    assert system.chapter("turn").title == "The turn"
    with pytest.raises(KeyError):
        system.chapter("turns")


def test_table_is_read_once(content: Path) -> None:
    system = open_system(content)

    assert system.table("hits") is system.table("hits")


def test_unknown_table_names_the_nearest(content: Path) -> None:
    with pytest.raises(MusterError) as error:
        open_system(content).table("hit")

    assert codes(error) == ["unknown-table"]
    assert "did you mean 'hits'" in str(error.value)


def test_table_that_is_no_id_cannot_leave_the_folder(content: Path) -> None:
    with pytest.raises(MusterError) as error:
        open_system(content).table("../system")

    assert codes(error) == ["unknown-table"]


def test_tables_id_must_be_the_files_name(content: Path) -> None:
    spoil(content / "tables" / "hits.yaml", "id: hits", "id: hit")

    with pytest.raises(MusterError) as error:
        open_system(content).table("hits")

    assert codes(error) == ["id-is-not-file-name"]


def test_all_tables_have_the_problems_of_all_files(content: Path) -> None:
    spoil(content / "tables" / "movement.yaml", "[15cm, 10cm]", "[15cm]")
    spoil(content / "tables" / "points.yaml", '["20"]', "[twenty]")

    with pytest.raises(MusterError) as error:
        open_system(content).tables()

    assert codes(error) == ["wrong-width", "bad-value"]


def test_all_tables_come_in_order_of_id(content: Path) -> None:
    system = open_system(content)

    assert [table.id for table in system.tables()] == system.table_ids()


def test_errata_cards_and_sheets_are_optional(content: Path) -> None:
    for name in ("errata.yaml", "cards.yaml", "sheets/quick-reference.yaml"):
        (content / name).unlink()

    system = open_system(content)

    assert system.errata.entries == []
    assert system.cards is None
    assert system.sheet_ids() == []


def test_errata_cards_and_sheets_are_read(content: Path) -> None:
    system = open_system(content)

    assert [entry.id for entry in system.errata.entries] == ["guns-far-range"]
    assert system.cards is not None
    assert [card.id for card in system.cards.cards] == ["unit"]
    assert system.sheet("quick-reference").orientation == "portrait"


def test_messages_name_files_from_the_working_folder_on(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    document = open_system(content).document("system.yaml")

    assert document.file == "content/club/system.yaml"


def test_file_may_be_named_from_the_systems_folder_on(content: Path) -> None:
    system = open_system(content)

    assert system.path_in_system(content / "tables" / "hits.yaml") == "club/tables/hits.yaml"


@pytest.mark.parametrize(
    "place",
    ["{}", "{table: hits, chapter: turn}", "{chapter: turn, row: far}", "{part: books, column: a}"],
    ids=["none", "two", "row without table", "column without table"],
)
def test_place_of_an_erratum_is_one_of_table_chapter_and_part(place: str, content: Path) -> None:
    spoil(content / "errata.yaml", "places: [", f"places: [{place}, ")

    with pytest.raises(MusterError) as error:
        _ = open_system(content).errata

    assert "errata.yaml" in str(error.value)


def test_errata_are_found_by_place(content: Path) -> None:
    spoil(content / "errata.yaml", "places: [", "places: [{chapter: turn}, {table: hits}, ")
    errata = open_system(content).errata

    found = errata_by_place(errata)

    assert list(found) == [TablePlace("hits", "", ""), TablePlace("ranges", "guns", "far")]
    assert all(entry.flagged for entries in found.values() for entry in entries)


@pytest.mark.parametrize("folder", ["tables", "prose", "sheets", "books"])
def test_what_an_editor_keeps_beside_a_file_is_not_read(tmp_path: Path, folder: str) -> None:
    content = lay_out(tmp_path)
    (content / folder).mkdir(exist_ok=True)
    before = files_read(open_system(content))
    for name in (".#points.yaml", "..yaml", ".swap.md"):
        (content / folder / name).write_text("not: [closed", encoding="utf-8")

    assert files_read(open_system(content)) == before


def files_read(system: System) -> tuple[list[str], list[str], list[str], list[str]]:
    return (
        system.table_ids(),
        list(system.chapter_files()),
        system.yaml_ids("sheets"),
        system.yaml_ids("books"),
    )
