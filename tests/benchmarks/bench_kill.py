"""Kill a hundred builds at random moments, alone and in pairs, and look whether harm was done.

The ordinary tests kill only a few. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_kill.py [KILLS]`
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests import killing  # noqa: E402

KILLS = 100
KINDS = "sheet,cards,roster"


def main() -> None:
    """Write a line for one build at a time, and one for two at once."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    bad = 0
    for builds in (1, 2):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            tally = killing.run(Path(folder), kills, builds, KINDS, seed=builds)
        sys.stdout.write(
            f"{builds} at once: {tally.kills} killed, {len(tally.broken)} files broken, "
            f"{len(tally.different)} unlike a clean build's, {len(tally.failed)} builds failed, "
            f"{time.monotonic() - begin:.0f} s\n"
        )
        bad += len(tally.broken) + len(tally.different) + len(tally.failed)
        for text in (*tally.broken[:5], *tally.different[:5], *tally.failed[:2]):
            sys.stdout.write(f"  {text}\n")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
