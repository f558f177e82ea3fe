"""Tests of the covers that are drawn: every scene, in the colours of every theme."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from muster.documents.cover import CoverLook
from muster.rendering.book_cover import title_size
from muster.rendering.cover_art import draw_back, draw_cover, panel_of
from muster.rendering.drawings import ink_on
from muster.systems.look import Scene

ORNAMENT = "M10 10 H90 V90 H10 Z"
SCENES = get_args(Scene)


def drawn(scene: str, theme: str = "colour", arms: tuple[str, ...] = ("M0 0 H9 V9 Z",)) -> str:
    look = CoverLook(scene, "#7a1420", "#e9bf62", "#c8402f", ORNAMENT, arms)
    return draw_cover(look, theme, 200, 180)


def colours(svg: str) -> set[str]:
    return set(re.findall("#[0-9a-f]{6}", svg))


def test_every_scene_is_a_drawing_of_its_own() -> None:
    drawings = {drawn(scene) for scene in SCENES}

    assert len(drawings) == len(SCENES) == 5
    for svg in drawings:
        assert 'viewBox="0 0 100 90"' in svg
        assert {"#e9bf62"} < colours(svg)


@pytest.mark.parametrize("scene", SCENES)
def test_cover_shows_the_ornament_if_there_is_one(scene: str) -> None:
    look = CoverLook(scene)

    assert ORNAMENT in drawn(scene)
    assert 'd=""' not in draw_cover(look, "colour", 148, 130)


@pytest.mark.parametrize("scene", SCENES)
def test_cover_has_no_colours_that_its_theme_lacks(scene: str) -> None:
    assert colours(drawn(scene, "high-contrast")) == {"#000000", "#ffffff"}
    assert all(c[1:3] == c[3:5] == c[5:] for c in colours(drawn(scene, "monochrome")))


def test_title_is_as_large_as_its_room_allows() -> None:
    assert title_size("Huzzah!", 170, 40) == 106
    assert title_size("Huzzah!", 60, 40) < 50
    assert title_size("Seven Years War", 60, 20) < title_size("Seven Years War", 60, 60)
    assert title_size("Donaudampfschifffahrtsgesellschaft " * 9, 60, 20) == 20


@pytest.mark.parametrize("theme", ["colour", "monochrome", "high-contrast"])
@pytest.mark.parametrize("scene", SCENES)
def test_type_on_a_panel_differs_from_its_ground(scene: str, theme: str) -> None:
    panel = panel_of(CoverLook(scene), theme)

    assert (ink_on(panel.ground) == "#ffffff") == (panel.ink == "#ffffff")
    assert panel.edge != panel.ground


def test_back_shows_ornament_and_arms_above_the_panel() -> None:
    look = CoverLook("rays", "#7a1420", "#e9bf62", "#c8402f", ORNAMENT, ("M0 0 H9 V9 Z",))

    svg = draw_back(look, "colour", 200, 300, 100)

    assert ORNAMENT in svg
    assert "M0 0 H9 V9 Z" in svg
    assert (
        f'<rect x="0" y="100" width="100" height="51" fill="{panel_of(look, "colour").ground}"'
        in svg
    )
