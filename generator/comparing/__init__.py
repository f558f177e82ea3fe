"""Owns the comparison of two editions of a rule system: what changed, and what armies notice.

Does not fetch editions from anywhere and does not print; the command line and `documents` do.
"""
