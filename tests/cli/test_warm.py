"""Owns the facts about a second run of a command: what it need not load, and that it says the same.

Does not try the cache itself; `tests/yamlfile/test_cache.py` does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent.parent
CHECK: Final = ("check", "armies/slaughterloo/typical.yaml")
LOOKUP: Final = ("lookup", "slaughterloo", "kill-table", "attack-points=12", "hit-score=5")
SCRIPT: Final = """
import json, sys
from muster.cli.program import program
try:
    program.main(sys.argv[1:])
except SystemExit as end:
    print(json.dumps([end.code, sorted(sys.modules)]), file=sys.stderr)
"""


class Run(NamedTuple):
    """What a command said, and what it had loaded by then."""

    said: str
    code: int
    loaded: set[str]


def run(arguments: tuple[str, ...], **settings: str) -> Run:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    code, loaded = json.loads(done.stderr.splitlines()[-1])
    return Run(done.stdout, code, set(loaded))


@pytest.mark.parametrize(("arguments", "code"), [(CHECK, 0), (LOOKUP, 0)])
def test_second_run_says_the_same_and_parses_nothing(
    arguments: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    first = run(arguments, XDG_CACHE_HOME=str(tmp_path))
    second = run(arguments, XDG_CACHE_HOME=str(tmp_path))

    assert first.code == second.code == code
    assert first.said == second.said
    assert "yaml" in first.loaded
    unwanted = {"yaml", "muster.tables.reading", "muster.tables.file_models", "jinja2"}
    assert not second.loaded & unwanted


@pytest.mark.parametrize("arguments", [CHECK, LOOKUP])
def test_without_a_cache_a_run_says_the_same(arguments: tuple[str, ...], tmp_path: Path) -> None:
    plain = run(arguments, MUSTER_CACHE_MB="0", XDG_CACHE_HOME=str(tmp_path))
    nowhere = run(arguments, XDG_CACHE_HOME="/proc/nowhere", HOME="/proc/nowhere")

    assert plain.said == nowhere.said == run(arguments, XDG_CACHE_HOME=str(tmp_path)).said
    assert (plain.code, nowhere.code) == (run(arguments).code,) * 2


def test_without_a_cache_nothing_is_written(tmp_path: Path) -> None:
    run(CHECK, MUSTER_CACHE_MB="0", XDG_CACHE_HOME=str(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_clean_takes_away_what_was_kept(tmp_path: Path) -> None:
    run(LOOKUP, XDG_CACHE_HOME=str(tmp_path))
    kept = list((tmp_path / "muster").rglob("*.json"))

    run(("clean", "--cache", "--out", str(tmp_path / "none")), XDG_CACHE_HOME=str(tmp_path))

    assert kept
    assert not (tmp_path / "muster").exists()
