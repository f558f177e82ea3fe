"""Test that XML from strangers is read as elements with lines, or refused with a word."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from muster.exchange.safe_xml import read_xml_files
from muster.problems import MusterError

SUFFIXES = (".gst", ".cat")


def refused(path: Path) -> tuple[str, str]:
    with pytest.raises(MusterError) as caught:
        read_xml_files([path], SUFFIXES)
    (problem,) = caught.value.problems
    return problem.code, problem.render()


def test_elements_know_their_lines_and_attributes_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "a.cat"
    file.write_text('<a>\n <b name="x&#10;y"/>\n <c>text</c>\n</a>', encoding="utf-8")
    (root,) = read_xml_files([file], SUFFIXES)

    (b,) = root.all("b")
    (c,) = root.all("c")
    assert (b.line, b.get("name"), c.line, c.text) == (2, "x y", 3, "text")


def test_entities_are_refused_before_they_grow(tmp_path: Path) -> None:
    file = tmp_path / "a.cat"
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    file.write_text(f'<!DOCTYPE a [<!ENTITY e0 "ha">{bomb}]>\n<a>&e8;</a>', encoding="utf-8")

    assert refused(file)[0] == "bad-xml"


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<?xml-stylesheet href="a.xsl"?><a/>',
        "<a>&unknown;</a>",
        "<a><b></a>",
        "",
    ],
)
def test_what_could_fetch_or_is_no_xml_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.cat"
    file.write_text(text, encoding="utf-8")

    assert refused(file)[0] in {"bad-xml", "not-xml"}


def test_too_deep_and_too_many_elements_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep, many = tmp_path / "deep.cat", tmp_path / "many.cat"
    deep.write_text("<a>" * 5000 + "</a>" * 5000, encoding="utf-8")
    many.write_text(f"<a>{'<b/>' * 200}</a>", encoding="utf-8")
    monkeypatch.setattr("muster.exchange.safe_xml.MAX_XML_ELEMENTS", 150)

    assert refused(many)[0] == "too-many-elements"
    assert refused(deep)[0] == "too-deep"


def test_zip_bomb_is_refused_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster.exchange.safe_xml.MAX_XML_MIB", 1)
    file = tmp_path / "bomb.catz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.cat", b"<a>" + b" " * (8 * 1024 * 1024) + b"</a>")

    code, text = refused(file)
    assert (code, file.stat().st_size < 50_000) == ("file-too-large", True)
    assert "larger than 1 MiB together" in text


def test_file_larger_than_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster.exchange.safe_xml.MAX_XML_MIB", 1)
    file = tmp_path / "large.cat"
    file.write_bytes(b"<a>" + b" " * (2 * 1024 * 1024) + b"</a>")

    assert refused(file)[0] == "file-too-large"


def test_zipped_file_with_too_many_files_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "many.bsr"
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(600):
            archive.writestr(f"{number}.cat", "<a/>")

    assert refused(file)[0] == "too-many-files"


def test_zipped_file_that_is_cut_off_or_empty_is_refused(tmp_path: Path) -> None:
    whole, cut, other = tmp_path / "whole.catz", tmp_path / "cut.catz", tmp_path / "o.catz"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a.cat", "<a/>" * 99)
    cut.write_bytes(whole.read_bytes()[:200])
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("../../readme.txt", "x")

    assert refused(cut)[0] == "bad-zip"
    assert refused(other)[0] == "no-data"


def test_zipped_files_are_read_by_their_suffix(tmp_path: Path) -> None:
    file = tmp_path / "all.bsr"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("index.xml", "<index/>")
        archive.writestr("../a.CAT", "<a/>")
        archive.writestr("b.gst", "<b/>")

    assert [root.name for root in read_xml_files([file], SUFFIXES)] == ["a", "b"]


def test_characters_that_no_file_may_hold_become_spaces(tmp_path: Path) -> None:
    file = tmp_path / "a.cat"
    file.write_text('<a name="x\u2028y\u0085z"/>', encoding="utf-8")
    (root,) = read_xml_files([file], SUFFIXES)

    assert root.get("name") == "x y z"


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.cat"
    file.write_bytes('<?xml version="1.0" encoding="utf-16"?><a/>'.encode("utf-16"))

    assert refused(file)[0] == "not-utf-8"
