"""Owns the quick look whether a build has nothing to do, by the signatures of what it was made of.

Does not load content, models or renderers: it costs some file lookups.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from generator.pipeline.record import Asked, Record
from generator.pipeline.request import Request
from generator.pipeline.store import locked


@dataclass(frozen=True, slots=True)
class Standing:
    """A build that is up to date: its documents, their pages, and the armies that are not legal.

    Of such an army its name, its system and the count of its findings are known.
    """

    documents: int
    pages: int
    illegal: tuple[tuple[str, str, int], ...]


def standing(out: Path, request: Request) -> Standing | None:
    """Tell what stands, if nothing changed since it was built and nothing went wrong then.

    Files that were touched are compared by content; if they hold what they held, that is
    remembered, so that the next look is quick again.
    """
    record = Record(out)
    asked = record.asked.get(request.key)
    if asked is None or not asked.paths:
        return None
    if any(record.parts.changed(part) for part in (*asked.program, *asked.looks, *asked.uses)):
        return None
    if not record.whole(out, asked.paths):
        return None
    if record.touched:
        # Whoever builds at this moment writes the record anyway.
        with suppress(OSError):
            _save(record, out)
    return _stands(record, asked)


def _save(record: Record, out: Path) -> None:
    before = record.path.read_bytes()
    with locked(out):
        if record.path.read_bytes() == before:
            record.save()


def _stands(record: Record, asked: Asked) -> Standing:
    made = [record.outputs[path] for path in asked.paths]
    documents = [each for each in made if each.unit != "index"]
    pages = sum(each.pages for each in documents)
    illegal = tuple((name, system, findings) for name, system, findings in asked.illegal)
    return Standing(len(documents), pages, illegal)
