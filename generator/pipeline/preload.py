"""Owns what the fork server loads once, so that each worker that it forks has it at once.

Does not complain: where it cannot be loaded, the worker tries again and says why, job by job.
"""

from contextlib import suppress

from generator.pipeline.warm import load

with suppress(Exception):
    load()
