"""What documents are planned from: systems, armies, and the folders that they go into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from muster.armies import Army, Verdict, check, load_army
from muster.building.jobs import (
    GatheredJobs,
    Job,
    Request,
)
from muster.dependencies import CachedResult, get_or_make
from muster.documents.measures import Measures, choose_measures
from muster.documents.rulebook import read_editions
from muster.languages import speaking
from muster.problems import Location, MusterError, Problem
from muster.systems import Library, System
from muster.systems.library import LibraryItem
from muster.systems.rulebook_edition import Edition

Given = ParamSpec("Given")


@dataclass(frozen=True, slots=True)
class SystemReader:
    """Reads a system in its own language or, if `language` is named, in that of a translation."""

    library: Library
    system_id: str
    request: Request
    language: str = ""

    @property
    def ending(self) -> str:
        """How the names of documents and groups end: `-de` for those of a translation."""
        return f"-{self.language}" if self.language else ""

    def system(self, system_id: str = "") -> System:
        """Return the system, or another one, in the language."""
        return self.library.system(system_id or self.system_id).in_language(self.language)

    def book_folders(self, system_id: str) -> list[Path]:
        """Return the folders that may hold books of a system."""
        return self.library.book_folders(system_id)

    def in_language(self, gather: Callable[Given, GatheredJobs]) -> Callable[Given, GatheredJobs]:
        """Decorate what gathers jobs: their titles are in the language of the system."""

        @wraps(gather)
        def gather_in_language(*given: Given.args, **named: Given.kwargs) -> GatheredJobs:
            own = self.library.system(self.system_id).identity.language
            with speaking(self.language or own):
                return gather(*given, **named)

        return gather_in_language

    def folder(
        self, papers: Sequence[str], *, army: str = "", below: str = "", on_paper: bool = False
    ) -> DocumentFolder:
        """Return a folder of the system for documents.

        In the language of a translation there are pages for screens; documents on paper come with
        them if the language is asked for.

        Args:
            papers: What documents are printed on unless the request names other papers.
            army: The army that they are for, if they are.
            below: Their folder in that of the system.
            on_paper: Whether they are printed on paper in any case.
        """
        request = self.request
        has_paper = on_paper or bool(request.languages) or not self.language
        formats = (
            request.formats if has_paper else [each for each in request.formats if each == "html"]
        )
        path = f"{self.system_id}/{below}" if below else self.system_id
        papers = request.papers or papers
        return DocumentFolder(path, self.system_id, army, formats, papers, self.language)

    def web_edition(self) -> Edition:
        """Return the edition that the web edition shows: the first in its language, or at all.

        Raises:
            MusterError: If an edition cannot be read.
        """
        editions = read_editions(self.library.system(self.system_id))
        fitting = (each for each in editions if self.language and each.language == self.language)
        return next(fitting, editions[0])


def choose_known_measures(system: System, scale: str, unit: str) -> Measures:
    """Choose scale and unit.

    Raises:
        MusterError: If the system has no such scale.
    """
    try:
        return choose_measures(system, scale, unit)
    except KeyError:
        known = ", ".join(each.id for each in system.scales)
        text = f"there is no scale {scale!r} in {system.title}; known: {known}"
        place = Location(f"content/{system.id}/system.yaml", None, None)
        raise MusterError((Problem("unknown-scale", text, place),)) from None


@dataclass(frozen=True, slots=True)
class DocumentFolder:
    """Makes the jobs of one folder: of an army, or of a system.

    Documents in the `language` of a translation have it in their names and titles.
    """

    path: str
    system: str
    army: str
    formats: Sequence[str]
    papers: Sequence[str]
    language: str = ""

    @property
    def ending(self) -> str:
        """How the names of documents end: `-de` for those of a translation."""
        return f"-{self.language}" if self.language else ""

    def html(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Return the job of a page for screens, if any are asked for."""
        if "html" not in self.formats:
            return []
        return [self._job(f"{stem}{self.ending}.html", kind, variant, "", title, data)]

    def pdf(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Return the job of one PDF per paper; single cards have a page size of their own."""
        if "pdf" not in self.formats:
            return []
        papers = [("", "")] if variant == "single" else _papers_with_suffixes(self.papers)
        return [
            self._job(f"{stem}{self.ending}{suffix}.pdf", kind, variant, paper, title, data)
            for paper, suffix in papers
        ]

    def both(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Return the jobs of a document that is both a page for screens and printed."""
        html = self.html(kind, stem, variant, title, data)
        return [*html, *self.pdf(kind, stem, variant, title, data)]

    def _job(self, name: str, kind: str, variant: str, paper: str, title: str, data: Any) -> Job:
        path = f"{self.path}/{name}"
        format_ = name.rpartition(".")[2]
        title += f" ({self.language})" if self.language else ""
        return Job(
            path, kind, format_, variant, paper, title, self.system, self.army, data,
            language=self.language,
        )  # fmt: skip


def _papers_with_suffixes(papers: Sequence[str]) -> list[tuple[str, str]]:
    """Return each paper with the suffix of its files' names; the first paper has none."""
    return [(paper, "" if n == 0 else f"-{paper}") for n, paper in enumerate(papers)]


ReadArmy = tuple[Army, Verdict, Measures]


@dataclass(frozen=True, slots=True)
class ArmyReader:
    """Reads and checks an army file once, when the first of its documents needs it."""

    source: SystemReader
    item: LibraryItem
    elsewhere: bool = False
    """Whether the file lies where no build of the system finds it."""
    _kept: dict[str, CachedResult[ReadArmy]] = field(default_factory=dict)

    def document_folder(self) -> DocumentFolder:
        """Return the folder of the army's documents."""
        return self.source.folder(("a4",), army=self.item.id, below=f"armies/{self.item.id}")

    def read(self) -> ReadArmy:
        """Return the army, its verdict, and the measures of its documents.

        Raises:
            MusterError: With the errors of the army's file, or of one that it depends on.
        """
        return get_or_make(self._kept, self.item.id, self._read)

    def _read(self) -> ReadArmy:
        system, request = self.source.system(), self.source.request
        with speaking(system.identity.language):
            army = load_army(self.item.path, self.source)
            verdict = check(army)
        own_scale = army.scale if len(army.system.scales) > 1 else ""
        measures = choose_known_measures(system, request.scale or own_scale, request.unit)
        return army, verdict, measures
