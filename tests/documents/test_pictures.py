"""Tests of which picture each document shows, and of how many."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.armies import check, load_army, load_book
from muster.documents import pictures
from muster.documents.army_book import gather_army_book
from muster.documents.cards import Deck, gather_cards
from muster.documents.roster import Roster, gather_roster
from muster.problems import MusterError
from muster.systems import Library
from tests.picture_samples import SVG
from tests.scaffold import SYSTEM, spoil

ARMY = """\
system: club
book: first-book
general: {{name: Old Fritz}}
units:
  - {{unit: guards, stands: 6{own}}}
  - {{unit: line, stands: 6, count: 2}}
"""


def add(content: Path, file: str, name: str, old: str, end: str = "\n") -> None:
    """Write a picture of a name beside a file, which names it after some text."""
    key = f"{{file: {name}.svg, alt: {name}}}"
    spoil(content / file, old, f"{old}{end}picture: {key}")
    (content / file).with_name(f"{name}.svg").write_text(SVG, encoding="utf-8")


@pytest.fixture
def army(content: Path) -> Path:
    """The file of an army, beside which `own.svg` lies."""
    path = content.parent.parent / "armies" / SYSTEM / "army.yaml"
    path.with_name("own.svg").write_text(SVG, encoding="utf-8")
    return path


def gathered(army: Path, own: str = "") -> tuple[Deck, Roster]:
    army.write_text(ARMY.format(own=own), encoding="utf-8")
    library = Library(army.parents[2])
    read = load_army(army, library)
    system = library.system(SYSTEM)
    return gather_cards(system, read, check(read)), gather_roster(system, read, check(read))


def fronts(deck: Deck) -> dict[str, str]:
    return {card.title: card.picture.alt for card in deck.cards if card.picture}


def test_nearest_picture_wins(content: Path, army: Path) -> None:
    assert fronts(gathered(army)[0]) == {}

    add(content, "composition.yaml", "type", "    attributes: {arm: foot}", "\n    ")
    deck, _ = gathered(army)
    assert set(fronts(deck).values()) == {"type"}
    assert len(fronts(deck)) == 3

    add(content, "books/first-book.yaml", "unit", "type: foot,  options: [veteran]", ", ")
    assert fronts(gathered(army)[0])["Guards"] == "unit"

    deck, _ = gathered(army, ", picture: {file: own.svg, alt: mine}")
    assert fronts(deck)["Guards"] == "mine"
    assert len(deck.pictures) == 1  # The three files hold the same.


def test_book_and_system_stand_for_the_army(content: Path, army: Path) -> None:
    deck, roster = gathered(army)
    assert (deck.back, roster.picture) == (None, None)

    add(content, "system.yaml", "system", 'edition: "1.0"')
    deck, roster = gathered(army)
    assert (deck.back and deck.back.alt, roster.picture and roster.picture.alt) == (
        *("system", "system"),
    )
    assert fronts(deck) == {}

    add(content, "books/first-book.yaml", "book", "title: The First Nation")
    deck, roster = gathered(army)
    assert (deck.back and deck.back.alt, roster.picture and roster.picture.alt) == ("book", "book")


def test_army_book_shows_pictures_and_in_a_rulebook_none(content: Path) -> None:
    add(content, "books/first-book.yaml", "book", "title: The First Nation")
    library = Library(content.parent.parent)
    system = library.system(SYSTEM)
    book = load_book(system, "first-book", library.book_folders(SYSTEM))

    assert gather_army_book(system, book, pictured=True).picture is not None
    assert gather_army_book(system, book).pictures == ()


def test_book_of_the_users_own_has_its_picture_beside_it(content: Path, tmp_path: Path) -> None:
    own = tmp_path / "own" / "content" / SYSTEM / "books"
    own.mkdir(parents=True)
    text = (content / "books/first-book.yaml").read_text(encoding="utf-8")
    (own / "second.yaml").write_text(
        text.replace("id: first-book\n", "id: second\npicture: {file: a.svg, alt: A}\n"),
        encoding="utf-8",
    )
    (own / "a.svg").write_text(SVG, encoding="utf-8")
    library = Library(tmp_path / "own", tmp_path)

    book = load_book(library.system(SYSTEM), "second", library.book_folders(SYSTEM))

    assert book.picture is not None
    assert book.picture.picture.alt == "A"


def test_pictures_of_a_document_are_limited_together(
    content: Path, army: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(content, "system.yaml", "system", 'edition: "1.0"')
    monkeypatch.setattr(pictures, "MAX_PICTURES_MIB", 0)

    with pytest.raises(MusterError) as caught:
        gathered(army, ", picture: {file: own.svg, alt: mine}")

    assert "the pictures of one document are together larger" in str(caught.value)


@pytest.mark.parametrize(
    ("own", "told", "column"),
    [
        ("own.svg", "read 'own.svg', expected a picture such as {file: hussar.jpg", 40),
        ("{file: own.svg}", "the key 'alt' is missing here", 40),
        ("{file: ../own.svg, alt: A}", "read '../own.svg', expected a file beside", 47),
        ("{file: own.svg, alt: [A]}", "read a list, expected text", 61),
        ("{file: own.svg, alt: A, size: 2}", "there is no key 'size' for a picture", 64),
    ],
)
def test_picture_of_an_army_file_is_checked(own: str, told: str, column: int, army: Path) -> None:
    with pytest.raises(MusterError) as caught:
        gathered(army, f", picture: {own}")

    (problem,) = caught.value.problems
    assert told in problem.text
    assert (problem.location.line, problem.location.column) == (5, column)


def test_missing_picture_of_an_army_file_is_told_at_its_place(army: Path) -> None:
    with pytest.raises(MusterError) as caught:
        gathered(army, ", picture: {file: other.svg, alt: A}")

    (problem,) = caught.value.problems
    assert "other.svg: there is no such file" in problem.text
    assert (problem.location.line, problem.location.column) == (5, 47)
