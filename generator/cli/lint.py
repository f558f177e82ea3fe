"""Owns `muster lint`: the flaws of rule systems, as words or JSON.

Does not look for flaws; `systems` and `armies` do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, UNREADABLE, form_option, library
from generator.cli.extras import has_solver
from generator.problems import MusterError

if TYPE_CHECKING:
    from generator.systems import Library, System
    from generator.systems.flaw import Flaw


@click.command("lint")
@click.argument("systems", nargs=-1, metavar="[SYSTEM ...]")
@form_option
def command(*, systems: tuple[str, ...], form: str) -> int:
    """Check content: that all of it can be read, is named rightly, and is used."""
    from generator.armies.lint import lint_armies
    from generator.rendering.lint_signs import sign_flaws
    from generator.systems.lint import lint_system

    shelf = library()
    found: list[tuple[str, Flaw]] = []
    unreadable = False
    for key in dict.fromkeys(systems or shelf.systems()):
        try:
            system = shelf.system(key)
        except MusterError as fault:
            unreadable = True
            show.problems(fault.problems)
            continue
        books = shelf.book_folders(key)
        flaws = [*lint_system(system), *lint_armies(system, books)]
        flaws += sign_flaws(system, books, shelf.templates())
        if not any(flaw.severity == "error" for flaw in flaws):
            flaws += _fielding(system, shelf)
        found.extend((key, flaw) for flaw in dict.fromkeys(flaws))
        if form == "text":
            _tell(system.title, flaws)
    if form == "json":
        show.data([_as_json(key, flaw) for key, flaw in found])
    if unreadable:
        return UNREADABLE
    return FINDINGS if any(flaw.severity == "error" for _, flaw in found) else FINE


def _fielding(system: System, shelf: Library) -> list[Flaw]:
    """Check that all of a sound system can be fielded, where the solver is installed."""
    if not has_solver():
        show.note(f"{system.title}: whether all can be fielded needs the extra `solver`")
        return []
    from generator.solving.lint import lint_fielding

    return lint_fielding(system, shelf, shelf.book_folders(system.id))


def _tell(title: str, flaws: list[Flaw]) -> None:
    """Print a system's flaws, each at its place, and how many there are."""
    for flaw in dict.fromkeys(flaws):
        show.result(flaw.problem.render(show.severity(flaw.severity)))
    grave = sum(flaw.severity == "error" for flaw in flaws)
    light = len(flaws) - grave
    counts = f"{_counted(grave, 'error')}, {_counted(light, 'warning')}"
    show.note(f"{title}: {counts if flaws else 'nothing wrong'}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _as_json(system: str, flaw: Flaw) -> dict[str, Any]:
    problem = flaw.problem
    return {
        "system": system,
        "severity": flaw.severity,
        "code": problem.code,
        "text": problem.text,
        "file": problem.location.file,
        "line": problem.location.line,
        "column": problem.location.column,
    }
