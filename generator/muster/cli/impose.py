"""`muster impose`: lay out the pages of a PDF as a folded booklet."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from muster.cli import show
from muster.cli.options import FINE, open_library

SHEET_SIZES = ("a3", "a4", "letter", "a5", "digest")


@click.command("impose")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--as",
    "layout",
    type=click.Choice(("booklet",)),
    default="booklet",
    show_default=True,
    help="How the pages are laid out.",
)
@click.option(
    "--paper",
    type=click.Choice(SHEET_SIZES),
    default="a4",
    show_default=True,
    help="Size of the sheet before folding.",
)
@click.option(
    "--duplex",
    "duplex_edge",
    type=click.Choice(("short", "long")),
    default="short",
    show_default=True,
    help="Edge on which your printer flips the sheet.",
)
@click.option(
    "--creep",
    "creep_mm",
    type=click.FloatRange(0, 2),
    default=0,
    metavar="MM",
    help="Shift the pages of each sheet towards the fold, relative to the sheet outside it;"
    " 0.1 suits office paper.",
)
@click.option(
    "--signature",
    type=click.IntRange(0, 500),
    default=0,
    metavar="SHEETS",
    help="Sheets per signature (sheets folded together). [default: all]",
)
@click.option(
    "--ruler/--no-ruler",
    "with_ruler",
    default=True,
    help="Print a sheet with a ruler first, to check the scale.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write to. [default: FILE-booklet.pdf]",
)
def impose_command(  # noqa: PLR0913 - the choices of one command
    *,
    file: Path,
    layout: str,
    paper: str,
    duplex_edge: Literal["short", "long"],
    creep_mm: float,
    signature: int,
    with_ruler: bool,
    out: Path | None,
) -> int:
    """Lay out the pages of a PDF as a folded booklet, for printing on both sides.

    An A5 book becomes an A4 booklet at full size, and an A4 book an A3 booklet; a larger book is
    scaled down. Print at 100 %,
    fold, and staple.
    """
    from muster.building.store import write_whole
    from muster.rendering.imposition import ImposeError, ImpositionOptions, impose

    target = out or file.with_name(f"{file.stem}-{layout}.pdf")
    if target.resolve() == file.resolve():
        raise click.UsageError(f"{target} is the input file itself; choose another file with --out")
    options = ImpositionOptions(paper, duplex_edge, creep_mm, signature, with_ruler)
    try:
        booklet = impose(file, options, tuple(open_library().templates()))
    except ImposeError as error:
        raise click.UsageError(f"{file}: {error}") from None
    write_whole(target, booklet.data)
    scaled = "" if booklet.scale == 1 else f", scaled to {booklet.scale:.0%}"
    pages, sheets = show.counted(booklet.pages, "page"), show.counted(booklet.sheets, "sheet")
    show.note(f"{pages} on {sheets}{scaled}; flip on the {duplex_edge} edge")
    if with_ruler:
        show.note(
            "the first sheet is a ruler: measure it to make sure that the rest prints at 100 %"
        )
    show.note(f"wrote {target}; it is untagged, so use the original for screen readers")
    return FINE
