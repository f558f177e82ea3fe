"""Say the words of the interface in the language of the document that is being made.

English words stand in the code and in templates, and are the keys of the catalogues beside this
module: `de.po` holds the German ones. A catalogue is read when a document in its language is first
made; English needs none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from muster.dependencies import record_file

if TYPE_CHECKING:
    from decimal import Decimal
    from gettext import GNUTranslations

LANGUAGES_FOLDER = Path(__file__).resolve().parent
"""The folder of the catalogues."""

_ENGLISH = "en"
_spoken: ContextVar[str] = ContextVar("language", default=_ENGLISH)
_PLACE = re.compile(r"\{(\w+)\}")
_MANY = 2


@cache
def known_languages() -> tuple[str, ...]:
    """Return the languages that there are words in: English, and those with a catalogue."""
    return tuple(sorted([_ENGLISH, *(path.stem for path in LANGUAGES_FOLDER.glob("*.po"))]))


def spoken_language() -> str:
    """Return the language of the document that is being made, without its region: `de`."""
    return _spoken.get()


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Say words in a language within; `de-AT` is German, and what we have no words in is English.

    Args:
        tag: The tag of the language, after BCP 47.
    """
    language = tag.partition("-")[0].lower()
    if language not in known_languages():
        language = _ENGLISH
    if language != _ENGLISH:
        record_file(_catalogue_file(language))
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def say(message: str, /, **values: object) -> str:
    """Return words of the interface in the language of the document.

    Args:
        message: The English words; `{name}` stands for a value, or for itself if there is none.
        values: The values, by their names.
    """
    return _fill_in(_translated(message), values)


def say_number(one: str, many: str, number: Decimal | int, /, **values: object) -> str:
    """Return words for a number of things in the language of the document.

    Args:
        one: The English words for one thing.
        many: The English words for other numbers; `{n}` stands for the number.
        number: The number.
        values: Further values, by their names.
    """
    shown = with_decimal_mark(f"{number:f}".rstrip("0") if number % 1 else str(int(number)))
    shown = shown.replace("-", "−")
    return _fill_in(_translated_number(one, many, number), {"n": shown, **values})


def translations(language: str, one: str, many: str = "") -> tuple[str, ...]:
    """Return a message as it stands in a catalogue, with its placeholders.

    Args:
        language: The tag of the language, which has a catalogue.
        one: The English words, or those for one thing.
        many: The English words for several things, if their number counts.

    Returns:
        The words, or those for one thing and for several.
    """
    with speaking(language):
        if not many:
            return (_translated(one),)
        return (_translated_number(one, many, 1), _translated_number(one, many, _MANY))


def quoted(title: str) -> str:
    """Return a title in the quotation marks of the language: `“Guards”`, `„Garde“`."""
    return say("“{title}”", title=title)


def say_in_english(message: str, /, **values: object) -> str:
    """Return English words whatever language is spoken, as files hold them."""
    return _fill_in(message, values)


def marked(message: str) -> str:
    """Return English words as they are; they are found for the catalogues, and said later."""
    return message


def with_decimal_mark(number: str) -> str:
    """Return a number that is written with a decimal point with the mark of the language: `7,5`."""
    if "." not in number or _spoken.get() == _ENGLISH:
        return number
    return number.replace(".", _decimal_mark(_spoken.get()))


def keeps_capitals() -> bool:
    """Return whether nouns begin with a capital letter in the middle of a sentence, too."""
    return _spoken.get() == "de"


def _fill_in(message: str, values: dict[str, object]) -> str:
    # Not `format`, with which a stranger's template would reach what values are made of.
    return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), message)


def in_sentence(heading: str) -> str:
    """Return a heading in lower case, unless nouns keep their capitals in the language."""
    return heading if keeps_capitals() else heading.lower()


def _translated(message: str) -> str:
    language = _spoken.get()
    return message if language == _ENGLISH else _catalogue(language).gettext(message)


def _translated_number(one: str, many: str, number: Decimal | int) -> str:
    # No catalogue has a form of its own for fractions.
    whole = int(number) if number % 1 == 0 else _MANY
    language = _spoken.get()
    if language == _ENGLISH:
        return one if whole == 1 else many
    return _catalogue(language).ngettext(one, many, whole)


def _catalogue_file(language: str) -> Path:
    return LANGUAGES_FOLDER / f"{language}.po"


@cache
def _catalogue(language: str) -> GNUTranslations:
    """Read a catalogue as gettext does, from the compiled form that Babel makes of it."""
    from gettext import GNUTranslations  # noqa: PLC0415 - English needs none

    from babel.messages.mofile import write_mo  # noqa: PLC0415 - English needs none
    from babel.messages.pofile import read_po  # noqa: PLC0415 - English needs none

    compiled = BytesIO()
    with _catalogue_file(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def _decimal_mark(language: str) -> str:
    from babel.numbers import get_decimal_symbol  # noqa: PLC0415 - English needs none

    return get_decimal_symbol(language)
