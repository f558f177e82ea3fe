"""How a system's pages are told apart from others': its colour, masthead and ornaments."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from muster.systems.symbols import check_outline, check_symbol
from muster.yamlfile import Id, StrictModel
from muster.yamlfile.validation import show_value

_COLOUR = re.compile(r"#[0-9a-f]{6}")


def _parse_colour(raw: Any) -> str:
    if raw in (None, ""):
        text = 'read nothing, expected a colour such as "#1d3f6e"'
        raise ValueError(f"{text}; without quotes # begins a comment")
    if not isinstance(raw, str) or not _COLOUR.fullmatch(raw.lower()):
        raise ValueError(f'read {show_value(raw)}, expected a colour such as "#1d3f6e"')
    return raw.lower()


SymbolShape = Literal["circle", "square", "diamond", "triangle", "star", "cross"]
"""The shape of a nation's badge."""

Colour = Annotated[
    str,
    BeforeValidator(_parse_colour),
    WithJsonSchema({"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"}),
]
"""A colour of print, such as `#1d3f6e`; capitals are made small letters."""

Outline = Annotated[str, AfterValidator(check_outline)]
"""The outline of a symbol in SVG path data, on a square of 100 by 100."""

Symbol = Annotated[Id, AfterValidator(check_symbol)]
"""The name of one of Muster's symbols, such as `foot`."""

Masthead = Literal["rule", "band", "double", "tab", "frieze"]
"""The head of a sheet.

`rule` is a title over a heavy rule, `band` a title on a broad band of colour, `double` a title in
the middle between double rules, `tab` a title on a tab of colour, and `frieze` a title over a row
of ornaments.
"""


Scene = Literal["sun", "lines", "rays", "card", "discs"]
"""What is drawn on the cover of a book without a picture.

`sun` is a great sun with the ornament in it, over hills and a line of musketeers; `lines` two
battle lines seen from above; `rays` a soldier who raises his shako before a burst of rays; `card`
three playing cards, the first a court card of two skirmishers; `discs` a board of arms, halves and
ornaments. The ornament is on each of them.
"""


class Look(StrictModel):
    """What tells the system's pages apart: its colours, masthead, ornaments and cover."""

    accent: Colour = "#16181c"
    """Colour of the masthead and of the cover's ground, such as `"#7a1f2b"`. Default: black."""
    light: Colour = "#efe3c2"
    """Light colour of the cover, on the ground. Default: cream."""
    signal: Colour = "#b8382b"
    """Colour of the cover that stands out from the other two. Default: red."""
    cover: Scene = "rays"
    """What is drawn on the cover of a book: `sun`, a great sun over a line of musketeers; `lines`,
    two battle lines from above; `rays`, a soldier who cheers before a burst of rays; `card`, three
    playing cards; `discs`, a board of arms and ornaments. Default: rays.
    """
    masthead: Masthead = "rule"
    """Head of a sheet: `rule`, a title over a heavy rule; `band`, on a broad band of colour;
    `double`, in the middle between double rules; `tab`, on a tab of colour; `frieze`, over a row of
    ornaments. Default: rule.
    """
    ornament: Outline = ""
    """Ornament beside the title: an outline in SVG path data on a square of 100 by 100, filled.
    Default: none.
    """
    arms: list[Symbol] = Field(default=[], max_length=6)
    """Symbols of the arms that take part, up to six, such as `[foot, horse, gun]`; they stand
    beside the title. Default: none.
    """
