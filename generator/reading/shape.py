"""Owns the question which keys a model takes at a place of a file.

Does not validate; it follows the annotations of models along the data, to name what is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel


def known_keys(model: type[BaseModel], data: Any, path: tuple[str | int, ...]) -> list[str]:
    """List the keys that a mapping may have, as files write them, in the order of the model.

    Where several models are possible, those count whose fixed words (`kind: grid`) are the
    mapping's own; if there are none such, all do.

    Args:
        model: What the whole file is held to.
        data: The whole file.
        path: The way to the mapping.
    """
    shapes: list[Any] = [model]
    value = data
    for step in path:
        shapes = [inner for each in _fitting(shapes, value) for inner in _within(each, step)]
        value = value[step]
    keys: dict[str, None] = {}
    for each in _fitting(shapes, value):
        if _is_model(each):
            keys.update(dict.fromkeys(_fields(each)))
    return list(keys)


def _fitting(shapes: list[Any], value: Any) -> list[Any]:
    leaves = [leaf for shape in shapes for leaf in _leaves(shape)]
    if not isinstance(value, Mapping):
        return leaves
    return [leaf for leaf in leaves if _agrees(leaf, value)] or leaves


def _leaves(shape: Any) -> Iterator[Any]:
    origin = get_origin(shape)
    if origin is Annotated:
        yield from _leaves(get_args(shape)[0])
    elif origin is Union or origin is UnionType:
        for each in get_args(shape):
            yield from _leaves(each)
    else:
        yield shape


def _within(shape: Any, step: str | int) -> list[Any]:
    if _is_model(shape):
        fields = _fields(shape)
        return [fields[str(step)]] if step in fields else []
    if get_origin(shape) is None:
        return []
    # The last argument is what a dict, a list or a tuple holds.
    return [each for each in get_args(shape) if each is not Ellipsis][-1:]


def _agrees(shape: Any, value: Mapping[str, Any]) -> bool:
    if not _is_model(shape):
        return False
    return all(
        value[name] in get_args(annotation)
        for name, annotation in _fields(shape).items()
        if get_origin(annotation) is Literal and name in value
    )


def _is_model(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, BaseModel)


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {each.alias or name: each.annotation for name, each in model.model_fields.items()}
