"""Owns the draft of an army: the legal one nearest to a plan that spends its limit to the full.

Does not plan (see `draft_plan`) and writes no file. Rules come first, then the total, then the
plan; every army that it gives has passed the check.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import floor
from typing import Any

from generator.armies import Verdict, check
from generator.armies.raising import Rolled, raise_army
from generator.armies.roll_call import Shelf, army_from
from generator.armies.solving import Group
from generator.armies.writing import army_text
from generator.reading import Document, document_from_text
from generator.solving.cpsat import Answer, Solver, TooHardError, Wish
from generator.solving.draft_form import Form
from generator.solving.draft_kit import Kit
from generator.solving.draft_plan import plan

ATTEMPTS = 4
"""As many plans are tried before the total may stay under the limit."""

_LOOSE = 16
"""As many units may change at first; all may, where those are not enough."""

_EFFORT = 0.1
_WIDE_EFFORT = 5.0
"""How much one of many questions may cost, in the solver's own steps, and one of the last."""


@dataclass(frozen=True, slots=True)
class Head:
    """What an army file says before the army: its name, and comments of a line each."""

    name: str
    comments: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Drafted:
    """An army as drafted: the text of its file, what it comes to, and what was rolled."""

    text: str
    verdict: Verdict
    total: Decimal
    units: int
    rolls: tuple[Rolled, ...]
    imprint: str
    """What it is, without names and comments: two drafts with the same are the same army."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """No army is as it is wished: rules and wishes that contradict each other."""

    rules: tuple[Group, ...]


def draft(kit: Kit, shelf: Shelf, seed: int, head: Head) -> Drafted | Impossible:
    """Draft an army; the same kit and seed give the same text on every machine.

    Raises:
        TooLargeError: If the limit is for more units than a draft can have.
        TooHardError: If the solver cannot find out whether there is such an army.
    """
    for form, answer in _found(kit, seed):
        made = _made(form, answer, seed, shelf, head)
        if made.verdict.legal:
            return made
    wide = _wide(kit, seed)
    free = Solver(wide.model, hard=_none)
    stated = [group for group in wide.model.groups if group.stated]
    return Impossible(tuple(free.contradiction(stated)))


def _found(kit: Kit, seed: int) -> Iterator[tuple[Form, Answer]]:
    """Go through answers, the best first: the limit spent, no warning, then with less."""
    for attempt in range(ATTEMPTS):
        planned = plan(kit, seed, attempt)
        chance = random.Random(f"{seed} {attempt} loose")  # noqa: S311 - no secret
        units = planned.all_units()
        some = chance.sample(units, min(_LOOSE, len(units)))
        for loose in (some, None):
            form = Form(kit, planned, loose=loose)
            answer = _asked(form, seed, _every, [form.spent])
            if answer is not None:
                yield form, answer
                break
    wide = _wide(kit, seed)
    answer = _asked(wide, seed, _every, [wide.spent])
    if answer is not None:
        yield wide, answer
    for hard in (_every, _stated):
        answer = _fullest(wide, seed, hard)
        if answer is not None:
            yield wide, answer


def _wide(kit: Kit, seed: int) -> Form:
    return Form(kit, plan(kit, seed, 0, wide=True), wide=True)


def _every(group: Group) -> bool:
    del group
    return True


def _none(group: Group) -> bool:
    del group
    return False


def _stated(group: Group) -> bool:
    return group.stated


def _asked(
    form: Form, seed: int, hard: Callable[[Group], bool], where: Sequence[Wish]
) -> Answer | None:
    """Ask for the army nearest to the plan, if there is one."""
    solver = Solver(form.model, hard=hard, seed=seed, effort=_EFFORT)
    try:
        return solver.ask(least=form.distance, where=where, hints=form.hints)
    except TooHardError:
        return None


def _fullest(form: Form, seed: int, hard: Callable[[Group], bool]) -> Answer | None:
    """Ask for the greatest total first, then for what is nearest to the plan."""
    solver = Solver(form.model, hard=hard, seed=seed, effort=_WIDE_EFFORT)
    answer = solver.ask(most=form.total, hints=form.hints)
    if answer is None:
        return None
    best = answer.number(form.total)
    scale = form.total.scale
    whole = floor(best * scale)
    near = _asked(form, seed, hard, [(form.total * scale, [(whole, whole)])])
    return near or answer


def _made(form: Form, answer: Answer, seed: int, shelf: Shelf, head: Head) -> Drafted:
    """Write an answer out, rolled and judged."""
    data = form.data(answer, seed, head.name)
    imprint = repr(_nameless(data))
    file = f"{head.name}.yaml"
    rolls = raise_army(army_from(Document(file, "", data), shelf), seed)
    for roll in rolls:
        node: Any = data
        for step in roll.path:
            node = node[step]
        node[roll.field] = roll.value
        node["rolled"] = "; ".join(filter(None, [node.get("rolled"), roll.record]))
    text = army_text(data, head.comments)
    army = army_from(document_from_text(text, file), shelf)
    total = answer.number(form.total)
    known = Decimal(total.numerator) / total.denominator
    units = int(answer.number(form.number))
    return Drafted(text, check(army), known, units, rolls, imprint)


def _nameless(data: Any) -> Any:
    """Give what a file says without names."""
    if isinstance(data, dict):
        return {key: _nameless(each) for key, each in data.items() if key != "name"}
    return [_nameless(each) for each in data] if isinstance(data, list) else data
