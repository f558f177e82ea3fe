"""The data of a build's index page: systems, armies and their files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """A file that was built; if it failed, with the error instead of pages."""

    path: str
    kind: str
    """The kind of document, as `muster build --only` names it."""
    title: str
    format: str
    paper: str
    size: str
    pages: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class ArmyDocuments:
    """An army, its verdict in short, and its files."""

    id: str
    name: str
    legal: bool
    points: str
    limit: str
    findings: int
    files: tuple[BuiltFile, ...]


@dataclass(frozen=True, slots=True)
class SystemDocuments:
    """A system, its own files and its armies."""

    id: str
    title: str
    edition: str
    files: tuple[BuiltFile, ...]
    armies: tuple[ArmyDocuments, ...]
    accent: str = "#16181c"
    ornament: str = ""
    """The colour and the outline of the ornament of its pages."""


@dataclass(frozen=True, slots=True)
class BuildIndex:
    """The whole index page."""

    version: str
    systems: tuple[SystemDocuments, ...]
    warnings: tuple[str, ...]
    waiting: int = 0
    """How many documents were still to be printed when it was written."""
    shared: tuple[BuiltFile, ...] = ()
    """The files that belong to no one system, such as the list builder."""
    language: str = "en"
    """The language of its own words; the titles of documents are in theirs."""

    @property
    def pages(self) -> int:
        """The number of printed pages in all files."""
        files = [file for system in self.systems for file in system.files]
        files += [f for system in self.systems for army in system.armies for f in army.files]
        return sum(file.pages for file in files)


def format_size(size: int) -> str:
    """Return a file's size in kilobytes of 1,000 bytes, rounded up."""
    return f"{-(-size // 1000):,} kB"
