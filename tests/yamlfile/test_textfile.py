"""Test files that are not readable text: missing, of another kind, too large, not UTF-8."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path
from time import perf_counter

import pytest

from muster.problems import MusterError, Problem
from muster.yamlfile import read_document, read_text
from muster.yamlfile.textfile import LARGEST_FILE, check_text

SLOWEST = 2.0


def fault(path: Path | str) -> Problem:
    begun = perf_counter()
    with pytest.raises(MusterError) as caught:
        read_text(path, shown_as="army.yaml")
    assert perf_counter() - begun < SLOWEST
    (problem,) = caught.value.problems
    assert problem.location.file == "army.yaml"
    assert problem.render()
    return problem


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        pytest.param(b"title: \xff", (1, 8), id="a byte that never occurs"),
        pytest.param(b"a: 1\nb: M\xfcller", (2, 5), id="latin-1"),
        pytest.param("ä: ö\nb: ".encode() + b"\xc3", (2, 4), id="cut off"),
        pytest.param("ä: ".encode() + b"\x80", (1, 4), id="stray continuation"),
        pytest.param(b"a: \xc0\xaf", (1, 4), id="overlong"),
        pytest.param(b"a: \xed\xa0\x80", (1, 4), id="surrogate"),
        pytest.param(b"a: \xf5\x80\x80\x80", (1, 4), id="beyond Unicode"),
        pytest.param(b"\xef\xbb\xbfa: \xff", (1, 4), id="behind a byte order mark"),
        pytest.param(b"a: 1\r\nb: \xff", (2, 4), id="behind CRLF"),
        pytest.param("title: A".encode("utf-16"), (1, 1), id="UTF-16"),
        pytest.param("title: A".encode("utf-16-be").join([b"\xfe\xff", b""]), (1, 1), id="BE"),
    ],
)
def test_bytes_that_are_no_utf_8_are_told_at_the_first(
    raw: bytes, place: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "army.yaml"
    path.write_bytes(raw)

    problem = fault(path)

    assert problem.code == "not-utf-8"
    assert (problem.location.line, problem.location.column) == place


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        pytest.param(b"a: \0", (1, 4), id="NUL"),
        pytest.param("title: A".encode("utf-16-le"), (1, 2), id="UTF-16 without mark"),
        pytest.param(b"a: 1\nb: \x1b[2J", (2, 4), id="escape"),
        pytest.param(b"a: 1\rb: \x07", (2, 4), id="bell behind CR"),
        pytest.param(b"a: \x7f", (1, 4), id="delete"),
        pytest.param("a: \x85".encode(), (1, 4), id="next line"),
        pytest.param("a: \x9b".encode(), (1, 4), id="C1 control"),
        pytest.param("ä: \u2028".encode(), (1, 4), id="line separator"),
        pytest.param("ä: \u2029".encode(), (1, 4), id="paragraph separator"),
        pytest.param("a: \ufeff".encode(), (1, 4), id="byte order mark within"),
        pytest.param("\ufeff\ufeffa: 1".encode(), (1, 1), id="two byte order marks"),
        pytest.param("a: \uffff".encode(), (1, 4), id="no character"),
    ],
)
def test_control_characters_are_told_at_the_first(
    raw: bytes, place: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "army.yaml"
    path.write_bytes(raw)

    problem = fault(path)

    assert problem.code == "bad-character"
    assert (problem.location.line, problem.location.column) == place


def test_a_lone_surrogate_in_text_is_a_bad_character() -> None:
    with pytest.raises(MusterError) as caught:
        check_text("a: 1\nb: \ud800", "army.yaml")

    (problem,) = caught.value.problems
    assert (problem.code, problem.location.line, problem.location.column) == ("bad-character", 2, 4)
    assert problem.line_text == "b: \ud800"


@pytest.mark.parametrize("raw", ["a: 1\r\n", "", "a: ½ × 8″ ’“” \u202f– 将軍 🎲\n", "a:\tb\n"])
def test_text_comes_as_it_was_written(raw: str, tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    path.write_bytes(raw.encode())

    assert read_text(path) == raw


def test_a_byte_order_mark_at_the_head_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    path.write_bytes(b"\xef\xbb\xbftitle: A\n")

    assert read_text(path) == "title: A\n"


@pytest.mark.parametrize(("extra", "fits"), [(0, True), (1, False), (3 * 1024 * 1024, False)])
def test_a_file_of_two_mebibytes_is_the_largest(extra: int, tmp_path: Path, *, fits: bool) -> None:
    path = tmp_path / "army.yaml"
    path.write_bytes(b"[" * (LARGEST_FILE + extra))

    if fits:
        assert len(read_text(path)) == LARGEST_FILE
    else:
        assert fault(path).code == "file-too-large"


def test_a_file_that_says_to_be_empty_is_still_read_up_to_the_limit() -> None:
    # Files below /proc say that they have no bytes.
    path = Path("/proc/self/status")
    if not path.exists():
        pytest.skip("this system has no /proc")

    assert read_text(path)


def test_large_text_is_counted_in_bytes() -> None:
    with pytest.raises(MusterError) as caught:
        check_text("é" * (LARGEST_FILE // 2 + 1), "army.yaml")

    assert caught.value.problems[0].code == "file-too-large"
    assert check_text("é" * (LARGEST_FILE // 2), "army.yaml")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.yaml").code == "missing-file"


def test_a_file_within_a_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "army.yaml").write_text("a: 1")

    assert fault(tmp_path / "army.yaml" / "x.yaml").code == "missing-file"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert fault(tmp_path).code == "not-a-file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_no_file_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "army.yaml")

    assert fault(tmp_path / "army.yaml").code == "not-a-file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_that_took_the_place_of_a_file_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "army.yaml"
    os.mkfifo(path)
    regular = os.stat_result((stat.S_IFREG, *[0] * 9))
    monkeypatch.setattr(Path, "stat", lambda *_, **__: regular)

    assert fault(path).code == "not-a-file"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets")
def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The path of a socket must be short, so it is made from within its folder.
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("s")

        assert fault(tmp_path / "s").code == "not-a-file"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_no_file(device: str) -> None:
    if not Path(device).exists():
        pytest.skip("this system has no such device")

    assert fault(device).code == "not-a-file"


def test_a_link_to_itself_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    path.symlink_to(path)

    assert fault(path).code == "unreadable-file"


def test_a_refusal_of_the_system_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "army.yaml"
    path.write_text("a: 1")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)

    problem = fault(path)

    assert problem.code == "unreadable-file"
    assert "Permission denied" in problem.text


@pytest.mark.parametrize("name", ["a\0b.yaml", "x" * 5000])
def test_a_name_that_no_file_can_have_is_told(name: str, tmp_path: Path) -> None:
    assert fault(tmp_path / name).code == "unreadable-file"


def test_a_file_is_called_by_its_path_unless_told_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"

    with pytest.raises(MusterError) as caught:
        read_text(str(path))
    with pytest.raises(MusterError) as shown:
        read_document(path, shown_as="armies/none.yaml")

    assert caught.value.problems[0].location.file == str(path)
    assert shown.value.problems[0].location.file == "armies/none.yaml"
