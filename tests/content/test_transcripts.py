"""Tests that every table agrees with a second transcription of its source.

`second/<system>.yaml` was typed from the source by somebody who had not seen `content/`. Typed
cells must be equal in meaning. Of prose, the figures must be the same: every number, dice or
share that one has, the other has. A typed cell of the second may have further figures after a
semicolon (`45cm; 2`), which the row's prose must have. Differences that were checked and settled
are listed in `settled.yaml`, each with its reason; a listed one that no longer occurs is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from muster.systems import open_system
from muster.tables import Diagram, Row, Table
from muster.values import BLANK, DASH, FORMS, BadValue, Text, Value, read_cell

HERE = Path(__file__).parent
CONTENT = HERE.parent.parent / "content"
SYSTEMS = sorted(path.stem for path in (HERE / "second").glob("*.yaml"))
WORDS = {
    "two": "2", "twice": "2", "double": "2", "doubled": "2", "three": "3", "four": "4",
    "half": "1/2", "halved": "1/2", "½": "1/2",
}  # fmt: skip
LOOSE = {"one": "1", "once": "1", "single": "1", "first": "1", "second": "2"}
"""Words that may be a figure, but need not: “at once”, “the first to arrive”, “if one is”."""

SCALE = re.compile(r"\b(\d+mm): ")
"""The scale before its value, as in `15mm: 6" 25mm: 9"`: a name and not a figure."""

FIGURE = re.compile(r"\d*d\d+|\d+/\d+|\d+(?:\.\d+)?|½|[a-z]+", re.IGNORECASE)


def figures(text: str) -> set[str]:
    """Return every figure in a text: numbers, dice without their 1, shares, and number words."""
    return _figures(text, WORDS)


def possible(text: str) -> set[str]:
    """Return every figure that a text may have: its loose words count as well."""
    return _figures(text, WORDS | LOOSE)


def _figures(text: str, words: dict[str, str]) -> set[str]:
    spread = SCALE.sub("", text).replace("½", " ½ ").replace("\u2212", "-").lower()
    tokens = [words.get(token, token) for token in FIGURE.findall(spread)]
    figures = [token for token in tokens if token[0].isdigit() or re.fullmatch(r"d\d+", token)]
    return {re.sub(r"^1d", "d", token) for token in figures}


def second(system_id: str) -> dict[str, list[list[str]]]:
    text = (HERE / "second" / f"{system_id}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.BaseLoader)  # type: ignore[no-any-return]  # noqa: S506


def by_scale(text: str) -> str | dict[str, str]:
    """Return a cell of the second as YAML would: a value for each scale that it names, if any."""
    start, *parts = SCALE.split(text)
    if start or not parts:
        return text
    values = (value.strip() for value in parts[1::2])
    return dict(zip(parts[::2], values, strict=True))


def row_text(row: Row, table: Table) -> str:
    """Return all text about a row: its label and cells, and the notes and title of its table."""
    cells = [str(cell) for cell in row.cells]
    return " ".join([row.label, *cells, row.short, *table.all_notes, table.remark, table.title])


def differences(table: Table, rows: list[list[str]], scales: list[str]) -> Iterator[str]:
    """Iterate over the cells in which two transcriptions of a table differ."""
    if len(rows) != len(table.rows):
        yield f"{table.id}: {len(table.rows)} rows against {len(rows)}"
        return
    for row, (label, *cells) in zip(table.rows, rows, strict=True):
        typed = [
            (column, cell)
            for column, cell in zip(table.columns, row.cells, strict=True)
            if not isinstance(cell, Text) and column.form != "text"
        ]
        if typed and len(cells) == len(table.columns):
            for (column, mine), theirs in zip(
                zip(table.columns, row.cells, strict=True), cells, strict=True
            ):
                yield from _cell(table, row, column.id, column.form, mine, theirs, scales)
            continue
        more = figures(" ".join([label, *cells])) - possible(row_text(row, table))
        if more:
            yield f"{table.id}/{row.id}: the second has {sorted(more)} more ({label})"
        own = figures(" ".join([*map(str, row.cells), row.short]))
        own -= possible(" ".join([label, *cells]))
        if own:
            yield f"{table.id}/{row.id}: the first has {sorted(own)} more ({label})"


def _cell(  # noqa: PLR0913, PLR0917
    table: Table, row: Row, column: str, form: str, mine: Value, theirs: str, scales: list[str]
) -> Iterator[str]:
    place = f"{table.id}/{row.id}/{column}"
    if isinstance(mine, Text):
        here = " ".join([str(mine), row.label, *table.all_notes])
        if figures(theirs) - possible(here) or figures(str(mine)) - possible(theirs):
            yield f"{place}: the first reads {mine}, the second {theirs}"
        return
    # A row may have a form of its own: the value knows which.
    form = next((name for name, kind in FORMS.items() if type(mine) is kind), form)
    typed, _, more = theirs.partition("; ")
    if figures(more) - possible(row_text(row, table)):
        yield f"{place}: the second has {more} more"
    try:
        other = read_cell(by_scale(typed), form, scales)
    except BadValue:
        yield f"{place}: the first reads {mine}, the second {theirs} (not a {form})"
        return
    if mine in (BLANK, DASH) or other in (BLANK, DASH):
        if mine is not other:
            yield f"{place}: the first reads {mine}, the second {theirs}"
    elif mine != other:
        yield f"{place}: the first reads {mine}, the second {theirs}"


def all_differences(system_id: str) -> list[str]:
    system = open_system(CONTENT / system_id)
    rows = second(system_id)
    result = []
    for table in system.tables():
        if isinstance(table, Diagram) or table.chapter == "first-game":  # no source has it
            continue
        if table.id not in rows:
            result.append(f"{table.id}: not in the second transcription")
            continue
        result.extend(differences(table, rows[table.id], [scale.id for scale in system.scales]))
    known = {table.id for table in system.tables()}
    result.extend(f"{table_id}: not in content" for table_id in rows if table_id not in known)
    return result


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_both_transcriptions_agree_cell_by_cell(system_id: str) -> None:
    settled = yaml.safe_load((HERE / "settled.yaml").read_text(encoding="utf-8"))
    reasons = settled.get(system_id, {})

    result = all_differences(system_id)

    assert sorted(result) == sorted(reasons)
    assert all(reasons.values())


def test_a_shifted_row_is_found() -> None:
    system = open_system(CONTENT / "slaughterloo")
    table = system.table("kill-table")
    rows = second("slaughterloo")["kill-table"]
    shifted = [*rows[:-1], [rows[-1][0], "3", *rows[-1][1:-1]]]

    result = list(differences(table, shifted, []))

    assert len(result) >= 7


def test_loose_words_excuse_a_figure_but_ask_for_none() -> None:
    assert figures("at once, two of the first") == {"2"}
    assert possible("at once, two of the first") == {"1", "2"}


def test_a_figure_after_a_semicolon_is_looked_for_in_the_row() -> None:
    table = open_system(CONTENT / "seven-years-war").table("deployment-zones")
    rows = second("seven-years-war")["deployment-zones"]
    altered = [rows[0], [cell.replace("; 2", "; 7") for cell in rows[1]]]

    assert list(differences(table, rows, [])) == []
    assert list(differences(table, altered, [])) == [
        "deployment-zones/attacker/table-side: the second has 7 more"
    ]


def test_a_wrong_figure_at_one_scale_is_found() -> None:
    table = open_system(CONTENT / "order-markers").table("artillery-ranges")
    rows = second("order-markers")["artillery-ranges"]
    altered = [*rows[:-1], [rows[-1][0], rows[-1][1].replace("48", "54")]]

    assert list(differences(table, rows, ["15mm", "25mm"])) == []
    [difference] = differences(table, altered, ["15mm", "25mm"])
    assert difference.endswith('25mm: 48-90"}, the second 15mm: 36-60" 25mm: 54-90"')


def test_a_wrong_figure_in_prose_is_found() -> None:
    table = open_system(CONTENT / "slaughterloo").table("formulas")
    rows = second("slaughterloo")["formulas"]
    altered = [[label, *(cell.replace("d8", "d10") for cell in cells)] for label, *cells in rows]

    assert list(differences(table, altered, [])) == [
        "formulas/shell-deviation: the second has ['d10'] more (Howitzer deviation)",
        "formulas/shell-deviation: the first has ['d8'] more (Howitzer deviation)",
    ]
