"""Owns the checks on the prose and on the editions of the rulebook.

Does not judge the writing; people do. What is wrong in a single directive, `reckoning` finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.problems import MusterError
from generator.reading import Document, did_you_mean
from generator.systems.flaw import Flaw, errors
from generator.systems.profiles import press_profile
from generator.systems.reckoning import reckon
from generator.systems.system import System

_MENDED_ELSEWHERE = "unreadable-table"
"""A table that cannot be read is told of at its own place."""


def prose_flaws(system: System) -> Iterator[Flaw]:
    """Check all chapters and editions of a system; one without prose has no flaw."""
    prose = system.prose_read
    yield from errors(prose.problems)
    for scale in [""] if len(system.scales) == 1 else ["", *(each.id for each in system.scales)]:
        _, problems = reckon(system, prose, scale)
        yield from errors(each for each in problems if each.code != _MENDED_ELSEWHERE)
    for edition_id in system.edition_ids():
        yield from _edition(system, edition_id)


def _edition(system: System, edition_id: str) -> Iterator[Flaw]:
    """Check that everything that an edition names exists, and its own id."""
    try:
        edition = system.edition(edition_id)
    except MusterError as fault:
        yield from errors(fault.problems)
        return
    document = system.document("editions", f"{edition_id}.yaml")
    if edition.id != edition_id:
        text = f"read the id {edition.id!r}, expected {edition_id!r}, the file's name"
        yield Flaw("error", document.problem("id-is-not-file-name", text, ("id",)))
    chapters = [chapter.id for chapter in system.chapters]
    yield from _unknown(document, "chapter", "chapters", edition.chapters, chapters)
    tables = system.table_ids()
    yield from _unknown(document, "table", "without_tables", edition.without_tables, tables)
    scales = [scale.id for scale in system.scales]
    if edition.scale is not None and edition.scale not in scales:
        text = f"there is no scale {edition.scale!r}{did_you_mean(edition.scale, scales)}"
        yield Flaw("error", document.problem("unknown-scale", text, ("scale",)))
    try:
        press_profile(system, edition)
    except MusterError as fault:
        yield from errors(fault.problems)
    if not system.chapter_files():
        text = "the system has no prose, so that this edition has nothing to print"
        yield Flaw("error", document.problem("edition-without-prose", text, ()))


def _unknown(
    document: Document, what: str, key: str, named: Sequence[str], known: Sequence[str]
) -> Iterator[Flaw]:
    for place, each in enumerate(named):
        if each not in known:
            text = f"there is no {what} {each!r}{did_you_mean(each, known)}"
            yield Flaw("error", document.problem(f"unknown-{what}", text, (key, place)))
