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

MAX_BLOCKS: Final = 200
"""Blocks of one side of a sheet; it holds about 20."""

MAX_BLOCK_TABLES: Final = 50
"""Tables of one block of a sheet."""

MAX_CARD_ITEMS: Final = 100
"""Items of any list of a card or roster layout: its blocks, rows, columns and boxes."""

MAX_EQUAL_TOKENS: Final = 99
"""Tokens of one kind; a game needs about 20."""

PRINT_SECONDS: Final = 300
"""Processor time for one document, in seconds. A book of 59 pages takes about 15."""

IMPOSE_SECONDS: Final = 60
"""Processor time for laying out one PDF as a booklet, in seconds."""

PRINT_MEGABYTES: Final = 2_048
"""Memory that printing one document may add to a process; a book of 59 pages takes about 220."""
