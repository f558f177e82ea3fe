"""Owns a piece of a document: pages laid out on their own, kept as the objects of their PDF.

Does not join pieces (see `joining`). A piece is bytes that can be kept between builds; it holds
no code, and what cannot be read is no piece.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import orjson
import pydyf

Value = str | int | list[Any] | dict[str, Any]
"""A part of an object: its bytes as Latin-1, the number of another object, a list, a dictionary."""

Tag = list[str | int]
"""A tag: its bytes as Latin-1, and between them the numbers of other objects, or `PLACE`."""

PLACE = 0
"""What stands in a tag for the place of its piece among others; no object has this number."""

_REFERENCE = re.compile(rb"(\d+) 0 R")


@dataclass(frozen=True, slots=True)
class Held:
    """One object: its value, and for a stream what it holds, compressed."""

    value: Value
    stream: bytes | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Pages and all that they need, by the numbers of the objects."""

    objects: dict[int, Held]
    tags: dict[int, Tag]
    """All tags below the topmost: most of a document's objects, and copied as they are."""
    catalog: dict[str, Value]
    info: dict[str, Value]
    root: int
    """The number of the object that lists the pages."""
    pages: tuple[int, ...]

    def dictionary(self, number: Value) -> dict[str, Value]:
        """Give an object that is a dictionary.

        Raises:
            ValueError: If it is none.
        """
        found = self.objects[number].value if isinstance(number, int) else number
        if not isinstance(found, dict):
            text = f"object {number!r} is no dictionary"
            raise ValueError(text)  # noqa: TRY004 - what was read is wrong, not how it was called
        return found


def captured(pdf: pydyf.PDF) -> Piece:
    """Take all objects of a PDF that is about to be written."""
    objects: dict[int, Held] = {}
    tags: dict[int, Tag] = {}
    for each in pdf.objects:
        if each.free == "f" or each is pdf.catalog:
            continue
        if isinstance(each, pydyf.Stream):
            extra = {str(key): _value(value) for key, value in each.extra.items()}
            payload = b"\n".join(_leaf(item) for item in each.stream)
            if "Filter" not in extra:
                payload = zlib.compress(payload, 9)
                extra["Filter"] = "/FlateDecode"
            objects[each.number] = Held(extra, payload)
            continue
        value = _value(each)
        if isinstance(value, dict) and value.get("S", _TOP) != _TOP:
            tags[each.number] = _tag(value)
        else:
            objects[each.number] = Held(value)
    return Piece(
        objects,
        tags,
        {str(key): _value(value) for key, value in pdf.catalog.items()},
        {str(key): _value(value) for key, value in pdf.info.items()},
        pdf.pages.number,
        tuple(pdf.pages["Kids"][::3]),
    )


def _value(item: Any) -> Value:
    match item:
        case pydyf.Stream():
            raise ValueError("a stream stands on its own")
        case Mapping():
            return {str(key): _value(value) for key, value in item.items()}
        case list() | tuple():
            return [_value(value) for value in item]
        case bytes() if found := _REFERENCE.fullmatch(item):
            return int(found[1])
        case _:
            return _leaf(item).decode("latin-1")


_TOP = "/Document"
"""What the topmost tag is; every tag says in `S` what it is, and no other object has an `S`."""

_OF_ITS_OWN = ("ID", "Headers")
"""Where tags name the heads of tables: in two pieces the names are alike."""


def _tag(value: Value) -> Tag:
    """Write a tag; the heads of tables in one piece are told from those in another."""
    parts: Tag = []
    for part in _parts(value):
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _parts(value: Value, key: str = "") -> Iterator[str | int]:
    match value:
        case dict():
            yield "<<"
            for name, each in value.items():
                yield f"/{name} "
                yield from _parts(each, name)
            yield ">>"
        case list():
            yield "["
            for at, each in enumerate(value):
                if at:
                    yield " "
                yield from _parts(each, key)
            yield "]"
        case str() if key in _OF_ITS_OWN:
            yield from ("(", PLACE, "-", value[1:])
        case _:
            yield value


def _leaf(item: Any) -> bytes:
    """Write a number, name or text as a PDF does."""
    written: bytes = item if isinstance(item, bytes) else pydyf.Array([item]).data[1:-1]
    return written


def packed(piece: Piece) -> bytes:
    """Write a piece as bytes."""
    streams = b""
    objects = []
    for number, held in piece.objects.items():
        objects.append([number, held.value, None if held.stream is None else len(held.stream)])
        streams += held.stream or b""
    tags = list(piece.tags.items())
    head = [objects, tags, piece.catalog, piece.info, piece.root, piece.pages]
    written = zlib.compress(orjson.dumps(head), 6)
    return len(written).to_bytes(4, "big") + written + streams


def unpacked(data: bytes) -> Piece | None:
    """Read a piece from bytes; None if they are none."""
    try:
        size = int.from_bytes(data[:4], "big")
        written, told, catalog, info, root, pages = orjson.loads(
            zlib.decompress(data[4 : 4 + size])
        )
        at = 4 + size
        objects = {}
        for number, value, length in written:
            stream = None if length is None else data[at : at + length]
            at += length or 0
            objects[int(number)] = Held(value, stream)
        if at != len(data):
            return None
        tags = {int(number): list(tag) for number, tag in told}
        return Piece(objects, tags, dict(catalog), dict(info), int(root), tuple(map(int, pages)))
    except (ValueError, TypeError, zlib.error):
        return None


class Kept(Protocol):
    """Where pieces of documents are kept between builds, by what they are made from."""

    def get(self, made_from: str) -> bytes | None:
        """Give a piece, if it is there."""

    def put(self, made_from: str, data: bytes) -> None:
        """Keep a piece."""


class Nowhere:
    """Keeps nothing."""

    def get(self, made_from: str) -> bytes | None:
        """Give nothing."""
        del made_from
        return None

    def put(self, made_from: str, data: bytes) -> None:
        """Keep nothing."""
