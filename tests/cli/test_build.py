"""Owns the facts about `muster build`: choices, progress, how it ends, and what it leaves.

Does not look at pages; `tests/pages` does.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
import pytest

from generator import pipeline
from generator.cli import build as module
from generator.cli.choices import Several
from generator.pipeline import Done, Outcome, Plan
from tests.cli.conftest import Muster
from tests.scaffold import spoil

QUICK: Final = ("build", "club", "--jobs", "1", "--only", "roster", "--format", "html")
FIRST: Final = "build/club/armies/first"


# Choices


def test_words_are_split_at_commas_in_the_order_of_the_choices() -> None:
    kind = Several(("sheet", "cards", "roster"))

    assert kind.convert("roster, sheet", None, None) == ("sheet", "roster")
    assert kind.convert(("cards",), None, None) == ("cards",)


def test_unknown_word_is_refused_with_the_nearest() -> None:
    with pytest.raises(click.BadParameter, match="expected sheet, cards"):
        Several(("sheet", "cards")).convert("sheets", None, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "rulebook"], "rulebooks come with the prose edition"),
        (["--only", "sheet,rulebook"], "rulebooks come with the prose edition"),
        (["--only", "roste"], "did you mean 'roster'"),
        (["--only", ""], "expected sheet, cards, roster"),
        (["--format", "png"], "expected html, pdf"),
        (["--paper", "a5"], "expected a4, letter"),
        (["--jobs", "0"], "0 is not in the range"),
    ],
)
def test_wrong_choice_is_2_and_builds_nothing(
    arguments: list[str], said: str, muster: Muster, folder: Path
) -> None:
    result = muster("build", "club", *arguments)

    assert result.exit_code == 2
    assert said in result.stderr
    assert not (folder / "build").exists()


def test_as_many_workers_as_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.processors() >= 1
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: None)

    assert module.processors() == 1


# Building


def test_build_writes_documents_and_index(muster: Muster, folder: Path) -> None:
    result = muster(*QUICK)

    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    files = {str(path.relative_to(folder)) for path in (folder / "build").rglob("*.*")}
    assert {f"{FIRST}/roster.html", f"{FIRST}/roster-short.html"} < files
    assert {"build/index.html", "build/index.pdf"} < files
    lines = result.stderr.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [
        ["built", "club/armies/first/roster.html"],
        ["built", "club/armies/first/roster-short.html"],
    ]
    assert lines[2].startswith("2 documents built, 0 pages, ")
    assert lines[3] == "open build/index.html"
    index = (folder / "build" / "index.html").read_text(encoding="utf-8")
    assert 'href="club/armies/first/roster.html"' in index
    assert "Club rules" in index


def test_second_build_does_nothing_and_force_does_all(muster: Muster, folder: Path) -> None:
    muster(*QUICK)
    index = folder / "build" / "index.html"
    before = index.stat().st_mtime_ns

    again = muster(*QUICK)
    forced = muster(*QUICK, "--force")

    assert "0 documents built, 2 up to date" in again.stderr
    assert "built   " not in again.stderr
    assert index.stat().st_mtime_ns == before
    assert "2 documents built, 0 pages" in forced.stderr


def test_lost_index_is_written_again(muster: Muster, folder: Path) -> None:
    muster(*QUICK)
    (folder / "build" / "index.pdf").unlink()

    muster(*QUICK)

    assert (folder / "build" / "index.pdf").is_file()


def test_quiet_build_says_nothing(muster: Muster, folder: Path) -> None:
    result = muster("--quiet", *QUICK)

    assert (result.exit_code, result.output) == (0, "")
    assert (folder / FIRST / "roster.html").is_file()


def test_out_is_another_folder(muster: Muster, folder: Path) -> None:
    result = muster(*QUICK, "--out", "prints/here")

    assert (folder / "prints" / "here" / "index.html").is_file()
    assert not (folder / "build").exists()
    assert "open prints/here/index.html" in result.stderr


def test_folder_that_cannot_be_written_is_2(muster: Muster, folder: Path) -> None:
    (folder / "build").touch()

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_illegal_army_is_built_named_and_no_failure(muster: Muster, folder: Path) -> None:
    spoil(folder / "armies" / "club" / "first.yaml", "guards, stands: 6", "guards, stands: 9")

    result = muster(*QUICK)

    assert result.exit_code == 0
    assert "not legal: First army (club), 1 finding; printed and marked" in result.stderr
    assert (folder / FIRST / "roster.html").is_file()


def test_findings_are_counted_in_the_summary(muster: Muster, folder: Path) -> None:
    army = folder / "armies" / "club" / "first.yaml"
    spoil(army, "guards, stands: 6", "guards, stands: 9")
    spoil(army, "Greys, stands: 4", "Greys, stands: 1")

    assert "2 findings; printed and marked" in muster(*QUICK).stderr


def test_broken_army_is_told_and_the_rest_is_built(muster: Muster, folder: Path) -> None:
    (folder / "armies" / "club" / "broken.yaml").write_text(
        "system: club\nname: Broken\nunits: [{unit: elephants}]\n", encoding="utf-8"
    )

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert "armies/club/broken.yaml:3:16" in result.stderr
    assert (folder / FIRST / "roster.html").is_file()
    index = (folder / "build" / "index.html").read_text(encoding="utf-8")
    assert "elephants" in index


def test_unknown_system_is_told_and_the_rest_is_built(muster: Muster, folder: Path) -> None:
    result = muster("build", "clubs", *QUICK[1:])

    assert result.exit_code == 2
    assert "did you mean 'club'" in result.stderr
    assert (folder / FIRST / "roster.html").is_file()


def test_system_named_twice_is_built_once(muster: Muster) -> None:
    result = muster("build", "club", *QUICK[1:])

    assert "2 documents built" in result.stderr


# How it ends: the pipeline's part is played by stand-ins.


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give a function that makes every build end with certain documents."""

    def play(*done: Done) -> None:
        def build(plan: Plan, out: Path, *_: Any, listener: Any, **__: Any) -> Outcome:
            del plan, out
            for each in done:
                listener(each)
            return Outcome(list(done))

        monkeypatch.setattr(pipeline, "build", build)
        monkeypatch.setattr(
            pipeline, "build_index", lambda _, __, out, *___, **____: (out / "index.html", [])
        )

    return play


def test_document_that_does_not_fit_is_told_at_the_end_and_is_2(
    muster: Muster, ends: Callable[..., None]
) -> None:
    ends(Done("a.pdf", error="too long by 3 mm"), Done("b.pdf", 10, 2, 0.25))

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert result.stderr.splitlines()[:3] == [
        "failed  a.pdf",
        "built   b.pdf  0.2 s",
        "muster: a.pdf: too long by 3 mm",
    ]
    assert "1 documents built, 2 pages" in result.stderr


def test_bug_in_a_worker_is_3(muster: Muster, ends: Callable[..., None]) -> None:
    ends(Done("a.pdf", bug="KeyError: 'x'"), Done("b.pdf", error="too long"))

    result = muster("--quiet", *QUICK)

    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        "muster: a.pdf: this is a bug in Muster: KeyError: 'x'",
        "muster: b.pdf: too long",
    ]


def test_index_that_fails_is_2(
    muster: Muster, ends: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends()
    failed = Done("index.pdf", error="a warning")
    monkeypatch.setattr(
        pipeline, "build_index", lambda _, __, out, *___, **____: (out / "index.html", [failed])
    )

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert "muster: index.pdf: a warning" in result.stderr


def test_interrupted_build_is_130(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: Any, **__: Any) -> Outcome:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "build", build)

    assert muster(*QUICK).exit_code == 130


def test_terminal_gets_a_bar(
    muster: Muster, ends: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_on_terminal", lambda: True)
    ends(Done("a.pdf", 10, 2, 0.25))

    result = muster(*QUICK)

    assert result.exit_code == 0
    assert "built   a.pdf" not in result.stderr
    assert "1 documents built, 2 pages" in result.stderr


def test_record_of_the_index_is_readable(muster: Muster, folder: Path) -> None:
    muster(*QUICK)

    data = json.loads((folder / "build" / ".muster-index.json").read_text(encoding="utf-8"))
    assert data["systems"] == {"club": ["Club rules", "1.0"]}
    assert data["armies"]["club/first"]["points"] == "107"
