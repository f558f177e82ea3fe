"""Owns the index page of a build: what was built, with links, sizes and warnings.

Does not build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rendering.paper import PAPERS

if TYPE_CHECKING:
    from generator.documents.index import Index
    from generator.rendering.printer import Printed
    from generator.rendering.studio import Studio


def index_html(studio: Studio, index: Index) -> str:
    """Give the index as one self-contained page for screens."""
    names = ("base/screen.css", "index/index.css")
    return studio.render(
        "index/screen.html.j2",
        index=index,
        faces=studio.inlined_faces,
        style="\n".join(studio.style(name) for name in names),
        script=studio.style("base/screen.js"),
    )


def index_pdf(studio: Studio, index: Index, paper: str) -> Printed:
    """Print the index, e.g. to go with a box of prints.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    html = studio.render(
        "index/print.html.j2", index=index, page=(chosen.width_mm, chosen.height_mm)
    )
    styles = [studio.style(name) for name in ("base/print.css", "index/print.css")]
    return studio.printer.pdf(html, styles, "index")
