"""Owns what holds for all tests: properties are tried without a clock, nobody's cache is touched.

Does not hold fixtures that a test asks for; those stand beside the tests that want them.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from muster.yamlfile import cache

# A machine that prints in the next process is slow for a moment; that is no fault of a value.
settings.register_profile("muster", deadline=None)
settings.load_profile("muster")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep what the command line reads in a folder of this run; processes inherit it."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Let no test find what another one has kept in this process."""
    yield
    cache.use_cache_folder(None)
