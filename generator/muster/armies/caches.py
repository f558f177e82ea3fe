"""What is worked out once from an object and kept beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Kept = TypeVar("Kept")
Owner = TypeVar("Owner")


class Cache:
    """Objects that other modules have worked out, at most one of each class.

    The classes are those of modules further up, which the owner of the cache cannot import.
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        """Begin empty."""
        self._kept: dict[type, object] = {}

    def get_or_make(
        self, kept_class: type[Kept], make: Callable[[Owner], Kept], owner: Owner
    ) -> Kept:
        """Return the object of a class, made from the owner of the cache if there is none yet."""
        kept = self._kept.get(kept_class)
        if isinstance(kept, kept_class):
            return kept
        made = self._kept[kept_class] = make(owner)
        return made
