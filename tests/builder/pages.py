"""Use the page of the list builder as a player does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.builder.conftest import ROOT

TYPICAL = ROOT / "armies" / "seven-years-war" / "typical.yaml"
ILLEGAL = ROOT / "armies" / "slaughterloo" / "illegal.yaml"

Open = Callable[..., Page]


def open_file(page: Page, path: Path) -> None:
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(".tree")


def verdict(page: Page) -> dict[str, Any]:
    """Return the verdict that the page has of its list."""
    found: dict[str, Any] = page.evaluate("Muster.asJson(Muster.app.verdict)")
    return found


def list_of(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("Muster.app.list")
    return found


def row(page: Page, path: str, role: str = "name") -> Any:
    return page.locator(f'[data-key="{path} {role}"]')


def begin(page: Page, system: str = "Seven Years War", book: str = "Prussia") -> None:
    """Begin a list with a limit of 100 points."""
    rules = page.get_by_label("Rules")
    title = next(each for each in rules.locator("option").all_inner_texts() if system in each)
    rules.select_option(label=title)
    page.get_by_label("Army book").select_option(label=book)
    page.get_by_label("Limit in points").fill("100")
    page.get_by_label("Name").fill("First army")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".tree")


def add(page: Page, path: str, unit: str) -> None:
    """Add a unit to the group at a path."""
    row(page, path, "add unit").click()
    page.get_by_role("button", name=f"Add {unit}", exact=True).click()
    page.get_by_role("button", name="Done").click()


def file_of(page: Page) -> list[str]:
    """Return the lines of the file that the page offers for its list."""
    page.get_by_role("link", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    return Path(download.value.path()).read_text(encoding="utf-8").splitlines()


def export(page: Page, folder: Path) -> Path:
    """Return the export of all lists, as a file in a folder."""
    page.get_by_role("link", name="All lists").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export all").click()
    file = folder / "muster-lists.json"
    download.value.save_as(file)
    return file


def export_and_bring_back(page: Page, folder: Path) -> None:
    """Export all lists, let the browser forget them, import them, and open the typical army."""
    file = export(page, folder)
    page.evaluate("localStorage.clear()")
    page.reload()
    page.set_input_files("input[type=file]", file)
    page.get_by_role("link", name="Advance guard in Silesia").click()
