"""Owns the facts about books for a press or an archive: boxes, the bleed, what is attached.

Does not try the pages; `tests/pages` does.
"""

from __future__ import annotations

import json
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import page
import pytest
from pypdf import PdfReader

from generator.documents.rulebook import gather_rulebook
from generator.rendering.rulebook import rulebook_pdf
from generator.rendering.studio import Studio
from generator.systems import open_system
from tests.pages.printed import MM
from tests.scaffold import lay_out

EDITION = 'id: road\ntitle: Road\ndate: "2025-01-31"\npaper: a5\n'
A5 = (0, 0, 148, 210)


def print_book(studio: Studio, folder: Path, said: str) -> bytes:
    """Print an edition of the club's rules."""
    shutil.rmtree(folder / "content", ignore_errors=True)
    lay_out(folder)
    system_folder = folder / "content" / "club"
    (system_folder / "editions").mkdir(exist_ok=True)
    (system_folder / "editions" / "road.yaml").write_text(EDITION + said, encoding="utf-8")
    system = open_system(system_folder)
    return rulebook_pdf(studio, gather_rulebook(system, system.edition("road")), {}).data


def boxes(data: bytes) -> dict[str, set[tuple[float, ...]]]:
    """Give the boxes of all pages in millimetres."""
    pages = PdfReader(BytesIO(data)).pages
    return {
        name: {tuple(round(float(each) / MM, 2) for each in getattr(page, name)) for page in pages}
        for name in ("mediabox", "trimbox", "bleedbox")
    }


def grown(by: float) -> set[tuple[float, ...]]:
    return {(-by, -by, A5[2] + by, A5[3] + by)}


@pytest.mark.parametrize(
    ("said", "paper", "bleed"),
    [
        ("", 0, 0),
        ("bleed: 3 mm\n", 3, 3),
        ("crop: true\n", 6, 0),
        ("bleed: 3 mm\ncrop: true\n", 9, 3),
        ("bleed: 8.5mm\ncrop: true\n", 17, 8.5),
    ],
)
def test_trim_bleed_and_paper_are_as_the_edition_says(
    said: str, paper: float, bleed: float, studio: Studio, tmp_path: Path
) -> None:
    found = boxes(print_book(studio, tmp_path, said))

    assert found == {"mediabox": grown(paper), "trimbox": grown(0), "bleedbox": grown(bleed)}


def test_ground_of_the_cover_reaches_into_the_bleed_and_no_further(
    studio: Studio, tmp_path: Path
) -> None:
    data = print_book(studio, tmp_path, "bleed: 3 mm\ncrop: true\n")

    content = PdfReader(BytesIO(data)).pages[0].get_contents()
    assert content is not None
    grounds = [
        [float(each) * 0.75 / MM for each in words[:4]]
        for words in map(str.split, content.get_data().decode("latin-1").splitlines())
        if words[-1:] == ["re"] and len(words) == 5
    ]
    assert any([round(each, 1) for each in ground] == [-3, -3, 154, 216] for ground in grounds), (
        grounds
    )


def test_archive_is_pdf_a_3_and_holds_the_data_once(studio: Studio, tmp_path: Path) -> None:
    data = print_book(studio, tmp_path, "pdf: a-3\n")

    (tmp_path / "archive.pdf").write_bytes(data)
    profile = page.ValidationProfile.PDF_A_3A
    report = page.validate_pdf(tmp_path / "archive.pdf", profile=profile)
    assert [each.message for each in report.failures] == []
    reader = PdfReader(BytesIO(data))
    (held,) = reader.attachments["club.json"]
    assert json.loads(held)["system"]["id"] == "club"
    files: Any = reader.root_object["/AF"]
    assert [each.get_object()["/AFRelationship"] for each in files] == ["/Data"]


def test_archive_is_the_same_twice(studio: Studio, tmp_path: Path) -> None:
    first = print_book(studio, tmp_path, "pdf: a-3\n")

    assert print_book(studio, tmp_path, "pdf: a-3\n") == first
    assert b"/CreationDate" not in first


def test_what_a_book_is_printed_for_does_not_change_what_it_says(tmp_path: Path) -> None:
    lay_out(tmp_path)
    folder = tmp_path / "content" / "club"
    (folder / "editions").mkdir(exist_ok=True)
    digests = set()
    for said in ("", "bleed: 3 mm\n", "pdf: a-3\n"):
        (folder / "editions" / "road.yaml").write_text(EDITION + said, encoding="utf-8")
        system = open_system(folder)
        digests.add(gather_rulebook(system, system.edition("road")).digest)

    assert len(digests) == 1
