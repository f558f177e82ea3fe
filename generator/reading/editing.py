"""Owns small edits of a YAML file that was read: every character that is not edited stays as it is.

Does not know what the keys mean. Where `rewriting` writes a whole file anew, this cuts and sets in
the text itself, at the marks that ruamel's composer gives, so that a diff shows the edits alone.
The new text is read again and held against what was asked; nothing is lost silently. A comment
that stands in the lines of an entry goes where the entry goes; all others stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml.error import YAMLError

from generator.problems import MusterError
from generator.reading.document import Document
from generator.reading.edits import Drop, Edit, Path, Place, Put, Shift
from generator.reading.loading import load
from generator.reading.splicing import spliced


def edited(document: Document, edits: Sequence[Edit]) -> Document:
    """Give a document with edits made; paths name places in the document as it was.

    Raises:
        MusterError: If the text cannot be kept through the edits.
    """
    expected = edited_data(document.data, edits)
    try:
        text = spliced(document.text, edits)
        kept = load(text, document.file) == expected
    except (YAMLError, MusterError, LookupError, TypeError, AttributeError) as error:
        raise _cannot(document) from error
    if not kept:
        raise _cannot(document)
    return Document(document.file, text, expected)


def _cannot(document: Document) -> MusterError:
    text = (
        "the file is laid out in a way that cannot be kept when entries change; write it plainly,"
        " without anchors"
    )
    return MusterError((document.problem("cannot-rewrite", text, ()),))


# What the new file must say


def edited_data(data: Mapping[str, Any], edits: Sequence[Edit]) -> dict[str, Any]:
    """Give data with edits made; the old stays as it is."""
    new: dict[str, Any] = _copied(data)
    steps = [(edit, _reached(new, edit.path[:-1]), _reached(new, edit.path)) for edit in edits]
    targets = [_reached(new, edit.to) if isinstance(edit, Shift) else {} for edit in edits]
    for (edit, holder, found), target in zip(steps, targets, strict=True):
        match edit:
            case Put():
                for key, value in edit.keys.items():
                    if value is None:
                        found.pop(key, None)
                    else:
                        found[key] = value if isinstance(value, str) else list(value)
            case Place(key=key, many=True):
                found.setdefault(key, []).append(_copied(edit.value))
            case Place(key=key):
                found[key] = _copied(edit.value)
            case Shift(key=key):
                _take(holder, edit.path[-1], found)
                target.setdefault(key, []).append(found)
            case Drop():
                _take(holder, edit.path[-1], found)
    return new


def _take(holder: Any, step: str | int, found: Any) -> None:
    """Take an entry out of what holds it; places in a list may have moved already."""
    if isinstance(holder, dict):
        holder.pop(step)
    else:
        holder[:] = [each for each in holder if each is not found]


def _copied(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _copied(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_copied(value) for value in data]
    return data


def _reached(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data
