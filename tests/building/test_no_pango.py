"""Tests on a machine without Pango: pages for screens are built, PDFs are refused in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from muster.rendering.libraries import install_command
from tests.scaffold import lay_out

ROOT = Path(__file__).resolve().parents[2]

WITHOUT_PANGO = """
import cffi, ctypes

def without_pango(load):
    def refuse(*arguments, **options):
        if any("pango" in str(each) for each in arguments):
            raise OSError("cannot load library 'libpango-1.0-0': it is not here")
        return load(*arguments, **options)
    return refuse

cffi.FFI.dlopen = without_pango(cffi.FFI.dlopen)
ctypes.CDLL = without_pango(ctypes.CDLL)
"""
"""What Python runs first in each process, workers included."""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site" / "sitecustomize.py").write_text(WITHOUT_PANGO, encoding="utf-8")
    path = os.pathsep.join((str(folder / "site"), str(ROOT / "generator")))
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "muster", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    "command",
    [
        ["build", "club"],
        ["build", "club", "--format", "pdf", "--jobs", "1"],
        ["watch", "club", "--no-open"],
        ["diff", "content/club", "club", "--sheet", "changes.pdf"],
    ],
    ids=["build", "one worker", "watch", "diff"],
)
def test_pdfs_are_refused_in_one_line_before_anything_is_made(
    command: list[str], tmp_path: Path
) -> None:
    lay_out(tmp_path)

    done = run(tmp_path, *command)

    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if "Club rules" not in line]
    assert line.startswith("muster: PDFs need Pango, which cannot be loaded (cannot load library")
    assert install_command() in line
    assert done.stdout == ""
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_pages_for_screens_need_no_pango(jobs: str, tmp_path: Path) -> None:
    lay_out(tmp_path)

    done = run(tmp_path, "build", "club", "--format", "html", "--jobs", jobs)

    assert done.returncode == 0, done.stderr
    assert "WeasyPrint" not in done.stdout + done.stderr
    assert (tmp_path / "build" / "club" / "quick-reference.html").is_file()
    assert (tmp_path / "build" / "index.html").is_file()
    assert not list((tmp_path / "build").rglob("*.pdf"))


def test_doctor_names_what_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, "doctor")

    assert done.returncode == 1
    lines = done.stdout.splitlines()
    (place,) = [number for number, line in enumerate(lines) if "PDF libraries" in line]
    assert lines[place].startswith("MISSING")
    assert lines[place + 1] == f"         remedy: {install_command()}"
