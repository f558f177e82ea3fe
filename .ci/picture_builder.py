"""Take the picture of the list builder for the README: picture_builder.py PAGE PICTURE."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ARMY = Path(__file__).parent.parent / "armies" / "slaughterloo" / "illegal.yaml"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def main(page_file: Path, picture: Path) -> None:
    """Open an army in the list builder, with a unit opened, and keep what is seen."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 760})
        page.goto(page_file.resolve().as_uri())
        page.set_input_files("input[type=file]", ARMY)
        page.get_by_role("button", name="Close").click()
        page.locator('[data-key="divisions[0].units[0] name"]').click()
        page.wait_for_selector(".verdict .fix")
        page.wait_for_timeout(1500)
        page.screenshot(path=picture)
        browser.close()
    Image.open(picture).quantize(64).save(picture, optimize=True)


main(Path(sys.argv[1]), Path(sys.argv[2]))
