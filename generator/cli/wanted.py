"""Owns the options that say what to build and where, of every command that builds.

Does not build and does not look whether the systems named exist.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from generator.cli.choices import Several
from generator.pipeline.request import FORMATS, KINDS, Request

_PAPERS = ("a4", "letter")
_JSON = "json"

_OPTIONS = (
    click.argument("systems", nargs=-1, metavar="[SYSTEM ...]"),
    click.option("--only", type=Several(KINDS), default=KINDS, help="Which documents."),
    click.option(
        "--format",
        "formats",
        type=Several((*FORMATS, _JSON)),
        default=FORMATS,
        help="Which files; json is no file: with it, a build is told to programs.",
    ),
    click.option(
        "--paper",
        "papers",
        type=Several(_PAPERS),
        default=(),
        help="Which paper; sheets come on both.",
    ),
    click.option("--scale", default="", metavar="SCALE", help="One figure scale, such as 15mm."),
    click.option(
        "--unit", type=click.Choice(("cm", "in")), help="Lengths in this unit, marked if converted."
    ),
    click.option(
        "--card-backs",
        "backs",
        type=click.Choice(("long", "short")),
        help="Print backs of cards, too, for a printer that turns sheets over this edge.",
    ),
    click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("build"),
        show_default=True,
        help="Where to.",
    ),
    click.option(
        "--jobs", type=click.IntRange(1, 256), help="How many processes; as many as processors."
    ),
)


def wanted(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command these options; it gets `request`, `out`, and `jobs` if a number was given.

    It gets `machine`, too: whether a program listens, so that it is told in JSON what is done.
    """

    @wraps(command)
    def called(  # noqa: PLR0913 - the command line is fixed
        *,
        systems: tuple[str, ...],
        only: tuple[str, ...],
        formats: tuple[str, ...],
        papers: tuple[str, ...],
        scale: str,
        unit: str | None,
        backs: str | None,
        **others: Any,
    ) -> int:
        folder = Path.cwd().resolve()
        named = tuple(dict.fromkeys(systems))
        files = tuple(each for each in formats if each != _JSON) or FORMATS
        request = Request(folder, named, only, files, papers, scale, unit or "", backs=backs or "")
        return command(request=request, machine=_JSON in formats, **others)

    for option in reversed(_OPTIONS):
        called = option(called)
    return called


def processors() -> int:
    """Count the processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can say
        return os.cpu_count() or 1
