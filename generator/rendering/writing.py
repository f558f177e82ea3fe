"""Owns the writing of a PDF whose objects are made: object stream, cross-references, trailer.

Does not make objects. pydyf writes the same, but packs both streams as hard as zlib can: of a
document with many tags these hold long runs that differ little, over which zlib then spends up
to a quarter of a second, for a few bytes in a hundred.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from hashlib import sha256

import pydyf

_HEAD = b"%%PDF-%b\n%%\xf0\x9f\x96\xa4\n"
_FREE, _PLAIN, _PACKED = range(3)
_Place = tuple[int, int, int]
"""How an object is found: by no place, its first byte, or the stream that holds it; and which."""


def written(pdf: pydyf.PDF, version: str = "1.7", *, named: bool = False) -> bytes:
    """Write a PDF: streams as they are, all other objects packed into one of their own.

    With *named*, the file has an id, reckoned from all that is in it.
    """
    if pdf.info:
        pdf.add_object(pdf.info)
    body = bytearray(_HEAD % version.encode())
    places: list[_Place] = []
    packed: list[pydyf.Object] = []
    for each in pdf.objects:
        if each.free == "f":
            places.append((_FREE, 0, each.generation))
        elif each.compressible:
            # The number of their stream is that of the next object.
            places.append((_PACKED, len(pdf.objects), len(packed)))
            packed.append(each)
        else:
            places.append((_PLAIN, len(body), each.generation))
            body += each.indirect + b"\n"
    bundle = _bundle(packed)
    pdf.add_object(bundle)
    places.append((_PLAIN, len(body), 0))
    body += bundle.indirect + b"\n"
    start = len(body)
    places.append((_PLAIN, start, 0))
    table = _table(places)
    table.extra |= {"Root": pdf.catalog.reference}
    if pdf.info:
        table.extra |= {"Info": pdf.info.reference}
    if named:
        name = pydyf.String(sha256(body).hexdigest()[:32])
        table.extra |= {"ID": pydyf.Array((name, name))}
    pdf.add_object(table)
    body += table.indirect + b"\nstartxref\n%d\n%%%%EOF\n" % start
    return bytes(body)


def _stream(payload: bytes, about: dict[str, object]) -> pydyf.Stream:
    return pydyf.Stream([zlib.compress(payload)], {**about, "Filter": "/FlateDecode"})


def _bundle(objects: Iterable[pydyf.Object]) -> pydyf.Stream:
    """Pack objects into a stream, with the number and the place of each at its head."""
    head, rest, place = [], [], 0
    for each in objects:
        data = each.data
        head += [each.number, place]
        rest.append(data)
        place += len(data) + 1
    listed = " ".join(map(str, head)).encode()
    about = {"Type": "/ObjStm", "N": len(rest), "First": len(listed) + 1}
    return _stream(b"\n".join([listed, *rest]), about)


def _table(places: list[_Place]) -> pydyf.Stream:
    """Tell where each object is; all numbers of a column are of one width."""
    widths = [(max(column).bit_length() + 7) // 8 or 1 for column in zip(*places, strict=True)]
    payload = b"".join(
        number.to_bytes(width, "big")
        for place in places
        for number, width in zip(place, widths, strict=True)
    )
    count = len(places)
    about = {
        "Type": "/XRef",
        "Index": pydyf.Array((0, count)),
        "W": pydyf.Array(widths),
        "Size": count,
    }
    return _stream(payload, about)
