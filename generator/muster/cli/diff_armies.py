"""`muster diff ARMY ARMY`: print what two armies do not have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.options import FINDINGS, FINE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from muster.armies import Finding, Verdict
    from muster.armies.army_diff import UnitChange
    from muster.systems import Library


def diff_armies(old: Path, new: Path, library: Library, output_format: str) -> int:
    """Compare two armies, print the differences, and return the exit code.

    Raises:
        click.ClickException: If the armies are of different systems.
        MusterError: If one of them cannot be read.
    """
    from muster.armies import check, load_army
    from muster.armies.army_diff import compare_armies

    before, after = (check(load_army(path, library)) for path in (old, new))
    if before.army.system.id != after.army.system.id:
        systems = " and ".join(f"{each.army.system.id!r}" for each in (before, after))
        raise click.ClickException(f"read armies of {systems}, expected two armies of one system")
    changes = compare_armies(before, after)
    appeared, gone = _new_findings(before, after), _new_findings(after, before)
    if output_format == "json":
        from muster.armies.findings import points_as_json

        show.data(
            {
                "old": before.as_json(),
                "new": after.as_json(),
                "by": points_as_json(_points_difference(before, after)),
                "changes": [change.as_json() for change in changes],
                "appeared": [finding.as_json() for finding in appeared],
                "gone": [finding.as_json() for finding in gone],
            }
        )
    else:
        has_points = before.points is not None or after.points is not None
        lines = show.aligned(_change_row(change, has_points=has_points) for change in changes)
        for change, line in zip(changes, lines, strict=True):
            show.result(f"{show.change_sign(change.kind)} {line}")
        _print_verdicts(before, after, appeared, gone)
        show.note(show.counted(len(changes), "change") if changes else "no changes")
    same = before.legal == after.legal and before.army.limit == after.army.limit
    return FINE if same and not (changes or appeared or gone) else FINDINGS


def _points_difference(old: Verdict, new: Verdict) -> Decimal | None:
    if old.points is None or new.points is None:
        return None
    return new.points - old.points


def _new_findings(old: Verdict, new: Verdict) -> list[Finding]:
    """Return the findings of the new army that the old one does not have."""
    known = {(finding.code, finding.label) for finding in old.findings}
    return [finding for finding in new.findings if (finding.code, finding.label) not in known]


def _change_row(change: UnitChange, *, has_points: bool) -> tuple[str, ...]:
    """Return a change and what it costs, for `show.aligned`."""
    unit = change.unit
    if change.kind == "changed":
        text = f"{unit.label}: {'; '.join(change.words)}"
    else:
        many = f"{unit.count} × " if unit.count > 1 else ""
        details = ", ".join(filter(None, (unit.node.strength, *unit.node.option_titles)))
        where = f" in {', '.join(unit.place)}" if unit.place else ""
        text = f"{many}{unit.label}{f' ({details})' if details else ''}{where}"
    cost = _signed(change.points_difference) if has_points and change.points_difference else ""
    return text, cost


def _signed(points: Decimal) -> str:
    return f"{'−' if points < 0 else '+'}{show.decimal_text(abs(points))}"


def _print_verdicts(
    old: Verdict, new: Verdict, appeared: Sequence[Finding], gone: Sequence[Finding]
) -> None:
    """Print both verdicts with their totals, and the findings that only one of them has."""
    difference = _points_difference(old, new)
    by = f" ({_signed(difference)})" if difference else ""
    show.result(f"old: {_verdict_text(old)}")
    show.result(f"new: {_verdict_text(new)}{by}")
    for title, findings in (("new", appeared), ("no longer", gone)):
        for finding in findings:
            severity = show.severity(finding.severity)
            show.result(f"  {title} {severity}: {finding.label}: {finding.message}")


def _verdict_text(verdict: Verdict) -> str:
    """Return an army's name, file, verdict and total in one line."""
    army = verdict.army
    text = f"{army.name} ({army.document.file}): {'legal' if verdict.legal else 'not legal'}"
    if verdict.points is not None:
        of = f" of {show.decimal_text(army.limit)}" if army.limit is not None else ""
        text += f", {show.decimal_text(verdict.points)}{of} points"
    missing = verdict.price.missing
    return f"{text}, not counting {', '.join(missing)}" if missing else text
