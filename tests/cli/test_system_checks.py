"""Tests of `muster lint` and `muster prove`: what they print, and their exit codes."""

import json
from pathlib import Path

import pytest

from muster.languages import missing_messages
from tests.cli.conftest import Muster
from tests.scaffold import SHIPPED, spoil

ROOT = Path(__file__).resolve().parents[2]


def test_lint_of_sound_content_prints_no_result(muster: Muster) -> None:
    result = muster("lint", "club")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Club rules: no problems\n"


def test_quiet_lint_says_nothing_of_sound_content(muster: Muster) -> None:
    assert muster("--quiet", "lint", "club").output == ""


NO_CHAPTER = "there is no chapter 'x'; known: army, turn, movement, shooting, morale, doubtful"
"""What is said of a chapter that the system does not have."""


def test_lint_error_is_1_and_shown_with_its_line(muster: Muster, folder: Path) -> None:
    spoil(folder / "content" / "club" / "tables" / "hits.yaml", "chapter: shooting", "chapter: x")

    result = muster("lint", "club")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"content/club/tables/hits.yaml:6:10: error: {NO_CHAPTER} [unknown-chapter]",
        "    chapter: x",
        "             ^",
    ]
    assert result.stderr == "Club rules: 1 error, 0 warnings\n"


def test_readme_shows_what_lint_prints(muster: Muster, folder: Path) -> None:
    ranges = folder / "content" / "club" / "tables" / "ranges.yaml"
    spoil(ranges, "cells: [10cm, 20cm,  2d6]", "cells: [10 cm, 20cm,  2d6]")

    printed = muster("lint", "club").stdout.replace("club", "my-rules")

    assert "```text\n" + printed + "```" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_lint_shows_an_example_where_there_is_one(muster: Muster, folder: Path) -> None:
    spoil(folder / "content" / "club" / "errata.yaml", "treatment: blank", "treatment: reading")

    result = muster("lint", "club")

    assert "    for example: places: [{table: ranges, row: guns, column: far}]" in result.stdout


def test_lint_warnings_alone_are_0(muster: Muster, folder: Path) -> None:
    spoil(
        folder / "content" / "club" / "composition.yaml",
        "options:\n",
        "options:\n  - {id: drums, title: Drums}\n",
    )

    result = muster("lint", "club")

    assert result.exit_code == 0
    assert ": warning: " in result.stdout


@pytest.mark.parametrize(
    ("entry", "said", "errors"),
    [
        ('msgid "Index"\nmsgstr ""', "its msgstr is empty", "1 error"),
        ('#, fuzzy\nmsgid "Index"\nmsgstr "Index"', "it is marked `fuzzy`", "1 error"),
        (
            'msgid "Contents"\nmsgstr "Sommaire"',
            "no entry for 'Index', which de.po has; add it",
            "2 errors",
        ),
    ],
)
def test_lint_finds_words_of_the_interface_that_a_catalogue_lacks(
    muster: Muster,
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    entry: str,
    said: str,
    errors: str,
) -> None:
    languages = folder / "languages"
    languages.mkdir()
    (languages / "de.po").write_text('msgid "Index"\nmsgstr "Register"\n', encoding="utf-8")
    (languages / "fr.po").write_text(f"{entry}\n", encoding="utf-8")
    monkeypatch.setattr(missing_messages, "__defaults__", (languages,))

    result = muster("lint", "club")

    assert result.exit_code == 1
    assert said in result.stdout
    assert all(line.startswith("languages/") for line in result.stdout.splitlines())
    assert "[missing-message]" in result.stdout
    assert f"The words of the interface: {errors}, 0 warnings" in result.stderr


def test_lint_json_has_the_promised_keys(muster: Muster, folder: Path) -> None:
    spoil(folder / "content" / "club" / "tables" / "hits.yaml", "chapter: shooting", "chapter: x")

    result = muster("lint", "club", "--format", "json")

    assert result.exit_code == 1
    assert json.loads(result.stdout) == [
        {
            "system": "club",
            "severity": "error",
            "code": "unknown-chapter",
            "text": NO_CHAPTER,
            "file": "content/club/tables/hits.yaml",
            "line": 6,
            "column": 10,
        }
    ]


def test_system_that_cannot_be_opened_is_2_and_the_rest_is_checked(
    muster: Muster, folder: Path
) -> None:
    (folder / "content" / "broken").mkdir()
    (folder / "content" / "broken" / "system.yaml").write_text("id: [", encoding="utf-8")

    result = muster("lint", "broken", "club")

    assert result.exit_code == 2
    assert "content/broken/system.yaml:1" in result.stderr
    assert "Club rules: no problems" in result.stderr


def test_lint_without_a_name_checks_every_system(muster: Muster) -> None:
    result = muster("lint")

    assert result.exit_code == 0, result.output
    lines = result.stderr.splitlines()
    assert [line.rpartition(":")[2] for line in lines] == [" no problems"] * (1 + len(SHIPPED))
    assert {"Club rules: no problems", "Slaughterloo: no problems"} <= set(lines)


def test_prove_says_what_can_be_fielded(muster: Muster) -> None:
    result = muster("prove", "club", "--limit", "40")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Club rules:"
    assert "  no rules conflict" in result.stdout.splitlines()
    assert "every total from" in result.stdout


def with_prices_in_fives(folder: Path) -> None:
    points = folder / "content/club/tables/points.yaml"
    for old, new in (("[3 per", "[15 per"), ("[5 per", "[25 per"), ("+0.5 per", "+5 per")):
        spoil(points, old, new)


def test_prove_counts_totals_in_steps_of_the_prices(muster: Muster, folder: Path) -> None:
    with_prices_in_fives(folder)

    result = muster("prove", "club", "--limit", "600")

    totals = [line for line in result.stdout.splitlines() if "in steps of" in line]
    assert totals == ["  The First Nation: every total from 90 to 600, in steps of 5"]
    assert "can be spent exactly: 600" in result.stdout


def test_prove_says_when_no_total_up_to_the_limit_is_reached(muster: Muster) -> None:
    result = muster("prove", "club", "--limit", "19")

    assert "  The First Nation: totals up to 19, in steps of 0.5" in result.stdout.splitlines()


def test_prove_in_json_has_all_its_keys(muster: Muster) -> None:
    result = muster("prove", "club", "--limit", "40", "--format", "json")

    proof = json.loads(result.stdout)
    assert set(proof) == {"system", "sound", "books", "units", "constraints", "totals", "open"}
    assert proof["sound"]
    assert proof["open"] == {"units": [], "constraints": [], "totals": []}
    assert all(unit["stands"] for unit in proof["units"])
    assert [limit["limit"] for limit in proof["totals"][0]["limits"]] == [40]


def test_prove_tells_each_answer_as_it_comes(muster: Muster) -> None:
    result = muster("prove", "club", "--limit", "40")

    told = result.stderr.splitlines()
    assert [line.partition(":")[0] for line in told] == [f"{n} of 5" for n in range(1, 6)]
    assert "3 of 5: first-book: 4 types proved" in told


def test_prove_says_what_is_open_when_the_time_is_up(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster.cli.system_checks.time", lambda: 0.0)

    result = muster("prove", "club", "--limit", "40", "--seconds", "5")

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert "no rules conflict" not in result.stdout
    titles = "General, Foot, Horse, Guns, Line battalion (The First Nation)"
    assert any(line.startswith(f"  open: types of unit and leader: {titles}") for line in lines)
    assert "  open: constraints: one-general, size, no-veteran-guns, enough-foot" in lines
    assert "  open: totals: The First Nation" in lines


def test_prove_finds_a_unit_that_can_never_stand(muster: Muster, folder: Path) -> None:
    rule = (
        "  - {id: no-guns, kind: count, message: No guns., rule: {chapter: army, source: L1},\n"
        "     of: {where: {arm: [guns]}}, within: army, max: 0}\n"
    )
    path = folder / "content/club/composition.yaml"
    path.write_text(path.read_text(encoding="utf-8") + rule, encoding="utf-8")

    proved, linted = muster("prove", "club", "--limit", "40"), muster("lint", "club")

    assert proved.exit_code == 1
    assert "cannot be fielded" in proved.stdout
    assert "[no-guns; The army, line 1 of the source]" in proved.stdout
    assert linted.exit_code == 1
    assert "[unit-never-legal]" in linted.stdout


@pytest.mark.usefixtures("without_solver")
def test_lint_without_the_solver_says_what_it_leaves_out(muster: Muster) -> None:
    result = muster("lint", "club")

    assert result.exit_code == 0
    assert "needs the optional solver" in result.stderr
