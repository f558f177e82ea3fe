"""A copy of a small rule system for the tests to break, and the codes of what lint finds in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.systems import open_system
from muster.systems.lint import lint_system
from tests.scaffold import lay_out


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def codes(content: Path) -> list[str]:
    """Return the codes of the issues in a system, in order."""
    return [issue.problem.code for issue in lint_system(open_system(content))]
