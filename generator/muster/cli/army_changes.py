"""`muster repair` and `muster raise`: make an army legal, or roll what the rules say is rolled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.options import FINDINGS, FINE, library, require_solver

if TYPE_CHECKING:
    from muster.armies import Army, Node
    from muster.solver.repairs import NoLegalRepair, RepairedArmy


@click.command("repair")
@click.argument("army", metavar="ARMY.yaml")
@click.option("--write", is_flag=True, help="Change the file; else the change is only shown.")
@click.option(
    "--keep",
    multiple=True,
    metavar="UNIT",
    help="Leave a unit as it is, by its name, title, id or place; may be said several times.",
)
def repair_command(*, army: str, write: bool, keep: tuple[str, ...]) -> int:
    """Find the smallest change that makes an army legal and keeps its limit.

    As few units as possible are touched; of them as few figures or stands as possible; then the
    fewest points are lost. What was not there is added only where a rule demands it. Comments and
    order stay. Where nothing is legal, the rules that contradict each other are named.
    """
    require_solver("repair")
    from muster.armies import load_army
    from muster.solver.cpsat import SolverGaveUpError
    from muster.solver.repairs import RepairedArmy, repair_army

    shelf = library()
    source = Path(army)
    listed = load_army(source, shelf)
    try:
        found = repair_army(listed, shelf, _kept_units(listed, keep))
    except SolverGaveUpError as fault:
        raise click.ClickException(f"{army}: {fault}; mend part of it by hand first") from None
    if not isinstance(found, RepairedArmy):
        _print_contradiction(listed, found)
        return FINDINGS
    if not found.changes:
        show.result(f"{listed.name}: legal, nothing to repair")
        return FINE
    _print_repair(listed, source, found, write=write)
    return FINE


def _kept_units(army: Army, names: Sequence[str]) -> list[Node]:
    """Find the units and leaders that are meant."""
    found: list[Node] = []
    units = [node for node in army.nodes() if not node.is_branch]
    for name in names:
        meant = [node for node in units if name in _names(node)]
        if not meant:
            from muster.problems import did_you_mean

            hint = did_you_mean(name, [each for node in units for each in _names(node)])
            raise click.UsageError(f"{army.document.file} has no unit {name!r}{hint}")
        found += [node for node in meant if node not in found]
    return found


def _names(node: Node) -> list[str]:
    unit = node.kind.text("unit")
    return [name for name in (node.name, node.label, node.title, unit, node.path_text) if name]


def _print_repair(army: Army, source: Path, found: RepairedArmy, *, write: bool) -> None:
    """Show the changes, what each mends, and the diff; write the file if asked to."""
    from difflib import unified_diff

    from muster.building.store import write_whole
    from muster.yamlfile.editing import edit_document

    for change in found.changes:
        show.result(change.words)
        for finding in change.mends:
            rule = ", ".join(part for part in (finding.rule.chapter, finding.rule.source) if part)
            show.result(f"    mends: {finding.message} [{finding.code}; {rule}]")
    show.result()
    document = edit_document(army.document, found.edits)
    old, new = (text.splitlines(keepends=True) for text in (army.document.text, document.text))
    name = army.document.file
    for line in unified_diff(old, new, name, f"{name} (repaired)"):
        show.result(_coloured(line.removesuffix("\n")))
    if write:
        write_whole(source, document.text.encode())
        show.result(f"wrote {source}")
    else:
        show.note(f"nothing written; muster repair {source} --write")


def _coloured(line: str) -> str:
    if line.startswith(("+++", "---")):
        return click.style(line, bold=True)
    tone = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return click.style(line, fg=tone) if tone else line


def _print_contradiction(army: Army, found: NoLegalRepair) -> None:
    """Name the rules that no army like this can keep together."""
    from muster.solver.repairs import KEEP_CODE

    show.result(f"{army.name}: nothing legal is near; these rules contradict each other:")
    whose: dict[tuple[str, str], list[str]] = {}
    for group in found.rules:
        label = group.slot.label if group.slot is not None and group.code != KEEP_CODE else ""
        whose.setdefault((group.message, f"{group.code}; {group.source}"), []).append(label)
    for (words, source), labels in whose.items():
        who = ", ".join(dict.fromkeys(label for label in labels if label))
        show.result(f"  {who}: {words} [{source}]" if who else f"  {words} [{source}]")


if TYPE_CHECKING:
    from muster.armies.raising import DiceRoll

_SEED_COUNT = 1_000_000
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
def raise_command(*, army: str, seed: int | None, out: Path | None, force: bool) -> int:
    """Roll what the rules say is rolled, such as qualities, into a new army file.

    What the list states is kept. Each roll is recorded beside its unit, as `rolled`, and units
    of one entry (`count`) become entries of their own, each with its own roll.
    """
    from muster.armies import army_from_document, load_army
    from muster.armies.raising import raise_army, raised_text
    from muster.building.store import write_whole
    from muster.yamlfile import document_from_text

    source = Path(army)
    target = out or source.with_name(f"{source.stem}-raised.yaml")
    shelf = library()
    listed = load_army(source, shelf)
    if seed is None:
        seed = _draw_seed()
    rolls = raise_army(listed, seed)
    if not rolls:
        show.result(f"{listed.name}: nothing to roll, nothing written")
        return FINE
    _refuse_overwrite(source, target, force=force)
    text = raised_text(listed, rolls, seed)
    # What is written can be read: an army that grew too large for a file is told, not written.
    army_from_document(document_from_text(text, show.relative_path(target)), shelf)
    write_whole(target, text.encode())
    for line in show.aligned(_roll_rows(rolls)):
        show.result(line)
    show.result(f"wrote {target} (--seed {seed})")
    show.note(f"muster check {target}")
    return FINE


def _draw_seed() -> int:
    import random

    return random.SystemRandom().randrange(_SEED_COUNT)


def _refuse_overwrite(source: Path, target: Path, *, force: bool) -> None:
    """Refuse to write over anything unasked, and over the list itself at all."""
    if target.exists() and target.samefile(source):
        raise click.UsageError(f"{target} is the list itself; name another file with --out")
    if target.exists() and not force:
        raise click.UsageError(f"{target} is there already; name another with --out, or --force")


def _roll_rows(rolls: tuple[DiceRoll, ...]) -> list[tuple[str, ...]]:
    """Set each roll in columns: whose it is, the throw, and what it gives."""
    return [(roll.label, roll.record, roll.shown) for roll in rolls]
