"""Owns the version of Muster, which turns rule systems and army lists into prints and verdicts.

Does not import anything: `import generator` costs nothing.
"""

__version__ = "0.1.0"
