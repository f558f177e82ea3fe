"""Owns the tests of what open pages are told while a folder is watched."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

import pytest

from muster.building.live_server import (
    MAX_OPEN_PAGES,
    LivePages,
    OpenPage,
    ShownProblem,
    TooManyPagesError,
)
from muster.problems import Location, Problem

PAGE = "club/quick-reference.html"


def heard(listener: OpenPage) -> list[tuple[str, Any]]:
    """Give all that waits for a page: names and data of events."""
    found = []
    while (event := listener.next(0)) is not None:
        name, data, *rest = event.decode().split("\n")
        assert rest == ["", ""]
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def names(listener: OpenPage) -> list[str]:
    return [name for name, _ in heard(listener)]


def test_page_hears_of_its_own_file_only() -> None:
    live = LivePages()
    with live.listening(PAGE, live.run, 0) as listener:
        heard(listener)

        live.changed("club/rulebook.html")
        live.changed(PAGE)

        assert heard(listener) == [("reload", {"path": PAGE, "run": live.run, "serial": 2})]


def test_page_that_missed_a_change_hears_of_it_at_once() -> None:
    live = LivePages()
    served = live.serial
    live.changed(PAGE)

    with live.listening(PAGE, live.run, served) as late:
        assert "reload" in names(late)
    with live.listening(PAGE, live.run, live.serial) as fresh:
        assert "reload" not in names(fresh)


def test_page_of_an_earlier_run_is_sent_to_reload() -> None:
    live = LivePages()

    with live.listening(PAGE, LivePages().run, 999) as listener:
        assert "reload" in names(listener)


def test_faults_are_told_to_all_and_to_whoever_comes_later() -> None:
    live = LivePages()
    fault = ShownProblem("a.yaml:1:2", "read x", "  x\n  ^")
    with live.listening(PAGE, live.run, 0) as early:
        heard(early)
        live.show_problems([fault])
        live.show_problems([fault])

        expected = {"place": "a.yaml:1:2", "text": "read x", "excerpt": "  x\n  ^"}
        assert heard(early) == [("faults", [expected])]
        with live.listening("other.html", live.run, 0) as late:
            assert heard(late)[0] == ("faults", [expected])
        live.show_problems([])
        assert heard(early) == [("faults", [])]


def test_progress_is_told() -> None:
    live = LivePages()
    with live.listening(PAGE, live.run, 0) as listener:
        heard(listener)
        live.show_progress(2, 9)

        assert heard(listener) == [("progress", {"done": 2, "total": 9})]


def test_fault_shows_place_words_and_line() -> None:
    where = Location("a.yaml", 3, 5)
    problem = Problem("bad-value", "read 'x\x1b'", where, "a: 'x\x1b'", "a: 3")

    fault = ShownProblem.of(problem)

    assert fault == ShownProblem(
        "a.yaml:3:5", "read 'x·' [bad-value]", "a: 'x·'\n    ^\nfor example: a: 3"
    )


def test_open_pages_are_those_that_listen() -> None:
    live = LivePages()
    with live.listening(PAGE, live.run, 0):
        assert live.open_pages() == {PAGE}

    assert live.open_pages() == frozenset()


def test_there_is_no_room_for_a_crowd() -> None:
    live = LivePages()
    with ExitStack() as stack:
        for _ in range(MAX_OPEN_PAGES):
            stack.enter_context(live.listening(PAGE, live.run, 0))

        with pytest.raises(TooManyPagesError), live.listening(PAGE, live.run, 0):
            pass

    with live.listening(PAGE, live.run, 0):
        pass


def test_page_too_slow_to_listen_is_let_go() -> None:
    live = LivePages()
    with live.listening(PAGE, live.run, 0) as listener:
        for turn in range(500):
            live.show_progress(turn, 500)

        assert listener.gone
        assert live.open_pages() == frozenset()


def test_end_lets_everybody_go() -> None:
    live = LivePages()
    with live.listening(PAGE, live.run, 0) as listener:
        live.end()

        assert listener.gone
        assert live.open_pages() == frozenset()
