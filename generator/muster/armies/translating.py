"""Bring the file of a translation up to date with the texts of its system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from muster.armies.system_texts import PlacedText
from muster.systems import System
from muster.systems.po_files import new_catalog, parse_catalog, update_catalog, write_catalog
from muster.yamlfile import read_text


class UpdatedTranslation(NamedTuple):
    """The new contents of a translation's file, and how many entries it has of each kind."""

    data: bytes
    translated: int
    doubtful: int
    missing: int
    obsolete: int


def update_translation(
    system: System, language: str, texts: Sequence[PlacedText], path: Path, shown_as: str
) -> UpdatedTranslation:
    """Return what the file of a translation holds for the texts of its system.

    New texts come without a translation, or with that of a text that is nearly the same, marked
    as doubtful (`fuzzy`). Entries whose text is gone are kept at the end of the file (`#~`).

    Args:
        system: The system.
        language: The language, such as `de`.
        texts: Its texts, in the order that the file is to have.
        path: The file, which may not exist yet.
        shown_as: What messages call it.

    Raises:
        MusterError: If the file exists and cannot be read.
    """
    if path.exists():
        text = read_text(path, shown_as=shown_as, within=system.folder)
        catalog = parse_catalog(text, shown_as)
    else:
        catalog = new_catalog(system.title, system.identity.edition, language)
    places: dict[str, list[str]] = {}
    for each in texts:
        places.setdefault(each.text, []).append(each.place)
    update_catalog(catalog, places)
    messages = [message for message in catalog if message.id]
    doubtful = sum(message.fuzzy for message in messages)
    translated = sum(bool(message.string) and not message.fuzzy for message in messages)
    missing = len(messages) - translated - doubtful
    return UpdatedTranslation(
        write_catalog(catalog), translated, doubtful, missing, len(catalog.obsolete)
    )
