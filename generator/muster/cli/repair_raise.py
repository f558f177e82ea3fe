"""`muster repair` and `muster raise`: make an army legal, or roll what its rules leave to dice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.army_files import ArmyFiles, refuse_shipped
from muster.cli.options import (
    FINDINGS,
    FINE,
    SEED,
    draw_seed,
    open_library,
    refuse_overwrite,
    require_solver,
)
from muster.problems import display_path

if TYPE_CHECKING:
    from muster.armies import Army, Node
    from muster.armies.raising import DiceRoll
    from muster.solver.cpsat import Conflict
    from muster.solver.repairs import RepairedArmy


@click.command("repair")
@click.argument("army", metavar="ARMY")
@click.option(
    "--write", is_flag=True, help="Write the change to the file instead of only showing it."
)
@click.option(
    "--keep",
    multiple=True,
    metavar="UNIT",
    help="Do not change this unit, given by name, title, id or path; may be repeated.",
)
def repair_command(*, army: str, write: bool, keep: tuple[str, ...]) -> int:
    """Find the smallest change that makes an army legal within its limit.

    The army is named by its file or its name. A repair touches as few units as possible. It would
    sooner change or move several units than add or remove one, or empty a command; and it would
    sooner change how many a unit has than its options, and its options than its type. Of repairs
    that are alike in this it takes the one with the fewest edits, then without new warnings, then
    the one that moves the fewest points, then the fewest figures or stands. It keeps what an army
    book states of a unit and what dice have shown, and throws no dice. It adds a unit only where a
    rule requires one. Order and comments stay; the comments of a unit go with it. If there is no
    repair, the rules that conflict are listed. The exit code is 1 if the army stays illegal:
    without --write, or without a repair.
    """
    require_solver("repair")
    from muster.armies import load_army
    from muster.solver.cpsat import SolverGaveUpError
    from muster.solver.repairs import RepairedArmy, repair_army

    library = open_library()
    source = ArmyFiles(library).find(army)
    if write:
        refuse_shipped(source, library, "copy it to armies/ and repair the copy")
    loaded = load_army(source, library)
    try:
        repair = repair_army(loaded, library, _kept_units(loaded, keep))
    except SolverGaveUpError as error:
        raise click.ClickException(f"{source}: {error}; fix part of it by hand first") from None
    if not isinstance(repair, RepairedArmy):
        _print_contradiction(loaded, repair)
        return FINDINGS
    if not repair.changes:
        show.result(f"{loaded.name}: legal, nothing to repair")
        return FINE
    _print_repair(loaded, source, repair, keep, write=write)
    return FINE if write else FINDINGS


def _kept_units(army: Army, names: Sequence[str]) -> list[Node]:
    """Return the units and leaders that *names* stand for, each once.

    Raises:
        click.UsageError: If a name stands for none.
    """
    kept: list[Node] = []
    units = [node for node in army.nodes() if not node.is_branch]
    for name in names:
        matching = [node for node in units if name in _names(node)]
        if not matching:
            from muster.problems import did_you_mean

            hint = did_you_mean(name, [known for node in units for known in _names(node)])
            raise click.UsageError(f"there is no unit {name!r} in {army.document.file}{hint}")
        kept += [node for node in matching if node not in kept]
    return kept


def _names(node: Node) -> list[str]:
    """Return what a unit may be called by: its name, label, title, id and path."""
    unit = node.kind.text("unit")
    return [name for name in (node.name, node.label, node.title, unit, node.path_text) if name]


def _print_repair(
    army: Army, source: Path, repair: RepairedArmy, keep: Sequence[str], *, write: bool
) -> None:
    """Print the changes with the findings that they remove, and the diff; write it if asked to."""
    from difflib import unified_diff

    from muster.armies.fields import upper_first
    from muster.building.store import write_result
    from muster.yamlfile.editing import edit_document

    for change in repair.changes:
        show.result(f"{upper_first(change.words)}.")
        for finding in change.fixes:
            show.result(f"    fixes: {finding.message} [{finding.code}; {finding.rule}]")
    show.result()
    document = edit_document(army.document, repair.edits)
    old, new = (text.splitlines(keepends=True) for text in (army.document.text, document.text))
    name = army.document.file
    for line in unified_diff(old, new, name, f"{name} (repaired)"):
        show.result(_coloured(line.removesuffix("\n")))
    if write:
        write_result(source, document.text.encode())
        show.result(f"wrote {source}")
    else:
        words = [word for name in keep for word in ("--keep", name)]
        command = show.command("repair", *words, str(source), "--write")
        show.note(f"nothing written; to write it: {command}")


def _coloured(line: str) -> str:
    """Return a line of a diff in the usual colours."""
    if line.startswith(("+++", "---")):
        return click.style(line, bold=True)
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return click.style(line, fg=colour) if colour else line


def _print_contradiction(army: Army, conflict: Conflict) -> None:
    """Print the rules that no army near this one can meet together, with the units concerned."""
    from muster.solver.repairs import KEEP_CODE

    show.result(f"{army.name}: no repair found; these rules conflict:")
    labels_by_rule: dict[tuple[str, str], list[str]] = {}
    for group in conflict.rules:
        label = group.slot.label if group.slot is not None and group.code != KEEP_CODE else ""
        rule = (group.message, f"{group.code}; {group.source}")
        labels_by_rule.setdefault(rule, []).append(label)
    for (words, source), labels in labels_by_rule.items():
        units = ", ".join(dict.fromkeys(label for label in labels if label))
        show.result(f"  {units}: {words} [{source}]" if units else f"  {words} [{source}]")


@click.command("raise")
@click.argument("army", metavar="ARMY")
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="The same seed gives the same rolls. [default: random, and printed]",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write to. [default: ARMY-raised.yaml beside the army file]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def raise_command(*, army: str, seed: int | None, out: Path | None, force: bool) -> int:
    """Roll the values that the rules leave to dice, such as quality, and write a new army file.

    The army is named by its file or its name. Values stated in the army file are kept. Each roll is
    recorded in its unit as `rolled`. Units that share an entry (`count`) become separate entries,
    each with its own roll.
    """
    from muster.armies import army_from_document, load_army
    from muster.armies.raising import raise_army, raised_text
    from muster.building.store import write_result
    from muster.yamlfile import document_from_text

    library = open_library()
    source = ArmyFiles(library).find(army)
    if out is None:
        refuse_shipped(source, library, "choose a file with --out")
    target = out or source.with_name(f"{source.stem}-raised.yaml")
    loaded = load_army(source, library)
    if seed is None:
        seed = draw_seed()
    rolls = raise_army(loaded, seed)
    if not rolls:
        show.result(f"{loaded.name}: nothing to roll; no file written")
        return FINE
    if target.exists() and target.samefile(source):
        raise click.UsageError(f"{target} is the army file itself; choose another file with --out")
    refuse_overwrite(target, force=force)
    text = raised_text(loaded, rolls, seed)
    # Read it before writing it: an army that grew too large for a file is an error here.
    army_from_document(document_from_text(text, display_path(target)), library)
    write_result(target, text.encode())
    for line in show.aligned(_roll_rows(rolls)):
        show.result(line)
    show.result(f"wrote {target} (--seed {seed})")
    show.note(f"next: {show.command('check', str(target))}")
    return FINE


def _roll_rows(rolls: tuple[DiceRoll, ...]) -> list[tuple[str, ...]]:
    """Return the unit, the throw and the result of each roll, for `show.aligned`."""
    return [(roll.label, roll.record, roll.shown) for roll in rolls]
