"""Put the texts of a model that was read into other words: those of a translation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from muster.yamlfile.document import Document, Wording
from muster.yamlfile.models import Translated
from muster.yamlfile.nodes import KeyPath

Model = TypeVar("Model", bound=BaseModel)


def reworded(model: Model, document: Document) -> Model:
    """Return a model with its texts in the words of the document's wording.

    The types of its fields decide what is a text: `Label` and `Prose`, wherever they stand.
    """
    wording = document.wording
    assert wording is not None  # noqa: S101 - nobody asks without
    return _Rewording(wording, document).model(model, ())


class _Rewording:
    def __init__(self, wording: Wording, document: Document) -> None:
        self.wording = wording
        self.document = document

    def model(self, model: Model, path: KeyPath) -> Model:
        changed: dict[str, Any] = {}
        for name, field in type(model).model_fields.items():
            value = getattr(model, name)
            room = _room_in(field.metadata)
            new = self._value(value, [field.annotation], (*path, field.alias or name), room)
            if new is not value:
                changed[name] = new
        return model.model_copy(update=changed) if changed else model

    def _value(self, value: Any, shapes: list[Any], path: KeyPath, room: Translated | None) -> Any:
        """Return a value in other words; the same object if nothing in it changes."""
        if isinstance(value, BaseModel):
            return self.model(value, path)
        if isinstance(value, str):
            room = room or next(filter(None, map(_room_of, _leaves(shapes))), None)
            # A text that may be left out is empty then.
            return self.wording.say(value, path, room, self.document) if room and value else value
        if isinstance(value, list):
            inner = _inner_shapes(shapes)
            items = [self._value(item, inner, (*path, n), None) for n, item in enumerate(value)]
            return items if _differ(items, value) else value
        if isinstance(value, dict):
            inner = _inner_shapes(shapes)
            said = {
                key: self._value(item, inner, (*path, key), None) for key, item in value.items()
            }
            return said if _differ(said.values(), value.values()) else value
        return value


def _differ(new: Any, old: Any) -> bool:
    return any(one is not other for one, other in zip(new, old, strict=True))


def _room_in(metadata: Any) -> Translated | None:
    """Return the room that annotations leave for a text; None if it is not translated."""
    room = next((each for each in metadata if isinstance(each, Translated)), None)
    if room is None:
        return None
    limits = [getattr(each, "max_length", None) for each in metadata]
    return replace(room, most=min([room.most, *(each for each in limits if each is not None)]))


def _room_of(shape: Any) -> Translated | None:
    return _room_in(shape.__metadata__) if get_origin(shape) is Annotated else None


def _leaves(shapes: list[Any]) -> Iterator[Any]:
    """Yield the members of unions, each with what it is annotated with."""
    for shape in shapes:
        if get_origin(shape) in (Union, UnionType):
            yield from _leaves(list(get_args(shape)))
        else:
            yield shape


def _inner_shapes(shapes: list[Any]) -> list[Any]:
    """Return the types of what lists and mappings of these types hold."""
    inner = []
    for shape in _leaves(shapes):
        plain = get_args(shape)[0] if get_origin(shape) is Annotated else shape
        if get_origin(plain) in (list, dict):
            inner.append(get_args(plain)[-1])
    return inner
