"""Owns the facts about the outlook of a build: the time left, as far as it can be known.

Does not build anything.
"""

from __future__ import annotations

import pytest

from muster.building.workers import JobResult
from muster.cli.progress import SLOWEST_COUNT, Reporter, TimeEstimate, _duration


def outlook(expected: dict[str, float | None], workers: int = 1) -> TimeEstimate:
    found = TimeEstimate(workers)
    found.begin(expected)
    return found


def test_time_left_is_what_the_jobs_took_last() -> None:
    assert outlook({"a.pdf": 2.0, "b.pdf": 4.0}).seconds_left() == 6
    assert outlook({"a.pdf": 2.0, "b.pdf": 4.0, "c.pdf": 4.0}, 2).seconds_left() == 5
    assert outlook({"a.pdf": 9.0, "b.pdf": 1.0}, 2).seconds_left() == 9
    assert outlook({}).seconds_left() == 0


def test_new_job_is_thought_to_take_what_its_like_took() -> None:
    expected = {"x/cards.pdf": 6.0, "y/cards.pdf": None, "x/roster.pdf": 2.0, "z/sheet.pdf": None}

    assert outlook(expected).seconds_left() == 6 + 6 + 2 + 4
    assert outlook({"a.pdf": None, "b.pdf": None}).seconds_left() == 2


def test_pace_of_this_build_counts() -> None:
    found = outlook({"a.pdf": 2.0, "b.pdf": 4.0})

    found.finish(JobResult("a.pdf", seconds=4.0))

    assert found.seconds_left() == 8
    found.finish(JobResult("other.pdf", seconds=100.0))
    assert found.seconds_left() == 8
    found.finish(JobResult("b.pdf", error="too long"))
    assert found.seconds_left() == 0


def test_follower_counts_jobs_and_pages_and_keeps_the_slowest() -> None:
    follower = Reporter(1)
    follower.plan_ready({f"{n}.pdf": None for n in range(20)}, 2)
    follower.job_finished(JobResult("kept.pdf", pages=3, seconds=99, fresh=False))
    for n in range(20):
        follower.job_finished(JobResult(f"{n}.pdf", pages=1, seconds=float(n % 15)))

    assert (follower.total, follower.count, follower.pages) == (22, 21, 23)
    assert len(follower.slowest()) == SLOWEST_COUNT
    assert follower.slowest()[:2] == [(14, "14.pdf"), (13, "13.pdf")]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min 00 s"), (130, "2 min 10 s"), (3900, "1 h 05 min")],
)
def test_times_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert _duration(seconds) == words
