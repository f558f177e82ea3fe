"""Tests of every shipped PDF: tags, fonts, sizes, pages, reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import page
import pytest
from pypdf import PdfWriter

from muster.building.plan import Plan
from muster.documents.cards import Card
from muster.documents.roster import Roster
from muster.rendering.book_cover import spine_width
from muster.rendering.card_frame import CARD_FORMATS
from muster.rendering.paper import PAPERS
from tests.pages.printed import MM, UNSEEN_PT, Pdf, Tag, unit_rows

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("printed")]

MARK_PT = 6.5
"""The smallest type of a footnote mark, a raised number."""

KEY_FIGURE_PT = 14
SYMBOL_MM = 8
NARROW_SPACE = "\u202f"

FOOT_MM = 14
"""The height of the margin that holds page numbers, which are artifacts."""

HEAD_MM = 17
"""The height of the margin that holds a book's running heads, which are artifacts, too."""

KILL_TABLE_HEADS = ["−5 to −4", "−3 to −2", "−1 to 1", "2–3", "4–5", "6–7", "8", "9", "10", "11+"]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_exactly_what_was_planned_is_built(built: Path, plan: Plan) -> None:
    files = {str(path.relative_to(built)) for path in built.rglob("*") if path.is_file()}

    assert plan.problems == []
    assert {name for name in files if not name.startswith(".muster/")} == {
        *(job.path for job in plan.jobs),
        "index.html",
        "index.pdf",
    }


PROFILES = {"ua-1": page.ValidationProfile.PDF_UA_1, "a-3": page.ValidationProfile.PDF_A_3A}


def read_by_people(pdfs: dict[str, Pdf]) -> dict[str, Pdf]:
    """Leave out files for a press: PDF/X has a date, and needs no tags."""
    return {
        name: pdf
        for name, pdf in pdfs.items()
        if all(each["/S"] != "/GTS_PDFX" for each in pdf.root.get("/OutputIntents", []))
    }


def test_every_pdf_is_what_it_claims_to_be(built: Path, pdfs: dict[str, Pdf], plan: Plan) -> None:
    claims = {
        job.path: job.data.press.pdf
        for job in plan.jobs
        if (job.kind, job.format) == ("rulebook", "pdf")
    }

    reports = {
        name: page.validate_pdf(built / name, profile=PROFILES[claims.get(name, "ua-1")])
        for name in read_by_people(pdfs)
    }

    assert set(claims.values()) >= set(PROFILES)
    assert reports.keys() == {name for name in pdfs if claims.get(name) != "x-4"}

    told = {
        name: [f"{each.rule_id}: {each.message}" for each in report.failures]
        for name, report in reports.items()
        if not report.is_compliant
    }
    assert told == {}


def test_validation_sees_a_page_without_tags(built: Path, tmp_path: Path) -> None:
    spoilt = PdfWriter(clone_from=built / "index.pdf")
    del spoilt.root_object["/MarkInfo"]
    spoilt.write(tmp_path / "spoilt.pdf")

    report = page.validate_pdf(tmp_path / "spoilt.pdf", profile=page.ValidationProfile.PDF_UA_1)

    assert not report.is_compliant


def test_every_pdf_has_title_language_and_bookmarks(pdfs: dict[str, Pdf], plan: Plan) -> None:
    armies = {(note.system, note.id): note.name for note in plan.armies}
    names = {job.path: armies.get((job.system, job.army), "") for job in plan.jobs if job.army}
    lacking = {}
    for name, pdf in read_by_people(pdfs).items():
        data = pdf.reader.metadata
        title = (data.title or "") if data else ""
        lang = pdf.root.get("/Lang")
        shown = pdf.root.get("/ViewerPreferences", {}).get("/DisplayDocTitle")
        if not title or names.get(name, "") not in title or not lang or shown != True:  # noqa: E712 - a PDF's own boolean
            lacking[name] = (title, lang, shown)
        elif not pdf.reader.outline:
            lacking[name] = (title, "no bookmarks", None)

    assert lacking == {}


def test_every_pdf_is_printed_at_its_own_size(pdfs: dict[str, Pdf]) -> None:
    scaled = [
        name
        for name, pdf in pdfs.items()
        if pdf.root["/ViewerPreferences"].get("/PrintScaling") != "/None"
    ]

    assert scaled == []


def test_no_pdf_says_when_it_was_made(built: Path, pdfs: dict[str, Pdf]) -> None:
    dated = []
    for name, pdf in read_by_people(pdfs).items():
        data = pdf.reader.metadata
        xmp = pdf.root["/Metadata"].get_data()
        if not data or data.creation_date or data.modification_date or b"Date>" in xmp:
            dated.append(name)
        assert b"/CreationDate" not in (built / name).read_bytes()

    assert dated == []


def test_every_font_is_ours_and_embedded(pdfs: dict[str, Pdf]) -> None:
    used = {font: name for name, pdf in pdfs.items() for font in pdf.fonts}

    families = {f"Muster-{each}" for each in ("Sans", "Serif")}
    strange = {
        font: name
        for font, name in used.items()
        if not font[1] or "-".join(font[0].split("-")[:2]) not in families
    }
    assert strange == {}
    assert len(used) >= 5


def test_pages_are_of_the_size_and_number_promised(pdfs: dict[str, Pdf], plan: Plan) -> None:
    wrong = {}
    for job in plan.jobs:
        if job.format != "pdf":
            continue
        pages: int | None = None
        size = PAPERS[job.paper].turned("portrait") if job.paper else (63, 88)
        if job.kind == "sheet":
            size = PAPERS[job.paper].turned(job.data.orientation)
            assert len(job.data.sides) <= 2
            # The units of a large army stand on a page of their own.
            own_page = len(pdfs[job.path].sizes) > len(job.data.sides)
            pages = len(job.data.sides) + (own_page and bool(job.data.units))
        elif job.kind == "cards":
            form = CARD_FORMATS[job.variant]
            pages = -(-len(job.data.cards) // (form.across * form.down))
        elif job.kind == "cover":
            # Front and back, and between them the spine of the book's own leaves.
            book = pdfs[job.path.replace("-cover.pdf", ".pdf")]
            spine = spine_width(len(book.sizes), job.data.press.leaf_mm)
            size, pages = (round(2 * size[0] + spine, 1), size[1]), 1
        elif job.variant == "short":
            pages = 1
        found = {(round(width, 1), round(height, 1)) for width, height in pdfs[job.path].sizes}
        number = len(pdfs[job.path].sizes)
        if found != {size} or pages not in (None, number):
            wrong[job.path] = (found, size, number, pages)

    assert wrong == {}


def test_formats_of_cards_hold_nine_four_and_one() -> None:
    found = {key: (f.across * f.down, f.width_mm, f.height_mm) for key, f in CARD_FORMATS.items()}

    assert found == {"9-up": (9, 63, 88), "4-up": (4, 89, 127), "single": (1, 63, 88)}


def test_no_text_is_too_small_to_read(pdfs: dict[str, Pdf]) -> None:
    small = set()
    for name, pdf in pdfs.items():
        least = 7.0
        for pieces in pdf.pages:
            for piece in pieces:
                words = piece.text.strip()
                unseen = piece.size == UNSEEN_PT
                mark = re.fullmatch(r"[0-9\s]+|[a-z\s]{1,3}", words) and piece.size >= MARK_PT
                if words and piece.size < least and not unseen and not mark:
                    small.add((name, piece.size, words))

    assert small == set()


def test_only_words_for_listeners_are_unseen(pdfs: dict[str, Pdf]) -> None:
    unseen = {
        piece.text.strip()
        for pdf in pdfs.values()
        for pieces in pdf.pages
        for piece in pieces
        if piece.size <= UNSEEN_PT
    }

    words = {text for text in unseen if not text.endswith((": unit cards", ": tokens"))}
    assert "to fill in" in words
    assert words <= {"to fill in", "auszufüllen"}


def test_no_text_leaves_its_page(pdfs: dict[str, Pdf]) -> None:
    out = []
    for name, pdf in pdfs.items():
        for (width, height), pieces in zip(pdf.sizes, pdf.pages, strict=True):
            for piece in pieces:
                across = piece.left >= 0 and piece.right <= width * MM
                down = piece.baseline >= 0 and piece.baseline + piece.size * 0.7 <= height * MM
                seen = piece.text.strip() and piece.size > UNSEEN_PT
                if seen and not (across and down):
                    out.append((name, piece))

    assert out == []


def has_running_head(name: str, page: int) -> bool:
    """Return whether a page has a running head: in a book, and where a roster goes on."""
    return "rulebook" in name or ("/roster" in name and page > 0)


def test_all_text_but_running_head_and_foot_is_tagged(pdfs: dict[str, Pdf]) -> None:
    lost = []
    for name, pdf in read_by_people(pdfs).items():
        tagged = {(piece.page, piece.mcid) for piece in pdf.tags.all_pieces()}
        drawn = [piece for pieces in pdf.pages for piece in pieces if piece.mcid >= 0]
        lost += [
            (name, piece)
            for piece in drawn
            if (piece.page, piece.mcid) not in tagged
            and FOOT_MM * MM
            < piece.baseline
            < (pdf.sizes[piece.page][1] - HEAD_MM * has_running_head(name, piece.page)) * MM
        ]

    assert lost == []


def test_sheets_read_in_turn_order(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for job in plan.jobs:
        if job.kind != "sheet" or job.format != "pdf":
            continue
        tags = pdfs[job.path].tags
        heads = [squeezed(tag.text) for tag in tags.find("H3")]
        titles = [squeezed(block.title) for side in job.data.sides for block in side.blocks]
        # The last piece is of the title; the number at its right floats, and is drawn later.
        places = [tag.all_pieces()[-1] for tag in tags.find("H3")]
        drawn = [pdfs[job.path].pages[place.page].index(place) for place in places]

        assert len(heads) == len(titles), job.path
        # A main or wide table stands on top of its columns; others are in the order of the file.
        blocks = [block for side in job.data.sides for block in side.blocks]
        mains = {squeezed(block.title) for block in blocks if block.wide}
        heads = [re.sub(r"^\d+\.\d+", "", head) for head in heads]
        heads = [head for head in heads if not any(head.startswith(main) for main in mains)]
        titles = [title for title in titles if not any(title.startswith(main) for main in mains)]
        for head, title in zip(heads, titles, strict=True):
            assert head.startswith(title), job.path
        for number in range(len(job.data.sides)):
            own = [at for at, place in zip(drawn, places, strict=True) if place.page == number]
            assert own == sorted(own), job.path


def single_cards(pdfs: dict[str, Pdf], plan: Plan) -> Iterator[tuple[Pdf, int, Card]]:
    """Yield each card that has a page of its own, with its file and page."""
    for job in plan.jobs:
        if job.kind == "cards" and job.format == "pdf" and job.variant == "single":
            for number, card in enumerate(job.data.cards):
                yield pdfs[job.path], number, card


def test_key_figures_of_cards_are_large(pdfs: dict[str, Pdf], plan: Plan) -> None:
    small = []
    seen = 0
    for pdf, number, card in single_cards(pdfs, plan):
        large = squeezed("".join(p.text for p in pdf.pages[number] if p.size >= KEY_FIGURE_PT))
        for figure in card.figures:
            if figure.value.kind not in {"text", "blank"}:
                seen += 1
                shown = figure.value.text.split(NARROW_SPACE)[0]
                if squeezed(shown) not in large:
                    small.append((card.army, card.title, figure.label, figure.value.text))

    assert small == []
    assert seen


def test_symbols_of_cards_are_large(pdfs: dict[str, Pdf], plan: Plan) -> None:
    """A symbol is drawn in a square of its own, the first that is as high as wide."""
    small = []
    for pdf, number, card in single_cards(pdfs, plan):
        squares = [high for _, high, wide in pdf.areas(number) if abs(high - wide) < 0.01]
        if card.symbol and max(squares, default=0) < SYMBOL_MM:
            small.append((card.army, card.title))

    assert small == []


def test_no_card_is_more_than_a_quarter_empty(pdfs: dict[str, Pdf], plan: Plan) -> None:
    empty = []
    for pdf, number, card in single_cards(pdfs, plan):
        height = pdf.sizes[number][1]
        taken = [(top, top + high) for top, high, _ in pdf.areas(number) if high < height * 0.7]
        taken += [
            (height - (p.baseline + p.size) / MM, height - p.baseline / MM)
            for p in pdf.pages[number]
            if p.text.strip()
        ]
        end, gaps = 0.0, [0.0]
        for top, low in sorted([*taken, (height, height)]):
            gaps.append(top - end)
            end = max(end, low)
        if max(gaps) > height / 4:
            empty.append((card.army, card.title, round(max(gaps))))

    assert empty == []


def test_cards_read_in_order(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for job in plan.jobs:
        if job.kind == "cards" and job.format == "pdf":
            heads = [squeezed(tag.text) for tag in pdfs[job.path].tags.find("H2")]

            assert heads == [squeezed(card.title) for card in job.data.cards], job.path


def test_rosters_name_every_entry_in_order(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for job in plan.jobs:
        if job.kind != "roster" or job.format != "pdf":
            continue
        text = squeezed(pdfs[job.path].tags.text)
        at = 0
        for section in job.data.sections:
            for entry in section.entries:
                if entry.kind == "group" and job.variant != "full":
                    # Short forms name those that have a leader.
                    continue
                # Only the full form keeps equal units apart, in the order of the file.
                at = text.find(squeezed(entry.name), at if job.variant == "full" else 0)

                assert at >= 0, (job.path, entry.name)


def numbers_of_columns(pdf: Pdf) -> dict[tuple[int, float], list[tuple[int, ...]]]:
    """Return the numbers of the book at the heads of blocks, down each column of each page.

    The heads of blocks of a column begin at about one place.
    """
    heads = [
        [piece for piece in tag.all_pieces() if piece.text.strip()] for tag in pdf.tags.find("H3")
    ]
    columns: dict[tuple[int, float], list[tuple[int, ...]]] = {}
    for head in sorted(filter(None, heads), key=lambda head: -head[0].baseline):
        page, left = head[0].page, min(piece.left for piece in head)
        near = [key for key in columns if key[0] == page and abs(key[1] - left) < 8 * MM]
        column = columns.setdefault(near[0] if near else (page, left), [])
        number = next((p.text for p in head if re.fullmatch(r"\d+\.\d+", p.text.strip())), "")
        if number:
            column.append(tuple(map(int, number.split("."))))
    return columns


def test_numbers_of_the_book_rise_down_each_column_of_a_sheet(
    pdfs: dict[str, Pdf], plan: Plan
) -> None:
    columns = {
        (job.path, *place): numbers
        for job in plan.jobs
        if (job.kind, job.format) == ("sheet", "pdf")
        for place, numbers in numbers_of_columns(pdfs[job.path]).items()
    }

    assert sum(len(numbers) > 1 for numbers in columns.values()) >= 3
    assert {place: each for place, each in columns.items() if each != sorted(each)} == {}


@pytest.mark.parametrize("variant", ["short", "tournament"])
def test_short_roster_and_that_of_a_tournament_are_one_page(
    pdfs: dict[str, Pdf], plan: Plan, variant: str
) -> None:
    pages = {
        job.path: len(pdfs[job.path].pages)
        for job in plan.jobs
        if (job.kind, job.format, job.variant) == ("roster", "pdf", variant)
    }

    assert len(pages) == len(plan.armies)
    assert set(pages.values()) == {1}


def lone_units(pdf: Pdf) -> list[str]:
    """Return the units that stand alone on a page, below a head, since their table broke.

    The part of a table that is on another page has a tag of its own, and no title before it.
    """
    lone, titled = [], False
    for tag in pdf.tags.walk():
        if tag.sort in {"H1", "H2", "H3"}:
            titled = True
        elif tag.sort == "Table":
            rows = list(unit_rows(tag))
            if not titled and len(rows) == 1:
                lone.append(rows[0].text)
            titled = False
    return lone


def test_no_unit_stands_alone_on_the_next_page(pdfs: dict[str, Pdf], plan: Plan) -> None:
    full = ("roster", "pdf", "full")
    rosters = [job.path for job in plan.jobs if (job.kind, job.format, job.variant) == full]

    assert {path: lone for path in rosters if (lone := lone_units(pdfs[path]))} == {}
    assert rosters


def test_no_page_of_a_roster_ends_with_a_head(pdfs: dict[str, Pdf], plan: Plan) -> None:
    breaks = 0
    for job in plan.jobs:
        if job.kind != "roster" or job.format != "pdf":
            continue
        pdf = pdfs[job.path]
        heads = heads_of(pdf, job.data)
        for pieces in pdf.pages[:-1]:
            breaks += 1
            foot = min(piece.baseline for piece in pieces if piece.mcid >= 0)
            last = {(piece.page, piece.mcid) for piece in pieces if piece.baseline == foot}

            assert not last & heads, job.path

    assert breaks


def heads_of(pdf: Pdf, roster: Roster) -> set[tuple[int, int]]:
    """Return the pieces of headings, of heads of tables, and of the rows of leaders and groups."""
    names = tuple(
        squeezed(entry.name)
        for section in roster.sections
        for entry in section.entries
        if entry.kind in {"leader", "group"}
    )
    rows = [
        row
        for row in pdf.tags.find("TR")
        if not any(cell.sort == "TH" for cell in row.below) and squeezed(row.text).startswith(names)
    ]
    held = [*pdf.tags.find("H2", "THead"), *rows]
    return {(piece.page, piece.mcid) for each in held for piece in each.all_pieces()}


def test_rosters_have_boxes_for_losses_and_signed_ones_have_lines(
    pdfs: dict[str, Pdf], plan: Plan
) -> None:
    for job in plan.jobs:
        if (job.kind, job.format) != ("roster", "pdf"):
            continue
        text = pdfs[job.path].tags.text
        signed = job.variant == "tournament"

        assert ("Signed: organiser" in text) == signed, job.path
        assert (job.data.losses in text) != signed, job.path


def test_illegal_armies_say_so_on_every_roster(pdfs: dict[str, Pdf], plan: Plan) -> None:
    rosters = [job for job in plan.jobs if job.kind == "roster" and job.format == "pdf"]
    said = {job.path: "Not legal" in pdfs[job.path].tags.text for job in rosters}

    assert said == {job.path: not job.data.legal for job in rosters}
    assert True in said.values()


def rows(table: Tag) -> list[list[Tag]]:
    return [tr.below for tr in table.find("TR")]


def test_every_cell_knows_the_heads_of_its_row_and_column(pdfs: dict[str, Pdf]) -> None:
    wrong = []
    seen = 0
    for name, pdf in pdfs.items():
        for table in pdf.tags.find("Table"):
            heads = [row for part in table.find("THead") for row in rows(part)]
            for row in rows(table):
                own = [cell.id for cell in row if cell.sort == "TH"] if row not in heads else []
                place = 0
                for cell in row:
                    spanned = slice(place, place + cell.columns)
                    place += cell.columns
                    above = [
                        each.id
                        for head in heads
                        for each in head[spanned]
                        if row not in heads and each.sort == "TH"
                    ]
                    if cell.sort == "TD":
                        seen += 1
                        if set(cell.headers or ()) != {*own, *above}:
                            wrong.append((name, cell.text, cell.headers, own, above))

    assert wrong == []
    assert seen > 1000


@pytest.mark.parametrize("ending", ["", "-letter"])
def test_kill_table_maps_its_cells_by_value(ending: str, pdfs: dict[str, Pdf]) -> None:
    tags = pdfs[f"slaughterloo/quick-reference{ending}.pdf"].tags
    section = next(tag for tag in tags.find("Sect") if "Kill Table" in tag.find("H3")[0].text)
    (table,) = section.find("Table")
    named = {tag.id: tag.text for tag in table.find("TH")}
    cells = [tag for tag in table.find("TD") if tag.text == "16"]

    (cell,) = cells
    assert [named[each] for each in cell.headers or ()] == ["29–30", "11+"]
    heads = [squeezed(tag.text) for tag in table.find("THead")[0].find("TH")]
    # A head may have a footnote's mark behind it.
    for head, wanted in zip(heads, KILL_TABLE_HEADS, strict=True):
        assert head.startswith(squeezed(wanted))
    body = table.find("TBody")[0]
    assert len(body.find("TD")) == 15 * len(KILL_TABLE_HEADS)
