"""The rules that army books state of their own units: how many there may be, and their options.

The check and the encoding for the solver both take them from here; the counting is that of the
constraint kind `count`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from muster.armies.army import Army, Node, NodeKind
from muster.armies.books import Book, Profile
from muster.armies.checks import ScopeCounts, check_count
from muster.armies.constraints import CountRule
from muster.armies.fields import join_remedies, join_words, name_ranges
from muster.armies.findings import Finding, RuleReference
from muster.armies.vocabulary import Option
from muster.languages import marked, quoted, say

UNIT_NUMBER = "unit-number"
UNIT_OPTION = "unit-option"


def number_rule(book: Book, profile: Profile, army_book: Book | None) -> CountRule | None:
    """Return the rule on the number of a unit; None if there is none.

    Only an army of the book itself needs a least number: an ally may bring one unit of it.
    """
    rule = profile.number
    if rule is None or rule.min is None or book is army_book:
        return rule
    return None if rule.max is None else rule.model_copy(update={"min": None})


def number_message(book: Book, rule: CountRule) -> str:
    """Return the rule on the number of a unit as a sentence."""
    most = None if rule.max is None else Decimal(rule.max)
    number = name_ranges([(Decimal(rule.min or 0), most)], rule.one, rule.many)
    message = marked("An army of {book} has {number}.")
    if rule.per is not None:
        message = (
            marked("An army of {book} has {number} per {per} points of the limit, rounded up.")
            if rule.begun
            else marked(
                "An army of {book} has {number} per {per} points of the limit, rounded down."
            )
        )
    return say(message, book=book.title, number=number, per=rule.per)


def option_message(kind: NodeKind) -> str:
    """Return the rule on the options of a unit of a book as a sentence."""
    return say("{unit} may take {options}.", unit=kind.title, options=_permitted_titles(kind))


def _permitted_titles(kind: NodeKind) -> str:
    assert kind.profile is not None  # noqa: S101 - only units of books have such a rule
    options = kind.composition.options
    titles = [quoted(options[name].title) for name in kind.profile.may or ()]
    if not titles:
        return say("no options")
    return say("only {things}", things=join_words(titles, "or"))


def barred_options(kind: NodeKind) -> list[Option]:
    """Return the options of a unit that its book does not let it take."""
    profile = kind.profile
    return [option for option in kind.options if profile and is_barred(profile, option)]


def is_barred(profile: Profile, option: Option) -> bool:
    """Return whether a book does not let a unit take an option; what it comes with, it has."""
    permitted = profile.may
    return permitted is not None and option.id not in permitted and option not in profile.options


def units_with_numbers(
    army_book: Book | None, books: Mapping[str, Book]
) -> Iterator[tuple[Book, Profile, CountRule]]:
    """Yield the units whose number a book limits, for an army and the books that it draws on."""
    own = {army_book.id: army_book} if army_book is not None else {}
    for book in {**own, **books}.values():
        for profile in book.units.values():
            rule = number_rule(book, profile, army_book)
            if rule is not None:
                yield book, profile, rule


def book_reference(book: Book, profile: Profile) -> RuleReference:
    """Return what a finding cites for what a book says of a unit."""
    return RuleReference(say("Army book {title}", title=book.title), profile.source)


def find_book_findings(army: Army) -> Iterator[Finding]:
    """Yield a finding for each unit of which there are too many or too few, or that is barred."""
    books: dict[str, Book] = {}
    numbers: dict[tuple[str, str], int] = {}
    for node in army.nodes():
        book, profile = node.kind.book, node.kind.profile
        if book is None or profile is None:
            continue
        books[book.id] = book
        key = (book.id, profile.id)
        numbers[key] = numbers.get(key, 0) + node.count
        if profile.may is not None and (barred := barred_options(node.kind)):
            yield _option_finding(army, node, book, profile, barred)
    for book, profile, rule in units_with_numbers(army.book, books):
        number = numbers.get((book.id, profile.id), 0)
        violation = check_count(rule, ScopeCounts(army.root.kind, (number,), army.limit))
        if violation is not None:
            yield Finding(
                severity="error",
                code=UNIT_NUMBER,
                node=army.root,
                message=number_message(book, rule),
                allowed=violation.allowed,
                actual=violation.actual,
                rule=book_reference(book, profile),
                remedy=violation.remedy,
                army=army,
            )


def _option_finding(
    army: Army, node: Node, book: Book, profile: Profile, barred: list[Option]
) -> Finding:
    titles = join_words([quoted(option.title) for option in barred])
    written: Any = army.document.data
    for step in node.path:
        written = written[step]
    return Finding(
        severity="error",
        code=UNIT_OPTION,
        node=node,
        message=option_message(node.kind),
        allowed=_permitted_titles(node.kind),
        actual=titles,
        rule=book_reference(book, profile),
        remedy=join_remedies(say("leave out {things}", things=titles)),
        army=army,
        key_path=("options",) if "options" in written else (),
    )
