"""Tests of `muster list`, `muster export` and `muster schema`."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from muster.editions.snapshot import json_value
from muster.values import BLANK, DASH, Dice, Number
from tests.cli.conftest import Muster
from tests.scaffold import SHIPPED, spoil

KINDS = {
    *("system", "errata", "sheet", "cards", "tokens", "edition", "composition", "book"),
    *("drafting", "theme", "style", "search"),
    *(f"table-{kind}" for kind in ("grid", "lookup", "modifiers", "results")),
    *(f"table-{kind}" for kind in ("sequence", "definitions", "diagram")),
    *(f"army-{system}" for system in ("club", *SHIPPED)),
}
"""The names of all schemas that `muster schema` prints in the tests' working folder."""


def test_list_names_systems_tables_books_and_armies(muster: Muster) -> None:
    result = muster("list")

    assert result.exit_code == 0
    assert "club: Club rules, edition 1.0, your own, in content/club\n" in result.stdout
    assert "    hits                Hits (lookup)\n" in result.stdout
    assert "    first-book  The First Nation\n" in result.stdout
    assert "    first  armies/club/first.yaml (your own)\n" in result.stdout
    assert "\n\nslaughterloo: Slaughterloo, edition 1.0, shipped, in " in result.stdout


def test_list_of_one_system_as_json(muster: Muster) -> None:
    result = muster("list", "club", "--format", "json")

    (club,) = json.loads(result.stdout)
    assert list(club) == [
        *("id", "title", "edition", "own", "folder", "tables", "books", "themes", "armies")
    ]
    assert club["own"] is True
    assert club["tables"][0] == {"id": "hits", "title": "Hits", "kind": "lookup"}
    assert club["books"] == [{"id": "first-book", "title": "The First Nation"}]
    assert club["armies"] == [{"id": "first", "file": "armies/club/first.yaml", "own": True}]


def test_list_shows_what_cannot_be_read_and_lists_the_rest(muster: Muster, folder: Path) -> None:
    content = folder / "content" / "club"
    spoil(content / "tables" / "points.yaml", '["20"]', "[twenty]")
    spoil(content / "books" / "first-book.yaml", "type: horse", "type: hors")
    (folder / "content" / "broken").mkdir()
    (folder / "content" / "broken" / "system.yaml").write_text("id: [", encoding="utf-8")

    result = muster("list", "--format", "json")

    assert result.exit_code == 2
    assert [system["id"] for system in json.loads(result.stdout)] == [*("club", *SHIPPED)]
    for file in ("points.yaml", "first-book.yaml", "system.yaml"):
        assert file in result.stderr


def test_list_leaves_out_what_a_system_does_not_have(muster: Muster, folder: Path) -> None:
    (folder / "armies" / "club" / "first.yaml").unlink()

    result = muster("list", "club")

    assert "  armies" not in result.stdout


def exported(muster: Muster) -> dict[str, Any]:
    result = muster("export", "club")
    assert result.exit_code == 0
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(table for table in data["tables"] if table["id"] == key)
    return found


def test_export_has_the_promised_keys(muster: Muster) -> None:
    data = exported(muster)

    assert data["system"] == {
        "id": "club",
        "title": "Club rules",
        "edition": "1.0",
        "source": "Club rules: the club's own rules.",
    }
    hits = table(data, "hits")
    assert list(hits) == ["id", "title", "kind", "section", "columns", "rows", "notes"]
    assert (hits["kind"], hits["section"]) == ("lookup", "shooting")
    assert hits["columns"][0] == {"id": "1-2", "label": "1–2"}
    assert hits["rows"][3] == {
        "id": "12+",
        "label": "12+",
        "group": "",
        "cells": [{"text": str(n), "value": n} for n in (1, 2, 3)],
    }


def test_exported_cell_has_what_the_page_shows_and_what_was_written(muster: Muster) -> None:
    guns = table(exported(muster), "ranges")["rows"][2]

    assert guns["cells"] == [
        {"text": "20\u202fcm", "value": "20cm"},
        {"text": "", "value": None},
        {"text": "2D6", "value": "2d6"},
    ]


def test_exported_step_within_a_step_is_grouped_by_the_outer_one(muster: Muster) -> None:
    rows = table(exported(muster), "turn-sequence")["rows"]

    assert [(row["id"], row["group"]) for row in rows] == [
        ("movement", ""),
        ("shooting", ""),
        ("roll", "Shooting"),
        ("hits", "Shooting"),
        ("morale", ""),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Number(Decimal("3.0")), "3"),
        (Number(Decimal("1.5")), "1.5"),
        (BLANK, "null"),
        (DASH, '"–"'),
        (Dice.parse("d6"), '"d6"'),
    ],
    ids=["whole number", "fraction", "blank", "dash", "dice"],
)
def test_value_is_exported_as(value: Any, expected: str) -> None:
    assert json.dumps(json_value(value), ensure_ascii=False) == expected


def test_exported_table_that_differs_by_scale_has_a_column_for_each(
    muster: Muster, folder: Path
) -> None:
    content = folder / "content" / "club"
    line = next(
        line
        for line in (content / "system.yaml").read_text(encoding="utf-8").splitlines()
        if line.startswith("scales:")
    )
    spoil(content / "system.yaml", line, "scales: [{id: a, title: A}, {id: b, title: B}]")
    spoil(content / "tables" / "movement.yaml", "[15cm, 10cm]", "[{a: 8cm, b: 15cm}, 10cm]")

    movement = table(exported(muster), "movement")

    assert [column["id"] for column in movement["columns"]] == ["open-a", "open-b", "rough"]
    assert [cell["value"] for cell in movement["rows"][0]["cells"]] == ["8cm", "15cm", "10cm"]


def test_export_writes_a_file_whole(muster: Muster, folder: Path) -> None:
    result = muster("export", "club", "--out", "out/club.json")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "wrote out/club.json\n"
    assert json.loads((folder / "out" / "club.json").read_text(encoding="utf-8"))
    assert [path.name for path in (folder / "out").iterdir()] == ["club.json"]


def test_export_of_broken_or_unknown_content_is_2(muster: Muster, folder: Path) -> None:
    unknown = muster("export", "pub")
    spoil(folder / "content" / "club" / "tables" / "points.yaml", '["20"]', "[twenty]")
    broken = muster("export", "club", "--out", "club.json")

    assert (unknown.exit_code, broken.exit_code) == (2, 2)
    assert "there is no rule system, no army and no file 'pub'" in unknown.stderr
    assert "points.yaml:" in broken.stderr
    assert not (folder / "club.json").exists()


def test_file_that_cannot_be_written_is_2(muster: Muster, folder: Path) -> None:
    (folder / "taken").touch()

    result = muster("export", "club", "--out", "taken/club.json")

    assert result.exit_code == 2
    assert result.stderr.startswith("muster: ")


def schemas(muster: Muster) -> dict[str, Any]:
    result = muster("schema")
    assert result.exit_code == 0
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def test_schema_has_every_kind_of_file(muster: Muster) -> None:
    data = schemas(muster)

    assert set(data) == KINDS
    assert {schema["$schema"] for schema in data.values()} == {
        "https://json-schema.org/draft/2020-12/schema"
    }


def test_army_schema_knows_units_options_and_fields(muster: Muster) -> None:
    army = schemas(muster)["army-club"]

    assert army["properties"]["system"]["const"] == "club"
    assert army["properties"]["units"] == {"type": "array", "items": {"$ref": "#/$defs/unit"}}
    assert army["properties"]["book"]["enum"] == ["first-book"]
    assert army["additionalProperties"] is False
    unit = army["$defs"]["unit"]
    assert unit["properties"]["unit"]["enum"] == [
        *("foot", "horse", "guns", "line", "guards", "dragoons", "battery")
    ]
    assert unit["properties"]["options"]["items"]["enum"] == ["veteran"]
    assert unit["properties"]["stands"] == {"type": "integer", "minimum": 0, "title": "Stands"}
    assert unit["required"] == ["unit"]


def test_army_schema_knows_levels_choices_and_several_leaders(muster: Muster) -> None:
    army = schemas(muster)["army-seven-years-war"]

    assert army["properties"]["wing-commanders"]["type"] == "array"
    assert army["properties"]["multiplayer"]["type"] == "boolean"
    ability = army["properties"]["commander"]["properties"]["ability"]
    assert ability["enum"] == ["average", "competent", "incompetent"]
    assert "groups" in army["$defs"]["command"]["properties"]
    weapons = army["$defs"]["unit"]["properties"]["weapon"]["anyOf"]
    assert len(weapons) > 1


def test_army_schema_knows_points_of_the_list(muster: Muster) -> None:
    army = schemas(muster)["army-slaughterloo"]

    assert army["$defs"]["unit"]["properties"]["points"]["type"] == "number"


def test_line_of_text_may_look_like_a_number(muster: Muster, folder: Path) -> None:
    spoil(
        folder / "content" / "club" / "composition.yaml",
        "      stands: {form: whole, title: Stands, one: stand, many: stands, required: true}",
        "      stands: {form: whole, one: stand, many: stands}\n      flag: {form: line}",
    )

    unit = schemas(muster)["army-club"]["$defs"]["unit"]["properties"]

    assert unit["stands"] == {"type": "integer", "minimum": 0}
    assert unit["flag"] == {"type": ["string", "number", "boolean"]}


def test_schema_fills_a_folder(muster: Muster, folder: Path) -> None:
    result = muster("schema", "--out", "schemas")

    assert (result.exit_code, result.stdout) == (0, "")
    assert {path.name for path in (folder / "schemas").iterdir()} == {
        f"{kind}.schema.json" for kind in KINDS
    }


def test_system_without_a_composition_has_no_army_schema(muster: Muster, folder: Path) -> None:
    (folder / "content" / "club" / "composition.yaml").unlink()

    assert "army-club" not in schemas(muster)


def test_book_is_printed_with_its_units_prices_and_rules(muster: Muster) -> None:
    result = muster("list", "club", "--book", "first")

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[:2] == ["first-book: The First Nation, Club rules", "  units"]
    (guards,) = [line.split("  ") for line in lines if line.startswith("    guards")]
    assert [cell.strip() for cell in guards if cell.strip()] == [
        *("guards", "Guards", "4–8 stands", "3.5 per stand", "14–28")
    ]
    assert "        Foot; Veterans; Mv 15 cm" in lines
    assert "    Guns are never veterans." in lines
    assert "    At least half of the units are foot. (warning)" in lines


def test_book_as_json_has_prices_ids_and_rules(muster: Muster) -> None:
    book = json.loads(muster("list", "club", "--book", "first-book", "--format", "json").stdout)

    units = {unit["id"]: unit for unit in book["units"]}
    assert (book["id"], book["system"]) == ("first-book", "Club rules")
    assert units["guards"]["costs"] == [{"size": 4, "points": "14"}, {"size": 8, "points": "28"}]
    assert (units["guards"]["options"], units["guards"]["type"]) == (["Veterans"], "Foot")
    assert book["options"][0] == {
        "id": "veteran",
        "title": "Veterans",
        "values": [],
        "points": "+0.5 per stand",
        "for": "Foot and Horse",
    }
    assert book["leaders"] == [
        {"id": "general", "title": "General", "level": "army", "points": "20"}
    ]
    assert [rule["severity"] for rule in book["rules"]] == ["error", "error", "error", "warning"]


def test_system_without_books_lists_its_types_of_unit(muster: Muster) -> None:
    result = muster("list", "huzzah", "--book", "units")

    assert result.exit_code == 0
    assert result.stdout.startswith("units: Types of unit, Huzzah!\n  units\n    infantry ")
    assert "□" not in result.stdout


def test_book_needs_a_system_and_a_known_name(muster: Muster) -> None:
    alone = muster("list", "--book", "first-book")
    unknown = muster("list", "club", "--book", "prussia")

    assert (alone.exit_code, unknown.exit_code) == (2, 2)
    assert "--book needs a rule system: muster list SYSTEM --book BOOK" in alone.stderr
    assert "there is no army book 'prussia'; known: first-book" in unknown.stderr
