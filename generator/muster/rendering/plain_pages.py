"""Print the documents that need no fitting: the index of a build, and changes between editions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muster.languages import speaking
from muster.rendering.environment import SCREEN_SCRIPTS
from muster.rendering.paper import PAPERS

if TYPE_CHECKING:
    from muster.documents.changes import Changes
    from muster.documents.index_page import BuildIndex
    from muster.rendering.environment import TemplateEnvironment
    from muster.rendering.printed import Printed

CHANGES_MARGIN_MM = 16.0


def index_html(templates: TemplateEnvironment, index: BuildIndex) -> str:
    """Return the index as a self-contained HTML page."""
    styles = ("base/screen.css", "web/results.css", "index/index.css")
    scripts = (*SCREEN_SCRIPTS, "web/search.js")
    return templates.render_screen("index/screen.html.j2", styles, scripts, index=index)


def index_pdf(templates: TemplateEnvironment, index: BuildIndex, paper: str) -> Printed:
    """Print the index, e.g. to accompany a box of prints.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    html = templates.render(
        "index/print.html.j2", index=index, page=(chosen.width_mm, chosen.height_mm)
    )
    styles = templates.read_styles(("base/print.css", "index/print.css"))
    return templates.printer.pdf(html, styles, "index")


def changes_pdf(templates: TemplateEnvironment, changes: Changes, paper: str) -> Printed:
    """Print what changed between two editions.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    with speaking(changes.new.language):
        html = templates.render(
            "changes/print.html.j2",
            changes=changes,
            page=(chosen.width_mm, chosen.height_mm),
            margin_mm=CHANGES_MARGIN_MM,
        )
    styles = templates.read_styles(("base/print.css", "changes/changes.css", "changes/page.css"))
    return templates.printer.pdf(html, styles, f"{changes.new.title}: what changed")


def changes_html(templates: TemplateEnvironment, changes: Changes) -> str:
    """Return what changed between two editions as a self-contained HTML page."""
    styles = ("base/screen.css", "changes/changes.css", "changes/screen.css")
    with speaking(changes.new.language):
        return templates.render_screen("changes/screen.html.j2", styles, changes=changes)
