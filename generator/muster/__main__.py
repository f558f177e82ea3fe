"""Run `python -m muster`, the same program as `muster`."""

from muster.cli import main

if __name__ == "__main__":
    main()
