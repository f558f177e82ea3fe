"""The models of `drafting.yaml` and `themes/*.yaml`: how drafted armies are laid out."""

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
"""The upper end of a range without one: more than any body can hold."""


def _valid_range(text: str) -> str:
    parse_whole_range(text)
    return text


def _valid_share(text: str) -> str:
    parse_share(text)
    return text


RangeText = Annotated[Line, AfterValidator(_valid_range)]
"""A range of whole numbers: `3-6`, `1`, `2+`."""

ShareText = Annotated[Line, AfterValidator(_valid_share)]
"""A part of a whole: `25%`, `1/4`."""

Odds = dict[Line, WholeNumber]
"""The values that may be drawn, each with its weight; a weight of 0 is never drawn."""


def parse_whole_range(text: str) -> tuple[int, int]:
    """Parse a range into its least and its greatest number.

    Raises:
        ValueError: If the text is not a band of whole numbers from 0.
    """
    band = Band.parse(text)
    ends = (band.low or Decimal(0), Decimal(NO_UPPER_END) if band.high is None else band.high)
    if any(end != end.to_integral_value() or end < 0 for end in ends):
        message = f"read {text!r}, expected whole numbers such as 3-6 or 2+"
        raise ValueError(message)
    return int(ends[0]), int(ends[1])


class Body(StrictModel):
    """A kind of command: its level, how many units it has, which ones, and who leads it.

    `of` selects the units that stand directly in it, and `holds` names the bodies below it. Units
    go to the first body of a list that takes them, if there are enough of them for it. `leaders`
    says how many leaders stand at a key; at other keys stands one, unless the key takes a list.
    `name` is the noun to number the body by.
    """

    id: Id
    """Id of the body, such as `horse-wing`; `holds:` and `inside:` name it."""
    level: Id
    """Id of the level of command that the body is of."""
    name: Line = ""
    """Noun to number the body by, such as `brigade of foot`. Default: none."""
    units: RangeText = "1+"
    """How many units it has, such as `2-5`, `3` or `1+`. Default: 1+."""
    of: Selector | None = None
    """Which units stand directly in it. Default: none, only in bodies below."""
    holds: list[Id] = []
    """Ids of the bodies that may stand in it, the first that takes a unit first."""
    leaders: dict[Id, RangeText] = {}
    """How many leaders stand at a key of the level, such as `{wing-commanders: 2-3}`. Default: one,
    and none at a key that takes a list.
    """


class Filling(StrictModel):
    """The values that are drawn for fields (`say`), and the options taken, each with its chance.

    `inside` names the bodies in which it applies. If several fillings have a field, the first one
    takes precedence. A field that a profile states is left as it is.
    """

    of: Selector
    """Which units, leaders or commands are filled in."""
    inside: list[Id] = []
    """Ids of the bodies in which it applies. Default: everywhere."""
    say: dict[Id, Odds] = {}
    """Values to draw for fields, each with its weight: `{stands: {3: 1, 4: 2}}`."""
    take: dict[Id, ShareText] = {}
    """Options to take, each with its chance: `{high-morale: 25%}`."""


class Noun(StrictModel):
    """The noun to number units by if their book has no name for them: `battalion`."""

    of: Selector
    """Which units have the noun; the first noun that fits counts."""
    noun: Line
    """Noun to number units by if their book has no names left, such as `battalion`."""


class Drafting(StrictModel):
    """The whole of `drafting.yaml`: the default limit and theme, bodies, fields and nouns.

    The limit is in points, or in units in a system without points.
    """

    limit: WholeNumber | None = None
    """Limit of a drafted army if none is given: points, or units in a system without points."""
    theme: Id | None = None
    """Id of the theme that is used if none is given."""
    bodies: list[Body] = []
    """Kinds of command and what stands in them; the first is the army itself."""
    fields: list[Filling] = []
    """Odds of the values of fields; the first filling that has a field counts."""
    nouns: list[Noun] = []
    """Nouns to number units by."""


class ThemePart(StrictModel):
    """A part of an army, with its least and greatest share of the points or number of the units.

    `of` selects its units. A unit belongs to the first part that selects it.
    """

    of: Selector
    """Units of the part; a unit belongs to the first part that selects it."""
    min: ShareText = "0%"
    """Least share of the points (of the number of units, without points), such as `25%` or `1/4`.
    Default: 0%.
    """
    max: ShareText = "100%"
    """Greatest share, such as `60%`; included. Default: 100%."""


class Weight(StrictModel):
    """How often units are taken compared with others of their part.

    The first weight that selects a unit counts; without one it is 1.
    """

    of: Selector
    """Units that the weight is for."""
    weight: WholeNumber
    """How often they are taken compared with others; 0 for never, 1 as without a weight."""


class Theme(StrictModel):
    """The whole of `themes/<theme>.yaml`: proportions and weights.

    Its `fields` take precedence over those of `drafting.yaml`.
    """

    id: Id
    """Id of the theme; the same as the file's name without `.yaml`."""
    title: Line
    """Title, such as `Cavalry raid`."""
    notes: Prose | None = None
    """What the theme is about."""
    parts: list[ThemePart] = Field(default=[])
    """Parts of the army with their shares."""
    weights: list[Weight] = []
    """Weights of units within their parts; the first that selects a unit counts."""
    fields: list[Filling] = []
    """Odds of the values of fields; they win over those of `drafting.yaml`."""


def theme_ids(system: System) -> list[str]:
    """Return the ids of a system's themes, sorted."""
    return system.yaml_ids(THEMES_FOLDER)


def load_theme(system: System, theme_id: str) -> Theme:
    """Load a theme.

    Raises:
        MusterError: If there is no theme of that id, or its file has problems.
    """
    known = theme_ids(system)
    if theme_id not in known:
        hint = did_you_mean(theme_id, known)
        listed = ", ".join(known) or "none"
        text = f"there is no theme {theme_id!r} for {system.title}{hint}; known: {listed}"
        location = Location(system.display_path(system.folder / THEMES_FOLDER), None, None)
        raise MusterError((Problem("unknown-theme", text, location),))
    document = system.document(THEMES_FOLDER, f"{theme_id}.yaml")
    theme = read_model(Theme, document)
    if theme.id != theme_id:
        text = f"read the id {theme.id!r}, expected {theme_id!r}, the file's name"
        raise MusterError((document.problem("id-is-not-file-name", text, ("id",)),))
    return theme


def load_drafting(system: System) -> Drafting:
    """Load a system's `drafting.yaml`; an empty one if there is no such file.

    Raises:
        MusterError: If the file has problems.
    """
    if not system.has_file(DRAFTING_FILE):
        return Drafting()
    return read_model(Drafting, system.document(DRAFTING_FILE))


# Bodies and their leaders


def bodies_of(drafting: Drafting, composition: Composition) -> dict[str, Body]:
    """Return the bodies by id, the army itself first.

    If the system defines none for the army, there is one body for each level from the army down
    to the units, by the longest way; each below the army has from 2 to 6 units. What is of another
    level, such as characters, stands in any body that its level may stand under.
    """
    bodies = {body.id: body for body in drafting.bodies}
    top = composition.top
    army = next((body for body in bodies.values() if body.level == top.id), None)
    if army is not None:
        return {army.id: army, **bodies}
    chain = list(_longest_chain(composition, top))
    units_id = unit_level(composition)
    default_bodies = {}
    for level, below in zip(chain, [*chain[1:], None], strict=True):
        taken = [
            other.id
            for other in composition.levels_below[level.id]
            if other.id in composition.bottom_levels and (below is None or other.id != units_id)
        ]
        of = Selector(where={"level": taken}) if taken else None
        holds = [below.id] if below is not None else []
        units = "1+" if level is top else "2-6"
        body = Body(id=level.id, level=level.id, units=units, of=of, holds=holds)
        if level is not top:
            body = body.model_copy(update={"name": level.title.lower()})
        default_bodies[level.id] = body
    return default_bodies


def unit_level(composition: Composition) -> str:
    """Return the level of the units: the one that has the most types."""
    entries = composition.entries.values()
    levels = [entry.level for entry in entries if entry.level in composition.levels]
    return max(dict.fromkeys(levels), key=levels.count)


def _longest_chain(composition: Composition, top: Level) -> Iterator[Level]:
    """Yield the levels from the army down to the one that holds units, by the longest way."""
    units = unit_level(composition)

    def paths(level: Level) -> Iterator[list[Level]]:
        for below in composition.levels_below[level.id]:
            if below.id == units:
                yield [level]
            elif below.id not in composition.bottom_levels:
                yield from ([level, *path] for path in paths(below))

    yield from max(paths(top), key=len)


def leaders_of(body: Body, level: Level) -> Iterator[tuple[str, Leader, int, int]]:
    """Yield the leaders of a body: the key, the leader, and the least and greatest number."""
    for key, leader in level.leaders.items():
        default = "0" if leader.many else "1"
        low, high = parse_whole_range(body.leaders.get(key, default))
        yield key, leader, low, high if leader.many else min(high, 1)


# What a theme says of a unit


def noun_of(nouns: Sequence[Noun], kind: NodeKind) -> str | None:
    """Return the noun to number a unit by; None if the system has none for it."""
    return next((noun.noun for noun in nouns if kind.matches(noun.of)), None)


def weight_of(weights: Sequence[Weight], kind: NodeKind) -> int:
    """Return the weight of a unit; 1 if the theme has none for it."""
    return next((weight.weight for weight in weights if kind.matches(weight.of)), 1)


def part_of(parts: Sequence[ThemePart], kind: NodeKind) -> int | None:
    """Return the index of the part that a unit belongs to; None if it belongs to none."""
    return next((index for index, part in enumerate(parts) if kind.matches(part.of)), None)
