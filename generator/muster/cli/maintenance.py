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
from muster.cli.options import FINDINGS, FINE, open_library
from muster.problems import display_path
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
FONT_FILES = ("MusterSans-Regular.ttf", "MusterSans-Bold.ttf", "MusterSerif-Regular.ttf")

_INSTALL_COMMANDS = {
    "apt-get": "sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "sudo dnf install pango harfbuzz",
    "pacman": "sudo pacman -S pango harfbuzz",
    "apk": "sudo apk add pango harfbuzz-subset fontconfig",
    "zypper": "sudo zypper install libpango-1_0-0 libharfbuzz-subset0",
    "brew": "brew install pango",
}
"""For each package manager, the command that installs the libraries that WeasyPrint needs."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was examined: what was found, whether it is all right, and else a remedy."""

    what: str
    found: str
    ok: bool = True
    remedy: str = ""


@click.command("doctor")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    default=Path("build"),
    show_default=True,
    help="Build folder to test.",
)
def doctor_command(*, out: Path) -> int:
    """Report what is installed and what is missing, and how to fix it."""
    library = open_library()
    diagnoses = [
        *_diagnose_python(),
        *_diagnose_packages(),
        _diagnose_printing(),
        *_diagnose_fonts(library),
        _diagnose_build_folder(out),
        *_diagnose_content(library),
    ]
    rows = [
        ("ok" if diagnosis.ok else "MISSING", diagnosis.what, diagnosis.found)
        for diagnosis in diagnoses
    ]
    for line, diagnosis in zip(show.aligned(rows), diagnoses, strict=True):
        show.result(line if diagnosis.ok else click.style(line, fg="red", bold=True))
        if diagnosis.remedy:
            show.result(f"         remedy: {diagnosis.remedy}")
    return FINE if all(diagnosis.ok for diagnosis in diagnoses) else FINDINGS


def _diagnose_python() -> Iterator[Diagnosis]:
    yield Diagnosis("muster", __version__)
    ok = sys.version_info >= OLDEST_PYTHON
    remedy = "" if ok else "install Python 3.11 or later and create a new environment"
    found = f"{platform.python_version()} on {platform.system()}"
    yield Diagnosis("python", found, ok=ok, remedy=remedy)


def _diagnose_packages() -> Iterator[Diagnosis]:
    for name in PACKAGES:
        try:
            yield Diagnosis(name, version(name))
        except PackageNotFoundError:
            remedy = f"{sys.executable} -m pip install {name}"
            yield Diagnosis(name, "not installed", ok=False, remedy=remedy)


def _diagnose_printing() -> Diagnosis:
    """Import WeasyPrint, which looks for the operating system's libraries when it is imported."""
    what = "PDF libraries"
    try:
        import muster.rendering.printer  # noqa: F401 - importing it is the test
    except (ImportError, OSError) as error:
        first_line = str(error).strip().splitlines()[0][:200]
        return Diagnosis(what, first_line, ok=False, remedy=install_command())
    return Diagnosis(what, "WeasyPrint loads, with Pango and HarfBuzz")


def install_command() -> str:
    """Return the command that installs the libraries on this machine."""
    commands = (command for name, command in _INSTALL_COMMANDS.items() if which(name))
    return next(commands, "") or "install Pango and HarfBuzz with your package manager"


def _diagnose_fonts(library: Library) -> Iterator[Diagnosis]:
    """Look for font files in all folders of templates, the user's own first."""
    for file in FONT_FILES:
        folders = [folder for folder in library.templates() if (folder / "fonts" / file).is_file()]
        if folders:
            yield Diagnosis(file, display_path(folders[0] / "fonts"))
        else:
            yield Diagnosis(
                file, "not found in any templates/fonts", ok=False, remedy="reinstall Muster"
            )


def _diagnose_build_folder(out: Path) -> Diagnosis:
    """Try to write into the build folder, or into the folder where it would be made."""
    folder = out.absolute()
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Diagnosis("build folder", f"{display_path(folder)} is writable")
    except OSError as error:
        text = f"{folder}: {error.strerror}"
        return Diagnosis("build folder", text, ok=False, remedy="muster build --out FOLDER")


def _diagnose_content(library: Library) -> Iterator[Diagnosis]:
    """Name the folder of each system, of the user's own armies, and of the templates."""
    systems = library.systems()
    for key, system in systems.items():
        yield Diagnosis(f"system {key}", f"{_origin(system.own)}, {display_path(system.path)}")
        for army_id, army in library.armies(key).items():
            if army.own:
                yield Diagnosis(f"  army {army_id}", f"your own, {display_path(army.path)}")
    if not systems:
        yield Diagnosis("systems", "none found", ok=False, remedy="muster new system NAME")
    for folder, own in library.roots("templates"):
        if folder.is_dir():
            yield Diagnosis("templates", f"{_origin(own)}, {display_path(folder)}")


def _origin(own: bool) -> str:  # noqa: FBT001 - its only argument
    return "your own" if own else "shipped"


@click.command("clean")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    default=Path("build"),
    show_default=True,
    help="Build folder.",
)
@click.option("--cache", "cache_only", is_flag=True, help="Remove only the print cache.")
def clean_command(*, out: Path, cache_only: bool) -> int:
    """Remove built documents and the print cache.

    Files that Muster did not write are kept.
    """
    from muster.building.record import clean

    removed, left, size = clean(out, cache_only=cache_only)
    for path in left:
        show.note(f"kept {out / path}: changed since it was built")
    documents = "" if cache_only else f"{show.counted(len(removed), 'document')} and "
    show.note(f"removed {documents}a print cache of {size / 1e6:.1f} MB from {out}")
    return FINE
