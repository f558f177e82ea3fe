"""Test the error that all forms share."""

from __future__ import annotations

import pickle
import time

import pytest

from muster.values import FORMS, BadDice, BadValue, Dice, Text, parse_value


def test_a_bad_value_says_what_was_read_and_expected_with_an_example() -> None:
    with pytest.raises(BadDice) as caught:
        Dice.parse("2d6++1")

    assert str(caught.value) == "read '2d6++1', expected a dice roll such as 2d6+1"
    assert caught.value.read == "2d6++1"
    assert caught.value.expected == "a dice roll"
    assert caught.value.example == "2d6+1"


def test_each_form_has_an_error_of_its_own() -> None:
    errors = []
    for form in FORMS:
        with pytest.raises(BadValue) as caught:
            parse_value(form, "")
        errors.append(type(caught.value))

    assert len(set(errors)) == len(FORMS)
    assert BadValue not in errors


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ["1" * 10**6, "d6+" * 10**5, " " * 10**6, "2 a" + " a" * 10**5])
def test_huge_texts_are_refused_at_once(form: str, text: str) -> None:
    begin = time.process_time()
    with pytest.raises(BadValue) as caught:
        parse_value(form, text)
    seconds = time.process_time() - begin

    assert seconds < 0.1
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("piece", ["*a", "* ", "*a ", "**", "**a "])
def test_marks_without_end_are_shown_in_no_time(piece: str) -> None:
    text = Text.parse((piece * 4000)[:3999] + ".")

    begin = time.process_time()
    text.show()

    assert time.process_time() - begin < 0.1


def test_a_message_escapes_controls_and_lone_surrogates() -> None:
    assert str(BadDice("a\n\x00\ud800é")) == (
        "read 'a\\n\\x00\\ud800é', expected a dice roll such as 2d6+1"
    )


def test_a_value_without_an_example_names_none() -> None:
    assert str(BadValue("x")) == "read 'x', expected a value"


def test_a_bad_value_travels_between_processes() -> None:
    bad = BadDice("x" * 100, "this", "that")

    again = pickle.loads(pickle.dumps(bad))  # noqa: S301 - our own bytes

    assert type(again) is BadDice
    assert str(again) == str(bad)
