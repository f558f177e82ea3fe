"""Builds: the plan, the workers, whole files, and what is recorded between builds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from muster.building.build_index import index_jobs
    from muster.building.inputs import templates_fingerprint
    from muster.building.jobs import FORMATS, KINDS, ArmySummary, Job
    from muster.building.plan import Plan, make_plan
    from muster.building.runner import Outcome, build_plan
    from muster.building.workers import JobResult


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    from muster.building import build_index, inputs, jobs, plan, runner, workers  # noqa: PLC0415 - see above

    for module in (jobs, inputs, plan, jobs, workers, runner, build_index):
        if name in vars(module):
            return vars(module)[name]
    raise AttributeError(name)


__all__ = [
    "FORMATS",
    "KINDS",
    "ArmySummary",
    "Job",
    "JobResult",
    "Outcome",
    "Plan",
    "build_plan",
    "index_jobs",
    "make_plan",
    "templates_fingerprint",
]
