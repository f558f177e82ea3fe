"""Owns the facts about `muster watch` as a process: what it says, refuses, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Muster

ROOT: Final = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no Ctrl-C can be sent to a process there")
@pytest.mark.xdist_group("watch")
def test_watch_serves_and_ends_at_once(folder: Path) -> None:
    command = [sys.executable, "-m", "muster", "watch", "club", "--only", "sheet"]
    process = subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--port", "0", "--no-open"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:[0-9]+/", said)
        assert address is not None, said
        page = folder / "build" / "club" / "quick-reference.html"
        end = time.monotonic() + 60
        while not page.exists() and time.monotonic() < end:
            time.sleep(0.1)
        with urllib.request.urlopen(f"{address[0]}club/quick-reference.html") as answer:  # noqa: S310 - our own
            assert b"/.muster/live.js" in answer.read()
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()

    assert time.monotonic() - begin < 5
    assert process.returncode == 0
    assert "Traceback" not in told
    assert told.splitlines()[-1] == "muster: stopped watching"
    assert "club/quick-reference.html after " in told
    assert not list((folder / "build").rglob("*.muster-part"))
    with (
        pytest.raises(OSError, match="refused"),
        socket.create_connection(("127.0.0.1", int(address[0].rstrip("/").rpartition(":")[2]))),
    ):
        pass


def test_port_that_is_taken_is_refused(muster: Muster) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = muster("watch", "--port", port, "--no-open")

    assert result.exit_code == 2
    assert "in use" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_system_that_is_not_there_is_refused_with_the_nearest(muster: Muster) -> None:
    result = muster("watch", "clob", "--no-open")

    assert result.exit_code == 2
    assert "did you mean 'club'?" in result.stderr


def test_port_must_be_one(muster: Muster) -> None:
    assert muster("watch", "--port", "70000").exit_code == 2


def test_programs_are_sent_to_build(muster: Muster) -> None:
    result = muster("watch", "--format", "json")

    assert result.exit_code == 2
    assert "programs follow `muster build --format json`" in result.stderr
