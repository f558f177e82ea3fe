"""Tests of `muster translate`, and of what `muster lint` and `muster diff` say of translations."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Muster
from tests.scaffold import spoil

PO = Path("content", "club", "translations", "de.po")


def test_translate_writes_a_file_that_is_read_again(muster: Muster) -> None:
    result = muster("translate", "club", "de")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{PO}: 0 translated, 0 doubtful, ")
    assert 'msgid "Movement"' in PO.read_text(encoding="utf-8")
    linted = muster("lint", "club")
    assert linted.exit_code == 1
    assert "error: no translation in content/club/translations/de.po" in linted.stdout
    assert "[missing-translation]" in linted.stdout


def test_translate_keeps_what_is_translated(muster: Muster) -> None:
    muster("translate", "club", "de")
    spoil(PO, 'msgid "Movement"\nmsgstr ""', 'msgid "Movement"\nmsgstr "Bewegung"')
    spoil(Path("content/club/tables/movement.yaml"), "label: Rough}", "label: Zzyzx qqq}")
    assert ": 1 translated" in muster("translate", "club", "de").stdout
    text = PO.read_text(encoding="utf-8")
    assert 'msgid "Movement"\nmsgstr "Bewegung"' in text
    assert 'msgid "Zzyzx qqq"' in text


def test_translate_refuses_what_is_no_language(muster: Muster) -> None:
    for word in ("../de", "german", "en", "xx"):
        result = muster("translate", "club", word)
        assert result.exit_code == 2, word
    assert "read the language 'xx', expected one of de, en, fr" in result.stderr
    assert not PO.parent.exists()


def test_translate_leaves_a_file_that_it_cannot_read(muster: Muster) -> None:
    PO.parent.mkdir()
    PO.write_text('msgid "Movement\n', encoding="utf-8")
    result = muster("translate", "club", "de")
    assert result.exit_code == 2
    assert f"{PO}:1:1: " in result.stderr
    assert PO.read_text(encoding="utf-8") == 'msgid "Movement\n'


def test_lint_of_a_wrong_figure_is_an_error_at_its_line(muster: Muster) -> None:
    muster("translate", "club", "de")
    spoil(PO, 'msgid "28 mm figures"\nmsgstr ""', 'msgid "28 mm figures"\nmsgstr "25-mm-Figuren"')
    result = muster("lint", "club", "--format", "json")
    assert result.exit_code == 1
    [error] = [each for each in json.loads(result.stdout) if each["severity"] == "error"]
    assert error["code"] == "translated-figures"
    assert error["file"] == str(PO)
    lines = PO.read_text(encoding="utf-8").splitlines()
    assert lines[error["line"] - 1] == 'msgid "28 mm figures"'


def test_lint_refuses_a_file_of_an_unknown_language(muster: Muster) -> None:
    PO.parent.mkdir()
    PO.with_stem("xx").write_text('msgid "Movement"\nmsgstr "x"\n', encoding="utf-8")
    result = muster("lint", "club")
    assert result.exit_code == 1
    assert "read 'xx.po', expected one of de, en, fr" in result.stdout + result.stderr


def test_lint_tells_of_entries_for_texts_that_are_gone(muster: Muster) -> None:
    PO.parent.mkdir()
    PO.write_text('msgid "Movement"\nmsgstr "Bewegung"\n', encoding="utf-8")
    assert "[dead-translation]" not in muster("lint", "club").stdout
    with PO.open("a", encoding="utf-8") as file:
        file.write('\n#~ msgid "Marching"\n#~ msgstr "Marsch"\n')
    output = muster("lint", "club").stdout
    assert f"{PO}:4:1" in output
    assert "[dead-translation]" in output


def test_diff_lists_what_a_translation_has_not_followed(muster: Muster) -> None:
    export = muster("export", "club", "--out", "old.json")
    assert export.exit_code == 0
    PO.parent.mkdir()
    words = 'msgid "Some words have a meaning of their own."\nmsgstr "Einige Wörter …"\n'
    PO.write_text(words, encoding="utf-8")
    spoil(Path("content/club/prose/02-turn.md"), "Some words have", "Some words may have")
    text = muster("diff", "old.json", "club").stdout
    assert "Translation: de (club/translations/de.po)" in text
    assert "Some words have a meaning of their own. → Some words may have a meaning" in text
    data = json.loads(muster("diff", "old.json", "club", "--format", "json").stdout)
    [translation] = data["translations"]
    assert translation["language"] == "de"
    kinds = {each["new"]: each["kind"] for each in translation["texts"]}
    assert kinds["Some words may have a meaning of their own."] == "changed"
    assert kinds["Movement"] == "added"
