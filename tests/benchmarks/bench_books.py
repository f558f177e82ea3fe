"""Measure rulebooks: each edition's PDF compared with WeasyPrint alone, and its memory.

Nothing is asserted, since times differ between machines (ratios less). Run it by hand, on a quiet
machine:
`.venv/bin/python tests/benchmarks/bench_books.py [--system ID] [--repeat 5]`
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.documents.rulebook import Rulebook, gather_rulebook, read_editions  # noqa: E402
from muster.rendering.environment import TemplateEnvironment  # noqa: E402
from muster.rendering.printed import Printed  # noqa: E402
from muster.rendering.printer import Printer  # noqa: E402
from muster.rendering.rulebook_pages import rulebook_pdf  # noqa: E402
from muster.rendering.type_size import SizeMemory  # noqa: E402
from muster.systems import Library  # noqa: E402
from tests.benchmarks.timing import clock, environment, in_turns, row  # noqa: E402

MIB = 1024
VARIANTS = {"ua-1": "pdf/ua-1", "a-3": "pdf/a-3a", "x-4": "pdf/x-4"}


class _RecordingPrinter(Printer):
    """A printer that keeps the HTML and styles of its latest PDF."""

    latest: tuple[str, list[str]]

    def pdf(self, html: str, styles: object, name: str, *more: Any, **named: Any) -> Printed:
        """Print, and keep HTML and styles."""
        self.latest = (html, list(styles))  # type: ignore[call-overload]  # a sequence of text
        return super().pdf(html, self.latest[1], name, *more, **named)


def alone(templates: TemplateEnvironment, book: Rulebook, source: tuple[str, list[str]]) -> float:
    """Print with WeasyPrint as it comes: fonts and styles loaded anew, in a warm process."""
    from weasyprint import CSS, HTML  # noqa: PLC0415 - it is loaded by now
    from weasyprint.text.fonts import FontConfiguration  # noqa: PLC0415 - as above

    html, styles = source
    begin = perf_counter()
    fonts = FontConfiguration()
    sheets = [CSS(string=text, font_config=fonts) for text in (templates.faces, *styles)]
    variant = VARIANTS[book.press.pdf]
    HTML(string=html).write_pdf(stylesheets=sheets, font_config=fonts, pdf_variant=variant)
    return perf_counter() - begin


def books(chosen: str) -> Iterator[Rulebook]:
    """Yield every edition of every system, or of one."""
    library = Library(ROOT)
    for system_id in [chosen] if chosen else library.systems():
        system = library.system(system_id)
        for edition in read_editions(system):
            yield gather_rulebook(system, edition)


def peak_memory(system: str, edition: str) -> float:
    """Return the peak memory, in MiB, of a process that prints one book and nothing else."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, __file__, "--system", system, "--alone", edition],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def print_alone(system: str, edition: str) -> None:
    """Print one book, and write the peak memory of this process, in MiB."""
    import resource  # noqa: PLC0415 - not on every system

    (book,) = (each for each in books(system) if each.edition == edition)
    rulebook_pdf(TemplateEnvironment(Library(ROOT).templates()), book, {})
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB
    sys.stdout.write(f"{peak:.1f}\n")


def main() -> None:
    """Write a row for each book."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--system", default="")
    reader.add_argument("--repeat", type=int, default=5)
    reader.add_argument("--alone", default="", help="print this edition and write the memory")
    chosen = reader.parse_args()
    if chosen.alone:
        print_alone(chosen.system, chosen.alone)
        return
    templates = TemplateEnvironment(Library(ROOT).templates())
    printer = _RecordingPrinter(templates.folders, templates.faces)
    templates.__dict__["printer"] = printer
    for book in books(chosen.system):
        memory: SizeMemory = {}
        first = clock(lambda: rulebook_pdf(templates, book, memory))  # noqa: B023 - called at once
        source = printer.latest
        pages = rulebook_pdf(templates, book, memory).pages
        ours, theirs = in_turns(
            chosen.repeat,
            (
                lambda: clock(lambda: rulebook_pdf(templates, book, memory)),  # noqa: B023 - as above
                lambda: alone(templates, book, source),  # noqa: B023 - as above
            ),
        )
        what = f"{book.title}: {book.edition}, {pages} pages"
        peak = peak_memory(book.system, book.edition)
        bar = f"<= 1.15; the first {first / theirs:5.3f}; {peak:4.0f} MiB of 700"
        row(what, ours, ours / theirs, bar)


if __name__ == "__main__":
    main()
