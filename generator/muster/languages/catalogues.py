"""Find the messages of the interface that a catalogue has no words for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from muster.languages.words import LANGUAGES_FOLDER
from muster.problems import Location, Problem, display_path

if TYPE_CHECKING:
    from pathlib import Path

    from babel.messages.catalog import Catalog, Message


def missing_messages(folder: Path = LANGUAGES_FOLDER) -> Iterator[Problem]:
    """Yield the messages that a catalogue lacks, has no words for, or only doubtful ones.

    All catalogues hold the same messages, so what one of them has is expected in every one.

    Args:
        folder: The folder of the catalogues, each named after its language.
    """
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415 - few commands need it

    catalogues: dict[Path, Catalog] = {}
    for path in sorted(folder.glob("*.po")):
        try:
            with path.open("rb") as file:
                catalogues[path] = read_po(file, locale=path.stem, abort_invalid=True)
        except (PoFileError, ValueError, LookupError) as error:
            text = f"the words of the interface cannot be read: {str(error)[:200]}"
            yield Problem("bad-po", text, Location(display_path(path)))
    expected: dict[str, Path] = {}
    for path, catalogue in catalogues.items():
        for message in catalogue:
            if message.id:
                expected.setdefault(_english(message), path)
    for path, catalogue in catalogues.items():
        name = display_path(path)
        known = {_english(message): message for message in catalogue if message.id}
        for english, other in expected.items():
            if english not in known:
                text = f"no entry for {english!r}, which {other.name} has; add it"
                yield Problem("missing-message", text, Location(name))
            elif not _is_translated(message := known[english]):
                why = "it is marked `fuzzy`" if message.fuzzy else "its msgstr is empty"
                text = f"no words for {english!r}, so that it is printed in English: {why}"
                yield Problem("missing-message", text, Location(name, message.lineno, 1))


def _english(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _is_translated(message: Message) -> bool:
    words = (message.string,) if isinstance(message.string, str) else message.string
    return not message.fuzzy and all(words or [""])
