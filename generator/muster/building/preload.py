"""Load what every worker renders with, once, in the process that workers are forked from."""

import gc
from contextlib import suppress

from muster.building.workers import load_renderers

# All that is loaded here stays, so garbage collection is off, here and in every worker.
gc.disable()
with suppress(Exception):
    load_renderers()
gc.freeze()
