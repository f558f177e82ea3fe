"""Bounds on the processor time and the memory of one print, where the system has them."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

_REPEAT_SECONDS = 1.0
"""The alarm comes again after this time, in case a library has swallowed the exception."""

_STATM = Path("/proc/self/statm")


class ExceededError(Exception):
    """Raised within `bounded`, or by it; says what was exceeded."""


@contextmanager
def bounded(seconds: float, megabytes: int) -> Iterator[None]:
    """Hold what is done inside to so much processor time and additional memory.

    Only the main thread of a process can be held to the time, and only Linux says how much memory
    is in use; elsewhere nothing is bounded.

    Args:
        seconds: Processor time of this process.
        megabytes: Address space in MiB, beyond what the process has now.

    Raises:
        ExceededError: If it took longer or needed more.
    """
    too_long = f"it took more than {seconds:g} seconds of processor time"
    try:
        with _time_bounded(seconds, too_long), _memory_bounded(megabytes):
            yield
    except MemoryError:
        gc.collect()
        raise ExceededError(f"it needed more than {megabytes} MiB of memory") from None
    except ExceededError:
        gc.collect()
        raise


@contextmanager
def _time_bounded(seconds: float, text: str) -> Iterator[None]:
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise ExceededError(text)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, _REPEAT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _memory_bounded(megabytes: int) -> Iterator[None]:
    if sys.platform == "win32" or not _STATM.exists():
        yield
        return
    import resource  # noqa: PLC0415 - Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    in_use = int(_STATM.read_text().split()[0]) * resource.getpagesize()
    limit = in_use + (megabytes << 20)
    known = [each for each in (soft, hard, limit) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
