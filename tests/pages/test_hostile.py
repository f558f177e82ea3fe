"""Tests of names that mean harm, or that no bundled font can print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muster.building.plan import Plan
from muster.rendering.fingerprint import templates_fingerprint
from muster.systems import Library
from tests.pages.conftest import ROOT
from tests.pages.printed import Pdf
from tests.pages.test_html import Reading, faults
from tests.plans import build_plan, make_plan

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]

OUR_SCRIPTS = {path.name for path in (ROOT / "templates").rglob("*.js")} | {"finds-armies.js"}
"""The names of scripts that pages of a site may fetch."""

OUR_DRAWINGS = {"arms", "arm", "of-system", "ornament", "strip"}
"""The classes of drawings that stand in pages."""

ARMY = r"""
system: slaughterloo
book: sample-human
name: "<script>alert(1)</script> \"King's\" & ]]> \\"
notes: "</style><img src=x onerror=alert(2)>"
limit: 500
commander: {name: "</style></title>{{ 7*7 }}", experience: average}
divisions:
  - name: "\u202E\u0639\u0631\u0628\u064A"
    general: {name: "\U0001F409 \u9F8D\u9A0E\u5175 \u0301\u0301", experience: raw}
    units:
      - {unit: fusiliers, name: "<b onclick='x'>*b* [a](javascript:1) ![i](http://x/y.png)</b>", figures: 8}
      - {unit: fusiliers, name: "'\"><svg onload=alert(3)>", figures: 12, count: 2}
"""  # noqa: E501 - an army list, not prose


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    """Build an army with hostile names; return the folder and the plan."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "armies" / "slaughterloo").mkdir(parents=True)
    (folder / "armies" / "slaughterloo" / "hostile.yaml").write_text(ARMY, encoding="utf-8")
    library = Library(folder)
    plan = make_plan(library, ["slaughterloo"])
    plan.jobs = [job for job in plan.jobs if job.army == "hostile" and job.variant != "4-up"]
    templates = library.templates()
    outcome = build_plan(plan, folder / "build", templates, templates_fingerprint(templates))

    assert [(done.path, done.error, done.bug) for done in outcome.failed] == []
    return folder / "build", plan


def test_hostile_names_are_shown_and_not_obeyed_on_screens(hostile: tuple[Path, Plan]) -> None:
    out, plan = hostile
    (out / "index.html").touch()
    screens = [job for job in plan.jobs if job.format == "html"]
    for job in screens:
        text = (out / job.path).read_text(encoding="utf-8")
        reading = Reading(text)
        site = job.kind == "web"  # Of the site only this army's page is built here.
        told = faults(reading, out / job.path)

        assert [each for each in told if not (site and each.startswith("leads nowhere"))] == []
        # A page alone holds one script and one style; a page of a site names files of the site.
        assert len([h for h in reading.all("script", "style") if "src" not in h]) == 2 * (not site)
        assert {h["src"] for h in reading.all("script") if "src" in h} <= OUR_SCRIPTS
        assert {held.get("class") for held in reading.all("svg")} <= OUR_DRAWINGS
        assert not [key for _, held in reading.tags for key in held if key.startswith("on")]
        assert '<script>alert(1)</script> "King\'s" & ]]> \\' in "".join(reading.words)
    assert {job.kind for job in screens} >= {"web", "roster", "cards"}


def test_hostile_names_are_printed_as_they_are(hostile: tuple[Path, Plan]) -> None:
    out, _ = hostile

    text = Pdf(out / "slaughterloo/armies/hostile/roster.pdf")

    said = re.sub(r"\s+", "", text.tags.text)
    assert '<script>alert(1)</script>"King\'s"&]]>\\' in said
    assert "</style></title>{{7*7}}" in said
    assert "<bonclick='x'>*b*[a](javascript:1)![i](http://x/y.png)</b>" in said
    foot = min((piece for piece in text.pages[0] if piece.left < 60), key=lambda p: p.baseline)
    assert foot.text.startswith('<script>alert(1)</script> "King\'s" &')


def test_scripts_without_a_bundled_font_do_not_stop_the_print(hostile: tuple[Path, Plan]) -> None:
    out, _ = hostile

    cards = Pdf(out / "slaughterloo/armies/hostile/cards-single.pdf")

    assert len(cards.sizes) == 5
