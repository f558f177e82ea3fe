"""Check a PNG or JPEG from a stranger, as far as can be without showing it.

The size is read before anything is unpacked, so that a few bytes cannot ask for gigabytes.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from muster.limits import MAX_PICTURE_SCANS, MAX_PROFILE_KIB

_MOST_BITS: Final = 8
"""The most bits of a channel."""


class BadPictureError(Exception):
    """A file is not a picture that may be printed; says what was read and what was expected."""


@dataclass(frozen=True, slots=True)
class RasterPicture:
    """The size of a picture in pixels, as it is shown, and its ICC profile, empty without one."""

    width: int
    height: int
    profile: bytes


def _check_size(width: int, height: int, most_pixels: int) -> None:
    """Refuse a picture of more pixels than its place needs, or of none.

    Raises:
        BadPictureError: With the size that was read, and the largest.
    """
    if not width or not height:
        raise BadPictureError(f"read {width} × {height} pixels, expected at least one")
    if width * height > most_pixels:
        most = most_pixels // 1_000_000
        text = f"read {width} × {height} pixels, expected at most {most} million"
        raise BadPictureError(f"{text}; 300 for each inch of its printed size are enough")


def _kind_of(data: bytes) -> str:
    """Return what a file seems to be, for a message."""
    starts = {
        b"\x89PNG": "a PNG",
        b"\xff\xd8": "a JPEG",
        b"GIF8": "a GIF",
        b"RIFF": "a WebP",
        b"<": "an SVG",
        b"BM": "a BMP",
        b"%PDF": "a PDF",
    }
    return next((kind for start, kind in starts.items() if data.startswith(start)), "other data")


# PNG (ISO/IEC 15948)

_PNG_START: Final = b"\x89PNG\r\n\x1a\n"
_PNG_HEAD: Final = struct.Struct(">IIBBBBB")
"""Width, height, bits of a channel, type of colour, two methods, and whether it is interlaced."""
_PNG_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Channels by type of colour: grey, RGB, palette, grey with alpha, RGB with alpha."""
_PASSES: Final = (
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
)  # fmt: skip
"""The passes of an interlaced PNG: the first column and row, and the steps across and down."""
_WHOLE: Final = ((0, 0, 1, 1),)


def read_png(data: bytes, most_pixels: int) -> RasterPicture:
    """Check that every byte of a PNG is there, and that it unpacks to its stated size.

    Raises:
        BadPictureError: If it is damaged, too large, animated, or has 16 bits a channel.
    """
    if not data.startswith(_PNG_START):
        raise BadPictureError(f"read {_kind_of(data)}, expected a PNG")
    chunks: dict[bytes, bytes] = {}
    for name, content in _png_chunks(data):
        chunks[name] = chunks.get(name, b"") + content if name == b"IDAT" else content
        if next(iter(chunks)) != b"IHDR" or len(chunks[b"IHDR"]) != _PNG_HEAD.size:
            raise BadPictureError("the PNG does not begin with its size")
    if b"acTL" in chunks:
        raise BadPictureError("the PNG is animated, expected one picture")
    width, height, bits, colour, _, _, interlaced = _PNG_HEAD.unpack(chunks[b"IHDR"])
    if bits > _MOST_BITS or colour not in _PNG_CHANNELS:
        text = f"read a PNG with {bits} bits a channel, expected at most {_MOST_BITS}"
        raise BadPictureError(f"{text}; save it with 8 bits a channel")
    _check_size(width, height, most_pixels)
    bits *= _PNG_CHANNELS[colour]
    size = sum(
        rows * (1 + -(-columns * bits // 8))  # Each row has a byte before it.
        for left, top, across, down in (_PASSES if interlaced else _WHOLE)
        if (columns := -(-(width - left) // across)) > 0
        and (rows := -(-(height - top) // down)) > 0
    )
    if len(_unpacked(chunks.get(b"IDAT", b""), size + 1)) != size:
        raise BadPictureError("the PNG is damaged: it has more or fewer pixels than it says")
    # The name of the profile, a zero, and the number of the method stand before it.
    packed = chunks.get(b"iCCP", b"").partition(b"\0")[2][1:]
    return RasterPicture(width, height, _unpacked(packed, MAX_PROFILE_KIB * 1024))


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and content of each chunk, up to the last.

    Raises:
        BadPictureError: If one is cut off or damaged.
    """
    place, name = len(_PNG_START), b""
    while name != b"IEND":
        end = place + 8 + int.from_bytes(data[place : place + 4], "big")
        name, content = data[place + 4 : place + 8], data[place + 8 : end]
        if data[end : end + 4] != zlib.crc32(name + content).to_bytes(4, "big"):
            raise BadPictureError("the PNG is damaged or not complete")
        yield name, content
        place = end + 4


def _unpacked(data: bytes, most_bytes: int) -> bytes:
    """Return the first bytes of what was packed: a bomb is never unpacked whole."""
    try:
        return zlib.decompressobj().decompress(data, most_bytes)
    except zlib.error:
        raise BadPictureError("the PNG is damaged") from None


# JPEG (ITU-T T.81)

_FRAMES: Final = {0xC0, 0xC1, 0xC2}
"""The markers of frames that everything reads: baseline, extended and progressive."""
_OTHER_FRAMES: Final = {*range(0xC3, 0xD0)} - {0xC4, 0xC8, 0xCC}
_SCAN, _END, _EXIF, _PROFILE = 0xDA, 0xD9, 0xE1, 0xE2
_FRAME_HEAD: Final = struct.Struct(">BHHB")
"""Bits of a channel, height, width and number of channels."""
_JPEG_CHANNELS: Final = {1, 3, 4}
_EXIF_START: Final = b"Exif\0\0"
_PROFILE_START: Final = b"ICC_PROFILE\0"
_MARKER: Final = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")
"""A marker that no data of a scan can be taken for."""

_ORIENTATION, _FIRST_TURNED = 0x0112, 5
"""The Exif tag that says how a picture is turned; from 5 on, width and height change places."""


def read_jpeg(data: bytes, most_pixels: int) -> RasterPicture:
    """Check the frame of a JPEG, the number of its scans, and that it ends.

    Raises:
        BadPictureError: If it is damaged, too large, or of a form that few programs read.
    """
    if not data.startswith(b"\xff\xd8\xff"):
        raise BadPictureError(f"read {_kind_of(data)}, expected a JPEG")
    segments: dict[int, list[bytes]] = {}
    for marker, content in _jpeg_segments(data):
        segments.setdefault(marker, []).append(content)
    if segments.keys() & _OTHER_FRAMES:
        text = "the JPEG is lossless or arithmetic, expected a baseline or progressive one"
        raise BadPictureError(text)
    frames = [content for marker in _FRAMES for content in segments.get(marker, ())]
    scans = len(segments.get(_SCAN, ()))
    if len(frames) != 1 or len(frames[0]) < _FRAME_HEAD.size or not scans:
        raise BadPictureError("the JPEG holds no picture, or several")
    if scans > MAX_PICTURE_SCANS:
        text = f"read a JPEG of {scans} scans, expected at most {MAX_PICTURE_SCANS}"
        raise BadPictureError(text)
    bits, height, width, channels = _FRAME_HEAD.unpack(frames[0][: _FRAME_HEAD.size])
    if bits != _MOST_BITS or channels not in _JPEG_CHANNELS:
        text = f"read a JPEG of {channels} channels of {bits} bits"
        raise BadPictureError(f"{text}, expected grey, RGB or CMYK with {_MOST_BITS} bits")
    _check_size(width, height, most_pixels)
    exif = next((each for each in segments.get(_EXIF, ()) if each.startswith(_EXIF_START)), b"")
    if _orientation(exif.removeprefix(_EXIF_START)) >= _FIRST_TURNED:
        width, height = height, width
    return RasterPicture(width, height, _jpeg_profile(segments.get(_PROFILE, ())))


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the marker and content of each segment up to the end of the picture.

    Raises:
        BadPictureError: If the picture does not end.
    """
    place = 2
    while found := _MARKER.search(data, place):
        if found[1][0] == _END:
            return
        place = found.end()
        length = max(int.from_bytes(data[place : place + 2], "big"), 2)
        yield found[1][0], data[place + 2 : place + length]
        place += length
    raise BadPictureError("the JPEG is not complete")


def _jpeg_profile(segments: Iterable[bytes]) -> bytes:
    """Return the ICC profile, whose parts say their places in one byte before the last."""
    start = len(_PROFILE_START)
    parts = [each[start:] for each in segments if each.startswith(_PROFILE_START)]
    return b"".join(part[2:] for part in sorted(parts, key=lambda part: part[:1]))


def _orientation(tiff: bytes) -> int:
    """Return how a picture is turned, 1 to 8; 1, not at all, if its Exif data do not say."""
    order = "<" if tiff.startswith(b"II") else ">"
    try:
        (start,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, start)
        for entry in range(count):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, start + 2 + 12 * entry)
            if tag == _ORIENTATION:
                return int(value)
    except struct.error:
        pass
    return 1
