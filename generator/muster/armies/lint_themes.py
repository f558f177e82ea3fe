"""Check `drafting.yaml` and the themes of a system against its composition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from muster.armies.composition import Composition
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
from muster.armies.vocabulary import LEADER, FieldSpec, Selector
from muster.names import repeated
from muster.problems import MusterError, did_you_mean, known_words
from muster.systems import System
from muster.systems.lint import LintIssue, as_errors, as_warning
from muster.yamlfile import Document, KeyPath


def theme_issues(
    system: System, possible: Possibilities, themes: Sequence[str] | None = None
) -> Iterator[LintIssue]:
    """Check `drafting.yaml` and the themes.

    Args:
        system: The rule system.
        possible: What its attributes can be.
        themes: The ids of the themes to check; all if not given.
    """
    drafting = Drafting()
    try:
        drafting = load_drafting(system)
    except MusterError as error:
        yield from as_errors(error.problems)
    if system.has_file(DRAFTING_FILE):
        lint = _ThemeLinter(possible, drafting, system.document(DRAFTING_FILE))
        yield from lint.drafting(theme_ids(system))
    for theme_id in theme_ids(system) if themes is None else themes:
        try:
            theme = load_theme(system, theme_id)
        except MusterError as error:
            yield from as_errors(error.problems)
            continue
        document = system.document(THEMES_FOLDER, f"{theme_id}.yaml")
        yield from _ThemeLinter(possible, drafting, document).theme(theme)


class _ThemeLinter:
    def __init__(self, possible: Possibilities, drafting: Drafting, document: Document) -> None:
        self.possible = possible
        self.composition: Composition = possible.composition
        self.bodies = {body.id: body for body in drafting.bodies}
        self.written = drafting
        self.document = document

    def _error(self, code: str, text: str, path: KeyPath, *, key: bool = False) -> LintIssue:
        return LintIssue("error", self.document.problem(code, text, path, key=key))

    def _unknown_name(
        self, what: str, name: str, known: Iterable[str], path: KeyPath, *, key: bool = False
    ) -> Iterator[LintIssue]:
        names = list(known)
        if name not in names:
            text = f"there is no {what} {name!r}{known_words(name, names)}"
            yield self._error(f"unknown-{what}", text, path, key=key)

    # drafting.yaml

    def drafting(self, themes: Sequence[str]) -> Iterator[LintIssue]:
        """Check bodies, fields and nouns."""
        drafting = self.written
        if drafting.theme is not None:
            yield from self._unknown_name("theme", drafting.theme, themes, ("theme",))
        held = {name for body in drafting.bodies for name in body.holds}
        for index, body_id in repeated(body.id for body in drafting.bodies):
            text = f"the id {body_id!r} is used twice"
            yield self._error("id-twice", text, ("bodies", index, "id"))
        for index, body in enumerate(drafting.bodies):
            path: KeyPath = ("bodies", index)
            yield from self._body(body, path)
            if body.id not in held and body.level != self.composition.top.id:
                text = f"no other body holds the body {body.id!r}"
                yield as_warning(self.document.problem("unused-body", text, (*path, "id")))
        if drafting.bodies and not any(
            body.level == self.composition.top.id for body in drafting.bodies
        ):
            text = (
                f"no body is the army itself: one must have the level {self.composition.top.id!r}"
            )
            yield self._error("no-army-body", text, ("bodies",))
        yield from self._fields(drafting.fields, ("fields",))
        for index, noun in enumerate(drafting.nouns):
            yield from self._selector(noun.of, ("nouns", index, "of"))

    def _body(self, body: Body, path: KeyPath) -> Iterator[LintIssue]:
        levels = self.composition.levels
        branches = [key for key in levels if key not in self.composition.bottom_levels]
        yield from self._unknown_name("level", body.level, branches, (*path, "level"))
        level = levels.get(body.level)
        for index, name in enumerate(body.holds):
            name_path = (*path, "holds", index)
            yield from self._unknown_name("body", name, self.bodies, name_path)
            below = self.bodies.get(name)
            if below is None or below.level not in levels or level is None:
                continue
            # A level cannot stand under itself, so that no body can hold itself.
            if level.id not in levels[below.level].under:
                text = f"a {below.level} cannot stand under a {level.id}"
                yield self._error("wrong-level", text, name_path)
        for key in body.leaders if level is not None else ():
            known = level.leaders if level is not None else ()
            yield from self._unknown_name("leader", key, known, (*path, "leaders", key), key=True)
        if body.of is not None:
            yield from self._selector(body.of, (*path, "of"))

    # Themes

    def theme(self, theme: Theme) -> Iterator[LintIssue]:
        """Check the proportions of a theme, and its fields."""
        for index, part in enumerate(theme.parts):
            path: KeyPath = ("parts", index)
            yield from self._selector(part.of, (*path, "of"))
            if parse_share(part.min) > parse_share(part.max):
                text = f"read from {part.min} to {part.max}, expected the smaller share first"
                yield self._error("bad-share", text, (*path, "max"))
        if theme.parts:
            yield from self._proportions(theme.parts)
        for index, weight in enumerate(theme.weights):
            yield from self._selector(weight.of, ("weights", index, "of"))
        yield from self._fields(theme.fields, ("fields",))

    def _proportions(self, parts: Sequence[ThemePart]) -> Iterator[LintIssue]:
        """Check that the parts can add up to a whole."""
        if sum(parse_share(part.min) for part in parts) > 1:
            text = "the smallest shares (`min:`) add up to more than 100%"
            yield self._error("bad-share", text, ("parts",))
        if sum(parse_share(part.max) for part in parts) < 1:
            text = "the largest shares (`max:`) add up to less than 100%"
            yield self._error("bad-share", text, ("parts",))

    # What both files may have

    def _fields(self, fillings: Sequence[Filling], path: KeyPath) -> Iterator[LintIssue]:
        for index, filling in enumerate(fillings):
            filling_path = (*path, index)
            yield from self._selector(filling.of, (*filling_path, "of"))
            for n, name in enumerate(filling.inside):
                yield from self._unknown_name(
                    "body", name, self.bodies, (*filling_path, "inside", n)
                )
            specs = self._specs(filling.of)
            for name, odds in filling.say.items():
                name_path = (*filling_path, "say", name)
                yield from self._unknown_name("field", name, specs, name_path, key=True)
                if name in specs:
                    yield from self._odds(specs[name], odds, name_path)
            for name in filling.take:
                known = self.composition.options
                name_path = (*filling_path, "take", name)
                yield from self._unknown_name("option", name, known, name_path, key=True)

    def _odds(
        self, specs: Sequence[FieldSpec], odds: Mapping[str, int], path: KeyPath
    ) -> Iterator[LintIssue]:
        """Check that every value that may be drawn is valid for at least one of the fields."""
        scales = [scale.id for scale in self.composition.system.scales]
        for value in odds:
            errors = []
            for spec in specs:
                try:
                    read_field(spec.form, spec.of, value, scales)
                except ValueError as error:
                    errors.append(str(error))
            if len(errors) == len(specs):
                yield self._error("bad-value", errors[0], (*path, value), key=True)
        if odds and not any(odds.values()):
            yield self._error("bad-odds", "nothing can be drawn, because all odds are 0", path)

    def _specs(self, of: Selector) -> dict[str, list[FieldSpec]]:
        """Return the fields of everything that a selector may match, by name."""
        holders: list[Any] = [*self.possible.selected(of)]
        levels = self.composition.written.levels
        if of.level in self.composition.levels and of.level not in self.composition.bottom_levels:
            holders = [level for level in levels if level.id == of.level]
        specs: dict[str, list[FieldSpec]] = {}
        for holder in holders:
            for name, spec in holder.fields.items():
                specs.setdefault(name, []).append(spec)
        return specs

    def _selector(self, of: Selector, path: KeyPath) -> Iterator[LintIssue]:
        if of.level is not None:
            levels = [LEADER, *self.composition.levels]
            yield from self._unknown_name("level", of.level, levels, (*path, "level"))
        for index, name in enumerate(of.entry):
            known = self.composition.entries
            yield from self._unknown_name("entry", name, known, (*path, "entry", index))
        for index, name in enumerate(of.options):
            known_options = self.composition.options
            yield from self._unknown_name("option", name, known_options, (*path, "options", index))
        for name in of.where:
            if name not in self.possible.names:
                hint = did_you_mean(name, self.possible.names)
                text = f"no unit has an attribute {name!r}{hint}"
                yield self._error("unknown-attribute", text, (*path, "where", name), key=True)
        yield from filter_issues(self.possible, self.document, of.where, (*path, "where"))
        yield from self._units(of, path)

    def _units(self, of: Selector, path: KeyPath) -> Iterator[LintIssue]:
        """Check the ids of units that a selector names: they are units of a book, or types."""
        known = {unit for book in self.possible.books for unit in book.units}
        known |= set(self.composition.entries)
        for index, name in enumerate(of.where.get("unit", ())):
            yield from self._unknown_name(
                "unit", name, sorted(known), (*path, "where", "unit", index)
            )
