"""The files of the list builder: the page and what it is made of, and each system's data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from muster.building.jobs import Job, data_fingerprint
from muster.documents.builder_tables import gather_builder_pictures, gather_builder_tables
from muster.documents.list_builder import (
    LANGUAGES,
    SHARED_FILES,
    BuilderFrame,
    BuilderSystem,
    ListedSystem,
    gather_builder_system,
    words_name,
)
from muster.systems import System

BUILDER_KIND = "builder"
BUILDER_GROUP = ".builder"
"""The group of the shared files, and the beginning of the groups of systems; no system's id."""

_TITLE = "List builder"


def system_jobs(
    system: System, book_folders: Sequence[Path], pages: Collection[str], language: str = ""
) -> list[Job]:
    """Return the jobs of a system's files, which link to these pages of web editions.

    Args:
        system: The system, in its own language.
        book_folders: Further folders of army books, such as the user's own.
        pages: The pages, as `club/web/troops.html`.
        language: The language of a translation, whose files they are to be.

    Raises:
        MusterError: If the composition, a book, a table, the cards, the sheet or a picture has
            problems.
    """
    spoken = system.in_language(language)
    found: dict[str, BuilderSystem | None] = {
        "": gather_builder_system(spoken, book_folders, pages),
        "tables": gather_builder_tables(spoken, pages),
        "pictures": gather_builder_pictures(spoken, book_folders),
    }
    # Most pictures have the same words in every language; the page then shows those of the system.
    own = gather_builder_pictures(system, book_folders) if language else None
    if own and found["pictures"] and own.data == found["pictures"].data:
        found["pictures"] = None
    return [
        replace(
            _job(data.file, part or "system", data.title, data),
            language=language,
        )
        for part, data in found.items()
        if data is not None
    ]


def shared_jobs(systems: Sequence[Job], *, has_documents: bool) -> list[Job]:
    """Return the jobs of the page and of its styles, scripts and service worker.

    Args:
        systems: The jobs of the files of the systems that it offers.
        has_documents: Whether other documents are built with it.
    """
    files: dict[str, dict[str, list[Job]]] = {}
    for job in systems:
        languages = files.setdefault(Path(job.path).name.partition(".")[0], {})
        languages.setdefault(job.language, []).append(job)
    listed = tuple(
        ListedSystem(
            system_id,
            languages[""][0].title,
            _names(languages[""]),
            tuple(data_fingerprint(job.data) for jobs in languages.values() for job in jobs),
            tuple(
                (language, jobs[0].title, _names(jobs))
                for language, jobs in languages.items()
                if language
            ),
        )
        for system_id, languages in files.items()
        if "" in languages
    )
    frame = BuilderFrame(listed, has_documents)
    shared = [_job(name, name, _TITLE, frame) for name in SHARED_FILES]
    return [*shared, *(_job(words_name(each), "words", _TITLE, each) for each in LANGUAGES)]


def _names(jobs: Iterable[Job]) -> tuple[str, ...]:
    return tuple(job.path.removeprefix("builder/") for job in jobs)


def _job(name: str, variant: str, title: str, data: BuilderSystem | BuilderFrame | str) -> Job:
    format_ = name.rpartition(".")[2]
    return Job(f"builder/{name}", BUILDER_KIND, format_, variant, "", title, "", "", data)
