"""Answer all questions about a system, book by book, and put the answers together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from muster.armies.books import Book, book_ids, load_book
from muster.armies.composition import load_composition
from muster.solver.army_model import SearchSpace, iter_settings, under_limit
from muster.solver.cpsat import SolverGaveUpError, is_late, until
from muster.solver.proofs import (
    BindingProof,
    BookProof,
    ConstraintProof,
    SystemProof,
    prove_binding,
    prove_book,
)
from muster.solver.totals import Totals, find_totals, greatest_total_under
from muster.systems import Library

BestSpending = list[tuple[Decimal, Decimal | None]]
"""Limits, each with the most of it that can be spent; None if every army costs more."""


@dataclass(frozen=True, slots=True)
class ProofRequest:
    """What is asked: the system, where it is found, the limits, and when to end.

    Every single total is tried up to the `highest`. `deadline` is in seconds as of `time.time`.
    """

    folder: Path
    shipped: Path
    system: str
    limits: tuple[Decimal, ...]
    highest: Decimal
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class BookTotals:
    """The totals of a book, with what of each limit can be spent; `open_limits` are not known.

    `totals` is None if nothing has a known price, or if it is `unknown`.
    """

    totals: Totals | None = None
    spending: BestSpending = field(default_factory=list)
    open_limits: tuple[Decimal, ...] = ()
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class ProofQuestion:
    """A question about a book, or about armies of bare types: `units`, `totals` or `rules`.

    `rules` are the ids of the constraints that are still to be broken.
    """

    about: str
    book: str | None
    rules: tuple[str, ...] = ()


_Found = BookProof | BookTotals | BindingProof


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question."""

    question: ProofQuestion
    found: _Found


@dataclass(slots=True)
class ProofResult:
    """All answers together: what can be fielded and broken, and the totals of each book."""

    proof: SystemProof
    totals: list[tuple[Book | None, BookTotals]]

    @property
    def is_complete(self) -> bool:
        """Whether every question is answered."""
        return not (
            self.proof.open_units
            or self.proof.open_rules
            or any(each.unknown or each.open_limits for _, each in self.totals)
        )


class Prover:
    """Answers questions about one system."""

    def __init__(self, request: ProofRequest) -> None:
        """Open the system.

        Raises:
            MusterError: If its composition or a book has problems.
        """
        self.request = request
        self.library = Library(request.folder, request.shipped)
        system = self.library.system(request.system)
        self.composition = load_composition(system)
        folders = self.library.book_folders(request.system)
        self.books = {key: load_book(system, key, folders) for key in book_ids(system, folders)}
        self.rules = {rule.id: rule for rule in self.composition.constraints}

    def book(self, name: str | None) -> Book | None:
        """Return a book by its id."""
        return None if name is None else self.books[name]

    def answer(self, question: ProofQuestion) -> Answer:
        """Return the answer to a question, as far as it is found in time."""
        with until(self.request.deadline):
            return Answer(question, self._find(question))

    def _find(self, question: ProofQuestion) -> _Found:
        book = self.book(question.book)
        if question.about == "units":
            books = list(self.books.values())
            proof = prove_book(self.composition, book, books, self.library)
            # The slot of a rule leads to its whole model.
            units = [
                replace(unit, conflict=tuple(replace(group, slot=None) for group in unit.conflict))
                for unit in proof.units
            ]
            return replace(proof, units=units)
        if question.about == "rules":
            if is_late():
                return BindingProof(open=set(question.rules))
            rules = [self.rules[name] for name in question.rules]
            return prove_binding(self.composition, book, rules, self.library)
        return self._find_totals(book)

    def _find_totals(self, book: Book | None) -> BookTotals:
        highest, limits = self.request.highest, self.request.limits
        plainest = next(iter_settings(self.composition, [book]))
        if is_late():
            return BookTotals(open_limits=limits, unknown=True)
        setting = under_limit(self.composition, plainest, highest)
        try:
            space = SearchSpace(self.composition, setting, legal=True)
            totals = find_totals(space, self.library, highest)
        except SolverGaveUpError:
            return BookTotals(open_limits=limits, unknown=True)
        if totals is None:
            return BookTotals()
        spending: BestSpending = []
        still_open: list[Decimal] = []
        for limit in limits:
            try:
                best = greatest_total_under(self.composition, plainest, limit)
                spending.append((limit, best))
            except SolverGaveUpError:
                still_open.append(limit)
        return BookTotals(totals, spending, tuple(still_open))


_prover: Prover | None = None


def start_answering(request: ProofRequest) -> None:
    """Open the system of a request, so that this process can answer questions about it.

    Raises:
        MusterError: If its composition or a book has problems.
    """
    global _prover  # noqa: PLW0603 - a process has one system for all its questions
    _prover = Prover(request)


def answer_question(question: ProofQuestion) -> Answer:
    """Return the answer to a question about the system of `start_answering`."""
    assert _prover is not None  # noqa: S101 - each process begins with `start_answering`
    return _prover.answer(question)


Ask = Callable[[Sequence[ProofQuestion]], Iterable[Answer]]
"""Returns the answers to questions as they come, in any order."""

Report = Callable[[Answer, int, int], None]
"""Is told each answer as it comes, how many there are, and of how many questions."""


def prove(prover: Prover, ask: Ask, report: Report) -> ProofResult:
    """Answer all questions about a system.

    The result is the same in whatever order the answers come, unless the time is up.
    """
    books = list(prover.books)
    questions = [ProofQuestion("rules", None, tuple(prover.rules)), ProofQuestion("units", None)]
    questions += [ProofQuestion("units", book) for book in books]
    if prover.composition.has_prices:
        questions += [ProofQuestion("totals", book) for book in books or (None,)]
    answers: dict[tuple[str, str | None], _Found] = {}
    number = len(questions) + len(books)

    def collect(asked: Sequence[ProofQuestion]) -> None:
        for answer in ask(asked):
            answers[answer.question.about, answer.question.book] = answer.found
            report(answer, len(answers), number)

    collect(questions)
    # Few rules are left that armies of bare types cannot break: those on single books.
    bound = _bound(answers["rules", None])
    unbound = tuple(name for name in prover.rules if name not in bound)
    collect([ProofQuestion("rules", book, unbound) for book in books])
    return _put_together(prover, answers)


def _bound(found: _Found) -> set[str]:
    return found.bound if isinstance(found, BindingProof) else set()


def _put_together(prover: Prover, answers: dict[tuple[str, str | None], _Found]) -> ProofResult:
    """Return all answers in the order of the books, with the books and units of one reading."""
    proof = SystemProof()
    totals: list[tuple[Book | None, BookTotals]] = []
    bound: set[str] = set()
    still_open: set[str] = set()
    for name in (None, *prover.books):
        book = prover.book(name)
        known = prover.composition.entries if book is None else book.units
        found = answers["units", name]
        if isinstance(found, BookProof):
            units = [
                replace(unit, unit_type=known[unit.unit_type.id], book=book) for unit in found.units
            ]
            unproved = [known[unit_type.id] for unit_type in found.unproved]
            proof.add(replace(found, book=book, units=units, unproved=unproved))
        of_rules = answers.get(("rules", name))
        if isinstance(of_rules, BindingProof):
            bound |= of_rules.bound
            still_open |= of_rules.open
        of_totals = answers.get(("totals", name))
        if isinstance(of_totals, BookTotals):
            totals.append((book, of_totals))
    proof.rules = [
        ConstraintProof(rule, rule.id in bound)
        for rule in prover.composition.constraints
        if rule.id in bound or rule.id not in still_open
    ]
    proof.open_rules = [
        rule
        for rule in prover.composition.constraints
        if rule.id in still_open and rule.id not in bound
    ]
    return ProofResult(proof, totals)
