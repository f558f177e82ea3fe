"""Owns the names of a drafted army: those of its book, then plain numbers.

Does not name the army itself and chooses no unit.
"""

from __future__ import annotations

import random
from collections import Counter

from generator.armies.themes import noun_of
from generator.armies.words import upper
from generator.solving.draft_draw import Command, Node
from generator.solving.draft_kit import Kit


def ordinal(number: int) -> str:
    """Count in words: `1st`, `2nd`, `11th`."""
    tens, ones = divmod(number % 100, 10)
    ending = "th" if tens == 1 else {1: "st", 2: "nd", 3: "rd"}.get(ones, "th")
    return f"{number}{ending}"


class Namer:
    """Names units, leaders and bodies one after the other; no name is given twice."""

    def __init__(self, kit: Kit, root: Command, seed: int) -> None:
        self.kit = kit
        self.counts: Counter[str] = Counter()
        self.bodies = Counter(_bodies(root))
        self.left: dict[str, list[str]] = {}
        chance = random.Random(f"names {seed}")  # noqa: S311 - no secret
        if kit.book is not None:
            for key, names in kit.book.names.items():
                self.left[key] = list(names)
                chance.shuffle(self.left[key])

    def unit(self, node: Node) -> str:
        """Name a unit: by its book, by its type in the book, or by a number."""
        own = self.listed(node)
        if own:
            return own
        noun = noun_of(self.kit.drafting.nouns, node.sort) or node.sort.title
        return self.numbered(noun)

    def listed(self, node: Node) -> str:
        """Take the next name that the book has for a unit or leader; empty if there is none."""
        entry = node.sort.entry
        for key in (node.type, entry.id if entry is not None else ""):
            if self.left.get(key):
                return self.left[key].pop()
        return ""

    def body(self, command: Command) -> str:
        """Name a body: by its noun, with a number where there are several."""
        noun = command.body.name
        if not noun:
            return ""
        if self.bodies[noun] == 1:
            return upper(noun)
        return self.numbered(noun)

    def numbered(self, noun: str) -> str:
        """Give the next number of a noun."""
        self.counts[noun] += 1
        return f"{ordinal(self.counts[noun])} {noun}"


def _bodies(command: Command) -> list[str]:
    return [name for each in command.below for name in (each.body.name, *_bodies(each))]
