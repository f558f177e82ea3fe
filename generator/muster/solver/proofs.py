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
from muster.armies.constraints import AnyConstraint
from muster.problems import display_path
from muster.solver.army_model import SearchSpace, Setting, iter_settings, leaves_out_combinations
from muster.solver.cpsat import (
    Solution,
    Solver,
    SolverGaveUpError,
    find_conflict,
    limited_effort,
    require_none,
)
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

_NOT_ALL_TRIED = "the fields of a command have more combinations of values than are tried"

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
class BookProof:
    """What is known of a book, or of armies of bare types.

    `fielded` says whether a legal army of it was found. `unproved` are the units and leaders of
    which nothing is known, because the solver gave up for the reason of `gave_up`.
    """

    book: Book | None
    fielded: bool = False
    units: list[UnitProof] = field(default_factory=list)
    unproved: list[UnitType] = field(default_factory=list)
    gave_up: str = ""


@dataclass(slots=True)
class SystemProof:
    """The result of the proofs for a system.

    `fielded` says of each book whether there is a legal army of it; None stands for armies of
    bare types. Where there are books, none of the latter need be legal. What is `open` is not
    known.
    """

    fielded: dict[Book | None, bool] = field(default_factory=dict)
    units: list[UnitProof] = field(default_factory=list)
    rules: list[ConstraintProof] = field(default_factory=list)
    open_units: list[tuple[UnitType, Book | None]] = field(default_factory=list)
    open_rules: list[AnyConstraint] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether every book and unit can be fielded, and every constraint can bind."""
        units = all(unit.possible for unit in self.units) and not self.open_units
        rules = all(rule.binds for rule in self.rules) and not self.open_rules
        return units and rules and not self.never_fielded

    @property
    def never_fielded(self) -> list[Book | None]:
        """The books that no army is legal of; None if no army of the system is."""
        if self.open_units:
            return []
        never = [book for book, fielded in self.fielded.items() if not fielded]
        return [book for book in never if book is not None or not any(self.fielded.values())]

    def add(self, proof: BookProof) -> None:
        """Add what is known of a book."""
        self.fielded[proof.book] = proof.fielded
        self.units += proof.units
        self.open_units += [(unit_type, proof.book) for unit_type in proof.unproved]


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
        of_book = prove_book(composition, book, books, source)
        if of_book.gave_up:
            raise SolverGaveUpError(of_book.gave_up)
        proof.add(of_book)
    if binding:
        proof.rules = list(prove_constraints(composition, books, source))
    return proof


# Units


@limited_effort(_PROOF_EFFORT)
def prove_book(
    composition: Composition, book: Book | None, books: Sequence[Book], source: SystemSource
) -> BookProof:
    """Find legal armies that together hold every unit and leader of a book.

    Without a book, a type that no army of bare types can hold may stand in an army of any book: a
    rule may demand a unit of one, or bar bare types. There, units of books count for their types.
    """
    proof = BookProof(book)
    unproved = {unit_type.id: unit_type for unit_type in _unit_types(composition, book)}
    try:
        _prove_units(composition, books, source, proof, unproved)
    except SolverGaveUpError as error:
        proof.gave_up = str(error)
        proof.unproved = list(unproved.values())
    return proof


def _prove_units(
    composition: Composition,
    books: Sequence[Book],
    source: SystemSource,
    proof: BookProof,
    unproved: dict[str, UnitType],
) -> None:
    """Take each unit of which something is known out of `unproved`."""
    book = proof.book
    last: _Size | None = None
    legal: _Size | None = None
    sizes = _sizes(composition, [book])
    if book is None and books:
        sizes = chain(sizes, _sizes(composition, books, bare_types=True))
    for size in sizes:
        if size.setting.book is book:
            last = size
        search_space = size.search_space(legal=True)
        of_types = book is None and size.setting.book is not None
        for name in _find_units(search_space, source, tuple(unproved), of_types=of_types):
            proof.units.append(UnitProof(unproved.pop(name), book, possible=True))
            if size.setting.book is book:
                proof.fielded = True
                legal = size
        if not unproved:
            return
    if leaves_out_combinations(composition):
        raise SolverGaveUpError(_NOT_ALL_TRIED)
    # Among armies of which some are legal, it is the unit itself that rules forbid.
    explained = legal or last
    if explained is not None:
        for name, unit_type in tuple(unproved.items()):
            # Here all options may be taken, so that the rules that rule them out are named.
            proof.units.append(_explain_impossible(explained.search_space(), unit_type, book))
            del unproved[name]


def _find_units(
    search_space: SearchSpace, source: SystemSource, unproved: Sequence[str], *, of_types: bool
) -> Iterator[str]:
    """Yield those units and leaders of which legal armies of a model hold one.

    With `of_types`, a unit of a book counts for its type.
    """
    wanted = _presence_literals(search_space, unproved, of_types=of_types)
    solver = Solver(search_space.model)
    while wanted:
        solution = _solve_for_most(solver, LinearExpr.total(map(LinearExpr.of, wanted.values())))
        if solution is None:
            return
        present = {name for name, literal in wanted.items() if solution.is_true(literal)}
        if not present:
            return
        _assert_legal(search_space, solution, source)
        yield from sorted(present)
        wanted = {name: literal for name, literal in wanted.items() if name not in present}


@dataclass(frozen=True, slots=True)
class _Size:
    """A setting of armies, and how many commands they have, for a model of them."""

    composition: Composition
    setting: Setting
    commands_each: int
    as_demanded: bool
    bare_types: bool

    def search_space(self, *, legal: bool = False) -> SearchSpace:
        """Return the model of all such armies, or only of `legal` ones."""
        return SearchSpace(
            self.composition,
            self.setting,
            commands_each=self.commands_each,
            as_demanded=self.as_demanded,
            bare_types=self.bare_types,
            legal=legal,
        )


def _sizes(
    composition: Composition, books: Sequence[Book | None], *, bare_types: bool = False
) -> Iterator[_Size]:
    """Yield the sizes of models to try, the smallest first."""
    most = max(_COMMANDS_EACH)
    commands = composition.levels.keys() - composition.bottom_levels - {composition.top.id}
    numbers = [demanded_number(composition, level, to_break=True) for level in commands]
    # Where units stand directly in the army, all sizes are the same.
    each = _COMMANDS_EACH if commands else _COMMANDS_EACH[:1]
    sizes = [(commands_each, False) for commands_each in each]
    if max(numbers, default=0) > most:
        sizes.append((most, True))
    for commands_each, as_demanded in sizes:
        for setting in iter_settings(composition, books):
            yield _Size(composition, setting, commands_each, as_demanded, bare_types)


def _unit_types(composition: Composition, book: Book | None) -> Iterable[UnitType]:
    return composition.entries.values() if book is None else book.units.values()


def _presence_literals(
    search_space: SearchSpace, names: Iterable[str], *, of_types: bool
) -> Mapping[str, LiteralLike]:
    """Return for each unit or leader a literal that is true if the army has one.

    This adds variables, so it must be called before a solver is created.
    """
    found: dict[str, list[LiteralLike]] = {}
    for name, slots in search_space.slots_by_type.items():
        for slot in slots:
            entry = slot.kind.entry
            found.setdefault(entry.id if of_types and entry else name, []).append(slot.present)
    return {name: search_space.model.any_of(found[name]) for name in names if name in found}


def _solve_for_most(solver: Solver, total: LinearExpr) -> Solution | None:
    """Return a solution with a large total: the best that a low effort finds, else the largest."""
    try:
        return solver.solve(maximise=total, effort=_LOW_EFFORT)
    except SolverGaveUpError:
        return solver.solve(maximise=total)


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
    """Yield for each constraint whether there is an army that breaks it and no other stated one.

    Raises:
        SolverGaveUpError: If the solver gave up.
    """
    unproved: Sequence[AnyConstraint] = composition.constraints
    for book in (None, *books):
        found = prove_binding(composition, book, unproved, source)
        if found.gave_up:
            raise SolverGaveUpError(found.gave_up)
        unproved = [rule for rule in unproved if rule.id not in found.bound]
    left = {rule.id for rule in unproved}
    for rule in composition.constraints:
        yield ConstraintProof(rule, rule.id not in left)


@dataclass(slots=True)
class BindingProof:
    """The ids of constraints that armies of a book can break one by one, and of those still open.

    Those are open of which the solver gave up for the reason of `gave_up`.
    """

    bound: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    gave_up: str = ""


@limited_effort(_PROOF_EFFORT)
def prove_binding(
    composition: Composition,
    book: Book | None,
    rules: Sequence[AnyConstraint],
    source: SystemSource,
) -> BindingProof:
    """Find the constraints that some army of a book breaks, and no other stated one."""
    proof = BindingProof()
    for size in _sizes(composition, [book]):
        left = [rule for rule in rules if rule.id not in proof.bound | proof.open]
        if not left:
            break
        search_space = size.search_space()
        solver = Solver(search_space.model, hard=require_none)
        for rule in left:
            try:
                if _can_bind(search_space, solver, rule, source):
                    proof.bound.add(rule.id)
            except SolverGaveUpError as error:
                proof.gave_up = str(error)
                proof.open.add(rule.id)
    unbound = {rule.id for rule in rules} - proof.bound - proof.open
    if unbound and leaves_out_combinations(composition):
        proof.gave_up = _NOT_ALL_TRIED
        proof.open |= unbound
    return proof


def _can_bind(
    search_space: SearchSpace, solver: Solver, rule: AnyConstraint, source: SystemSource
) -> bool:
    groups = [group for group in search_space.model.groups if group.code == rule.id]
    if not groups:
        return False
    solution = solver.solve_broken(groups)
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
