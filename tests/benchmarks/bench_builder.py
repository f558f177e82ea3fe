"""Measure the list builder in Chromium, as slow as a phone: first verdict, edits, and scrolling.

Nothing is asserted, since times differ between machines; the size is tested in `tests/builder`. Run
it by hand: `.venv/bin/python tests/benchmarks/bench_builder.py`
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

import click
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.armies import Army, army_from_document, load_army  # noqa: E402
from muster.documents.share_link import list_link  # noqa: E402
from muster.systems import Library  # noqa: E402
from muster.yamlfile import Document  # noqa: E402
from tests.web.conftest import start_browser, write_builder  # noqa: E402

REPEATS = 8
SLOWER = 4
"""How many times slower the processor is made."""
NETWORK = {"offline": False, "latency": 60, "downloadThroughput": 9e6 / 8, "uploadThroughput": 1e6}
"""60 ms, 9 Mbit/s."""
UNITS = 100
SCREEN: Any = {"width": 412, "height": 900}

NOTE_VERDICT = """new MutationObserver((changes, observer) => {
  if (window.Muster?.app?.verdict && document.querySelector(".tree")) {
    observer.disconnect();
    requestAnimationFrame(() => { window.verdictAfter = performance.now(); });
  }
}).observe(document, { childList: true, subtree: true });"""
"""Notes after how many milliseconds the page shows a list with its verdict."""

EDIT = """async (button) => {
  const before = Muster.app.verdict, begun = performance.now();
  button.click();
  while (Muster.app.verdict === before) { await new Promise((next) => { setTimeout(next); }); }
  const judged = performance.now() - begun;
  document.body.getBoundingClientRect();
  return [judged, performance.now() - begun];
}"""
"""Returns the milliseconds from a click to the new verdict, and until the page is laid out."""

SCROLL = """async () => {
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step < 120; step += 1) {
    window.scrollBy(0, 40);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}"""
"""Returns the milliseconds of each frame while the page scrolls."""


class _Handler(SimpleHTTPRequestHandler):
    """Serves compressed files, as a web space does, and says nothing."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path.split("#")[0]))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        content = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(ConnectionError):  # A closed page waits for nothing.
            self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Print nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()


def large_army(library: Library) -> Army:
    """Return an army of 100 units, whether it is legal or not."""
    groups = [{"units": [{"unit": "hussars", "stands": "4"}] * 5} for _ in range(UNITS // 20)]
    general = {"training": "cavalry", "psychology": "brave"}
    commands = [{"general": general, "groups": groups} for _ in range(4)]
    data = {"system": "seven-years-war", "book": "prussia", "limit": "900", "commands": commands}
    return army_from_document(Document("large.yaml", "", data), library)


def first_verdict(browser: Browser, address: str) -> float:
    """Return the seconds until a phone without any of the files shows a list with its verdict."""
    context = browser.new_context(viewport=SCREEN, service_workers="block")
    page = context.new_page()
    page.add_init_script(NOTE_VERDICT)
    slow_down(page)
    page.goto(address)
    page.wait_for_function("window.verdictAfter")
    taken = float(page.evaluate("window.verdictAfter"))
    context.close()
    return taken / 1000


def slow_down(page: Page) -> None:
    """Make network and processor as slow as those of a phone."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def measure(browser: Browser, address: str, small: Army, large: Army) -> None:
    """Measure and print everything."""
    firsts = [first_verdict(browser, list_link(address, small)) for _ in range(REPEATS)]
    report("first verdict, cold", [1000 * each for each in firsts], 700)
    page = browser.new_context(viewport=SCREEN).new_page()
    page.goto(list_link(address, large))
    page.wait_for_selector(".tree")
    slow_down(page)
    button = page.locator(".stepper button").last
    edits = [button.evaluate(EDIT) for _ in range(REPEATS)]
    report(f"edit to verdict, {UNITS} units", [judged for judged, _ in edits], 16)
    report("    and the page laid out", [laid_out for _, laid_out in edits])
    frames = sorted(page.evaluate(SCROLL))
    report(f"frames of scrolling, {UNITS} units", frames, 1000 / 60)
    late = sum(frame > 1.5 * 1000 / 60 for frame in frames)
    click.echo(f"    {late} of {len(frames)} frames late")


def report(name: str, times: list[float], bar: float | None = None) -> None:
    """Print the best and the median of some milliseconds beside their bar, if there is one."""
    asked = "" if bar is None else f" {bar:8.1f} ms"
    click.echo(f"{name:34} {min(times):8.1f} ms {median(times):8.1f} ms{asked}")


def main() -> None:
    """Print the table."""
    library = Library(ROOT)
    small = load_army(ROOT / "armies" / "seven-years-war" / "typical.yaml", library)
    click.echo(f"{'processor / ' + str(SLOWER):34} {'best':>11} {'median':>11} {'bar':>11}")
    with tempfile.TemporaryDirectory() as folder:
        home = write_builder(library, Path(folder))
        with contextmanager(start_browser)() as browser, served(home) as address:
            measure(browser, address, small, large_army(library))


if __name__ == "__main__":
    main()
