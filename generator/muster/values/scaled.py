"""A value that differs by the scale of the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from muster.values.value import BadValue, Value

MIN_SCALES = 2


class BadScaled(BadValue):
    """Raised when a mapping of scales names too few of them, or an unknown one."""

    form = "a value for each of two or more scales"
    sample = '{15mm: 6", 25mm: 9"}'


@dataclass(frozen=True, slots=True)
class Scaled:
    """A value per scale id, in the order written; the order does not matter to equality.

    It has no `parse`, since the meaning of its texts depends on a form: `read_cell` makes it.
    """

    by_scale: Mapping[str, Value]

    def __post_init__(self) -> None:
        """Take a copy that nobody else can change.

        Raises:
            BadScaled: If there are fewer than two scales.
        """
        if len(self.by_scale) < MIN_SCALES:
            raise BadScaled(str(self))
        object.__setattr__(self, "by_scale", MappingProxyType(dict(self.by_scale)))

    def at(self, scale: str) -> Value:
        """Return the value at one scale.

        Raises:
            KeyError: If the value does not name that scale.
        """
        return self.by_scale[scale]

    def __contains__(self, scale: object) -> bool:
        return scale in self.by_scale

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_scale)

    def __len__(self) -> int:
        return len(self.by_scale)

    def __hash__(self) -> int:
        return hash(frozenset(self.by_scale.items()))

    def __reduce__(self) -> tuple[type[Scaled], tuple[dict[str, Value]]]:
        """Return what pickle needs: a plain mapping, since a mapping proxy cannot be pickled."""
        return Scaled, (dict(self.by_scale),)

    def __str__(self) -> str:
        return "{" + ", ".join(f"{scale}: {value}" for scale, value in self._items()) + "}"

    def show(self) -> str:
        """Return each value after the id of its scale: `15mm: 6″, 25mm: 9″`."""
        return ", ".join(f"{scale}: {value.show()}" for scale, value in self._items())

    def _items(self) -> list[tuple[str, Value]]:
        return list(self.by_scale.items())
