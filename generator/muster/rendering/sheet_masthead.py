"""Find out how the phases of the turn stand beside the title of a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from muster.documents.sheet import SheetSide
from muster.rendering.paper import PT_PER_MM, Paper
from muster.rendering.sheet_sides import NOTE_PT, SHEET_MARGIN_MM
from muster.rendering.text_widths import text_room_em

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet

TITLE_PT = 16.0
_SERIF_SHARE = 1.16
"""How much wider than our sans serif our serif is."""
_ABOUT_SHARE = 1.15
_TAB_PT = 18.0
_ARM_PT = 14.0
_MASTHEAD_PT = 44.0
"""What a phase, a symbol of an arm and a masthead need besides their words, in points."""
_ON_COLOUR_PT = 24.0
"""What a masthead needs in addition whose words all stand on colour."""


def masthead_classes(sheet: Sheet, sides: Sequence[SheetSide], paper: Paper) -> list[str]:
    """Return for each side how the phases of the turn stand beside the title, as classes.

    That is `in-row` or `in-rows`. The symbols of arms go from all sides of which one has no room
    for them: `bare`.
    """
    free_pt = [_free_in_masthead_pt(sheet, side, paper) for side in sides]
    arms_pt = 0 if sheet.army else len(sheet.look.arms) * _ARM_PT
    bare = " bare" if min(free_pt) < arms_pt else ""
    return [("in-rows" if each < 0 else "in-row") + bare for each in free_pt]


def _free_in_masthead_pt(sheet: Sheet, side: SheetSide, paper: Paper) -> float:
    """Return about how much room a masthead of one row leaves, without symbols of arms."""
    free_pt = (paper.turned(sheet.orientation)[0] - 2 * SHEET_MARGIN_MM) * PT_PER_MM
    title = _SERIF_SHARE * text_room_em(sheet.army or sheet.title) * TITLE_PT
    facts = f"{sheet.title}, {sheet.book} · " if sheet.army else ""
    facts += f"{sheet.scale} · {sheet.unit}"
    about = max(text_room_em(side.title) * _ABOUT_SHARE, text_room_em(facts)) * NOTE_PT
    tabs = sum(text_room_em(phase.title) * NOTE_PT + _TAB_PT for phase in side.phases)
    own = _ON_COLOUR_PT if sheet.look.masthead == "band" else 0
    return free_pt - title - about - tabs - _MASTHEAD_PT - own
