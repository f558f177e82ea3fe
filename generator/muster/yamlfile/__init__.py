"""Read YAML files into data with places and Pydantic models, and edit their text."""

from muster.yamlfile.document import Document, Wording, document_from_text, read_document
from muster.yamlfile.models import (
    Flag,
    Id,
    Label,
    Line,
    Prose,
    SignedNumber,
    SourceLines,
    StrictModel,
    WholeNumber,
)
from muster.yamlfile.nodes import KeyPath
from muster.yamlfile.textfile import read_text
from muster.yamlfile.validation import read_model

__all__ = [
    "Document",
    "Flag",
    "Id",
    "KeyPath",
    "Label",
    "Line",
    "Prose",
    "SignedNumber",
    "SourceLines",
    "StrictModel",
    "WholeNumber",
    "Wording",
    "document_from_text",
    "read_document",
    "read_model",
    "read_text",
]
