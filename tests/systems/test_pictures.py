"""Tests of pictures: what is read of each, and what is told of one that may not be printed."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from muster.limits import MAX_PICTURE_KIB, MAX_PICTURE_SCANS
from muster.problems import MusterError, Problem
from muster.systems import open_system
from muster.systems.lint import lint_system
from muster.systems.pictures import Picture, PictureFile, WrittenPicture
from muster.yamlfile import document_from_text, read_model
from tests.picture_samples import SVG, profile, raster
from tests.scaffold import spoil

YAML = "id: club\npicture: {file: %s, alt: A flag, credit: Ida}\n"


def picture_of(folder: Path, name: str, data: bytes) -> Picture:
    """Return a picture that a file in a folder names."""
    folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    document = document_from_text(YAML % name, "system.yaml")
    written = WrittenPicture(**document.data["picture"])
    return PictureFile(written, folder, document, ("picture",)).picture


def problem_of(folder: Path, name: str, data: bytes) -> Problem:
    with pytest.raises(MusterError) as caught:
        picture_of(folder, name, data)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_png_of_every_colour_is_read_and_passed_on_as_it_is(mode: str, tmp_path: Path) -> None:
    data = raster(mode=mode)

    picture = picture_of(tmp_path, "pictures/flag.PNG", data)

    assert (picture.media_type, picture.width, picture.height) == ("image/png", 30, 20)
    assert (picture.data, picture.profile, picture.credit) == (data, b"", "Ida")


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("save", [{}, {"progressive": True}], ids=["baseline", "progressive"])
def test_jpeg_is_read_and_passed_on_as_it_is(
    mode: str, save: dict[str, Any], tmp_path: Path
) -> None:
    data = raster("JPEG", mode=mode, **save)

    picture = picture_of(tmp_path, "flag.jpeg", data)

    assert (picture.media_type, picture.width, picture.height) == ("image/jpeg", 30, 20)
    assert picture.data == data


def test_turned_jpeg_has_the_size_that_it_is_shown_in(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6

    picture = picture_of(tmp_path, "flag.jpg", raster("JPEG", exif=exif))

    assert (picture.width, picture.height) == (20, 30)


@pytest.mark.parametrize(("form", "name"), [("PNG", "a.png"), ("JPEG", "a.jpg")])
def test_colour_profile_is_found(form: str, name: str, tmp_path: Path) -> None:
    picture = picture_of(tmp_path, name, raster(form, icc_profile=profile()))

    assert picture.profile == profile()


def test_interlaced_png_is_measured_pass_by_pass(tmp_path: Path) -> None:
    # Pillow writes none: seven passes of grey, of 5 by 3 pixels.
    rows = [1, 1, 1, 3, 2, 2, 5]  # of passes 1, 2, 4, 5, twice 6, and 7; 3 has none
    passes = b"".join(b"\0" + bytes(width) for width in rows)
    size = b"IHDR", struct.pack(">IIBBBBB", 5, 3, 8, 0, 0, 0, 1)
    data = png(size, (b"IDAT", zlib.compress(passes)))

    picture = picture_of(tmp_path, "a.png", data)

    Image.open(BytesIO(data)).load()
    assert (picture.width, picture.height) == (5, 3)


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """Return a PNG of chunks, whose sums are right."""
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, content in (*chunks, (b"IEND", b"")):
        check = zlib.crc32(name + content).to_bytes(4, "big")
        parts += [len(content).to_bytes(4, "big"), name, content, check]
    return b"".join(parts)


def head(width: int, height: int, bits: int = 8) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)


BOMB = png(head(30_000, 30_000), (b"IDAT", zlib.compress(bytes(2_000_000))))
ANIMATED = png(head(1, 1), (b"acTL", bytes(8)), (b"IDAT", zlib.compress(b"\0\0")))
JPEG = raster("JPEG")
SCAN = JPEG[JPEG.rindex(b"\xff\xda") : -2]


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.png", BOMB, "read 30000 × 30000 pixels, expected at most 4 million"),
        ("a.png", png(head(0, 9)), "read 0 × 9 pixels, expected at least one"),
        ("a.png", raster()[:-20], "damaged or not complete"),
        ("a.png", raster().replace(b"IDAT", b"IDAS"), "damaged or not complete"),
        ("a.png", png(head(30, 20), (b"IDAT", zlib.compress(bytes(900)))), "more or fewer pixels"),
        ("a.png", png(head(30, 20)), "more or fewer pixels"),
        ("a.png", png(head(1, 1), (b"IDAT", b"junk")), "the PNG is damaged"),
        ("a.png", png((b"IDAT", b"")), "does not begin with its size"),
        ("a.png", png(head(9, 9, 16)), "read a PNG with 16 bits a channel, expected at most 8"),
        ("a.png", ANIMATED, "animated, expected one picture"),
        ("a.png", b"GIF89a", "read a GIF, expected a PNG"),
        ("a.png", JPEG, "read a JPEG, expected a PNG"),
        ("a.jpg", raster(), "read a PNG, expected a JPEG"),
        ("a.jpg", b"", "read other data, expected a JPEG"),
        ("a.jpg", JPEG[:-2], "the JPEG is not complete"),
        ("a.jpg", JPEG.replace(b"\xff\xc0", b"\xff\xc3"), "lossless or arithmetic"),
        ("a.jpg", JPEG.replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x0c"), "of 12 bits"),
        ("a.jpg", b"\xff\xd8\xff\xd9", "holds no picture"),
        ("a.jpg", JPEG[:-2] + SCAN * MAX_PICTURE_SCANS + b"\xff\xd9", "of 101 scans, expected at"),
        ("a.jpg", raster("JPEG", (3000, 1400)), "read 3000 × 1400 pixels, expected at most"),
        ("a.jpg", bytes(MAX_PICTURE_KIB * 1024 + 1), "larger than the limit of 1 MiB"),
        ("a.svg", f"<!--{'x' * 70_000}-->{SVG}".encode(), "the limit of 64 KiB"),
    ],
)  # fmt: skip
def test_what_may_not_be_printed_is_told_where_the_file_is_named(
    name: str, data: bytes, told: str, tmp_path: Path
) -> None:
    problem = problem_of(tmp_path, name, data)

    assert told in problem.text
    assert name in problem.text
    assert (problem.location.file, problem.location.line, problem.location.column) == (
        *("system.yaml", 2, 17),
    )


def test_problem_of_an_svg_is_at_its_own_line(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "a.svg", SVG.replace("<path", "\n <script/><path").encode())

    assert problem.location.file.endswith("a.svg")
    assert (problem.location.line, problem.location.column) == (2, 2)


def link_out(folder: Path) -> None:
    outside = folder.parent / "secret.png"
    outside.write_bytes(raster())
    (folder / "a.png").symlink_to(outside)


@pytest.mark.parametrize(
    ("lay", "told"),
    [
        (lambda _: None, "there is no such file"),
        (link_out, "a link out of its folder"),
        (lambda folder: (folder / "a.png").mkdir(), "this is a folder"),
        (lambda folder: os.mkfifo(folder / "a.png"), "a pipe, a socket or a device"),
    ],
    ids=["missing", "link", "folder", "pipe"],
)
def test_only_files_of_the_folder_are_opened(
    lay: Callable[[Path], None], told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    lay(folder)
    document = document_from_text(YAML % "a.png", "system.yaml")
    written = WrittenPicture(file="a.png", alt="A flag")

    with pytest.raises(MusterError) as caught:
        _ = PictureFile(written, folder, document, ("picture",)).picture

    (problem,) = caught.value.problems
    assert told in problem.text
    assert (problem.location.line, problem.location.column) == (2, 17)


@pytest.mark.parametrize(
    "name",
    [
        *("../a.png", "/etc/a.png", "a/../b.png", "./a.png", "a//b.png", "~/a.png", "a.gif", "png"),
        *(
            "http://x/a.png",
            "file:///a.png",
            "data:a.png",
            ".a.png",
            "a\\b.png",
            "C:a.png",
            "a.png/",
        ),
    ],
)
def test_address_or_way_out_is_refused(name: str) -> None:
    document = document_from_text(f"file: '{name}'\nalt: A flag\n", "a.yaml")

    with pytest.raises(MusterError) as caught:
        read_model(WrittenPicture, document)

    (problem,) = caught.value.problems
    assert f"read {name!r}, expected a file beside this one" in problem.text
    assert (problem.location.line, problem.location.column) == (1, 7)


def test_alternative_text_is_required() -> None:
    with pytest.raises(MusterError) as caught:
        read_model(WrittenPicture, document_from_text("file: a.png\n", "a.yaml"))

    assert "the key 'alt' is missing here" in caught.value.problems[0].text


def test_lint_reads_the_picture_of_a_system(content: Path) -> None:
    spoil(content / "system.yaml", "\nphases:", "\npicture: {file: a.svg, alt: A}\nphases:")

    (issue,) = lint_system(open_system(content))

    assert (issue.severity, issue.problem.code) == ("error", "no-picture")
    (content / "a.svg").write_text(SVG, encoding="utf-8")
    assert lint_system(open_system(content)) == []


def test_text_of_a_picture_is_short_and_changes_with_its_bytes(tmp_path: Path) -> None:
    first = picture_of(tmp_path, "a.png", raster())
    other = picture_of(tmp_path, "a.png", raster(size=(31, 20)))

    assert repr(first) != repr(other)
    assert first.name != other.name
    assert len(repr(first)) < 200
