"""Owns `muster build --changes-since OLD`: which older edition the books of a build look back to.

Does not compare; `documents.since` does, when a book is gathered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from generator.cli import show
from generator.cli.diff import SideError, side
from generator.pipeline.request import Older

if TYPE_CHECKING:
    from generator.cli.diff import Side
    from generator.systems import Library


def older_editions(word: str, systems: Sequence[str], shelf: Library) -> Older:
    """Read the older edition of each system, as pairs of a system's id and JSON.

    Args:
        word: A folder, an exported file or `REVISION:FOLDER`, of one system; or a revision, of
            which every system is asked for.
        systems: The systems that are built; none named means all.
        shelf: The systems in reach.

    Raises:
        SideError: If there is no such edition, or it is of none of the systems.
        MusterError: If it cannot be read.
    """
    wanted = list(systems or shelf.systems())
    with ExitStack() as stack:
        found = {each.data["system"]["id"]: each for each in _sides(word, wanted, shelf, stack)}
    kept = [(key, json.dumps(found[key].data)) for key in wanted if key in found]
    if not kept:
        text = f"{word} is an edition of {', '.join(found) or 'nothing'}, which is not built here"
        raise SideError(text)
    return tuple(kept)


def _sides(word: str, wanted: list[str], shelf: Library, stack: ExitStack) -> Iterator[Side]:
    try:
        yield side(word, None, shelf, stack)
    except SideError:
        if ":" in word:
            raise
    else:
        return
    faults: list[SideError] = []
    for key in wanted:
        try:
            yield side(word, key, shelf, stack)
        except SideError as fault:
            faults.append(fault)
            show.note(f"{key}: {fault.message}; its books say nothing of changes")
    if len(faults) == len(wanted):
        raise faults[0]
