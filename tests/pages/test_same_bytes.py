"""Tests that the same input gives the same bytes, whatever the hash seed."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.pages.conftest import ROOT, plain_environment

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]

DOCUMENTS = (
    "slaughterloo/armies/small/quick-reference.pdf",
    "slaughterloo/armies/small/quick-reference.html",
    "slaughterloo/armies/small/cards.pdf",
    "slaughterloo/armies/small/cards.html",
    "slaughterloo/armies/small/roster.pdf",
    "slaughterloo/armies/small/roster.html",
)

CODE = """
import sys
from pathlib import Path
from muster.systems import Library
from tests.plans import build_plan, make_plan

out, *wanted = sys.argv[1:]
library = Library(Path.cwd())
# Rosters lead to the list builder where there is one, as there is in the whole build.
plan = make_plan(library, ["slaughterloo"], ("sheet", "cards", "roster", "builder"))
plan.jobs = [job for job in plan.jobs if job.path in wanted]
assert len(plan.jobs) == len(wanted)
assert not build_plan(plan, Path(out), library.templates(), "mark").failed
"""


def start(seed: str, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", CODE, str(out), *DOCUMENTS]
    return subprocess.Popen(command, cwd=ROOT, env=plain_environment(PYTHONHASHSEED=seed))  # noqa: S603 - our own program


def hashes(out: Path) -> dict[str, str]:
    return {name: sha256((out / name).read_bytes()).hexdigest() for name in DOCUMENTS}


def test_bytes_do_not_depend_on_the_hash_seed(built: Path, tmp_path: Path) -> None:
    with start("1", tmp_path / "one") as one, start("2", tmp_path / "two") as two:
        assert (one.wait(), two.wait()) == (0, 0)

    assert hashes(tmp_path / "one") == hashes(tmp_path / "two") == hashes(built)
