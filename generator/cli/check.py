"""Owns `muster check`: army files in, verdicts out.

Does not judge; `armies` does. Loads nothing that renders: this command must start at once.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, UNREADABLE, form_option, library
from generator.problems import MusterError, Problem

if TYPE_CHECKING:
    from generator.armies import Army, Verdict
    from generator.systems import Library


@click.command("check")
@click.argument("armies", nargs=-1, required=True, metavar="ARMY.yaml ...")
@click.option("--room", is_flag=True, help="List what could still be added (extra `solver`).")
@form_option
def command(*, armies: tuple[str, ...], room: bool, form: str) -> int:
    """Tell whether armies are legal, what they cost, and which rule says so.

    Several files are judged one by one; one that cannot be read does not stop the others. Where
    the extra `solver` is installed, an error's remedy says what the smallest repair does about it.
    """
    from generator.armies import check, read_army

    if room:
        _need_solver()
    shelf = library()
    unreadable: list[Problem] = []
    told: list[dict[str, Any]] = []
    illegal = False
    for name in armies:
        try:
            army = read_army(Path(name), shelf)
            verdict = check(army)
        except MusterError as fault:
            unreadable.extend(fault.problems)
            if form == "text":
                show.problems(fault.problems)
            continue
        verdict = _remedied(verdict, shelf)
        illegal = illegal or not verdict.legal
        facts = verdict.as_json()
        if form == "text":
            _tell(army, verdict, facts, apart=bool(told))
        if room:
            facts["room"] = _room(army, form)
        told.append(facts)
    if form == "json":
        show.data(told)
        show.problems(unreadable)
    if unreadable:
        return UNREADABLE
    return FINDINGS if illegal else FINE


def _need_solver() -> None:
    from generator.cli.extras import need_solver

    need_solver("check --room")


def _remedied(verdict: Verdict, shelf: Library) -> Verdict:
    """Let the solver find the remedies of an illegal list, where it is installed."""
    if verdict.legal:
        return verdict
    from generator.cli.extras import has_solver

    if not has_solver():
        return verdict
    from generator.solving.remedies import remedied

    return remedied(verdict, shelf)


def _room(army: Army, form: str) -> dict[str, Any] | None:
    """Find what fits; print it, or give it as JSON says it."""
    from generator.cli import room
    from generator.solving.cpsat import TooHardError
    from generator.solving.room import room_of

    try:
        found = room_of(army)
    except TooHardError as fault:
        raise click.ClickException(f"{army.document.file}: {fault}") from None
    if form == "text":
        room.tell(found)
    return room.as_json(found)


def _tell(army: Army, verdict: Verdict, facts: dict[str, Any], *, apart: bool) -> None:
    """Print one verdict: headline, prices with their arithmetic, findings."""
    if apart:
        show.result()
    verdict_word = (
        click.style("LEGAL", fg="green", bold=True)
        if verdict.legal
        else click.style("NOT LEGAL", fg="red", bold=True)
    )
    show.result(f"{army.name} ({army.system.title}): {verdict_word}{_total(verdict, facts)}")
    for line in show.aligned(_prices(facts["lines"]), frozenset({1, 2})):
        show.result(f"  {line}")
    for finding, shown in zip(facts["findings"], verdict.findings, strict=True):
        _finding(finding, "" if finding["path"] == "army" else shown.label)


def _number(points: float | None) -> str:
    return "?" if points is None else f"{Decimal(str(points)).normalize():f}"


def _total(verdict: Verdict, facts: dict[str, Any]) -> str:
    """Say what the army costs, of how much, and what the total lacks."""
    if facts["points"] is None:
        return ""
    text = f", {_number(facts['points'])}"
    text += f" of {_number(facts['limit'])} points" if facts["limit"] is not None else " points"
    missing = list(verdict.price.missing)
    return f"{text}, without {', '.join(missing)}" if missing else text


def _prices(lines: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Set each price's arithmetic apart from its result, to stand under each other."""
    rows: list[tuple[str, ...]] = []
    for line in lines:
        sums, equals, _ = str(line["how"]).rpartition(" = ")
        result = _number(line["points"])
        rows.append((str(line["label"]), f"{sums} =" if equals else "", result))
    return rows


def _finding(finding: dict[str, Any], label: str) -> None:
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
