"""The libraries of the operating system that printing needs, and how to install them."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from shutil import which

_LIBRARIES = (
    ("libgobject-2.0.so.0", "libgobject-2.0.0.dylib"),
    ("libpango-1.0.so.0", "libpango-1.0.dylib"),
    ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib"),
    ("libfontconfig.so.1", "libfontconfig.1.dylib"),
    ("libharfbuzz.so.0", "libharfbuzz.0.dylib"),
)
"""The names of each library that WeasyPrint cannot do without, on Linux and on macOS."""

_INSTALL_COMMANDS = {
    "apt-get": "sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "sudo dnf install pango harfbuzz",
    "pacman": "sudo pacman -S pango harfbuzz",
    "apk": "sudo apk add pango harfbuzz-subset fontconfig",
    "zypper": "sudo zypper install libpango-1_0-0 libharfbuzz-subset0",
    "brew": "brew install pango",
}
"""For each package manager, the command that installs the libraries that WeasyPrint needs."""

_INSTALL_ON_WINDOWS = (
    "install MSYS2 from msys2.org, then run in its terminal: pacman -S mingw-w64-ucrt-x86_64-pango"
)


class MissingLibraryError(OSError):
    """A library that printing needs is missing; says which, and how to install it."""


def install_command() -> str:
    """Return the command that installs the libraries on this machine."""
    if sys.platform == "win32":
        return _INSTALL_ON_WINDOWS
    commands = (command for name, command in _INSTALL_COMMANDS.items() if which(name))
    return next(commands, "") or "install Pango and HarfBuzz with your package manager"


def require_libraries(instead: str = "`--format html` builds pages for screens without it") -> None:
    """Check that PDFs can be printed here, without loading WeasyPrint if that is plain to see.

    Args:
        instead: What can be done without the libraries, for the message.

    Raises:
        MissingLibraryError: If a library is missing.
    """
    if all(_loads(names) for names in _LIBRARIES):
        return
    # WeasyPrint finds some that stand elsewhere, so that it decides.
    if reason := why_not_printing():
        raise MissingLibraryError(
            f"PDFs need Pango, which cannot be loaded ({reason}). To install it: "
            f"{install_command()}; {instead}"
        )


def why_not_printing() -> str:
    """Return why WeasyPrint cannot be loaded, in one line; empty if it can."""
    try:
        # It prints a notice of its own if a library is missing.
        with redirect_stdout(StringIO()):
            import muster.rendering.printer  # noqa: F401, PLC0415 - importing it is the test
    except (ImportError, OSError) as error:
        return str(error).strip().partition("\n")[0][:200]
    return ""


def _loads(names: Sequence[str]) -> bool:
    for name in names:
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return True
    return False
