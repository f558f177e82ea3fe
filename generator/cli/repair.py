"""Owns `muster repair`: an army file in, the smallest change that makes it legal as a diff of it.

Does not find the change (see `solving.repair`) and does not edit text (see `reading.editing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, library
from generator.cli.extras import need_solver

if TYPE_CHECKING:
    from generator.armies import Army, Node
    from generator.solving.repair import Contradicted, Repaired


@click.command("repair")
@click.argument("army", metavar="ARMY.yaml")
@click.option("--write", is_flag=True, help="Change the file; else the change is only shown.")
@click.option(
    "--keep",
    multiple=True,
    metavar="UNIT",
    help="Leave a unit as it is, by its name, title, id or place; may be said several times.",
)
def command(*, army: str, write: bool, keep: tuple[str, ...]) -> int:
    """Find the smallest change that makes an army legal and keeps its limit.

    As few units as possible are touched; of them as few figures or stands as possible; then the
    fewest points are lost. What was not there is added only where a rule demands it. Comments and
    order stay. Where nothing is legal, the rules that contradict each other are named.
    """
    need_solver("repair")
    from generator.armies import read_army
    from generator.solving.cpsat import TooHardError
    from generator.solving.repair import Repaired, repair

    shelf = library()
    source = Path(army)
    listed = read_army(source, shelf)
    try:
        found = repair(listed, shelf, _kept(listed, keep))
    except TooHardError as fault:
        raise click.ClickException(f"{army}: {fault}; mend part of it by hand first") from None
    if not isinstance(found, Repaired):
        _contradicted(listed, found)
        return FINDINGS
    if not found.changes:
        show.result(f"{listed.name}: legal, nothing to repair")
        return FINE
    _repaired(listed, source, found, write=write)
    return FINE


def _kept(army: Army, names: Sequence[str]) -> list[Node]:
    """Find the units and leaders that are meant."""
    found: list[Node] = []
    units = [node for node in army.nodes() if not node.is_branch]
    for name in names:
        meant = [node for node in units if name in _names(node)]
        if not meant:
            from generator.reading import did_you_mean

            hint = did_you_mean(name, [each for node in units for each in _names(node)])
            raise click.UsageError(f"{army.document.file} has no unit {name!r}{hint}")
        found += [node for node in meant if node not in found]
    return found


def _names(node: Node) -> list[str]:
    unit = node.sort.text("unit")
    return [name for name in (node.name, node.label, node.title, unit, node.place) if name]


def _repaired(army: Army, source: Path, found: Repaired, *, write: bool) -> None:
    """Show the changes, what each mends, and the diff; write the file if asked to."""
    from difflib import unified_diff

    from generator.pipeline.store import write_whole
    from generator.reading.editing import edited

    for change in found.changes:
        show.result(change.words)
        for finding in change.mends:
            rule = ", ".join(part for part in (finding.rule.chapter, finding.rule.source) if part)
            show.result(f"    mends: {finding.message} [{finding.code}; {rule}]")
    show.result()
    document = edited(army.document, found.edits)
    old, new = (text.splitlines(keepends=True) for text in (army.document.text, document.text))
    name = army.document.file
    for line in unified_diff(old, new, name, f"{name} (repaired)"):
        show.result(_toned(line.removesuffix("\n")))
    if write:
        write_whole(source, document.text.encode())
        show.result(f"wrote {source}")
    else:
        show.note(f"nothing written; muster repair {source} --write")


def _toned(line: str) -> str:
    if line.startswith(("+++", "---")):
        return click.style(line, bold=True)
    tone = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return click.style(line, fg=tone) if tone else line


def _contradicted(army: Army, found: Contradicted) -> None:
    """Name the rules that no army like this can keep together."""
    from generator.solving.repair import KEPT

    show.result(f"{army.name}: nothing legal is near; these rules contradict each other:")
    whose: dict[tuple[str, str], list[str]] = {}
    for group in found.rules:
        label = group.node.label if group.node is not None and group.code != KEPT else ""
        whose.setdefault((group.words, f"{group.code}; {group.source}"), []).append(label)
    for (words, source), labels in whose.items():
        who = ", ".join(dict.fromkeys(label for label in labels if label))
        show.result(f"  {who}: {words} [{source}]" if who else f"  {words} [{source}]")
