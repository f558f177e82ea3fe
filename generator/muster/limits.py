"""The limits on what a file may ask for, with the reason for each.

Files come from strangers: a few lines must not be able to ask for hours of work or for more memory
than a machine has. All limits leave ample room for real play. The limits on a file itself (its
size, depth, number of values) are in `yamlfile`; those on one value are in `values`.
"""

from __future__ import annotations

from typing import Final

MAX_ENTRIES: Final = 2_000
"""Entries of an army list: leaders, commands, units and works. Large real ones have about 50."""

MAX_COUNT: Final = 999
"""The largest `count:` of one entry."""

MAX_UNITS: Final = 1_000
"""Units of an army, with their counts: each has a card and a row. Real armies have under 300."""

MAX_SIZE: Final = 999
"""Figures or stands of one unit; real ones have under 200."""

MAX_LOSS_BOXES: Final = 60
"""Boxes for losses that are printed for one unit or command; beyond, there is a box to write in.

Nobody counts more than that by ticking, and they would not fit on a card.
"""

MAX_ROSTER_BOXES: Final = 240
"""Boxes for losses in one row of a roster, which stands for several equal units."""

MAX_TABLE_CELLS: Final = 5_000
"""Cells of one table; the largest that is shipped has 150."""

MAX_RANK: Final = 100
"""Figures of one rank of a diagram: more do not fit across a page."""

MAX_RANKS = 40
"""Ranks of a formation in a diagram: more do not fit on a page."""

MAX_DRAWINGS = 8
"""Drawings side by side in a diagram: more do not fit across a page."""

MAX_DIRECTIONS = 12
"""Directions of a rose in a diagram: more cannot be told apart."""

MAX_SCENE_WIDTH: Final = 84
"""Width of the canvas of a scene, in mm: in large print, the page of a small book has no more."""

MAX_SCENE_HEIGHT: Final = 90
"""Height of the canvas of a scene, in mm: half a page of a small book."""

MAX_PIECES: Final = 60
"""Pieces of a scene; more would hide each other."""

MAX_BASES: Final = 24
"""Bases of a unit in a scene, side by side or one behind another: more do not fit."""

MAX_POINTS: Final = 20
"""Points of a line or an arrow in a scene."""

MAX_BLOCKS: Final = 200
"""Blocks of one side of a sheet; it holds about 20."""

MAX_BLOCK_TABLES: Final = 50
"""Tables of one block of a sheet."""

MAX_CARD_ITEMS: Final = 100
"""Items of any list of a card or roster layout: its blocks, rows, columns and boxes."""

MAX_PICTURE_KIB: Final = 1024
"""Size of a PNG or JPEG, in KiB: pages for screens hold their pictures, and are sent by mail."""

MAX_PICTURE_PIXELS: Final = 4_000_000
"""Pixels of a PNG or JPEG, which take four bytes of memory each when it is shown.

A frame on a card has about 700 by 600 at 300 dpi.
"""

MAX_COVER_KIB: Final = 8 * 1024
"""Size of a PNG or JPEG on the cover of a book or above a chapter, in KiB."""

MAX_COVER_PIXELS: Final = 10_000_000
"""Pixels of a PNG or JPEG on a cover: A4 with bleed has 2551 by 3579 at 300 dpi."""

MAX_PICTURE_SCANS: Final = 100
"""Scans of a progressive JPEG, each of which costs a viewer as much as a whole one; usual: 10."""

MAX_PROFILE_KIB: Final = 1024
"""Size of the colour profile in a PNG, in KiB; those in use have 0.5 to 600 kB."""

MAX_DRAWING_KIB: Final = 64
"""Size of an SVG, in KiB, which is drawn anew on each card."""

MAX_DRAWING_ELEMENTS: Final = 1_000
"""Shapes, groups and colours of an SVG."""

MAX_DRAWING_DEPTH: Final = 40
"""Groups of an SVG that stand within each other."""

MAX_PICTURES_MIB: Final = 24
"""Size of all different pictures of one document, in MiB: a page for screens holds them all."""

MAX_EQUAL_TOKENS: Final = 99
"""Tokens of one kind; a game needs about 20."""

MAX_TRANSLATION_ENTRIES: Final = 10_000
"""Entries of a translation; the largest that is shipped has about 1,400."""

MAX_TRANSLATED_TEXT: Final = 8_000
"""Characters of a text and of its translation in a file: twice the longest text of a system."""

MAX_XML_MIB: Final = 64
"""Size of all files that one import reads, unpacked, in MiB; those of large games have 40."""

MAX_XML_ELEMENTS: Final = 500_000
"""Elements of these files together; each takes about a kilobyte of memory."""

MAX_XML_DEPTH: Final = 100
"""Elements of such a file within each other; real ones have about 30."""

MAX_XML_FILES: Final = 500
"""Files in the zipped files of one import."""

MAX_IMPORTED_PARTS: Final = 100_000
"""Parts of units that one import makes, as many units share entries; large games have 50,000."""

PRINT_SECONDS: Final = 300
"""Processor time for one document, in seconds. A book of 59 pages takes about 15."""

IMPOSE_SECONDS: Final = 60
"""Processor time for laying out one PDF as a booklet, in seconds."""

PRINT_MEGABYTES: Final = 2_048
"""Memory that printing one document may add to a process; a book of 59 pages takes about 220."""
