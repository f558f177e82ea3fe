"""Test prose as it is read and evaluated: chapters, sections, and every problem at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.lint import lint_system
from muster.systems.prose import (
    MAX_CHAPTER,
    MAX_CHAPTER_LINE,
    MAX_WORD,
    MOST_DIRECTIVES,
    slug_of,
)
from tests.systems.conftest import codes


def write(content: Path, chapter: str, text: str) -> None:
    """Add a paragraph to a chapter."""
    with (content / "prose" / chapter).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")


def test_system_without_prose_has_no_numbers(content: Path) -> None:
    for path in (content / "prose").iterdir():
        path.unlink()

    system = open_system(content)

    assert system.prose.chapters == ()
    assert system.table_number("hits") == ""


def test_tables_are_numbered_by_chapter_and_place(content: Path) -> None:
    system = open_system(content)

    numbers = {table: system.table_number(table) for table in ("unit-sizes", "points", "hits")}
    assert numbers == {"unit-sizes": "1.1", "points": "1.2", "hits": "4.3"}


def test_chapter_knows_sections_and_directives_with_their_places(content: Path) -> None:
    chapter = open_system(content).prose.chapters[3]

    assert (chapter.id, chapter.number, chapter.title) == ("shooting", 4, "Shooting")
    assert [(section.level, section.slug) for section in chapter.sections] == [(2, "the-roll")]
    first = chapter.directives[0]
    assert (first.location.line, first.location.column) == (1, 46)
    assert chapter.text[first.start : first.end] == "{index: shooting}"


def test_places_are_right_after_windows_line_ends(content: Path) -> None:
    path = content / "prose" / "05-morale.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n{ref: nothing}\r\n")

    (issue,) = lint_system(open_system(content))

    assert (issue.problem.code, issue.problem.location.line) == ("unknown-table", 5)


def test_slug_is_the_heading_in_small_letters() -> None:
    assert slug_of("A unit’s status, and why") == "a-unit-s-status-and-why"


BROKEN: Final = {
    "unknown verb": ("{vlue: hits}", "unknown-verb"),
    "unknown table": ("See {ref: hitz}.", "unknown-table"),
    "unknown row": ("{value: points row=camels}", "unknown-row"),
    "unknown column": ("{value: movement row=foot column=steep}", "unknown-column"),
    "band off the table": ("{value: hits roll=9 stands=0}", "unknown-column"),
    "unknown key": ("{value: movement line=foot column=open}", "unknown-key"),
    "no column named": ("{value: movement row=foot}", "missing-argument"),
    "no row named": ("{value: movement column=open}", "missing-argument"),
    "unknown chapter": ("{chapter: moral}", "unknown-chapter"),
    "unknown section": ("{chapter: shooting/the-rol}", "unknown-section"),
    "unknown name": ("{show: nobody}", "unknown-name"),
    "unknown name in a key": ("{value: hits roll=@nobody stands=2}", "unknown-name"),
    "unknown scale": ("{value: movement row=foot column=open scale=6mm}", "unknown-scale"),
    "missing argument": ("{table:}", "missing-argument"),
    "typed figure": ("It moves 15 centimetres.", "typed-figure"),
    "typed figure in a heading": ("## Part 2", "typed-figure"),
    "stray brace": ("It {stands", "stray-brace"),
    "table within a line": ("Here: {ref: hits} {errata}", "not-alone"),
    "table twice": ("{table: hits}", "table-twice"),
    "fact without source": ("{fact: 20 cm}", "fact-without-source"),
    "sum of no number": ("{let: a = ranges row=foot column=dice}", "no-number"),
    "sum of a dash": ("{let: a = movement row=guns column=rough}", "no-number"),
    "division by 0": ("{quotient: 4 0}", "no-number"),
    "number without end": ("{quotient: 1 3}", "endless-number"),
    "number without end as a key": (
        "{quotient: 1 3 silently as a}{value: hits roll=@a stands=2}",
        "endless-number",
    ),
    "lengths of two measures": ('{sum: 3cm 2"}', "mixed-units"),
    "length by a number": ("{quotient: 3 2cm}", "mixed-units"),
    "roll of a cell that is none": ("{rolled: movement row=foot column=open dice=3}", "no-roll"),
    "roll that no dice show": ("{rolled: ranges row=foot column=dice dice=13}", "impossible-roll"),
    "band of a table without": ("{let: a = hits per-band}", "no-number"),
    "typed unit": ("It runs {given: 3} cm.", "typed-unit"),
    "typed unit in the next line": ("It runs {given: 3}\ninches.", "typed-unit"),
    "huge number": ("{product: 999999999 999999999 9}", "no-number"),
    "blank cell": ("{value: ranges row=guns column=far}", "blank-value"),
    "list before the last chapter": ("{errata}", "misplaced-list"),
    "raw HTML": ("A <b>bold</b> move.", "raw-html"),
    "Markdown table": ("| a | b |", "markdown-table"),
    "link": ("See [here](there).", "markdown-link"),
    "image": ("![here](there)", "picture"),
    "unknown panel": ('!!! warnng "x"\n    Text.', "bad-panel"),
    "panel of two words": ("!!! example of mine\n    Text.", "bad-panel"),
    "panel with too small an indent": ('!!! example "x"\n  Text.', "bad-panel"),
    "panel with one line outside": ('!!! example "x"\n    Text\n  goes on.', "bad-panel"),
    "panel within a list": ("- Item\n\n    !!! note\n    Text.", "bad-panel"),
    "heading of a chapter": ("# Morale", "bad-heading"),
    "line of dashes under text": ("Some text\n---", "bad-heading"),
    "line of equals signs under text": ("Some text\n=====", "bad-heading"),
    "heading in a list": ("- ## Again", "bad-heading"),
    "heading in a quotation": ("> ## Again", "bad-heading"),
    "heading in a block": ("    ## Again", "bad-heading"),
    "heading without a space": ("##Again", "bad-heading"),
    "heading with a backslash": ("## Again\\", "bad-heading"),
    "heading without a word": ("## !!!", "bad-heading"),
    "heading of nothing": ("##", "bad-heading"),
    "bullets nested without end": (
        "\n".join("    " * n + "- a" for n in range(100)),
        "too-deep",
    ),
    "bullets nested in a line": ("- " * 500 + "a", "too-deep"),
    "quotations nested without end": (">" * 500 + "a", "too-deep"),
    "word that fits into no column": ("a" * (MAX_WORD + 1), "long-word"),
    "line longer than any paragraph": ("a " * MAX_CHAPTER_LINE, "long-line"),
    "chapter longer than any book": ("a word\n" * (MAX_CHAPTER // 6), "long-chapter"),
    "two sections of one name": ("## Again\n\nText.\n\n## Again", "duplicate-section"),
    "too many directives": ("{ref: hits}\n" * (MOST_DIRECTIVES + 1), "long-chapter"),
}


@pytest.mark.parametrize(("text", "code"), BROKEN.values(), ids=[*BROKEN])
def test_problem_is_found(text: str, code: str, content: Path) -> None:
    write(content, "05-morale.md", text)

    assert code in codes(content)


@pytest.mark.parametrize(
    "text",
    ["!!! note\n    Text.", '!!! warning "x"\n\n    Text.\n\nMore.', '!!!example "a"\n    Text.'],
)
def test_panel_is_allowed(text: str, content: Path) -> None:
    write(content, "05-morale.md", text)

    assert "bad-panel" not in codes(content)


def test_number_in_a_list_is_no_typed_figure(content: Path) -> None:
    write(content, "05-morale.md", "1. Roll.\n2. Read.\n")

    assert codes(content) == []


def test_typed_unit_is_found_at_its_place(content: Path) -> None:
    write(content, "05-morale.md", "It runs {given: 3}\n    cm.")

    (issue,) = lint_system(open_system(content))

    assert (issue.problem.location.line, issue.problem.location.column) == (6, 5)
    assert issue.problem.line_text == "    cm."


def test_fraction_without_end_may_be_calculated_with(content: Path) -> None:
    write(content, "05-morale.md", "{quotient: 1 3 silently as third}{product: 12 third}")

    assert codes(content) == []


def test_result_may_be_rounded(content: Path) -> None:
    write(content, "05-morale.md", "{quotient: 10 3 up as a} {less: a 1}")

    assert codes(content) == []


def test_name_does_not_reach_the_next_chapter(content: Path) -> None:
    write(content, "05-morale.md", "{given: 4 as men}")
    write(content, "06-doubtful.md", "{show: men}")

    assert codes(content) == ["unknown-name"]


def test_problems_of_all_chapters_come_at_once_each_at_its_place(content: Path) -> None:
    write(content, "01-army.md", "It has 3 stands.")
    write(content, "03-movement.md", "{ref: hits} and {vlue: hits}")

    with pytest.raises(MusterError) as caught:
        _ = open_system(content).prose

    found = [(p.code, p.location.line, p.location.column) for p in caught.value.problems]
    assert found == [("typed-figure", 19, 8), ("unknown-verb", 6, 17)]
    assert caught.value.problems[1].line_text == "{ref: hits} and {vlue: hits}"


def test_missing_misnumbered_and_unknown_files_are_found(content: Path) -> None:
    prose = content / "prose"
    (prose / "03-movement.md").rename(prose / "07-movement.md")
    (prose / "05-morale.md").unlink()
    (prose / "08-weather.md").write_text("Rain.\n", encoding="utf-8")

    found = codes(content)

    assert {"misnumbered-chapter", "missing-chapter", "unknown-chapter-file"} <= set(found)
    assert found.count("missing-chapter") == 1


def test_table_that_no_chapter_places_is_found_at_its_file(content: Path) -> None:
    path = content / "prose" / "03-movement.md"
    path.write_text("Foot walks.\n", encoding="utf-8")

    (issue,) = lint_system(open_system(content))

    assert issue.problem.code == "table-not-placed"
    assert issue.problem.location.file.endswith("tables/movement.yaml")


def test_terms_of_a_table_may_stand_in_the_glossary_alone(content: Path) -> None:
    words = "id: words\ntitle: Words\nkind: definitions\nchapter: movement\nsource: L1\n"
    rows = "rows:\n  - {id: foot, label: Foot, text: Men who walk.}\n"
    path = content / "tables" / "words.yaml"

    path.write_text(words + rows, encoding="utf-8")
    assert "table-not-placed" in codes(content)

    path.write_text(words + "glossary: true\n" + rows, encoding="utf-8")
    assert "table-not-placed" not in codes(content)


def test_broken_table_is_reported_once(content: Path) -> None:
    path = content / "tables" / "points.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace('["20"]', "[twenty]"), "utf-8")

    # Nor is anything told that follows from it, such as a sum that has no number now.
    assert codes(content) == ["bad-value"]


def test_cell_that_differs_by_scale_needs_a_scale_to_be_calculated_with(content: Path) -> None:
    path = content / "system.yaml"
    one = "scales: [{id: 28mm, title: 28 mm figures}]"
    two = "scales: [{id: 28mm, title: 28 mm}, {id: 15mm, title: 15 mm}]"
    path.write_text(path.read_text(encoding="utf-8").replace(one, two), encoding="utf-8")
    table = content / "tables" / "movement.yaml"
    cells = table.read_text(encoding="utf-8").replace(
        "[15cm, 10cm]", "[{28mm: 15cm, 15mm: 9cm}, 10cm]"
    )
    table.write_text(cells, encoding="utf-8")
    write(content, "05-morale.md", "{let: a = movement row=foot column=open scale=15mm}{show: a}")
    assert codes(content) == []

    write(content, "05-morale.md", "{let: b = movement row=foot column=open}")

    assert codes(content) == ["scaled-number"]
