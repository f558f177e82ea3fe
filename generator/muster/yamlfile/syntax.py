"""Describe YAML syntax errors in plain words, at the place where they can be corrected."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from yaml.error import YAMLError

from muster.problems import Location, Problem
from muster.yamlfile.textfile import problem_at, split_lines

SYNTAX_ERROR = "yaml-syntax"
MISSING_BLANK = re.compile(r"([A-Za-z][\w-]*):[^\s:/]")
"""A key and a value that follows its colon at once, but no address such as `file://`."""

_INDENTING_TAB = re.compile(r"[ \t]*?\t")
_CLOSED_QUOTE = re.compile(r"((?:[\w-]+: )?)'([^']*)'$")
_REST_OF_QUOTE = re.compile(r"(\w.*?)'\s*(?:[,}\]#]|$)")
_MAX_EXAMPLE = 60


class _Explanation(NamedTuple):
    """A message and its example; with `opening`, reported where the list, text or key began."""

    text: str
    example: str = ""
    opening: bool = False


_OPEN_QUOTE = _Explanation(
    "the quotation mark that opens here is never closed", 'label: "8 inches"', opening=True
)
_OPEN_LIST = _Explanation(
    "the list that opens here has no closing ]", "cells: [1, 2]", opening=True
)
_OPEN_MAPPING = _Explanation(
    "the mapping that opens here has no closing }", "{id: rough}", opening=True
)
_NO_VALUE = _Explanation(
    "no value can begin here; text that begins with such a character must be quoted",
    'label: "[all]"',
)
_DOCUMENTS = _Explanation("nothing may follow the end of the document", "remove the ... or ---")
_NAME = _Explanation("text that begins with & or * must be quoted", 'label: "* with support"')
_DIRECTIVE = _Explanation(
    "a line cannot begin with %; text that does must be quoted", '"% of losses"'
)
_TAG = _Explanation("text that begins with ! must be quoted", 'label: "!"')
_ESCAPE = _Explanation(
    "a backslash in double quotes begins an escape sequence, and this is none; use single quotes",
    "label: 'a\\b'",
)

_NO_COLON = _Explanation(
    "expected a key, a colon and a space; there is no colon on this line",
    "title: Orders",
    opening=True,
)

_EXPLANATIONS = {
    "found unexpected end of stream": _OPEN_QUOTE,
    "found unexpected document indicator": _OPEN_QUOTE,
    "could not find expected ':'": _NO_COLON,
    "mapping values are not allowed in this context": _Explanation(
        "a colon is out of place: a value that contains a colon and a space must be quoted; "
        "or this line is indented too far, or the line above lacks its colon",
        'text: "Fire: at once"',
    ),
    "mapping keys are not allowed in this context": _Explanation(
        "text that begins with a question mark and a space must be quoted", 'label: "? of fire"'
    ),
    "block sequence entries are not allowed in this context": _Explanation(
        "a list of lines that begin with a dash must start on a line of its own", "cells: [1, 2]"
    ),
    "found character that cannot start any token": _Explanation(
        "no value can begin with this character; text that does must be quoted", 'label: "@ 4"'
    ),
    "found unknown escape character": _ESCAPE,
    "did not find expected hexdecimal number": _ESCAPE,
    "found invalid Unicode character escape code": _ESCAPE,
    "did not find expected comment or line break": _Explanation(
        "the text of a block begins on the line below its | or >", "text: Fire at once."
    ),
    "found an indentation indicator equal to 0": _Explanation(
        "the number after | or > cannot be 0; remove it", "text: >-"
    ),
    "did not find expected alphabetic or numeric character": _NAME,
    "did not find expected key": _Explanation(
        "expected the next key here: its line must begin under the first key of its mapping, "
        "and nothing may follow a closing quotation mark or bracket",
        "label: '8\" guns'",
    ),
    "did not find expected '-' indicator": _Explanation(
        "expected a dash: either the list continues, or this line is indented wrongly",
        "- {id: rough}",
    ),
    "did not find expected ',' or ']'": _Explanation(
        "expected a comma or the closing ] of the list", "cells: [1, 2]"
    ),
    "did not find expected ',' or '}'": _Explanation(
        "expected a comma or the closing } of the mapping", "{id: rough, label: Rough}"
    ),
    "did not find expected node content": _NO_VALUE,
    "did not find expected <document start>": _DOCUMENTS,
    "could not find expected directive name": _DIRECTIVE,
    "found unknown directive name": _DIRECTIVE,
    "found incompatible YAML document": _DIRECTIVE,
    "found duplicate %YAML directive": _DIRECTIVE,
    "found duplicate %TAG directive": _DIRECTIVE,
    "found undefined tag handle": _TAG,
    "did not find expected tag URI": _TAG,
    "did not find the expected '>'": _TAG,
    "did not find expected '!'": _TAG,
    "did not find expected whitespace or line break": _TAG,
}
_AFTER_A_QUOTE = {
    _EXPLANATIONS[message].text
    for message in (
        "did not find expected key",
        "did not find expected ',' or ']'",
        "did not find expected ',' or '}'",
    )
}
_UNCLOSED = {
    "did not find expected ',' or ']'": _OPEN_LIST,
    "did not find expected ',' or '}'": _OPEN_MAPPING,
}
"""Messages for errors in a later line than an open bracket: the bracket was not closed."""


def syntax_problem(error: YAMLError, text: str, file: str) -> Problem:
    """Return what a parser's error means in plain words, at the place where it can be corrected."""
    message = getattr(error, "problem", None)
    mark: Any = getattr(error, "problem_mark", None)
    if not message or mark is None:
        first_line = str(error).partition("\n")[0]
        return Problem(SYNTAX_ERROR, f"this cannot be read as YAML: {first_line}", Location(file))
    opening = getattr(error, "context_mark", None)
    lines = split_lines(text)
    for each in (mark, opening):
        if each is not None and (tab := _find_indenting_tab(lines, each.line)) is not None:
            words = _Explanation("a tab character: indent with spaces")
            return _problem_at(words, file, lines, each.line, tab)
    words = _EXPLANATIONS.get(message, _Explanation(f"this cannot be read as YAML: {message}"))
    if opening is not None and opening.line < mark.line and message in _UNCLOSED:
        words = _UNCLOSED[message]
    if words.opening and opening is not None:
        mark = opening
    if mark.line < len(lines):
        words = _explain_line(words, lines[mark.line], mark.column)
    # What is missing at the end of the file is reported in its last line that is not empty.
    line, column = mark.line, mark.column
    if line >= len(lines) or (line and line == len(lines) - 1 and not lines[line]):
        line = max(n for n, each in enumerate(lines) if each or not n)
        column = len(lines[line])
    return _problem_at(words, file, lines, line, column)


def _explain_line(words: _Explanation, line: str, column: int) -> _Explanation:
    """Return a better explanation of an error, if the line shows a frequent slip; else the same."""
    pair = line.strip()
    if words is _NO_COLON and MISSING_BLANK.match(pair):
        text = f"read {pair[:_MAX_EXAMPLE]!r}, expected a blank after the colon"
        return _Explanation(text, spaced(pair))
    if words.text in _AFTER_A_QUOTE and (found := _text_with_apostrophe(line, column)):
        return _Explanation(
            "the apostrophe before this ends the text; text with an apostrophe stands in double"
            " quotes",
            found,
        )
    return words


def _text_with_apostrophe(line: str, column: int) -> str:
    """Return a text in single quotes, which an apostrophe ends before a column, in double ones.

    The key before it comes along; the result is empty if there is no such text.
    """
    opened = _CLOSED_QUOTE.search(line[max(0, column - _MAX_EXAMPLE) : column])
    rest = _REST_OF_QUOTE.match(line[column : column + _MAX_EXAMPLE])
    if opened is None or rest is None:
        return ""
    text = json.dumps(f"{opened[2]}'{rest[1]}", ensure_ascii=False)
    return f"{opened[1]}{text}"


def spaced(text: str) -> str:
    """Return a pair such as `stands:3` with the blank that is missing in it, in one line."""
    key, _, value = text.partition(":")
    return f"{key}: {value[:_MAX_EXAMPLE]}"


def _find_indenting_tab(lines: list[str], line: int) -> int | None:
    """Return the column of a tab that indents a line, from 0; None if there is none."""
    match = _INDENTING_TAB.match(lines[line]) if line < len(lines) else None
    return match.end() - 1 if match else None


def _problem_at(
    words: _Explanation, file: str, lines: list[str], line: int, column: int
) -> Problem:
    place = (line + 1, column + 1)
    return problem_at(SYNTAX_ERROR, words.text, file, lines, place, words.example)
