"""Tests of the shipped content: figures that players look up, as the sources print them."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from muster.systems import System, open_system
from muster.systems.errata import Place
from muster.tables import Lookup, NoEntryError
from muster.values import BLANK, DASH

CONTENT = Path(__file__).parent.parent.parent / "content"
SLAUGHTERLOO = open_system(CONTENT / "slaughterloo")
SEVEN_YEARS_WAR = open_system(CONTENT / "seven-years-war")
LSHM_SKIRMISH = open_system(CONTENT / "lshm-skirmish")
ORDER_MARKERS = open_system(CONTENT / "order-markers")
HUZZAH = open_system(CONTENT / "huzzah")
SYSTEMS = pytest.mark.parametrize(
    "system",
    [SLAUGHTERLOO, SEVEN_YEARS_WAR, LSHM_SKIRMISH, HUZZAH, ORDER_MARKERS],
    ids=lambda system: str(system.id),
)

INVENTORY = {
    "slaughterloo": """
        command-structure unit-sizes base-sizes command-points officer-points gun-points
        experience-values formations unit-status set-up-steps turn-sequence command-cards
        initiative formulas distances morale-triggers morale-modifiers morale-failure rally
        division-break form-roll-uses form-modifiers form-conditions reorganise interrupt-actions
        movement-terrain terrain-types fire-restrictions fire-cover friendly-melee-kills
        casualty-effects kills-per-figure small-arms-attack fire-modifiers artillery-weights
        artillery-ranges artillery-class artillery-attack artillery-rules howitzer-procedure
        howitzer-ranges howitzer-direction kill-table melee-attack melee-modifiers melee-order
        melee-cases game-terms status-figures shell-rose firing-arc
        formations-drawn manoeuvres command-reach set-up-zones sides-attacked square-contact
        howitzer-bands cover-drawn retreat-drawn withdrawal-drawn interrupt-drawn terrain-drawn
        overhead-drawn
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
        terrain-number terrain-hills terrain-placing terrain-rotation game-terms shooting-arcs
        overhead-drawn
        bases-drawn order-distance hidden-in-wood advance-halt light-fallback-drawn
        turn-to-face-drawn bounce-drawn oblique-charge flank-line deployment-drawn
        flank-column-drawn overlap-drawn breakthrough-drawn rout-drawn morale-drawn return-drawn
        sectors-drawn
    """,
    "lshm-skirmish": """
        unit-sizes sides march-column-foot march-column-mounted line-foot line-mounted square-foot
        open-order-foot open-order-mounted turn-sequence card-draw movement movement-adjustments
        joker-movement joker-movement-special fire-steps target-area target-classes fire-chart
        fire-modifiers hit-cards hits-on-artillery volley artillery-crew officer-pistol
        may-not-fire special-targets joker-fire charge-steps closing closing-failed close-combat
        close-combat-steps close-combat-loser close-combat-end close-combat-special morale-kinds
        morale states distances building-capacity loopholes breach-shots breach-turns leader-loss
        arcs troop-types game-terms
        charge-halt-drawn guns-drawn volley-area supports-drawn rear-attack-drawn house-drawn
        lone-leader-drawn target-area-drawn rout-drawn
    """,
    "huzzah": """
        turn-sequence skirmisher-superiority skirmisher-result threat-tests threat-disadvantaged
        threat-results threat-zones threats-terrain unit-quality ratings quality-shifts
        order-roll order-modifiers orders-list officer-level officer-quality command-radius
        movement movement-terrain bombardment-ranges bombardment-rules engagement-modifiers
        engagement-disadvantaged engagement-rolls engagement-outcome command-check
        command-check-failed rearm reorganise reorganise-result rally-modifiers rally-results
        to-settle game-terms
        command-radius-drawn threat-zones-drawn threats-terrain-drawn
        dead-ground bombardment-drawn command-check-drawn
        infantry-rates-drawn movement-terrain-drawn engagement-disadvantaged-drawn
        skirmisher-gain-drawn rally-drawn bands-drawn
    """,
    "order-markers": """
        scale-notes leader-grades turn-sequence tactical-steps initiative movement-15mm
        movement-25mm movement-terrain delay-and-squares distances orders deploy-options
        charge-responses order-states morale-modifiers morale-results definitions small-arms-dice
        small-arms-ranges small-arms-to-hit small-arms-modifiers artillery-dice artillery-ranges
        artillery-to-hit artillery-modifiers close-combat-roll close-combat-class
        close-combat-modifiers close-combat-rules close-combat-results nation-effects class-effects
        to-settle game-terms supports
        near-and-far-drawn command-radius-drawn charge-wheel deploy-drawn enemy-on-flank-drawn
        foot-rates-drawn small-arms-drawn artillery-reach-drawn special-cases-drawn strategic-drawn
    """,
}
"""The tables that each brief lists, in its order, and ours: `to-settle` and most diagrams."""

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
    """,
    "lshm-skirmish": """
        fused-light-rows foot-of-twenty mounted-diagrams two-mounted-columns charging-square
        kind-of-dice no-such-row which-die closing-on-a-square closing-heads
        missing-rows losers-high-die rounding-hits uneven-fractions range-of-guns
        short-and-long seven-on-the-die hitting-a-gunner second-card british-guns
        half-the-figures joker-numbers joker-doubling light-and-heavy-wounds floors
        breach-heads below-the-number standard-and-musician two-lines spelling
        absent-matter
    """,
    "huzzah": """
        read-across staggers-and-kills lone-signs centimetres paired-ratings
        quality-dice two-heads split-lines empty-brackets five-lines
        apart-columns rally-labels skirmish-winner broken-ground open-order-in-the-open
        lost-exceptions limited-zones contours shared-ends two-higher
        level-difference isolated-and-levels base-rolls equal-roll staggers-removed
        absent-rules
    """,
    "order-markers": """
        number-of-markers grade-scores command-radius excellent-c-in-c dense-dash
        column-bonus squares names-of-guns general-lost halt-distance
        both-guards failures-apart morale-die two-of-three militia-or-worse
        charge-reach deploy-follow-up fire-penalties shared-range-ends long-and-extreme
        bare-numbers charged-fire half-dice weights-between gunners
        charging-target old-guard guns-at-square misprints skirmish-or-prone
        two-text-columns square-v-mounted enemy-on-defend superior-order veteran-guards
        no-results not-in-the-source free-about-face
    """,
}
"""The doubtful places of each brief, in its order, five to a line."""

FOUND = {
    "slaughterloo": """
        form-failure reform-on-the-move light-infantry-excepted kills-of-foot gun-crews
        heavy-at-long-range artillery-odd-ends stray-shell howitzer-flat-score officers-price
        army-book-prices whose-troopers rearguard-troops dastardly-and-aggressive
        officers-death-rolls ogres militia-on-ground initiative-in-melee acting-after-a-retreat
        set-up-ties generals-successor actions-after-failure one-move firing-arc-in-all
        kills-left-over activated left-alone generals-move who-interrupts after-an-interrupt
        through-friends whose-form absent-profiles points-limit end-of-game who-withdraws
        retreating-figures flank-and-rear
    """,
    "seven-years-war": """
        caught-lights two-moments halt-and-charge squares-broken caught-routers
        hard-cover square-or-turn drilled-militia both-arms two-phases
        lost-formations lost-combat-values counter-mix extreme-alone retreating-lights-spared
        badly-drilled-term disordered-term combat-value-term type-of-terrain light-troops-fall-back
        light-extra-stands ottoman-initiative caught-evaders lost-drawings higher-terrain
        general-under-fire artillery-on-reserve uncommanded-start failing-to-turn new-melees
        routers-at-the-edge wing-commander-orders end-of-game massed-retreat
    """,
    "lshm-skirmish": """
        key-figures moving-or-firing joker-for-guns volley-cards volley-aces
        shaken-go-on carried-or-walking mixed-side no-such-formation guerillas-in-combat
        gunners-morale breach-by-others rally-and-prone counter-charges short-charges
        when-supports-fight guerillas-size gun-leader highest-rank close-order deck-in-movement
        joker-unit lone-leader command-group-card ace-without-leader numbered-cards
        joker-for-a-hit lent-crew two-defences interrupted-work dismounting officer-half-range
        survivors wounded-strength blocking-terrain absent-victory absent-extras
    """,
    "huzzah": """
        skirmisher-roll test-dice bombardment-and-tests bombardment-moment cavalry-square
        rearm-signs command-size threat-effects what-orders-do commands-of-an-army
        unit-sizes army-lists
        inspirational-officers who-tests-superiority when-to-check when-to-reorganise always-fails
        player-of-a-step first-player-and-victory when-units-move in-command
        attached-and-inspirational skirmish-line when-to-test zone-width cossacks-outside-woods
        successive-orders whose-position bombardment-effects battery-rules smoke-removal
        changing-formation crossing-obstacles both-fail breaking rout-move who-rallies reforming
        rearming rearm-and-orders short-range-zone flank-and-rear
    """,
    "order-markers": """
        who-moves-first woods-and-dense countercharge leaders-roll leaders-lost
        general-counts-once kinds-of-terrain engagement-range initiative-ties charges-revealed
        formation-cost retreat-move other-answers delay superior-position enfilade dice-cases
        extra-ranks disorder-markers second-turn-of-rest rallying absent-matter hurried-square
        targets going-prone flank-and-rear
    """,
}
"""The doubtful places that no brief numbers; they were found while tables and prose were read."""


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
    assert sorted(values.values()) == ["+1"] * 5 + ["-1"] * 8 + ["-2"]


def test_melee_has_five_modifiers_of_plus_1_and_seven_of_minus_1() -> None:
    values = [str(row.cells[0]) for row in SEVEN_YEARS_WAR.table("melee-modifiers").rows]

    assert (values.count("+1"), values.count("-1")) == (5, 7)
    assert len(values) == 12


def test_morale_modifiers_run_from_plus_2_to_minus_3() -> None:
    values = [str(row.cells[0]) for row in SEVEN_YEARS_WAR.table("morale-modifiers").rows]

    assert {value: values.count(value) for value in values} == {
        "+2": 2,
        "+1": 5,
        "-1": 5,
        "-2": 6,
        "-3": 1,
    }


def test_only_a_prussian_commander_reaches_ability_5() -> None:
    best = SEVEN_YEARS_WAR.table("cinc-ability").row("6").cells

    assert [str(each) for each in best] == ["5", "4", "3", "3", "4"]


def test_lights_rout_where_massed_troops_still_retreat() -> None:
    assert cell(SEVEN_YEARS_WAR, "morale-casualties", "1-2", "lights").startswith("Go to Rout")
    assert "to Retreat" in cell(SEVEN_YEARS_WAR, "morale-casualties", "1-2", "massed")
    assert "20\u202fcm" in cell(SEVEN_YEARS_WAR, "morale-casualties", "1-2", "massed")


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

    assert known == ["40cm", *["–"] * 5]  # in any direction, as the player wishes (L183)


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
    cells = LSHM_SKIRMISH.table("close-combat").row("leader").cells[:-1]

    assert [str(each) for each in cells] == ["+3", "+2", "+2", "+1", "+3", "+3"]


def test_a_losers_die_of_7_to_10_is_not_known() -> None:
    rows = LSHM_SKIRMISH.table("close-combat-loser").rows

    assert [row.id for row in rows if row.cells[0] is BLANK] == ["7-10"]


def test_gunners_and_guerillas_have_boxes_where_the_charts_leave_them_out() -> None:
    """Erratum 11: gunners' closing and morale, guerrillas' close combat, breaching on horseback."""
    column = LSHM_SKIRMISH.table("close-combat").column("guerillas")
    rows = [
        LSHM_SKIRMISH.table(table).row(row)
        for table, row in [
            ("closing", "gunners"),
            ("morale", "artillery"),
            ("breach-turns", "mounted"),
            ("breach-turns", "gunners"),
        ]
    ]

    assert all(cell is BLANK for row in rows for cell in row.cells)
    assert all(row.cells[column] is BLANK for row in LSHM_SKIRMISH.table("close-combat").rows)


def test_a_leader_is_worth_2_in_critical_morale_for_every_type() -> None:
    known = LSHM_SKIRMISH.table("morale").rows[:-1]
    rows = [[int(str(each)) for each in row.cells] for row in known]

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


# Huzzah!


@pytest.mark.parametrize("row", [row.id for row in HUZZAH.table("unit-quality").rows])
def test_every_class_has_a_quality_for_each_roll_of_2d6(row: str) -> None:
    cells = [str(each) for each in HUZZAH.table("unit-quality").row(row).cells if each is not DASH]
    rolls: list[int] = []
    for each in cells:
        first, _, last = each.partition("-")
        rolls.extend(range(int(first), int(last or first) + 1))

    assert rolls == list(range(2, 13))


def test_elites_a_are_experienced_or_veteran_and_never_less() -> None:
    cells = [str(each) for each in HUZZAH.table("unit-quality").row("elites-a").cells]

    assert cells == ["–", "–", "–", "–", "2-6", "7-12"]


def test_only_a_12_makes_regulars_c_veteran() -> None:
    assert cell(HUZZAH, "unit-quality", "regulars-c", "veteran") == "12"
    assert HUZZAH.table("unit-quality").cell("regulars-d", "veteran") is DASH


def test_trained_green_and_raw_share_the_disadvantaged_rating_4() -> None:
    ratings = [[str(each) for each in row.cells] for row in HUZZAH.table("ratings").rows]

    assert [normal for normal, _ in ratings] == ["10", "9", "8", "7", "6", "5"]
    assert [disadvantaged for _, disadvantaged in ratings] == ["6", "5", "4", "4", "4", "3"]


def test_shifts_stop_at_unreliable_and_veteran() -> None:
    assert cell(HUZZAH, "quality-shifts", "veteran", "down-5") == "Unreliable"
    assert cell(HUZZAH, "quality-shifts", "trained", "down-4") == "Unreliable"
    assert cell(HUZZAH, "quality-shifts", "green", "up-3") == "Veteran"
    assert cell(HUZZAH, "quality-shifts", "unreliable", "up-4") == "Experienced"


def test_a_threat_zone_of_0_is_not_a_dash() -> None:
    table = HUZZAH.table("threat-zones")

    assert str(table.cell("cavalry", "march-column")) == "0cm"
    assert table.cell("cavalry", "square") is DASH
    assert str(table.cell("infantry", "square")) == "10cm"


def test_heavy_guns_bombard_to_120_cm_and_threaten_to_40() -> None:
    cells = [str(each) for each in HUZZAH.table("bombardment-ranges").row("heavy-artillery").cells]

    assert cells == ["0-40cm", "40-80cm", "80-120cm", "20cm"]
    assert cell(HUZZAH, "threat-zones", "heavy-artillery", "line-open") == "40cm"


def test_heavy_foot_guns_move_in_march_column_alone() -> None:
    cells = [str(each) for each in HUZZAH.table("movement").row("heavy-foot-guns").cells]

    assert cells == ["–", "–", "–", "15cm", "–"]


def test_two_movement_cells_of_officers_are_blank() -> None:
    row = HUZZAH.table("movement").row("officers")

    assert [each is BLANK for each in row.cells] == [False, False, False, True, True]


def test_every_command_radius_is_its_level_and_its_quality_added() -> None:
    levels = {row.id: int(str(row.cells[0])[:-2]) for row in HUZZAH.table("officer-level").rows}
    adds = {row.id: int(str(row.cells[1])[:-2]) for row in HUZZAH.table("officer-quality").rows}
    table = HUZZAH.table("command-radius")

    wrong = [
        (level, quality)
        for level, radius in levels.items()
        for quality, add in adds.items()
        if str(table.cell(level, quality)) != f"{radius + add}cm"
    ]

    assert levels == {"c-in-c": 120, "corps": 80, "division": 40, "brigade": 20}
    assert wrong == []


def test_isolation_costs_1_in_orders_and_2_in_the_command_check() -> None:
    assert cell(HUZZAH, "order-modifiers", "isolated") == "-1"
    assert cell(HUZZAH, "command-check", "isolated") == "-2"


def test_a_corps_reorganises_at_down_3_and_a_division_at_down_1() -> None:
    assert cell(HUZZAH, "reorganise", "corps") == "-3"
    assert cell(HUZZAH, "reorganise", "division") == "-1"


@pytest.mark.parametrize(
    ("table", "counts"),
    [
        ("skirmisher-superiority", {"blank": 1, "-1": 1, "+1": 2}),
        ("threat-tests", {"-1": 7, "+1": 7, "+2": 1}),
        ("order-modifiers", {"-1": 6, "-2": 1, "+1": 3}),
        ("engagement-modifiers", {"-1": 5, "+1": 6}),
        ("command-check", {"-1": 3, "-2": 1, "+1": 4}),
        ("rally-modifiers", {"-1": 4, "+1": 4}),
    ],
)
def test_so_many_modifiers_go_down_and_up(table: str, counts: dict[str, int]) -> None:
    values = [str(row.cells[0]) for row in HUZZAH.table(table).rows]

    assert {value: values.count(value) for value in values} == counts


# Order markers


def both(table: str, row: str, column: str | None = None) -> str:
    """Return a cell at 15 mm and at 25 mm."""
    tables = [ORDER_MARKERS.table(table).at_scale(scale) for scale in ("15mm", "25mm")]
    return " ".join(str(each.cell(row, column)) for each in tables)


def test_a_charismatic_leader_commands_12_or_18_inches_and_a_poor_one_4_or_6() -> None:
    assert both("leader-grades", "charismatic", "radius") == '12" 18"'
    assert both("leader-grades", "poor", "radius") == '4" 6"'


@pytest.mark.parametrize(
    ("total", "grade"),
    [(2, "poor"), (4, "poor"), (5, "average"), (7, "average"), (8, "good"), (10, "good"),
     (11, "exceptional"), (12, "charismatic"), (14, "charismatic")],
)  # fmt: skip
def test_a_leaders_grade_follows_the_printed_signs(total: int, grade: str) -> None:
    table = ORDER_MARKERS.table("leader-grades")
    assert isinstance(table, Lookup)

    assert table.band_row(Decimal(total)).id == grade


def test_nobody_knows_how_many_markers_a_leader_has() -> None:
    rows = ORDER_MARKERS.table("leader-grades").rows

    assert all(row.cells[-1] is BLANK for row in rows)


def test_foot_moves_6_or_8_inches_at_15_mm_and_9_or_12_at_25_mm() -> None:
    near_and_far = ("line-near", "line-far")

    assert [cell(ORDER_MARKERS, "movement-15mm", "foot", each) for each in near_and_far] == [
        '6"',
        '8"',
    ]
    assert [cell(ORDER_MARKERS, "movement-25mm", "foot", each) for each in near_and_far] == [
        '9"',
        '12"',
    ]


@pytest.mark.parametrize("table_id", ["movement-15mm", "movement-25mm"])
def test_only_foot_and_light_cavalry_may_enter_dense_terrain(table_id: str) -> None:
    rows = ORDER_MARKERS.table(table_id).rows

    assert [row.id for row in rows if row.cells[-1] is not DASH] == ["foot", "light-cavalry"]


def test_light_cavalry_charges_with_two_dice_and_6_or_12_inches() -> None:
    assert cell(ORDER_MARKERS, "movement-15mm", "light-cavalry", "charge") == '2d6+6"'
    assert cell(ORDER_MARKERS, "movement-25mm", "light-cavalry", "charge") == '2d6+12"'


def test_a_lost_general_counts_within_6_inches_at_both_scales() -> None:
    assert both("distances", "general-lost") == '6" 6"'
    assert both("distances", "general-seen") == '6" 8"'


def test_morale_modifiers_run_from_plus_2_to_minus_2() -> None:
    values = [str(row.cells[0]) for row in ORDER_MARKERS.table("morale-modifiers").rows]

    assert values == ["+2"] * 4 + ["+1"] * 5 + ["-1"] * 6 + ["-2"] * 2


def test_guards_pass_on_1_and_militia_on_7() -> None:
    passes = [str(row.cells[0]) for row in ORDER_MARKERS.table("class-effects").rows]

    assert passes == ["1+", "1+", "2+", "3+", "4+", "5+", "6+", "7+"]


def test_who_charges_fails_a_step_milder() -> None:
    """From 3 points on: those who charge have what the others have for a point less."""
    rows = ORDER_MARKERS.table("morale-results").rows

    for above, below in pairwise(rows[1:]):
        assert str(below.cells[0]) == str(above.cells[1])


def test_a_musket_reaches_10_or_15_inches_and_a_rifle_12_or_18() -> None:
    assert both("small-arms-ranges", "musket", "long") == '4-10" 6-15"'
    assert both("small-arms-ranges", "rifle", "long") == '6-12" 9-18"'


def test_at_25_mm_long_range_of_guns_ends_at_48_inches() -> None:
    """Erratum 20: the other ends are one and a half times those of 15 mm."""
    assert both("artillery-ranges", "long") == '24-36" 36-48"'
    assert both("artillery-ranges", "extreme") == '36-60" 48-90"'


def test_only_heavy_guns_hit_at_extreme_range() -> None:
    rows = ORDER_MARKERS.table("artillery-to-hit").rows

    assert [row.id for row in rows if row.cells[-1] is not DASH] == ["heavy"]
    assert cell(ORDER_MARKERS, "artillery-to-hit", "heavy", "extreme") == "10+"


def test_old_guard_and_a_square_take_2_from_the_number_that_guns_need() -> None:
    rows = ORDER_MARKERS.table("artillery-modifiers").rows

    assert [row.id for row in rows if str(row.cells[0]) == "-2"] == ["old-guard", "square"]


def test_three_factors_of_close_combat_are_dice() -> None:
    values = {
        row.id: str(row.cells[0]) for row in ORDER_MARKERS.table("close-combat-modifiers").rows
    }

    assert {row: value for row, value in values.items() if "d" in value} == {
        "mounted-charge": "+d6",
        "foot-charge": "+d6*0.5",
        "mounted-v-square": "-2d6",
    }


def test_veteran_guards_fight_with_4_and_militia_with_minus_3() -> None:
    points = [str(row.cells[0]) for row in ORDER_MARKERS.table("close-combat-class").rows]

    assert points == ["+4", "+3", "+2", "+1", "0", "-1", "-2", "-3"]


# All


@SYSTEMS
def test_every_table_of_the_inventory_exists(system: System) -> None:
    listed = [*INVENTORY[system.id].split(), "first-game-units", "first-game-map"]

    assert system.table_ids() == sorted(listed)


@SYSTEMS
def test_every_doubtful_place_has_an_erratum(system: System) -> None:
    ids = [entry.id for entry in system.errata.entries]

    assert ids == [*DOUBTFUL[system.id].split(), *FOUND[system.id].split()]


def test_each_brief_numbers_so_many_doubtful_places() -> None:
    numbers = {system: len(ids.split()) for system, ids in DOUBTFUL.items()}

    assert numbers == {
        "slaughterloo": 39,
        "seven-years-war": 35,
        "lshm-skirmish": 31,
        "huzzah": 26,
        "order-markers": 38,
    }


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
        parts = {
            "composition": system.has_file("composition.yaml"),
            "books": bool(system.yaml_ids("books")),
        }
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
