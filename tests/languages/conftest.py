"""Find out which words on a page are neither of the catalogues nor of the content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.languages import words


def words_in(text: str) -> set[str]:
    """Return the words of a text, without the digest of a book."""
    text = re.sub(r"\b[0-9a-f]{16}\b", "", text)
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


def content_words(folder: Path) -> set[str]:
    """Return the words of the values in all files of a folder, and those of its prose."""

    def values(data: Any) -> Iterator[str]:
        if isinstance(data, dict):
            for each in data.values():
                yield from values(each)
        elif isinstance(data, list):
            for each in data:
                yield from values(each)
        else:
            yield str(data)

    found: set[str] = set()
    for path in folder.rglob("*"):
        if path.suffix == ".md":
            # The verbs of directives are no words of the book.
            text = re.sub(r"\{\w+:", "{", path.read_text(encoding="utf-8"))
            found |= words_in(text)
        if path.suffix == ".yaml":
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            found |= {word for value in values(data) for word in words_in(value)}
    return found


@pytest.fixture
def no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a sign in the place of all words of the interface, and keep the values in them."""

    def places(message: str, *_: object) -> str:
        return " ".join(["§", *re.findall(r"\{\w+\}", message)])

    monkeypatch.setattr(words, "_translated", places)
    monkeypatch.setattr(words, "_translated_number", places)
