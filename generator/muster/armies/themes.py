"""What a system says of drafted armies: their layout and the themes to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field

from muster.armies.army import NodeKind
from muster.armies.composition import Composition
from muster.armies.fields import parse_share
from muster.armies.vocabulary import Leader, Level, Selector
from muster.problems import Location, MusterError, Problem, did_you_mean
from muster.systems import System
from muster.values import Band
from muster.yamlfile import Id, Line, Prose, StrictModel, WholeNumber, read_model

DRAFTING_FILE = "drafting.yaml"
THEMES_FOLDER = "themes"
NO_UPPER_END = 999
"""Where a band has no upper end: more than any body holds."""


def _valid_range(text: str) -> str:
    parse_whole_range(text)
    return text


def _valid_share(text: str) -> str:
    parse_share(text)
    return text


RangeText = Annotated[Line, AfterValidator(_valid_range)]
"""From how many to how many: `3-6`, `1`, `2+`."""

ShareText = Annotated[Line, AfterValidator(_valid_share)]
"""A part of a whole: `25%`, `1/4`."""

Odds = dict[Line, WholeNumber]
"""What may be drawn, and how often each comes among them all; nought is never drawn."""


def parse_whole_range(text: str) -> tuple[int, int]:
    """Read from how many to how many.

    Raises:
        ValueError: If the text is no band of whole numbers from 0 on.
    """
    band = Band.parse(text)
    ends = (band.low or Decimal(0), Decimal(NO_UPPER_END) if band.high is None else band.high)
    if any(end != end.to_integral_value() or end < 0 for end in ends):
        message = f"read {text!r}, expected whole numbers such as 3-6 or 2+"
        raise ValueError(message)
    return int(ends[0]), int(ends[1])


class Body(StrictModel):
    """A sort of command: its level, what stands in it, how many units, and who leads it.

    `of` are the units that stand in it themselves, `holds` the bodies below. Units go to the first
    body of a list that takes them and that enough of them are there for. `leaders` says how many
    stand at a key; else one stands at each key that is for one. `name` is a noun to count it by.
    """

    id: Id
    level: Id
    name: Line = ""
    units: RangeText = "1+"
    of: Selector | None = None
    holds: list[Id] = []
    leaders: dict[Id, RangeText] = {}


class Filling(StrictModel):
    """What nodes say in their fields, and the options that they take (each with its chance).

    `inside` names bodies in which it holds. The first filling that says a field is heard; a field
    that a profile states is left alone.
    """

    of: Selector
    inside: list[Id] = []
    say: dict[Id, Odds] = {}
    take: dict[Id, ShareText] = {}


class Noun(StrictModel):
    """What units are numbered as where their book has no name for them: `battalion`."""

    of: Selector
    noun: Line


class Drafting(StrictModel):
    """The whole of `drafting.yaml`: the usual limit and theme, bodies, fields and nouns.

    The limit is in points, or in units where a system has no points.
    """

    limit: WholeNumber | None = None
    theme: Id | None = None
    bodies: list[Body] = []
    fields: list[Filling] = []
    nouns: list[Noun] = []


class ThemePart(StrictModel):
    """A part of an army: its least and greatest share of what its units cost, or of their number.

    `of` says which units; the first part that means a unit has it.
    """

    of: Selector
    min: ShareText = "0%"
    max: ShareText = "100%"


class Weight(StrictModel):
    """How often units are taken, beside others of their part; the first that means one counts."""

    of: Selector
    weight: WholeNumber


class Theme(StrictModel):
    """The whole of `themes/<theme>.yaml`: proportions, and what goes before the usual fields."""

    id: Id
    title: Line
    notes: Prose | None = None
    parts: list[ThemePart] = Field(default=[])
    weights: list[Weight] = []
    fields: list[Filling] = []


def theme_ids(system: System) -> list[str]:
    """List the ids of a system's themes, sorted."""
    return system.yaml_ids(THEMES_FOLDER)


def load_theme(system: System, theme_id: str) -> Theme:
    """Read a theme.

    Raises:
        MusterError: If there is none of that id, or its file has faults.
    """
    known = theme_ids(system)
    if theme_id not in known:
        hint = did_you_mean(theme_id, known)
        listed = ", ".join(known) or "none"
        text = f"{system.title} has no theme {theme_id!r}{hint}; known: {listed}"
        where = Location(system.display_path(system.folder / THEMES_FOLDER), None, None)
        raise MusterError((Problem("unknown-theme", text, where),))
    document = system.document(THEMES_FOLDER, f"{theme_id}.yaml")
    theme = read_model(Theme, document)
    if theme.id != theme_id:
        text = f"read the id {theme.id!r}, expected {theme_id!r}, the file's name"
        raise MusterError((document.problem("id-is-not-file-name", text, ("id",)),))
    return theme


def load_drafting(system: System) -> Drafting:
    """Read how a system's armies are laid out; a system without the file says nothing of it.

    Raises:
        MusterError: If the file has faults.
    """
    if not system.has_file(DRAFTING_FILE):
        return Drafting()
    return read_model(Drafting, system.document(DRAFTING_FILE))


# Bodies


def bodies_of(drafting: Drafting, composition: Composition) -> dict[str, Body]:
    """Give the bodies by id, the army itself first; worked out where the system says none.

    Without a word of the system, each level of command holds from 2 to 6 units of any type.
    """
    found = {body.id: body for body in drafting.bodies}
    top = composition.top
    army = next((body for body in found.values() if body.level == top.id), None)
    if army is not None:
        return {army.id: army, **found}
    chain = list(_longest_chain(composition, top))
    made = {}
    for level, below in zip(chain, [*chain[1:], None], strict=True):
        of = Selector(level=unit_level(composition)) if below is None else None
        holds = [below.id] if below is not None else []
        units = "1+" if level is top else "2-6"
        body = Body(id=level.id, level=level.id, units=units, of=of, holds=holds)
        if level is not top:
            body = body.model_copy(update={"name": level.title.lower()})
        made[level.id] = body
    return made


def unit_level(composition: Composition) -> str:
    """Give the level that has the most types, which is that of the units."""
    entries = composition.entries.values()
    levels = [entry.level for entry in entries if entry.level in composition.levels]
    return max(dict.fromkeys(levels), key=levels.count)


def _longest_chain(composition: Composition, top: Level) -> Iterator[Level]:
    """Go from the army down to the level that holds the units, by the longest way."""
    units = unit_level(composition)

    def ways(level: Level) -> Iterator[list[Level]]:
        for below in composition.levels_below[level.id]:
            if below.id == units:
                yield [level]
            elif below.id not in composition.bottom_levels:
                yield from ([level, *way] for way in ways(below))

    yield from max(ways(top), key=len)


def leaders_of(body: Body, level: Level) -> Iterator[tuple[str, Leader, int, int]]:
    """List who leads a body: the key, what stands at it, and from how many to how many."""
    for key, leader in level.leaders.items():
        usual = "0" if leader.many else "1"
        low, high = parse_whole_range(body.leaders.get(key, usual))
        yield key, leader, low, high if leader.many else min(high, 1)


# What a node is


def noun_of(nouns: Sequence[Noun], sort: NodeKind) -> str | None:
    """Give what a unit is numbered as, if the system says so."""
    return next((noun.noun for noun in nouns if sort.matches(noun.of)), None)


def weight_of(weights: Sequence[Weight], sort: NodeKind) -> int:
    """Give how often a unit is taken; 1 where the theme says nothing of it."""
    return next((weight.weight for weight in weights if sort.matches(weight.of)), 1)


def part_of(parts: Sequence[ThemePart], sort: NodeKind) -> int | None:
    """Give the place of the part that a unit belongs to; None if the theme names none."""
    return next((place for place, part in enumerate(parts) if sort.matches(part.of)), None)
