"""Run `python -m muster`, the same program as `muster`."""

import os
import sys

if __name__ == "__main__":
    try:
        # `python -m` puts the current folder first on the search path, so a stranger's file in it,
        # such as `random.py`, would run instead of Python's. The folder stays only if Muster itself
        # is in it. Only modules that Python has loaded by itself may be imported above this.
        home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120
        if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != home:
            del sys.path[0]

        from muster.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()
