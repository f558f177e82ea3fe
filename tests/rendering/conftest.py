"""The template environment that the tests of rendering share, since loading fonts takes a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.rendering.environment import TemplateEnvironment

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@pytest.fixture(scope="session")
def templates() -> TemplateEnvironment:
    """Return the shipped templates and fonts."""
    return TemplateEnvironment([TEMPLATES])
