"""Owns the remedies that a solver knows: what the smallest repair of a list does about each error.

Does not find the repair. Where there is none, the remedies of `verdict` stand, which are reckoned
from one rule alone.
"""

from __future__ import annotations

from dataclasses import replace

from generator.armies import Finding, Verdict
from generator.armies.roll_call import Shelf
from generator.solving.changes import Change
from generator.solving.cpsat import TooHardError
from generator.solving.repair import Repaired, repair

EFFORT = 0.3
"""What a question may cost, in the solver's own steps: about a second where a list is hard."""

MOST = 80
"""As many entries a list may have: a longer one is told at once, with the plain remedies."""

_SHOWN = 3


def remedied(verdict: Verdict, shelf: Shelf) -> Verdict:
    """Give a verdict whose errors say what the smallest repair does about them.

    A verdict that has no error stays as it is, and so does one of a long list, or of a list that
    the solver finds no repair for.
    """
    if verdict.legal or sum(1 for _ in verdict.army.nodes()) > MOST:
        return verdict
    try:
        found = repair(verdict.army, shelf, effort=EFFORT)
    except TooHardError:
        return verdict
    if not isinstance(found, Repaired):
        return verdict
    findings = tuple(_remedied(finding, found) for finding in verdict.findings)
    return replace(verdict, findings=findings)


def _remedied(finding: Finding, found: Repaired) -> Finding:
    if finding.severity != "error":
        return finding
    changes = [change for change in found.changes if _mends(change, finding)]
    if not changes:
        return finding
    words = [
        change.words.removeprefix(f"{finding.node.label}: ")
        if change.node is finding.node
        else change.words
        for change in changes[:_SHOWN]
    ]
    if len(changes) > _SHOWN:
        words.append(f"and {len(changes) - _SHOWN} more, see `muster repair`")
    rules = finding.army.composition.constraints
    own = next((rule.cure or rule.remedy for rule in rules if rule.id == finding.code), "")
    said = "; ".join(words)
    text = f"{said}, or {own.rstrip('.')}" if own else said
    return replace(finding, remedy=f"Smallest change: {text}.")


def _mends(change: Change, finding: Finding) -> bool:
    """Tell whether a change mends a finding: one of its code, at or below its place."""
    if finding.code not in {mended.code for mended in change.mends}:
        return False
    place = finding.node.path
    own = change.to if change.node is None else change.node.path
    return own is not None and own[: len(place)] == place
