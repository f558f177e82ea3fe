"""Work in several processes, of which each begins with the same preparation."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class ProcessKilledError(RuntimeError):
    """A process was killed before it had done its work."""


class Run(Protocol):
    """Work on items, wherever that is done."""

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterable[Result]:
        """Call a function with each item, and yield the results as they come."""
        ...


@contextmanager
def processes(number: int, prepare: Callable[[Any], None], argument: Any) -> Iterator[Run]:
    """Yield a function that does work in up to so many processes; in this one if it is 1.

    Args:
        number: How many processes there are.
        prepare: A function of a module that each process calls first.
        argument: What it is called with.

    Raises:
        ProcessKilledError: If a process was killed, as for want of memory.
    """
    if number == 1:
        prepare(argument)
        yield _run_here
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(number, context, _begin, (prepare, argument)) as pool:

        def run(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
            waiting: set[Future[Result]] = {pool.submit(work, item) for item in items}
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()

        try:
            yield run
        except BrokenProcessPool:
            text = "a process was killed; run it again, with fewer --jobs if memory is short"
            raise ProcessKilledError(text) from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _run_here(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterable[Result]:
    return map(work, items)


def _begin(prepare: Callable[[Any], None], argument: Any) -> None:
    # Ctrl+C reaches every process; the one that was started ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare(argument)
