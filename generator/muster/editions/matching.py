"""Match the parts of two editions by id or likeness, and record the ids that changed."""

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
"""The likeness from which on a part under another id counts as the same part, renamed."""

_LABEL_WEIGHT, _CONTENT_WEIGHT, _NEIGHBOUR_WEIGHT = 0.5, 0.4, 0.1
_FULL_WEIGHT_FROM = 3
"""The number of values from which on they have their full weight: one is easily equal by chance."""

_MAX_PAIRS = 10_000
"""The pairs above which parts are matched by id alone, since comparing all takes too long."""

_MAX_EXACT = 1500
"""The texts of both lists together, up to which they are aligned by `SequenceMatcher`."""

_MAX_LABEL_CHARS = 200


@dataclass(frozen=True, slots=True)
class MatchItem:
    """A part to be matched: its id, its label, and all values in it as texts."""

    id: str
    label: str
    leaves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Matching:
    """The pairs of equal parts in an old and a new list, by their places in the lists.

    Attributes:
        pairs: The (old, new) places of parts in both lists, in the order of the new one.
        removed: The places of parts in the old list alone.
        added: The places of parts in the new list alone.
    """

    pairs: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]

    def moved(self) -> tuple[int, ...]:
        """Return the places in the new list of the parts that moved, as few as possible."""
        in_order = longest_increasing([old for old, _ in self.pairs])
        return tuple(new for n, (_, new) in enumerate(self.pairs) if n not in in_order)


def match_items(old: Sequence[MatchItem], new: Sequence[MatchItem]) -> Matching:
    """Pair two lists of parts: first by id, then the rest by likeness, the most similar first."""
    places = {key: n for n, key in enumerate(_numbered_ids([item.id for item in old]))}
    pairs: dict[int, int] = {}
    for n, key in enumerate(_numbered_ids([item.id for item in new])):
        if key in places:
            pairs[n] = places.pop(key)
    unmatched_old = sorted(places.values())
    unmatched_new = [n for n in range(len(new)) if n not in pairs]
    by_likeness = _match_by_likeness(old, new, unmatched_old, unmatched_new)
    pairs.update({new_place: old_place for old_place, new_place in by_likeness})
    matched_old = set(pairs.values())
    return Matching(
        tuple((pairs[n], n) for n in sorted(pairs)),
        tuple(n for n in unmatched_old if n not in matched_old),
        tuple(n for n in unmatched_new if n not in pairs),
    )


def _numbered_ids(ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Number equal ids, which a saved edition may have, so that each is unique."""
    seen: Counter[str] = Counter()
    for key in ids:
        yield key, seen[key]
        seen[key] += 1


def _match_by_likeness(
    old: Sequence[MatchItem],
    new: Sequence[MatchItem],
    old_places: Sequence[int],
    new_places: Sequence[int],
) -> Iterator[tuple[int, int]]:
    if len(old_places) * len(new_places) > _MAX_PAIRS:
        return
    scored = []
    for old_place in old_places:
        for new_place in new_places:
            beside = _has_same_neighbour(old, new, old_place, new_place)
            score = likeness(old[old_place], new[new_place], beside=beside)
            if score >= MIN_LIKENESS:
                scored.append((-score, old_place, new_place))
    matched_old: set[int] = set()
    matched_new: set[int] = set()
    for _, old_place, new_place in sorted(scored):
        if old_place not in matched_old and new_place not in matched_new:
            matched_old.add(old_place)
            matched_new.add(new_place)
            yield old_place, new_place


def likeness(old: MatchItem, new: MatchItem, *, beside: bool = False) -> float:
    """Return how similar two parts are, from 0 to 1.

    Args:
        old: A part of the old list.
        new: A part of the new list.
        beside: Whether both stand next to the same part.
    """
    if old.label and old.label == new.label:
        return 1.0 if old.leaves == new.leaves else 0.9
    common = sum((Counter(old.leaves) & Counter(new.leaves)).values())
    longer = max(len(old.leaves), len(new.leaves))
    share = common / longer if longer else 0.0
    content = (
        _CONTENT_WEIGHT * min(1.0, longer / _FULL_WEIGHT_FROM) * share + _NEIGHBOUR_WEIGHT * beside
    )
    if content + _LABEL_WEIGHT < MIN_LIKENESS:
        return content  # Even equal labels would not be enough.
    return _LABEL_WEIGHT * _label_likeness(old.label, new.label) + content


def _label_likeness(old: str, new: str) -> float:
    if old == new:
        return 1.0
    old_band, new_band = _parse_band(old), _parse_band(new)
    if old_band is not None and new_band is not None:
        return 0.95 if _overlap(old_band, new_band) else 0.0
    old, new = old[:_MAX_LABEL_CHARS].lower(), new[:_MAX_LABEL_CHARS].lower()
    return SequenceMatcher(None, old, new, autojunk=False).ratio()


def _parse_band(text: str) -> Band | None:
    """Read a label as a band, if it is one.

    The labels of two bands may differ in one character and still share no number, so bands are
    compared by their ends and not by their text.
    """
    try:
        return Band.parse(text.replace("−", "-").replace("–", "-"))
    except BadBand:
        return None


def is_band(text: str) -> bool:
    """Return whether a label is a band of numbers."""
    return _parse_band(text) is not None


def _overlap(one: Band, other: Band) -> bool:
    def before(a: Band, b: Band) -> bool:
        return a.high is not None and b.low is not None and a.high < b.low

    return not before(one, other) and not before(other, one)


def _has_same_neighbour(
    old: Sequence[MatchItem], new: Sequence[MatchItem], old_place: int, new_place: int
) -> bool:
    return any(_id_at(old, old_place + step) == _id_at(new, new_place + step) for step in (-1, 1))


def _id_at(items: Sequence[MatchItem], place: int) -> str:
    """Return the id at a place, or an empty string beyond either end of the list."""
    return items[place].id if 0 <= place < len(items) else ""


def longest_increasing(numbers: Sequence[int]) -> set[int]:
    """Return the places of a longest strictly increasing subsequence."""
    # For each length, the smallest number that ends a subsequence of it, and that number's place.
    ends: list[int] = []
    end_places: list[int] = []
    predecessors: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        end_places[length : length + 1] = [place]
        predecessors.append(end_places[length - 1] if length else -1)
    subsequence: set[int] = set()
    place = end_places[-1] if end_places else -1
    while place >= 0:
        subsequence.add(place)
        place = predecessors[place]
    return subsequence


Opcode = tuple[str, int, int, int, int]
"""A tag, `equal` or another, then start and end in the old list, and start and end in the new."""


_MATCHES_PER_WORD = 20
"""Pairs of equal words for each word, up to which texts are compared word by word."""


def is_comparable(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether `SequenceMatcher` compares two lists of words in good time.

    It looks at every pair of equal words. In prose a few words are frequent; in a text of two
    words only, pairs would grow with the square of the length.
    """
    counts = Counter(new)
    pairs = sum(number * counts[word] for word, number in Counter(old).items())
    return pairs <= _MATCHES_PER_WORD * (len(old) + len(new) + 50)


def align(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return the opcodes that turn one list of texts into another, as `SequenceMatcher` does.

    Long lists are aligned by the texts that both hold, which is fast; the opcodes of equal
    stretches are left out then.
    """
    if len(old) + len(new) <= _MAX_EXACT:
        return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    opcodes: list[Opcode] = []
    old_start = new_start = 0
    for old_place, new_place in [*_pair_equal(old, new), (len(old), len(new))]:
        if old_start < old_place or new_start < new_place:
            opcodes.append(("replace", old_start, old_place, new_start, new_place))
        old_start, new_start = old_place + 1, new_place + 1
    return opcodes


def _pair_equal(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair equal texts, the first with the first, leaving out those in another order."""
    places = {key: n for n, key in enumerate(_numbered_ids(old))}
    pairs = [(places[key], n) for n, key in enumerate(_numbered_ids(new)) if key in places]
    in_order = longest_increasing([old_place for old_place, _ in pairs])
    return [pair for n, pair in enumerate(pairs) if n in in_order]


def leaf_texts(value: Any) -> tuple[str, ...]:
    """Return all values in a part except its own id, each as `key=value`."""
    return tuple(_walk_leaves(value, "", top=True))


def _walk_leaves(value: Any, key: str, *, top: bool = False) -> Iterator[str]:
    match value:
        case Mapping():
            for name, inner in value.items():
                if not (top and name == "id"):
                    yield from _walk_leaves(inner, str(name))
        case list() | tuple():
            for inner in value:
                yield from _walk_leaves(inner, key)
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
"""The keys that refer to another part, and the category of part that each names."""


@dataclass(slots=True)
class Renames:
    """The ids of the old edition that were changed in the new one.

    Attributes:
        ids: The new id by category and old id. The categories of rows and columns name their
            table's old id, too: `rows of movement`.
        tables: The ids of all old tables, to recognise one when prose names it.
    """

    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)

    def record(self, category: str, old: str, new: str) -> None:
        """Record the new id of a part, if it is another one."""
        if old != new:
            self.ids.setdefault(category, {})[old] = new

    def new_id(self, category: str, old: str) -> str:
        """Return the id that a part has in the new edition."""
        return self.ids.get(category, {}).get(old, old)

    def translate(self, value: Any) -> Any:
        """Return a part of the old edition with all its references to other parts renamed."""
        if not self.ids:
            return value
        return self._translate(value)

    def _translate(self, value: Any) -> Any:
        match value:
            case Mapping():
                return self._translate_mapping(value)
            case list():
                return [self._translate(item) for item in value]
        return value

    def _translate_mapping(self, part: Mapping[str, Any]) -> dict[str, Any]:
        table = part.get("table")
        translated: dict[str, Any] = {}
        for key, value in part.items():
            if isinstance(table, str) and key in ("table", "row", "column"):
                category = "tables" if key == "table" else f"{key}s of {table}"
                translated[key] = self._translate_id(category, value)
            elif key in _REFERENCE_KEYS:
                translated[key] = self._translate_ids(_REFERENCE_KEYS[key], value)
            else:
                translated[key] = self._translate(value)
        return translated

    def _translate_ids(self, category: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self._translate_ids(category, item) for item in value]
        return self._translate_id(category, value)

    def _translate_id(self, category: str, value: Any) -> Any:
        """Return the new id if the value is one; anything else is translated as a part."""
        return self.new_id(category, value) if isinstance(value, str) else self._translate(value)

    def translate_prose(self, text: str) -> str:
        """Return a paragraph with the tables and chapters in its braces renamed."""
        if not self.ids or "{" not in text:
            return text
        return _DIRECTIVE.sub(self._translate_directive, text)

    def _translate_directive(self, directive: re.Match[str]) -> str:
        verb, arguments = directive[1], directive[2]
        if verb == "chapter":
            renamed = _ID.sub(lambda id_: self.new_id("chapters", id_[0]), arguments, count=1)
            return f"{{{verb}:{renamed}}}"
        words = arguments.partition("|")[0].split()
        table = next((word for word in words if _ID.fullmatch(word) and word in self.tables), "")

        def translate_key(key: re.Match[str]) -> str:
            return f"{key[1]}={self.new_id(f'{key[1]}s of {table}', key[2])}"

        translated = _KEY.sub(translate_key, arguments)
        new = self.new_id("tables", table)
        if table and new != table:
            name = rf"(?<![\w=-]){re.escape(table)}(?![\w-])"
            translated = re.sub(name, new, translated, count=1)
        return f"{{{verb}:{translated}}}"
