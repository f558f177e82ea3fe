"""Judge armies under two editions: points, legality and findings before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster.armies import Finding, Verdict, check, load_army
from muster.armies.findings import points_as_json
from muster.editions.matching import Renames
from muster.problems import MusterError
from muster.systems import System


@dataclass(frozen=True, slots=True)
class EditionShelf:
    """One edition as a shelf: whatever system an army asks for, it gets this one.

    `folders` hold further army books, such as the user's own. `called` is what messages call
    the edition's folder, where that is laid out for a while only.
    """

    of: System
    folders: Sequence[Path] = ()
    shown_as: str = ""

    def system(self, system_id: str) -> System:
        """Give the edition; the army's file names the system that it was found under."""
        del system_id
        return self.of

    def book_folders(self, system_id: str) -> Sequence[Path]:
        """List the folders with further books."""
        del system_id
        return self.folders

    def told(self, text: str) -> str:
        """Say where the edition comes from, in place of its folder."""
        return text.replace(str(self.of.folder), self.shown_as) if self.shown_as else text


@dataclass(frozen=True, slots=True)
class ArmyStatus:
    """How an army stands under one edition; `faults` say why it cannot be read."""

    verdict: Verdict | None
    faults: tuple[str, ...] = ()

    @property
    def legal(self) -> bool | None:
        """Tell whether it is legal; None if it cannot be read."""
        return None if self.verdict is None else self.verdict.legal

    def as_json(self) -> dict[str, Any]:
        """Give legality, points and faults."""
        points = None if self.verdict is None else points_as_json(self.verdict.points)
        return {"legal": self.legal, "points": points, "faults": list(self.faults)}


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one army. `prices` are the lines that cost something else now."""

    file: str
    army: str
    old: ArmyStatus
    new: ArmyStatus
    appeared: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    prices: tuple[tuple[str, str, str], ...] = ()

    @property
    def unnoticed(self) -> bool:
        """Tell whether the army does not notice."""
        same = (self.old.legal, self.old.faults) == (self.new.legal, self.new.faults)
        return same and not (self.appeared or self.gone or self.prices or self.points_difference)

    @property
    def points_difference(self) -> float | int | None:
        """Give the difference in points; None if either edition has none for it."""
        if self.old.verdict is None or self.new.verdict is None:
            return None
        before, after = self.old.verdict.points, self.new.verdict.points
        return None if before is None or after is None else points_as_json(after - before)

    def as_json(self) -> dict[str, Any]:
        """Give the keys that `muster diff --format json` promises."""
        return {
            "file": self.file,
            "army": self.army,
            "old": self.old.as_json(),
            "new": self.new.as_json(),
            "by": self.points_difference,
            "appeared": [finding.as_json() for finding in self.appeared],
            "gone": [finding.as_json() for finding in self.gone],
            "prices": [
                {"label": label, "old": before, "new": after}
                for label, before, after in self.prices
            ],
        }


def judge_armies(
    armies: Mapping[str, Path], old: EditionShelf, new: EditionShelf, renames: Renames
) -> Iterator[Effect]:
    """Judge every army under both editions.

    Args:
        armies: Files of armies by id.
        old: The old edition.
        new: The new edition.
        renames: Ids that changed: a constraint under another id is no new finding.
    """
    for key, path in armies.items():
        before, after = _judge(path, old), _judge(path, new)
        verdicts = before.verdict, after.verdict
        name = next((each.army.name for each in verdicts if each is not None), key)
        file = next((each.army.document.file for each in verdicts if each is not None), str(path))
        if before.verdict is None or after.verdict is None:
            yield Effect(file, name, before, after)
            continue
        was = {
            (renames.new_id("constraints", each.code), each.path): each
            for each in before.verdict.findings
        }
        now = {(each.code, each.path): each for each in after.verdict.findings}
        yield Effect(
            file,
            name,
            before,
            after,
            tuple(each for spot, each in now.items() if spot not in was),
            tuple(each for spot, each in was.items() if spot not in now),
            tuple(_changed_prices(before.verdict, after.verdict)),
        )


def _judge(path: Path, version: EditionShelf) -> ArmyStatus:
    try:
        return ArmyStatus(check(load_army(path, version)))
    except MusterError as fault:
        told = [version.told(f"{each.location}: {each.text}") for each in fault.problems]
        return ArmyStatus(None, tuple(told))


def _changed_prices(old: Verdict, new: Verdict) -> Iterator[tuple[str, str, str]]:
    """Pair the price lines of what stands at one place in the list."""
    before = {line.path: line for line in old.price.lines}
    for line in new.price.lines:
        was = before.get(line.path)
        if was is not None and (was.known, was.each) != (line.known, line.each):
            yield line.label, was.working, line.working
