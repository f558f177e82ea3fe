"""Mutate real content and armies, and see what lint, check, export and pages of HTML make of them.

A test tries a few mutations, `tests/benchmarks/fuzz.py` as many as it is asked for. A case fails
if Muster has a bug (an exception that is no problem of a file), takes more than 5 seconds of
processor time or 1 GiB of memory, puts active script into a page, or names a file outside the
output folder.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import chdir
from html.parser import HTMLParser
from pathlib import Path

from click.testing import CliRunner

from muster.building.bounds import bounded
from muster.building.store import is_relative_name
from muster.building.workers import Task, render_task, start_rendering
from muster.cli.program import program
from muster.problems import MusterError
from muster.systems import Library
from tests.plans import make_plan
from tests.scaffold import SHIPPED, SYSTEM, lay_out

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 5
MEGABYTES = 1024
MARK = "zzfuzz"

NUMBERS = (
    *("0", "-1", "999", "1000", "99999999999999999999", "1e9", "0.0000001", "1-1000000000"),
    *("99999d6", "20d100", "1/0", "½", "٣", "0x10", "00", "+-1", "NaN"),
)
TEXTS = (
    *(f"<script>{MARK}()</script>", f"'\"><img src=x onerror={MARK}()>", f"javascript:{MARK}()"),
    *(f"</style><script>{MARK}()</script>", f'" onclick="{MARK}()', "{{ 7*7 }}", "{% include 1 %}"),
    *("../../../etc/passwd", "/etc/passwd", "..", "con", "\0", "\x1b[31m", "\u202e", "\u2028"),
    *(
        "a" * 5000,
        "a " * 2500,
        "*" * 3000,
        "[" * 2000,
        "龍",
        "👨‍👩‍👧",
        "~",
        "null",
        "true",
        "",
        " ",
    ),
    *("!!python/object:os.system x", "&a [*a]", "*a", "<<: *a", "? x", "---", "- ", "  ", "#", "{"),
    *("}", "[", "]", ":", "|", ">", "{table: nowhere}", "{value: a row=b}", "# a", "## a", "===="),
)


def _spans(text: str, wanted: str) -> list[tuple[int, int]]:
    """Return the places of numbers or of words in a text."""
    spans, start = [], -1
    for place, char in enumerate(f"{text} "):
        inside = char.isdigit() if wanted == "number" else char.isalpha() or char == "-"
        if inside and start < 0:
            start = place
        elif not inside and start >= 0:
            spans.append((start, place))
            start = -1
    return spans


def mutate(text: str, chance: random.Random) -> str:
    """Return a text with one to four things changed in it."""
    for _ in range(chance.randint(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        line = chance.randrange(len(lines))
        match chance.randrange(9):
            case 0:
                del lines[line]
            case 1:
                lines[line] *= chance.choice((2, 30, 1000))
            case 2:
                other = chance.randrange(len(lines))
                lines[line], lines[other] = lines[other], lines[line]
            case 3:
                lines[line] = " " * chance.randint(1, 60) + lines[line]
            case 4:
                lines[line] = lines[line][: chance.randint(0, len(lines[line]))]
            case 5 | 6 as way:
                spans = _spans(text, "number" if way == 5 else "word")
                if spans:
                    start, end = chance.choice(spans)
                    instead = chance.choice(NUMBERS if way == 5 else TEXTS)
                    text = text[:start] + instead + text[end:]
                continue
            case 7:
                place = chance.randint(0, len(lines[line]))
                lines[line] = lines[line][:place] + chance.choice(TEXTS) + lines[line][place:]
            case _:
                key, colon, _ = lines[line].partition(":")
                lines[line] = f'{key}{colon} "{chance.choice(TEXTS[:7])}"\n'
        text = "".join(lines)
    return text


_ADDRESSES = ("href", "xlink:href", "src", "srcdoc", "action", "formaction", "data", "poster")


class _ActiveScript(HTMLParser):
    """Collects what a browser would run of a payload."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_script = tag == "script"
        for key, value in attrs:
            text = (value or "").strip().lower()
            runs = key.startswith("on") or (key in _ADDRESSES and text.startswith("javascript:"))
            if runs and MARK in text:
                self.found.append(f"{tag} {key}={value}")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = self._in_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._in_script and MARK in data:
            self.found.append(data)


class Fuzzer:
    """A folder with a small system and copies of the shipped armies, in which files are mutated."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        lay_out(folder)
        self.content = sorted(
            path for path in (folder / "content" / SYSTEM).rglob("*") if path.is_file()
        )
        self.armies: list[Path] = [folder / "armies" / SYSTEM / "first.yaml"]
        for system in SHIPPED:
            for path in sorted((ROOT / "armies" / system).glob("*.yaml")):
                target = folder / "armies" / system / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
                self.armies.append(target)
        start_rendering([str(ROOT / "templates")])

    def faults(self, seed: int) -> list[str]:
        """Return what is wrong with Muster in one case; the seed says which case."""
        chance = random.Random(seed)  # noqa: S311 - mutations, not secrets
        path = chance.choice(self.content if chance.random() < 0.5 else self.armies)
        before = path.read_bytes()
        text = mutate(before.decode(), chance)
        data = text.encode("utf-8", "replace")
        if chance.random() < 0.05:
            place = chance.randrange(len(data) + 1)
            data = data[:place] + chance.randbytes(3) + data[place:]
        path.write_bytes(data)
        files = set(self.folder.rglob("*"))
        try:
            with chdir(self.folder):
                found = [f"{path.name}: {fault}" for fault in self._try(path)]
        finally:
            path.write_bytes(before)
        return found + [f"wrote {each}" for each in set(self.folder.rglob("*")) - files]

    def _try(self, path: Path) -> Iterator[str]:
        system = path.relative_to(self.folder).parts[1]
        if path in self.armies:
            commands = [["check", str(path)]]
        else:
            commands = [["lint", system], ["export", system], ["check", str(self.armies[0])]]
        for arguments in commands:
            with bounded(SECONDS, MEGABYTES):
                result = CliRunner().invoke(program, arguments)
            if result.exit_code not in (0, 1, 2):
                yield f"{arguments[0]} ends with {result.exit_code}: {result.output[-300:]}"
        try:
            yield from self._pages(path, system)
        except MusterError:
            return
        except Exception as error:  # noqa: BLE001 - any is a fault, and the next case goes on
            yield f"build: {type(error).__name__}: {error}"

    def _pages(self, path: Path, system: str) -> Iterator[str]:
        army = path.stem if path in self.armies else ""
        kinds = ("roster", "cards") if army else ("sheet", "rulebook", "roster", "cards")
        with bounded(SECONDS, MEGABYTES):
            plan = make_plan(Library(self.folder, ROOT), [system], kinds, ("html",))
            jobs = [job for job in plan.jobs if not army or job.army == army]
        for job in plan.with_data(jobs):
            if not is_relative_name(job.path):
                yield f"the file {job.path} is outside the output folder"
            with bounded(SECONDS, MEGABYTES):
                done = render_task(Task(job))
            if done.bug:
                yield f"{job.path}: {done.bug}"
            elif not done.error:
                yield from _ActiveScript(done.data.decode()).found
