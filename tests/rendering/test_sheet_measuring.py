"""Tests of the heights of blocks: which follow from those in other sizes, and wrong ones."""

from __future__ import annotations

import pytest

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS, PX_PER_PT
from muster.rendering.sheet_measuring import TriedHeights
from muster.rendering.sheet_pages import sheet_pdf
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import block, sheet, side, view

A4 = PAPERS["a4"]


def tried(heights: dict[float, float]) -> TriedHeights:
    """Return the heights of one block in a width of 60, in em of the sizes in points."""
    made = TriedHeights()
    for size, height_em in heights.items():
        made.add("block", 60, size, height_em * size * PX_PER_PT)
    return made


def test_height_between_two_sizes_grows_evenly() -> None:
    known = tried({9.0: 20, 9.4: 20})

    assert known.between("block", 60, 9.1) == pytest.approx(20 * 9.1 * PX_PER_PT)
    assert known.between("block", 60, 9.4) == pytest.approx(20 * 9.4 * PX_PER_PT)


def test_height_in_another_width_follows_from_those_of_as_many_em() -> None:
    known = tried({9.0: 20, 9.4: 20})

    assert known.between("block", 66, 10.1) == pytest.approx(20 * 10.1 * PX_PER_PT)
    assert known.between("block", 66, 9.1) is None


@pytest.mark.parametrize("size", [8.9, 9.5])
def test_height_outside_of_the_known_sizes_does_not_follow(size: float) -> None:
    assert tried({9.0: 20, 9.4: 20}).between("block", 60, size) is None
    assert tried({}).between("block", 60, size) is None


def test_height_does_not_follow_where_a_line_may_have_moved() -> None:
    assert tried({9.0: 20, 9.4: 21.2}).between("block", 60, 9.1) is None


def test_height_does_not_follow_from_sizes_that_are_far_apart() -> None:
    assert tried({8.0: 20, 10.0: 20}).between("block", 60, 9.0) is None


def test_wrong_height_between_two_sizes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heights that are told too small would make the type too large for the page."""
    full = sheet(side(*[block(f"Block {n}", view(rows=7 + n % 3)) for n in range(8)]))
    right = sheet_pdf(TemplateEnvironment([TEMPLATES]), full, A4, {})
    real = TriedHeights.between

    def between(self: TriedHeights, name: str, width: float, size: float) -> float | None:
        height = real(self, name, width, size)
        wrong = name == "0-3" and height is not None and width / size not in self._heights[name]
        return height - 2 * size if wrong and height is not None else height

    monkeypatch.setattr(TriedHeights, "between", between)

    printed = sheet_pdf(TemplateEnvironment([TEMPLATES]), full, A4, {})

    assert printed.pages == right.pages == 1
