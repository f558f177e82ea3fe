"""Owns a whole build as it is asked for: plan, documents, what is no longer wanted, and the index.

Does not render and does not print to the terminal; it tells a listener what happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from generator.pipeline import reasons
from generator.pipeline.building import Due, Outcome, Shop, sort_out
from generator.pipeline.cache import MEGABYTES, Cache
from generator.pipeline.clearing import clear
from generator.pipeline.index import FILES, index_jobs
from generator.pipeline.job import ArmyNote, Job, Later, data_mark
from generator.pipeline.mark import note_program, templates_mark
from generator.pipeline.plan import Plan, Unit, make_plan
from generator.pipeline.record import Asked, Record
from generator.pipeline.request import Request
from generator.pipeline.store import locked, sweep
from generator.pipeline.workers import Done, Workers
from generator.systems import Library
from generator.uses import Uses, noting

Crew = Callable[[Sequence[str]], Workers]
"""Makes the workers, of the template folders."""


class Listener(Protocol):
    """Hears what a build does."""

    def begin(self, expected: dict[str, float | None], kept: int) -> None:
        """Hear which jobs are due, with the seconds each took last, and how many are not."""

    def hear(self, done: Done) -> None:
        """Hear that a document is done, well or not."""

    def say(self, text: str) -> None:
        """Hear what is made, or waited for, when it is no document of the plan."""


class _Deaf:
    """Hears nothing."""

    def begin(self, expected: dict[str, float | None], kept: int) -> None:
        """Hear nothing."""

    def hear(self, done: Done) -> None:
        """Hear nothing."""

    def say(self, text: str) -> None:
        """Hear nothing."""


@dataclass(slots=True)
class Look:
    """A plan that was looked through: what is due and why, and what is fine."""

    plan: Plan
    templates: list[Path]
    mark: str
    due: list[Due]
    fine: list[Done]
    uses: Uses
    program: Uses
    looks: Uses


@dataclass(slots=True)
class _Memory:
    """What the record knows of a request's units, and what changed of each since."""

    record: Record
    asked: Asked
    program_changed: bool = False
    looks_changed: bool = False
    changes: dict[str, str] = field(default_factory=dict)

    def known(self, unit_id: str) -> Unit | None:
        """Give a unit as it was, unless something that it was made of has changed."""
        kept = self.asked.units.get(unit_id)
        if kept is None:
            return None
        parts = self.record.parts
        changed = [part for part in kept["uses"] if parts.changed(part)]
        if changed or self.program_changed:
            self.changes[unit_id] = reasons.changed(changed) if changed else reasons.PROGRAM
            return None
        try:
            jobs = [_job(each, unit_id) for each in kept["jobs"]]
            armies = [ArmyNote(**each) for each in kept["armies"]]
        except (TypeError, KeyError, ValueError):
            return None
        uses = {part: parts.seen[part].signature for part in kept["uses"]}
        return Unit(unit_id, jobs, armies, uses)

    def why(self, job: Job) -> str:
        """Say what changed of what a job is made of."""
        if job.unit in self.changes:
            return self.changes[job.unit]
        if self.looks_changed:
            return reasons.TEMPLATES
        return reasons.CHOICES if self.asked.units else reasons.UNSURE


def _job(kept: dict[str, Any], unit_id: str) -> Job:
    beside = tuple((str(title), str(name)) for title, name in kept["beside"])
    return Job(**{**kept, "beside": beside, "data": Later(kept["data"]), "unit": unit_id})


def look_through(request: Request, out: Path, record: Record, *, force: bool = False) -> Look:
    """Plan a build and tell what is due; only what changed is gathered, and nothing is printed."""
    library = Library(request.folder)
    memory = _Memory(record, record.asked.get(request.key) or Asked())
    parts = record.parts
    memory.program_changed = any(parts.changed(part) for part in memory.asked.program)
    memory.looks_changed = any(parts.changed(part) for part in memory.asked.looks)
    with noting() as program:
        note_program()
    with noting() as looks:
        templates = library.templates()
        mark = memory.asked.mark
        if memory.looks_changed or not mark:
            mark = templates_mark(templates)
    if not memory.looks_changed:
        looks.update({part: parts.seen[part].signature for part in memory.asked.looks})
    with noting() as uses:
        plan = make_plan(
            library,
            request.systems,
            request.kinds,
            request.formats,
            request.papers,
            scale=request.scale,
            unit=request.unit,
            since=request.since,
            backs=request.backs,
            known=memory.known,
        )
    due, fine = sort_out(plan.jobs, record, out, mark, force=force, changes=memory.why)
    return Look(plan, templates, mark, due, fine, uses, program, looks)


def make(  # noqa: PLR0913 - the choices of one command
    request: Request,
    out: Path,
    crew: Crew,
    *,
    force: bool = False,
    listener: Listener | None = None,
    planned: Callable[[Plan], None] | None = None,
    megabytes: int = MEGABYTES,
) -> tuple[Plan, Outcome]:
    """Build what is asked for, and the index of all that is there.

    Another build into the same folder is waited for. A build of everything takes away what is
    no longer planned, such as the documents of an army whose file is gone.

    Args:
        request: What is asked for.
        out: The output folder.
        crew: Makes the workers.
        force: Do everything.
        listener: Told of every job as it ends.
        planned: Told of the plan, and so of what is wrong with files, before anything is printed.
        megabytes: The bound of the cache.

    Raises:
        OSError: If the output folder cannot be written.
    """
    cache = Cache(out, megabytes << 20)
    hearer: Listener = listener or _Deaf()
    with locked(out, lambda: hearer.say(f"another build is at work in {out}; waiting for it")):
        sweep(out)
        record = Record(out)
        with crew_of(crew, request) as workers:
            workers.warm_up()
            look = look_through(request, out, record, force=force)
            if planned is not None:
                planned(look.plan)
            shop = Shop(cache, record, workers, hearer.hear)
            outcome = _make(request, look, shop, hearer, force=force)
        _remember(request, look, outcome, record)
        record.save()
        cache.trim()
    return look.plan, outcome


@contextmanager
def crew_of(crew: Crew, request: Request) -> Iterator[Workers]:
    """Open the workers for the templates of a request, and end them."""
    templates = [str(folder) for folder in Library(request.folder).templates()]
    with crew(templates) as workers:
        yield workers


def _make(request: Request, look: Look, shop: Shop, hearer: Listener, *, force: bool) -> Outcome:
    record, out = shop.record, shop.out
    seconds = {path: known.seconds for path, known in record.outputs.items()}
    hearer.begin({each.job.path: seconds.get(each.job.path) for each in look.due}, len(look.fine))
    for each in look.fine:
        hearer.hear(each)
    done = {each.path: each for each in (*look.fine, *shop.make(look.due, look.plan, force=force))}
    outcome = Outcome([done[job.path] for job in look.plan.jobs])
    if request.whole:
        outcome.removed, outcome.left = clear(look.plan, record, out)
    hearer.say("index")
    paper = (*request.papers, "a4")[0]
    jobs = index_jobs(look.plan, outcome, out, paper)
    due, _ = sort_out(jobs, record, out, look.mark, force=force)
    quiet = Shop(shop.cache, record, shop.workers)
    outcome.done.extend(each for each in quiet.make(due, force=force) if each.error or each.bug)
    outcome.index = out / "index.html"
    return outcome


def _remember(request: Request, look: Look, outcome: Outcome, record: Record) -> None:
    """Remember what the build was made of; one that went wrong is never taken for done."""
    plan = look.plan
    for learnt in (look.uses, look.program, look.looks, *(u.uses for u in plan.units.values())):
        record.parts.learn(learnt)
    units = {
        unit.id: {
            "uses": list(unit.uses),
            "jobs": [_kept(job) for job in plan.jobs if job.unit == unit.id],
            "armies": [asdict(note) for note in unit.armies],
        }
        for unit in plan.units.values()
    }
    fine = not (plan.problems or plan.failed or outcome.failed)
    uses = dict.fromkeys(
        [*look.uses, *(part for unit in plan.units.values() for part in unit.uses)]
    )
    asked = Asked(
        uses=list(uses),
        program=list(look.program),
        looks=list(look.looks),
        mark=look.mark,
        units=units,
        paths=[*(job.path for job in plan.jobs), *FILES] if fine else [],
        illegal=[(a.name, a.system, a.findings) for a in plan.armies if not a.legal],
    )
    record.remember(request.key, asked)


def _kept(job: Job) -> dict[str, Any]:
    names = ("path", "kind", "format", "variant", "paper", "title", "system", "army", "beside")
    return {**{name: getattr(job, name) for name in names}, "data": data_mark(job.data)}
