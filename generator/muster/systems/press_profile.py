"""The ICC colour profile of the press that an edition is printed on."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from muster.problems import MusterError
from muster.yamlfile.textfile import read_bytes

if TYPE_CHECKING:
    from muster.systems.rulebook_edition import Edition
    from muster.systems.system import System

_MOST_BYTES = 16 * 1024 * 1024
"""Bytes of the largest profile; those in use have up to 9 MB."""

_HEADER_BYTES = 132
_CLASS, _INKS, _SIGNATURE = slice(12, 16), slice(16, 20), slice(36, 40)
"""Where an ICC profile's header says what it is (ICC.1:2022, 7.2)."""


@dataclass(frozen=True, slots=True, repr=False)
class PressProfile:
    """A colour profile: its file's name without ending, and its bytes."""

    name: str
    data: bytes

    def __repr__(self) -> str:
        return f"Profile({self.name!r}, {sha256(self.data).hexdigest()})"


def read_press_profile(system: System, edition: Edition) -> PressProfile | None:
    """Read `editions/<profile>.icc` of a system, if the edition names one.

    Raises:
        MusterError: If there is no such file, or it is no profile of a press with four inks.
    """
    if edition.profile is None:
        return None
    name = f"{edition.profile}.icc"
    document = system.document("editions", f"{edition.id}.yaml")
    try:
        data = read_bytes(system.folder / "editions" / name, name, _MOST_BYTES)
    except MusterError as error:
        texts = "; ".join(problem.text for problem in error.problems)
        found = document.problem("no-profile", f"editions/{name}: {texts}", ("profile",))
        raise MusterError([found]) from None
    whole = len(data) >= _HEADER_BYTES and int.from_bytes(data[:4], "big") == len(data)
    if not whole or data[_SIGNATURE] != b"acsp":
        text = f"editions/{name} is no ICC profile, or only a part of one"
    elif data[_CLASS] != b"prtr" or data[_INKS] != b"CMYK":
        kind, inks = (data[part].decode("latin-1").strip() for part in (_CLASS, _INKS))
        text = (
            f"editions/{name}: read a profile of class {kind!r} for {inks}, expected one of a "
            "press: class 'prtr' for CMYK"
        )
    else:
        return PressProfile(edition.profile, data)
    raise MusterError([document.problem("no-profile", text, ("profile",))])
