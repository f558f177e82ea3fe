"""Owns the checks: for each kind of constraint, what it counts and when it is broken.

Does not go through an army; `tally` does, and hands each check its numbers, and `demands`, which
hands each translation its sums. Beside each check stands its translation for a solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from generator.armies.checks.alike import (
    alike,
    alike_demand,
    alike_measures,
    variety,
    variety_demand,
    variety_measures,
)
from generator.armies.checks.available import available, available_demand
from generator.armies.checks.count import count, count_demand, count_measures
from generator.armies.checks.only_if import only_if, only_if_demand
from generator.armies.checks.scope import Fault, Measure, Place, Scope
from generator.armies.checks.share import share, share_demand, share_measures
from generator.armies.checks.together import (
    excludes,
    excludes_demand,
    excludes_measures,
    requires,
    requires_demand,
    requires_measures,
)
from generator.armies.sort import Sort

Judge = Callable[[Any, Scope], Fault | None]

MEASURES: Mapping[str, Callable[[Any], tuple[Measure, ...]]] = {
    "count": count_measures,
    "share": share_measures,
    "alike": alike_measures,
    "variety": variety_measures,
    "requires": requires_measures,
    "excludes": excludes_measures,
}
"""What each kind wants to have counted in its scope, in the order in which its check reads it."""

JUDGES: Mapping[str, Judge] = {
    "count": count,
    "share": share,
    "alike": alike,
    "variety": variety,
    "requires": requires,
    "excludes": excludes,
}
"""The check of each kind that counts."""

ALONE: Mapping[str, Callable[[Any, Sort], Fault | None]] = {
    "only-if": only_if,
    "available": available,
}
"""The check of each kind that needs no count and is asked of each sort of node."""

DEMANDS: Mapping[str, Callable[[Any, Place], None]] = {
    "count": count_demand,
    "share": share_demand,
    "alike": alike_demand,
    "variety": variety_demand,
    "requires": requires_demand,
    "excludes": excludes_demand,
    "only-if": only_if_demand,
    "available": available_demand,
}
"""The translation of each kind, for a solver."""

__all__ = ["ALONE", "DEMANDS", "JUDGES", "MEASURES", "Fault", "Judge", "Measure", "Place", "Scope"]
