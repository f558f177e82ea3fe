"""Tests of folders as they were at a git revision."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from muster.building.revisions import RevisionError, unpacked_revision


def git(folder: Path, *arguments: str) -> None:
    """Run git with a test's own author, and without this machine's settings."""
    who = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)  # noqa: S603, S607 - fixed commands of a test


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with two versions of a folder, tagged v1 and v2."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    top = tmp_path / "top"
    (top / "content" / "club" / "tables").mkdir(parents=True)
    git(top, "init", "--quiet")
    for tag, text in (("v1", "one"), ("v2", "two")):
        (top / "content" / "club" / "tables" / "a.yaml").write_text(text, encoding="utf-8")
        git(top, "add", ".")
        git(top, "commit", "--quiet", "-m", tag)
        git(top, "tag", tag)
    return top


def test_folder_is_unpacked_as_it_was_and_removed_afterwards(repository: Path) -> None:
    with unpacked_revision("v1", "content/club", repository) as folder:
        assert folder.name == "club"
        assert (folder / "tables" / "a.yaml").read_text(encoding="utf-8") == "one"

    assert not folder.exists()
    assert (repository / "content" / "club" / "tables" / "a.yaml").read_text("utf-8") == "two"


def test_folder_is_found_from_below_the_top(repository: Path) -> None:
    with unpacked_revision("v1", "./club", repository / "content") as folder:
        assert (folder / "tables" / "a.yaml").is_file()
    with unpacked_revision("v1", "content/club", repository / "content" / "club") as folder:
        assert (folder / "tables" / "a.yaml").is_file()


@pytest.mark.parametrize("attributes", [".gitattributes", ".git/info/attributes"])
def test_no_command_of_the_repositorys_own_settings_is_run(
    repository: Path, attributes: str
) -> None:
    ran = repository / "ran"
    command = f"sh -c 'touch {ran}; cat'"
    (repository / attributes).parent.mkdir(exist_ok=True)
    (repository / attributes).write_text("* filter=evil diff=evil export-subst\n")
    hooks = repository / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o755)
    git(repository, "add", "content")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "attributes")
    for key in ("core.fsmonitor", "core.pager", "diff.external", "tar.tar.command"):
        git(repository, "config", key, command)
    for key in ("filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"):
        git(repository, "config", key, command)
    for name in ("rev-parse", "cat-file", "ls-tree"):
        git(repository, "config", f"alias.{name}", f"!{command}")
    git(repository, "config", "core.hooksPath", str(hooks))
    ran.unlink(missing_ok=True)

    with unpacked_revision("v1", "content/club", repository) as folder:
        assert (folder / "tables" / "a.yaml").read_text(encoding="utf-8") == "one"

    assert not ran.exists()


def test_nothing_is_fetched_for_a_repository_that_leaves_out_objects(repository: Path) -> None:
    ran = repository / "ran"
    git(repository, "config", "remote.away.promisor", "true")
    git(repository, "config", "remote.away.url", f"ext::sh -c touch% {ran}")
    git(repository, "config", "protocol.ext.allow", "always")
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.partialClone", "away")
    # The object of the text `one`, which is left out.
    (lost,) = (repository / ".git" / "objects" / "43").glob("dd47*")
    lost.unlink()

    with (
        pytest.raises(RevisionError, match=r"tables/a\.yaml is missing from the repository"),
        unpacked_revision("v1", "content/club", repository),
    ):
        pass

    assert not ran.exists()


def test_links_of_a_revision_are_left_out(repository: Path) -> None:
    (repository / "content" / "club" / "link.yaml").symlink_to("/etc/passwd")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "link")

    with unpacked_revision("HEAD", "content/club", repository) as folder:
        assert [path.name for path in folder.iterdir()] == ["tables"]


def test_program_of_the_folder_is_not_taken_for_git(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "git").write_text("#!/bin/sh\n")
    (repository / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{repository}:{os.environ['PATH']}")

    with (
        pytest.raises(RevisionError, match="needs git"),
        unpacked_revision("v1", "content/club", repository),
    ):
        pass


@pytest.mark.parametrize(
    ("revision", "folder", "text"),
    [
        ("v3", "content/club", "there is no revision 'v3'"),
        ("v1", "content/clubs", "there is no folder 'content/clubs' in revision 'v1'"),
        ("v1", "content/club/tables/a.yaml", "is a file, expected a folder"),
        ("-v1", "content/club", "expected a revision and a folder"),
        ("v1", "", "expected a revision and a folder"),
        ("v1", "content/..", "expected a revision and a folder"),
    ],
    ids=["no revision", "no folder", "file", "option", "empty folder", "folder above"],
)
def test_missing_revision_or_folder_is_an_error(
    repository: Path, revision: str, folder: str, text: str
) -> None:
    with (
        pytest.raises(RevisionError, match=text.replace("'", ".")),
        unpacked_revision(revision, folder, repository),
    ):
        pass


def test_folder_outside_a_repository_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    with (
        pytest.raises(RevisionError, match="not a git repository"),
        unpacked_revision("v1", "x", tmp_path),
    ):
        pass


def test_machine_without_git_is_an_error(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))

    with (
        pytest.raises(RevisionError, match="needs git, which is not installed"),
        unpacked_revision("v1", "content/club", repository),
    ):
        pass
