"""Owns the way of finished data to JSON and back: models, frozen dataclasses, decimals, tuples.

Does not write files (see `cache`). Nothing in the JSON can call code of its own: only classes of
this package that are loaded already are made, by name, and only with the fields they have now.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from pydantic import BaseModel

_PACKAGE: Final = "generator."
_DEEPEST: Final = 60
_LIST, _TUPLE, _DICT, _DECIMAL, _FRACTION, _ENUM = range(6)
_FIRST_CLASS: Final = 8
"""Tags from here on are places in the list of classes."""

_PLAIN: Final = (str, int, bool, type(None))


class StrangeError(Exception):
    """Say that something cannot be kept as JSON, or that JSON is nothing that was kept."""


def stored(value: Any) -> Any:
    """Give plain lists and texts that `restored` makes an equal value of.

    Raises:
        StrangeError: If there is none.
    """
    writer = _Writer()
    body = writer.write(value, 0)
    found = [writer.classes, body]
    if restored(found) != value:
        text = f"{type(value).__name__} does not come back as it was"
        raise StrangeError(text)
    return found


def restored(found: Any) -> Any:
    """Make the value again.

    Raises:
        StrangeError: If it is of another shape, or of classes that are not, or no longer, known.
    """
    match found:
        case [list(classes), body]:
            reader = _Reader([_Kind.named(each) for each in classes])
            try:
                return reader.read(body, 0)
            except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
                raise StrangeError(str(error)) from None
    text = "expected classes and a body"
    raise StrangeError(text)


class _Kind:
    """A class of which objects are kept: its fields, and how one is made of their values."""

    __slots__ = ("make", "names", "of")

    def __init__(self, of: type[Any]) -> None:
        self.of = of
        self.names: tuple[str, ...]
        self.make: Callable[..., Any] = of
        if issubclass(of, BaseModel):
            known = of.__pydantic_fields__
            self.names = tuple(known)
            self.make = _model_maker(of)
        elif is_dataclass(of):
            self.names = tuple(each.name for each in fields(of) if each.init)
            if len(self.names) != len(fields(of)):
                raise StrangeError(of.__name__)
        elif not issubclass(of, Enum) and of.__dict__.get("__slots__") == ():
            self.names = ()
        else:
            raise StrangeError(of.__name__)

    @classmethod
    def named(cls, found: Any) -> _Kind | type[Enum]:
        match found:
            case [str(module), str(name), list(names)] if module.startswith(_PACKAGE):
                of = getattr(sys.modules.get(module), name, None)
                if isinstance(of, type) and of.__module__ == module:
                    if issubclass(of, Enum):
                        return of
                    kind = cls(of)
                    if list(kind.names) == names:
                        return kind
        text = "a class that is not known, or has other fields"
        raise StrangeError(text)


def _model_maker(of: type[BaseModel]) -> Callable[..., BaseModel]:
    """Make models of values that were validated before, without a validator.

    Building Pydantic's validators takes longer than all else that a warm run does.
    """
    keys = [each.alias or name for name, each in of.__pydantic_fields__.items()]

    def make(given: int, *values: Any) -> BaseModel:
        set_by = {name for n, name in enumerate(of.__pydantic_fields__) if given >> n & 1}
        return of.model_construct(set_by, **dict(zip(keys, values, strict=True)))

    return make


class _Writer:
    def __init__(self) -> None:
        self.classes: list[list[Any]] = []
        self._places: dict[type, tuple[int, _Kind | None]] = {}

    def write(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if depth > _DEEPEST:
            raise StrangeError(kind.__name__)
        if kind is list or kind is tuple:
            tag = _LIST if kind is list else _TUPLE
            return [tag, *(self.write(each, depth + 1) for each in value)]
        if isinstance(value, Mapping):
            if not all(type(key) is str for key in value):
                raise StrangeError(kind.__name__)
            return [_DICT, {key: self.write(each, depth + 1) for key, each in value.items()}]
        if kind is Decimal or kind is Fraction:
            return [_DECIMAL if kind is Decimal else _FRACTION, str(value)]
        tag, known = self._place(kind)
        if known is None:
            return [_ENUM, tag, value.name]
        held = [self.write(getattr(value, name), depth + 1) for name in known.names]
        if isinstance(value, BaseModel):
            given = value.model_fields_set
            held.insert(0, sum((name in given) << n for n, name in enumerate(known.names)))
        elif not known.names and kind() is not value:
            raise StrangeError(kind.__name__)
        return [tag + _FIRST_CLASS, *held]

    def _place(self, kind: type[Any]) -> tuple[int, _Kind | None]:
        if kind not in self._places:
            if not kind.__module__.startswith(_PACKAGE):
                raise StrangeError(kind.__name__)
            known = None if issubclass(kind, Enum) else _Kind(kind)
            names = known.names if known is not None else ()
            self._places[kind] = (len(self.classes), known)
            self.classes.append([kind.__module__, kind.__name__, list(names)])
        return self._places[kind]


class _Reader:
    def __init__(self, kinds: list[_Kind | type[Enum]]) -> None:
        self.kinds = kinds

    def read(self, found: Any, depth: int) -> Any:
        if type(found) in _PLAIN:
            return found
        tag = found[0]
        if depth > _DEEPEST:
            raise StrangeError(str(tag))
        below = depth + 1
        if tag >= _FIRST_CLASS:
            held = [self.read(each, below) for each in found[1:]]
            return self.kinds[tag - _FIRST_CLASS].make(*held)
        match found:
            case [0 | 1, *items]:
                held = [self.read(each, below) for each in items]
                return tuple(held) if tag else held
            case [2, dict(items)]:
                return {key: self.read(each, below) for key, each in items.items()}
            case [3 | 4, str(text)]:
                return Decimal(text) if tag == _DECIMAL else Fraction(text)
            case [5, place, str(name)]:
                return self._member(place, name)
        raise StrangeError(str(tag))

    def _member(self, place: int, name: str) -> Enum:
        members = self.kinds[place]
        if isinstance(members, _Kind):
            raise StrangeError(members.of.__name__)
        return members[name]
