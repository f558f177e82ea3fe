"""`muster check`: judge army files and print verdicts, prices and what could still be added."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.army_files import ArmyFiles
from muster.cli.check_summary import print_csv, print_summary, unreadable_entry
from muster.cli.options import (
    FINDINGS,
    FINE,
    POINTS,
    UNREADABLE,
    global_options,
    open_library,
    require_solver,
)
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.armies import Army, Finding, Verdict
    from muster.solver.additions import Additions, UnitFit
    from muster.systems import Library


@click.command("check")
@click.argument("armies", nargs=-1, required=True, metavar="ARMY|FOLDER ...")
@click.option(
    "--limit",
    type=POINTS,
    metavar="N",
    help="Points of an event, which take the place of each army's own limit.",
)
@click.option(
    "--room", is_flag=True, help="List what could still be added (needs the optional solver)."
)
@click.option(
    "--remedies",
    is_flag=True,
    help="Add the smallest change to the remedy of each error (needs the optional solver).",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "json", "csv")),
    default="text",
    show_default=True,
    help="Text for people, JSON for programs, or a CSV table with a row for each file.",
)
def check_command(
    *,
    armies: tuple[str, ...],
    limit: Decimal | None,
    room: bool,
    remedies: bool,
    output_format: str,
) -> int:
    """Check whether armies are legal, what they cost, and which rules they break.

    An army is named by its file or its name; of a folder, all army files below it are checked.
    Each file is checked separately; one that cannot be read does not stop the others. With --quiet,
    several are only summarised.
    """
    _require_solver_for(room=room, remedies=remedies)
    library = open_library()
    results: list[dict[str, Any]] = []
    players: list[str] = []
    files = _find_files(armies, library)
    several = len(files) > 1 or any(Path(word).is_dir() for word in armies)
    shows_each = output_format == "text" and not (several and global_options().quiet)
    for name, file in files.items():
        try:
            verdict = _judge(file, library, limit, remedies=remedies)
        except MusterError as error:
            show.problems(error.problems)
            results.append(unreadable_entry(name, error.problems))
            players.append("")
            continue
        army = verdict.army
        facts = verdict.as_json()
        if shows_each:
            _print_verdict(army, verdict, facts, named=several or name not in armies)
        if room:
            facts["room"] = _report_room(army, printed=shows_each)
        if several and shows_each:
            show.result()
        results.append(facts)
        players.append(army.player)
    _print_results(output_format, results, players, several=several)
    if output_format == "text" and not remedies:
        _point_to_remedies(results, armies, limit)
    verdicts = {result["legal"] for result in results}
    if None in verdicts:
        return UNREADABLE
    return FINDINGS if False in verdicts else FINE


def _print_results(
    output_format: str, results: list[dict[str, Any]], players: list[str], *, several: bool
) -> None:
    """Print what is known of all files: as JSON, as CSV, or, of several, a summary."""
    if output_format == "json":
        show.data(results)
    elif output_format == "csv":
        print_csv(results, players)
    elif several:
        print_summary(results)


def _find_files(words: tuple[str, ...], library: Library) -> dict[str, Path | MusterError]:
    """Return the files that words name, each once, or the error of a word that names none."""
    files = ArmyFiles(library)
    found: dict[str, Path | MusterError] = {}
    for word in words:
        try:
            found |= {str(path): path for path in files.find_all(word)}
        except MusterError as error:
            found[word] = error
    if ignored := files.ignored_text():
        show.note(ignored)
    return found


def _require_solver_for(*, room: bool, remedies: bool) -> None:
    """Refuse the options that need the solver if it is not installed."""
    if room or remedies:
        require_solver("check --room" if room else "check --remedies")


def _judge(
    file: Path | MusterError, library: Library, limit: Decimal | None, *, remedies: bool
) -> Verdict:
    """Return the verdict on an army file, under the limit of an event if there is one.

    With *remedies*, errors name the smallest change that makes the army legal.

    Raises:
        MusterError: If it cannot be read, or was not found.
    """
    from muster.armies import check, load_army
    from muster.armies.verdict import with_event_limit

    if isinstance(file, MusterError):
        raise file
    army, warnings = with_event_limit(load_army(file, library), limit)
    verdict = check(army)
    if remedies and not verdict.legal:
        verdict = _with_smallest_changes(verdict, library)
    return replace(verdict, findings=(*warnings, *verdict.findings))


def _with_smallest_changes(verdict: Verdict, library: Library) -> Verdict:
    # Loading the solver takes longer than all the rest.
    from muster.solver.repairs import with_smallest_changes

    smallest = with_smallest_changes(verdict, library)
    if smallest.findings == verdict.findings:
        file = verdict.army.document.file
        command = show.command("repair", file)
        show.note(f"{file}: no smallest change found; `{command}` searches longer")
    return smallest


def _point_to_remedies(
    results: list[dict[str, Any]], armies: tuple[str, ...], limit: Decimal | None
) -> None:
    """Say once how to get the smallest changes that make illegal armies legal.

    One army is repaired, which shows the lines to change; of several, the same command tells more.
    """
    if not any(facts["legal"] is False for facts in results):
        return
    names = ["--", *armies] if any(word.startswith("-") for word in armies) else armies
    if limit is None and len(armies) == 1 and not Path(armies[0]).is_dir():
        command = show.command("repair", *names)
        show.note(f"for the smallest change that makes it legal, line by line: {command}")
        return
    words = ["check", "--remedies"]
    words += [] if limit is None else ["--limit", show.decimal_text(limit)]
    command = show.command(*words, *names)
    show.note(f"for the smallest change that makes an army legal: {command}")


def _print_verdict(
    army: Army, verdict: Verdict, facts: dict[str, Any], *, named: bool = False
) -> None:
    """Print a verdict: a headline, the prices with their arithmetic, and the findings.

    The headline begins with the file if it is one of several, or the army was found by its name.
    """
    verdict_word = (
        click.style("LEGAL", fg="green", bold=True)
        if verdict.legal
        else click.style("NOT LEGAL", fg="red", bold=True)
    )
    file = f"{army.document.file}: " if named else ""
    title = f"{file}{army.name} ({army.system.title})"
    show.result(f"{title}: {verdict_word}{_total_text(verdict, facts)}")
    for line in show.aligned(_price_rows(facts["lines"]), frozenset({1, 2})):
        show.result(f"  {line}")
    for finding in verdict.findings:
        _print_finding(finding)


def _points_text(points: float | None) -> str:
    return "?" if points is None else show.decimal_text(Decimal(str(points)))


def _total_text(verdict: Verdict, facts: dict[str, Any]) -> str:
    """Return what the army costs, its limit, and what is missing from the total."""
    if facts["points"] is None:
        return ""
    text = f", {_points_text(facts['points'])}"
    text += (
        f" of {_points_text(facts['limit'])} points" if facts["limit"] is not None else " points"
    )
    missing = list(verdict.price.missing)
    return f"{text}, not counting {', '.join(missing)}" if missing else text


def _price_rows(lines: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return the label, the arithmetic and the result of each price, for `show.aligned`."""
    rows: list[tuple[str, ...]] = []
    for line in lines:
        working, equals, _ = str(line["how"]).rpartition(" = ")
        result = _points_text(line["points"])
        rows.append((str(line["label"]), f"{working} =" if equals else "", result))
    return rows


def _print_finding(finding: Finding) -> None:
    """Print a finding at its place, and below it the unit, the numbers, the rule and the remedy."""
    show.result(f"{finding.location}: {show.severity(finding.severity)}: {finding.message}")
    if finding.path != "army":
        show.result(f"    {finding.label}")
    numbers = (("found", finding.actual), ("allowed", finding.allowed))
    counts = [f"{word} {number}" for word, number in numbers if number]
    if counts:
        show.result(f"    {', '.join(counts)}")
    if rule := str(finding.rule):
        show.result(f"    rule: {rule}")
    if finding.remedy:
        show.result(f"    remedy: {finding.remedy}")


def _report_room(army: Army, *, printed: bool) -> dict[str, Any] | None:
    """Find what could still be added to an army; print it if asked to, and return it for JSON."""
    from muster.solver.additions import find_additions
    from muster.solver.cpsat import SolverGaveUpError

    try:
        room = find_additions(army)
    except SolverGaveUpError as error:
        raise click.ClickException(f"{army.document.file}: {error}") from None
    if printed:
        print_room(room)
    return room_as_json(room)


def print_room(room: Additions | None) -> None:
    """Print what could still be added: a line for each kind of unit and for each option."""
    if room is None:
        show.result("room: none, because the army is not legal; see `muster repair`")
        return
    left = (
        "" if room.points_left is None else f": {show.decimal_text(room.points_left)} points left"
    )
    show.result(f"room{left}")
    if not room.units and not room.options:
        show.result("  nothing else fits")
    for fit in room.units:
        show.result(f"  {_fit_text(fit)}")
    for buy in room.options:
        units = ", ".join(buy.units)
        cost = f", {_cost_text(buy.points)}" if buy.points else ""
        in_all = " in all" if cost and buy.number > 1 else ""
        show.result(f"  “{buy.option.title}” for {units}{cost}{in_all}")


def _fit_text(fit: UnitFit) -> str:
    """Return how many more units fit, of the smallest size and of the largest, and their price."""
    from muster.solver.additions import ANY_SIZE

    title = fit.plural if fit.count_smallest > 1 else fit.unit_type.title
    text = f"{_number_text(fit.count_smallest, ' more')} {title}"
    if fit.smallest:
        text += f" of {fit.strength_of(fit.smallest)}"
    if fit.smallest and fit.largest >= ANY_SIZE:
        text += " or more"
    text += _price_text(fit.points_smallest, fit.count_smallest)
    if fit.smallest < fit.largest < ANY_SIZE:
        text += f"; or {_number_text(fit.count_largest)} of {fit.strength_of(fit.largest)}"
        text += _price_text(fit.points_largest, fit.count_largest)
    return f"{text} (the first with a new command)" if fit.needs_new_command else text


def _number_text(number: int, more: str = "") -> str:
    from muster.solver.additions import ANY_NUMBER

    if number >= ANY_NUMBER:
        return "any number of" if more else "any number"
    return f"up to {number}{more}" if number > 1 else f"{number}{more}"


def _price_text(points: Decimal | None, count: int) -> str:
    """Return the price of one unit, as the end of a sentence; empty if there are no points."""
    if points is None:
        return ""
    return f", {_cost_text(points)}{' each' if count > 1 else ''}"


def _cost_text(points: Decimal) -> str:
    return f"{show.decimal_text(points)} point{'' if points == 1 else 's'}"


def room_as_json(room: Additions | None) -> dict[str, Any] | None:
    """Return what could still be added as `muster check --room --format json` prints it."""
    if room is None:
        return None
    from muster.armies.findings import points_as_json

    return {
        "left": points_as_json(room.points_left),
        "units": [
            {
                "unit": fit.unit_type.id,
                "label": fit.unit_type.title,
                "smallest": {
                    "size": fit.smallest or None,
                    "count": fit.count_smallest,
                    "points": points_as_json(fit.points_smallest),
                },
                "largest": {
                    "size": fit.largest or None,
                    "count": fit.count_largest,
                    "points": points_as_json(fit.points_largest),
                },
                "new-command": fit.needs_new_command,
            }
            for fit in room.units
        ],
        "options": [
            {
                "option": buy.option.id,
                "units": list(buy.units),
                "points": points_as_json(buy.points),
            }
            for buy in room.options
        ],
    }
