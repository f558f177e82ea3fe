"""Test that no mutation of content or of an army trips Muster (`tests/fuzzing.py`)."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Final

import pytest

from muster.building.workers import stop_rendering
from tests.fuzzing import MARK, Fuzzer, _ActiveScript, mutate

CASES: Final = int(os.environ.get("MUSTER_FUZZ", "40"))


@pytest.mark.xdist_group("fuzz")
def test_no_mutation_of_content_or_army_trips_muster(tmp_path: Path) -> None:
    fuzzer = Fuzzer(tmp_path)
    try:
        faults = {seed: found for seed in range(CASES) if (found := fuzzer.faults(seed))}
    finally:
        stop_rendering()

    assert faults == {}


def test_mutation_follows_from_its_seed_and_changes_the_text() -> None:
    text = "name: The 3rd of foot\nunits:\n  - {unit: foot, stands: 4}\n"

    first, again, other = (mutate(text, random.Random(seed)) for seed in (1, 1, 2))  # noqa: S311 - no secret

    assert first == again
    assert len({text, first, other}) == 3


@pytest.mark.parametrize(
    ("page", "active"),
    [
        (f"<p>&lt;script&gt;{MARK}()</p>", 0),
        (f'<p title="{MARK}()">javascript:{MARK}()</p>', 0),
        (f"<script>{MARK}()</script>", 1),
        (f"<img src=x onerror={MARK}()>", 1),
        (f'<a href=" JavaScript:{MARK}()">', 1),
    ],
)
def test_active_script_is_found(page: str, active: int) -> None:
    assert len(_ActiveScript(page).found) == active
