"""Settings for all tests: properties are tried without a clock."""

from hypothesis import settings

# A machine that prints in the next process is slow for a moment; that is no fault of a value.
settings.register_profile("muster", deadline=None)
settings.load_profile("muster")
