"""Load once, in the fork server, what every worker renders with."""

import gc
from contextlib import suppress

from muster.building.workers import load_renderers

# All that is loaded stays: it is not gone through for rubbish, here or in any worker.
gc.disable()
with suppress(Exception):
    load_renderers()
gc.freeze()
