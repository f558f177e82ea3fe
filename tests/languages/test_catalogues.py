"""Tests of the catalogues: every message is translated, and none is broken."""

from __future__ import annotations

import ast
import re
from io import BytesIO

import pytest
from babel.messages.pofile import read_po

from muster.languages import known_languages
from tests.languages.catalogues import (
    KEYWORDS,
    ROOT,
    Message,
    faults_of,
    messages_of,
    read_catalogue,
    written_messages,
)

TRANSLATED = [language for language in known_languages() if language != "en"]


def test_there_is_german_and_french() -> None:
    assert TRANSLATED == ["de", "fr"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogue_has_exactly_the_words_that_are_said(language: str) -> None:
    assert faults_of(read_catalogue(language), written_messages()) == []


def test_no_words_are_said_within_an_f_string_where_babel_does_not_find_them() -> None:
    hidden = [
        f"{path.name}:{call.lineno}"
        for path in (ROOT / "generator" / "muster").rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in KEYWORDS
        and any(isinstance(each, ast.Constant) for each in call.args[:1])
    ]
    assert hidden == []


def test_fault_of_a_catalogue_is_found() -> None:
    text = """
msgid ""
msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "edition {edition}"
msgstr "Ausgabe {number}"

msgid "old"
msgstr "alt"

msgid "Legal"
msgstr ""

msgid "<b>{points}</b> points"
msgstr "{points} Punkte"

msgid "{n} unit"
msgid_plural "{n} units"
msgstr[0] "{n} Einheit"
msgstr[1] ""

#, fuzzy
msgid "yes"
msgstr "ja"
"""
    catalogue = read_po(BytesIO(text.encode()), locale="de")
    written: dict[Message, str] = {
        "edition {edition}": "",
        "Legal": "",
        "<b>{points}</b> points": "",
        ("{n} unit", "{n} units"): "",
        "yes": "",
        "new": "a.py:1",
    }

    assert sorted(faults_of(catalogue, written)) == [
        "fuzzy: 'yes'",
        "missing: 'new' of a.py:1",
        "not translated: 'Legal'",
        "not translated: ('{n} unit', '{n} units')",
        "other placeholders: '<b>{points}</b> points': '{points} Punkte'",
        "other placeholders: 'edition {edition}': 'Ausgabe {number}'",
        "unused: 'old'",
    ]


_FRENCH_MARK = re.compile(r"(?<![\u202f])[;:!?»]|«(?!\u202f)")


def test_french_has_a_narrow_space_before_high_marks_and_within_quotes() -> None:
    texts = [text for _, texts in messages_of(read_catalogue("fr")) for text in texts]
    assert [text for text in texts if _FRENCH_MARK.search(text)] == []


def test_german_quotes_are_low_and_high() -> None:
    text = "".join(str(message.string) for message in read_catalogue("de") if message.id)
    assert text.count("„") == text.count("“")
    assert "”" not in text
