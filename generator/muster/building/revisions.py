"""Folders as they were at a git revision, unpacked into a temporary folder."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

MAX_BYTES = 64 * 1024 * 1024
"""The size of the largest archive that is unpacked."""

_TIMEOUT_S = 60


class RevisionError(Exception):
    """Raised if a folder of a revision is not available; the message says why."""


@contextmanager
def unpacked_revision(revision: str, folder: str, repository: Path) -> Iterator[Path]:
    """Unpack a folder as it was at a revision; it is removed afterwards.

    Args:
        revision: A tag, branch or commit.
        folder: The folder's path from the top of the repository, or from *repository* if it
            begins with `./`.
        repository: A folder of the checkout.

    Raises:
        RevisionError: If there is no git, no repository, no such revision or folder.
    """
    name = folder.rstrip("/").rpartition("/")[2]
    if revision.startswith("-") or not name or name in (".", ".."):
        example = "such as v1:content/my-rules"
        text = f"read {revision}:{folder}, expected a revision and a folder {example}"
        raise RevisionError(text)
    packed = _archive(f"{revision}:{folder.rstrip('/')}", repository)
    with TemporaryDirectory(prefix="muster-") as place:
        target = Path(place) / name
        target.mkdir()
        try:
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(target, filter="data")
        except tarfile.TarError as error:
            text = f"{revision}:{folder} cannot be unpacked: {error}"
            raise RevisionError(text) from None
        yield target


def _archive(tree: str, repository: Path) -> bytes:
    """Return a folder of a revision as a tar archive.

    Raises:
        RevisionError: As `unpacked_revision`, and if the archive is too large.
    """
    revision, _, folder = tree.partition(":")
    resolve = ["rev-parse", "--verify", "--quiet"]
    _run_git([*resolve, f"{revision}^{{tree}}"], f"there is no revision {revision!r}", repository)
    no_folder = f"there is no folder {folder!r} in revision {revision!r}"
    object_id = _run_git([*resolve, tree], no_folder, repository).decode().strip()
    kind = _run_git(["cat-file", "-t", object_id], no_folder, repository).decode().strip()
    if kind != "tree":
        text = f"{tree} is a {'file' if kind == 'blob' else kind}, expected a folder"
        raise RevisionError(text)
    top = _run_git(["rev-parse", "--show-toplevel"], no_folder, repository).decode().strip()
    # Archived from the top: from a folder below, git would archive only what is in that folder.
    command = ["archive", "--format=tar", object_id]
    packed = _run_git(command, f"{tree} cannot be packed", Path(top))
    if len(packed) > MAX_BYTES:
        text = f"{tree} is larger than the limit of {MAX_BYTES // 1024 // 1024} MiB"
        raise RevisionError(text)
    return packed


def _run_git(arguments: list[str], failure_text: str, repository: Path) -> bytes:
    """Run git and return its output.

    Raises:
        RevisionError: If git is not installed, or if it fails, with the failure text.
    """
    # Within a git hook, such settings point git at another checkout.
    settings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no argument begins with a dash
            ["git", *arguments],  # noqa: S607 - found as in a terminal
            cwd=repository,
            env=settings | {"LC_ALL": "C"},
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except FileNotFoundError:
        text = "reading a revision needs git, which is not installed"
        raise RevisionError(text) from None
    except subprocess.TimeoutExpired:
        text = f"git did not answer within {_TIMEOUT_S} s: {failure_text}"
        raise RevisionError(text) from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = f" (git: {lines[-1].removeprefix('fatal: ')})" if lines else ""
        raise RevisionError(failure_text + reason)
    return done.stdout
