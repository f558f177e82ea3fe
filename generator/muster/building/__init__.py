"""Builds: the plan, the workers, whole files, and what is recorded between builds."""
