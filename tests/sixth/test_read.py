"""Owns the proof that nothing is written in vain: what the sixth system's files say is asked for.

Does not ask whether it is used rightly. `test_complete` sees to it that the sixth writes every
key that there is; here every command that reads content is run, and each key must be read.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from muster.armies import Book, Profile, check, load_army
from muster.armies.lint_composition import lint_armies
from muster.cli.program import program
from muster.documents.cards import gather_cards
from muster.documents.measures import choose_measures
from muster.documents.roster import gather_roster
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.sheet import concerns_army, gather_sheet
from muster.systems import Library
from muster.systems.lint import lint_system
from muster.tables import Diagram, Grid, Lookup, Modifiers, Results, Steps
from muster.tables.table import Axis, Column, Definitions, Row
from tests.sixth import usage

HERE: Final = Path(__file__).resolve().parent
MADE: Final = (
    *(Book, Profile, Axis, Column, Row),
    *(Grid, Lookup, Modifiers, Results, Steps, Definitions, Diagram),
)
"""What is made of the files: a key that is copied here must be asked for here again."""

Read = tuple[str, str]


def own(name: str | None) -> bool:
    """Tell whether a module is the program's own: libraries read everything of anything."""
    return (name or "").partition(".")[0] == "generator"


def keys_of(kind: type[Any]) -> list[str]:
    if issubclass(kind, BaseModel):
        return list(kind.model_fields)
    assert is_dataclass(kind)
    return [each.name for each in fields(kind)]


def bringer(kind: type[Any], name: str) -> Read:
    """Name the class that first has a key, and the key."""
    classes = [each for each in reversed(kind.__mro__) if name in inspect.get_annotations(each)]
    return classes[0].__name__, name


def watch(kinds: Iterable[type[Any]], patch: Callable[[type[Any], str, Any], None]) -> set[Read]:
    """Note from now on which keys of these classes the program reads."""
    seen: set[Read] = set()
    for kind in kinds:
        names = {name: bringer(kind, name) for name in keys_of(kind)}
        before = kind.__getattribute__

        def spy(self: Any, name: str, names: dict[str, Read] = names, before: Any = before) -> Any:
            if name in names and own(sys._getframe(1).f_globals.get("__name__")):
                seen.add(names[name])
            return before(self, name)

        patch(kind, "__getattribute__", spy)
    return seen


def run_everything() -> None:
    """Do what the commands do that read content."""
    library = Library(HERE)
    system = library.system("sixth")
    assert not [*lint_system(system), *lint_armies(system, library.book_folders("sixth"))]
    for path in sorted((HERE / "armies" / "sixth").glob("*.yaml")):
        army = load_army(path, library)
        verdict = check(army)
        have = army.attribute_values()
        keep = partial(concerns_army, attributes=have)
        for scale in system.scales:
            chosen = choose_measures(system, scale.id)
            gather_cards(system, army, verdict, chosen)
            gather_roster(system, army, verdict, chosen)
            gather_sheet(system, keep=keep, measures=chosen)
    for edition in read_editions(system):
        gather_rulebook(system, edition)
    for told in (["lookup", "sixth", "wound-table", "strength=4", "roll=9"], ["list", "sixth"]):
        result = CliRunner().invoke(program, ["--folder", str(HERE), *told])
        assert result.exit_code == 0, result.output


_DRAFTED = "`muster draft` asks for it, with the solver"
ELSEWHERE: Final = {
    ("Body", "name"): _DRAFTED,
    ("Body", "units"): _DRAFTED,
    ("Book", "names"): _DRAFTED,
    ("Drafting", "limit"): _DRAFTED,
    ("Noun", "noun"): _DRAFTED,
    ("Weight", "weight"): _DRAFTED,
    ("Theme", "notes"): "says to whoever reads the file where the theme is from",
    ("Empty", "box"): "says to whoever reads the file why the box is empty",
}
"""What nothing asks for here, and why it may stand in the files all the same."""


@pytest.fixture(scope="module")
def unread() -> set[Read]:
    kinds = [*usage.reachable(usage.ROOTS), *MADE]
    with pytest.MonkeyPatch.context() as patch:
        seen = watch(kinds, patch.setattr)
        run_everything()
    there = {bringer(kind, name) for kind in kinds for name in keys_of(kind)}
    # The kind of a table or constraint has done its work when its model was chosen.
    return {each for each in there - seen if each[1] != "kind"}


def test_everything_that_is_written_is_asked_for(unread: set[Read]) -> None:
    assert unread - ELSEWHERE.keys() == set()


def test_key_that_nobody_asks_for_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watch([Profile], monkeypatch.setattr)
    army = load_army(HERE / "armies" / "sixth" / "legal.yaml", Library(HERE))

    assert ("Profile", "title") in seen
    assert ("Profile", "suggested") not in seen
    gather_cards(army.system, army, check(army))
    assert ("Profile", "suggested") in seen
