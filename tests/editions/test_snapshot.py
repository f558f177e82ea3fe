"""Tests of reading exported editions: what is read and what is refused."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.editions.compare import compare_editions
from muster.editions.snapshot import MAX_DEPTH, edition_data, read_snapshot
from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.library import Library
from tests.editions.conftest import Editions
from tests.scaffold import lay_out


def write_file(tmp_path: Path, data: Any) -> Path:
    path = tmp_path / "v1.json"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path


def test_saved_edition_reads_back(editions: Editions, tmp_path: Path) -> None:
    data, _ = editions.data()

    assert read_snapshot(write_file(tmp_path, data), "v1.json") == data


def test_drawings_are_data_down_to_their_points() -> None:
    system = Library(Path(__file__).parents[2]).system("huzzah")

    (drawing,) = edition_data(system)["details"]["bombardment-drawn"]["drawings"]

    assert drawing["label"] == "To scale"
    assert drawing["scene"][0] == {"kind": "arrow", "points": [[8, 11], [83, 11]], "style": "solid"}
    assert {"kind": "measure", "text": "30cm"}.items() <= drawing["scene"][2].items()


def test_export_of_an_older_muster_reads_back(editions: Editions, tmp_path: Path) -> None:
    data, _ = editions.data()
    bare = {key: data[key] for key in ("system", "tables")}

    assert read_snapshot(write_file(tmp_path, bare), "v1.json") == bare


def test_text_that_is_not_json_is_reported_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "v1.json"
    path.write_text('{"system": {},\n "tables": [,]}', encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        read_snapshot(path, "v1.json")

    (problem,) = caught.value.problems
    assert problem.code == "bad-json"
    assert (problem.location.line, problem.location.file) == (2, "v1.json")
    assert problem.example == "muster export my-rules --out v1.json"


def test_all_faults_of_shape_are_reported_with_their_lines(
    editions: Editions, tmp_path: Path
) -> None:
    data, _ = editions.data()
    data["system"].pop("edition")
    data["tables"][0]["title"] = 3
    path = write_file(tmp_path, data)
    lines = path.read_text(encoding="utf-8").splitlines()

    with pytest.raises(MusterError) as caught:
        read_snapshot(path, "v1.json")

    places = [problem.location.line for problem in caught.value.problems]
    assert len(places) == 2
    assert '"title": 3' in lines[(places[1] or 0) - 1]


def test_row_with_too_few_cells_is_reported(editions: Editions, tmp_path: Path) -> None:
    data, _ = editions.data()
    data["tables"][0]["rows"][1]["cells"].pop()

    with pytest.raises(MusterError) as caught:
        read_snapshot(write_file(tmp_path, data), "v1.json")

    (problem,) = caught.value.problems
    assert problem.code == "ragged-row"
    assert "read 2 cells, expected 3" in problem.text


@pytest.mark.parametrize("data", [[], 3, "text", None], ids=repr)
def test_file_of_another_form_is_reported(tmp_path: Path, data: Any) -> None:
    with pytest.raises(MusterError) as caught:
        read_snapshot(write_file(tmp_path, data), "v1.json")

    assert caught.value.problems[0].code == "bad-type"


def test_data_nested_too_deep_is_refused(editions: Editions, tmp_path: Path) -> None:
    data, _ = editions.data()
    deep: Any = {}
    for _ in range(MAX_DEPTH):
        deep = {"a": deep}
    data["composition"]["more"] = deep

    with pytest.raises(MusterError) as caught:
        read_snapshot(write_file(tmp_path, data), "v1.json")

    assert caught.value.problems[0].code == "too-deep"


def test_character_that_controls_a_terminal_is_refused(editions: Editions, tmp_path: Path) -> None:
    data, _ = editions.data()
    data["tables"][0]["title"] = "\x1b[2J"

    with pytest.raises(MusterError) as caught:
        read_snapshot(write_file(tmp_path, data), "v1.json")

    assert caught.value.problems[0].code == "bad-character"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return edition_data(open_system(lay_out(tmp_path_factory.mktemp("club"))))


ODD: Final[tuple[Any, ...]] = (
    "x",
    "",
    7,
    1.5,
    True,
    None,
    [],
    {},
    ["a"],
    [{}],
    [{"id": "foot"}],
    {"id": 1},
    {"a": {}},
)


@given(seed=st.integers(0, 10**6))
def test_whatever_is_read_compares_both_ways_and_equals_itself(
    seed: int, club: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = random.Random(seed)  # noqa: S311 - spoils a test's data, and the same way again
    data = copy.deepcopy(club)
    for _ in range(chance.randint(1, 4)):
        _spoil(data, chance)
    path = tmp_path_factory.getbasetemp() / "spoilt.json"
    path.write_text(json.dumps(data), encoding="utf-8")

    try:
        read = read_snapshot(path, "spoilt.json")
    except MusterError:
        return

    assert compare_editions(read, read).changes == ()
    for change in (*compare_editions(club, read).changes, *compare_editions(read, club).changes):
        assert json.dumps(change.as_json())


def _spoil(data: Any, chance: random.Random) -> None:
    """Put an unexpected value somewhere, or delete something."""
    while True:
        keys: list[Any] = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and chance.random() < 0.8:
            data = data[key]
        elif chance.random() < 0.3:
            del data[key]
            return
        else:
            data[key] = copy.deepcopy(chance.choice(ODD))
            return
