"""Tests of the pages of army books: their prices are those that `check` charges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from html import unescape
from pathlib import Path

import pytest

from muster.armies import army_from_document, book_ids, check, load_book, load_composition
from muster.armies.army_text import format_army
from muster.documents.army_book import ArmyBook, BookUnit, gather_army_book
from muster.rendering.book_pages import book_html
from muster.rendering.environment import TemplateEnvironment
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.scaffold import SHIPPED

ROOT = Path(__file__).parents[2]
LIBRARY = Library(ROOT)
SIXTH = Library(ROOT / "tests" / "sixth")
BOOKS = [
    (library, system, book)
    for library, systems in ((LIBRARY, SHIPPED), (SIXTH, ["sixth"]))
    for system in systems
    for book in book_ids(library.system(system)) or [""]
]
ALL_BOOKS = pytest.mark.parametrize(
    ("library", "system_id", "book_id"), BOOKS, ids=[f"{s} {b}".strip() for _, s, b in BOOKS]
)
TEMPLATES = TemplateEnvironment([ROOT / "templates"])

Row = dict[str, str]


def gathered(library: Library, system_id: str, book_id: str) -> ArmyBook:
    system = library.system(system_id)
    return gather_army_book(system, load_book(system, book_id) if book_id else None)


def rows_of(page: str, table: str) -> Iterator[Row]:
    """Yield the cells of each row of a kind of table, by the head that a narrow screen shows."""
    for part in re.findall(rf'<table role="table" class="{table}.*?</table>', page, re.DOTALL):
        for row in re.findall(r"<tr.*?</tr>", part.partition("<tbody")[2], re.DOTALL):
            cells = {"name": re.search(r"<b>(.*?)</b>", row)[1]}  # type: ignore[index]
            for label, text in re.findall(r'data-label="(.*?)">(.*?)</td>', row):
                cells[label] = re.sub(r"<.*?>", "", text)
            yield {key: unescape(text) for key, text in cells.items()}


def numbers(text: str) -> list[Decimal]:
    return [Decimal(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def charged(library: Library, system_id: str, book_id: str, level: str, keys: Row) -> Decimal:
    """Return what `check` charges for an army with a single unit."""
    levels = load_composition(library.system(system_id)).levels
    data: object = keys
    while levels[level].under:
        data = {levels[level].key: [data]}
        level = levels[level].under[0]
    assert isinstance(data, dict)
    book = {"book": book_id} if book_id else {}
    text = format_army({"system": system_id, **book, "name": "One unit", **data})
    verdict = check(army_from_document(document_from_text(text, "one.yaml"), library))
    assert verdict.price.total is not None
    assert verdict.price.missing == ()
    return verdict.price.total


@ALL_BOOKS
def test_page_has_the_prices_that_check_charges(
    library: Library, system_id: str, book_id: str
) -> None:
    book = gathered(library, system_id, book_id)
    rows = list(rows_of(book_html(TEMPLATES, book, "index.html"), "units"))
    units = [unit for group in book.groups for unit in group.units]
    entries = load_composition(library.system(system_id)).entries
    profiles = load_book(library.system(system_id), book_id).units if book_id else {}

    assert [row["name"] for row in rows] == [unit.title for unit in units]
    for row, unit in zip(rows, units, strict=True):
        entry = profiles[unit.id].entry if unit.id in profiles else entries[unit.id]
        if not row.get("Points"):
            assert unit.unknown or not book.has_points
            continue
        sizes: list[Decimal | None] = [*numbers(row.get("Size", "").partition(", a multiple")[0])]
        points = numbers(row["Points"])
        for size, shown in zip(sizes or [None], points, strict=True):
            keys = {entry.level: unit.id}
            if size is not None:
                assert entry.size is not None
                keys[entry.size] = str(size)
            assert charged(library, system_id, book_id, entry.level, keys) == shown
            if size is not None and (price := row["Price"]):
                *base, per = numbers(price)
                assert sum(base) + per * size == shown


@ALL_BOOKS
def test_options_cost_what_check_charges_for_them(
    library: Library, system_id: str, book_id: str
) -> None:
    book = gathered(library, system_id, book_id)
    composition = load_composition(library.system(system_id))
    profiles = load_book(library.system(system_id), book_id).units if book_id else {}
    titles = {
        **{profile.title: (profile.id, profile.entry) for profile in profiles.values()},
        **{e.title: (e.id, e) for e in composition.entries.values() if e.level != "leader"},
    }
    costs = {unit.id: unit.costs for group in book.groups for unit in group.units}

    for choice in book.choices:
        if choice.id not in composition.options or not choice.points:
            continue
        (amount,) = numbers(choice.points)
        amount = -amount if choice.points.startswith("−") else amount
        for title, (id_, entry) in titles.items():
            if title not in choice.who or " but " in choice.who:
                continue
            for cost in costs.get(id_, ())[:1]:
                keys = {entry.level: id_, entry.size or "": str(cost.size)}
                keys["options"] = [choice.id]  # type: ignore[assignment]
                more = charged(library, system_id, book_id, entry.level, keys)
                each = cost.size if " per " in choice.points else 1
                assert more - Decimal(cost.points) == amount * each


def meant(who: str, units: Mapping[str, frozenset[str]]) -> set[str]:
    """Return the titles of the units that words such as `infantry but not Militia` name."""
    if who == "all":
        return set(units)
    if others := who.partition("all but ")[2]:
        return set(units) - meant(others, units)
    named = set()
    for part in who.split("; "):
        whole, _, without = part.partition(" but not ")
        words = set(re.split(", | and ", whole))
        assert words <= frozenset().union(*units.values()), whole
        named |= {title for title, names in units.items() if names & words}
        named -= meant(without, units) if without else set()
    return named


@pytest.mark.parametrize("book_id", ["prussia", "france", "reichsarmee"])
def test_options_are_for_the_units_that_check_lets_have_them(book_id: str) -> None:
    system = LIBRARY.system("seven-years-war")
    book = gathered(LIBRARY, system.id, book_id)
    entries = load_composition(system).entries
    profiles = load_book(system, book_id).units
    units = [unit for group in book.groups[:2] for unit in group.units]
    types = {u.id: profiles[u.id].entry if u.id in profiles else entries[u.id] for u in units}
    names = {
        u.title: frozenset({u.title, types[u.id].title, types[u.id].attributes["arm"]})
        for u in units
    }

    def findings(unit: BookUnit, option: str = "") -> set[str]:
        keys = {
            "unit": unit.id,
            "stands": str(unit.costs[0].size),
            "options": [option] * bool(option),
        }
        data = {"system": system.id, "book": book_id, "name": "One unit", "units": [keys]}
        army = army_from_document(document_from_text(format_army(data), "one.yaml"), LIBRARY)
        return {finding.code for finding in check(army).findings}

    for choice in book.choices:
        option = load_composition(system).options.get(choice.id)
        for unit in units if option and option.id != "very-large" else ():
            assert option is not None
            allowed = findings(unit, option.id) <= findings(unit)
            if unit.title not in meant(choice.who, names):
                assert not allowed, (choice.title, unit.title)
            elif not unit.options:
                assert allowed, (choice.title, unit.title)


@pytest.mark.parametrize("system_id", SHIPPED)
def test_page_without_points_or_books_has_no_empty_columns(system_id: str) -> None:
    system = LIBRARY.system(system_id)
    page = book_html(TEMPLATES, gather_army_book(system, None), "index.html")
    page = re.sub(r' <span class="second">(.*?)</span>', r", \1", page)

    for table in ("units", "choices", "leaders"):
        for part in re.findall(rf'<table role="table" class="{table}.*?</table>', page, re.DOTALL):
            heads = re.findall(r"<th [^>]*columnheader[^>]*>(.*?)</th>", part)
            filled = {
                label for label, text in re.findall(r'data-label="(.*?)">(.*?)</td>', part) if text
            }
            assert set(heads[1:]) == filled


def test_page_names_what_a_book_comes_with_and_who_may_have_what() -> None:
    book = gathered(LIBRARY, "seven-years-war", "prussia")
    units = {unit.id: unit for group in book.groups for unit in group.units}

    assert (units["musketeers"].options, units["musketeers"].size) == (
        ("Well drilled",),
        "3, 4 or 6 stands",
    )
    assert [(c.points, c.who) for c in book.choices if c.id == "militia-normal-drill"] == [
        ("+0.25 per stand", "Militia")
    ]
    assert [(i.title, i.points, i.unknown) for i in book.leaders] == [
        ("Commander-in-chief", "free", False),
        ("Wing commander", "", True),
        ("Sub-general", "25", False),
    ]
    swiss = gathered(LIBRARY, "seven-years-war", "france").groups[0].units[3]
    assert (swiss.size, swiss.points, swiss.facts[0].label) == ("6 stands", "21", "Nation")


def test_book_of_a_kind_does_not_offer_what_the_kind_lacks() -> None:
    book = gathered(LIBRARY, "slaughterloo", "sample-undead")

    assert [group.title for group in book.groups] == ["Units"]
    assert [choice.title for choice in book.choices] == ["Officer", "Guns"]
    assert book.choices[0].values == (
        *("Regular (usual)", "Special", "Character (price not stated)"),
    )


def test_book_offers_guns_the_formations_that_their_kinds_can_take() -> None:
    choices = gathered(LIBRARY, "huzzah", "").choices

    formations = {row.who: row.values for row in choices if row.title == "Formation"}
    assert formations["artillery"] == ("Line", "March column")
    assert "Column" in formations["Cavalry"]
    assert "Square" not in formations["Cavalry"]


@pytest.mark.parametrize(
    ("system_id", "unit", "label", "text"),
    [
        ("huzzah", "Light artillery", "Line", "– or 5\u202fcm"),
        ("huzzah", "Light artillery", "March", "15, 20 or 30\u202fcm"),
        ("huzzah", "Infantry", "Line", "15\u202fcm"),
        ("lshm-skirmish", "Militia", "Range", "by weapon"),
        ("lshm-skirmish", "Artillery", "Range", "16″ / 36″"),
    ],
)
def test_value_that_rests_on_a_choice_names_the_choice(
    system_id: str, unit: str, label: str, text: str
) -> None:
    (group,) = gathered(LIBRARY, system_id, "").groups

    place = [key.label for key in group.keys].index(label)
    (held,) = (each for each in group.units if each.title == unit)
    assert held.values[place].text == text


def test_rule_on_troops_that_a_book_has_not_is_left_out() -> None:
    def texts(book: str) -> str:
        return " ".join(
            r.text for g in gathered(LIBRARY, "seven-years-war", book).rules for r in g.rules
        )

    assert "Swiss" in texts("france")
    assert "Swiss" not in texts("prussia")


def test_german_book_names_levels_in_german() -> None:
    system = LIBRARY.system("seven-years-war").in_language("de")
    book = gather_army_book(system, load_book(system, "austria"))

    titles = [group.title for group in book.groups]

    assert "Einheiten" in titles
    assert not [title for title in titles if "Unit" in title or "Work" in title]


@pytest.mark.parametrize("system_id", SHIPPED)
def test_rules_say_what_a_list_must_have_not_what_one_lacks(system_id: str) -> None:
    texts = [r.text for g in gathered(LIBRARY, system_id, "").rules for r in g.rules]

    assert not [
        text for text in texts if re.search(r"\b[Tt]his\b|\byet\b|[Ss]everal \w+ share", text)
    ]
    assert len(texts) == len(set(texts))


def test_units_without_prices_say_their_moves_at_each_scale_and_a_common_size_once() -> None:
    (group,) = gathered(LIBRARY, "order-markers", "").groups

    shown = {
        unit.title: {k.label: v.text for k, v in zip(group.keys, unit.values, strict=True)}
        for unit in group.units
    }
    scales = "15\u202fmm / 25\u202fmm"
    assert shown["Foot"][f"Near, {scales}"] == "6″ / 9″"
    assert shown["Light cavalry"][f"Charge, {scales}"] == "2D6 + 6″ / 2D6 + 12″"
    assert shown["Foot"][f"Muskets, {scales}"] == "4–10″ / 6–15″"
    assert shown["Foot"][f"Guns, {scales}"] == "–"
    assert shown["Foot artillery"][f"Guns, {scales}"] == "24–36″ / 36–48″"
    assert (group.size_of_all, group.has_sizes) == ("1 or more stands", False)


def test_book_says_what_the_mark_of_a_type_means_if_it_has_the_type() -> None:
    prussia = gathered(LIBRARY, "seven-years-war", "prussia")

    assert any(unit.type == "Light cavalry (a)" for unit in prussia.groups[0].units)
    assert "Light cavalry (a) does not skirmish" in " ".join(prussia.conventions)
    assert "does not skirmish" in book_html(TEMPLATES, prussia, "index.html")


def test_book_offers_no_number_that_a_rule_fixes() -> None:
    book = gathered(LIBRARY, "lshm-skirmish", "")

    assert not {"officers", "ncos", "guns"} & {choice.id for choice in book.choices}
    assert "A foot or mounted unit has one officer." in [
        r.text for g in book.rules for r in g.rules
    ]


def test_head_of_a_column_says_the_length_that_all_its_values_have() -> None:
    for group in gathered(LIBRARY, "seven-years-war", "reichsarmee").groups[:2]:
        (key,) = group.keys
        texts = [unit.values[0].text for unit in group.units]

        assert key.label == "Shooting range, cm"
        assert not [text for text in texts if "cm" in text]
    assert "15 / 40 / 60" in texts


def test_rule_that_only_places_options_is_no_rule_of_a_book() -> None:
    for system_id, rule in (("huzzah", "marks-of-units"), ("order-markers", "marks-of-units")):
        book = gathered(LIBRARY, system_id, "")

        assert rule in [each.id for each in load_composition(LIBRARY.system(system_id)).constraints]
        assert rule not in [each.id for group in book.rules for each in group.rules]
