"""The local server of `muster watch`: the output folder, and events for its open pages."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, unquote

from muster.problems import Problem

MAX_OPEN_PAGES = 64
"""Pages that may listen at once: a few windows, never a flood."""
_MAX_QUEUED = 200


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """What an open page shows of a fault: its place, what is wrong, and the lines below that."""

    place: str
    text: str
    excerpt: str = ""

    @classmethod
    def of(cls, problem: Problem) -> ShownProblem:
        """Show a problem as a terminal does, control characters made harmless."""
        first, *rest = problem.render().splitlines()
        place = str(problem.location)
        text = first.removeprefix(f"{place}: ") if first.startswith(place) else first
        excerpt = "\n".join(line.removeprefix("    ") for line in rest)
        return cls(place, text, excerpt)


@dataclass(slots=True, eq=False)
class OpenPage:
    """One open page and what it has yet to be told; a page too slow to listen is let go."""

    page: str
    waiting: Queue[bytes] = field(default_factory=lambda: Queue(_MAX_QUEUED))
    gone: bool = False

    def next(self, seconds: float) -> bytes | None:
        """Wait for something to tell; None if nothing came up in time."""
        try:
            return self.waiting.get(timeout=seconds)
        except Empty:
            return None


class TooManyPagesError(Exception):
    """Say that too many pages listen already."""


class LivePages:
    """The state that all open pages share. Every method may be called from any thread."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(8)
        """Tells this run from an earlier one whose pages may still be open."""
        self._lock = Lock()
        self._serial = 0
        self._changed: dict[str, int] = {}
        self._faults: tuple[ShownProblem, ...] = ()
        self._progress = (0, 0)
        self._listeners: list[OpenPage] = []

    @property
    def serial(self) -> int:
        """The number of the latest change, for a page to remember what it has seen."""
        with self._lock:
            return self._serial

    def open_pages(self) -> frozenset[str]:
        """Give the pages that listen now."""
        with self._lock:
            return frozenset(each.page for each in self._listeners)

    def changed(self, path: str) -> None:
        """Tell those who look at a file that there is a new one."""
        with self._lock:
            self._serial += 1
            self._changed[path] = self._serial
            self._send(self._reload_event(path), path)

    def show_problems(self, faults: Iterable[ShownProblem]) -> None:
        """Tell everybody what is wrong now; nothing, if all is well again."""
        found = tuple(faults)
        with self._lock:
            if found != self._faults:
                self._faults = found
                self._send(self._faults_event())

    def show_progress(self, done: int, total: int) -> None:
        """Tell everybody how far a build is; a total of 0 is none."""
        with self._lock:
            self._progress = (done, total)
            self._send(self._progress_event())

    def end(self) -> None:
        """Let all listeners go."""
        with self._lock:
            for each in self._listeners:
                each.gone = True
                with suppress(Full):
                    each.waiting.put_nowait(b"")
            self._listeners.clear()

    @contextmanager
    def listening(self, page: str, run: str, since: int) -> Iterator[OpenPage]:
        """Let a page listen; what it missed since it was served comes first.

        Args:
            page: Its file below the output folder.
            run: The run that served it.
            since: The serial when it was served.

        Raises:
            CrowdError: If there are too many.
        """
        listener = OpenPage(page)
        with self._lock:
            if len(self._listeners) >= MAX_OPEN_PAGES:
                raise TooManyPagesError
            self._listeners.append(listener)
            listener.waiting.put_nowait(self._faults_event())
            listener.waiting.put_nowait(self._progress_event())
            if run != self.run or self._changed.get(page, 0) > since:
                listener.waiting.put_nowait(self._reload_event(page))
        try:
            yield listener
        finally:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

    def _reload_event(self, path: str) -> bytes:
        return _event("reload", {"path": path, "run": self.run, "serial": self._serial})

    def _faults_event(self) -> bytes:
        found = [
            {"place": each.place, "text": each.text, "excerpt": each.excerpt}
            for each in self._faults
        ]
        return _event("faults", found)

    def _progress_event(self) -> bytes:
        done, total = self._progress
        return _event("progress", {"done": done, "total": total})

    def _send(self, event: bytes, page: str | None = None) -> None:
        for each in list(self._listeners):
            if page is None or each.page == page:
                try:
                    each.waiting.put_nowait(event)
                except Full:
                    each.gone = True
                    self._listeners.remove(each)


def _event(name: str, data: object) -> bytes:
    """Write a server-sent event; JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


HOST = "127.0.0.1"
DEFAULT_PORT = 8765
"""The port that is tried first when none is asked for."""

_PREFIX = "/.muster"
_EVENTS = f"{_PREFIX}/events"
_SCRIPT = f"{_PREFIX}/live.js"
_ICON = "/favicon.ico"
_HOST_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
}
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
_HEARTBEAT_S = 15.0
"""How often a silent line is tried, to find out that nobody is there any more."""
_TIMEOUT_S = 30.0

_SHELL_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>html,body{{height:100%;margin:0}}iframe{{border:0;width:100%;height:100%;display:block}}
p{{font:16px/1.5 system-ui,sans-serif;padding:2em}}</style></head><body>{body}</body></html>
"""
_WAITING_BODY = '<p>There is no <code>{page}</code> yet. <span id="muster-progress"></span></p>'
_PDF_BODY = '<iframe id="print" title="{page}" data-src="{name}" src="{name}?0"></iframe>'


class LiveServer:
    """Serves a folder on this machine until it is closed."""

    def __init__(self, out: Path, live: LivePages, port: int | None = None) -> None:
        """Begin to listen; nothing is answered before `start`.

        Args:
            out: The output folder; it need not be there yet.
            live: What pages are told.
            port: Which port; without one, the usual one, or any that is free.

        Raises:
            OSError: If the port that was asked for cannot be had.
        """
        self._http = _HttpServer(out, live, port)
        self.port: int = self._http.server_address[1]

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://{HOST}:{self.port}/"

    def start(self) -> None:
        """Answer from now on, in threads of its own that never hold up the end."""
        Thread(target=self._http.serve_forever, args=(0.2,), daemon=True).start()

    def close(self) -> None:
        """Answer no more."""
        self._http.shutdown()
        self._http.live.end()
        self._http.server_close()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    # Two programs that share a port on Windows would each get some of the requests.
    allow_reuse_address = False

    def __init__(self, out: Path, live: LivePages, port: int | None) -> None:
        self.out = out
        self.live = live
        self.script = files("muster.building").joinpath("live.js").read_bytes()
        try:
            super().__init__((HOST, DEFAULT_PORT if port is None else port), _Handler)
        except OSError:
            if port is not None:
                raise
            super().__init__((HOST, 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a browser that hangs up is no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: _HttpServer
    server_version = "Muster"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = _TIMEOUT_S

    def do_GET(self) -> None:
        """Answer with a file, the script, or the line of events."""
        if not self._is_allowed():
            self._refuse(HTTPStatus.FORBIDDEN, "this server answers this machine only")
            return
        path, _, query = self.path.partition("#")[0].partition("?")
        if path == _EVENTS:
            self._events(query)
        elif path == _SCRIPT:
            self._answer(self.server.script, _MEDIA_TYPES[".js"])
        elif path == _ICON:
            # Every browser asks for one; that there is none is no fault to show.
            self._answer(b"", _MEDIA_TYPES[".png"], HTTPStatus.NO_CONTENT)
        else:
            self._file(path)

    do_HEAD = do_GET  # noqa: N815 - as the standard library calls it

    def _is_allowed(self) -> bool:
        """Tell whether a request names this machine, and comes from no other site's page.

        A page from elsewhere may have its own name point here; it cannot change the Host that its
        browser sends, nor what the browser says of where it came from.
        """
        name, colon, port = self.headers.get("Host", "").rpartition(":")
        if (
            name.lower() not in _HOST_NAMES
            or not colon
            or port != str(self.server.server_address[1])
        ):
            return False
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower() != f"http://{name.lower()}:{port}":
            return False
        if self.headers.get("Sec-Fetch-Site") != "cross-site":
            return True
        # A link to us may be followed from anywhere; nothing else may be had from there.
        return self.headers.get("Sec-Fetch-Mode") == "navigate"

    # Files

    def _file(self, path: str) -> None:
        found = self._find_file(path)
        if found is None:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such file")
            return
        page, place = found
        wanted = self.headers.get("Sec-Fetch-Dest", "")
        if place.suffix == ".pdf" and wanted == "document":
            name = escape(place.name)
            shell = _SHELL_PAGE.format(
                title=name, body=_PDF_BODY.format(page=escape(page), name=name)
            )
            self._answer(self._with_script(shell.encode(), page, "print"), _MEDIA_TYPES[".html"])
            return
        serial = self.server.live.serial
        try:
            held = place.read_bytes()
        except OSError:
            if place.suffix != ".html":
                self._refuse(HTTPStatus.NOT_FOUND, "there is no such file")
                return
            shell = _SHELL_PAGE.format(title="Muster", body=_WAITING_BODY.format(page=escape(page)))
            held = self._with_script(shell.encode(), page, serial=serial)
            self._answer(held, _MEDIA_TYPES[".html"], HTTPStatus.NOT_FOUND)
            return
        if place.suffix == ".html":
            held = self._with_script(held, page, serial=serial)
        self._answer(held, _MEDIA_TYPES.get(place.suffix, "application/octet-stream"))

    def _find_file(self, path: str) -> tuple[str, Path] | None:
        """Find the file that an address means; None if it lies outside or is none of ours."""
        plain = unquote(path, errors="replace")
        if not plain.startswith("/") or not plain.isprintable() or "\\" in plain or ":" in plain:
            return None
        parts = [part for part in plain.split("/") if part]
        if any(part.startswith(".") for part in parts):
            return None
        if plain.endswith("/"):
            parts.append("index.html")
        with suppress(OSError, RuntimeError, ValueError):
            root = self.server.out.resolve()
            place = root.joinpath(*parts).resolve()
            if place.is_relative_to(root) and not place.is_dir():
                return "/".join(parts), place
        return None

    def _with_script(
        self, held: bytes, page: str, frame: str = "", serial: int | None = None
    ) -> bytes:
        """Put our script at the end of a page, on its way out."""
        live = self.server.live
        since = live.serial if serial is None else serial
        script = (
            f'<script src="{_SCRIPT}" data-page="{escape(page)}" data-run="{live.run}"'
            f' data-since="{since}" data-frame="{frame}"></script>'
        ).encode()
        before, end, after = held.rpartition(b"</body>")
        return before + script + end + after if end else held + script

    # Events

    def _events(self, query: str) -> None:
        asked = parse_qs(query, max_num_fields=8)
        page, run, since = (asked.get(key, [""])[0] for key in ("page", "run", "since"))
        number = int(since) if since.isdecimal() and len(since) < 12 else 0  # noqa: PLR2004 - digits
        live = self.server.live
        try:
            with live.listening(page[:500], run, number) as listener:
                self._head(HTTPStatus.OK, "text/event-stream", None)
                if self.command == "HEAD":
                    return
                self.wfile.write(b"retry: 1000\n\n")
                while not listener.gone:
                    self.wfile.write(listener.next(_HEARTBEAT_S) or b": still here\n\n")
        except TooManyPagesError:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages listen already")
        except OSError:
            self.close_connection = True

    # Answers

    def _answer(self, held: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._head(status, kind, len(held))
        if self.command != "HEAD":
            with suppress(OSError):
                self.wfile.write(held)

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        self._answer(f"{text}\n".encode(), _MEDIA_TYPES[".txt"], status)

    def _head(self, status: HTTPStatus, kind: str, length: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if length is None:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - its name there
        """Say nothing of requests: the terminal is for builds."""
