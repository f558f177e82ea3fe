"""Tests of the data of unit cards: which units have one, and its losses, values and faults."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.armies import Army
from muster.documents.cards import (
    NO_COLOUR,
    Card,
    CardBlock,
    CardRow,
    Deck,
    LargeFigure,
    LossBox,
    LossTrack,
    ToFill,
    ValueDeriver,
    gather_cards,
    loss_track,
    meets_filter,
    put_figures_in_place,
    tally_track,
)
from muster.documents.derived_values import DerivedCell
from muster.limits import MAX_LOSS_BOXES
from muster.problems import MusterError
from muster.systems.layouts import Losses, Tally
from muster.systems.symbols import house_symbols
from muster.tables import NoEntryError
from tests.documents.conftest import Read
from tests.rendering.samples import card
from tests.scaffold import spoil

GENERAL = "general: {name: Old Fritz}\n"


def deck(read: Read, units: str, head: str = GENERAL) -> Deck:
    return gather_cards(*read(f"{head}units:\n{units}"))


def losses(card: Card) -> list[str]:
    assert card.losses is not None
    return [box.mark for box in card.losses.boxes]


def track_of(written: Losses, army: Army, size: int | None, **attributes: str) -> LossTrack | None:
    fields = {"stands": size, **attributes}.get
    return loss_track(written, next(army.units()), fields, ValueDeriver(army.system, army))


def marked_losses(written: Losses, army: Army, size: int) -> list[int]:
    track = track_of(written, army, size)
    assert track is not None
    return [box.number for box in track.boxes if box.mark]


def test_unit_with_a_count_has_that_many_cards(read: Read) -> None:
    result = deck(read, "  - {unit: line, stands: 6, count: 2}\n  - {unit: dragoons, stands: 4}\n")

    assert [card.title for card in result.cards] == [
        *("Line battalion\u00a01", "Line battalion\u00a02", "Dragoons"),
    ]
    assert len({card.id for card in result.cards}) == 3
    assert (result.system, result.army, result.legal) == ("Club rules", "The army", True)


def test_card_says_what_its_unit_is(read: Read) -> None:
    (card,) = deck(read, "  - {unit: guards, name: Leib, stands: 6}\n").cards

    assert (card.title, card.facts, card.options) == (
        "Leib",
        ("Guards, foot",),
        ("Veterans",),
    )
    assert card.losses
    assert (card.losses.label, card.losses.strength) == ("Stands", "6 stands")
    assert (card.nation, card.colour, card.shape) == ("The First Nation", "#1f3a5f", "circle")
    assert card.cost == "21 points"


def test_losses_have_a_box_each_and_a_mark_at_the_share(read: Read) -> None:
    even, odd = deck(read, "  - {unit: line, stands: 6}\n  - {unit: line, stands: 5}\n").cards

    assert losses(even) == ["", "", "half", "", "", ""]
    assert losses(odd) == ["", "", "half", "", ""]


@given(st.integers(2, 40), st.lists(st.integers(1, 100), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mark_stands_at_the_first_loss_that_reaches_its_share(
    read: Read, size: int, shares: list[int]
) -> None:
    _, army, _ = read(f"{GENERAL}units:\n  - {{unit: line, stands: 6}}\n")
    written = Losses.model_validate(
        {
            "label": "Stands",
            "count": "stands",
            "marks": [{"share": f"{share}%", "label": str(share)} for share in shares],
        }
    )

    track = track_of(written, army, size)

    assert track is not None
    boxes = track.boxes
    assert len(boxes) == size
    for share in shares:
        marked = [each.number for each in boxes if str(share) in each.mark.split(", ")]
        reached = ceil(size * share / 100)
        # The last loss leaves nothing that a mark could change.
        assert marked == ([reached] if reached < size else [])


def test_quarters_of_ten_and_twelve_are_marked_where_they_are_reached(read: Read) -> None:
    _, army, _ = read(f"{GENERAL}units:\n  - {{unit: line, stands: 6}}\n")
    marks = [{"share": f"{share}%", "label": share} for share in ("25", "50", "75")]
    written = Losses.model_validate({"label": "S", "count": "stands", "marks": marks})

    marked = {size: marked_losses(written, army, size) for size in (2, 10, 12)}

    assert marked == {2: [1], 10: [3, 5, 8], 12: [3, 6, 9]}
    assert track_of(written, army, None) is None


def test_lone_stand_has_no_marks(read: Read) -> None:
    _, army, _ = read(f"{GENERAL}units:\n  - {{unit: line, stands: 6}}\n")
    marks = [{"share": "50%", "label": "½", "meaning": "half"}]
    written = Losses.model_validate(
        {"label": "S", "count": "stands", "marks": marks, "remark": "as marked"}
    )

    track = track_of(written, army, 1)

    assert track is not None
    assert (track.boxes, track.remark, track.meanings) == ((LossBox(1),), "", ())


def test_loss_that_reaches_several_marks_has_the_last_modifier_and_the_others(read: Read) -> None:
    _, army, _ = read(f"{GENERAL}units:\n  - {{unit: line, stands: 6}}\n")
    shares = [("20%", "−1"), ("40%", "−2"), ("50%", "½"), ("60%", "−3"), ("80%", "−4")]
    marks = [{"share": share, "label": label} for share, label in shares]
    written = Losses.model_validate({"label": "S", "count": "stands", "marks": marks})

    track = track_of(written, army, 3)

    assert track is not None
    assert [box.mark for box in track.boxes] == ["−1", "−3, ½", ""]


def test_marks_are_looked_up_for_those_that_have_them(read: Read) -> None:
    _, army, _ = read(f"{GENERAL}units:\n  - {{unit: line, stands: 6}}\n")
    looked_up = {"table": "movement", "row": "foot", "column": "open"}
    marks = [
        {"share": "50%", "label": "1", "meaning": looked_up, "where": {"officer": ["usual"]}},
        {"share": "50%", "label": "1", "meaning": {"box": "?"}, "where": {"officer": ["other"]}},
    ]
    remark = {"join": [{"field": "officer"}, {"words": "officer dies on"}], "by": " "}
    written = Losses.model_validate(
        {"label": "S", "count": "stands", "marks": marks, "remark": remark}
    )

    usual, other, none = (
        track_of(written, army, 2, officer=officer) for officer in ("usual", "other", "none")
    )

    assert usual is not None
    assert other is not None
    assert none is not None
    assert (usual.remark, usual.meanings) == ("usual officer dies on", (("1", "15\u202fcm"),))
    assert (other.remark, other.meanings) == ("other officer dies on", (("1", ""),))
    assert (none.remark, none.meanings, none.boxes) == ("", (), (LossBox(1), LossBox(2)))
    written_in = other.told_in_boxes
    assert written_in.boxes == (LossBox(1, to_write=True), LossBox(2))
    assert (written_in.has_numbers, written_in.meanings) == (False, ())


def test_more_losses_than_anyone_ticks_have_a_box_to_write_in(read: Read) -> None:
    few, many = deck(
        read, f"  - {{unit: line, stands: {MAX_LOSS_BOXES}}}\n  - {{unit: line, stands: 200}}\n"
    ).cards

    assert few.losses is not None
    assert many.losses is not None
    assert (len(few.losses.boxes), few.losses.of) == (MAX_LOSS_BOXES, 0)
    assert many.losses.of == 200
    assert [(box.number, box.mark) for box in many.losses.boxes] == [(100, "half")]


def test_number_without_end_makes_no_boxes(read: Read) -> None:
    _, army, _ = read(f"{GENERAL}units:\n  - {{unit: line, stands: 6}}\n")
    marks = [{"share": "50%", "label": "half"}]
    written = Losses.model_validate({"label": "S", "count": "stands", "marks": marks})

    track = track_of(written, army, 999_999_999)

    assert track is not None
    assert [(box.number, box.mark) for box in track.boxes] == [(500_000_000, "half")]


def test_values_are_looked_up_and_rows_without_any_left_out(read: Read) -> None:
    foot, horse = deck(read, "  - {unit: line, stands: 6}\n  - {unit: dragoons, stands: 4}\n").cards

    assert [block.title for block in foot.blocks] == ["Move", "Shoot"]
    assert [cell.text for cell in foot.blocks[0].rows[0].values] == ["15\u202fcm", "10\u202fcm"]
    assert [block.title for block in horse.blocks] == ["Move"]


def test_block_whose_rows_are_all_dashes_is_left_out(content: Path, read: Read) -> None:
    spoil(content / "cards.yaml", "        where: {arm: [foot, guns]}\n", "")

    (horse,) = deck(read, "  - {unit: dragoons, stands: 4}\n").cards

    assert [block.title for block in horse.blocks] == ["Move"]


def test_row_that_is_for_others_is_left_out(content: Path, read: Read) -> None:
    spoil(
        content / "cards.yaml", "- label: Centimetres", "- label: Cm\n            where: {arm: [x]}"
    )

    (card,) = deck(read, "  - {unit: line, stands: 6}\n").cards

    assert [block.title for block in card.blocks] == ["Shoot"]


def test_leader_has_a_card_if_there_is_a_layout_for_leaders(content: Path, read: Read) -> None:
    path = content / "cards.yaml"
    more = "  - {id: leader, title: Leader, level: leader, boxes: [Exp]}\nroster:"
    path.write_text(path.read_text(encoding="utf-8").replace("roster:", more), encoding="utf-8")

    leader, _ = deck(read, "  - {unit: line, stands: 6}\n").cards

    assert (leader.title, leader.boxes, leader.losses) == ("Old Fritz", ("Exp",), None)
    assert leader.facts == ("General",)


def test_illegal_unit_says_so_on_its_card(read: Read) -> None:
    good, bad = deck(read, "  - {unit: line, stands: 6}\n  - {unit: line, stands: 9}\n").cards

    assert good.faults == ()
    assert bad.faults == ("A unit has the stands that its type allows.",)


def test_system_without_layouts_has_no_cards(content: Path, read: Read) -> None:
    (content / "cards.yaml").unlink()

    assert deck(read, "  - {unit: line, stands: 6}\n").cards == ()


def test_layout_that_names_nothing_is_an_error(content: Path, read: Read) -> None:
    spoil(content / "cards.yaml", "row: {field: arm}, column: rough", "row: camels, column: rough")

    with pytest.raises(NoEntryError):
        deck(read, "  - {unit: line, stands: 6}\n")


def test_layout_of_a_table_that_is_not_there_is_an_error(content: Path, read: Read) -> None:
    spoil(
        content / "cards.yaml",
        "table: movement, row: {field: arm}, column: rough",
        "table: x, row: y",
    )

    with pytest.raises(MusterError):
        deck(read, "  - {unit: line, stands: 6}\n")


@pytest.mark.parametrize(
    ("where", "meets"),
    [
        ({}, True),
        ({"arm": ["foot", "horse"]}, True),
        ({"arm": ["horse"]}, False),
        ({"veteran": ["true"]}, True),
        ({"nothing": ["none"]}, True),
        ({"nothing": ["foot"]}, False),
        ({"traits": ["brave"]}, True),
        ({"traits": ["shy"]}, False),
        ({"arm": ["foot"], "veteran": ["false"]}, False),
    ],
    ids=[
        "no-attribute",
        "one-of-two-values",
        "another-value",
        "true",
        "none",
        "not-none",
        "one-of-several",
        "none-of-several",
        "one-of-two-attributes",
    ],
)
def test_filter_needs_one_value_of_every_attribute(
    where: dict[str, list[str]], *, meets: bool
) -> None:
    fields = {"arm": "foot", "veteran": True, "traits": ("brave", "drilled")}.get

    assert meets_filter(where, fields) is meets


CARD = """
cards:
  - id: unit
    figures:
      - {label: move, value: {table: movement, row: {field: arm}, column: open}}
      - {label: stands, value: {field: stands}, where: {arm: [foot]}}
      - {label: nothing, value: {field: name}, where: {name: [nobody]}}
    losses:
      label: Stands
      count: stands
      remark: tests at
      marks: [{share: 50%, label: "1", meaning: a half}]
      halved: {arm: [horse]}
    tallies: [{label: Hits, boxes: 3}]
    blocks: [{rows: [{label: Stands, values: [{field: stands}]}]}]
symbols:
  - {symbol: own, where: {arm: [horse]}}
  - {symbol: flag, level: leader}
  - {symbol: foot, level: unit}
drawings: {own: M0 0 H9 V9 Z}
colours:
  - {colour: "#123456", where: {arm: [horse]}}
  - {colour: "#654321"}
"""


def test_card_has_large_figures_symbol_and_track(content: Path, read: Read) -> None:
    (content / "cards.yaml").write_text(CARD, encoding="utf-8")
    foot, horse = deck(read, "  - {unit: line, stands: 6}\n  - {unit: dragoons, stands: 4}\n").cards

    figures = [(figure.label, figure.value.text) for figure in foot.figures]
    assert figures == [("move", "15\u202fcm"), ("stands", "6")]
    assert [figure.label for figure in horse.figures] == ["move"]
    assert (foot.symbol, horse.symbol) == (house_symbols()["foot"], "M0 0 H9 V9 Z")
    assert foot.losses is not None
    assert horse.losses is not None
    assert (foot.losses.remark, foot.losses.meanings) == ("tests at", (("1", "a half"),))
    assert (foot.losses.halved, horse.losses.halved) == (False, True)
    assert [(each.label, len(each.boxes), each.shape) for each in foot.tallies] == [
        ("Hits", 3, "square")
    ]
    assert foot.colour == horse.colour == "#1f3a5f"  # its book's goes first


def test_colour_of_a_card_is_that_of_the_first_rule_if_its_book_has_none(
    content: Path, read: Read
) -> None:
    (content / "cards.yaml").write_text(CARD, encoding="utf-8")
    spoil(content / "books/first-book.yaml", 'colour: "#1f3a5f"\n', "")

    units = "  - {unit: line, stands: 6}\n  - {unit: dragoons, stands: 4}\n"
    assert [card.colour for card in deck(read, units).cards] == ["#654321", "#123456"]
    assert [card.shape for card in deck(read, units).cards] == ["circle", "circle"]

    spoil(content / "cards.yaml", CARD[CARD.index("colours:") :], "")
    assert {card.colour for card in deck(read, units).cards} == {NO_COLOUR}


def test_small_and_large_cards_have_the_blocks_that_are_for_them() -> None:
    held = card(
        blocks=tuple(
            CardBlock(only or "both", "melee", (), (), only) for only in ("", "large", "small")
        )
    )

    assert [block.title for block in held.for_cards(large=True).blocks] == ["both", "large"]
    assert [block.title for block in held.for_cards(large=False).blocks] == ["both", "small"]


def test_block_stands_beside_the_one_that_it_names_if_that_is_before_it() -> None:
    move, fire, closing = (
        CardBlock("Move", "movement", (), ()),
        CardBlock("Hits", "fire", (), (), only="large"),
        CardBlock("D10", "morale", (), (), beside="Hits"),
    )
    held = card(blocks=(move, fire, closing))

    assert held.for_cards(large=True).bands == ((move,), (fire, closing))
    assert held.for_cards(large=False).bands == ((move,), (closing,))


def test_block_beside_none_is_an_error(content: Path, read: Read) -> None:
    layout = CARD.replace("blocks: [{rows:", "blocks: [{title: Fire, beside: Move, rows:")
    (content / "cards.yaml").write_text(layout, encoding="utf-8")

    with pytest.raises(MusterError, match="`beside: Move` is not the title of the block before"):
        deck(read, "  - {unit: line, stands: 6}\n")


@pytest.mark.parametrize(
    ("stated", "boxes", "remark"),
    [(3, ["", "", "!"], "! breaks"), (None, [""] * 5, ""), (0, [""] * 5, ""), (9999, [""] * 5, "")],
)
def test_last_box_of_a_tally_has_a_mark_if_the_unit_states_how_many(
    stated: int | None, boxes: list[str], remark: str
) -> None:
    written = Tally.model_validate(
        {"label": "Kills", "boxes": 5, "count": "breaks-at", "mark": "!", "remark": "! breaks"}
    )

    track = tally_track(written, {"breaks-at": stated}.get)

    assert [box.mark for box in track.boxes] == boxes
    assert (track.remark, track.kept_as) == (remark, "Kills")


def test_meanings_stand_in_the_boxes_if_they_are_short() -> None:
    boxes = (LossBox(1, "1"), LossBox(2, "2, 3"), LossBox(3))
    short = LossTrack("Figures", boxes, meanings=(("1", "6"), ("2", "5–6"), ("3", "4–6")))
    long = LossTrack("Figures", boxes, meanings=(("1", "a test of nerve"),))
    many = replace(short, boxes=tuple(LossBox(n) for n in range(1, 40)))

    assert [box.mark for box in short.told_in_boxes.boxes] == ["6", "5–6, 4–6", ""]
    assert short.told_in_boxes.meanings == ()
    assert (long.told_in_boxes, many.told_in_boxes) == (long, many)


def test_box_for_what_is_asked_most_stands_large() -> None:
    box = LargeFigure("combat value", DerivedCell("", "blank"), main=True)
    held = card(figures=(box, LargeFigure("morale", DerivedCell("+1", "signed"))))

    assert [figure.label for figure in held.large_figures] == ["combat value", "morale"]
    assert held.with_boxes_together() == held


def test_no_other_box_to_fill_in_stands_large() -> None:
    held = card(
        figures=(
            LargeFigure("combat value", DerivedCell("", "blank")),
            LargeFigure("morale", DerivedCell("+1", "signed")),
        )
    )

    assert [figure.label for figure in held.large_figures] == ["morale"]
    single = held.with_boxes_together()
    assert (single.to_fill, [row.label for row in single.blocks[-1].rows]) == ((), ["Combat value"])


def test_boxes_to_fill_in_stand_together_and_what_is_known_stays() -> None:
    box, number = DerivedCell("", "blank"), DerivedCell("8", "number")
    held = card(
        blocks=(
            CardBlock("Move", "movement", ("Normal", "Most"), (CardRow("Speed", (box, box)),)),
            CardBlock("Melee", "melee", (), (CardRow("Value", (box,)), CardRow("Rout", (number,)))),
            CardBlock("Fire", "fire", ("Near", "Far"), (CardRow("Range", (number, box)),)),
        )
    ).with_boxes_together()

    assert held.to_fill == (ToFill("Move", ("Normal", "Most")), ToFill("Value"))
    assert [[row.label for row in block.rows] for block in held.blocks] == [["Rout"], ["Range"]]


def test_boxes_of_one_label_are_told_apart_by_their_blocks() -> None:
    box = DerivedCell("", "blank")
    rows = (CardRow("Points", (box,)),)
    blocks = (CardBlock("Fire", "fire", (), rows), CardBlock("Melee", "melee", (), rows))

    asked = card(blocks=blocks).with_boxes_together().to_fill

    assert asked == (ToFill("Fire: Points"), ToFill("Melee: Points"))


def figures(*labels: str) -> tuple[LargeFigure, ...]:
    return tuple(LargeFigure(label, DerivedCell("+1", "signed")) for label in labels)


def test_figure_stands_at_one_place_on_all_cards_of_a_level() -> None:
    horse = card(figures=figures("rout", "face"), level="unit")
    foot = card(figures=figures("range", "rout", "face"), level="unit")
    guns = card(figures=figures("short", "face"), level="unit")
    general = card(figures=figures("face", "move"), level="leader")

    placed = put_figures_in_place([horse, foot, guns, general])

    places = [[each.label if each else "" for each in card.places] for card in placed]
    assert places == [
        ["", "rout", "face"],
        ["range", "rout", "face"],
        ["short", "", "face"],
        ["face", "move"],
    ]


def test_figure_that_a_card_lacks_is_a_dash_where_others_have_it() -> None:
    dash = (LargeFigure("range", DerivedCell("–", "dash")),)
    foot = card(figures=figures("range", "morale"))
    lancers = card(figures=figures("morale"), absent=dash)

    placed = put_figures_in_place([foot, lancers])

    assert [each.value.text for each in placed[1].places if each] == ["–", "+1"]
    alone = put_figures_in_place([lancers])
    assert [each.label for each in alone[0].places if each] == ["morale"]


def test_no_figure_is_lost_though_two_have_one_label() -> None:
    (placed,) = put_figures_in_place([card(figures=figures("rating", "rating"))])

    assert [each.label for each in placed.places if each] == ["rating", "rating"]


def test_tracks_are_the_losses_and_then_the_tallies() -> None:
    staggers = LossTrack("Staggers", (LossBox(1),), shape="round", kept_as="Staggers")
    held = card(losses=LossTrack("Figures", (LossBox(1),)), tallies=(staggers,))

    assert [(each.label, len(each.boxes), each.shape) for each in held.tracks] == [
        ("Figures", 1, "square"),
        ("Staggers", 1, "round"),
    ]


def test_heads_stay_on_one_line_if_the_smallest_type_has_room_for_them() -> None:
    def heads(*texts: str) -> bool:
        return CardBlock(
            "Fire", "fire", texts, (CardRow("Column, 2 ranks", (DerivedCell("8", "number"),)),)
        ).is_flat

    assert heads("0–15 cm", "15–30 cm", "30–45 cm")
    assert not heads("0–15 cm", "15–30 cm", "30–45 cm", "45–120 cm")
