"""Tests of every shipped rulebook: order, page numbers, links, lines, themes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import hypot
from typing import Any

import pytest
from pypdf.generic import ContentStream

from muster.building.plan import Plan
from muster.documents.passages import BookTable, table_anchor
from muster.documents.rulebook import Rulebook
from muster.languages import say, speaking
from muster.rendering.book_index import index_sets
from muster.rendering.page_plan import DEEPEST_MM
from muster.rendering.paper import PAPERS, PT_PER_MM
from muster.rendering.rulebook_pages import layout_of
from tests.pages.printed import MM, Pdf, Piece, Tag

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("books")]

HEADS = ("H1", "H2", "H3", "H4")
LEAST_NOTE_PT = 8.5
FEWEST, MOST = 8, 100
"""Pages that a rulebook may sensibly have: in large print it has twice as many as usual."""

LARGE_PT, LARGE_FIGURE_MM = 16, 8
LARGEST_HOLE = 1 / 6
"""The share of a page that may be blank at its foot."""
LARGEST_NEEDED_HOLE, MOST_NEEDED_HOLES = 0.3, 4
"""The share that may be blank where what comes next stays whole, and how many such pages a book may
have."""
LEAST_OPENING = 0.085
"""The share of a page, from its title down, that a chapter fills at least on its first page."""
LARGEST_FRONT = 0.25
"""The share that may be blank of a page of contents or of questions."""
FEWEST_LINES = 12
"""Lines of text on a page that is filled up with lines to write on."""
LONG = 0.6
"""The share of a page above which a table is long, from its first line to its last."""
FEWEST_ROWS = 3
"""Rows of a long table that stand on each of its pages at least."""
TOLERANCE_MM = 0.3
COLUMN = 60
"""The least distance between the columns of an index, in points; terms are indented by less."""

SHORTEST_STEM = 4
SHORTEST_FIRST_LINE = 0.4
"""The least part of its second line that the first line of a paragraph is long."""
LABEL_CHARS = 25
SAME_LINE_PT = 5
"""Pieces nearer than this to each other's baseline stand in one line."""

Books = dict[str, tuple[Pdf, Rulebook]]


@pytest.fixture(scope="module")
def books(pdfs: dict[str, Pdf], plan: Plan) -> Books:
    """Every printed rulebook, with what it was printed from."""
    return {
        job.path: (pdfs[job.path], job.data)
        for job in plan.jobs
        if job.kind == "rulebook" and job.format == "pdf"
    }


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text.replace("*", ""))


def columns(lines: list[list[Piece]]) -> Iterator[list[list[Piece]]]:
    """Yield the lines of a paragraph by page, and by column where its page has two."""
    found: list[list[Piece]] = []
    for line in lines:
        last = found[-1][0] if found else None
        if last and (last.page != line[0].page or last.baseline < line[0].baseline):
            yield found
            found = []
        found.append(line)
    yield found


def lines(tag: Tag) -> list[list[Piece]]:
    """Return an element's pieces by line, page by page."""
    found: list[list[Piece]] = []
    for piece in tag.all_pieces():
        if not piece.text.strip():
            continue
        last = found[-1][-1] if found else None
        same = last and last.page == piece.page
        if last and same and abs(last.baseline - piece.baseline) < SAME_LINE_PT:
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def test_there_are_two_editions_of_every_system(books: Books) -> None:
    by_system: dict[str, int] = {}
    for _, book in books.values():
        by_system[book.system] = by_system.get(book.system, 0) + 1

    assert min(by_system.values()) >= 2


def test_books_have_their_paper_and_a_sensible_number_of_pages(books: Books) -> None:
    for name, (pdf, book) in books.items():
        paper = PAPERS[book.paper]

        assert FEWEST <= len(pdf.sizes) <= MOST, name
        for width, height in pdf.sizes:
            assert (width, height) == pytest.approx((paper.width_mm, paper.height_mm), abs=0.1), (
                name
            )


def expected_heads(book: Rulebook, *, colophon_first: bool) -> Iterator[tuple[str, str]]:
    yield "H1", book.title
    yield "H2", say("Contents")
    if book.tables:
        yield "H2", say("Tables and figures")
    if book.questions:
        yield "H2", say("Settle before you play")
        for group in book.questions:
            yield "H3", f"{group.number}{group.title}"
    for chapter in book.chapters:
        yield "H2", chapter.title
        for heading in chapter.headings:
            yield f"H{heading.level + 1}", heading.title
    if book.glossary:
        yield "H2", say("Glossary")
    last = [say("Index")] * bool(book.index) + [say("Colophon")]
    for title in reversed(last) if colophon_first else last:
        yield "H2", title


def test_headings_come_in_the_order_of_the_book(books: Books) -> None:
    for name, (pdf, book) in books.items():
        found = [(tag.sort, squeezed(tag.text)) for tag in pdf.tags.find(*HEADS)]

        with speaking(book.language):
            # The colophon stands before the index where it would be alone on the last page.
            colophon_first = found[-1] != ("H2", squeezed(say("Colophon")))
            heads = expected_heads(book, colophon_first=colophon_first)
            expected = [(sort, squeezed(text)) for sort, text in heads]
        assert found == expected, name


def test_bookmarks_name_chapters_and_their_sections(books: Books) -> None:
    for name, (pdf, book) in books.items():
        chapters = [squeezed(chapter.title) for chapter in book.chapters]
        top = [
            squeezed(str(each.title)) for each in pdf.reader.outline if not isinstance(each, list)
        ]

        assert [title for title in top if title in chapters] == chapters, name


def links(pdf: Pdf) -> Iterator[str]:
    for page in pdf.reader.pages:
        held: Any = page.get("/Annots", [])
        for each in held:
            yield str(each.get_object()["/Dest"])


def test_every_link_leads_somewhere(books: Books) -> None:
    for name, (pdf, _) in books.items():
        there = set(pdf.reader.named_destinations)
        asked = set(links(pdf))

        assert asked - there == set(), name
        assert len(asked) > 20, name


def page_of(pdf: Pdf, place: str) -> int:
    found = pdf.reader.named_destinations[place]
    number = pdf.reader.get_destination_page_number(found)
    assert number is not None
    return number + 1


def trailing_number(tag: Tag) -> int:
    # The dots that lead to it are drawn after it.
    found = re.search(r"(\d+)[ .]*$", tag.text)
    assert found, tag.text
    return int(found[1])


def test_contents_give_the_pages_of_chapters_and_tables(books: Books) -> None:
    for name, (pdf, book) in books.items():
        with_sections = book.paper in {"a4", "letter"} and book.theme != "large-print"
        places = ["changes"] * bool(book.changes) + ["settle"] * bool(book.questions)
        for chapter in book.chapters:
            places.append(chapter.anchor)
            places += [h.anchor for h in chapter.headings if h.level == 2 and with_sections]
        places += [f"book-{each.id}" for each in book.army_books]
        places += ["glossary"] * bool(book.glossary) + ["index"] * bool(book.index)
        places += [f"t-{table.view.id}" for table in book.tables]
        told = [trailing_number(item) for item in pdf.tags.find("LI")[: len(places)]]

        assert told == [page_of(pdf, place) for place in places], name


def test_index_names_the_pages_of_what_it_mentions(books: Books) -> None:
    for name, (pdf, book) in books.items():
        text = squeezed(pdf.tags.text)
        with speaking(book.language):
            head = say("Index")
        text = text[text.rfind(f"{head}{book.index[0].letter}{squeezed(book.index[0].term)}") :]
        lines = [line for entry in book.index for line in (entry, *entry.below)]
        anchors = {place.anchor for line in lines for place in line.places}
        for each in index_sets(book.index, {anchor: page_of(pdf, anchor) for anchor in anchors}):
            for line in (each.entry, *each.below):
                wanted = "".join([line.term, *(f", {run.text}" for run in line.runs)])

                assert squeezed(wanted) in text, (name, line.term)


def shown_on(pdf: Pdf) -> list[str]:
    """Return the text of each page, in lower case and without spaces."""
    return [squeezed("".join(p.text for p in page)).casefold() for page in pdf.pages]


def stems(text: str) -> list[str]:
    """Return the beginnings of the longer words of a term: forms of a word differ at their end."""
    words = re.findall(rf"[^\W\d_]{{{SHORTEST_STEM},}}", text.casefold())
    return [word[: max(SHORTEST_STEM, len(word) - 3)].removesuffix("s") for word in words]


def words_before_marks(book: Rulebook) -> dict[str, str]:
    """Return the word that each mark of the index stands behind, by the mark's anchor."""
    words = {}
    for chapter in book.chapters:
        for number, piece in enumerate(chapter.pieces):
            if piece.kind == "mark":
                before = re.search(rf"(\w+)(?:\{{\d+\}})*\{{{number}\}}", chapter.text)
                words[piece.target] = before[1].casefold() if before else ""
    return words


def test_index_leads_to_the_page_that_shows_a_term_or_its_table(books: Books) -> None:
    """A term may stand for other words; but where a paragraph says it, its page shows it.

    A row that an entry leads to is shown there, also if its table goes on overleaf.
    """
    missing, shown, rows = [], 0, 0
    for name, (pdf, book) in books.items():
        pages, words = shown_on(pdf), words_before_marks(book)
        titles = {table_anchor(table.view.id): table.view.title for table in book.tables}
        lines = [line for table in book.tables for line in table.view.lines]
        titles |= {line.anchor: line.label.split()[0] for line in lines if line.anchor}
        rows += sum(bool(line.anchor) for line in lines)
        for entry in book.index:
            for each in (entry, *entry.below):
                stem = (stems(each.term) or [""])[0]
                for place in each.places:
                    word = words.get(place.anchor, "")
                    wanted = stem if stem and word.startswith(stem) else ""
                    wanted = squeezed(titles.get(place.anchor, wanted)).casefold()
                    shown += bool(wanted)
                    if wanted not in pages[page_of(pdf, place.anchor) - 1]:
                        missing.append((name, entry.term, each.term, wanted))

    assert missing == []
    assert shown > 200 * len(books)
    assert rows > 20 * len(books)


def test_no_page_ends_with_a_heading(books: Books) -> None:
    ends = []
    for name, (pdf, _) in books.items():
        heads = {
            (piece.page, piece.mcid) for tag in pdf.tags.find(*HEADS) for piece in tag.all_pieces()
        }
        for number in range(1, len(pdf.pages)):
            pieces = pdf.body(number)
            last = min(pieces, key=lambda piece: piece.baseline, default=None)
            if last is not None and (last.page, last.mcid) in heads:
                ends.append((name, number + 1, last.text))

    assert ends == []


def test_no_page_ends_with_one_line_below_a_heading(books: Books) -> None:
    ends = []
    for name, (pdf, book) in books.items():
        # A question of one line has a line to write on below it.
        asked = {squeezed(f"{group.number}{group.title}") for group in book.questions}
        heads = {
            (piece.page, piece.mcid)
            for tag in pdf.tags.find(*HEADS)
            if tag.sort != "H3" or squeezed(tag.text) not in asked
            for piece in tag.all_pieces()
        }
        for number in range(1, len(pdf.pages) - 1):
            levels = sorted({round(piece.baseline) for piece in pdf.body(number)})
            above = [p for p in pdf.body(number) if levels[1:2] == [round(p.baseline)]]
            if len(levels) > 1 and any((p.page, p.mcid) in heads for p in above):
                ends.append((name, number + 1, above[0].text))

    assert ends == []


def paragraphs(pdf: Pdf) -> Iterator[list[list[Piece]]]:
    for tag in pdf.tags.find("P"):
        if (found := lines(tag)) and "Serif" in found[0][0].font:
            yield found


FIRST_GAME = "first-game"


def test_a_first_game_takes_two_pages_of_its_own(books: Books) -> None:
    pages = {}
    for name, (pdf, book) in books.items():
        if not name.endswith("/rulebook.pdf"):
            continue
        chapters = [chapter.id for chapter in book.chapters]
        following = book.chapters[chapters.index(FIRST_GAME) + 1]
        first = page_of(pdf, book.chapters[chapters.index(FIRST_GAME)].anchor)
        head = pdf.body(first - 1)[0]
        after = page_of(pdf, following.anchor)
        begins_page = squeezed(pdf.body(after - 1)[0].text) == str(following.number)
        pages[name] = (head.text.strip(), after - first + (not begins_page))

    assert len(pages) > 1
    assert {count for _, count in pages.values()} == {2}, pages
    assert all(head.isdigit() for head, _ in pages.values()), pages


def test_a_first_game_is_seen_at_once_behind_a_page_with_text(books: Books) -> None:
    games = {
        name: (page_of(pdf, chapter.anchor), pdf)
        for name, (pdf, book) in books.items()
        for chapter in book.chapters
        if chapter.id == FIRST_GAME and name.endswith("/rulebook.pdf")
    }

    assert len(games) > 1
    # Even pages are on the left.
    assert {name: page for name, (page, _) in games.items() if page % 2} == {}
    for name, (page, pdf) in games.items():
        lines = {round(piece.baseline) for piece in pdf.body(page - 2) if piece.text.strip()}
        assert len(lines) >= FEWEST_LINES, name


def pages_before_chapters(pdf: Pdf, book: Rulebook) -> int:
    return page_of(pdf, book.chapters[0].anchor) - 1


def kept_whole(pdf: Pdf) -> set[tuple[int, int]]:
    """Return what stands in tables, figures and examples, and headings, by page and mark."""
    boxes = [tag for tag in pdf.tags.find("Div") if {each.sort for each in tag.below} == {"P"}]
    tags = [*sections_of_tables(pdf), *boxes, *pdf.tags.find(*HEADS)]
    return {(piece.page, piece.mcid) for tag in tags for piece in tag.all_pieces()}


def test_no_page_of_a_chapter_has_a_hole(books: Books) -> None:
    """Only the page before the chapters may have one, and that before the colophon.

    A few may be a little larger where what comes next stays whole, for that matters more.
    """
    holes = []
    for name, (pdf, book) in books.items():
        begun = {page_of(pdf, chapter.anchor) for chapter in book.chapters}
        wanted = begun if book.chapter_start == "new-page" else set()
        last = page_of(pdf, "colophon") - 1
        kept, tolerated = kept_whole(pdf), 0
        for number, share in enumerate(pdf.blank_shares(), 1):
            inside = pages_before_chapters(pdf, book) < number < last
            if inside and share > LARGEST_HOLE and number + 1 not in wanted:
                top = max(pdf.body(number), key=lambda piece: piece.baseline)
                is_needed = (top.page, top.mcid) in kept and share <= LARGEST_NEEDED_HOLE
                tolerated += is_needed
                if not is_needed or tolerated > MOST_NEEDED_HOLES:
                    holes.append((name, number, round(share, 3)))

    assert holes == []


def test_no_chapter_opens_at_the_foot_of_a_page(books: Books) -> None:
    low = []
    for name, (pdf, book) in books.items():
        chapters = [page_of(pdf, chapter.anchor) for chapter in book.chapters]
        spreads = {p for p, each in zip(chapters, book.chapters, strict=True) if each.spread}
        heads = {tag.all_pieces()[0].page: tag.all_pieces()[0] for tag in pdf.tags.find("H2")}
        for page, head in heads.items():
            inside = pages_before_chapters(pdf, book) <= page < page_of(pdf, "colophon") - 1
            if inside and page + 2 not in spreads:
                foot = min(piece.baseline for piece in pdf.body(page))
                share = (head.baseline + head.size - foot) / (pdf.sizes[page][1] * MM)
                low += [(name, page + 1, head.text, round(share, 3))] * (share < LEAST_OPENING)

    assert low == []


def test_no_page_before_the_chapters_is_blank_for_more_than_a_quarter(books: Books) -> None:
    empty = []
    for name, (pdf, book) in books.items():
        shares = pdf.blank_shares()[1 : pages_before_chapters(pdf, book)]
        empty += [(name, n, share) for n, share in enumerate(shares, 2) if share > LARGEST_FRONT]

    assert empty == []


def test_print_house_pages_come_in_fours_and_chapters_begin_on_the_right(books: Books) -> None:
    pressed = [(pdf, book) for pdf, book in books.values() if book.press.page_multiple > 1]

    assert pressed
    for pdf, book in pressed:
        assert len(pdf.sizes) % book.press.page_multiple == 0
        assert page_of(pdf, book.chapters[0].anchor) % 2 == 1


def test_running_heads_name_the_chapter_that_opens_on_the_page(books: Books) -> None:
    """The colophon, a few lines below other pages, does not count as a chapter."""
    wrong = []
    for name, (pdf, book) in books.items():
        with speaking(book.language):
            colophon = squeezed(say("Colophon"))
        heads = [(tag.all_pieces()[0].page, squeezed(tag.text)) for tag in pdf.tags.find("H2")]
        heads = [each for each in heads if each[1] != colophon]
        tagged = {(piece.page, piece.mcid) for piece in pdf.tags.all_pieces()}
        # The title of the tables' list and all before it stand on pages without heads.
        for number in range(heads[0][0] + 1, len(pdf.pages)):
            loose = [p for p in pdf.pages[number] if (p.page, p.mcid) not in tagged]
            running = squeezed("".join(p.text for p in loose))
            opened = [title for page, title in heads if page == number]
            before = [title for page, title in heads if page < number]
            expected = re.sub(r"^\d+", "", (opened or before[-1:])[0])
            if running.rstrip("0123456789") and expected not in running:
                wrong.append((name, number + 1, running, expected))

    assert wrong == []


def printed_lines(pdf: Pdf, number: int) -> list[str]:
    """Return the text of each line of a page, without spaces, from left to right."""
    lines: dict[float, list[Piece]] = {}
    for piece in pdf.body(number):
        lines.setdefault(round(piece.baseline), []).append(piece)
    ordered = (sorted(line, key=lambda piece: piece.left) for line in lines.values())
    return [squeezed("".join(piece.text for piece in line)) for line in ordered]


def test_heads_of_groups_in_tables_have_a_line_of_their_own(books: Books) -> None:
    inline, groups = [], 0
    for name, (pdf, book) in books.items():
        lines = [line for number in range(len(pdf.pages)) for line in printed_lines(pdf, number)]
        for table in book.tables:
            for row in table.view.lines:
                groups += bool(row.group)
                together = squeezed(f"{row.group}{row.label}")
                if row.group and any(line.startswith(together) for line in lines):
                    inline.append((name, table.view.id, row.group))

    assert inline == []
    assert groups


def test_no_page_ends_with_the_head_of_a_group(books: Books) -> None:
    ends = []
    for name, (pdf, book) in books.items():
        groups = {squeezed(row.group) for table in book.tables for row in table.view.lines}
        for number in range(len(pdf.pages)):
            lowest = min(pdf.body(number), key=lambda piece: piece.baseline, default=None)
            if lowest is not None and squeezed(lowest.text) in groups - {""}:
                ends.append((name, number + 1, lowest.text))

    assert ends == []


def test_list_of_tables_has_pages_of_its_own_after_the_contents(books: Books) -> None:
    for name, (pdf, book) in books.items():
        with speaking(book.language):
            first, second = (
                next(tag for tag in pdf.tags.find("H2") if tag.text == say(title))
                for title in ("Contents", "Tables and figures")
            )
        contents, tables = first.all_pieces()[0], second.all_pieces()[0]
        body = pdf.body(tables.page)

        assert contents.page < tables.page, name
        assert max(piece.baseline for piece in body) == tables.baseline, name


def test_index_breaks_by_letter(books: Books) -> None:
    for name, (pdf, book) in books.items():
        first = page_of(pdf, "index") - 1
        alone = {
            p.text.strip() for number in range(first, len(pdf.pages)) for p in pdf.body(number)
        }

        assert {entry.letter for entry in book.index} <= alone, name


def test_questions_name_number_and_page_of_tables_with_boxes(books: Books) -> None:
    named = 0
    for name, (pdf, book) in books.items():
        text = squeezed(pdf.tags.text)
        with speaking(book.language):
            page = say("page")
        for group in book.questions:
            for table in (each for question in group.questions for each in question.tables):
                if table.anchor:
                    named += 1
                    wanted = f"{table.text}, {page} {page_of(pdf, table.anchor)}"
                    assert squeezed(wanted) in text, (name, table.text)

    assert named


def test_no_line_of_a_paragraph_stands_alone_on_its_page(books: Books) -> None:
    alone = []
    for name, (pdf, _) in books.items():
        for paragraph in paragraphs(pdf):
            pages = [line[0].page for line in paragraph]
            if len(set(pages)) > 1:
                alone += [
                    (name, page + 1, paragraph[0][0].text)
                    for page in set(pages)
                    if pages.count(page) < 2
                ]

    assert alone == []


def test_no_line_breaks_before_it_is_full(books: Books) -> None:
    early = []
    for name, (pdf, _) in books.items():
        for paragraph in paragraphs(pdf):
            for column in columns(paragraph):
                widest = max(line[-1].right for line in column)
                early += [
                    (name, line[0].page + 1, line[0].text)
                    for line in column[:-1]
                    if line[-1].right < line[0].left + (widest - line[0].left) * 0.6
                ]

    assert early == []


def test_first_line_of_a_paragraph_is_no_stub_above_a_full_one(books: Books) -> None:
    """Notes, questions and captions too; a number or a head above them has type of its own."""
    stubs = []
    for name, (pdf, _) in books.items():
        for tag in pdf.tags.find("P"):
            found = lines(tag)
            if len(found) < 2 or found[1][0].baseline > found[0][0].baseline:
                continue
            first, second = found[:2]
            left, right = first[0].left, second[-1].right
            is_stub = first[-1].right < left + (right - left) * SHORTEST_FIRST_LINE
            # A head above its lines differs in font, or they begin with a short bold label.
            one_text = first[-1].font == second[0].font and len(second[0].text) > LABEL_CHARS
            if is_stub and one_text:
                stubs.append((name, first[0].page + 1, first[-1].text, second[0].text))

    assert stubs == []


def sections_of_tables(pdf: Pdf) -> list[Tag]:
    """Return the section of each table; one that goes on overleaf has another on each page."""
    inner = [tag for tag in pdf.tags.find("Sect") if len(tag.find("Sect")) == 1]
    return [tag for tag in inner if re.match(r"\d+\.\d+", tag.text)]


def height_on_page(tag: Tag) -> float:
    """Return the height of an element's text, from its first line to its last, in millimetres."""
    levels = [piece.baseline for piece in tag.all_pieces() if piece.text.strip()]
    return (max(levels) - min(levels)) / MM


def test_table_that_fits_on_a_page_stays_whole(books: Books) -> None:
    """A long one may go on overleaf, below its caption, with some rows on either page."""
    short, bare, few, whole = [], [], [], 0
    for name, (pdf, book) in books.items():
        layout = layout_of(book)
        page_mm = PAPERS[book.paper].height_mm - layout.top - layout.bottom
        sections = sections_of_tables(pdf)
        for table in book.tables:
            head = squeezed(f"{table.view.number}{table.view.title}")
            parts = [tag for tag in sections if squeezed(tag.text).startswith(head)]
            pages = [{piece.page for piece in tag.all_pieces()} for tag in parts]
            whole += len(parts) == 1
            place = (name, head, pages)
            assert parts, place
            assert all(len(each) == 1 for each in pages), place
            if len(parts) == 1:
                continue
            with speaking(book.language):
                continued = squeezed(f", {say('continued')}")
            if sum(map(height_on_page, parts)) < LONG * page_mm:
                short.append(place)
            bare += [place for tag in parts[1:] if continued not in squeezed(tag.text)]
            bare += [place] * (continued in squeezed(parts[0].text))
            labels = [squeezed(line.label) for line in table.view.lines]
            rows = [sum(each in squeezed(tag.text) for each in labels) for tag in parts]
            few += [(place, rows)] * (min(rows) < FEWEST_ROWS)

    assert short == []
    assert bare == []
    assert few == []
    assert whole > 25 * len(books)


def test_no_table_goes_on_overleaf_without_its_caption(books: Books) -> None:
    for name, (pdf, book) in books.items():
        titles = {chapter.title for chapter in book.chapters}
        inner = [tag for tag in pdf.tags.find("Sect") if len(tag.find("Sect")) == 1]
        own = {id(tag) for tag in sections_of_tables(pdf)}
        tables = [tag for tag in inner if tag.find("Table") and id(tag) not in own]

        # Units of army books and what changed are tables of their own.
        assert book.army_books or book.changes or not tables, (name, titles, tables[0].text)


def test_no_example_goes_on_overleaf(books: Books) -> None:
    examples = 0
    for name, (pdf, book) in books.items():
        written = sum(chapter.text.count("!!! example") for chapter in book.chapters)
        with speaking(book.language):
            begin = squeezed(say("Example:"))
        boxes = [tag for tag in pdf.tags.find("Div") if squeezed(tag.text).startswith(begin)]
        pages = [{piece.page for piece in tag.all_pieces()} for tag in boxes]
        examples += written

        assert len(boxes) == written, name
        assert all(len(each) == 1 for each in pages), name
        # What goes on of a box is a box of paragraphs that begins its page, as columns may be.
        spreads = [page_of(pdf, each.anchor) for each in book.chapters if each.spread]
        others = {page + n - 1 for page in spreads for n in range(3)}
        others |= {*range(page_of(pdf, "glossary") - 1, len(pdf.sizes))}
        for tag in pdf.tags.find("Div"):
            pieces = [piece for piece in tag.all_pieces() if piece.text.strip()]
            if (
                pieces
                and pieces[0].page not in others
                and {each.sort for each in tag.below} == {"P"}
                and "Serif" in pieces[0].font
            ):
                above = [p for p in pdf.body(pieces[0].page) if p.baseline > pieces[0].baseline + 1]
                assert above or squeezed(tag.text).startswith(begin), (name, tag.text)

    assert examples


def test_text_ends_within_the_text_area(books: Books) -> None:
    deep = []
    for name, (pdf, book) in books.items():
        lowest = min_bottom(book)
        for number in range(pages_before_chapters(pdf, book), len(pdf.sizes)):
            end = min(((p.baseline - p.size / 4) / MM for p in pdf.body(number)), default=lowest)
            deep += [(name, number + 1, round(end, 1))] * (end < lowest)

    assert deep == []


def min_bottom(book: Rulebook) -> float:
    """Return how near to the foot of a page its text may come, in millimetres."""
    return layout_of(book).bottom - DEEPEST_MM - TOLERANCE_MM


def test_columns_of_the_index_begin_level(books: Books) -> None:
    uneven = []
    for name, (pdf, book) in books.items():
        with speaking(book.language):
            head = next(tag for tag in pdf.tags.find("H2") if tag.text == say("Index"))
        title = head.all_pieces()[0]
        end = page_of(pdf, "colophon") - 1
        for number in range(title.page, len(pdf.sizes)):
            limit = title.baseline if number == title.page else 1e9
            body = [p for p in pdf.body(number) if p.baseline < limit]
            if number >= end and book.index:
                continue
            lefts = sorted({round(p.left) for p in body})
            starts = [left for n, left in enumerate(lefts) if not n or left - lefts[n - 1] > COLUMN]
            tops = [
                max(p.baseline for p in body if left - 1 <= p.left < following - 1)
                for left, following in pairwise([*starts, 1e9])
            ]
            uneven += [(name, number + 1, tops)] * (max(tops) - min(tops) > 1)

    assert uneven == []


def test_cover_has_no_running_head_and_no_number(books: Books) -> None:
    for name, (pdf, _) in books.items():
        tagged = {(piece.page, piece.mcid) for piece in pdf.tags.all_pieces()}
        loose = [p.text for p in pdf.pages[0] if p.text.strip() and (0, p.mcid) not in tagged]

        assert loose == [], name


def test_tables_have_the_same_numbers_on_sheet_and_in_book(plan: Plan, books: Books) -> None:
    sheets: dict[tuple[str, str], str] = {}
    for job in plan.jobs:
        if job.kind == "sheet":
            for side in job.data.sides:
                for block in side.blocks:
                    for view in block.views:
                        sheets[job.system, view.id] = view.number
    assert any(sheets.values())
    for name, (pdf, book) in books.items():
        text = squeezed(pdf.tags.text)
        for table in book.tables:
            number = table.view.number

            assert re.fullmatch(r"\d+\.\d+", number)
            # A sheet may leave numbers out.
            assert sheets.get((book.system, table.view.id)) in {None, "", number}
            assert squeezed(f"{number}{table.view.title}") in text, (name, table.view.id)


def test_sheet_prints_the_number_before_the_title(pdfs: dict[str, Pdf], plan: Plan) -> None:
    for job in plan.jobs:
        if job.kind == "sheet" and job.format == "pdf":
            heads = [squeezed(tag.text) for tag in pdfs[job.path].tags.find("H3", "H4")]
            for side in job.data.sides:
                for block in side.blocks:
                    title = block.title if len(block.views) == 1 else ""
                    for view in block.views:
                        wanted = squeezed(f"{view.number}{title or view.title}")

                        assert any(head.startswith(wanted) for head in heads), (job.path, wanted)


def test_large_print_is_large(books: Books) -> None:
    small = set()
    sizes = []
    for pdf, book in books.values():
        if book.theme != "large-print":
            continue
        for piece in (piece for pieces in pdf.pages for piece in pieces):
            words = piece.text.strip()
            if words and 1 < piece.size < LARGE_PT:
                small.add((piece.size, words))
        sizes += [line[0].size for paragraph in paragraphs(pdf) for line in paragraph]

    assert small == set()
    assert sizes
    assert sizes.count(17) > len(sizes) / 2


MUSKET = (0.31, 0.2), 0.8
"""Where the musket of a figure on foot begins, and the figure's length, in its own units."""


def lengths_on_foot(pdf: Pdf) -> list[float]:
    """Return the length of each figure on foot that is drawn, in mm."""
    lengths = []
    (begins, length) = MUSKET
    for page in pdf.reader.pages:
        scales, scale = [], 1.0
        for operands, operator in ContentStream(page.get_contents(), pdf.reader).operations:
            if operator == b"q":
                scales.append(scale)
            elif operator == b"Q":
                scale = scales.pop()
            elif operator == b"cm":
                scale *= hypot(float(operands[0]), float(operands[1]))
            elif operator == b"m" and tuple(map(float, operands)) == begins:
                lengths.append(scale * length / PT_PER_MM)
    return lengths


def test_figures_of_formations_are_large_in_large_print(books: Books) -> None:
    """Scenes are as wide as the page allows, and their figures as large as that makes them."""
    drawn = 0
    for pdf, book in books.values():
        if book.theme != "large-print":
            continue
        figures = [table.view.figure for table in book.tables if table.view.figure]
        ranks = [rank for each in figures for rank in each.ranks]
        ranks += [rank for each in figures for d, _ in each.drawings for rank in d.ranks]
        on_foot = sum(sign not in ".MmGL" for rank in ranks for sign in rank)
        drawn += on_foot
        assert sum(each >= LARGE_FIGURE_MM for each in lengths_on_foot(pdf)) >= on_foot

    assert drawn


COLOUR = re.compile(rb"(?<![\d.])(\d*\.?\d+) (\d*\.?\d+) (\d*\.?\d+) (?:rg|RG)\b")


def colours(pdf: Pdf) -> set[tuple[bytes, ...]]:
    found: set[tuple[bytes, ...]] = set()
    for page in pdf.reader.pages:
        content = page.get_contents()
        assert content is not None
        found |= set(COLOUR.findall(content.get_data()))
    return found


def grey(colour: tuple[bytes, ...]) -> bool:
    return len({round(float(part), 2) for part in colour}) == 1


def pure(colour: tuple[bytes, ...]) -> bool:
    return grey(colour) and float(colour[0]) in {0, 1}


@pytest.mark.parametrize(("theme", "kept"), [("monochrome", grey), ("high-contrast", pure)])
def test_theme_keeps_to_its_inks(
    theme: str, kept: Callable[[tuple[bytes, ...]], bool], books: Books
) -> None:
    themed = [pdf for pdf, book in books.values() if book.theme == theme]

    assert themed
    assert [colour for pdf in themed for colour in colours(pdf) if not kept(colour)] == []


def test_colour_is_seen(books: Books) -> None:
    coloured = [pdf for pdf, book in books.values() if book.theme == "colour"]

    assert all(any(not grey(colour) for colour in colours(pdf)) for pdf in coloured)


def notes(table: BookTable) -> list[str]:
    return [squeezed(note.text) for note in table.footnotes]


def test_footnotes_stand_under_their_table_and_in_the_appendix(books: Books) -> None:
    for name, (pdf, book) in books.items():
        text = squeezed(pdf.tags.text)
        for table in book.tables:
            for note in notes(table):
                assert note in text, (name, table.view.id)
        for doubt in book.doubts if book.chapters[-1].pieces else ():
            assert squeezed(doubt.printed) in text, (name, doubt.number)
            assert squeezed(doubt.reason) in text, (name, doubt.number)


def test_notes_of_tables_are_large_enough(books: Books) -> None:
    for name, (pdf, book) in books.items():
        printed = [squeezed(note) for table in book.tables for note in table.view.notes]
        printed += [note for table in book.tables for note in notes(table)]
        found = [tag for tag in pdf.tags.find("P") if any(n in squeezed(tag.text) for n in printed)]
        # The small numbers and letters of notes are signs, not text.
        words = [p for tag in found for p in tag.all_pieces() if len(p.text.strip()) > len("100")]

        assert len(words) > len(book.tables) / 4, name
        assert min(piece.size for piece in words) >= LEAST_NOTE_PT, name


def test_colophon_tells_date_credit_and_the_hash_of_the_content(books: Books) -> None:
    for name, (pdf, book) in books.items():
        text = squeezed(pdf.tags.text)

        for each in (book.date, book.credit, book.digest):
            assert squeezed(each) in text, name
        assert re.fullmatch(r"[0-9a-f]{16}", book.digest)


def overlaid(pdf: Pdf) -> list[tuple[int, str, str]]:
    """Return texts of one line that lie over each other, with their page."""
    found = []
    for number, pieces in enumerate(pdf.pages, 1):
        lines: dict[float, list[Piece]] = {}
        for piece in pieces:
            if piece.text.strip():
                lines.setdefault(round(piece.baseline, 1), []).append(piece)
        for line in lines.values():
            line.sort(key=lambda piece: piece.left)
            found += [
                (number, one.text, other.text)
                for one, other in pairwise(line)
                if one.right - other.left > one.size / 4
            ]
    return found


def test_no_text_lies_over_another(books: Books) -> None:
    found = {name: overlaid(pdf) for name, (pdf, _) in books.items()}

    assert {name: texts for name, texts in found.items() if texts} == {}


def test_text_over_another_is_seen(books: Books) -> None:
    pdf = next(iter(books.values()))[0]
    page = pdf.pages[1]
    first = next(piece for piece in page if len(piece.text.strip()) > 5)
    page.append(dataclasses.replace(first, left=first.left + first.size))
    try:
        assert [number for number, _, _ in overlaid(pdf)] == [2]
    finally:
        page.pop()
