"""Tests of what a rulebook has on its cover and above its chapters."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from muster.documents.rulebook import Rulebook, gather_rulebook
from muster.limits import MAX_PICTURE_KIB
from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.lint import lint_system
from tests.picture_samples import SVG, raster
from tests.scaffold import spoil

EDITION = 'id: road\ntitle: Road\ndate: "2025-01-31"\n'
PICTURES = """\
cover:
  picture: {file: front.svg, alt: A road, credit: By hand}
  logo: {file: logo.svg, alt: A wheel}
chapter_pictures:
  morale: {file: flight.svg, alt: Men who run}
"""


def road(content: Path, text: str, *pictures: str) -> Rulebook:
    """Return the rulebook of an edition with some text, beside which some pictures lie."""
    folder = content / "editions"
    (folder / "road.yaml").write_text(EDITION + text, encoding="utf-8")
    for number, name in enumerate(pictures):
        svg = SVG.replace("M0 0", f"M0 {number}")
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    system = open_system(content)
    return gather_rulebook(system, system.edition("road"))


def test_cover_has_the_look_of_its_system_and_the_editions_own_colours(content: Path) -> None:
    own_scene = 'look: {accent: "#112233", cover: lines, arms: [foot]}\nchapters:'
    spoil(content / "system.yaml", "chapters:", own_scene)

    look = road(content, 'cover: {accent: "#445566"}\n').cover.look

    assert (look.scene, look.accent, look.light) == ("lines", "#445566", "#efe3c2")
    assert len(look.arms) == 1


def test_pictures_stand_where_the_edition_says(content: Path) -> None:
    book = road(content, PICTURES, "front", "logo", "flight")

    assert book.cover.picture
    assert book.cover.logo
    assert (book.cover.picture.alt, book.cover.logo.alt) == ("A road", "A wheel")
    assert [c.picture.alt for c in book.chapters if c.picture] == ["Men who run"]
    assert [each.alt for each in book.pictures] == ["A road", "A wheel", "Men who run"]


def test_picture_of_a_chapter_that_is_left_out_is_not_carried(content: Path) -> None:
    book = road(content, f"chapters: [army]\n{PICTURES}", "front", "logo", "flight")

    assert [each.alt for each in book.pictures] == ["A road", "A wheel"]


def test_another_picture_is_another_book(content: Path) -> None:
    first = road(content, PICTURES, "front", "logo", "flight").digest
    second = road(content, PICTURES, "logo", "front", "flight").digest

    assert first != second


def test_picture_that_is_not_there_is_told_at_its_key(content: Path) -> None:
    with pytest.raises(MusterError) as raised:
        road(content, PICTURES, "front", "flight")

    (problem,) = raised.value.problems
    assert (problem.code, problem.location.line) == ("no-picture", 6)
    assert [i.problem.code for i in lint_system(open_system(content))] == ["no-picture"]


def test_chapter_with_a_picture_must_exist(content: Path) -> None:
    text = PICTURES.replace("morale:", "moral:")
    road(content, text, "front", "logo", "flight")

    (issue,) = lint_system(open_system(content))

    assert (issue.problem.code, issue.problem.location.line) == ("unknown-chapter", 8)


A4_WITH_BLEED = (2551, 3579)
"""Pixels of A4 with 3 mm more on each side, at 300 dpi."""


def test_cover_and_chapters_may_fill_a_page_for_a_print_house(content: Path) -> None:
    folder = content / "editions"
    Image.effect_noise(A4_WITH_BLEED, sigma=60).save(folder / "front.jpg", quality=50)
    assert (folder / "front.jpg").stat().st_size > MAX_PICTURE_KIB * 1024
    (folder / "flight.png").write_bytes(raster("PNG", A4_WITH_BLEED))

    book = road(
        content, PICTURES.replace("front.svg", "front.jpg").replace("t.svg", "t.png"), "logo"
    )

    sizes = [(each.width, each.height) for each in book.pictures]
    assert sizes == [A4_WITH_BLEED, (30, 20), A4_WITH_BLEED]


@pytest.mark.parametrize(
    ("name", "size", "told"),
    [
        ("front", (2600, 4000), "read 2600 × 4000 pixels, expected at most 10 million"),
        ("logo", A4_WITH_BLEED, "read 2551 × 3579 pixels, expected at most 4 million"),
    ],
)
def test_picture_larger_than_its_place_is_refused(
    name: str, size: tuple[int, int], told: str, content: Path
) -> None:
    (content / "editions" / f"{name}.png").write_bytes(raster("PNG", size))

    with pytest.raises(MusterError, match=told):
        road(content, PICTURES.replace(f"{name}.svg", f"{name}.png"), "front", "logo", "flight")
