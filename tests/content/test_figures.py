"""Owns the facts of the real content: figures that players look up, as the sources print them.

Does not compare whole tables (see `test_transcripts`) and does not try the program.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from generator.systems import System, open_system
from generator.systems.errata import Place
from generator.tables import Lookup, NoEntryError
from generator.values import BLANK, DASH

CONTENT = Path(__file__).parent.parent.parent / "content"
SLAUGHTERLOO = open_system(CONTENT / "slaughterloo")
SEVEN_YEARS_WAR = open_system(CONTENT / "seven-years-war")
LSHM_SKIRMISH = open_system(CONTENT / "lshm-skirmish")
SYSTEMS = pytest.mark.parametrize(
    "system", [SLAUGHTERLOO, SEVEN_YEARS_WAR, LSHM_SKIRMISH], ids=lambda system: str(system.id)
)

INVENTORY = {
    "slaughterloo": """
        command-structure unit-sizes base-sizes command-points officer-points gun-points
        experience-values formations formation-line formation-column formation-square
        formation-light formation-cavalry unit-status set-up-steps turn-sequence command-cards
        initiative formulas distances morale-triggers morale-modifiers morale-failure rally
        division-break form-roll-uses form-modifiers form-conditions reorganise interrupt-actions
        movement-terrain terrain-types fire-restrictions fire-cover friendly-melee-kills
        casualty-effects kills-per-figure small-arms-attack fire-modifiers artillery-weights
        artillery-ranges artillery-class artillery-attack artillery-rules howitzer-procedure
        howitzer-ranges howitzer-direction kill-table melee-attack melee-modifiers melee-order
        melee-cases
    """,
    "seven-years-war": """
        bases artillery-classes unit-sizes troop-types troop-qualities troop-examples group-rules
        group-spacing turn-sequence general-types general-rules general-loss order-attempts
        order-range order-exceptions visibility orders reserve-drill formations-allowed
        movement-rates combat-values through-friends light-fallback turn-to-face melee-movement
        shooting-ranges shooting-results shooting-modifiers bounce-through shooting-rules
        melee-steps evade melee-modifiers melee-results breakthrough rout-pursuit-moves rout-rules
        pursuit-rules disorder morale-triggers charge-check morale-modifiers morale-casualties
        morale-charging morale-rally off-table cinc-ability initiative deployment-zones
        hidden-units points-troops points-options points-command points-works points-terrain
        terrain-number terrain-hills terrain-placing terrain-rotation
    """,
    "lshm-skirmish": """
        unit-sizes sides march-column-foot march-column-mounted line-foot line-mounted square-foot
        open-order-foot open-order-mounted turn-sequence card-draw movement movement-adjustments
        joker-movement joker-movement-special fire-steps target-area target-classes fire-chart
        fire-modifiers hit-cards hits-on-artillery volley artillery-crew officer-pistol
        may-not-fire special-targets joker-fire charge-steps closing closing-failed close-combat
        close-combat-steps close-combat-loser close-combat-end close-combat-special morale-kinds
        morale states distances building-capacity loopholes breach-shots breach-turns leader-loss
    """,
}
"""The tables that each brief lists, in its order."""

DOUBTFUL = {
    "slaughterloo": """
        form-sign hit-score-band off-the-kill-table kill-row-shift uneven-figures
        small-arms-bands artillery-bands headless-artillery-columns class-limits howitzer-bands
        howitzer-miss howitzer-close shell-direction cover-in-one-cell medium-range
        rounding-up extra-guns artillery-size smallest-size one-list-only
        cheap-c-in-c experience-and-officers within half-a-division limbering-time
        base-eight base-not-printed easiest-action charge-bonus rally-roll
        officers-own-points whose-column-whose-troopers melee-cover rear-only mounted-and-flying
        named-not-defined limbered-speed one-division-game words
    """,
    "seven-years-war": """
        lost-tables wood-price marsh-or-stream level-0-hills town-size
        equal-abilities attacker c-in-c-ability c-in-c-attempts score-of-six
        comparing-scores melee-heads uphill-enemy residue poor-shots-row
        no-short-range rout-speed routers-disorder retreating-lights howitzer-class
        one-term-each fused-box light-and-cavalry better-militia massed-and-lights
        stay-or-advance two-generals-rows brigade ottoman-c-in-c wing-commander-price
        odd-lengths battalion-of-five campaign-wounds medium-extreme budget-and-bows
        caught-lights
    """,
    "lshm-skirmish": """
        fused-light-rows foot-of-twenty mounted-diagrams two-mounted-columns charging-square
        kind-of-dice no-such-row which-die closing-on-a-square closing-heads
        missing-rows losers-high-die rounding-hits uneven-fractions range-of-guns
        short-and-long seven-on-the-die hitting-a-gunner second-card british-guns
        half-the-figures joker-numbers joker-doubling wounds-and-key-figures floors
        breach-heads below-the-number standard-and-musician two-lines spelling
        absent-matter
    """,
}
"""The doubtful places of each brief, five a line, in its order; `caught-lights` is our own."""


def cell(system: System, table: str, row: str, column: str | None = None) -> str:
    return str(system.table(table).cell(row, column))


def kills(attack_points: int, hit_score: int) -> str:
    table = SLAUGHTERLOO.table("kill-table")
    assert isinstance(table, Lookup)
    return str(table.entry(Decimal(attack_points), Decimal(hit_score)))


# Slaughterloo


def test_kill_table_corners_are_0_and_16() -> None:
    assert kills(1, -5) == "0"
    assert kills(30, 11) == "16"


def test_two_attack_points_need_a_hit_score_of_nine() -> None:
    assert (kills(2, 8), kills(2, 9)) == ("0", "1")


def test_29_attack_points_begin_with_3_in_the_first_column() -> None:
    """Erratum 4: the row stands one cell to the left in the source (L234)."""
    assert (kills(29, -4), kills(29, 10)) == ("3", "14")


@pytest.mark.parametrize(("attack_points", "hit_score"), [(0, 5), (31, 5), (10, -6)])
def test_off_the_kill_table_there_is_no_entry(attack_points: int, hit_score: int) -> None:
    with pytest.raises(NoEntryError):
        kills(attack_points, hit_score)


def test_any_hit_score_above_11_counts_as_11() -> None:
    assert kills(20, 25) == kills(20, 11) == "10"


def test_heavy_guns_add_3_at_short_range_and_nothing_at_long() -> None:
    assert cell(SLAUGHTERLOO, "artillery-class", "heavy", "short") == "+3"
    assert cell(SLAUGHTERLOO, "artillery-class", "heavy", "long") == "0"


def test_light_guns_reach_57_cm_and_heavy_guns_120() -> None:
    assert cell(SLAUGHTERLOO, "artillery-ranges", "light", "long") == "31-57cm"
    assert cell(SLAUGHTERLOO, "artillery-ranges", "heavy", "long") == "56-120cm"


def test_gun_crews_score_3_2_and_1_attack_points() -> None:
    points = [cell(SLAUGHTERLOO, "artillery-attack", row) for row in ("short", "medium", "long")]

    assert points == ["3", "2", "1"]


def test_howitzers_cannot_fire_at_15_to_30_cm() -> None:
    assert SLAUGHTERLOO.table("howitzer-ranges").cell("15-30", "target-score") is DASH
    assert cell(SLAUGHTERLOO, "howitzer-ranges", "over 30 to 55", "target-score") == "6"
    assert cell(SLAUGHTERLOO, "howitzer-ranges", "over 55 to 120", "target-score") == "8"


def test_only_two_directions_of_a_stray_shell_are_known() -> None:
    rows = SLAUGHTERLOO.table("howitzer-direction").rows

    assert [row.id for row in rows if row.cells[0] is not BLANK] == ["1", "5"]


def test_light_infantry_has_one_and_a_half_points_at_medium_range() -> None:
    assert cell(SLAUGHTERLOO, "small-arms-attack", "light-infantry", "medium") == "1.5"
    assert cell(SLAUGHTERLOO, "small-arms-attack", "line-infantry", "medium") == "1"


def test_hard_cover_takes_4_from_fire_and_adds_3_to_morale() -> None:
    assert cell(SLAUGHTERLOO, "fire-modifiers", "target-hard-cover") == "-4"
    assert cell(SLAUGHTERLOO, "morale-modifiers", "hard-cover") == "+3"


def test_moving_diagonally_is_the_hardest_manoeuvre() -> None:
    rows = SLAUGHTERLOO.table("form-modifiers").rows

    assert [row.id for row in rows if str(row.cells[0]) == "+3"] == ["move-diagonally"]


def test_an_interrupt_needs_8_and_an_extra_action_6() -> None:
    assert cell(SLAUGHTERLOO, "form-roll-uses", "interrupt", "base") == "8"
    assert cell(SLAUGHTERLOO, "form-roll-uses", "extra-actions", "base") == "6"


def test_undead_militia_may_have_28_figures_and_standard_militia_24() -> None:
    assert cell(SLAUGHTERLOO, "unit-sizes", "militia-infantry", "undead") == "8-28"
    assert cell(SLAUGHTERLOO, "unit-sizes", "militia-infantry", "standard") == "8-24"


def test_flying_cavalry_is_for_undead_armies_only() -> None:
    assert SLAUGHTERLOO.table("unit-sizes").cell("flying-cavalry", "standard") is DASH
    assert cell(SLAUGHTERLOO, "unit-sizes", "flying-cavalry", "undead") == "4-10"


def test_an_officer_dies_on_6_then_5_or_more_then_4_or_more() -> None:
    table = SLAUGHTERLOO.table("casualty-effects")

    dies = [str(table.cell(lost, "officer-dies")) for lost in ("25", "50", "75")]

    assert dies == ["6", "5-6", "4-6"]


def test_a_heavy_gun_costs_150_and_each_further_gun_30() -> None:
    assert cell(SLAUGHTERLOO, "gun-points", "heavy") == "150"
    assert cell(SLAUGHTERLOO, "gun-points", "extra-gun") == "30 per gun"


def test_cavalry_takes_2_kills_but_1_when_it_attacks_a_square() -> None:
    assert cell(SLAUGHTERLOO, "kills-per-figure", "cavalry") == "2"
    assert cell(SLAUGHTERLOO, "kills-per-figure", "cavalry-at-square") == "1"


# Seven Years War


def test_rifles_shoot_8_15_and_20_cm() -> None:
    cells = SEVEN_YEARS_WAR.table("shooting-ranges").row("rifles").cells

    assert [str(each) for each in cells] == ["8cm", "15cm", "20cm"]


@pytest.mark.parametrize("weapon", ["light-infantry", "militia", "bows", "mounted-bows"])
def test_some_weapons_have_no_short_range(weapon: str) -> None:
    assert SEVEN_YEARS_WAR.table("shooting-ranges").cell(weapon, "short") is DASH


def test_medium_and_heavy_artillery_both_reach_60_cm_and_light_30() -> None:
    table = SEVEN_YEARS_WAR.table("shooting-ranges")

    assert str(table.cell("medium-artillery", "extreme")) == "60cm"
    assert str(table.cell("heavy-artillery", "extreme")) == "60cm"
    assert str(table.cell("light-artillery", "long")) == "30cm"
    assert table.cell("light-artillery", "extreme") is DASH


@pytest.mark.parametrize("table_id", ["shooting-results", "melee-results"])
@pytest.mark.parametrize(
    ("score", "stands"), [(5, "1 stand"), (6, "1 stand"), (7, "2 stands"), (12, "3 stands")]
)
def test_a_6_kills_as_a_5_does(table_id: str, score: int, stands: str) -> None:
    table = SEVEN_YEARS_WAR.table(table_id)
    assert isinstance(table, Lookup)

    assert str(table.cell(table.band_row(Decimal(score)).id)) == stands


def test_only_extreme_range_takes_2_from_shooting() -> None:
    values = {row.id: str(row.cells[0]) for row in SEVEN_YEARS_WAR.table("shooting-modifiers").rows}

    assert [row for row, value in values.items() if value == "-2"] == ["extreme-range"]
    assert sorted(values.values()) == ["+1"] * 5 + ["-1"] * 7 + ["-2"]


def test_melee_has_five_modifiers_of_plus_1_and_seven_of_minus_1() -> None:
    values = [str(row.cells[0]) for row in SEVEN_YEARS_WAR.table("melee-modifiers").rows]

    assert (values.count("+1"), values.count("-1"), len(values)) == (5, 7, 12)


def test_morale_modifiers_run_from_plus_2_to_minus_3() -> None:
    values = [str(row.cells[0]) for row in SEVEN_YEARS_WAR.table("morale-modifiers").rows]

    assert {value: values.count(value) for value in values} == {
        "+2": 2,
        "+1": 5,
        "-1": 4,
        "-2": 5,
        "-3": 1,
    }


def test_only_a_prussian_commander_reaches_ability_5() -> None:
    best = SEVEN_YEARS_WAR.table("cinc-ability").row("6").cells

    assert [str(each) for each in best] == ["5", "4", "3", "3", "4"]


def test_lights_rout_where_massed_troops_still_retreat() -> None:
    assert cell(SEVEN_YEARS_WAR, "morale-casualties", "1-2", "lights").startswith("To Rout")
    assert "to Retreat" in cell(SEVEN_YEARS_WAR, "morale-casualties", "1-2", "massed")
    assert "20 cm" in cell(SEVEN_YEARS_WAR, "morale-casualties", "1-2", "massed")


def test_militia_cost_2_points_a_stand_and_a_quarter_for_each_improvement() -> None:
    assert cell(SEVEN_YEARS_WAR, "points-troops", "militia") == "2 per stand"
    assert cell(SEVEN_YEARS_WAR, "points-options", "militia-normal-drill") == "+0.25 per stand"
    assert cell(SEVEN_YEARS_WAR, "points-options", "militia-normal-shots") == "+0.25 per stand"


def test_morale_costs_half_a_point_either_way() -> None:
    assert cell(SEVEN_YEARS_WAR, "points-options", "high-morale") == "+0.5 per stand"
    assert cell(SEVEN_YEARS_WAR, "points-options", "low-morale") == "-0.5 per stand"


def test_the_commander_in_chief_is_free_and_a_sub_general_costs_25() -> None:
    assert cell(SEVEN_YEARS_WAR, "points-command", "commander-in-chief") == "free"
    assert cell(SEVEN_YEARS_WAR, "points-command", "sub-general") == "25"


def test_a_wood_costs_15_a_level_and_10_more_over_40_cm() -> None:
    assert cell(SEVEN_YEARS_WAR, "points-terrain", "wood", "price") == "15 per level"
    assert cell(SEVEN_YEARS_WAR, "points-terrain", "wood", "over-40") == "+10 per wood"


def test_pursuers_are_2_cm_slower_than_routers_at_first() -> None:
    assert cell(SEVEN_YEARS_WAR, "rout-pursuit-moves", "cavalry", "first-rout") == "d10+30cm"
    assert cell(SEVEN_YEARS_WAR, "rout-pursuit-moves", "cavalry", "first-pursuit") == "d10+28cm"
    assert cell(SEVEN_YEARS_WAR, "rout-pursuit-moves", "infantry", "first-rout") == "d6+16cm"
    assert cell(SEVEN_YEARS_WAR, "rout-pursuit-moves", "infantry", "first-pursuit") == "d6+14cm"


def test_of_the_lost_movement_table_only_the_generals_40_cm_is_known() -> None:
    rows = SEVEN_YEARS_WAR.table("movement-rates").rows
    known = [str(each) for row in rows for each in row.cells if each is not BLANK]

    assert known == ["40cm"]


# LSHM Napoleonic Skirmish


def test_light_march_column_is_a_row_of_its_own() -> None:
    """Erratum 1: the source runs it together with the row above (L85)."""
    table = LSHM_SKIRMISH.table("movement")

    assert [str(each) for each in table.row("light-line").cells] == ['3d6"', "–", '4d6"', "–"]
    assert [str(each) for each in table.row("light-column").cells] == [
        '3d6"',
        '4d6"',
        '5d6"',
        '5d6"',
    ]


def test_only_mounted_troops_charge_with_6_dice() -> None:
    rows = LSHM_SKIRMISH.table("movement").rows

    fast = {row.id for row in rows if '6d6"' in [str(each) for each in row.cells]}

    assert fast == {"mounted-line", "mounted-column", "mounted-open"}


def test_guns_reach_36_inches_with_ball_and_16_with_grapeshot() -> None:
    assert cell(LSHM_SKIRMISH, "fire-chart", "ball", "range") == '36"'
    assert cell(LSHM_SKIRMISH, "fire-chart", "grapeshot", "range") == '16"'


def test_grapeshot_has_the_fractions_of_the_musket() -> None:
    table = LSHM_SKIRMISH.table("fire-chart")

    assert table.row("grapeshot").cells[1:] == table.row("musket").cells[1:]


def test_a_rifle_hits_with_half_its_firers_at_best() -> None:
    assert cell(LSHM_SKIRMISH, "fire-chart", "rifle", "i-6") == "1/2"
    assert cell(LSHM_SKIRMISH, "fire-chart", "rifle", "iv-6") == "1/7"


def test_ball_is_worst_at_class_ii() -> None:
    """Erratum 14: both copies of the chart have it so."""
    ball = [cell(LSHM_SKIRMISH, "fire-chart", "ball", f"{name}-1") for name in ("ii", "iii", "iv")]

    assert ball == ["1/13", "1/12", "1/11"]


def test_a_gun_fires_as_12_9_or_6_figures() -> None:
    crews = [cell(LSHM_SKIRMISH, "artillery-crew", row) for row in ("4+", "3", "2")]

    assert crews == ["12", "9", "6"]


def test_guerillas_without_a_leader_close_on_4_or_less() -> None:
    cells = LSHM_SKIRMISH.table("closing").row("guerillas").cells

    assert [str(each) for each in cells] == ["1-7", "1-4", "1-8", "1-5"]


def test_grenadiers_add_3_in_a_square_and_mounted_troops_have_none() -> None:
    table = LSHM_SKIRMISH.table("close-combat")

    assert str(table.cell("square", "grenadiers")) == "+3"
    assert table.cell("square", "mounted") is DASH
    assert table.cell("no-bayonet", "mounted") is DASH


def test_a_leader_is_worth_1_to_light_infantry_and_2_or_3_to_others() -> None:
    cells = LSHM_SKIRMISH.table("close-combat").row("leader").cells

    assert [str(each) for each in cells] == ["+3", "+2", "+2", "+1", "+3", "+3"]


def test_a_losers_die_of_7_to_10_is_not_known() -> None:
    rows = LSHM_SKIRMISH.table("close-combat-loser").rows

    assert [row.id for row in rows if row.cells[0] is BLANK] == ["7-10"]


def test_a_leader_is_worth_2_in_critical_morale_for_every_type() -> None:
    rows = [[int(str(each)) for each in row.cells] for row in LSHM_SKIRMISH.table("morale").rows]

    assert [major for major, _, _ in rows] == [10, 9, 7, 8, 9, 7]
    assert all((led, unled) == (major + 1, major - 1) for major, led, unled in rows)


def test_foot_has_12_figures_of_whom_10_are_privates() -> None:
    """Erratum 2: the source prints 20 (L421)."""
    cells = LSHM_SKIRMISH.table("unit-sizes").row("foot").cells

    assert [str(each) for each in cells] == ["12", "1", "1", "10 privates"]


def test_militia_breach_a_door_in_9_turns_and_guerillas_in_8() -> None:
    assert cell(LSHM_SKIRMISH, "breach-turns", "militia", "door") == "9"
    assert cell(LSHM_SKIRMISH, "breach-turns", "guerillas", "door") == "8"
    assert cell(LSHM_SKIRMISH, "breach-turns", "sapper", "rock") == "20"


# All


@SYSTEMS
def test_every_table_of_the_inventory_exists(system: System) -> None:
    assert system.table_ids() == sorted(INVENTORY[system.id].split())


@SYSTEMS
def test_every_doubtful_place_of_the_brief_has_its_entry_in_order(system: System) -> None:
    ids = [entry.id for entry in system.errata.entries]

    assert ids == DOUBTFUL[system.id].split()


def test_each_brief_numbers_so_many_doubtful_places() -> None:
    assert len(SLAUGHTERLOO.errata.entries) == 39
    assert len(SEVEN_YEARS_WAR.errata.entries) == 35 + 1
    assert len(LSHM_SKIRMISH.errata.entries) == 31


@SYSTEMS
def test_every_blank_cell_is_covered_by_a_blank_entry(system: System) -> None:
    covers = [
        (place.table, place.row, place.column)
        for entry in system.errata.entries
        if entry.treatment == "blank"
        for place in entry.places
    ]
    blanks = [
        (table.id, row.id, column.id)
        for table in system.tables()
        for row in table.rows
        for column, value in zip(table.columns, row.cells, strict=True)
        if value is BLANK
    ]

    bare = [
        (table, row, column)
        for table, row, column in blanks
        if not any(t == table and r in {None, row} and c in {None, column} for t, r, c in covers)
    ]

    assert blanks
    assert bare == []


@SYSTEMS
def test_every_place_of_an_erratum_exists(system: System) -> None:
    missing = [
        (entry.id, place)
        for entry in system.errata.entries
        for place in entry.places
        if not exists(system, place)
    ]

    assert missing == []


def exists(system: System, place: Place) -> bool:
    if place.chapter is not None:
        return place.chapter in {chapter.id for chapter in system.chapters}
    if place.part is not None:
        parts = {"composition": system.has("composition.yaml"), "books": bool(system.ids("books"))}
        return parts[place.part]
    if place.table not in system.table_ids():
        return False
    table = system.table(place.table)
    rows = {None, *(row.id for row in table.rows)}
    columns = {None, *(column.id for column in table.columns)}
    return place.row in rows and place.column in columns


@SYSTEMS
def test_a_footnote_says_what_to_do_in_18_words_or_fewer(system: System) -> None:
    long = [
        entry.id
        for entry in system.errata.entries
        if entry.flagged and (len(entry.read.split()) > 18 or entry.read == "as printed")
    ]

    assert long == []
