"""Owns the check on attribute filters: whether anything can have the values that they name.

Does not know what is filtered; constraints, cards and tables all filter alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.armies.possible import Prospects
from generator.reading import Document, did_you_mean
from generator.systems.flaw import Flaw

Path = tuple[str | int, ...]
NOTHING = "none"
"""What a filter of a card writes for an attribute that is not there."""


def where_flaws(
    prospects: Prospects, document: Document, where: Mapping[str, Sequence[str]], path: Path
) -> Iterator[Flaw]:
    """Warn of values that nothing in reach can have; a book of somebody else's might."""
    for name, wanted in where.items():
        found = [prospects.of(entry, name) for entry in prospects.composition.written.entries]
        if any(each.open_ended for each in found) or name not in prospects.names:
            continue
        known = frozenset[str]().union(*(each.values for each in found))
        for place, value in enumerate(wanted):
            if value not in known and value != NOTHING:
                text = f"nothing can have {name} {value!r}{did_you_mean(value, known)}"
                code = "unknown-value"
                problem = document.problem(code, text, (*path, name, place))
                yield Flaw("error" if name in {"type", "level"} else "warning", problem)
