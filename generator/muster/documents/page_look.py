"""The data of the look of a system's pages: its colour, masthead, ornament and arms."""

from __future__ import annotations

from dataclasses import dataclass

from muster.systems import System
from muster.systems.symbols import house_symbols


@dataclass(frozen=True, slots=True)
class PageLook:
    """What tells the pages of a system apart: the outlines of its ornament and arms, its colour.

    `masthead` is `rule`, `band`, `double`, `tab` or `frieze`.
    """

    accent: str = "#16181c"
    masthead: str = "rule"
    ornament: str = ""
    arms: tuple[str, ...] = ()


PLAIN_LOOK = PageLook()
"""The look of a system that says nothing of it."""


def gather_look(system: System) -> PageLook:
    """Return what tells the pages of a system apart."""
    look = system.identity.look
    arms = tuple(house_symbols()[arm] for arm in look.arms)
    return PageLook(look.accent, look.masthead, look.ornament, arms)
