"""Owns the proof that a cache changes nothing: every case is judged alike cold and warm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muster.armies import check, load_army
from muster.problems import MusterError
from muster.systems import Library
from muster.yamlfile import cache
from tests.cases.test_cases import CASES, HERE, SYSTEMS, army_document

BROKEN = {
    "unknown-key": ("\n", "\ncolour: red\n"),
    "no-system": ("system:", "systems:"),
    "no-such-book": ("\n", "\nbook: of-nobody\n"),
    "not-a-limit": ("\n", "\nlimit: many\n"),
}
"""What spoils an army file: a text, and what is put in its place, once."""


def told(paths: list[Path]) -> list[Any]:
    """Judge armies from scratch; what cannot be read gives its problems."""
    library = Library(HERE.parent.parent)
    found: list[Any] = []
    for path in paths:
        try:
            verdict = check(load_army(path, library))
        except MusterError as error:
            found.append(error.problems)
        else:
            found.append((verdict.as_json(), [str(each.location) for each in verdict.findings]))
    return found


def written(folder: Path, system_id: str) -> list[Path]:
    """Write a system's cases as army files, and some of them spoilt."""
    paths = []
    for case in CASES:
        if case.parent.name == system_id:
            path = folder / case.name
            path.write_text(army_document(case).text, encoding="utf-8")
            paths.append(path)
    sound = paths[0].read_text(encoding="utf-8")
    for name, (old, new) in BROKEN.items():
        path = folder / f"broken-{name}.yaml"
        path.write_text(sound.replace(old, new, 1), encoding="utf-8")
        paths.append(path)
    return paths


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_cases_are_judged_alike_cold_and_warm(
    system_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = written(tmp_path, system_id)
    plain = told(paths)
    cache.use_cache_folder(tmp_path / "kept")
    cold = told(paths)

    def refuse(*_: object) -> None:
        raise AssertionError("YAML was parsed although nothing changed")

    monkeypatch.setattr("muster.yamlfile.parsing.parse_yaml", refuse)
    monkeypatch.setattr("muster.yamlfile.parsing.parse_places", refuse)
    warm = told(paths)

    assert sum(isinstance(each, tuple) and not isinstance(each[0], dict) for each in plain) >= 3
    assert cold == plain
    assert warm == plain
