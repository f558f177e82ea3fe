"""Tests of the progress of a build: the estimate of the time left, counts and times."""

from __future__ import annotations

import pytest

from muster.building.workers import JobResult
from muster.cli.progress import SLOWEST_COUNT, Reporter, TimeEstimate, _duration


def estimate(expected: dict[str, float | None], workers: int = 1) -> TimeEstimate:
    started = TimeEstimate(workers)
    started.begin(expected)
    return started


def test_time_left_is_what_the_jobs_took_last() -> None:
    assert estimate({"a.pdf": 2.0, "b.pdf": 4.0}).seconds_left() == 6
    assert estimate({"a.pdf": 2.0, "b.pdf": 4.0, "c.pdf": 4.0}, 2).seconds_left() == 5
    assert estimate({"a.pdf": 9.0, "b.pdf": 1.0}, 2).seconds_left() == 9
    assert estimate({}).seconds_left() == 0


def test_new_job_is_expected_to_take_what_files_of_its_name_took() -> None:
    expected = {"x/cards.pdf": 6.0, "y/cards.pdf": None, "x/roster.pdf": 2.0, "z/sheet.pdf": None}

    assert estimate(expected).seconds_left() == 6 + 6 + 2 + 4


def test_nothing_is_estimated_until_a_pdf_was_timed() -> None:
    build = estimate({"x/a.html": None, "x/a.pdf": None, "x/b.pdf": None, "y/a.pdf": None})

    build.finish(JobResult("x/a.html", seconds=0.1))
    assert build.seconds_left() is None
    build.finish(JobResult("x/a.pdf", seconds=8.0))
    assert build.seconds_left() == 8 + 8
    build.finish(JobResult("x/b.pdf", seconds=2.0))
    assert build.seconds_left() == 8
    assert estimate({"a.html": None}).seconds_left() == 0


def test_pace_of_this_build_counts() -> None:
    build = estimate({"a.pdf": 2.0, "b.pdf": 4.0})

    build.finish(JobResult("a.pdf", seconds=4.0))

    assert build.seconds_left() == 8
    build.finish(JobResult("other.pdf", seconds=100.0))
    assert build.seconds_left() == 8
    build.finish(JobResult("b.pdf", error="too long"))
    assert build.seconds_left() == 0


def test_reporter_counts_jobs_and_pages_and_keeps_the_slowest() -> None:
    reporter = Reporter(1)
    reporter.plan_ready({f"{n}.pdf": None for n in range(20)}, 2)
    reporter.job_finished(JobResult("kept.pdf", pages=3, seconds=99, fresh=False))
    for n in range(20):
        reporter.job_finished(JobResult(f"{n}.pdf", pages=1, seconds=float(n % 15)))

    assert (reporter.total, reporter.count, reporter.pages) == (22, 21, 23)
    assert len(reporter.slowest()) == SLOWEST_COUNT
    assert reporter.slowest()[:2] == [(14, "14.pdf"), (13, "13.pdf")]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min 00 s"), (130, "2 min 10 s"), (3900, "1 h 05 min")],
)
def test_time_is_written_in_the_units_that_suit_it(seconds: float, words: str) -> None:
    assert _duration(seconds) == words
