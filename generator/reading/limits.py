"""Owns how much a file may hold, and whether data that was kept keeps to it.

Does not read files; `loading` stops at these limits, with words and a place.
"""

from __future__ import annotations

from typing import Any, Final

DEEPEST: Final = 20
"""Levels of lists and mappings within each other, aliases followed."""
MOST_ALIASES: Final = 100
MOST_NODES: Final = 100_000
"""Keys, values, lists and mappings of a file, each counted as often as aliases repeat it."""
LONGEST: Final = 20_000
"""Characters of the longest key or value."""
MOST_PROBLEMS: Final = 100
"""Faults of one file that are told; a file with more was never meant to be read."""

_MOST_CHARACTERS: Final = 4 * 1024 * 1024
"""Characters of data that is kept; aliases can make much of a small file."""


def within(data: Any) -> bool:
    """Tell whether data is of the shape that `loading` gives, and small enough to be kept."""
    nodes = characters = 0
    level = [data]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for each in level:
            if type(each) is dict:
                texts = [*each, *each.values()]
            elif type(each) is list:
                texts = each
            else:
                return False
            nodes += len(texts)
            for text in texts:
                if type(text) is str:
                    characters += len(text)
                    if len(text) > LONGEST:
                        return False
                else:
                    below.append(text)
            if nodes > MOST_NODES or characters > _MOST_CHARACTERS:
                return False
        if not below:
            return True
        level = below
    return False
