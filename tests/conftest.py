"""Settings for all tests: no deadline for properties, short ids, and no garbage among the tests."""

from __future__ import annotations

import gc
from functools import cache

import pytest
from hypothesis import settings

# A machine that prints in the next process is slow for a moment; that is no fault of a value.
settings.register_profile("muster", deadline=None)
settings.load_profile("muster")

MAX_ID_LENGTH = 40

LONGEST = ("pages", "builder-page", "web", "builder-agreement", "sixth", "builder-edges")
"""The groups of tests that take longest, the longest first; `pages` builds all that is shipped."""
AFTER_BUILD = ("printed", "books")
"""The groups that look at that build: they come last, so that no worker waits for it."""


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Return a short id in one line for a text of many characters or lines, else pytest's own."""
    del config, argname
    if isinstance(val, bytes):
        val = val[: 2 * MAX_ID_LENGTH].decode("latin-1")
    if not isinstance(val, str) or (len(val) <= MAX_ID_LENGTH and "\n" not in val):
        return None
    line = " ".join(val[: 2 * MAX_ID_LENGTH].split())
    return line if len(line) <= MAX_ID_LENGTH else f"{line[: MAX_ID_LENGTH - 3]}..."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left alone with it in the end."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    marker = item.get_closest_marker("xdist_group")
    if marker is None:
        return len(LONGEST) + (1 if item.get_closest_marker("slow") else 2)
    group: str = marker.args[0]
    if group in AFTER_BUILD:
        return len(LONGEST) + 3
    return LONGEST.index(group) if group in LONGEST else len(LONGEST)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze what was collected: it is no garbage, and every build would look through all of it.

    A build in this process freezes what it loads, and in the end unfreezes everything. Here the
    first does so, for the modules that all need, and nothing is unfrozen. Workers, as processes of
    their own, do both.
    """
    del session
    gc.collect()
    gc.freeze()
    patch = pytest.MonkeyPatch()
    patch.setattr(gc, "freeze", cache(gc.freeze))
    patch.setattr(gc, "unfreeze", lambda: None)
