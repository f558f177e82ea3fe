"""Print the documents that need no fitting: the index of a build, and changes between editions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muster.rendering.paper import PAPERS
from muster.rendering.printer import Printed

if TYPE_CHECKING:
    from muster.documents.index_page import BuildIndex
    from muster.rendering.environment import TemplateEnvironment
    from muster.rendering.printer import Printed


def index_html(studio: TemplateEnvironment, index: BuildIndex) -> str:
    """Give the index as one self-contained page for screens."""
    names = ("base/screen.css", "index/index.css")
    return studio.render(
        "index/screen.html.j2",
        index=index,
        faces=studio.inlined_faces,
        style="\n".join(studio.read_style(name) for name in names),
        script=studio.read_style("base/screen.js"),
    )


def index_pdf(studio: TemplateEnvironment, index: BuildIndex, paper: str) -> Printed:
    """Print the index, e.g. to go with a box of prints.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    html = studio.render(
        "index/print.html.j2", index=index, page=(chosen.width_mm, chosen.height_mm)
    )
    styles = [studio.read_style(name) for name in ("base/print.css", "index/print.css")]
    return studio.printer.pdf(html, styles, "index")


if TYPE_CHECKING:
    from muster.documents.changes import Changes
    from muster.rendering.environment import TemplateEnvironment

CHANGES_MARGIN_MM = 16.0


def changes_pdf(studio: TemplateEnvironment, changes: Changes, paper: str) -> Printed:
    """Print what changed.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    html = studio.render(
        "changes/print.html.j2",
        changes=changes,
        page=(chosen.width_mm, chosen.height_mm),
        margin_mm=CHANGES_MARGIN_MM,
    )
    styles = [
        studio.read_style(name)
        for name in ("base/print.css", "changes/changes.css", "changes/page.css")
    ]
    return studio.printer.pdf(html, styles, f"{changes.new.title}: what changed")


def changes_html(studio: TemplateEnvironment, changes: Changes) -> str:
    """Give what changed as one self-contained page for screens."""
    names = ("base/screen.css", "changes/changes.css", "changes/screen.css")
    return studio.render(
        "changes/screen.html.j2",
        changes=changes,
        faces=studio.inlined_faces,
        style="\n".join(studio.read_style(name) for name in names),
        script=studio.read_style("base/screen.js"),
    )
