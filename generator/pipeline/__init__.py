"""Owns builds: the plan, the workers, whole files, and what is remembered between builds.

Does not render and does not talk to the terminal. What is named here loads when it is asked for:
a build with nothing to do, and a worker, need little of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generator.pipeline.building import Outcome, build
    from generator.pipeline.index import index_jobs
    from generator.pipeline.job import ArmyNote, Job
    from generator.pipeline.mark import templates_mark
    from generator.pipeline.plan import Plan, make_plan
    from generator.pipeline.request import FORMATS, KINDS
    from generator.pipeline.workers import Done


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    from generator.pipeline import building, index, job, mark, plan, request, workers  # noqa: PLC0415 - see above

    for module in (job, mark, plan, request, workers, building, index):
        if name in vars(module):
            return vars(module)[name]
    raise AttributeError(name)


__all__ = [
    "FORMATS",
    "KINDS",
    "ArmyNote",
    "Done",
    "Job",
    "Outcome",
    "Plan",
    "build",
    "index_jobs",
    "make_plan",
    "templates_mark",
]
