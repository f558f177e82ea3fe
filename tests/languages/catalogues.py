"""Read the catalogues, and find the messages that they must have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from muster.languages import LANGUAGES_FOLDER
from muster.rendering.builder_files import SCRIPTS, said_words

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"say": None, "say_number": (1, 2), "marked": None}
_SOURCES = (
    (ROOT / "generator" / "muster", [("**.py", "python")]),
    (
        ROOT / "templates",
        [
            ("builder/**", "ignore"),
            ("**.html.j2", "jinja2.ext:babel_extract"),
            ("**.js", "javascript"),
        ],
    ),
)

Message = str | tuple[str, ...]
"""English words, or those for one thing and for several."""


@cache
def written_messages() -> dict[Message, str]:
    """Return the messages that the code and the templates say, each with a place."""
    found: dict[Message, str] = {}
    for folder, methods in _SOURCES:
        options = {"**.html.j2": {"trim_blocks": "true", "silent": "false"}}
        for file, line, message, _, _ in extract_from_dir(
            folder, methods, options, KEYWORDS, strip_comment_tags=False
        ):
            key = tuple(message[:2]) if isinstance(message, tuple | list) else message
            found.setdefault(key, f"{file}:{line}")
    for path in builder_scripts():
        for words in said_words(path.read_text(encoding="utf-8")):
            found.setdefault(words if len(words) > 1 else words[0], f"builder/{path.name}")
    return found


def builder_scripts() -> list[Path]:
    """Return the scripts of the list builder, whose messages Babel does not find reliably."""
    return [ROOT / "templates" / "builder" / f"{name}.js" for name in SCRIPTS]


def read_catalogue(language: str) -> Catalog:
    """Return a catalogue as Babel reads it."""
    with (LANGUAGES_FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages_of(catalogue: Catalog) -> Iterator[tuple[Message, tuple[str, ...]]]:
    """Yield each message of a catalogue with its translations: several where it has a plural."""
    for message in catalogue:
        if message.id:
            key = tuple(message.id) if isinstance(message.id, (tuple, list)) else message.id
            strings = message.string
            yield key, tuple(strings) if isinstance(strings, (tuple, list)) else (strings or "",)


_PLACE = re.compile(r"\{\w+\}|</?\w+>")


def places(text: str) -> list[str]:
    """Return the placeholders and tags of a message, sorted."""
    return sorted(_PLACE.findall(text))


def faults_of(catalogue: Catalog, written: dict[Message, str]) -> list[str]:
    """Return what is wrong with a catalogue: what is missing, unused, untranslated or broken."""
    translated = dict(messages_of(catalogue))
    faults = [
        f"missing: {key!r} of {place}" for key, place in written.items() if key not in translated
    ]
    faults += [f"unused: {key!r}" for key in translated if key not in written]
    for key, strings in translated.items():
        english = key if isinstance(key, tuple) else (key,)
        expected = catalogue.num_plurals if isinstance(key, tuple) else 1
        if len(strings) != expected or not all(strings):
            faults.append(f"not translated: {key!r}")
        # The words for one thing may leave its number out.
        allowed = [places(each) for each in english]
        faults += [
            f"other placeholders: {key!r}: {text!r}"
            for text in strings
            if text and places(text) not in allowed
        ]
    faults += [f"fuzzy: {message.id!r}" for message in catalogue if message.id and message.fuzzy]
    return faults
