"""Tests of the index of a build: it lists what is there, and nothing else."""

from dataclasses import replace
from pathlib import Path

from muster.building.build_index import index_jobs, make_index, update_index_record
from muster.building.jobs import KINDS, ArmySummary, Job, SystemSummary
from muster.building.plan import Plan
from muster.building.record import IndexRecord
from muster.building.runner import Outcome
from muster.building.workers import JobResult
from muster.documents.index_page import BuildIndex
from muster.problems import Location, Problem


def job(path: str, system: str = "club", army: str = "", paper: str = "") -> Job:
    ending = path.rpartition(".")[2]
    return Job(path, "roster", ending, "", paper, path.title(), system, army, None)


def summary(key: str, system: str = "club") -> ArmySummary:
    return ArmySummary(key, key.title(), system, True, "107", "120", 0, own=True)  # noqa: FBT003


def built(out: Path, plan: Plan, *failed: str) -> Outcome:
    """Write an empty file for every job but those that failed."""
    done = []
    for each in plan.jobs:
        if each.path in failed:
            done.append(JobResult(each.path, error="does not fit"))
            continue
        target = out / each.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
        done.append(JobResult(each.path, 1500, 2))
    return Outcome(done)


def plan_of(*jobs: Job, armies: tuple[str, ...] = (), system: str = "club") -> Plan:
    summaries = [summary(army, system) for army in armies]
    return Plan(
        list(jobs), summaries, [SystemSummary(system, system.title(), "1.0", "#16181c", "")]
    )


def indexed(listed: IndexRecord, plan: Plan, out: Path, *failed: str) -> BuildIndex:
    outcome = built(out, plan, *failed)
    update_index_record(listed, plan, outcome, out)
    return make_index(listed, plan, outcome)


def paths(index: BuildIndex) -> list[str]:
    parts = [file.path for part in index.systems for file in part.files]
    return parts + [f.path for part in index.systems for army in part.armies for f in army.files]


def test_index_lists_what_was_built(tmp_path: Path) -> None:
    plan = plan_of(job("club/a.pdf", paper="letter"), job("club/b.html", army="x"), armies=("x",))

    index = indexed(IndexRecord(), plan, tmp_path)

    (club,) = index.systems
    assert (club.id, club.title, club.edition) == ("club", "Club", "1.0")
    (sheet,) = club.files
    assert (sheet.path, sheet.format, sheet.paper, sheet.size, sheet.pages) == (
        *("club/a.pdf", "pdf", "US Letter", "2 kB", 2),
    )
    (army,) = club.armies
    assert (army.name, army.legal, army.points, army.limit) == ("X", True, "107", "120")
    assert [file.path for file in army.files] == ["club/b.html"]
    assert index.warnings == ()


def test_index_lists_documents_of_every_kind(tmp_path: Path) -> None:
    jobs = [
        replace(job(f"club/{kind}.html"), kind=kind)
        for kind in (*KINDS, "cover")
        if kind not in ("web", "builder")
    ]

    listed = paths(indexed(IndexRecord(), plan_of(*jobs), tmp_path))

    names = ["rulebook", "cover", "roster", "cards", "sheet"]
    assert [name for name in listed if Path(name).stem in names] == [
        f"club/{name}.html" for name in names
    ]
    assert set(listed) == {each.path for each in jobs}


def test_index_tells_what_could_not_be_built(tmp_path: Path) -> None:
    plan = plan_of(job("club/a.pdf"), job("club/b.pdf"))
    plan.problems.append(Problem("bad", "is bad", Location("x.yaml", 1, 2)))

    index = indexed(IndexRecord(), plan, tmp_path, "club/b.pdf")

    assert index.warnings == ("x.yaml:1:2: is bad [bad]", "club/b.pdf: does not fit")
    failed = index.systems[0].files[1]
    assert (failed.error, failed.size, failed.pages) == ("does not fit", "", 0)


def test_failed_document_of_an_earlier_build_is_forgotten(tmp_path: Path) -> None:
    listed = IndexRecord()
    plan = plan_of(job("club/a.pdf"))
    indexed(listed, plan, tmp_path)

    indexed(listed, plan, tmp_path, "club/a.pdf")

    assert listed.files == {}


def test_other_systems_stay_in_the_index(tmp_path: Path) -> None:
    listed = IndexRecord()
    indexed(listed, plan_of(job("a/a.pdf", "a"), system="a"), tmp_path)

    index = indexed(listed, plan_of(job("b/b.pdf", "b"), system="b"), tmp_path)

    assert paths(index) == ["a/a.pdf", "b/b.pdf"]


def test_file_that_was_taken_away_leaves_the_index(tmp_path: Path) -> None:
    listed = IndexRecord()
    indexed(listed, plan_of(job("a/a.pdf", "a"), system="a"), tmp_path)
    (tmp_path / "a" / "a.pdf").unlink()

    index = indexed(listed, plan_of(job("b/b.pdf", "b"), system="b"), tmp_path)

    assert [part.id for part in index.systems] == ["b"]


def test_army_that_is_no_longer_planned_is_from_an_earlier_build(tmp_path: Path) -> None:
    listed = IndexRecord()
    both = plan_of(job("a.pdf", army="a"), job("b.pdf", army="b"), armies=("a", "b"))
    indexed(listed, both, tmp_path)

    index = indexed(listed, plan_of(job("b.pdf", army="b"), armies=("b",)), tmp_path)

    assert [army.name for army in index.systems[0].armies] == ["A (from an earlier build)", "B"]


def test_armies_that_are_not_legal_come_last(tmp_path: Path) -> None:
    plan = plan_of(*(job(f"{each}.pdf", army=each) for each in "abc"), armies=("a", "b", "c"))
    plan.armies[0] = replace(plan.armies[0], legal=False)

    index = indexed(IndexRecord(), plan, tmp_path)

    assert [army.name for army in index.systems[0].armies] == ["B", "C", "A"]


def test_army_of_a_system_that_was_not_planned_is_as_it_was(tmp_path: Path) -> None:
    listed = IndexRecord()
    indexed(listed, plan_of(job("a.pdf", "a", "x"), armies=("x",), system="a"), tmp_path)

    index = indexed(listed, plan_of(system="b"), tmp_path)

    assert [army.name for army in index.systems[0].armies] == ["X"]
    assert [part.id for part in index.systems] == ["a", "b"]


def test_files_of_an_army_that_is_not_known_are_not_listed(tmp_path: Path) -> None:
    index = indexed(IndexRecord(), plan_of(job("a.pdf", army="ghost")), tmp_path)

    assert paths(index) == []


def test_index_comes_as_page_for_screens_and_as_print(tmp_path: Path) -> None:
    plan = plan_of(job("a.pdf"))

    listed = IndexRecord()
    outcome = built(tmp_path, plan)
    update_index_record(listed, plan, outcome, tmp_path)

    jobs = index_jobs(listed, plan, outcome, paper="letter")

    assert [(each.path, each.kind, each.format, each.paper) for each in jobs] == [
        ("index.html", "index", "html", "letter"),
        ("index.pdf", "index", "pdf", "letter"),
    ]
    assert [file.path for file in jobs[0].data.systems[0].files] == ["a.pdf"]


def test_index_lists_army_books_by_name_whatever_its_length(tmp_path: Path) -> None:
    names = ["austria.html", "austria.pdf", "austria-letter.pdf", "rus.html", "rus-letter.pdf"]
    jobs = [replace(job(f"club/books/{name}"), kind="book") for name in reversed(names)]

    listed = paths(indexed(IndexRecord(), plan_of(*jobs), tmp_path))

    assert listed == [f"club/books/{name}" for name in names]


def test_index_lists_the_list_builder_before_all_systems(tmp_path: Path) -> None:
    builder = replace(job("builder/index.html"), kind="builder", system="")
    script = replace(job("builder/builder.js"), kind="builder", system="")

    index = indexed(IndexRecord(), plan_of(builder, script), tmp_path)

    assert [file.path for file in index.shared] == ["builder/index.html"]
