"""Tests of characters that no bundled font has: each is found where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.rendering.glyphs import (
    FACES,
    find_missing_glyphs,
    find_missing_in_document,
    find_missing_in_prose,
    missing_characters,
    print_face_files,
    printable_code_points,
)
from muster.systems import open_system
from muster.yamlfile import document_from_text
from tests.rendering.conftest import TEMPLATES
from tests.scaffold import lay_out, spoil

FONTS = print_face_files([TEMPLATES])
SIGNS = printable_code_points(tuple(FONTS))


def test_every_face_is_asked() -> None:
    assert len(FONTS) == len(FACES) == 9
    # The sans has the first of them and the serif the second, so neither can be relied upon.
    assert missing_characters("\u216d \u2155 \u25b6", SIGNS) != []


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("plain text", []),
        ("Лейб-гвардии Преображенский полк", []),
        ("Ιερός Λόχος, Ἀ", ["Ἀ"]),
        ("2½″ – “Jäger zu Fuß” ≤ −4 × Œuvre", []),
        ("thin\u202fspace\u00a0soft\u00adhyphen\u200bzero\ufeff", []),
        ("\u9f8d and \u9f8d", ["\u9f8d"]),
        ("\U0001f409 \u10d0\u10d0", ["\U0001f409", "\u10d0"]),
    ],
    ids=["ASCII", "Cyrillic", "Greek", "typography", "spaces", "twice", "two kinds"],
)
def test_sign_is_missed_once_and_spaces_never(text: str, odd: list[str]) -> None:
    assert missing_characters(text, SIGNS) == odd


def test_each_text_of_a_file_is_told_at_its_place() -> None:
    units = "units:\n  - {unit: a, name: \u9f8d Dragon}\n"
    text = f"# \u9f8d in a comment\nname: Guard\n{units}notes: \u10d0 \u2655\n"

    told = list(find_missing_in_document(document_from_text(text, "army.yaml"), FONTS))

    assert [(p.code, p.location.file, p.location.line, p.location.column) for p in told] == [
        ("no-such-sign", "army.yaml", 4, 21),
        ("no-such-sign", "army.yaml", 5, 8),
    ]
    assert (
        "“\u9f8d” (U+9F8D CJK UNIFIED IDEOGRAPH-9F8D) in “\u9f8d Dragon” is in none" in told[0].text
    )
    assert "(U+10D0 GEORGIAN LETTER AN), “\u2655” (U+2655 WHITE CHESS QUEEN)" in told[1].text
    assert "are in none of Muster’s fonts" in told[1].text


def test_long_text_is_told_in_short() -> None:
    document = document_from_text(f"name: {'x' * 90}\u9f8d\n", "army.yaml")

    (problem,) = find_missing_in_document(document, FONTS)

    assert f"“{'x' * 40}…”" in problem.text


def test_prose_is_told_line_by_line() -> None:
    (problem,) = find_missing_in_prose("Fine.\n\nThe \u9f8d sleeps.\n", "01.md", FONTS)

    assert (problem.location.line, problem.location.column) == (3, 5)
    assert problem.line_text == "The \u9f8d sleeps."


def test_lint_looks_through_all_files_of_a_system(tmp_path: Path) -> None:
    content = lay_out(tmp_path)
    spoil(content / "books" / "first-book.yaml", "title: Guards,", "title: \u9f8d Guards,")
    (content / "prose").mkdir(exist_ok=True)
    (content / "prose" / "99-more.md").write_text("A \u9f8d.\n", encoding="utf-8")
    (content / "sheets" / "broken.yaml").write_text("\u9f8d: [", encoding="utf-8")
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.yaml").write_text("id: mine\ntitle: \u9f8d\n", encoding="utf-8")

    flaws = list(find_missing_glyphs(open_system(content), [own], [TEMPLATES]))

    assert sorted(Path(flaw.problem.location.file).name for flaw in flaws) == [
        "99-more.md",
        "first-book.yaml",
        "mine.yaml",
    ]
    assert {flaw.severity for flaw in flaws} == {"warning"}
