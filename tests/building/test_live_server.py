"""Tests of what open pages are told, of the local server, and above all of what it refuses."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from muster.building.live_server import (
    DEFAULT_PORT,
    HOST,
    MAX_OPEN_PAGES,
    LivePages,
    LiveServer,
    TooManyPagesError,
    shown_problem,
)
from muster.problems import Location, Problem

SHEET = "club/quick-reference.html"
PAGE = "<!doctype html><body><p>Gr\u00fc\u00dfe</p></body></html>\n"


Wait = Callable[[float], bytes]


def events(wait: Wait) -> list[tuple[str, Any]]:
    """Return the events that are ready for a page: names and data."""
    found = []
    for event in wait(0).decode().split("\n\n")[:-1]:
        name, data = event.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def names(wait: Wait) -> list[str]:
    return [name for name, _ in events(wait)]


def test_page_is_told_of_its_own_file_only() -> None:
    live = LivePages()
    with live.listening(SHEET, live.run, 0) as wait:
        assert names(wait) == ["faults", "progress"]

        live.changed("club/rulebook.html")
        assert events(wait) == []
        live.changed(SHEET)

        assert events(wait) == [("reload", {"path": SHEET, "run": live.run, "serial": 2})]
        assert events(wait) == []


def test_page_that_missed_a_change_reloads_at_once() -> None:
    live = LivePages()
    served = live.serial
    live.changed(SHEET)

    with live.listening(SHEET, live.run, served) as late:
        assert "reload" in names(late)
    with live.listening(SHEET, live.run, live.serial) as fresh:
        assert "reload" not in names(fresh)


def test_page_of_an_earlier_run_reloads() -> None:
    live = LivePages()

    with live.listening(SHEET, LivePages().run, 999) as wait:
        assert "reload" in names(wait)


def test_problems_are_shown_on_all_pages_and_on_those_opened_later() -> None:
    live = LivePages()
    problem = {"place": "a.yaml:1:2", "text": "read x", "excerpt": "  x\n  ^"}
    with live.listening(SHEET, live.run, 0) as early:
        events(early)
        live.show_problems([problem])
        assert events(early) == [("faults", [problem])]
        live.show_problems([problem])

        assert events(early) == []
        with live.listening("other.html", live.run, 0) as late:
            assert events(late)[0] == ("faults", [problem])
        live.show_problems([])
        assert events(early) == [("faults", [])]


def test_slow_page_gets_the_latest_progress_only() -> None:
    live = LivePages()
    with live.listening(SHEET, live.run, 0) as wait:
        events(wait)
        for count in range(1, 10):
            live.show_progress(count, 9)

        assert events(wait) == [("progress", {"done": 9, "total": 9})]


def test_waiting_ends_with_the_first_event() -> None:
    live = LivePages()
    with live.listening(SHEET, live.run, 0) as wait:
        events(wait)
        threading.Timer(0.05, live.changed, [SHEET]).start()
        begin = time.monotonic()

        assert b"reload" in wait(20)
        assert time.monotonic() - begin < 10


def test_shown_problem_has_place_text_and_line() -> None:
    where = Location("a.yaml", 3, 5)
    problem = Problem("bad-value", "read 'x\x1b'", where, "a: 'x\x1b'", "a: 3")

    assert shown_problem(problem) == {
        "place": "a.yaml:3:5",
        "text": "read 'x·' [bad-value]",
        "excerpt": "a: 'x·'\n    ^\nfor example: a: 3",
    }


def test_open_pages_are_those_that_listen() -> None:
    live = LivePages()
    with live.listening(SHEET, live.run, 0):
        assert live.open_pages() == {SHEET}

    assert live.open_pages() == frozenset()


def test_number_of_open_pages_is_limited() -> None:
    live = LivePages()
    with ExitStack() as stack:
        for _ in range(MAX_OPEN_PAGES):
            stack.enter_context(live.listening(SHEET, live.run, 0))

        with pytest.raises(TooManyPagesError), live.listening(SHEET, live.run, 0):
            pass

    with live.listening(SHEET, live.run, 0):
        pass


def test_end_interrupts_waiting() -> None:
    live = LivePages()
    with live.listening(SHEET, live.run, 0) as wait:
        events(wait)
        live.end()

        assert wait(20) == b""
        assert live.ended


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "build"
    (folder / "club").mkdir(parents=True)
    (folder / ".muster").mkdir()
    (folder / ".muster" / "record.json").write_text("secret")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    (folder / "club" / "sheet one.html").write_text("no end", encoding="utf-8")
    (folder / "club" / "sheet.pdf").write_bytes(b"%PDF-1.7 ...")
    (folder / "club" / "data.bin").write_bytes(b"\0\1")
    (folder.parent / "outside.html").write_text("secret")
    (folder / "link.html").symlink_to(folder.parent / "outside.html")
    (folder / "folder").symlink_to(folder.parent)
    os.mkfifo(folder / "pipe.html")
    os.mkfifo(folder / "pipe.pdf")
    (folder / "endless.pdf").symlink_to("/dev/zero")
    return folder


@pytest.fixture
def live(server: LiveServer) -> LivePages:
    return server.live


@pytest.fixture(scope="module")
def server(out: Path) -> Iterator[LiveServer]:
    found = LiveServer(out, LivePages(), 0)
    found.start()
    yield found
    found.close()


def ask(
    server: LiveServer, path: str, method: str = "GET", **headers: str
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(HOST, server.port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in ({"Host": f"127.0.0.1:{server.port}"} | headers).items():
        if value:
            connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def raw(server: LiveServer, request: bytes) -> bytes:
    """Send bytes as they are, and return all that comes back."""
    with socket.create_connection((HOST, server.port), timeout=10) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        found = b""
        while more := line.recv(65536):
            found += more
    return found


def test_page_is_given_with_the_script_and_its_file_stays_as_it_was(
    server: LiveServer, out: Path, live: LivePages
) -> None:
    live.changed("index.html")

    answer, body = ask(server, "/")

    text = body.decode()
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert '<script src="/.muster/live.js" data-page="index.html"' in text
    assert f'data-run="{live.run}" data-since="{live.serial}"' in text
    assert text.index("</p>") < text.index("<script") < text.index("</body>")
    assert (out / "index.html").read_text(encoding="utf-8") == PAGE


def test_page_without_an_end_gets_the_script_too(server: LiveServer) -> None:
    _, body = ask(server, "/club/sheet%20one.html")

    assert body.startswith(b"no end<script ")
    assert b'data-page="club/sheet one.html"' in body


def test_script_is_given(server: LiveServer) -> None:
    answer, body = ask(server, "/.muster/live.js")

    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert b"EventSource" in body


def test_other_files_are_given_as_they_are(server: LiveServer) -> None:
    print_, content = ask(server, "/club/sheet.pdf")
    other, bytes_ = ask(server, "/club/data.bin?x=1#y")

    assert (print_.headers["Content-Type"], content) == ("application/pdf", b"%PDF-1.7 ...")
    assert (other.headers["Content-Type"], bytes_) == ("application/octet-stream", b"\0\1")
    assert other.headers["X-Content-Type-Options"] == "nosniff"


def test_print_that_is_opened_in_a_window_comes_in_a_frame_that_can_be_renewed(
    server: LiveServer,
) -> None:
    answer, body = ask(server, "/club/sheet.pdf", Sec_Fetch_Dest="document")
    _, framed = ask(server, "/club/sheet.pdf?0", Sec_Fetch_Dest="iframe")

    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b'<iframe id="print"' in body
    assert b'data-page="club/sheet.pdf"' in body
    assert b'data-frame="print"' in body
    assert framed.startswith(b"%PDF")


def test_page_that_is_not_built_yet_waits_for_it(server: LiveServer) -> None:
    answer, body = ask(server, "/club/roster.html")

    assert answer.status == 404
    assert b"has not been built yet" in body
    assert b'data-page="club/roster.html"' in body


def test_icon_that_browsers_ask_for_is_nothing(server: LiveServer) -> None:
    answer, body = ask(server, "/favicon.ico")

    assert (answer.status, body) == (204, b"")


def test_head_has_no_body(server: LiveServer) -> None:
    for path in ("/", "/club/sheet.pdf", "/.muster/live.js", "/.muster/events"):
        answer, body = ask(server, path, "HEAD")
        assert (answer.status, body) == (200, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_written(server: LiveServer, method: str) -> None:
    answer, _ = ask(server, "/index.html", method)

    assert answer.status == 501


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.html",
        "/club/../../outside.html",
        "/%2e%2e/outside.html",
        "/..%2foutside.html",
        "/club/%2e%2e%2f%2e%2e%2foutside.html",
        "/%252e%252e/outside.html",
        "/..\\outside.html",
        "/..%5coutside.html",
        "//outside.html/../../outside.html",
        "/.muster/record.json",
        "/.muster/live.js/../record.json",
        "/club/%00.html",
        "/club/%0a.html",
        "/C:/outside.html",
        "/club/sheet.pdf/x",
        "/link.html",
        "/folder/outside.html",
        "/pipe.html",
        "/pipe.pdf",
        "/endless.pdf",
        "/club",
        "/nothing.pdf",
        pytest.param("/" + "a/" * 3000, id="deep"),
        pytest.param("/" + "a" * 5000 + ".pdf", id="long"),
        "index.html",
        "http://elsewhere/index.html",
        "*",
    ],
)
def test_nothing_outside_the_folder_is_given(server: LiveServer, path: str) -> None:
    answer, body = ask(server, path)

    assert answer.status == 404
    assert b"secret" not in body


def test_path_is_shown_without_being_believed(server: LiveServer) -> None:
    _, body = ask(server, "/%3Cscript%3Ealert(1)%3C/script%3E.html")

    assert b"<script>alert" not in body


@pytest.mark.parametrize(
    "host",
    [
        "elsewhere.example",
        "elsewhere.example:{port}",
        "127.0.0.1.elsewhere.example:{port}",
        "localhost.elsewhere.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.2:{port}",
        "0.0.0.0:{port}",
        ":{port}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/.muster/events", "/.muster/live.js", "/club/sheet.pdf"])
def test_other_hosts_are_refused(server: LiveServer, host: str, path: str) -> None:
    answer, body = ask(server, path, Host=host.format(port=server.port))

    assert answer.status == 403
    assert body == b"this server only answers requests from this machine\n"


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_this_machine_is_answered_by_each_of_its_names(server: LiveServer, host: str) -> None:
    assert ask(server, "/", Host=host.format(port=server.port))[0].status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}, 200),
        ({"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Mode": "no-cors"}, 200),
    ],
    ids=["other site", "null", "other port", "embedded", "link", "own page"],
)
def test_pages_of_other_sites_get_nothing(
    server: LiveServer, headers: dict[str, str], status: int
) -> None:
    assert ask(server, "/", **headers)[0].status == status


def test_own_origin_is_answered(server: LiveServer) -> None:
    answer, _ = ask(server, "/", Origin=f"http://127.0.0.1:{server.port}")

    assert answer.status == 200


def test_only_this_machine_is_listened_to(server: LiveServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.port}/"


@pytest.mark.parametrize(
    "request_",
    [b"\r\n\r\n", b"GET\r\n\r\n", b"\xff\xfe\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /" * 20000],
    ids=["empty", "no path", "no text", "unknown version", "endless"],
)
def test_broken_requests_do_no_harm(server: LiveServer, request_: bytes) -> None:
    with suppress(OSError):  # being hung up on is an answer too
        raw(server, request_)

    assert ask(server, "/")[0].status == 200


def test_events_come_as_they_happen(server: LiveServer, live: LivePages) -> None:
    connection = HTTPConnection(HOST, server.port, timeout=10)
    connection.request("GET", f"/.muster/events?page=index.html&run={live.run}&since=0")
    answer = connection.getresponse()

    threading.Timer(0.2, live.changed, ["index.html"]).start()
    said = b""
    while b"reload" not in said:
        said += answer.readline()

    assert answer.headers["Content-Type"] == "text/event-stream"
    assert said.startswith(b"retry: 1000\n")
    answer.close()
    connection.close()


@pytest.mark.parametrize(
    "query",
    ["", "?since=x", "?since=" + "9" * 50, "?" + "a=b&" * 50, "?%ff"],
    ids=["empty", "no number", "huge number", "many fields", "no text"],
)
def test_odd_questions_for_events_do_no_harm(server: LiveServer, query: str) -> None:
    with socket.create_connection((HOST, server.port), timeout=10) as line:
        host = f"Host: 127.0.0.1:{server.port}"
        line.sendall(f"GET /.muster/events{query} HTTP/1.1\r\n{host}\r\n\r\n".encode())
        line.recv(100)

    assert ask(server, "/")[0].status == 200


def test_too_many_pages_are_told_so(server: LiveServer) -> None:
    asked = f"GET /.muster/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(MAX_OPEN_PAGES):
            line = stack.enter_context(socket.create_connection((HOST, server.port), timeout=10))
            line.sendall(asked)
            line.recv(20)

        answer, _ = ask(server, "/.muster/events?page=a")

    assert answer.status == 503
    assert ask(server, "/")[0].status == 200


def closed(line: socket.socket) -> bool:
    """Return whether the server closes a connection within ten seconds."""
    try:
        return line.recv(100) == b""
    except ConnectionError:
        return True


@pytest.fixture
def few(out: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    """A server for three connections, which must send their requests in half a second."""
    monkeypatch.setattr("muster.building.live_server.MAX_CONNECTIONS", 3)
    monkeypatch.setattr("muster.building.live_server._TIMEOUT_S", 0.5)
    found = LiveServer(out, LivePages(), 0)
    found.start()
    yield found
    found.close()


def test_more_connections_than_it_can_answer_are_closed(
    few: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster.building.live_server._TIMEOUT_S", 60)
    threads = threading.active_count()
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection((HOST, few.port), timeout=10))
            for _ in range(20)
        ]
        assert sum(closed(line) for line in lines[3:]) == 17
        assert threading.active_count() <= threads + 3

    until = time.monotonic() + 10
    while time.monotonic() < until:
        with suppress(OSError, HTTPException):
            assert ask(few, "/")[0].status == 200
            return
    raise AssertionError


def test_request_that_comes_byte_by_byte_is_ended(few: LiveServer) -> None:
    with socket.create_connection((HOST, few.port), timeout=10) as line:
        begin = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - begin < 10:
                line.sendall(b"G")
                time.sleep(0.1)

        assert time.monotonic() - begin < 5
        assert closed(line)


def test_page_that_waits_for_events_is_not_ended(few: LiveServer) -> None:
    asked = f"GET /.muster/events HTTP/1.1\r\nHost: 127.0.0.1:{few.port}\r\n\r\n".encode()
    with socket.create_connection((HOST, few.port), timeout=10) as line:
        line.sendall(asked)
        time.sleep(1)
        few.live.changed("")

        said = b""
        while b"reload" not in said:
            more = line.recv(4096)
            assert more
            said += more


def test_end_does_not_wait_for_open_pages(out: Path) -> None:
    server = LiveServer(out, LivePages(), 0)
    server.start()
    connection = HTTPConnection(HOST, server.port, timeout=10)
    connection.request("GET", "/.muster/events?page=a")
    answer = connection.getresponse()

    begin = time.perf_counter()
    server.close()

    assert time.perf_counter() - begin < 2
    assert answer.read().startswith(b"retry: 1000\n")
    connection.close()


def test_port_that_is_taken_is_refused_only_if_it_was_asked_for(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("muster.building.live_server.DEFAULT_PORT", port)

        with pytest.raises(OSError, match="in use"):
            LiveServer(out, LivePages(), port)
        other = LiveServer(out, LivePages())

    assert other.port not in (port, 0)
    other.server_close()


def test_usual_port_is_tried_first() -> None:
    assert 1024 < DEFAULT_PORT < 49152
