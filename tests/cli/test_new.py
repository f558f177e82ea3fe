"""Tests of `muster new`: what it writes is legal, has no lint issues, and overwrites nothing."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from muster.armies import load_composition
from muster.cli.new import fill_gaps, title_of_id
from muster.cli.program import program
from muster.systems import Library
from tests.cli.conftest import Muster
from tests.scaffold import SHIPPED, lay_out, spoil
from tests.solver.lists import ROOT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: {{title}}", "name: Old guard"),
        ("{{unit:foot}}", "grenadiers"),
        ("{{unit:horse}}", "horse"),
        ("{{unit:guns|guns, gun: heavy}}", "guns, gun: heavy"),
        ("{{nothing}}", ""),
        ("{not: a gap}", "{not: a gap}"),
    ],
)
def test_gap_is_filled(text: str, expected: str) -> None:
    assert fill_gaps(text, {"title": "Old guard", "unit:foot": "grenadiers"}) == expected


def test_title_begins_with_a_capital() -> None:
    assert title_of_id("old-guard") == "Old guard"


@pytest.mark.parametrize(
    ("system", "book"),
    [
        (system, book)
        for system in SHIPPED
        for book in (None, *Library().system(system).yaml_ids("books"))
    ],
)
def test_new_army_is_legal_at_once(system: str, book: str | None, muster: Muster) -> None:
    chosen = ["--book", book] if book else []

    result = muster("new", "army", "mine", "--system", system, *chosen)

    file = f"armies/{system}/mine.yaml"
    assert (result.exit_code, result.stdout) == (0, f"wrote {file}\n")
    checked = muster("check", file)
    assert checked.stdout.startswith("Mine (")
    assert (checked.exit_code, "error" in checked.stdout) == (0, False), checked.stdout
    text = Path(file).read_text(encoding="utf-8")
    assert book is None or f"\nbook: {book}\n" in text
    assert "#   muster check mine " in text
    prices = load_composition(Library().system(system)).has_prices
    assert ("what does it cost?" in text) == prices
    assert "#   muster build mine " in text
    following, listing = result.stderr.splitlines()
    assert following == "next: muster check mine; muster build mine"
    assert muster(*listing.removeprefix("units, sizes and prices: muster ").split()).exit_code == 0
    assert muster("build", "mine", "--dry-run").exit_code == 0


def test_new_army_goes_to_the_only_own_system(muster: Muster, folder: Path) -> None:
    result = muster("new", "army", "second", "--book", "first")

    text = (folder / "armies" / "club" / "second.yaml").read_text(encoding="utf-8")
    assert result.exit_code == 0
    assert "\nname: Second\n" in text
    assert text.startswith("# An army of Club rules.")
    listing = "muster list club --book first-book"
    assert f"units, sizes and prices: {listing}\n" in result.stderr
    assert muster(*listing.split()[1:]).exit_code == 0
    assert muster("check", "armies/club/second.yaml").exit_code == 0


def test_army_whose_name_another_has_is_named_with_its_system(muster: Muster, folder: Path) -> None:
    lay_out(folder, "league")

    result = muster("new", "army", "second", "--system", "league")
    again = muster("new", "army", "second", "--system", "club")

    assert result.stderr.startswith("next: muster check second; muster build second\n")
    assert again.stderr.startswith("next: muster check club/second; muster build club/second\n")


def test_system_must_be_named_where_there_are_several(muster: Muster, folder: Path) -> None:
    (folder / "content" / "club" / "system.yaml").unlink()

    result = muster("new", "army", "mine")

    assert result.exit_code == 2
    assert f"--system {'|'.join(SHIPPED)}" in result.stderr


def test_army_is_not_overwritten(muster: Muster, folder: Path) -> None:
    before = (folder / "armies" / "club" / "first.yaml").read_bytes()

    result = muster("new", "army", "first")

    assert result.exit_code == 2
    assert "already exists" in result.stderr
    assert (folder / "armies" / "club" / "first.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("My Army", "such as my-army"),
        ("../up", "such as up"),
        ("--", "such as advance-guard"),
        ("a" * 61, "such as aaa"),
        ("été", "such as ete"),
    ],
    ids=["title", "path", "hyphens", "too long", "accents"],
)
@pytest.mark.parametrize("what", ["army", "system"])
def test_name_must_be_an_id(name: str, hint: str, what: str, muster: Muster) -> None:
    result = muster("new", what, "--", name)

    assert result.exit_code == 2
    assert hint in result.stderr


@pytest.mark.parametrize("option", ["--system", "--book"])
def test_unknown_system_or_book_is_refused(option: str, muster: Muster) -> None:
    result = muster("new", "army", "mine", option, "xyzzy")

    assert result.exit_code == 2
    assert "'xyzzy'; " in result.stderr


def test_new_army_of_a_system_with_a_broken_table_says_what_is_broken(
    muster: Muster, folder: Path
) -> None:
    spoil(folder / "content" / "club" / "tables" / "points.yaml", '["20"]', "[twenty]")

    result = muster("new", "army", "mine", "--book", "first-book")

    assert result.exit_code == 2
    assert "content/club/tables/points.yaml:" in result.stderr
    assert "read 'twenty'" in result.stderr
    assert "there is no template" not in result.stderr


def test_new_system_leaves_what_is_built_out_of_git(muster: Muster, folder: Path) -> None:
    result = muster("new", "system", "skirmish")

    assert "wrote .gitignore\n" in result.stdout
    assert "\n/build/\n" in (folder / ".gitignore").read_text(encoding="utf-8")


def test_gitignore_of_the_folder_stays(muster: Muster, folder: Path) -> None:
    (folder / ".gitignore").write_text("*.bak\n", encoding="utf-8")

    result = muster("new", "system", "skirmish")

    assert result.exit_code == 0
    assert ".gitignore" not in result.stdout
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "*.bak\n"


def test_system_is_written_whole_though_nobody_reads_its_names(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(text: str) -> None:
        raise BrokenPipeError(text)

    monkeypatch.setattr("muster.cli.show.result", closed)

    CliRunner().invoke(program, ["new", "system", "skirmish"])

    written, whole = (
        {
            path.relative_to(folder / "content" / name)
            for path in (folder / "content" / name).rglob("*")
        }
        for name in ("skirmish", "club")
    )
    assert written == whole
    assert (folder / "armies" / "skirmish" / "first.yaml").is_file()


def test_own_scaffold_is_used_first(muster: Muster, folder: Path) -> None:
    own = folder / "templates" / "new" / "armies"
    own.mkdir(parents=True)
    text = (folder / "armies" / "club" / "first.yaml").read_text(encoding="utf-8")
    (own / "club.yaml").write_text(
        text.replace("name: First army", "name: {{title}}, ours"), encoding="utf-8"
    )

    muster("new", "army", "mine")

    made = (folder / "armies" / "club" / "mine.yaml").read_text(encoding="utf-8")
    assert "\nname: Mine, ours\n" in made


def write_scaffold(folder: Path, text: str) -> None:
    """Write the user's own scaffold of an army for the club's rules."""
    own = folder / "templates" / "new" / "armies"
    own.mkdir(parents=True)
    (own / "club.yaml").write_text(text, encoding="utf-8")


def test_scaffold_takes_the_books_unit_of_a_type_unless_that_is_illegal(
    muster: Muster, folder: Path
) -> None:
    write_scaffold(
        folder,
        "system: club\nbook: {{book:first-book}}\nname: {{title}}\ngeneral: {}\n"
        "units: [{unit: {{unit:foot}}, stands: 4}]\n",
    )
    muster("new", "army", "one")
    spoil(
        folder / "content" / "club" / "books" / "first-book.yaml",
        "type: foot}",
        "type: guns, options: [veteran]}",
    )
    spoil(folder / "templates" / "new" / "armies" / "club.yaml", "unit:foot", "unit:guns")
    spoil(folder / "templates" / "new" / "armies" / "club.yaml", "stands: 4", "stands: 1")
    muster("new", "army", "two")

    made = [(folder / "armies" / "club" / f"{name}.yaml").read_text() for name in ("one", "two")]
    assert "unit: line" in made[0]
    assert "unit: guns" in made[1]


SECOND_BOOK = """\
id: second
title: The Second Nation
nation: second
units:
  - {id: pikes, title: Pikes, type: foot}
  - {id: lancers, title: Lancers, type: horse}
"""


def test_army_of_a_book_without_one_is_made_from_another_books(
    muster: Muster, folder: Path
) -> None:
    books = folder / "content" / "club" / "books"
    (books / "second.yaml").write_text(SECOND_BOOK, encoding="utf-8")

    result = muster("new", "army", "mine", "--book", "second")

    assert result.exit_code == 0, result.stderr
    made = (folder / "armies" / "club" / "mine.yaml").read_text(encoding="utf-8")
    assert "\nbook: second\n" in made
    for unit in ("unit: pikes, stands: 6", "unit: lancers, name: The Greys", "unit: guns"):
        assert unit in made
    assert muster("check", "armies/club/mine.yaml").exit_code == 0


def test_army_of_another_book_is_repaired(muster: Muster, folder: Path) -> None:
    books = folder / "content" / "club" / "books"
    (books / "second.yaml").write_text(SECOND_BOOK, encoding="utf-8")
    rule = (
        "  - {id: pikes, kind: count, of: {where: {unit: [pikes]}}, within: army, min: 4,\n"
        "     when: {of: {where: {book: [second]}}, min: 1}, message: Tried., "
        "rule: {chapter: army}}\n"
    )
    spoil(
        folder / "content" / "club" / "composition.yaml", "constraints:\n", f"constraints:\n{rule}"
    )

    result = muster("new", "army", "mine", "--book", "second")

    assert result.exit_code == 0, result.stderr
    assert muster("check", "armies/club/mine.yaml").exit_code == 0


def test_book_is_written_where_the_army_to_copy_has_none(muster: Muster, folder: Path) -> None:
    first = folder / "armies" / "club" / "first.yaml"
    lines = ["system: club", "name: First", "general: {}", "units: [{unit: foot, stands: 4}]"]
    first.write_text("\n".join(lines), encoding="utf-8")

    muster("new", "army", "mine", "--book", "first-book")

    made = (folder / "armies" / "club" / "mine.yaml").read_text(encoding="utf-8")
    assert "\nbook: first-book\n" in made


def test_scaffold_without_its_book_goes_without(muster: Muster, folder: Path) -> None:
    write_scaffold(
        folder,
        "system: club\nbook: {{book:lost}}\nname: {{title}}\ngeneral: {}\n"
        "units: [{unit: {{unit:foot}}, stands: 4}]\n",
    )

    muster("new", "army", "mine")

    made = (folder / "armies" / "club" / "mine.yaml").read_text(encoding="utf-8")
    assert "book" not in made
    assert muster("check", "armies/club/mine.yaml").exit_code == 0


def test_without_a_scaffold_or_a_legal_army_there_is_no_starting_point(
    muster: Muster, folder: Path
) -> None:
    spoil(folder / "armies" / "club" / "first.yaml", "unit: guards, stands: 6", "unit: guards")
    (folder / "armies" / "club" / "broken.yaml").write_text("[", encoding="utf-8")

    result = muster("new", "army", "mine")

    assert result.exit_code == 2
    assert "write templates/new/armies/club.yaml" in result.stderr


def test_new_system_is_sound_and_its_army_legal(muster: Muster, folder: Path) -> None:
    result = muster("new", "system", "my-rules")

    assert result.exit_code == 0
    assert "wrote content/my-rules/system.yaml\n" in result.stdout
    linted = muster("lint", "my-rules")
    assert (linted.exit_code, linted.stdout) == (0, "")
    assert muster("check", "armies/my-rules/first.yaml").exit_code == 0
    assert "{{" not in "".join(
        path.read_text(encoding="utf-8") for path in (folder / "content" / "my-rules").rglob("*.*")
    )


@pytest.mark.slow
def test_new_system_builds_at_once(muster: Muster, folder: Path) -> None:
    muster("new", "system", "my-rules")

    result = muster("build", "my-rules", "--jobs", "1")

    assert result.exit_code == 0, result.output
    assert (folder / "build" / "my-rules" / "armies" / "first" / "cards.pdf").is_file()


def test_system_is_not_overwritten(muster: Muster, folder: Path) -> None:
    known = muster("new", "system", "slaughterloo")
    (folder / "content" / "half" / "tables").mkdir(parents=True)
    (folder / "content" / "half" / "tables" / "hits.yaml").touch()
    half = muster("new", "system", "half")

    assert (known.exit_code, half.exit_code) == (2, 2)
    assert "a rule system 'slaughterloo' already exists" in known.stderr
    assert "hits.yaml already exists" in half.stderr
    assert not (folder / "content" / "half" / "system.yaml").exists()


def test_lost_scaffold_is_an_error(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "templates", lambda _: [])

    result = muster("new", "system", "mine")

    assert result.exit_code == 2
    assert "reinstall Muster" in result.stderr


def test_examples_of_the_readmes_fit_a_new_system(muster: Muster, folder: Path) -> None:
    muster("new", "system", "my-rules")
    content = folder / "content" / "my-rules"
    table = example(ROOT / "README.md", "id: artillery-ranges")
    (content / "tables" / "artillery-ranges.yaml").write_text(table, encoding="utf-8")
    with (content / "prose" / "04-shooting.md").open("a", encoding="utf-8") as prose:
        prose.write("\n{table: artillery-ranges}\n")
    blocks = content / "sheets" / "quick-reference.yaml"
    spoil(blocks, "      - {table: morale-test}", "      - {table: artillery-ranges}")
    howitzers = example(ROOT / "content" / "README.md", "  - id: howitzers")
    spoil(content / "composition.yaml", "options:\n", f"{howitzers}options:\n")
    column = example(
        ROOT / "content" / "README.md", "  - {label: Cal, title: Calibre, value: {field: calibre}}"
    )
    spoil(content / "cards.yaml", "\nroster:\n", f"\nroster:\n{column}")
    rows = "rows:\n  - {id: light, label: L, cells: [8]}\n  - {id: heavy, label: H, cells: [12]}\n"
    spoil(content / "tables" / "points.yaml", "rows:\n", rows)
    unit = "{unit: howitzers, stands: 1, calibre: light}"
    spoil(folder / "armies" / "my-rules" / "first.yaml", "{unit: battery, stands: 1}", unit)

    assert muster("lint", "my-rules").output == "My rules: no problems\n"
    assert "1 × 8 =   8" in muster("check", "my-rules/first").stdout
    muster("build", "my-rules/first", "--only", "roster", "--format", "html")
    roster = folder / "build" / "my-rules" / "armies" / "first" / "roster.html"
    assert ">Light<" in roster.read_text(encoding="utf-8")


def example(readme: Path, first_line: str) -> str:
    """Return the example of a page that begins with a line."""
    _, _, rest = readme.read_text(encoding="utf-8").partition(f"```yaml\n{first_line}\n")
    return f"{first_line}\n{rest.partition('```')[0]}"
