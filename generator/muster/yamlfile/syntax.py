"""Describe YAML syntax errors in plain words, at the place where they can be corrected."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from yaml.error import YAMLError

from muster.problems import Location, Problem
from muster.yamlfile.textfile import problem_at, split_lines

SYNTAX_ERROR = "yaml-syntax"
_INDENTING_TAB = re.compile(r"[ \t]*?\t")


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

_EXPLANATIONS = {
    "found unexpected end of stream": _OPEN_QUOTE,
    "found unexpected document indicator": _OPEN_QUOTE,
    "could not find expected ':'": _Explanation(
        "expected a key, a colon and a space; there is no colon on this line",
        "title: Orders",
        opening=True,
    ),
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
    # What is missing at the end of the file is reported in its last line that is not empty.
    line, column = mark.line, mark.column
    if line >= len(lines) or (line and line == len(lines) - 1 and not lines[line]):
        line = max(n for n, each in enumerate(lines) if each or not n)
        column = len(lines[line])
    return _problem_at(words, file, lines, line, column)


def _find_indenting_tab(lines: list[str], line: int) -> int | None:
    """Return the column of a tab that indents a line, from 0; None if there is none."""
    match = _INDENTING_TAB.match(lines[line]) if line < len(lines) else None
    return match.end() - 1 if match else None


def _problem_at(
    words: _Explanation, file: str, lines: list[str], line: int, column: int
) -> Problem:
    place = (line + 1, column + 1)
    return problem_at(SYNTAX_ERROR, words.text, file, lines, place, words.example)
