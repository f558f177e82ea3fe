"""Tests of `muster draft`: the files that it writes, what it prints, its exit codes."""

from decimal import Decimal
from pathlib import Path

import pytest

from muster.armies import load_army
from muster.systems import Library
from tests.cli.conftest import Muster

PRUSSIA = ("draft", "seven-years-war", "--book", "prussia", "--seed", "7")


def test_army_is_written_below_armies_and_says_how_it_was_drafted(
    muster: Muster, folder: Path
) -> None:
    result = muster(*PRUSSIA)

    target = "armies/seven-years-war/prussia-balanced-7.yaml"
    assert result.exit_code == 0
    assert result.stdout.startswith(f"wrote {target}: 250 of 250 points, ")
    assert result.stdout.endswith(" units, 1 rolled, legal\n")
    assert result.stderr == f"next: muster check {target}\n"
    first, second, third, *_ = (folder / target).read_text(encoding="utf-8").splitlines()
    assert first == "# Drafted by Muster: 250 points, Balanced. To draft the same army again:"
    again = "muster draft seven-years-war --book prussia --limit 250 --theme balanced --seed 7"
    assert second == f"# {again}"
    assert third == "system: seven-years-war"
    assert muster("check", target).exit_code == 0


def test_same_seed_writes_the_same_bytes_and_another_does_not(muster: Muster, folder: Path) -> None:
    for name, seed in (("one", "3"), ("two", "3"), ("three", "4")):
        muster("draft", "huzzah", "--seed", seed, "--out", f"{name}.yaml")

    one, two, three = (folder / f"{name}.yaml" for name in ("one", "two", "three"))
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes() != three.read_bytes()


def test_several_armies_fill_a_folder(muster: Muster, folder: Path) -> None:
    result = muster(
        *("draft", "order-markers", "--limit", "8", "--seed", "1"), "--count", "4", "--out", "many"
    )

    assert result.exit_code == 0
    assert [line.split(": ")[1] for line in result.stdout.splitlines()] == [
        "8 of 8 units, the rules have no points, 3 rolled, legal"
    ] * 4
    texts = {path.read_text(encoding="utf-8") for path in (folder / "many").iterdir()}
    assert len(texts) == 4


def test_too_few_different_armies_are_noted(muster: Muster) -> None:
    result = muster("draft", "club", "--limit", "32", "--count", "30", "--seed", "1")

    found = len(result.stdout.splitlines())
    assert (result.exit_code, found < 30) == (0, True)
    assert f"only {found} different armies were found" in result.stderr


def test_without_a_seed_one_is_drawn_and_stands_in_the_file(muster: Muster, folder: Path) -> None:
    muster("draft", "huzzah", "--limit", "6", "--out", "army.yaml")
    text = (folder / "army.yaml").read_text(encoding="utf-8")
    seed = text.splitlines()[1].rsplit(" ", 1)[1]

    muster("draft", "huzzah", "--limit", "6", "--out", "again.yaml", "--seed", seed)

    assert (folder / "again.yaml").read_text(encoding="utf-8") == text


def test_army_like_another_takes_its_book_and_limit(muster: Muster, folder: Path) -> None:
    result = muster(
        *("draft", "seven-years-war", "--like", "typical", "--seed", "2"), "--out", "like.yaml"
    )

    assert result.exit_code == 0
    found = load_army(folder / "like.yaml", Library(folder))
    assert (found.root.kind.text("book"), found.limit) == ("prussia", Decimal(250))


def test_existing_file_is_not_overwritten_without_force(muster: Muster, folder: Path) -> None:
    (folder / "army.yaml").write_text("mine\n", encoding="utf-8")

    refused = muster(*PRUSSIA, "--out", "army.yaml")

    assert refused.exit_code == 2
    assert "army.yaml already exists" in refused.stderr
    assert (folder / "army.yaml").read_text(encoding="utf-8") == "mine\n"
    assert muster(*PRUSSIA, "--out", "army.yaml", "--force").exit_code == 0
    # A file with the same bytes need not be forced.
    assert muster(*PRUSSIA, "--out", "army.yaml").exit_code == 0


def test_contradiction_is_printed_with_its_rules_and_nothing_is_written(
    muster: Muster, folder: Path
) -> None:
    result = muster(*PRUSSIA, "--limit", "50", "--include", "cuirassiers=20", "--out", "a.yaml")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "Seven Years War: no army meets the request; these rules conflict:",
        "  The army costs at most 50 points. [over-limit; The limit of this army]",
        "  The army has 20 units of Cuirassiers. [include; Your request]",
    ]
    assert not (folder / "a.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--include", "zzz"), "there is no unit 'zzz'"),
        (
            ("--include", "musket=2", "--book", "prussia"),
            "'musket' matches more than one unit: musketeers, early-musketeers",
        ),
        (("--include", "hussars=0"), "--include hussars=0: to leave a unit out, use --exclude"),
        (("--include", "hussars=x"), "--include hussars=x: read 'x', expected a whole number"),
        (("--include", "hussars", "--exclude", "hussars"), "hussars is both included and excluded"),
        (("--book", "saxony"), "there is no army book 'saxony'"),
        (("--theme", "raids at night"), "there is no theme 'raids at night'; "),
        (("--theme", "balanced", "--like", "typical"), "use --theme or --like, not both"),
        (("--limit", "much"), "--limit: read 'much', expected a number of points"),
        (("--limit", "0"), "--limit: read '0', expected a number of points above 0"),
        (("--limit", "99999"), "a draft may have at most 400 units"),
        (
            ("--count", "2", "--out", "one.yaml"),
            "one.yaml is a file, expected a folder for 2 armies",
        ),
        (("--like", "nowhere.yaml"), "nowhere.yaml"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_request_is_refused(
    muster: Muster, folder: Path, arguments: tuple[str, ...], text: str
) -> None:
    result = muster("draft", "seven-years-war", *arguments)

    assert result.exit_code == 2
    assert text in result.stderr
    assert not (folder / "armies" / "seven-years-war").exists()


def test_system_without_points_takes_whole_units_only(muster: Muster) -> None:
    result = muster("draft", "huzzah", "--limit", "10.5")

    assert (result.exit_code, "expected a whole number" in result.stderr) == (2, True)


def test_system_without_a_usual_limit_asks_for_one(muster: Muster) -> None:
    assert "there is no usual limit for Club rules; use --limit N" in muster("draft", "club").stderr
    assert (
        "there are no themes for Club rules"
        in muster("draft", "club", "--limit", "9", "--theme", "x").stderr
    )


def test_errors_in_layout_and_theme_are_shown_at_their_places(muster: Muster, folder: Path) -> None:
    club = folder / "content" / "club"
    (club / "themes").mkdir()
    (club / "themes" / "raid.yaml").write_text(
        "id: raid\ntitle: Raid\nparts:\n  - {of: {entry: [hors]}, min: 50%}\n", encoding="utf-8"
    )
    (club / "drafting.yaml").write_text(
        "limit: 100\ntheme: raid\nbodies:\n  - {id: all, level: army, holds: [wing]}\n",
        encoding="utf-8",
    )

    result = muster("draft", "club", "--seed", "1")

    assert result.exit_code == 2
    assert (
        "content/club/themes/raid.yaml:4:19: there is no entry 'hors' (did you mean 'horse'?)"
        in (result.stderr)
    )
    assert "content/club/drafting.yaml:4:36: there is no body 'wing'" in result.stderr
