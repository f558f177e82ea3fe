"""The result of checking an army: findings, price and verdict, and their JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from muster.armies.army import Army, KeyPath, Node, format_path
from muster.armies.fields import format_number
from muster.problems import Location

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class RuleReference:
    """What a finding rests on: the title of a chapter, and lines of the source."""

    chapter: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found. `code` is stable; the wording of the rest may improve.

    `spot` is the key of the node that is at fault, if it is one key; the line and column are
    looked up only when somebody asks.
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
        """The node's place: `commands[0].units[1]`; `army` for the whole."""
        return format_path(self.node.path)

    @property
    def label(self) -> str:
        """The node in words."""
        return self.army.name if not self.node.path else self.node.label

    @property
    def location(self) -> Location:
        """The file, and the line and column from 1."""
        return self.army.document.locate((*self.node.path, *self.key_path))

    def as_json(self) -> dict[str, Any]:
        """Give the keys that `muster check --format json` promises."""
        where = self.location
        return {
            "severity": self.severity,
            "code": self.code,
            "path": self.path,
            "file": where.file,
            "line": where.line,
            "column": where.column,
            "message": self.message,
            "allowed": self.allowed,
            "actual": self.actual,
            "rule": {"chapter": self.rule.chapter, "source": self.rule.source},
            "remedy": self.remedy,
        }


class PriceLine(NamedTuple):
    """What one node costs, `count` times over. Without a full price `points` is None.

    `known` is the part of the points that is known; `how` shows the arithmetic.
    """

    node: Node
    count: int  # type: ignore[assignment]  # nobody counts in a line as in a tuple
    each: Decimal | None
    points: Decimal | None
    known: Decimal
    working: str

    @property
    def path(self) -> str:
        """The node's place."""
        return format_path(self.node.path)

    @property
    def label(self) -> str:
        """The node in words."""
        return self.node.label

    @property
    def points_each(self) -> str:
        """The points of one, for its card; empty without a full price."""
        if self.each is None:
            return ""
        return f"{format_number(self.each)} point{'' if self.each == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Price:
    """What an army costs. A system without points has no total: not 0.

    `missing` names what has no price and is not in the total.
    """

    total: Decimal | None
    lines: tuple[PriceLine, ...] = ()
    missing: tuple[str, ...] = ()

    def known_below(self, path: KeyPath) -> Decimal:
        """Add up what is known of the lines of a node and of all below it."""
        own = (line.known for line in self.lines if line.node.path[: len(path)] == path)
        return sum(own, Decimal(0))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What there is to say of an army: findings as they stand in the file, and the price."""

    army: Army
    findings: tuple[Finding, ...]
    price: Price

    @property
    def legal(self) -> bool:
        """Tell whether there is no error; warnings do not count."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def points(self) -> Decimal | None:
        """The total."""
        return self.price.total

    def as_json(self) -> dict[str, Any]:
        """Give one element of what `muster check --format json` prints."""
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
    """Give points as JSON knows numbers: whole ones without a point."""
    if points is None:
        return None
    return int(points) if points == points.to_integral_value() else float(points)
