"""Measure builds: full ones, on one and two processes, and with nothing or little changed.

Nothing is asserted, since times differ between machines (ratios less). Run it by hand, on a quiet
machine:
`.venv/bin/python tests/benchmarks/bench_build.py [--system ID] [--repeat 5] [--only rows]`
With `--system all --only workers`, one worker and two build all shipped systems without rulebooks.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.rendering import card_pages as card_rendering  # noqa: E402
from muster.rendering.dispatch import RenderOptions, render_document  # noqa: E402
from muster.rendering.environment import TemplateEnvironment  # noqa: E402
from muster.rendering.printed import Printed  # noqa: E402
from muster.rendering.printer import Printer  # noqa: E402
from muster.systems import Library  # noqa: E402
from tests.benchmarks.bench_check import seven_years_war  # noqa: E402
from tests.benchmarks.timing import in_turns, muster, row  # noqa: E402

KINDS = "sheet,cards,roster"
EVERY = ("full", "nothing", "comment", "cell", "army", "card")
ALL = "all"
HUNDRED = 100


class _RecordingPrinter(Printer):
    """A printer that keeps the HTML and styles of every PDF."""

    sources: list[tuple[str, list[str]]]

    def pdf(self, html: str, styles: object, name: str, *more: Any, **named: Any) -> Printed:
        """Print, and keep HTML and styles."""
        texts = list(styles)  # type: ignore[call-overload]  # a sequence of text
        self.sources.append((html, texts))
        return super().pdf(html, texts, name, *more, **named)


def printed_sources(
    folder: Path, system: str
) -> tuple[TemplateEnvironment, list[tuple[str, list[str]]]]:
    """Return the HTML and styles of every PDF that a build prints; decks in one piece."""
    from tests.plans import make_plan  # noqa: PLC0415 - heavy

    library = Library(folder)
    templates = TemplateEnvironment(library.templates())
    printer = _RecordingPrinter(templates.folders, templates.faces)
    printer.sources = []
    templates.__dict__["printer"] = printer
    cards_a_piece = card_rendering._CARDS_A_PIECE
    card_rendering._CARDS_A_PIECE = 100_000
    try:
        for job in make_plan(library, [system], KINDS.split(","), ("pdf",)).jobs:
            options = RenderOptions(job.kind, job.format, job.variant, job.paper)
            render_document(templates, options, job.data, {})
    finally:
        card_rendering._CARDS_A_PIECE = cards_a_piece
    return templates, printer.sources


def as_it_comes(templates: TemplateEnvironment, sources: list[tuple[str, list[str]]]) -> float:
    """Print with WeasyPrint as it comes: fonts and styles loaded anew, in a warm process."""
    from weasyprint import CSS, HTML  # noqa: PLC0415 - it is loaded by now
    from weasyprint.text.fonts import FontConfiguration  # noqa: PLC0415 - as above

    begin = perf_counter()
    for html, styles in sources:
        fonts = FontConfiguration()
        sheets = [CSS(string=text, font_config=fonts) for text in (templates.faces, *styles)]
        HTML(string=html).write_pdf(stylesheets=sheets, font_config=fonts, pdf_variant="pdf/ua-1")
    return perf_counter() - begin


def lay_out(folder: Path, system: str) -> None:
    """Copy a system and its armies, or all of them, into a folder of their own."""
    for name in ("content", "armies"):
        part = name if system == ALL else f"{name}/{system}"
        shutil.copytree(ROOT / part, folder / part)


class Changes:
    """A folder that was built, and numbered changes to it."""

    def __init__(self, folder: Path, system: str, *options: str) -> None:
        self.folder = folder
        self.build = ("build", system, "--only", KINDS, "--jobs", "2", *options)
        self.count = 0

    def timed(self, file: Path, change: Callable[[str, int], str]) -> float:
        """Change a file, and return the seconds of the build after it."""
        self.count += 1
        file.write_text(change(file.read_text(encoding="utf-8"), self.count), encoding="utf-8")
        return muster(self.folder, *self.build)


def full(folder: Path, system: str, repeats: int) -> None:
    """Measure full builds on one process and two, compared with WeasyPrint alone."""
    templates, sources = printed_sources(folder, system)
    build = ("build", system, "--only", KINDS, "--force")
    as_it_comes(templates, sources[:2])
    muster(folder, *build, "--jobs", "2")

    def first() -> float:
        shutil.rmtree(folder / "build")
        return muster(folder, *build, "--jobs", "1")

    alone, one, two, new = in_turns(
        repeats,
        (
            lambda: as_it_comes(templates, sources),
            lambda: muster(folder, *build, "--jobs", "1"),
            lambda: muster(folder, *build, "--jobs", "2"),
            first,
        ),
    )
    row(f"WeasyPrint as it comes, {len(sources)} PDFs, one warm process", alone)
    row("full build, one worker, type sizes known", one, one / alone, "<= 0.95 of WeasyPrint")
    row("full build, one worker, the very first", new, new / alone, "(sizes sought)")
    row("full build, two workers", two, two / one, "<= 0.55 of one worker")


def shared(folder: Path, system: str, repeats: int) -> None:
    """Measure full builds on two processes compared with one."""
    names = [] if system == ALL else [system]
    build = ("build", *names, "--only", KINDS, "--force")
    muster(folder, *build, "--jobs", "2")
    one, two = in_turns(
        repeats,
        (
            lambda: muster(folder, *build, "--jobs", "1"),
            lambda: muster(folder, *build, "--jobs", "2"),
        ),
    )
    row(f"full build of {system}, one worker", one)
    row(f"full build of {system}, two workers", two, two / one, "<= 0.55 of one worker")


def little(folder: Path, system: str, repeats: int, rows: list[str]) -> None:
    """Measure builds with nothing or little changed, compared with a full one."""
    changes = Changes(folder, system)
    whole = muster(folder, *changes.build, "--force")
    row("full build, two workers, as a measure", whole)
    content = folder / "content" / system
    army = min((folder / "armies" / system).glob("*.yaml"))
    table = max((content / "tables").glob("*.yaml"), key=lambda path: path.stat().st_size)
    if "nothing" in rows:
        (seconds,) = in_turns(repeats, (lambda: muster(folder, *changes.build),))
        row("nothing changed", seconds, seconds / whole, "<= 0.01 of a full build, < 0.3 s")
    if "comment" in rows:
        (seconds,) = in_turns(
            repeats, (lambda: changes.timed(table, lambda text, n: f"{text}\n# {n}\n"),)
        )
        row("a comment changed", seconds, seconds / whole, "no PDF")
    if "army" in rows:
        (seconds,) = in_turns(repeats, (lambda: _named(changes, army, "name", "Army"),))
        row(f"army {army.stem} renamed", seconds, seconds / whole, "only its own")
    if "cell" in rows:
        (seconds,) = in_turns(repeats, (lambda: _named(changes, table, "title", "Table"),))
        row(f"table {table.stem} retitled", seconds, seconds / whole, "their own time + 1 s")


def _named(changes: Changes, file: Path, key: str, what: str) -> float:
    """Rename an army or a table, and return the seconds of the build after it."""

    def rename(text: str, number: int) -> str:
        lines = text.splitlines()
        at = next(n for n, line in enumerate(lines) if line.startswith(f"{key}:"))
        lines[at] = f"{key}: {what} of turn {number}"
        return "\n".join(lines) + "\n"

    return changes.timed(file, rename)


def hundred_cards(folder: Path) -> Path:
    """Write a system with one army of a hundred different cards, and return the army's file."""
    content = folder / "content" / "hundred"
    shutil.copytree(ROOT / "content" / "seven-years-war", content)
    identity = content / "system.yaml"
    text = identity.read_text(encoding="utf-8")
    identity.write_text(text.replace("id: seven-years-war", "id: hundred", 1), encoding="utf-8")
    names = (f"Company {chr(65 + n // 26)}{chr(97 + n % 26)}" for n in range(26 * 26))
    lines = []
    for line in seven_years_war(HUNDRED, 0).splitlines():
        at = line.find("- {unit: ") + len("- {unit: ")
        end = line.find(",", at) if "," in line else line.find("}", at)
        named = "- {unit: " in line and "name:" not in line
        lines.append(f"{line[:end]}, name: {next(names)}{line[end:]}" if named else line)
    army = folder / "armies" / "hundred" / "hundred.yaml"
    army.parent.mkdir(parents=True)
    text = "\n".join(lines) + "\n"
    army.write_text(text.replace("seven-years-war", "hundred", 1), encoding="utf-8")
    return army


def card(repeats: int) -> None:
    """Measure one changed card of a hundred compared with all of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        army = hundred_cards(folder)
        changes = Changes(folder, "hundred", "--format", "pdf")
        changes.build = tuple("cards" if part == KINDS else part for part in changes.build)

        def anew() -> float:
            shutil.rmtree(folder / "build", ignore_errors=True)
            return muster(folder, *changes.build)

        def one(text: str, number: int) -> str:
            lines = text.splitlines()
            horse = [n for n, line in enumerate(lines) if "unit: hussars" in line]
            at = horse[len(horse) // 2]
            lines[at] = re.sub(r"name: [^,}]*", f"name: Turn {chr(96 + number)}", lines[at])
            return "\n".join(lines) + "\n"

        (whole,) = in_turns(repeats, (anew,))
        row("a hundred cards, three formats, two workers", whole)
        (seconds,) = in_turns(repeats, (lambda: changes.timed(army, one),))
        row("one card of them changed", seconds, seconds / whole, "<= 0.15 of the hundred")


def main() -> None:
    """Write a table of the rows chosen."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--system", default="slaughterloo")
    reader.add_argument("--repeat", type=int, default=5)
    reader.add_argument("--only", default=",".join(EVERY))
    chosen = reader.parse_args()
    rows = chosen.only.split(",")
    if chosen.system == ALL and rows != ["workers"]:
        reader.error("all systems are only measured with --only workers")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder, chosen.system)
        if "workers" in rows:
            shared(folder, chosen.system, chosen.repeat)
        if "full" in rows:
            full(folder, chosen.system, chosen.repeat)
        if {"nothing", "comment", "army", "cell"} & set(rows):
            little(folder, chosen.system, chosen.repeat, rows)
    if "card" in rows:
        card(chosen.repeat)


if __name__ == "__main__":
    main()
