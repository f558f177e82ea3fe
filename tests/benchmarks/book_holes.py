"""Print one edition of a rulebook, and list how much of each page is blank at its foot.

Run it by hand; the PDF is written to the folder that is named last:
`.venv/bin/python tests/benchmarks/book_holes.py slaughterloo pocket /tmp`
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from weasyprint.document import Document  # noqa: E402

from muster.documents.rulebook import gather_rulebook  # noqa: E402
from muster.languages import speaking  # noqa: E402
from muster.rendering.environment import TemplateEnvironment  # noqa: E402
from muster.rendering.printer import Printer  # noqa: E402
from muster.rendering.rulebook_pages import rulebook_pdf  # noqa: E402
from muster.rendering.table_moves import LARGEST_HOLE  # noqa: E402
from muster.systems import Library  # noqa: E402
from tests.pages.printed import Pdf  # noqa: E402

layouts: list[str] = []


class _CountingPrinter(Printer):
    """A printer that counts its layouts."""

    def _lay_out(self, html: str, styles: object) -> Document:
        layouts.append(html)
        return super()._lay_out(html, styles)  # type: ignore[arg-type]  # as it was called


def main() -> None:
    """Write a row for each page, and how long the book took."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("system")
    reader.add_argument("edition")
    reader.add_argument("folder", type=Path)
    chosen = reader.parse_args()
    library = Library(ROOT)
    system = library.system(chosen.system)
    book = gather_rulebook(system, system.edition(chosen.edition))
    with speaking(book.language):
        templates = TemplateEnvironment(library.templates())
        templates.__dict__["printer"] = _CountingPrinter(templates.folders, templates.faces)
        begin = process_time()
        printed = rulebook_pdf(templates, book, {})
        seconds = process_time() - begin
    path = chosen.folder / f"{chosen.system}-{chosen.edition}.pdf"
    path.write_bytes(printed.data)
    for number, share in enumerate(Pdf(path).blank_shares(), 1):
        sys.stdout.write(f"{number:4} {share:5.0%}{' !' * (share > LARGEST_HOLE)}\n")
    sys.stdout.write(f"{path}: {len(layouts)} layouts, {seconds:.1f} s of processor time\n")


if __name__ == "__main__":
    main()
