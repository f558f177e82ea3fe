"""`muster impose`: lay out the pages of a PDF as a folded booklet."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from muster.cli import show
from muster.cli.options import FINE, open_library

SHEET_SIZES = ("a4", "letter", "a5", "digest")


@click.command("impose")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--as", "layout", type=click.Choice(("booklet",)), default="booklet", show_default=True
)
@click.option(
    "--paper",
    type=click.Choice(SHEET_SIZES),
    default="a4",
    show_default=True,
    help="The sheet before it is folded.",
)
@click.option(
    "--duplex",
    "duplex_edge",
    type=click.Choice(("short", "long")),
    default="short",
    show_default=True,
    help="The edge over which your printer turns a sheet.",
)
@click.option(
    "--creep",
    "creep_mm",
    type=click.FloatRange(0, 2),
    default=0,
    metavar="MM",
    help="How much nearer to the fold each sheet's pages stand than those of the sheet around it;"
    " 0.1 suits office paper.",
)
@click.option(
    "--signature",
    type=click.IntRange(0, 500),
    default=0,
    metavar="SHEETS",
    help="Sheets that are laid into each other before the next lot begins. [default: all]",
)
@click.option(
    "--ruler/--no-ruler", "with_ruler", default=True, help="A sheet with a ruler comes first."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write. [default: FILE-booklet.pdf]",
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
    """Lay out the pages of a PDF for a folded booklet, to be printed on both sides.

    An A5 book makes an A4 booklet at its own size; a larger one is made smaller. Print it at
    100 %, fold, and staple.
    """
    from muster.building.store import write_whole
    from muster.rendering.imposition import ImposeError, ImpositionOptions, impose

    target = out or file.with_name(f"{file.stem}-{layout}.pdf")
    if target.resolve() == file.resolve():
        raise click.UsageError(f"--out names the file that is read, {file}; name another")
    options = ImpositionOptions(paper, duplex_edge, creep_mm, signature, with_ruler)
    try:
        booklet = impose(file, options, tuple(open_library().templates()))
    except ImposeError as error:
        raise click.UsageError(f"{file}: {error}") from None
    write_whole(target, booklet.data)
    scaled = "" if booklet.scale == 1 else f", at {booklet.scale:.0%} of their size"
    show.note(
        f"{booklet.pages} pages on {booklet.sheets} sheets{scaled};"
        f" turn over the {duplex_edge} edge"
    )
    if with_ruler:
        show.note("the first sheet is a ruler: measure it, and print the rest at 100 %")
    show.note(f"wrote {target}; it has no tags: the book itself is the one for screen readers")
    return FINE
