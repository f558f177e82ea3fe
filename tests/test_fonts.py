"""The bundled fonts: their names, characters, features and sizes."""

from pathlib import Path
from typing import Final

import pytest
from fontTools.ttLib import TTFont

FONTS: Final = Path(__file__).resolve().parent.parent / "templates" / "fonts"
PRINT: Final = sorted(FONTS.glob("*.ttf"))
LETTERS: Final = sorted(FONTS.glob("*-letters.woff2"))
SCREEN: Final = sorted({*FONTS.glob("*.woff2")} - {*LETTERS})
SIGNS: Final = "−–—×÷≤≥½¼¾″′°\u2009\u202f\u2007\u00a0■□▲△●○◆◇★→←↑↓✓☐✕“”‘’…†‡§•äßéŁŽ€"
NAMES: Final = "Лейб-гвардии Преображенский полк, ѣѳѵҐґЁё, Ιερός Λόχος, ΐΰΆΏ"
SCREEN_KILOBYTES: Final = 25
LETTER_KILOBYTES: Final = 11


def named(path: Path) -> str:
    return path.name


def test_both_families_are_there() -> None:
    faces = {path.stem for path in PRINT}

    assert faces == {
        *(f"MusterSans-{style}" for style in ("Regular", "Italic", "Medium", "SemiBold", "Bold")),
        *(f"MusterSerif-{style}" for style in ("Regular", "Italic", "SemiBold", "Bold")),
    }
    assert {path.stem for path in SCREEN} <= faces


@pytest.mark.parametrize("path", [*PRINT, *SCREEN], ids=named)
def test_face_has_every_sign_that_a_page_may_show(path: Path) -> None:
    signs = TTFont(path).getBestCmap()

    assert [sign for sign in SIGNS if ord(sign) not in signs] == []


@pytest.mark.parametrize("path", [*PRINT, *SCREEN], ids=named)
def test_face_has_tabular_figures_of_one_width(path: Path) -> None:
    # The serif's plain figures are of one width already: its tnum swaps others.
    font = TTFont(path)
    tabular = {
        lookup
        for record in font["GSUB"].table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for lookup in record.Feature.LookupListIndex
    }
    swaps: dict[str, str] = {}
    for index in tabular:
        for table in font["GSUB"].table.LookupList.Lookup[index].SubTable:
            swaps.update(getattr(table, "ExtSubTable", table).mapping)
    digits = [font.getBestCmap()[ord(digit)] for digit in "0123456789"]
    widths = {font["hmtx"][swaps.get(digit, digit)][0] for digit in digits}

    assert len(widths) == 1


@pytest.mark.parametrize("path", PRINT, ids=named)
def test_print_face_shows_the_figures_of_its_family_unasked(path: Path) -> None:
    font = TTFont(path)
    widths = {font["hmtx"][font.getBestCmap()[ord(digit)]][0] for digit in "0123456789"}

    assert (len(widths) == 1) == ("Sans" in path.name)


@pytest.mark.parametrize("path", [*PRINT, *SCREEN], ids=named)
def test_face_keeps_its_licence_and_no_reserved_name(path: Path) -> None:
    names = TTFont(path)["name"]
    ours = [str(names.getDebugName(number)) for number in (1, 3, 4, 6, 16)]

    assert not [name for name in ours if "Fira" in name or "Source" in name]
    assert "Open Font License" in str(names.getDebugName(13))
    assert names.getDebugName(0)


@pytest.mark.parametrize("path", SCREEN, ids=named)
def test_screen_face_is_small_enough_to_be_inlined(path: Path) -> None:
    assert path.stat().st_size < SCREEN_KILOBYTES * 1024


@pytest.mark.parametrize("path", [*PRINT, *LETTERS], ids=named)
def test_face_has_greek_and_cyrillic_letters_with_outlines(path: Path) -> None:
    font = TTFont(path)
    signs = font.getBestCmap()
    letters = [letter for letter in NAMES if letter.isalpha()]

    assert [letter for letter in letters if ord(letter) not in signs] == []
    assert all(font["glyf"][signs[ord(letter)]].numberOfContours for letter in letters)
    assert "Greek and Cyrillic:" in str(font["name"].getDebugName(0))


def test_every_face_of_the_screen_has_its_letters_in_a_small_file() -> None:
    assert [path.stem for path in LETTERS] == [f"{path.stem}-letters" for path in SCREEN]
    assert max(path.stat().st_size for path in LETTERS) < LETTER_KILOBYTES * 1024
