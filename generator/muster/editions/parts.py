"""Compare the parts of two editions that are mappings, lists or texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from muster.editions.change import Change, ChangeKind, PartKind, fill_change, format_value
from muster.editions.matching import (
    Matching,
    MatchItem,
    align,
    is_comparable,
    leaf_texts,
    match_items,
)
from muster.languages import marked, say

_TITLE_KEYS = ("title", "message", "label", "printed")
_MAX_LINE_CHARS = 160

_KEYED_BY_ID = {"fields", "profile", "leaders"}
"""Mappings whose keys are ids that the author chose."""


@dataclass(frozen=True, slots=True)
class DiffContext:
    """The place of a part in an edition.

    Attributes:
        heading: The title under which changes of the part are listed.
        part: What kind of part it is.
        at: The path to it, as ids.
        place: The same path in words.
    """

    heading: str
    part: PartKind
    at: tuple[str, ...]
    place: tuple[str, ...] = ()

    def below(self, key: str, word: str = "", part: PartKind | None = None) -> DiffContext:
        """Return the context one step further in.

        Args:
            key: The id or key of the inner part.
            word: What readers call it; the key if empty.
            part: Its kind, if that is another one.
        """
        place = (*self.place, word or key)
        return replace(self, at=(*self.at, key), place=place, part=part or self.part)

    def change(self, kind: ChangeKind, old: str = "", new: str = "") -> Change:
        """Return a change of this part."""
        return Change(kind, self.part, self.heading, self.at, self.place, old, new)


def part_title(value: Any, key: str = "") -> str:
    """Return the title or message of a part, else its id, else the key."""
    if isinstance(value, Mapping):
        for name in _TITLE_KEYS:
            if isinstance(value.get(name), str):
                return str(value[name])
        return str(value.get("id", key))
    return key


def match_parts(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> Matching:
    """Pair two lists of parts that have ids."""
    return match_items([_match_item(part) for part in old], [_match_item(part) for part in new])


def _match_item(part: Mapping[str, Any]) -> MatchItem:
    return MatchItem(str(part.get("id", "")), part_title(part), leaf_texts(part))


def _format_short(value: Any) -> str:
    """Return a part as one line of at most 160 characters; of an erratum, only what is read."""
    text = format_value(value["read"] if isinstance(value, Mapping) and "read" in value else value)
    return text if len(text) <= _MAX_LINE_CHARS else f"{text[: _MAX_LINE_CHARS - 1]}…"


def compare_values(context: DiffContext, old: Any, new: Any) -> Iterator[Change]:
    """Compare two values that stand in the same place."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from compare_mappings(context, old, new)
    elif _is_list_of_mappings(old) and _is_list_of_mappings(new):
        yield from _compare_lists(context, old, new)
    else:
        yield fill_change(context.change("changed"), old, new)


def _is_list_of_mappings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in value)


def compare_mappings(
    context: DiffContext, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Change]:
    """Compare two mappings key by key, in the order of the new edition.

    The key `id` is skipped: whoever paired the two mappings has compared it already.
    """
    for key in dict.fromkeys([*new, *old]):
        if key == "id":
            continue
        part: PartKind | None = "cost" if key in ("price", "pricing") else None
        inner = context.below(key, part=part)
        if key in _KEYED_BY_ID:
            inner = replace(context, at=inner.at, part="field")
            yield from compare_parts(
                inner, _parts_from_mapping(old.get(key)), _parts_from_mapping(new.get(key))
            )
        elif key not in old:
            yield inner.change("added", new=_format_short(new[key]))
        elif key not in new:
            yield inner.change("removed", old=_format_short(old[key]))
        else:
            yield from compare_values(inner, old[key], new[key])


def _parts_from_mapping(value: Any) -> list[dict[str, Any]]:
    """Return the values of a mapping as a list of parts, each with its key as its id."""
    if not isinstance(value, Mapping):
        return []
    return [
        {"id": key, **(item if isinstance(item, Mapping) else {"value": item})}
        for key, item in value.items()
    ]


def compare_parts(
    context: DiffContext,
    old: Sequence[Mapping[str, Any]],
    new: Sequence[Mapping[str, Any]],
    *,
    ordered: bool = True,
    matching: Matching | None = None,
) -> Iterator[Change]:
    """Compare two lists of parts that have ids.

    Args:
        context: Where the list stands; its kind of part is that of each change.
        old: The old parts.
        new: The new parts.
        ordered: Whether the order of the list has a meaning.
        matching: Which part is which, if that is known; else they are paired here.
    """
    if matching is None:
        matching = match_parts(old, new)
    for old_place, new_place in matching.pairs:
        before, after = old[old_place], new[new_place]
        inner = _part_context(context, after)
        if before.get("id") != after.get("id"):
            yield inner.change("renamed", str(before.get("id", "")), str(after.get("id", "")))
        yield from compare_mappings(inner, before, after)
    for place in matching.removed:
        text = _format_short(_without_name(old[place]))
        yield _part_context(context, old[place]).change("removed", old=text)
    for place in matching.added:
        text = _format_short(_without_name(new[place]))
        yield _part_context(context, new[place]).change("added", new=text)
    if ordered:
        titles = [part_title(part) for part in new]
        for place in matching.moved():
            yield moved_change(_part_context(context, new[place]), titles, place)


def moved_change(context: DiffContext, titles: Sequence[str], place: int) -> Change:
    """Return the change of a part that moved within its list, naming the part before it.

    Args:
        context: Where the part stands.
        titles: The titles of all parts of the new list.
        place: The part's place in that list, from 0.
    """
    return context.change(
        "moved",
        new=say("after {title}", title=titles[place - 1]) if place else say("to the beginning"),
    )


def _part_context(context: DiffContext, part: Mapping[str, Any]) -> DiffContext:
    return context.below(str(part.get("id", "")), part_title(part))


def _without_name(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part without its id and title, which the place of the change names already."""
    title = part_title(part)
    return {key: value for key, value in part.items() if key != "id" and value != title}


def _compare_lists(context: DiffContext, old: list[Any], new: list[Any]) -> Iterator[Change]:
    """Compare two lists of mappings; those without ids are compared in order.

    Runs of equal items are skipped. Between them, old and new items are paired in turn, and
    whatever is left over was removed or added.
    """
    if all("id" in item for item in (*old, *new)):
        yield from compare_parts(context, old, new)
        return
    old_texts = [json.dumps(item, sort_keys=True) for item in old]
    new_texts = [json.dumps(item, sort_keys=True) for item in new]
    for tag, old_start, old_end, new_start, new_end in align(old_texts, new_texts):
        if tag == "equal":
            continue
        paired = min(old_end - old_start, new_end - new_start)
        for n in range(paired):
            before, after = old[old_start + n], new[new_start + n]
            yield from compare_values(_item_context(context, after, new_start + n), before, after)
        for n in range(old_start + paired, old_end):
            inner = _item_context(context, old[n], n)
            yield inner.change("removed", old=_format_short(old[n]))
        for n in range(new_start + paired, new_end):
            inner = _item_context(context, new[n], n)
            yield inner.change("added", new=_format_short(new[n]))


def _item_context(context: DiffContext, item: Any, place: int) -> DiffContext:
    """Return the context of an item without an id: named by its title, else its number from 1."""
    return context.below(str(place), part_title(item) or str(place + 1))


_MIN_SIMILARITY = 0.4
"""The share of common words from which on a paragraph counts as rewritten, not as a new one."""

_MAX_PAIRS = 2500
_MAX_SIMILARITY_CHARS = 20_000
_MAX_HEADING_CHARS = 40


def compare_texts(context: DiffContext, old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """Compare two lists of texts, such as paragraphs.

    A removed text is named by its number in the old list, any other by its number in the new.
    """
    old_headings, new_headings = _heading_places(old), _heading_places(new)
    for pair in _pair_texts(old, new):
        match pair:
            case None, int(place):
                inner = _text_context(context, place, new, new_headings)
                yield inner.change("added", new=new[place].strip())
            case int(place), None:
                inner = _text_context(context, place, old, old_headings)
                yield inner.change("removed", old=old[place].strip())
            case int(old_place), int(new_place):
                inner = _text_context(context, new_place, new, new_headings)
                before, after = old[old_place], new[new_place]
                if before.strip() == after.strip():
                    before, after = _show_indent(before), _show_indent(after)
                yield fill_change(inner.change("changed"), before.strip(), after.strip())


def _show_indent(text: str) -> str:
    """Return a paragraph with a remark if it stands in a panel, which its indent alone shows."""
    indented = text.startswith(" ")
    return say("(inside a panel) {text}", text=text.strip()) if indented else text.strip()


def _heading_places(texts: Sequence[str]) -> list[int]:
    """Return for each text the place of the heading above it; -1 if there is none."""
    heading = -1
    places = []
    for place, text in enumerate(texts):
        if text.startswith("#"):
            heading = place
        places.append(heading)
    return places


_NUMBERED = {"paragraph": marked("paragraph {number}"), "note": marked("note {number}")}


def _text_context(
    context: DiffContext, place: int, texts: Sequence[str], headings: Sequence[int]
) -> DiffContext:
    """Return the context of a text, named by the heading above it and its number below that."""
    heading_place = headings[place]
    noun = context.place[-1] if context.place else "paragraph"
    heading = texts[heading_place].lstrip("# ")[:_MAX_HEADING_CHARS] if heading_place >= 0 else ""
    if heading_place == place:
        name = say("heading")
    else:
        message = _NUMBERED.get(noun, f"{noun} {{number}}")
        name = say(message, number=place - heading_place)
    words = (*context.place[:-1], *([heading] if heading else []), name)
    return replace(context, at=(*context.at, str(place + 1)), place=words)


def _pair_texts(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Pair the texts that are not equal, as (old place, new place), in order.

    A text that was rewritten has both places; any other has None for the list that lacks it.
    """
    for tag, old_start, old_end, new_start, new_end in align(old, new):
        if tag == "equal":
            continue
        pairs = dict(_pair_rewritten(old[old_start:old_end], new[new_start:new_end]))
        unpaired = old_start
        for new_place in range(new_start, new_end):
            offset = pairs.get(new_place - new_start)
            if offset is None:
                yield None, new_place
                continue
            for removed in range(unpaired, old_start + offset):
                yield removed, None
            yield old_start + offset, new_place
            unpaired = old_start + offset + 1
        for removed in range(unpaired, old_end):
            yield removed, None


def _pair_rewritten(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pair the texts that were rewritten, in order, as (new place, old place)."""
    if len(old) * len(new) > _MAX_PAIRS:
        return
    first = 0
    for new_place, text in enumerate(new):
        scored = [(_similarity(old[place], text), -place) for place in range(first, len(old))]
        if scored and max(scored)[0] >= _MIN_SIMILARITY:
            old_place = -max(scored)[1]
            yield new_place, old_place
            first = old_place + 1


def _similarity(old: str, new: str) -> float:
    # A text this long is a whole chapter in one paragraph; comparing its words takes too long.
    if len(old) + len(new) > _MAX_SIMILARITY_CHARS:
        return 1.0
    matcher = SequenceMatcher(None, before := old.split(), after := new.split(), autojunk=False)
    return matcher.ratio() if is_comparable(before, after) else matcher.quick_ratio()


def merge_moves(changes: Sequence[Change]) -> list[Change]:
    """Replace the removal and the addition of the same paragraph by one move."""
    removed: dict[str, list[int]] = {}
    for n, change in enumerate(changes):
        if change.part == "paragraph" and change.kind == "removed":
            removed.setdefault(change.old, []).append(n)
    merged: dict[int, Change] = dict(enumerate(changes))
    for n, change in enumerate(changes):
        if change.part != "paragraph" or change.kind != "added" or not removed.get(change.new):
            continue
        source = merged.pop(removed[change.new].pop(0))
        place = f"{source.heading}, {', '.join(source.place)}"
        merged[n] = replace(change, kind="moved", old=say("from {place}", place=place))
    return list(merged.values())
