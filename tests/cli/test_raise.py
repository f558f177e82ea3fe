"""Owns the facts about `muster raise`: the file that it writes, what it tells, its exit codes.

Does not try the rolls; `tests/armies/test_raising` does.
"""

import sys
from pathlib import Path

import pytest

from muster.armies import check, load_army
from muster.documents.roster import gather_roster
from muster.systems import Library
from tests.cli.conftest import Muster

LIST = """\
# Our campaign.
system: seven-years-war
book: prussia
name: Vanguard
commander: {name: The King, ability: competent}  # in person
"""


@pytest.fixture
def army(folder: Path) -> Path:
    path = folder / "vanguard.yaml"
    path.write_text(LIST, encoding="utf-8")
    return path


def test_army_is_raised_into_a_new_file_beside_the_old(muster: Muster, army: Path) -> None:
    result = muster("raise", "vanguard.yaml", "--seed", "7")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Commander-in-chief “The King”  ability for initiative D6 = 3  2",
        "wrote vanguard-raised.yaml (--seed 7)",
    ]
    assert result.stderr == "muster check vanguard-raised.yaml\n"
    assert army.read_text(encoding="utf-8") == LIST
    raised = army.with_name("vanguard-raised.yaml").read_text(encoding="utf-8")
    assert raised.startswith("# Raised by muster raise --seed 7.\n# Our campaign.\n")
    assert 'standing: 2, rolled: "ability for initiative D6 = 3"' in raised
    assert "# in person\n" in raised


def test_raised_army_can_be_checked_and_has_nothing_left_to_roll(
    muster: Muster, army: Path
) -> None:
    muster("raise", str(army), "--seed", "1")

    assert muster("check", "vanguard-raised.yaml").exit_code == 0
    again = muster("raise", "vanguard-raised.yaml")
    assert (again.exit_code, again.stdout) == (0, "Vanguard: nothing to roll, nothing written\n")
    assert not army.with_name("vanguard-raised-raised.yaml").exists()


def test_same_seed_writes_the_same_bytes(muster: Muster, army: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        muster("raise", str(army), "--seed", "5", "--out", name)

    one, two = (army.with_name(name).read_bytes() for name in ("one.yaml", "two.yaml"))
    assert one == two


def test_seed_that_was_drawn_is_told_and_gives_the_same_again(muster: Muster, army: Path) -> None:
    told = muster("raise", str(army)).stdout

    seed = told.rsplit("--seed ", 1)[1].rstrip(")\n")
    first = army.with_name("vanguard-raised.yaml").read_bytes()
    muster("raise", str(army), "--seed", seed, "--out", "again.yaml")
    assert army.with_name("again.yaml").read_bytes() == first


def test_nothing_is_written_over_without_force(muster: Muster, army: Path) -> None:
    army.with_name("mine.yaml").write_text("mine", encoding="utf-8")

    refused = muster("raise", str(army), "--out", "mine.yaml")

    assert refused.exit_code == 2
    assert "mine.yaml is there already" in refused.stderr
    assert army.with_name("mine.yaml").read_text(encoding="utf-8") == "mine"
    assert muster("raise", str(army), "--out", "mine.yaml", "--force").exit_code == 0
    assert army.with_name("mine.yaml").read_text(encoding="utf-8").startswith("# Raised")


def test_list_itself_is_never_written_over(muster: Muster, army: Path) -> None:
    result = muster("raise", str(army), "--out", "vanguard.yaml", "--force")

    assert result.exit_code == 2
    assert "is the list itself" in result.stderr
    assert army.read_text(encoding="utf-8") == LIST


@pytest.mark.parametrize("seed", ["-1", "1000000000", "x", "1.5"])
def test_seed_is_a_whole_number(muster: Muster, army: Path, seed: str) -> None:
    assert muster("raise", str(army), "--seed", seed).exit_code == 2


def test_list_that_cannot_be_read_is_told_at_its_place(muster: Muster, army: Path) -> None:
    army.write_text(LIST.replace("competent", "clever"), encoding="utf-8")

    result = muster("raise", "vanguard.yaml")

    assert result.exit_code == 2
    assert result.stderr.startswith("vanguard.yaml:5:")
    assert not army.with_name("vanguard-raised.yaml").exists()


def test_other_commands_do_not_load_what_rewrites(muster: Muster, army: Path) -> None:
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
