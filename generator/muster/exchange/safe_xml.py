"""Read XML files from strangers, zipped or not, as elements that know their lines.

Document types are refused, so that there are no entities and nothing is fetched; so are files that
are too large, zipped or unzipped, too deep, or made of too many elements.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import NoReturn
from xml.parsers import expat

from muster.limits import (
    MAX_XML_DEPTH,
    MAX_XML_ELEMENTS,
    MAX_XML_FILES,
    MAX_XML_MIB,
)
from muster.problems import Location, MusterError, Problem, display_path
from muster.yamlfile.textfile import read_bytes, without_forbidden, working_folder_around

_MIB = 1024 * 1024
_ZIP_START = b"PK\x03\x04"
_BETWEEN = "|"


@dataclass(slots=True, eq=False)
class Element:
    """An element: its name without namespace, attributes, elements within it, text, and line.

    Attributes and texts are in one line each.
    """

    name: str
    attributes: dict[str, str]
    file: str
    line: int
    space: str = ""
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def get(self, key: str, default: str = "") -> str:
        """Return an attribute in one line; the default if there is none."""
        return self.attributes.get(key, default)

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements at a path of names, such as `costs`, `cost`."""
        for child in self.children:
            if child.name == names[0]:
                if len(names) == 1:
                    yield child
                else:
                    yield from child.all(*names[1:])

    def walk(self) -> Iterator[Element]:
        """Yield this element and all within it."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    @property
    def location(self) -> Location:
        """The file and the line of the element."""
        return Location(self.file, self.line, 1)


def read_xml_files(paths: Sequence[Path], suffixes: tuple[str, ...]) -> list[Element]:
    """Return the root elements of XML files, and of those in zipped files.

    Args:
        paths: The files.
        suffixes: How the names of the XML files in a zipped one end; others are left out.

    Raises:
        MusterError: If a file cannot be read, or holds anything that is refused.
    """
    budget = _Budget(MAX_XML_MIB * _MIB, MAX_XML_ELEMENTS, MAX_XML_FILES)
    return [
        _Parser(name, data, budget).root()
        for path in paths
        for name, data in _read_files(path, suffixes, budget)
    ]


@dataclass(slots=True)
class _Budget:
    """What all files together may still have."""

    bytes: int
    elements: int
    files: int


def _read_files(
    path: Path, suffixes: tuple[str, ...], budget: _Budget
) -> Iterator[tuple[str, bytes]]:
    name = display_path(path)
    raw = read_bytes(path, name, budget.bytes, within=working_folder_around(path))
    if not raw.startswith(_ZIP_START):
        budget.bytes -= len(raw)
        yield name, raw
        return
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            yield from _read_zipped(archive, name, suffixes, budget)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError) as error:
        # The library raises these for files that are cut off, encrypted, or packed in other ways.
        _refuse(name, "bad-zip", f"this zipped file cannot be read: {error}")


def _read_zipped(
    archive: zipfile.ZipFile, name: str, suffixes: tuple[str, ...], budget: _Budget
) -> Iterator[tuple[str, bytes]]:
    entries = archive.infolist()
    found = [entry for entry in entries if entry.filename.lower().endswith(suffixes)]
    budget.files -= len(entries)
    if budget.files < 0:
        text = f"this zipped file holds {len(entries)} files, expected at most {MAX_XML_FILES}"
        _refuse(name, "too-many-files", text)
    if not found:
        text = f"this zipped file holds no file whose name ends with {' or '.join(suffixes)}"
        _refuse(name, "no-data", text)
    for entry in found:
        # What the archive says of its size may be false: no more than the limit is unpacked.
        with archive.open(entry) as file:
            data = file.read(budget.bytes + 1)
        budget.bytes -= len(data)
        inner = f"{name}/{PurePosixPath(entry.filename).name}"
        if budget.bytes < 0:
            text = f"the files are larger than {MAX_XML_MIB} MiB together when they are unpacked"
            _refuse(inner, "file-too-large", text)
        yield inner, data


def _refuse(
    file: str, code: str, text: str, place: tuple[int, int] | None = None, source: str = ""
) -> NoReturn:
    location = Location(file, *place) if place else Location(file)
    raise MusterError([Problem(code, without_forbidden(text), location, source)])


class _Parser:
    """Makes elements of one file."""

    def __init__(self, file: str, data: bytes, budget: _Budget) -> None:
        self._file = file
        self._budget = budget
        try:
            self._text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            _refuse(file, "not-utf-8", "this is not UTF-8, expected an XML file of BattleScribe")
        self._open: list[Element] = []
        self._root: Element | None = None
        self._texts: list[list[str]] = []
        self._parser = parser = expat.ParserCreate(namespace_separator=_BETWEEN)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.ProcessingInstructionHandler = self._refuse_instruction

    def root(self) -> Element:
        try:
            self._parser.Parse(self._text, True)  # noqa: FBT003 - its only form
        except expat.ExpatError as error:
            text = f"cannot be read as XML: {expat.ErrorString(error.code)}"
            self._fail("not-xml", text, (error.lineno, error.offset + 1))
        assert self._root is not None  # noqa: S101 - a file without an element is no XML
        return self._root

    def _fail(self, code: str, text: str, place: tuple[int, int] | None = None) -> NoReturn:
        line, column = place or (
            self._parser.CurrentLineNumber,
            self._parser.CurrentColumnNumber + 1,
        )
        lines = self._text.split("\n", line)
        shown = without_forbidden(lines[line - 1])[:200] if line <= len(lines) else ""
        _refuse(self._file, code, text, (line, column), shown)

    def _refuse_doctype(self, *_: object) -> None:
        text = "read a document type, expected none; remove the `<!DOCTYPE …>`"
        self._fail("bad-xml", text)

    def _refuse_instruction(self, target: str, _: str) -> None:
        self._fail("bad-xml", f"read the instruction {target[:40]!r}, expected none; remove it")

    def _start(self, full_name: str, attributes: dict[str, str]) -> None:
        self._budget.elements -= 1
        if self._budget.elements < 0:
            self._fail("too-many-elements", f"read more than {MAX_XML_ELEMENTS} elements")
        if len(self._open) >= MAX_XML_DEPTH:
            self._fail("too-deep", f"elements may be nested at most {MAX_XML_DEPTH} levels deep")
        space, _, name = full_name.rpartition(_BETWEEN)
        made = {key: one_line(value) for key, value in attributes.items()}
        element = Element(name, made, self._file, self._parser.CurrentLineNumber, space)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _: str) -> None:
        element, texts = self._open.pop(), self._texts.pop()
        # Only the innermost elements have a text of their own.
        if texts and not element.children:
            element.text = one_line("".join(texts))

    def _characters(self, text: str) -> None:
        self._texts[-1].append(text)


def one_line(text: str) -> str:
    """Return a text in one line, without characters that a file of Muster may not hold."""
    return " ".join(without_forbidden(text).split())
