"""`muster check`: judge army files and print verdicts, prices and what could still be added."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.options import FINDINGS, FINE, UNREADABLE, format_option, library
from muster.problems import MusterError, Problem

if TYPE_CHECKING:
    from muster.armies import Army, Verdict
    from muster.systems import Library


@click.command("check")
@click.argument("armies", nargs=-1, required=True, metavar="ARMY.yaml ...")
@click.option("--room", is_flag=True, help="List what could still be added (extra `solver`).")
@format_option
def check_command(*, armies: tuple[str, ...], room: bool, form: str) -> int:
    """Tell whether armies are legal, what they cost, and which rule says so.

    Several files are judged one by one; one that cannot be read does not stop the others. Where
    the extra `solver` is installed, an error's remedy says what the smallest repair does about it.
    """
    from muster.armies import check, load_army

    if room:
        _require_solver()
    shelf = library()
    unreadable: list[Problem] = []
    told: list[dict[str, Any]] = []
    illegal = False
    for name in armies:
        try:
            army = load_army(Path(name), shelf)
            verdict = check(army)
        except MusterError as fault:
            unreadable.extend(fault.problems)
            if form == "text":
                show.problems(fault.problems)
            continue
        verdict = _with_solver_remedies(verdict, shelf)
        illegal = illegal or not verdict.legal
        facts = verdict.as_json()
        if form == "text":
            _print_verdict(army, verdict, facts, apart=bool(told))
        if room:
            facts["room"] = _find_room(army, form)
        told.append(facts)
    if form == "json":
        show.data(told)
        show.problems(unreadable)
    if unreadable:
        return UNREADABLE
    return FINDINGS if illegal else FINE


def _require_solver() -> None:
    from muster.cli.options import require_solver

    require_solver("check --room")


def _with_solver_remedies(verdict: Verdict, shelf: Library) -> Verdict:
    """Let the solver find the remedies of an illegal list, where it is installed."""
    if verdict.legal:
        return verdict
    from muster.cli.options import has_solver

    if not has_solver():
        return verdict
    from muster.solver.repairs import with_smallest_changes

    return with_smallest_changes(verdict, shelf)


def _find_room(army: Army, form: str) -> dict[str, Any] | None:
    """Find what fits; print it, or give it as JSON says it."""
    from muster.solver.additions import find_additions
    from muster.solver.cpsat import SolverGaveUpError

    try:
        found = find_additions(army)
    except SolverGaveUpError as fault:
        raise click.ClickException(f"{army.document.file}: {fault}") from None
    if form == "text":
        print_room(found)
    return room_as_json(found)


def _print_verdict(army: Army, verdict: Verdict, facts: dict[str, Any], *, apart: bool) -> None:
    """Print one verdict: headline, prices with their arithmetic, findings."""
    if apart:
        show.result()
    verdict_word = (
        click.style("LEGAL", fg="green", bold=True)
        if verdict.legal
        else click.style("NOT LEGAL", fg="red", bold=True)
    )
    show.result(f"{army.name} ({army.system.title}): {verdict_word}{_total_text(verdict, facts)}")
    for line in show.aligned(_price_rows(facts["lines"]), frozenset({1, 2})):
        show.result(f"  {line}")
    for finding, shown in zip(facts["findings"], verdict.findings, strict=True):
        _print_finding(finding, "" if finding["path"] == "army" else shown.label)


def _points_text(points: float | None) -> str:
    return "?" if points is None else f"{Decimal(str(points)).normalize():f}"


def _total_text(verdict: Verdict, facts: dict[str, Any]) -> str:
    """Say what the army costs, of how much, and what the total lacks."""
    if facts["points"] is None:
        return ""
    text = f", {_points_text(facts['points'])}"
    text += (
        f" of {_points_text(facts['limit'])} points" if facts["limit"] is not None else " points"
    )
    missing = list(verdict.price.missing)
    return f"{text}, without {', '.join(missing)}" if missing else text


def _price_rows(lines: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Set each price's arithmetic apart from its result, to stand under each other."""
    rows: list[tuple[str, ...]] = []
    for line in lines:
        sums, equals, _ = str(line["how"]).rpartition(" = ")
        result = _points_text(line["points"])
        rows.append((str(line["label"]), f"{sums} =" if equals else "", result))
    return rows


def _print_finding(finding: dict[str, Any], label: str) -> None:
    """Print a finding: its place and message, and indented whose it is, why and what would help."""
    place = show.place(finding["file"], finding["line"], finding["column"])
    show.result(f"{place}: {show.severity(finding['severity'])}: {finding['message']}")
    if label:
        show.result(f"    {label}")
    counts = [
        f"{word} {finding[key]}"
        for word, key in (("counted", "actual"), ("allowed", "allowed"))
        if finding[key]
    ]
    if counts:
        show.result(f"    {', '.join(counts)}")
    rule = ", ".join(part for part in finding["rule"].values() if part)
    if rule:
        show.result(f"    rule: {rule}")
    if finding["remedy"]:
        show.result(f"    remedy: {finding['remedy']}")


if TYPE_CHECKING:
    from muster.solver.additions import Additions, UnitFit


def print_room(room: Additions | None) -> None:
    """Print what fits, a line for each sort of unit and each option."""
    if room is None:
        show.result("room: none until the army is legal; see `muster repair`")
        return
    left = "" if room.left is None else f": {_decimal_text(room.left)} points left"
    show.result(f"room{left}")
    if not room.fits and not room.buys:
        show.result("  nothing more fits")
    rows = [(fit.what.title, _fit_text(fit), _new_command_text(fit)) for fit in room.fits]
    for line in show.aligned(rows):
        show.result(f"  {line}")
    for buy in room.buys:
        number = f"{len(buy.units)} entries" if len(buy.units) > 1 else "1 entry"
        show.result(f"  {buy.option.title}: {number} ({', '.join(buy.units)})")


def _fit_text(fit: UnitFit) -> str:
    """Say how many more fit, of the smallest size and of the largest."""
    from muster.solver.additions import ANY_SIZE

    small = _number_text(fit.most_smallest)
    if not fit.smallest:
        return f"{small} more"
    text = f"{small} more of {fit.smallest}"
    if fit.largest == fit.smallest:
        return text
    if fit.largest >= ANY_SIZE:
        return f"{text} or larger"
    return f"{text}, {_number_text(fit.most_largest)} of {fit.largest}"


def _number_text(number: int) -> str:
    from muster.solver.additions import ANY_NUMBER

    return "any number" if number >= ANY_NUMBER else str(number)


def _new_command_text(fit: UnitFit) -> str:
    return "in a new command" if fit.newly else ""


def _decimal_text(number: Decimal) -> str:
    return f"{number.normalize():f}"


def room_as_json(room: Additions | None) -> dict[str, Any] | None:
    """Give what fits as `muster check --room --format json` prints it; null if not legal."""
    if room is None:
        return None
    from muster.armies.findings import points_as_json

    return {
        "left": points_as_json(room.left),
        "units": [
            {
                "unit": fit.what.id,
                "label": fit.what.title,
                "smallest": {"size": fit.smallest or None, "count": fit.most_smallest},
                "largest": {"size": fit.largest or None, "count": fit.most_largest},
                "new-command": fit.newly,
            }
            for fit in room.fits
        ],
        "options": [{"option": buy.option.id, "units": list(buy.units)} for buy in room.buys],
    }
