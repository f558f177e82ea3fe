"""Tests of the inputs of builds: which changed, whatever their dates; and of fingerprints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from muster.building import inputs as module
from muster.building.inputs import (
    MISSING_FILE,
    Inputs,
    InputState,
    content_hash,
    reliable_signature,
)
from muster.dependencies import Dependency, file_signature
from muster.rendering import fingerprint
from muster.rendering.fingerprint import templates_fingerprint

OLD_NS = 1_600_000_000_000_000_000


def written(path: Path, text: str, at: int = OLD_NS) -> Dependency:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(at, at))
    return Dependency(str(path))


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the signature of every file reliable, however new the file is."""
    monkeypatch.setattr(module, "_RECENT_NS", -1)


def remembered(*dependencies: Dependency) -> Inputs:
    known = Inputs()
    known.remember(
        {part: file_signature(part.path) if not part.pattern else () for part in dependencies}
    )
    return Inputs(known.states)


def test_file_that_is_as_it_was_is_not_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = written(tmp_path / "a", "x")
    known = remembered(part)

    def refuse(_: Dependency) -> str:
        raise AssertionError("read")

    monkeypatch.setattr(module, "content_hash", refuse)

    assert not known.changed(part)
    assert not known.touched


def test_touched_file_that_holds_the_same_is_remembered_as_it_is_now(tmp_path: Path) -> None:
    part = written(tmp_path / "a", "x")
    known = remembered(part)
    (tmp_path / "a").touch()

    assert not known.changed(part)
    assert known.touched
    assert known.states[part].signature == file_signature(part.path)


@pytest.mark.parametrize("change", ["other", "gone", "same size and time", "new"])
def test_other_content_is_a_change(change: str, tmp_path: Path) -> None:
    part = written(tmp_path / "a", "x")
    known = remembered(part)
    match change:
        case "other":
            written(tmp_path / "a", "xyz")
        case "gone":
            (tmp_path / "a").unlink()
        case "same size and time":
            written(tmp_path / "a", "y")
        case _:
            known = Inputs()

    assert known.changed(part)


def test_file_that_comes_where_none_was_is_a_change(tmp_path: Path) -> None:
    part = Dependency(str(tmp_path / "a"))
    known = remembered(part)
    again = Inputs(dict(known.states))
    written(tmp_path / "a", "x")

    assert known.states[part].content == MISSING_FILE
    assert Inputs(dict(known.states)).changed(part)
    (tmp_path / "a").unlink()
    assert not again.changed(part)


@pytest.mark.parametrize(
    ("pattern", "change", "changed"),
    [
        ("*.yaml", "b.yaml", True),
        ("*.yaml", "b.txt", False),
        ("*", "b.txt", True),
        ("*/system.yaml", "deep/system.yaml", True),
        ("*/system.yaml", "deep/other.yaml", False),
        ("books", "books/a", True),
    ],
)
def test_names_in_a_folder_change_with_those_that_match(
    pattern: str, change: str, changed: object, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").touch()
    part = Dependency(str(tmp_path), pattern)
    known = remembered(part)
    (tmp_path / change).parent.mkdir(exist_ok=True)
    (tmp_path / change).touch()
    (tmp_path / "a.yaml").write_text("other words", encoding="utf-8")

    assert known.changed(part) is changed


def test_folder_that_is_not_there_has_no_names(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    none = content_hash(Dependency(str(tmp_path / "none"), "*"))

    assert none == content_hash(Dependency(str(tmp_path / "empty"), "*"))


def test_file_that_was_changed_while_it_was_read_counts_as_changed(tmp_path: Path) -> None:
    part = written(tmp_path / "a", "x")
    before = file_signature(part.path)
    written(tmp_path / "a", "other")
    known = Inputs()

    known.remember({part: before})

    assert known.states[part] == InputState(before, "")
    assert Inputs(known.states).changed(part)


def test_unchanged_file_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = written(tmp_path / "a", "x")
    known = remembered(part)

    def refuse(_: Dependency) -> str:
        raise AssertionError("read")

    monkeypatch.setattr(module, "content_hash", refuse)
    known.remember({part: file_signature(part.path)})

    assert not known.changed(part)


def test_signature_of_a_file_written_just_now_is_not_relied_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_RECENT_NS", 50)
    monkeypatch.setattr(module, "time_ns", lambda: 1000)

    assert reliable_signature((1, 900, 900, 5)) == (1, 900, 900, 5)
    assert reliable_signature((1, 960, 900, 5)) == ()
    assert reliable_signature((1, 900, 960, 5)) == ()
    assert reliable_signature(()) == ()


def test_templates_fingerprint_changes_with_name_content_and_folder(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    (one / "a.css").write_text("a", encoding="utf-8")
    fingerprints = [
        templates_fingerprint([one, two]),
        templates_fingerprint([two, one]),
        templates_fingerprint([one]),
    ]
    (one / "a.css").write_text("b", encoding="utf-8")
    fingerprints.append(templates_fingerprint([one, two]))
    (one / "a.css").rename(one / "b.css")
    fingerprints.append(templates_fingerprint([one, two]))

    assert len(set(fingerprints)) == 5


def test_templates_fingerprint_does_not_change_with_starting_points(tmp_path: Path) -> None:
    before = templates_fingerprint([tmp_path])
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "army.yaml").touch()

    assert templates_fingerprint([tmp_path]) == before


def test_templates_fingerprint_changes_with_the_renderers_and_with_what_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = templates_fingerprint([tmp_path])
    monkeypatch.setattr(fingerprint, "_installed_version", lambda _: "0")
    newer = templates_fingerprint([tmp_path])
    monkeypatch.setattr(fingerprint, "_RENDERERS_FOLDER", tmp_path)

    assert len({before, newer, templates_fingerprint([tmp_path])}) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")
def test_pipe_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert module.file_hash(str(tmp_path / "pipe")) == MISSING_FILE


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no such device")
def test_endless_device_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")

    assert module.file_hash(str(tmp_path / "zero")) == MISSING_FILE


def test_file_that_is_larger_than_any_input_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 40)

    assert content_hash(Dependency(str(tmp_path / "large"))) == MISSING_FILE
    assert module.file_hash(str(tmp_path / "large")) == MISSING_FILE
