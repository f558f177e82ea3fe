"""Test themes and the layout of drafted armies: what is valid, and what lint finds."""

from pathlib import Path

import pytest

from muster.armies.composition import load_composition
from muster.armies.lint_composition import lint_armies
from muster.armies.themes import (
    Drafting,
    bodies_of,
    load_drafting,
    load_theme,
    parse_whole_range,
    theme_ids,
)
from muster.problems import MusterError
from muster.systems import System, open_system
from tests.scaffold import lay_out


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def with_theme(club: Path, text: str, name: str = "raid") -> System:
    (club / "themes").mkdir(exist_ok=True)
    (club / "themes" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return open_system(club)


def with_drafting(club: Path, text: str) -> System:
    (club / "drafting.yaml").write_text(text, encoding="utf-8")
    return open_system(club)


def issues(system: System) -> list[tuple[str, str, int | None]]:
    return [
        (issue.severity, issue.problem.code, issue.problem.location.line)
        for issue in lint_armies(system)
        if issue.problem.location.file.endswith(("drafting.yaml", "raid.yaml"))
    ]


@pytest.mark.parametrize(
    ("text", "ends"), [("3-6", (3, 6)), ("1", (1, 1)), ("2+", (2, 999)), ("0", (0, 0))]
)
def test_range_has_two_ends(text: str, ends: tuple[int, int]) -> None:
    assert parse_whole_range(text) == ends


@pytest.mark.parametrize("text", ["2.5", "-3 to 4", "six"])
def test_range_is_of_whole_numbers(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_whole_range(text)


def test_system_without_a_drafting_file_has_bodies_by_its_levels(club: Path) -> None:
    composition = load_composition(open_system(club))

    bodies = bodies_of(load_drafting(open_system(club)), composition)

    assert [(body.level, body.holds) for body in bodies.values()] == [("army", [])]
    assert bodies["army"].of is not None
    assert theme_ids(open_system(club)) == []


def test_army_is_the_first_body_wherever_it_stands(club: Path) -> None:
    text = "bodies:\n  - {id: any, level: unit}\n  - {id: all, level: army}\n"
    system = with_drafting(club, text)

    assert list(bodies_of(load_drafting(system), load_composition(system))) == ["all", "any"]


def test_unknown_theme_names_the_nearest(club: Path) -> None:
    system = with_theme(club, "id: raid\ntitle: Raid\n")

    with pytest.raises(
        MusterError, match=r"no theme 'raids' for Club rules \(did you mean 'raid'\?\)"
    ):
        load_theme(system, "raids")


def test_id_of_a_theme_is_the_name_of_its_file(club: Path) -> None:
    system = with_theme(club, "id: rade\ntitle: Raid\n")

    assert issues(system) == [("error", "id-is-not-file-name", 1)]


def test_problems_of_a_theme_are_found_each_at_its_place(club: Path) -> None:
    system = with_theme(
        club,
        """\
id: raid
title: Raid
parts:
  - {of: {entry: [hors]}, min: 60%, max: 50%}
  - {of: {level: unt}, min: 1/2}
weights:
  - {of: {options: [veteren]}, weight: 1}
  - {of: {where: {unit: [dragons]}}, weight: 1}
fields:
  - of: {level: unit}
    inside: [wing]
    say: {stand: {3: 1}, stands: {three: 1}}
    take: {vetran: 10%}
  - {of: {level: unit}, say: {stands: {3: 0}}}
  - of: {where: {armm: [horse]}}
""",
    )

    assert sorted(issues(system)) == [
        ("error", "bad-odds", 14),
        ("error", "bad-share", 4),
        ("error", "bad-share", 4),
        ("error", "bad-value", 12),
        ("error", "unknown-attribute", 15),
        ("error", "unknown-body", 11),
        ("error", "unknown-entry", 4),
        ("error", "unknown-field", 12),
        ("error", "unknown-level", 5),
        ("error", "unknown-option", 7),
        ("error", "unknown-option", 13),
        ("error", "unknown-unit", 8),
    ]


def test_parts_that_are_too_small_together_are_reported(club: Path) -> None:
    system = with_theme(club, "id: raid\ntitle: Raid\nparts:\n  - {of: {level: unit}, max: 40%}\n")

    assert issues(system) == [("error", "bad-share", 4)]


def test_problems_of_a_layout_are_found_each_at_its_place(club: Path) -> None:
    system = with_drafting(
        club,
        """\
theme: rade
bodies:
  - {id: wing, level: wng}
  - {id: wing, level: army, holds: [wing, foot], leaders: {genral: "1"}}
  - {id: other, level: army, of: {entry: [hors]}}
nouns:
  - {of: {entry: [fot]}, noun: battalion}
""",
    )

    assert sorted(issues(system)) == [
        ("error", "id-twice", 4),
        ("error", "unknown-body", 4),
        ("error", "unknown-entry", 5),
        ("error", "unknown-entry", 7),
        ("error", "unknown-leader", 4),
        ("error", "unknown-level", 3),
        ("error", "unknown-theme", 1),
        ("error", "wrong-level", 4),
    ]


def test_layout_without_an_army_and_unused_body_are_reported(club: Path) -> None:
    composition = load_composition(open_system(club))
    below = next(level.id for level in composition.written.levels[1:])

    system = with_drafting(club, f"bodies:\n  - {{id: lost, level: {below}}}\n")

    codes = {code for _, code, _ in issues(system)}
    assert {"no-army-body", "unused-body"} <= codes


def test_bad_range_and_share_are_reported_at_their_place(club: Path) -> None:
    system = with_drafting(club, "bodies:\n  - {id: all, level: army, units: few}\n")
    with_theme(club, "id: raid\ntitle: Raid\nparts:\n  - {of: {level: unit}, min: most}\n")

    found = [(line, code) for _, code, line in issues(system)]
    assert [line for line, _ in found] == [2, 4]


def test_names_of_a_book_are_for_units_that_exist(club: Path) -> None:
    book = club / "books" / "first-book.yaml"
    text = book.read_text(encoding="utf-8")
    book.write_text(text.replace("units:", "names: {genral: [A], lyne: [B]}\nunits:"), "utf-8")

    found = [issue.problem for issue in lint_armies(open_system(club))]

    assert [problem.code for problem in found][:2] == ["unknown-unit", "unknown-unit"]


def test_drafting_file_with_a_limit_alone_is_valid(club: Path) -> None:
    system = with_drafting(club, "limit: 100\n")

    assert issues(system) == []
    assert load_drafting(system) == Drafting(limit=100)
