"""Owns what changed between two editions as it is to be read: sections, items, marked words.

Does not compare (see `comparing`) and knows neither terminal nor page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from generator.comparing.change import Change, Words, signed
from generator.comparing.effects import Effect, Standing

_BRACES = re.compile(r"\{([^{}]*)\}")
_UNSEEN = re.compile(r"\{(?:index|let):[^{}]*\}")
"""Directives that print nothing: they are shown only where they differ."""

_LONG = 60
"""Characters from which on a text stands by itself rather than in a table's cell."""

_AROUND = 6
"""Words that are shown on either side of a change, of a longer run."""

_MISSING = {
    "identity": "what the system says of itself",
    "details": "what tables say beside rows and columns",
    "prose": "the prose",
    "errata": "the doubtful places",
    "composition": "the composition of armies",
    "books": "the army books",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A change in words. `words` are runs as in `Change`; a text without them has old and new."""

    kind: str
    place: str
    old: str = ""
    new: str = ""
    by: str = ""
    words: Words = ()
    remark: str = ""
    prose: bool = False

    @property
    def long(self) -> bool:
        """Tell whether it wants the whole width of a page."""
        return self.prose or bool(self.words) or max(len(self.old), len(self.new)) > _LONG


@dataclass(frozen=True, slots=True)
class Section:
    """All changes of one table, chapter, or other part."""

    title: str
    items: tuple[Item, ...]

    @property
    def short(self) -> tuple[Item, ...]:
        """The changes that fit a line of a table."""
        return tuple(item for item in self.items if not item.long)

    @property
    def long(self) -> tuple[Item, ...]:
        """The changes that want the whole width."""
        return tuple(item for item in self.items if item.long)


@dataclass(frozen=True, slots=True)
class ArmyNote:
    """What becomes of an army: its verdicts in words, and what there is to say of it."""

    name: str
    file: str
    old: str
    new: str
    by: str
    grave: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edition:
    """One side: its edition, where it was read from, and the language it is in."""

    title: str
    edition: str
    name: str
    credit: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Changes:
    """All that changed. `armies` is None where an edition was saved without its files."""

    old: Edition
    new: Edition
    sections: tuple[Section, ...]
    armies: tuple[ArmyNote, ...] | None
    untouched: int
    missing: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many changes there are."""
        return sum(len(section.items) for section in self.sections)


def gather_changes(
    editions: tuple[Edition, Edition],
    changes: Sequence[Change],
    missing: Iterable[str],
    effects: Sequence[Effect] | None,
) -> Changes:
    """Put changes into words, under the heading of each.

    Args:
        editions: The old and the new one.
        changes: What changed.
        missing: What one of them does not tell of.
        effects: What becomes of armies; None if that cannot be told.
    """
    sections: dict[str, list[Item]] = {}
    for change in changes:
        sections.setdefault(change.heading, []).append(_item(change))
    noted = None
    if effects is not None:
        noted = tuple(_army(each) for each in effects if not each.nothing)
    return Changes(
        *editions,
        tuple(Section(title, tuple(items)) for title, items in sections.items()),
        noted,
        len(effects or ()) - len(noted or ()),
        tuple(_MISSING[key] for key in missing),
    )


def _item(change: Change) -> Item:
    place = ", ".join(change.place)
    if not place and change.kind in ("added", "removed"):
        place = f"the whole {change.part}"
    prices = f"the price of {', '.join(change.prices)}" if change.prices else ""
    return Item(
        change.kind,
        place,
        spoken(change.old),
        spoken(change.new),
        "" if change.by is None else signed(change.by),
        tuple(_shortened(change.words)),
        prices,
        change.part == "paragraph",
    )


def spoken(text: str) -> str:
    """Write the directives of prose so that a reader knows what they stand for."""
    return _BRACES.sub(lambda found: _directive(found[1]), text)


def _directive(body: str) -> str:
    verb, _, rest = (part.strip() for part in body.partition(":"))
    shown, bar, behind = (part.strip() for part in rest.partition("|"))
    match verb:
        case "given":
            return rest.partition(" as ")[0].strip()
        case "fact":
            return f"{shown} [{behind}]" if bar else shown
        case "value" | "label" | "Label":
            return f"[{rest}]"
        case "ref" | "Ref" | "table":
            return f"[table {rest}]"
        case "chapter":
            return behind or f"[chapter {shown}]"
    return f"[{body.strip()}]"


def _shortened(words: Words) -> Iterator[tuple[str, str]]:
    """Leave out the middle of long runs that stand in both editions."""
    for place, (mark, text) in enumerate(words):
        said = spoken(_UNSEEN.sub("", text) if mark == "=" else text)
        each = said.split()
        first, last = place == 0, place == len(words) - 1
        if mark != "=" or len(each) <= 2 * _AROUND:
            yield mark, said
        elif first:
            yield mark, f"… {' '.join(each[-_AROUND:])}"
        elif last:
            yield mark, f"{' '.join(each[:_AROUND])} …"
        else:
            yield mark, f"{' '.join(each[:_AROUND])} … {' '.join(each[-_AROUND:])}"


def _army(effect: Effect) -> ArmyNote:
    old, new = _standing(effect.old), _standing(effect.new)
    by = effect.by
    remarks = [
        *(f"{label}: {before} → {after}" for label, before, after in effect.prices),
        *(f"new: {each.label}: {each.message}" for each in effect.appeared),
        *(f"no longer: {each.label}: {each.message}" for each in effect.gone),
        *(fault for fault in effect.new.faults if fault not in effect.old.faults),
    ]
    grave = bool(effect.old.legal) and not effect.new.legal
    difference = "" if not by else signed_points(by)
    return ArmyNote(effect.army, effect.file, old, new, difference, grave, tuple(remarks))


def signed_points(by: float) -> str:
    """Write a difference in points with its sign."""
    sign = "−" if by < 0 else "+"
    return f"{sign}{abs(by):g}"


def _standing(standing: Standing) -> str:
    if standing.verdict is None:
        return "cannot be read"
    word = "legal" if standing.legal else "not legal"
    points = standing.verdict.points
    if points is None:
        return word
    total = f"{points.normalize():f}"
    return f"{word}, {total} point{'' if points == 1 else 's'}"
