"""`muster lint` and `muster prove`: check a rule system, and prove what can be fielded under it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.options import (
    FINDINGS,
    FINE,
    UNREADABLE,
    format_option,
    has_solver,
    library,
    require_solver,
)
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.systems import Library, System
    from muster.systems.lint import LintIssue


@click.command("lint")
@click.argument("systems", nargs=-1, metavar="[SYSTEM ...]")
@format_option
def lint_command(*, systems: tuple[str, ...], form: str) -> int:
    """Check content: that all of it can be read, is named rightly, and is used."""
    from muster.armies.lint_composition import lint_armies
    from muster.rendering.glyphs import find_missing_glyphs
    from muster.systems.lint import lint_system

    shelf = library()
    found: list[tuple[str, LintIssue]] = []
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
        flaws += find_missing_glyphs(system, books, shelf.templates())
        if not any(flaw.severity == "error" for flaw in flaws):
            flaws += _fielding_flaws(system, shelf)
        found.extend((key, flaw) for flaw in dict.fromkeys(flaws))
        if form == "text":
            _print_flaws(system.title, flaws)
    if form == "json":
        show.data([_flaw_as_json(key, flaw) for key, flaw in found])
    if unreadable:
        return UNREADABLE
    return FINDINGS if any(flaw.severity == "error" for _, flaw in found) else FINE


def _fielding_flaws(system: System, shelf: Library) -> list[LintIssue]:
    """Check that all of a sound system can be fielded, where the solver is installed."""
    if not has_solver():
        show.note(f"{system.title}: whether all can be fielded needs the extra `solver`")
        return []
    from muster.solver.proofs import lint_fielding

    return lint_fielding(system, shelf, shelf.book_folders(system.id))


def _print_flaws(title: str, flaws: list[LintIssue]) -> None:
    """Print a system's flaws, each at its place, and how many there are."""
    for flaw in dict.fromkeys(flaws):
        show.result(flaw.problem.render(show.severity(flaw.severity)))
    grave = sum(flaw.severity == "error" for flaw in flaws)
    light = len(flaws) - grave
    counts = f"{_counted(grave, 'error')}, {_counted(light, 'warning')}"
    show.note(f"{title}: {counts if flaws else 'nothing wrong'}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _flaw_as_json(system: str, flaw: LintIssue) -> dict[str, Any]:
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


if TYPE_CHECKING:
    from muster.armies import Book, Composition
    from muster.solver.proofs import SystemProof, UnitProof
    from muster.solver.totals import PointsRange, Totals
    from muster.systems import Library, System

_COMMON_LIMITS = (100, 250, 500)
"""Limits that players agree on, beside those of a system's armies."""

_TRIED_UP_TO = 500
"""As far as every single total is tried; of a greater limit only what it leaves."""

_MAX_GAPS_SHOWN = 6

BestSpending = list[tuple[Decimal, Decimal | None]]
"""Limits, each with the most of it that can be spent; None if nothing is so cheap."""


@click.command("prove")
@click.argument("system", metavar="SYSTEM")
@click.option(
    "--limit",
    "limits",
    multiple=True,
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="A limit to be spent exactly; else those of the system's armies, and 100, 250 and 500.",
)
@format_option
def prove_command(*, system: str, limits: tuple[int, ...], form: str) -> int:
    """Prove what can be fielded: books, sorts of units, totals; and that every rule can bind.

    What is possible is shown by an army that `muster check` calls legal; what is not follows from
    the solver, for armies of a few commands.
    """
    require_solver("prove")
    from muster.armies import book_ids, load_book, load_composition
    from muster.solver.cpsat import SolverGaveUpError
    from muster.solver.proofs import prove_system

    shelf = library()
    opened = shelf.system(system)
    composition = load_composition(opened)
    folders = shelf.book_folders(system)
    books = [load_book(opened, each, folders) for each in book_ids(opened, folders)]
    try:
        proof = prove_system(composition, books, shelf)
        wanted = [Decimal(each) for each in limits] or _default_limits(shelf, system)
        totals = list(_totals(composition, books, shelf, wanted)) if composition.has_prices else []
    except SolverGaveUpError as fault:
        raise click.ClickException(f"{system}: {fault}") from None
    if form == "json":
        show.data(_proof_as_json(system, proof, totals))
    else:
        _print_proof(opened, proof, totals)
    return FINE if proof.sound else FINDINGS


def _default_limits(shelf: Library, system: str) -> list[Decimal]:
    """Give the limits of the system's armies, and those that are common anywhere."""
    from muster.armies import load_army
    from muster.problems import MusterError

    found = {Decimal(each) for each in _COMMON_LIMITS}
    for army in shelf.armies(system).values():
        try:
            limit = load_army(army.path, shelf).limit
        except MusterError:
            continue
        if limit is not None:
            found.add(limit)
    return sorted(found)


def _totals(
    composition: Composition, books: Sequence[Book], shelf: Library, limits: Sequence[Decimal]
) -> Iterator[tuple[Book | None, Totals, BestSpending]]:
    """Find the totals of each book, and of bare types where there are no books."""
    from muster.solver.army_model import SearchSpace, iter_settings
    from muster.solver.totals import find_totals, greatest_total_under

    sources: list[Book | None] = [*books] or [None]
    for book in sources:
        plainest = next(iter_settings(composition, [book]))
        far = min(max(limits), Decimal(_TRIED_UP_TO))
        totals = find_totals(SearchSpace(composition, plainest), shelf, far)
        if totals is not None:
            yield (
                book,
                totals,
                [(limit, greatest_total_under(composition, plainest, limit)) for limit in limits],
            )
        show.note(f"{_book_title(book)}: totals are done")


def _book_title(book: Book | None) -> str:
    return book.title if book is not None else "no book"


def _decimal_text(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _print_proof(
    system: System,
    proof: SystemProof,
    totals: Sequence[tuple[Book | None, Totals, BestSpending]],
) -> None:
    show.result(f"{system.title}:")
    never = [_book_title(book) for book, fielded in proof.fielded.items() if not fielded]
    _print_summary_line(
        "books", [_book_title(book) for book in proof.fielded if book], never, "be fielded"
    )
    fallen = [unit for unit in proof.units if not unit.stands]
    sorts = [unit.what.title for unit in proof.units]
    _print_summary_line(
        "sorts of units and leaders", sorts, [_unit_title(unit) for unit in fallen], "stand"
    )
    for unit in fallen:
        for group in unit.against:
            show.result(f"      {unit.what.title}: {group.message} [{group.code}; {group.source}]")
    dead = [binding.rule.id for binding in proof.rules if not binding.binds]
    _print_summary_line("constraints", [binding.rule.id for binding in proof.rules], dead, "bind")
    if proof.sound:
        show.result("  no rule contradicts another")
    for book, found, spent in totals:
        _print_totals(_book_title(book), found, spent)


def _print_summary_line(what: str, all_of: Sequence[str], never: Sequence[str], verb: str) -> None:
    if never:
        show.result(f"  {what}: {', '.join(never)} cannot {verb}")
    elif all_of:
        show.result(f"  {what}: each of {len(all_of)} can {verb}")


def _unit_title(unit: UnitProof) -> str:
    return f"{unit.what.title} ({_book_title(unit.book)})" if unit.book else unit.what.title


def _print_totals(title: str, found: Totals, spent: BestSpending) -> None:
    """Say from where on every total can be reached, what is missed below, and the limits."""
    runs = [*found.missed, *found.unknown]
    last = max((high for _, high in runs), default=Decimal(0))
    first = _decimal_text(last + found.step)
    text = f"  {title}: every total from {first} to {_decimal_text(found.limit)}"
    show.result(f"{text}, in steps of {_decimal_text(found.step)}")
    if found.missed:
        more = (
            f" and {len(found.missed) - _MAX_GAPS_SHOWN} runs more"
            if len(found.missed) > _MAX_GAPS_SHOWN
            else ""
        )
        show.result(
            f"      out of reach: {', '.join(_span_texts(found.missed[:_MAX_GAPS_SHOWN]))}{more}"
        )
    if found.unknown:
        show.result(f"      not known: {', '.join(_span_texts(found.unknown))}")
    exact = [_decimal_text(limit) for limit, best in spent if best == limit]
    if exact:
        show.result(f"      can be spent exactly: {', '.join(exact)}")
    for limit, best in spent:
        if best is None:
            show.result(f"      {_decimal_text(limit)}: nothing is so cheap")
        elif best != limit:
            show.result(f"      {_decimal_text(limit)}: at best {_decimal_text(best)}")


def _span_texts(spans: Iterable[PointsRange]) -> list[str]:
    return [
        _decimal_text(low) if low == high else f"{_decimal_text(low)}–{_decimal_text(high)}"
        for low, high in spans
    ]


def _proof_as_json(
    system: str,
    proof: SystemProof,
    totals: Sequence[tuple[Book | None, Totals, BestSpending]],
) -> dict[str, Any]:
    return {
        "system": system,
        "sound": proof.sound,
        "books": [
            {"book": book.id if book else None, "fielded": fielded}
            for book, fielded in proof.fielded.items()
        ],
        "units": [
            {
                "unit": unit.what.id,
                "book": unit.book.id if unit.book else None,
                "stands": unit.stands,
                "against": [group.code for group in unit.against],
            }
            for unit in proof.units
        ],
        "constraints": [
            {"code": binding.rule.id, "binds": binding.binds} for binding in proof.rules
        ],
        "totals": [
            {
                "book": book.id if book else None,
                "step": _json_number(found.step),
                "up-to": _json_number(found.limit),
                "missed": [[_json_number(low), _json_number(high)] for low, high in found.missed],
                "unknown": [[_json_number(low), _json_number(high)] for low, high in found.unknown],
                "limits": [
                    {
                        "limit": _json_number(limit),
                        "exact": best == limit,
                        "best": _json_number(best),
                    }
                    for limit, best in spent
                ],
            }
            for book, found, spent in totals
        ],
    }


def _json_number(points: Decimal | None) -> int | float | None:
    from muster.armies.findings import points_as_json

    return points_as_json(points)
