"""Run Muster as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
MUSTER: Final = (sys.executable, "-m", "muster")


def settings(**more: str) -> dict[str, str]:
    """Return the environment of a process that finds this Muster."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "generator"), **more}


def run(folder: Path, command: Sequence[str], **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder until it ends, with more settings in its environment."""
    return subprocess.run(  # noqa: S603 - our own program
        command,
        cwd=folder,
        env=settings(**more),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def ends_soon(group: int) -> bool:
    """Return whether all processes of a group end within ten seconds."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
