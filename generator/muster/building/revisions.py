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
"""Bytes of the largest folder that is laid out."""

_TIMEOUT_S = 60


class RevisionError(Exception):
    """Say why a folder of a revision cannot be had."""


@contextmanager
def unpacked_revision(revision: str, folder: str, repository: Path) -> Iterator[Path]:
    """Lay out a folder as it was at a revision; it is gone afterwards.

    Args:
        revision: A tag, branch or commit.
        folder: The folder's path from the top of the repository, or from *repository* on if
            it begins with `./`.
        repository: A folder of the checkout.

    Raises:
        RevisionError: If there is no git, no repository, no such revision or folder.
    """
    name = folder.rstrip("/").rpartition("/")[2]
    if revision.startswith("-") or not name or name in (".", ".."):
        text = f"read {revision}:{folder}, expected a revision and a folder, v1:content/my-rules"
        raise RevisionError(text)
    packed = _archive(f"{revision}:{folder.rstrip('/')}", repository)
    with TemporaryDirectory(prefix="muster-") as place:
        target = Path(place) / name
        target.mkdir()
        try:
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(target, filter="data")
        except tarfile.TarError as error:
            text = f"{revision}:{folder} cannot be laid out: {error}"
            raise RevisionError(text) from None
        yield target


def _archive(tree: str, repository: Path) -> bytes:
    # Packed by its hash and from the top: below it, git would pack only what lies there.
    revision, _, folder = tree.partition(":")
    known = ["rev-parse", "--verify", "--quiet"]
    _run_git([*known, f"{revision}^{{tree}}"], f"git knows no revision {revision!r}", repository)
    told = f"there is no folder {folder} at {revision}"
    found = _run_git([*known, tree], told, repository).decode().strip()
    kind = _run_git(["cat-file", "-t", found], told, repository).decode().strip()
    if kind != "tree":
        text = f"{tree} is a {'file' if kind == 'blob' else kind}, expected a folder"
        raise RevisionError(text)
    top = _run_git(["rev-parse", "--show-toplevel"], told, repository).decode().strip()
    packed = _run_git(["archive", "--format=tar", found], f"{tree} cannot be packed", Path(top))
    if len(packed) > MAX_BYTES:
        text = f"{tree} has more than {MAX_BYTES // 1024 // 1024} MiB"
        raise RevisionError(text)
    return packed


def _run_git(arguments: list[str], otherwise: str, repository: Path) -> bytes:
    """Ask git.

    Raises:
        RevisionError: If there is none, or it fails: then with what to say otherwise.
    """
    # A hook's own settings would point git at another checkout.
    settings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no argument begins with a dash
            ["git", *arguments],  # noqa: S607 - git is looked up as whoever types it does
            cwd=repository,
            env=settings | {"LC_ALL": "C"},
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except FileNotFoundError:
        text = "a revision was named, but git is not installed here"
        raise RevisionError(text) from None
    except subprocess.TimeoutExpired:
        text = f"git did not answer within {_TIMEOUT_S} s: {otherwise}"
        raise RevisionError(text) from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        told = f" (git: {lines[-1].removeprefix('fatal: ')})" if lines else ""
        raise RevisionError(otherwise + told)
    return done.stdout
