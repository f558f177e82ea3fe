"""Settings for all tests: no deadline for properties, and short ids for long parameters."""

from __future__ import annotations

import pytest
from hypothesis import settings

# A machine that prints in the next process is slow for a moment; that is no fault of a value.
settings.register_profile("muster", deadline=None)
settings.load_profile("muster")

MAX_ID_LENGTH = 40


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Return a short id in one line for a text of many characters or lines, else pytest's own."""
    del config, argname
    if isinstance(val, bytes):
        val = val[: 2 * MAX_ID_LENGTH].decode("latin-1")
    if not isinstance(val, str) or (len(val) <= MAX_ID_LENGTH and "\n" not in val):
        return None
    line = " ".join(val[: 2 * MAX_ID_LENGTH].split())
    return line if len(line) <= MAX_ID_LENGTH else f"{line[: MAX_ID_LENGTH - 3]}..."
