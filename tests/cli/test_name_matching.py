"""Tests of typed names: how they are matched, and which tables of the shipped systems they find."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from muster.cli.name_matching import NameMatchError, match_name
from muster.cli.program import program
from muster.systems import Library

ROOT: Final = Path(__file__).resolve().parents[2]
LIBRARY: Final = Library(ROOT)
PATIENCE_S: Final = 2
KNOWN: Final = [("kill-table", "Kill Table"), ("kills", "Kills per figure"), ("b2", "Band −2 to 3")]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("kill-table", "kill-table"),
        ("Kill Table", "kill-table"),
        ("  KILL   table ", "kill-table"),
        ("kill_table", "kill-table"),
        ("kills", "kills"),
        ("per figure", "kills"),
        ("kil-tabel", "kill-table"),
        ("band -2 to 3", "b2"),
    ],
)
def test_name_is_found(word: str, found: str) -> None:
    assert match_name(word, KNOWN, "table") == found


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("kill", "'kill' matches more than one table: kill-table, kills"),
        ("figaro table", "the nearest are kill-table"),
        ("zzz", "known: kill-table, kills, b2"),
        ("", "known: "),
    ],
)
def test_unclear_name_is_refused(word: str, text: str) -> None:
    with pytest.raises(NameMatchError, match=text):
        match_name(word, KNOWN, "table")


def test_nothing_is_found_among_nothing() -> None:
    with pytest.raises(NameMatchError, match="there is no book 'x'"):
        match_name("x", [], "book")


def test_same_id_wins_over_another_label() -> None:
    assert match_name("b", [("a", "B"), ("b", "A")], "row") == "b"


def lookup(*arguments: str) -> Result:
    result = CliRunner().invoke(program, ["--folder", str(ROOT), "lookup", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.mark.parametrize(
    ("typed", "system_id", "table_id"),
    [
        ("slaughterloo: kil tabel", "slaughterloo", "kill-table"),
        ("slaughterlo: Kill Tabel", "slaughterloo", "kill-table"),
        ("slaughter: moral modifers", "slaughterloo", "morale-modifiers"),
        ("slaughterloo: fire modifyers", "slaughterloo", "fire-modifiers"),
        ("slaughterloo: howizer ranges", "slaughterloo", "howitzer-ranges"),
        ("slaughterloo: divison brake", "slaughterloo", "division-break"),
        ("slaughterloo: terain types", "slaughterloo", "terrain-types"),
        ("seven-years-war: shoting rangs", "seven-years-war", "shooting-ranges"),
        ("seven: mele results", "seven-years-war", "melee-results"),
        ("seven years war: order atempts", "seven-years-war", "order-attempts"),
        ("7 years war: turn to fase", "seven-years-war", "turn-to-face"),
        ("seven-years-war: persuit rules", "seven-years-war", "pursuit-rules"),
        ("seven-years-war: brakethrough", "seven-years-war", "breakthrough"),
        ("lshm: fire chrat", "lshm-skirmish", "fire-chart"),
        ("lshm-skirmish: hit crads", "lshm-skirmish", "hit-cards"),
        ("skirmish: loop holes", "lshm-skirmish", "loopholes"),
        ("lshm skirmish: building capasity", "lshm-skirmish", "building-capacity"),
        ("huza: comand radius", "huzzah", "command-radius"),
        ("huzzah: tread zones", "huzzah", "threat-zones"),
        ("Huzzah!: raly results", "huzzah", "rally-results"),
        ("huzzah: skirmisher superority", "huzzah", "skirmisher-superiority"),
        ("order: charge responces", "order-markers", "charge-responses"),
        ("order-markers: artilery dise", "order-markers", "artillery-dice"),
        ("napoleonic order: leader grads", "order-markers", "leader-grades"),
        ("ordermarkers: small arms rangs", "order-markers", "small-arms-ranges"),
    ],
    ids=lambda value: value if ": " in value else "",
)
def test_misspelt_name_finds_its_table(typed: str, system_id: str, table_id: str) -> None:
    system, table = typed.split(": ")

    result = lookup(system, table)

    found = LIBRARY.system(system_id).table(table_id)
    title = f"{found.title} ({found.remark})" if found.remark else found.title
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == title


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (
            "slaughterloo: kill",
            "more than one table: friendly-melee-kills, kill-table, kills-per-figure",
        ),
        ("slaughterloo: formashun", "the nearest are formations, formations-drawn"),
        (
            "seven-years-war: rout",
            "more than one table: rout-drawn, rout-pursuit-moves, rout-rules",
        ),
        (
            "lshm-skirmish: joker",
            "more than one table: joker-fire, joker-movement, joker-movement-special",
        ),
        ("huzzah: officer", "more than one table: officer-level, officer-quality"),
        ("order-markers: movment", "the nearest are movement-15mm, movement-25mm"),
        ("order-markers: xyzzy", "known: artillery-dice, artillery-modifiers"),
        ("xyzzy: kill-table", "known: huzzah, lshm-skirmish, order-markers"),
    ],
    ids=lambda value: value if ": " in value else "",
)
def test_name_that_may_mean_several_is_refused_with_their_names(typed: str, names: str) -> None:
    system, table = typed.split(": ")

    result = lookup(system, table)

    assert result.exit_code == 2
    assert names in result.stderr


def test_answer_in_a_process_of_its_own_comes_at_once() -> None:
    keys = ["attack=12", "hit score=5"]

    before = os.times()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "muster", "lookup", "slaughterloo", "kil tabel", *keys],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    after = os.times()

    assert done.stdout.startswith("Kill Table, attack points 11–12, hit score 4–5: 2\n")
    # Its processor time: how long it waits for other programs is not its own doing.
    own = after.children_user + after.children_system
    assert own - before.children_user - before.children_system < PATIENCE_S
