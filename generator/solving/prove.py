"""Owns the proofs about a system: what can be fielded, which rules can bind, and which contradict.

Does not look for totals (see `totals`). A proof that something is possible is an army that `check`
has judged; that it is not follows from the solver, for armies up to the size of a universe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.armies import check
from generator.armies.books import Book, Profile
from generator.armies.composition import Composition
from generator.armies.roll_call import Shelf
from generator.armies.solving import Group, Linear, Lit
from generator.armies.vocabulary import AnyConstraint, Entry
from generator.solving.cpsat import Answer, Solver, TooHardError
from generator.solving.universe import Universe, settings

_BREADTHS = (1, 2)
"""As many commands of one sort stand under an army."""

_LITTLE = 0.3
"""The effort for a question that any answer will do for."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A sort of unit or leader, of a book or of any army, and whether it can stand in a legal one.

    `against` are rules that contradict each other where it stands; none of them is needless.
    """

    what: Profile | Entry
    book: Book | None
    stands: bool
    against: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Binding:
    """A constraint, and whether there is an army that breaks it and no other."""

    rule: AnyConstraint
    binds: bool


@dataclass(slots=True)
class Proof:
    """What is proved of a system. `books` are those that can be fielded, None for bare types."""

    fielded: dict[Book | None, bool] = field(default_factory=dict)
    units: list[Standing] = field(default_factory=list)
    rules: list[Binding] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Tell whether nothing is impossible that should be possible."""
        units = all(unit.stands for unit in self.units)
        return units and all(self.fielded.values()) and all(rule.binds for rule in self.rules)


def prove(
    composition: Composition, books: Sequence[Book], shelf: Shelf, *, binding: bool = True
) -> Proof:
    """Prove what can be fielded and, if asked to, that every constraint can bind.

    Args:
        composition: The system's.
        books: All books in reach.
        shelf: Where books are found.
        binding: Whether constraints are asked for too.

    Raises:
        TooHardError: If the solver gave up.
    """
    proof = Proof()
    for book in (None, *books):
        _field_book(composition, book, shelf, proof)
    if binding:
        proof.rules = list(bindings(composition, books, shelf))
    return proof


# What can stand


def _field_book(composition: Composition, book: Book | None, shelf: Shelf, into: Proof) -> None:
    """Find armies that hold every sort of a book between them."""
    left = {what.id: what for what in _sorts(composition, book)}
    into.fielded[book] = False
    last: Universe | None = None
    for universe in _universes(composition, [book]):
        last = universe
        met = _met(universe, left)
        while met:
            answer = _most(universe, Linear.total(map(Linear.of, met.values())))
            found = {name for name, lit in met.items() if answer is not None and answer.so(lit)}
            if answer is None or not found:
                break
            _judge(universe, answer, shelf)
            into.fielded[book] = True
            into.units += [Standing(left.pop(name), book, stands=True) for name in sorted(found)]
            met = {name: lit for name, lit in met.items() if name in left}
        if not left:
            return
    if last is not None:
        into.units += [_fallen(last, what, book) for what in left.values()]


def _universes(composition: Composition, books: Sequence[Book | None]) -> Iterator[Universe]:
    """Go through universes, those with one command of a sort first: they are quicker to ask."""
    for breadth in _BREADTHS:
        for setting in settings(composition, books):
            yield Universe(composition, setting, breadth=breadth)


def _sorts(composition: Composition, book: Book | None) -> Iterator[Profile | Entry]:
    if book is None:
        yield from composition.entries.values()
    else:
        yield from book.units.values()


def _met(universe: Universe, names: Iterable[str]) -> Mapping[str, Lit]:
    """Tell of each sort whether one of it stands anywhere; made before the solver is asked."""
    model = universe.skeleton.model
    return {
        name: model.any_of(slot.there for slot in universe.where[name])
        for name in names
        if name in universe.where
    }


def _most(universe: Universe, total: Linear) -> Answer | None:
    """Ask for many at once: what little effort finds will do, else as many as there can be."""
    try:
        return Solver(universe.skeleton.model, effort=_LITTLE).ask(most=total)
    except TooHardError:
        return Solver(universe.skeleton.model).ask(most=total)


def _judge(universe: Universe, answer: Answer, shelf: Shelf) -> None:
    """Hold an answer against the check: it is the check's word that counts."""
    verdict = check(universe.skeleton.army(answer, shelf))
    if not verdict.legal:
        codes = ", ".join(finding.code for finding in verdict.findings)
        text = f"an army of the solver does not pass the check: {codes}"
        raise AssertionError(text)


def _fallen(universe: Universe, what: Profile | Entry, book: Book | None) -> Standing:
    """Tell which rules leave no place for a sort of unit."""
    model = universe.skeleton.model
    slots = universe.where.get(what.id, [])
    words = f"{what.title} stands in the army."
    wish = model.group("stands", words, "What is asked for", stated=True, node=None)
    model.require(Linear.total(Linear.of(slot.there) for slot in slots), [(1, None)], (), wish)
    free = Solver(model, hard=lambda _: False)
    against = free.contradiction([group for group in model.groups if group.stated])
    rules = tuple(each for each in against if each is not wish)
    return Standing(what, book, stands=False, against=rules)


# Which rules bind


def bindings(composition: Composition, books: Sequence[Book], shelf: Shelf) -> Iterator[Binding]:
    """Look for each constraint for an army that is legal but for it."""
    left = {rule.id: rule for rule in composition.constraints}
    for universe in _universes(composition, [None, *books]):
        left = {id_: rule for id_, rule in left.items() if not _binds(universe, rule, shelf)}
        if not left:
            break
    for rule in composition.constraints:
        yield Binding(rule, rule.id not in left)


def _binds(universe: Universe, rule: AnyConstraint, shelf: Shelf) -> bool:
    own = [group for group in universe.skeleton.model.groups if group.code == rule.id]
    if not own:
        return False
    solver = Solver(universe.skeleton.model, broken=own, hard=lambda g: g.stated)
    answer = solver.ask()
    if answer is None:
        return False
    verdict = check(universe.skeleton.army(answer, shelf))
    errors = {finding.code for finding in verdict.findings if finding.severity == "error"}
    broken = {finding.code for finding in verdict.findings}
    if rule.id not in broken or errors - {rule.id}:
        text = f"an army of the solver breaks {sorted(broken)}, not just {rule.id}"
        raise AssertionError(text)
    return True
