"""Owns the tests of the cache of what was read: it saves work, and can never do harm."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from muster.problems import MusterError
from muster.systems.identity import Scale
from muster.yamlfile import StrictModel, cache, read_document, read_model
from muster.yamlfile.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_SCALAR_LENGTH,
    YamlNode,
    is_within_limits,
    node_from_json,
    node_to_json,
)

TEXT = "id: large\ntitle: 25mm figures\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    cache.use_cache_folder(tmp_path / "kept")
    yield tmp_path / "kept" / "read"
    cache.use_cache_folder(None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scale.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Take the YAML parser away once something has been read; give the means to."""
    with monkeypatch.context() as patch:
        yield patch


def without_parser(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("parsed again")

    patch.setattr("muster.yamlfile.parsing.parse_yaml", refuse)
    patch.setattr("muster.yamlfile.parsing.parse_places", refuse)
    patch.setattr(StrictModel, "model_validate", refuse)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def test_nothing_is_kept_unless_asked_for(file: Path, tmp_path: Path) -> None:
    read_model(Scale, read_document(file))

    assert list(tmp_path.iterdir()) == [file]


def test_what_was_read_is_not_parsed_again(
    folder: Path, file: Path, no_parser: pytest.MonkeyPatch
) -> None:
    first = read_model(Scale, read_document(file))
    data = read_document(file).data
    where = read_document(file).locate(("title",))
    without_parser(no_parser)

    again = read_document(file)

    assert read_model(Scale, again) == first
    assert again.data == data
    assert again.locate(("title",)) == where
    assert len(entries(folder)) == 3


def test_content_counts_and_not_the_name(
    folder: Path, file: Path, no_parser: pytest.MonkeyPatch
) -> None:
    read_document(file)
    other = file.with_name("other.yaml")
    other.write_text(TEXT)
    without_parser(no_parser)

    assert read_document(other).file == str(other)
    assert read_document(other).data == {"id": "large", "title": "25mm figures"}
    assert len(entries(folder)) == 1


@pytest.mark.usefixtures("folder")
def test_changed_file_is_read_anew(file: Path) -> None:
    read_model(Scale, read_document(file))
    before = file.stat()
    file.write_text(TEXT.replace("25mm", "28mm"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert read_model(Scale, read_document(file)).title == "28mm figures"


@pytest.mark.parametrize(
    "text", ["a: [1\n", "a: 1\na: 2\n", "- a\n", "", "a: \x07\n", "a: !!int 1"]
)
def test_file_that_cannot_be_read_is_told_alike_each_time(
    folder: Path, file: Path, text: str
) -> None:
    file.write_text(text)
    told = []
    for _ in range(2):
        with pytest.raises(MusterError) as caught:
            read_document(file)
        told.append(caught.value.problems)

    assert told[0] == told[1]
    assert entries(folder) == []


def test_faults_of_a_model_are_told_alike_each_time(folder: Path, file: Path) -> None:
    file.write_text("id: Large\n\ncolour: red\n")
    told = []
    for _ in range(3):
        with pytest.raises(MusterError) as caught:
            read_model(Scale, read_document(file))
        told.append(caught.value.problems)

    assert {str(each.location).rpartition("scale.yaml")[2] for each in told[0]} == {
        ":1:1",
        ":1:5",
        ":3:1",
    }
    assert told[0] == told[1] == told[2]
    assert len(entries(folder)) == 2


SPOILS: dict[str, Any] = {
    "emptied": lambda _: b"",
    "cut": lambda held: held[:-3],
    "a letter changed": lambda held: held.replace(b"large", b"lurge").replace(b"[1,5]", b"[7,5]"),
    "no seal": lambda held: held.partition(b"\n")[2],
    "other bytes": lambda _: os.urandom(200),
    "huge": lambda held: held + b" " * cache.LARGEST_ENTRY,
    "longer": lambda held: held + b" ",
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_spoilt_entry_is_not_believed_and_is_mended(folder: Path, file: Path, spoil: Any) -> None:
    first = read_document(file)
    model, where = read_model(Scale, first), first.locate(("id",))
    sound = {path: path.read_bytes() for path in entries(folder)}
    for path, held in sound.items():
        path.write_bytes(spoil(held))

    again = read_document(file)

    assert read_model(Scale, again) == model
    assert again.locate(("id",)) == where
    assert again.data == first.data
    assert {path: path.read_bytes() for path in entries(folder)} == sound


def test_entry_under_another_name_is_not_believed(folder: Path, file: Path) -> None:
    other = file.with_name("other.yaml")
    other.write_text("id: small\ntitle: 15mm figures\n")
    read_document(other)
    (its,) = entries(folder)
    read_document(file)
    (mine,) = set(entries(folder)) - {its}

    mine.write_bytes(its.read_bytes())

    assert read_document(file).data == {"id": "large", "title": "25mm figures"}


def forge(path: Path, body: bytes) -> None:
    """Write an entry that has the right seal, as only somebody with our rights can."""
    path.write_bytes(cache._seal(path.name, body) + b"\n" + body)


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"7",
        b'{"id": 7}',
        b'{"id": null}',
        b"{not json",
        b'{"id": ' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"id": "' + b"x" * (MAX_SCALAR_LENGTH + 1) + b'"}',
        b'{"id": [' + b'"x",' * MAX_NODES + b'"x"]}',
    ],
    ids=lambda body: body[:12],
)
def test_limits_hold_for_what_was_kept_too(folder: Path, file: Path, body: bytes) -> None:
    read_document(file)
    (path,) = entries(folder)
    forge(path, body)

    assert read_document(file).data == {"id": "large", "title": "25mm figures"}


def test_text_that_was_never_fit_is_refused_even_if_its_entry_says_otherwise(
    folder: Path, file: Path
) -> None:
    file.write_text("a: 1")
    read_document(file)
    (path,) = entries(folder)
    file.write_text("a: \x07")
    entry = cache.cache_entry(b"a: \x07")
    assert entry is not None
    path.rename(folder / entry._name("data"))

    with pytest.raises(MusterError, match="cannot stand in a text"):
        _ = read_document(file).data


def test_older_muster_is_not_believed(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_document(file)
    monkeypatch.setattr(cache, "__version__", "0.0.1")
    cache.use_cache_folder(folder.parent)

    read_document(file)

    assert len(entries(folder)) == 2


def test_mark_knows_every_module_that_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "generator" / "armies" / "checks" / "count.py"
    (tmp_path / "generator" / "reading").mkdir(parents=True)
    module.parent.mkdir(parents=True)
    module.write_text("A = 1\n")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "generator" / "reading" / "cache.py"))
    before = cache.ReadCache(tmp_path).mark
    was = module.stat()

    module.write_text("A = 2\n")
    os.utime(module, ns=(was.st_atime_ns, was.st_mtime_ns))

    assert cache.ReadCache(tmp_path).mark != before


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_folder_that_others_can_write_is_left_alone(folder: Path, file: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)

    document = read_document(file)

    assert document.data["id"] == "large"
    assert entries(folder) == []


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_folder_of_somebody_else_is_left_alone(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir(parents=True)
    monkeypatch.setattr(os, "getuid", lambda: 4711)

    read_document(file)

    assert entries(folder) == []


def test_without_a_folder_everything_works(tmp_path: Path, file: Path) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be")
    cache.use_cache_folder(tmp_path / "taken")

    for _ in range(2):
        assert read_model(Scale, read_document(file)).id == "large"


def test_disk_that_is_full_is_no_fault(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)

    assert read_model(Scale, read_document(file)).id == "large"
    assert entries(folder) == []


def test_folder_is_the_users_own(folder: Path, file: Path) -> None:
    read_document(file)

    assert stat.S_IMODE(folder.stat().st_mode) & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name here")
def test_entry_that_is_a_pipe_does_not_hang(folder: Path, file: Path) -> None:
    read_document(file)
    (path,) = entries(folder)
    path.unlink()
    os.mkfifo(path)

    assert read_document(file).data["id"] == "large"


def _fill(folder: Path, count: int, size: int) -> list[Path]:
    folder.mkdir(parents=True, mode=0o700)
    paths = [folder / f"{number:02}.json" for number in range(count)]
    for age, path in enumerate(reversed(paths)):
        path.write_bytes(b" " * size)
        os.utime(path, (time.time() - 60 * (age + 1),) * 2)
    return paths


def test_bound_holds_and_the_longest_unused_goes_first(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 10_000)
    paths = _fill(folder, 20, 1000)

    read_document(file)

    left = set(entries(folder))
    assert sum(path.stat().st_size for path in left) <= 10_000
    assert paths[-1] in left
    assert paths[0] not in left
    assert len(left) > 5


def test_bound_on_the_number_holds(
    folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_ENTRIES", 8)
    _fill(folder, 20, 1)

    read_document(file)

    assert len(entries(folder)) == 6


def test_what_a_killed_process_left_is_swept(folder: Path, file: Path) -> None:
    folder.mkdir(parents=True, mode=0o700)
    old, young = folder / "a.part", folder / "b.part"
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (time.time() - 7200,) * 2)

    read_document(file)

    assert not old.exists()
    assert young.exists()


def test_entry_in_use_stays_young(folder: Path, file: Path) -> None:
    read_document(file)
    (path,) = entries(folder)
    os.utime(path, (time.time() - 200_000,) * 2)

    assert read_document(file).data
    assert time.time() - path.stat().st_mtime < 1000


def test_clear_takes_all_and_nothing_else(folder: Path, file: Path) -> None:
    read_document(file)
    size = sum(path.stat().st_size for path in entries(folder))

    assert cache.clear_cache(folder.parent) == (1, size)
    assert not folder.parent.exists()
    assert cache.clear_cache(folder.parent) == (0, 0)


def test_clear_leaves_what_is_not_ours(folder: Path, file: Path) -> None:
    read_document(file)
    (folder / "letter.txt").write_text("dear")

    assert cache.clear_cache(folder.parent)[0] == 1
    assert (folder / "letter.txt").read_text() == "dear"


def read_often(folder: Path, file: Path) -> int:
    """Read a file again and again, clearing between; give how often it was right."""
    cache.use_cache_folder(folder)
    right = 0
    for turn in range(60):
        right += read_model(Scale, read_document(file)).title == "25mm figures"
        if turn % 7 == 0:
            cache.clear_cache(folder)
    return right


@pytest.mark.slow
def test_two_processes_at_once_do_not_disturb_each_other(tmp_path: Path, file: Path) -> None:
    with get_context("spawn").Pool(2) as pool:
        found = pool.starmap(read_often, [(tmp_path / "kept", file)] * 2)

    assert found == [60, 60]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"XDG_CACHE_HOME": "/var/me"}, Path("/var/me/muster")),
        ({"XDG_CACHE_HOME": "/var/me", "MUSTER_CACHE_MB": "0"}, None),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache" / "muster"),
        ({}, Path.home() / ".cache" / "muster"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="each platform has its own folder")
def test_folder_follows_the_platform(settings: dict[str, str], expected: Path | None) -> None:
    assert cache.user_folder(settings) == expected


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("win32", "AppData/Local/muster/cache"), ("darwin", "Library/Caches/muster")],
)
def test_other_platforms_have_folders_of_their_own(
    platform: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)

    assert cache.user_folder({}) == Path.home() / expected


def test_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)

    assert cache.user_folder({}) is None


def nested(levels: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(levels - 1):
        data = {"a": data}
    return data


def test_data_within_limits_is_what_loading_gives() -> None:
    assert is_within_limits(nested(MAX_DEPTH))
    assert not is_within_limits(nested(MAX_DEPTH + 1))
    assert is_within_limits({"a": ["x" * MAX_SCALAR_LENGTH]})
    assert not is_within_limits({"a": ["x" * MAX_SCALAR_LENGTH] * 300})
    assert not is_within_limits({"x" * (MAX_SCALAR_LENGTH + 1): "a"})


def test_tree_of_places_comes_back() -> None:
    leaf = YamlNode((2, 5))
    tree = YamlNode(
        (1, 1), {"a": (1, 1), "b": (4, 1)}, {"a": leaf, "b": YamlNode((4, 3), {}, {0: leaf})}
    )

    assert node_from_json(node_to_json(tree)) == tree


@pytest.mark.parametrize(
    "found",
    [
        None,
        7,
        [],
        [1],
        [0, 1],
        ["1", "1"],
        [1, 1, 7],
        [1, 1, [7]],
        [1, 1, {"a": [1, 1]}],
        [1, 1, 1, 1],
    ],
)
def test_tree_of_another_shape_is_none(found: Any) -> None:
    assert node_from_json(found) is None


def test_tree_too_large_or_deep_is_none() -> None:
    wide = YamlNode((1, 1), {}, {number: YamlNode((1, 1)) for number in range(MAX_NODES)})
    deep: Any = [1, 1]
    for _ in range(MAX_DEPTH + 1):
        deep = [1, 1, [deep]]

    assert node_to_json(wide) is None
    assert node_from_json(deep) is None
