"""Owns the checks on what nothing uses: tables, leaders, options, attributes and fields.

Does not look for uses; the other checks note them in `Uses` as they go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.armies.composition import LEADER, Composition, all_fields
from generator.armies.uses import Uses
from generator.problems import MusterError
from generator.systems import System
from generator.systems.flaw import Flaw, warning

Path = tuple[str | int, ...]


def idle_tables(system: System, uses: Uses) -> Iterator[Flaw]:
    """Find tables that no sheet, card, price, limit or roll names.

    Where a system has prose, that places every table, and its own check says so if not.
    """
    if any(system.folder.joinpath("prose").glob("*.md")):
        return
    named = set(uses.tables)
    for sheet_id in system.sheet_ids():
        try:
            sheet = system.sheet(sheet_id)
        except MusterError:
            # Nobody knows what a sheet names that cannot be read.
            return
        blocks = [block for side in sheet.sides for block in side.blocks]
        named |= {each for block in blocks for each in (block.table, *block.tables) if each}
    for table_id in system.table_ids():
        if table_id not in named:
            text = f"no sheet, card, price, limit or roll uses the table {table_id!r}"
            document = system.document("tables", f"{table_id}.yaml")
            yield warning(document.problem("unused-table", text, ("id",)))


def idle_parts(composition: Composition, uses: Uses) -> Iterator[Flaw]:
    """Find leaders that lead nothing, options without effect, and names that nobody asks for."""
    written, document = composition.written, composition.document
    seen: set[str] = set()

    def unasked(attributes: Mapping[str, str], path: Path) -> Iterator[Flaw]:
        for name in attributes:
            if name not in uses.attributes and name not in seen:
                seen.add(name)
                text = f"nothing asks for the attribute {name!r}"
                where = (*path, "attributes", name)
                yield warning(document.problem("unused-attribute", text, where))

    leading = {leader.entry for level in written.levels for leader in level.leaders.values()}
    for place, entry in enumerate(written.entries):
        path: Path = ("entries", place)
        if entry.level == LEADER and entry.id not in leading:
            text = f"no level has the leader {entry.id!r}"
            yield warning(document.problem("unused-entry", text, path))
        yield from unasked(entry.attributes, path)
    for place, option in enumerate(written.options):
        path = ("options", place)
        asked = option.id in uses.options or uses.attributes & set(option.attributes)
        if not option.price and not asked:
            text = f"the option {option.id!r} costs nothing and nothing asks for it"
            yield warning(document.problem("unused-option", text, path))
        else:
            yield from unasked(option.attributes, path)
    for path, name, _ in all_fields(written):
        # A roster prints what a list says of a level of command.
        if path[0] != "levels" and name not in uses.attributes and name not in seen:
            seen.add(name)
            text = f"nothing asks for the field {name!r}"
            yield warning(document.problem("unused-field", text, path))
