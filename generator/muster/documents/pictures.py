"""Choose the pictures of a document, and limit how many it has."""

from __future__ import annotations

from collections.abc import Iterable

from muster.armies import Book
from muster.limits import MAX_PICTURES_MIB
from muster.problems import Location, MusterError, Problem
from muster.systems import System
from muster.systems.pictures import Picture, PictureFile


def read_picture(file: PictureFile | None) -> Picture | None:
    """Return a picture, if there is one.

    Raises:
        MusterError: If it cannot be read, or is not what may be printed.
    """
    return file.picture if file is not None else None


def book_picture(system: System, book: Book | None) -> Picture | None:
    """Return the picture that stands for an army: that of its book, else that of the system.

    Raises:
        MusterError: As `read_picture`.
    """
    own = book.picture if book is not None else None
    return read_picture(own if own is not None else system.picture_file)


def distinct_pictures(pictures: Iterable[Picture | None], file: str) -> tuple[Picture, ...]:
    """Return pictures, each once, in their order.

    Args:
        pictures: The pictures that a document shows, and None where it shows none.
        file: The file that the document is made from, for the error.

    Raises:
        MusterError: If they are too large together.
    """
    distinct = {each.name: each for each in pictures if each is not None}
    if sum(len(each.data) for each in distinct.values()) > MAX_PICTURES_MIB << 20:
        text = (
            f"the pictures of one document are together larger than the limit of {MAX_PICTURES_MIB}"
            " MiB; make them smaller, 700 pixels across are enough for a card"
        )
        raise MusterError([Problem("too-many-pictures", text, Location(file))])
    return tuple(distinct.values())
