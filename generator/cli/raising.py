"""Owns `muster raise`: an army file in, the same army with all that is rolled out.

Does not roll and does not rewrite; `armies.raising` does.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import show
from generator.cli.choices import FINE, library

if TYPE_CHECKING:
    from generator.armies.raising import Rolled

_SEEDS = 1_000_000
"""As many seeds are drawn from: a number that people can read out to each other."""


@click.command("raise")
@click.argument("army", metavar="ARMY.yaml")
@click.option(
    "--seed",
    type=click.IntRange(0, 999_999_999),
    metavar="N",
    help="The same seed rolls the same; without one a seed is drawn and told.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The new file; else ARMY-raised.yaml beside the old.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def command(*, army: str, seed: int | None, out: Path | None, force: bool) -> int:
    """Roll what the rules say is rolled, such as qualities, into a new army file.

    What the list states is kept. Each roll is recorded beside its unit, as `rolled`, and units
    of one entry (`count`) become entries of their own, each with its own roll.
    """
    from generator.armies import army_from, read_army
    from generator.armies.raising import raise_army, raised_text
    from generator.pipeline.store import write_whole
    from generator.reading import document_from_text

    source = Path(army)
    target = out or source.with_name(f"{source.stem}-raised.yaml")
    shelf = library()
    listed = read_army(source, shelf)
    if seed is None:
        seed = _drawn()
    rolls = raise_army(listed, seed)
    if not rolls:
        show.result(f"{listed.name}: nothing to roll, nothing written")
        return FINE
    _refuse_old(source, target, force=force)
    text = raised_text(listed, rolls, seed)
    # What is written can be read: an army that grew too large for a file is told, not written.
    army_from(document_from_text(text, show.shorter(target)), shelf)
    write_whole(target, text.encode())
    for line in show.aligned(_told(rolls)):
        show.result(line)
    show.result(f"wrote {target} (--seed {seed})")
    show.note(f"muster check {target}")
    return FINE


def _drawn() -> int:
    import random

    return random.SystemRandom().randrange(_SEEDS)


def _refuse_old(source: Path, target: Path, *, force: bool) -> None:
    """Refuse to write over anything unasked, and over the list itself at all."""
    if target.exists() and target.samefile(source):
        raise click.UsageError(f"{target} is the list itself; name another file with --out")
    if target.exists() and not force:
        raise click.UsageError(f"{target} is there already; name another with --out, or --force")


def _told(rolls: tuple[Rolled, ...]) -> list[tuple[str, ...]]:
    """Set each roll in columns: whose it is, the throw, and what it gives."""
    return [(roll.label, roll.record, roll.shown) for roll in rolls]
