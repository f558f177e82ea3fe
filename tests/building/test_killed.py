"""Tests of builds that are killed at any moment; `tests/benchmarks/bench_kill.py` kills many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import killing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal"),
]


@pytest.mark.parametrize(("kills", "builds"), [(5, 1), (2, 2)])
def test_killed_builds_break_nothing_and_the_next_is_whole(
    kills: int, builds: int, tmp_path: Path
) -> None:
    tally = killing.run(tmp_path, kills, builds, "roster", seed=kills)

    assert (tally.broken, tally.different, tally.failed) == ([], [], [])
    assert tally.kills == kills
