"""The descriptions of the keys of files, for JSON Schemas and the reference.

They are the docstrings below the fields of the models. They are read from the source only when a
schema is asked for, because Pydantic's own way of reading them slows down every command.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from pathlib import Path
from typing import Any

from muster.yamlfile.models import StrictModel

Schema = dict[str, Any]


def described_schema(model: type[StrictModel]) -> Schema:
    """Return the JSON Schema of a model, with the descriptions of all keys in it."""
    schema = model.model_json_schema()
    classes = {each.__name__: each for each in known_models()}
    for name, part in {model.__name__: schema, **schema.get("$defs", {})}.items():
        if name in classes:
            for key, text in key_descriptions(classes[name]).items():
                part["properties"][key]["description"] = text
    return schema


def known_models() -> list[type[StrictModel]]:
    """Return every model of a part of a file, as far as its module is loaded."""
    models: list[type[StrictModel]] = []
    waiting: list[type[StrictModel]] = [StrictModel]
    while waiting:
        for model in waiting.pop().__subclasses__():
            if model.__module__.startswith("muster."):
                models.append(model)
            waiting.append(model)
    return models


def key_descriptions(model: type[StrictModel]) -> dict[str, str]:
    """Return the description of each key of a model that has one, by the key as files write it."""
    described: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, StrictModel):
            described |= _field_docstrings(inspect.getfile(base))[base.__name__]
    return {
        field.alias or name: described[name]
        for name, field in model.model_fields.items()
        if name in described
    }


@cache
def _field_docstrings(file: str) -> dict[str, dict[str, str]]:
    """Return the docstrings below the fields of a module's classes, by class and field."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {
        part.name: {
            field.target.id: " ".join(text.value.value.split())
            for field, text in zip(part.body, part.body[1:], strict=False)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        }
        for part in tree.body
        if isinstance(part, ast.ClassDef)
    }
