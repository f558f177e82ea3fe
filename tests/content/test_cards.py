"""Tests of values on shipped cards and rosters that were wrong once."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from muster.armies import army_from_document, check, load_army
from muster.documents.cards import Card, gather_cards, put_figures_in_place
from muster.documents.roster import Roster, gather_roster
from muster.documents.tokens import gather_tokens
from muster.rendering.card_pages import cards_pdf
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.token_pages import TOKEN_COLOURS, TOKEN_GRID
from muster.systems import Library
from muster.values import DASH
from muster.yamlfile import document_from_text
from tests.pages.printed import MM, Pdf
from tests.scaffold import SHIPPED

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("system", SHIPPED)
def test_tokens_say_what_the_rules_say_and_fill_their_pages(system: str) -> None:
    folder = ROOT / "content" / system
    files = [*folder.glob("tables/*.yaml"), *folder.glob("prose/*.md")]
    rules = " ".join(path.read_text(encoding="utf-8") for path in files).casefold()

    sheet = gather_tokens(Library(ROOT).system(system))

    assert sheet is not None
    strange = {
        w for token in sheet.tokens for w in token.label.split() if w.casefold() not in rules
    }
    assert strange == set()
    assert sheet.number % (TOKEN_GRID.across * TOKEN_GRID.down) == 0


def test_every_state_of_lshm_on_its_sheet_has_a_token() -> None:
    system = Library(ROOT).system("lshm-skirmish")
    states = {row.label for row in system.table("states").rows}

    sheet = gather_tokens(system)

    assert sheet is not None
    assert len(states) == 5
    assert states <= {token.label for token in sheet.tokens}


def lightness(colour: str) -> float:
    """Return the L* of a colour, `#rrggbb`: what is left of it in a print without colour."""
    parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    luminance: float = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return 116 * float(luminance ** (1 / 3)) - 16


@pytest.mark.parametrize("system", SHIPPED)
def test_tokens_of_a_system_are_told_apart_by_symbol_and_by_colour(system: str) -> None:
    sheet = gather_tokens(Library(ROOT).system(system))

    assert sheet is not None
    faces = [token.symbol or token.text for token in sheet.tokens]
    assert len(set(faces)) == len(faces)
    for light in (False, True):
        # Losses of 25 % and 50 % are one kind, told apart by their numbers.
        tokens = [token for token in sheet.tokens if token.light is light]
        kinds = {(token.label.removesuffix("s"), token.tone) for token in tokens}
        greys = sorted(lightness(TOKEN_COLOURS[tone]) for _, tone in kinds)
        assert all(high - low >= 8 for low, high in pairwise(greys)), greys


def cards(text: str, *folders: Path) -> dict[str, Card]:
    army = army_from_document(document_from_text(text, "army.yaml"), Library(*folders or (ROOT,)))
    deck = gather_cards(army.system, army, check(army))
    return {card.title: card.for_cards(large=True) for card in deck.cards}


def roster(text: str) -> Roster:
    army = army_from_document(document_from_text(text, "army.yaml"), Library(ROOT))
    return gather_roster(army.system, army, check(army))


FEWER_FIGURES = {
    # A quality that is rolled before the game has no rating and no radius until then.
    ("huzzah", "General Latour-Maubourg"): 1,
    # Units of a type whose values an army book states, in a list without a book.
    ("slaughterloo", "Borrowed bats"): 0,
}
"""The cards on which fewer than three figures stand large, for there are no more to show."""


@pytest.mark.parametrize("system", SHIPPED)
def test_three_to_five_figures_stand_large_on_every_card_of_every_army(system: str) -> None:
    wrong = {}
    for path in sorted((ROOT / "armies" / system).glob("*.yaml")):
        army = load_army(path, Library(ROOT))
        for card in gather_cards(army.system, army, check(army)).cards:
            large = [each for each in card.large_figures if not each.is_word]
            least = FEWER_FIGURES.get((system, card.title), 3)
            if not least <= len(large) <= 5:
                wrong[f"{path.stem}: {card.title}"] = [each.label for each in large]

    assert wrong == {}


def test_three_to_five_figures_stand_large_on_every_card_of_the_sixth_system() -> None:
    sixth = ROOT / "tests" / "sixth"
    armies = [
        load_army(path, Library(sixth))
        for path in sorted((sixth / "armies" / "sixth").glob("*.yaml"))
    ]
    cards = [card for army in armies for card in gather_cards(army.system, army, check(army)).cards]

    wrong = {
        card.title: [each.label for each in card.large_figures]
        for card in cards
        if not 3 <= sum(not each.is_word for each in card.large_figures) <= 5
    }
    assert wrong == {}
    assert len(cards) == 18
    rows = [row for card in cards for block in card.blocks for row in block.rows]
    below_zero = [row for row in rows if any(cell.text.startswith("−") for cell in row.values)]
    assert below_zero == []


@pytest.mark.parametrize("system", SHIPPED)
def test_a_figure_stands_at_one_place_on_all_cards_of_every_army(system: str) -> None:
    for path in sorted((ROOT / "armies" / system).glob("*.yaml")):
        army = load_army(path, Library(ROOT))
        deck = put_figures_in_place(gather_cards(army.system, army, check(army)).cards)
        at: dict[tuple[str, str], set[int]] = {}
        for card in deck:
            shown = [each for each in card.places if each and each.value.kind != "dash"]
            assert len(shown) == len(card.large_figures)
            for place, each in enumerate(card.places):
                if each:
                    at.setdefault((card.level, each.label), set()).add(place)

        assert [key for key, places in at.items() if len(places) > 1] == []
        assert all(len(card.places) <= 5 for card in deck)


def figure(card: Card, label: str) -> str:
    """Return the large figure with a label; a box is `□`."""
    found = next(each.value for each in card.figures if each.label == label)
    return "□" if found.kind == "blank" else found.text


def row(card: Card, label: str, of: str = "") -> list[tuple[str, ...]]:
    """Return the values of every row with a label, or those in blocks of a title; a box is `□`."""
    return [
        tuple("□" if cell.kind == "blank" else cell.text for cell in line.values)
        for block in card.blocks
        for line in block.rows
        if line.label == label and (not of or block.title == of)
    ]


GUNS = """
system: order-markers
scale: 15mm
nation: french
commander: {grade: good}
commands:
  - general: {grade: poor}
    units:
      - {unit: foot-artillery, name: Battery, class: line, gun: heavy, stands: 2, gunners: %s}
"""


@pytest.mark.parametrize(
    ("gunners", "to_hit"),
    [("1", ("□",) * 5), ("3", ("3+", "5+", "7+", "8+", "10+")), ("6", ("□",) * 5)],
    ids=["one", "three", "six"],
)
def test_battery_has_a_line_to_hit_whatever_its_gunners(
    gunners: str, to_hit: tuple[str, ...]
) -> None:
    shown = row(cards(GUNS % gunners)["Battery"], "To hit")

    assert [tuple(each.rstrip("+") for each in line) for line in shown] == [
        tuple(each.rstrip("+") for each in to_hit)
    ]


HUZZAH = """
system: huzzah
nation: British
excellent-officers: {barred}
commander: {{name: Hill, quality: skilful}}
brigades:
  - officer: {{name: Stewart, quality: average}}
    units: [{{unit: infantry, name: Foot, class: regulars-b, quality: trained}}]
"""


@pytest.mark.parametrize(
    ("barred", "rating"),
    [("allowed", "10"), ("barred", "□"), ("barred\nrating-cap: 9", "9"), ("unstated", "10")],
    ids=["allowed", "barred", "capped", "unstated"],
)
def test_huzzah_roster_shows_each_officer_one_rating_and_radius(barred: str, rating: str) -> None:
    result = roster(HUZZAH.format(barred=barred))

    hill, stewart = (section.entries[0] for section in result.sections)
    facts = {
        entry.name: [
            (fact.label, "□" if fact.values[0].kind == "blank" else fact.values[0].text)
            for fact in entry.facts
        ]
        for entry in (hill, stewart)
    }
    assert facts == {
        "Hill": [("Quality", "Skilful"), ("Rating", rating), ("Radius", "130\u202fcm")],
        "Stewart": [("Quality", "Average"), ("Rating", "8"), ("Radius", "20\u202fcm")],
    }
    assert [section.has_sizes for section in result.sections] == [False, False]
    assert result.book == "British"


def test_leaders_of_every_system_show_something_on_a_roster() -> None:
    library = Library(ROOT)
    bare = []
    for name in library.systems():
        system = library.system(name)
        text = (ROOT / "armies" / name / "typical.yaml").read_text(encoding="utf-8")
        entries = [each for section in roster(text).sections for each in section.entries]
        facts = [each.facts for each in entries if each.kind == "leader" and each.facts]
        if not facts or system.cards is None:
            bare.append(name)

    assert bare == []


SLAUGHTERLOO = """
system: slaughterloo
book: sample-human
divisions:
  - units:
      - {unit: riflemen, name: Light foot, figures: 10}
      - {unit: guard-fusiliers, name: Guard, figures: 16}
      - {unit: lancers, name: Light horse, figures: 8}
      - {unit: fusiliers, name: Line, figures: 16}
      - {unit: cuirassiers, name: Heavy horse, figures: 8}
"""


def test_slaughterloo_card_says_who_may_be_rearguard() -> None:
    result = cards(SLAUGHTERLOO)

    by_row = {title for title, card in result.items() if row(card, "Broken Division")}
    assert by_row == {"Light foot", "Light horse"}
    assert {name for name, card in result.items() if "May be rearguard" in card.facts} == {"Guard"}


OWN_BOOK = """
id: mine
title: Mine
units:
  - id: hussars
    title: Hussars
    type: light-cavalry
    stats: {normal-move: 20cm, maximum-move: 30cm, combat-value: "2", formations: Line only}
"""


def test_seven_years_war_card_shows_what_a_profile_states_for_what_is_lost(tmp_path: Path) -> None:
    books = tmp_path / "content" / "seven-years-war" / "books"
    books.mkdir(parents=True)
    (books / "mine.yaml").write_text(OWN_BOOK, encoding="utf-8")
    units = "units:\n  - {unit: hussars, stands: 4}\n  - {unit: light-cavalry, stands: 4}\n"

    result = cards(f"system: seven-years-war\nbook: mine\n{units}", tmp_path)

    own, lost = result["Hussars"], result["Light cavalry"]
    assert row(own, "Speed") == [("20\u202fcm", "30\u202fcm")]
    assert (figure(own, "combat value"), row(own, "Formations")) == ("2", [("Line only",)])
    assert row(lost, "Speed") == [("□", "□")]
    assert figure(lost, "combat value") == "□"
    assert row(lost, "", of="May form") == [("□", "□", "□")]


LSHM = """
system: lshm-skirmish
side: french
units:
  - {unit: line-infantry, name: Line, figures: 12, officers: 1, ncos: 1, weapon: musket}
  - {unit: artillery, name: Gun, figures: 4, officers: 1}
"""


def test_lshm_card_gives_the_hits_of_all_figures_rounded_down() -> None:
    result = cards(LSHM)

    assert row(result["Line"], "On 2–5") == [("3", "2", "1", "1")]
    # A full crew fires as 12; grapeshot hits twice as often, after rounding.
    assert row(result["Gun"], "On 6", "Ball at class") == [("4", "1", "1", "1")]
    assert row(result["Gun"], "On 6", "Grape at class") == [("8", "4", "4", "2")]


# Tables that repeat numbers of other tables


def test_effects_of_a_class_on_close_combat_are_those_of_its_own_table() -> None:
    system = Library(ROOT).system("order-markers")
    gathered, own = system.table("class-effects"), system.table("close-combat-class")

    assert {each.id: gathered.cell(each.id, "close-combat") for each in gathered.rows} == {
        each.id: each.cells[0] for each in own.rows
    }


@pytest.mark.parametrize(
    ("column", "table"),
    [("small-arms", "small-arms-modifiers"), ("artillery", "artillery-modifiers")],
)
def test_effects_of_a_class_on_fire_are_those_of_the_modifiers(column: str, table: str) -> None:
    system = Library(ROOT).system("order-markers")
    gathered = system.table("class-effects")

    expected = {
        name: each.cells[0].show()
        for each in system.table(table).rows
        for filters in each.only_for or ()
        for name in filters.get("class", ())
    }
    assert {
        each.id: gathered.cell(each.id, column).show()
        for each in gathered.rows
        if gathered.cell(each.id, column).show() != "0"
    } == expected


def test_effects_of_a_nation_are_those_of_the_lists() -> None:
    system = Library(ROOT).system("order-markers")
    gathered, morale = system.table("nation-effects"), system.table("morale-modifiers")
    expected: dict[tuple[str, str], str] = {}
    for key, column in (("column", 0), ("british-line", 1), ("line", 1)):
        line = morale.row(key)
        for nation in (line.only_for or ())[0]["nation"]:
            expected[nation, gathered.columns[column].id] = line.cells[0].show()
    dice = system.table("small-arms-dice").cell("british-line", "value").show()
    expected |= {(nation, "fire-dice"): dice for nation in ("british", "kgl")}

    assert {
        (each.id, column.id): cell.show()
        for each in gathered.rows
        for column, cell in zip(gathered.columns, each.cells, strict=True)
        if cell is not DASH
    } == expected


HORSE = """
system: huzzah
nation: Russian
excellent-officers: allowed
commander: {name: Kutuzov, quality: poor}
divisions:
  - name: Cossacks of the Don
    officer: {name: Platov, quality: skilful}
    units:
      - {unit: cavalry, name: Don cossacks, class: militia-b, quality: green, order: open,
         options: [cossacks, small]}
      - {unit: cavalry, name: Hussars, class: regulars-a, quality: unrolled}
"""


def test_head_of_a_card_names_nation_and_quality_and_an_unrolled_quality_is_not_named() -> None:
    deck = cards(HORSE)

    assert deck["Don cossacks"].nation == "Russian"
    assert deck["Don cossacks"].facts == ("Cavalry", "Green", "Militia B", "Open order")
    assert deck["Hussars"].facts == ("Cavalry", "Regulars A", "Close order")
    assert deck["Platov"].facts == ("Division officer", "Skilful")


def test_fullest_card_of_the_sample_armies_fits() -> None:
    army = army_from_document(document_from_text(HORSE, "army.yaml"), Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    fullest = tuple(card for card in deck.cards if card.title == "Don cossacks")

    templates = TemplateEnvironment([ROOT / "templates"])
    assert cards_pdf(templates, replace(deck, cards=fullest), "9-up", "a4", {}).pages == 1


@pytest.mark.parametrize("system", SHIPPED)
@pytest.mark.parametrize("army_name", ["small", "typical"])
def test_figures_of_cards_that_stand_four_to_a_page_have_nine_points_or_more(
    system: str, army_name: str
) -> None:
    army = load_army(ROOT / "armies" / system / f"{army_name}.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    distinct = {card.title.rstrip("\u00a00123456789"): card for card in deck.cards}
    sizes: dict[str, float] = {}

    templates = TemplateEnvironment([ROOT / "templates"])
    cards_pdf(templates, replace(deck, cards=tuple(distinct.values())), "4-up", "a4", sizes)
    # Beside the sizes of type are what stays free, and how much lower the parts of a deck are.
    assert min(size for key, size in sizes.items() if not key.endswith((".free", ".tight"))) >= 9


@pytest.mark.parametrize("system", SHIPPED)
def test_letters_of_single_cards_are_three_millimetres_from_where_they_are_cut(
    system: str, tmp_path: Path
) -> None:
    army = load_army(ROOT / "armies" / system / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))

    made = cards_pdf(TemplateEnvironment([ROOT / "templates"]), deck, "single", "", {})
    (tmp_path / "cards.pdf").write_bytes(made.data)
    near = {
        piece.text
        for page in Pdf(tmp_path / "cards.pdf").pages
        for piece in page
        # The document's title is there for machines, in type of no size.
        if piece.text.strip()
        and piece.size > 2
        # The heights of `d` and `g` above and below the line of letters, in em.
        and (
            min(piece.left, piece.baseline - 0.21 * piece.size) < 2.9 * MM
            or piece.right > (63 - 2.9) * MM
            or piece.baseline + 0.72 * piece.size > (88 - 2.9) * MM
        )
    }

    assert near == set()


GROUPS = """
system: seven-years-war
book: prussia
commander: {name: The King}
commands:
  - general: {name: von Zieten}
    groups:
      - name: First line
        units:
          - {unit: grenadiers, name: Billerbeck, stands: 3}
          - {unit: early-musketeers, name: Markgraf Karl, stands: 4, count: 2}
      - name: Second line
        units: [%s]
"""


def test_card_of_a_group_lists_its_units_unless_they_are_too_many() -> None:
    many = ", ".join(["{unit: musketeers, stands: 4}"] * 11)
    deck = cards(GROUPS % many)

    units = deck["First line"].blocks[-1]
    assert units.title == "Units"
    assert [(line.label, line.values[0].text) for line in units.rows] == [
        ("Billerbeck", "3 stands"),
        ("2 × Markgraf Karl", "4 stands each"),
    ]
    assert [block.title for block in deck["Second line"].blocks] == ["Morale, 2D6"]


def test_command_that_is_named_like_its_nation_is_named_once() -> None:
    deck = cards(GUNS.replace("general: {", "name: French\n    general: {") % 3)

    assert (deck["Battery"].nation, deck["Battery"].command) == ("French", "")


def test_card_of_a_leader_lists_the_units_that_he_leads() -> None:
    deck = cards(HORSE)

    assert [line.label for line in deck["Platov"].led] == ["Don cossacks", "Hussars"]
    assert deck["Platov"].led_groups == ()
    assert deck["Platov"].led_title == "Units"
    assert deck["Hussars"].led == ()


def test_card_of_a_leader_lists_his_groups_too() -> None:
    deck = cards(GROUPS % "{unit: musketeers, stands: 4}")

    assert deck["von Zieten"].led_groups_title == "Groups"
    assert [(line.label, line.values[0].text) for line in deck["von Zieten"].led_groups] == [
        ("First line", "11 stands"),
        ("Second line", "4 stands"),
    ]


def test_leader_whose_units_have_no_strength_lists_what_holds_them() -> None:
    army = load_army(ROOT / "armies" / "huzzah" / "typical.yaml", Library(ROOT))
    deck = {card.title: card for card in gather_cards(army.system, army, check(army)).cards}

    listed = {
        name: [(line.label, line.values[0].text) for line in deck[name].led]
        for name in ("Kolowrat", "Buresch")
    }
    assert listed == {
        "Kolowrat": [("First division", "8 units"), ("Second division", "2 units")],
        "Buresch": [("3 × Zach", ""), ("Brigade battery", "")],
    }


def test_leader_of_an_army_lists_what_stands_directly_under_him_else_his_own_units() -> None:
    army = load_army(ROOT / "armies" / "order-markers" / "typical.yaml", Library(ROOT))
    deck = {card.title: card for card in gather_cards(army.system, army, check(army)).cards}

    hill = deck["Sir Rowland Hill"]

    assert (hill.led_title, hill.led_groups_title) == ("Leads", "Units")
    own = ["16th Light Dragoons", "Union Brigade", "Field brigade"]
    assert [line.label for line in hill.led] == ["Light brigade", "King’s German Legion", *own]
    assert [line.label for line in hill.led_groups] == own


def test_strength_of_a_command_whose_units_count_different_things_is_their_number() -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "typical.yaml", Library(ROOT))
    deck = {card.title: card for card in gather_cards(army.system, army, check(army)).cards}

    wellbottom = deck["Duke of Wellbottom"]

    assert wellbottom.led_title == "Divisions"
    assert [line.values[0].text for line in wellbottom.led] == ["5 units", "4 units"]


def test_unit_that_is_a_group_has_the_marks_of_its_group() -> None:
    army = load_army(ROOT / "armies" / "seven-years-war" / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    cards = {card.title: card for card in deck.cards}

    marks = {
        title: [(box.number, box.mark) for box in losses.boxes if box.mark]
        for title in ("Jäger zu Fuß", "Grenadier battalion Billerbeck")
        if (losses := cards[title].losses)
    }

    assert marks["Jäger zu Fuß"] == [(1, "−2, ½")]
    assert marks["Grenadier battalion Billerbeck"] == []
    jaeger = cards["Jäger zu Fuß"].losses
    assert jaeger is not None
    assert jaeger.remark == "marks are morale modifiers"
    assert jaeger.meanings == (("½", "half lost: −3 more to charge or rally"),)


def test_unit_that_is_a_group_has_the_morale_of_a_group() -> None:
    army = load_army(ROOT / "armies" / "seven-years-war" / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    cards = {card.title: card for card in deck.cards}

    for large in (False, True):
        jaeger = cards["Jäger zu Fuß"].for_cards(large=large)
        assert row(jaeger, "", "Morale, 2D6") == [("+1", "−2", "−2", "−2", "+1")]
    # It counts as its worst unit: of one line all have high morale, of the other none.
    assert row(cards["First line"], "High morale") == [("+1",)]
    assert row(cards["Second line"], "High morale") == []
    assert row(cards["Horse of the right wing"], "High morale") == []


def test_unit_that_is_a_group_has_its_own_morale_in_the_line_of_its_group() -> None:
    units = (
        "units: [{unit: light-infantry, name: High, stands: 4, options: [high-morale]},"
        " {unit: light-infantry, name: Low, stands: 4, options: [low-morale]},"
        " {unit: militia, name: Militia, stands: 4}]\n"
    )
    deck = cards(f"system: seven-years-war\n{units}")

    heads = {
        name: [block.heads for block in card.blocks if block.tone == "morale"]
        for name, card in deck.items()
    }
    shared = ("Won", "Lost", "Flank", "Rally", "General")
    assert heads == {
        "High": [("High", *shared)],
        "Low": [("Low", *shared)],
        "Militia": [("In open", *shared)],
    }


def test_unit_that_tells_faults_keeps_its_own_morale_on_small_cards() -> None:
    units = "units: [{unit: light-infantry, name: Low, stands: 9, options: [low-morale]}]\n"
    text = f"system: seven-years-war\n{units}"
    army = army_from_document(document_from_text(text, "army.yaml"), Library(ROOT))
    (card,) = gather_cards(army.system, army, check(army)).cards

    small, large = (card.for_cards(large=each) for each in (False, True))
    assert [each.heads for each in small.blocks if each.tone == "morale"] == [()]
    assert [len(each.heads) for each in large.blocks if each.tone == "morale"] == [6]


def test_muskets_have_no_extreme_range_and_their_dice_include_poor_shots() -> None:
    units = "units: [{unit: medium-infantry, weapon: muskets, options: [poor-shots], stands: 4}]\n"
    (card,) = cards(f"system: seven-years-war\n{units}").values()

    shooting = [block for block in card.blocks if block.tone == "fire"]
    assert [block.heads for block in shooting] == [("Short", "Long", "First shot")]
    assert row(card, "Range") == [("5\u202fcm", "10\u202fcm", "any")]
    assert [each.value.text for each in card.figures if each.label == "shoots to"] == ["10\u202fcm"]
    assert row(card, "Added, poor shots") == [("0", "−2", "+1 more")]


def test_only_standard_officers_have_the_rolls_of_the_table() -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    told = {card.title: card.losses for card in deck.cards if card.losses}

    line, guard = told["2nd of Foot\u00a01"], told["Duke’s Own"]
    assert line.meanings == (("1", "6"), ("2", "5–6"), ("3", "4–6"))
    assert guard.meanings == (("1", ""), ("2", ""), ("3", ""))
    assert guard.remark == "Special officer dies on 1D6; marker"
    assert line.told_in_boxes.remark == "officer dies on the D6 in a box"
    assert guard.told_in_boxes.remark == "Special officer: write in his D6"


def test_howitzer_adds_three_to_its_hit_score_and_close_by_what_a_light_gun_adds() -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    (howitzer,) = (card for card in deck.cards if card.title == "Howitzer battery")

    assert row(howitzer, "Under 15 cm") == [("as a light gun", "D6 + Fire +1", "9")]
    assert row(howitzer, "30–55 cm") == [("6", "D6 + 3", "6")]


def test_militia_charge_farther_along_a_road() -> None:
    army = load_army(ROOT / "armies" / "lshm-skirmish" / "large.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    by_title = {card.title: card for card in deck.cards}

    assert row(by_title["Town guard"], "March column, charge on road") == [("4D6″",)]


@pytest.mark.parametrize(
    ("army", "nation", "colour"),
    [
        ("small", "French", "#274b7a"),
        ("large", "French", "#274b7a"),
        ("typical", "British", "#9b2226"),
    ],
)
def test_lshm_cards_name_their_nation(army: str, nation: str, colour: str) -> None:
    read = load_army(ROOT / "armies" / "lshm-skirmish" / f"{army}.yaml", Library(ROOT))
    cards = gather_cards(read.system, read, check(read)).cards

    assert {card.colour for card in cards if card.nation == nation} == {colour}
    # Town guard and villagers of another nation fight for the French.
    others = {card.title for card in cards if card.nation != nation}
    assert others == ({"Town guard", "Villagers"} if army == "large" else set())


def test_slaughterloo_small_arms_say_what_range_adds_and_red_cards_are_red() -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    by_title = {card.title: card.for_cards(large=False) for card in deck.cards}

    assert row(by_title["Black Hats"], "Added to hit") == [("–", "−1", "−3")]
    assert row(by_title["Black Hats"], "Broken Division") == [("allowed",)]
    assert row(by_title["Black Hats"], "A volley kills over") == [("4",)]
    general = by_title["Sir Henry Stoat"]
    assert [block.colour for block in general.blocks if block.title == "Red cards"] == ["#b3261e"]
    assert general.nation == "Human"
    assert [each.label for each in general.figures][-1] == "Exp"


def test_huzzah_officer_has_the_modifiers_of_orders_and_on_large_cards_of_checks() -> None:
    army = load_army(ROOT / "armies" / "huzzah" / "typical.yaml", Library(ROOT))
    deck = gather_cards(army.system, army, check(army))
    lederer = next(card for card in deck.cards if card.title == "Lederer")
    small, large = (lederer.for_cards(large=each) for each in (False, True))

    assert row(small, "Infantry advance on cavalry") == [("−2",)]
    assert row(large, "Isolated sub-command") == [("−1", "−2")]
    assert row(large, "Last check failed") == [("−1 to advance", "−1")]


def test_battery_that_is_named_by_its_type_says_its_arm_and_no_other_says_it_twice() -> None:
    units = (
        "units: [{unit: heavy-artillery, stands: 1}, {unit: light-artillery, name: A, stands: 1}]"
    )
    heavy, named = cards(f"system: seven-years-war\n{units}\n").values()

    assert heavy.facts == ("Artillery",)
    assert named.facts == ("Light artillery",)
