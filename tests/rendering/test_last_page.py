"""Tests of what the last page of a book holds."""

from __future__ import annotations

import pytest
import weasyprint

from muster.rendering.book_index import ends_in_few_lines, is_colophon_alone

PAGE = "<style>@page { size: 100mm 100mm; margin: 10mm } div { break-before: page }</style>"


@pytest.mark.parametrize(
    ("last", "is_alone", "are_few"),
    [
        ('<div class="index" style="height: 5mm">z</div>', False, True),
        ('<div class="index" style="height: 40mm">z</div>', False, False),
        ('<div class="colophon">Set in</div>', True, False),
        ('<div><p class="index">z</p><p class="colophon">Set in</p></div>', False, False),
    ],
    ids=["few", "many", "colophon", "both"],
)
def test_what_stands_alone_on_the_last_page_is_seen(
    last: str, *, is_alone: bool, are_few: bool
) -> None:
    html = f'{PAGE}<section><p>Rules</p><div class="index">a</div>{last}</section>'
    pages = weasyprint.HTML(string=html).render().pages

    assert is_colophon_alone(pages) is is_alone
    assert ends_in_few_lines(pages) is are_few
