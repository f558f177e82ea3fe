"""The data of a rulebook's cover: what is drawn in which colours, or the edition's own picture."""

from __future__ import annotations

from dataclasses import dataclass

from muster.systems import System
from muster.systems.pictures import Picture
from muster.systems.rulebook_edition import Edition
from muster.systems.symbols import house_symbols


@dataclass(frozen=True, slots=True)
class CoverLook:
    """What a cover is drawn from: a scene, three colours, and the outlines of its symbols."""

    scene: str = "rays"
    accent: str = "#16181c"
    light: str = "#efe3c2"
    signal: str = "#b8382b"
    ornament: str = ""
    arms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover of a book: its look, and the pictures that the edition has for it."""

    look: CoverLook = CoverLook()
    picture: Picture | None = None
    """The picture on the front, instead of a drawing."""
    logo: Picture | None = None
    text: str = ""
    """What stands on the back."""


def gather_cover(
    system: System, edition: Edition, picture: Picture | None, logo: Picture | None
) -> Cover:
    """Return the cover of an edition, in its own colours as far as it has any."""
    look, own = system.identity.look, edition.cover
    return Cover(
        CoverLook(
            own.scene or look.cover,
            own.accent or look.accent,
            own.light or look.light,
            own.signal or look.signal,
            look.ornament,
            tuple(house_symbols()[arm] for arm in look.arms),
        ),
        picture,
        logo,
        own.text or "",
    )
