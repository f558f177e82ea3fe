"""Owns what open pages are told while a folder is watched: what was rebuilt, and what is wrong.

Does not build and does not speak HTTP: a build says what happened, a server passes it on.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from threading import Lock

from generator.problems import Problem

MOST_LISTENERS = 64
"""Pages that may listen at once: a few windows, never a flood."""
_MOST_WAITING = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """What an open page shows of a fault: its place, what is wrong, and the lines below that."""

    place: str
    text: str
    excerpt: str = ""

    @classmethod
    def of(cls, problem: Problem) -> Fault:
        """Show a problem as a terminal does, control characters made harmless."""
        first, *rest = problem.render().splitlines()
        place = str(problem.location)
        text = first.removeprefix(f"{place}: ") if first.startswith(place) else first
        excerpt = "\n".join(line.removeprefix("    ") for line in rest)
        return cls(place, text, excerpt)


@dataclass(slots=True, eq=False)
class Listener:
    """One open page and what it has yet to be told; a page too slow to listen is let go."""

    page: str
    waiting: Queue[bytes] = field(default_factory=lambda: Queue(_MOST_WAITING))
    gone: bool = False

    def next(self, seconds: float) -> bytes | None:
        """Wait for something to tell; None if nothing came up in time."""
        try:
            return self.waiting.get(timeout=seconds)
        except Empty:
            return None


class CrowdError(Exception):
    """Say that too many pages listen already."""


class Live:
    """The state that all open pages share. Every method may be called from any thread."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(8)
        """Tells this run from an earlier one whose pages may still be open."""
        self._lock = Lock()
        self._serial = 0
        self._changed: dict[str, int] = {}
        self._faults: tuple[Fault, ...] = ()
        self._progress = (0, 0)
        self._listeners: list[Listener] = []

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

    def wrong(self, faults: Iterable[Fault]) -> None:
        """Tell everybody what is wrong now; nothing, if all is well again."""
        found = tuple(faults)
        with self._lock:
            if found != self._faults:
                self._faults = found
                self._send(self._faults_event())

    def at(self, done: int, total: int) -> None:
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
    def listening(self, page: str, run: str, since: int) -> Iterator[Listener]:
        """Let a page listen; what it missed since it was served comes first.

        Args:
            page: Its file below the output folder.
            run: The run that served it.
            since: The serial when it was served.

        Raises:
            CrowdError: If there are too many.
        """
        listener = Listener(page)
        with self._lock:
            if len(self._listeners) >= MOST_LISTENERS:
                raise CrowdError
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
