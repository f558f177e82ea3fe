"""Read, update and write gettext files (PO) with Babel, which no other module of systems calls."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from muster.limits import MAX_TRANSLATED_TEXT, MAX_TRANSLATION_ENTRIES
from muster.problems import Location, MusterError, Problem, Problems, did_you_mean
from muster.yamlfile.textfile import split_lines

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

_STRING = r'"(?:[^"\\]|\\[nrt"\\])*"'
_LINE = re.compile(rf"(#~ ?)?(?:(msgctxt|msgid|msgstr)[ \t]+)?{_STRING}[ \t]*")
_PLURAL = re.compile(r"(#~ ?)?(?:msgid_plural|msgstr\[)")
_PREVIOUS = ("#|", "#~|")
"""What begins a line that other programs write above a doubtful entry: its older text."""
_BEFORE = {
    "msgctxt": ("msgstr", ""),
    "msgid": ("msgstr", "msgctxt", ""),
    "msgstr": ("msgid",),
}
"""The keywords that may stand before each."""
_EXAMPLE = 'msgid "Melee" and below it msgstr "Nahkampf"'


def parse_catalog(text: str, file: str) -> Catalog:
    """Return the gettext catalogue of a file's text, with what is obsolete in it.

    Raises:
        MusterError: If it is not one, with the line of the first fault; or if entries stand twice.
    """
    from babel.messages.catalog import Catalog, Message  # noqa: PLC0415 - most runs translate nothing
    from babel.messages.pofile import PoFileError, PoFileParser  # noqa: PLC0415 - as above

    lines = split_lines(text)
    _check_grammar(lines, file)
    problems = Problems()
    known: dict[tuple[str, str], int] = {}

    class OwnCatalog(Catalog):
        """A catalogue that tells of entries that stand twice, instead of joining them."""

        def __setitem__(self, id: object, message: Message) -> None:  # noqa: A002 - as in Babel
            key, line = (message.context or "", str(message.id)), message.lineno or 1
            if key in known:
                words = f"this text stands in line {known[key]} already; remove one of the two"
                place = Location(file, line, 1)
                problems.add(Problem("entry-twice", words, place, lines[line - 1]))
            known.setdefault(key, line)
            super().__setitem__(message.id, message)

    catalog = OwnCatalog()
    plain = ["" if line.lstrip().startswith(_PREVIOUS) else line for line in lines]
    try:
        PoFileParser(catalog, abort_invalid=True).parse(plain)
    except (PoFileError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        words = f"the head of the file cannot be read: {str(error)[:200]}"
        example = 'msgid "" and below it msgstr "Content-Type: text/plain; charset=utf-8\\n"'
        raise MusterError([Problem("bad-po", words, Location(file, 1, 1), "", example)]) from None
    if catalog.charset.replace("-", "").lower() != "utf8":
        words = f"the head states {catalog.charset[:40]!r}, expected utf-8; save the file as UTF-8"
        problems.add(Problem("not-utf-8", words, Location(file, 1, 1)))
    problems.raise_if_any()
    return catalog


def _check_grammar(lines: list[str], file: str) -> None:
    """Check that every line is one of a PO file, and that its keywords stand in their order.

    Raises:
        MusterError: With the first line that is not.
    """
    above, last, entries, length = "", 1, 0, 0
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or (line.startswith("#") and not line.startswith("#~ ")):
            continue
        match = _LINE.fullmatch(line)
        keyword = match[2] if match else ""
        length = len(line) if keyword else length + len(line)
        entries += keyword == "msgid"
        fault = _grammar_fault(line, match, above)
        if length > MAX_TRANSLATED_TEXT:
            fault = "too-long", f"expected at most {MAX_TRANSLATED_TEXT} characters in a text"
        elif entries > MAX_TRANSLATION_ENTRIES:
            fault = "too-many", f"expected at most {MAX_TRANSLATION_ENTRIES} entries"
        if fault is not None:
            place = Location(file, number, 1)
            raise MusterError([Problem(*fault, place, lines[number - 1], _EXAMPLE)])
        above, last = keyword or above, number
    if above in ("msgctxt", "msgid"):
        text = f"the file ends after {above}, without its msgstr"
        raise MusterError([Problem("bad-po", text, Location(file, last, 1), "", _EXAMPLE)])


def _grammar_fault(line: str, match: re.Match[str] | None, above: str) -> tuple[str, str] | None:
    """Return what is wrong with a line below a keyword: a code and a message; None if it is right.

    Args:
        line: The line.
        match: What `_LINE` found in it.
        above: The last keyword above it; empty if there was none.
    """
    if _PLURAL.match(line):
        return "bad-po", "plural forms are not used: texts are translated as they are"
    if match is None:
        known = did_you_mean(line.split(maxsplit=1)[0], ("msgctxt", "msgid", "msgstr"))
        expected = "expected msgctxt, msgid or msgstr and a text in quotes"
        return "bad-po", f"read {line[:60]!r}, {expected}{known}"
    if match[2] is None and not above:
        return "bad-po", "a text in quotes stands here without msgid or msgstr"
    if match[2] is not None and above not in _BEFORE[match[2]]:
        return "bad-po", f"read {match[2]} after {above or 'nothing'}"
    return None


_PLACEHOLDERS = (
    b'"Generated-By:',
    b'"Report-Msgid-Bugs-To: EMAIL@ADDRESS',
    b'"Last-Translator: FULL NAME',
    b'"Language-Team: ',
)
"""The lines of the head that Babel fills with placeholders, or with its own version."""


def write_catalog(catalog: Catalog) -> bytes:
    """Return the bytes of a catalogue's file, whose lines are wrapped at 100 columns."""
    from babel.messages.pofile import write_po  # noqa: PLC0415 - most runs translate nothing

    # Babel takes a percent sign or braces for those of a program.
    for message in [*catalog, *catalog.obsolete.values()]:
        message.flags -= {"python-format", "python-brace-format"}
        message.user_comments = [each for each in message.user_comments if each[:1] != "|"]
    file = BytesIO()
    write_po(file, catalog, width=100, include_lineno=False, include_previous=True)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_PLACEHOLDERS))


_HEAD = """\
# The texts of {system} in another language: {language}.
#
# A text is translated once, wherever it stands (the lines that begin with #: say where). Figures,
# dice and what stands in braces stay as they are. A text that needs other words in one place
# gets an entry of its own there, with that place as its msgctxt."""

_NO_DATE = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
"""The date of the texts in the head of a new file: a date of today would change it each time."""


_MOST_COMPARISONS = 200_000
"""Comparisons of a new text with an old one; beyond, no old words are proposed for new texts."""


def new_catalog(title: str, version: str, language: str) -> Catalog:
    """Return an empty catalogue for the texts of a system."""
    from babel.messages.catalog import Catalog  # noqa: PLC0415 - most runs translate nothing

    return Catalog(
        locale=language.replace("-", "_"),
        header_comment=_HEAD.format(system=title, language=language),
        project=title,
        version=version,
        creation_date=_NO_DATE,
        revision_date=_NO_DATE,
        fuzzy=False,
    )


def update_catalog(catalog: Catalog, texts: Mapping[str, Sequence[str]]) -> None:
    """Bring a catalogue up to date.

    What is translated is never lost: an entry whose text is gone becomes obsolete, and comes back
    with its text. Entries for one place stay as long as their text stands there.

    Args:
        catalog: The catalogue.
        texts: Every text with its places, in the order that the file is to have.
    """
    template = _template(catalog, texts)
    _bring_back(catalog, template)
    new = sum(catalog.get(text) is None for text in texts)
    # Babel compares every new text with every old one, at about 30,000 a second.
    catalog.update(template, no_fuzzy_matching=new * len(catalog) > _MOST_COMPARISONS)
    for key, message in list(catalog.obsolete.items()):
        if not message.string:
            del catalog.obsolete[key]


def _template(catalog: Catalog, texts: Mapping[str, Sequence[str]]) -> Catalog:
    """Return a catalogue of the texts, with the contexts that are in use and still right."""
    from babel.messages.catalog import Catalog  # noqa: PLC0415 - most runs translate nothing

    template = Catalog(creation_date=catalog.creation_date)
    contexts = {
        (message.context, message.id)
        for message in [*catalog, *catalog.obsolete.values()]
        if message.context
    }
    for text, places in texts.items():
        template.add(text, locations=_locations(places))
        for place in places:
            if (place, text) in contexts:
                template.add(text, locations=_locations([place]), context=place)
    return template


def _locations(places: Iterable[str]) -> list[tuple[str, int]]:
    # Babel asks for a line, which is not written: it would change with every line above.
    return [(place, 0) for place in places]


def _bring_back(catalog: Catalog, template: Catalog) -> None:
    """Take entries whose texts have come back out of those that are obsolete."""
    for key, message in list(catalog.obsolete.items()):
        text = str(message.id)
        current = catalog.get(text, message.context)
        if template.get(text, message.context) is None or (current and current.string):
            continue
        del catalog.obsolete[key]
        if current is not None:
            catalog.delete(text, message.context)
        catalog[text] = message
