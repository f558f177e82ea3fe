"""All texts of a system that players read, for translators: each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from muster.armies.books import find_books, load_book
from muster.armies.composition import COMPOSITION_FILE, load_composition
from muster.problems import Location, Problem
from muster.systems import System
from muster.yamlfile.models import Translated


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text of a system and its place, such as `tables/orders/rows/charge/label`.

    `problem` makes a problem of the text, of a code and a message.
    """

    text: str
    place: str
    room: Translated
    problem: Callable[[str, str], Problem]


@dataclass(frozen=True, slots=True)
class _TextList:
    """Says every text as it is, and keeps a list of them."""

    texts: list[PlacedText] = field(default_factory=list)

    def say(
        self, text: str, place: str, room: Translated, problem: Callable[[str, str], Problem]
    ) -> str:
        """Return the text, and add it to the list."""
        self.texts.append(PlacedText(text, place, room, problem))
        return text

    def location(self, text: str, place: str) -> Location | None:
        """Return None: the words are the text itself."""
        del text, place
        return None


def system_texts(system: System) -> list[PlacedText]:
    """Return every text of a system: system.yaml, prose, tables, errata, sheets, armies and cards.

    The system is read as for a translation, so that nothing can be printed in another language
    that is not in the list. Editions are written in their own language.

    Raises:
        MusterError: If a part of the system cannot be read.
    """
    speaker = _TextList()
    _read_everything(system.spoken_by(speaker))
    return speaker.texts


def _read_everything(system: System) -> None:
    """Read every part of a system that is translated, in the order of the list."""
    for _ in _parts(system):
        pass


def _parts(system: System) -> Iterator[object]:
    yield system.prose
    yield system.tables()
    yield system.errata
    yield from (system.sheet(sheet_id) for sheet_id in system.sheet_ids())
    if system.has_file(COMPOSITION_FILE):
        yield load_composition(system)
        yield from (load_book(system, book_id) for book_id in find_books(system))
    yield system.cards
    yield system.tokens
