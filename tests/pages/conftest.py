"""The build that the tests of pages look at: everything that is shipped, built once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muster.building.plan import Plan
from muster.systems import Library
from tests.pages.printed import Pdf
from tests.plans import make_plan

ROOT = Path(__file__).resolve().parents[2]
_PATIENCE_S = 2400


def plain_environment(**changes: str) -> dict[str, str]:
    """Return an environment for a process of this code, whose coverage is not measured."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
    return {**kept, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generator'}", **changes}


def _take_over(old: Path, out: Path, paths: list[str]) -> None:
    """Copy the output and record of an earlier build, so that only changes are built."""
    for name in (".muster/record.json", *paths):
        if (old / name).is_file():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(old / name, out / name)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, plan: Plan) -> Path:
    """Build everything that is shipped, once for all workers of a test run.

    What `make` has built before is taken as it is if it is up to date: the build itself decides.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    out, lock, said = shared / "built", shared / "built.lock", shared / "built.said"
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        end = time.monotonic() + _PATIENCE_S
        while not said.exists() and time.monotonic() < end:
            time.sleep(0.2)
    else:
        _take_over(ROOT / "build", out, [job.path for job in plan.jobs])
        command = [sys.executable, "-m", "muster", "build", "--jobs", "3", "--out", str(out)]
        done = subprocess.run(  # noqa: S603 - our own program
            command, cwd=ROOT, env=plain_environment(), capture_output=True, text=True, check=False
        )
        part = said.with_suffix(".part")
        part.write_text(done.stderr if done.returncode else "", encoding="utf-8")
        part.replace(said)

    assert said.read_text(encoding="utf-8") == ""
    return out


@pytest.fixture(scope="session")
def plan() -> Plan:
    """The plan of the build."""
    return make_plan(Library(ROOT), [])


@pytest.fixture(scope="package")
def pdfs(built: Path) -> dict[str, Pdf]:
    """Every PDF that was built, by its path."""
    return {str(path.relative_to(built)): Pdf(path) for path in sorted(built.rglob("*.pdf"))}
