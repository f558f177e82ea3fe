"""The sites that the tests look at, and the browser that looks at them.

Sites are rendered here without the processes of a build, and no PDF is made. Without Chromium,
tests with a browser are skipped; with MUSTER_BROWSER=required they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, NoReturn

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from muster.building.jobs import KINDS
from muster.rendering.dispatch import RenderOptions, render_document
from muster.rendering.environment import TemplateEnvironment
from muster.systems import Library
from tests.plans import make_plan

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE_MS = 30_000
"""How long a page may take: a machine that prints in the next process is slow for a moment."""
LACKING = "there is no Chromium on this machine; `.ci/machine browser` installs one"

Site = Callable[[str], Path]
Look = tuple[int, Literal["light", "dark"], bool]
"""The width of a screen, its scheme, and whether contrast is looked at too."""


def write_site(library: Library, system: str, out: Path) -> Path:
    """Render a system's site into a folder; return the folder of its pages."""
    write_pages(library, system, out, ("web",))
    return out / system / "web"


def write_pages(library: Library, system: str, out: Path, kinds: Sequence[str] = KINDS) -> None:
    """Render a system's pages for screens into a folder, or those of all systems."""
    plan = make_plan(library, [system] if system else [], kinds, ["html"])
    assert plan.problems == []
    templates = TemplateEnvironment(library.templates())
    for job in plan.jobs:
        way = RenderOptions(
            job.kind, job.format, job.variant, home="../../index.html", beside=job.beside
        )
        path = out / job.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render_document(templates, way, job.data, {}).data)


def write_builder(library: Library, out: Path) -> Path:
    """Render the list builder of all systems into a folder; return the folder of its page."""
    write_pages(library, "", out, ("builder",))
    return out / "builder"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return a function that renders a shipped system's site once and returns its folder."""
    out = tmp_path_factory.mktemp("sites")
    library = Library(ROOT)
    return cache(lambda system: write_site(library, system, out))


ASKED = ("target-size", "td-has-header", "focus-order-semantics")
"""Rules of axe-core that it does not apply unless it is asked to."""


def axe_violations(page: Page, *, contrast: bool = True) -> list[dict[str, Any]]:
    """Return what axe-core finds on a page; to list what passes as well would take seconds.

    A page keeps axe-core as long as it is open, at any width and in either scheme.
    """
    rules = {"color-contrast": {"enabled": contrast}, **{each: {"enabled": True} for each in ASKED}}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(
        "options => axe.run(document, options).then(told => told.violations)",
        {"resultTypes": ["violations"], "rules": rules},
    )
    return found


def violations(page: Page, *, contrast: bool = True) -> list[str]:
    """Return what axe-core finds, of any level, as text."""
    told = axe_violations(page, contrast=contrast)
    return [f"{each['id']}: {node['html'][:120]}" for each in told for node in each["nodes"]]


def chromium() -> str | None:
    """Return the path of a Chromium, or of a browser based on it."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def go_without() -> NoReturn:
    """Fail a test that needs a browser if one is required, else skip it."""
    if os.environ.get("MUSTER_BROWSER") == "required":
        pytest.fail(LACKING)
    pytest.skip(LACKING)


def start_browser() -> Iterator[Browser]:
    """Start a browser, for one file of tests."""
    found = chromium()
    if found is None:
        go_without()
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        expect.set_options(timeout=PATIENCE_MS)
        yield started
        started.close()


browser = pytest.fixture(scope="module")(start_browser)


@contextmanager
def quiet_context(
    browser: Browser, width: int, height: int, **more: Any
) -> Iterator[BrowserContext]:
    """Open a browser that has kept nothing yet, whose pages may say nothing on the console."""
    said: list[str] = []
    opened = browser.new_context(viewport={"width": width, "height": height}, **more)
    opened.on("console", lambda message: said.append(message.text))
    opened.on("weberror", lambda error: said.append(str(error.error)))
    yield opened
    opened.close()
    assert said == [], said
