"""Folders as they were at a git revision, unpacked into a temporary folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shutil import which
from typing import NamedTuple

from muster.building.store import is_relative_name
from muster.building.temporary import TemporaryFolder

MAX_BYTES = 64 * 1024 * 1024
"""The size of the largest folder that is unpacked."""
_MAX_FILES = 10_000
_REGULAR = "100"
"""How the mode of a regular file begins in a tree."""
_FACTS_OF_OBJECT = 3
"""Before each object, git writes its id, its type and its size; of a missing one, two words."""

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
    files = _list_files(f"{revision}:{folder.rstrip('/')}", repository)
    place = TemporaryFolder()
    try:
        target = place.path / name
        target.mkdir()
        _write_files(files, target, repository)
        yield target
    finally:
        place.close()


class _File(NamedTuple):
    """A file of a revision: its name below the folder, its object id, and its size in bytes."""

    name: str
    object_id: str
    size: int


def _list_files(tree: str, repository: Path) -> list[_File]:
    """Return the regular files of a folder of a revision; links and submodules are left out.

    Raises:
        RevisionError: As `unpacked_revision`, and if the folder is too large.
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
    # `--full-tree`: from a folder below the top, git would list only what is in that folder.
    command = ["ls-tree", "-r", "-z", "--long", "--full-tree", object_id]
    listed = _run_git(command, f"{tree} cannot be listed", repository)
    files = []
    for line in listed.decode(errors="surrogateescape").split("\0")[:-1]:
        facts, _, name = line.partition("\t")
        mode, _, blob, size = facts.split()
        if mode.startswith(_REGULAR) and is_relative_name(name):
            if not size.isdecimal():
                text = f"{name} is missing from the repository"
                raise RevisionError(text)
            files.append(_File(name, blob, int(size)))
    if sum(each.size for each in files) > MAX_BYTES or len(files) > _MAX_FILES:
        text = f"{tree} is larger than the limit of {MAX_BYTES // 1024 // 1024} MiB"
        raise RevisionError(f"{text} or {_MAX_FILES} files")
    return files


def _write_files(files: Sequence[_File], target: Path, repository: Path) -> None:
    """Write files of a revision below a folder, byte by byte as they were committed.

    `git archive` would run the filters that the repository's own settings name.
    """
    wanted = "".join(f"{each.object_id}\n" for each in files).encode()
    found = BytesIO(_run_git(["cat-file", "--batch"], "its files are lost", repository, wanted))
    for each in files:
        if len(found.readline().split()) != _FACTS_OF_OBJECT:
            text = f"{each.name} is missing from the repository"
            raise RevisionError(text)
        content = found.read(each.size)
        found.read(1)
        path = target / each.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


_SAFE_OPTIONS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_SAFE_SETTINGS = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
"""What keeps a stranger's repository from running a command of its own or fetching anything.

Its settings may name monitors, hooks, and, for objects that it leaves out, a program to fetch them
with. Aliases never replace git's own commands, and the commands used here run no filters.
"""


def _run_git(
    arguments: list[str], failure_text: str, repository: Path, given: bytes = b""
) -> bytes:
    """Run git and return its output.

    Args:
        arguments: The command and its options.
        failure_text: What could not be done if git fails.
        repository: The folder to run it in.
        given: What git reads.

    Raises:
        RevisionError: If git is not installed, or if it fails, with the failure text.
    """
    program = which("git")
    if program is None or Path(program).resolve().is_relative_to(repository.resolve()):
        # Windows looks in the working folder first, where a stranger's program may lie.
        text = "reading a revision needs git, which is not installed"
        raise RevisionError(text)
    # Within a git hook, such settings point git at another checkout.
    settings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no argument begins with a dash
            [program, *_SAFE_OPTIONS, *arguments],
            cwd=repository,
            env=settings | _SAFE_SETTINGS,
            input=given,
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        text = f"git did not answer within {_TIMEOUT_S} s: {failure_text}"
        raise RevisionError(text) from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = f" (git: {lines[-1].removeprefix('fatal: ')})" if lines else ""
        raise RevisionError(failure_text + reason)
    return done.stdout
