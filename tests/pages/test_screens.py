"""Tests in a browser that no page is wider than its screen; skipped without Chromium."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("pages"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]

PAGES = (
    "index.html",
    "slaughterloo/quick-reference.html",
    "seven-years-war/quick-reference.html",
    "slaughterloo/armies/typical/cards.html",
    "seven-years-war/armies/large/roster.html",
    "order-markers/armies/large/roster.html",
    "huzzah/web/army-typical.html",
    "slaughterloo/armies/illegal/roster-short.html",
)

# A frame has the width that it is told, however narrow the browser's own window can be.
FRAME = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe id="f" style="width:{width}px;height:900px;border:0"></iframe><script>
var f = document.getElementById("f");
f.onload = function () {{
  var d = f.contentDocument.documentElement, wide = [];
  if (d.scrollWidth > {width}) {{
    f.contentDocument.querySelectorAll("body *").forEach(function (e) {{
      if (e.getBoundingClientRect().right > {width} + 1) {{ wide.push(e.tagName + "." + e.className); }}
    }});
  }}
  f.contentDocument.querySelectorAll("th, td, p, li").forEach(function (e) {{
    var em = parseFloat(f.contentWindow.getComputedStyle(e).fontSize), r = e.getBoundingClientRect();
    if (r.width > 2 && r.width < 3 * em && r.height > 3 * em && e.innerText.length > 14) {{
      wide.push("squeezed " + e.tagName + "." + e.className);
    }}
  }});
  document.title = "measured " + d.scrollWidth + " " + wide.slice(0, 5).join(",");
}};
f.src = "{address}";
</script>"""  # noqa: E501 - a page, not prose


def widths(page: Path, width: int, folder: Path) -> tuple[int, str]:
    """Open a page in a frame of some width.

    Return its own width, and the elements that stick out or are squeezed.
    """
    frame = folder / f"frame-{width}.html"
    frame.write_text(FRAME.format(width=width, address=page.as_uri()), encoding="utf-8")
    command = [
        str(CHROMIUM),
        *("--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"),
        *("--virtual-time-budget=4000", f"--user-data-dir={folder / 'profile'}"),
        *("--window-size=1400,900", "--dump-dom", frame.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)  # noqa: S603 - a fixed command
    found = re.search(r"<title>measured (\d+) ([^<]*)</title>", done.stdout)
    assert found is not None, done.stderr
    return int(found[1]), found[2]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_screen(
    name: str, width: int, built: Path, tmp_path: Path
) -> None:
    found, what = widths(built / name, width, tmp_path)

    assert (found <= width, what) == (True, "")


def test_measuring_sees_what_is_too_wide(tmp_path: Path) -> None:
    page = tmp_path / "wide.html"
    page.write_text("<p style='width: 500px'>x</p>", encoding="utf-8")

    found, what = widths(page, 360, tmp_path)

    assert found > 360
    assert what == "P."


def test_measuring_sees_what_is_squeezed(tmp_path: Path) -> None:
    page = tmp_path / "narrow.html"
    words = "a name that goes on"
    page.write_text(f"<p style='width: 30px; word-break: break-all'>{words}</p>", encoding="utf-8")

    assert widths(page, 360, tmp_path)[1] == "squeezed P."
