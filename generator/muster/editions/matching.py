"""Match the parts of two editions by id or likeness, and keep the ids that changed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from muster.values import BadBand, Band

MIN_LIKENESS = 0.7
"""A likeness from which on a part under another id is the same part, renamed."""

_LABEL_WEIGHT, _CONTENT_WEIGHT, _NEIGHBOUR_WEIGHT = 0.5, 0.4, 0.1
_FULL_WEIGHT_FROM = 3
"""From so many values on, what a part holds has its full weight: one value is soon the same."""

_MAX_PAIRS = 10_000
_MAX_EXACT = 1500
_MAX_LABEL_CHARS = 200


@dataclass(frozen=True, slots=True)
class MatchItem:
    """A part as it is matched: its id, what people call it, and all that it holds."""

    id: str
    label: str
    leaves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Matching:
    """Places in the old and the new list: pairs in the new order, and what stands in one only."""

    pairs: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]

    def moved(self) -> tuple[int, ...]:
        """Give the fewest places in the new list that stand in another order than before."""
        kept = longest_increasing([old for old, _ in self.pairs])
        return tuple(new for n, (_, new) in enumerate(self.pairs) if n not in kept)


def match_items(old: Sequence[MatchItem], new: Sequence[MatchItem]) -> Matching:
    """Pair two lists: first by id, then what is left by likeness, the likest first."""
    places = {key: n for n, key in reversed(list(_numbered_ids(old)))}
    pairs: dict[int, int] = {}
    for n, key in _numbered_ids(new):
        if key in places:
            pairs[n] = places.pop(key)
    left = sorted(places.values())
    fresh = [n for n in range(len(new)) if n not in pairs]
    pairs.update({now: was for was, now in _match_by_likeness(old, new, left, fresh)})
    taken = set(pairs.values())
    return Matching(
        tuple((pairs[n], n) for n in sorted(pairs)),
        tuple(n for n in left if n not in taken),
        tuple(n for n in fresh if n not in pairs),
    )


def _numbered_ids(items: Sequence[MatchItem]) -> Iterator[tuple[int, tuple[str, int]]]:
    """Number what has the same id, as a saved edition may have."""
    seen: Counter[str] = Counter()
    for n, item in enumerate(items):
        yield n, (item.id, seen[item.id])
        seen[item.id] += 1


def _match_by_likeness(
    old: Sequence[MatchItem], new: Sequence[MatchItem], left: Sequence[int], fresh: Sequence[int]
) -> Iterator[tuple[int, int]]:
    if len(left) * len(fresh) > _MAX_PAIRS:
        return
    scored = []
    for was in left:
        for now in fresh:
            beside = _has_same_neighbour(old, new, was, now)
            score = likeness(old[was], new[now], beside=beside)
            if score >= MIN_LIKENESS:
                scored.append((-score, was, now))
    gone: set[int] = set()
    taken: set[int] = set()
    for _, was, now in sorted(scored):
        if was not in gone and now not in taken:
            gone.add(was)
            taken.add(now)
            yield was, now


def likeness(old: MatchItem, new: MatchItem, *, beside: bool = False) -> float:
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
    content = (
        _CONTENT_WEIGHT * min(1.0, most / _FULL_WEIGHT_FROM) * shared + _NEIGHBOUR_WEIGHT * beside
    )
    if content + _LABEL_WEIGHT < MIN_LIKENESS:
        return content  # However alike the labels are, it is not enough.
    return _LABEL_WEIGHT * _label_likeness(old.label, new.label) + content


def _label_likeness(old: str, new: str) -> float:
    if old == new:
        return 1.0
    bands = _parse_band(old), _parse_band(new)
    if bands[0] is not None and bands[1] is not None:
        return 0.95 if _overlap(bands[0], bands[1]) else 0.0
    old, new = old[:_MAX_LABEL_CHARS].lower(), new[:_MAX_LABEL_CHARS].lower()
    return SequenceMatcher(None, old, new, autojunk=False).ratio()


def _parse_band(text: str) -> Band | None:
    """Read a label as a band: those differ in one sign and mean something else, or overlap."""
    try:
        return Band.parse(text.replace("−", "-").replace("–", "-"))
    except BadBand:
        return None


def is_band(text: str) -> bool:
    """Tell whether a label is a band of numbers."""
    return _parse_band(text) is not None


def _overlap(one: Band, other: Band) -> bool:
    def before(a: Band, b: Band) -> bool:
        return a.high is not None and b.low is not None and a.high < b.low

    return not before(one, other) and not before(other, one)


def _has_same_neighbour(
    old: Sequence[MatchItem], new: Sequence[MatchItem], was: int, now: int
) -> bool:
    return any(_id_at(old, was + step) == _id_at(new, now + step) for step in (-1, 1))


def _id_at(items: Sequence[MatchItem], place: int) -> str:
    """Give the id at a place; both ends of a list are alike."""
    return items[place].id if 0 <= place < len(items) else ""


def longest_increasing(numbers: Sequence[int]) -> set[int]:
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


Opcode = tuple[str, int, int, int, int]
"""`equal` or another word, then from where to where in the old list, and in the new."""


def align(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Find what two lists of texts have in common, in order; as `SequenceMatcher` tells it.

    Long lists are aligned by texts that stand in both, which takes no time to speak of.
    """
    if len(old) + len(new) <= _MAX_EXACT:
        return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    pairs = _pair_equal(old, new)
    steps: list[Opcode] = []
    a = c = 0
    for was, now in [*pairs, (len(old), len(new))]:
        if a < was or c < now:
            steps.append(("replace", a, was, c, now))
        a, c = was + 1, now + 1
    return steps


def _pair_equal(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair equal texts, the first with the first, as far as they stand in the same order."""
    items = [[MatchItem(text, "") for text in each] for each in (old, new)]
    places = {key: n for n, key in _numbered_ids(items[0])}
    found = [(places[key], n) for n, key in _numbered_ids(items[1]) if key in places]
    kept = longest_increasing([was for was, _ in found])
    return [pair for n, pair in enumerate(found) if n in kept]


def leaf_texts(value: Any) -> tuple[str, ...]:
    """List all that a part holds, but for its own id, each with the key that it stands at."""
    return tuple(_walk_leaves(value, "", top=True))


def _walk_leaves(value: Any, key: str, *, top: bool = False) -> Iterator[str]:
    match value:
        case Mapping():
            for name, each in value.items():
                if not (top and name == "id"):
                    yield from _walk_leaves(each, str(name))
        case list() | tuple():
            for each in value:
                yield from _walk_leaves(each, key)
        case _:
            yield f"{key}={value}"


_DIRECTIVE = re.compile(r"\{([A-Za-z]+):([^{}]*)\}")
_ID = re.compile(r"(?<![a-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)*(?![a-z0-9-])")
_KEY = re.compile(r"\b(row|column)=([^\s|]+)")

_REFERENCE_KEYS = {
    "chapter": "chapters",
    "level": "levels",
    "within": "levels",
    "under": "levels",
    "entry": "entries",
    "type": "entries",
    "options": "options",
}
"""The keys that refer to another part, and to which sort of part."""


@dataclass(slots=True)
class Renames:
    """Old id -> new id, by the sort of part; rows and columns by their table's old id too."""

    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    """The ids of the old tables, to know one when it is named."""

    def record(self, sort: str, old: str, new: str) -> None:
        """Keep a rename."""
        if old != new:
            self.ids.setdefault(sort, {})[old] = new

    def new_id(self, sort: str, old: str) -> str:
        """Give the id of today."""
        return self.ids.get(sort, {}).get(old, old)

    def translate(self, value: Any) -> Any:
        """Tell a part of the old edition in the new ids, wherever it refers to others."""
        if not self.ids:
            return value
        return self._told(value)

    def _told(self, value: Any) -> Any:
        match value:
            case Mapping():
                return self._mapping(value)
            case list():
                return [self._told(each) for each in value]
        return value

    def _mapping(self, found: Mapping[str, Any]) -> dict[str, Any]:
        table = found.get("table")
        told: dict[str, Any] = {}
        for key, value in found.items():
            if isinstance(table, str) and key in ("table", "row", "column"):
                sort = "tables" if key == "table" else f"{key}s of {table}"
                told[key] = (
                    self.new_id(sort, value) if isinstance(value, str) else self._told(value)
                )
            elif key in _REFERENCE_KEYS and isinstance(value, str | list):
                told[key] = self._named(_REFERENCE_KEYS[key], value)
            else:
                told[key] = self._told(value)
        return told

    def _named(self, sort: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self._named(sort, each) for each in value]
        return self.new_id(sort, value) if isinstance(value, str) else self._told(value)

    def translate_prose(self, text: str) -> str:
        """Tell a paragraph in the new ids: what stands in braces names tables and chapters."""
        if not self.ids or "{" not in text:
            return text
        return _DIRECTIVE.sub(self._directive, text)

    def _directive(self, found: re.Match[str]) -> str:
        verb, rest = found[1], found[2]
        if verb == "chapter":
            renamed = _ID.sub(lambda each: self.new_id("chapters", each[0]), rest, count=1)
            return f"{{{verb}:{renamed}}}"
        words = rest.partition("|")[0].split()
        table = next((word for word in words if _ID.fullmatch(word) and word in self.tables), "")

        def key(each: re.Match[str]) -> str:
            return f"{each[1]}={self.new_id(f'{each[1]}s of {table}', each[2])}"

        told = _KEY.sub(key, rest)
        new = self.new_id("tables", table)
        if table and new != table:
            told = re.sub(rf"(?<![\w=-]){re.escape(table)}(?![\w-])", new, told, count=1)
        return f"{{{verb}:{told}}}"
