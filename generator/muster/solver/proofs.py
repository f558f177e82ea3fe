"""Prove which units can be fielded and which constraints can bind; report the rest as lint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from muster.armies import check
from muster.armies.army_file import SystemSource
from muster.armies.books import Book, UnitType, entry_of, find_books, load_book, profile_of
from muster.armies.composition import Composition, load_composition
from muster.armies.vocabulary import AnyConstraint
from muster.problems import display_path
from muster.solver.army_model import SearchSpace, iter_settings
from muster.solver.cpsat import Solution, Solver, SolverGaveUpError, find_conflict, limited_effort
from muster.solver.domains import demanded_number
from muster.solver.linear_model import ConstraintGroup, LinearExpr, LiteralLike
from muster.systems import System
from muster.systems.lint import LintIssue, as_warning
from muster.yamlfile import Document, KeyPath, read_document

_COMMANDS_EACH = (1, 2)
"""How many commands of each level stand under an army; the smaller models are tried first.

After them comes a model with as many as a rule demands, if that is more.
"""

_PROOF_EFFORT = 100.0
"""The effort for all proofs of a system."""

_LOW_EFFORT = 0.3
"""The effort for a question that need not be answered as well as possible."""


@dataclass(frozen=True, slots=True)
class UnitProof:
    """A unit or leader, of a book or of any army, and whether a legal army can hold it.

    If it is not `possible`, `conflict` is a minimal set of rules that contradict each other where
    it stands.
    """

    unit_type: UnitType
    book: Book | None
    possible: bool
    conflict: tuple[ConstraintGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class ConstraintProof:
    """A constraint, and whether there is an army that breaks it and no other."""

    rule: AnyConstraint
    binds: bool


@dataclass(slots=True)
class SystemProof:
    """The result of the proofs for a system.

    `fielded` says of each book whether there is a legal army of it; None stands for armies of
    bare types. Where there are books, none of the latter need be legal.
    """

    fielded: dict[Book | None, bool] = field(default_factory=dict)
    units: list[UnitProof] = field(default_factory=list)
    rules: list[ConstraintProof] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether every book and unit can be fielded, and every constraint can bind."""
        units = all(unit.possible for unit in self.units)
        return units and not self.never_fielded and all(rule.binds for rule in self.rules)

    @property
    def never_fielded(self) -> list[Book | None]:
        """The books that no army is legal of; None if no army of the system is."""
        never = [book for book, fielded in self.fielded.items() if not fielded]
        return [book for book in never if book is not None or not any(self.fielded.values())]


@limited_effort(_PROOF_EFFORT)
def prove_system(
    composition: Composition, books: Sequence[Book], source: SystemSource, *, binding: bool = True
) -> SystemProof:
    """Prove what can be fielded and, unless it is left out, that every constraint can bind.

    Args:
        composition: The system's composition.
        books: All books in reach.
        source: Where systems and books are found.
        binding: Whether to prove that constraints can bind, too.

    Raises:
        SolverGaveUpError: If the solver gave up.
    """
    proof = SystemProof()
    for book in (None, *books):
        _prove_book(composition, book, books, source, proof)
    if binding:
        proof.rules = list(prove_constraints(composition, books, source))
    return proof


# Units


def _prove_book(
    composition: Composition,
    book: Book | None,
    books: Sequence[Book],
    source: SystemSource,
    proof: SystemProof,
) -> None:
    """Find legal armies that together hold every unit and leader of a book.

    Without a book, a type that no army of bare types can hold may stand in an army of any book: a
    rule may demand a unit of one.
    """
    unproved = {unit_type.id: unit_type for unit_type in _unit_types(composition, book)}
    proof.fielded[book] = False
    last: SearchSpace | None = None
    search_spaces = _search_spaces(composition, [book])
    if book is None and books:
        in_books = _search_spaces(composition, books, bare_types=True)
        search_spaces = chain(search_spaces, in_books)
    for search_space in search_spaces:
        if search_space.setting.book is book:
            last = search_space
        wanted = _presence_literals(search_space, unproved)
        while wanted:
            solution = _solve_for_most(
                search_space, LinearExpr.total(map(LinearExpr.of, wanted.values()))
            )
            if solution is None:
                break
            present = {name for name, literal in wanted.items() if solution.is_true(literal)}
            if not present:
                break
            _assert_legal(search_space, solution, source)
            proof.fielded[book] |= search_space.setting.book is book
            proof.units += [
                UnitProof(unproved.pop(name), book, possible=True) for name in sorted(present)
            ]
            wanted = {name: literal for name, literal in wanted.items() if name in unproved}
        if not unproved:
            return
    if last is not None:
        proof.units += [
            _explain_impossible(last, unit_type, book) for unit_type in unproved.values()
        ]


def _search_spaces(
    composition: Composition, books: Sequence[Book | None], *, bare_types: bool = False
) -> Iterator[SearchSpace]:
    most = max(_COMMANDS_EACH)
    commands = composition.levels.keys() - composition.bottom_levels - {composition.top.id}
    numbers = [demanded_number(composition, level, to_break=True) for level in commands]
    for commands_each in _COMMANDS_EACH:
        for setting in iter_settings(composition, books):
            yield SearchSpace(
                composition, setting, commands_each=commands_each, bare_types=bare_types
            )
    if max(numbers, default=0) > most:
        for setting in iter_settings(composition, books):
            yield SearchSpace(
                composition,
                setting,
                commands_each=most,
                as_demanded=True,
                bare_types=bare_types,
            )


def _unit_types(composition: Composition, book: Book | None) -> Iterable[UnitType]:
    return composition.entries.values() if book is None else book.units.values()


def _presence_literals(
    search_space: SearchSpace, names: Iterable[str]
) -> Mapping[str, LiteralLike]:
    """Return for each unit or leader a literal that is true if the army has one.

    This adds variables, so it must be called before a solver is created.
    """
    return {
        name: search_space.model.any_of(slot.present for slot in search_space.slots_by_type[name])
        for name in names
        if name in search_space.slots_by_type
    }


def _solve_for_most(search_space: SearchSpace, total: LinearExpr) -> Solution | None:
    """Return a solution with a large total: the best that a low effort finds, else the largest."""
    try:
        return Solver(search_space.model, effort=_LOW_EFFORT).solve(maximise=total)
    except SolverGaveUpError:
        return Solver(search_space.model).solve(maximise=total)


def _assert_legal(search_space: SearchSpace, solution: Solution, source: SystemSource) -> None:
    """Assert that a solution passes the check, whose verdict is the one that counts."""
    verdict = check(search_space.army_model.read_solution(solution, source))
    if not verdict.legal:
        codes = ", ".join(finding.code for finding in verdict.findings)
        text = f"an army of the solver does not pass the check: {codes}"
        raise AssertionError(text)


def _explain_impossible(
    search_space: SearchSpace, unit_type: UnitType, book: Book | None
) -> UnitProof:
    """Find the rules that make a unit or leader impossible."""
    model = search_space.model
    slots = search_space.slots_by_type.get(unit_type.id, [])
    message = f"{unit_type.title} stands in the army."
    requirement = model.group("stands", message, "Your request", stated=True, slot=None)
    number = LinearExpr.total(LinearExpr.of(slot.present) for slot in slots)
    model.require(number, [(1, None)], (), requirement)
    rules = tuple(group for group in find_conflict(model).rules if group is not requirement)
    return UnitProof(unit_type, book, possible=False, conflict=rules)


# Constraints


def prove_constraints(
    composition: Composition, books: Sequence[Book], source: SystemSource
) -> Iterator[ConstraintProof]:
    """Yield for each constraint whether there is an army that breaks it and no other stated one."""
    unproved = {rule.id: rule for rule in composition.constraints}
    for search_space in _search_spaces(composition, [None, *books]):
        unproved = {
            id_: rule for id_, rule in unproved.items() if not _can_bind(search_space, rule, source)
        }
        if not unproved:
            break
    for rule in composition.constraints:
        yield ConstraintProof(rule, rule.id not in unproved)


def _can_bind(search_space: SearchSpace, rule: AnyConstraint, source: SystemSource) -> bool:
    groups = [group for group in search_space.model.groups if group.code == rule.id]
    if not groups:
        return False
    solution = Solver(search_space.model, violated=groups).solve()
    if solution is None:
        return False
    verdict = check(search_space.army_model.read_solution(solution, source))
    errors = {finding.code for finding in verdict.findings if finding.severity == "error"}
    broken = {finding.code for finding in verdict.findings}
    if rule.id not in broken or errors - {rule.id}:
        text = f"an army of the solver breaks {sorted(broken)}, not just {rule.id}"
        raise AssertionError(text)
    return True


# Lint


def lint_fielding(
    system: System, source: SystemSource, book_folders: Sequence[Path] = ()
) -> list[LintIssue]:
    """Find books and units that no legal army can hold, and the rules that rule them out.

    Raises:
        MusterError: If the composition, a table or a book has problems; those come first.
    """
    if not system.has_file("composition.yaml"):
        return []
    composition = load_composition(system)
    files = find_books(system, book_folders)
    books = [load_book(system, book_id, book_folders) for book_id in files]
    try:
        proof = prove_system(composition, books, source, binding=False)
    except SolverGaveUpError as error:
        text = f"it is not known whether everything can be fielded: {error}"
        return [as_warning(composition.document.problem("fielding-unknown", text, ()))]
    return list(_fielding_issues(composition, files, proof))


BookFiles = Mapping[str, Path]


def _fielding_issues(
    composition: Composition, files: BookFiles, proof: SystemProof
) -> Iterator[LintIssue]:
    never_fielded = proof.never_fielded
    # A bare type serves if a unit of a book is of it: rules may demand that armies name those.
    fielded = {
        entry_of(unit.unit_type).id
        for unit in proof.units
        if unit.book is not None and unit.possible
    }
    for book in proof.fielded:
        impossible = [unit for unit in proof.units if unit.book is book and not unit.possible]
        if book in never_fielded:
            document, whose = _document_and_owner(composition, files, book)
            reason = _conflict_text(impossible[0].conflict) if impossible else ""
            text = f"no army of {whose} is legal{reason}"
            path: KeyPath = ("id",) if book is not None else ("constraints",)
            yield LintIssue("error", document.problem("never-legal", text, path))
            continue
        for unit in impossible:
            if unit.book is not None or unit.unit_type.id not in fielded:
                yield _unit_issue(composition, files, unit)


def _unit_issue(composition: Composition, files: BookFiles, unit: UnitProof) -> LintIssue:
    document, _ = _document_and_owner(composition, files, unit.book)
    profile = profile_of(unit.unit_type)
    if profile is not None and unit.book is not None:
        path: KeyPath = ("units", list(unit.book.units).index(profile.id))
    else:
        path = ("entries", list(composition.entries).index(unit.unit_type.id))
    text = f"no legal army can hold {unit.unit_type.title}{_conflict_text(unit.conflict)}"
    return LintIssue("error", document.problem("unit-never-legal", text, path))


def _document_and_owner(
    composition: Composition, files: BookFiles, book: Book | None
) -> tuple[Document, str]:
    """Return the file of a book, or of the composition, and whose armies it is about."""
    if book is None:
        return composition.document, composition.system.title
    path = files[book.id]
    return read_document(path, shown_as=display_path(path), within=path.parent.parent), book.title


def _conflict_text(conflict: Sequence[ConstraintGroup]) -> str:
    """Return the codes of constraints that contradict each other, as the end of a sentence."""
    codes = list(dict.fromkeys(group.code for group in conflict))
    return f": it conflicts with {', '.join(codes)}" if codes else ""
