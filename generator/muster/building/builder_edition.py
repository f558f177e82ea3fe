"""The files of the list builder: the page and what it is made of, and each system's data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    system_file,
    words_name,
)
from muster.systems import System

BUILDER_KIND = "builder"
BUILDER_HOME = "builder/index.html"
BUILDER_GROUP = ".builder"
"""The group of the shared files, and the beginning of the groups of systems; no system's id."""

_TITLE = "List builder"


def system_jobs(system: System, book_folders: Sequence[Path], pages: Collection[str]) -> list[Job]:
    """Return the jobs of a system's files, which link to these pages of its web edition.

    Raises:
        MusterError: If the composition, a book, a table, the cards, the sheet or a picture has
            problems.
    """
    data = gather_builder_system(system, book_folders, pages)
    parts = {
        "tables": gather_builder_tables(system, pages),
        "pictures": gather_builder_pictures(system, book_folders),
    }
    return [
        _job(system_file(system.id), "system", data.title, data),
        *(
            _job(system_file(system.id, part), part, data.title, found)
            for part, found in parts.items()
            if found is not None
        ),
    ]


def shared_jobs(systems: Sequence[Job], *, has_documents: bool) -> list[Job]:
    """Return the jobs of the page and of its styles, scripts and service worker.

    Args:
        systems: The jobs of the files of the systems that it offers.
        has_documents: Whether other documents are built with it.
    """
    files: dict[tuple[str, str], list[Job]] = {}
    for job in systems:
        files.setdefault((Path(job.path).name.partition(".")[0], job.title), []).append(job)
    listed = tuple(
        ListedSystem(
            system_id,
            title,
            tuple(job.path.removeprefix("builder/") for job in jobs),
            tuple(data_fingerprint(job.data) for job in jobs),
        )
        for (system_id, title), jobs in files.items()
    )
    frame = BuilderFrame(listed, has_documents)
    shared = [_job(name, name, _TITLE, frame) for name in SHARED_FILES]
    return [*shared, *(_job(words_name(each), "words", _TITLE, each) for each in LANGUAGES)]


def _job(name: str, variant: str, title: str, data: BuilderSystem | BuilderFrame | str) -> Job:
    format_ = name.rpartition(".")[2]
    return Job(f"builder/{name}", BUILDER_KIND, format_, variant, "", title, "", "", data)
