"""Owns `muster doctor`: what this machine has and lacks, and the command that mends it.

Does not mend anything itself.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which

import click

from generator import __version__
from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, library
from generator.systems import Library

PACKAGES = (
    "click",
    "jinja2",
    "markdown",
    "pydantic",
    "pyyaml",
    "rich",
    "ruamel.yaml",
    "weasyprint",
)
OLDEST = (3, 11)
FACES = ("MusterSans-Regular.ttf", "MusterSans-Bold.ttf", "MusterSerif-Regular.ttf")

_MENDING = {
    "apt-get": "sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "sudo dnf install pango harfbuzz",
    "pacman": "sudo pacman -S pango harfbuzz",
    "apk": "sudo apk add pango harfbuzz-subset fontconfig",
    "zypper": "sudo zypper install libpango-1_0-0 libharfbuzz-subset0",
    "brew": "brew install pango",
}
"""Package manager -> the command that installs what WeasyPrint needs."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing looked at: well, or missing with what mends it."""

    what: str
    found: str
    well: bool = True
    mend: str = ""


@click.command("doctor")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="The build folder to try.",
)
def command(*, out: Path) -> int:
    """Tell what this machine has and lacks, and the command that mends it."""
    shelf = library()
    signs = [*_python(), *_packages(), _printing(), *_fonts(shelf), _folder(out), *_content(shelf)]
    rows = [("ok" if sign.well else "MISSING", sign.what, sign.found) for sign in signs]
    for line, sign in zip(show.aligned(rows), signs, strict=True):
        show.result(line if sign.well else click.style(line, fg="red", bold=True))
        if sign.mend:
            show.result(f"         mend it with: {sign.mend}")
    return FINE if all(sign.well for sign in signs) else FINDINGS


def _python() -> Iterator[Sign]:
    yield Sign("muster", __version__)
    well = sys.version_info >= OLDEST
    mend = "" if well else "install Python 3.11 or later and make a new environment"
    found = f"{platform.python_version()} on {platform.system()}"
    yield Sign("python", found, well=well, mend=mend)


def _packages() -> Iterator[Sign]:
    for name in PACKAGES:
        try:
            yield Sign(name, version(name))
        except PackageNotFoundError:
            mend = f"{sys.executable} -m pip install {name}"
            yield Sign(name, "not installed", well=False, mend=mend)


def _printing() -> Sign:
    """Try to load WeasyPrint, which looks for the system's libraries as it loads."""
    what = "libraries for PDF"
    try:
        import generator.rendering.printer  # noqa: F401 - loading it is the trial
    except (ImportError, OSError) as fault:
        first = str(fault).strip().splitlines()[0][:200]
        return Sign(what, first, well=False, mend=mending())
    return Sign(what, "WeasyPrint loads with pango and harfbuzz")


def mending() -> str:
    """Give the command that installs the libraries here."""
    found = next((command for name, command in _MENDING.items() if which(name)), "")
    return found or "install pango and harfbuzz with your package manager"


def _fonts(shelf: Library) -> Iterator[Sign]:
    """Look for the faces, the user's own templates first."""
    for face in FACES:
        folders = [folder for folder in shelf.templates() if (folder / "fonts" / face).is_file()]
        if folders:
            yield Sign(face, show.shorter(folders[0] / "fonts"))
        else:
            yield Sign(face, "in no templates/fonts", well=False, mend="install Muster again")


def _folder(out: Path) -> Sign:
    """Try to write into the build folder, or where it would be made."""
    place = out.absolute()
    while not place.exists():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            return Sign("build folder", f"{show.shorter(place)} can be written")
    except OSError as fault:
        text = f"{place}: {fault.strerror}"
        return Sign("build folder", text, well=False, mend="muster build --out A-FOLDER-OF-YOURS")


def _content(shelf: Library) -> Iterator[Sign]:
    """Name the folder that is used for each system, for armies and for templates."""
    systems = shelf.systems()
    for key, found in systems.items():
        yield Sign(f"system {key}", f"{_own(found.own)}, {show.shorter(found.path)}")
        for army, each in shelf.armies(key).items():
            if each.own:
                yield Sign(f"  army {army}", f"your own, {show.shorter(each.path)}")
    if not systems:
        yield Sign("systems", "none found", well=False, mend="muster new system NAME")
    for folder, own in shelf.roots("templates"):
        if folder.is_dir():
            yield Sign("templates", f"{_own(own)}, {show.shorter(folder)}")


def _own(own: bool) -> str:  # noqa: FBT001 - it is the only thing it says
    return "your own" if own else "shipped"
