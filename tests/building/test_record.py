"""Owns the facts about what a build remembers: it comes back whole, or counts as empty.

Does not build anything.
"""

from __future__ import annotations

import os
from pathlib import Path

import orjson
import pytest

from muster.building import inputs as parts_module
from muster.building import record as record_module
from muster.building.record import FORMAT_VERSION, MAX_REQUESTS, Output, Record, RequestRecord
from muster.dependencies import Dependency, file_signature


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be relied on by its signature."""
    monkeypatch.setattr(parts_module, "_RECENT_NS", -1)


def output(path: Path, text: str = "page") -> Output:
    path.write_text(text, encoding="utf-8")
    content = parts_module.file_hash(str(path))
    return Output(
        "print", content, len(text), 2, 0.5, "club/x", file_signature(path), {"size": 7.5}
    )


def filled(out: Path) -> Record:
    record = Record(out)
    record.outputs["a.pdf"] = output(out / "a.pdf")
    part, folder = Dependency(str(out / "a.pdf")), Dependency(str(out), "*.yaml")
    record.inputs.remember({part: file_signature(part.path), folder: ()})
    unit = {"uses": [part], "jobs": [], "armies": []}
    asked = RequestRecord([part, folder], [folder], [], "mark", {"club/x": unit}, ["a.pdf"])
    asked.illegal = [("First", "club", 2)]
    record.remember("key", asked)
    return record


def test_record_comes_back(tmp_path: Path) -> None:
    record = filled(tmp_path)
    record.save()

    again = Record(tmp_path)

    assert again.outputs == record.outputs
    assert again.inputs.states == record.inputs.states
    assert again.requests["key"].plan_inputs == record.requests["key"].plan_inputs
    assert again.requests["key"].groups == record.requests["key"].groups
    assert [tuple(each) for each in again.requests["key"].illegal] == [("First", "club", 2)]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"shape": 1}',
        b'{"shape": 2, "outputs": [], "parts": [], "asked": {}}',
        b'{"shape": 2, "outputs": {"a.pdf": {"size": 3}}, "parts": [], "asked": {}}',
        b'{"shape": 2, "outputs": {}, "parts": [["a"]], "asked": {}}',
        b'{"shape": 2, "outputs": {}, "parts": [], "asked": {"k": {"uses": [1], "program": []}}}',
        b'{"shape": 2, "outputs": {}, "parts": [], "asked": {"k": {"uses": "x"}}}',
    ],
)
def test_broken_record_counts_as_empty(text: bytes, tmp_path: Path) -> None:
    (tmp_path / ".muster").mkdir()
    (tmp_path / ".muster" / "record.json").write_bytes(record_module._digest(text) + b"\n" + text)

    record = Record(tmp_path)

    assert (record.outputs, record.requests, record.inputs.states) == ({}, {}, {})


@pytest.mark.parametrize("at", [0, 10, 70, -1])
def test_record_with_a_wrong_byte_counts_as_empty(at: int, tmp_path: Path) -> None:
    filled(tmp_path).save()
    path = tmp_path / ".muster" / "record.json"
    held = bytearray(path.read_bytes())
    held[at] ^= 1
    path.write_bytes(held)

    assert Record(tmp_path).outputs == {}


def test_record_of_another_shape_counts_as_empty(tmp_path: Path) -> None:
    filled(tmp_path).save()
    path = tmp_path / ".muster" / "record.json"
    data = orjson.loads(path.read_bytes().partition(b"\n")[2])
    other = orjson.dumps({**data, "shape": FORMAT_VERSION + 1})
    path.write_bytes(record_module._digest(other) + b"\n" + other)

    assert Record(tmp_path).outputs == {}


def test_calls_are_forgotten_oldest_first(tmp_path: Path) -> None:
    record = Record(tmp_path)
    for n in range(MAX_REQUESTS + 1):
        record.remember(str(n), RequestRecord())
    record.remember("1", RequestRecord())
    record.save()

    assert list(Record(tmp_path).requests) == [*(str(n) for n in range(2, MAX_REQUESTS + 1)), "1"]


def test_part_that_nothing_is_made_of_any_more_is_forgotten(tmp_path: Path) -> None:
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
