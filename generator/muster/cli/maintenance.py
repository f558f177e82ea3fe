"""`muster doctor` and `muster clean`: examine the installation, and remove what builds wrote."""

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

from muster import __version__
from muster.cli import show
from muster.cli.options import FINDINGS, FINE, library
from muster.systems import Library

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
OLDEST_PYTHON = (3, 11)
FACES = ("MusterSans-Regular.ttf", "MusterSans-Bold.ttf", "MusterSerif-Regular.ttf")

_INSTALL_COMMANDS = {
    "apt-get": "sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "sudo dnf install pango harfbuzz",
    "pacman": "sudo pacman -S pango harfbuzz",
    "apk": "sudo apk add pango harfbuzz-subset fontconfig",
    "zypper": "sudo zypper install libpango-1_0-0 libharfbuzz-subset0",
    "brew": "brew install pango",
}
"""Package manager -> the command that installs what WeasyPrint needs."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing looked at: well, or missing with what mends it."""

    what: str
    found: str
    ok: bool = True
    remedy: str = ""


@click.command("doctor")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="The build folder to try.",
)
def doctor_command(*, out: Path) -> int:
    """Tell what this machine has and lacks, and the command that mends it."""
    shelf = library()
    signs = [
        *_diagnose_python(),
        *_diagnose_packages(),
        _diagnose_printing(),
        *_diagnose_fonts(shelf),
        _diagnose_build_folder(out),
        *_diagnose_content(shelf),
    ]
    rows = [("ok" if sign.ok else "MISSING", sign.what, sign.found) for sign in signs]
    for line, sign in zip(show.aligned(rows), signs, strict=True):
        show.result(line if sign.ok else click.style(line, fg="red", bold=True))
        if sign.remedy:
            show.result(f"         mend it with: {sign.remedy}")
    return FINE if all(sign.ok for sign in signs) else FINDINGS


def _diagnose_python() -> Iterator[Diagnosis]:
    yield Diagnosis("muster", __version__)
    well = sys.version_info >= OLDEST_PYTHON
    mend = "" if well else "install Python 3.11 or later and make a new environment"
    found = f"{platform.python_version()} on {platform.system()}"
    yield Diagnosis("python", found, ok=well, remedy=mend)


def _diagnose_packages() -> Iterator[Diagnosis]:
    for name in PACKAGES:
        try:
            yield Diagnosis(name, version(name))
        except PackageNotFoundError:
            mend = f"{sys.executable} -m pip install {name}"
            yield Diagnosis(name, "not installed", ok=False, remedy=mend)


def _diagnose_printing() -> Diagnosis:
    """Try to load WeasyPrint, which looks for the system's libraries as it loads."""
    what = "libraries for PDF"
    try:
        import muster.rendering.printer  # noqa: F401 - loading it is the trial
    except (ImportError, OSError) as fault:
        first = str(fault).strip().splitlines()[0][:200]
        return Diagnosis(what, first, ok=False, remedy=install_command())
    return Diagnosis(what, "WeasyPrint loads with pango and harfbuzz")


def install_command() -> str:
    """Give the command that installs the libraries here."""
    found = next((command for name, command in _INSTALL_COMMANDS.items() if which(name)), "")
    return found or "install pango and harfbuzz with your package manager"


def _diagnose_fonts(shelf: Library) -> Iterator[Diagnosis]:
    """Look for the faces, the user's own templates first."""
    for face in FACES:
        folders = [folder for folder in shelf.templates() if (folder / "fonts" / face).is_file()]
        if folders:
            yield Diagnosis(face, show.relative_path(folders[0] / "fonts"))
        else:
            yield Diagnosis(face, "in no templates/fonts", ok=False, remedy="install Muster again")


def _diagnose_build_folder(out: Path) -> Diagnosis:
    """Try to write into the build folder, or where it would be made."""
    place = out.absolute()
    while not place.exists():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            return Diagnosis("build folder", f"{show.relative_path(place)} can be written")
    except OSError as fault:
        text = f"{place}: {fault.strerror}"
        return Diagnosis(
            "build folder", text, ok=False, remedy="muster build --out A-FOLDER-OF-YOURS"
        )


def _diagnose_content(shelf: Library) -> Iterator[Diagnosis]:
    """Name the folder that is used for each system, for armies and for templates."""
    systems = shelf.systems()
    for key, found in systems.items():
        yield Diagnosis(f"system {key}", f"{_origin(found.own)}, {show.relative_path(found.path)}")
        for army, each in shelf.armies(key).items():
            if each.own:
                yield Diagnosis(f"  army {army}", f"your own, {show.relative_path(each.path)}")
    if not systems:
        yield Diagnosis("systems", "none found", ok=False, remedy="muster new system NAME")
    for folder, own in shelf.roots("templates"):
        if folder.is_dir():
            yield Diagnosis("templates", f"{_origin(own)}, {show.relative_path(folder)}")


def _origin(own: bool) -> str:  # noqa: FBT001 - it is the only thing it says
    return "your own" if own else "shipped"


@click.command("clean")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="The folder that was built into.",
)
@click.option("--cache", "cache_only", is_flag=True, help="Only the cache of prints.")
def clean_command(*, out: Path, cache_only: bool) -> int:
    """Take away what was built and the cache of prints; files of others stay."""
    from muster.building.record import clean

    removed, left, size = clean(out, cache_only=cache_only)
    for path in left:
        show.note(f"left {out / path}: it was altered since it was built")
    documents = "" if cache_only else f"{len(removed)} documents and "
    show.note(f"removed {documents}a cache of {size / 1e6:.1f} MB from {out}")
    return FINE
