"""Owns `muster prove`: a rule system in, what can and cannot be fielded under it out.

Does not prove; `solving` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, form_option, library
from generator.cli.extras import need_solver

if TYPE_CHECKING:
    from generator.armies import Book, Composition
    from generator.solving.prove import Proof, Standing
    from generator.solving.totals import Span, Totals
    from generator.systems import Library, System

_COMMON = (100, 250, 500)
"""Limits that players agree on, beside those of a system's armies."""

_UP_TO = 500
"""As far as every single total is tried; of a greater limit only what it leaves."""

_SHOWN = 6

Spent = list[tuple[Decimal, Decimal | None]]
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
@form_option
def command(*, system: str, limits: tuple[int, ...], form: str) -> int:
    """Prove what can be fielded: books, sorts of units, totals; and that every rule can bind.

    What is possible is shown by an army that `muster check` calls legal; what is not follows from
    the solver, for armies of a few commands.
    """
    need_solver("prove")
    from generator.armies import book_ids, load_book, load_composition
    from generator.solving.cpsat import TooHardError
    from generator.solving.prove import prove

    shelf = library()
    opened = shelf.system(system)
    composition = load_composition(opened)
    folders = shelf.book_folders(system)
    books = [load_book(opened, each, folders) for each in book_ids(opened, folders)]
    try:
        proof = prove(composition, books, shelf)
        wanted = [Decimal(each) for each in limits] or _limits(shelf, system)
        totals = list(_totals(composition, books, shelf, wanted)) if composition.prices else []
    except TooHardError as fault:
        raise click.ClickException(f"{system}: {fault}") from None
    if form == "json":
        show.data(_as_json(system, proof, totals))
    else:
        _tell(opened, proof, totals)
    return FINE if proof.sound else FINDINGS


def _limits(shelf: Library, system: str) -> list[Decimal]:
    """Give the limits of the system's armies, and those that are common anywhere."""
    from generator.armies import read_army
    from generator.problems import MusterError

    found = {Decimal(each) for each in _COMMON}
    for army in shelf.armies(system).values():
        try:
            limit = read_army(army.path, shelf).limit
        except MusterError:
            continue
        if limit is not None:
            found.add(limit)
    return sorted(found)


def _totals(
    composition: Composition, books: Sequence[Book], shelf: Library, limits: Sequence[Decimal]
) -> Iterator[tuple[Book | None, Totals, Spent]]:
    """Find the totals of each book, and of bare types where there are no books."""
    from generator.solving.totals import best_under, totals_of
    from generator.solving.universe import Universe, settings

    sources: list[Book | None] = [*books] or [None]
    for book in sources:
        plainest = next(settings(composition, [book]))
        far = min(max(limits), Decimal(_UP_TO))
        totals = totals_of(Universe(composition, plainest), shelf, far)
        if totals is not None:
            yield (
                book,
                totals,
                [(limit, best_under(composition, plainest, limit)) for limit in limits],
            )
        show.note(f"{_titled(book)}: totals are done")


def _titled(book: Book | None) -> str:
    return book.title if book is not None else "no book"


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _tell(
    system: System,
    proof: Proof,
    totals: Sequence[tuple[Book | None, Totals, Spent]],
) -> None:
    show.result(f"{system.title}:")
    never = [_titled(book) for book, fielded in proof.fielded.items() if not fielded]
    _line("books", [_titled(book) for book in proof.fielded if book], never, "be fielded")
    fallen = [unit for unit in proof.units if not unit.stands]
    sorts = [unit.what.title for unit in proof.units]
    _line("sorts of units and leaders", sorts, [_named(unit) for unit in fallen], "stand")
    for unit in fallen:
        for group in unit.against:
            show.result(f"      {unit.what.title}: {group.words} [{group.code}; {group.source}]")
    dead = [binding.rule.id for binding in proof.rules if not binding.binds]
    _line("constraints", [binding.rule.id for binding in proof.rules], dead, "bind")
    if proof.sound:
        show.result("  no rule contradicts another")
    for book, found, spent in totals:
        _totalled(_titled(book), found, spent)


def _line(what: str, all_of: Sequence[str], never: Sequence[str], verb: str) -> None:
    if never:
        show.result(f"  {what}: {', '.join(never)} cannot {verb}")
    elif all_of:
        show.result(f"  {what}: each of {len(all_of)} can {verb}")


def _named(unit: Standing) -> str:
    return f"{unit.what.title} ({_titled(unit.book)})" if unit.book else unit.what.title


def _totalled(title: str, found: Totals, spent: Spent) -> None:
    """Say from where on every total can be reached, what is missed below, and the limits."""
    runs = [*found.missed, *found.unknown]
    last = max((high for _, high in runs), default=Decimal(0))
    text = f"  {title}: every total from {_plain(last + found.step)} to {_plain(found.limit)}"
    show.result(f"{text}, in steps of {_plain(found.step)}")
    if found.missed:
        more = f" and {len(found.missed) - _SHOWN} runs more" if len(found.missed) > _SHOWN else ""
        show.result(f"      out of reach: {', '.join(_runs(found.missed[:_SHOWN]))}{more}")
    if found.unknown:
        show.result(f"      not known: {', '.join(_runs(found.unknown))}")
    exact = [_plain(limit) for limit, best in spent if best == limit]
    if exact:
        show.result(f"      can be spent exactly: {', '.join(exact)}")
    for limit, best in spent:
        if best is None:
            show.result(f"      {_plain(limit)}: nothing is so cheap")
        elif best != limit:
            show.result(f"      {_plain(limit)}: at best {_plain(best)}")


def _runs(spans: Iterable[Span]) -> list[str]:
    return [_plain(low) if low == high else f"{_plain(low)}–{_plain(high)}" for low, high in spans]


def _as_json(
    system: str,
    proof: Proof,
    totals: Sequence[tuple[Book | None, Totals, Spent]],
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
                "step": _number(found.step),
                "up-to": _number(found.limit),
                "missed": [[_number(low), _number(high)] for low, high in found.missed],
                "unknown": [[_number(low), _number(high)] for low, high in found.unknown],
                "limits": [
                    {"limit": _number(limit), "exact": best == limit, "best": _number(best)}
                    for limit, best in spent
                ],
            }
            for book, found, spent in totals
        ],
    }


def _number(points: Decimal | None) -> int | float | None:
    from generator.armies.findings import number

    return number(points)
