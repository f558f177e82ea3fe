"""Owns the way from files to models: YAML to data with places, faults to problems at their place.

Does not know what a rule system or an army is; the parts above bring their own models.
"""

from generator.problems import Problems
from generator.reading.document import Document, document_from_text, read_document
from generator.reading.holding import read_model
from generator.reading.models import Flag, Id, Line, Lines, Prose, Signed, Strict, Whole
from generator.reading.spelling import did_you_mean, nearest
from generator.reading.text import read_text

__all__ = [
    "Document",
    "Flag",
    "Id",
    "Line",
    "Lines",
    "Problems",
    "Prose",
    "Signed",
    "Strict",
    "Whole",
    "did_you_mean",
    "document_from_text",
    "nearest",
    "read_document",
    "read_model",
    "read_text",
]
