"""Owns how messages name a file.

Does not open it.
"""

from __future__ import annotations

from pathlib import Path


def shown(path: Path) -> str:
    """Name a path from the working folder on where that is shorter."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
