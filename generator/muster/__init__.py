"""Muster: turn rule systems and army lists into prints and verdicts."""

__version__ = "0.1.0"
