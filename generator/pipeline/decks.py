"""Owns which files the cards of an army are printed into, and their backs.

Does not gather cards and does not know how a file is named in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from generator.documents.cards import Deck
from generator.pipeline.job import Job

_FORMATS = (
    ("cards", "9-up", "Unit cards, nine to a page"),
    ("cards-large", "4-up", "Unit cards, large, four to a page"),
    ("cards-single", "single", "Unit cards, one to a page"),
)


class Namer(Protocol):
    """Names the jobs of an army's folder."""

    def html(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Name a page for screens."""

    def pdf(self, kind: str, stem: str, variant: str, title: str, data: Any) -> list[Job]:
        """Name a PDF for each paper."""


def plan_cards(folder: Namer, deck: Deck, backs: str) -> list[Job]:
    """Plan cards in every format, if there are any; on screens they have no backs."""
    if not deck.cards:
        return []
    jobs = list(folder.html("cards", "cards", "9-up", "Unit cards", deck))
    printed = replace(deck, backs=backs) if backs else deck
    for stem, variant, title in _FORMATS:
        jobs += folder.pdf("cards", stem, variant, title, printed)
    return jobs


def beside(jobs: Sequence[Job]) -> list[Job]:
    """Tell each page for screens which others of its army stand beside it."""
    pages = [(job.title, job.path.rpartition("/")[2]) for job in jobs if job.format == "html"]
    return [
        replace(job, beside=tuple(page for page in pages if not job.path.endswith("/" + page[1])))
        if job.format == "html"
        else job
        for job in jobs
    ]
