"""Test that what is exported as BattleScribe data fits the schema, and comes back as it was."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from muster.armies import (
    Book,
    Verdict,
    army_from_document,
    book_ids,
    check,
    load_army,
    load_book,
    load_composition,
)
from muster.armies.army import NodeKind
from muster.armies.constraints import ShareRule
from muster.armies.fields import FieldValue
from muster.armies.price_list import allowed_numbers, kind_with, known_points
from muster.exchange.battlescribe import read_data_set
from muster.exchange.battlescribe_export import ExportedSystem, export_system, exported_kinds
from muster.exchange.battlescribe_import import ImportedSystem, import_system
from muster.exchange.battlescribe_roster import export_roster
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.builder.conftest import ROOT, library
from tests.exchange.conftest import changed, write_system
from tests.scaffold import lay_out

SYSTEMS = sorted(library().systems())

# The order of elements in the public schema, written down from its sequences.
_BASE = ["comment", "modifiers", "modifierGroups"]
_CONTAINER = [*_BASE, "constraints", "profiles", "rules", "infoGroups", "infoLinks"]
_ENTRY = [*_CONTAINER, "categoryLinks", "selectionEntries", "selectionEntryGroups", "entryLinks"]
_FILE = [
    *("comment", "readme", "publications", "costTypes", "profileTypes", "categoryEntries"),
    *("forceEntries", "selectionEntries", "entryLinks", "rules", "infoLinks"),
    *("sharedSelectionEntries", "sharedSelectionEntryGroups", "sharedRules", "sharedProfiles"),
    *("sharedInfoGroups", "catalogueLinks"),
]
ORDER: dict[str, list[str]] = {
    "gameSystem": _FILE,
    "catalogue": _FILE,
    "categoryEntry": _CONTAINER,
    "categoryLink": _CONTAINER,
    "forceEntry": [*_CONTAINER, "forceEntries", "categoryLinks"],
    "selectionEntry": [*_ENTRY, "costs"],
    "selectionEntryGroup": _ENTRY,
    "profile": [*_BASE, "characteristics"],
    "profileType": ["comment", "characteristicTypes"],
    "modifier": ["comment", "repeats", "conditions", "conditionGroups"],
    "conditionGroup": ["comment", "conditions", "conditionGroups"],
    "roster": ["costs", "costLimits", "forces", "customNotes", "tags"],
    "force": [
        *("customNotes", "rules", "profiles", "selections", "publications", "categories"),
        "forces",
    ],
    "selection": ["customNotes", "rules", "profiles", "selections", "costs", "categories"],
}
REQUIRED: dict[str, set[str]] = {
    "gameSystem": {"id", "name"},
    "catalogue": {"id", "name", "gameSystemId"},
    "categoryEntry": {"id"},
    "categoryLink": {"id", "targetId"},
    "forceEntry": {"id"},
    "selectionEntry": {"id", "type"},
    "selectionEntryGroup": {"id"},
    "costType": {"id", "name"},
    "cost": {"name", "typeId", "value"},
    "costLimit": {"name", "typeId", "value"},
    "constraint": {"id", "type", "scope", "value"},
    "condition": {"type", "scope", "value", "childId"},
    "repeat": {"scope", "value", "childId", "repeats"},
    "modifier": {"type", "field", "value"},
    "conditionGroup": {"type"},
    "profile": {"id", "typeId"},
    "characteristic": {"name", "typeId"},
    "roster": {"id", "name", "gameSystemId"},
    "force": {"id", "name", "entryId", "catalogueId"},
    "selection": {"id", "name", "entryId", "number", "type"},
    "category": {"id", "name", "entryId"},
}
HOLDERS = {
    *("publications", "costTypes", "profileTypes", "characteristicTypes", "categoryEntries"),
    *("forceEntries", "categoryLinks", "selectionEntries", "selectionEntryGroups", "costs"),
    *("modifiers", "constraints", "conditions", "conditionGroups", "repeats", "profiles"),
    *("characteristics", "costLimits", "forces", "selections", "categories"),
}


def name_of(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def schema_faults(root: Element) -> Iterator[str]:
    """Yield what the public schema would not take: order, required attributes, empty holders."""
    for element in root.iter():
        name = name_of(element)
        children = [name_of(child) for child in element]
        if name in ORDER:
            places = [
                ORDER[name].index(child) if child in ORDER[name] else -1 for child in children
            ]
            if -1 in places or any(a >= b for a, b in pairwise(places)):
                yield f"{name}: {children}"
        elif name in HOLDERS and not children:
            yield f"{name} is empty"
        if missing := REQUIRED.get(name, set()) - set(element.attrib):
            yield f"{name} lacks {missing}"


@cache
def books_of(system_id: str) -> tuple[Book, ...]:
    system = library().system(system_id)
    return tuple(load_book(system, key) for key in book_ids(system))


@cache
def exported(system_id: str) -> ExportedSystem:
    return export_system(load_composition(library().system(system_id)), books_of(system_id))


def imported_from(files: dict[str, str], system_id: str, folder: Path) -> ImportedSystem:
    paths = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return import_system(read_data_set(sorted(paths, reverse=True)), system_id)


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_files_fit_the_schema(system_id: str) -> None:
    for text in exported(system_id).files.values():
        root = fromstring(text)  # noqa: S314 - our own
        ids = [e.get("id") for e in root.iter() if name_of(e) != "characteristicType"]

        assert list(schema_faults(root)) == []
        assert len([i for i in ids if i]) == len({i for i in ids if i})


def test_schema_faults_are_found() -> None:
    entry = '<selectionEntry id="a" type="unit"><costs/><modifiers><modifier/></modifiers>'
    faults = list(schema_faults(fromstring(f"{entry}</selectionEntry>")))  # noqa: S314 - our own

    assert len(faults) == 3


class Sides:
    """A unit, as its system has it and as it came back."""

    def __init__(self, ours: NodeKind, theirs: NodeKind) -> None:
        self.ours, self.theirs = ours, theirs
        assert theirs.entry is not None
        self.names = {spec.title: name for name, spec in theirs.entry.fields.items()}

    def translated(self, name: str, value: FieldValue) -> dict[str, FieldValue]:
        spec = self.ours.field_specs[name]
        theirs = self.theirs.field_specs
        assert theirs is not None
        if isinstance(value, bool):
            return {}
        if isinstance(value, int):
            title = spec.one or spec.title or name
            return {self.names[title]: value} if title in self.names else {}
        title = spec.title or name
        if title not in self.names:
            return {}
        titles = {label: key for key, label in theirs[self.names[title]].of.items()}
        return {self.names[title]: titles[spec.of[str(value)]]}

    def differ(self, fields: dict[str, FieldValue], option: str = "") -> str:
        """Return what differs between both prices of the unit; empty if nothing does."""
        kept: dict[str, FieldValue] = {}
        for name, value in fields.items():
            kept |= self.translated(name, value)
        ours, theirs = self.ours.composition.options, self.theirs.composition.options
        here = kind_with(self.ours, fields, ours[option] if option else None)
        there = kind_with(self.theirs, kept)
        if option:
            may = self.theirs.profile.may if self.theirs.profile else ()
            found = [key for key in may or () if theirs[key].title == ours[option].title]
            if len(found) != 1:
                return f"{option} has become {found}"
            there = kind_with(self.theirs, kept, theirs[found[0]])
        one, other = known_points(here), known_points(there)
        return "" if one is None or one == (other or 0) else f"{fields} {option}: {one}, {other}"


def both_sides(system_id: str, data: ImportedSystem, back: Library) -> Iterator[tuple[str, Sides]]:
    composition = load_composition(library().system(system_id))
    system = back.system(data.id)
    returned = [load_book(system, key) for key in book_ids(system)]
    for book in books_of(system_id) or (None,):
        title = book.title if book else f"{composition.system.title}: units"
        (there,) = [each for each in returned if each.title == title]
        units = dict(exported_kinds(load_composition(system), there))
        for key, kind in exported_kinds(composition, book):
            found = [unit for unit in units.values() if unit.title == kind.title]
            # A type of the same title is in every book, too.
            yield key, Sides(kind, found[0])


@pytest.mark.slow
@pytest.mark.parametrize("system_id", SYSTEMS)
def test_units_and_prices_come_back(system_id: str, tmp_path: Path) -> None:
    export = exported(system_id)
    data = imported_from(export.files, f"re-{system_id}", tmp_path)
    back = write_system(data, tmp_path)
    compared = 0

    assert [each for each in data.omissions if each.kind != "cost"] == []
    for key, sides in both_sides(system_id, data, back):
        book = sides.ours.book.id if sides.ours.book else ""
        contents = export.contents[book, key]
        uneven = any("evenly" in text for text in contents.omissions)
        plain: dict[str, FieldValue] = {
            **{name: item.least for name, item in contents.numbers.items()},
            **{name: next(iter(items)) for name, items in contents.choices.items()},
        }
        for name, item in contents.numbers.items():
            ours = allowed_numbers(kind_with(sides.ours, plain), name)
            most = ours.ranges[-1][1] if ours.ranges else None
            assert (item.least, item.most) == (ours.least, None if most is None else int(most))
            for number in {item.least, item.most or item.least + 7}:
                for option in ("", *contents.options):
                    difference = sides.differ({**plain, name: number}, option)
                    assert uneven or not difference, (key, difference)
                    compared += 1
        for name, items in contents.choices.items():
            for value in items:
                assert uneven or not sides.differ({**plain, name: value}), (key, name, value)
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_rules_of_an_army_come_back_or_are_told(system_id: str, tmp_path: Path) -> None:
    export = exported(system_id)
    data = imported_from(export.files, f"re-{system_id}", tmp_path)
    told = "\n".join(export.omissions)
    composition = load_composition(library().system(system_id))
    army_rules = [r for r in composition.constraints if r.within == composition.top.id]
    back = load_composition(write_system(data, tmp_path).system(data.id))
    messages = [rule.message for rule in back.constraints]

    for rule in army_rules:
        assert (rule.message in messages) != (f"rule {rule.id} " in told), rule.id


@pytest.mark.parametrize("field", ["limit::pts", "pts"])
def test_rules_of_an_imported_game_come_back_as_they_were(field: str, tmp_path: Path) -> None:
    limited = 'id="rare-share" field="limit::pts"'
    game = changed(tmp_path, limited, limited.replace("limit::pts", field))
    library = write_system(game, tmp_path / "there")
    composition = load_composition(library.system(game.id))
    books = [load_book(composition.system, key) for key in game.books]
    export = export_system(composition, books)
    data = imported_from(export.files, game.id, tmp_path)
    returned = load_composition(write_system(data, tmp_path / "back").system(game.id))

    told = "\n".join(export.omissions)
    back = {rule.id: rule for rule in returned.constraints}
    compared = 0
    for rule in composition.constraints:
        counts_none = rule.id == "units-of-books"
        if rule.within == "army" and f"rule {rule.id} " not in told and not counts_none:
            assert back[rule.id].message == rule.message
            compared += 1
    assert compared > 5
    again = back["rare-share-max"]
    assert isinstance(again, ShareRule)
    whole = again.whole if again.whole == "limit" else "points"
    assert (again.min, again.max, again.by) == (None, "25%", "points")
    assert whole == ("limit" if field == "limit::pts" else "points")


UNITS = (
    "{unit: newt-chief, arms: club}",
    "{unit: newt-chief, arms: spear, options: [riding-toad]}",
    "{unit: newt-chief, arms: club, options: [frog-stone]}",
    "{unit: newt-chief, arms: club, options: [frog-stone, reed-flute]}",
    "{unit: newt-band, newt: 4}",
    "{unit: newt-band, newt: 9, net: 3}",
    "{unit: newt-band, newt: 10}",
    "{unit: newt-band, newt: 6, bog-gun: 2}",
    "{unit: great-newt}",
    "{unit: marsh-eel}",
    "{unit: dragonfly, count: 2}",
)


def test_an_imported_game_judges_random_lists_as_before(
    marsh_library: Library, tmp_path: Path
) -> None:
    system = marsh_library.system("marsh-wars")
    books = [load_book(system, key) for key in book_ids(system)]
    export = export_system(load_composition(system), books)
    data = imported_from(export.files, "marsh-wars", tmp_path)
    back = write_system(data, tmp_path)
    told = "\n".join(export.omissions)
    chance = random.Random(4)  # noqa: S311 - no secret
    legal = 0

    def judge(source: Library, text: str) -> Verdict:
        return check(army_from_document(document_from_text(text, "army.yaml"), source))

    for _ in range(300):
        units = ", ".join(chance.choices(UNITS, k=chance.randint(1, 6)))
        limit = chance.choice([150, 400, 600, 1200])
        text = f"system: marsh-wars\nbook: newts\nname: A\nlimit: {limit}\nunits: [{units}]\n"
        before, after = judge(marsh_library, text), judge(back, text)
        assert before.points == after.points, text
        if before.legal != after.legal:
            codes = {finding.code for finding in before.findings}
            assert after.legal, text
            assert any(f"rule {code} " in told for code in codes), text
        legal += before.legal
    assert 20 < legal < 280
    assert "newt-band-type-heavy-arms-max" in told


ARMIES = [path for path in sorted((ROOT / "armies").glob("*/*.yaml")) if path.stem != "illegal"]


@pytest.mark.parametrize("path", ARMIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_roster_fits_the_schema_and_its_costs_add_up(path: Path) -> None:
    verdict = check(load_army(path, library()))
    root = fromstring(export_roster(verdict))  # noqa: S314 - our own
    space = "{http://www.battlescribe.net/schema/rosterSchema}"
    costs = [
        Decimal(cost.get("value", ""))
        for selection in root.iter(f"{space}selection")
        for cost in selection.iterfind(f"{space}costs/{space}cost")
    ]
    known = {
        element.get("id")
        for text in exported(verdict.army.system.id).files.values()
        for element in fromstring(text).iter()  # noqa: S314 - our own
    }

    assert list(schema_faults(root)) == []
    assert sum(costs, Decimal(0)) == (verdict.points or 0)
    units = sum(node.count for node in verdict.army.nodes() if node.entry is not None)
    named = [s for s in root.iter(f"{space}selection") if s.get("type") == "unit"]
    assert len(named) == units
    assert {s.get("entryId") for s in root.iter(f"{space}selection")} <= known


def test_hostile_names_are_text_in_a_roster() -> None:
    text = """\
system: slaughterloo
name: "<!DOCTYPE x> & ]]>"
divisions: [{units: [{unit: militia-infantry, figures: 8, points: 2, name: "<a>\\"'&"}]}]
"""
    verdict = check(army_from_document(document_from_text(text, "army.yaml"), library()))
    root = fromstring(export_roster(verdict))  # noqa: S314 - our own

    assert root.get("name") == "<!DOCTYPE x> & ]]>"
    assert any(element.get("customName") == "<a>\"'&" for element in root.iter())


def test_a_share_of_units_beside_leaders_is_told(tmp_path: Path) -> None:
    lay_out(tmp_path)
    composition = load_composition(Library(tmp_path).system("club"))

    told = "\n".join(export_system(composition, []).omissions)

    assert "rule enough-foot " in told
    assert "percentages there count leaders" in told
