"""Owns the facts about names as players type them: which tables of the shipped systems they find.

Does not try what a table answers; `test_lookup` does, and `tests/content` tries the figures.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from muster.cli.program import program
from muster.systems import Library

ROOT: Final = Path(__file__).resolve().parents[2]
LIBRARY: Final = Library(ROOT)
PATIENCE_S: Final = 2


def lookup(*arguments: str) -> Result:
    result = CliRunner().invoke(program, ["--folder", str(ROOT), "lookup", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.mark.parametrize(
    ("asked", "system_id", "table_id"),
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
)
def test_misspelt_name_finds_its_table(asked: str, system_id: str, table_id: str) -> None:
    system, table = asked.split(": ")

    result = lookup(system, table)

    found = LIBRARY.system(system_id).table(table_id)
    title = f"{found.title} ({found.remark})" if found.remark else found.title
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == title


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("slaughterloo: kill", "it may be friendly-melee-kills, kill-table, kills-per-figure"),
        ("slaughterloo: formashun", "the nearest are formulas, formations"),
        ("seven-years-war: rout", "it may be rout-pursuit-moves, rout-rules"),
        ("lshm-skirmish: joker", "it may be joker-fire, joker-movement, joker-movement-special"),
        ("huzzah: officer", "it may be officer-level, officer-quality"),
        ("order-markers: movment", "movement-25mm, movement-15mm"),
        ("order-markers: xyzzy", "there are artillery-dice, artillery-modifiers"),
        ("xyzzy: kill-table", "there are huzzah, lshm-skirmish, order-markers"),
    ],
)
def test_name_that_may_mean_several_is_answered_with_the_near_ones(asked: str, near: str) -> None:
    system, table = asked.split(": ")

    result = lookup(system, table)

    assert result.exit_code == 2
    assert near in result.stderr


def test_answer_in_a_process_of_its_own_comes_at_once() -> None:
    keys = ["attack=12", "hit score=5"]

    begin = time.monotonic()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "muster", "lookup", "slaughterloo", "kil tabel", *keys],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    seconds = time.monotonic() - begin

    assert done.stdout.startswith("Kill Table, attack points 11–12, hit score 4–5: 2\n")
    assert seconds < PATIENCE_S
