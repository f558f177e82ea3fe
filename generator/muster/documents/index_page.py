"""What the index page of a build lists: systems, armies and their files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """A file that was built, or why it was not."""

    path: str
    title: str
    format: str
    paper: str
    size: str
    pages: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class ArmyFiles:
    """An army and its files."""

    id: str
    name: str
    legal: bool
    points: str
    limit: str
    findings: int
    files: tuple[BuiltFile, ...]


@dataclass(frozen=True, slots=True)
class SystemFiles:
    """A system, its own files and its armies."""

    id: str
    title: str
    edition: str
    files: tuple[BuiltFile, ...]
    armies: tuple[ArmyFiles, ...]


@dataclass(frozen=True, slots=True)
class BuildIndex:
    """The whole page."""

    version: str
    systems: tuple[SystemFiles, ...]
    warnings: tuple[str, ...]

    @property
    def pages(self) -> int:
        """How many printed pages there are."""
        files = [file for part in self.systems for file in part.files]
        files += [file for part in self.systems for army in part.armies for file in army.files]
        return sum(file.pages for file in files)


def format_size(size: int) -> str:
    """Give a file's size in kilobytes of 1,000 bytes, rounded up, as people read it."""
    return f"{-(-size // 1000):,} kB"
