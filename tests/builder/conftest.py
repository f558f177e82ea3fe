"""A browser with the judge of the list builder, and what `muster check` says of the same lists."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from muster.armies import Army, Verdict, check
from muster.documents.list_builder import gather_builder_system
from muster.rendering.builder_files import JUDGE, words_file
from muster.rendering.environment import TemplateEnvironment
from muster.systems import Library, System
from tests.web.conftest import quiet_context, start_browser, write_builder

ROOT = Path(__file__).resolve().parents[2]
SIXTH = ROOT / "tests" / "sixth"

Json = dict[str, Any]

COMPARE = """([data, lists, limit]) => {
  const system = new Muster.System(JSON.parse(data));
  return JSON.stringify(JSON.parse(lists).map((written) => {
    try {
      const { list, problems } = Muster.readList(system, written);
      if (!list) { return problems.map(({ code, text }) => [code, text]); }
      const army = Muster.readArmy(system, list);
      const event = Muster.withEventLimit(army, limit === null ? null : Muster.exact(limit));
      const verdict = Muster.check(event.army);
      return Muster.asJson({ ...verdict, findings: [...event.warnings, ...verdict.findings] });
    } catch (error) { return { error: error.stack }; }
  }));
}"""


def judge_source() -> str:
    """Return the scripts of the judge as one."""
    folder = ROOT / "templates" / "builder"
    return "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in JUDGE)


browser = pytest.fixture(scope="module")(start_browser)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a list builder of all shipped systems."""
    return write_builder(library(), tmp_path_factory.mktemp("builder"))


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Return a browser without lists, whose pages may say nothing on the console."""
    with quiet_context(browser, 412, 900, accept_downloads=True) as opened:
        yield opened


@pytest.fixture
def start(context: BrowserContext, home: Path) -> Callable[..., Page]:
    """Return a function that opens the page from its folder, with a fragment."""

    def open_page(fragment: str = "") -> Page:
        page = context.new_page()
        page.goto((home / "index.html").as_uri() + fragment)
        return page

    return open_page


@pytest.fixture(scope="module")
def judge(browser: Browser) -> Page:
    """Return a page that holds nothing but the judge."""
    page = browser.new_page()
    page.add_script_tag(content=judge_source())
    return page


@cache
def library(root: Path = ROOT) -> Library:
    """Return the library of what is shipped, or of another folder."""
    return Library(root)


@cache
def system_data(system_id: str, root: Path = ROOT, language: str = "") -> str:
    """Return the compiled data of a system, or of its translation."""
    source = library(root)
    system = source.system(system_id).in_language(language)
    return gather_builder_system(system, source.book_folders(system_id)).data


@dataclass(frozen=True)
class Translated:
    """Finds the shipped systems in a translation, for army lists to be read in."""

    language: str

    def system(self, system_id: str) -> System:
        """Return a system in the language."""
        return library().system(system_id).in_language(self.language)

    def book_folders(self, system_id: str) -> list[Path]:
        """Return the folders that may hold books of a system."""
        return library().book_folders(system_id)


def speak(page: Page, language: str) -> None:
    """Make a page with the judge say all in a language that has words."""
    templates = TemplateEnvironment(library().templates())
    page.add_script_tag(content=words_file(templates, language))
    page.evaluate("language => Muster.speak(language, window.musterWords[language])", language)


TRANSLATIONS = [
    (system_id, language)
    for system_id in sorted(library().systems())
    for language in library().system(system_id).translation_languages()
]
"""The translations of shipped systems: their ids and languages."""


@lru_cache(maxsize=8192)
def expected(army: Army) -> Json:
    """Return the verdict of `muster check` as JSON, without places in a file."""
    return as_told(check(army))


def as_told(verdict: Verdict) -> Json:
    """Return a verdict as JSON, without places in a file."""
    told = verdict.as_json()
    del told["file"]
    for finding in told["findings"]:
        for key in ("file", "line", "column"):
            del finding[key]
    return told


def verdicts(page: Page, data: str, lists: Sequence[Json], limit: str | None = None) -> list[Any]:
    """Return the verdict on each list of one system; of one that is refused, its problems."""
    found: list[Any] = json.loads(page.evaluate(COMPARE, [data, json.dumps(lists), limit]))
    return found


def disagreements(page: Page, data: str, armies: Sequence[Army]) -> list[tuple[Json, Json, Json]]:
    """Return each list of one system on which the judge differs: the list and both verdicts."""
    lists = [army.document.data for army in armies]
    found = verdicts(page, data, lists)
    told = [expected(army) for army in armies]
    return [each for each in zip(lists, told, found, strict=True) if each[1] != each[2]]
