"""The local server of `muster watch`: the output folder, and events for its open pages."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from io import BufferedReader
from pathlib import Path
from socket import SHUT_RDWR, socket
from threading import BoundedSemaphore, Condition, Lock, Thread
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, unquote

from muster.problems import Problem
from muster.yamlfile.textfile import open_regular

MAX_OPEN_PAGES = 64
"""How many pages may listen at once; a person has a few windows open."""
MAX_CONNECTIONS = MAX_OPEN_PAGES + 64
"""How many connections are answered at once, each by a thread; others are closed at once."""

HOST = "127.0.0.1"
DEFAULT_PORT = 8765
"""The port that is tried first if none is given."""

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
    ".webmanifest": "application/manifest+json",
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
"""After this time without events, one is sent to find out whether the page is still open."""
_TIMEOUT_S = 30.0

_SHELL_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>html,body{{height:100%;margin:0}}iframe{{border:0;width:100%;height:100%;display:block}}
p{{font:16px/1.5 system-ui,sans-serif;padding:2em}}</style></head><body>{body}</body></html>
"""
_WAITING_BODY = (
    '<p><code>{page}</code> has not been built yet. <span id="muster-progress"></span></p>'
)
_PDF_BODY = '<iframe id="print" title="{page}" data-src="{name}" src="{name}?0"></iframe>'


def shown_problem(problem: Problem) -> dict[str, str]:
    """Return what an open page shows of a problem: its place, its text, and the lines below."""
    # `render` makes control characters harmless.
    first, *rest = problem.render().splitlines()
    place = str(problem.location)
    excerpt = "\n".join(line.removeprefix("    ") for line in rest)
    return {"place": place, "text": first.removeprefix(f"{place}: "), "excerpt": excerpt}


class TooManyPagesError(Exception):
    """Raised if too many pages listen already."""


class LivePages:
    """The state that all open pages share. Every method may be called from any thread."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(8)
        """Distinguishes this run from an earlier one whose pages may still be open."""
        self.ended = False
        self._news = Condition()
        self._serial = 0
        self._changed: dict[str, int] = {}
        """The serial of the latest change of each file."""
        self._problems: list[dict[str, str]] = []
        self._problems_serial = 0
        self._progress = (0, 0)
        self._progress_serial = 0
        self._open: list[str] = []

    @property
    def serial(self) -> int:
        """The number of the latest change, for a page to remember what it has seen."""
        with self._news:
            return self._serial

    def open_pages(self) -> frozenset[str]:
        """Return the pages that listen now, as paths below the output folder."""
        with self._news:
            return frozenset(self._open)

    def changed(self, path: str) -> None:
        """Make the pages that show a file reload."""
        with self._news:
            self._changed[path] = self._advance()

    def show_problems(self, problems: Iterable[dict[str, str]]) -> None:
        """Show what is wrong now on all pages; without problems, hide what was shown."""
        shown = list(problems)
        with self._news:
            if shown != self._problems:
                self._problems = shown
                self._problems_serial = self._advance()

    def show_progress(self, done: int, total: int) -> None:
        """Show on all pages how far a build is; a total of 0 means that none is running."""
        with self._news:
            self._progress = (done, total)
            self._progress_serial = self._advance()

    def end(self) -> None:
        """End the event streams of all listening pages."""
        with self._news:
            self.ended = True
            self._advance()

    def _advance(self) -> int:
        self._serial += 1
        self._news.notify_all()
        return self._serial

    @contextmanager
    def listening(self, page: str, run: str, since: int) -> Iterator[Callable[[float], bytes]]:
        """Let a page listen, and yield the function that waits for its events.

        The function takes the number of seconds that it may wait. The first call returns the
        problems, the progress, and whether the page has changed since it was served; each later
        call returns what is new, or nothing.

        Args:
            page: Its path below the output folder.
            run: The run that served it.
            since: The serial when it was served.

        Raises:
            TooManyPagesError: If too many pages listen already.
        """
        seen = -1
        seen_page = since if run == self.run else -1

        def wait(seconds: float) -> bytes:
            nonlocal seen, seen_page
            with self._news:
                self._news.wait_for(
                    lambda: self.ended or self._events(page, seen, seen_page), seconds
                )
                events = self._events(page, seen, seen_page)
                seen = seen_page = self._serial
            return events

        with self._news:
            if len(self._open) >= MAX_OPEN_PAGES:
                raise TooManyPagesError
            self._open.append(page)
        try:
            yield wait
        finally:
            with self._news:
                self._open.remove(page)

    def _events(self, page: str, seen: int, seen_page: int) -> bytes:
        events = b""
        if self._problems_serial > seen:
            events += _event("faults", self._problems)
        if self._progress_serial > seen:
            done, total = self._progress
            events += _event("progress", {"done": done, "total": total})
        if self._changed.get(page, 0) > seen_page:
            events += _event("reload", {"path": page, "run": self.run, "serial": self._serial})
        return events


def _event(name: str, data: object) -> bytes:
    """Return a server-sent event; JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


_LARGEST_PAGE = 8 * 1024 * 1024
"""The size of the largest page that gets the script, for which it is read as a whole, in bytes."""
_CHUNK = 64 * 1024
"""How much of another file is in memory at once, in bytes."""


class LiveServer(ThreadingHTTPServer):
    """Serves a folder to this machine until it is closed."""

    daemon_threads = True
    block_on_close = False
    # If two programs shared a port on Windows, each would get some of the requests.
    allow_reuse_address = False

    def __init__(self, out: Path, live: LivePages, port: int | None = None) -> None:
        """Open the port; nothing is answered before `start`.

        Args:
            out: The output folder, which need not exist yet.
            live: The state of open pages.
            port: The port; without one, the usual port, or any that is free.

        Raises:
            OSError: If the port that was given is not free.
        """
        self.out = out
        self.live = live
        self._free = BoundedSemaphore(MAX_CONNECTIONS)
        self._deadlines: dict[socket, float] = {}
        """Until when each connection must have sent its request, by the monotonic clock."""
        self._deadlines_lock = Lock()
        self.script = files("muster.building").joinpath("live.js").read_bytes()
        try:
            super().__init__((HOST, DEFAULT_PORT if port is None else port), _Handler)
        except OSError:
            if port is not None:
                raise
            super().__init__((HOST, 0), _Handler)
        self.port: int = self.server_address[1]

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{HOST}:{self.port}/"

    def start(self) -> None:
        """Answer requests from now on, in threads that never delay the end of the program."""
        Thread(target=self.serve_forever, args=(0.2,), daemon=True).start()

    def close(self) -> None:
        """Stop answering."""
        self.shutdown()
        self.live.end()
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own, or close it if there are too many."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            # No thread could be started.
            self._free.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a connection, and let another one come when it ends."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    @contextmanager
    def reading(self, connection: socket) -> Iterator[None]:
        """End a connection whose request has not come whole when its time is over."""
        with self._deadlines_lock:
            self._deadlines[connection] = monotonic() + _TIMEOUT_S
        try:
            yield
        finally:
            self.request_read(connection)

    def request_read(self, connection: socket) -> None:
        """Give a connection, whose request has come, the time that its answer takes."""
        with self._deadlines_lock:
            self._deadlines.pop(connection, None)

    def service_actions(self) -> None:
        """Shut down the connections whose time is over; called several times a second.

        The timeout of a socket is not enough: each byte that comes begins it anew.
        """
        now = monotonic()
        with self._deadlines_lock:
            for connection, deadline in self._deadlines.items():
                if deadline < now:
                    with suppress(OSError):
                        connection.shutdown(SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a browser that closes its connection."""


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    server_version = "Muster"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = _TIMEOUT_S

    def do_GET(self) -> None:
        """Answer with a file, the script, or the stream of events."""
        self.server.request_read(self.connection)
        if not self._is_allowed():
            self._refuse(
                HTTPStatus.FORBIDDEN, "this server only answers requests from this machine"
            )
            return
        path, _, query = self.path.partition("#")[0].partition("?")
        if path == _EVENTS:
            self._events(query)
        elif path == _SCRIPT:
            self._answer(self.server.script, _MEDIA_TYPES[".js"])
        elif path == _ICON:
            # Every browser asks for an icon. That there is none is not an error.
            self._answer(b"", _MEDIA_TYPES[".png"], HTTPStatus.NO_CONTENT)
        else:
            self._file(path)

    do_HEAD = do_GET  # noqa: N815 - as the standard library calls it

    def _is_allowed(self) -> bool:
        """Return whether a request names this machine, and comes from no other site's page.

        A page from elsewhere may have its own name point here; it cannot change the Host that its
        browser sends, nor what the browser says of where it came from.
        """
        name, colon, port = self.headers.get("Host", "").rpartition(":")
        if name.lower() not in _HOST_NAMES or not colon or port != str(self.server.port):
            return False
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower() != f"http://{name.lower()}:{port}":
            return False
        if self.headers.get("Sec-Fetch-Site") != "cross-site":
            return True
        # A page from elsewhere may link here, and may request nothing else.
        return self.headers.get("Sec-Fetch-Mode") == "navigate"

    def _file(self, path: str) -> None:
        found = self._find_file(path)
        if found is None:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such file")
            return
        page, file = found
        live = self.server.live
        # Taken before the file is read: a change after that makes the page reload.
        serial = live.serial
        if file.suffix == ".pdf" and self.headers.get("Sec-Fetch-Dest", "") == "document":
            body = _PDF_BODY.format(page=escape(page), name=escape(file.name))
            shell = _SHELL_PAGE.format(title=escape(file.name), body=body).encode()
            self._answer(self._with_script(shell, page, serial, "print"), _MEDIA_TYPES[".html"])
            return
        try:
            opened = open_regular(file)
        except OSError:
            if file.suffix != ".html":
                self._refuse(HTTPStatus.NOT_FOUND, "there is no such file")
                return
            body = _WAITING_BODY.format(page=escape(page))
            shell = _SHELL_PAGE.format(title="Muster", body=body).encode()
            waiting = self._with_script(shell, page, serial)
            self._answer(waiting, _MEDIA_TYPES[".html"], HTTPStatus.NOT_FOUND)
            return
        with opened:
            self._send_file(opened, page, serial)

    def _send_file(self, file: BufferedReader, page: str, serial: int) -> None:
        """Answer with a file: a page for screens with the script, any other piece by piece.

        A browser that reads nothing is waited for with one piece in memory, not with the file.
        """
        suffix = Path(page).suffix
        media_type = _MEDIA_TYPES.get(suffix, "application/octet-stream")
        left = os.fstat(file.fileno()).st_size
        if suffix == ".html" and left <= _LARGEST_PAGE:
            content = self._with_script(file.read(_LARGEST_PAGE), page, serial)
            self._answer(content, media_type)
            return
        self._head(HTTPStatus.OK, media_type, left)
        if self.command == "HEAD":
            return
        try:
            while left and (chunk := file.read(min(left, _CHUNK))):
                self.wfile.write(chunk)
                left -= len(chunk)
        except OSError:
            pass  # Either end may be gone; what was announced has not come whole.
        self.close_connection = self.close_connection or left > 0

    def handle_one_request(self) -> None:
        """Answer one request, which must have come whole before its time is over."""
        with self.server.reading(self.connection):
            super().handle_one_request()

    def _find_file(self, path: str) -> tuple[str, Path] | None:
        """Return the page and the file of an address, or None if it is not within the folder."""
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
            file = root.joinpath(*parts).resolve()
            if file.is_relative_to(root) and (file.is_file() or not file.exists()):
                return "/".join(parts), file
        return None

    def _with_script(self, content: bytes, page: str, serial: int, frame: str = "") -> bytes:
        """Return a page with our script at its end."""
        script = (
            f'<script src="{_SCRIPT}" data-page="{escape(page)}" data-run="{self.server.live.run}"'
            f' data-since="{serial}" data-frame="{frame}"></script>'
        ).encode()
        before, end, after = content.rpartition(b"</body>")
        return before + script + end + after if end else content + script

    def _events(self, query: str) -> None:
        fields = parse_qs(query, max_num_fields=8)
        page, run, since = (fields.get(key, [""])[0] for key in ("page", "run", "since"))
        number = int(since) if since.isdecimal() and len(since) < 12 else 0  # noqa: PLR2004 - digits
        live = self.server.live
        try:
            with live.listening(page[:500], run, number) as wait:
                self._head(HTTPStatus.OK, "text/event-stream", None)
                if self.command == "HEAD":
                    return
                self.wfile.write(b"retry: 1000\n\n")
                while not live.ended:
                    self.wfile.write(wait(_HEARTBEAT_S) or b": still here\n\n")
        except TooManyPagesError:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are open already")
        except OSError:
            self.close_connection = True

    def _answer(self, content: bytes, media_type: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._head(status, media_type, len(content))
        if self.command != "HEAD":
            with suppress(OSError):
                self.wfile.write(content)

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        self._answer(f"{text}\n".encode(), _MEDIA_TYPES[".txt"], status)

    def _head(self, status: HTTPStatus, media_type: str, length: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if length is None:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - its name there
        """Log nothing: the terminal is for builds."""
