"""Tests of `muster check`: what it prints, as text and as JSON, and its exit codes."""

import csv
import json
import os
import shlex
from pathlib import Path
from typing import Any, Final

import pytest

from muster.yamlfile import textfile
from muster.yamlfile.textfile import read_bytes
from tests.cli.conftest import Muster
from tests.scaffold import lay_out, spoil

FIRST: Final = "armies/club/first.yaml"


@pytest.fixture
def illegal(folder: Path) -> str:
    text = (folder / FIRST).read_text(encoding="utf-8")
    text = text.replace("unit: guards, stands: 6", "unit: guards, stands: 9")
    (folder / "illegal.yaml").write_text(text, encoding="utf-8")
    return "illegal.yaml"


def test_legal_army_is_printed_with_its_prices(muster: Muster) -> None:
    result = muster("check", FIRST)

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "First army (Club rules): LEGAL, 107 of 120 points",
        "  General “Your General”                   20",
        "  Guards                  6 × (3 + 0.5) =  21",
        "  Line battalion              2 × 6 × 3 =  36",
        "  Dragoons “The Greys”            4 × 5 =  20",
        "  Field battery                  1 × 10 =  10",
    ]
    assert result.stderr == ""


def test_illegal_army_is_printed_with_its_findings(muster: Muster, illegal: str) -> None:
    result = muster("check", illegal)

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "First army (Club rules): NOT LEGAL, 117.5 of 120 points"
    assert lines[6:] == [
        "illegal.yaml:9:28: error: A unit has the stands that its type allows.",
        "    Guards",
        "    found 9 stands, allowed 4–8 stands",
        "    rule: The army",
        "    remedy: Remove 1 stand.",
    ]
    assert result.stderr == (
        "for the smallest change that makes it legal, line by line: muster repair illegal.yaml\n"
    )


def test_smallest_change_is_added_to_the_remedy_when_asked_for(
    muster: Muster, illegal: str
) -> None:
    plain = muster("check", illegal)
    result = muster("check", "--remedies", illegal)

    assert result.exit_code == 1
    before, after = (run.stdout.splitlines() for run in (plain, result))
    assert before[:-1] == after[:-1]
    assert (
        after[-1]
        == "    remedy: Remove 1 stand. Smallest change: reduce Guards from 9 to 8 stands."
    )
    assert result.stderr == ""


def test_army_without_a_smallest_change_says_so(muster: Muster, folder: Path) -> None:
    spoil(folder / FIRST, "limit: 120", "limit: 5")

    result = muster("check", "--remedies", FIRST)

    assert result.exit_code == 1
    assert "Smallest change" not in result.stdout
    assert result.stderr == (
        f"{FIRST}: no smallest change found; `muster repair {FIRST}` searches longer\n"
    )


def test_way_to_the_smallest_change_is_told_once(muster: Muster, illegal: str) -> None:
    result = muster("check", FIRST, illegal, illegal)

    assert result.stderr.count("--remedies") == 1


def test_legal_army_needs_no_smallest_change(muster: Muster) -> None:
    assert muster("check", FIRST).stderr == ""
    assert muster("check", "--remedies", FIRST).stdout == muster("check", FIRST).stdout


@pytest.mark.usefixtures("without_solver")
def test_smallest_change_without_the_solver_says_what_is_missing(
    muster: Muster, illegal: str
) -> None:
    result = muster("check", "--remedies", illegal)

    assert result.exit_code == 2
    assert "`muster check --remedies` needs the optional solver" in result.stderr


def test_finding_on_the_whole_army_names_no_unit(muster: Muster, folder: Path) -> None:
    spoil(folder / FIRST, "limit: 120", "limit: 100")

    result = muster("check", FIRST)

    assert result.exit_code == 1
    finding = result.stdout.splitlines()[6:]
    assert ": error: " in finding[0]
    assert finding[1].startswith("    found ")


def test_warning_alone_is_legal(muster: Muster, folder: Path) -> None:
    spoil(folder / FIRST, "stands: 6, count: 2", "stands: 6")
    spoil(
        folder / FIRST,
        "  - {unit: battery, stands: 1}",
        "  - {unit: battery, stands: 1}\n  - {unit: dragoons, stands: 3}",
    )

    result = muster("check", FIRST)

    assert result.exit_code == 0
    assert ": LEGAL" in result.stdout
    assert ": warning: At least half of the units are foot." in result.stdout


def test_army_without_points_or_limit_has_no_total(muster: Muster, folder: Path) -> None:
    (folder / "plain.yaml").write_text("system: club\nname: Plain\n", encoding="utf-8")
    composition = folder / "content" / "club" / "composition.yaml"
    lines = composition.read_text(encoding="utf-8").splitlines(keepends=True)
    priced = ("price:", "pricing:")
    kept = [line for line in lines if not line.strip().startswith(priced)]
    composition.write_text("".join(kept), encoding="utf-8")

    result = muster("check", "plain.yaml")

    assert result.stdout.splitlines()[0] == "Plain (Club rules): NOT LEGAL"


def test_total_that_is_incomplete_says_what_is_missing(muster: Muster, folder: Path) -> None:
    spoil(folder / "content" / "club" / "tables" / "points.yaml", "[10 per stand]", "[blank]")
    spoil(folder / FIRST, "limit: 120", "notes: no limit")

    result = muster("check", FIRST)

    assert "LEGAL, 97 points, not counting " in result.stdout
    assert "Field battery" in result.stdout.splitlines()[0]
    assert result.stdout.splitlines()[5].endswith("?")


def test_json_has_the_promised_keys(muster: Muster, illegal: str) -> None:
    result = muster("check", illegal, "--format", "json")

    (verdict,) = json.loads(result.stdout)
    assert result.exit_code == 1
    assert list(verdict) == [
        *("file", "army", "system", "legal", "points", "limit", "lines", "findings")
    ]
    assert (verdict["file"], verdict["system"], verdict["legal"]) == (illegal, "club", False)
    assert (verdict["points"], verdict["limit"]) == (117.5, 120)
    assert list(verdict["lines"][0]) == ["path", "label", "count", "each", "points", "how"]
    (finding,) = verdict["findings"]
    assert list(finding) == [
        *("severity", "code", "path", "file", "line", "column"),
        *("message", "allowed", "actual", "rule", "remedy"),
    ]
    assert (finding["code"], finding["path"], finding["line"]) == ("size", "units[0]", 9)
    assert finding["rule"] == {"chapter": "The army", "source": ""}
    assert result.stderr == ""


def test_json_has_the_same_keys_with_the_smallest_change(muster: Muster, illegal: str) -> None:
    plain, smallest = (
        json.loads(muster("check", *more, "--format", "json", illegal).stdout)[0]
        for more in ((), ("--remedies",))
    )

    (before,), (after,) = (verdict["findings"] for verdict in (plain, smallest))
    assert (
        after.pop("remedy") == "Remove 1 stand. Smallest change: reduce Guards from 9 to 8 stands."
    )
    assert before.pop("remedy") == "Remove 1 stand."
    assert plain == smallest


def test_unreadable_army_does_not_stop_the_others(muster: Muster, illegal: str) -> None:
    result = muster("check", "nowhere.yaml", illegal, FIRST)

    assert result.exit_code == 2
    assert "nowhere.yaml" in result.stderr
    assert "NOT LEGAL" in result.stdout
    assert f"\n\n{FIRST}: First army (Club rules): LEGAL" in result.stdout
    assert result.stdout.splitlines()[-5:] == [
        "Summary",
        "  nowhere.yaml                        UNREADABLE             1 problem",
        "  illegal.yaml            First army  NOT LEGAL   117.5/120  1 error",
        "  armies/club/first.yaml  First army  LEGAL       107/120    no findings",
        "3 files: 1 legal, 1 not legal, 1 unreadable",
    ]


@pytest.mark.parametrize("others", [(), (FIRST,)], ids=["alone", "beside another"])
def test_unreadable_army_is_in_the_json_with_its_problems(
    others: tuple[str, ...], muster: Muster, folder: Path
) -> None:
    (folder / "broken.yaml").write_text("system: club\nname: [\n", encoding="utf-8")

    result = muster("check", "broken.yaml", *others, "--format", "json")

    assert result.exit_code == 2
    broken, *rest = json.loads(result.stdout)
    assert [verdict["file"] for verdict in rest] == list(others)
    assert (broken["file"], broken["legal"], broken["findings"]) == ("broken.yaml", None, [])
    assert not any(rest[0].keys() - broken.keys() for _ in rest)
    (problem,) = broken["problems"]
    assert list(problem) == ["code", "text", "file", "line", "column"]
    assert (problem["file"], problem["line"], problem["column"]) == ("broken.yaml", 2, 8)
    assert "broken.yaml:2:8" in result.stderr


def test_unknown_name_is_in_the_json_too(muster: Muster) -> None:
    result = muster("check", "firts", "--format", "json")

    (entry,) = json.loads(result.stdout)
    assert result.exit_code == 2
    assert (entry["file"], entry["problems"][0]["code"]) == ("firts", "unknown-army")
    assert "did you mean 'first'" in result.stderr


def test_army_is_found_by_its_name(muster: Muster) -> None:
    result = muster("check", "first")

    assert result.exit_code == 0
    assert result.stdout.startswith(f"{FIRST}: First army (Club rules): LEGAL, 107 of 120 points")
    assert "Summary" not in result.stdout


def test_folder_is_checked_with_a_summary(muster: Muster, folder: Path, illegal: str) -> None:
    (folder / "event").mkdir()
    (folder / illegal).rename(folder / "event" / "b.yaml")
    (folder / "event" / "a.yml").write_bytes((folder / FIRST).read_bytes())

    result = muster("check", "event", "event/a.yml")

    assert result.exit_code == 1
    headings = [line for line in result.stdout.splitlines() if "(Club rules)" in line]
    assert [heading.split(":")[0] for heading in headings] == ["event/a.yml", "event/b.yaml"]
    assert result.stdout.splitlines()[-4:] == [
        "Summary",
        "  event/a.yml   First army  LEGAL      107/120    no findings",
        "  event/b.yaml  First army  NOT LEGAL  117.5/120  1 error",
        "2 files: 1 legal, 1 not legal",
    ]


def test_quiet_check_of_a_folder_prints_the_summary_only(
    muster: Muster, folder: Path, illegal: str
) -> None:
    (folder / "event").mkdir()
    (folder / illegal).rename(folder / "event" / "b.yaml")

    result = muster("--quiet", "check", "event", "--limit", "100")

    assert result.stdout.splitlines() == [
        "Summary",
        "  event/b.yaml  First army  NOT LEGAL  117.5/100  2 errors, 1 warning",
        "1 file: 1 not legal",
    ]
    assert result.stderr == ""
    assert "First army (Club rules): LEGAL" in muster("--quiet", "check", FIRST).stdout


def test_check_as_csv_has_a_row_for_each_file(muster: Muster, folder: Path, illegal: str) -> None:
    (folder / "event").mkdir()
    text = (folder / FIRST).read_text(encoding="utf-8").replace("First army", "=1+1", 1)
    (folder / "event" / "a.yaml").write_text(f"{text}player: Anna, of York\n", encoding="utf-8")
    (folder / illegal).rename(folder / "event" / "b.yaml")
    (folder / "event" / "c.yaml").write_text("system: club\nname: [\n", encoding="utf-8")

    result = muster("check", "event", "--limit", "100", "--format", "csv")

    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["file"] for row in rows] == ["event/a.yaml", "event/b.yaml", "event/c.yaml"]
    assert [row["verdict"] for row in rows] == ["not legal", "not legal", "unreadable"]
    first = rows[0]
    assert (first["player"], first["army"], first["system"]) == ("Anna, of York", "'=1+1", "club")
    assert (first["points"], first["limit"]) == ("107", "100")
    assert (first["errors"], first["warnings"]) == ("1", "1")
    assert "The army costs more than the limit of 100 points." in first["findings"]


def test_summary_of_several_systems_names_them(muster: Muster, folder: Path) -> None:
    lay_out(folder, "league")

    result = muster("--quiet", "check", "armies")

    assert result.stdout.splitlines()[1:3] == [
        "  armies/club/first.yaml    First army  club    LEGAL  107/120  no findings",
        "  armies/league/first.yaml  First army  league  LEGAL  107/120  no findings",
    ]


def test_files_of_a_folder_that_are_not_checked_are_named(muster: Muster, folder: Path) -> None:
    (folder / "event").mkdir()
    for name in ("UPPER.YAML", "list.txt"):
        (folder / "event" / name).write_bytes((folder / FIRST).read_bytes())

    result = muster("check", "event")

    assert "1 file: 1 legal" in result.stdout
    assert result.stderr == ("ignored: event/list.txt; expected army files such as my-army.yaml\n")


def test_hint_is_the_same_command_again(muster: Muster, folder: Path, illegal: str) -> None:
    for name in ("Müller #3?.yaml", "it's.yaml"):
        (folder / name).write_bytes((folder / illegal).read_bytes())
    words = ["check", "--limit", "100", FIRST, "Müller #3?.yaml", "it's.yaml"]

    hint = muster(*words).stderr.partition(": ")[2].strip()

    assert shlex.split(hint) == ["muster", "check", "--remedies", *words[1:]]
    hint = muster("--folder", str(folder), "check", illegal).stderr
    assert shlex.split(hint)[-5:] == ["muster", "--folder", str(folder), "repair", illegal]
    hint = muster("check", illegal, "--", "-o.yaml").stderr
    assert "muster check --remedies -- illegal.yaml -o.yaml" in hint


@pytest.mark.skipif(os.name == "nt", reason="names are no bytes there")
def test_file_whose_name_is_no_text_is_shown_and_is_json(
    muster: Muster, folder: Path, illegal: str
) -> None:
    name = "M\udcfcller.yaml"
    try:
        (folder / illegal).rename(folder / name)
    except OSError:
        pytest.skip("this disk takes only names of UTF-8")

    text = muster("check", name)
    (verdict,) = json.loads(muster("check", name, "--format", "json").stdout)

    assert "M\\udcfcller.yaml:9:28: error" in text.stdout
    assert "muster repair $'M\\374ller.yaml'" in text.stderr
    assert verdict["file"] == verdict["findings"][0]["file"] == "M\\udcfcller.yaml"


def test_empty_folder_is_2(muster: Muster, folder: Path) -> None:
    (folder / "event").mkdir()

    result = muster("check", "event")

    assert result.exit_code == 2
    assert "event: there is no army file in this folder" in result.stderr
    assert result.stdout == ""
    assert "1 file: 1 legal" in muster("check", "event", FIRST).stdout


def test_limit_of_an_event_decides_and_another_one_is_told(muster: Muster, folder: Path) -> None:
    text = (folder / FIRST).read_text(encoding="utf-8")
    (folder / "free.yaml").write_text(text.replace("limit: 120", "notes: x"), encoding="utf-8")
    (folder / "right.yaml").write_text(text.replace("limit: 120", "limit: 100"), encoding="utf-8")

    result = muster("check", FIRST, "free.yaml", "right.yaml", "--limit", "100")

    assert result.exit_code == 1
    assert f"{FIRST}:6:8: warning: The army states 120 points; the limit of the event applies." in (
        result.stdout
    )
    assert "free.yaml:3:1: warning: The army states no limit;" in result.stdout
    assert "right.yaml:6:8: warning" not in result.stdout
    assert result.stdout.count(": error: The army costs more than the limit of 100 points.") == 3
    assert result.stdout.count("    rule: The limit of this event\n    remedy: Leave out") == 2
    assert result.stdout.count("    rule: The limit of this army\n") == 1
    assert "  free.yaml               First army  NOT LEGAL  107/100  1 error, 1 warning" in (
        result.stdout
    )


def test_limit_of_an_event_may_make_an_army_legal(muster: Muster, folder: Path) -> None:
    spoil(folder / FIRST, "limit: 120", "limit: 100")

    assert muster("check", FIRST).exit_code == 1
    (verdict,) = json.loads(muster("check", FIRST, "--limit", "107", "--format", "json").stdout)
    assert (verdict["legal"], verdict["limit"]) == (True, 107)
    assert [finding["code"] for finding in verdict["findings"]] == ["other-limit"]


def test_limit_of_an_event_means_nothing_without_points(muster: Muster, folder: Path) -> None:
    composition = folder / "content" / "club" / "composition.yaml"
    lines = composition.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.strip().startswith(("price:", "pricing:"))]
    composition.write_text("".join(kept), encoding="utf-8")
    spoil(folder / FIRST, "limit: 120", "notes: x")

    result = muster("check", FIRST, "--limit", "50")

    assert result.exit_code == 0
    assert "warning: This system has no points, so the limit of the event does not apply." in (
        result.stdout
    )


@pytest.mark.parametrize("limit", ["0", "-4", "much", "1e9"])
def test_limit_must_be_points_above_0(limit: str, muster: Muster) -> None:
    result = muster("check", FIRST, f"--limit={limit}")

    assert result.exit_code == 2
    assert f"read '{limit}', expected a number of points above 0 such as 250" in result.stderr


def test_each_file_of_a_folder_is_read_once(
    muster: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many lists are checked in a time that grows with their number and no faster."""
    (folder / "event").mkdir()
    for number in range(30):
        (folder / "event" / f"{number}.yaml").write_bytes((folder / FIRST).read_bytes())
    read: list[str] = []

    def reading(path: str | Path, name: str, *most: int, **limits: Any) -> bytes:
        read.append(str(path))
        return read_bytes(path, name, *most, **limits)

    monkeypatch.setattr(textfile, "read_bytes", reading)

    assert muster("check", "event").exit_code == 0
    assert len(read) == len(set(read))
    assert len([path for path in read if path.startswith("event")]) == 30


def test_two_faults_of_a_file_come_together(muster: Muster, folder: Path) -> None:
    spoil(folder / FIRST, "unit: guards", "unit: gards")
    spoil(folder / FIRST, "unit: dragoons", "unit: dragons")

    result = muster("check", FIRST)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{FIRST}:9:" in result.stderr
    assert f"{FIRST}:11:" in result.stderr


def test_check_needs_an_army(muster: Muster) -> None:
    assert muster("check").exit_code == 2


def test_room_is_listed_under_the_verdict(muster: Muster) -> None:
    result = muster("check", "--room", FIRST)

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[6:] == ROOM


ROOM: Final = [
    "room: 13 points left",
    "  1 more Line battalion of 4 stands, 12 points",
    "  1 more Field battery of 1 stand, 10 points",
    "  “Veterans” for Line battalion, Dragoons “The Greys”, 8 points in all",
]


def test_room_in_words_says_how_many_of_which_size_and_their_price(
    muster: Muster, folder: Path
) -> None:
    spoil(folder / FIRST, "limit: 120", "limit: 140")

    result = muster("check", "--room", FIRST)

    assert result.stdout.splitlines()[6:11] == [
        "room: 33 points left",
        "  up to 2 more Line battalions of 4 stands, 12 points each; or 1 of 8 stands, 24 points",
        "  up to 2 more Guards of 4 stands, 14 points each; or 1 of 8 stands, 28 points",
        "  1 more Dragoons of 3 stands, 15 points; or 1 of 6 stands, 30 points",
        "  1 more Field battery of 1 stand, 10 points",
    ]


def test_room_without_a_limit_is_any_number(muster: Muster, folder: Path) -> None:
    spoil(folder / FIRST, "limit: 120", "notes: no limit")

    result = muster("check", "--room", FIRST)

    assert result.stdout.splitlines()[6:8] == [
        "room",
        (
            "  any number of Line battalions of 4 stands, 12 points each; "
            "or any number of 8 stands, 24 points each"
        ),
    ]


def test_room_in_json_is_a_key_of_its_own(muster: Muster) -> None:
    plain, with_room = (
        json.loads(muster("check", *more, "--format", "json", FIRST).stdout)[0]
        for more in ((), ("--room",))
    )

    room = with_room.pop("room")
    assert with_room == plain
    assert room["left"] == 13
    assert {"unit", "label", "smallest", "largest", "new-command"} == set(room["units"][0])
    assert room["units"][0]["smallest"] == {"size": 4, "count": 1, "points": 12}
    assert {"option", "units", "points"} == set(room["options"][0])


def test_illegal_army_has_no_room_yet(muster: Muster, illegal: str) -> None:
    result = muster("check", "--room", illegal)

    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1].startswith("room: none, because the army is not legal")


@pytest.mark.usefixtures("without_solver")
def test_verdict_needs_no_solver(muster: Muster, illegal: str) -> None:
    result = muster("check", illegal)

    assert result.exit_code == 1
    assert "remedy: Remove 1 stand." in result.stdout


def test_problems_of_a_file_are_told_from_top_to_bottom(muster: Muster, folder: Path) -> None:
    army = folder / "armies" / "club" / "first.yaml"
    spoil(army, "limit: 120", "limit: 120 points")
    spoil(army, "{unit: guards, stands: 6}", "{unit: gards, stands: six}")

    told = muster("check", "first").stderr

    lines = [int(line.split(":")[1]) for line in told.splitlines() if line.startswith("armies/")]
    assert len(lines) > 1
    assert lines == sorted(lines)
