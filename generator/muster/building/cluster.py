"""Print on the workers of a running dask.distributed scheduler instead of in local processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from muster import __version__
from muster.building import workers
from muster.building.full_build import WorkersFactory
from muster.building.temporary import TemporaryFolder
from muster.building.workers import JobResult, Task, Workers
from muster.problems import display_path, pip_command
from muster.rendering.fingerprint import templates_fingerprint
from muster.rendering.glyphs import LARGEST_TEMPLATE_FILE
from muster.systems.library import STARTERS_FOLDER
from muster.yamlfile.textfile import read_bytes

TIMEOUT_S = 5
"""How long a scheduler may take to answer."""


class ClusterError(Exception):
    """Raised if a cluster cannot be used; the message says why, and what helps."""


@dataclass(frozen=True, slots=True)
class RemoteSetup:
    """The data that a worker of a cluster needs: templates, and the fingerprint of this Muster."""

    templates_fingerprint: str
    program: str
    folders: tuple[tuple[tuple[str, bytes], ...], ...]


def pack_templates(folders: Sequence[str]) -> RemoteSetup:
    """Read the templates and fonts of some folders."""
    paths = [Path(folder) for folder in folders]
    packed = []
    for folder in paths:
        names = sorted(
            path.relative_to(folder)
            for path in folder.rglob("*")
            if path.is_file() and path.relative_to(folder).parts[0] != STARTERS_FOLDER
        )
        packed.append(tuple((name.as_posix(), _read_template(folder, name)) for name in names))
    return RemoteSetup(templates_fingerprint(paths), _program_fingerprint(), tuple(packed))


def _read_template(folder: Path, name: Path) -> bytes:
    """Return the bytes of a template file, which go to other machines.

    Raises:
        MusterError: If it is a link that leads out of the folder, or is too large.
    """
    path = folder / name
    return read_bytes(path, display_path(path), LARGEST_TEMPLATE_FILE, within=folder)


def _program_fingerprint() -> str:
    """Return a text that identifies this Muster and the libraries that it prints with."""
    return f"{__version__} {templates_fingerprint([])}"


_unpack_lock = Lock()
_unpacked: tuple[str, TemporaryFolder] | None = None


def render_remotely(task: Task, setup: RemoteSetup) -> JobResult:
    """Render one job on a worker of a cluster, which loads the templates for its first job."""
    if setup.program != _program_fingerprint():
        text = (
            "a worker of the cluster has another version of Muster or of the libraries that print; "
            "install the same versions on all machines"
        )
        return JobResult(task.job.path, error=text)
    _unpack_templates(setup)
    return workers.render_task(task)


def _unpack_templates(setup: RemoteSetup) -> None:
    """Write the templates into a temporary folder of this worker, and load them."""
    global _unpacked  # noqa: PLW0603 - one set of templates per process
    with _unpack_lock:
        if _unpacked is not None and _unpacked[0] == setup.templates_fingerprint:
            return
        remove_unpacked()
        home = TemporaryFolder()
        folders = [str(home.path / str(n)) for n in range(len(setup.folders))]
        for folder, files in zip(folders, setup.folders, strict=True):
            for name, content in files:
                target = Path(folder) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        workers.start_rendering(folders, str(home.path))
        _unpacked = (setup.templates_fingerprint, home)


def remove_unpacked() -> None:
    """Remove the templates that were written for earlier jobs."""
    global _unpacked  # noqa: PLW0603 - as in `_unpack_templates`
    if _unpacked is not None:
        _unpacked[1].close()
    _unpacked = None


def connect_cluster(address: str, timeout: float = TIMEOUT_S) -> tuple[WorkersFactory, int]:
    """Return a factory for the workers of a cluster, and the number of workers.

    Args:
        address: The scheduler's address, such as `tcp://10.0.0.5:8786`.
        timeout: How many seconds to wait for an answer.

    Raises:
        ClusterError: If dask.distributed is not installed, nothing answers, or there is no worker.
    """
    try:
        import distributed  # noqa: PLC0415 - an extra that few install
    except ImportError:
        text = (
            "`--scheduler` needs dask.distributed, which is not installed. In a clone of Muster, "
            f"run `make`; elsewhere, run `{pip_command('distributed')}`"
        )
        raise ClusterError(text) from None
    make_client: Any = distributed.Client
    try:
        asyncio.run(_try_to_connect(address, timeout))
        client = make_client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error) or type(error).__name__
        text = f"no dask scheduler answers at {address}: {reason}"
        raise ClusterError(text) from None
    count = sum(client.nthreads().values())
    if not count:
        client.close()
        text = f"the scheduler at {address} has no workers; start some, then build again"
        raise ClusterError(text)
    return partial(ClusterWorkers, client, count), count


async def _try_to_connect(address: str, timeout: float) -> None:  # noqa: ASYNC109 - passed on
    """Find out whether anything answers at an address.

    A client that finds nothing prints a traceback when it is deleted, so none is made.

    Raises:
        OSError: If nothing answers in time.
        ValueError: If it is not an address.
    """
    from distributed.comm import core  # noqa: PLC0415 - an extra that few install

    connect: Any = core.connect
    connection = await connect(address, timeout=timeout)
    await connection.close()


class ClusterWorkers(Workers):
    """Workers of a cluster; the task of a killed one is done by another."""

    by_batches = False  # Most machines would wait for the end of each batch.

    def __init__(self, client: Any, count: int, folders: Sequence[str]) -> None:
        super().__init__(count, folders, client.get_executor(pure=False))
        self._client = client
        self._setup: Any = None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Leave the cluster; tasks that are still waiting there are dropped."""
        self._setup = None
        self._client.close(timeout=1 if kind else 10)

    def _submit(self, pool: Executor, task: Task) -> Future[JobResult]:
        if self._setup is None:
            # Every worker holds a copy, since one may be killed.
            self._setup = self._client.scatter(pack_templates(self._folders), broadcast=True)
        # The cache of pieces is on this machine.
        return pool.submit(render_remotely, replace(task, cache_folder=""), self._setup)
