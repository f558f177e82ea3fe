"""Owns what a check on content finds: a problem and how grave it is.

Does not look for any; the `lint` modules do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from generator.problems import Problem

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong with content: an error is never printed over, a warning may be meant."""

    severity: Severity
    problem: Problem


def errors(problems: Iterable[Problem]) -> list[Flaw]:
    """Make every problem an error."""
    return [Flaw("error", problem) for problem in problems]


def warning(problem: Problem) -> Flaw:
    """Make a problem a warning."""
    return Flaw("warning", problem)


def in_order(flaws: Iterable[Flaw]) -> list[Flaw]:
    """Sort flaws by file and place, each once."""

    def place(flaw: Flaw) -> tuple[str, int, int, str, str]:
        where = flaw.problem.location
        problem = flaw.problem
        return where.file, where.line or 0, where.column or 0, problem.code, problem.text

    return sorted(dict.fromkeys(flaws), key=place)
