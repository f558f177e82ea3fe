"""What `muster build` and `muster watch` have in common: their options, and what these name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.building.jobs import FORMATS, KINDS, Request
from muster.cli import show
from muster.cli.army_files import ArmyFiles
from muster.cli.options import (
    PAPERS,
    CommaSeparated,
    build_folder_option,
    check_web_address,
    join_lists,
    open_library,
)
from muster.languages import known_languages

if TYPE_CHECKING:
    from muster.problems import Problem

_JSON = "json"
MAX_FILES_NAMED = 3

_BUILD_OPTIONS = (
    click.argument("systems", nargs=-1, metavar="[SYSTEM|ARMY|FOLDER ...]"),
    click.option(
        "--only",
        type=CommaSeparated(KINDS),
        multiple=True,
        default=(KINDS,),
        callback=join_lists,
        help="Documents to build, separated by commas. [default: all]",
    ),
    click.option(
        "--format",
        "formats",
        type=CommaSeparated((*FORMATS, _JSON)),
        multiple=True,
        default=(FORMATS,),
        callback=join_lists,
        help="File formats, separated by commas; `json` writes no file but prints progress as JSON."
        " [default: html,pdf]",
    ),
    click.option(
        "--paper",
        "papers",
        type=CommaSeparated(PAPERS),
        multiple=True,
        callback=join_lists,
        help="Paper sizes, separated by commas."
        " [default: a4, and letter too for sheets and army books]",
    ),
    click.option(
        "--scale",
        default="",
        metavar="SCALE",
        help="Print for one figure scale only, such as 15mm.",
    ),
    click.option(
        "--unit",
        type=click.Choice(("cm", "in")),
        help="Print lengths in this unit; converted lengths are marked.",
    ),
    click.option(
        "--language",
        "languages",
        type=CommaSeparated(known_languages()),
        multiple=True,
        callback=join_lists,
        help="Languages to print in, separated by commas."
        " [default: that of each system; in others it is translated into, armies, books and tokens"
        " only as pages for screens]",
    ),
    click.option(
        "--card-backs",
        "backs",
        type=click.Choice(("long", "short")),
        help="Also print card backs, for a printer that flips sheets on this edge.",
    ),
    click.option(
        "--builder-at",
        metavar="ADDRESS",
        default="",
        callback=check_web_address,
        help="Address of your list builder on the web: rosters for tournaments get a QR code that"
        " opens the list there.",
    ),
    build_folder_option("Folder to write to."),
    click.option(
        "--jobs",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Number of processes. [default: one per processor]",
    ),
)


def build_options(command: Callable[..., int]) -> Callable[..., int]:
    """Decorate a command with the options that say what to build, where, and with how many jobs.

    The command is called with `request`, `out`, `jobs` (None if no number was given), `as_json`
    (whether a program follows the build), and its own options. Until `separate_armies` looks,
    whatever was named counts as a system.
    """

    @wraps(command)
    def decorated(  # noqa: PLR0913 - the command line is fixed
        *,
        systems: tuple[str, ...],
        only: tuple[str, ...],
        formats: tuple[str, ...],
        papers: tuple[str, ...],
        scale: str,
        unit: str | None,
        languages: tuple[str, ...],
        backs: str | None,
        builder_at: str,
        **others: Any,
    ) -> int:
        request = Request(
            folder=Path.cwd().resolve(),
            systems=tuple(dict.fromkeys(systems)),
            kinds=only,
            formats=tuple(name for name in formats if name != _JSON) or FORMATS,
            papers=papers,
            scale=scale,
            unit=unit or "",
            languages=languages,
            backs=backs or "",
            builder_at=builder_at,
        )
        return command(request=request, as_json=_JSON in formats, **others)

    for option in reversed(_BUILD_OPTIONS):
        decorated = option(decorated)
    return decorated


def processor_count() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every operating system has it.
        return os.cpu_count() or 1


def require_printing(request: Request) -> None:
    """Refuse a request for PDFs if they cannot be printed here.

    Raises:
        MissingLibraryError: If a library is missing.
    """
    from muster.rendering.libraries import require_libraries

    if "pdf" in request.formats:
        require_libraries()


def note_own_templates(progress: str | None = None) -> None:
    """Print which templates of the working folder take the place of shipped ones, or add to them.

    Whoever was sent the folder should know that its pages do not look as Muster's do.
    """
    names = open_library().own_templates()
    if not names:
        return
    text = f"templates of this folder are used: {show.listed(names, MAX_FILES_NAMED)}"
    if progress == "json":
        show.event("note", text=text)
    else:
        show.note(text)


def separate_armies(request: Request) -> tuple[Request, list[Problem]]:
    """Return the request with its armies apart from its systems, and what is wrong with names."""
    from muster.systems import Library

    files = ArmyFiles(Library(request.folder))
    systems, armies, problems = files.choose(request.systems)
    if ignored := files.ignored_text():
        show.note(ignored)
    return replace(request, systems=tuple(systems), armies=tuple(armies)), problems
