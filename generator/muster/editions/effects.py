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
class EditionSource:
    """A source of systems and books that has one edition, whatever system an army names.

    Attributes:
        edition: The edition.
        folders: Folders with further army books, such as the user's own.
        shown_as: What messages call the edition's folder, if that is a temporary one.
    """

    edition: System
    folders: Sequence[Path] = ()
    shown_as: str = ""

    def system(self, system_id: str) -> System:
        """Return the edition, whose id may not be the one that the army names."""
        del system_id
        return self.edition

    def book_folders(self, system_id: str) -> Sequence[Path]:
        """Return the folders with further army books."""
        del system_id
        return self.folders

    def name_source(self, text: str) -> str:
        """Return a message with the edition's name in place of its temporary folder."""
        if not self.shown_as:
            return text
        return text.replace(str(self.edition.folder), self.shown_as)


@dataclass(frozen=True, slots=True)
class ArmyStatus:
    """An army's verdict under one edition; if it cannot be read, the faults say why."""

    verdict: Verdict | None
    faults: tuple[str, ...] = ()

    @property
    def legal(self) -> bool | None:
        """Whether the army is legal; None if it cannot be read."""
        return None if self.verdict is None else self.verdict.legal

    def as_json(self) -> dict[str, Any]:
        """Return legality, points and faults as JSON data."""
        points = None if self.verdict is None else points_as_json(self.verdict.points)
        return {"legal": self.legal, "points": points, "faults": list(self.faults)}


@dataclass(frozen=True, slots=True)
class Effect:
    """How a change of edition affects an army.

    Attributes:
        file: The army's file.
        army: The army's name.
        old: The army under the old edition.
        new: The army under the new edition.
        appeared: The findings of the new edition alone.
        gone: The findings of the old edition alone.
        prices: Label, old and new working of each line whose price changed.
    """

    file: str
    army: str
    old: ArmyStatus
    new: ArmyStatus
    appeared: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    prices: tuple[tuple[str, str, str], ...] = ()

    @property
    def unnoticed(self) -> bool:
        """Whether nothing changes for the army."""
        same = (self.old.legal, self.old.faults) == (self.new.legal, self.new.faults)
        return same and not (self.appeared or self.gone or self.prices or self.points_difference)

    @property
    def points_difference(self) -> float | int | None:
        """New points minus old ones; None if there is no total under one of the editions."""
        if self.old.verdict is None or self.new.verdict is None:
            return None
        before, after = self.old.verdict.points, self.new.verdict.points
        return None if before is None or after is None else points_as_json(after - before)

    def as_json(self) -> dict[str, Any]:
        """Return the effect with the keys that `muster diff --format json` promises."""
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
    armies: Mapping[str, Path], old: EditionSource, new: EditionSource, renames: Renames
) -> Iterator[Effect]:
    """Judge every army under both editions.

    Args:
        armies: The files of the armies by id.
        old: The old edition.
        new: The new edition.
        renames: The ids that changed; a finding is not new only because its constraint has
            another id.
    """
    for army_id, path in armies.items():
        before, after = _judge(path, old), _judge(path, new)
        judged = [status.verdict.army for status in (before, after) if status.verdict is not None]
        name = judged[0].name if judged else army_id
        file = judged[0].document.file if judged else str(path)
        if before.verdict is None or after.verdict is None:
            yield Effect(file, name, before, after)
            continue
        old_findings = {
            (renames.new_id("constraints", finding.code), finding.path): finding
            for finding in before.verdict.findings
        }
        new_findings = {(finding.code, finding.path): finding for finding in after.verdict.findings}
        yield Effect(
            file,
            name,
            before,
            after,
            tuple(new_findings[key] for key in new_findings if key not in old_findings),
            tuple(old_findings[key] for key in old_findings if key not in new_findings),
            tuple(_changed_prices(before.verdict, after.verdict)),
        )


def _judge(path: Path, edition: EditionSource) -> ArmyStatus:
    try:
        return ArmyStatus(check(load_army(path, edition)))
    except MusterError as error:
        faults = [f"{problem.location}: {problem.text}" for problem in error.problems]
        return ArmyStatus(None, tuple(edition.name_source(fault) for fault in faults))


def _changed_prices(old: Verdict, new: Verdict) -> Iterator[tuple[str, str, str]]:
    """Compare the price lines that stand in the same place of the list."""
    old_lines = {line.path: line for line in old.price.lines}
    for line in new.price.lines:
        before = old_lines.get(line.path)
        if before is not None and (before.known, before.each) != (line.known, line.each):
            yield line.label, before.working, line.working
