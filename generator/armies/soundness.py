"""Owns whether a composition holds together: every id, field and chapter that it names exists.

Does not look into tables (`muster lint` does, over `composition.references`) or at armies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction

from generator.armies.composition import LEADER, all_fields, prices, references, rolls
from generator.armies.fields import known_forms, read_field
from generator.armies.vocabulary import (
    AvailableRule,
    Condition,
    CountRule,
    FieldSpec,
    FromField,
    Roll,
    Selector,
    ShareRule,
    Term,
    WrittenComposition,
)
from generator.problems import Problem
from generator.reading import Document, did_you_mean
from generator.values import Band, Dice

Path = tuple[str | int, ...]
ALWAYS = frozenset({"type", "unit", "level", "book", "nation", "scale"})
"""Attributes that every node is asked for without a composition naming them."""


def share(text: str) -> Fraction:
    """Read a share: `1/4`, `25%`, `0.25`.

    Raises:
        ValueError: If the text is no share from 0 to 1.
    """
    try:
        found = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if not 0 <= found <= 1 or len(text) > 20:  # noqa: PLR2004
        message = f"read {text[:20]!r}, expected a share such as 1/4 or 25%"
        raise ValueError(message)
    return found


def faults_of(
    written: WrittenComposition, document: Document, chapters: Collection[str]
) -> list[Problem]:
    """Find everything that a composition names and that is not there."""
    return list(_Soundness(written, document, chapters).faults())


class _Soundness:
    def __init__(
        self, written: WrittenComposition, document: Document, chapters: Collection[str]
    ) -> None:
        self.written = written
        self.document = document
        self.chapters = chapters
        self.levels = [level.id for level in written.levels]
        self.entries = [entry.id for entry in written.entries]
        self.options = [option.id for option in written.options]
        self.fields = {name for _, name, _ in all_fields(written)}
        marked = {name for entry in written.entries for name in entry.attributes}
        marked |= {name for option in written.options for name in option.attributes}
        self.attributes = self.fields | marked | ALWAYS

    def faults(self) -> Iterator[Problem]:
        yield from self._twice("levels", self.levels)
        yield from self._twice("entries", self.entries)
        yield from self._twice("options", self.options)
        yield from self._twice("constraints", [rule.id for rule in self.written.constraints])
        yield from self._levels()
        yield from self._fields()
        yield from self._rolls()
        yield from self._prices()
        yield from self._constraints()
        for path, reference in references(self.written):
            for key, name in (("row", reference.row), ("column", reference.column)):
                if isinstance(name, FromField):
                    yield from self._known(
                        "attribute", name.field, self.attributes, (*path, key, "field")
                    )

    def _fault(self, code: str, text: str, path: Path) -> Problem:
        return self.document.problem(code, text, path)

    def _twice(self, key: str, ids: list[str]) -> Iterator[Problem]:
        seen: set[str] = set()
        for place, each in enumerate(ids):
            if each in seen:
                yield self._fault("id-twice", f"the id {each!r} stands twice", (key, place, "id"))
            seen.add(each)

    def _known(self, what: str, name: str, known: Iterable[str], path: Path) -> Iterator[Problem]:
        names = sorted(known)
        if name not in names:
            hint = did_you_mean(name, names)
            yield self._fault(f"unknown-{what}", f"there is no {what} {name!r}{hint}", path)

    def _levels(self) -> Iterator[Problem]:
        for place, level in enumerate(self.written.levels):
            path: Path = ("levels", place)
            above = self.levels[:place]
            if place and (level.key is None or not level.under):
                text = f"the level {level.id!r} needs a key and the levels that hold it (under)"
                yield self._fault("missing-key", text, path)
            for n, name in enumerate(level.under):
                # A level stands below those that hold it, so that no level holds itself.
                yield from self._known("level", name, above, (*path, "under", n))
            for key, leader in level.leaders.items():
                where = (*path, "leaders", key, "entry")
                yield from self._known("entry", leader.entry, self.entries, where)
        for place, entry in enumerate(self.written.entries):
            where = ("entries", place, "level")
            yield from self._known("level", entry.level, [*self.levels[1:], LEADER], where)

    def _fields(self) -> Iterator[Problem]:
        forms = known_forms()
        for path, _, spec in all_fields(self.written):
            if spec.form not in forms:
                yield from self._known("form", spec.form, forms, (*path, "form"))
                continue
            if spec.form == "choice" and not spec.of:
                yield self._fault("missing-key", "a choice needs `of:`, what there is", path)
            if spec.default is not None:
                try:
                    read_field(spec.form, spec.of, spec.default)
                except ValueError as error:
                    yield self._fault("bad-value", str(error), (*path, "default"))
        for place, entry in enumerate(self.written.entries):
            if entry.size is not None:
                size = entry.fields.get(entry.size)
                if size is None or size.form != "whole":
                    text = f"the size {entry.size!r} must be one of its fields, of form whole"
                    yield self._fault("bad-size", text, ("entries", place, "size"))

    def _rolls(self) -> Iterator[Problem]:
        for path, spec, roll in rolls(self.written):
            yield from self._roll(spec, roll, path)
            if path[0] == "profile":
                text = "a book states the values of its profiles: none of them is rolled"
                yield self._fault("bad-roll", text, path)

    def _roll(self, spec: FieldSpec, roll: Roll, path: Path) -> Iterator[Problem]:
        if spec.required:
            text = "a list need not state what is rolled: leave out `required:` or `roll:`"
            yield self._fault("bad-roll", text, path)
        try:
            Dice.parse(roll.dice)
        except ValueError as error:
            yield self._fault("bad-value", str(error), (*path, "dice"))
        if isinstance(roll.named, FromField):
            where = (*path, roll.way, "field")
            yield from self._known("attribute", roll.named.field, self.attributes, where)
        for n, plus in enumerate(roll.plus):
            for name in plus.where:
                where = (*path, "plus", n, "where", name)
                yield from self._known("attribute", name, self.attributes, where)

    def _prices(self) -> Iterator[Problem]:
        for path, term in prices(self.written):
            yield from self._term(term, path)

    def _term(self, term: Term, path: Path) -> Iterator[Problem]:
        if isinstance(term.each, FromField):
            where = (*path, "each", "field")
            yield from self._known("field", term.each.field, self.fields, where)
        if term.times is not None:
            yield from self._known("field", term.times, self.fields, (*path, "times"))
        for name in term.where:
            yield from self._known("attribute", name, self.attributes, (*path, "where", name))

    def _constraints(self) -> Iterator[Problem]:
        scopes = [*self.levels, LEADER, "book"]
        for place, rule in enumerate(self.written.constraints):
            path: Path = ("constraints", place)
            yield from self._known("level", rule.within, scopes, (*path, "within"))
            chapter = (*path, "rule", "chapter")
            yield from self._known("chapter", rule.rule.chapter, self.chapters, chapter)
            for key in ("of", "part", "whole", "needs", "bars"):
                selector = getattr(rule, key, None)
                if selector is not None:
                    yield from self._selector(selector, (*path, key))
            for key, condition in (("when", rule.when), ("unless", rule.unless)):
                if condition is not None:
                    yield from self._condition(condition, (*path, key))
            if rule.kind in {"alike", "variety"}:
                name = str(getattr(rule, "attribute", ""))
                yield from self._known("attribute", name, self.attributes, (*path, "attribute"))
            match rule:
                case CountRule():
                    yield from self._count(rule, path)
                case ShareRule():
                    yield from self._share(rule, path)
                case AvailableRule():
                    yield from self._available(rule, path)

    def _count(self, rule: CountRule, path: Path) -> Iterator[Problem]:
        if rule.sum is not None:
            yield from self._known("field", rule.sum, self.fields, (*path, "sum"))
        for n, allowed in enumerate(rule.allowed):
            if isinstance(allowed, str):
                try:
                    Band.parse(allowed)
                except ValueError as error:
                    yield self._fault("bad-value", str(error), (*path, "allowed", n))

    def _available(self, rule: AvailableRule, path: Path) -> Iterator[Problem]:
        if not any(isinstance(name, FromField) for name in (rule.cell.row, rule.cell.column)):
            text = "the cell is the same for all: name its row or its column by a field"
            yield self._fault("fixed-cell", text, (*path, "cell"))

    def _share(self, rule: ShareRule, path: Path) -> Iterator[Problem]:
        if rule.by not in {"number", "points"}:
            yield from self._known("field", rule.by, self.fields, (*path, "by"))
        for key, text in (("min", rule.min), ("max", rule.max)):
            if text is not None:
                try:
                    share(text)
                except ValueError as error:
                    yield self._fault("bad-value", str(error), (*path, key))

    def _selector(self, selector: Selector, path: Path) -> Iterator[Problem]:
        if selector.level is not None:
            known = [*self.levels, LEADER]
            yield from self._known("level", selector.level, known, (*path, "level"))
        for n, name in enumerate(selector.entry):
            yield from self._known("entry", name, self.entries, (*path, "entry", n))
        for n, name in enumerate(selector.options):
            yield from self._known("option", name, self.options, (*path, "options", n))
        for name in selector.where:
            yield from self._known("attribute", name, self.attributes, (*path, "where", name))

    def _condition(self, condition: Condition, path: Path) -> Iterator[Problem]:
        yield from self._selector(condition.of, (*path, "of"))
        if condition.within is not None:
            scopes = [*self.levels, LEADER, "book"]
            yield from self._known("level", condition.within, scopes, (*path, "within"))
        if condition.sum is not None:
            yield from self._known("field", condition.sum, self.fields, (*path, "sum"))
        if condition.min is None and condition.max is None:
            yield self._fault("missing-key", "a condition needs min or max", path)
