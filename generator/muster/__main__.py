"""Run `python -m muster`, the same program as `muster`."""

import sys
from pathlib import Path

# `python -m` puts the current folder first on the search path, and a file of a stranger's that
# lies there, such as `random.py`, would run. Nothing is imported from it unless Muster lies there.
if not sys.flags.safe_path and Path(sys.path[0]) != Path(__file__).resolve().parent.parent:
    del sys.path[0]

from muster.cli import main

if __name__ == "__main__":
    main()
