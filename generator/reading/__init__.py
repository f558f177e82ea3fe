"""Owns reading: YAML files into checked models, and every fault at its line and column.

Does not know rule systems or armies.
"""

from generator.reading.document import Document, document_from_text, read_document
from generator.reading.models import (
    Flag,
    Id,
    Line,
    Lines,
    Problems,
    Prose,
    Strict,
    Whole,
    read_model,
)
from generator.reading.source import read_text
from generator.reading.spelling import did_you_mean, nearest

__all__ = [
    "Document",
    "Flag",
    "Id",
    "Line",
    "Lines",
    "Problems",
    "Prose",
    "Strict",
    "Whole",
    "did_you_mean",
    "document_from_text",
    "nearest",
    "read_document",
    "read_model",
    "read_text",
]
