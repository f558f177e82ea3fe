"""Prove which units can be fielded and which constraints can bind; report the rest as lint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from muster.armies import check
from muster.armies.army_file import SystemSource
from muster.armies.books import Book, Profile, find_books, load_book
from muster.armies.composition import Composition, load_composition
from muster.armies.vocabulary import AnyConstraint, Entry
from muster.problems import display_path
from muster.solver.army_model import SearchSpace, iter_settings
from muster.solver.cpsat import Solution, Solver, SolverGaveUpError
from muster.solver.linear_model import ConstraintGroup, LinearExpr, LiteralLike
from muster.systems import System
from muster.systems.lint import LintIssue, as_warning
from muster.yamlfile import Document, read_document

_BREADTHS = (1, 2)
"""As many commands of one sort stand under an army."""

_LOW_EFFORT = 0.3
"""The effort for a question that any answer will do for."""


@dataclass(frozen=True, slots=True)
class UnitProof:
    """A sort of unit or leader, of a book or of any army, and whether it can stand in a legal one.

    `against` are rules that contradict each other where it stands; none of them is needless.
    """

    what: Profile | Entry
    book: Book | None
    stands: bool
    against: tuple[ConstraintGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class ConstraintProof:
    """A constraint, and whether there is an army that breaks it and no other."""

    rule: AnyConstraint
    binds: bool


@dataclass(slots=True)
class SystemProof:
    """What is proved of a system. `books` are those that can be fielded, None for bare types."""

    fielded: dict[Book | None, bool] = field(default_factory=dict)
    units: list[UnitProof] = field(default_factory=list)
    rules: list[ConstraintProof] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Tell whether nothing is impossible that should be possible."""
        units = all(unit.stands for unit in self.units)
        return units and all(self.fielded.values()) and all(rule.binds for rule in self.rules)


def prove_system(
    composition: Composition, books: Sequence[Book], shelf: SystemSource, *, binding: bool = True
) -> SystemProof:
    """Prove what can be fielded and, if asked to, that every constraint can bind.

    Args:
        composition: The system's.
        books: All books in reach.
        shelf: Where books are found.
        binding: Whether constraints are asked for too.

    Raises:
        TooHardError: If the solver gave up.
    """
    proof = SystemProof()
    for book in (None, *books):
        _prove_book(composition, book, shelf, proof)
    if binding:
        proof.rules = list(prove_constraints(composition, books, shelf))
    return proof


# What can stand


def _prove_book(
    composition: Composition, book: Book | None, shelf: SystemSource, into: SystemProof
) -> None:
    """Find armies that hold every sort of a book between them."""
    left = {what.id: what for what in _unit_types(composition, book)}
    into.fielded[book] = False
    last: SearchSpace | None = None
    for universe in _search_spaces(composition, [book]):
        last = universe
        met = _presence_literals(universe, left)
        while met:
            answer = _solve_for_most(universe, LinearExpr.total(map(LinearExpr.of, met.values())))
            found = {
                name for name, lit in met.items() if answer is not None and answer.is_true(lit)
            }
            if answer is None or not found:
                break
            _assert_legal(universe, answer, shelf)
            into.fielded[book] = True
            into.units += [UnitProof(left.pop(name), book, stands=True) for name in sorted(found)]
            met = {name: lit for name, lit in met.items() if name in left}
        if not left:
            return
    if last is not None:
        into.units += [_explain_impossible(last, what, book) for what in left.values()]


def _search_spaces(composition: Composition, books: Sequence[Book | None]) -> Iterator[SearchSpace]:
    """Go through universes, those with one command of a sort first: they are quicker to ask."""
    for breadth in _BREADTHS:
        for setting in iter_settings(composition, books):
            yield SearchSpace(composition, setting, breadth=breadth)


def _unit_types(composition: Composition, book: Book | None) -> Iterator[Profile | Entry]:
    if book is None:
        yield from composition.entries.values()
    else:
        yield from book.units.values()


def _presence_literals(universe: SearchSpace, names: Iterable[str]) -> Mapping[str, LiteralLike]:
    """Tell of each sort whether one of it stands anywhere; made before the solver is asked."""
    model = universe.skeleton.model
    return {
        name: model.any_of(slot.present for slot in universe.where[name])
        for name in names
        if name in universe.where
    }


def _solve_for_most(universe: SearchSpace, total: LinearExpr) -> Solution | None:
    """Ask for many at once: what little effort finds will do, else as many as there can be."""
    try:
        return Solver(universe.skeleton.model, effort=_LOW_EFFORT).solve(most=total)
    except SolverGaveUpError:
        return Solver(universe.skeleton.model).solve(most=total)


def _assert_legal(universe: SearchSpace, answer: Solution, shelf: SystemSource) -> None:
    """Hold an answer against the check: it is the check's word that counts."""
    verdict = check(universe.skeleton.army(answer, shelf))
    if not verdict.legal:
        codes = ", ".join(finding.code for finding in verdict.findings)
        text = f"an army of the solver does not pass the check: {codes}"
        raise AssertionError(text)


def _explain_impossible(
    universe: SearchSpace, what: Profile | Entry, book: Book | None
) -> UnitProof:
    """Tell which rules leave no place for a sort of unit."""
    model = universe.skeleton.model
    slots = universe.where.get(what.id, [])
    words = f"{what.title} stands in the army."
    wish = model.group("stands", words, "What is asked for", stated=True, slot=None)
    model.require(
        LinearExpr.total(LinearExpr.of(slot.present) for slot in slots), [(1, None)], (), wish
    )
    free = Solver(model, hard=lambda _: False)
    against = free.unsatisfiable_core([group for group in model.groups if group.stated])
    rules = tuple(each for each in against if each is not wish)
    return UnitProof(what, book, stands=False, against=rules)


# Which rules bind


def prove_constraints(
    composition: Composition, books: Sequence[Book], shelf: SystemSource
) -> Iterator[ConstraintProof]:
    """Look for each constraint for an army that is legal but for it."""
    left = {rule.id: rule for rule in composition.constraints}
    for universe in _search_spaces(composition, [None, *books]):
        left = {id_: rule for id_, rule in left.items() if not _can_bind(universe, rule, shelf)}
        if not left:
            break
    for rule in composition.constraints:
        yield ConstraintProof(rule, rule.id not in left)


def _can_bind(universe: SearchSpace, rule: AnyConstraint, shelf: SystemSource) -> bool:
    own = [group for group in universe.skeleton.model.groups if group.code == rule.id]
    if not own:
        return False
    solver = Solver(universe.skeleton.model, broken=own, hard=lambda g: g.stated)
    answer = solver.solve()
    if answer is None:
        return False
    verdict = check(universe.skeleton.army(answer, shelf))
    errors = {finding.code for finding in verdict.findings if finding.severity == "error"}
    broken = {finding.code for finding in verdict.findings}
    if rule.id not in broken or errors - {rule.id}:
        text = f"an army of the solver breaks {sorted(broken)}, not just {rule.id}"
        raise AssertionError(text)
    return True


def lint_fielding(
    system: System, shelf: SystemSource, book_folders: Sequence[Path] = ()
) -> list[LintIssue]:
    """Find books and sorts of units that no legal army can hold, and the rules that bar them.

    Raises:
        MusterError: If the composition, a table or a book has faults; those come first.
    """
    if not system.has_file("composition.yaml"):
        return []
    composition = load_composition(system)
    files = find_books(system, book_folders)
    books = [load_book(system, each, book_folders) for each in files]
    try:
        proof = prove_system(composition, books, shelf, binding=False)
    except SolverGaveUpError as fault:
        text = f"whether all of it can be fielded is not known: {fault}"
        return [as_warning(composition.document.problem("fielding-unknown", text, ()))]
    return list(_fielding_flaws(composition, files, proof))


BookFiles = Mapping[str, Path]


def _fielding_flaws(
    composition: Composition, files: BookFiles, proof: SystemProof
) -> Iterator[LintIssue]:
    for book, fielded in proof.fielded.items():
        fallen = [unit for unit in proof.units if unit.book is book and not unit.stands]
        if not fielded:
            document, whose = _document_and_owner(composition, files, book)
            why = _conflict_text(fallen[0].against) if fallen else ""
            text = f"no army of {whose} is legal{why}"
            yield LintIssue("error", document.problem("never-legal", text, _book_path(book)))
            continue
        for unit in fallen:
            yield _unit_flaw(composition, files, unit)


def _unit_flaw(composition: Composition, files: BookFiles, unit: UnitProof) -> LintIssue:
    document, _ = _document_and_owner(composition, files, unit.book)
    if isinstance(unit.what, Profile) and unit.book is not None:
        place = list(unit.book.units).index(unit.what.id)
        path: tuple[str | int, ...] = ("units", place)
    else:
        path = ("entries", list(composition.entries).index(unit.what.id))
    text = f"no legal army can hold {unit.what.title}{_conflict_text(unit.against)}"
    return LintIssue("error", document.problem("unit-never-legal", text, path))


def _document_and_owner(
    composition: Composition, files: BookFiles, book: Book | None
) -> tuple[Document, str]:
    """Give the file that a flaw stands in, and whose armies are meant."""
    if book is None:
        return composition.document, composition.system.title
    path = files[book.id]
    return read_document(path, shown_as=display_path(path)), book.title


def _book_path(book: Book | None) -> tuple[str | int, ...]:
    return ("id",) if book is not None else ("constraints",)


def _conflict_text(against: Sequence[ConstraintGroup]) -> str:
    """Name the constraints that contradict each other."""
    codes = list(dict.fromkeys(group.code for group in against))
    return f": it contradicts {', '.join(codes)}" if codes else ""
