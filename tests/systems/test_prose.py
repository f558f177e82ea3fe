"""Owns the facts about prose as it is read: chapters, directives, and every fault at its place.

Does not test what a directive comes to (`test_reckoning`) or how it is printed.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.directives import (
    EXAMPLES,
    LONGEST_DIRECTIVE,
    VERBS,
    BadDirective,
    Calculate,
    CellQuery,
    Fact,
    Given,
    IndexTerm,
    Let,
    NameChapter,
    ResolveRoll,
    ShowCell,
    parse_directive,
)
from muster.systems.lint import lint_system
from muster.systems.prose import MOST_DIRECTIVES, slug_of
from muster.values import LengthUnit
from muster.values.quantity import Quantity
from tests.scaffold import lay_out


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def codes(content: Path) -> list[str]:
    return [flaw.problem.code for flaw in lint_system(open_system(content))]


def write(content: Path, chapter: str, text: str) -> None:
    with (content / "prose" / chapter).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")


# One directive


def test_cell_is_found_by_keys_that_may_hold_spaces() -> None:
    read = parse_directive("value: hits roll=up to 6 stands=@men")

    assert read == ShowCell(CellQuery("hits", (("roll", "up to 6"), ("stands", "@men"))))


def test_sum_takes_names_numbers_rounding_and_a_name() -> None:
    read = parse_directive("quotient: figures 4 down silently as trays")

    four = Quantity(Fraction(4))
    assert read == Calculate("quotient", ("figures", four), "down", silent=True, name="trays")


def test_part_of_a_sum_may_have_a_unit() -> None:
    read = parse_directive("product: die 5cm")

    parts = ("die", Quantity(Fraction(5), LengthUnit.CM))
    assert read == Calculate("product", parts, "", silent=False, name="")


def test_roll_is_worked_out_by_the_dice_that_are_thrown() -> None:
    read = parse_directive("rolled: moves row=a b dice=@fear column=first silently as run")

    spot = CellQuery("moves", (("row", "a b"), ("column", "first")))
    assert read == ResolveRoll(spot, ("fear",), silent=True, name="run")
    assert parse_directive("rolled: moves dice=@a 3") == ResolveRoll(
        CellQuery("moves", ()), ("a", Quantity(Fraction(3))), silent=False, name=""
    )


def test_band_of_a_table_can_be_named() -> None:
    assert parse_directive("let: b = moves per-band") == Let(
        "b", CellQuery("moves", ()), per_band=True
    )


def test_fact_that_is_a_number_or_length_can_be_named() -> None:
    read = parse_directive("fact: 6 cm | L420, L422 as onward")

    assert read == Fact("6 cm", "L420, L422", "onward", Quantity(Fraction(6), LengthUnit.CM))


@pytest.mark.parametrize(
    ("written", "number", "unit", "name"),
    [
        ("9", "9", None, ""),
        ("+2 as fire", "2", None, "fire"),
        ("−1.5", "-1.5", None, ""),
        ("20 cm", "20", LengthUnit.CM, ""),
        ('5" as gap', "5", LengthUnit.INCH, "gap"),
    ],
)
def test_supposed_number_may_have_sign_unit_and_name(
    written: str, number: str, unit: LengthUnit | None, name: str
) -> None:
    read = parse_directive(f"given: {written}")

    assert read == Given(Quantity(Fraction(number), unit), written.startswith("+"), name)


def test_bar_parts_words_and_source() -> None:
    assert parse_directive("fact: 20 cm | L118-120") == Fact("20 cm", "L118-120")
    assert parse_directive("chapter: a/b | there") == NameChapter("a", "b", "there")
    assert parse_directive("index: a > b") == IndexTerm("a", "b")


@pytest.mark.parametrize("verb", EXAMPLES)
def test_every_verb_has_an_example_that_can_be_read(verb: str) -> None:
    parse_directive(EXAMPLES[verb].strip("{}"))


def test_every_verb_but_the_lists_has_an_example() -> None:
    assert set(VERBS) - set(EXAMPLES) == {"errata", "blanks"}


BAD: Final = {
    "valu: hits": "unknown-verb",
    "hits": "unknown-verb",
    "": "unknown-verb",
    "table:": "missing-argument",
    "table: a b": "bad-directive",
    "errata: all": "bad-directive",
    "value: row=a": "missing-argument",
    "value: hits roll": "bad-directive",
    "value: | three": "missing-argument",
    "label: hits": "missing-argument",
    "given: nine": "bad-directive",
    "given: 9 as": "missing-argument",
    "given: 9 as NINE": "bad-directive",
    "let: a": "missing-argument",
    "show: A": "bad-directive",
    "less: a": "missing-argument",
    "less: a b c": "missing-argument",
    "sum: a $": "bad-directive",
    "fact: 20 cm": "fact-without-source",
    "fact: 20 cm | page 3": "fact-without-source",
    "fact: | L3": "missing-argument",
    "fact: 2D6 | L3 as roll": "bad-directive",
    "rolled: hits row=a": "missing-argument",
    "rolled: hits dice=@a dice=@b": "missing-argument",
    "rolled: silently as run": "missing-argument",
    "rolled: hits dice=" + "1 " * 21: "bad-directive",
    "let: a = hits per-band row=b": "bad-directive",
    "index: > a": "bad-directive",
    "index: a >": "bad-directive",
    "chapter: a |": "missing-argument",
    "index: " + "a" * LONGEST_DIRECTIVE: "long-directive",
}


@pytest.mark.parametrize(("body", "code"), BAD.items(), ids=[*BAD])
def test_bad_directive_is_refused(body: str, code: str) -> None:
    with pytest.raises(BadDirective) as caught:
        parse_directive(body)

    assert caught.value.code == code
    assert str(caught.value)


def test_unknown_verb_is_told_the_nearest() -> None:
    with pytest.raises(BadDirective, match="did you mean 'value'"):
        parse_directive("valeu: hits")


# A chapter


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
    assert [(each.level, each.slug) for each in chapter.sections] == [(2, "the-roll")]
    first = chapter.directives[0]
    assert (first.location.line, first.location.column) == (1, 46)
    assert chapter.text[first.start : first.end] == "{index: shooting}"


def test_places_are_told_after_windows_line_ends(content: Path) -> None:
    path = content / "prose" / "05-morale.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n{ref: nothing}\r\n")

    (flaw,) = lint_system(open_system(content))

    assert (flaw.problem.code, flaw.problem.location.line) == ("unknown-table", 5)


def test_slug_is_the_heading_in_small_letters() -> None:
    assert slug_of("A unit’s status, and why") == "a-unit-s-status-and-why"


SPOILT: Final = {
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
    "table within a line": ("Here: {ref: hits} {blanks}", "not-alone"),
    "table twice": ("{table: hits}", "table-twice"),
    "fact without source": ("{fact: 20 cm}", "fact-without-source"),
    "sum of no number": ("{let: a = ranges row=foot column=dice}", "no-number"),
    "sum of a dash": ("{let: a = movement row=guns column=rough}", "no-number"),
    "division by nothing": ("{quotient: 4 0}", "no-number"),
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
    "monstrous number": ("{product: 999999999 999999999 9}", "no-number"),
    "blank cell": ("{value: ranges row=guns column=far}", "blank-value"),
    "list before the last chapter": ("{errata}", "misplaced-list"),
    "raw HTML": ("A <b>bold</b> move.", "raw-html"),
    "Markdown table": ("| a | b |", "markdown-table"),
    "link": ("See [here](there).", "markdown-link"),
    "image": ("![here](there)", "markdown-link"),
    "heading of a chapter": ("# Morale", "bad-heading"),
    "two sections of one name": ("## Again\n\nText.\n\n## Again", "duplicate-section"),
    "too many directives": ("{ref: hits}\n" * (MOST_DIRECTIVES + 1), "long-chapter"),
}


@pytest.mark.parametrize(("text", "code"), SPOILT.values(), ids=[*SPOILT])
def test_fault_is_told(text: str, code: str, content: Path) -> None:
    write(content, "05-morale.md", text)

    assert code in codes(content)


def test_number_in_a_list_is_no_typed_figure(content: Path) -> None:
    write(content, "05-morale.md", "1. Roll.\n2. Read.\n")

    assert codes(content) == []


def test_typed_unit_is_told_at_its_place(content: Path) -> None:
    write(content, "05-morale.md", "It runs {given: 3}\n    cm.")

    (flaw,) = lint_system(open_system(content))

    assert (flaw.problem.location.line, flaw.problem.location.column) == (6, 5)
    assert flaw.problem.line_text == "    cm."


def test_share_without_end_may_be_reckoned_with(content: Path) -> None:
    write(content, "05-morale.md", "{quotient: 1 3 silently as third}{product: 12 third}")

    assert codes(content) == []


def test_result_may_be_rounded(content: Path) -> None:
    write(content, "05-morale.md", "{quotient: 10 3 up as a} {less: a 1}")

    assert codes(content) == []


def test_name_does_not_reach_the_next_chapter(content: Path) -> None:
    write(content, "05-morale.md", "{given: 4 as men}")
    write(content, "06-doubtful.md", "{show: men}")

    assert codes(content) == ["unknown-name"]


def test_faults_of_all_chapters_come_at_once_each_at_its_place(content: Path) -> None:
    write(content, "01-army.md", "It has 3 stands.")
    write(content, "03-movement.md", "{ref: hits} and {vlue: hits}")

    with pytest.raises(MusterError) as caught:
        _ = open_system(content).prose

    told = [(p.code, p.location.line, p.location.column) for p in caught.value.problems]
    assert told == [("typed-figure", 19, 8), ("unknown-verb", 6, 17)]
    assert caught.value.problems[1].line_text == "{ref: hits} and {vlue: hits}"


def test_missing_misnumbered_and_unknown_files_are_told(content: Path) -> None:
    prose = content / "prose"
    (prose / "03-movement.md").rename(prose / "07-movement.md")
    (prose / "05-morale.md").unlink()
    (prose / "08-weather.md").write_text("Rain.\n", encoding="utf-8")

    told = codes(content)

    assert {"misnumbered-chapter", "missing-chapter", "unknown-chapter-file"} <= set(told)
    assert told.count("missing-chapter") == 1


def test_table_that_no_chapter_places_is_told_at_its_file(content: Path) -> None:
    path = content / "prose" / "03-movement.md"
    path.write_text("Foot walks.\n", encoding="utf-8")

    (flaw,) = lint_system(open_system(content))

    assert flaw.problem.code == "table-not-placed"
    assert flaw.problem.location.file.endswith("tables/movement.yaml")


def test_broken_table_is_told_once(content: Path) -> None:
    path = content / "tables" / "points.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace('["20"]', "[twenty]"), "utf-8")

    assert codes(content).count("bad-value") == 1
    assert "unreadable-table" not in codes(content)


def test_cell_that_differs_by_scale_needs_a_scale_to_be_reckoned_with(content: Path) -> None:
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


# Editions


def edition(content: Path, text: str) -> list[str]:
    (content / "editions" / "road.yaml").write_text(
        f'id: road\ntitle: Road\ndate: "2025-01-31"\n{text}', encoding="utf-8"
    )
    return codes(content)


EDITIONS: Final = {
    "unknown chapter": ("chapters: [moral]\n", ["unknown-chapter"]),
    "unknown table": ("without_tables: [hitz]\n", ["unknown-table"]),
    "unknown scale": ("scale: 6mm\n", ["unknown-scale"]),
    "sound": ("chapters: [morale, doubtful]\nscale: 28mm\nunit: in\npaper: digest\n", []),
}


@pytest.mark.parametrize(("text", "told"), EDITIONS.values(), ids=[*EDITIONS])
def test_edition_names_what_is_there(text: str, told: list[str], content: Path) -> None:
    assert edition(content, text) == told


@pytest.mark.parametrize("date", ["2025-02-30", "20250131", "31.1.2025", "2025-1-31"])
def test_date_is_a_day_written_in_full(date: str, content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    path.write_text(f'id: standard\ntitle: Standard\ndate: "{date}"\n', encoding="utf-8")

    (flaw,) = lint_system(open_system(content))

    assert (flaw.problem.location.line, flaw.severity) == (3, "error")


@pytest.mark.parametrize("bleed", ["0 mm", "11 mm", "3", "3 cm", "-3 mm", "three mm"])
def test_bleed_is_a_few_millimetres(bleed: str, content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    path.write_text(
        f'id: standard\ntitle: Standard\ndate: "2025-01-31"\nbleed: {bleed}\n', encoding="utf-8"
    )

    (flaw,) = lint_system(open_system(content))

    assert (flaw.problem.location.line, flaw.severity) == (4, "error")
    assert "such as 3 mm" in flaw.problem.text


def test_edition_of_a_system_without_prose_is_an_error(content: Path) -> None:
    for path in (content / "prose").iterdir():
        path.unlink()

    assert codes(content) == ["edition-without-prose"]


def test_id_of_an_edition_is_its_files_name(content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    path.rename(path.with_name("basic.yaml"))

    assert codes(content) == ["id-is-not-file-name"]
