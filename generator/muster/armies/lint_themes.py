"""Check `drafting.yaml` and the themes against the composition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from muster.armies.composition import LEADER, Composition
from muster.armies.fields import parse_share, read_field
from muster.armies.possible_values import Possibilities, filter_issues
from muster.armies.themes import (
    DRAFTING_FILE,
    THEMES_FOLDER,
    Body,
    Drafting,
    Filling,
    Theme,
    ThemePart,
    load_drafting,
    load_theme,
    theme_ids,
)
from muster.armies.vocabulary import FieldSpec, Selector
from muster.problems import MusterError, did_you_mean
from muster.systems import System
from muster.systems.lint import LintIssue, as_errors, as_warning
from muster.yamlfile import Document

KeyPath = tuple[str | int, ...]


def theme_issues(
    system: System, prospects: Possibilities, themes: Sequence[str] | None = None
) -> Iterator[LintIssue]:
    """Check how a system's armies are laid out, and every theme, or only some."""
    drafting = Drafting()
    try:
        drafting = load_drafting(system)
    except MusterError as fault:
        yield from as_errors(fault.problems)
    if system.has_file(DRAFTING_FILE):
        lint = _ThemeLinter(prospects, drafting, system.document(DRAFTING_FILE))
        yield from lint.drafting(theme_ids(system))
    for theme_id in theme_ids(system) if themes is None else themes:
        try:
            theme = load_theme(system, theme_id)
        except MusterError as fault:
            yield from as_errors(fault.problems)
            continue
        document = system.document(THEMES_FOLDER, f"{theme_id}.yaml")
        yield from _ThemeLinter(prospects, drafting, document).theme(theme)


class _ThemeLinter:
    def __init__(self, prospects: Possibilities, drafting: Drafting, document: Document) -> None:
        self.prospects = prospects
        self.composition: Composition = prospects.composition
        self.bodies = {body.id: body for body in drafting.bodies}
        self.laid_out = drafting
        self.document = document

    def _error(self, code: str, text: str, path: KeyPath, *, key: bool = False) -> LintIssue:
        return LintIssue("error", self.document.problem(code, text, path, key=key))

    def _known(
        self, what: str, name: str, known: Iterable[str], path: KeyPath, *, key: bool = False
    ) -> Iterator[LintIssue]:
        names = list(known)
        if name not in names:
            text = f"there is no {what} {name!r}{did_you_mean(name, names)}"
            yield self._error(f"unknown-{what}", text, path, key=key)

    # How armies are laid out

    def drafting(self, themes: Sequence[str]) -> Iterator[LintIssue]:
        """Check bodies, fields and nouns."""
        drafting = self.laid_out
        if drafting.theme is not None:
            yield from self._known("theme", drafting.theme, themes, ("theme",))
        held = {name for body in drafting.bodies for name in body.holds}
        seen: set[str] = set()
        for place, body in enumerate(drafting.bodies):
            path: KeyPath = ("bodies", place)
            if body.id in seen:
                text = f"the id {body.id!r} stands twice"
                yield self._error("id-twice", text, (*path, "id"))
            seen.add(body.id)
            yield from self._body(body, path)
            if body.id not in held and body.level != self.composition.top.id:
                text = f"nothing holds the body {body.id!r}"
                yield as_warning(self.document.problem("unused-body", text, (*path, "id")))
        if drafting.bodies and not any(
            body.level == self.composition.top.id for body in drafting.bodies
        ):
            text = f"no body is the army itself: one has the level {self.composition.top.id!r}"
            yield self._error("no-army-body", text, ("bodies",))
        yield from self._fields(drafting.fields, ("fields",))
        for place, noun in enumerate(drafting.nouns):
            yield from self._selector(noun.of, ("nouns", place, "of"))

    def _body(self, body: Body, path: KeyPath) -> Iterator[LintIssue]:
        levels = self.composition.levels
        branches = [key for key in levels if key not in self.composition.bottom_levels]
        yield from self._known("level", body.level, branches, (*path, "level"))
        level = levels.get(body.level)
        for place, name in enumerate(body.holds):
            where = (*path, "holds", place)
            yield from self._known("body", name, self.bodies, where)
            below = self.bodies.get(name)
            if below is None or below.level not in levels or level is None:
                continue
            # A level stands below those that hold it, so that no body can hold itself.
            if level.id not in levels[below.level].under:
                text = f"a {below.level} cannot stand under a {level.id}"
                yield self._error("wrong-level", text, where)
        for key in body.leaders if level is not None else ():
            known = level.leaders if level is not None else ()
            yield from self._known("leader", key, known, (*path, "leaders", key), key=True)
        if body.of is not None:
            yield from self._selector(body.of, (*path, "of"))

    # Themes

    def theme(self, theme: Theme) -> Iterator[LintIssue]:
        """Check the proportions of a theme, and what it says of fields."""
        for place, part in enumerate(theme.parts):
            path: KeyPath = ("parts", place)
            yield from self._selector(part.of, (*path, "of"))
            if parse_share(part.min) > parse_share(part.max):
                text = f"read from {part.min} to {part.max}, expected the smaller share first"
                yield self._error("bad-share", text, (*path, "max"))
        if theme.parts:
            yield from self._whole(theme.parts)
        for place, weight in enumerate(theme.weights):
            yield from self._selector(weight.of, ("weights", place, "of"))
        yield from self._fields(theme.fields, ("fields",))

    def _whole(self, parts: Sequence[ThemePart]) -> Iterator[LintIssue]:
        """Check that parts can make a whole."""
        if sum(parse_share(part.min) for part in parts) > 1:
            text = "the least shares come to more than the whole army"
            yield self._error("bad-share", text, ("parts",))
        if sum(parse_share(part.max) for part in parts) < 1:
            text = "the greatest shares come to less than the whole army"
            yield self._error("bad-share", text, ("parts",))

    # What both say

    def _fields(self, fillings: Sequence[Filling], path: KeyPath) -> Iterator[LintIssue]:
        for place, filling in enumerate(fillings):
            where = (*path, place)
            yield from self._selector(filling.of, (*where, "of"))
            for n, name in enumerate(filling.inside):
                yield from self._known("body", name, self.bodies, (*where, "inside", n))
            specs = self._specs(filling.of)
            for name, odds in filling.say.items():
                yield from self._known("field", name, specs, (*where, "say", name), key=True)
                if name in specs:
                    yield from self._values(specs[name], odds, (*where, "say", name))
            for name in filling.take:
                known = self.composition.options
                yield from self._known("option", name, known, (*where, "take", name), key=True)

    def _values(
        self, specs: Sequence[FieldSpec], odds: Mapping[str, int], path: KeyPath
    ) -> Iterator[LintIssue]:
        """Check that a field takes what may be drawn for it, in one at least of those meant."""
        scales = [scale.id for scale in self.composition.system.scales]
        for said in odds:
            faults = []
            for spec in specs:
                try:
                    read_field(spec.form, spec.of, said, scales)
                except ValueError as fault:
                    faults.append(str(fault))
            if len(faults) == len(specs):
                yield self._error("bad-value", faults[0], (*path, said), key=True)
        if odds and not any(odds.values()):
            yield self._error("bad-odds", "nothing can be drawn: all odds are 0", path)

    def _specs(self, of: Selector) -> dict[str, list[FieldSpec]]:
        """Give the fields of everything that a selector may mean, by name."""
        holders: list[Any] = [*self.prospects.selected(of)]
        levels = self.composition.written.levels
        if of.level in self.composition.levels and of.level not in self.composition.bottom_levels:
            holders = [level for level in levels if level.id == of.level]
        found: dict[str, list[FieldSpec]] = {}
        for holder in holders:
            for name, spec in holder.fields.items():
                found.setdefault(name, []).append(spec)
        return found

    def _selector(self, of: Selector, path: KeyPath) -> Iterator[LintIssue]:
        if of.level is not None:
            levels = [LEADER, *self.composition.levels]
            yield from self._known("level", of.level, levels, (*path, "level"))
        for place, name in enumerate(of.entry):
            known = self.composition.entries
            yield from self._known("entry", name, known, (*path, "entry", place))
        for place, name in enumerate(of.options):
            known_options = self.composition.options
            yield from self._known("option", name, known_options, (*path, "options", place))
        for name in of.where:
            if name not in self.prospects.names:
                hint = did_you_mean(name, self.prospects.names)
                text = f"no unit has an attribute {name!r}{hint}"
                yield self._error("unknown-attribute", text, (*path, "where", name), key=True)
        yield from filter_issues(self.prospects, self.document, of.where, (*path, "where"))
        yield from self._units(of, path)

    def _units(self, of: Selector, path: KeyPath) -> Iterator[LintIssue]:
        """Check the units that a selector names by id: of a book, or types."""
        known = {unit for book in self.prospects.books for unit in book.units}
        known |= set(self.composition.entries)
        for place, name in enumerate(of.where.get("unit", ())):
            yield from self._known("unit", name, sorted(known), (*path, "where", "unit", place))
