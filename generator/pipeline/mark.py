"""Owns the mark of what renders: one hash of templates, of our renderers and of WeasyPrint.

Does not load what renders, so that a build with nothing to do ends at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

_SCAFFOLDS = "new"
"""The folder of starting points for authors: nothing in it is rendered."""


_RENDERERS = Path(__file__).resolve().parent.parent / "rendering"


def templates_mark(folders: Sequence[Path]) -> str:
    """Hash every template, style sheet and font by name and content, folder by folder.

    Our own renderers and the version of WeasyPrint count too, so that a newer Muster prints anew.
    """
    digest = sha256(version("weasyprint").encode())
    for path in sorted(_RENDERERS.glob("*.py")):
        digest.update(path.read_bytes())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if name.parts[0] != _SCAFFOLDS and path.is_file():
                held = path.read_bytes()
                digest.update(f"{name.as_posix()}\0{len(held)}\0".encode())
                digest.update(held)
        digest.update(b"\0")
    return digest.hexdigest()
