"""Owns what a check is given, a scope with its counts, and what it gives back, a fault.

Does not know how counts are made, nor how sums are. Its translation for a solver is given a place:
the same counts as sums of variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple, Protocol

from generator.armies.solving import Linear, Lit, Model, Run
from generator.armies.sort import Sort
from generator.armies.vocabulary import Entry, FieldSpec, FromTable, Selector
from generator.armies.words import join, lower
from generator.values import Value

Amount = Decimal | int


class Measure(NamedTuple):
    """Something to count in a scope: nodes, the sum of a field, points, or distinct values."""

    what: Literal["number", "sum", "points", "values"]
    of: Selector
    field: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A constraint broken: what is allowed, what there is, and the remedy as reckoned.

    `key` is the field that is at fault, if it is one.
    """

    allowed: str
    actual: str
    remedy: str
    key: str = ""


class Scope(NamedTuple):
    """A node, and what was counted in it and below it: one count for each measure.

    A count of values is a mapping from value to how many nodes have it.
    """

    sort: Sort
    counts: tuple[Any, ...]

    def number(self, place: int) -> Amount:
        """Give the count of a number, a sum, or points."""
        found: Amount = self.counts[place]
        return found

    def values(self, place: int) -> Mapping[str, int]:
        """Give the count of values, in the order in which they were met."""
        found: Mapping[str, int] = self.counts[place]
        return found


class Place(Protocol):
    """Where a rule is asked for by a solver: a scope whose counts may still vary.

    Whether the scope is there at all, and whether the rule's switches are on, is seen to by
    whoever asks: a translation states the rule and nothing else.
    """

    @property
    def model(self) -> Model:
        """What variables are made in."""
        ...

    def number(self, measure: int) -> Linear:
        """Give the count of a number, a sum, or points."""
        ...

    def values(self, measure: int) -> Mapping[str, Lit]:
        """Give, for each value that may be met, whether it is."""
        ...

    def meant(self, selector: Selector) -> Lit:
        """Tell whether a selector means the node itself."""
        ...

    def under(self, selector: Selector) -> Lit:
        """Tell whether a selector means the node itself or one that it stands under."""
        ...

    def cells(
        self, references: Sequence[FromTable]
    ) -> Iterable[tuple[tuple[Lit, ...], tuple[Value | None, ...]]]:
        """Give what references mean for the node: for each case, when it holds, and the cells.

        A case whose cell does not exist is left out: whoever asks sees to it that it is not
        chosen.
        """
        ...

    def demand(self, total: Linear, runs: Sequence[Run], given: Iterable[Lit] = ()) -> None:
        """State that the rule binds a sum to runs of numbers, where all that is given is so."""
        ...


def nouns(sort: Sort, selector: Selector) -> tuple[str, str]:
    """Name one and many of what a selector means."""
    composition = sort.composition
    if selector.options:
        titles = [f"“{composition.options[name].title}”" for name in selector.options]
        words = join(titles, "or")
        return words, words
    if selector.entry:
        named = [_entry_nouns(composition.entries[name]) for name in selector.entry]
        one, many = (join(words, "or") for words in zip(*named, strict=True))
        return one, many
    level = composition.levels.get(selector.level or "")
    if level is not None:
        one, many = lower(level.title), (level.key or level.title).replace("-", " ")
    else:
        one, many = (selector.level or "unit"), f"{selector.level or 'unit'}s"
    flags = [name for name, values in selector.where.items() if values == ["true"]]
    if flags:
        spec = composition.spec(flags[0])
        said = lower(spec.title) if spec and spec.title else flags[0].replace("-", " ")
        return said, said
    before, after = [], []
    for name, values in selector.where.items():
        spec = composition.spec(name)
        if spec is not None and spec.of:
            after.append(f"with {lower(spec.title or name)} {_choices(spec, values)}")
        else:
            before.append(join([value.replace("-", " ") for value in values], "or"))
    return " ".join([*before, one, *after]), " ".join([*before, many, *after])


def _choices(spec: FieldSpec, values: Sequence[str]) -> str:
    """Name choices by their titles; by their ids where a comma in a title would part it."""
    titles = [spec.of.get(value, value) for value in values]
    if any("," in title for title in titles):
        titles = [value.replace("-", " ") for value in values]
    return join([lower(title) for title in titles], "or")


def _entry_nouns(entry: Entry) -> tuple[str, str]:
    """Name one and many of an entry: as it says itself, else by its title."""
    one = entry.one or lower(entry.title)
    return one, entry.many or (one if one.endswith(_PLURAL) else f"{one}s")


_PLURAL = ("infantry", "cavalry", "artillery", "s", "militia")
