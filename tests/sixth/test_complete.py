"""Tests that the sixth system uses everything there is, and that no Python names a system.

Whoever adds a kind, a form, a key or a choice to the program adds it to the sixth system too:
until then these tests fail.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from muster.armies import load_composition
from muster.armies.constraints import AnyConstraint
from muster.armies.fields import OWN_FORMS
from muster.armies.written_composition import iter_fields
from muster.systems import System, open_system
from muster.systems.directives import VERBS
from muster.systems.errata import Erratum
from muster.systems.layouts import _DERIVATIONS, Block
from muster.tables.file_models import KINDS
from muster.values import BLANK, DASH, FORMS, Scaled, Text, Value
from muster.yamlfile import Flag
from tests.sixth import usage
from tests.sixth.usage import Used

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
SIXTH: Final = HERE / "content" / "sixth"

ONE_OF: Final[dict[tuple[Any, ...], str]] = {
    ("cm", "in"): "a system is played in one unit",
    ("portrait", "landscape"): "its one sheet has one orientation",
    ("apart", "together"): "its one sheet has its scales apart",
    ("rule", "band", "double", "tab", "frieze"): "its sheets have one masthead",
    ("sun", "lines", "rays", "card", "discs"): "its books have two scenes",
    ("any", "multiple-of 2", "multiple-of 4", "multiple-of 8", "multiple-of 16"): "one print house",
    ("circle", "square", "diamond", "triangle", "star", "cross"): "it has two books",
}
"""Choices of which a single system can make only some, and why."""


@cache
def used() -> Used:
    return usage.used_by(SIXTH)


@cache
def sixth() -> System:
    return open_system(SIXTH)


def every_cell() -> Iterator[tuple[str, Value]]:
    """Yield all cells with the form of their column; of a scaled cell, each value too."""
    for table in sixth().tables():
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                yield column.form, cell
                if isinstance(cell, Scaled):
                    yield from ((column.form, cell.at(scale)) for scale in cell)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_occurs(kind: str) -> None:
    assert kind in {table.kind for table in sixth().tables()}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_values_occurs_in_a_column_of_its_own(form: str) -> None:
    cells = [cell for own, cell in every_cell() if own == form]

    assert any(isinstance(cell, FORMS[form]) for cell in cells)


def test_dash_blank_and_words_in_a_typed_column_occur() -> None:
    cells = list(every_cell())

    assert DASH in [cell for _, cell in cells]
    assert BLANK in [cell for _, cell in cells]
    assert any(isinstance(cell, Text) for form, cell in cells if form != "text")


def test_every_scale_has_values_of_its_own() -> None:
    scaled = [cell for _, cell in every_cell() if isinstance(cell, Scaled)]

    assert len(sixth().scales) >= 2
    assert all(any(scale.id in cell for cell in scaled) for scale in sixth().scales)


@pytest.mark.parametrize("form", OWN_FORMS)
def test_every_form_that_only_fields_have_occurs(form: str) -> None:
    fields = iter_fields(load_composition(sixth()).written)

    assert form in {spec.form for _, _, spec in fields}


@pytest.mark.parametrize(
    "member", get_args(get_args(AnyConstraint)[0]), ids=lambda member: member.__name__
)
def test_every_kind_of_constraint_occurs(member: usage.Model) -> None:
    assert member in used().models


@pytest.mark.parametrize("way", _DERIVATIONS)
def test_every_way_to_derive_a_value_occurs(way: str) -> None:
    assert _DERIVATIONS[way] in used().models


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_of_prose_occurs(verb: str) -> None:
    texts = [path.read_text("utf-8") for path in sorted((SIXTH / "prose").glob("*.md"))]

    assert any(f"{{{verb}:" in text or f"{{{verb}}}" in text for text in texts)


@pytest.mark.parametrize("option", Block.model_fields)
def test_every_option_of_a_sheets_block_occurs(option: str) -> None:
    assert ("Block", option) in used().keys


@pytest.mark.parametrize(
    "treatment", next(usage.literals(Erratum.model_fields["treatment"].annotation))
)
def test_every_treatment_of_an_erratum_occurs(treatment: str) -> None:
    assert treatment in {entry.treatment for entry in sixth().errata.entries}


def test_every_model_and_key_of_a_systems_files_occurs() -> None:
    models = usage.reachable(usage.ROOTS)

    assert len(models) > 50
    # A base class occurs as its subclasses only.
    leaves = {model for model in models if not any(model in sub.__mro__[1:] for sub in models)}
    assert {model.__name__ for model in leaves - used().models} == set()
    assert usage.unused_keys(models, used()) == []


def test_every_choice_of_a_systems_files_is_made() -> None:
    unused = usage.unused_choices(usage.reachable(usage.ROOTS), used())

    assert {key: words for key, words in unused.items() if key not in ONE_OF} == {}


def test_new_key_is_reported_as_unused() -> None:
    class Wider(Block):
        mirrored: Flag = False

    assert usage.unused_keys([Wider], used()) == [("Wider", "mirrored")]


ENGLISH: Final[dict[str, str]] = {
    "artillery": "a noun without a plural, in findings",
    "cavalry": "a noun without a plural, in findings",
    "infantry": "a noun without a plural, in findings",
    "militia": "a noun without a plural, in findings",
    "closing": "of a bracket, in a message",
    "definitions": "a kind of table",
    "foot": "what a scene draws",
    "hill": "what a scene draws",
    "initiative": "the tone of a phase",
    "morale": "the tone of a phase",
    "movement": "the tone of a phase",
    "officer": "what a scene draws",
    "sides": "of dice, and of a sheet of paper",
    "states": "a verb, in a message",
    "visibility": "a property of a shape in an SVG",
    "wood": "what a scene draws",
}
"""Ids of tables and entries that are also words of the program, with another meaning."""


@cache
def shipped_ids() -> frozenset[str]:
    """Return the ids of all shipped systems, their tables and their entries."""
    ids: set[str] = set()
    for path in sorted((ROOT / "content").glob("*/system.yaml")):
        system = open_system(path.parent)
        ids |= {system.id, *system.table_ids()}
        ids |= set(load_composition(system).entries)
    return frozenset(ids)


def words_of(source: str) -> set[str]:
    """Return the string literals of a module, each as a whole and split into words.

    Docstrings are left out, those of fields too: they may use a table as an example.
    """
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]
    pieces = {word.strip(".,:;'\"`()[]{}") for text in texts for word in text.split()}
    return {*texts, *pieces}


def test_no_python_names_a_system_a_table_or_an_entry() -> None:
    named = {
        (str(path.relative_to(ROOT)), word)
        for path in sorted((ROOT / "generator").rglob("*.py"))
        for word in words_of(path.read_text(encoding="utf-8")) & shipped_ids()
    }

    assert {(path, word) for path, word in named if word not in ENGLISH} == set()
    assert {word for _, word in named} >= set(ENGLISH)


@pytest.mark.parametrize(
    "source",
    ["x = 'kill-table'", "f('see kill-table.')", "f'{x}kill-table'", "x['slaughterloo']"],
    ids=["whole", "word", "f-string", "subscript"],
)
def test_name_in_python_is_found(source: str) -> None:
    assert words_of(source) & shipped_ids()


def test_docstring_may_use_an_example() -> None:
    assert not words_of("def f():\n    '''Look up kill-table.'''\n") & shipped_ids()
