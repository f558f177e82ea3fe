"""Owns the way from what changed between two editions to a sheet to print or to read.

Does not compare, and does not put changes into words; `documents.changes` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rendering.paper import PAPERS
from generator.rendering.printer import Printed

if TYPE_CHECKING:
    from generator.documents.changes import Changes
    from generator.rendering.studio import Studio

MARGIN_MM = 16.0


def changes_pdf(studio: Studio, changes: Changes, paper: str) -> Printed:
    """Print what changed.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    html = studio.render(
        "changes/print.html.j2",
        changes=changes,
        page=(chosen.width_mm, chosen.height_mm),
        margin_mm=MARGIN_MM,
    )
    styles = [
        studio.style(name) for name in ("base/print.css", "changes/changes.css", "changes/page.css")
    ]
    return studio.printer.pdf(html, styles, f"{changes.new.title}: what changed")


def changes_html(studio: Studio, changes: Changes) -> str:
    """Give what changed as one self-contained page for screens."""
    names = ("base/screen.css", "changes/changes.css", "changes/screen.css")
    return studio.render(
        "changes/screen.html.j2",
        changes=changes,
        faces=studio.inlined_faces,
        style="\n".join(studio.style(name) for name in names),
        script=studio.style("base/screen.js"),
    )
