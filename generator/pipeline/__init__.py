"""Owns builds: the plan, the workers, whole files, and what is remembered between builds.

Does not render and does not talk to the terminal.
"""

from generator.pipeline.build import Done, Outcome, build
from generator.pipeline.index import build_index
from generator.pipeline.mark import templates_mark
from generator.pipeline.plan import FORMATS, KINDS, ArmyNote, Job, Plan, make_plan

__all__ = [
    "FORMATS",
    "KINDS",
    "ArmyNote",
    "Done",
    "Job",
    "Outcome",
    "Plan",
    "build",
    "build_index",
    "make_plan",
    "templates_mark",
]
