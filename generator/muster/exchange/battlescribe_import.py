"""Write a rule system of Muster from BattleScribe data, and say what it could not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from muster.exchange.battlescribe import DataSet, LinkedEntry, Omission
from muster.exchange.battlescribe_constraints import BARE, ConstraintWriter, Counted
from muster.exchange.battlescribe_limits import ArmyLimits
from muster.exchange.battlescribe_part_limits import PartLimits
from muster.exchange.battlescribe_parts import (
    ARMY,
    FORCE,
    KIND,
    LABEL,
    UNIT,
    Collected,
    ImportedPrice,
    OptionDraft,
    Part,
    UnitDraft,
    slug,
    unique,
)
from muster.exchange.battlescribe_units import UnitReader
from muster.exchange.safe_xml import Element
from muster.limits import MAX_TABLE_CELLS
from muster.problems import MusterError, Problem
from muster.systems.identity import ANY_SCALE
from muster.values.number import plain_number
from muster.yamlfile import document_from_text
from muster.yamlfile.writing import yaml_text

_OPTION_TABLE = "option-prices"


class Term(NamedTuple):
    """A term of a price: the row of its points, what is paid for, and further keys of it."""

    row: str
    label: str
    points: Decimal
    keys: dict[str, Any]


@dataclass(slots=True)
class ImportedSystem:
    """The files of a system by their names in its folder, and what is missing in them."""

    id: str
    files: dict[str, str]
    omissions: list[Omission]
    units: int
    constraints: int
    books: list[str]

    def report(self) -> str:
        """Return what could not be said or is not carried over, each thing at its place."""
        counts = Counter(omission.kind for omission in self.omissions)
        lines = [
            f"Units: {self.units}. Books: {len(self.books)}. Rules: {self.constraints}.",
            f"Not carried over: {len(self.omissions)}.",
            *(f"  {number} × {kind}" for kind, number in counts.most_common()),
            "",
            *(str(omission) for omission in self.omissions),
        ]
        return "\n".join(lines) + "\n"


def import_system(data: DataSet, system_id: str) -> ImportedSystem:
    """Return the files of a system that says what BattleScribe data says, as far as it can.

    Raises:
        MusterError: If the data multiply without end, or a file would be too large to be read.
    """
    imported = Importer(data, system_id).run()
    for name, text in imported.files.items():
        try:
            document_from_text(text, f"{system_id}/{name}")
        except MusterError as error:
            code = error.problems[0].code
            told = f"{name} would be more than Muster reads ({code}); import fewer catalogues"
            raise MusterError([Problem(code, told, data.system.location)]) from None
    return imported


class Importer:
    """Reads a data set, and writes the files of a system."""

    def __init__(self, data: DataSet, system_id: str) -> None:
        self.data = data
        self.system_id = system_id
        self.collected = Collected(data)
        self.writer = ConstraintWriter(self.collected)
        self.part_limits = PartLimits(self.writer)
        self.army_limits = ArmyLimits(self.writer)
        self.force_titles: dict[str, str] = {}
        self.stats: dict[str, str] = {}
        self._terms: dict[str, list[Term]] = {}
        """The terms of the prices of types and options, by their ids."""
        self._table_of: dict[str, str] = {}
        self._named: set[str] = set()
        """The attributes that constraints name."""
        self._drafts: dict[Any, UnitDraft] = {}
        self._profiles: dict[str, list[tuple[str, UnitDraft, LinkedEntry]]] = {}

    # Steps

    def run(self) -> ImportedSystem:
        """Read everything, and return the files."""
        self._read_names()
        for catalogue in self._playable():
            self._read_catalogue(catalogue)
        for draft in self._drafts.values():
            UnitReader(self.collected, self.part_limits, draft).read()
        self._read_stats()
        for step in self.collected.steps:
            step()
        for selection, constraint in self.collected.wide_limits.values():
            self.army_limits.limit_parts(selection, constraint)
        for draft in self._drafts.values():
            self.army_limits.limit_unit(draft)
        self._limit_categories()
        self.writer.join_alike()
        self._price_units()
        self._omit_the_rest()
        return ImportedSystem(
            self.system_id,
            dict(self._files()),
            self.data.omissions,
            sum(len(profiles) for profiles in self._profiles.values()),
            len(self.writer.constraints),
            list(self.collected.books.values()),
        )

    def _playable(self) -> list[Element]:
        """Return the catalogues that become books; of none, the game system itself."""
        books = [c for c in self.data.catalogues if c.get("library") != "true"]
        return books or [self.data.system]

    def _holders(self) -> Iterator[Element]:
        yield self.data.system
        yield from self.data.catalogues

    def _read_names(self) -> None:
        taken: set[str] = set()
        for holder in self._holders():
            for category in holder.all("categoryEntries", "categoryEntry"):
                self.collected.categories[category.get("id")] = unique(
                    slug(category.get("name")), taken
                )
        forces: set[str] = set()
        for holder in self._holders():
            for force in holder.all("forceEntries", "forceEntry"):
                self.collected.forces[force.get("id")] = unique(slug(force.get("name")), forces)
                self.force_titles[force.get("id")] = force.get("name") or "Force"
                for inner in force.all("forceEntries", "forceEntry"):
                    self.data.omit("force", "a force within a force is left out", inner)
        books: set[str] = set()
        for catalogue in self._playable():
            self.collected.books[catalogue.get("id")] = unique(slug(catalogue.get("name")), books)

    def _read_catalogue(self, catalogue: Element) -> None:
        profiles = self._profiles.setdefault(catalogue.get("id"), [])
        taken: set[str] = set()
        allowed = self._allowed_categories()
        for entry in self.data.root_entries(catalogue):
            if entry.is_hidden and not self.collected.changes_visibility(entry):
                continue
            if entry.is_group:
                self.data.omit("group", "a group that is no unit is left out", entry)
                continue
            primary = entry.primary_category()
            if allowed and primary and primary not in allowed:
                known = self.collected.categories.get(primary, primary)
                self.data.omit("category", f"no force takes its category, {known!r}", entry)
                continue
            draft = self._draft(entry)
            profiles.append((unique(slug(entry.name), taken), draft, entry))

    def _allowed_categories(self) -> set[str]:
        """Return the categories that a force takes; none if no force says."""
        return {
            link.get("targetId")
            for holder in self._holders()
            for force in holder.all("forceEntries", "forceEntry")
            for link in force.all("categoryLinks", "categoryLink")
        }

    def _draft(self, entry: LinkedEntry) -> UnitDraft:
        """Return the type of a unit; catalogues share it if their links add nothing."""
        links = entry.elements[:-1]
        categories = tuple(sorted(link.get("targetId") for link in entry.categories()))
        adding = any(
            child.name not in {"categoryLinks", "profiles", "rules", "infoLinks", "comment"}
            and child.children
            for link in links
            for child in link.children
        )
        key = (entry.ids if adding else entry.ids[-1:], categories, entry.name)
        draft = self._drafts.get(key)
        if draft is None:
            name = unique(f"{slug(entry.name)}-type", self.collected.taken)
            draft = UnitDraft(name, entry.name[:LABEL], entry, ImportedPrice(Decimal(0)))
            draft.base = UnitReader(self.collected, self.part_limits, draft).fixed_cost(entry)
            self._drafts[key] = draft
            self.collected.drafts.append(draft)
            for category in dict.fromkeys(categories):
                if category in self.collected.categories:
                    self.collected.in_category.setdefault(category, []).append(draft)
        for each in entry.ids:
            self.collected.units.setdefault(each, set()).add(draft.id)
        return draft

    def _limit_categories(self) -> None:
        for holder in self._holders():
            for category in holder.all("categoryEntries", "categoryEntry"):
                self.army_limits.limit_category(LinkedEntry((category,)), category.get("id"), None)
            for force in holder.all("forceEntries", "forceEntry"):
                self.army_limits.limit_force(LinkedEntry((force,)))
                only = force.get("id") if self.collected.has_forces else None
                for link in force.all("categoryLinks", "categoryLink"):
                    self.army_limits.limit_category(
                        LinkedEntry((link,)), link.get("targetId"), only
                    )
                if self.collected.has_forces:
                    self._bar_categories(force)

    def _bar_categories(self, force: Element) -> None:
        """Say which units a force of one kind does not take."""
        taken = {link.get("targetId") for link in force.all("categoryLinks", "categoryLink")}
        barred = {
            draft.id
            for draft in self._drafts.values()
            if (primary := draft.selection.primary_category()) and primary not in taken
        }
        if taken and barred:
            key = self.collected.forces[force.get("id")]
            of = {"level": FORCE, "where": {KIND: [key]}}
            title = self.force_titles[force.get("id")]
            counted = Counted(f"{key}-takes", title, {"of": {"entry": sorted(barred)}})
            when = [{"of": of, "min": 1}]
            self.writer.add(
                counted,
                "it does not take these units",
                "count",
                FORCE,
                **counted.keys,
                max=0,
                when=when,
            )

    # Values

    def _read_stats(self) -> None:
        """Give units the values of those types of profile of which each has one at the most."""
        found = {
            draft.id: list(self._profiles_of(draft.selection, 0)) for draft in self._drafts.values()
        }
        several: Counter[str] = Counter()
        for profiles in found.values():
            counted = Counter(profile.get("typeId") for profile in profiles)
            several.update(key for key, number in counted.items() if number > 1)
        for draft in self._drafts.values():
            for profile in found[draft.id]:
                if profile.get("typeId") in several:
                    text = "units have several profiles of this type: its values are left out"
                    self.collected.once("profile", text, LinkedEntry((profile,)))
                    continue
                for value in profile.all("characteristics", "characteristic"):
                    self._read_value(draft, profile, value)

    def _read_value(self, draft: UnitDraft, profile: Element, value: Element) -> None:
        text = value.text
        if not text:
            return
        name = slug(value.get("name"))
        if name in draft.stats or name in draft.fields or name in _OWN_NAMES:
            name = slug(f"{profile.get('typeName')}-{value.get('name')}")
        if len(text) > LABEL:
            text = f"{text[: LABEL - 1]}…"
            self.collected.once(
                "profile", "a value of more than 300 characters is cut", LinkedEntry((profile,))
            )
        draft.stats[name] = text
        self.stats.setdefault(name, value.get("name") or name)

    def _profiles_of(self, selection: LinkedEntry, depth: int) -> Iterator[Element]:
        """Yield the profiles of an entry and of what it always has."""
        yield from selection.all("profiles", "profile")
        for link in selection.all("infoLinks", "infoLink"):
            target = self.data.by_id.get(link.get("targetId"))
            if target is not None and target.name == "profile":
                yield target
        if depth < 3:  # noqa: PLR2004 - a model in a unit, and what it carries
            reader = UnitReader(
                self.collected,
                self.part_limits,
                UnitDraft("", "", selection, ImportedPrice(Decimal(0))),
            )
            for child, _ in reader.fixed_children(selection):
                yield from self._profiles_of(child, depth + 1)

    def _omit_the_rest(self) -> None:
        """Record what no step has carried over: costs other than points, changing names."""
        types = [t for holder in self._holders() for t in holder.all("costTypes", "costType")]
        for cost in types:
            if cost.get("id") != self.collected.points and cost.get("hidden") != "true":
                self.data.omit("cost", "another cost than points is left out", cost)
        for draft in self._drafts.values():
            for modifier in draft.selection.modifiers():
                name = modifier.element.get("field")
                if name == "category":
                    text = "a category that depends on others is left out"
                    self.collected.once("category", text, draft.selection)
                elif name == "name":
                    self.collected.once(
                        "name", "a name that depends on others is left out", draft.selection
                    )

    # Files

    def _files(self) -> Iterator[tuple[str, str]]:
        title = self.data.system.get("name") or self.system_id
        version = self.data.system.get("revision") or "1"
        comment = f"Imported from BattleScribe data: {title}, revision {version}."
        tables = dict(self._tables())
        identity = {
            "id": self.system_id,
            "title": title[:LABEL],
            "edition": version,
            "unit": "in",
            "scales": [{"id": ANY_SCALE, "title": "figure scale not stated"}],
            "source": {
                "title": title[:LABEL],
                "credit": f"{title[:LABEL]}: figures from BattleScribe data, revision {version}.",
            },
            "phases": [{"id": "game", "title": "Game"}],
            "chapters": [{"id": "army", "title": "The army"}],
        }
        yield "system.yaml", yaml_text(identity, comment)
        for key, table in tables.items():
            yield f"tables/{key}.yaml", yaml_text(table, comment)
        yield "composition.yaml", yaml_text(self._composition(), comment)
        for key, book in self._books():
            yield f"books/{key}.yaml", yaml_text(book, comment)
        yield "cards.yaml", yaml_text(self._cards(), comment)

    def _price_units(self) -> None:
        """Work out the terms of all prices, in which other parts of the unit may be counted."""
        for draft in self._drafts.values():
            label = self.part_limits.title_of
            self._terms[draft.id] = self._terms_of(draft, draft.id, draft.title, draft.base, {})
            for part, price in draft.prices.items():
                row, title = _row_of(draft, part), label(draft, part)
                if part.kind == "choice":
                    keys: dict[str, Any] = {"where": {part.key: [part.value]}}
                else:
                    keys = {"times": part.key}
                terms = self._terms_of(draft, row, title, price, keys)
                self._terms[draft.id] += terms
        for option in self.collected.options.values():
            self._terms[option.id] = self._option_terms(option)

    def _option_terms(self, option: OptionDraft) -> list[Term]:
        """Return the terms of an option; those of units that differ name the units."""
        groups: list[tuple[list[tuple[Decimal, Any]], list[str], list[Term]]] = []
        for draft in self._drafts.values():
            if draft.id in option.prices:
                price = option.prices[draft.id]
                terms = self._terms_of(draft, option.id, option.title, price, {})
                costs = [(term.points, term.keys) for term in terms]
                same = next((units for held, units, _ in groups if held == costs), None)
                if same is None:
                    groups.append((costs, [draft.id], terms))
                else:
                    same.append(draft.id)
        if len(groups) == 1:
            return groups[0][2]
        rows = set(self.collected.options)
        return [
            term._replace(
                row=unique(f"{slug(term.row, 70)}-for-{n}", rows), keys={**term.keys, **_of(units)}
            )
            for n, (_, units, terms) in enumerate(groups, 1)
            for term in terms
        ]

    def _terms_of(
        self, draft: UnitDraft, row: str, label: str, price: ImportedPrice, keys: dict[str, Any]
    ) -> list[Term]:
        """Return the terms of one price: its own points, and those for each of something else."""
        terms = [Term(row, label, price.points, keys)] if price.points else []
        for key, points in price.rates:
            field_name = self.collected.field_of(draft, key)
            if field_name is None or "times" in keys:
                text = "a price for each of something that is no number of the unit is left out"
                self.collected.once("price", f"{text} ({key})", draft.selection)
            elif points:
                name = slug(f"{row}-each-{field_name}", 80)
                terms.append(Term(name, label, points, {**keys, "times": field_name}))
        return terms

    def _tables(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the tables of prices: one for each book, one for options; more if they are long."""
        rows: dict[str, list[Term]] = {}
        for catalogue, profiles in self._profiles.items():
            name = f"points-{self.collected.books[catalogue]}"
            for _, draft, _ in profiles:
                if draft.id not in self._table_of:
                    self._put_terms(draft.id, name, rows)
        for option in self.collected.options:
            self._put_terms(option, _OPTION_TABLE, rows)
        for key, terms in rows.items():
            if terms:
                yield key, _price_table(key, terms)

    def _put_terms(self, owner: str, name: str, rows: dict[str, list[Term]]) -> None:
        terms = self._terms[owner]
        table = _with_room(name, rows, len(terms))
        self._table_of[owner] = table
        rows.setdefault(table, []).extend(terms)

    def _price_of(self, owner: str) -> list[dict[str, Any]]:
        """Return the price of a type or an option, as `composition.yaml` writes it."""
        table = self._table_of[owner]
        return [
            {"each": {"table": table, "row": term.row}, **term.keys, "label": term.label[:LABEL]}
            for term in self._terms[owner]
        ]

    def _composition(self) -> dict[str, Any]:
        under = FORCE if self.collected.has_forces else ARMY
        levels: list[dict[str, Any]] = [{"id": ARMY, "title": "Army"}]
        if self.collected.has_forces:
            kinds = {
                key: self.force_titles[force][:LABEL]
                for force, key in self.collected.forces.items()
            }
            kind = {"form": "choice", "title": "Kind", "of": kinds, "required": True}
            levels.append(
                {
                    "id": FORCE,
                    "title": "Force",
                    "key": "forces",
                    "under": [ARMY],
                    "fields": {KIND: kind},
                }
            )
        levels.append({"id": UNIT, "title": "Unit", "key": "units", "under": [under]})
        self._named = set(_attributes_in(self.writer.constraints))
        entries = [self._entry(draft) for draft in self._drafts.values()]
        bare = {
            "id": BARE,
            "kind": "count",
            "message": "Units are those of the army books, not their bare types.",
            "rule": {"chapter": "army"},
            "of": {"where": {"unit": [draft.id for draft in self._drafts.values()]}},
            "max": 0,
            "within": ARMY,
        }
        made = {
            "pricing": {"chapter": "army"},
            "levels": levels,
            "profile": {
                name: {"form": "line", "title": title[:LABEL]} for name, title in self.stats.items()
            },
            "words": self._words(),
            "entries": entries,
            "options": [self._option(option) for option in self.collected.options.values()],
            "constraints": [bare, *self.writer.constraints],
        }
        if not any(self._terms.values()):
            del made["pricing"]
        if not made["words"]:
            del made["words"]
        return made

    def _words(self) -> dict[str, dict[str, str]]:
        """Return what findings call the units of categories: `“Core” units`."""
        return {
            attribute: {"yes": f"“{self._category_title(key)}”"}
            for key in self.collected.categories
            if (attribute := self.collected.attribute(key)) in self._named
        }

    def _category_title(self, key: str) -> str:
        element = self.data.by_id.get(key)
        return (element.get("name") if element is not None else "")[: LABEL - 2] or "Unnamed"

    def _entry(self, draft: UnitDraft) -> dict[str, Any]:
        own = {link.get("targetId") for link in draft.selection.categories()}
        attributes = {
            self.collected.attribute(key): "yes"
            for key in self.collected.categories
            if key in own and self.collected.attribute(key) in self._named
        }
        primary = draft.selection.primary_category()
        element = self.data.by_id.get(primary)
        if element is not None and element.get("name"):
            attributes["slot"] = element.get("name")[:LABEL]
        made = {
            "id": draft.id,
            "title": draft.title,
            "level": UNIT,
            "attributes": attributes,
            "size": draft.size,
            "fields": {
                **draft.fields,
                **{
                    name: {"form": "whole", "title": name.replace("-", " ").capitalize()}
                    for name in draft.allowances
                },
            },
            "price": self._price_of(draft.id),
        }
        return {key: value for key, value in made.items() if value}

    def _option(self, option: OptionDraft) -> dict[str, Any]:
        price = self._price_of(option.id)
        return {"id": option.id, "title": option.title, **({"price": price} if price else {})}

    def _books(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for catalogue, profiles in self._profiles.items():
            if not profiles:
                self.data.omit("book", "it has no units", self.data.by_id[catalogue])
                continue
            units = [
                {
                    "id": key,
                    "title": entry.name[:LABEL],
                    "type": draft.id,
                    "may": list(draft.options),
                    **({"fields": draft.allowances} if draft.allowances else {}),
                    **({"stats": draft.stats} if draft.stats else {}),
                }
                for key, draft, entry in profiles
            ]
            book = self.collected.books[catalogue]
            title = self.data.by_id[catalogue].get("name") or book
            yield book, {"id": book, "title": title[:LABEL], "units": units}

    def _cards(self) -> dict[str, Any]:
        values = [
            {"label": title[:LABEL], "value": {"field": name}} for name, title in self.stats.items()
        ]
        card: dict[str, Any] = {"id": UNIT, "level": UNIT, "facts": [{"value": {"field": "slot"}}]}
        rows = [{"label": v["label"], "values": [v["value"]]} for v in values[:40]]
        if rows:
            card["blocks"] = [{"title": "Values", "rows": rows}]
        return {"symbols": [{"symbol": "foot"}], "cards": [card]}


_OWN_NAMES = frozenset({"slot", "kind", "type", "unit", "level", "book", "nation", "scale"})


def _attributes_in(rule: Any) -> Iterator[str]:
    """Yield the attributes that selectors of a constraint, or a part of it, look at."""
    if isinstance(rule, dict):
        yield from rule.get("where", ())
        rule = list(rule.values())
    if isinstance(rule, list):
        for part in rule:
            yield from _attributes_in(part)


def _of(units: list[str]) -> dict[str, Any]:
    """Return the key of a term that counts for some types of unit alone."""
    return {"where": {"type": units}}


def _row_of(draft: UnitDraft, part: Part) -> str:
    """Return the id of the row that has the price of a part of a unit."""
    return slug(f"{draft.id}-{part.key}-{part.value}", 80)


def _with_room(name: str, rows: dict[str, list[Any]], needed: int) -> str:
    """Return the name of a table that has room for some rows."""
    found, number = name, 1
    while len(rows.get(found, ())) + needed > MAX_TABLE_CELLS:
        number += 1
        found = f"{name}-{number}"
    return found


def _price_table(key: str, terms: list[Term]) -> dict[str, Any]:
    return {
        "id": key,
        "title": key.replace("-", " ").capitalize(),
        "kind": "grid",
        "chapter": "army",
        "phase": "game",
        "form": "number",
        "columns": [{"id": "points", "label": "Points"}],
        "rows": [
            {"id": term.row, "label": term.label[:LABEL], "cells": [plain_number(term.points)]}
            for term in terms
        ],
    }
