"""Owns the theme that an army is an example of: its own proportions, sizes and fields.

Does not draft; an army drafted by such a theme is near the example in composition, at any limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import ceil, floor

from generator.armies.army import Army, Node
from generator.armies.composition import LEADER
from generator.armies.fields import as_text
from generator.armies.pricing import tag
from generator.armies.themes import Filling, Part, Theme
from generator.armies.vocabulary import FieldSpec, Selector
from generator.solving.freedom import names_of

_AWAY = 2
"""As many parts of a hundred as a share may be away from the example's."""


def like(army: Army, title: str) -> Theme:
    """Make a theme of an army: each of its units is a part, what its nodes say are the fields."""
    units: dict[str, list[Node]] = {}
    leaders: dict[str, list[Node]] = {}
    for node in army.nodes():
        if node.entry is not None and node.level == LEADER:
            leaders.setdefault(node.entry.id, []).append(node)
        elif node.entry is not None:
            units.setdefault(node.sort.text("unit"), []).append(node)
    whole = sum((_worth(node, army) for same in units.values() for node in same), Decimal(0))
    parts = []
    for key, same in units.items():
        share = sum((_worth(node, army) for node in same), Decimal(0)) * 100 / (whole or 1)
        low, high = max(0, floor(share) - _AWAY), min(100, ceil(share) + _AWAY)
        parts.append(Part(of=Selector(where={"unit": [key]}), min=f"{low}%", max=f"{high}%"))
    fillings = [
        *_said(army, [army.root], Selector(level=army.root.level)),
        *(
            each
            for key, same in units.items()
            for each in _said(army, same, Selector(where={"unit": [key]}))
        ),
        *(
            each
            for key, same in leaders.items()
            for each in _said(army, same, Selector(entry=[key]))
        ),
    ]
    return Theme(id="like", title=title, parts=parts, fields=fillings)


def types_in(army: Army) -> frozenset[str]:
    """List the units that an army names."""
    units = (node for node in army.nodes() if node.entry is not None and node.level != LEADER)
    return frozenset(node.sort.text("unit") for node in units)


def _worth(node: Node, army: Army) -> Decimal:
    if not army.composition.prices:
        return Decimal(node.count)
    priced = tag(node.sort)
    return priced.known * node.count if priced is not None else Decimal(0)


def _said(army: Army, nodes: Sequence[Node], of: Selector) -> Iterator[Filling]:
    """Give what nodes of one kind say, each value as often as it is said."""
    asked = names_of(army.composition).compared
    level = army.composition.levels.get(nodes[0].level)
    entry = nodes[0].entry
    specs: dict[str, FieldSpec] = {
        **(level.fields if level is not None else {}),
        **(entry.fields if entry is not None else {}),
    }
    say: dict[str, dict[str, int]] = {}
    for name, spec in specs.items():
        # Names of people and what is rolled are an army's own.
        if spec.roll is not None or (spec.form == "line" and name not in asked):
            continue
        values: Counter[str] = Counter()
        for node in nodes:
            text = as_text(node.sort.fields.get(name)) or spec.default or ""
            values[text] += node.count
        if values[""] == 0 and set(values) != {spec.default}:
            say[name] = dict(values)
    number = sum(node.count for node in nodes)
    taken: Counter[str] = Counter()
    for node in nodes:
        given = node.sort.profile.options if node.sort.profile is not None else ()
        for option in node.sort.options:
            if option not in given:
                taken[option.id] += node.count
    take = {key: f"{many * 100 // number}%" for key, many in taken.items()}
    if say or take:
        yield Filling(of=of, say=say, take=take)
