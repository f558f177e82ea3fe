"""Collects which models, keys and choices the files of a system use, and which they may use."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from muster.armies.books import WrittenBook
from muster.armies.themes import Drafting, Theme
from muster.armies.written_composition import WrittenComposition
from muster.systems.errata import Errata
from muster.systems.identity import Identity
from muster.systems.layouts import Cards, WrittenSheet
from muster.systems.rulebook_edition import Edition
from muster.systems.search_words import SearchWords
from muster.systems.tokens import Tokens
from muster.tables.file_models import KINDS, WrittenTable
from muster.yamlfile import StrictModel, read_document, read_model

Model = type[BaseModel]
Key = tuple[str, str]
"""The class that defines a key, and the name of the key in Python."""

ROOTS: tuple[Model, ...] = (
    *(Identity, Errata, WrittenSheet, Cards, Edition, WrittenComposition, WrittenBook),
    *(Drafting, Theme, Tokens, SearchWords),
    *KINDS.values(),
)


@dataclass(slots=True)
class Used:
    """What occurs in files: models, keys, and the values of keys that have choices."""

    models: set[Model] = field(default_factory=set)
    keys: set[Key] = field(default_factory=set)
    choices: dict[tuple[Any, ...], set[Any]] = field(default_factory=dict)

    def add(self, value: Any) -> None:
        """Add a value from a file, and all values within it."""
        match value:
            case BaseModel():
                self._add_model(value)
            case Mapping():
                for inner in value.values():
                    self.add(inner)
            case list() | tuple():
                for inner in value:
                    self.add(inner)

    def _add_model(self, model: BaseModel) -> None:
        self.models.add(type(model))
        for name, spec in type(model).model_fields.items():
            value = getattr(model, name)
            if name in model.model_fields_set:
                self.keys.add(defined_by(type(model), name))
            for choices in literals(spec.annotation):
                chosen = value if isinstance(value, list) else [value]
                # Where a word stands for a whole part, other files have that part instead.
                words = [each for each in chosen if not isinstance(each, BaseModel)]
                self.choices.setdefault(choices, set()).update(words)
            self.add(value)


def used_by(system: Path) -> Used:
    """Return what the files of a system's folder use."""
    used = Used()
    for path in sorted(system.rglob("*.yaml")):
        document = read_document(path)
        used.add(read_model(model_of(path.relative_to(system), document.data), document))
    return used


def model_of(path: Path, data: Mapping[str, Any]) -> type[StrictModel]:
    """Return the model that a file of a system's folder is read into."""
    folders: dict[str, type[StrictModel]] = {
        "books": WrittenBook,
        "sheets": WrittenSheet,
        "editions": Edition,
        "themes": Theme,
    }
    files: dict[str, type[StrictModel]] = {
        "system.yaml": Identity,
        "errata.yaml": Errata,
        "cards.yaml": Cards,
        "tokens.yaml": Tokens,
        "search.yaml": SearchWords,
        "composition.yaml": WrittenComposition,
        "drafting.yaml": Drafting,
    }
    if path.parts[0] == "tables":
        found: type[WrittenTable] = KINDS[data["kind"]]
        return found
    return folders[path.parts[0]] if len(path.parts) > 1 else files[path.name]


def parts_of(annotation: Any) -> Iterator[Any]:
    """Yield an annotation and everything inside its brackets."""
    yield annotation
    for argument in get_args(annotation):
        if get_origin(annotation) is not Literal:
            yield from parts_of(argument)


def literals(annotation: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the words of each `Literal` in an annotation."""
    for part in parts_of(annotation):
        if get_origin(part) is Literal:
            yield get_args(part)


def reachable(roots: Iterable[Model]) -> set[Model]:
    """Return the roots and all models that they refer to, directly or not."""
    found: set[Model] = set()
    waiting = list(roots)
    while waiting:
        model = waiting.pop()
        if model in found:
            continue
        found.add(model)
        # An annotation that refers to a model defined later is resolved by building the model.
        model.model_rebuild()
        for spec in model.model_fields.values():
            waiting += [
                part
                for part in parts_of(spec.annotation)
                if isinstance(part, type) and issubclass(part, BaseModel)
            ]
    return found


def defined_by(model: type[Any], name: str) -> Key:
    """Return the base class that defines a key, and the key."""
    owner = next(base for base in reversed(model.__mro__) if name in inspect.get_annotations(base))
    return owner.__name__, name


def unused_keys(models: Iterable[Model], used: Used) -> list[Key]:
    """Return the keys that models accept and no file has."""
    accepted = {defined_by(model, name) for model in models for name in model.model_fields}
    return sorted(accepted - used.keys)


def unused_choices(models: Iterable[Model], used: Used) -> dict[tuple[Any, ...], set[Any]]:
    """Return the words of each choice that models offer and no file chooses."""
    offered = {
        choices
        for model in models
        for spec in model.model_fields.values()
        for choices in literals(spec.annotation)
    }
    missing = {choices: set(choices) - used.choices.get(choices, set()) for choices in offered}
    return {choices: words for choices, words in missing.items() if words}
