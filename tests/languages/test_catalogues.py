"""Tests of the catalogues: every message is translated, and none is broken."""

from __future__ import annotations

import ast
import re
from io import BytesIO

import pytest
from babel.messages.pofile import read_po

from muster.languages import known_languages
from muster.rendering.builder_files import said_words
from tests.languages.catalogues import (
    KEYWORDS,
    ROOT,
    Message,
    builder_scripts,
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


def test_scripts_of_the_list_builder_say_no_words_that_are_not_found() -> None:
    hidden = [
        f"{path.name}: {call}"
        for path in builder_scripts()
        for call in hidden_calls(path.read_text(encoding="utf-8"))
    ]
    assert hidden == []


def hidden_calls(script: str) -> list[str]:
    """Return the calls that say words of which not all are texts in quotes."""
    calls = re.findall(r"(?<!function )\b(?:say|sayNumber)\(.*", script)
    single = re.compile(r'say\("')
    several = re.compile(r'sayNumber\("[^"]+", "')
    return [call for call in calls if not (single.match(call) or several.match(call))]


@pytest.mark.parametrize("script", ["say(title)", "a + say(`b`)", "sayNumber(one, many, 2)"])
def test_words_that_are_not_found_are_noticed(script: str) -> None:
    assert len(hidden_calls(script)) == 1


def test_words_of_scripts_are_found() -> None:
    script = (
        'say("{n} of \\"all\\"", { n }); x.sayNumber("{n} a", "{n} b", n); say("{n} of \\"all\\"");'
    )
    assert said_words(script) == [('{n} of "all"',), ("{n} a", "{n} b")]


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


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (r"leave out \{", "renoncer à"),
        (r"\bfindings?\b", "remarque"),
        (r"\blist builder\b", "éditeur de listes"),
        (r"\bevent\b", "tournoi"),
        (r"\bprices?\b(?!\})", "prix"),
        (r"\bchecked\b", "contrôl"),
    ],
)
def test_french_has_one_word_for_one_thing(english: str, french: str) -> None:
    said = {
        one: text
        for key, texts in messages_of(read_catalogue("fr"))
        for one, text in zip([key] if isinstance(key, str) else key, texts, strict=True)
        if re.search(english, one.replace("Events/Spring", ""), re.IGNORECASE)
    }
    assert said
    assert {one: text for one, text in said.items() if french not in text.lower()} == {}
