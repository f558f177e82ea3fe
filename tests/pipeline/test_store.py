"""Owns the facts about files that appear whole or not at all, and the record of a build.

Does not build anything.
"""

import os
from pathlib import Path

import pytest

from generator.pipeline.store import Record, sweep, write_whole


def test_file_is_written_with_its_folders(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b.txt", b"whole")

    assert (tmp_path / "a" / "b.txt").read_bytes() == b"whole"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]


def test_file_takes_the_place_of_another(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    write_whole(tmp_path / "a", b"new")

    assert (tmp_path / "a").read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "fdopen"])
def test_full_disk_leaves_the_old_file_and_nothing_half(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    opened: list[int] = []

    def refuse(handle: int, *_: object) -> None:
        opened.append(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, refuse)

    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a", b"new")

    if step == "fdopen":
        os.close(opened[0])
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_interrupted_writing_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", b"new")

    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_build_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".a.pdf.x1.muster-part").touch()
    (tmp_path / "deep" / "a.pdf").touch()

    sweep(tmp_path)

    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.pdf"]


def test_record_comes_back(tmp_path: Path) -> None:
    record = Record(tmp_path / "record.json")
    output = {"fingerprint": "f", "size": 3, "pages": 1, "seconds": 0.5}
    record.outputs["a.pdf"] = output
    record.sizes["sheet"] = 7.5
    record.save()

    again = Record(tmp_path / "record.json")

    assert (again.outputs, again.sizes) == ({"a.pdf": output}, {"sheet": 7.5})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"shape": 0}',
        '{"shape": 1, "outputs": [], "sizes": {}}',
        '{"shape": 1, "outputs": {}, "sizes": {"a": "b"}}',
        '{"shape": 1, "outputs": {"a.pdf": {"size": 3}}, "sizes": {}}',
    ],
)
def test_broken_record_counts_as_empty(text: str, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text(text, encoding="utf-8")

    record = Record(tmp_path / "record.json")

    assert (record.outputs, record.sizes) == ({}, {})
