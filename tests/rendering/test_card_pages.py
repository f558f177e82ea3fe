"""Tests of printed cards: formats, the type size that fits, what cannot fit, both sides."""

from __future__ import annotations

import base64
import re
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from muster.documents.cards import CardBlock, CardRow, Deck, LargeFigure, LossBox, LossTrack
from muster.documents.derived_values import DerivedCell
from muster.rendering.card_frame import CARD_FORMATS, CardFormat
from muster.rendering.card_pages import (
    cards_html,
    cards_pdf,
    mirror_backs,
    parse_turn_edge,
    print_styles,
)
from muster.rendering.card_type import SMALLEST_CARD_PT
from muster.rendering.cut_sheets import Bleeds, lay_out_sheet, trimmed_page
from muster.rendering.drawings import RULER_HEIGHT_MM, RULER_WIDTH_MM, build_ruler
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS, turn_edge_of
from muster.rendering.printed import Printed, PrintError
from muster.rendering.printer import Printer
from muster.rendering.type_size import SizeMemory
from muster.systems.pictures import Picture
from tests.pages.printed import MM, Pdf
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import card, deck


def names(count: int) -> list[str]:
    return [f"{chr(ord('A') + n)} company" for n in range(count)]


@pytest.mark.parametrize(
    ("variant", "cards", "pages"),
    [("9-up", 9, 1), ("9-up", 10, 2), ("4-up", 5, 2), ("single", 3, 3)],
)
def test_cards_fill_pages_of_their_format(
    variant: str, cards: int, pages: int, templates: TemplateEnvironment
) -> None:
    paper = "" if variant == "single" else "letter"

    printed = cards_pdf(templates, deck(*map(card, names(cards))), variant, paper, {})

    assert printed.pages == pages
    box = PdfReader(BytesIO(printed.data)).pages[0].trimbox
    size = (63, 88) if variant == "single" else (215.9, 279.4)
    assert (round(float(box.width) / MM, 1), round(float(box.height) / MM, 1)) == size


def test_deck_without_cards_is_an_empty_page(templates: TemplateEnvironment) -> None:
    assert cards_pdf(templates, deck(), "9-up", "a4", {}).pages == 1


def test_card_that_cannot_fit_is_named(templates: TemplateEnvironment) -> None:
    with pytest.raises(PrintError) as caught:
        cards_pdf(templates, deck(card("Small"), card("Large", rows=60)), "9-up", "a4", {})

    said = str(caught.value)
    assert re.search(
        r"does not fit at 7 pt, the smallest type size allowed: “Large” is [\d.]+ mm too long\.",
        said,
    )
    assert "Small" not in said
    assert "cards.yaml" in said


def test_value_that_is_wider_than_a_card_is_named(templates: TemplateEnvironment) -> None:
    rows = (CardRow("Row", (DerivedCell("x" * 90, "number"),)),)
    wide = card("Guards", blocks=(CardBlock("Move", "movement", ("Open",), rows),))

    with pytest.raises(PrintError, match=r"“x{40}” is wider than its card"):
        cards_pdf(templates, deck(wide), "9-up", "a4", {})


def test_long_word_in_a_name_is_broken(templates: TemplateEnvironment) -> None:
    assert cards_pdf(templates, deck(card("Regiment" * 9)), "9-up", "a4", {}).pages == 1


def test_name_that_fits_a_line_in_smaller_type_is_not_broken(
    templates: TemplateEnvironment,
) -> None:
    printed = cards_pdf(templates, deck(card("Trautmannsdorf")), "9-up", "a4", {})

    assert "Trautmannsdorf" in PdfReader(BytesIO(printed.data)).pages[0].extract_text()


def test_size_is_remembered_for_all_formats_of_one_size(
    templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    layouts: list[str] = []
    measure = Printer.measure

    def counted(self: Printer, html: str, styles: list[str], what: str, margin: float) -> object:
        layouts.append(what)
        return measure(self, html, styles, what, margin)

    monkeypatch.setattr(Printer, "measure", counted)
    memory: SizeMemory = {}
    cards_pdf(templates, deck(card()), "9-up", "a4", memory)
    layouts.clear()

    cards_pdf(templates, deck(card()), "single", "", memory)
    assert layouts == []
    assert len(memory) == 2  # the size, and what stays free at it

    cards_pdf(templates, deck(card()), "4-up", "a4", memory)
    assert len(memory) == 4


def test_cards_that_differ_by_a_number_are_laid_out_once(
    templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[int] = []
    measure = Printer.measure

    def counted(self: Printer, html: str, styles: list[str], what: str, margin: float) -> object:
        laid.append(html.count("<article"))
        return measure(self, html, styles, what, margin)

    monkeypatch.setattr(Printer, "measure", counted)
    twins = [card("Line 1", id="a"), card("Line 2", id="b"), card("Line 10"), card("Guards")]

    assert cards_pdf(templates, deck(*twins), "single", "", {}).pages == 4
    assert set(laid) == {3}


def test_no_type_is_smaller_than_allowed(templates: TemplateEnvironment) -> None:
    boxes = tuple(LossBox(n) for n in range(1, 30))
    full = card("Full", rows=9, losses=LossTrack("Stands", boxes))
    sizes: list[float] = []

    def hear(text: str, _: object, tm: list[float], __: object, size: float) -> None:
        if text.strip() and size * abs(tm[3]) * 0.75 > 1.1:
            sizes.append(round(size * abs(tm[3]) * 0.75, 2))

    memory: SizeMemory = {}
    printed = cards_pdf(templates, deck(full), "single", "", memory)
    PdfReader(BytesIO(printed.data)).pages[0].extract_text(visitor_text=hear)

    assert min(memory.values()) < 7.6
    assert min(sizes) == SMALLEST_CARD_PT


def printed_html(templates: TemplateEnvironment, cards: Deck, variant: str, paper: str) -> str:
    """Return the HTML that a deck is printed from."""
    html: list[str] = []

    class Ear(Printer):
        def pdf(  # type: ignore[override]  # only listens
            self, text: str, *_: object, **__: object
        ) -> None:
            html.append(text)

    ear = TemplateEnvironment(templates.folders)
    ear.__dict__["printer"] = Ear(templates.folders, templates.faces)
    cards_pdf(ear, cards, variant, paper, {})
    return html[-1]


def marks(
    paper: str, variant: str, templates: TemplateEnvironment
) -> list[tuple[float, float, str, float]]:
    """Return each cut mark: where it begins, its direction and its length."""
    html = printed_html(templates, deck(card()), variant, paper)
    found = re.search(r"data:image/svg\+xml;base64,([\w+/=]+)\"\) no-repeat", html)
    assert found is not None
    path = base64.b64decode(found[1]).decode()
    return [
        (float(x), float(y), way, float(far))
        for x, y, way, far in re.findall(r"M([\d.]+) ([\d.]+) ([vh])(-?[\d.]+)", path)
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("variant", ["9-up", "4-up"])
def test_cut_marks_stand_outside_of_every_card(
    paper: str, variant: str, templates: TemplateEnvironment
) -> None:
    form, page = CARD_FORMATS[variant], PAPERS[paper]
    sheet = lay_out_sheet(form, page)
    columns = [
        sheet.left_mm + n * (form.width_mm + sheet.column_gap_mm) for n in range(form.across)
    ]
    rows = [sheet.top_mm + n * (form.height_mm + sheet.row_gap_mm) for n in range(form.down)]
    edges = {
        "v": {round(x + far, 2) for x in columns for far in (0, form.width_mm)},
        "h": {round(y + far, 2) for y in rows for far in (0, form.height_mm)},
    }

    found = marks(paper, variant, templates)

    assert len(found) == 2 * len(edges["v"]) + 2 * len(edges["h"])
    for x, y, way, far in found:
        end = (x, y + far) if way == "v" else (x + far, y)
        for at in ((x, y), end):
            beside = not sheet.left_mm < at[0] < page.width_mm - sheet.left_mm
            assert beside or not sheet.top_mm < at[1] < page.height_mm - sheet.top_mm
            assert 0 <= at[0] <= page.width_mm
            assert 0 <= at[1] <= page.height_mm
        assert round(x if way == "v" else y, 2) in edges[way]


def test_cards_for_screens_hold_every_card_and_what_is_wrong(
    templates: TemplateEnvironment,
) -> None:
    faulty = card("Faulty", faults=("Too many stands.",))

    html = cards_html(templates, deck(card("Good"), faulty), "../i.html", [("Roster", "r.html")])

    assert html.index("Good") < html.index("Faulty")
    assert "Not legal: Too many stands." in html
    assert '<a href="../i.html">' in html
    assert '<a href="r.html">Roster</a>' in html


class Shelf:
    """A piece store that counts how often a piece was missing."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.missed = 0

    def get(self, made_from: str) -> bytes | None:
        self.missed += made_from not in self.held
        return self.held.get(made_from)

    def put(self, made_from: str, data: bytes) -> None:
        self.held[made_from] = data


def articles(templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the cards of every layout, whether measured or printed."""
    laid: list[int] = []
    render = templates.render

    def counted(template: str, **data: object) -> str:
        html = render(template, **data)
        laid.append(html.count("<article"))
        return html

    monkeypatch.setattr(templates, "render", counted)
    return laid


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "piece"), [("9-up", 18), ("4-up", 16), ("single", 18)])
def test_changed_card_costs_its_own_piece(
    variant: str, piece: int, templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = [card(name) for name in names(21)]
    paper = "" if variant == "single" else "a4"
    shelf = Shelf()
    memory: SizeMemory = {}
    cards_pdf(templates, deck(*cards), variant, paper, memory, shelf)
    cards[20] = card("Changed company")
    laid = articles(templates, monkeypatch)
    again = cards_pdf(templates, deck(*cards), variant, paper, memory, shelf)
    monkeypatch.undo()

    # Measured alone, at one size or two; then its piece, and no other, is printed.
    last = 21 % piece
    assert set(laid) == {1, last}
    assert laid.count(last) == 1
    assert again == cards_pdf(templates, deck(*cards), variant, paper, {})


def test_piece_that_is_not_sound_is_laid_out_anew(templates: TemplateEnvironment) -> None:
    cards = deck(*(card(name) for name in names(10)))
    shelf = Shelf()
    whole = cards_pdf(templates, cards, "9-up", "a4", {}, shelf)
    shelf.held = {key: held[:-1] for key, held in shelf.held.items()}

    assert cards_pdf(templates, cards, "9-up", "a4", {}, shelf) == whole


def test_each_card_has_the_largest_type_that_it_has_room_for(
    templates: TemplateEnvironment,
) -> None:
    memory: SizeMemory = {}
    cards_pdf(templates, deck(card("Tall", rows=9), card("Short")), "9-up", "a4", memory)

    tall, short = sorted(size for key, size in memory.items() if not key.endswith(".free"))
    form = CARD_FORMATS["9-up"]
    assert form.smallest_pt <= tall < short == form.sizes[0]


def test_leader_with_room_to_spare_has_the_units_that_he_leads(
    templates: TemplateEnvironment,
) -> None:
    led = (CardRow("Don cossacks", (DerivedCell("6 stands", "number"),)),)

    def printed_text(rows: int) -> str:
        printed = cards_pdf(templates, deck(card("Platov", rows=rows, led=led)), "single", "", {})
        return PdfReader(BytesIO(printed.data)).pages[0].extract_text()

    assert "Don cossacks" in printed_text(3)
    assert "Don cossacks" not in printed_text(14)


def test_units_that_a_leader_leads_stand_in_rows_or_one_after_the_other(
    templates: TemplateEnvironment,
) -> None:
    def listed(units: int, name: str = "Hussars") -> str:
        led = tuple(CardRow(f"{name} {n}", (DerivedCell("6", "number"),)) for n in range(units))
        html = printed_html(templates, deck(card("Platov", rows=1, led=led)), "single", "")
        if f"{name} 0" not in html:
            return "left out"
        return "rows" if f">{name} 0</th>" in html else "one after the other"

    assert listed(6) == "rows"
    assert listed(14) == "one after the other"
    assert listed(1, "Long-winded " * 5) == "one after the other"


def test_groups_of_a_leader_stand_in_rows_where_there_is_no_room_for_his_units(
    templates: TemplateEnvironment,
) -> None:
    led, groups = (
        tuple(CardRow(f"{name} {n}", (DerivedCell("6", "number"),)) for n in range(number))
        for name, number in (("Hussars", 14), ("Wing", 3))
    )
    held = deck(card("Platov", rows=1, led=led, led_groups=groups))

    html = printed_html(templates, held, "single", "")

    assert ">Wing 2</th>" in html
    assert "Hussars" not in html


def test_small_card_has_what_large_ones_show_if_all_of_its_kind_have_room(
    templates: TemplateEnvironment,
) -> None:
    row = CardRow("Charged", (DerivedCell("−1", "number"),))
    more = CardBlock("More", "melee", (), (row,), only="large")

    def printed(*rows: int) -> int:
        cards = [card(f"Foot {n}", rows=n, kind="foot") for n in rows]
        cards = [replace(each, blocks=(*each.blocks, more)) for each in cards]
        return printed_html(templates, deck(*cards), "9-up", "a4").count(">Charged<")

    assert printed(2, 3) == 2
    assert printed(2, 11) == 0


def test_blocks_side_by_side_share_the_width_of_their_card(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    def block(title: str, beside: str = "") -> CardBlock:
        cells = tuple(DerivedCell(text, "number") for text in ("4", "2", "1"))
        rows = tuple(CardRow(f"{title} {n}", cells) for n in range(3))
        return CardBlock(title, "fire", ("I", "II", "III"), rows, beside=beside)

    held = deck(card(blocks=(block("Ball"), block("Grape", "Ball"))))
    (tmp_path / "cards.pdf").write_bytes(cards_pdf(templates, held, "single", "", {}).data)
    (pieces,) = Pdf(tmp_path / "cards.pdf").pages
    ball, grape = (
        next(piece for piece in pieces if piece.text.strip() == text)
        for text in ("Ball 1", "Grape 1")
    )

    assert ball.baseline == pytest.approx(grape.baseline, abs=0.1)
    assert ball.size == grape.size >= 9
    assert ball.left == pytest.approx(3 * MM, abs=0.2)
    assert grape.left > 30 * MM


def test_deck_with_a_card_in_small_type_has_a_lower_frame(templates: TemplateEnvironment) -> None:
    def heights(rows: int) -> tuple[float, float]:
        html = printed_html(templates, deck(card("Few"), card("Full", rows=rows)), "9-up", "a4")
        size = float(html.split("<article")[2].split("font-size: ")[1].split("pt")[0])
        return float(html.split("min-height: ")[1].split("mm")[0]), size

    (usual_mm, easy_pt), (low_mm, small_pt) = heights(5), heights(10)

    assert low_mm < usual_mm
    assert min(easy_pt, small_pt) >= 8


def test_lines_for_notes_take_what_an_emblem_would_leave_bare(
    templates: TemplateEnvironment,
) -> None:
    full = card("Foot")

    bare, filled = (
        printed_html(templates, deck(each), "single", "").count('class="note"')
        for each in (replace(full, blocks=(), losses=None), full)
    )

    assert bare > filled == 0


def test_title_on_two_lines_is_broken_at_a_blank_rather_than_after_a_hyphen(
    templates: TemplateEnvironment,
) -> None:
    names = ("Landgraf von Hessen-Darmstadt", "Saint-Germain", "Feldmarschall-Leutnant Graf Hadik")

    html = printed_html(templates, deck(*map(card, names)), "9-up", "a4")

    assert '<span class="whole">Hessen-Darmstadt</span>' in html
    assert all(f">{name}</h2>" in html for name in names[1:])


def test_groups_of_five_stand_two_to_a_line_whatever_the_type_of_the_card(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    boxes = tuple(LossBox(n, str(n) if n in {1, 10, 11, 28} else "") for n in range(1, 29))
    track = LossTrack("Figures", boxes)
    for rows in (2, 7):
        printed = cards_pdf(
            templates, deck(card("Bones", rows=rows, losses=track)), "single", "", {}
        )
        (tmp_path / "cards.pdf").write_bytes(printed.data)
        pieces = Pdf(tmp_path / "cards.pdf").pages[0]
        places = {p.text.strip(): p.baseline for p in pieces if p.text.strip() in {"1", "10", "11"}}

        assert places["1"] == pytest.approx(places["10"], abs=0.1)
        assert places["11"] < places["1"] - 5 * MM


@pytest.mark.parametrize(
    ("rows", "credit", "is_portrait"), [(9, "", True), (9, "A painter", False), (1, "", False)]
)
def test_picture_without_room_below_stands_in_place_of_the_symbol_unless_it_has_a_credit(
    rows: int,
    credit: str,
    *,
    is_portrait: bool,
    templates: TemplateEnvironment,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shapes = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7z"/></svg>'
    picture = Picture("image/svg+xml", shapes, 9, 9, "A guard", credit, "guard")
    printed: list[str] = []
    render = Printer.pdf

    def noted(self: Printer, html: str, *rest: Any, **choices: Any) -> Printed:
        printed.append(html)
        return render(self, html, *rest, **choices)

    monkeypatch.setattr(Printer, "pdf", noted)
    cards_pdf(templates, deck(card(rows=rows, picture=picture)), "single", "", {})

    assert ('class="symbol portrait"' in printed[-1]) == is_portrait
    assert ("A guard" in printed[-1]) == (not credit)


@pytest.mark.parametrize(("rows", "first"), [(3, 10.4), (10, 8.6), (25, 7)])
def test_card_is_not_laid_out_at_sizes_that_its_rows_have_no_room_for(
    rows: int, first: float, templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[str] = []
    measure = Printer.measure

    def noted(self: Printer, html: str, styles: list[str], what: str, margin: float) -> object:
        laid.extend(re.findall(r"font-size: ([0-9.]+)pt; --small", html))
        return measure(self, html, styles, what, margin)

    monkeypatch.setattr(Printer, "measure", noted)
    with suppress(PrintError):
        cards_pdf(templates, deck(card(rows=rows)), "single", "", {})

    assert float(laid[0]) == first


@pytest.mark.parametrize("form", CARD_FORMATS.values(), ids=list(CARD_FORMATS))
def test_sizes_fall_from_the_largest_to_the_smallest(form: CardFormat) -> None:
    assert list(form.sizes) == sorted(set(form.sizes), reverse=True)
    assert form.smallest_pt == form.sizes[-1] >= SMALLEST_CARD_PT


def test_large_cards_have_larger_type_by_a_point_at_least() -> None:
    small, large = CARD_FORMATS["9-up"].sizes, CARD_FORMATS["4-up"].sizes

    assert large[0] - small[0] >= 1.5
    assert large[-1] - small[-1] >= 1


def test_fullest_card_that_fits_at_no_size_is_named_though_it_says_little(
    templates: TemplateEnvironment,
) -> None:
    wordy = [card(name, army="x" * 9000) for name in names(6)]

    with pytest.raises(PrintError, match=r"“Tall” is [\d.]+ mm too long"):
        cards_pdf(templates, deck(*wordy, card("Tall", rows=60)), "9-up", "a4", {})


def test_remembered_size_that_is_too_large_by_now_is_reduced(
    templates: TemplateEnvironment,
) -> None:
    memory: SizeMemory = {}
    form = CARD_FORMATS["9-up"]
    tall = deck(card("Tall", rows=9))
    cards_pdf(templates, tall, "9-up", "a4", memory)
    size, free = memory
    fitting = memory[size]
    memory[size], memory[free] = form.sizes[0], 0.0

    assert cards_pdf(templates, tall, "9-up", "a4", memory).pages == 1
    # A tenth of a millimetre too much is a misfit when measured, but not in print: one step.
    assert memory[size] == pytest.approx(fitting, abs=0.61)
    assert memory[free] == 0.0


def test_card_that_is_too_full_wherever_it_is_laid_out_is_an_error(
    templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster.rendering.card_pages.find_overfull", lambda *_: [True])

    with pytest.raises(PrintError, match="“Guards” is overfull in print"):
        cards_pdf(templates, deck(card()), "9-up", "a4", {})


def test_card_that_does_not_fit_is_named_though_its_fullness_is_known(
    templates: TemplateEnvironment,
) -> None:
    cards = deck(card("Large", rows=60), card("Small"))
    shelf = Shelf()
    said = []
    for _ in range(2):
        with pytest.raises(PrintError) as caught:
            cards_pdf(templates, cards, "9-up", "a4", {}, shelf)
        said.append(str(caught.value))

    assert said[0] == said[1]
    assert "“Large” is" in said[0]


NATIONS = ["Alba", "Borussia", "Corsica", "Dalmatia", "Etruria", "Frisia", "Gothia", "Helvetia"]


def printed(
    templates: TemplateEnvironment, folder: Path, variant: str, paper: str, backs: str, cards: int
) -> Pdf:
    held = deck(*(card(f"Unit {each}", nation=each) for each in NATIONS[:cards]))
    made = cards_pdf(templates, replace(held, backs=backs), variant, paper, {})
    (folder / "cards.pdf").write_bytes(made.data)
    return Pdf(folder / "cards.pdf")


def middles(pdf: Pdf, page: int) -> dict[str, tuple[float, float]]:
    """Return in which card of a page's grid each nation is named, by its middle in millimetres.

    The cards are taken to be those of four to a page of A4, 3 mm apart.
    """
    found = {}
    for piece in pdf.pages[page]:
        name = piece.text.partition(" · ")[0].strip()
        if name in NATIONS:
            column = (piece.left / MM - 14.5) // 92
            row = (297 - piece.baseline / MM - 20) // 130
            found[name] = (14.5 + 92 * column + 44.5, 20 + 130 * row + 63.5)
    return found


@pytest.mark.parametrize("turn", ["long", "short"])
@pytest.mark.parametrize("cards", range(1, 10))
def test_every_back_lies_behind_its_front(cards: int, turn: str) -> None:
    fronts = [chr(ord("A") + n) for n in range(cards)]

    backs = mirror_backs(fronts, 3, 3, parse_turn_edge(turn))

    assert len(backs) == 9
    for place, name in enumerate(backs):
        down, right = divmod(place, 3)
        behind = down * 3 + (2 - right) if turn == "long" else (2 - down) * 3 + right
        assert name == (fronts[behind] if behind < cards else None)


@pytest.mark.parametrize(("turn", "cards"), [("long", 3), ("short", 3), ("long", 4), ("short", 6)])
def test_printed_backs_register_with_their_fronts(
    turn: str, cards: int, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    pdf = printed(templates, tmp_path, "4-up", "a4", turn, cards)

    assert len(pdf.sizes) == 2 * -(-cards // 4)
    for page in range(0, len(pdf.sizes), 2):
        fronts, backs = middles(pdf, page), middles(pdf, page + 1)
        assert len(fronts) == min(4, cards - page * 2)
        turned = {
            name: (210 - x, y) if turn == "long" else (x, 297 - y)
            for name, (x, y) in fronts.items()
        }
        assert backs == turned


def test_cards_are_true_to_a_tenth_of_a_millimetre(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    for paper in ("a4", "letter"):
        pdf = printed(templates, tmp_path, "9-up", paper, "long", 8)

        found = {p.text.partition(" · ")[0].strip(): p for p in pdf.pages[0]}
        first, beside, below = (found[NATIONS[n]] for n in (0, 1, 3))
        # A4 has room for gaps, Letter has not.
        across, pitch = (65, 91) if paper == "a4" else (63, 88)
        assert (beside.left - first.left) / MM == pytest.approx(across, abs=0.1)
        assert (first.baseline - below.baseline) / MM == pytest.approx(pitch, abs=0.1)


def test_backs_stand_on_their_head_when_the_short_edge_is_turned(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    tall = {}
    for turn in ("long", "short"):
        pdf = printed(templates, tmp_path, "single", "", turn, 1)
        rows = {piece.text.strip(): piece.baseline for piece in pdf.pages[1]}
        tall[turn] = rows["The army"] > rows["Alba"]

    assert tall == {"long": True, "short": False}


@pytest.mark.parametrize("turn", ["", "long", "short"])
def test_pdf_says_how_it_is_printed(
    turn: str, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    for cards in (3, 17):  # laid out at once, and in pieces
        wishes = printed(templates, tmp_path, "4-up", "a4", turn, cards).root["/ViewerPreferences"]

        assert wishes["/PrintScaling"] == "/None"
        assert wishes.get("/Duplex", "") == (f"/DuplexFlip{turn.title()}Edge" if turn else "")


def test_landscape_is_turned_over_its_short_edge() -> None:
    assert (turn_edge_of("landscape"), turn_edge_of("portrait")) == ("short", "long")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("variant", ["9-up", "4-up"])
def test_ruler_and_marks_keep_off_the_cards_and_the_edge(variant: str, paper: str) -> None:
    form, sheet = CARD_FORMATS[variant], PAPERS[paper]

    geometry = lay_out_sheet(form, sheet, build_ruler((TEMPLATES,)))

    svg = base64.b64decode(geometry.marks.partition(",")[2]).decode()
    place = re.search(r"translate\(([\d.]+) ([\d.]+)\)( rotate\(-90\))?", svg)
    assert place is not None
    x, y, half = float(place[1]), float(place[2]), RULER_HEIGHT_MM / 2
    if place[3]:
        assert half + 5 <= x + 0.01
        assert x + half < geometry.left_mm - 1.5
        assert 0 < y - RULER_WIDTH_MM < y < sheet.height_mm
    else:
        assert y + half + 5 <= sheet.height_mm + 0.01
        assert y - half > sheet.height_mm - geometry.top_mm + 1.5
        assert 0 < x < x + RULER_WIDTH_MM < sheet.width_mm
    lengths = [abs(float(each)) for each in re.findall(r"[vh](-?[\d.]+)", svg)]
    assert min(lengths) >= 2
    assert max(lengths) == 5


def test_cards_without_paper_have_neither_marks_nor_ruler() -> None:
    assert not trimmed_page(CARD_FORMATS["single"]).marks


Area = tuple[float, float, float, float]


def areas(page: PageObject, colour: str) -> set[Area]:
    """Return the left, top, right and lower edge of each area filled with a colour, in mm.

    They are measured from the upper left corner of the trimmed page.
    """
    wanted = [round(int(colour[n : n + 2], 16) / 255, 2) for n in (1, 3, 5)]
    height = float(page.trimbox.top)
    found: set[Area] = set()
    ink: list[float] = []
    drawn: list[Area] = []

    def hear(operator: bytes, operands: list[float], cm: list[float], _: object) -> None:
        if operator == b"rg":
            ink[:] = [round(float(part), 2) for part in operands]
        elif operator == b"re" and ink == wanted:
            x, y, wide, high = (float(each) for each in operands)
            xs = sorted(cm[0] * at + cm[4] for at in (x, x + wide))
            ys = sorted(height - cm[3] * at - cm[5] for at in (y, y + high))
            left, right, top, low = (round(each / MM, 1) for each in (*xs, *ys))
            drawn.append((left, top, right, low))
        elif operator in {b"f", b"f*"}:
            found.update(drawn)
        elif operator in {b"n", b"q", b"Q"}:
            drawn.clear()

    page.extract_text(visitor_operand_before=hear)
    return found


@pytest.mark.parametrize("cards", [2, 20])
def test_single_cards_have_a_bleed_that_colour_fills(
    cards: int, templates: TemplateEnvironment
) -> None:
    """Two cards are printed at once, twenty in pieces."""
    held = replace(deck(*(card(name, colour="#204060") for name in names(cards))), backs="long")
    pages = PdfReader(BytesIO(cards_pdf(templates, held, "single", "", {}).data)).pages

    assert len(pages) == 2 * cards
    for page in pages:
        boxes = [
            [round(float(edge) / MM, 2) for edge in box]
            for box in (page.mediabox, page.bleedbox, page.trimbox)
        ]
        assert boxes == [[-3, -3, 66, 91], [-3, -3, 66, 91], [0, 0, 63, 88]]
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        drawn = areas(front, "#204060")
        assert (-3, -3, 66) in {area[:3] for area in drawn}
        assert (-3, 66, 91) in {(area[0], *area[2:]) for area in drawn}
        assert (-3, -3, 66, 91) in areas(back, "#204060")


def test_colour_passes_the_cut_only_where_no_card_touches() -> None:
    a4, letter = (lay_out_sheet(CARD_FORMATS["9-up"], PAPERS[paper]) for paper in ("a4", "letter"))
    large = lay_out_sheet(CARD_FORMATS["4-up"], PAPERS["letter"])

    assert (a4.column_gap_mm, a4.row_gap_mm) == (2, 3)
    assert a4.bleeds[0] == Bleeds(1.5, 0.7, 1.2, 1.5)
    assert a4.bleeds[4] == Bleeds(1.2, 0.7, 1.2, 0.7)
    assert not a4.shared_columns_mm
    assert (letter.column_gap_mm, letter.row_gap_mm) == (0, 0)
    assert letter.bleeds[4] == Bleeds(0, 0, 0, 0)
    assert (len(letter.shared_columns_mm), len(letter.shared_rows_mm)) == (2, 2)
    assert (large.column_gap_mm, large.row_gap_mm) == (3, 0)
    assert large.bleeds[0] == Bleeds(1.5, 1.2, 0, 1.5)


@pytest.mark.parametrize("turn", ["long", "short"])
def test_colour_of_a_card_never_reaches_another(turn: str, templates: TemplateEnvironment) -> None:
    colours = ["#203040", "#602020", "#206020", "#303060", "#604020"]
    held = deck(*(card(name, colour=c) for name, c in zip(names(5), colours, strict=True)))
    made = cards_pdf(templates, replace(held, backs=turn), "9-up", "letter", {})
    fronts, backs = PdfReader(BytesIO(made.data)).pages
    sheet = lay_out_sheet(CARD_FORMATS["9-up"], PAPERS["letter"])
    behind = mirror_backs(colours, 3, 3, parse_turn_edge(turn))

    for page, places in ((fronts, colours), (backs, behind)):
        for place, colour in enumerate(places):
            row, column = divmod(place, 3)
            x, y = sheet.left_mm + 63 * column, sheet.top_mm + 88 * row
            bleeds = sheet.bleeds[place]
            edges = (x - bleeds.left, y - bleeds.top, x + 63 + bleeds.right)
            if colour:
                drawn = areas(page, colour)
                assert any(area[:3] == pytest.approx(edges, abs=0.1) for area in drawn)
                assert max(area[3] for area in drawn) <= y + 88.1 + bleeds.bottom


def test_every_back_has_the_name_and_an_emblem(templates: TemplateEnvironment) -> None:
    cards = deck(card("Foot", symbol="M10 10 H90 V90 Z"), card("Plain", symbol=""))

    html = printed_html(templates, replace(cards, backs="long"), "single", "")

    backs = html.split('<div class="back"')[1:]
    assert len(backs) == 2
    for back in backs:
        assert '<p class="whose">The army</p>' in back
        assert '<p class="emblem"><img src="data:image/svg+xml' in back


def test_no_separator_stands_in_the_head_of_a_card(templates: TemplateEnvironment) -> None:
    html = printed_html(templates, deck(card("Foot", cost="96 points")), "single", "")

    head = html.split('<header class="cardhead"')[1].split("</header>")[0]
    assert "·" not in head
    assert '<p class="cost">96 points</p>' in html


def test_what_others_come_to_stands_apart(templates: TemplateEnvironment) -> None:
    hits = DerivedCell("1/8 · 1", "number", "1")
    block = CardBlock("Hits", "fire", ("I",), (CardRow("On 1", (hits,)),))

    html = printed_html(templates, deck(card("Foot", blocks=(block,))), "single", "")

    assert '<span class="of">1/8</span> <b class="result">1</b>' in html


def test_rows_of_a_card_share_the_room_that_is_free(templates: TemplateEnvironment) -> None:
    def padding(rows: int) -> float:
        html = printed_html(templates, deck(card("Foot", rows=rows)), "single", "")
        return float(html.split("--lead: ")[1].split("mm")[0])

    assert padding(3) > padding(14)


def test_card_that_is_short_of_room_has_a_foot_of_its_own(
    templates: TemplateEnvironment,
) -> None:
    many = card("Many", losses=LossTrack("Figures", tuple(LossBox(n) for n in range(1, 31))))
    html = printed_html(
        templates, deck(many, card("Few"), card("Full", rows=8)), "9-up", "a4"
    ).split("<article")[1:]

    heights = [float(each.split('cardfoot" style="height: ')[1].split("mm")[0]) for each in html]

    assert heights[0] == heights[1] > heights[2]


def test_units_one_after_the_other_end_above_the_foot_of_the_card(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    for units in range(6, 14):
        led = tuple(
            CardRow(f"Regiment {n}", (DerivedCell("12 stands", "number"),)) for n in range(units)
        )
        held = deck(card("Platov", rows=5, led=led))
        (tmp_path / "cards.pdf").write_bytes(cards_pdf(templates, held, "single", "", {}).data)
        (pieces,) = Pdf(tmp_path / "cards.pdf").pages
        foot = next(piece.baseline for piece in pieces if piece.text.startswith("Stands"))
        listed = [piece.baseline for piece in pieces if "Regiment" in piece.text]

        assert not listed or min(listed) > foot + 8
        # The foot stands at the foot: what is listed leaves no hole below it.
        assert foot < 23 * MM


def test_no_text_of_a_wide_table_comes_near_the_edge_of_its_card(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    ranges = tuple(
        DerivedCell(f"{text}\u202fcm", "number") for text in ("up to 30", "31–55", "56–120")
    )
    hits = tuple(DerivedCell(text, "signed") for text in ("+3", "+2", "0"))
    rows = (CardRow("Range", ranges), CardRow("Attack points", hits))
    battery = card(blocks=(CardBlock("Fire", "fire", ("Short", "Medium", "Long"), rows),))
    printed = cards_pdf(templates, deck(battery), "4-up", "a4", {})
    (tmp_path / "cards.pdf").write_bytes(printed.data)
    (pieces,) = Pdf(tmp_path / "cards.pdf").pages

    right = max(piece.right for piece in pieces if "120" in piece.text or "points" in piece.text)

    sheet = lay_out_sheet(CARD_FORMATS["4-up"], PAPERS["a4"])
    assert right <= (sheet.left_mm + 89 - 2.9) * MM


def test_second_mark_at_one_loss_hangs_above_the_edge_of_its_box(
    templates: TemplateEnvironment,
) -> None:
    track = LossTrack("Stands", (LossBox(1, "−1"), LossBox(2, "−3, ½")))

    html = cards_html(templates, deck(card(losses=track)), "../i.html")

    assert re.search(r'class="tick marked">−3 <span class="hung">½</span><', html)
    assert not re.search(r"\.card \.tick\.several \{[^}]*width: auto", html)


def test_box_for_what_nobody_knows_has_no_ground_of_its_own(templates: TemplateEnvironment) -> None:
    known, blank = (
        LargeFigure("Exp", DerivedCell(text, kind), main=True)
        for text, kind in (("3", "number"), ("", "blank"))
    )

    htmls = [
        cards_html(templates, deck(card(figures=(each,))), "i.html") for each in (known, blank)
    ]

    assert ['class="place main"' in html for html in htmls] == [True, False]


def test_box_to_write_a_roll_in_has_a_line_and_says_so(templates: TemplateEnvironment) -> None:
    boxes = (LossBox(1, "1"), LossBox(2))
    track = LossTrack(
        "F", boxes, meanings=(("1", ""),), in_boxes="dies as marked", to_write="yours"
    )

    html = cards_html(templates, deck(card(losses=track)), "i.html")

    assert "yours" in html
    assert "dies as marked" not in html
    assert 'class="tick open"><span class="rule">' in html


@pytest.mark.parametrize("variant", ["9-up", "4-up", "single"])
def test_printed_styles_have_lengths_that_need_no_reckoning(
    variant: str, templates: TemplateEnvironment
) -> None:
    assert "var(--u)" not in "".join(print_styles(templates, CARD_FORMATS[variant]))
