"""Tests that the program reads every key that the files of a system may have.

`test_complete` proves that the sixth system writes every key; here all commands that read content
are run with it, and each key must be read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from muster.armies import Book, Profile, book_ids, check, load_army, load_book
from muster.armies.lint_composition import lint_armies
from muster.cli.program import program
from muster.documents.army_book import gather_army_book
from muster.documents.cards import gather_cards
from muster.documents.measures import choose_measures
from muster.documents.roster import gather_roster
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.sheet import gather_sheet
from muster.documents.tokens import gather_tokens
from muster.systems import Library
from muster.systems.lint import lint_system
from muster.tables import Diagram, Grid, Lookup, Modifiers, Results, Steps
from muster.tables.table import Axis, Column, Definitions, Row
from tests.sixth import usage
from tests.sixth.usage import Key

HERE: Final = Path(__file__).resolve().parent
MADE: Final = (
    *(Book, Profile, Axis, Column, Row),
    *(Grid, Lookup, Modifiers, Results, Steps, Definitions, Diagram),
)
"""Classes made from the models of files: a key that was copied to one must be read there again."""


def is_ours(module: str | None) -> bool:
    """Return whether a module belongs to Muster; libraries read all attributes of any object."""
    return (module or "").partition(".")[0] == "muster"


def keys_of(kind: type[Any]) -> list[str]:
    if issubclass(kind, BaseModel):
        return list(kind.model_fields)
    assert is_dataclass(kind)
    return [field.name for field in fields(kind)]


def watch(kinds: Iterable[type[Any]], patch: Callable[[type[Any], str, Any], None]) -> set[Key]:
    """Return a set that is filled from now on with the keys of these classes that Muster reads."""
    seen: set[Key] = set()
    for kind in kinds:
        names = {name: usage.defined_by(kind, name) for name in keys_of(kind)}
        before = kind.__getattribute__

        def spy(self: Any, name: str, names: dict[str, Key] = names, before: Any = before) -> Any:
            if name in names and is_ours(sys._getframe(1).f_globals.get("__name__")):
                seen.add(names[name])
            return before(self, name)

        patch(kind, "__getattribute__", spy)
    return seen


def run_everything() -> None:
    """Do what those commands do that read content."""
    library = Library(HERE)
    system = library.system("sixth")
    assert not [*lint_system(system), *lint_armies(system, library.book_folders("sixth"))]
    for path in sorted((HERE / "armies" / "sixth").glob("*.yaml")):
        army = load_army(path, library)
        verdict = check(army)
        for scale in system.scales:
            chosen = choose_measures(system, scale.id)
            gather_cards(system, army, verdict, chosen)
            gather_roster(system, army, verdict, chosen)
            gather_sheet(system, army=army, measures=chosen)
    for book_id in book_ids(system, library.book_folders("sixth")):
        gather_army_book(system, load_book(system, book_id, library.book_folders("sixth")))
    gather_tokens(system)
    for edition in read_editions(system):
        gather_rulebook(system, edition)
    lookup = ["lookup", "sixth", "wound-table", "strength=4", "roll=9"]
    for command in (lookup, ["list", "sixth"]):
        result = CliRunner().invoke(program, ["--folder", str(HERE), *command])
        assert result.exit_code == 0, result.output


_DRAFTED = "`muster draft` reads it, with the solver"
ELSEWHERE: Final = {
    ("Body", "name"): _DRAFTED,
    ("Body", "units"): _DRAFTED,
    ("Book", "names"): _DRAFTED,
    ("Drafting", "limit"): _DRAFTED,
    ("Noun", "noun"): _DRAFTED,
    ("Weight", "weight"): _DRAFTED,
    ("WrittenSheet", "scales"): "says which sheets a build plans",
    ("ColourRule", "shape"): "for units without a book; all in these lists have one",
    ("Profile", "source"): "tells people who read the file where a unit is from",
    ("Theme", "notes"): "tells people who read the file where the theme is from",
    ("Empty", "box"): "tells people who read the file why the box is empty",
}
"""Keys that are not read here, and why files may have them all the same."""


@pytest.fixture(scope="module")
def unread() -> set[Key]:
    kinds = [*usage.reachable(usage.ROOTS), *MADE]
    with pytest.MonkeyPatch.context() as patch:
        seen = watch(kinds, patch.setattr)
        run_everything()
    keys = {usage.defined_by(kind, name) for kind in kinds for name in keys_of(kind)}
    # The kind of a table or constraint is read only to choose its model.
    return {key for key in keys - seen if key[1] != "kind"}


def test_every_key_is_read(unread: set[Key]) -> None:
    assert unread - ELSEWHERE.keys() == set()


def test_key_that_is_not_read_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watch([Profile], monkeypatch.setattr)
    army = load_army(HERE / "armies" / "sixth" / "legal.yaml", Library(HERE))

    assert ("Profile", "title") in seen
    assert ("Profile", "suggested") not in seen
    gather_army_book(army.system, army.book)
    assert ("Profile", "suggested") in seen
