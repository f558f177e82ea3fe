"""Owns the count of what a system uses: which keys, choices and values occur in its files.

Does not judge it; `test_complete` does. What there is to use is read off the program's models.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from muster.armies.books import WrittenBook
from muster.armies.themes import Drafting, Theme
from muster.armies.vocabulary import WrittenComposition
from muster.systems.errata import Errata
from muster.systems.identity import Identity
from muster.systems.layouts import Cards, WrittenSheet
from muster.systems.rulebook_edition import Edition
from muster.tables.file_models import KINDS, WrittenTable
from muster.yamlfile import StrictModel, read_document, read_model

Model = type[BaseModel]
Key = tuple[str, str]
"""The class that brings a key, and the key as Python calls it."""

ROOTS: tuple[Model, ...] = (
    *(Identity, Errata, WrittenSheet, Cards, Edition, WrittenComposition, WrittenBook),
    *(Drafting, Theme),
    *KINDS.values(),
)


@dataclass(slots=True)
class Used:
    """What occurs: models, keys that are written, and the values of keys that have choices."""

    models: set[Model] = field(default_factory=set)
    keys: set[Key] = field(default_factory=set)
    choices: dict[tuple[Any, ...], set[Any]] = field(default_factory=dict)

    def add(self, held: Any) -> None:
        """Count a part of a file, and all parts within it."""
        match held:
            case BaseModel():
                self._add_model(held)
            case Mapping():
                for each in held.values():
                    self.add(each)
            case list() | tuple():
                for each in held:
                    self.add(each)

    def _add_model(self, held: BaseModel) -> None:
        self.models.add(type(held))
        for name, spec in type(held).model_fields.items():
            value = getattr(held, name)
            if name in held.model_fields_set:
                self.keys.add(brought_by(type(held), name))
            for choices in literals(spec.annotation):
                self.choices.setdefault(choices, set()).update(
                    value if isinstance(value, list) else [value]
                )
            self.add(value)


def used_by(system: Path) -> Used:
    """Count what the files of a system's folder use."""
    used = Used()
    for path in sorted(system.rglob("*.yaml")):
        document = read_document(path)
        used.add(read_model(model_of(path.relative_to(system), document.data), document))
    return used


def model_of(path: Path, data: Mapping[str, Any]) -> type[StrictModel]:
    """Tell which model a file of a system's folder is read into."""
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
        "composition.yaml": WrittenComposition,
        "drafting.yaml": Drafting,
    }
    if path.parts[0] == "tables":
        found: type[WrittenTable] = KINDS[data["kind"]]
        return found
    return folders[path.parts[0]] if len(path.parts) > 1 else files[path.name]


def parts_of(annotation: Any) -> Iterator[Any]:
    """Go through an annotation and everything inside its brackets."""
    yield annotation
    for each in get_args(annotation):
        if get_origin(annotation) is not Literal:
            yield from parts_of(each)


def literals(annotation: Any) -> Iterator[tuple[Any, ...]]:
    """List the choices of an annotation, each as all words that may be chosen."""
    for each in parts_of(annotation):
        if get_origin(each) is Literal:
            yield get_args(each)


def reachable(roots: Iterable[Model]) -> set[Model]:
    """List all models that may stand somewhere in files that are read into the roots."""
    found: set[Model] = set()
    waiting = list(roots)
    while waiting:
        model = waiting.pop()
        if model in found:
            continue
        found.add(model)
        # An annotation that names a model further down is known once the model is built.
        model.model_rebuild()
        for spec in model.model_fields.values():
            waiting += [
                each
                for each in parts_of(spec.annotation)
                if isinstance(each, type) and issubclass(each, BaseModel)
            ]
    return found


def brought_by(model: Model, name: str) -> Key:
    """Name the class that first says that there is such a key."""
    bringer = next(
        each for each in reversed(model.__mro__) if name in inspect.get_annotations(each)
    )
    return bringer.__name__, name


def unused_keys(models: Iterable[Model], used: Used) -> list[Key]:
    """List the keys that models take and nothing writes."""
    there = {brought_by(model, name) for model in models for name in model.model_fields}
    return sorted(there - used.keys)


def unused_choices(models: Iterable[Model], used: Used) -> dict[tuple[Any, ...], set[Any]]:
    """List the words that may be chosen and that nothing chooses."""
    there = {
        choices
        for model in models
        for spec in model.model_fields.values()
        for choices in literals(spec.annotation)
    }
    missing = {choices: set(choices) - used.choices.get(choices, set()) for choices in there}
    return {choices: words for choices, words in missing.items() if words}
