"""Owns the last check on content: every book can be fielded, every sort of unit stands in an army.

Does not look for anything that can be seen without a solver; `armies.lint` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from generator.armies.books import Book, Profile, find_books, load_book
from generator.armies.composing import load_composition
from generator.armies.composition import Composition
from generator.armies.roll_call import Shelf
from generator.armies.solving import Group
from generator.reading import Document, read_document
from generator.reading.naming import shown
from generator.solving.cpsat import TooHardError
from generator.solving.prove import Proof, Standing, prove
from generator.systems import System
from generator.systems.flaw import Flaw, warning


def lint_fielding(system: System, shelf: Shelf, book_folders: Sequence[Path] = ()) -> list[Flaw]:
    """Find books and sorts of units that no legal army can hold, and the rules that bar them.

    Raises:
        MusterError: If the composition, a table or a book has faults; those come first.
    """
    if not system.has("composition.yaml"):
        return []
    composition = load_composition(system)
    files = find_books(system, book_folders)
    books = [load_book(system, each, book_folders) for each in files]
    try:
        proof = prove(composition, books, shelf, binding=False)
    except TooHardError as fault:
        text = f"whether all of it can be fielded is not known: {fault}"
        return [warning(composition.document.problem("fielding-unknown", text, ()))]
    return list(_flaws(composition, files, proof))


Files = Mapping[str, Path]


def _flaws(composition: Composition, files: Files, proof: Proof) -> Iterator[Flaw]:
    for book, fielded in proof.fielded.items():
        fallen = [unit for unit in proof.units if unit.book is book and not unit.stands]
        if not fielded:
            document, whose = _whose(composition, files, book)
            why = _why(fallen[0].against) if fallen else ""
            text = f"no army of {whose} is legal{why}"
            yield Flaw("error", document.problem("never-legal", text, _top(book)))
            continue
        for unit in fallen:
            yield _never(composition, files, unit)


def _never(composition: Composition, files: Files, unit: Standing) -> Flaw:
    document, _ = _whose(composition, files, unit.book)
    if isinstance(unit.what, Profile) and unit.book is not None:
        place = list(unit.book.units).index(unit.what.id)
        path: tuple[str | int, ...] = ("units", place)
    else:
        path = ("entries", list(composition.entries).index(unit.what.id))
    text = f"no legal army can hold {unit.what.title}{_why(unit.against)}"
    return Flaw("error", document.problem("unit-never-legal", text, path))


def _whose(composition: Composition, files: Files, book: Book | None) -> tuple[Document, str]:
    """Give the file that a flaw stands in, and whose armies are meant."""
    if book is None:
        return composition.document, composition.system.title
    path = files[book.id]
    return read_document(path, shown_as=shown(path)), book.title


def _top(book: Book | None) -> tuple[str | int, ...]:
    return ("id",) if book is not None else ("constraints",)


def _why(against: Sequence[Group]) -> str:
    """Name the constraints that contradict each other."""
    codes = list(dict.fromkeys(group.code for group in against))
    return f": it contradicts {', '.join(codes)}" if codes else ""
