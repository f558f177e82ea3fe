"""Tests of whole builds: what a change affects, why, and what is removed.

Nothing is rendered: a stand-in prints the data that it gets, so that every change of data shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from muster.building import full_build, inputs, plan_sources, planning, workers
from muster.building import jobs as jobs_module
from muster.building.cluster import ClusterWorkers
from muster.building.full_build import BuildListener, find_due, run_build
from muster.building.jobs import ChosenArmy, Request
from muster.building.record import Record, clean, find_up_to_date
from muster.building.runner import Outcome
from muster.building.workers import JobResult, Workers
from muster.rendering import dispatch
from muster.rendering.printed import Printed, PrintError
from muster.systems import Library
from tests.picture_samples import SVG
from tests.scaffold import lay_out, spoil


@pytest.fixture(autouse=True)
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace rendering by a stand-in, and return the list of what it printed."""
    made: list[str] = []

    def render(_: Any, way: Any, data: Any, memory: dict[str, float], *__: Any) -> Printed:
        del memory
        made.append(f"{way.kind} {way.format} {way.variant} {way.paper}")
        if "cannot be printed" in repr(data) and way.kind != "index":
            raise PrintError("too long")
        return Printed(repr((way, data)).encode(), 1)

    def start(_: Sequence[str], __: str) -> None:
        monkeypatch.setattr(workers, "_templates", object())

    monkeypatch.setattr(dispatch, "render_document", render)
    monkeypatch.setattr(workers, "start_rendering", start)
    monkeypatch.setattr(inputs, "_RECENT_NS", -1)
    return made


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two systems with one army each, without what is shipped."""
    lay_out(tmp_path)
    lay_out(tmp_path, "other")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.css").touch()
    empty = tmp_path / "shipped"
    empty.mkdir()
    monkeypatch.setattr(full_build, "Library", lambda folder: Library(folder, empty))
    monkeypatch.setattr(full_build, "record_program_files", lambda: None)
    monkeypatch.setattr(jobs_module, "KINDS", KINDS)
    monkeypatch.setattr("muster.rendering.fingerprint._RENDERERS_FOLDER", empty)
    return tmp_path


class Recorder(BuildListener):
    """Keeps what it is told of a build."""

    def __init__(self) -> None:
        self.expected: dict[str, float | None] = {}
        self.kept = 0
        self.results: list[JobResult] = []
        self.texts: list[str] = []
        self.early_index = ""

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        self.expected, self.kept = expected, kept

    def job_finished(self, done: JobResult) -> None:
        self.results.append(done)

    def index_ready(self, index: Path, waiting: int) -> None:
        assert not self.early_index, "it is told once"
        self.early_index = index.read_text(encoding="utf-8")
        self.count_at_index = len(self.results)
        self.waiting = waiting

    def status(self, text: str) -> None:
        self.texts.append(text)


Build = Callable[..., Outcome]


@pytest.fixture
def build(home: Path) -> Build:
    """Return a function that builds everything, or what its arguments say."""

    def run(
        *systems: str, force: bool = False, listener: Recorder | None = None, **choices: Any
    ) -> Outcome:
        request = Request(home, systems, **{"kinds": KINDS, **choices})
        factory = partial(Workers, 1)
        return run_build(request, home / "build", factory, force=force, listener=listener)[1]

    return run


def is_up_to_date(home: Path, *systems: str) -> bool:
    return find_up_to_date(home / "build", Request(home, systems, KINDS)) is not None


def whys(outcome: Outcome) -> dict[str, str]:
    return {done.path: done.why for done in outcome.results if done.fresh}


def files(home: Path) -> dict[str, bytes]:
    out = home / "build"
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and ".muster" not in path.parts
    }


KINDS = ("sheet", "cards", "roster")
"""The kinds that are built here, so that a new kind changes no numbers below."""
INDEX = ("index.html", "index.pdf")
FOOT_WITH_PICTURE = "    attributes: {arm: foot}\n    picture: {file: foot.svg, alt: A flag}"
TABLE = "content/club/tables/terms.yaml"
ARMY = "armies/club/first.yaml"


def test_second_build_has_nothing_to_do_and_looks_at_no_content(
    home: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_up_to_date(home)
    first = build()

    def refuse(*_: object) -> None:
        raise AssertionError("content was read")

    monkeypatch.setattr(full_build, "make_plan", refuse)
    found = find_up_to_date(home / "build", Request(home, (), KINDS))

    assert {done.why for done in first.results} == {"new"}
    assert found is not None
    count = len(first.results)
    assert (found.documents, found.pages, found.illegal) == (count, count, ())


@pytest.mark.parametrize(
    "change",
    [
        lambda home: (home / TABLE).write_text("# other", encoding="utf-8"),
        lambda home: (home / "armies" / "club" / "new.yaml").touch(),
        lambda home: (home / ARMY).unlink(),
        lambda home: (home / "content" / "club" / "tables" / "new.yaml").touch(),
        lambda home: (home / "content" / "club" / "sheets" / "new.yaml").touch(),
        lambda home: (home / "content" / "club" / "books" / "new.yaml").touch(),
        lambda home: lay_out(home, "third"),
        lambda home: (home / "templates" / "page.css").write_text("p {}", encoding="utf-8"),
        lambda home: (home / "templates" / "new.css").touch(),
        lambda home: (home / "build" / "index.html").unlink(),
        lambda home: (home / "build" / "club" / "quick-reference.pdf").write_bytes(b""),
    ],
    ids=[
        "table",
        "new army",
        "no army",
        "new table",
        "new sheet",
        "new book",
        "new system",
        "style sheet",
        "new style sheet",
        "no index",
        "empty output",
    ],
)
def test_change_is_noticed_at_once(
    change: Callable[[Path], object], home: Path, build: Build
) -> None:
    (home / "content" / "club" / "books").mkdir(exist_ok=True)
    build()
    assert is_up_to_date(home)

    change(home)

    assert not is_up_to_date(home)


@pytest.mark.parametrize("name", ["content/club/tables/x.yaml~", "armies/club/.first.yaml.swp"])
def test_file_that_is_no_content_changes_nothing(name: str, home: Path, build: Build) -> None:
    build()

    (home / name).touch()

    assert is_up_to_date(home)


def test_touched_files_are_remembered_as_they_are_now(home: Path, build: Build) -> None:
    build()
    (home / TABLE).touch()
    (home / "build" / "index.html").touch()
    before = (home / "build" / ".muster" / "record.json").read_bytes()

    assert is_up_to_date(home)
    after = (home / "build" / ".muster" / "record.json").read_bytes()
    assert is_up_to_date(home)

    assert before != after == (home / "build" / ".muster" / "record.json").read_bytes()


def test_other_call_is_another_plan(home: Path, build: Build) -> None:
    build()

    assert not is_up_to_date(home, "club")
    assert {done.fresh for done in build("club").results} == {False}
    assert is_up_to_date(home, "club")
    assert is_up_to_date(home)


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ("content/club/tables/movement.yaml", {"kinds": ("sheet",)}),
        ("templates/page.css", {"systems": ("club",)}),
    ],
    ids=["one kind", "one system"],
)
def test_build_of_a_part_does_not_hide_that_the_rest_is_old(
    changed: str, part: dict[str, Any], home: Path, build: Build
) -> None:
    build()
    text = (home / changed).read_text(encoding="utf-8")
    (home / changed).write_text(re.sub(r"\d+cm", "99cm", text) + "\n", encoding="utf-8")

    done = build(*part.pop("systems", ()), **part)

    assert any(each.fresh for each in done.results)
    assert not is_up_to_date(home)
    # Pages for screens lead to what was built beside them.
    rest = {each.path for each in build().results if each.fresh and each.path.endswith(".pdf")}
    assert rest
    assert rest.isdisjoint(each.path for each in done.results)
    assert is_up_to_date(home)


def test_cell_prints_only_what_shows_it(home: Path, build: Build) -> None:
    build()
    table = home / "content" / "club" / "tables" / "movement.yaml"
    text = table.read_text(encoding="utf-8")
    number = next(word for word in text.split() if word.rstrip(",]").endswith("cm"))
    table.write_text(text.replace(number, number.replace("cm", "5cm"), 1), encoding="utf-8")

    outcome = build()

    assert whys(outcome)
    assert set(whys(outcome).values()) == {"table movement changed"}
    assert all(path.startswith("club/") for path in whys(outcome))


def test_picture_prints_what_shows_it(home: Path, build: Build) -> None:
    content = home / "content" / "club"
    spoil(content / "composition.yaml", "    attributes: {arm: foot}", FOOT_WITH_PICTURE)
    picture = content / "foot.svg"
    picture.write_text(SVG, encoding="utf-8")
    assert not build().failed
    assert whys(build()) == {}

    picture.write_text(SVG.replace("30 20", "30 21"), encoding="utf-8")

    assert not is_up_to_date(home)
    changed = whys(build())
    assert {path.rpartition("/")[2] for path in changed} >= {
        "cards.html",
        "cards.pdf",
        "roster.html",
    }
    assert all(path.startswith("club/armies/") for path in changed)
    picture.unlink()
    build()
    assert not is_up_to_date(home), "a build without a picture that it needs is not done"


def test_comment_prints_nothing(home: Path, build: Build, rendered: list[str]) -> None:
    build()
    before = len(rendered)
    for name in (TABLE, ARMY, "content/club/cards.yaml", "content/club/system.yaml"):
        with (home / name).open("a", encoding="utf-8") as file:
            file.write("\n# a remark\n")

    outcome = build()

    assert whys(outcome) == {}
    assert len(rendered) == before
    assert is_up_to_date(home)


def test_army_prints_only_its_own(home: Path, build: Build) -> None:
    build()
    spoil(home / ARMY, "Greys", "Browns")

    outcome = build()

    assert {path.rpartition("/")[0] for path in whys(outcome)} == {"club/armies/first"}
    assert set(whys(outcome).values()) == {"army first changed"}


def test_only_what_a_change_touches_is_gathered(
    home: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    read: list[str] = []
    load_army = vars(plan_sources)["load_army"]

    def counting(path: Path, library: Any) -> Any:
        read.append(path.parent.name)
        return load_army(path, library)

    monkeypatch.setattr(plan_sources, "load_army", counting)
    spoil(home / ARMY, "Greys", "Browns")
    build()

    assert read == ["club"]


def test_template_prints_all_anew(home: Path, build: Build) -> None:
    build()
    (home / "templates" / "page.css").write_text("p {}", encoding="utf-8")

    outcome = build()

    assert len(whys(outcome)) == len(outcome.results) > 20
    assert set(whys(outcome).values()) == {"templates, fonts or renderers changed"}


def test_lost_output_is_found_again_without_gathering(
    home: Path, build: Build, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    before = len(rendered)
    lost = home / "build" / "club" / "quick-reference.pdf"
    held = lost.read_bytes()
    lost.unlink()
    monkeypatch.setattr(planning, "gather_sheet", lambda *_, **__: pytest.fail("gathered"))

    outcome = build()

    assert whys(outcome) == {"club/quick-reference.pdf": "output missing"}
    assert lost.read_bytes() == held
    assert len(rendered) == before


@pytest.mark.parametrize("cached", [True, False])
def test_forced_build_gathers_and_prints_all(
    cached: object, home: Path, build: Build, rendered: list[str]
) -> None:
    build()
    if not cached:
        clean(home / "build", cache_only=True)
    before = files(home)
    rendered.clear()

    outcome = build(force=True)

    assert set(whys(outcome).values()) == {"forced"}
    assert len(rendered) == len(outcome.results) + len(INDEX)
    assert files(home) == before


def test_any_way_to_a_state_gives_what_a_clean_build_gives(home: Path, build: Build) -> None:
    build()
    spoil(home / ARMY, "Greys", "Browns")
    build()
    (home / "armies" / "club" / "second.yaml").write_bytes((home / ARMY).read_bytes())
    build("club")
    (home / "build" / "club" / "armies" / "second" / "roster.pdf").unlink()
    build()
    (home / "armies" / "club" / "second.yaml").unlink()
    build()
    found = files(home)
    clean(home / "build")

    build()

    assert found == files(home)


def test_build_that_went_wrong_is_never_taken_for_done(home: Path, build: Build) -> None:
    spoil(home / ARMY, "Greys", "cannot be printed")
    outcome = build()

    assert outcome.failed
    assert not is_up_to_date(home)
    again = build()
    assert [done.path for done in again.failed] == [done.path for done in outcome.failed]
    spoil(home / ARMY, "cannot be printed", "Greys")
    assert build().failed == []
    assert is_up_to_date(home)


def test_broken_army_keeps_what_was_built_of_it(home: Path, build: Build) -> None:
    build()
    before = files(home)
    (home / ARMY).write_text("system: club\nunits: [{unit: elephants}]\n", encoding="utf-8")

    outcome = build()

    assert outcome.removed == []
    assert {path for path in files(home) if path.startswith("club/armies/first/")} == {
        path for path in before if path.startswith("club/armies/first/")
    }
    assert not is_up_to_date(home)


def test_file_that_changes_while_a_build_needs_it_is_told(
    home: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    clean(home / "build", cache_only=True)
    (home / "build" / "club" / "quick-reference.pdf").unlink()
    gather = vars(planning)["gather_sheet"]

    def broken(system: Any, sheet_id: str, **more: Any) -> Any:
        if "army" not in more:
            raise TypeError("gone")
        return gather(system, sheet_id, **more)

    monkeypatch.setattr(planning, "gather_sheet", broken)
    outcome = build()

    (failed,) = outcome.failed
    assert "changed during the build" in failed.error


def test_outputs_of_an_army_that_is_gone_are_removed(home: Path, build: Build) -> None:
    build()
    (home / "build" / "club" / "armies" / "first" / "notes.txt").write_text("mine")
    (home / "build" / "other" / "armies" / "first" / "roster.pdf").write_bytes(b"mine")
    (home / ARMY).unlink()
    (home / "armies" / "other" / "first.yaml").unlink()

    outcome = build()

    assert len(outcome.removed) == 21
    assert outcome.left == ["other/armies/first/roster.pdf"]
    rest = {path for path in files(home) if "/armies/" in path}
    assert rest == {"club/armies/first/notes.txt", "other/armies/first/roster.pdf"}
    assert is_up_to_date(home)


@pytest.mark.parametrize(
    ("systems", "kinds"),
    [(("club",), KINDS), (("club",), ("sheet",)), ((), ("sheet",))],
    ids=["system", "kind of a system", "kind"],
)
def test_army_that_is_gone_leaves_with_any_build_of_its_system(
    systems: tuple[str, ...], kinds: tuple[str, ...], home: Path, build: Build
) -> None:
    build()
    (home / ARMY).unlink()

    assert build("other").removed == []
    outcome = build(*systems, kinds=kinds)

    assert {path.rpartition("/")[0] for path in outcome.removed} == {"club/armies/first"}
    assert len(outcome.removed) == 11
    assert not (home / "build" / "club" / "armies").exists()
    assert (home / "build" / "other" / "armies" / "first" / "roster.pdf").is_file()
    assert "club/armies/first" not in (home / "build" / "index.html").read_text()


@pytest.mark.parametrize(
    "part", [{"kinds": ("sheet",)}, {"formats": ("pdf",)}, {"formats": ("html",)}]
)
def test_build_of_a_part_takes_nothing_else_away(
    part: dict[str, Any], home: Path, build: Build
) -> None:
    build()
    before = files(home).keys()

    assert build(**part).removed == build("club", **part).removed == []
    assert files(home).keys() == before


def test_prints_alone_leave_the_web_edition(
    home: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = (*KINDS, "web")
    monkeypatch.setattr(jobs_module, "KINDS", kinds)
    build(kinds=kinds)

    assert build(kinds=kinds, formats=("pdf",)).removed == []
    assert (home / "build" / "club" / "web" / "index.html").is_file()


def test_system_that_the_list_builder_no_longer_offers_leaves(home: Path, build: Build) -> None:
    systems = home / "build" / "builder" / "systems"
    build(kinds=("builder",))
    both = {path.name for path in systems.iterdir()}

    outcome = build("other", kinds=("builder",))

    assert "club.js" in both
    assert outcome.removed == ["builder/systems/club.js", "builder/systems/club.tables.js"]
    assert {path.name for path in systems.iterdir()} == {"other.js", "other.tables.js"}


def test_system_with_problems_stays_in_the_list_builder(home: Path, build: Build) -> None:
    build(kinds=("builder",))
    (home / "content" / "club" / "composition.yaml").write_text("levels: 1\n")

    assert build(kinds=("builder",)).removed == []
    assert (home / "build" / "builder" / "systems" / "club.js").is_file()


def chosen(home: Path, file: str, *, elsewhere: bool = False) -> ChosenArmy:
    return ChosenArmy("club", Path(file).stem, str(home / file), elsewhere)


def test_one_army_is_built_without_its_system(home: Path, build: Build) -> None:
    outcome = build(armies=(chosen(home, ARMY),))

    paths = [done.path for done in outcome.results]
    assert len(paths) == 11
    assert paths[0] == "club/armies/first/roster.html"
    assert {path.rpartition("/")[0] for path in paths} == {"club/armies/first"}
    assert files(home).keys() == {*paths, *INDEX}


def test_build_of_one_army_leaves_the_others_in_the_index(home: Path, build: Build) -> None:
    build()
    before = files(home)

    outcome = build(armies=(chosen(home, ARMY),))

    assert not whys(outcome)
    assert outcome.removed == []
    assert files(home) == before


def test_army_named_beside_its_system_is_built_once(home: Path, build: Build) -> None:
    alone = build("club")
    both = build("club", armies=(chosen(home, ARMY),))

    assert [done.path for done in both.results] == [done.path for done in alone.results]


def test_army_from_elsewhere_stays_until_its_file_is_gone(home: Path, build: Build) -> None:
    file = home / "downloads" / "second.yaml"
    file.parent.mkdir()
    file.write_bytes((home / ARMY).read_bytes())
    build(armies=(chosen(home, "downloads/second.yaml", elsewhere=True),))

    assert build().removed == []
    assert "from an earlier build" not in (home / "build" / "index.html").read_text()
    file.unlink()
    outcome = build("club")

    assert {path.rpartition("/")[0] for path in outcome.removed} == {"club/armies/second"}
    assert len(outcome.removed) == 11


def test_chosen_army_that_cannot_be_read_is_a_problem(home: Path, build: Build) -> None:
    build()
    (home / ARMY).write_text("system: club\nunits: [{unit: elephants}]\n")

    outcome = build(armies=(chosen(home, ARMY),))

    assert (outcome.results, outcome.removed) == ([], [])
    assert (home / "build" / "club" / "armies" / "first" / "roster.pdf").is_file()


def test_other_papers_stay(home: Path, build: Build) -> None:
    build(papers=("a4", "letter"))

    assert build().removed == []
    assert (home / "build" / "club" / "armies" / "first" / "roster-letter.pdf").is_file()


def test_clean_takes_all_that_was_built_and_nothing_else(home: Path, build: Build) -> None:
    made = {done.path for done in build().results}
    out = home / "build"
    (out / "club" / "mine.txt").write_text("mine")
    (out / "index.html").write_text("mine")

    removed, left, size = clean(out)

    assert set(removed) == {*made, "index.pdf"}
    assert left == ["index.html"]
    assert size > 0
    assert set(files(home)) == {"club/mine.txt", "index.html"}
    assert not (out / ".muster").exists()
    assert clean(out) == ([], [], 0)


def test_clean_of_a_folder_of_its_own_leaves_no_folder(home: Path, build: Build) -> None:
    build()

    clean(home / "build")

    assert not (home / "build").exists()


def test_clean_of_the_cache_leaves_the_outputs(home: Path, build: Build) -> None:
    build()

    removed, left, size = clean(home / "build", cache_only=True)

    assert (removed, left, size > 0) == ([], [], True)
    assert is_up_to_date(home)
    assert clean(home / "build", cache_only=True) == ([], [], 0)


def test_listener_hears_what_is_due_and_what_it_took(home: Path, build: Build) -> None:
    first, second = Recorder(), Recorder()
    count = len(build(listener=first).results)
    spoil(home / ARMY, "Greys", "Browns")
    build(listener=second)

    assert (len(first.expected), first.kept, len(first.results)) == (count, 0, count)
    assert set(first.expected.values()) == {None}
    assert len(second.expected) + second.kept == len(second.results) == count
    assert None not in second.expected.values()
    assert second.texts == ["index"]


def test_first_build_prints_sheets_and_an_index_of_them_before_all_else(
    home: Path, build: Build
) -> None:
    first, second = Recorder(), Recorder()
    outcome = build(listener=first)
    build(force=True, listener=second)

    early = [done.path for done in first.results[: first.count_at_index]]
    rest = [done.path for done in first.results[first.count_at_index :]]
    prints = rest[: 2 * len(early)]
    assert early == ["club/quick-reference.html", "other/quick-reference.html"]
    assert {path.removesuffix("-letter.pdf").removesuffix(".pdf") for path in prints} == {
        *("club/quick-reference", "other/quick-reference")
    }
    assert len(rest) == first.waiting == len(outcome.results) - len(early)
    assert f"waiting={len(rest)}" in first.early_index
    assert all(f"path='{path}'" in first.early_index for path in early)
    assert not any(f"path='{path}'" in first.early_index for path in rest)
    final = files(home)["index.html"].decode()
    assert "waiting=0" in final
    assert all(f"path='{path}'" in final for path in (*early, *rest))
    assert second.early_index == ""


class Interrupter(Recorder):
    """Presses Ctrl-C when the third document is done."""

    def job_finished(self, done: JobResult) -> None:
        super().job_finished(done)
        if len(self.results) == 3:
            raise KeyboardInterrupt


def test_interrupted_build_records_what_it_has_written(home: Path, build: Build) -> None:
    listener = Interrupter()
    with pytest.raises(KeyboardInterrupt):
        build("club", listener=listener)
    written = {result.path for result in listener.results}

    build("other")

    index = Record(home / "build").index
    assert {path for path, file in index.files.items() if file.system == "club"} == written
    assert "Club rules" in repr(index.systems["club"])
    clean(home / "build")
    assert files(home) == {}


def test_cluster_gets_all_jobs_at_once(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "by_batches", ClusterWorkers.by_batches)
    listener = Recorder()

    build(listener=listener)

    assert listener.results
    assert listener.early_index == ""


def test_dry_run_says_what_and_why_and_does_nothing(home: Path, build: Build) -> None:
    build()
    before = files(home)
    spoil(home / ARMY, "Greys", "Browns")
    (home / "build" / "other" / "quick-reference.pdf").unlink()
    out = home / "build"

    planned = find_due(Request(home, (), KINDS), out, Record(out))

    assert {each.job.path: each.why for each in planned.due} == {
        **dict.fromkeys(
            (path for path in before if path.startswith("club/armies/first/")),
            "army first changed",
        ),
        "other/quick-reference.pdf": "output missing",
    }
    assert set(before) - set(files(home)) == {"other/quick-reference.pdf"}


def test_dry_run_of_what_was_never_built_makes_no_folder(home: Path) -> None:
    out = home / "build"

    planned = find_due(Request(home, (), KINDS), out, Record(out))

    assert {each.why for each in planned.due} == {"new"}
    assert not out.exists()


def test_other_unit_of_length_is_a_reason(build: Build) -> None:
    build()

    outcome = build(unit="in")

    assert set(whys(outcome).values()) == {"its content changed"}
