"""Tests that the folders of all systems are alike: the same files, with keys in the same order.

The example system in `tests/sixth` and the scaffold of `muster new system` are tested, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from muster.tables.file_models import WrittenTable
from muster.tables.scenes import WrittenPiece
from muster.yamlfile import document_from_text, read_document, read_model
from tests.scaffold import SHIPPED, lay_out
from tests.sixth import usage

ROOT = Path(__file__).parents[2]
SIXTH = ROOT / "tests" / "sixth" / "content" / "sixth"
SYSTEMS = [*(ROOT / "content" / name for name in SHIPPED), SIXTH]

TABLE = (
    "id title kind chapter source phase remark form glossary per-band for changes good whose dice "
    "covers down across columns rising falling rows steps ranks drawings key spacing caption notes "
    "book-notes index"
)
PIECE = (
    "kind at from to points face angle reach of arm side files ranks base figures gap ghost style "
    "signs text align"
)
CONSTRAINT = (
    "id kind message book-text rule stated of part whole by whole-by needs bars attribute within "
    "cell sum each allowed min max per begun step one many when unless cure remedy"
)
ORDER = {
    "Identity": (
        "id title edition language unit scales source picture phases look chapters conventions"
    ),
    "Look": "accent light signal cover masthead ornament arms",
    "Source": "title authors publisher year version credit",
    "WrittenSheet": "id title orientation scales sides",
    "Side": "title columns blocks",
    "Cards": "colours symbols drawings cards roster books leaders units",
    "Tokens": "drawings tokens",
    "Token": "id label symbol text tone colour light shape number",
    "CardLayout": "id title level where facts figures losses tallies boxes blocks lone",
    "WrittenCardBlock": "title tone colour only heads beside where rows",
    "ValueRow": "label values where",
    "UnitFact": "label values where column only",
    "RosterColumn": "label title value where otherwise short",
    "TableCell": "table row column",
    "TableCellReference": "table row column",
    "Joined": "join by dashes result",
    "WrittenComposition": "pricing levels words profile entries options grants constraints",
    "Level": "id title key many under fields leaders",
    "FieldSpec": "form of title one many default required roll",
    "Roll": "dice table row column take capped plus total",
    "Entry": "id title one many level attributes size fields price picture",
    "Option": "id title attributes price",
    "Grant": "of set within when unless",
    "PriceTerm": "each times less where label",
    "WrittenNumber": "min max per begun",
    "Erratum": "id lines places printed read reason sheet treatment certainty question tick",
    "Place": "table row column chapter part",
    "WrittenBook": (
        "id title nation attributes colour shape source sample notes names picture units"
    ),
    "WrittenProfile": (
        "id title type options stats fields attributes number may source suggested notes picture"
    ),
    "WrittenPicture": "file alt credit",
    "WrittenColumn": "id label form for",
    "WrittenRow": "id label group cells for",
    "BandedRow": "id band label group cells for",
    "DefinitionRow": "id label group value form text short for",
    "ModifierRow": "id label value group for",
    "WrittenDrawing": "label alt ranks spacing arc rose size scale table scene for",
    "Step": "id label text short who phase for steps",
}
"""The order of keys, by the name of their model."""

NO_ORDER = {"editions", "themes", "drafting.yaml"}
"""Files of a few keys, which hold options of documents and not rules."""


def order_of(model: type[BaseModel]) -> Sequence[str]:
    """Return the order of a model's keys; a model with few keys has none."""
    if issubclass(model, WrittenTable):
        return TABLE.split()
    if issubclass(model, WrittenPiece):
        return PIECE.split()
    if "message" in model.model_fields:
        return CONSTRAINT.split()
    return ORDER.get(model.__name__, "").split()


def disorders(model: Any, raw: Any) -> Iterator[str]:
    """Iterate over the mappings of a file whose keys are in another order."""
    if isinstance(model, BaseModel) and isinstance(raw, dict):
        order = order_of(type(model))
        keys = [key for key in raw if order]
        if strange := [key for key in keys if key not in order]:
            yield f"{type(model).__name__}: no place for {', '.join(strange)}"
        elif keys != sorted(keys, key=order.index):
            yield f"{type(model).__name__} {raw.get('id', '')}: {', '.join(keys)}"
        for name, spec in type(model).model_fields.items():
            if (key := spec.alias or name) in raw:
                yield from disorders(getattr(model, name), raw[key])
    elif isinstance(model, list) and isinstance(raw, list):
        for item, raw_item in zip(model, raw, strict=True):
            yield from disorders(item, raw_item)
    elif isinstance(model, dict) and isinstance(raw, dict):
        for key in raw:
            yield from disorders(model.get(key), raw[key])


def in_disorder(system: Path) -> list[str]:
    """Return all mappings of a system's files whose keys are in another order."""
    mappings = []
    for path in sorted(system.rglob("*.yaml")):
        part = path.relative_to(system)
        if part.parts[0] not in NO_ORDER:
            document = read_document(path)
            model = read_model(usage.model_of(part, document.data), document)
            mappings += [f"{part}: {mapping}" for mapping in disorders(model, document.data)]
    return mappings


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda path: path.name)
def test_keys_of_every_file_stand_in_one_order(system: Path) -> None:
    assert in_disorder(system) == []


def test_keys_of_the_scaffold_stand_in_the_same_order(tmp_path: Path) -> None:
    assert in_disorder(lay_out(tmp_path)) == []


def test_every_order_is_that_of_a_model() -> None:
    names = {model.__name__ for model in usage.reachable(usage.ROOTS)}

    assert ORDER.keys() <= names


def test_every_order_names_all_keys_of_its_model() -> None:
    lacking = {
        f"{model.__name__}: {spec.alias or name}"
        for model in usage.reachable(usage.ROOTS)
        for name, spec in model.model_fields.items()
        if (order := order_of(model)) and (spec.alias or name) not in order
    }

    assert lacking == set()


def test_keys_in_another_order_are_found() -> None:
    text = "id: a\ntitle: A\nchapter: c\nkind: grid\nsource: L1\ncolumns: [{label: X, id: x}]\n"
    document = document_from_text(f"{text}rows: [{{id: r, label: R, cells: [1]}}]\n", "a.yaml")
    model = read_model(usage.model_of(Path("tables/a.yaml"), document.data), document)

    assert [mapping.split(":")[0].split()[0] for mapping in disorders(model, document.data)] == [
        "WrittenGrid",
        "WrittenColumn",
    ]


MAY_LACK = {"books", "drafting.yaml", "pictures", "translations"}


def parts(system: Path) -> set[str]:
    """Return the names of a system's files and folders at the top."""
    return {path.name for path in system.iterdir() if not path.name.startswith(".")}


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda path: path.name)
def test_every_folder_has_the_same_files(system: Path) -> None:
    # Books are for sources that have army lists; a system without them says so in a comment.
    assert parts(system) - MAY_LACK == parts(SIXTH) - MAY_LACK
    top = (system / "composition.yaml").read_text(encoding="utf-8").partition("\nlevels:")[0]
    comment = " ".join(top.replace("\n#", " ").split())
    assert ("books" in parts(system)) != ("army lists" in comment)
