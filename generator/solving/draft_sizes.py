"""Owns how large units are drafted where their system does not say: as the rules allow.

Does not know which sizes are usual: from the least that is allowed to about twice as many.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.armies.fields import FieldValue
from generator.armies.slots import Slot
from generator.armies.solving import Group
from generator.solving.cpsat import Solver, TooHardError
from generator.solving.draft_kit import Kit, What
from generator.solving.freedom import Freedom
from generator.solving.skeleton import Skeleton

_FAR = 200
_MORE = 4
"""As large as a unit is thought of, and by how much the greatest size is over twice the least."""


def size_odds(
    kit: Kit, fields: Mapping[str, FieldValue], what: What, level: str, name: str
) -> dict[str, int]:
    """Give sizes to draw from for a unit; none if no size is allowed.

    Args:
        kit: What there is to draft from.
        fields: What the army itself says.
        what: The unit.
        level: Its level.
        name: The field with its main number.
    """
    key = (getattr(what, "id", ""), name, tuple(sorted(map(str, fields.items()))))
    if key not in kit.sizes:
        kit.sizes[key] = _asked(kit, fields, what, level, name)
    return kit.sizes[key]


def _asked(
    kit: Kit, fields: Mapping[str, FieldValue], what: What, level: str, name: str
) -> dict[str, int]:
    skeleton = Skeleton(kit.composition, book=kit.book, fields=fields)
    above = _chain(kit, skeleton, skeleton.root, level)
    slot = skeleton.unit(above, level, what, Freedom(1, 1, {name: (1, _FAR)}))
    skeleton.demands()

    def own(group: Group) -> bool:
        return group.node is slot

    solver = Solver(skeleton.model, hard=own)
    amount = slot.amounts[name]
    try:
        least, most = solver.ask(least=amount), solver.ask(most=amount)
    except TooHardError:
        return {}
    if least is None or most is None:
        return {}
    low, high = int(least.number(amount)), int(most.number(amount))
    return {str(size): 1 for size in range(low, min(high, 2 * low + _MORE) + 1)}


def _chain(kit: Kit, skeleton: Skeleton, above: Slot, level: str) -> Slot:
    """Give a command that a unit may stand under, with those above it."""
    under = kit.composition.levels[level].under[0]
    if under == kit.composition.top.id:
        return above
    return skeleton.branch(_chain(kit, skeleton, above, under), under, there=True)
