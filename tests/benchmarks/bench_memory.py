"""Measure the peak memory of a full build and its workers.

Nothing is asserted, since memory differs between machines. Run it by hand, on Linux, with any
options of `muster build`: `.venv/bin/python tests/benchmarks/bench_memory.py --jobs 2`
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
EVERY_S = 0.05
MIB = 1024


def children(process: int) -> list[int]:
    """Return a process and all that it has started, as far as they still run."""
    found = [process]
    for each in found:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text(encoding="ascii").split()]
            except OSError:
                continue
    return found


def memory_of(process: int) -> tuple[int, int]:
    """Return the memory of a process in kB: proportional set size, and resident set size."""
    shown = {}
    for name in ("smaps_rollup", "status"):
        try:
            lines = Path(f"/proc/{process}/{name}").read_text(encoding="ascii").splitlines()
        except OSError:
            return 0, 0
        for line in lines:
            key, _, value = line.partition(":")
            shown[key] = value.split()[0] if value.split() else "0"
    return int(shown.get("Pss", 0)), int(shown.get("VmRSS", 0))


def main(options: list[str]) -> int:
    """Build all that is shipped into a temporary folder, and write the peaks."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "muster", "--quiet", "build", "--force", *options]
        begin = time.perf_counter()
        build = subprocess.Popen([*command, "--out", folder], cwd=ROOT)  # noqa: S603 - our own
        most, most_resident, largest, processes = 0, 0, 0, 0
        while build.poll() is None:
            each = [memory_of(process) for process in children(build.pid)]
            most = max(most, sum(pss for pss, _ in each))
            most_resident = max(most_resident, sum(rss for _, rss in each))
            largest = max(largest, *(rss for _, rss in each))
            processes = max(processes, len(each))
            time.sleep(EVERY_S)
        seconds = time.perf_counter() - begin
        files = sum(path.is_file() for path in Path(folder).rglob("*.*"))
    sys.stdout.write(f"{files} files in {seconds:.0f} s, {processes} processes at the most\n")
    sys.stdout.write(f"together, shared memory counted once: {most / MIB:.0f} MiB\n")
    sys.stdout.write(f"together, resident sets added up:     {most_resident / MIB:.0f} MiB\n")
    sys.stdout.write(f"the largest process:                  {largest / MIB:.0f} MiB\n")
    return build.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
