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
    open_library,
    require_solver,
)
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.armies import Book, Composition
    from muster.solver.proofs import SystemProof, UnitProof
    from muster.solver.totals import PointsRange, Totals
    from muster.systems import Library, System
    from muster.systems.lint import LintIssue


@click.command("lint")
@click.argument("systems", nargs=-1, metavar="[SYSTEM ...]")
@format_option
def lint_command(*, systems: tuple[str, ...], output_format: str) -> int:
    """Check content: that it can be read, that references resolve, and that everything is used."""
    from muster.armies.lint_composition import lint_armies
    from muster.armies.lint_translations import lint_translations
    from muster.rendering.glyphs import find_missing_glyphs
    from muster.systems.lint import lint_system
    from muster.systems.style import find_avoided_words

    library = open_library()
    found: list[tuple[str, LintIssue]] = []
    unreadable = False
    for name in dict.fromkeys(systems or library.systems()):
        try:
            system = library.find_system(name)
        except MusterError as error:
            unreadable = True
            show.problems(error.problems)
            continue
        key = system.id
        books = library.book_folders(key)
        issues = [*lint_system(system), *lint_armies(system, books)]
        issues += find_avoided_words(system, books)
        issues += lint_translations(system)
        issues += find_missing_glyphs(system, books, library.templates())
        if not any(issue.severity == "error" for issue in issues):
            issues += _fielding_issues(system, library)
        found.extend((key, issue) for issue in dict.fromkeys(issues))
        if output_format == "text":
            _print_issues(system.title, issues)
    if output_format == "json":
        show.data([_issue_as_json(key, issue) for key, issue in found])
    if unreadable:
        return UNREADABLE
    return FINDINGS if any(issue.severity == "error" for _, issue in found) else FINE


def _fielding_issues(system: System, library: Library) -> list[LintIssue]:
    """Return what can never be fielded in a system without errors, if the solver is installed."""
    if not has_solver():
        show.note(
            f"{system.title}: not checked whether everything can be fielded,"
            " because that needs the optional solver"
        )
        return []
    from muster.solver.proofs import lint_fielding

    return lint_fielding(system, library, library.book_folders(system.id))


def _print_issues(title: str, issues: list[LintIssue]) -> None:
    """Print the issues of a system at their places, and how many there are."""
    for issue in dict.fromkeys(issues):
        show.result(issue.problem.render(show.severity(issue.severity)))
    errors = sum(issue.severity == "error" for issue in issues)
    warnings = len(issues) - errors
    counts = f"{show.counted(errors, 'error')}, {show.counted(warnings, 'warning')}"
    show.note(f"{title}: {counts if issues else 'no problems'}")


def _issue_as_json(system: str, issue: LintIssue) -> dict[str, Any]:
    problem = issue.problem
    return {
        "system": system,
        "severity": issue.severity,
        "code": problem.code,
        "text": problem.text,
        "file": problem.location.file,
        "line": problem.location.line,
        "column": problem.location.column,
    }


_COMMON_LIMITS = (100, 250, 500)
"""Limits that players often agree on, tried in addition to those of a system's armies."""

_USUAL_TOTALS = 500
"""Every single total is tried up to this, unless a limit was chosen."""

_MAX_TOTAL_TRIED = 5000
"""Every single total is tried up to this; of a greater limit only the most that can be spent."""

_MAX_GAPS_SHOWN = 6

BestSpending = list[tuple[Decimal, Decimal | None]]
"""Limits, each with the most of it that can be spent; None if every army costs more."""


@click.command("prove")
@click.argument("system", metavar="SYSTEM")
@click.option(
    "--limit",
    "limits",
    multiple=True,
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Limit to spend exactly; may be repeated. [default: the limits of the system's armies,"
    " and 100, 250 and 500]",
)
@format_option
def prove_command(*, system: str, limits: tuple[int, ...], output_format: str) -> int:
    """Prove which books, types of unit and totals can be fielded, and which rules can take effect.

    What is possible is shown by an army that `muster check` finds legal; what is impossible is
    proved by the solver, for armies of a few commands.
    """
    require_solver("prove")
    from muster.armies import book_ids, load_book, load_composition
    from muster.solver.cpsat import SolverGaveUpError
    from muster.solver.proofs import prove_system

    library = open_library()
    opened = library.find_system(system)
    system = opened.id
    composition = load_composition(opened)
    folders = library.book_folders(system)
    books = [load_book(opened, key, folders) for key in book_ids(opened, folders)]
    try:
        proof = prove_system(composition, books, library)
        totals: list[tuple[Book | None, Totals, BestSpending]] = []
        if composition.has_prices:
            chosen = [Decimal(limit) for limit in limits] or _default_limits(library, system)
            highest = min(max(chosen), Decimal(_MAX_TOTAL_TRIED if limits else _USUAL_TOTALS))
            totals = list(_iter_totals(composition, books, library, chosen, highest))
    except SolverGaveUpError as error:
        raise click.ClickException(f"{system}: {error}") from None
    if output_format == "json":
        show.data(_proof_as_json(system, proof, totals))
    else:
        _print_proof(opened, proof, totals)
    return FINE if proof.sound else FINDINGS


def _default_limits(library: Library, system: str) -> list[Decimal]:
    """Return the limits of the system's armies and the common ones, in ascending order."""
    from muster.armies import load_army

    limits = {Decimal(limit) for limit in _COMMON_LIMITS}
    for army in library.armies(system).values():
        try:
            limit = load_army(army.path, library).limit
        except MusterError:
            continue
        if limit is not None:
            limits.add(limit)
    return sorted(limits)


def _iter_totals(
    composition: Composition,
    books: Sequence[Book],
    library: Library,
    limits: Sequence[Decimal],
    highest: Decimal,
) -> Iterator[tuple[Book | None, Totals, BestSpending]]:
    """Yield the totals that armies of each book can have; without books, of the bare types.

    Single totals are tried up to the `highest`.
    """
    from muster.solver.army_model import SearchSpace, iter_settings, under_limit
    from muster.solver.totals import find_totals, greatest_total_under

    sources: list[Book | None] = [*books] or [None]
    for book in sources:
        plainest = next(iter_settings(composition, [book]))
        setting = under_limit(composition, plainest, highest)
        totals = find_totals(SearchSpace(composition, setting, legal=True), library, highest)
        if totals is not None:
            spending = [
                (limit, greatest_total_under(composition, plainest, limit)) for limit in limits
            ]
            yield book, totals, spending
        show.note(f"{_book_title(book)}: totals finished")


def _book_title(book: Book | None) -> str:
    return book.title if book is not None else "no book"


def _print_proof(
    system: System,
    proof: SystemProof,
    totals: Sequence[tuple[Book | None, Totals, BestSpending]],
) -> None:
    """Print what can be fielded and what cannot, with the rules that forbid it."""
    show.result(f"{system.title}:")
    books = [_book_title(book) for book in proof.fielded if book]
    empty = [_book_title(book) for book in proof.never_fielded]
    _print_summary_line("books", books, empty, "be fielded")
    units = [unit.unit_type.title for unit in proof.units]
    impossible = [unit for unit in proof.units if not unit.possible]
    titles = [_unit_title(unit) for unit in impossible]
    _print_summary_line("types of unit and leader", units, titles, "be fielded")
    for unit in impossible:
        for group in unit.conflict:
            rule = f"[{group.code}; {group.source}]"
            show.result(f"      {unit.unit_type.title}: {group.message} {rule}")
    rules = [binding.rule.id for binding in proof.rules]
    never_bind = [binding.rule.id for binding in proof.rules if not binding.binds]
    _print_summary_line("constraints", rules, never_bind, "take effect")
    if proof.sound:
        show.result("  no rules conflict")
    for book, found, spending in totals:
        _print_totals(_book_title(book), found, spending)


def _print_summary_line(what: str, names: Sequence[str], never: Sequence[str], verb: str) -> None:
    """Print which of *names* can never do something, or that each of them can."""
    if never:
        show.result(f"  {what}: {', '.join(never)} cannot {verb}")
    elif names:
        show.result(f"  {what}: each of {len(names)} can {verb}")


def _unit_title(unit: UnitProof) -> str:
    title = unit.unit_type.title
    return f"{title} ({_book_title(unit.book)})" if unit.book else title


def _print_totals(title: str, totals: Totals, spending: BestSpending) -> None:
    """Print from where on every total can be reached, the gaps below it, and the limits."""
    gaps = [*totals.missed, *totals.unknown]
    first = max((high for _, high in gaps), default=Decimal(0)) + totals.step
    highest = show.decimal_text(totals.limit)
    reached = f"every total from {show.decimal_text(first)} to {highest}"
    if first > totals.limit:
        reached = f"totals up to {highest}"
    show.result(f"  {title}: {reached}, in steps of {show.decimal_text(totals.step)}")
    if totals.missed:
        shown = ", ".join(_range_texts(totals.missed[:_MAX_GAPS_SHOWN]))
        others = len(totals.missed) - _MAX_GAPS_SHOWN
        more = f" and {show.counted(others, 'more range')}" if others > 0 else ""
        show.result(f"      out of reach: {shown}{more}")
    if totals.unknown:
        show.result(f"      unknown: {', '.join(_range_texts(totals.unknown))}")
    exact = [show.decimal_text(limit) for limit, best in spending if best == limit]
    if exact:
        show.result(f"      can be spent exactly: {', '.join(exact)}")
    for limit, best in spending:
        if best is None:
            show.result(f"      {show.decimal_text(limit)}: every army costs more")
        elif best != limit:
            most = show.decimal_text(best)
            show.result(f"      {show.decimal_text(limit)}: at most {most} can be spent")


def _range_texts(ranges: Iterable[PointsRange]) -> list[str]:
    """Return ranges of points as `12` or `12–15`; both ends belong to a range."""
    return [
        show.decimal_text(low)
        if low == high
        else f"{show.decimal_text(low)}–{show.decimal_text(high)}"
        for low, high in ranges
    ]


def _proof_as_json(
    system: str,
    proof: SystemProof,
    totals: Sequence[tuple[Book | None, Totals, BestSpending]],
) -> dict[str, Any]:
    """Return a proof as `muster prove --format json` prints it."""
    from muster.armies.findings import points_as_json

    return {
        "system": system,
        "sound": proof.sound,
        "books": [
            {"book": book.id if book else None, "fielded": fielded}
            for book, fielded in proof.fielded.items()
        ],
        "units": [
            {
                "unit": unit.unit_type.id,
                "book": unit.book.id if unit.book else None,
                "stands": unit.possible,
                "against": [group.code for group in unit.conflict],
            }
            for unit in proof.units
        ],
        "constraints": [
            {"code": binding.rule.id, "binds": binding.binds} for binding in proof.rules
        ],
        "totals": [
            {
                "book": book.id if book else None,
                "step": points_as_json(found.step),
                "up-to": points_as_json(found.limit),
                "missed": _ranges_as_json(found.missed),
                "unknown": _ranges_as_json(found.unknown),
                "limits": [
                    {
                        "limit": points_as_json(limit),
                        "exact": best == limit,
                        "best": points_as_json(best),
                    }
                    for limit, best in spending
                ],
            }
            for book, found, spending in totals
        ],
    }


def _ranges_as_json(ranges: Iterable[PointsRange]) -> list[list[int | float | None]]:
    from muster.armies.findings import points_as_json

    return [[points_as_json(low), points_as_json(high)] for low, high in ranges]
