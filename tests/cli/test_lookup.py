"""Tests of `muster lookup`: what is found by which words, and how it is printed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console

from muster.cli import lookup
from tests.cli.conftest import Muster
from tests.scaffold import spoil

GENERATOR: Final = Path(__file__).resolve().parents[2] / "generator"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["hits", "roll=7", "stands=3"], "Hits, roll 7–9, stands 3–4: 1"),
        (["hits", "7", "3"], "Hits, roll 7–9, stands 3–4: 1"),
        (["hits", "-3", "9"], "Hits, roll up to 6, stands 5+: 1"),
        (["hits", "stands=3", "7"], "Hits, roll 7–9, stands 3–4: 1"),
        (["movement", "foot", "rough"], "Movement, Foot, Rough: 10 cm"),
        (["movement", "rough", "foot"], "Movement, Foot, Rough: 10 cm"),
        (["unit", "sizes", "horse"], "Unit sizes, Horse: 3–6"),
        (["morale-test", "5"], "Morale test, 5–7: Fall back one move."),
        (["morale", "test", "5"], "Morale test, 5–7: Fall back one move."),
        (["hits", "roll=-3", "stands=9"], "Hits, roll up to 6, stands 5+: 1"),
        (["hits", "stands=9", "roll=−3"], "Hits, roll up to 6, stands 5+: 1"),
        (["hits", "row=12+", "column=5+"], "Hits, roll 12+, stands 5+: 3"),
        (["hits", "Roll=12.0", "stan=1cm"], "Hits, roll 12+, stands 1–2: 1"),
        (["movement", "row=foot", "column=rough"], "Movement, Foot, Rough: 10 cm"),
        (["Movement", "row=FOOT", "column=Open"], "Movement, Foot, Open: 15 cm"),
        (["move", "row=guns", "col=rough"], "Movement, Guns, Rough: –"),
        (["ranges", "row=guns", "column=far"], "Ranges, Guns, Far: not in the source (blank)"),
        (["shooting-modifiers", "row=target in"], "Shooting, Target in cover: −2"),
        (["shooting-modifers", "row=cover"], "Shooting, Target in cover: −2"),
        (["morale-test", "roll=5"], "Morale test, 5–7: Fall back one move."),
        (["morale-test", "row=5-7"], "Morale test, 5–7: Fall back one move."),
        (["unit-sizes", "row=hors"], "Unit sizes, Horse: 3–6"),
        (["turn-sequence", "row=hits"], "The turn, Hits: Read the hits off the table and"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_one_cell_is_found(arguments: list[str], answer: str, muster: Muster) -> None:
    result = muster("lookup", "club", *arguments)

    assert result.exit_code == 0
    assert result.stdout.replace("\u202f", " ").startswith(answer)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["hits", "roll=7", "stands=0"], "stands 0 in “Hits”, which begins with 1–2"),
        (["hits", "7", "0"], "stands 0 in “Hits”, which begins with 1–2"),
        (["hits", "stands=0"], "stands 0 in “Hits”, which begins with 1–2"),
        (["morale-test", "roll=13"], "which ends with 8–12"),
        (["morale-test", "13"], "which ends with 8–12"),
        (["morale-test", "-1"], " −1 in “Morale test”, which begins with 2–4"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_off_the_edge_there_is_no_entry(arguments: list[str], near: str, muster: Muster) -> None:
    result = muster("lookup", "club", *arguments)

    assert result.exit_code == 1
    assert result.stdout.startswith("no entry for ")
    assert near in result.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["xyzzy"], "known: hits, "),
        (["mo"], "'mo' matches more than one table: morale-test, movement"),
        (["hits", "roll"], "there is no row 'roll'"),
        (["hits", "7", "3", "1"], "read '1', expected no more than a row and a column, such as"),
        (["hits", "roll=", "7"], "expected KEY=VALUE such as roll=6"),
        (["hits", "--fromat"], "No such option '--fromat'"),
        (["hits", "roll="], "expected KEY=VALUE"),
        (["hits", "=4"], "there is no axis ''"),
        (["hits", "distance=4"], "known: row, column, roll, stands"),
        (["hits", "roll=many"], "there is no row 'many'"),
        (["hits", "column=many"], "there is no column 'many'"),
        (["hits", "stands=3in"], "expected a length in cm, the unit of Club rules"),
        (["movement", "row=xyz"], "there is no row 'xyz'; known: foot, horse, guns"),
        (["points", "row=vetran", "scale=28mm"], "there is no axis 'scale'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_unclear_words_are_refused_with_suggestions(
    arguments: list[str], text: str, muster: Muster
) -> None:
    result = muster("lookup", "club", *arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert text in result.stderr


def test_without_a_table_all_are_listed(muster: Muster) -> None:
    lines = muster("lookup", "club").stdout.splitlines()

    assert "morale-test         Morale test" in lines
    assert len(lines) == len(json.loads(muster("lookup", "club", "--format", "json").stdout))


def test_printed_examples_can_be_pasted_into_a_shell(muster: Muster, folder: Path) -> None:
    tables = json.loads(muster("lookup", "club", "--format", "json").stdout)
    printed = [muster("lookup", "club").stderr.partition("for example: ")[2].strip()]
    for table in tables:
        spoilt = muster("lookup", "club", table["id"], "row=").stderr
        key = spoilt.partition("such as ")[2].strip()
        printed.append(f"muster lookup club {table['id']} {key}")
        crowded = muster("lookup", "club", table["id"], key.partition("=")[2].strip("'"), "a", "b")
        if "such as" in crowded.stderr:
            printed.append(" ".join(crowded.stderr.partition("such as ")[2].split()))
    script = "\n".join(["set -e", 'muster() { "$PYTHON" -m muster "$@"; }', *printed])

    done = subprocess.run(  # noqa: S603 - our own program
        ["/bin/sh", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(GENERATOR)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert len(printed) > len(tables)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["cover"], ["shooting-modifiers: Target in cover"]),
        (["target", "shooting"], ["shooting-modifiers: Target in cover"]),
        (["kover"], ["shooting-modifiers: Target in cover"]),
        (["horse"], ["movement: Horse", "unit-sizes: Horse"]),
    ],
    ids=" ".join,
)
def test_words_are_searched_for_in_the_rows_of_all_tables(
    words: list[str], found: list[str], muster: Muster
) -> None:
    result = muster("lookup", "club", *words, "--format", "json")
    rows = [
        f"{part['table']}: {row['label']}"
        for part in json.loads(result.stdout)
        for row in part["rows"]
    ]
    text = muster("lookup", "club", *words).stdout

    assert result.exit_code == 0
    assert set(found) <= set(rows)
    assert all(part.partition(": ")[0] in text for part in found)


def test_search_prints_so_many_rows_and_counts_the_rest(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "_MAX_FOUND", 1)

    result = muster("lookup", "club", "horse")

    assert result.stdout.count("\nHorse ") == 1
    assert "more; use more words, or name a table" in result.stderr


def test_unit_of_a_book_stands_for_its_type(muster: Muster) -> None:
    row = muster("lookup", "seven-years-war", "movement-rates", "grenadiers", "normal")
    rows = muster("lookup", "seven-years-war", "dragoons", "--format", "json")
    twice = muster("lookup", "seven-years-war", "movement-rates", "hussar")

    assert row.stdout.startswith("Movement and terrain, Heavy infantry, Normal:")
    assert "Grenadiers" in row.stderr
    assert any(part["table"] == "movement-rates" for part in json.loads(rows.stdout))
    assert "matches more than one row: light-cavalry" in twice.stderr


def test_json_holds_the_part_that_was_asked_for(muster: Muster) -> None:
    cell = json.loads(
        muster("lookup", "club", "movement", "foot", "open", "--format", "json").stdout
    )
    off = muster("lookup", "club", "hits", "7", "0", "--format", "json")

    assert (cell["system"], cell["table"], cell["title"]) == ("club", "movement", "Movement")
    assert [column["id"] for column in cell["columns"]] == ["open"]
    assert [row["id"] for row in cell["rows"]] == ["foot"]
    assert cell["rows"][0]["cells"][0]["text"].replace("\u202f", " ") == "15 cm"
    assert off.exit_code == 1
    assert "begins with 1–2" in json.loads(off.stdout)["problem"]


def test_many_names_are_not_all_listed(muster: Muster) -> None:
    result = muster("lookup", "slaughterloo", "xyzzy")

    assert result.exit_code == 2
    assert " more" in result.stderr
    assert len(result.stderr) < 400


def test_table_and_row_may_be_misspelt(muster: Muster) -> None:
    assert muster("lookup", "club", "movment", "row=fot").exit_code == 0


def test_system_may_be_misspelt_too(muster: Muster) -> None:
    assert muster("lookup", "clb", "hits", "roll=7", "stands=3").exit_code == 0
    assert muster("lookup", "xyz", "hits").exit_code == 2


def test_whole_table_stands_in_columns(muster: Muster) -> None:
    result = muster("lookup", "club", "movement")

    assert result.stdout.replace("\u202f", " ").splitlines() == [
        "Movement",
        "       Open   Rough",
        "Foot   15 cm  10 cm",
        "Horse  25 cm  10 cm",
        "Guns   10 cm  –",
    ]


def test_row_and_column_are_parts_of_the_table(muster: Muster) -> None:
    row = muster("lookup", "club", "movement", "row=horse").stdout.replace("\u202f", " ")
    column = muster("lookup", "club", "movement", "column=rough").stdout.replace("\u202f", " ")

    assert row.splitlines() == ["Movement", "       Open   Rough", "Horse  25 cm  10 cm"]
    assert column.splitlines() == [
        *("Movement", "       Rough", "Foot   10 cm", "Horse  10 cm", "Guns   –")
    ]


def test_remark_stands_beside_the_title_and_steps_are_indented(muster: Muster) -> None:
    modifiers = muster("lookup", "club", "shooting-modifiers").stdout
    steps = muster("lookup", "club", "turn-sequence").stdout

    assert modifiers.startswith("Shooting (added to the roll)\n")
    assert "\n  Roll " in steps


def test_blank_in_a_table_is_explained(muster: Muster) -> None:
    result = muster("lookup", "club", "ranges")

    assert "(blank): not in the source" in result.stdout


def test_notes_and_doubtful_places_stand_below(muster: Muster, folder: Path) -> None:
    ranges = folder / "content" / "club" / "tables" / "ranges.yaml"
    spoil(ranges, "form: distance\n", "form: distance\nnotes: [Measured from the front.]\n")

    touched = muster("lookup", "club", "ranges", "row=guns", "column=far").stdout
    other_row = muster("lookup", "club", "ranges", "row=foot").stdout
    other_column = muster("lookup", "club", "ranges", "column=close").stdout
    whole = muster("lookup", "club", "ranges").stdout

    assert "note: Measured from the front." in touched
    assert "doubtful (line 1 of the source): The far range of guns" in touched
    assert "doubtful" in whole
    assert "doubtful" not in other_row + other_column


def test_doubtful_place_is_printed_once(muster: Muster, folder: Path) -> None:
    errata = folder / "content" / "club" / "errata.yaml"
    spoil(errata, "places: [", "places: [{chapter: army}, {table: ranges, row: guns}, ")

    assert muster("lookup", "club", "ranges").stdout.count("doubtful") == 1


def test_quiet_prints_the_bare_value(muster: Muster) -> None:
    result = muster("--quiet", "lookup", "club", "ranges", "row=guns", "column=far")

    assert result.stdout == "not in the source (blank)\n"


@pytest.fixture
def scales(folder: Path) -> None:
    content = folder / "content" / "club"
    system = content / "system.yaml"
    text = system.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("scales:"))
    spoil(system, line, "scales: [{id: 15mm, title: 15 mm}, {id: 28mm, title: 28 mm}]")
    spoil(content / "tables" / "movement.yaml", "[15cm, 10cm]", "[{15mm: 8cm, 28mm: 15cm}, 10cm]")


@pytest.mark.usefixtures("scales")
def test_cell_that_differs_by_scale_is_printed_at_each(muster: Muster) -> None:
    both = muster("lookup", "club", "movement", "row=foot", "column=open").stdout
    same = muster("lookup", "club", "movement", "row=horse", "column=open").stdout
    plain = muster("lookup", "club", "movement", "row=horse", "column=rough").stdout

    assert both.replace("\u202f", " ").splitlines() == [
        "Movement, Foot, Open, 15 mm: 8 cm",
        "Movement, Foot, Open, 28 mm: 15 cm",
    ]
    assert same.replace("\u202f", " ") == "Movement, Horse, Open: 25 cm\n"
    assert plain.replace("\u202f", " ") == "Movement, Horse, Rough: 10 cm\n"


@pytest.mark.usefixtures("scales")
def test_scale_may_be_chosen(muster: Muster) -> None:
    cell = muster("lookup", "club", "movement", "scale=15mm", "row=foot", "column=open").stdout
    table = muster("lookup", "club", "movement", "scale=28").stdout
    whole = muster("lookup", "club", "movement").stdout

    assert cell.replace("\u202f", " ") == "Movement, Foot, Open: 8 cm\n"
    assert "15 mm: open" not in table
    assert "15 mm: open" in whole


def test_table_is_drawn_on_a_terminal(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(lookup, "_stdout_is_terminal", lambda: True)
    monkeypatch.setattr(Console, "print", lambda _, table: drawn.append(table))

    result = muster("lookup", "club", "movement", "row=foot")

    assert len(drawn) == 1
    assert "Foot" not in result.stdout


def test_broken_table_is_shown_at_its_place(muster: Muster, folder: Path) -> None:
    spoil(folder / "content" / "club" / "tables" / "points.yaml", '["20"]', "[twenty]")

    result = muster("lookup", "club", "points")

    assert result.exit_code == 2
    assert "content/club/tables/points.yaml:" in result.stderr


def test_real_kill_table_answers(muster: Muster) -> None:
    found = muster("lookup", "slaughterloo", "kill-table", "attack-points=12", "hit-score=5")
    off = muster("lookup", "slaughterloo", "kill-table", "attack-points=31", "hit-score=5")

    assert found.stdout.splitlines()[0] == "Kill Table, attack points 11–12, hit score 4–5: 2"
    assert (off.exit_code, off.stdout[:8]) == (1, "no entry")
