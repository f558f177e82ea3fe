"""The fingerprint of everything that decides what a page looks like, except its data.

This module loads no library that prints: a build needs the fingerprint to find out whether there is
anything to print.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from muster.dependencies import record_file, record_listing
from muster.languages import LANGUAGES_FOLDER
from muster.problems import Location, MusterError, Problem, display_path
from muster.systems.library import STARTERS_FOLDER
from muster.yamlfile.textfile import LARGEST_BINARY, read_bytes

_RENDERERS_FOLDER = Path(__file__).resolve().parent
_LIBRARIES = (
    "babel",
    "weasyprint",
    "jinja2",
    "markdown",
    "pydyf",
    "fonttools",
    "pillow",
    "tinycss2",
)
"""The libraries that print; another version of one may print other bytes."""


def templates_fingerprint(folders: Sequence[Path]) -> str:
    """Return the hash of every template, style sheet and font, by name and content.

    The order of the folders counts, and so do our renderers, the catalogues of words and the
    versions of the libraries that print.

    Raises:
        MusterError: If a file of the folders cannot be read, is larger than 16 MiB, or has a name
            that is not UTF-8.
    """
    digest = sha256()
    for library in _LIBRARIES:
        digest.update(f"{library} {_installed_version(library)}\0".encode())
    for path in sorted([*_RENDERERS_FOLDER.glob("*.py"), *LANGUAGES_FOLDER.glob("*.po")]):
        record_file(path)
        digest.update(path.read_bytes())
    for folder in folders:
        record_listing(folder, "*")
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if name.parts[0] == STARTERS_FOLDER:
                continue
            _refuse_unreadable_name(path)
            if path.is_dir():
                record_listing(path, "*")
            elif path.is_file():
                data = read_bytes(path, display_path(path), LARGEST_BINARY)
                digest.update(f"{name.as_posix()}\0{sha256(data).hexdigest()}\0".encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _refuse_unreadable_name(path: Path) -> None:
    """Refuse a name that neither an address nor the record of a build could hold.

    Raises:
        MusterError: If it is not UTF-8.
    """
    if any("\ud800" <= character <= "\udfff" for character in path.name):
        text = f"the name of this file is not UTF-8: {path.name!a}; rename the file"
        raise MusterError([Problem("bad-file-name", text, Location(display_path(path)))])


def _installed_version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - takes 40 ms

    try:
        return version(library)
    except PackageNotFoundError:
        return "none"
