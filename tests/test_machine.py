"""Tests of `.ci/machine packages`, which tells what `make` installs while it does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

MACHINE = Path(__file__).resolve().parent.parent / ".ci" / "machine"

PIP = """#!/bin/sh
echo "Looking in indexes: somewhere"
echo "Collecting first==1.0 (from -r requirements.txt)"
echo "  Downloading first-1.0.whl"
echo "Processing /some/folder/second-2.0.whl"
echo "Installing collected packages: first, second"
exit {code}
"""


@pytest.mark.parametrize("code", [0, 1])
def test_packages_are_named_as_they_come(code: int, tmp_path: Path) -> None:
    pip = tmp_path / "python"
    pip.write_text(PIP.format(code=code), encoding="utf-8")
    pip.chmod(0o755)
    (tmp_path / "requirements.txt").write_text("first==1.0 \\\n    --hash=a\n", encoding="utf-8")
    (tmp_path / "requirements-dev.txt").write_text("second==2.0 \\\n", encoding="utf-8")

    done = subprocess.run(  # noqa: S603 - our own script
        [str(MACHINE), "packages", str(pip)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == code
    assert done.stdout.splitlines() == [
        "muster: package 1 of 2: first==1.0",
        "muster: package 2 of 2: second-2.0.whl",
        "muster: unpacking and compiling them",
    ]
    assert ("could not be installed" in done.stderr) == bool(code)
