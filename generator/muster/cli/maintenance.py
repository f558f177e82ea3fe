"""`muster doctor` and `muster clean`: examine the installation, and remove what builds wrote."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from muster import __version__
from muster.cli import show
from muster.cli.options import FINDINGS, FINE, build_folder_option, open_library
from muster.problems import display_path, pip_command
from muster.systems import Library

PACKAGES = (
    "babel",
    "click",
    "fonttools",
    "jinja2",
    "markdown",
    "orjson",
    "pillow",
    "pydantic",
    "pypdf",
    "pyyaml",
    "rich",
    "ruamel.yaml",
    "segno",
    "watchfiles",
    "weasyprint",
)
OPTIONAL_PACKAGES = {
    "ortools": "`muster draft`, `repair`, `prove` and `check --room`",
    "distributed": "`muster build --scheduler`",
}
"""What needs each package that is installed only with an extra."""
OLDEST_PYTHON = (3, 11)
FONT_FILES = ("MusterSans-Regular.ttf", "MusterSans-Bold.ttf", "MusterSerif-Regular.ttf")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was examined: what was found, whether it is all right, and else a remedy."""

    what: str
    found: str
    ok: bool = True
    remedy: str = ""
    optional: bool = False
    """Whether Muster does without it."""

    @property
    def word(self) -> str:
        """The word for what was found: `ok`, `optional` or `MISSING`."""
        return "ok" if self.ok else "optional" if self.optional else "MISSING"


@click.command("doctor")
@build_folder_option("Build folder to test.", refuse_links=False)
def doctor_command(*, out: Path) -> int:
    """Report what is installed and what is missing, and how to fix it."""
    diagnoses = [
        *_diagnose_python(),
        *_diagnose_packages(),
        _diagnose_printing(),
        _diagnose_build_folder(out),
    ]
    try:
        library = open_library()
        diagnoses += [*_diagnose_fonts(library), *_diagnose_content(library)]
    except ModuleNotFoundError as error:
        # The line of that package has the remedy.
        diagnoses.append(Diagnosis("content", f"not examined: {error}", ok=False))
    rows = [(diagnosis.word, diagnosis.what, diagnosis.found) for diagnosis in diagnoses]
    missing = [diagnosis for diagnosis in diagnoses if diagnosis.word == "MISSING"]
    for line, diagnosis in zip(show.aligned(rows), diagnoses, strict=True):
        show.result(click.style(line, fg="red", bold=True) if diagnosis in missing else line)
        if diagnosis.remedy:
            label = "to add it" if diagnosis.optional else "remedy"
            show.result(f"         {label}: {diagnosis.remedy}")
    return FINDINGS if missing else FINE


def _diagnose_python() -> Iterator[Diagnosis]:
    yield Diagnosis("muster", __version__)
    ok = sys.version_info >= OLDEST_PYTHON
    remedy = "" if ok else "install Python 3.11 or later and create a new environment"
    found = f"{platform.python_version()} on {platform.system()}"
    yield Diagnosis("python", found, ok=ok, remedy=remedy)


def _diagnose_packages() -> Iterator[Diagnosis]:
    for name in (*PACKAGES, *OPTIONAL_PACKAGES):
        try:
            yield Diagnosis(name, version(name))
        except PackageNotFoundError:
            purpose = OPTIONAL_PACKAGES.get(name, "")
            found = f"not installed; for {purpose}" if purpose else "not installed"
            remedy = pip_command(name)
            yield Diagnosis(name, found, ok=False, remedy=remedy, optional=bool(purpose))


def _diagnose_printing() -> Diagnosis:
    """Load WeasyPrint, which looks for the operating system's libraries."""
    from muster.rendering.libraries import install_command, why_not_printing

    if reason := why_not_printing():
        return Diagnosis("PDF libraries", reason, ok=False, remedy=install_command())
    return Diagnosis("PDF libraries", "WeasyPrint loads, with Pango and HarfBuzz")


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
@build_folder_option("Build folder.")
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
