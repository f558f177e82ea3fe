"""Tests of the data of rosters: order of battle, subtotals, missing prices, findings."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

import pytest

from muster.armies import army_from_document, check, load_army
from muster.documents.cards import CardRow, gather_cards
from muster.documents.index_page import format_size
from muster.documents.roster import (
    ColumnKey,
    Roster,
    RosterEntry,
    Track,
    format_points,
    gather_roster,
)
from muster.documents.short_roster import shorten, sign
from muster.problems import MusterError
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.documents.conftest import Read
from tests.scaffold import spoil

GENERAL = "general: {name: Old Fritz}\n"
UNITS = "units:\n  - {unit: line, stands: 6, count: 2}\n  - {unit: guards, name: Leib, stands: 6}\n"
SEVEN_YEARS = """
system: seven-years-war
book: prussia
name: Advance guard
limit: 300
commander: {name: The King}
commands:
  - general: {name: von Zieten, training: cavalry, psychology: brave}
    groups:
      - name: Horse
        notes: On the right
        units:
          - {unit: cuirassiers, name: Leib-Karabiniers, stands: 5}
          - {unit: hussars, stands: 4, count: 2}
  - name: Empty wing
    general: {training: infantry}
    groups: []
"""


def gathered(read: Read, text: str) -> Roster:
    return gather_roster(*read(text))


def shipped(text: str) -> Roster:
    army = army_from_document(document_from_text(text, "army.yaml"), Library())
    return gather_roster(army.system, army, check(army))


def test_units_directly_in_the_army_have_a_section(read: Read) -> None:
    roster = gathered(read, f"limit: 200\n{GENERAL}{UNITS}")

    (section,) = roster.sections
    assert (section.title, section.points) == ("Army", "77")
    assert [(entry.name, entry.count, entry.kind) for entry in section.entries] == [
        *(("Old Fritz", 1, "leader"), ("Line battalion", 2, "unit"), ("Leib", 1, "unit")),
    ]
    assert (roster.points, roster.limit, roster.units) == ("77", "200", "3 units")
    assert (roster.book, roster.shape, roster.legal) == ("The First Nation", "circle", True)


def test_entry_shows_strength_options_arithmetic_and_values(read: Read) -> None:
    *_, leib = gathered(read, GENERAL + UNITS).sections[0].entries

    assert (leib.type, leib.strength, leib.options) == ("Guards, foot", "6 stands", ("Veterans",))
    assert (leib.points, leib.boxes, leib.depth) == ("21", 6, 0)
    assert leib.how == "6 × (3 + 0.5) = 21"
    assert [cell.text for cell in leib.values] == ["15\u202fcm"]


def test_leader_has_no_key_values_and_no_boxes(read: Read) -> None:
    leader, *_ = gathered(read, GENERAL + UNITS).sections[0].entries

    assert (leader.values, leader.boxes, leader.type) == ((), 0, "General")


def test_losses_of_many_or_large_units_are_written_not_ticked(read: Read) -> None:
    sizes = ("60, count: 4", "60, count: 5", "61")
    units = "units:\n" + "".join(f"  - {{unit: line, stands: {size}}}\n" for size in sizes)

    roster = gathered(read, GENERAL + units)

    _, four, five, large = roster.sections[0].entries
    assert [(e.boxes, e.losses_of) for e in (four, five, large)] == [(60, 0), (0, 60), (0, 61)]
    assert roster.sections[0].has_losses


def test_group_says_at_which_losses_it_is_worse_off() -> None:
    roster = shipped(SEVEN_YEARS)

    horse = next(each for each in roster.sections[1].entries if each.kind == "group")
    assert [(box.number, box.mark) for box in horse.thresholds] == [
        *((3, "−1"), (6, "−2"), (7, "½"), (8, "−3"), (11, "−4")),
    ]
    (note,) = roster.mark_notes
    assert (note.label, note.remark) == ("Stands lost", "marks are morale modifiers")
    assert note.meanings == (("½", "half lost: −3 more to charge or rally"),)


def test_boxes_of_a_unit_have_the_marks_of_its_card() -> None:
    army = load_army(Path("armies/slaughterloo/small.yaml"), Library())
    roster = gather_roster(army.system, army, check(army))

    fusiliers = next(each for each in roster.sections[1].entries if each.boxes == 12)
    (track,) = fusiliers.tracks
    marks = [[[box.mark for box in five] for five in line] for line in track.lines(12)]
    assert marks == [[["", "", "6", "", ""], ["5–6", "", "", "4–6", ""], ["", ""]]]
    assert fusiliers.thresholds == ()


@pytest.mark.parametrize(
    ("system", "nations", "facts"),
    [
        (
            "order-markers",
            ["Austrian", "Austrian", "Russian", "Prussian"],
            ["Austrian", "Austrian", "", ""],
        ),
        ("slaughterloo", [""] * 4, [""] * 4),
    ],
)
def test_commands_of_a_mixed_army_have_their_nations(
    system: str, nations: list[str], facts: list[str]
) -> None:
    army = load_army(Path(f"armies/{system}/large.yaml"), Library())

    roster = gather_roster(army.system, army, check(army))

    sections = roster.sections
    assert [each.nation for each in sections] == nations
    # The name of the Russian corps says its nation.
    assert [each.facts[0].values[0].text if each.facts else "" for each in sections] == facts
    assert len({each.colour for each in sections}) == len(set(nations))


ONLY_HORSE = "title: Move, where: {arm: [horse]},"


@pytest.mark.parametrize(
    ("boxes", "most", "lengths"),
    [
        (16, 15, [[5, 5], [5, 1]]),
        (16, 16, [[5, 5, 5, 1]]),
        (28, 20, [[5, 5, 5], [5, 5, 3]]),
        (24, 22, [[5, 5, 5], [5, 4]]),
        (20, 15, [[5, 5], [5, 5]]),
        (3, 1, [[1], [1], [1]]),
    ],
)
def test_lines_of_boxes_are_whole_fives(boxes: int, most: int, lengths: list[list[int]]) -> None:
    lines = Track(boxes).lines(most)

    assert [[len(five) for five in line] for line in lines] == lengths


@pytest.mark.parametrize(
    ("label", "title", "meaning"),
    [
        ("Range", "range of its small arms", "of its small arms"),
        ("Form", "Formation", "Formation"),
        ("DF", "taken off the hit score", "taken off the hit score"),
    ],
)
def test_key_does_not_say_its_label_twice(label: str, title: str, meaning: str) -> None:
    assert ColumnKey(label, title).meaning == meaning


def test_roster_tells_where_values_are_dashes_or_to_be_filled_in() -> None:
    armies = [
        load_army(Path(f"armies/{name}.yaml"), Library())
        for name in ("seven-years-war/illegal", "order-markers/typical")
    ]
    horse, mixed = (gather_roster(army.system, army, check(army)) for army in armies)

    assert (horse.has_dashes, horse.lacks_columns, horse.has_blanks) == (True, True, False)
    assert (mixed.has_dashes, mixed.lacks_columns, mixed.has_blanks) == (False, False, True)


def test_column_that_does_not_concern_a_unit_has_a_dash(content: Path, read: Read) -> None:
    spoil(content / "cards.yaml", "title: Move in the open,", ONLY_HORSE)
    horse = "  - {unit: horse, stands: 4}\n"

    *_, leib, riders = gathered(read, GENERAL + UNITS + horse).sections[0].entries

    assert [(cell.text, cell.kind) for cell in leib.values] == [("–", "dash")]
    assert [cell.text for cell in riders.values] == ["25\u202fcm"]


@pytest.mark.parametrize(
    "written",
    [ONLY_HORSE, "title: Move, where: {arm: [staff]},"],
    ids=["for-other-units", "for-no-unit"],
)
def test_column_of_values_that_no_unit_fills_is_left_out(
    written: str, content: Path, read: Read
) -> None:
    spoil(content / "cards.yaml", "title: Move in the open,", written)

    roster = gathered(read, GENERAL + UNITS)

    assert roster.keys == ()
    assert [entry.values for entry in roster.sections[0].entries] == [(), (), ()]


def test_column_of_dashes_is_left_out_and_one_of_boxes_stays(content: Path, read: Read) -> None:
    written = "title: Move in the open, value: {table: movement, row: {field: arm}, column: open}}"
    columns = (
        f"{written}\n  - {{label: None, title: T, value: {{field: nobody}}}}"
        "\n  - {label: Box, title: T, value: {box: to write}}"
    )
    spoil(content / "cards.yaml", written, columns)

    roster = gathered(read, GENERAL + UNITS)

    assert [key.label for key in roster.keys] == ["Mv", "Box"]
    *_, leib = roster.sections[0].entries
    assert [cell.kind for cell in leib.values] == ["number", "blank"]


def test_army_without_sizes_has_no_column_of_strengths_or_losses(read: Read) -> None:
    sized, bare = (gathered(read, text).sections[0] for text in (GENERAL + UNITS, GENERAL))

    assert (sized.has_sizes, sized.has_losses, sized.has_no_columns) == (True, True, False)
    assert (bare.has_sizes, bare.has_losses, bare.has_no_columns) == (False, False, True)


def test_leader_shows_values_beside_the_name(content: Path, read: Read) -> None:
    facts = (
        "leaders:\n  - {label: Arm, values: [{field: arm}]}\n"
        "  - {label: Move, values: [{field: nobody}]}\n"
        "  - {label: Fortune, values: [{box: to write}]}\n"
        "  - {label: For others, values: [{words: x}], where: {arm: [foot]}}\n"
    )
    path = content / "cards.yaml"
    text = path.read_text(encoding="utf-8").partition("leaders:")[0]
    path.write_text(f"{text}\n{facts}", encoding="utf-8")

    leader, line, _ = gathered(read, GENERAL + UNITS).sections[0].entries

    assert [(row.label, [a.text for a in row.values]) for row in leader.facts] == [
        ("Arm", ["staff"]),
        ("Fortune", [""]),
    ]
    assert line.facts == ()


def test_fields_and_notes_of_army_and_commands_are_shown() -> None:
    army = SEVEN_YEARS.replace("limit: 300\n", "limit: 300\nmultiplayer: true\n")
    text = army.replace("  - name: Empty wing\n", "  - name: Empty wing\n    notes: Lost in fog\n")

    roster = shipped(text)

    assert [(row.label, row.values[0].text) for row in roster.facts] == [
        ("Multi-player game", "yes")
    ]
    assert [(section.facts, section.notes) for section in roster.sections[1:]] == [
        ((), ""),
        ((), "Lost in fog"),
    ]


def test_unit_of_a_book_keeps_its_title_beside_its_name_and_no_source_is_cited() -> None:
    roster = shipped(SEVEN_YEARS)

    *_, karabiniers, hussars = roster.sections[1].entries
    assert (karabiniers.name, karabiniers.type) == (
        "Leib-Karabiniers",
        "Cuirassiers, heavy cavalry",
    )
    assert (hussars.name, hussars.type) == ("Hussars", "Light cavalry")
    (book,) = roster.books
    assert (book.title, book.notes) == ("Prussia", "Most grenadiers and guards have high morale.")
    army = army_from_document(document_from_text(SEVEN_YEARS, "army.yaml"), Library())
    facts = {card.title: card.facts for card in gather_cards(army.system, army, check(army)).cards}
    assert facts["Leib-Karabiniers"] == ("Cuirassiers, heavy cavalry",)


@pytest.mark.parametrize(
    ("units", "name"),
    [
        ("{unit: light-infantry, stands: 2, count: 3}", "3 units of light infantry"),
        ("{unit: light-infantry, name: Jäger, stands: 2}", "Light infantry"),
        ("{unit: hussars, stands: 4, count: 2}", "Hussars"),
        ("{unit: hussars, stands: 4}\n{unit: cuirassiers, stands: 5}", "Hussars and cuirassiers"),
        (
            """{unit: musketeers, stands: 4}
            {unit: early-musketeers, stands: 4}
            {unit: medium-infantry, stands: 4}""",
            "Medium infantry",
        ),
        (
            """{unit: hussars, stands: 4, count: 2}
            {unit: light-artillery}
            {unit: cuirassiers, stands: 5}""",
            "Group of 4 units",
        ),
    ],
)
def test_group_without_a_name_is_named_by_what_it_holds(units: str, name: str) -> None:
    head, _, _ = SEVEN_YEARS.partition("      - name: Horse")
    lines = "".join(f"          - {unit.strip()}\n" for unit in units.splitlines())

    roster = shipped(f"{head}      - units:\n{lines}")

    assert roster.sections[1].entries[1].name == name


def test_nation_keeps_its_capital_in_the_name_of_a_group() -> None:
    text = """
system: seven-years-war
book: france
commands:
  - name: Right
    groups:
      - units:
          - {unit: musketeers, stands: 4}
          - {unit: swiss, stands: 4}
"""

    roster = shipped(text)

    assert roster.sections[0].entries[0].name == "Musketeers and Swiss infantry"


def test_roster_has_the_colour_of_the_only_nation_of_its_units() -> None:
    french = "units: [{unit: foot, class: line, nation: french}"
    ones = [f"{french}]\n", "nation: french\n", f"{french}, {{unit: foot, class: line}}]\n"]

    own, army, mixed = (shipped(f"system: order-markers\n{lines}").colour for lines in ones)

    assert own == army != mixed


@pytest.mark.parametrize(
    ("lines", "nation"),
    [
        ("nation: british\n", "British"),
        ("nation: saxon\n", "Saxon"),
        (
            "nation: british\ncommands:\n  - {name: KGL, nation: kgl}\n",
            "British and King’s German Legion",
        ),
        ("units:\n  - {unit: foot, class: line, stands: 4, nation: french}\n", "French"),
        ("units: [{unit: foot, class: line, nation: french}, {unit: foot, class: line}]\n", ""),
    ],
    ids=["title", "of-ones-own", "command", "units", "one-unit-of-two"],
)
def test_nation_of_an_army_without_a_book_is_named_by_its_title(lines: str, nation: str) -> None:
    roster = shipped(f"system: order-markers\n{lines}")

    assert roster.book == nation
    assert [fact.label for fact in roster.facts] == ["Scale"]


def _entry_named(army: str, name: str) -> RosterEntry:
    roster = _sample(army)
    (held,) = (e for section in roster.sections for e in section.entries if e.name == name)
    return held


def _sample(name: str) -> Roster:
    army = load_army(Path("armies") / f"{name}.yaml", Library())
    return gather_roster(army.system, army, check(army))


def _facts(rows: Iterable[CardRow]) -> list[str]:
    said = (" ".join(filter(None, [row.label, row.values[0].text])) for row in rows)
    return [text.replace("\u00a0", " ") for text in said]


def test_scale_of_an_army_stands_in_its_head() -> None:
    (scale, *_) = _sample("order-markers/typical").facts

    assert (scale.label, scale.values[0].text) == ("Scale", "15\u202fmm")
    assert "Scale" not in _facts(_sample("slaughterloo/typical").facts)


def test_rosters_to_play_with_say_how_a_unit_starts() -> None:
    riflemen = _entry_named("lshm-skirmish/typical", "Riflemen")

    assert _facts(riflemen.facts) == ["Rifle", "Lieutenant Kerr"]
    assert _facts(riflemen.play_facts) == ["starts Open order"]
    sample = _sample("lshm-skirmish/typical")
    assert any(e.play_facts for section in shorten(sample).sections for e in section.entries)
    assert not any(e.play_facts for section in sign(sample).sections for e in section.entries)


def test_unit_of_another_nation_than_its_army_says_so() -> None:
    assert _facts(_entry_named("lshm-skirmish/illegal", "Captured battery").facts) == ["British"]
    assert "French" not in _facts(_entry_named("lshm-skirmish/illegal", "Weak company").facts)
    assert "King’s German Legion" not in _facts(
        _entry_named("order-markers/typical", "Line battalions").facts
    )


def test_leader_of_the_highest_rank_is_commander_in_chief() -> None:
    assert "Commander-in-Chief" in _facts(_entry_named("lshm-skirmish/large", "Duprat").facts)
    assert "Commander-in-Chief" not in _facts(_entry_named("lshm-skirmish/large", "Maillot").facts)
    # Two colonels are the highest here, so that neither is.
    assert "Commander-in-Chief" not in _facts(_entry_named("lshm-skirmish/illegal", "Blanc").facts)


def test_value_that_is_rolled_later_or_that_no_book_gives_is_a_box() -> None:
    battalions = _entry_named("huzzah/small", "Line battalions")
    bats = _entry_named("slaughterloo/illegal", "Borrowed bats")

    assert battalions.values[1].kind == "blank"
    assert {cell.kind for cell in bats.values} == {"blank"}


def test_player_is_read_and_a_player_who_is_no_text_is_refused(read: Read) -> None:
    roster = gathered(read, f"player: Anna Weiß\n{GENERAL}{UNITS}")

    assert roster.player == "Anna Weiß"
    with pytest.raises(MusterError, match="read a list, expected text"):
        gathered(read, f"player: [Anna]\n{GENERAL}{UNITS}")
    with pytest.raises(MusterError, match="there is no key 'player'"):
        gathered(read, f"{GENERAL}units: [{{unit: line, stands: 6, player: Anna}}]\n")


def test_unit_without_a_size_has_boxes_for_what_it_collects() -> None:
    text = """
system: huzzah
nation: British
brigades:
  - name: One
    officer: {name: Hill, quality: skilful}
    units:
      - {unit: infantry, class: regulars-b, quality: trained}
"""

    roster = shipped(text)

    assert roster.losses == "Kills · Staggers"
    (*_, unit) = roster.sections[-1].entries
    assert unit.tracks == (Track(5, "Kills"), Track(5, "Staggers", "round"))
    assert (unit.boxes, unit.box_count) == (0, 10)


def test_profile_of_ones_own_is_no_suggestion_and_its_notes_stand_below(
    content: Path, read: Read
) -> None:
    spoil(content / "books" / "first-book.yaml", "{id: guards,", "{id: guards, notes: Tall men,")

    roster = gathered(read, GENERAL + UNITS)

    *_, leib = roster.sections[0].entries
    assert (leib.type, leib.notes) == ("Guards, foot", "Tall men")


def test_book_of_sample_values_says_so(content: Path, read: Read) -> None:
    spoil(content / "books" / "first-book.yaml", "units:", "sample: true\nunits:")

    roster = gathered(read, GENERAL + UNITS)

    assert roster.book == "The First Nation (sample values)"


def test_system_without_cards_has_no_key_values(content: Path, read: Read) -> None:
    (content / "cards.yaml").unlink()

    roster = gathered(read, GENERAL + UNITS)

    assert roster.keys == ()
    assert roster.sections[0].entries[1].values == ()


def test_price_that_is_missing_is_named_and_no_number(content: Path, read: Read) -> None:
    spoil(content / "tables" / "points.yaml", 'cells: ["20"]', "cells: [blank]")

    roster = gathered(read, GENERAL + UNITS)

    assert roster.points == "57"
    assert roster.sections[0].entries[0].points == "?"
    assert roster.sections[0].points == "at least 57"
    assert len(roster.missing) == 1
    assert [finding.severity for finding in roster.findings] == ["warning"]


def test_illegal_army_has_its_findings_and_marks(read: Read) -> None:
    roster = gathered(read, "limit: 10\nunits:\n  - {unit: line, stands: 9}\n")

    assert not roster.legal
    assert [entry.faulty for entry in roster.sections[0].entries] == [True]
    over, general, size = roster.findings
    assert (over.found, over.where) == (
        "Found: 27 points. Allowed: 10 points.",
        "The whole army",
    )
    assert general.message == "An army has one General."
    assert (size.rule, size.severity) == ("Chapter 1: The army", "error")
    assert "Leave out" in over.remedy


def test_commands_and_groups_are_sections_and_heads() -> None:
    roster = shipped(SEVEN_YEARS)

    titles = [section.title for section in roster.sections]
    assert titles[1:] == ["Command of von Zieten", "Empty wing"]
    zieten = roster.sections[1].entries
    assert [(entry.name, entry.kind, entry.depth) for entry in zieten] == [
        ("von Zieten", "leader", 0),
        ("Horse", "group", 0),
        ("Leib-Karabiniers", "unit", 1),
        ("Hussars", "unit", 1),
    ]
    assert (zieten[1].strength, zieten[1].notes) == ("13 stands", "On the right")
    assert zieten[1].type == "Group"


def test_group_whose_name_says_what_it_is_says_it_once() -> None:
    named = SEVEN_YEARS.replace("name: Horse", "name: Group of horse")

    types = [entry.type for entry in shipped(named).sections[1].entries if entry.kind == "group"]

    assert named != SEVEN_YEARS
    assert types == [""]


def test_command_of_many_units_has_a_card_and_a_lone_one_has_none() -> None:
    army = army_from_document(document_from_text(SEVEN_YEARS, "army.yaml"), Library())

    titles = [card.title for card in gather_cards(army.system, army, check(army)).cards]

    assert "Horse" in titles
    assert "Empty wing" not in titles


def test_command_without_a_known_price_has_no_subtotal() -> None:
    text = SEVEN_YEARS.replace("    general: {training: infantry}\n", "")

    empty = shipped(text)

    assert empty.sections[-1].points == ""


def test_key_values_are_shown_as_pages_show_them(content: Path, read: Read) -> None:
    column = "title: Move, value: {join: [{field: arm}, {field: stands}]}}"
    written = "title: Move in the open, value: {table: movement, row: {field: arm}, column: open}}"
    spoil(content / "cards.yaml", written, column)

    *_, leib = gathered(read, GENERAL + UNITS).sections[0].entries

    assert [cell.text for cell in leib.values] == ["foot / 6"]


def test_subtotals_add_up_to_the_total() -> None:
    roster = shipped(SEVEN_YEARS)

    known = [
        Decimal(section.points.removeprefix("at least "))
        for section in roster.sections
        if section.points
    ]
    assert sum(known) == Decimal(roster.points)


@pytest.mark.parametrize(
    ("points", "text"),
    [(None, ""), ("26", "26"), ("61.750", "61.75"), ("20", "20"), ("100", "100"), ("0", "0")],
)
def test_points_are_written_without_trailing_zeros(points: str | None, text: str) -> None:
    assert format_points(None if points is None else Decimal(points)) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 kB"), (1, "1 kB"), (1000, "1 kB"), (1001, "2 kB"), (9_999_999, "10,000 kB")],
)
def test_size_of_a_file_is_rounded_up(size: int, text: str) -> None:
    assert format_size(size) == text


def test_facts_with_the_same_word_share_it() -> None:
    path = Path(__file__).resolve().parents[2] / "armies" / "seven-years-war" / "small.yaml"
    army = load_army(path, Library(path.parents[2]))

    sections = gather_roster(army.system, army, check(army)).sections

    first = [[row.label for row in each.facts] for each in sections[0].entries if each.facts]
    second = [[row.label for row in each.facts] for each in sections[1].entries if each.facts]
    assert first == [["Training, Psychology, Ability", "Attempts a phase"]]
    assert second == [["Training, Psychology", "Ability", "Attempts a phase"]]


def test_findings_say_what_there_is_and_what_may_be_in_a_sentence_if_that_helps() -> None:
    path = Path(__file__).parents[2] / "armies" / "slaughterloo" / "illegal.yaml"
    army = load_army(path, Library(path.parents[2]))

    found = [each.found for each in gather_roster(army.system, army, check(army)).findings]

    assert found == [
        "Found: 873 points. Allowed: 850 points.",
        "It has 7 units; it may have 1–6.",
        "It has 24 figures; it may have 8–20.",
        "It has 18 figures; it may have a multiple of 4.",
        "It has 4 guns; it may have 1, 2 or 3.",
        "",
        "It has none; it needs 1 General.",
        "It has 6 figures; it may have none: an army of kind Standard has no flying cavalry.",
        "",
    ]
