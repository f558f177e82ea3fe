"""Owns the marks of what makes documents: one of templates and renderers, one of all of Muster.

Does not load what renders, so that a build with nothing to do ends at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from generator.uses import note_file, note_names

_SCAFFOLDS = "new"
"""The folder of starting points for authors: nothing in it is rendered."""

_PACKAGE = Path(__file__).resolve().parent.parent
_RENDERERS = _PACKAGE / "rendering"
_LIBRARIES = ("weasyprint", "jinja2", "markdown", "pydyf", "fonttools", "pillow", "tinycss2")
"""What lays out and writes; another version of one may print other bytes."""


def templates_mark(folders: Sequence[Path]) -> str:
    """Hash every template, style sheet and font by name and content, folder by folder.

    Our own renderers and the versions of the libraries that print count too, so that a newer
    Muster prints anew.
    """
    digest = sha256()
    for library in _LIBRARIES:
        digest.update(f"{library} {_version(library)}\0".encode())
    for path in sorted(_RENDERERS.glob("*.py")):
        note_file(path)
        digest.update(path.read_bytes())
    for folder in folders:
        note_names(folder, "*")
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if name.parts[0] == _SCAFFOLDS:
                continue
            if path.is_dir():
                note_names(path, "*")
            elif path.is_file():
                note_file(path)
                held = path.read_bytes()
                digest.update(f"{name.as_posix()}\0{len(held)}\0".encode())
                digest.update(held)
        digest.update(b"\0")
    return digest.hexdigest()


def note_program() -> None:
    """Note all of Muster, and which versions of which libraries are installed beside it."""
    for path in (_PACKAGE, *_PACKAGE.rglob("*")):
        if path.name in ("__pycache__", "shipped") or "shipped" in path.parts:
            continue
        if path.is_dir():
            note_names(path, "*.py")
        elif path.suffix == ".py":
            note_file(path)
    spec = find_spec("weasyprint")
    for place in (spec.submodule_search_locations if spec else None) or ():
        note_names(Path(place).parent, "*.dist-info")


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"
