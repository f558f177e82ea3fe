"""Tests of `muster build` and `muster watch`: options, progress, how they end, what they leave."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from muster.building import full_build
from muster.building.plan import Plan
from muster.building.record import Record
from muster.building.runner import Outcome
from muster.building.workers import JobResult
from muster.cli import build, build_request, watch
from muster.cli.progress import LineReporter
from muster.systems import Library
from tests.cli.conftest import Muster
from tests.scaffold import lay_out, spoil

ROOT: Final = Path(__file__).resolve().parent.parent.parent
QUICK: Final = ("build", "club", "--jobs", "1", "--only", "roster", "--format", "html")
FIRST: Final = "build/club/armies/first"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--only", "roste"], "did you mean 'roster'"),
        (["--only", ""], "expected one of tokens, sheet, cards, roster"),
        (["--format", "png"], "expected one of html, pdf"),
        (["--paper", "a5"], "expected one of a4, letter"),
        (["--jobs", "0"], "0 is not in the range"),
    ],
    ids=["near", "empty", "format", "paper", "jobs"],
)
def test_wrong_choice_is_2_and_builds_nothing(
    arguments: list[str], text: str, muster: Muster, folder: Path
) -> None:
    result = muster("build", "club", *arguments)

    assert result.exit_code == 2
    assert text in result.stderr
    assert not (folder / "build").exists()


def test_as_many_workers_as_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert build_request.processor_count() >= 1
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: None)

    assert build_request.processor_count() == 1


def test_build_writes_documents_and_index(muster: Muster, folder: Path) -> None:
    result = muster(*QUICK)

    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    files = {str(path.relative_to(folder)) for path in (folder / "build").rglob("*.*")}
    assert {f"{FIRST}/roster.html", f"{FIRST}/roster-short.html"} < files
    assert "build/index.html" in files
    assert "build/index.pdf" not in files  # Nobody asked for PDFs.
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


def test_cards_get_backs_when_asked(muster: Muster) -> None:
    cards = (
        *("build", "club", "--jobs", "1", "--only", "cards", "--format", "pdf"),
        *("--progress", "json"),
    )

    fronts = json.loads(muster(*cards).stdout.splitlines()[-1])
    both = json.loads(muster(*cards, "--card-backs", "long").stdout.splitlines()[-1])

    assert fronts["pages"] > 0
    assert both["pages"] == 2 * fronts["pages"]
    assert both["built"] == fronts["built"]


@pytest.mark.parametrize(
    "address",
    ["club.example/lists", "file:///lists", "https://", "https://a.example/#x", "https://a b"],
)
def test_address_of_the_list_builder_must_be_one_of_the_web(address: str, muster: Muster) -> None:
    result = muster(*QUICK, "--builder-at", address)

    assert result.exit_code == 2
    assert f"read {address!r}, expected a web address such as https://" in result.stderr


def test_documents_and_formats_may_be_named_one_by_one(muster: Muster) -> None:
    one_by_one = ("--only", "sheet", "--only", "roster", "--format", "html", "--format", "json")

    result = muster("build", "club", "--jobs", "1", *one_by_one)

    events = [json.loads(line) for line in result.stdout.splitlines()]
    built = {Path(event["path"]).name for event in events if event["event"] == "built"}
    assert built >= {"quick-reference.html", "roster.html"}
    assert "cards.html" not in built


def test_only_rosters_for_tournaments_lead_to_the_list_builder(muster: Muster) -> None:
    rosters = ("build", "club", "--jobs", "1", "--only", "roster", "--progress", "json")
    muster(*rosters)

    events = muster(*rosters, "--builder-at", "https://club.example/lists").stdout.splitlines()

    built = [event["path"] for event in map(json.loads, events) if event["event"] == "built"]
    assert [Path(path).name for path in built] == ["roster-tournament.pdf"]


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
    (folder / "build" / "index.html").unlink()

    muster(*QUICK)

    assert (folder / "build" / "index.html").is_file()


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


def test_illegal_army_is_built_and_named_and_is_not_a_failure(muster: Muster, folder: Path) -> None:
    spoil(folder / "armies" / "club" / "first.yaml", "guards, stands: 6", "guards, stands: 9")

    result = muster(*QUICK)

    assert result.exit_code == 0
    assert (
        "not legal: First army (club), 1 finding; printed and marked as not legal" in result.stderr
    )
    assert (folder / FIRST / "roster.html").is_file()


def test_findings_are_counted_in_the_summary(muster: Muster, folder: Path) -> None:
    army = folder / "armies" / "club" / "first.yaml"
    spoil(army, "guards, stands: 6", "guards, stands: 9")
    spoil(army, "Greys, stands: 4", "Greys, stands: 1")

    assert "2 findings; printed and marked as not legal" in muster(*QUICK).stderr


def test_broken_army_is_shown_and_the_rest_is_built(muster: Muster, folder: Path) -> None:
    (folder / "armies" / "club" / "broken.yaml").write_text(
        "system: club\nname: Broken\nunits: [{unit: elephants}]\n", encoding="utf-8"
    )

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert "armies/club/broken.yaml:3:16" in result.stderr
    assert (folder / FIRST / "roster.html").is_file()
    index = (folder / "build" / "index.html").read_text(encoding="utf-8")
    assert "elephants" in index


def test_army_that_is_removed_while_it_is_built_does_no_harm(
    muster: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    army = folder / "armies/club/first.yaml"
    job_finished = LineReporter.job_finished

    def remove_army(reporter: LineReporter, done: JobResult) -> None:
        army.unlink(missing_ok=True)
        job_finished(reporter, done)

    monkeypatch.setattr(LineReporter, "job_finished", remove_army)

    result = muster(*QUICK)

    assert result.exit_code == 0, result.output
    assert "2 documents built" in result.stderr
    assert "removed club/armies/first/roster.html" in muster(*QUICK).stderr


def test_unknown_system_is_shown_and_the_rest_is_built(muster: Muster, folder: Path) -> None:
    result = muster("build", "clubs", *QUICK[1:])

    assert result.exit_code == 2
    assert "did you mean 'club'" in result.stderr
    assert (folder / FIRST / "roster.html").is_file()


ROSTERS: Final = ("--jobs", "1", "--only", "roster", "--format", "html")


@pytest.mark.parametrize("word", ["first", "armies/club/first.yaml", "club/first"])
def test_army_is_built_alone_and_its_roster_is_named_last(
    word: str, muster: Muster, folder: Path
) -> None:
    (folder / "armies" / "club" / "second.yaml").write_bytes(
        (folder / "armies" / "club" / "first.yaml").read_bytes()
    )

    result = muster("build", word, *ROSTERS)
    again = muster("build", word, *ROSTERS)

    assert result.exit_code == again.exit_code == 0
    assert "2 documents built" in result.stderr
    assert "0 documents built, 2 up to date" in again.stderr
    last = [
        f"in {FIRST}: roster.html, roster-short.html",
        f"open {FIRST}/roster.html",
    ]
    assert result.stderr.splitlines()[-2:] == again.stderr.splitlines()[-2:] == last
    assert [path.name for path in (folder / "build" / "club" / "armies").iterdir()] == ["first"]


def test_build_of_one_army_leaves_the_index_as_it_was(muster: Muster, folder: Path) -> None:
    both = ("--jobs", "1", "--only", "sheet,roster", "--format", "html")
    muster("build", "club", *both)
    index = (folder / "build" / "index.html").read_bytes()

    result = muster("build", "first", *both)

    assert "0 documents built, 3 up to date" in result.stderr
    assert b"club/quick-reference.html" in index
    assert (folder / "build" / "index.html").read_bytes() == index


@pytest.mark.parametrize(
    ("words", "page"),
    [(["first"], f"{FIRST}/roster.html"), (["club"], "build/index.html")],
    ids=["army", "system"],
)
def test_what_was_built_is_opened_when_asked(
    words: list[str], page: str, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)

    muster("build", *words, *ROSTERS)
    assert opened == []
    muster("build", *words, *ROSTERS, "--open")
    muster("build", *words, *ROSTERS, "--open", "--dry-run")

    assert opened == [page]


def test_system_is_built_and_checked_by_its_title(muster: Muster) -> None:
    dry_run = muster("build", "CLUB rules", *QUICK[2:], "--dry-run")
    lint = muster("lint", "Club rules", "--format", "json")

    assert "2 documents would be built" in dry_run.stderr
    assert {issue["system"] for issue in json.loads(lint.stdout)} <= {"club"}
    assert "unknown" not in lint.stderr
    assert muster(*QUICK).exit_code == 0
    assert "0 documents built, 2 up to date" in muster("build", "Club", *QUICK[2:]).stderr


def test_army_file_from_elsewhere_is_built(muster: Muster, folder: Path) -> None:
    downloads = folder / "down loads"
    downloads.mkdir()
    (folder / "armies" / "club" / "first.yaml").rename(downloads / "My army (2).yml")

    result = muster("build", str(downloads / "My army (2).yml"), *ROSTERS)

    assert result.exit_code == 0, result.output
    assert (folder / "build" / "club" / "armies" / "my-army-2" / "roster.html").is_file()
    assert muster("build", *ROSTERS).exit_code == 0
    assert (folder / "build" / "club" / "armies" / "my-army-2" / "roster.html").is_file()


def test_army_file_from_elsewhere_takes_no_armys_place(muster: Muster, folder: Path) -> None:
    text = (folder / "armies" / "club" / "first.yaml").read_bytes()
    (folder / "first.yaml").write_bytes(text)
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "second.yaml").write_bytes(text)

    known = muster("build", "first.yaml", *ROSTERS)
    both = muster("build", "a/second.yaml", "b/second.yaml", *ROSTERS)

    assert (known.exit_code, both.exit_code) == (2, 2)
    shared = "would be printed into the same folder, club/armies"
    assert f"first.yaml: armies/club/first.yaml {shared}/first; rename one" in known.stderr
    assert f"b/second.yaml: a/second.yaml {shared}/second; rename one" in both.stderr
    assert "2 documents built" in both.stderr


def test_army_file_from_elsewhere_takes_no_place_of_an_earlier_build(
    muster: Muster, folder: Path
) -> None:
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "list.yaml").write_text(
            (folder / "armies" / "club" / "first.yaml")
            .read_text(encoding="utf-8")
            .replace("name: First army", f"name: Army of {name}"),
            encoding="utf-8",
        )
    roster = folder / "build" / "club" / "armies" / "list" / "roster.html"

    assert muster("build", "a/list.yaml", *ROSTERS).exit_code == 0
    second = muster("build", "b/list.yaml", *ROSTERS)

    assert second.exit_code == 2
    assert "b/list.yaml: a/list.yaml was printed into the same folder, club/armies/list; " in (
        second.stderr
    )
    assert "Army of a" in roster.read_text(encoding="utf-8")
    assert muster("build", "b/../a/list.yaml", *ROSTERS).exit_code == 0
    (folder / "a" / "list.yaml").unlink()
    assert muster("build", "b/list.yaml", *ROSTERS).exit_code == 0
    assert "Army of b" in roster.read_text(encoding="utf-8")


def test_names_that_differ_in_one_letter_have_their_own_folders(
    muster: Muster, folder: Path
) -> None:
    names = ["Müller", "Möller", "Иван", "Пётр"]
    for name in names:
        (folder / f"{name}.yaml").write_bytes(
            (folder / "armies" / "club" / "first.yaml").read_bytes()
        )

    result = muster("build", *(f"{name}.yaml" for name in names), *ROSTERS)

    assert result.exit_code == 0, result.stderr
    built = {path.name for path in (folder / "build" / "club" / "armies").iterdir()}
    assert built == {"muller", "moller", "Иван", "Пётр"}


def test_army_files_of_a_folder_are_built_and_the_others_named(
    muster: Muster, folder: Path
) -> None:
    (folder / "event" / "more").mkdir(parents=True)
    text = (folder / "armies" / "club" / "first.yaml").read_bytes()
    for name in ("anna.yaml", "more/BEN.YML", "notes.txt"):
        (folder / "event" / name).write_bytes(text)
    (folder / "event" / "broken.yaml").write_text("system: nowhere\n", encoding="utf-8")

    result = muster("build", "event", *ROSTERS)

    assert result.exit_code == 2
    assert "event/broken.yaml:1:" in result.stderr
    assert "ignored: event/notes.txt; expected army files" in result.stderr
    assert "4 documents built" in result.stderr
    built = {path.name for path in (folder / "build" / "club" / "armies").iterdir()}
    assert built == {"anna", "ben"}


def test_illegal_army_that_is_not_printed_is_not_named(muster: Muster, folder: Path) -> None:
    spoil(folder / "armies" / "club" / "first.yaml", "limit: 120", "limit: 10")
    books = ("build", "club", "--jobs", "1", "--only", "book", "--format", "html")

    assert "not legal" not in muster(*books).stderr
    assert "not legal" not in muster(*books).stderr
    assert "not legal: First army (club)" in muster(*QUICK).stderr


def test_unknown_name_is_2_and_says_what_was_looked_for(muster: Muster, folder: Path) -> None:
    result = muster("build", "firts", *ROSTERS)

    assert result.exit_code == 2
    assert "there is no rule system, no army and no file 'firts' (did you mean 'first'?)" in (
        result.stderr
    )
    assert "known systems: club, " in result.stderr
    assert "documents built" not in result.stderr
    assert not (folder / "build").exists()


def test_unreadable_army_file_is_2_and_builds_nothing(muster: Muster, folder: Path) -> None:
    army = folder / "armies" / "club" / "first.yaml"
    army.write_text("system: club\nunits: [{unit: elephants}]\n", encoding="utf-8")

    result = muster("build", "first", *ROSTERS)

    assert result.exit_code == 2
    assert "armies/club/first.yaml:2:16" in result.stderr
    assert "documents built" not in result.stderr
    assert "open " not in result.stderr


@pytest.mark.parametrize("more", [(), ("--dry-run",)], ids=["build", "dry run"])
def test_build_of_nothing_is_2_and_says_what_was_looked_for(
    more: tuple[str, ...], muster: Muster
) -> None:
    result = muster("build", "first", "--jobs", "1", "--only", "web", "--format", "pdf", *more)

    assert result.exit_code == 2
    assert "there is nothing to build: looked for web as pdf of club/first" in result.stderr
    assert "open " not in result.stderr


def test_build_of_nothing_ends_for_programs_too(muster: Muster) -> None:
    nothing = ("build", "first", "--jobs", "1", "--only", "web", "--format", "pdf,json")

    names = [event["event"] for event in events(muster(*nothing).stdout)]
    assert names == ["plan", "note", "end"]
    assert events(muster(*nothing, "--dry-run").stdout) == [{"event": "plan", "total": 0, "due": 0}]


def test_changes_of_a_rulebook_need_a_system(muster: Muster) -> None:
    result = muster("build", "first", "--changes-since", "club")

    assert result.exit_code == 2
    assert "--changes-since marks rulebooks, expected a system" in result.stderr


@pytest.mark.parametrize(
    "command", [("build", *QUICK[1:]), ("list", "club")], ids=["build", "list"]
)
def test_army_files_that_are_not_found_are_named(
    command: tuple[str, ...], muster: Muster, folder: Path
) -> None:
    (folder / "armies" / "loose.yaml").touch()
    (folder / "armies" / "club" / "short.yml").touch()

    for _ in range(2):
        result = muster(*command)
        assert result.exit_code == 0
        assert "warning: ignored: armies/club/short.yml, armies/loose.yaml;" in result.stderr


def test_watch_follows_no_file_from_elsewhere(muster: Muster, folder: Path) -> None:
    (folder / "second.yaml").write_bytes((folder / "armies" / "club" / "first.yaml").read_bytes())

    result = muster("watch", "second.yaml", "--no-open")

    assert result.exit_code == 2
    assert "second.yaml: `muster watch` follows armies below `armies/` only" in result.stderr


def test_system_named_twice_is_built_once(muster: Muster) -> None:
    result = muster("build", "club", *QUICK[1:])

    assert "2 documents built" in result.stderr


def events(output: str) -> list[dict[str, Any]]:
    """Return the events that a build printed as JSON, one in each line."""
    return [json.loads(line) for line in output.splitlines()]


def test_progress_for_programs_is_a_line_of_json_for_each_event(muster: Muster) -> None:
    first = events(muster(*QUICK, "--progress", "json").stdout)
    again = events(muster(*QUICK, "--progress", "json").stdout)

    assert [event["event"] for event in first] == ["plan", "built", "built", "note", "end"]
    assert (first[0]["total"], first[0]["due"], first[0]["eta"]) == (2, 2, 0)
    assert {"path", "pages", "seconds", "why", "done", "total", "eta"} < first[1].keys()
    assert (first[2]["done"], first[2]["total"], first[2]["eta"]) == (2, 2, 0)
    assert first[-1].items() >= {"built": 2, "found": 0, "kept": 0, "failed": []}.items()
    assert [event["event"] for event in again] == ["end"]
    assert again[0].items() >= {"built": 0, "kept": 2}.items()


@pytest.mark.parametrize(
    ("formats", "built"),
    [("json", {"html", "pdf"}), ("json,html", {"html"}), ("html,pdf,json", {"html", "pdf"})],
    ids=["json", "json,html", "html,pdf,json"],
)
def test_format_for_programs_is_no_file(formats: str, built: set[str], muster: Muster) -> None:
    rosters = ("build", "club", "--only", "roster", "--jobs", "1")
    printed = events(muster(*rosters, "--format", formats).stdout)

    files = [event["path"] for event in printed if event["event"] == "built"]
    assert {name.rpartition(".")[2] for name in files} == built
    assert printed[-1].items() >= {"event": "end", "built": len(files)}.items()


def test_progress_has_precedence_over_format(muster: Muster) -> None:
    result = muster(*QUICK, "--format", "json,pdf", "--progress", "plain")

    assert result.stdout == ""
    assert "documents built" in result.stderr


def test_quiet_build_still_prints_json(muster: Muster) -> None:
    result = muster("--quiet", *QUICK, "--progress", "json")

    assert events(result.stdout)[-1]["event"] == "end"
    assert result.stderr == ""


def test_timings_list_the_slowest_first(muster: Muster) -> None:
    lines = muster(*QUICK, "--timings").stderr.splitlines()[-2:]

    assert {line.split(" s  ")[1] for line in lines} == {
        "club/armies/first/roster.html",
        "club/armies/first/roster-short.html",
    }
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times, reverse=True)


def test_undone_change_is_found_again(muster: Muster, folder: Path) -> None:
    muster(*QUICK)
    army = folder / "armies" / "club" / "first.yaml"
    spoil(army, "Greys", "Browns")
    muster(*QUICK)
    spoil(army, "Browns", "Greys")

    result = muster(*QUICK)

    assert "cached  club/armies/first/roster.html" in result.stderr
    assert "0 documents built, 2 from the cache, 0 pages" in result.stderr


def test_cache_of_nothing_finds_nothing_again(
    muster: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSTER_CACHE_MB", "0")
    muster(*QUICK)
    (folder / FIRST / "roster.html").unlink()

    assert "1 document built, 1 up to date" in muster(*QUICK).stderr


@pytest.mark.parametrize("setting", ["-1", "much"])
def test_wrong_size_of_the_cache_is_2(
    setting: str, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSTER_CACHE_MB", setting)

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert setting in result.stderr


def test_dry_run_prints_what_would_be_built_and_why(muster: Muster, folder: Path) -> None:
    new = muster(*QUICK, "--dry-run")
    assert not (folder / "build").exists()
    muster(*QUICK)
    fine = muster(*QUICK, "--dry-run")
    forced = muster(*QUICK, "--dry-run", "--force")
    (folder / FIRST / "roster.html").write_text("mine", encoding="utf-8")
    altered = muster(*QUICK, "--dry-run")
    printed = events(muster(*QUICK, "--dry-run", "--progress", "json").stdout)

    assert new.stdout.splitlines() == [
        "club/armies/first/roster.html  (new)",
        "club/armies/first/roster-short.html  (new)",
    ]
    assert "2 documents would be built, 0 up to date" in new.stderr
    assert fine.stdout == "nothing to do: all 2 documents are up to date\n"
    assert forced.stdout.splitlines()[0] == "club/armies/first/roster.html  (forced)"
    assert altered.stdout == "club/armies/first/roster.html  (output changed since it was built)\n"
    assert printed == [
        {"event": "plan", "total": 2, "due": 1},
        {
            "event": "due",
            "path": "club/armies/first/roster.html",
            "why": "output changed since it was built",
        },
    ]
    assert (folder / FIRST / "roster.html").read_text(encoding="utf-8") == "mine"


def test_dry_run_as_json_when_nothing_is_due(muster: Muster) -> None:
    muster(*QUICK)

    printed = events(muster(*QUICK, "--dry-run", "--progress", "json").stdout)

    assert printed == [{"event": "plan", "total": 2, "due": 0}]


def test_dry_run_of_a_broken_army_is_2(muster: Muster, folder: Path) -> None:
    (folder / "armies" / "club" / "broken.yaml").write_text(
        "system: club\nunits: [{unit: elephants}]\n"
    )

    result = muster(*QUICK, "--dry-run")

    assert result.exit_code == 2
    assert "elephants" in result.stderr


def test_illegal_army_is_named_even_if_nothing_is_built(muster: Muster, folder: Path) -> None:
    spoil(folder / "armies" / "club" / "first.yaml", "guards, stands: 6", "guards, stands: 9")
    muster(*QUICK)

    again = muster(*QUICK)

    assert (
        "not legal: First army (club), 1 finding; printed and marked as not legal" in again.stderr
    )
    assert "0 documents built" in again.stderr


def test_scheduler_that_does_not_answer_is_2(muster: Muster, folder: Path) -> None:
    result = muster(*QUICK, "--scheduler", "nowhere")

    assert result.exit_code == 2
    assert "no dask scheduler answers at nowhere" in result.stderr
    assert not (folder / "build").exists()


def test_cluster_without_the_extra_is_2(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    result = muster(*QUICK, "--scheduler", "tcp://127.0.0.1:1")

    assert result.exit_code == 2
    assert "-m pip install distributed`" in result.stderr


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that replaces the build by one that ends with certain documents."""

    def replace(*documents: JobResult) -> None:
        def run(_: Any, out: Path, *__: Any, listener: Any, **___: Any) -> tuple[Plan, Outcome]:
            listener.status("waiting")
            listener.plan_ready({document.path: None for document in documents}, 0)
            for document in documents:
                listener.job_finished(document)
            listener.status("index")
            outcome = Outcome(list(documents), out / "index.html", ["gone.pdf"], ["mine.pdf"])
            return Plan(), outcome

        monkeypatch.setattr(full_build, "run_build", run)

    return replace


def test_document_that_does_not_fit_is_shown_at_the_end_and_is_2(
    muster: Muster, ends: Callable[..., None]
) -> None:
    ends(JobResult("a.pdf", error="too long by 3 mm"), JobResult("b.pdf", 10, 2, 0.25))

    result = muster(*QUICK)

    assert result.exit_code == 2
    assert result.stderr.splitlines()[:4] == [
        "waiting",
        "failed  a.pdf: too long by 3 mm",
        "built   b.pdf  0.2 s  (2 of 2, about 0 s left)",
        "muster: a.pdf: too long by 3 mm",
    ]
    assert "1 document built, 2 pages" in result.stderr


def test_removed_documents_are_named(muster: Muster, ends: Callable[..., None]) -> None:
    ends()

    text = muster(*QUICK).stderr
    last = events(muster(*QUICK, "--progress", "json").stdout)[-1]

    assert "removed gone.pdf: no longer needed" in text
    assert "kept    mine.pdf: no longer needed, but changed" in text
    assert (last["event"], last["removed"]) == ("end", ["gone.pdf"])


def test_failed_document_is_an_event(muster: Muster, ends: Callable[..., None]) -> None:
    ends(JobResult("a.pdf", error="too long by 3 mm", why="new"))

    printed = events(muster(*QUICK, "--progress", "json").stdout)

    assert [event["event"] for event in printed] == ["note", "plan", "failed", "note", "end"]
    assert (
        printed[2].items() >= {"path": "a.pdf", "error": "too long by 3 mm", "why": "new"}.items()
    )
    assert printed[-1]["failed"] == ["a.pdf"]


def test_bug_in_a_worker_is_3(muster: Muster, ends: Callable[..., None]) -> None:
    ends(JobResult("a.pdf", bug="KeyError: 'x'"), JobResult("b.pdf", error="too long"))

    result = muster("--quiet", *QUICK)

    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        "muster: a.pdf: this is a bug in Muster: KeyError: 'x'",
        "muster: b.pdf: too long",
    ]


def test_interrupted_build_is_130(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: Any, **__: Any) -> Outcome:
        raise KeyboardInterrupt

    monkeypatch.setattr(full_build, "run_build", run)

    assert muster(*QUICK).exit_code == 130


def test_terminal_gets_a_bar(
    muster: Muster, ends: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster.cli.build._stderr_is_terminal", lambda: True)
    ends(JobResult("a.pdf", 10, 2, 0.25))

    result = muster(*QUICK)

    assert result.exit_code == 0
    assert "built   a.pdf" not in result.stderr
    assert "1 document built, 2 pages" in result.stderr


def test_record_of_the_index_is_readable(muster: Muster, folder: Path) -> None:
    muster(*QUICK)

    index = Record(folder / "build").index
    assert [(each.title, each.edition) for each in index.systems.values()] == [
        ("Club rules", "1.0")
    ]
    assert index.armies["club/first"].points == "107"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    return Library(tmp_path)


def test_character_that_cannot_be_printed_is_shown_at_its_place(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    path = library.folder / "armies" / "club" / "first.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\nnotes: The \u9f8d sleeps\n", encoding="utf-8")

    build.warn_about_missing_glyphs(library, [("club", "first")])

    line = text.count("\n") + 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"armies/club/first.yaml:{line}:8: warning: “\u9f8d” (U+9F8D ")
    assert printed.endswith("[no-such-sign]\n")


def test_army_of_printable_characters_or_without_yaml_has_no_warning(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    build.warn_about_missing_glyphs(library, [("club", "first")])
    spoil(library.folder / "armies" / "club" / "first.yaml", "system:", "\u9f8d: [")

    build.warn_about_missing_glyphs(library, [("club", "first")])

    assert capsys.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no Ctrl-C can be sent to a process there")
@pytest.mark.xdist_group("watch")
def test_watch_serves_and_ends_at_once(folder: Path) -> None:
    command = [sys.executable, "-m", "muster", "watch", "club", "--only", "sheet"]
    process = subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--port", "0", "--no-open"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "generator")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:[0-9]+/", line)
        assert address is not None, line
        page = folder / "build" / "club" / "quick-reference.html"
        deadline = time.monotonic() + 60
        while not page.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        with urllib.request.urlopen(f"{address[0]}club/quick-reference.html") as answer:  # noqa: S310 - our own
            assert b"/.muster/live.js" in answer.read()
        interrupted = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, notes = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()

    assert time.monotonic() - interrupted < 5
    assert process.returncode == 0
    assert "Traceback" not in notes
    assert notes.splitlines()[-1] == "muster: stopped watching"
    assert "club/quick-reference.html after " in notes
    assert not list((folder / "build").rglob("*.muster-part"))
    with (
        pytest.raises(OSError, match="refused"),
        socket.create_connection(("127.0.0.1", int(address[0].rstrip("/").rpartition(":")[2]))),
    ):
        pass


def test_watch_names_what_was_removed(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = Outcome([JobResult("a.html")], removed=["club/armies/gone/roster.html"])

    watch._WatchReporter().build_ended(outcome, 0.1)

    assert capsys.readouterr().err.splitlines() == [
        "  removed club/armies/gone/roster.html: no longer needed",
        "1 document built, 0.1 s",
    ]


def test_watch_refuses_a_port_that_is_taken(muster: Muster) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = muster("watch", "--port", port, "--no-open")

    assert result.exit_code == 2
    assert "in use" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_watch_refuses_an_unknown_system_and_suggests_the_nearest(muster: Muster) -> None:
    result = muster("watch", "clob", "--no-open")

    assert result.exit_code == 2
    assert "did you mean 'club'?" in result.stderr


def test_watch_refuses_a_number_that_is_no_port(muster: Muster) -> None:
    assert muster("watch", "--port", "70000").exit_code == 2


def test_watch_has_no_json_output(muster: Muster) -> None:
    result = muster("watch", "--format", "json")

    assert result.exit_code == 2
    assert "use `muster build --format json`" in result.stderr
