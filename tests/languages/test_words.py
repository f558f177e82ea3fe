"""Tests of words in the language of a document."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from muster.dependencies import record_dependencies
from muster.languages import LANGUAGES_FOLDER, say, say_number, speaking, with_decimal_mark
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.printed import PrintError

ROOT = Path(__file__).resolve().parents[2]


def test_words_are_english_until_a_language_is_spoken_and_again_afterwards() -> None:
    assert say("Losses") == "Losses"
    with speaking("de"):
        assert say("Losses") == "Verluste"
        with speaking("fr"):
            assert say("Losses") == "Pertes"
        assert say("Losses") == "Verluste"
    assert say("Losses") == "Losses"


def test_language_with_a_region_is_that_language() -> None:
    with speaking("de-AT"):
        assert say("Losses") == "Verluste"
    with speaking("FR-ca"):
        assert say("Losses") == "Pertes"


def test_language_without_catalogue_is_english() -> None:
    with speaking("en-GB"):
        assert say("Losses") == "Losses"
    with speaking("nl"):
        assert say("Losses") == "Losses"


def test_words_that_no_catalogue_has_stay_english() -> None:
    with speaking("de"):
        assert say("A club's own {what}", what="words") == "A club's own words"


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [
        ("en", 0, "0 points"),
        ("en", 1, "1 point"),
        ("en", Decimal("12.50"), "12.5 points"),
        ("en", Decimal("0.5"), "0.5 points"),
        ("de", 0, "0 Punkte"),
        ("de", 1, "1 Punkt"),
        ("de", Decimal("1.5"), "1,5 Punkte"),
        ("fr", 0, "0 point"),
        ("fr", 2, "2 points"),
        ("fr", Decimal("7.25"), "7,25 points"),
    ],
)
def test_number_of_things(language: str, number: Decimal | int, text: str) -> None:
    with speaking(language):
        assert say_number("{n} point", "{n} points", number) == text


def test_decimal_mark_is_that_of_the_language() -> None:
    assert with_decimal_mark("7.5") == "7.5"
    with speaking("fr"):
        assert with_decimal_mark("7.5") == "7,5"
        assert with_decimal_mark("75") == "75"


def test_value_is_filled_in_once_and_as_it_is() -> None:
    assert say("{army}: roster", army="{army} & {secret}") == "{army} & {secret}: roster"


def test_catalogue_is_among_the_files_that_a_document_is_made_from() -> None:
    with record_dependencies() as german, speaking("de"):
        say("Losses")
    with record_dependencies() as english, speaking("en"):
        say("Losses")

    assert [Path(each.path) for each in german] == [LANGUAGES_FOLDER / "de.po"]
    assert english == {}


def test_english_reads_no_catalogue_and_loads_no_babel() -> None:
    code = (
        "import sys; from muster.languages import say, speaking\n"
        "with speaking('en'): say('Losses')\n"
        "print('babel' in sys.modules)\n"
        "with speaking('de'): say('Losses')\n"
        "print('babel' in sys.modules)"
    )
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT / "generator")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a folder for templates of one's own."""
    return tmp_path


def filled_in(folder: Path, text: str, **data: object) -> str:
    (folder / "own.html.j2").write_text(text, encoding="utf-8")
    return TemplateEnvironment([folder]).render("own.html.j2", **data)


def test_template_says_words_and_escapes_their_values(own: Path) -> None:
    text = (
        '{{ say("<b>{points}</b> points", points=p) }} {{ say_number("{n} unit", "{n} units", 2) }}'
    )
    with speaking("de"):
        assert filled_in(own, text, p="<1>") == "<b>&lt;1&gt;</b> Punkte 2 Einheiten"


def test_number_that_is_none_is_an_error_of_the_template(own: Path) -> None:
    with pytest.raises(PrintError, match=r"own\.html\.j2.* was given 'two', expected a number"):
        filled_in(own, '{{ say_number("{n} unit", "{n} units", "two") }}')


@pytest.mark.parametrize("message", ["{x.__class__}", "{x!r}", "{x:>999999999}", "{0}"])
def test_template_reaches_nothing_through_a_message(message: str, own: Path) -> None:
    assert filled_in(own, f'{{{{ say("{message}", x=1) }}}}') == message
