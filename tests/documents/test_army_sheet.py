"""Tests of the sheets of all sample armies: their units stand there, and what they can use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from muster.armies import Army, load_army
from muster.armies.vocabulary import LEADER
from muster.documents.measures import choose_measures
from muster.documents.sheet import Sheet, gather_sheet
from muster.documents.table_view import TableView
from muster.documents.unit_table import MAX_ROWS, UnitTable, gather_units
from muster.systems import Library
from muster.tables import Column, Row
from tests.scaffold import SHIPPED

ROOT: Final = Path(__file__).resolve().parents[2]
ARMIES: Final = [
    f"{name}/{size}" for name in SHIPPED for size in ("typical", "small", "large", "illegal")
]


@cache
def sheet_of(name: str) -> tuple[Army, Sheet, Sheet]:
    """Return an army, its own sheet, and that of its system in the same measures."""
    army = load_army(ROOT / "armies" / f"{name}.yaml", Library(ROOT))
    system = army.system
    measures = choose_measures(system, army.scale if len(system.scales) > 1 else "")
    (sheet_id,) = system.sheet_ids()
    own = gather_sheet(system, sheet_id, army=army, measures=measures)
    return army, own, gather_sheet(system, sheet_id, measures=measures)


def views(sheet: Sheet) -> dict[str, TableView]:
    blocks = [block for side in sheet.sides for block in side.blocks]
    found = [view for block in blocks for view in block.views]
    return {table: view for view in found for table in (view.id, *view.joined)}


def labels(view: TableView) -> set[str]:
    """Return the labels of a table's rows, columns and groups, whichever way it is turned."""
    groups = {line.within.partition(" · ")[0] for line in view.lines if line.within}
    return {line.label for line in view.lines} | {head.label for head in view.heads} | groups


FACTS: Final = [
    # army, table, some that stand there, some that do not
    (
        "order-markers/typical",
        "class-effects",
        "Elite, Veteran, Line",
        "Guards, Militia, Conscript",
    ),
    ("order-markers/typical", "close-combat-class", "Elite, Veteran, Line", "Guards, Militia"),
    (
        "order-markers/typical",
        "initiative",
        "Exceptional C-in-C",
        "Good C-in-C, Charismatic C-in-C",
    ),
    (
        "order-markers/typical",
        "close-combat-modifiers",
        "Foot charge",
        "Medium charge, good order",
    ),
    ("order-markers/typical", "small-arms-ranges", "Muskets, Rifles", ""),
    ("order-markers/typical", "small-arms-modifiers", "Target mounted", "Militia firing"),
    (
        "seven-years-war/typical",
        "shooting-ranges",
        "Muskets, Rifles",
        "Mounted bows, Bows, Spears, Militia",
    ),
    (
        "seven-years-war/typical",
        "movement-rates",
        "Heavy cavalry, Light infantry",
        "Medium cavalry, Militia",
    ),
    (
        "seven-years-war/typical",
        "morale-modifiers",
        "High morale",
        "Low morale, Militia in the open, if not of low morale",
    ),
    ("seven-years-war/typical", "shooting-modifiers", "Target is light infantry", "Poor shots"),
    ("seven-years-war/small", "morale-modifiers", "High morale", "Brave general within 5 cm"),
    ("lshm-skirmish/typical", "movement", "Guns limbered", "Guerrillas, open"),
    (
        "lshm-skirmish/typical",
        "close-combat",
        "Gren., Line, Light, Mounted, Gunners",
        "Militia, Guer.",
    ),
    ("lshm-skirmish/typical", "morale", "Grenadiers, Gunners", "Militia, Guerrillas"),
    ("lshm-skirmish/typical", "closing", "Grenadiers, Gunners", "Militia, Guerrillas"),
    (
        "lshm-skirmish/small",
        "fire-chart",
        "Musket",
        "Rifle, Carbine, Pistol, Ball, Grapeshot × 2",
    ),
    ("lshm-skirmish/small", "hits-on-artillery", "Any other", ""),
    ("huzzah/typical", "threats-terrain", "Infantry, Cavalry, Artillery", "Cossacks"),
    ("huzzah/small", "threat-zones", "Infantry, Cavalry, Light artillery", "Medium artillery"),
    ("huzzah/small", "command-radius", "C-in-C, Brigade", "Corps, Division"),
    ("huzzah/small", "engagement-modifiers", "Small unit, Renowned enemy", "Battle cavalry"),
    ("huzzah/small", "ratings", "Veteran, Unreliable", ""),
    ("slaughterloo/typical", "artillery-ranges", "Light, Medium", "Heavy"),
    (
        "slaughterloo/small",
        "movement-terrain",
        "Light infantry, Line infantry",
        "Cavalry, Artillery",
    ),
    ("slaughterloo/small", "kills-per-figure", "Cavalry, Ogres", ""),
    ("slaughterloo/small", "fire-modifiers", "Target is artillery", ""),
    ("slaughterloo/typical", "fire-restrictions", "Into melee", "Undead"),
    ("slaughterloo/large", "fire-restrictions", "Undead", "Into melee"),
    ("lshm-skirmish/large", "close-combat", "No bayonet", ""),
    ("lshm-skirmish/typical", "close-combat", "Each extra enemy", "No bayonet"),
    ("lshm-skirmish/typical", "movement-adjustments", "Leaders, Open order", ""),
    ("slaughterloo/large", "melee-attack", "Mtd inf., flying cav.", ""),
    ("huzzah/typical", "threat-tests", "Open-order troops in dense terrain", ""),
    ("huzzah/first-game-french", "threat-tests", "Isolated", "Open-order troops in dense terrain"),
]


def _names(text: str, known: set[str]) -> set[str]:
    """Return the labels that a fact lists; a label may hold commas itself."""
    names = set()
    for label in sorted(known, key=len, reverse=True):
        if f", {label}," in f", {text},":
            names.add(label)
            text = f", {text},".replace(f", {label},", ",", 1).strip(", ")
    assert not text, text
    return names


@pytest.mark.parametrize(("name", "table", "stands", "left_out"), FACTS)
def test_army_has_the_rows_that_it_can_use_and_no_others(
    name: str, table: str, stands: str, left_out: str
) -> None:
    _, own, whole = sheet_of(name)
    known, shown = labels(views(whole)[table]), labels(views(own)[table])

    assert _names(stands, known) <= shown
    assert not _names(left_out, known) & shown


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("lshm-skirmish/small", "artillery-crew"),
        ("lshm-skirmish/small", "officer-pistol"),
        ("slaughterloo/small", "howitzer-ranges"),
        ("slaughterloo/small", "artillery-class"),
        ("order-markers/typical", "movement-25mm"),
    ],
)
def test_table_that_an_army_cannot_use_is_left_out(name: str, table: str) -> None:
    _, own, _ = sheet_of(name)

    assert table not in views(own)


def test_roll_to_which_an_army_has_no_modifier_keeps_its_formula() -> None:
    _, own, _ = sheet_of("order-markers/large")
    (block,) = (each for side in own.sides for each in side.blocks if each.id == "initiative")

    assert not block.views
    assert block.formula == "1D6 + C-in-C’s bonus, if any; high wins"


def test_joined_rows_that_would_be_called_alike_are_called_by_their_tables() -> None:
    _, own, _ = sheet_of("order-markers/small")
    view = views(own)["small-arms-ranges"]

    assert [line.label for line in view.lines] == ["Range", "To hit"]


def lines_of(sheet: Sheet) -> list[str]:
    """Return all that a sheet says, each text by itself."""
    lines = [*sheet.conventions]
    for side in sheet.sides:
        lines += [note.text for note in side.footnotes]
        for block in side.blocks:
            lines += [block.title, block.remark, block.text, *block.notes]
            for view in block.views:
                heads = [head.label for head in view.heads]
                drawn = view.figure.drawings if view.figure else ()
                lines += [
                    *heads,
                    *(each for drawing, alt in drawn for each in (drawing.label, alt)),
                ]
                for line in view.lines:
                    if view.figure is None:
                        lines.append(" ".join([line.label, *(cell.text for cell in line.cells)]))
    return [line for line in lines if line]


LACKING: Final = [
    # army, words for what it has none of, and all lines that may say them: those about the enemy,
    # what nobody may do, and one row that two arms share
    (
        "seven-years-war/small",
        "artillery howitzers? guns? bows? rifles? militia light.cavalry.[(]a[)]",
        [
            "Artillery that scores less than its enemy is killed instead.",
            "Fresh enemy met",
            "One arm",
            "Under artillery fire at short range",
        ],
    ),
    (
        "seven-years-war/typical",
        "howitzers? bows? militia light.cavalry.[(]a[)]",
        ["Artillery and militia"],
    ),
    (
        "lshm-skirmish/small",
        "artillery grapeshot guns? gunners? mounted",
        ["Hits on artillery", "Class II; ace", "Hidden in Class IV", "King, queen"],
    ),
    (
        "order-markers/small",
        "horse.artillery wagons? militia conscripts? mounted rifles?",
        ["Mounted v square", "Target mounted"],
    ),
    ("order-markers/typical", "wagons? militia conscripts? lancers?", ["Light, lancer charge"]),
    ("slaughterloo/small", "howitzers? undead limber", []),
    ("slaughterloo/typical", "undead", []),
    ("huzzah/small", "cossacks? heavy.artillery division corps", []),
]


@pytest.mark.parametrize(("name", "words", "others"), LACKING)
def test_no_words_about_what_the_army_lacks(name: str, words: str, others: list[str]) -> None:
    _, own, whole = sheet_of(name)
    lacking = re.compile(rf"\b({'|'.join(words.split())})(?!\w)")

    def say_it(sheet: Sheet) -> list[str]:
        # What a row excepts it is not about: "Guns, not howitzers, at column or square".
        about = {line: re.sub(r", not [^,]+,", "", line) for line in lines_of(sheet)}
        return [line for line in about if lacking.search(about[line].casefold())]

    found = say_it(own)
    assert len(say_it(whole)) > len(found)
    assert [line for line in found if not line.startswith(tuple(others))] == []


KIND_WORDS: Final = ("type", "class", "weapon", "arm", "body", "drill")
MET_BY_ANYONE: Final = {
    *(("slaughterloo", "kills-per-figure"), ("seven-years-war", "general-types")),
    *(("lshm-skirmish", "hit-cards"), ("lshm-skirmish", "hits-on-artillery")),
}
"""Tables about the enemy, about leaders who may come during the game, and about other cards."""
COMES_WITH: Final = {"artillery": {"ball", "grapeshot"}, "pistol": {"pistol"}}
"""What guns fire in one system, and what officers have there."""


def _keyed_by_absent_kind(name: str) -> Iterator[tuple[str, str]]:
    """Yield the printed rows and columns with an id that is a kind of unit which an army lacks."""
    army, own, _ = sheet_of(name)
    have, known = set(), set()
    for node in army.nodes():
        if node.entry is not None and node.level != LEADER:
            have |= {str(node.value(word)) for word in KIND_WORDS}
    for entry in army.composition.entries.values():
        if entry.level != "unit":
            continue
        known |= {entry.id, *(entry.attributes.get(word, entry.id) for word in KIND_WORDS)}
        known |= {
            value for word in KIND_WORDS if word in entry.fields for value in entry.fields[word].of
        }
    have |= {str(node.value("aims")) for node in army.nodes()}
    have |= {each for value in have for each in COMES_WITH.get(value, ())}
    for view in views(own).values():
        if (army.system.id, view.id) in MET_BY_ANYONE:
            continue
        table = army.system.table(view.id)
        parts: list[Row | Column] = [*table.rows, *table.columns]
        for part in parts:
            if part.id in known - have and part.label in labels(view):
                yield view.id, part.id


@pytest.mark.parametrize("name", ARMIES)
def test_no_row_of_a_kind_of_unit_that_the_army_lacks(name: str) -> None:
    assert list(_keyed_by_absent_kind(name)) == []


@pytest.mark.parametrize("name", ARMIES)
def test_what_is_about_the_enemy_stays(name: str) -> None:
    _, own, whole = sheet_of(name)

    for table, view in views(whole).items():
        about = {
            label for label in labels(view) if label.casefold().startswith(("target", "enemy"))
        }
        if table in views(own):
            assert about <= labels(views(own)[table]), table


@pytest.mark.parametrize("name", ARMIES)
def test_units_stand_by_the_names_that_the_player_gave(name: str) -> None:
    army, own, _ = sheet_of(name)
    rows = [row for row in own.units[0].rows if not row.is_command]

    named = [node for node in army.units() if node.name]
    assert {node.name for node in named} <= {row.name for row in rows}
    assert sum(row.count for row in rows) == sum(node.count for node in army.units())
    for row in rows:
        assert len(row.values) == len(own.units[0].columns)


def test_columns_without_a_value_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "horse.yaml"
    path.write_text(
        "system: seven-years-war\nbook: austria\nname: Horse\nlimit: 100\n"
        "groups: [{units: [{unit: hussars, stands: 4}]}]\n",
        encoding="utf-8",
    )
    horse = load_army(path, Library(ROOT))
    (sheet_id,) = horse.system.sheet_ids()
    own = gather_sheet(horse.system, sheet_id, army=horse, measures=choose_measures(horse.system))

    labels = [column.label for column in own.units[0].columns]
    assert {*labels} < {column.label for column in _units("seven-years-war/typical").columns}


def _units(name: str) -> UnitTable:
    return sheet_of(name)[1].units[0]


def test_command_heads_its_units_with_its_leaders_values() -> None:
    rows = _units("order-markers/typical").rows
    heads = [place for place, row in enumerate(rows) if row.is_command]

    assert [rows[place].name for place in heads] == [
        "C-in-C",
        "Light brigade",
        "King’s German Legion",
    ]
    (name, facts), *others = rows[heads[1]].leaders
    assert (name, others) == ("Sir Frederick Adam", [])
    assert [(row.label, row.values[0].text) for row in facts][:2] == [
        ("Grade", "Good"),
        ("Radius", "8″"),
    ]
    after = [row.name for row in rows[heads[1] + 1 : heads[2]]]
    assert after == ["52nd Foot", "71st Foot", "95th Rifles"]


ONE_LINE: Final = "system: seven-years-war\nbook: prussia\nname: A\nunits: [{}]\n"


def test_equal_units_are_one_row_with_their_number(tmp_path: Path) -> None:
    same = ["{unit: hussars, stands: 4}"] * 10
    army = _army(
        tmp_path, [*same, "{unit: hussars, stands: 5}", "{unit: hussars, stands: 4, name: Reds}"]
    )

    full, short = gather_units(army.system, army)

    assert [(row.count, row.name, row.size) for row in full.rows if row.count] == [
        *((10, "Hussars", 4), (1, "Hussars", 5), (1, "Reds", 4)),
    ]
    assert [(row.count, row.name, row.size) for row in short.rows] == [
        *((11, "Hussars", 4), (1, "Hussars", 5)),
    ]


def test_shorter_table_keeps_the_names_without_the_commands() -> None:
    army, own, _ = sheet_of("huzzah/typical")
    full, named, short = own.units

    assert any(row.is_command for row in full.rows)
    assert not any(row.is_command for row in named.rows)
    given = {node.name for node in army.units()}
    assert {row.name for row in named.rows} == given
    assert not {row.name for row in short.rows} & given
    assert len(short.rows) <= len(named.rows) < len(full.rows)
    heads = [row for row in full.rows if row.leaders]
    assert full.leaders == ()
    assert list(named.leaders) == list(short.leaders) == heads


def test_work_has_no_boxes_for_losses_but_its_length() -> None:
    (work,) = (row for row in _units("seven-years-war/small").rows if row.name == "Barricades")

    assert (work.size, work.type) == (0, "24 cm")
    assert _units("seven-years-war/small").size_head == "Stands"


@pytest.mark.parametrize("name", ARMIES)
def test_every_unit_with_a_card_that_has_boxes_has_them(name: str) -> None:
    table = _units(name)

    assert table.losses_head
    for row in table.rows:
        if row.size:
            assert [track.boxes for track in row.tracks] == [row.size]


def test_units_without_a_size_have_boxes_for_what_they_collect() -> None:
    table = _units("huzzah/small")

    assert table.losses_head == "Kills · Staggers"
    assert {tuple((track.boxes, track.shape) for track in row.tracks) for row in table.rows} == {
        (),
        ((5, "square"), (5, "round")),
    }


def test_what_a_unit_has_not_is_a_dash_and_what_the_source_lacks_a_box() -> None:
    table = _units("lshm-skirmish/typical")
    (gun,) = (row for row in table.rows if row.type == "Artillery")

    values = {column.label: cell for column, cell in zip(table.columns, gun.values, strict=True)}
    assert values["Range"].text == "16″ / 36″"
    assert values["Major"].kind == "blank"
    assert all(cell.text for row in table.rows for cell in row.values if cell.kind != "blank")


def test_kinds_of_general_are_those_of_the_army() -> None:
    _, own, whole = sheet_of("seven-years-war/small")

    assert "general-types" not in views(own)
    attempts = [line.label for line in views(own)["order-attempts"].lines]
    assert attempts == ["Competent", "Average"]
    assert len(views(whole)["general-types"].lines) > 2


def _army(folder: Path, units: list[str]) -> Army:
    path = folder / "army.yaml"
    path.write_text(ONE_LINE.format(", ".join(units)), encoding="utf-8")
    return load_army(path, Library(ROOT))


@pytest.mark.parametrize(
    ("sizes", "rows"),
    [(1, 1), (MAX_ROWS, MAX_ROWS), (MAX_ROWS + 1, 0)],
)
def test_long_list_has_a_row_for_each_kind_and_none_if_even_that_is_too_long(
    tmp_path: Path, sizes: int, rows: int
) -> None:
    names = [
        f"{{unit: hussars, stands: {n % sizes + 1}, name: N{n}}}" for n in range(MAX_ROWS + 20)
    ]
    army = _army(tmp_path, names)

    tables = gather_units(army.system, army)

    assert len([row for row in tables[0].rows if row.count] if tables else []) == rows


def test_main_table_of_which_an_army_uses_one_column_stands_in_one() -> None:
    _, own, whole = sheet_of("lshm-skirmish/small")

    (narrow,) = (block for side in own.sides for block in side.blocks if block.main)
    (wide,) = (block for side in whole.sides for block in side.blocks if block.main)
    assert not narrow.wide
    assert (len(wide.views[0].heads), wide.wide) == (6, True)


def test_main_table_of_one_weapon_has_its_classes_across() -> None:
    _, own, _ = sheet_of("lshm-skirmish/small")

    chart = views(own)["fire-chart"]
    assert [head.label for head in chart.heads] == ["I", "II", "III", "IV"]
    assert [line.label for line in chart.lines] == ["1", "2–5", "6"]
    assert chart.lines[0].group == "Musket · Range 12″"
    assert [cell.text for cell in chart.lines[0].cells] == ["1/8", "1/7", "1/8", "1/9"]


@pytest.mark.parametrize(
    ("name", "unit", "facts"),
    [
        ("slaughterloo/typical", "Hogg’s battery", ["2 × Medium gun"]),
        ("slaughterloo/typical", "Large Lads", ["Ogres"]),
        ("slaughterloo/typical", "Duke’s Own", ["Special officer"]),
        ("slaughterloo/large", "Night Cossacks", ["kills a figure "]),
        ("order-markers/typical", "95th Rifles", ["Rifles"]),
        ("order-markers/typical", "Field brigade", ["Medium, 8–10 lb", "3 gunners"]),
        ("huzzah/typical", "Grenz", ["open order"]),
        ("huzzah/typical", "Landwehr", ["breaks at 3"]),
        ("lshm-skirmish/typical", "Riflemen", ["Rifle"]),
        ("lshm-skirmish/large", "Town guard", ["Spanish", "Musket"]),
        ("lshm-skirmish/large", "Fusiliers", ["Musket"]),
        ("lshm-skirmish/small", "4th company", ["Musket", "Commander-in-Chief"]),
    ],
)
def test_unit_says_what_the_tables_ask_of_it(name: str, unit: str, facts: list[str]) -> None:
    (row,) = (row for row in _units(name).rows if row.name == unit)

    said = [" ".join(filter(None, [fact.label, fact.values[0].text or " "])) for fact in row.facts]
    assert [" ".join(text.split()) for text in said] == [" ".join(text.split()) for text in facts]


@pytest.mark.parametrize(
    ("name", "unit", "boxes", "halved", "marked"),
    [
        ("huzzah/typical", "Landwehr", 3, False, set()),
        ("slaughterloo/typical", "Large Lads", 8, True, {2, 4, 6}),
        ("slaughterloo/typical", "Duke’s Own", 16, False, {4, 8, 12}),
        ("lshm-skirmish/typical", "Riflemen", 12, False, {7}),
        ("order-markers/typical", "95th Rifles", 4, False, set()),
    ],
)
def test_boxes_are_those_of_the_roster(
    name: str,
    unit: str,
    boxes: int,
    halved: bool,  # noqa: FBT001 - a fact of the case
    marked: set[int],
) -> None:
    (row,) = (row for row in _units(name).rows if row.name == unit)

    track = row.tracks[0]
    assert (track.boxes, track.halved, set(track.marked)) == (boxes, halved, marked)


def test_marked_boxes_are_explained_where_boxes_are_printed() -> None:
    table = replace(_units("slaughterloo/typical"), with_losses=True)

    notes = dict(table.mark_notes)
    assert notes["Regular officer dies on 1D6; marker"] == ("6", "5–6", "4–6")
    assert notes["Special officer dies on 1D6; marker"] == ("", "", "")
    assert len(notes) == len(table.mark_notes)
    assert table.has_halves
    assert replace(table, with_losses=False).mark_notes == []


@pytest.mark.parametrize(
    ("name", "label", "title"),
    [
        ("slaughterloo/small", "Col", "move in column"),
        ("slaughterloo/typical", "Col", "move in column, or limbered"),
        ("lshm-skirmish/small", "Range", "range of its small arms"),
    ],
)
def test_head_is_explained_by_what_the_army_has(name: str, label: str, title: str) -> None:
    titles = {column.label: column.title for column in _units(name).columns}

    assert titles[label] == title


def test_inspirational_officer_is_said_to_be_one() -> None:
    leaders = [leader for row in _units("huzzah/typical").rows for leader in row.leaders]

    inspirational = {name for name, rows in leaders if "Inspirational" in str(rows)}
    assert inspirational == {"Archduke Charles", "Liechtenstein"}


@pytest.mark.parametrize(("name", "label", "text"), [("huzzah/typical", "Class", "Regulars C")])
def test_values_beside_the_names_of_a_roster_are_columns_here(
    name: str, label: str, text: str
) -> None:
    own = _units(name)
    places = [place for place, column in enumerate(own.columns) if column.label == label]
    values = {row.values[place].text for row in own.rows if row.count for place in places}

    assert len(places) == 1
    assert text in values
