"""The whole of `composition.yaml` as it is written, and walks through its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field

from muster.armies.constraints import AnyConstraint, Grant
from muster.armies.vocabulary import (
    Citation,
    Entry,
    FieldSpec,
    Level,
    Option,
    PriceTerm,
    Roll,
    TableCellReference,
)
from muster.tables.references import AttributeReference
from muster.yamlfile import Id, KeyPath, Label, Line, StrictModel


class WrittenComposition(StrictModel):
    """The whole of `composition.yaml`. `pricing` cites the rule that sets the prices."""

    pricing: Citation | None = None
    """Rule that sets the prices; findings about prices cite it."""
    levels: list[Level] = Field(min_length=2)
    """Levels of command from the army down; at least two."""
    words: dict[Id, dict[Line, Label]] = {}
    """What players call the values of attributes, where that is not the value itself, such as
    `{arm: {horse: cavalry}}`. Translations need it for every value that findings or cards name.
    """
    profile: dict[Id, FieldSpec] = {}
    """Fields that a unit of an army book may state in `stats:`, by id."""
    entries: list[Entry] = Field(min_length=1)
    """Types of unit, leader and field work."""
    options: list[Option] = []
    """Options that units and leaders may have."""
    grants: list[Grant] = []
    """Attributes that the state of the army gives."""
    constraints: list[AnyConstraint] = []
    """Rules that make a list legal."""


def iter_field_groups(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, Mapping[str, FieldSpec]]]:
    """Yield every group of fields, with its path in the file."""
    for index, level in enumerate(written.levels):
        yield ("levels", index, "fields"), level.fields
    yield ("profile",), written.profile
    for index, entry in enumerate(written.entries):
        yield ("entries", index, "fields"), entry.fields


def iter_fields(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, str, FieldSpec]]:
    """Yield every field, with its path in the file and its name."""
    for path, specs in iter_field_groups(written):
        for name, spec in specs.items():
            yield (*path, name), name, spec


def iter_rolls(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, FieldSpec, Roll]]:
    """Yield every roll, with its path in the file and the field that it fills in."""
    for path, _, spec in iter_fields(written):
        if spec.roll is not None:
            yield (*path, "roll"), spec, spec.roll


def iter_price_terms(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, PriceTerm]]:
    """Yield every term of a price, with its path in the file."""
    for index, entry in enumerate(written.entries):
        for n, term in enumerate(entry.price):
            yield ("entries", index, "price", n), term
    for index, option in enumerate(written.options):
        for n, term in enumerate(option.price):
            yield ("options", index, "price", n), term


def iter_cell_references(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, TableCellReference]]:
    """Yield every reference to a table cell, with its path in the file."""
    for path, term in iter_price_terms(written):
        if isinstance(term.each, TableCellReference):
            yield (*path, "each"), term.each
    for index, rule in enumerate(written.constraints):
        for path, reference in rule.cells():
            yield ("constraints", index, *path), reference


def open_keys(written: WrittenComposition) -> frozenset[str]:
    """Return the fields that name rows or columns although any number or text may be written."""
    references = [reference for _, reference in iter_cell_references(written)]
    keys = [key for reference in references for key in (reference.row, reference.column)]
    names = {key.field for key in keys if isinstance(key, AttributeReference)}
    return frozenset(
        name
        for _, name, spec in iter_fields(written)
        if name in names and spec.form not in {"choice", "flag"}
    )
