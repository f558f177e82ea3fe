"""Owns files that appear whole or not at all, and what a build remembers for the next one.

Does not decide what is built.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

_MARK = ".muster-part"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place, make sure that it is on disk, then rename it.

    Raises:
        OSError: If the disk is full or the folder cannot be written; nothing half is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_MARK, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def sweep(folder: Path) -> None:
    """Take away what a killed build left half-written below a folder."""
    for path in folder.rglob(f".*{_MARK}"):
        with suppress(OSError):
            path.unlink()


def _output(written: dict[str, Any]) -> dict[str, Any]:
    return {
        "fingerprint": str(written["fingerprint"]),
        "size": int(written["size"]),
        "pages": int(written["pages"]),
        "seconds": float(written["seconds"]),
    }


class Record:
    """What the last build made: each output's fingerprint and facts, and type sizes that fitted.

    A record that is missing, broken or of another shape counts as empty: all is built anew.
    """

    SHAPE = 1

    def __init__(self, path: Path) -> None:
        self._path = path
        self.outputs: dict[str, dict[str, Any]] = {}
        self.sizes: dict[str, float] = {}
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["shape"] == self.SHAPE:
                self.outputs = {str(k): _output(v) for k, v in data["outputs"].items()}
                self.sizes = {str(k): float(v) for k, v in data["sizes"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.outputs, self.sizes = {}, {}

    def save(self) -> None:
        """Write the record whole.

        Raises:
            OSError: If it cannot be written.
        """
        data = {"shape": self.SHAPE, "outputs": self.outputs, "sizes": self.sizes}
        text = json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        write_whole(self._path, text.encode())
