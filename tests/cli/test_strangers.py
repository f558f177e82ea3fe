"""Tests of what a stranger's folder may hold: it harms nobody and is told."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Muster
from tests.solver.lists import ROOT

QUICK = ("build", "club", "--jobs", "1", "--only", "roster", "--format", "html")
NAMES = ["a#b.yaml", "a?b.yaml", "a\x1b[31mb.yaml", "a\udcffb.yaml", "-o.yaml"]
HIDDEN = ["..yaml", ".yaml", ".#first.yaml"]


def test_army_with_a_name_that_is_no_id_is_told_and_left_out(muster: Muster, folder: Path) -> None:
    first = folder / "armies" / "club" / "first.yaml"
    for name in [*NAMES, *HIDDEN]:
        first.with_name(name).write_text(first.read_text(encoding="utf-8"), encoding="utf-8")

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert result.stderr.count("[bad-file-name]") == len(NAMES)
    assert "\x1b" not in result.output
    assert r"'a\x1b[31mb.yaml'" in result.stderr
    assert r"'a\udcffb.yaml'" in result.stderr
    built = [path.name for path in (folder / "build" / "club").rglob("*") if path.is_file()]
    assert sorted(built) == ["roster-short.html", "roster.html"]
    assert muster("list", "club").stderr.count("[bad-file-name]") == len(NAMES)


@pytest.mark.parametrize("name", ["a#b.yaml", "a\x1b[2Jb.yaml", "a\udcffb.yaml"])
@pytest.mark.parametrize("command", ["check", "repair"])
def test_army_of_any_name_is_read_if_it_is_named(
    command: str, name: str, muster: Muster, folder: Path
) -> None:
    first = folder / "armies" / "club" / "first.yaml"
    first.with_name(name).write_text("system: nowhere\n")

    result = muster(command, f"armies/club/{name}")

    assert result.exit_code == 2
    assert "\x1b" not in result.output
    assert "there is no rule system 'nowhere'" in result.output


def test_army_from_elsewhere_whose_path_is_no_text_is_told_and_left_out(
    muster: Muster, folder: Path
) -> None:
    text = (folder / "armies" / "club" / "first.yaml").read_bytes()
    try:
        (folder / "M\udcfcller.yaml").write_bytes(text)
    except OSError:
        pytest.skip("this disk takes only names of UTF-8")
    (folder / "anna.yaml").write_bytes(text)

    result = muster("build", "M\udcfcller.yaml", "anna.yaml", *QUICK[2:])

    assert result.exit_code == 2
    assert r"the path 'M\udcfcller.yaml' is not UTF-8; rename the file" in result.stderr
    assert "2 documents built" in result.stderr


@pytest.mark.parametrize("part", ["sheets", "editions", "tables"])
def test_other_file_with_a_name_that_is_no_id_is_told(
    part: str, muster: Muster, folder: Path
) -> None:
    (folder / "content" / "club" / part / "a#b.yaml").write_text("id: a\n")

    result = muster("build", "club", "--jobs", "1", "--format", "html")

    assert result.exit_code == 2
    assert "no id can be made of the file name 'a#b.yaml'" in result.stderr


def test_working_folder_whose_name_is_no_text_is_told(
    muster: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        (folder / "a\udcff").mkdir()
    except OSError:
        pytest.skip("this disk takes only names of UTF-8")
    (folder / "content").rename(folder / "a\udcff" / "content")
    monkeypatch.chdir(folder / "a\udcff")

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert r"a\udcff'; rename the folder" in result.stderr


def make_strange(kind: str, path: Path) -> None:
    """Put something that is no file of the folder in the place of a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "socket":
            home = Path.cwd()
            os.chdir(path.parent)
            with socket.socket(socket.AF_UNIX) as opened:
                opened.bind(path.name)
            os.chdir(home)
        case "link":
            path.symlink_to("/etc/passwd")


KINDS = ["pipe", "device", "folder", "socket", "link"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "file",
    [
        "armies/club/first.yaml",
        "content/club/system.yaml",
        "content/club/composition.yaml",
        "content/club/cards.yaml",
        "content/club/errata.yaml",
        "content/club/tables/movement.yaml",
        "content/club/prose/01-army.md",
        "content/club/sheets/quick-reference.yaml",
        "content/club/editions/standard.yaml",
        "content/club/books/first-book.yaml",
    ],
)
def test_file_that_is_no_file_of_the_folder_is_told(
    file: str, kind: str, muster: Muster, folder: Path
) -> None:
    make_strange(kind, folder / file)

    done = [muster("lint", "club"), muster("check", "armies/club/first.yaml"), muster("list")]
    done.append(muster("build", "club", "--dry-run"))

    told = "".join(result.output for result in done)
    assert any(result.exit_code == 2 for result in done)
    assert {result.exit_code for result in done} <= {0, 1, 2}
    assert "root:" not in told
    expected = {
        "pipe": "this is a pipe, a socket or a device",
        "socket": "this is a pipe, a socket or a device",
        "device": "this is a link out of its folder",
        "folder": "this is a folder, expected a file",
        "link": "this is a link out of its folder",
    }
    if not file.startswith("armies") or kind not in ("device", "link"):
        assert f"{file}: {expected[kind]}" in told


@pytest.mark.parametrize("kind", ["device", "link"])
def test_army_that_links_elsewhere_is_told_and_left_out(
    kind: str, muster: Muster, folder: Path
) -> None:
    make_strange(kind, folder / "armies" / "club" / "second.yaml")

    result = muster(*QUICK, "--dry-run")

    assert result.exit_code == 2
    assert "armies/club/second.yaml: this is a link out of its folder" in result.stderr
    assert "club/armies/first/roster.html" in result.stdout
    assert "second" not in result.stdout


@pytest.mark.parametrize("name", ["content", "armies", "templates", "content/club", "armies/club"])
def test_folder_that_links_elsewhere_is_told(
    name: str, muster: Muster, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "moved"
    (folder / "templates").mkdir()
    (folder / name).rename(elsewhere)
    (folder / name).symlink_to(elsewhere)

    result = muster(*QUICK, "--dry-run")

    assert result.exit_code == 2
    assert name in result.stderr
    assert "this is a link out of its folder, which is not followed" in result.stderr


def test_books_for_a_shipped_system_are_not_read_from_elsewhere(
    muster: Muster, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "books").mkdir()
    (elsewhere / "books" / "mine.yaml").write_text("root:x:0:0\n")
    (folder / "content" / "slaughterloo").symlink_to(elsewhere)
    (folder / "army.yaml").write_text("system: slaughterloo\nbook: mine\n")

    result = muster("check", "army.yaml")

    assert result.exit_code == 2
    assert "content/slaughterloo: this is a link out of its folder" in result.stderr


def test_link_within_the_folder_is_followed(muster: Muster, folder: Path) -> None:
    (folder / "armies" / "club" / "again.yaml").symlink_to("first.yaml")
    system = folder / "content" / "club"
    (system / "tables" / "movement.yaml").rename(system / "kept.yaml")
    (system / "tables" / "movement.yaml").symlink_to("../kept.yaml")

    result = muster(*QUICK, "--dry-run")

    assert result.exit_code == 0, result.stderr
    assert "club/armies/again/roster.html" in result.stdout


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", ["diff", "impose", "check"])
def test_named_file_that_is_no_file_is_told(
    command: str, kind: str, muster: Muster, folder: Path
) -> None:
    make_strange(kind, folder / "given.pdf")

    result = muster(command, "given.pdf", *(["club"] if command == "diff" else []))

    assert result.exit_code == 2
    assert "root:" not in result.output


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["sheet/print.html.j2", "roster/screen.html.j2", "base/screen.js"])
def test_template_that_is_no_file_of_the_folder_is_not_read(
    name: str, kind: str, muster: Muster, folder: Path
) -> None:
    make_strange(kind, folder / "templates" / name)

    result = muster(*QUICK, "--only", "sheet,roster")

    assert "root:" not in "".join(
        path.read_text(encoding="utf-8") for path in (folder / "build").rglob("*.html")
    )
    assert result.exit_code in (0, 2)


def test_templates_of_the_folder_run_nothing_and_are_named(muster: Muster, folder: Path) -> None:
    own = folder / "templates" / "roster" / "screen.html.j2"
    own.parent.mkdir(parents=True)
    ran = folder / "ran"
    # A copy of what is shipped, as a clone of Muster has it, changes nothing and is not named.
    shipped = ROOT / "templates" / "roster" / "print.html.j2"
    (own.parent / shipped.name).write_bytes(shipped.read_bytes())
    own.write_text(f"{{{{ cycler.__init__.__globals__.os.popen('touch {ran}').read() }}}}")

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert not ran.exists()
    first, *rest = result.stderr.splitlines()
    assert first == "templates of this folder are used: roster/screen.html.j2"
    assert any("screen.html.j2, line 1, cannot be filled in: access to" in line for line in rest)


def test_template_with_a_name_that_is_not_utf8_is_told_before_the_build(
    muster: Muster, folder: Path
) -> None:
    (folder / "templates").mkdir()
    try:
        (folder / "templates" / "a\udcff.css").touch()
    except OSError:
        pytest.skip("this disk takes only names of UTF-8")

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert r"the name of this file is not UTF-8: 'a\udcff.css'; rename the file" in result.stderr
    assert not list((folder / "build").iterdir())


@pytest.mark.parametrize("file", ["templates/x.bin", "armies/club/x.yaml"])
def test_file_of_a_terabyte_is_told_and_not_read(file: str, muster: Muster, folder: Path) -> None:
    (folder / file).parent.mkdir(exist_ok=True)
    with (folder / file).open("wb") as opened:
        opened.truncate(1 << 40)

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert f"{file}: the file is larger than the limit of" in result.stderr


def test_templates_of_the_folder_are_named_for_programs_too(muster: Muster, folder: Path) -> None:
    for name in ("a.css", "b.css", "c.css", "d.css", "new/system/system.yaml"):
        (folder / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "templates" / name).touch()

    result = muster(*QUICK, "--dry-run", "--format", "html,json")

    first = result.stdout.splitlines()[0]
    assert first == (
        '{"event": "note", "text": "templates of this folder are used:'
        ' a.css, b.css, c.css and 1 more"}'
    )


@pytest.mark.parametrize(
    ("out", "text"),
    [
        ("content", "holds what documents are made from"),
        ("content/club", "lies in content, which documents are made from"),
        ("armies", "holds what documents are made from"),
        ("templates/sheet", "lies in templates, which documents are made from"),
        (".", "contains content, which documents are made from"),
        ("..", "contains content, which documents are made from"),
        ("linked", "holds what documents are made from"),
    ],
)
def test_folder_that_documents_are_made_from_is_not_written_to(
    out: str, text: str, muster: Muster, folder: Path
) -> None:
    (folder / "linked").symlink_to("content")
    before = sorted(folder.rglob("*"))

    result = muster(*QUICK, "--out", out)

    assert result.exit_code == 2
    assert text in result.stderr
    assert "choose another folder with --out" in result.stderr
    assert sorted(folder.rglob("*")) == before


def test_files_that_muster_did_not_write_are_not_written_over(muster: Muster, folder: Path) -> None:
    mine = folder / "site" / "index.html"
    mine.parent.mkdir()
    mine.write_text("mine")

    for _ in range(2):
        result = muster(*QUICK, "--out", "site")

        assert result.exit_code == 2
        assert "site: this folder holds index.html, which Muster did not write" in result.stderr
        assert [path.name for path in mine.parent.iterdir()] == ["index.html"]
        assert mine.read_text() == "mine"

    (mine.parent / "notes.txt").touch()
    mine.unlink()
    assert muster(*QUICK, "--out", "site").exit_code == 0
    assert muster(*QUICK, "--out", "site", "--force").exit_code == 0


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is not the stranger's."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.mark.parametrize(
    "command",
    [
        QUICK,
        (*QUICK, "--out", "build/deep"),
        (*QUICK, "--out", "{folder}/build"),
        (*QUICK, "--dry-run"),
        ("watch", "club", "--no-open", "--port", "0"),
        ("clean",),
    ],
)
def test_output_folder_that_is_a_link_elsewhere_is_refused(
    command: tuple[str, ...], muster: Muster, folder: Path, elsewhere: Path
) -> None:
    (elsewhere / ".muster").mkdir()
    (folder / "build").symlink_to(elsewhere)

    result = muster(*(word.format(folder=folder) for word in command))

    assert result.exit_code == 2
    assert "this is a link out of its folder" in result.stderr
    assert [path.name for path in elsewhere.rglob("*")] == [".muster"]


def test_users_own_link_outside_the_working_folder_may_be_built_into(
    muster: Muster, elsewhere: Path
) -> None:
    (elsewhere / "real").mkdir()
    (elsewhere / "link").symlink_to(elsewhere / "real")

    result = muster(*QUICK, "--out", str(elsewhere / "link"))

    assert result.exit_code == 0
    assert (elsewhere / "real" / "index.html").is_file()


@pytest.mark.parametrize(
    ("link", "command"),
    [
        ("armies", ("new", "system", "foo")),
        ("armies/foo", ("new", "system", "foo")),
        ("away", ("draft", "club", "--limit", "100", "--out", "away/deep")),
        ("away", ("schema", "--out", "away/deep")),
        ("away", ("diff", "club", "club", "--sheet", "away/x.html")),
        ("away", ("export", "club", "--out", "away/x.json")),
    ],
)
def test_nothing_is_written_through_a_link_out_of_the_folder(
    link: str, command: tuple[str, ...], muster: Muster, folder: Path, elsewhere: Path
) -> None:
    if (folder / link).is_dir():
        (folder / link).rename(folder / "old")
    (folder / link).symlink_to(elsewhere)

    result = muster(*command)

    assert result.exit_code == 2, result.output
    assert "this is a link out of its folder" in result.stderr
    assert not list(elsewhere.rglob("*"))
    assert not (folder / "content" / "foo").exists()
