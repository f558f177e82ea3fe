"""Tests of the cache of printed documents: what is kept, removed if damaged, and bounded."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from muster.building.print_cache import CachedPrint, PrintCache

KEY = "ab" + "0" * 30
MADE = CachedPrint(b"page\nafter page", 2, 0.5, {"size": 7.5})


def files(cache: PrintCache) -> list[Path]:
    return [path for path in cache.folder.rglob("*") if path.is_file()]


def with_digest(rest: bytes) -> bytes:
    return sha256(rest).hexdigest().encode() + b"\n" + rest


def test_print_is_found_again_as_it_was(tmp_path: Path) -> None:
    PrintCache(tmp_path).keep(KEY, MADE)

    assert PrintCache(tmp_path).find(KEY) == MADE
    assert PrintCache(tmp_path).find("cd" + KEY[2:]) is None


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: content[:0], id="empty"),
        pytest.param(lambda content: content[:-1], id="cut"),
        pytest.param(lambda content: content[: content.index(b"\n") + 1], id="hash alone"),
        pytest.param(lambda content: content.replace(b"after", b"aftre"), id="other page"),
        pytest.param(lambda content: content.replace(b'"pages":2', b'"pages":3'), id="other facts"),
        pytest.param(lambda content: b"\xff\xfe\n" + content, id="no text"),
        pytest.param(lambda _: with_digest(b'{"leaves":2}\npage'), id="unknown fact"),
        pytest.param(lambda _: with_digest(b"no JSON\npage"), id="no facts"),
    ],
)
def test_damaged_print_is_removed(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    cache = PrintCache(tmp_path)
    cache.keep(KEY, MADE)
    (path,) = files(cache)
    path.write_bytes(damage(path.read_bytes()))

    assert cache.find(KEY) is None
    assert files(cache) == []


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = PrintCache(tmp_path, 1200)
    keys = [f"{n:02}" + "0" * 30 for n in range(4)]
    for age, key in enumerate(keys):
        cache.keep(key, CachedPrint(b"x" * 300, 1, 0.1))
        path = cache.folder / key[:2] / key[2:]
        os.utime(path, ns=(age, age))
    assert cache.find(keys[0]) is not None

    gone = cache.trim()

    assert gone == 2
    assert [cache.find(key) is not None for key in keys] == [True, False, False, True]


def test_cache_within_its_bound_loses_nothing(tmp_path: Path) -> None:
    cache = PrintCache(tmp_path)
    cache.keep(KEY, MADE)

    assert cache.trim() == 0


def test_bound_of_nothing_is_no_cache(tmp_path: Path) -> None:
    PrintCache(tmp_path).keep(KEY, MADE)
    none = PrintCache(tmp_path, 0)

    none.keep("cd" + KEY[2:], MADE)

    assert none.find(KEY) is None
    assert len(files(none)) == 1
    assert none.trim() == 1


def test_full_disk_keeps_nothing_and_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    cache = PrintCache(tmp_path)
    monkeypatch.setattr(Path, "replace", refuse)

    cache.keep(KEY, MADE)

    assert files(cache) == []


def test_no_print_is_read_or_kept_behind_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cache = PrintCache(tmp_path / "out")
    cache.folder.mkdir(parents=True)
    (cache.folder / "ab").symlink_to(elsewhere)
    (elsewhere / "old").write_bytes(MADE.to_bytes())
    os.utime(elsewhere / "old", (5, 5))

    cache.keep("abnew", MADE)

    assert [path.name for path in elsewhere.iterdir()] == ["old"]
    assert cache.find("abold") is None
    assert (elsewhere / "old").stat().st_mtime == 5


def test_pipe_in_the_cache_is_not_waited_for(tmp_path: Path) -> None:
    cache = PrintCache(tmp_path)
    (cache.folder / "ab").mkdir(parents=True)
    os.mkfifo(cache.folder / "ab" / "c")

    assert cache.find("abc") is None


def test_trimming_follows_no_link(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "build", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.bin").write_bytes(b"x" * 100)
    (out / ".muster" / "cache").mkdir(parents=True)
    (out / ".muster" / "cache" / "ab").symlink_to(elsewhere, target_is_directory=True)

    assert PrintCache(out, max_bytes=1).trim() == 0
    assert (elsewhere / "mine.bin").is_file()
