"""Owns what a rulebook says of an older edition: the bars, and the list of what changed.

Does not compare and does not read the older edition: its data are handed in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.comparing.compare import compare
from generator.comparing.edition import edition_data
from generator.documents.bars import Bars, bars_of
from generator.documents.changes import Changes, Edition, gather_changes
from generator.systems import System


@dataclass(frozen=True, slots=True)
class Since:
    """What changed since an edition: nothing, and no list, if a book is to say nothing of it."""

    bars: Bars = field(default_factory=Bars)
    changes: Changes | None = None


def since(system: System, old: str) -> Since:
    """Compare a system with an older edition of it.

    Args:
        system: The system as it is now.
        old: The older edition as JSON, such as `muster export` writes; empty if there is none.

    Raises:
        MusterError: If a part of the system cannot be read.
    """
    if not old:
        return Since()
    before, new = json.loads(old), edition_data(system)
    found = compare(before, new)
    # An id is never printed: that it is another one now is nothing to a reader.
    seen = [change for change in found.changes if change.kind != "renamed"]
    sides = _edition(before), _edition(new)
    return Since(bars_of(seen), gather_changes(sides, seen, found.missing, None))


def _edition(data: Mapping[str, Any]) -> Edition:
    """Name an edition by itself: a book does not say from which folder another was read."""
    said = data["system"]
    language = (data.get("identity") or {}).get("language", "en")
    return Edition(said["title"], said["edition"], "", said["source"], language)
