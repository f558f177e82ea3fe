"""Owns what `muster check --room` prints: what could still be added to a legal army.

Does not find it; `solving.room` does.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from generator.cli import show

if TYPE_CHECKING:
    from generator.solving.room import Fit, Room


def tell(room: Room | None) -> None:
    """Print what fits, a line for each sort of unit and each option."""
    if room is None:
        show.result("room: none until the army is legal; see `muster repair`")
        return
    left = "" if room.left is None else f": {_plain(room.left)} points left"
    show.result(f"room{left}")
    if not room.fits and not room.buys:
        show.result("  nothing more fits")
    rows = [(fit.what.title, _counted(fit), _newly(fit)) for fit in room.fits]
    for line in show.aligned(rows):
        show.result(f"  {line}")
    for buy in room.buys:
        number = f"{len(buy.units)} entries" if len(buy.units) > 1 else "1 entry"
        show.result(f"  {buy.option.title}: {number} ({', '.join(buy.units)})")


def _counted(fit: Fit) -> str:
    """Say how many more fit, of the smallest size and of the largest."""
    from generator.solving.room import FAR

    small = _many(fit.most_smallest)
    if not fit.smallest:
        return f"{small} more"
    text = f"{small} more of {fit.smallest}"
    if fit.largest == fit.smallest:
        return text
    if fit.largest >= FAR:
        return f"{text} or larger"
    return f"{text}, {_many(fit.most_largest)} of {fit.largest}"


def _many(number: int) -> str:
    from generator.solving.room import MANY

    return "any number" if number >= MANY else str(number)


def _newly(fit: Fit) -> str:
    return "in a new command" if fit.newly else ""


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def as_json(room: Room | None) -> dict[str, Any] | None:
    """Give what fits as `muster check --room --format json` prints it; null if not legal."""
    if room is None:
        return None
    from generator.armies.findings import number

    return {
        "left": number(room.left),
        "units": [
            {
                "unit": fit.what.id,
                "label": fit.what.title,
                "smallest": {"size": fit.smallest or None, "count": fit.most_smallest},
                "largest": {"size": fit.largest or None, "count": fit.most_largest},
                "new-command": fit.newly,
            }
            for fit in room.fits
        ],
        "options": [{"option": buy.option.id, "units": list(buy.units)} for buy in room.buys],
    }
