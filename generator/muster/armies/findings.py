"""The result of checking an army: findings, price and verdict, and their JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from muster.armies.army import Army, Node, format_path
from muster.armies.fields import spell_out_lines
from muster.armies.vocabulary import Citation
from muster.languages import say_number
from muster.problems import Location
from muster.systems import System
from muster.yamlfile import KeyPath

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class RuleReference:
    """The rule behind a finding: the title of a chapter, and lines of the source as `L9-11`.

    A system of one's own has no source to cite: `source` is empty then.
    """

    chapter: str
    source: str = ""

    def __str__(self) -> str:
        """Return both in words: `Groups, line 125 of the source`."""
        return spell_out_lines(", ".join(part for part in (self.chapter, self.source) if part))


def reference_of(system: System, citation: Citation | None) -> RuleReference:
    """Return the rule that a composition cites; an empty one if it cites none."""
    if citation is None:
        return RuleReference("")
    return RuleReference(system.chapter(citation.chapter).title, citation.source)


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that an army breaks, or something that cannot be judged.

    `code` is stable; the wording of the rest may change. `key_path` leads from the node to the
    key that is wrong, if it is a single key. The line and column are looked up on demand.
    """

    severity: Severity
    code: str
    node: Node
    message: str
    allowed: str
    actual: str
    rule: RuleReference
    remedy: str
    army: Army = field(repr=False)
    key_path: KeyPath = ()

    @property
    def path(self) -> str:
        """The path of the node: `commands[0].units[1]`; `army` for the whole army."""
        return format_path(self.node.path)

    @property
    def label(self) -> str:
        """The title and name of the node; the name of the army for the whole army."""
        return self.army.name if not self.node.path else self.node.label

    @property
    def location(self) -> Location:
        """The file, line and column, both counted from 1."""
        return self.army.document.locate((*self.node.path, *self.key_path))

    def as_json(self) -> dict[str, Any]:
        """Return the keys that `muster check --format json` promises for a finding."""
        location = self.location
        return {
            "severity": self.severity,
            "code": self.code,
            "path": self.path,
            "file": location.file,
            "line": location.line,
            "column": location.column,
            "message": self.message,
            "allowed": self.allowed,
            "actual": self.actual,
            "rule": {"chapter": self.rule.chapter, "source": self.rule.source},
            "remedy": self.remedy,
        }


class PriceLine(NamedTuple):
    """The price of one node, `count` times over.

    `each` and `points` are None if part of the price is unknown; `known` is the part of the points
    that is known. `working` shows the arithmetic.
    """

    node: Node
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not used
    each: Decimal | None
    points: Decimal | None
    known: Decimal
    working: str

    @property
    def path(self) -> str:
        """The path of the node, as text."""
        return format_path(self.node.path)

    @property
    def label(self) -> str:
        """The title and name of the node."""
        return self.node.label

    @property
    def points_each(self) -> str:
        """The points of one, as its card shows them; empty if part of the price is unknown."""
        return "" if self.each is None else say_number("{n} point", "{n} points", self.each)


@dataclass(frozen=True, slots=True)
class Price:
    """The price of an army. In a system without points the total is None, not 0.

    `missing` names what has no known price and is not in the total.
    """

    total: Decimal | None
    lines: tuple[PriceLine, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking an army: its findings in the order of the file, and its price."""

    army: Army
    findings: tuple[Finding, ...]
    price: Price

    @property
    def legal(self) -> bool:
        """Whether there are no errors; warnings do not count."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def points(self) -> Decimal | None:
        """The total points; None in a system without points."""
        return self.price.total

    def as_json(self) -> dict[str, Any]:
        """Return one element of the list that `muster check --format json` prints."""
        return {
            "file": self.army.document.file,
            "army": self.army.name,
            "system": self.army.system.id,
            "legal": self.legal,
            "points": points_as_json(self.price.total),
            "limit": points_as_json(self.army.limit),
            "lines": [
                {
                    "path": line.path,
                    "label": line.label,
                    "count": line.count,
                    "each": points_as_json(line.each),
                    "points": points_as_json(line.points),
                    "how": line.working,
                }
                for line in self.price.lines
            ],
            "findings": [finding.as_json() for finding in self.findings],
        }


def points_as_json(points: Decimal | None) -> int | float | None:
    """Return points as a JSON number; whole points are an integer."""
    if points is None:
        return None
    return int(points) if points == points.to_integral_value() else float(points)
