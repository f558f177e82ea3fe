"""The plan of a build: which documents are made from which data and into which files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from muster.building.jobs import (
    ArmySummary,
    DeferredData,
    GatheredJobs,
    Job,
    SystemSummary,
)
from muster.dependencies import Dependencies, record_dependencies
from muster.problems import Location, MusterError, Problem
from muster.tables import NoEntryError

Gather = Callable[[], GatheredJobs]


@dataclass(slots=True)
class JobGroup:
    """Jobs whose data is gathered together, and what that data was made from.

    The jobs of a group that is known from the last build have no data until they are due.
    """

    id: str
    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmySummary] = field(default_factory=list)
    inputs: Dependencies = field(default_factory=dict)
    gather: Gather | None = None


GroupLookup = Callable[[str], JobGroup | None]
"""Returns a group as the last build left it, if none of its inputs changed since."""


def no_known_groups(_: str) -> JobGroup | None:
    """Return None: no earlier build is known."""
    return None


@dataclass(slots=True)
class Plan:
    """All jobs of a build in stable order, the armies read, and what could not be planned."""

    jobs: list[Job] = field(default_factory=list)
    armies: list[ArmySummary] = field(default_factory=list)
    systems: list[SystemSummary] = field(default_factory=list)
    """The systems of which something is planned."""
    problems: list[Problem] = field(default_factory=list)
    groups: dict[str, JobGroup] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """Groups, armies and systems that could not be planned; what an earlier build made stays."""
    known: GroupLookup = no_known_groups
    partial: set[str] = field(default_factory=set)
    """Systems of which nothing but chosen armies was planned."""

    @property
    def whole_systems(self) -> set[str]:
        """The systems of which all armies were planned."""
        return {system.id for system in self.systems} - self.partial

    @property
    def illegal(self) -> list[tuple[str, str, int]]:
        """Armies that are printed and not legal: name, system, number of findings."""
        printed = {(job.system, job.army) for job in self.jobs}
        return [
            (army.name, army.system, army.findings)
            for army in self.armies
            if not army.legal and (army.system, army.id) in printed
        ]

    def add_group(
        self, group_id: str, file: str, gather: Gather, *, always_gather: bool = False
    ) -> list[Job]:
        """Add a group and return its jobs; its data is only gathered if an input changed.

        The caller decides where the jobs stand among the plan's.

        Args:
            group_id: The system, then the army if there is one, then a word of its own.
            file: The file that is named if a problem has no place of its own.
            gather: Returns its jobs, and the army read.
            always_gather: Whether to gather even if no input changed, for a group that is not
                made from files alone.
        """
        group = None if always_gather else self.known(group_id)
        if group is None:
            group = JobGroup(group_id)
            with collect_problems(self, file, group_id), record_dependencies() as group.inputs:
                group.jobs, group.armies = gather()
            if group_id in self.failed:
                return []
            group.jobs = [replace(job, group=group_id) for job in group.jobs]
        group.gather = gather
        self.groups[group_id] = group
        self.armies.extend(group.armies)
        return group.jobs

    def with_data(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """Yield jobs with their data, gathering now what is known from the last build.

        A job whose data cannot be gathered, because a file has changed in the meantime, is left
        out; the plan's problems say why.
        """
        gathered: dict[str, dict[str, Job]] = {}
        for job in jobs:
            if not isinstance(job.data, DeferredData):
                yield job
                continue
            if job.group not in gathered:
                gathered[job.group] = self._gather_group(self.groups[job.group])
            if job.path in gathered[job.group]:
                yield replace(job, data=gathered[job.group][job.path].data)

    def _gather_group(self, group: JobGroup) -> dict[str, Job]:
        jobs: list[Job] = []
        with collect_problems(self, f"content/{group.id}", group.id):
            if group.gather is not None:
                jobs, _ = group.gather()
        return {job.path: job for job in jobs}


@contextmanager
def collect_problems(plan: Plan, file: str, group_id: str) -> Iterator[None]:
    """Add what cannot be planned to the plan's problems, and go on with the rest.

    Args:
        plan: Gets the problems, and the group among those that failed.
        file: The file that is named if a problem has no place of its own.
        group_id: The group, army or system that is planned.
    """
    try:
        yield
    except MusterError as error:
        plan.problems.extend(error.problems)
        plan.failed.append(group_id)
    except (NoEntryError, TypeError) as error:
        text = f"{error}; run `muster lint` for details"
        plan.problems.append(Problem("unknown-entry", text, Location(file, None, None)))
        plan.failed.append(group_id)
