"""Owns the comparison of parts that are mappings and lists: composition, books, errata, identity.

Does not know what the parts mean but for what people call them; `compare` says which are compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.comparing.change import Change, Kind, Part, compared, said
from generator.comparing.matching import Item, Matched, align, leaves, match

_TITLES = ("title", "message", "label", "printed")
_MOST_IN_LINE = 160

_NAMED_PARTS = {"fields", "profile", "leaders"}
"""Mappings of which every key is an id of the author's own."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a part stands: under which heading, what sort of part, its ids, its place in words."""

    heading: str
    part: Part
    at: tuple[str, ...]
    place: tuple[str, ...] = ()

    def below(self, key: str, word: str = "", part: Part | None = None) -> Spot:
        """Go one step on; *word* is what people read there, if not the key."""
        place = (*self.place, word or key)
        return replace(self, at=(*self.at, key), place=place, part=part or self.part)

    def change(self, kind: Kind, old: str = "", new: str = "") -> Change:
        """Make a change here."""
        return Change(kind, self.part, self.heading, self.at, self.place, old, new)


def title_of(value: Any, key: str = "") -> str:
    """Give what people call a part: its title or message, else its id."""
    if isinstance(value, Mapping):
        for name in _TITLES:
            if isinstance(value.get(name), str):
                return str(value[name])
        return str(value.get("id", key))
    return key


def item_of(value: Mapping[str, Any], key: str = "") -> Item:
    """Give a part as it is matched."""
    return Item(str(value.get("id", key)), title_of(value, key), leaves(value))


def short(value: Any) -> str:
    """Write a part in a line of bearable length: of an erratum, what is read."""
    text = said(value["read"] if isinstance(value, Mapping) and "read" in value else value)
    return text if len(text) <= _MOST_IN_LINE else f"{text[: _MOST_IN_LINE - 1]}…"


def compare_values(spot: Spot, old: Any, new: Any) -> Iterator[Change]:
    """Compare two values that stand at one place."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from compare_mappings(spot, old, new)
    elif isinstance(old, list) and isinstance(new, list) and _nested(old) and _nested(new):
        yield from _lists(spot, old, new)
    else:
        yield compared(spot.change("changed"), old, new)


def _nested(value: list[Any]) -> bool:
    return all(isinstance(each, Mapping) for each in value)


def compare_mappings(
    spot: Spot, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Change]:
    """Compare key by key, in the order of the new edition; an `id` is for who matched them."""
    for key in dict.fromkeys([*new, *old]):
        if key == "id":
            continue
        part: Part | None = "cost" if key in ("price", "pricing") else None
        there = spot.below(key, part=part)
        if key in _NAMED_PARTS:
            there = replace(spot, at=there.at, part="field")
            yield from compare_parts(there, _named(old.get(key)), _named(new.get(key)))
        elif key not in old:
            yield there.change("added", new=short(new[key]))
        elif key not in new:
            yield there.change("removed", old=short(old[key]))
        else:
            yield from compare_values(there, old[key], new[key])


def _named(value: Any) -> list[dict[str, Any]]:
    """Make a list of parts with ids of a mapping, each key being an id."""
    if not isinstance(value, Mapping):
        return []
    return [
        {"id": key, **(each if isinstance(each, Mapping) else {"value": each})}
        for key, each in value.items()
    ]


def compare_parts(
    spot: Spot,
    old: Sequence[Mapping[str, Any]],
    new: Sequence[Mapping[str, Any]],
    *,
    ordered: bool = True,
    found: Matched | None = None,
) -> Iterator[Change]:
    """Compare two lists of parts that have ids.

    Args:
        spot: Where the list stands; the part of each change is its part.
        old: The old parts.
        new: The new parts.
        ordered: Whether the order of the list says anything.
        found: Which is which, where that is known; else by id and likeness.
    """
    if found is None:
        found = match([item_of(each) for each in old], [item_of(each) for each in new])
    for was, now in found.pairs:
        before, after = old[was], new[now]
        there = _at(spot, after)
        if before.get("id") != after.get("id"):
            yield there.change("renamed", str(before.get("id", "")), str(after.get("id", "")))
        yield from compare_mappings(there, before, after)
    for was in found.removed:
        yield _at(spot, old[was]).change("removed", old=short(_without_id(old[was])))
    for now in found.added:
        yield _at(spot, new[now]).change("added", new=short(_without_id(new[now])))
    if ordered:
        for now in found.moved():
            yield moved(_at(spot, new[now]), [title_of(each) for each in new], now)


def moved(spot: Spot, titles: Sequence[str], now: int) -> Change:
    """Say that a part stands elsewhere in its list: behind which other."""
    return spot.change("moved", new=f"behind {titles[now - 1]}" if now else "to the front")


def _at(spot: Spot, value: Mapping[str, Any]) -> Spot:
    return spot.below(str(value.get("id", "")), title_of(value))


def _without_id(value: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what the place says already: the id, and the title."""
    title = title_of(value)
    return {key: each for key, each in value.items() if key != "id" and each != title}


def _lists(spot: Spot, old: list[Any], new: list[Any]) -> Iterator[Change]:
    """Compare lists of parts without ids: what is the same in both stays, the rest in turn."""
    if all("id" in each for each in (*old, *new)):
        yield from compare_parts(spot, old, new)
        return
    before = [json.dumps(each, sort_keys=True) for each in old]
    after = [json.dumps(each, sort_keys=True) for each in new]
    for way, a, b, c, d in align(before, after):
        if way == "equal":
            continue
        both = min(b - a, d - c)
        for n in range(both):
            there = spot.below(str(c + n), _numbered(new[c + n], c + n))
            yield from compare_values(there, old[a + n], new[c + n])
        for n in range(a + both, b):
            yield spot.below(str(n), _numbered(old[n], n)).change("removed", old=short(old[n]))
        for n in range(c + both, d):
            yield spot.below(str(n), _numbered(new[n], n)).change("added", new=short(new[n]))


def _numbered(value: Any, place: int) -> str:
    """Name a part without an id: by its title, else by its number from 1."""
    return title_of(value) or str(place + 1)
