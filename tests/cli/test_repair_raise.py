"""Tests of `muster repair` and `muster raise`: what they print and write, and their exit codes."""

import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from muster.armies import check, load_army
from muster.documents.roster import gather_roster
from muster.systems import Library
from tests.cli.conftest import Muster
from tests.scaffold import spoil

FIRST: Final = "armies/club/first.yaml"
LIST = """\
# Our campaign.
system: seven-years-war
book: prussia
name: Vanguard
commander: {name: The King, ability: competent}  # in person
"""


@pytest.fixture
def illegal(folder: Path) -> Path:
    path = folder / FIRST
    spoil(path, "unit: guards, stands: 6", "unit: guards, stands: 9")
    return path


def test_repair_shows_the_change_and_the_finding_that_it_removes(
    muster: Muster, illegal: Path
) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", FIRST)

    # The army is not legal yet.
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "Reduce Guards from 9 to 8 stands.",
        "    fixes: A unit has the stands that its type allows. [size; The army]",
    ]
    assert [line[:1] for line in lines[3:] if line[1:2] == " "].count("+") == 1
    assert illegal.read_text(encoding="utf-8") == before
    assert "--write" in result.stderr


def test_command_that_writes_a_repair_can_be_pasted(
    muster: Muster, illegal: Path, folder: Path
) -> None:
    (folder / "it's one.yaml").write_bytes(illegal.read_bytes())

    hint = muster("repair", "--keep", "Line battalion", "it's one.yaml").stderr

    assert shlex.split(hint.partition(": ")[2]) == [
        *("muster", "repair", "--keep", "Line battalion", "it's one.yaml", "--write")
    ]


def test_repair_writes_when_asked_to(muster: Muster, illegal: Path) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", FIRST, "--write")

    assert result.exit_code == 0
    assert illegal.read_text(encoding="utf-8") == before.replace("stands: 9", "stands: 8")
    assert muster("check", FIRST).exit_code == 0


def test_army_is_repaired_by_its_name(muster: Muster, illegal: Path) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", "first", "--write")

    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, f"wrote {FIRST}")
    assert illegal.read_text(encoding="utf-8") == before.replace("stands: 9", "stands: 8")


@pytest.mark.parametrize(
    "command", [("repair", "order-markers/illegal", "--write"), ("raise", "huzzah/small")]
)
def test_army_that_came_with_muster_is_not_written(
    command: tuple[str, ...], muster: Muster
) -> None:
    result = muster(*command)

    assert result.exit_code == 2
    assert "came with Muster and stays as it is" in result.stderr


def test_legal_army_needs_no_repair(muster: Muster) -> None:
    result = muster("repair", FIRST)

    assert (result.exit_code, result.stdout) == (0, "First army: legal, nothing to repair\n")


def test_repair_prints_rules_that_contradict_each_other(muster: Muster, illegal: Path) -> None:
    before = illegal.read_text(encoding="utf-8")

    result = muster("repair", FIRST, "--write", "--keep", "guards")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "First army: no repair found; these rules conflict:",
        "  Guards: A unit has the stands that its type allows. [size; The army]",
        "  Guards stays as it is. [keep; Your request]",
    ]
    assert illegal.read_text(encoding="utf-8") == before


def test_unit_to_keep_that_is_not_there_is_refused_with_the_nearest(muster: Muster) -> None:
    result = muster("repair", FIRST, "--keep", "gaurds")

    assert result.exit_code == 2
    assert "no unit 'gaurds'" in result.stderr
    assert "did you mean 'Guards'?" in result.stderr


def test_file_that_may_not_be_editable_gives_no_traceback(muster: Muster, illegal: Path) -> None:
    text = illegal.read_text(encoding="utf-8")
    illegal.write_text(
        text.replace("{unit: guards", "&x {unit: guards") + "  - *x\n", encoding="utf-8"
    )

    result = muster("repair", FIRST, "--write")

    assert result.exit_code in {0, 2}
    assert "Traceback" not in result.stderr


@pytest.fixture
def army(folder: Path) -> Path:
    path = folder / "vanguard.yaml"
    path.write_text(LIST, encoding="utf-8")
    return path


def test_army_is_raised_into_a_new_file_beside_it(muster: Muster, army: Path) -> None:
    result = muster("raise", "vanguard.yaml", "--seed", "7")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Commander-in-chief “The King”  ability for initiative D6 = 3  2",
        "wrote vanguard-raised.yaml (--seed 7)",
    ]
    assert result.stderr == "next: muster check vanguard-raised.yaml\n"
    assert army.read_text(encoding="utf-8") == LIST
    raised = army.with_name("vanguard-raised.yaml").read_text(encoding="utf-8")
    assert raised.startswith("# Raised by muster raise --seed 7.\n# Our campaign.\n")
    assert 'standing: 2, rolled: "ability for initiative D6 = 3"' in raised
    assert "# in person\n" in raised


def test_army_is_raised_by_its_name(muster: Muster, folder: Path) -> None:
    result = muster("raise", "huzzah/small", "--seed", "7", "--out", "mine.yaml")

    assert result.exit_code == 0
    assert (folder / "mine.yaml").is_file()


def test_raised_army_can_be_checked_and_has_nothing_left_to_roll(
    muster: Muster, army: Path
) -> None:
    muster("raise", str(army), "--seed", "1")

    assert muster("check", "vanguard-raised.yaml").exit_code == 0
    again = muster("raise", "vanguard-raised.yaml")
    assert (again.exit_code, again.stdout) == (0, "Vanguard: nothing to roll; no file written\n")
    assert not army.with_name("vanguard-raised-raised.yaml").exists()


def test_same_seed_raises_the_same_bytes(muster: Muster, army: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        muster("raise", str(army), "--seed", "5", "--out", name)

    one, two = (army.with_name(name).read_bytes() for name in ("one.yaml", "two.yaml"))
    assert one == two


def test_drawn_seed_is_printed_and_gives_the_same_again(muster: Muster, army: Path) -> None:
    printed = muster("raise", str(army)).stdout

    seed = printed.rsplit("--seed ", 1)[1].rstrip(")\n")
    first = army.with_name("vanguard-raised.yaml").read_bytes()
    muster("raise", str(army), "--seed", seed, "--out", "again.yaml")
    assert army.with_name("again.yaml").read_bytes() == first


def test_raise_overwrites_nothing_without_force(muster: Muster, army: Path) -> None:
    army.with_name("mine.yaml").write_text("mine", encoding="utf-8")

    refused = muster("raise", str(army), "--out", "mine.yaml")

    assert refused.exit_code == 2
    assert "mine.yaml already exists" in refused.stderr
    assert army.with_name("mine.yaml").read_text(encoding="utf-8") == "mine"
    assert muster("raise", str(army), "--out", "mine.yaml", "--force").exit_code == 0
    assert army.with_name("mine.yaml").read_text(encoding="utf-8").startswith("# Raised")


def test_raise_never_overwrites_its_army(muster: Muster, army: Path) -> None:
    result = muster("raise", str(army), "--out", "vanguard.yaml", "--force")

    assert result.exit_code == 2
    assert "is the army file itself" in result.stderr
    assert army.read_text(encoding="utf-8") == LIST


@pytest.mark.parametrize("seed", ["-1", "1000000000", "x", "1.5"])
def test_seed_is_a_whole_number(muster: Muster, army: Path, seed: str) -> None:
    assert muster("raise", str(army), "--seed", seed).exit_code == 2


def test_army_that_cannot_be_read_is_shown_at_its_place(muster: Muster, army: Path) -> None:
    army.write_text(LIST.replace("competent", "clever"), encoding="utf-8")

    result = muster("raise", "vanguard.yaml")

    assert result.exit_code == 2
    assert result.stderr.startswith("vanguard.yaml:5:")
    assert not army.with_name("vanguard-raised.yaml").exists()


def test_other_commands_do_not_import_what_edits_yaml(muster: Muster, army: Path) -> None:
    for name in [name for name in sys.modules if name.startswith("ruamel")]:
        del sys.modules[name]

    muster("check", str(army))

    assert "ruamel.yaml" not in sys.modules


def test_rolls_stand_on_the_roster(muster: Muster, army: Path) -> None:
    muster("raise", str(army), "--seed", "7", "--out", "armies/seven-years-war/vanguard.yaml")

    raised = load_army(Path("armies/seven-years-war/vanguard.yaml"), Library())
    roster = gather_roster(raised.system, raised, check(raised))
    assert roster.sections[0].entries[0].notes == "Rolled: ability for initiative D6 = 3"


def test_shipped_sample_leaves_something_to_roll(muster: Muster, folder: Path) -> None:
    sample = Path(__file__).parents[2] / "armies" / "huzzah" / "small.yaml"
    text = sample.read_text(encoding="utf-8")
    (folder / "small.yaml").write_text(text, encoding="utf-8")

    result = muster("raise", "small.yaml", "--seed", "1")

    assert result.exit_code == 0
    assert result.stdout.count("Line battalions") == 2
