"""Owns what a worker loads before it works: what renders, and nothing else.

Does not start workers.
"""

from __future__ import annotations

import os

_PATH = "PATH"


def load() -> None:
    """Load what renders.

    WeasyPrint looks for each of its libraries under several names; for every name that is not
    there, Python asks a compiler and a linker, a process each. Without a search path it asks
    neither, and finds them by the system's own list all the same.

    Raises:
        OSError: If a library is missing.
    """
    before = os.environ.get(_PATH)
    try:
        os.environ[_PATH] = ""
        import generator.rendering.documents  # noqa: PLC0415 - after the search path is set
        import generator.rendering.studio  # noqa: PLC0415 - as above
    except OSError:
        # A system without such a list: only compiler and linker know its libraries.
        if before is not None:
            os.environ[_PATH] = before
        import generator.rendering.documents  # noqa: PLC0415 - as above
        import generator.rendering.studio  # noqa: F401, PLC0415 - as above
    finally:
        if before is None:
            os.environ.pop(_PATH, None)
        else:
            os.environ[_PATH] = before
