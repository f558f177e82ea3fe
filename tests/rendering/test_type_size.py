"""Tests of the search for the largest type size: few layouts, never overfull."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muster.rendering.type_size import STEP, Trial, fit_type_size


class Page:
    """A stand-in for a layout whose fullness grows with a power of the size."""

    def __init__(self, full_at: float, power: float = 1.4) -> None:
        self.full_at = full_at
        self.power = power
        self.layouts: list[float] = []

    def __call__(self, size: float) -> Trial[None]:
        self.layouts.append(size)
        return Trial(size, (size / self.full_at) ** self.power, None)


@given(st.floats(7.05, 12), st.floats(1.0, 2.0))
def test_the_size_found_fits_and_is_near_the_largest(full_at: float, power: float) -> None:
    page = Page(full_at, power)

    found = fit_type_size(page, 7, 11, layouts=6)

    assert found.fullness <= 1
    assert found.size >= min(full_at, 11) - 4 * STEP
    assert len(page.layouts) <= 7


def test_jump_of_fullness_does_not_mislead_the_search() -> None:
    """At 8 points and above, a word is wider than its column, and the fullness more than twice."""

    def page(size: float) -> Trial[None]:
        return Trial(size, 2.3 if size >= 8 else (size / 9) ** 1.4, None)

    assert 7.5 <= fit_type_size(page, 7, 10.5, start=8.3).size < 8


def test_what_does_not_fit_at_the_smallest_comes_back_over_full() -> None:
    found = fit_type_size(Page(5), 7, 11)

    assert found.size == 7
    assert found.fullness > 1


def test_a_page_that_is_nearly_empty_takes_the_largest_size() -> None:
    assert fit_type_size(Page(40), 7, 11).size == 11


def test_a_guess_within_a_tenth_of_the_largest_is_the_largest() -> None:
    page = Page(11.3, power=1.0)

    assert fit_type_size(page, 7, 11, start=7.8).size == 11
    assert page.layouts == [7.8, 11]
