"""The data of the list builder for browsers: all that its judge and its pages need of a system.

Mappings become lists of pairs, since a browser reorders keys that look like numbers. Numbers become
text, since its own numbers are not exact.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from muster.armies import Composition, load_book, load_composition
from muster.armies.book_rules import book_reference, number_message, number_rule
from muster.armies.books import Book, Profile, book_ids
from muster.armies.constraints import (
    AnyCondition,
    AnyConstraint,
    Conditions,
    CountRule,
    Grant,
    LimitCondition,
    ShareRule,
    Switched,
)
from muster.armies.fields import (
    FieldValue,
    as_number,
    as_text,
    is_absent,
    parse_share,
    read_field,
    show_field,
)
from muster.armies.findings import RuleReference, reference_of
from muster.armies.pricing import amount_of
from muster.armies.ranges import whole_range_of
from muster.armies.rolls import RollOutcome, roll_outcomes
from muster.armies.vocabulary import Citation, FieldSpec, Roll
from muster.armies.written_composition import iter_cell_references
from muster.documents.own_language import in_own_language
from muster.documents.website import chapter_file, web_folder
from muster.languages import known_languages
from muster.systems import System
from muster.values import DASH, Band, Cost, Count, Dice, Distance, Modifier, Number, Target
from muster.values import Fraction as CellFraction
from muster.values.number import plain_number
from muster.values.quantity import number_in, quantity_of

_CALCULABLE = (Number, Modifier, Distance, Count, Target, CellFraction)
"""The forms of cells that cards calculate with."""

SCHEMA = 2
"""The version of the data: a page reads no other."""

Json = dict[str, Any]


SHARED_FILES = (
    "index.html", "builder.css", "fonts.css", "builder.js", "later.js", "qr.js",
    "manifest.webmanifest", "icon.svg", "icon-180.png", "icon-192.png", "icon-512.png", "sw.js",
)  # fmt: skip
"""The files of the list builder that are the same whatever systems it offers."""


LANGUAGES = tuple(language for language in known_languages() if language != "en")
"""The languages of which each has a file of words; English words stand in the scripts."""


def words_name(language: str) -> str:
    """Return the name of the file with the words of the list builder in a language."""
    return f"words-{language}.js"


def system_file(system_id: str, part: str = "", language: str = "") -> str:
    """Return the name of the file with a system's data, or with its `tables` or `pictures`.

    Args:
        system_id: The id of the system.
        part: The part that it holds; none for what the judge needs.
        language: The language of a translation.
    """
    return "systems/" + ".".join(filter(None, (system_id, language, part, "js")))


def page_link(system: System, file: str, pages: Collection[str], anchor: str = "") -> str:
    """Return the address of a page of the web edition; empty if it is not among the pages."""
    path = f"{web_folder(system)}/{file}"
    return f"../{path}{anchor}" if path in pages else ""


_MOST_AT_ONCE = 6
"""The most systems whose data a page loads before it knows which it needs: 3 to 6 kB of each."""


@dataclass(frozen=True, slots=True)
class ListedSystem:
    """A system that the list builder offers: the names of its files, and their fingerprints.

    The first file has what its judge needs; the page loads the others when it shows them. Of a
    translation, whose files are loaded instead, it has the title and the files by its language.
    """

    id: str
    title: str
    files: tuple[str, ...]
    fingerprints: tuple[str, ...]
    translations: tuple[tuple[str, str, tuple[str, ...]], ...] = ()

    @property
    def all_files(self) -> list[str]:
        """The names of all its files, in all languages."""
        return [*self.files, *(file for *_, files in self.translations for file in files)]


@dataclass(frozen=True, slots=True)
class BuilderFrame:
    """What the pages of the list builder share: the systems that it offers.

    `has_documents` says whether it is built with all other documents, to whose index it links;
    built alone, its folder is copied alone.
    """

    systems: tuple[ListedSystem, ...]
    has_documents: bool

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the page speaks beside English."""
        return LANGUAGES

    @property
    def loaded_at_once(self) -> list[str]:
        """The files that judge the lists of few systems: a browser fetches them with the page."""
        few = len(self.systems) <= _MOST_AT_ONCE
        return [system.files[0] for system in self.systems] if few else []

    @property
    def files(self) -> list[str]:
        """The names of all files but the service worker, which keeps them for use offline."""
        shared = [name for name in SHARED_FILES if name != "sw.js"]
        shared += map(words_name, LANGUAGES)
        return [*shared, *(file for system in self.systems for file in system.all_files)]


@dataclass(frozen=True, slots=True)
class BuilderSystem:
    """A file of a system in the list builder; `data` is what it holds, as JSON."""

    file: str
    title: str
    data: str


@in_own_language
def gather_builder_system(
    system: System, book_folders: Sequence[Path] = (), pages: Collection[str] = ()
) -> BuilderSystem:
    """Gather the composition, the army books and the cells that prices and rules look up.

    Args:
        system: The system.
        book_folders: Further folders of army books, such as the user's own.
        pages: The pages of web editions that are built beside the list builder, such as
            `club/web/troops.html`, to which the findings link.

    Raises:
        MusterError: If the composition, a book, or a table that they name has problems.
    """
    composition = load_composition(system)
    books = [load_book(system, each, book_folders) for each in book_ids(system, book_folders)]
    return builder_system(system, "", _system_data(composition, books, pages))


def builder_system(system: System, part: str, data: Json) -> BuilderSystem:
    """Return the file with these data of a system, in its language."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    language = system.identity.language if system.speaker else ""
    return BuilderSystem(system_file(system.id, part, language), system.title, text)


def _system_data(composition: Composition, books: Iterable[Book], pages: Collection[str]) -> Json:
    system, written = composition.system, composition.written
    tables = sorted({reference.table for _, reference in iter_cell_references(written)})
    return {
        "schema": SCHEMA,
        "id": system.id,
        "title": system.title,
        "edition": system.identity.edition,
        "scales": [[scale.id, scale.title] for scale in system.scales],
        "prices": composition.has_prices,
        "pricing": _rule(system, written.pricing, pages),
        "levels": [_with_fields(level, composition) for level in written.levels],
        "profile": _specs(written.profile, composition),
        "words": plain_data(written.words),
        "entries": [_with_fields(entry, composition) for entry in written.entries],
        "options": [plain_data(option) for option in written.options],
        "grants": [_grant(grant) for grant in written.grants],
        "constraints": [_constraint(rule, system, pages) for rule in written.constraints],
        "countsLimit": composition.counts_limit,
        "tables": [_table(system, each) for each in tables],
        "books": [_book(book, composition) for book in books],
    }


def plain_data(value: Any) -> Any:
    """Return a part of a composition as plain data, without what has its default."""
    match value:
        case BaseModel():
            set_fields = value.model_dump(exclude_defaults=True)
            return {name: plain_data(getattr(value, name)) for name in set_fields}
        case Mapping():
            return [[key, plain_data(each)] for key, each in value.items()]
        case list() | tuple():
            return [plain_data(each) for each in value]
        case bool() | str() | None:
            return value
    return str(value)


def _with_fields(part: Any, composition: Composition) -> Json:
    return {**plain_data(part), "picture": None, "fields": _specs(part.fields, composition)}


def _reference(reference: RuleReference) -> Json:
    return {"chapter": reference.chapter, "source": reference.source}


def _rule(system: System, citation: Citation | None, pages: Collection[str]) -> Json:
    data = _reference(reference_of(system, citation))
    page = citation and page_link(system, chapter_file(citation.chapter), pages)
    return {**data, "page": page} if page else data


def _switches(switched: Switched) -> Json:
    """Return what `when` and `unless` say; several conditions that must all hold are one."""
    keys = {True: "when", False: "unless"}
    return {keys[expected]: _switch(switch) for switch, expected in switched.switches()}


def _switch(switch: AnyCondition) -> Json:
    match switch:
        case LimitCondition():
            return {"limit": _band(Band.parse(switch.limit))}
        case Conditions():
            return {"all" if switch.all else "any": [_switch(part) for part in switch.parts]}
    data: Json = plain_data(switch)
    return data


def _grant(grant: Grant) -> Json:
    return {**plain_data(grant), **_switches(grant)}


def _constraint(rule: AnyConstraint, system: System, pages: Collection[str]) -> Json:
    data: Json = {**plain_data(rule), "kind": rule.kind, "rule": _rule(system, rule.rule, pages)}
    data |= _switches(rule)
    # Findings have the message; only army books print the other text.
    data.pop("book_text", None)
    if "allowed" in data:
        data["allowed"] = [
            {"range": _range(Band.parse(each))} if isinstance(each, str) else each
            for each in data["allowed"]
        ]
    if isinstance(rule, ShareRule):
        for key, share in (("least", rule.min), ("most", rule.max)):
            if share is not None:
                data[key] = _fraction(parse_share(share))
    return data


def _fraction(share: Fraction) -> list[str]:
    return [str(share.numerator), str(share.denominator)]


def _range(value: Any) -> list[str | None] | None:
    """Return the whole numbers that a cell allows, both ends included; None for words."""
    ends = whole_range_of(value)
    return None if ends is None else [None if end is None else plain_number(end) for end in ends]


def _value(value: FieldValue, choices: Mapping[str, str] | None = None) -> str | Json:
    """Return a value as the judge needs it: its text alone, or with all that it counts for."""
    more: Json = {}
    shown = show_field(value, choices or {})
    if shown != as_text(value):
        more["shown"] = shown
    if is_absent(value):
        more["absent"] = True
    if value is DASH:
        more["dash"] = True
    if isinstance(value, int | Decimal):
        more["number"] = plain_number(Decimal(as_number(value)))
    amount = amount_of(value)
    if amount is not None:
        more["amount"] = plain_number(amount)
    if isinstance(value, Cost):
        more |= _cost_terms(value)
    if not isinstance(value, str | int | Decimal) and (ends := _range(value)) is not None:
        more["range"] = ends
    if parts := quantity_parts(value):
        more["quantity"] = parts
    return {"text": as_text(value), **more} if more else as_text(value)


def _cost_terms(cost: Cost) -> Json:
    """Return for how many a cost is paid, unless for each, and whether it is nothing."""
    terms: Json = {}
    if cost.every != 1:
        terms["every"] = plain_number(cost.every)
    if cost.free:
        terms["free"] = True
    return terms


def quantity_parts(value: object) -> list[str]:
    """Return numerator, denominator and unit of a value to calculate with; nothing for others.

    The unit of a number needed on a roll is its sign: `+` for so much or more, `-` for less.
    """
    if not isinstance(value, _CALCULABLE) or number_in(value) is None:
        return []
    quantity = quantity_of(value)
    number = Fraction(quantity.number)
    unit = quantity.unit.value if quantity.unit else ""
    if isinstance(value, Target):
        unit = "+" if value.or_more else "-"
    parts = [str(number.numerator), str(number.denominator), unit]
    while parts and parts[-1] == ("1" if len(parts) == 2 else ""):  # noqa: PLR2004 - whole number
        parts.pop()
    return parts


def _values(values: Mapping[str, FieldValue], specs: Mapping[str, FieldSpec]) -> list[list[Any]]:
    return [
        [name, _value(value, specs[name].of if name in specs else None)]
        for name, value in values.items()
    ]


def _specs(specs: Mapping[str, FieldSpec], composition: Composition) -> list[list[Any]]:
    return [[name, _spec(spec, composition)] for name, spec in specs.items()]


def _spec(spec: FieldSpec, composition: Composition) -> Json:
    data: Json = plain_data(spec)
    if spec.default is not None:
        data["default"] = _value(read_field(spec.form, spec.of, spec.default), spec.of)
    if spec.roll is not None:
        data["roll"] = _roll(spec.roll, composition.system)
    return data


def _roll(roll: Roll, system: System) -> Json:
    """Return what each total gives, by scale and by the row or column that it is read in."""
    outcomes = []
    for scale in system.scales:
        table = system.table(roll.table).at_scale(scale.id)
        keys = table.rows if roll.read_by == "row" else table.columns
        by_key = [[key.id, _outcomes(roll_outcomes(table, roll, key.id))] for key in keys]
        outcomes.append([scale.id, by_key])
    return {
        "total": roll.total,
        "dice": Dice.parse(roll.dice).show(),
        "thrown": [plain_number(total) for total in Dice.parse(roll.dice).outcomes()],
        "plus": plain_data(roll.plus),
        "capped": roll.capped,
        "key": plain_data(roll.lookup_key),
        "title": system.table(roll.table).title,
        "outcomes": outcomes,
    }


def _outcomes(outcomes: Iterable[RollOutcome]) -> list[Json]:
    """Return the value of each band."""
    return [{"value": value, **_band(band)} for band, value in outcomes]


def _band(band: Band) -> Json:
    """Return the ends of a band; one that is missing is open, as in the band."""
    data: Json = {}
    if band.low is not None:
        data |= {"low": plain_number(band.low), **({"lowOpen": True} if band.low_open else {})}
    if band.high is not None:
        data |= {"high": plain_number(band.high), **({"highOpen": True} if band.high_open else {})}
    return data


def _table(system: System, table_id: str) -> Json:
    table = system.table(table_id)
    return {
        "id": table.id,
        "title": table.title,
        "columns": [[column.id, column.label] for column in table.columns],
        "rows": [[row.id, row.label] for row in table.rows],
        "cells": [[_value(cell) for cell in row.cells] for row in table.rows],
    }


def _book(book: Book, composition: Composition) -> Json:
    return {
        "id": book.id,
        "title": book.title,
        "nation": book.nation,
        "colour": book.colour,
        "sample": book.sample,
        "source": book.source,
        "notes": book.notes,
        "attributes": _values(book.attributes, {}),
        "units": [_profile(unit, book, composition) for unit in book.units.values()],
        "countsLimit": book.counts_limit,
    }


def _profile(unit: Profile, book: Book, composition: Composition) -> Json:
    data: Json = {
        "id": unit.id,
        "title": unit.title,
        "type": unit.entry.id,
        "options": [option.id for option in unit.options],
        "attributes": _values(unit.attributes, {}),
        "fields": _values(unit.fields, unit.entry.fields),
        "stats": _values(unit.stats, composition.written.profile),
        "rule": _reference(book_reference(book, unit)),
    }
    if unit.may is not None:
        data["may"] = list(unit.may)
    # A least number of a unit binds an army of its own book, but no ally.
    for key, army_book in (("number", book), ("alliedNumber", None)):
        rule = number_rule(book, unit, army_book)
        if rule is not None:
            data[key] = _number(rule, book, unit)
    if unit.notes:
        data["notes"] = unit.notes
    return data


def _number(rule: CountRule, book: Book, unit: Profile) -> Json:
    return {
        **plain_data(rule),
        "kind": rule.kind,
        "message": number_message(book, rule),
        "rule": _reference(book_reference(book, unit)),
    }
