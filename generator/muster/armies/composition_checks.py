"""Check the names, ids and values of a `composition.yaml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from muster.armies.constraints import BOOK_SCOPE, Condition
from muster.armies.fields import known_forms, read_field
from muster.armies.vocabulary import LEADER, FieldSpec, PriceTerm, Roll, Selector
from muster.armies.written_composition import (
    WrittenComposition,
    iter_cell_references,
    iter_field_groups,
    iter_fields,
    iter_price_terms,
    iter_rolls,
)
from muster.names import repeated
from muster.problems import Problem, known_words
from muster.tables.references import AttributeReference
from muster.values import Dice
from muster.yamlfile import Document, KeyPath

BUILT_IN_ATTRIBUTES = frozenset({"type", "unit", "level", "book", "nation", "scale"})
"""Attributes that nodes have although no composition names them."""


def check_composition(
    written: WrittenComposition,
    document: Document,
    chapters: Collection[str],
    tables: Collection[str],
) -> list[Problem]:
    """Return all problems: names that do not exist, ids that stand twice, bad values."""
    return list(_CompositionChecker(written, document, chapters, tables).problems())


class _CompositionChecker:
    def __init__(
        self,
        written: WrittenComposition,
        document: Document,
        chapters: Collection[str],
        tables: Collection[str],
    ) -> None:
        self.written = written
        self.document = document
        self.chapters = chapters
        self.tables = tables
        self.levels = [level.id for level in written.levels]
        self.entries = [entry.id for entry in written.entries]
        self.options = [option.id for option in written.options]
        self.fields = {name for _, name, _ in iter_fields(written)}
        stated = {name for entry in written.entries for name in entry.attributes}
        stated |= {name for option in written.options for name in option.attributes}
        self.granted = {name for grant in written.grants for name in grant.set}
        stated |= self.granted
        self.has_prices = any(True for _ in iter_price_terms(written))
        self.attributes = self.fields | stated | BUILT_IN_ATTRIBUTES

    def problems(self) -> Iterator[Problem]:
        yield from self._duplicate_ids("levels", self.levels)
        yield from self._duplicate_ids("entries", self.entries)
        yield from self._duplicate_ids("options", self.options)
        yield from self._duplicate_ids(
            "constraints", [rule.id for rule in self.written.constraints]
        )
        yield from self._levels()
        yield from self._fields()
        yield from self._rolls()
        yield from self._prices()
        yield from self._grants()
        yield from self._constraints()
        for attribute in self.written.words:
            yield from self._unknown_attribute(attribute, ("words", attribute))
        pricing = self.written.pricing
        if pricing is not None:
            yield from self._unknown_name(
                "chapter", pricing.chapter, self.chapters, ("pricing", "chapter")
            )
        for path, _, roll in iter_rolls(self.written):
            yield from self._unknown_name("table", roll.table, self.tables, (*path, "table"))
        for path, reference in iter_cell_references(self.written):
            yield from self._unknown_name("table", reference.table, self.tables, (*path, "table"))
            for key, name in (("row", reference.row), ("column", reference.column)):
                if isinstance(name, AttributeReference):
                    yield from self._unknown_attribute(name.field, (*path, key, "field"))

    def _problem(self, code: str, text: str, path: KeyPath) -> Problem:
        return self.document.problem(code, text, path)

    def _duplicate_ids(self, key: str, ids: list[str]) -> Iterator[Problem]:
        for index, id_ in repeated(ids):
            yield self._problem("id-twice", f"the id {id_!r} is used twice", (key, index, "id"))

    def _unknown_name(
        self, what: str, name: str, known: Iterable[str], path: KeyPath
    ) -> Iterator[Problem]:
        names = sorted(known)
        if name not in names:
            text = f"there is no {what} {name!r}{known_words(name, names)}"
            yield self._problem(f"unknown-{what}", text, path)

    def _unknown_attribute(self, name: str, path: KeyPath) -> Iterator[Problem]:
        yield from self._unknown_name("attribute", name, self.attributes, path)

    def _levels(self) -> Iterator[Problem]:
        for index, level in enumerate(self.written.levels):
            path: KeyPath = ("levels", index)
            above = self.levels[:index]
            if index and (level.key is None or not level.under):
                text = f"the level {level.id!r} needs `key:` and `under:`, the levels that hold it"
                yield self._problem("missing-key", text, path)
            for n, name in enumerate(level.under):
                # A level may only stand under earlier ones, so that none can hold itself.
                yield from self._unknown_name("level", name, above, (*path, "under", n))
            for key, leader in level.leaders.items():
                entry_path = (*path, "leaders", key, "entry")
                yield from self._unknown_name("entry", leader.entry, self.entries, entry_path)
        for index, entry in enumerate(self.written.entries):
            levels = [*self.levels[1:], LEADER]
            yield from self._unknown_name("level", entry.level, levels, ("entries", index, "level"))

    def _fields(self) -> Iterator[Problem]:
        forms = known_forms()
        for path, _, spec in iter_fields(self.written):
            if spec.form not in forms:
                yield from self._unknown_name("form", spec.form, forms, (*path, "form"))
                continue
            if spec.form == "choice" and not spec.of:
                yield self._problem(
                    "missing-key", "a choice needs `of:`, such as {raw: Raw, old: Old}", path
                )
            if spec.default is not None:
                try:
                    read_field(spec.form, spec.of, spec.default)
                except ValueError as error:
                    yield self._problem("bad-value", str(error), (*path, "default"))
        for index, entry in enumerate(self.written.entries):
            if entry.size is not None:
                size = entry.fields.get(entry.size)
                if size is None or size.form != "whole":
                    text = f"read the size {entry.size!r}, expected a field with `form: whole`"
                    yield self._problem("bad-size", text, ("entries", index, "size"))

    def _rolls(self) -> Iterator[Problem]:
        for path, spec, roll in iter_rolls(self.written):
            yield from self._roll(spec, roll, path)
            if path[0] == "profile":
                text = "a field of a profile cannot be rolled, because the book states its value"
                yield self._problem("bad-roll", text, path)
        for path, specs in iter_field_groups(self.written):
            wholes = [name for name, spec in specs.items() if spec.form == "whole"]
            for name, spec in specs.items():
                total = spec.roll.total if spec.roll is not None else None
                if total is not None and (total == name or total not in wholes):
                    text = f"read the total {total!r}, expected a field beside it, of `form: whole`"
                    yield self._problem("bad-roll", text, (*path, name, "roll", "total"))

    def _roll(self, spec: FieldSpec, roll: Roll, path: KeyPath) -> Iterator[Problem]:
        if spec.required:
            text = "a field that is rolled cannot be required: leave out `required:` or `roll:`"
            yield self._problem("bad-roll", text, path)
        try:
            Dice.parse(roll.dice)
        except ValueError as error:
            yield self._problem("bad-value", str(error), (*path, "dice"))
        if isinstance(roll.lookup_key, AttributeReference):
            field_path = (*path, roll.read_by, "field")
            name = roll.lookup_key.field
            yield from self._unknown_attribute(name, field_path)
        for n, modifier in enumerate(roll.plus):
            for name in modifier.where:
                name_path = (*path, "plus", n, "where", name)
                yield from self._unknown_attribute(name, name_path)

    def _prices(self) -> Iterator[Problem]:
        for path, term in iter_price_terms(self.written):
            yield from self._term(term, path)

    def _term(self, term: PriceTerm, path: KeyPath) -> Iterator[Problem]:
        if isinstance(term.each, AttributeReference):
            field_path = (*path, "each", "field")
            yield from self._unknown_name("field", term.each.field, self.fields, field_path)
        if term.times is not None:
            yield from self._unknown_name("field", term.times, self.fields, (*path, "times"))
        for name in term.where:
            yield from self._unknown_attribute(name, (*path, "where", name))

    def _grants(self) -> Iterator[Problem]:
        """Check grants; what they look at may not rest on what they give, so that none is open."""
        for index, grant in enumerate(self.written.grants):
            path: KeyPath = ("grants", index)
            yield from self._unknown_name("level", grant.within, self.levels, (*path, "within"))
            selectors: list[tuple[KeyPath, Selector]] = [((*path, "of"), grant.of)]
            for below, condition in grant.conditions():
                yield from self._condition(condition, (*path, *below))
                selectors.append(((*path, *below, "of"), condition.of))
                if condition.by in {"points", "option-points"}:
                    text = (
                        f"read `by: {condition.by}`, expected number or options: prices may rest "
                    )
                    text += "on what is granted"
                    yield self._problem("circular", text, (*path, *below, "by"))
            yield from self._selector(grant.of, (*path, "of"))
            for selector_path, selector in selectors:
                for name in self.granted & set(selector.where):
                    text = f"a grant gives the attribute {name!r}, so that no grant can rest on it"
                    yield self._problem("circular", text, (*selector_path, "where", name))
            for name in self.fields & set(grant.set):
                text = f"{name!r} is a field, which a grant cannot set"
                yield self._problem("granted-field", text, (*path, "set", name))
            for name in set(grant.set) & BUILT_IN_ATTRIBUTES:
                text = f"every unit has {name!r} in any case, so that no grant can set it"
                yield self._problem("granted-field", text, (*path, "set", name))
            if any(True for _ in grant.limit_conditions()) and not self.has_prices:
                yield self._no_prices(path)

    def _no_prices(self, path: KeyPath) -> Problem:
        text = "this counts by the limit, which is in points, but nothing has a price"
        return self._problem("no-prices", text, path)

    def _constraints(self) -> Iterator[Problem]:
        scopes = [*self.levels, LEADER, BOOK_SCOPE]
        for index, rule in enumerate(self.written.constraints):
            path: KeyPath = ("constraints", index)
            yield from self._unknown_name("level", rule.within, scopes, (*path, "within"))
            chapter = (*path, "rule", "chapter")
            yield from self._unknown_name("chapter", rule.rule.chapter, self.chapters, chapter)
            for key, selector in rule.selectors():
                yield from self._selector(selector, (*path, key))
            for below, condition in rule.conditions():
                yield from self._condition(condition, (*path, *below))
            for key, name in rule.attribute_names():
                yield from self._unknown_attribute(name, (*path, key))
            for below, name in rule.summed_fields():
                yield from self._unknown_name("field", name, self.fields, (*path, *below))
            by_limit = rule.counts_limit or any(True for _ in rule.limit_conditions())
            if by_limit and not self.has_prices:
                yield self._no_prices(path)
            for fault in rule.value_errors():
                yield self._problem(fault.code, fault.text, (*path, *fault.path))

    def _selector(self, selector: Selector, path: KeyPath) -> Iterator[Problem]:
        if selector.level is not None:
            known = [*self.levels, LEADER]
            yield from self._unknown_name("level", selector.level, known, (*path, "level"))
        for n, name in enumerate(selector.entry):
            yield from self._unknown_name("entry", name, self.entries, (*path, "entry", n))
        for n, name in enumerate(selector.options):
            yield from self._unknown_name("option", name, self.options, (*path, "options", n))
        for name in selector.where:
            yield from self._unknown_attribute(name, (*path, "where", name))

    def _condition(self, condition: Condition, path: KeyPath) -> Iterator[Problem]:
        yield from self._selector(condition.of, (*path, "of"))
        if condition.within is not None:
            scopes = [*self.levels, LEADER, BOOK_SCOPE]
            yield from self._unknown_name("level", condition.within, scopes, (*path, "within"))
        for below, name in condition.summed_fields():
            yield from self._unknown_name("field", name, self.fields, (*path, *below))
        if condition.min is None and condition.max is None:
            yield self._problem(
                "missing-key", "a condition needs `min:` or `max:`, such as min: 1", path
            )
