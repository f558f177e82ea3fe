"""Read the ICC colour profile of the press that an edition is printed on."""

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
"""The size of the largest profile that is read; those in use have up to 9 MB."""

_HEADER_BYTES = 132
_CLASS, _COLOUR_SPACE, _SIGNATURE = slice(12, 16), slice(16, 20), slice(36, 40)
"""The fields in the header of an ICC profile that say what it is (ICC.1:2022, 7.2)."""


@dataclass(frozen=True, slots=True, repr=False)
class PressProfile:
    """A colour profile: the name of its file without the ending, and its bytes."""

    name: str
    data: bytes

    def __repr__(self) -> str:
        # The hash stands for the bytes, so that the text is short and changes with them.
        return f"PressProfile({self.name!r}, {sha256(self.data).hexdigest()})"


def read_press_profile(system: System, edition: Edition) -> PressProfile | None:
    """Return the profile `editions/<profile>.icc` of a system; None if the edition names none.

    Raises:
        MusterError: If there is no such file, or it is not the profile of a press for CMYK.
    """
    if edition.profile is None:
        return None
    name = f"{edition.profile}.icc"
    document = system.document("editions", f"{edition.id}.yaml")
    try:
        path = system.folder / "editions" / name
        data = read_bytes(path, name, _MOST_BYTES, within=system.folder)
    except MusterError as error:
        texts = "; ".join(problem.text for problem in error.problems)
        problem = document.problem("no-profile", f"editions/{name}: {texts}", ("profile",))
        raise MusterError([problem]) from None
    is_complete = len(data) >= _HEADER_BYTES and int.from_bytes(data[:4], "big") == len(data)
    if not is_complete or data[_SIGNATURE] != b"acsp":
        text = f"editions/{name} is not a complete ICC profile"
    elif data[_CLASS] != b"prtr" or data[_COLOUR_SPACE] != b"CMYK":
        device_class = data[_CLASS].decode("latin-1").strip()
        colour_space = data[_COLOUR_SPACE].decode("latin-1").strip()
        text = (
            f"editions/{name}: read a profile of class {device_class!r} for {colour_space}, "
            "expected the profile of a press: class 'prtr' for CMYK"
        )
    else:
        return PressProfile(edition.profile, data)
    raise MusterError([document.problem("no-profile", text, ("profile",))])
