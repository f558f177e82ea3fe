"""Run `python -m muster`, the same program as `muster`."""

import sys
from pathlib import Path

# `python -m` puts the current folder first on the search path, so a stranger's file in it, such as
# `random.py`, would run instead of Python's. The folder stays only if Muster itself is in it.
if not sys.flags.safe_path and Path(sys.path[0]) != Path(__file__).resolve().parent.parent:
    del sys.path[0]

from muster.cli import main

if __name__ == "__main__":
    main()
