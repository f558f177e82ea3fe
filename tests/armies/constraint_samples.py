"""One sample of each kind of constraint: a rule for the tiny system, and two armies to judge."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from muster.armies.constraints import AnyConstraint


class ConstraintSample(NamedTuple):
    """A constraint without id, message and citation, an army that keeps it, and one that not."""

    rule: str
    legal: str
    illegal: str


def units(*written: str) -> str:
    """Return the units of an army file, each given as the inside of a mapping."""
    return "units:\n" + "\n".join(f"  - {{{unit}}}" for unit in written)


FOOT = "unit: foot, stands: 3"
HORSE = "unit: horse, stands: 2"

SAMPLES = {
    "count": ConstraintSample(
        "kind: count\nof: {entry: [foot]}\nwithin: army\nmax: 1",
        legal=units(FOOT, HORSE),
        illegal=units(FOOT, FOOT),
    ),
    "share": ConstraintSample(
        "kind: share\npart: {entry: [horse]}\nwhole: {level: unit}\nwithin: army\nmax: 1/3",
        legal=units(FOOT, FOOT, HORSE),
        illegal=units(FOOT, HORSE),
    ),
    "alike": ConstraintSample(
        "kind: alike\nof: {level: unit}\nattribute: arm\nwithin: army",
        legal=units(FOOT, FOOT),
        illegal=units(FOOT, HORSE),
    ),
    "variety": ConstraintSample(
        "kind: variety\nof: {level: unit}\nattribute: drill\nmax: 1\nwithin: army",
        legal=units(FOOT, HORSE),
        illegal=units(FOOT, f"{FOOT}, drill: old"),
    ),
    "requires": ConstraintSample(
        "kind: requires\nof: {entry: [horse]}\nneeds: {entry: [foot]}\nwithin: army",
        legal=units(FOOT, HORSE),
        illegal=units(HORSE),
    ),
    "excludes": ConstraintSample(
        "kind: excludes\nof: {entry: [horse]}\nbars: {entry: [foot]}\nwithin: army",
        legal=units(FOOT, FOOT),
        illegal=units(FOOT, HORSE),
    ),
    "only-if": ConstraintSample(
        "kind: only-if\nof: {options: [pikes]}\nneeds: {entry: [foot]}\nwithin: unit",
        legal=units(f"{FOOT}, options: [pikes]", HORSE),
        illegal=units(f"{HORSE}, options: [pikes]"),
    ),
    "available": ConstraintSample(
        "kind: available\nof: {level: unit}\nwithin: unit\n"
        "cell: {table: sizes, row: {field: type}}",
        legal=units(FOOT),
        illegal=units(HORSE),
    ),
}
"""The sample of each kind, for the tests of its check and of its encoding."""


def kinds_of_constraint() -> set[str]:
    """Return the kinds of the closed vocabulary, as a composition names them."""

    def kind_of(model: Any) -> str:
        return str(get_args(model.model_fields["kind"].annotation)[0])

    return {kind_of(model) for model in get_args(get_args(AnyConstraint)[0])}
