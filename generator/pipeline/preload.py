"""Owns what the fork server loads once, so that each worker that it forks has it at once.

Does not complain: where it cannot be loaded, the worker tries again and says why, job by job.
"""

import gc
from contextlib import suppress

from generator.pipeline.warm import load

# All that is loaded stays: it is not gone through for rubbish, here or in any worker.
gc.disable()
with suppress(Exception):
    load()
gc.freeze()
