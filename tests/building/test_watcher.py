"""Tests of watching: real files are saved, and a real page listens over HTTP."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

import pytest
from watchfiles import Change

from muster.building.jobs import Request
from muster.building.live_server import HOST, LivePages, LiveServer
from muster.building.runner import Outcome
from muster.building.watcher import Watcher, WatchWorkers, relevant_changes
from muster.building.workers import CancelledBuildError, JobResult
from muster.problems import Problem
from tests.scaffold import lay_out, spoil

PATIENCE_S = 60.0
PAGE = "club/quick-reference.html"
TEMPLATES = Path(__file__).parent.parent.parent / "templates"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("watch")]


@dataclass
class Recorder:
    """Keeps what it is told."""

    files: list[list[str]] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    ends: int = 0
    idle: Event = field(default_factory=Event)

    def files_saved(self, paths: Sequence[Path]) -> None:
        self.idle.clear()
        if paths:
            self.files.append([path.name for path in paths])

    def document_built(self, done: JobResult, seconds: float) -> None:
        assert seconds >= 0
        self.documents.append(done.path)

    def problems_found(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)

    def build_ended(self, outcome: Outcome, seconds: float) -> None:
        assert seconds > 0
        # A file that was read while it was being written holds nothing, and so says the build.
        assert outcome.results or self.problems
        self.ends += 1
        self.idle.set()

    def build_failed(self, error: Exception) -> None:
        self.errors.append(error)
        self.idle.set()

    def settle(self, seconds: float = PATIENCE_S) -> None:
        """Wait until nothing has been built for a while."""
        quiet = 0
        end = time.monotonic() + seconds
        while quiet < 5:
            assert time.monotonic() < end, self
            quiet = quiet + 1 if self.idle.wait(0.1) else 0
            time.sleep(0.1)


class Page:
    """An open page, which gets its file, then listens."""

    def __init__(self, server: LiveServer, path: str) -> None:
        self._server = server
        self.path = path
        self._connection: HTTPConnection | None = None
        self._events: SimpleQueue[tuple[str, Any]] = SimpleQueue()

    def text(self) -> str:
        connection = HTTPConnection(HOST, self._server.port, timeout=PATIENCE_S)
        connection.request("GET", f"/{self.path}")
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def listen(self) -> None:
        """Listen to the events from now on."""
        live = self._server.live
        self._connection = HTTPConnection(HOST, self._server.port, timeout=PATIENCE_S)
        self._connection.request(
            "GET", f"/.muster/events?page={self.path}&run={live.run}&since={live.serial}"
        )
        answer = self._connection.getresponse()

        def read_events() -> None:
            name = ""
            with answer:
                for line in answer:
                    kind, _, value = line.decode().rstrip("\n").partition(": ")
                    if kind == "event":
                        name = value
                    elif kind == "data":
                        self._events.put((name, json.loads(value)))

        self._reader = Thread(target=read_events)
        self._reader.start()

    def close(self) -> None:
        """Wait until the server has closed, which closes the connection."""
        self._reader.join(PATIENCE_S)
        if self._connection is not None:
            self._connection.close()

    def await_event(self, name: str, accept: Callable[[Any], object] = lambda _: True) -> Any:
        """Wait for an event, with data that passes a test."""
        end = time.monotonic() + PATIENCE_S
        while (left := end - time.monotonic()) > 0:
            try:
                found, data = self._events.get(timeout=left)
            except Empty:
                break
            if found == name and accept(data):
                return data
        pytest.fail(f"no {name} within {PATIENCE_S} s")

    def await_text(self, text: str, *, there: bool = True) -> None:
        """Reload whenever told to, until the page contains a text, or no longer does."""
        while (text in self.text()) != there:
            self.await_event("reload")


@dataclass
class Watched:
    """A folder that is watched, and who listens."""

    folder: Path
    live: LivePages
    listener: Recorder
    server: LiveServer
    pages: list[Page] = field(default_factory=list)

    def page(self, path: str = PAGE) -> Page:
        page = Page(self.server, path)
        page.listen()
        self.pages.append(page)
        return page


def watching(folder: Path, **choices: Any) -> Iterator[Watched]:
    """Watch a folder and a copy of what is shipped, where no other test saves anything."""
    shipped = folder / "shipped"
    shutil.copytree(TEMPLATES, shipped / "templates")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("muster.systems.library.shipped_root", lambda: shipped)
        yield from _watching(folder, **choices)


def _watching(folder: Path, **choices: Any) -> Iterator[Watched]:
    request = Request(folder, **{"systems": ("club",), "kinds": ("sheet",), **choices})
    live, listener = LivePages(), Recorder()
    server = LiveServer(folder / "build", live, 0)
    server.start()
    watch = Watcher(request, folder / "build", live, listener, 1)
    thread = Thread(target=watch.run, daemon=True)
    thread.start()
    found = Watched(folder, live, listener, server)
    try:
        # When the watch has begun, there is a second build for what was saved just before.
        time.sleep(1.2)
        listener.settle(10 * PATIENCE_S)
        yield found
    finally:
        watch.stop()
        thread.join(PATIENCE_S)
        server.close()
        for page in found.pages:
            page.close()
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("watched")
    lay_out(folder)
    yield from watching(folder)


@pytest.fixture
def watched(folder: Watched) -> Watched:
    """Return the folder as it was laid out, with everything built."""
    lay_out(folder.folder)
    time.sleep(0.2)
    folder.listener.settle()
    return folder


def table(watched: Watched) -> Path:
    return watched.folder / "content" / "club" / "tables" / "hits.yaml"


def army(watched: Watched) -> Path:
    return watched.folder / "armies" / "club" / "first.yaml"


def test_saved_cell_reloads_the_page_that_shows_it(watched: Watched) -> None:
    page = watched.page()
    begin = time.monotonic()

    spoil(table(watched), "[0, 0, 1]", "[0, 0, 77]")
    page.await_event("reload")

    assert ">77<" in page.text()
    assert time.monotonic() - begin < 5


def test_page_that_does_not_show_it_is_left_alone(watched: Watched) -> None:
    own = watched.page("club/armies/first/quick-reference.html")
    watched.listener.documents.clear()

    army(watched).write_text(army(watched).read_text().replace("First army", "The Second"))
    own.await_text("The Second")
    watched.listener.settle()

    assert PAGE not in watched.listener.documents


def test_fault_is_shown_at_its_place_over_the_last_good_page_and_goes_when_mended(
    watched: Watched,
) -> None:
    page = watched.page()
    before = page.text()

    spoil(table(watched), "[0, 0, 1]", "[0, 0, many]")
    faults = page.await_event("faults", bool)

    (line,) = (
        n for n, text in enumerate(table(watched).read_text().splitlines(), 1) if "many" in text
    )
    assert faults[0]["place"].endswith(f"hits.yaml:{line}:35")
    assert "read 'many', expected a number" in faults[0]["text"]
    assert "cells: [0, 0, many]" in faults[0]["excerpt"]
    assert page.text().partition("<script src")[0] == before.partition("<script src")[0]
    late = watched.page("index.html")
    assert late.await_event("faults", bool) == faults

    spoil(table(watched), "[0, 0, many]", "[0, 0, 1]")
    page.await_event("faults", lambda found: found == [])


def test_file_saved_by_renaming_is_noticed(watched: Watched) -> None:
    page = watched.page()
    beside = table(watched).with_name("hits.yaml.tmp")

    beside.write_text(table(watched).read_text().replace("[0, 0, 1]", "[0, 0, 55]"))
    beside.replace(table(watched))

    page.await_text(">55<")


def test_template_of_ones_own_is_noticed_and_so_is_its_end(watched: Watched) -> None:
    page = watched.page()
    own = watched.folder / "templates" / "base" / "screen.css"
    shipped = TEMPLATES / "base" / "screen.css"
    own.parent.mkdir(parents=True)

    own.write_text(shipped.read_text(encoding="utf-8") + "\n.mine { color: red }\n", "utf-8")
    page.await_text(".mine")
    own.unlink()

    page.await_text(".mine", there=False)


def test_save_while_printing_is_not_kept_waiting(watched: Watched) -> None:
    page = watched.page()
    before = watched.listener.ends

    for number in (31, 32, 33):
        spoil(table(watched), "[0, 0, 1]", f"[0, 0, {number}]")
        page.await_text(f">{number}<")
        spoil(table(watched), f"[0, 0, {number}]", "[0, 0, 1]")
        page.await_text(f">{number}<", there=False)
    watched.listener.settle()

    assert watched.listener.ends > before
    assert watched.listener.errors == []


def test_nobody_is_told_of_what_an_editor_keeps_for_itself(watched: Watched) -> None:
    before = len(watched.listener.files)

    for name in (".hits.yaml.swp", "hits.yaml~", ".#hits.yaml"):
        table(watched).with_name(name).write_text("x")
    time.sleep(1)

    assert len(watched.listener.files) == before


def test_index_is_renewed_too(watched: Watched) -> None:
    page = watched.page("index.html")
    second = army(watched).with_name("second.yaml")

    second.write_text(army(watched).read_text().replace("First army", "The others"))
    page.await_text("The others")
    second.unlink()

    page.await_text("The others", there=False)
    assert not (watched.folder / "build" / "club" / "armies" / "second").exists()


def test_build_that_cannot_be_done_is_told_and_the_watch_goes_on(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    page = watched.page()
    with monkeypatch.context() as patch:
        patch.setattr("muster.building.watcher.run_build", refuse)
        spoil(table(watched), "[0, 0, 1]", "[0, 0, 44]")
        (fault,) = page.await_event("faults", bool)

    assert fault["text"] == "OSError: [Errno 28] No space left on device"
    assert len(watched.listener.errors) == 1
    watched.listener.errors.clear()
    spoil(table(watched), "[0, 0, 44]", "[0, 0, 45]")
    page.await_event("faults", lambda told: told == [])
    page.await_text(">45<")


@pytest.mark.parametrize(
    ("systems", "path", "wanted"),
    [
        ((), "content/other/tables/a.yaml", True),
        (("club",), "content/other/tables/a.yaml", False),
        (("club",), "armies/other/a.yaml", False),
        (("club",), "content/club/tables/a.yaml", True),
        (("club",), "armies/club/a.yaml", True),
        (("club",), "templates/other/a.css", True),
        (("club",), "content", True),
        ((), "content/club/.a.yaml.swp", False),
        ((), "content/club/a.yaml~", False),
        ((), "build/club/quick-reference.html", False),
    ],
)
def test_only_what_may_matter_is_noticed(
    systems: tuple[str, ...], path: str, wanted: object, tmp_path: Path
) -> None:
    roots = [tmp_path / name for name in ("content", "armies", "templates")]
    is_relevant = relevant_changes(Request(tmp_path, systems), tmp_path / "build", roots)

    assert is_relevant(Change.modified, str(tmp_path / path)) == wanted


def test_cancelled_prints_are_not_begun() -> None:
    workers = WatchWorkers(1, [], frozenset)
    workers.cancel()

    with pytest.raises(CancelledBuildError):
        workers._raise_if_cancelled()
    workers.resume()
    workers._raise_if_cancelled()
