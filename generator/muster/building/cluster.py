"""Render on a running dask.distributed scheduler instead of in local processes."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from muster import __version__
from muster.building import workers
from muster.building.inputs import templates_fingerprint
from muster.building.workers import JobResult, Task, Workers

TIMEOUT_S = 5
"""How long a scheduler may take to answer."""

_STARTERS_FOLDER = "new"


class ClusterError(Exception):
    """Say why a cluster cannot be asked, and what helps."""


@dataclass(frozen=True, slots=True)
class RemoteSetup:
    """What a worker far away needs: the templates, and by what to tell whether it is like us."""

    mark: str
    program: str
    folders: tuple[tuple[tuple[str, bytes], ...], ...]


def pack_templates(folders: Sequence[str]) -> RemoteSetup:
    """Pack the templates and fonts of some folders."""
    packed = []
    digest = sha256()
    for folder in map(Path, folders):
        names = sorted(
            path.relative_to(folder)
            for path in folder.rglob("*")
            if path.is_file() and path.relative_to(folder).parts[0] != _STARTERS_FOLDER
        )
        files = tuple((name.as_posix(), (folder / name).read_bytes()) for name in names)
        digest.update(repr([(name, sha256(held).digest()) for name, held in files]).encode())
        packed.append(files)
    return RemoteSetup(digest.hexdigest(), _program_fingerprint(), tuple(packed))


def _program_fingerprint() -> str:
    """Tell which Muster this is, and with which libraries it prints."""
    return f"{__version__} {templates_fingerprint([])}"


_unpack_lock = Lock()
_unpacked: tuple[str, tempfile.TemporaryDirectory[str]] | None = None


def render_remotely(task: Task, kit: RemoteSetup) -> JobResult:
    """Render one job on a worker of a cluster, which starts with the first."""
    if kit.program != _program_fingerprint():
        text = (
            "the cluster's worker has another version of Muster or of what it prints with; "
            "install the same on all machines"
        )
        return JobResult(task.job.path, error=text)
    _unpack_templates(kit)
    return workers.render_task(task)


def _unpack_templates(kit: RemoteSetup) -> None:
    """Lay out the templates in a folder of this worker's own, and start with them."""
    global _unpacked  # noqa: PLW0603 - one set of templates a process
    with _unpack_lock:
        if _unpacked is not None and _unpacked[0] == kit.mark:
            return
        remove_unpacked()
        home = tempfile.TemporaryDirectory(prefix="muster-")
        folders = [str(Path(home.name) / str(n)) for n in range(len(kit.folders))]
        for folder, files in zip(folders, kit.folders, strict=True):
            for name, held in files:
                target = Path(folder) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(held)
        workers.start_rendering(folders)
        _unpacked = (kit.mark, home)


def remove_unpacked() -> None:
    """Take away the templates that were laid out."""
    global _unpacked  # noqa: PLW0603 - see _unpack
    if _unpacked is not None:
        _unpacked[1].cleanup()
    _unpacked = None


async def _try_to_connect(address: str, patience: float) -> None:
    """Find out whether anything answers at an address.

    Raises:
        OSError: If nothing does in time.
        ValueError: If it is no address.
    """
    from distributed.comm import core  # noqa: PLC0415 - an extra that few install

    connect: Any = core.connect
    line = await connect(address, timeout=patience)
    await line.close()


class Cluster:
    """A running scheduler and its workers."""

    def __init__(self, address: str, patience: float = TIMEOUT_S) -> None:
        """Find the scheduler.

        Raises:
            ClusterError: If dask.distributed is not installed, nothing answers, or no one works.
        """
        try:
            import distributed  # noqa: PLC0415 - an extra that few install
        except ImportError:
            text = (
                "--scheduler needs dask.distributed. In a clone of Muster, run `make` or"
                " `python -m pip install '.[cluster]'`; elsewhere, run"
                " `python -m pip install distributed`"
            )
            raise ClusterError(text) from None
        client: Any = distributed.Client
        try:
            # A client that finds nobody is no good to anyone: it is not even made.
            asyncio.run(_try_to_connect(address, patience))
            self.client: Any = client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = str(error) or type(error).__name__
            text = f"no dask scheduler answers at {address}: {reason}"
            raise ClusterError(text) from None
        self.count = sum(self.client.nthreads().values())
        if not self.count:
            self.client.close()
            text = f"the scheduler at {address} has no workers; start some, then build again"
            raise ClusterError(text)

    def crew(self, folders: Sequence[str]) -> Workers:
        """Give its workers, to be sent the templates."""
        return ClusterWorkers(self.client, self.count, folders)


class ClusterWorkers(Workers):
    """Workers of a cluster; what a killed one was at is done by another."""

    def __init__(self, client: Any, count: int, folders: Sequence[str]) -> None:
        super().__init__(count, folders, client.get_executor(pure=False))
        self._client = client
        self._kit: Any = None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Leave the cluster; what is still waiting there is forgotten."""
        self._kit = None
        self._client.close(timeout=1 if kind else 10)

    def _submit(self, pool: Executor, task: Task) -> Future[JobResult]:
        if self._kit is None:
            # Every worker holds a copy: one may be killed.
            self._kit = self._client.scatter(pack_templates(self._folders), broadcast=True)
        # The cache of pieces lies on this machine.
        return pool.submit(render_remotely, replace(task, cache_folder=""), self._kit)
