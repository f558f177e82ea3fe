"""Pictures beside the files that name them: PNG, JPEG and SVG, checked before anything shows them.

Nothing is decoded here beyond what tells how large a picture is and that it is whole. A PNG or JPEG
is passed on as it is, with its colour profile; an SVG is written anew from what is allowed in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

from muster.dependencies import tracked_property
from muster.limits import (
    MAX_COVER_KIB,
    MAX_COVER_PIXELS,
    MAX_DRAWING_KIB,
    MAX_PICTURE_KIB,
    MAX_PICTURE_PIXELS,
)
from muster.problems import Location, MusterError, Problem, display_path
from muster.systems.file_names import is_good_name
from muster.yamlfile import Document, KeyPath, Label, Line, StrictModel
from muster.yamlfile.textfile import read_bytes, read_text

_MEDIA_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".svg": "image/svg+xml",
}


def check_picture_file(text: str) -> str:
    """Return the path of a picture, which leads down from the folder of the file that names it."""
    *folders, name = text.split("/")
    stem, dot, ending = name.rpartition(".")
    good = all(map(is_good_name, [*folders, stem])) and f"{dot}{ending}".lower() in _MEDIA_TYPES
    if not good:
        raise ValueError(
            f"read {text!r}, expected a file beside this one, or in a folder beside it, that ends"
            " in .png, .jpg, .jpeg or .svg, such as hussar.jpg or pictures/hussar.jpg"
        )
    return text


class WrittenPicture(StrictModel):
    """A picture beside the file that names it: PNG, JPEG or SVG."""

    file: Annotated[Line, AfterValidator(check_picture_file)]
    """File of the picture, from the folder of this file downwards, such as `hussar.jpg`: at most 1
    MiB and 4 million pixels, an SVG 64 KiB. On the cover of an edition and above its chapters, at
    most 8 MiB and 10 million pixels: A4 with bleed at 300 dpi.
    """
    alt: Label
    """What the picture shows, for readers who do not see it, such as `A hussar on a grey horse`."""
    credit: Label = ""
    """Who made the picture and under which licence, printed in small type. Default: nothing."""


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A picture that was checked, with its size in pixels, or for an SVG in its own units."""

    media_type: str
    data: bytes
    width: float
    height: float
    alt: str
    credit: str
    digest: str
    """The hash of the data."""
    profile: bytes = b""
    """Its ICC colour profile, which the data hold too; empty if they hold none."""

    def __repr__(self) -> str:
        # The hash stands for the bytes, so that the text is short and changes with them.
        return f"Picture({self.digest}, {self.alt!r}, {self.credit!r})"

    @property
    def name(self) -> str:
        """A name that two pictures share only if their data are the same."""
        return f"picture-{self.digest[:24]}"


class PictureFile:
    """A picture that a YAML file names; it is read and checked when it is first asked for."""

    def __init__(
        self,
        written: WrittenPicture,
        folder: Path,
        document: Document,
        path: KeyPath,
        *,
        fills_page: bool = False,
    ) -> None:
        """Take the picture as written, and where.

        Args:
            written: What the YAML file says of the picture.
            folder: The folder of the YAML file.
            document: The YAML file.
            path: The keys that lead to the picture there.
            fills_page: Whether it is as wide as a page, and may have more pixels.
        """
        self._written = written
        self._folder = folder
        self._document = document
        self._path = path
        self._most_kib = MAX_COVER_KIB if fills_page else MAX_PICTURE_KIB
        self._most_pixels = MAX_COVER_PIXELS if fills_page else MAX_PICTURE_PIXELS

    @tracked_property
    def picture(self) -> Picture:
        """The picture.

        Raises:
            MusterError: If it cannot be read, or is not what may be printed.
        """
        # `check` reads no picture.
        from muster.systems.raster_pictures import (  # noqa: PLC0415
            BadPictureError,
            read_jpeg,
            read_png,
        )
        from muster.systems.svg_pictures import clean_svg  # noqa: PLC0415

        written = self._written
        path = self._folder / written.file
        media_type = _MEDIA_TYPES[path.suffix.lower()]
        shown = display_path(path)
        try:
            if media_type == "image/svg+xml":
                drawing = clean_svg(self._read_drawing(path, shown), shown)
                data, profile = drawing.data, b""
                width, height = drawing.width, drawing.height
            else:
                data = read_bytes(path, shown, self._most_kib * 1024, within=self._folder)
                read = read_png if media_type == "image/png" else read_jpeg
                raster = read(data, self._most_pixels)
                width, height, profile = raster.width, raster.height, raster.profile
        except BadPictureError as error:
            raise MusterError([self._problem("bad-picture", f"{shown}: {error}")]) from None
        except MusterError as error:
            if any(problem.location.line for problem in error.problems):
                raise  # It has a place in the picture's own file.
            texts = "; ".join(problem.text for problem in error.problems)
            raise MusterError([self._problem("no-picture", f"{shown}: {texts}")]) from None
        digest = sha256(data).hexdigest()
        return Picture(
            media_type, data, width, height, written.alt, written.credit, digest, profile
        )

    def _read_drawing(self, path: Path, shown: str) -> str:
        text = read_text(path, shown_as=shown, within=self._folder)
        if len(text.encode()) > MAX_DRAWING_KIB * 1024:
            limit = f"{MAX_DRAWING_KIB} KiB"
            problem = f"the drawing is larger than the limit of {limit}"
            raise MusterError([Problem("file-too-large", problem, Location(shown))])
        return text

    def _problem(self, code: str, text: str) -> Problem:
        return self._document.problem(code, text, (*self._path, "file"))


def picture_problems(pictures: Iterable[PictureFile | None]) -> list[Problem]:
    """Return what is wrong with pictures, each of which is read."""
    problems: list[Problem] = []
    for each in pictures:
        try:
            _ = each and each.picture
        except MusterError as error:
            problems.extend(error.problems)
    return problems


def picture_file(
    written: WrittenPicture | None, folder: Path, document: Document, owner: KeyPath
) -> PictureFile | None:
    """Return the picture of what stands at a path in a YAML file; None if it names none."""
    if written is None:
        return None
    return PictureFile(written, folder, document, (*owner, "picture"))
