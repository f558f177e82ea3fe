"""Kill builds at random moments, and look at what they leave and what the next build does.

A test kills a few, a benchmark a hundred.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from tests.scaffold import lay_out

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = ("club", "--jobs", "2", "--progress", "plain")
NAMES = ("Greys", "Browns")
"""A unit's name in each state of the content; each state has prints of its own."""


@dataclass(slots=True)
class Tally:
    """The result of killing some builds."""

    kills: int = 0
    ended_first: int = 0
    """The number of builds that ended before they were killed."""
    broken: list[str] = field(default_factory=list)
    """Files that were no whole document of any state."""
    different: list[str] = field(default_factory=list)
    """Files that differed from a clean build's after the next build."""
    failed: list[str] = field(default_factory=list)
    """The messages of later builds that failed."""


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
    return {**kept, "PYTHONPATH": str(ROOT / "generator")}


def _start(folder: Path, kinds: str, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "muster", "build", *OPTIONS, "--only", kinds, *more],
        cwd=folder,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _documents(out: Path) -> dict[str, str]:
    """Return the hash of every file but those of the record and the cache."""
    hashes = {}
    for path in out.rglob("*"):
        name = path.relative_to(out)
        if path.is_file() and name.parts[0] != ".muster":
            hashes[str(name)] = sha256(path.read_bytes()).hexdigest()
    return hashes


class KillingGround:
    """A folder with a small system, whose content changes from state to state."""

    def __init__(self, folder: Path, kinds: str) -> None:
        """Write the system, and build some kinds of documents from scratch in every state."""
        self.folder = folder
        self.kinds = kinds
        lay_out(folder)
        self._army = folder / "armies" / "club" / "first.yaml"
        self._text = self._army.read_text(encoding="utf-8")
        self.clean: list[dict[str, str]] = []
        begin = time.monotonic()
        for state in range(len(NAMES)):
            self.change(state)
            out = f"clean-{state}"
            with _start(folder, kinds, "--out", out) as process:
                assert process.wait() == 0, process.stderr and process.stderr.read()
            self.clean.append(_documents(folder / out))
        self.seconds = (time.monotonic() - begin) / len(NAMES)

    def change(self, state: int) -> None:
        """Write the content of a state."""
        self._army.write_text(self._text.replace("Greys", NAMES[state]), encoding="utf-8")

    def kill(self, state: int, after: float, tally: Tally, *, builds: int, group: bool) -> None:
        """Start builds of a state, kill one after some seconds, look, and build again.

        Those print everything anew: if they only found what earlier ones had printed, most would
        end before they are killed, and hardly any would be killed while it prints.
        """
        self.change(state)
        started = [_start(self.folder, self.kinds, "--force") for _ in range(builds)]
        victim = started[0]
        try:
            victim.wait(timeout=after)
            tally.ended_first += 1
        except subprocess.TimeoutExpired:
            if group:
                os.killpg(victim.pid, signal.SIGKILL)
            else:
                victim.kill()
            tally.kills += 1
        victim.communicate()
        self._find_broken(tally)
        for other in started[1:]:
            self._end(other, tally)
        self._end(_start(self.folder, self.kinds), tally)
        found, expected = _documents(self.folder / "build"), self.clean[state]
        tally.different += sorted(
            name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name)
        )

    def _find_broken(self, tally: Tally) -> None:
        """Find files that are no whole document of any state; an index may list several states."""
        for name, content_hash in _documents(self.folder / "build").items():
            path = self.folder / "build" / name
            whole = any(content_hash == each.get(name) for each in self.clean)
            if not whole and not name.endswith(".muster-part") and not _complete(path):
                tally.broken.append(name)

    def _end(self, process: subprocess.Popen[str], tally: Tally) -> None:
        _, messages = process.communicate()
        if process.returncode != 0:
            tally.failed.append(messages)


def _complete(path: Path) -> bool:
    """Return whether a file is a complete index, which may be of no known state."""
    try:
        end = path.read_bytes()[-16:].rstrip()
    except FileNotFoundError:  # Another build has just replaced it.
        return True
    return path.name.startswith("index.") and end.endswith((b"%%EOF", b"</html>"))


def run(folder: Path, kills: int, builds: int, kinds: str, seed: int) -> Tally:
    """Kill a number of builds at random moments, while so many builds run at once."""
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    ground = KillingGround(folder, kinds)
    tally = Tally()
    while tally.kills < kills:
        turn = tally.kills + tally.ended_first
        after = chance.uniform(0.05, 1.1 * ground.seconds)
        group = chance.random() < 0.5
        ground.kill(turn % len(NAMES), after, tally, builds=builds, group=group)
    return tally
