"""Owns the facts about `muster repair`, `muster prove` and `muster check --room` as commands.

Does not try what they find; `tests/solver` does.
"""

import json
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Muster
from tests.scaffold import spoil

FIRST: Final = "armies/club/first.yaml"


@pytest.fixture
def illegal(folder: Path) -> Path:
    path = folder / FIRST
    spoil(path, "unit: guards, stands: 6", "unit: guards, stands: 9")
    return path


def test_repair_shows_the_change_and_what_it_mends(muster: Muster, illegal: Path) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", FIRST)

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "Guards: stands 9 → 8",
        "    mends: A unit has the stands that its type allows. [size; The army, L1]",
    ]
    assert [line[:1] for line in lines[3:] if line[1:2] == " "].count("+") == 1
    assert illegal.read_text(encoding="utf-8") == before
    assert "--write" in result.stderr


def test_repair_writes_when_asked_to(muster: Muster, illegal: Path) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", FIRST, "--write")

    assert result.exit_code == 0
    assert illegal.read_text(encoding="utf-8") == before.replace("stands: 9", "stands: 8")
    assert muster("check", FIRST).exit_code == 0


def test_legal_army_needs_no_repair(muster: Muster) -> None:
    result = muster("repair", FIRST)

    assert (result.exit_code, result.stdout) == (0, "First army: legal, nothing to repair\n")


def test_repair_names_rules_that_contradict_each_other(muster: Muster, illegal: Path) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", FIRST, "--write", "--keep", "guards")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "First army: nothing legal is near; these rules contradict each other:",
        "  Guards: A unit has the stands that its type allows. [size; The army, L1]",
        "  Guards stays as it is. [keep; What you asked for]",
    ]
    assert illegal.read_text(encoding="utf-8") == before


def test_unit_to_keep_that_is_not_there_is_refused_with_the_nearest(muster: Muster) -> None:
    result = muster("repair", FIRST, "--keep", "gaurds")

    assert result.exit_code == 2
    assert "no unit 'gaurds'" in result.stderr
    assert "guards" in result.stderr


def test_file_that_cannot_be_edited_is_refused(muster: Muster, illegal: Path) -> None:
    text = illegal.read_text(encoding="utf-8")
    illegal.write_text(
        text.replace("{unit: guards", "&x {unit: guards") + "  - *x\n", encoding="utf-8"
    )

    result = muster("repair", FIRST, "--write")

    assert result.exit_code in {0, 2}
    assert "Traceback" not in result.stderr


def test_room_is_listed_under_the_verdict(muster: Muster) -> None:
    result = muster("check", "--room", FIRST)

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[6] == "room: 13 points left"
    assert len(lines) > 7


def test_room_in_json_is_a_key_of_its_own(muster: Muster) -> None:
    plain, with_room = (
        json.loads(muster("check", *more, "--format", "json", FIRST).stdout)[0]
        for more in ((), ("--room",))
    )

    room = with_room.pop("room")
    assert with_room == plain
    assert room["left"] == 13
    assert {"unit", "label", "smallest", "largest", "new-command"} == set(room["units"][0])


def test_illegal_army_has_no_room_yet(muster: Muster, illegal: Path) -> None:
    del illegal

    result = muster("check", "--room", FIRST)

    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1].startswith("room: none until the army is legal")


def test_prove_says_what_can_be_fielded(muster: Muster) -> None:
    result = muster("prove", "club", "--limit", "40")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Club rules:"
    assert "  no rule contradicts another" in result.stdout.splitlines()
    assert "every total from" in result.stdout


def test_prove_in_json_has_all_its_keys(muster: Muster) -> None:
    result = muster("prove", "club", "--limit", "40", "--format", "json")

    proof = json.loads(result.stdout)
    assert set(proof) == {"system", "sound", "books", "units", "constraints", "totals"}
    assert proof["sound"]
    assert all(unit["stands"] for unit in proof["units"])
    assert [each["limit"] for each in proof["totals"][0]["limits"]] == [40]


def test_prove_finds_a_unit_that_can_never_stand(muster: Muster, folder: Path) -> None:
    rule = (
        "  - {id: no-guns, kind: count, message: No guns., rule: {chapter: army, source: L1},\n"
        "     of: {where: {arm: [guns]}}, within: army, max: 0}\n"
    )
    path = folder / "content/club/composition.yaml"
    path.write_text(path.read_text(encoding="utf-8") + rule, encoding="utf-8")

    proved, linted = muster("prove", "club", "--limit", "40"), muster("lint", "club")

    assert proved.exit_code == 1
    assert "cannot stand" in proved.stdout
    assert "[no-guns; The army, L1]" in proved.stdout
    assert linted.exit_code == 1
    assert "[unit-never-legal]" in linted.stdout


@pytest.fixture
def without_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster.cli.options.find_spec", lambda _: None)


@pytest.mark.parametrize(
    "arguments", [("repair", FIRST), ("prove", "club"), ("check", "--room", FIRST)]
)
@pytest.mark.usefixtures("without_solver")
def test_command_without_the_solver_says_what_it_needs(
    muster: Muster, arguments: tuple[str, ...]
) -> None:
    result = muster(*arguments)

    assert result.exit_code == 2
    assert "needs the extra `solver`" in result.stderr


@pytest.mark.usefixtures("without_solver")
def test_check_and_lint_do_without_the_solver(muster: Muster, illegal: Path) -> None:
    del illegal

    checked, linted = muster("check", FIRST), muster("lint", "club")

    assert checked.exit_code == 1
    assert "remedy: Remove 1 stand." in checked.stdout
    assert linted.exit_code == 0
    assert "needs the extra `solver`" in linted.stderr
