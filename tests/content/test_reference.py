"""Tests of the reference of keys, and of the descriptions in the schemas that it is made from."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from muster.armies.army_schema import ARMY_KEYS, army_schema
from muster.cli.catalogue import file_schemas
from muster.systems import Library
from muster.yamlfile.descriptions import key_descriptions, known_models

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "content" / "REFERENCE.md"


def undescribed(schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the keys without a description, in all parts of a schema."""
    for key, value in schema.get("properties", {}).items():
        if not value.get("description"):
            yield f"{path}.{key}"
    for name, part in schema.get("$defs", {}).items():
        yield from undescribed(part, f"{path}.{name}")


@pytest.mark.parametrize(("name", "schema"), file_schemas().items(), ids=list(file_schemas()))
def test_every_key_is_described_in_the_schema(name: str, schema: dict[str, Any]) -> None:
    assert list(undescribed(schema, name)) == []


def test_every_model_of_a_file_is_described_and_has_its_keys_in_the_reference() -> None:
    file_schemas()
    text = REFERENCE.read_text(encoding="utf-8")
    missing = [
        f"{model.__name__}.{key}"
        for model in known_models()
        for key in (field.alias or name for name, field in model.model_fields.items())
        if key not in (described := key_descriptions(model)) or described[key] not in text
    ]

    assert len(known_models()) > 60
    assert missing == []


def test_description_that_is_missing_is_found() -> None:
    schema: dict[str, Any] = {"properties": {"id": {"description": "Id."}, "by": {}}}
    schema["$defs"] = {"Part": {"properties": {"of": {"description": ""}}}}

    assert list(undescribed(schema, "file")) == ["file.by", "file.Part.of"]


def test_keys_of_army_files_are_described() -> None:
    schema = army_schema(Library(ROOT).system("seven-years-war"))
    unit = schema["$defs"]["unit"]["properties"]

    assert all(key in schema["properties"] or key in unit for key in ARMY_KEYS)
    for key in ("unit", "book", "count", "options", "name", "notes", "rolled"):
        assert unit[key]["description"]
    for key in ("system", "limit", "scale"):
        assert schema["properties"][key]["description"]


def reference_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / ".ci" / "write_reference.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_reference_is_up_to_date_and_its_links_lead_somewhere() -> None:
    text = REFERENCE.read_text(encoding="utf-8")

    assert reference_script().reference() == text, "run `make reference`"
    heads = [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
    anchors = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) <= anchors
