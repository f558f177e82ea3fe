"""Owns which part of the old edition is which of the new: by id, else by what it says.

Does not compare the parts that it pairs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from generator.values import BadBand, Band

ENOUGH = 0.7
"""A likeness from which on a part under another id is the same part, renamed."""

_LABEL, _CONTENT, _BESIDE = 0.5, 0.4, 0.1
_FULL_WEIGHT = 3
"""From so many values on, what a part holds has its full weight: one value is soon the same."""

_MOST_PAIRS = 10_000
_MOST_EXACT = 1500
_LONGEST_LABEL = 200


@dataclass(frozen=True, slots=True)
class Item:
    """A part as it is matched: its id, what people call it, and all that it holds."""

    id: str
    label: str
    leaves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Matched:
    """Places in the old and the new list: pairs in the new order, and what stands in one only."""

    pairs: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]

    def moved(self) -> tuple[int, ...]:
        """Give the fewest places in the new list that stand in another order than before."""
        kept = longest_rising([old for old, _ in self.pairs])
        return tuple(new for n, (_, new) in enumerate(self.pairs) if n not in kept)


def match(old: Sequence[Item], new: Sequence[Item]) -> Matched:
    """Pair two lists: first by id, then what is left by likeness, the likest first."""
    places = {key: n for n, key in reversed(list(_keys(old)))}
    pairs: dict[int, int] = {}
    for n, key in _keys(new):
        if key in places:
            pairs[n] = places.pop(key)
    left = sorted(places.values())
    fresh = [n for n in range(len(new)) if n not in pairs]
    pairs.update({now: was for was, now in _renamed(old, new, left, fresh)})
    taken = set(pairs.values())
    return Matched(
        tuple((pairs[n], n) for n in sorted(pairs)),
        tuple(n for n in left if n not in taken),
        tuple(n for n in fresh if n not in pairs),
    )


def _keys(items: Sequence[Item]) -> Iterator[tuple[int, tuple[str, int]]]:
    """Number what has the same id, as a saved edition may have."""
    seen: Counter[str] = Counter()
    for n, item in enumerate(items):
        yield n, (item.id, seen[item.id])
        seen[item.id] += 1


def _renamed(
    old: Sequence[Item], new: Sequence[Item], left: Sequence[int], fresh: Sequence[int]
) -> Iterator[tuple[int, int]]:
    if len(left) * len(fresh) > _MOST_PAIRS:
        return
    scored = []
    for was in left:
        for now in fresh:
            beside = _beside(old, new, was, now)
            score = likeness(old[was], new[now], beside=beside)
            if score >= ENOUGH:
                scored.append((-score, was, now))
    gone: set[int] = set()
    taken: set[int] = set()
    for _, was, now in sorted(scored):
        if was not in gone and now not in taken:
            gone.add(was)
            taken.add(now)
            yield was, now


def likeness(old: Item, new: Item, *, beside: bool = False) -> float:
    """Tell how alike two parts are, from 0 to 1.

    Args:
        old: The one.
        new: The other.
        beside: Whether they stand beside the same part.
    """
    if old.label and old.label == new.label:
        return 1.0 if old.leaves == new.leaves else 0.9
    both = sum((Counter(old.leaves) & Counter(new.leaves)).values())
    most = max(len(old.leaves), len(new.leaves))
    shared = both / most if most else 0.0
    content = _CONTENT * min(1.0, most / _FULL_WEIGHT) * shared + _BESIDE * beside
    if content + _LABEL < ENOUGH:
        return content  # However alike the labels are, it is not enough.
    return _LABEL * _label_likeness(old.label, new.label) + content


def _label_likeness(old: str, new: str) -> float:
    if old == new:
        return 1.0
    bands = _band(old), _band(new)
    if bands[0] is not None and bands[1] is not None:
        return 0.95 if _overlap(bands[0], bands[1]) else 0.0
    old, new = old[:_LONGEST_LABEL].lower(), new[:_LONGEST_LABEL].lower()
    return SequenceMatcher(None, old, new, autojunk=False).ratio()


def _band(text: str) -> Band | None:
    """Read a label as a band: those differ in one sign and mean something else, or overlap."""
    try:
        return Band.parse(text.replace("−", "-").replace("–", "-"))
    except BadBand:
        return None


def is_band(text: str) -> bool:
    """Tell whether a label is a band of numbers."""
    return _band(text) is not None


def _overlap(one: Band, other: Band) -> bool:
    def before(a: Band, b: Band) -> bool:
        return a.high is not None and b.low is not None and a.high < b.low

    return not before(one, other) and not before(other, one)


def _beside(old: Sequence[Item], new: Sequence[Item], was: int, now: int) -> bool:
    return any(_id(old, was + step) == _id(new, now + step) for step in (-1, 1))


def _id(items: Sequence[Item], place: int) -> str:
    """Give the id at a place; both ends of a list are alike."""
    return items[place].id if 0 <= place < len(items) else ""


def longest_rising(numbers: Sequence[int]) -> set[int]:
    """Give the places of a longest run that rises."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for n, number in enumerate(numbers):
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
        places[at : at + 1] = [n]
        before.append(places[at - 1] if at else -1)
    kept: set[int] = set()
    at = places[-1] if places else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return kept


Step = tuple[str, int, int, int, int]
"""`equal` or another word, then from where to where in the old list, and in the new."""


def align(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    """Find what two lists of texts have in common, in order; as `SequenceMatcher` tells it.

    Long lists are aligned by texts that stand in both, which takes no time to speak of.
    """
    if len(old) + len(new) <= _MOST_EXACT:
        return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    pairs = _common(old, new)
    steps: list[Step] = []
    a = c = 0
    for was, now in [*pairs, (len(old), len(new))]:
        if a < was or c < now:
            steps.append(("replace", a, was, c, now))
        a, c = was + 1, now + 1
    return steps


def _common(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair equal texts, the first with the first, as far as they stand in the same order."""
    items = [[Item(text, "") for text in each] for each in (old, new)]
    places = {key: n for n, key in _keys(items[0])}
    found = [(places[key], n) for n, key in _keys(items[1]) if key in places]
    kept = longest_rising([was for was, _ in found])
    return [pair for n, pair in enumerate(found) if n in kept]


def leaves(value: Any) -> tuple[str, ...]:
    """List all that a part holds, but for its own id, each with the key that it stands at."""
    return tuple(_leaves(value, "", top=True))


def _leaves(value: Any, key: str, *, top: bool = False) -> Iterator[str]:
    match value:
        case Mapping():
            for name, each in value.items():
                if not (top and name == "id"):
                    yield from _leaves(each, str(name))
        case list() | tuple():
            for each in value:
                yield from _leaves(each, key)
        case _:
            yield f"{key}={value}"
