"""Tests that a new rule system needs no Python: the ordinary commands do everything with it."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from muster.armies import load_book, load_composition
from muster.armies.books import book_ids
from muster.building.plan import Plan
from muster.cli.program import program
from muster.documents.rulebook import gather_rulebook
from muster.solver.proofs import prove_system
from muster.systems import Library
from muster.tables.file_models import KINDS
from tests.pages import test_html, test_pdf
from tests.pages.conftest import plain_environment
from tests.pages.printed import Pdf
from tests.plans import make_plan

HERE: Final = Path(__file__).resolve().parent
LEGAL: Final = "armies/sixth/legal.yaml"
ILLEGAL: Final = "armies/sixth/illegal.yaml"
THIN: Final = "\u202f"

pytestmark = pytest.mark.xdist_group("sixth")


def muster(*arguments: str) -> Result:
    result = CliRunner().invoke(program, ["--folder", str(HERE), *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_lint_finds_nothing() -> None:
    result = muster("lint", "sixth", "--format", "json")

    assert (result.exit_code, json.loads(result.stdout)) == (0, [])


def verdict(army: str) -> tuple[int, dict[str, Any]]:
    """Return the exit code of `muster check`, and the verdict that it prints as JSON."""
    result = muster("check", army, "--format", "json")
    (printed,) = json.loads(result.stdout)
    assert isinstance(printed, dict)
    return result.exit_code, printed


def test_legal_army_is_legal_and_costs_what_it_says() -> None:
    code, checked = verdict(LEGAL)

    assert (code, checked["legal"], checked["points"]) == (0, True, 172.5)
    assert checked["findings"] == []
    assert [(line["label"], line["how"]) for line in checked["lines"]] == [
        ("Captain “Old Wick”", "40"),
        ("Herald “First horn”", "15"),
        ("Herald “Second horn”", "15"),
        ("Sergeant “Tallow”", "free"),
        ("Street lamps", "2 × 8 × (2 + 0.25) = 36"),
        ("Gate wardens “North gate”", "6 × 4.5 + 1 × 3 = 30"),
        ("Moth riders", "2 × (11 + 1) = 24"),
        ("Sell-spears", "4 × 2.5 = 10"),
        ("Rampart", "10 ÷ 4 × 1 = 2.5"),
    ]


def test_illegal_army_breaks_every_rule_and_no_other() -> None:
    code, checked = verdict(ILLEGAL)

    assert (code, checked["legal"], checked["points"]) == (1, False, 177.75)
    assert [(f["code"], f["path"], f["line"], f["severity"]) for f in checked["findings"]] == [
        ("over-limit", "army", 5, "error"),
        ("one-captain", "army", 2, "error"),
        ("mostly-foot", "army", 2, "error"),
        ("wards-by-limit", "army", 2, "error"),
        ("few-wings", "army", 2, "error"),
        ("unit-number", "army", 2, "error"),
        ("cheap-charms", "warbands[0]", 9, "warning"),
        ("two-weapons", "warbands[0]", 9, "error"),
        ("unit-size", "warbands[0].units[0]", 13, "error"),
        ("bearers-in-pairs", "warbands[0].units[0]", 13, "warning"),
        ("unit-option", "warbands[0].units[0]", 13, "error"),
        ("one-charm", "warbands[0].units[1]", 15, "error"),
        ("lamps-for-figures", "warbands[0].units[1]", 15, "error"),
        ("torch-or-shield", "warbands[0].units[1]", 15, "error"),
        ("mettle-of-class", "warbands[0].units[1]", 15, "error"),
        ("no-wild-riders", "warbands[1]", 18, "warning"),
        ("few-moths", "warbands[1]", 18, "warning"),
        ("moths-need-lamps", "warbands[1]", 18, "error"),
        ("few-of-each", "warbands[1].packs[0]", 21, "warning"),
        ("pack-of-one-arm", "warbands[1].packs[0]", 21, "error"),
        ("dear-units", "warbands[1].packs[0].units[0]", 22, "error"),
        ("torches-on-foot", "warbands[1].packs[0].units[0]", 22, "error"),
        ("price-unknown", "warbands[1].packs[0].units[2]", 24, "warning"),
    ]
    (hound,) = [line for line in checked["lines"] if line["label"] == "Stone hound"]
    assert (hound["points"], hound["how"]) == (None, "without the figures")


def test_every_rule_is_broken_by_the_illegal_army() -> None:
    written = load_composition(Library(HERE).system("sixth")).constraints
    rules = [rule.id for rule in written]
    _, checked = verdict(ILLEGAL)

    assert rules
    assert {finding["code"] for finding in checked["findings"]} >= set(rules)


def test_every_unit_can_be_fielded_and_every_rule_can_take_effect() -> None:
    library = Library(HERE)
    system = library.system("sixth")
    books = [load_book(system, each) for each in book_ids(system)]

    assert prove_system(load_composition(system), books, library).sound


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("wound-table strength=4 roll=9", "Wound table, strength 3–5, roll eight to ten: 2"),
        ("wound tabel strength=12 roll=-3", "Wound table, strength six and over, roll up to 4: 1"),
        ("moves row=moth column=flown", "Moves, Moth riders, Flown: D6 × 5 cm"),
        ("moves row=wardens col=open scale=28", "Moves, Wardens, Open: 15 cm"),
        ("weapon row=sling column=missiles", "Weapons, Sling, Missiles: 1 stone"),
        ("points row=hound", "Points, Stone hound: not in the source (blank)"),
        ("dusk far=10cm column=unlit", "Sight at dusk, distance, cm 10–30, Unlit: −1"),
        ("nerve-test roll=7 column=dark", "Nerve, six to eight, In the dark: Falls back"),
        ("scares row=hounds", "When to test, Hounds howling: levies only"),
        ("wedge row=rank-2 column=file-2", "Wedge, Rank 2, 2: L"),
        ("words row=hush column=value", "Words, Hush, Value: 2 turns"),
        ("turn-sequence row=lamps", "The turn\n"),
    ],
    ids=lambda value: value if "=" in value else "",
)
def test_every_kind_of_table_is_looked_up(words: str, answer: str) -> None:
    table, *keys = words.replace("wound tabel", "wound_tabel").split(" ")

    result = muster("lookup", "sixth", table, *keys)

    assert result.exit_code == 0, result.output
    assert result.stdout.replace(THIN, " ").startswith(answer)


def test_gap_and_edge_are_no_entry() -> None:
    for far in ("35", "61"):
        result = muster("lookup", "sixth", "dusk", f"far={far}", "column=lit")

        assert result.exit_code == 1
        assert result.stdout.startswith(f"no entry for distance, cm {far}")


def test_export_holds_every_table() -> None:
    exported = json.loads(muster("export", "sixth").stdout)

    tables = {table["id"]: table for table in exported["tables"]}
    assert tables.keys() == {path.stem for path in (HERE / "content/sixth/tables").glob("*.yaml")}
    assert {table["kind"] for table in tables.values()} == set(KINDS)
    wounds = [[cell["value"] for cell in row["cells"]] for row in tables["wound-table"]["rows"]]
    assert wounds == [[0, 0, 1, 2], [0, 1, 2, 3], [1, 2, 3, 5]]
    assert [column["id"] for column in tables["bases"]["columns"]] == ["width-15mm", "width-28mm"]


def test_list_shows_tables_books_and_armies() -> None:
    (listed,) = json.loads(muster("list", "sixth", "--format", "json").stdout)

    assert listed["own"] is True
    assert len(listed["tables"]) == 19
    assert [book["id"] for book in listed["books"]] == ["hollow", "lamplit"]
    assert [army["id"] for army in listed["armies"]] == ["illegal", "legal"]


def test_raise_rolls_each_way_and_the_army_stays_legal(tmp_path: Path) -> None:
    source = (HERE / LEGAL).read_text(encoding="utf-8").replace(", fortune: 2", "")
    listed, raised = tmp_path / "listed.yaml", tmp_path / "raised.yaml"
    listed.write_text(source, encoding="utf-8")

    result = muster("raise", str(listed), "--seed", "6", "--out", str(raised))

    assert result.exit_code == 0
    text = raised.read_text(encoding="utf-8")
    # Each value is rolled in another way: by a column, by a column of bands, by a row of bands.
    assert all(f"{key}: " in text for key in ("fortune", "voice", "mettle"))
    assert text.count("rolled: ") == 5
    assert "grim" not in "".join(line for line in text.splitlines() if "street-lamps" in line)
    assert muster("check", str(raised)).exit_code == 0


def test_schema_names_a_bottom_level_by_its_own_key(tmp_path: Path) -> None:
    muster("schema", "--out", str(tmp_path))

    (path,) = tmp_path.rglob("*sixth*.json")
    levels = json.loads(path.read_text(encoding="utf-8"))["$defs"]
    assert levels["ward"]["required"] == ["ward"]
    assert levels["ward"]["properties"]["ward"]["enum"] == ["rampart"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders of two builds: of everything on A4, and of one scale in inches."""
    base = tmp_path_factory.mktemp("sixth")
    whole, other = base / "whole", base / "other"
    command = [sys.executable, "-m", "muster", "--quiet", "--folder", str(HERE), "build"]
    options = [
        ["--paper", "a4", "--out", str(whole), "--jobs", "2"],
        ["--scale", "15mm", "--unit", "in", "--format", "html", "--out", str(other), "--jobs", "1"],
    ]
    running = [
        subprocess.Popen(  # noqa: S603 - our own program
            [*command, "sixth", *more], env=plain_environment(), stderr=subprocess.PIPE, text=True
        )
        for more in options
    ]
    errors = [process.communicate(timeout=400)[1] for process in running]

    assert [process.returncode for process in running] == [0, 0], errors
    return whole, other


@pytest.fixture(scope="module")
def built(printed: tuple[Path, Path]) -> Path:
    return printed[0]


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(Library(HERE), ["sixth"], papers=("a4",))


@pytest.fixture(scope="module")
def pdfs(built: Path) -> dict[str, Pdf]:
    return {str(path.relative_to(built)): Pdf(path) for path in sorted(built.rglob("*.pdf"))}


def checks_of_pdfs() -> list[Callable[..., None]]:
    """Return the tests of all shipped PDFs, without those of one system and those that count."""
    counts = {"test_every_cell_knows_the_heads_of_its_row_and_column"}
    return [
        test
        for name, test in vars(test_pdf).items()
        if name.startswith("test_")
        and name not in counts
        and {"pdfs"} <= set(inspect.signature(test).parameters) <= {"pdfs", "plan", "built"}
    ]


@pytest.mark.slow
@pytest.mark.parametrize("check", checks_of_pdfs(), ids=lambda check: check.__name__)
def test_its_pdfs_pass_what_shipped_ones_pass(
    check: Callable[..., None], built: Path, pdfs: dict[str, Pdf], plan: Plan
) -> None:
    fixtures = {"built": built, "pdfs": pdfs, "plan": plan}

    check(**{name: fixtures[name] for name in inspect.signature(check).parameters})


def test_there_are_checks_to_pass() -> None:
    assert len(checks_of_pdfs()) >= 10


@pytest.mark.slow
def test_everything_planned_is_built(built: Path, plan: Plan) -> None:
    files = {str(path.relative_to(built)) for path in built.rglob("*") if path.is_file()}

    assert plan.problems == []
    assert {job.path for job in plan.jobs} <= files
    assert {(job.kind, job.format) for job in plan.jobs} == {
        *(
            (kind, form)
            for kind in ("tokens", "sheet", "cards", "roster", "book", "rulebook")
            for form in ("html", "pdf")
        ),
        ("cover", "pdf"),
        *(("web", form) for form in ("html", "css", "js")),
    }


@pytest.mark.slow
def test_its_pages_for_screens_are_in_order(printed: tuple[Path, Path]) -> None:
    faults = {
        str(path): test_html.faults(test_html.Reading(path.read_text(encoding="utf-8")), path)
        for folder in printed
        for path in folder.rglob("*.html")
    }

    assert {path: found for path, found in faults.items() if found} == {}
    assert len(faults) >= 18


def words(path: Path) -> str:
    """Return the words of a page for screens, with one space between them."""
    text = re.sub(
        r"<style>.*?</style>|<script.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL
    )
    return " ".join(re.sub(r"<[^>]*>", " ", text).replace(THIN, " ").split())


@pytest.mark.slow
def test_each_scale_has_a_sheet_of_its_own(built: Path) -> None:
    small = words(built / "sixth" / "quick-reference.html")
    large = words(built / "sixth" / "quick-reference-28mm.html")

    assert "Lantern bearers 10 cm (2) a 5 cm (1)" in small
    assert "Lantern bearers 15 cm (3) a 5 cm (1)" in large
    assert ("Glow: 10 cm. Lit ground." in small, "Glow: 15 cm. Lit ground." in large) == (
        True,
        True,
    )
    for figures, sheet in (("Six stand on one base.", small), ("One stands on each base.", large)):
        assert [figures in text for text in (small, large)] == [
            text is sheet for text in (small, large)
        ]
    assert "9–12 By a lamp: Stands. In the dark: to fill in" in small


@pytest.mark.slow
def test_sheet_for_one_scale_in_inches_keeps_its_bands(printed: tuple[Path, Path]) -> None:
    text = words(printed[1] / "sixth" / "quick-reference.html")

    assert "Lantern bearers 4″ (2) a 2″ (1)" in text
    assert "D6 × 2″" in text
    assert "converted from centimetres" in text
    assert "One stands on each base." not in text
    assert "28 mm" not in text


@pytest.mark.slow
def test_sheet_for_an_army_leaves_out_what_it_does_not_have(built: Path) -> None:
    legal = words(built / "sixth/armies/legal/quick-reference.html")
    illegal = words(built / "sixth/armies/illegal/quick-reference.html")

    # A step, a row of a table and a row of options that each have a filter `for:`.
    assert ("Light the wards" in legal, "Light the wards" in illegal) == (False, True)
    assert ("Hounds howling" in legal, "Hounds howling" in illegal) == (True, True)
    assert ("Blessed bow" in legal, "Blessed bow" in illegal) == (True, False)


@pytest.mark.slow
def test_army_without_wings_has_no_column_for_them(tmp_path: Path) -> None:
    folder = tmp_path / "armies" / "sixth"
    folder.mkdir(parents=True)
    shutil.copytree(HERE / "content", tmp_path / "content")
    army = "system: sixth\nwarbands:\n  - units:\n      - {unit: wardens, figures: 4}\n"
    (folder / "walkers.yaml").write_text(army, encoding="utf-8")
    plan = make_plan(Library(tmp_path), ["sixth"], ("sheet",), ("html",))

    heads = {
        Path(job.path).parts[-2:]: [
            head.label
            for side in job.data.sides
            for block in side.blocks
            for view in block.views
            for head in view.heads
            if view.id == "movement"
        ]
        for job in plan.jobs
    }

    assert heads == {
        ("sixth", "quick-reference.html"): ["Open", "Marsh", "Flown"],
        ("sixth", "quick-reference-28mm.html"): ["Open", "Marsh", "Flown"],
        ("walkers", "quick-reference.html"): ["Open", "Marsh"],
    }


@pytest.mark.slow
def test_cards_show_what_is_derived(built: Path) -> None:
    text = words(built / "sixth/armies/legal/cards.html")

    assert "Most 15 cm 5 cm 22½ cm" in text
    assert "Reach and dice 6–30 cm 2D6 + 1" in text
    led = "With the leader 7 Without the front rank 0"
    assert re.search(rf"North gate .*? 6 strike .*? {led}", text)
    assert re.search(r"Hits taken 4 Scar to fill in", text)
    assert "Motto Paid by the night" in text
    assert re.search(r"Old Wick .*? 2 fortune 15 cm glow .*? 2 turns hush", text)


@pytest.mark.slow
def test_rosters_show_the_verdict_and_what_the_total_lacks(built: Path) -> None:
    legal = words(built / "sixth/armies/legal/roster.html")
    illegal = words(built / "sixth/armies/illegal/roster.html")

    assert "172.5 of 200 points" in legal
    assert "Not legal" not in legal
    assert "Not legal" in illegal
    assert "177.75 of 100 points, without the figures of Stone hound" in illegal
    assert "without the figures" in illegal


@pytest.mark.parametrize("edition", ["standard", "large-print", "travel"])
def test_wide_table_is_turned_where_pages_are_narrow(edition: str) -> None:
    system = Library(HERE).system("sixth")
    book = gather_rulebook(system, system.edition(edition))

    (view,) = [table.view for table in book.tables if table.view.id == "weapons"]

    heads = [head.label for head in view.heads]
    if edition == "standard":
        assert len(heads) == 13
        assert [line.label for line in view.lines] == ["Bow", "Sling", "Spear"]
    else:
        assert heads == ["Bow", "Sling", "Spear"]
        assert [line.label for line in view.lines[:2]] == ["Reach", "Dice"]
