"""Tests in a browser of rosters: nothing is cut at any width, and all loss boxes are there."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from muster.armies import check, load_army
from muster.documents.roster import gather_roster
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.roster_pages import roster_html
from muster.systems import Library
from tests.web.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

ARMIES = (
    "huzzah/large",
    "lshm-skirmish/illegal",
    "order-markers/large",
    "seven-years-war/large",
    "slaughterloo/typical",
)

FINGER = 20
"""The least width of a box that a finger ticks, in pixels; its gap makes it 24."""

MEASURE = """() => {
  const width = document.documentElement.clientWidth;
  const cut = [...document.querySelectorAll(".command tr > *, .tick, .fact")].filter((e) => {
    const box = e.getBoundingClientRect();
    const hidden = e.closest("thead") && box.right < 0;
    return !hidden && (box.left < -1 || box.right > width + 1 || e.scrollWidth > e.clientWidth + 2
      && e.clientWidth > 0 && !e.matches(".fact"));
  });
  // The boxes of a unit are in the column of boxes, and those of the second of equal units begin
  // below those of the first, or stand beside them.
  const astray = [...document.querySelectorAll(".losses")].filter((cell) => {
    const held = cell.getBoundingClientRect();
    const rows = [...cell.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    return [...cell.querySelectorAll(".tick")].some((tick) => {
      const box = tick.getBoundingClientRect();
      return box.left < held.left - 1 || box.right > held.right + 1;
    }) || rows.some((row) => Math.abs(row.left - rows[0].left) > 1
      && !rows.some((other) => other.right <= row.left + 1 && Math.abs(other.top - row.top) < 1));
  });
  const ticks = [...document.querySelectorAll(".tick")].map((e) => e.getBoundingClientRect().width);
  return [document.documentElement.scrollWidth <= width, cut.slice(0, 4).map((e) => e.outerHTML),
    astray.slice(0, 4).map((e) => e.outerHTML), ticks.length, Math.min(...ticks)];
}"""


@pytest.mark.parametrize("name", ARMIES)
@pytest.mark.parametrize("width", [320, 360, 768, 1280, 1920])
def test_no_cell_is_cut_and_every_box_for_losses_is_there(
    name: str, width: int, browser: Browser, tmp_path: Path
) -> None:
    army = load_army(ROOT / "armies" / f"{name}.yaml", Library(ROOT))
    roster = gather_roster(army.system, army, check(army))
    boxes = sum(
        entry.box_count * entry.count for section in roster.sections for entry in section.entries
    )
    file = tmp_path / "roster.html"
    templates = TemplateEnvironment([ROOT / "templates"])
    file.write_text(roster_html(templates, roster, "full", "index.html"), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900})

    page.goto(file.as_uri())
    fits, cut, astray, ticks, least = page.evaluate(MEASURE)
    page.close()

    assert (fits, cut, astray, ticks) == (True, [], [], boxes)
    assert least >= (FINGER if width <= 768 else 8)
