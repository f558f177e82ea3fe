"""The fingerprint of everything that decides what a page looks like, except its data.

This module loads no library that prints: a build needs the fingerprint to find out whether there is
anything to print.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import file_digest, sha256
from pathlib import Path

from muster.dependencies import record_file, record_listing
from muster.systems.library import STARTERS_FOLDER
from muster.yamlfile.textfile import open_regular

_RENDERERS_FOLDER = Path(__file__).resolve().parent
_LIBRARIES = ("weasyprint", "jinja2", "markdown", "pydyf", "fonttools", "pillow", "tinycss2")
"""The libraries that print; another version of one may print other bytes."""


def templates_fingerprint(folders: Sequence[Path]) -> str:
    """Return the hash of every template, style sheet and font, by name and content.

    The order of the folders counts, and so do our renderers and the versions of the libraries
    that print.
    """
    digest = sha256()
    for library in _LIBRARIES:
        digest.update(f"{library} {_installed_version(library)}\0".encode())
    for path in sorted(_RENDERERS_FOLDER.glob("*.py")):
        record_file(path)
        digest.update(path.read_bytes())
    for folder in folders:
        record_listing(folder, "*")
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if name.parts[0] == STARTERS_FOLDER:
                continue
            if path.is_dir():
                record_listing(path, "*")
            elif path.is_file():
                record_file(path)
                with open_regular(path) as file:
                    content = file_digest(file, sha256).hexdigest()
                digest.update(f"{name.as_posix()}\0{content}\0".encode(errors="surrogateescape"))
        digest.update(b"\0")
    return digest.hexdigest()


def _installed_version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - takes 40 ms

    try:
        return version(library)
    except PackageNotFoundError:
        return "none"
