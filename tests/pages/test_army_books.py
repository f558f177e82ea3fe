"""Tests of every shipped army book as it is printed: its cells keep apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import pairwise

import pytest

from muster.building.plan import Plan
from tests.pages.printed import MM, UNSEEN_PT, Pdf, Piece, Tag

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("books")]

LEAST_GAP_MM = 3
SAME_LINE_PT = 3
"""Pieces nearer than this to each other's baseline stand in one line."""


@pytest.fixture(scope="module")
def army_books(pdfs: dict[str, Pdf], plan: Plan) -> dict[str, Pdf]:
    """Every printed army book, and every printed list of types of unit."""
    jobs = [job for job in plan.jobs if job.kind == "book" and job.format == "pdf"]
    return {job.path: pdfs[job.path] for job in jobs}


def seen(cell: Tag) -> list[Piece]:
    return [p for p in cell.all_pieces() if p.text.strip() and p.size > UNSEEN_PT]


def near_cells(pdf: Pdf) -> Iterator[tuple[float, str, str]]:
    """Yield the space between texts of one line in neighbouring cells, in mm, and these texts."""
    for row in pdf.tags.find("TR"):
        for one, other in pairwise(cell for cell in row.below if seen(cell)):
            for left in seen(one):
                for right in seen(other):
                    if abs(left.baseline - right.baseline) < SAME_LINE_PT:
                        yield (right.left - left.right) / MM, left.text, right.text


def test_cells_of_army_books_keep_apart(army_books: dict[str, Pdf]) -> None:
    near = {
        name: [each for each in near_cells(pdf) if each[0] < LEAST_GAP_MM]
        for name, pdf in army_books.items()
    }

    assert len(near) >= len(("seven years war", "slaughterloo", "huzzah", "lshm", "order markers"))
    assert all(any(near_cells(pdf)) for pdf in army_books.values())
    assert {name: each for name, each in near.items() if each} == {}


def test_a_cell_that_touches_the_next_is_seen(army_books: dict[str, Pdf]) -> None:
    pdf = next(iter(army_books.values()))
    gap, text, _ = min(near_cells(pdf))
    held = [tag for tag in pdf.tags.walk() if text in [piece.text for piece in tag.pieces]]
    kept = [list(tag.pieces) for tag in held]
    for tag in held:
        tag.pieces = [dataclasses.replace(p, right=p.right + gap * MM) for p in tag.pieces]
    try:
        assert min(near_cells(pdf))[0] < LEAST_GAP_MM
    finally:
        for tag, pieces in zip(held, kept, strict=True):
            tag.pieces = pieces
