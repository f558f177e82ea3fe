"""Owns `muster clean`: taking away what builds wrote, or their cache alone.

Does not know what that is; `pipeline` does.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from generator.cli import show
from generator.cli.choices import FINE


@click.command("clean")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="The folder that was built into.",
)
@click.option("--cache", "cache_only", is_flag=True, help="Only the caches.")
def command(*, out: Path, cache_only: bool) -> int:
    """Take away what was built, the cache of prints, and what is kept of files that were read.

    Files of others stay.
    """
    from generator.pipeline.clearing import clean
    from generator.reading import cache

    removed, left, size = clean(out, cache_only=cache_only)
    for path in left:
        show.note(f"left {out / path}: it was altered since it was built")
    documents = "" if cache_only else f"{len(removed)} documents and "
    show.note(f"removed {documents}a cache of {size / 1e6:.1f} MB from {out}")
    kept = cache.user_folder(os.environ)
    if kept is not None:
        files, size = cache.clear(kept)
        show.note(f"removed {files} files, {size / 1e6:.1f} MB, of what was read from {kept}")
    return FINE
