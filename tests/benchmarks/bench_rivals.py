"""Compare Muster's renderer with other programs on the same pages, cold and warm.

Headless Chromium and WeasyPrint's own command print the same HTML, one process per document;
Typst prints the same tables with a template of ours. A program that is not installed is left out.
Nothing is asserted. Run it by hand, on a quiet machine:
`.venv/bin/python tests/benchmarks/bench_rivals.py [--documents 6] [--repeat 5]`
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.benchmarks.bench_build import lay_out, printed_sources  # noqa: E402
from tests.benchmarks.timing import environment, in_turns, muster, row  # noqa: E402

SYSTEM = "slaughterloo"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

TYPST = """
#set page(paper: "a4", flipped: true, margin: 8mm, columns: 4)
#set text(size: 6.5pt)
#let data = json("export.json")
#for t in data.tables [
  #block(breakable: false)[
    *#t.title*
    #table(
      columns: t.columns.len() + 1,
      inset: 1.5pt,
      stroke: 0.2pt,
      [], ..t.columns.map(c => [#c.label]),
      ..t.rows.map(r => ([#r.label], ..r.cells.map(c => [#c.text]))).flatten(),
    )
  ]
]
"""
"""A Typst document of every table that `muster export` writes, in four columns."""


def pages_of(folder: Path, count: int) -> list[Path]:
    """Write the HTML of some sheets, rosters and cards, with their styles, and return the files."""
    templates, sources = printed_sources(folder, SYSTEM)
    step = max(1, len(sources) // count)
    pages = []
    for number, (html, styles) in enumerate(sources[::step][:count]):
        style = "\n".join((templates.faces, *styles))
        page = folder / f"page-{number}.html"
        styled = html.replace("</head>", f"<style>{style}</style></head>", 1)
        page.write_text(styled, encoding="utf-8")
        pages.append(page)
    return pages


def one_by_one(command: Callable[[Path, Path], Sequence[str]], pages: list[Path]) -> float:
    """Print each page in a process of its own, and return the seconds of all."""
    begin = perf_counter()
    for page in pages:
        subprocess.run(  # noqa: S603 - a program that was found by its name
            command(page, page.with_suffix(".pdf")), check=True, capture_output=True,
            env=environment(),
        )  # fmt: skip
    return perf_counter() - begin


def chromium() -> Callable[[Path, Path], Sequence[str]] | None:
    """Return what makes the command that prints a page with Chromium, or None."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        return None
    return lambda page, out: (
        found, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
        "--generate-pdf-document-outline", f"--print-to-pdf={out}", page.as_uri(),
    )  # fmt: skip


def chromium_warm(pages: list[Path]) -> float | None:
    """Print all pages in one Chromium, and return the seconds; None without Playwright."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may not be installed
    except ImportError:
        return None
    if found is None:
        return None
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        tab = browser.new_page()
        tab.goto("about:blank")
        begin = perf_counter()
        for page in pages:
            tab.goto(page.as_uri())
            tab.pdf(path=page.with_suffix(".pdf"), prefer_css_page_size=True, tagged=True)
        seconds = perf_counter() - begin
        browser.close()
    return seconds


def typst(folder: Path) -> tuple[float, float] | None:
    """Print a system's tables with Typst; return the seconds of a new process and a warm one."""
    export = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "muster", "export", SYSTEM],
        cwd=folder, env=environment(), capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    json.loads(export)
    (folder / "export.json").write_text(export, encoding="utf-8")
    (folder / "sheet.typ").write_text(TYPST, encoding="utf-8")
    program = (
        "import sys, time, typst\n"
        "for turn in range(2):\n"
        "    begin = time.perf_counter()\n"
        "    typst.compile('sheet.typ', output='typst.pdf')\n"
        "    print(time.perf_counter() - begin)\n"
    )
    begin = perf_counter()
    done = subprocess.run(  # noqa: S603 - Python
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    whole = perf_counter() - begin
    if done.returncode:
        return None
    first, second = map(float, done.stdout.split())
    del first
    return whole - second, second


def main() -> None:
    """Write a table: what prints, the seconds of all pages, and the ratio to Muster."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--documents", type=int, default=6)
    reader.add_argument("--repeat", type=int, default=5)
    chosen = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder, SYSTEM)
        pages = pages_of(folder, chosen.documents)
        sheet = ("build", SYSTEM, "--only", "sheet", "--format", "pdf", "--jobs", "1", "--force")
        weasyprint = (sys.executable, "-m", "weasyprint", "-q", "--pdf-variant", "pdf/ua-1")
        works = {
            "weasyprint, a process a document": lambda: one_by_one(
                lambda page, out: (*weasyprint, str(page), str(out)), pages
            ),
            "muster's own renderer, the same HTML, one warm process": lambda: _warm(pages),
        }
        browser = chromium()
        if browser is not None:
            works["chromium, a process a document"] = lambda: one_by_one(browser, pages)
            if chromium_warm(pages[:1]) is not None:
                works["chromium, one that is warm"] = lambda: chromium_warm(pages) or 0.0
        medians = dict(zip(works, in_turns(chosen.repeat, list(works.values())), strict=True))
        own = medians["muster's own renderer, the same HTML, one warm process"]
        sys.stdout.write(f"{len(pages)} documents of {SYSTEM}; ratio to Muster's renderer\n")
        for what, seconds in medians.items():
            row(what, seconds, seconds / own)
        muster(folder, *sheet)
        row("muster build of the sheets alone, whole command", muster(folder, *sheet))
        found = typst(folder)
        if found is None:
            sys.stdout.write("typst is not installed\n")
        else:
            row("typst, all tables of the system, a process", found[0])
            row("typst, the same, warm", found[1])


def _warm(pages: list[Path]) -> float:
    """Print the pages in one of our workers, and return the seconds after it has warmed up."""
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from muster.building import workers\n"
        "workers.start_rendering([sys.argv[1]])\n"
        "templates = workers._templates\n"
        "pages = [Path(each).read_text(encoding='utf-8') for each in sys.argv[2:]]\n"
        "templates.printer.pdf(pages[0], [], 'warming')\n"
        "begin = time.perf_counter()\n"
        "for page in pages:\n"
        "    templates.printer.pdf(page.replace(templates.faces, ''), [], 'page')\n"
        "print(time.perf_counter() - begin)\n"
    )
    command = [sys.executable, "-c", program, str(ROOT / "templates"), *map(str, pages)]
    done = subprocess.run(  # noqa: S603 - our own program
        command, env=environment(), capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


if __name__ == "__main__":
    main()
