"""Tests of the record of builds: it is read back whole, or counts as empty."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson
import pytest

from muster.building import inputs as inputs_module
from muster.building import record as record_module
from muster.building.jobs import SystemSummary
from muster.building.record import (
    FORMAT_VERSION,
    MAX_REQUESTS,
    GroupRecord,
    IndexRecord,
    ListedArmy,
    ListedFile,
    Output,
    Record,
    RequestRecord,
)
from muster.dependencies import Dependency, file_signature


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the signature of every file reliable, however new the file is."""
    monkeypatch.setattr(inputs_module, "_RECENT_NS", -1)


def output(path: Path, text: str = "page") -> Output:
    path.write_text(text, encoding="utf-8")
    content = inputs_module.file_hash(str(path))
    return Output(
        "print", content, len(text), 2, 0.5, "club/x", file_signature(path), {"size": 7.5}
    )


def filled(out: Path) -> Record:
    record = Record(out)
    record.outputs["a.pdf"] = output(out / "a.pdf")
    part, folder = Dependency(str(out / "a.pdf")), Dependency(str(out), "*.yaml")
    record.inputs.remember({part: file_signature(part.path), folder: ()})
    group = GroupRecord([part], [{"path": "a.pdf"}], [{"id": "first"}])
    request = RequestRecord([part, folder], [folder], [], "mark", {"club/x": group}, ["a.pdf"])
    request.illegal = [("First", "club", 2)]
    record.remember("key", request)
    record.index.files["a.pdf"] = ListedFile("club", "x", "roster", "A", "pdf", "A4", 4, 2)
    record.index.systems["club"] = SystemSummary("club", "Club", "1.0", "#16181c", "")
    record.index.armies["club/x"] = ListedArmy("X", True, "107", "120", 0)  # noqa: FBT003
    return record


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../secret.pdf", "a/../../secret.pdf", "C:/a.pdf", "\\\\host\\a.pdf", ""],
)
def test_record_that_names_a_file_elsewhere_counts_as_empty(tmp_path: Path, name: str) -> None:
    record = filled(tmp_path)
    record.outputs[name] = record.outputs["a.pdf"]
    record.save()

    assert Record(tmp_path).outputs == {}


def test_forged_record_removes_nothing_outside_the_output_folder(tmp_path: Path) -> None:
    out = tmp_path / "build"
    out.mkdir()
    record = filled(out)
    record.outputs["../mine.pdf"] = output(tmp_path / "mine.pdf")
    record.save()

    record_module.clean(out)

    assert (tmp_path / "mine.pdf").is_file()


@pytest.mark.parametrize("link", [".muster", ".muster/cache", "club"])
@pytest.mark.parametrize("cache_only", [True, False], ids=["cache", "all"])
def test_clean_follows_no_link(tmp_path: Path, link: str, *, cache_only: bool) -> None:
    out, elsewhere = tmp_path / "build", tmp_path / "elsewhere"
    (elsewhere / "cache" / "ab").mkdir(parents=True)
    mine = elsewhere / "cache" / "ab" / "mine.bin"
    mine.write_bytes(b"x" * 100)
    out.mkdir()
    if link == "club":
        record = filled(out)
        record.outputs["club/mine.pdf"] = output(elsewhere / "mine.pdf")
        record.save()
    (out / link).parent.mkdir(parents=True, exist_ok=True)
    (out / link).symlink_to(elsewhere, target_is_directory=True)

    try:
        record_module.clean(out, cache_only=cache_only)
    except OSError as error:
        assert "not followed" in str(error)  # noqa: PT017 - one of two ways to leave it alone

    assert mine.is_file()
    assert (elsewhere / "mine.pdf").is_file() == (link == "club")


def test_record_is_read_back_whole(tmp_path: Path) -> None:
    record = filled(tmp_path)
    record.save()

    again = Record(tmp_path)

    assert again.outputs == record.outputs
    assert again.inputs.states == record.inputs.states
    assert again.index == record.index
    assert again.requests["key"].plan_inputs == record.requests["key"].plan_inputs
    assert again.requests["key"].groups == record.requests["key"].groups
    assert [tuple(each) for each in again.requests["key"].illegal] == [("First", "club", 2)]


EMPTY_INDEX: dict[str, Any] = {"files": {}, "systems": {}, "armies": {}}
REQUEST = {"plan_inputs": [0], "program_inputs": [], "template_inputs": [], "groups": {}}
FILE: dict[str, Any] = {
    "system": "club",
    "army": "",
    "kind": "sheet",
    "title": "A",
    "format": "pdf",
}
FILE |= {"paper": "a4", "size": 1, "pages": 1}
OUTPUT: dict[str, Any] = {"fingerprint": "f", "content": "c", "size": 1, "pages": 2, "seconds": 1}
SOUND: dict[str, Any] = {
    "version": FORMAT_VERSION,
    "outputs": {},
    "index": EMPTY_INDEX,
    "inputs": [["/a", "", [], "hash"]],
    "requests": {"k": REQUEST},
}


def written(out: Path, content: bytes) -> Record:
    """Write a record with its hash, and read it."""
    (out / ".muster").mkdir()
    digest = record_module._digest(content)
    (out / ".muster" / "record.json").write_bytes(digest + b"\n" + content)
    return Record(out)


def test_output_written_by_hand_is_read(tmp_path: Path) -> None:
    outputs = {"a.pdf": OUTPUT}
    index = {**EMPTY_INDEX, "files": {"a.pdf": FILE}}

    record = written(tmp_path, orjson.dumps({**SOUND, "outputs": outputs, "index": index}))

    assert record.outputs["a.pdf"].pages == 2
    assert list(record.index.files) == ["a.pdf"]


def test_pipe_in_place_of_the_record_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / ".muster").mkdir()
    os.mkfifo(tmp_path / ".muster" / "record.json")

    assert Record(tmp_path).outputs == {}


def test_record_written_by_hand_is_read(tmp_path: Path) -> None:
    assert list(written(tmp_path, orjson.dumps(SOUND)).requests) == ["k"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"[]", id="list"),
        pytest.param(b"{}", id="no version"),
        pytest.param(b"\xff", id="no text"),
        pytest.param({"version": 1}, id="old version"),
        pytest.param({"outputs": []}, id="outputs are a list"),
        pytest.param({"outputs": {"a.pdf": {"size": 3}}}, id="output without its parts"),
        pytest.param({"index": {"files": []}}, id="index without systems"),
        pytest.param({"index": {**EMPTY_INDEX, "files": {"a": {}}}}, id="file without its parts"),
        pytest.param({"index": {**EMPTY_INDEX, "files": {"javascript:a": FILE}}}, id="address"),
        pytest.param({"index": {**EMPTY_INDEX, "files": {"../a": FILE}}}, id="listed elsewhere"),
        pytest.param({"outputs": {"a.pdf": OUTPUT | {"pages": "2"}}}, id="pages are text"),
        pytest.param({"outputs": {"a.pdf": OUTPUT | {"sizes": {"a": 1e9}}}}, id="huge size"),
        pytest.param({"outputs": {"a.pdf": OUTPUT | {"sizes": {"a": None}}}}, id="size of nothing"),
        pytest.param({"requests": {"k": REQUEST | {"illegal": [1]}}}, id="no triple"),
        pytest.param({"requests": {"k": REQUEST | {"paths": 1}}}, id="paths are a number"),
        pytest.param({"inputs": [["a"]]}, id="short input"),
        pytest.param({"inputs": []}, id="unknown number of an input"),
        pytest.param({"requests": {"k": {"plan_inputs": "x"}}}, id="request without its parts"),
    ],
)
def test_broken_record_counts_as_empty(content: bytes | dict[str, Any], tmp_path: Path) -> None:
    if isinstance(content, dict):
        content = orjson.dumps({**SOUND, **content})

    record = written(tmp_path, content)

    assert (record.outputs, record.requests, record.inputs.states) == ({}, {}, {})
    assert record.index == IndexRecord()


@pytest.mark.parametrize("at", [0, 10, 70, -1])
def test_record_with_a_wrong_byte_counts_as_empty(at: int, tmp_path: Path) -> None:
    filled(tmp_path).save()
    path = tmp_path / ".muster" / "record.json"
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)

    assert Record(tmp_path).outputs == {}


def test_record_of_another_version_counts_as_empty(tmp_path: Path) -> None:
    filled(tmp_path).save()
    path = tmp_path / ".muster" / "record.json"
    data = orjson.loads(path.read_bytes().partition(b"\n")[2])
    other = orjson.dumps({**data, "version": FORMAT_VERSION + 1})
    path.write_bytes(record_module._digest(other) + b"\n" + other)

    assert Record(tmp_path).outputs == {}


def test_requests_are_forgotten_oldest_first(tmp_path: Path) -> None:
    record = Record(tmp_path)
    for n in range(MAX_REQUESTS + 1):
        record.remember(str(n), RequestRecord())
    record.remember("1", RequestRecord())
    record.save()

    assert list(Record(tmp_path).requests) == [*(str(n) for n in range(2, MAX_REQUESTS + 1)), "1"]


def test_input_that_no_request_uses_is_forgotten(tmp_path: Path) -> None:
    record = filled(tmp_path)
    record.requests.clear()
    record.save()

    assert Record(tmp_path).inputs.states == {}


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ("nothing", "whole"),
        ("touched", "whole"),
        ("other", "altered"),
        ("same size", "altered"),
        ("gone", "missing"),
    ],
)
def test_output_is_known_by_signature_then_by_content(
    change: str, state: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.pdf"
    made = output(path)
    match change:
        case "touched":
            os.utime(path, ns=(5, 5))
        case "other":
            path.write_text("more pages", encoding="utf-8")
        case "same size":
            path.write_text("egap", encoding="utf-8")
        case "gone":
            path.unlink()

    assert made.state(path) == state
    assert made.touched == (change == "touched")
    if state == "whole":
        assert made.signature == file_signature(path)


def test_outputs_are_whole_if_all_are(tmp_path: Path) -> None:
    record = filled(tmp_path)

    assert record.all_whole(tmp_path, ["a.pdf"])
    assert not record.all_whole(tmp_path, ["a.pdf", "b.pdf"])
    assert not record.touched
    (tmp_path / "a.pdf").touch()
    assert record.all_whole(tmp_path, ["a.pdf"])
    assert record.touched
