"""Tests of `muster diff`: where editions come from, what is printed, exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pypdf import PdfReader

from muster.cli.diff import EditionError, older_editions
from muster.systems import Library
from muster.systems.library import LibraryItem
from tests.building.test_revisions import git
from tests.cli.conftest import Muster
from tests.scaffold import spoil

OLD = "old/club"
NEW = "content/club"


@pytest.fixture
def club(folder: Path, muster: Muster) -> Muster:
    """A way to run `muster` in a folder that has an older edition beside the current one."""
    shutil.copytree(folder / NEW, folder / OLD)
    spoil(folder / NEW / "system.yaml", 'edition: "1.0"', 'edition: "1.1"')
    spoil(folder / NEW / "tables" / "points.yaml", "[5 per stand]", "[5.5 per stand]")
    return muster


def test_no_difference_is_0(muster: Muster) -> None:
    result = muster("diff", NEW, NEW)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [
        "Club rules 1.0 (content/club) → Club rules 1.0 (content/club)",
        "no changes; 0 of 1 armies affected",
    ]


def test_differences_are_1_and_printed_under_their_headings(club: Muster) -> None:
    result = club("diff", OLD, NEW)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "The system",
        "  ~ edition: 1.0 → 1.1",
        "Points",
        "  ~ Horse, Points: 5 per stand → 5½ per stand (+0.5); the price of Horse",
        "Army: First army (armies/club/first.yaml)",
        "  legal, 107 points → legal, 109 points (+2)",
        "  Dragoons “The Greys”: 4 × 5 = 20 → 4 × 5.5 = 22",
    ]
    assert "2 changes; 1 of 1 armies affected" in result.stderr


def test_colours_are_for_terminals(club: Muster) -> None:
    assert "\x1b[" not in club("diff", OLD, NEW).stdout
    assert "\x1b[" in club("diff", OLD, NEW, color=True).stdout


def test_json_has_the_promised_keys(club: Muster) -> None:
    result = club("diff", OLD, NEW, "--format", "json")

    data = json.loads(result.stdout)
    assert result.exit_code == 1
    assert list(data) == ["old", "new", "changes", "armies", "missing", "translations"]
    assert data["old"] == {
        "name": OLD,
        "id": "club",
        "title": "Club rules",
        "edition": "1.0",
        "source": "Club rules: the club's own rules.",
    }
    assert data["changes"][1] == {
        "kind": "changed",
        "part": "cell",
        "heading": "Points",
        "at": ["points", "horse", "points"],
        "place": ["Horse", "Points"],
        "old": "5 per stand",
        "new": "5½ per stand",
        "by": 0.5,
        "words": [],
        "prices": ["Horse"],
    }
    (army,) = data["armies"]
    assert list(army) == [*("file", "army", "old", "new", "by", "appeared", "gone", "prices")]
    assert (army["old"], army["new"], army["by"]) == (
        {"legal": True, "points": 107, "faults": []},
        {"legal": True, "points": 109, "faults": []},
        2,
    )


def test_exports_have_the_same_changes_as_folders(club: Muster, folder: Path) -> None:
    shutil.copytree(folder / OLD, folder / "was" / "content" / "club")
    club("--folder", "was", "export", "club", "--out", "../v1.json")
    club("export", "club", "--out", "v2.json")

    folders = json.loads(club("diff", OLD, NEW, "--format", "json").stdout)
    exports = club("diff", "v1.json", "v2.json", "--format", "json")
    mixed = json.loads(club("diff", "v1.json", NEW, "--format", "json").stdout)

    assert json.loads(exports.stdout)["changes"] == folders["changes"]
    assert mixed["changes"] == folders["changes"]
    assert json.loads(exports.stdout)["armies"] is None
    assert exports.exit_code == 1


@pytest.fixture
def tagged(club: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Muster:
    """A way to run `muster` in a repository with the old edition as v1, the current one as v2."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    shutil.move(folder / NEW, folder / "kept")
    shutil.move(folder / OLD, folder / NEW)
    git(folder, "init", "--quiet")
    git(folder, "add", "content")
    git(folder, "commit", "--quiet", "-m", "v1")
    git(folder, "tag", "v1")
    shutil.rmtree(folder / NEW)
    shutil.move(folder / "kept", folder / NEW)
    git(folder, "add", "content")
    git(folder, "commit", "--quiet", "-m", "v2")
    git(folder, "tag", "v2")
    return club


@pytest.mark.parametrize(
    "words",
    [
        ("v1:content/club", NEW),
        ("v1:content/club", "club"),
        ("v1:content/club", "v2:content/club"),
        ("--system", "club", "v1", "v2"),
        ("--system", "club", "v1"),
    ],
    ids=["and a folder", "and an id", "and a revision", "two with --system", "one with --system"],
)
def test_revision_is_compared_as_its_folder_would_be(
    tagged: Muster, words: tuple[str, ...]
) -> None:
    result = tagged("diff", *words)

    assert result.exit_code == 1
    assert "  ~ edition: 1.0 → 1.1\n" in result.stdout
    assert "legal, 107 points → legal, 109 points (+2)" in result.stdout
    assert "Club rules 1.0 (v1:content/club)" in result.stderr


def test_problem_in_a_revision_is_shown_under_its_name(tagged: Muster, folder: Path) -> None:
    spoil(folder / NEW / "tables" / "points.yaml", '["20"]', "[twenty]")
    git(folder, "commit", "--quiet", "-a", "-m", "v3")
    git(folder, "tag", "v3")

    result = tagged("diff", "v3:content/club", NEW)

    assert result.exit_code == 2
    assert result.stderr.startswith("v3:content/club/tables/points.yaml:")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("nothing", NEW), "read 'nothing', expected a system's folder"),
        (("armies", NEW), "read 'armies', expected a system's folder"),
        ((NEW,), "read one edition, expected two"),
        (("first",), "read one army, expected two, such as `muster diff old.yaml new.yaml`"),
        (("armies/club/first.yaml",), "read one army, expected two"),
        (("v1:content/club", NEW), "not a git repository"),
        ((NEW, "content/club/system.yaml"), "content/club/system.yaml:"),
        ((NEW, NEW, "--sheet", "x.doc"), "expected a name that ends in .pdf or .html"),
    ],
    ids=[
        "unknown",
        "no system",
        "only one",
        "one army",
        "its file",
        "no repository",
        "no export",
        "no sheet",
    ],
)
def test_edition_that_cannot_be_found_is_2(
    muster: Muster,
    words: tuple[str, ...],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    result = muster("diff", *words)

    assert result.exit_code == 2
    assert text in result.stderr


@pytest.fixture
def two(muster: Muster, folder: Path) -> Muster:
    """A way to run `muster` in a folder with a second army, in which a unit is too large."""
    army = (folder / "armies" / "club" / "first.yaml").read_text(encoding="utf-8")
    second = army.replace("The Greys, stands: 4", "The Greys, stands: 9")
    (folder / "second.yaml").write_text(second, encoding="utf-8")
    return muster


def test_two_armies_are_compared_with_their_totals_and_verdicts(two: Muster) -> None:
    result = two("diff", "armies/club/first.yaml", "second.yaml")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "~ Dragoons “The Greys”: stands 4 → 9  +25",
        "old: First army (armies/club/first.yaml): legal, 107 of 120 points",
        "new: First army (second.yaml): not legal, 132 of 120 points (+25)",
        "  new error: First army: The army costs more than the limit of 120 points.",
        "  new error: Dragoons “The Greys”: A unit has the stands that its type allows.",
    ]
    assert result.stderr == "1 change\n"


def test_army_is_found_by_its_name(two: Muster) -> None:
    assert two("diff", "first", "second.yaml").stdout == (
        two("diff", "armies/club/first.yaml", "second.yaml").stdout
    )


def test_army_is_the_same_as_itself(two: Muster) -> None:
    result = two("diff", "second.yaml", "second.yaml")

    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr == "no changes\n"


def test_two_armies_as_json(two: Muster) -> None:
    data = json.loads(
        two("diff", "second.yaml", "armies/club/first.yaml", "--format", "json").stdout
    )

    assert list(data) == ["old", "new", "by", "changes", "appeared", "gone"]
    assert (data["old"]["legal"], data["new"]["legal"], data["by"]) == (False, True, -25)
    assert [change["words"] for change in data["changes"]] == [["stands 9 → 4"]]
    assert (data["appeared"], len(data["gone"])) == ([], 2)


@pytest.mark.parametrize(
    ("others", "text"),
    [
        (("armies/club/first.yaml", "--system", "club"), "--system and --sheet are for editions"),
        (("bad.yaml",), "bad.yaml:"),
        (("other.yaml",), "read armies of 'club' and 'huzzah', expected two armies of one system"),
    ],
    ids=["option of editions", "unreadable", "another system"],
)
def test_armies_that_cannot_be_compared_are_2(
    two: Muster, folder: Path, others: tuple[str, ...], text: str
) -> None:
    (folder / "bad.yaml").write_text("units: [\n", encoding="utf-8")
    (folder / "other.yaml").write_text("system: huzzah\nname: Other\n", encoding="utf-8")

    result = two("diff", "second.yaml", *others)

    assert result.exit_code == 2
    assert text in result.stderr


@pytest.mark.parametrize(
    ("other", "text"),
    [("typo.yaml", "typo.yaml: there is no such file"), ("typo", "there is no army 'typo'")],
)
def test_army_that_is_missing_beside_a_file_is_told(two: Muster, other: str, text: str) -> None:
    for words in (("second.yaml", other), (other, "second.yaml")):
        result = two("diff", *words)

        assert result.exit_code == 2
        assert text in result.stderr


def test_army_that_becomes_illegal_is_shown_with_its_finding(club: Muster, folder: Path) -> None:
    spoil(folder / NEW / "tables" / "unit-sizes.yaml", "[4-8]", "[4-5]")

    result = club("diff", OLD, NEW)

    lines = result.stdout.splitlines()
    assert "  legal, 107 points → not legal, 109 points (+2)" in lines
    assert "  new: Guards: A unit has the stands that its type allows." in lines


def test_older_export_says_what_was_not_compared(club: Muster, folder: Path) -> None:
    data = json.loads(club("export", "club").stdout)
    bare = {key: data[key] for key in ("system", "tables")}
    (folder / "v0.json").write_text(json.dumps(bare), encoding="utf-8")

    result = club("diff", "v0.json", NEW)

    assert result.exit_code == 0
    assert (
        "not compared: the prose, because one of the editions does not contain it" in result.stderr
    )


@pytest.mark.slow
def test_sheet_is_a_tagged_pdf_that_says_what_changed(club: Muster, folder: Path) -> None:
    result = club("diff", OLD, NEW, "--sheet", "out/changes.pdf")

    assert result.exit_code == 1
    reader = PdfReader(folder / "out" / "changes.pdf")
    text = " ".join(" ".join(page.extract_text().split()) for page in reader.pages)
    assert "5 per stand → 5½ per stand" in text
    assert "Effect on armies" in text
    assert reader.metadata is not None
    assert reader.metadata.title == "Club rules: what changed"
    before = (folder / "out" / "changes.pdf").read_bytes()
    club("diff", OLD, NEW, "--sheet", "out/changes.pdf")
    assert (folder / "out" / "changes.pdf").read_bytes() == before


def test_sheet_for_screens_is_one_page_by_itself(club: Muster, folder: Path) -> None:
    club("diff", OLD, NEW, "--sheet", "changes.html")

    html = (folder / "changes.html").read_text(encoding="utf-8")
    assert "<h1>Club rules: what changed</h1>" in html
    assert "5 per stand → <b>5½ per stand</b>" in html
    assert "src=" not in html.replace('src="data:', "")


def test_sheet_that_takes_too_long_is_2(
    club: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_done(*_: object) -> str:
        while True:
            pass

    monkeypatch.setattr("muster.limits.PRINT_SECONDS", 0.2)
    monkeypatch.setattr("muster.rendering.plain_pages.changes_html", never_done)

    result = club("diff", OLD, NEW, "--sheet", "changes.html")

    assert result.exit_code == 2
    assert "cannot print changes.html: it took more than 0.2 seconds" in result.stderr
    assert not (folder / "changes.html").exists()


def test_older_editions_of_no_system_are_refused(folder: Path) -> None:
    class NoLibrary(Library):
        def systems(self) -> dict[str, LibraryItem]:
            return {}

    with pytest.raises(EditionError, match="there is no rule system here"):
        older_editions("v1", [], NoLibrary(folder))


def test_changes_since_needs_rulebooks_and_an_edition_of_theirs(club: Muster) -> None:
    without = club("build", "club", "--only", "sheet", "--changes-since", OLD)
    strange = club("build", "slaughterloo", "--only", "rulebook", "--changes-since", OLD)
    nowhere = club("build", "club", "--only", "rulebook", "--changes-since", "x:content/club")

    assert [result.exit_code for result in (without, strange, nowhere)] == [2, 2, 2]
    assert "--changes-since marks rulebooks, but --only excludes them" in without.stderr
    assert "is an edition of club, which is not part of this build" in strange.stderr
    assert "there is no revision 'x'" in nowhere.stderr


def test_older_edition_is_read_for_each_system_that_is_built(tagged: Muster) -> None:
    del tagged

    library = Library()

    assert [key for key, _ in older_editions("v1", ["club"], library)] == ["club"]
    assert [key for key, _ in older_editions("v1:content/club", [], library)] == ["club"]
    assert [key for key, _ in older_editions("v1", [], library)] == ["club"]
    ((_, old),) = older_editions("v1", ["club"], library)
    assert json.loads(old)["system"]["edition"] == "1.0"
