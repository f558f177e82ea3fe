"""Owns `python -m generator`, which is the same program as `muster`.

Does not hold a command: see `generator.cli`.
"""

from generator.cli import main

if __name__ == "__main__":
    main()
