"""Owns the comparison of texts in order: the paragraphs of a chapter, the notes of a table.

Does not cut a text into paragraphs; `edition` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from generator.comparing.change import Change, compared
from generator.comparing.matching import align
from generator.comparing.tree import Spot

_ALIKE = 0.4
"""From so many words in common on, of all, a paragraph is the same one, rewritten."""

_MOST_PAIRS = 2500
_LONGEST_PLACE = 40


@dataclass(frozen=True, slots=True)
class _Step:
    """A text of the old edition, of the new, or of both; the places are None where it lacks."""

    was: int | None
    now: int | None


def compare_texts(spot: Spot, old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """Compare two lists of texts. A text is told by its number in the list that it stands in."""
    heads = _headings(old), _headings(new)
    for step in _steps(old, new):
        if step.was is None and step.now is not None:
            there = _at(spot, step.now, new, heads[1])
            yield there.change("added", new=new[step.now].strip())
        elif step.now is None and step.was is not None:
            there = _at(spot, step.was, old, heads[0])
            yield there.change("removed", old=old[step.was].strip())
        elif step.was is not None and step.now is not None:
            there = _at(spot, step.now, new, heads[1])
            before, after = old[step.was], new[step.now]
            if before.strip() == after.strip():
                before, after = _indent(before), _indent(after)
            yield compared(there.change("changed"), before.strip(), after.strip())


def _indent(text: str) -> str:
    """Say where a paragraph belongs to whose words are the same."""
    inside = text.startswith(" ")
    return f"{'(inside a panel) ' if inside else ''}{text.strip()}"


def _headings(texts: Sequence[str]) -> list[int]:
    """Give for each text the place of the heading that it stands under; -1 if there is none."""
    last = -1
    found = []
    for place, text in enumerate(texts):
        if text.startswith("#"):
            last = place
        found.append(last)
    return found


def _at(spot: Spot, place: int, texts: Sequence[str], heads: Sequence[int]) -> Spot:
    """Name a text: by the heading that it stands under, and its number from 1 below that."""
    above = heads[place]
    what = spot.place[-1] if spot.place else "paragraph"
    heading = texts[above].lstrip("# ")[:_LONGEST_PLACE] if above >= 0 else ""
    word = "heading" if above == place else f"{what} {place - above}"
    words = (*spot.place[:-1], *([heading] if heading else []), word)
    return replace(spot, at=(*spot.at, str(place + 1)), place=words)


def _steps(old: Sequence[str], new: Sequence[str]) -> Iterator[_Step]:
    for way, a, b, c, d in align(old, new):
        if way == "equal":
            continue
        pairs = dict(_rewritten(old[a:b], new[c:d]))
        last = a
        for now in range(c, d):
            was = pairs.get(now - c)
            if was is None:
                yield _Step(None, now)
                continue
            for gone in range(last, a + was):
                yield _Step(gone, None)
            yield _Step(a + was, now)
            last = a + was + 1
        for gone in range(last, b):
            yield _Step(gone, None)


def _rewritten(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pair texts that were rewritten, in order: new place -> old place."""
    if len(old) * len(new) > _MOST_PAIRS:
        return
    first = 0
    for now, text in enumerate(new):
        scored = [(_alike(old[was], text), -was) for was in range(first, len(old))]
        if scored and max(scored)[0] >= _ALIKE:
            was = -max(scored)[1]
            yield now, was
            first = was + 1


def _alike(old: str, new: str) -> float:
    if len(old) + len(new) > 20_000:  # noqa: PLR2004 - the longest chapter in one paragraph
        return 1.0
    return SequenceMatcher(None, old.split(), new.split(), autojunk=False).ratio()


def take_moves(changes: Sequence[Change]) -> list[Change]:
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
