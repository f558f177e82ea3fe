"""`muster lint` and `muster prove`: check a rule system, and prove what can be fielded under it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from time import time
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
    from muster.armies import Book
    from muster.armies.books import UnitType
    from muster.solver.proving import Answer, BestSpending, ProofResult
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
    from muster.languages import missing_messages
    from muster.rendering.glyphs import find_missing_glyphs
    from muster.systems.lint import as_errors, lint_system
    from muster.systems.style import find_style_issues

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
        issues += find_style_issues(system, books)
        issues += lint_translations(system)
        issues += find_missing_glyphs(system, books, library.templates())
        if not any(issue.severity == "error" for issue in issues):
            issues += _fielding_issues(system, library)
        found.extend((key, issue) for issue in dict.fromkeys(issues))
        if output_format == "text":
            _print_issues(system.title, issues)
    # The words that documents and the list builder say in their languages are no system's.
    if interface := as_errors(missing_messages()):
        found.extend(("", issue) for issue in interface)
        if output_format == "text":
            _print_issues("The words of the interface", interface)
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
@click.option(
    "--seconds",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="End after about so many seconds, and say what is open. [default: no end]",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of processes. [default: one per processor]",
)
@format_option
def prove_command(
    *,
    system: str,
    limits: tuple[int, ...],
    seconds: int | None,
    jobs: int | None,
    output_format: str,
) -> int:
    """Prove which books, types of unit and totals can be fielded, and which rules can take effect.

    What is possible is shown by an army that `muster check` finds legal; what is impossible is
    proved by the solver, for armies of a few commands. Each answer is told as it comes, and what
    the solver could not find out is listed as open.
    """
    require_solver("prove")
    from muster.building.parallel import ProcessKilledError, processes
    from muster.cli.build_request import processor_count
    from muster.solver.proving import (
        ProofRequest,
        Prover,
        answer_question,
        prove,
        start_answering,
    )

    library = open_library()
    opened = library.find_system(system)
    system = opened.id
    chosen = [Decimal(limit) for limit in limits] or _default_limits(library, system)
    highest = min(max(chosen), Decimal(_MAX_TOTAL_TRIED if limits else _USUAL_TOTALS))
    deadline = None if seconds is None else time() + seconds
    request = ProofRequest(
        library.folder, library.shipped, system, tuple(chosen), highest, deadline
    )
    prover = Prover(request)
    number = (jobs or processor_count()) if len(prover.books) > 1 else 1
    try:
        with processes(number, start_answering, request) as run:
            result = prove(
                prover, lambda questions: run(answer_question, questions), _report_answer
            )
    except ProcessKilledError as error:
        raise click.ClickException(f"{system}: {error}") from None
    if output_format == "json":
        show.data(_proof_as_json(system, result))
    else:
        _print_proof(opened, result)
    return FINE if result.proof.sound and result.is_complete else FINDINGS


def _report_answer(answer: Answer, number: int, total: int) -> None:
    """Print an answer in a few words as soon as it is there."""
    from muster.solver.proofs import BindingProof, BookProof

    found = answer.found
    owner = answer.question.book or "no book"
    if isinstance(found, BookProof):
        impossible = [unit.unit_type.title for unit in found.units if not unit.possible]
        known = show.counted(len(found.units), "type")
        text = f"{known} proved"
        if impossible:
            text += f", {', '.join(impossible)} cannot be fielded"
        if found.unproved:
            text += f", {len(found.unproved)} open"
    elif isinstance(found, BindingProof):
        # Rules that need no book were proved without one.
        what = show.counted(len(found.bound), "rule") if found.bound else "no further rule"
        text = f"{what} can take effect"
        if found.open:
            text += f", {len(found.open)} open"
    elif found.totals is None:
        text = "totals open" if found.unknown else "no prices"
    else:
        gaps = [*found.totals.missed, *found.totals.unknown]
        first = max((high for _, high in gaps), default=Decimal(0)) + found.totals.step
        text = "totals finished"
        if first <= found.totals.limit:
            text = f"every total from {show.decimal_text(first)}"
    show.note(f"{number} of {total}: {owner}: {text}")


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


def _book_title(book: Book | None) -> str:
    return book.title if book is not None else "no book"


def _print_proof(system: System, result: ProofResult) -> None:
    """Print what can be fielded and what cannot, with the rules that forbid it."""
    proof = result.proof
    show.result(f"{system.title}:")
    books = [_book_title(book) for book in proof.fielded if book]
    empty = [_book_title(book) for book in proof.never_fielded]
    if not proof.open_units:
        _print_summary_line("books", books, empty, "be fielded")
    units = [unit.unit_type.title for unit in proof.units]
    impossible = [unit for unit in proof.units if not unit.possible]
    titles = [_unit_title(unit.unit_type, unit.book) for unit in impossible]
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
    for book, found in result.totals:
        if found.totals is not None:
            _print_totals(_book_title(book), found.totals, found.spending)
    for what, names in _open_names(result).items():
        if names:
            show.result(f"  open: {what}: {show.listed(names)}")


def _open_names(result: ProofResult) -> dict[str, list[str]]:
    """Return what is not known: units, constraints, books whose totals are not, and limits."""
    proof = result.proof
    return {
        "types of unit and leader": [_unit_title(*each) for each in proof.open_units],
        "constraints": [rule.id for rule in proof.open_rules],
        "totals": [_book_title(book) for book, found in result.totals if found.unknown],
        "limits": [
            f"{show.decimal_text(limit)} ({_book_title(book)})"
            for book, found in result.totals
            if not found.unknown
            for limit in found.open_limits
        ],
    }


def _print_summary_line(what: str, names: Sequence[str], never: Sequence[str], verb: str) -> None:
    """Print which of *names* can never do something, or that each of them can."""
    if never:
        show.result(f"  {what}: {', '.join(never)} cannot {verb}")
    elif names:
        show.result(f"  {what}: each of {len(names)} can {verb}")


def _unit_title(unit_type: UnitType, book: Book | None) -> str:
    return f"{unit_type.title} ({_book_title(book)})" if book else unit_type.title


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


def _proof_as_json(system: str, result: ProofResult) -> dict[str, Any]:
    """Return a proof as `muster prove --format json` prints it."""
    from muster.armies.findings import points_as_json

    proof = result.proof
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
            for book, each in result.totals
            for found, spending in [(each.totals, each.spending)]
            if found is not None
        ],
        "open": {
            "units": [
                {"unit": unit_type.id, "book": book.id if book else None}
                for unit_type, book in proof.open_units
            ],
            "constraints": [rule.id for rule in proof.open_rules],
            "totals": [
                {
                    "book": book.id if book else None,
                    "limits": [points_as_json(limit) for limit in each.open_limits],
                }
                for book, each in result.totals
                if each.unknown or each.open_limits
            ],
        },
    }


def _ranges_as_json(ranges: Iterable[PointsRange]) -> list[list[int | float | None]]:
    from muster.armies.findings import points_as_json

    return [[points_as_json(low), points_as_json(high)] for low, high in ranges]
