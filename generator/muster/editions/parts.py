"""Compare the parts of two editions that are mappings, lists or texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from muster.editions.change import Change, ChangeKind, PartKind, fill_change, format_value
from muster.editions.matching import Matching, MatchItem, align, leaf_texts, match_items

_TITLE_KEYS = ("title", "message", "label", "printed")
_MAX_LINE_CHARS = 160

_KEYED_BY_ID = {"fields", "profile", "leaders"}
"""Mappings of which every key is an id of the author's own."""


@dataclass(frozen=True, slots=True)
class DiffContext:
    """Where a part stands: under which heading, what sort of part, its ids, its place in words."""

    heading: str
    part: PartKind
    at: tuple[str, ...]
    place: tuple[str, ...] = ()

    def below(self, key: str, word: str = "", part: PartKind | None = None) -> DiffContext:
        """Go one step on; *word* is what people read there, if not the key."""
        place = (*self.place, word or key)
        return replace(self, at=(*self.at, key), place=place, part=part or self.part)

    def change(self, kind: ChangeKind, old: str = "", new: str = "") -> Change:
        """Make a change here."""
        return Change(kind, self.part, self.heading, self.at, self.place, old, new)


def part_title(value: Any, key: str = "") -> str:
    """Give what people call a part: its title or message, else its id."""
    if isinstance(value, Mapping):
        for name in _TITLE_KEYS:
            if isinstance(value.get(name), str):
                return str(value[name])
        return str(value.get("id", key))
    return key


def match_item(value: Mapping[str, Any], key: str = "") -> MatchItem:
    """Give a part as it is matched."""
    return MatchItem(str(value.get("id", key)), part_title(value, key), leaf_texts(value))


def format_short(value: Any) -> str:
    """Write a part in a line of bearable length: of an erratum, what is read."""
    text = format_value(value["read"] if isinstance(value, Mapping) and "read" in value else value)
    return text if len(text) <= _MAX_LINE_CHARS else f"{text[: _MAX_LINE_CHARS - 1]}…"


def compare_values(spot: DiffContext, old: Any, new: Any) -> Iterator[Change]:
    """Compare two values that stand at one place."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from compare_mappings(spot, old, new)
    elif (
        isinstance(old, list)
        and isinstance(new, list)
        and _all_mappings(old)
        and _all_mappings(new)
    ):
        yield from _compare_lists(spot, old, new)
    else:
        yield fill_change(spot.change("changed"), old, new)


def _all_mappings(value: list[Any]) -> bool:
    return all(isinstance(each, Mapping) for each in value)


def compare_mappings(
    spot: DiffContext, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Change]:
    """Compare key by key, in the order of the new edition; an `id` is for who matched them."""
    for key in dict.fromkeys([*new, *old]):
        if key == "id":
            continue
        part: PartKind | None = "cost" if key in ("price", "pricing") else None
        there = spot.below(key, part=part)
        if key in _KEYED_BY_ID:
            there = replace(spot, at=there.at, part="field")
            yield from compare_parts(
                there, _parts_from_mapping(old.get(key)), _parts_from_mapping(new.get(key))
            )
        elif key not in old:
            yield there.change("added", new=format_short(new[key]))
        elif key not in new:
            yield there.change("removed", old=format_short(old[key]))
        else:
            yield from compare_values(there, old[key], new[key])


def _parts_from_mapping(value: Any) -> list[dict[str, Any]]:
    """Make a list of parts with ids of a mapping, each key being an id."""
    if not isinstance(value, Mapping):
        return []
    return [
        {"id": key, **(each if isinstance(each, Mapping) else {"value": each})}
        for key, each in value.items()
    ]


def compare_parts(
    spot: DiffContext,
    old: Sequence[Mapping[str, Any]],
    new: Sequence[Mapping[str, Any]],
    *,
    ordered: bool = True,
    found: Matching | None = None,
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
        found = match_items([match_item(each) for each in old], [match_item(each) for each in new])
    for was, now in found.pairs:
        before, after = old[was], new[now]
        there = _part_context(spot, after)
        if before.get("id") != after.get("id"):
            yield there.change("renamed", str(before.get("id", "")), str(after.get("id", "")))
        yield from compare_mappings(there, before, after)
    for was in found.removed:
        yield _part_context(spot, old[was]).change(
            "removed", old=format_short(_without_id(old[was]))
        )
    for now in found.added:
        yield _part_context(spot, new[now]).change("added", new=format_short(_without_id(new[now])))
    if ordered:
        for now in found.moved():
            yield moved_change(
                _part_context(spot, new[now]), [part_title(each) for each in new], now
            )


def moved_change(spot: DiffContext, titles: Sequence[str], now: int) -> Change:
    """Say that a part stands elsewhere in its list: behind which other."""
    return spot.change("moved", new=f"behind {titles[now - 1]}" if now else "to the front")


def _part_context(spot: DiffContext, value: Mapping[str, Any]) -> DiffContext:
    return spot.below(str(value.get("id", "")), part_title(value))


def _without_id(value: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what the place says already: the id, and the title."""
    title = part_title(value)
    return {key: each for key, each in value.items() if key != "id" and each != title}


def _compare_lists(spot: DiffContext, old: list[Any], new: list[Any]) -> Iterator[Change]:
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
            there = spot.below(str(c + n), _title_or_number(new[c + n], c + n))
            yield from compare_values(there, old[a + n], new[c + n])
        for n in range(a + both, b):
            yield spot.below(str(n), _title_or_number(old[n], n)).change(
                "removed", old=format_short(old[n])
            )
        for n in range(c + both, d):
            yield spot.below(str(n), _title_or_number(new[n], n)).change(
                "added", new=format_short(new[n])
            )


def _title_or_number(value: Any, place: int) -> str:
    """Name a part without an id: by its title, else by its number from 1."""
    return part_title(value) or str(place + 1)


_MIN_SIMILARITY = 0.4
"""From so many words in common on, of all, a paragraph is the same one, rewritten."""

_MAX_PAIRS = 2500
_MAX_HEADING_CHARS = 40


@dataclass(frozen=True, slots=True)
class _TextPair:
    """A text of the old edition, of the new, or of both; the places are None where it lacks."""

    was: int | None
    now: int | None


def compare_texts(spot: DiffContext, old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """Compare two lists of texts. A text is told by its number in the list that it stands in."""
    heads = _heading_places(old), _heading_places(new)
    for step in _pair_texts(old, new):
        if step.was is None and step.now is not None:
            there = _text_context(spot, step.now, new, heads[1])
            yield there.change("added", new=new[step.now].strip())
        elif step.now is None and step.was is not None:
            there = _text_context(spot, step.was, old, heads[0])
            yield there.change("removed", old=old[step.was].strip())
        elif step.was is not None and step.now is not None:
            there = _text_context(spot, step.now, new, heads[1])
            before, after = old[step.was], new[step.now]
            if before.strip() == after.strip():
                before, after = _show_indent(before), _show_indent(after)
            yield fill_change(there.change("changed"), before.strip(), after.strip())


def _show_indent(text: str) -> str:
    """Say where a paragraph belongs to whose words are the same."""
    inside = text.startswith(" ")
    return f"{'(inside a panel) ' if inside else ''}{text.strip()}"


def _heading_places(texts: Sequence[str]) -> list[int]:
    """Give for each text the place of the heading that it stands under; -1 if there is none."""
    last = -1
    found = []
    for place, text in enumerate(texts):
        if text.startswith("#"):
            last = place
        found.append(last)
    return found


def _text_context(
    spot: DiffContext, place: int, texts: Sequence[str], heads: Sequence[int]
) -> DiffContext:
    """Name a text: by the heading that it stands under, and its number from 1 below that."""
    above = heads[place]
    what = spot.place[-1] if spot.place else "paragraph"
    heading = texts[above].lstrip("# ")[:_MAX_HEADING_CHARS] if above >= 0 else ""
    word = "heading" if above == place else f"{what} {place - above}"
    words = (*spot.place[:-1], *([heading] if heading else []), word)
    return replace(spot, at=(*spot.at, str(place + 1)), place=words)


def _pair_texts(old: Sequence[str], new: Sequence[str]) -> Iterator[_TextPair]:
    for way, a, b, c, d in align(old, new):
        if way == "equal":
            continue
        pairs = dict(_pair_rewritten(old[a:b], new[c:d]))
        last = a
        for now in range(c, d):
            was = pairs.get(now - c)
            if was is None:
                yield _TextPair(None, now)
                continue
            for gone in range(last, a + was):
                yield _TextPair(gone, None)
            yield _TextPair(a + was, now)
            last = a + was + 1
        for gone in range(last, b):
            yield _TextPair(gone, None)


def _pair_rewritten(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pair texts that were rewritten, in order: new place -> old place."""
    if len(old) * len(new) > _MAX_PAIRS:
        return
    first = 0
    for now, text in enumerate(new):
        scored = [(_similarity(old[was], text), -was) for was in range(first, len(old))]
        if scored and max(scored)[0] >= _MIN_SIMILARITY:
            was = -max(scored)[1]
            yield now, was
            first = was + 1


def _similarity(old: str, new: str) -> float:
    if len(old) + len(new) > 20_000:  # noqa: PLR2004 - the longest chapter in one paragraph
        return 1.0
    return SequenceMatcher(None, old.split(), new.split(), autojunk=False).ratio()


def merge_moves(changes: Sequence[Change]) -> list[Change]:
    """Make one move of a text that is taken away in one place and added in another."""
    gone: dict[str, list[int]] = {}
    for n, change in enumerate(changes):
        if change.part == "paragraph" and change.kind == "removed":
            gone.setdefault(change.old, []).append(n)
    left: set[int] = set()
    kept: dict[int, Change] = dict(enumerate(changes))
    for n, change in enumerate(changes):
        if change.part != "paragraph" or change.kind != "added" or not gone.get(change.new):
            continue
        was = gone[change.new].pop(0)
        left.add(was)
        place = f"{changes[was].heading}, {', '.join(changes[was].place)}"
        kept[n] = replace(change, kind="moved", old=f"from {place}")
    return [change for n, change in kept.items() if n not in left]
