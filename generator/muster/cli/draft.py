"""`muster draft`: write legal armies that match what was asked for, or say why there are none."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.name_matching import match_name
from muster.cli.options import FINDINGS, FINE, library, require_solver
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.armies import Army
    from muster.armies.themes import Drafting, Theme
    from muster.solver.draft_context import DraftContext
    from muster.solver.drafting import DraftedArmy, NoLegalDraft
    from muster.systems import Library, System

_SEED_COUNT = 1_000_000
"""As many seeds are drawn from: a number that people can read out to each other."""

_NO_THEME = "any"
"""The theme of a system that has none: every type is as likely as any other."""

_MAX_ARMIES = 100
"""As many armies are drafted at once."""

_TRIES_PER_ARMY = 5
"""As many seeds are tried for each army that is to differ from the others."""


@dataclass(frozen=True, slots=True)
class DraftOptions:
    """What was typed, in so far as it says what the army is to be."""

    system: str
    book: str | None
    limit: str | None
    theme: str | None
    like: str | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]


@click.command("draft")
@click.argument("system")
@click.option("--book", metavar="BOOK", help="The army book; without one the seed draws it.")
@click.option(
    "--limit",
    metavar="N",
    help="Points to spend; units to have, in a system without points. Else the system's usual.",
)
@click.option("--include", multiple=True, metavar="UNIT[=COUNT]", help="Have a unit, or so many.")
@click.option("--exclude", multiple=True, metavar="UNIT", help="Have none of a unit.")
@click.option("--like", metavar="ARMY", help="Be near to another army, at this limit or its own.")
@click.option("--theme", metavar="THEME", help="Proportions; `muster list` names the themes.")
@click.option(
    "--seed",
    type=click.IntRange(0, 999_999_999),
    metavar="N",
    help="The same seed drafts the same; without one a seed is drawn and told.",
)
@click.option(
    "--count",
    type=click.IntRange(1, _MAX_ARMIES),
    default=1,
    metavar="K",
    help="Draft K different armies, with one seed after the other.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR|FILE", help="Where to.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
def draft_command(  # noqa: PLR0913 - one for each option
    *,
    system: str,
    book: str | None,
    limit: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    like: str | None,
    theme: str | None,
    seed: int | None,
    count: int,
    out: Path | None,
    force: bool,
) -> int:
    """Draft legal armies that spend their limit, as army files to go on from.

    Each level of command is filled, in the proportions of a theme. What the rules roll is rolled.
    In a system without points --limit counts units. Where no army is as wished, the rules and
    wishes that contradict each other are named.
    """
    require_solver("draft")
    from muster.building.store import write_whole
    from muster.solver.cpsat import SolverGaveUpError
    from muster.solver.draft_context import TooLargeError
    from muster.solver.drafting import NoLegalDraft

    if theme is not None and like is not None:
        raise click.UsageError("name a theme or an army to be like, not both")
    if count > 1 and out is not None and out.suffix == ".yaml":
        raise click.UsageError(f"{out} is one file; name a folder for {count} armies")
    shelf = library()
    asked = DraftOptions(system, book, limit, theme, like, include, exclude)
    desk = _Drafter(shelf, asked)
    if seed is None:
        seed = _draw_seed()
    told = 0
    try:
        for number, army in desk.armies(seed, count):
            if isinstance(army, NoLegalDraft):
                _print_contradiction(desk, army)
                return FINDINGS
            target = desk.target_path(out, number)
            _refuse_overwrite(target, army.text, force=force)
            write_whole(target, army.text.encode())
            show.result(f"wrote {target}: {_army_summary(desk, army)}")
            told += 1
    except TooLargeError as fault:
        raise click.UsageError(str(fault)) from None
    except SolverGaveUpError as fault:
        raise click.ClickException(f"{fault}; ask for less, or with another seed") from None
    if told < count:
        show.note(f"no more than {told} different armies were found")
    show.note(f"muster check {desk.target_path(out, seed)}")
    return FINE


class _Drafter:
    """What is asked for, read and ready; one kit for each book."""

    def __init__(self, shelf: Library, asked: DraftOptions) -> None:
        from muster.armies import book_ids
        from muster.armies.composition import load_composition
        from muster.armies.themes import load_drafting

        self.shelf = shelf
        self.options = asked
        self.system: System = shelf.system(asked.system)
        self.composition = load_composition(self.system)
        self.drafting: Drafting = load_drafting(self.system)
        self.folders = shelf.book_folders(self.system.id)
        self.books = book_ids(self.system, self.folders)
        self.example = self._read_example()
        self.theme = self._choose_theme()
        self._refuse_bad_theme()
        self.limit = self._choose_limit()
        self.contexts: dict[str | None, DraftContext] = {}

    # What was asked for

    def _read_example(self) -> Army | None:
        from muster.armies import load_army

        if self.options.like is None:
            return None
        path = Path(self.options.like)
        known = self.shelf.armies(self.system.id)
        if not path.exists() and self.options.like in known:
            path = known[self.options.like].path
        army = load_army(path, self.shelf)
        if army.system.id != self.system.id:
            raise click.UsageError(f"{path} is an army of {army.system.title}")
        return army

    def _choose_theme(self) -> Theme:
        from muster.armies.themes import Theme, load_theme, theme_ids
        from muster.solver.draft_context import theme_like

        if self.example is not None:
            return theme_like(self.example, f"like {self.example.name}")
        known = [(key, load_theme(self.system, key).title) for key in theme_ids(self.system)]
        if self.options.theme is not None and not known:
            raise click.UsageError(f"{self.system.title} has no themes: leave --theme out")
        if self.options.theme is not None:
            return load_theme(self.system, match_name(self.options.theme, known, "theme"))
        if self.drafting.theme is not None:
            return load_theme(self.system, self.drafting.theme)
        return Theme(id=_NO_THEME, title="Any")

    def _refuse_bad_theme(self) -> None:
        """Refuse a theme or layout that names what is not there."""
        from muster.armies import load_book
        from muster.armies.lint_themes import theme_issues
        from muster.armies.possible_values import Possibilities

        books = [load_book(self.system, key, self.folders) for key in self.books]
        themes = [] if self.example is not None or self.theme.id == _NO_THEME else [self.theme.id]
        flaws = theme_issues(self.system, Possibilities(self.composition, books), themes)
        faults = [flaw.problem for flaw in flaws if flaw.severity == "error"]
        if faults:
            raise MusterError(faults)

    def _choose_limit(self) -> Decimal:
        from muster.armies.fields import read_points, read_whole

        raw = self.options.limit
        if raw is None:
            if self.example is not None:
                return self.example.limit or self._total_of(self.example)
            if self.drafting.limit is None:
                raise click.UsageError(f"{self.system.title} has no usual limit: say --limit N")
            return Decimal(self.drafting.limit)
        try:
            found = read_points(raw) if self.composition.has_prices else Decimal(read_whole(raw))
        except ValueError as fault:
            raise click.UsageError(f"--limit: {fault}") from None
        if found <= 0:
            raise click.UsageError(f"--limit: read {raw!r}, expected more than 0")
        return found

    def _total_of(self, army: Army) -> Decimal:
        """Give what an army without a limit comes to."""
        from muster.armies import check
        from muster.armies.composition import LEADER

        points = check(army).points
        units = (node for node in army.nodes() if not node.is_branch and node.level != LEADER)
        return points if points is not None else Decimal(sum(node.count for node in units))

    def _choose_book(self, seed: int) -> str | None:
        """Give the book's id: as asked for, the example's, or drawn."""
        import random

        if self.options.book is not None:
            return match_name(self.options.book, [(key, key) for key in self.books], "army book")
        if self.example is not None:
            book = self.example.root.kind.book
            return book.id if book is not None else None
        if not self.books:
            return None
        able = [key for key in self.books if self._has_all_included(key)]
        return random.Random(f"book {seed}").choice(able or self.books)  # noqa: S311 - no secret

    def _has_all_included(self, book: str) -> bool:
        """Tell whether a book has all units that are wished for."""
        try:
            self._included(self._known_units(book))
        except click.ClickException:
            return False
        return True

    def context(self, seed: int) -> DraftContext:
        """Give what the army of a seed is drafted from."""
        book = self._choose_book(seed)
        if book not in self.contexts:
            self.contexts[book] = self._build_context(book)
        return self.contexts[book]

    def _build_context(self, book_id: str | None) -> DraftContext:
        from muster.armies import load_book
        from muster.solver.draft_context import DraftContext, DraftRequest, unit_types_in

        book = load_book(self.system, book_id, self.folders) if book_id is not None else None
        known = self._known_units(book_id)
        include = self._included(known)
        # Nothing is lost where a unit is not wanted that the book does not have.
        everywhere = [pair for key in (None, *self.books) for pair in self._known_units(key)]
        named = list(dict.fromkeys([*known, *everywhere]))
        exclude = frozenset(match_name(each, named, "unit") for each in self.options.exclude)
        both = sorted(exclude & include.keys())
        if both:
            raise click.UsageError(f"{both[0]} is both included and excluded")
        own = frozenset(key for key, _ in known)
        also = unit_types_in(self.example) if self.example is not None else frozenset[str]()
        wishes = DraftRequest(self.limit, include, exclude & own, also)
        return DraftContext(self.composition, book, self.drafting, self.theme, wishes)

    def _known_units(self, book_id: str | None) -> list[tuple[str, str]]:
        """List the units that may be named with a book, by id and title."""
        from muster.armies import load_book
        from muster.solver.draft_context import DraftContext, DraftRequest

        book = load_book(self.system, book_id, self.folders) if book_id is not None else None
        bare = DraftContext(
            self.composition, book, self.drafting, self.theme, DraftRequest(self.limit)
        )
        return [(key, what.title) for key, what in bare.known.items()]

    def _included(self, known: list[tuple[str, str]]) -> dict[str, int | None]:
        include: dict[str, int | None] = {}
        for each in self.options.include:
            word, _, number = each.partition("=")
            include[match_name(word, known, "unit")] = (
                _parse_count(each, number) if "=" in each else None
            )
        return include

    # What comes of it

    def armies(self, seed: int, count: int) -> Iterator[tuple[int, DraftedArmy | NoLegalDraft]]:
        """Draft different armies, each with its seed; the first impossible one is the last."""
        from muster.solver.drafting import DraftHeader, NoLegalDraft, draft_army

        seen: set[str] = set()
        for number in range(seed, seed + count * _TRIES_PER_ARMY):
            kit = self.context(number)
            head = DraftHeader(self.name(number), self.header_comments(number))
            found = draft_army(kit, self.shelf, number, head)
            if isinstance(found, NoLegalDraft):
                yield number, found
                return
            if found.fingerprint not in seen:
                seen.add(found.fingerprint)
                yield number, found
            if len(seen) == count:
                return

    def name(self, seed: int) -> str:
        """Name an army by its book, theme and seed."""
        book = self.context(seed).book
        title = book.title if book is not None else self.system.title
        theme = self.theme.title
        return f"{title}, {theme[:1].lower()}{theme[1:]}, no. {seed}"

    def header_comments(self, seed: int) -> list[str]:
        """Say at the head of a file how its army was drafted, and how it is drafted again."""
        asked = self.options
        book = self.context(seed).book
        words = ["muster", "draft", self.system.id]
        words += ["--book", book.id] if book is not None else []
        words += ["--limit", f"{self.limit.normalize():f}"]
        for name, values in (("--include", asked.include), ("--exclude", asked.exclude)):
            for value in values:
                words += [name, value]
        words += ["--like", asked.like] if asked.like is not None else []
        if asked.like is None and self.theme.id != _NO_THEME:
            words += ["--theme", self.theme.id]
        words += ["--seed", str(seed)]
        limit = f"{self.limit.normalize():f} {'points' if self.composition.has_prices else 'units'}"
        told = f"Drafted by Muster: {limit}, {self.theme.title}. The same again:"
        return [told, shlex.join(words)]

    def target_path(self, out: Path | None, seed: int) -> Path:
        """Give the file for the army of a seed."""
        if out is not None and out.suffix == ".yaml":
            return out
        book = self.context(seed).book
        stem = f"{book.id if book is not None else self.system.id}-{self.theme.id}-{seed}"
        return (out or Path("armies", self.system.id)) / f"{stem}.yaml"


def _parse_count(each: str, number: str) -> int:
    from muster.armies.fields import read_whole

    try:
        found = read_whole(number)
    except ValueError as fault:
        raise click.UsageError(f"--include {each}: {fault}, such as hussars=2") from None
    if not found:
        raise click.UsageError(f"--include {each}: none of a unit is --exclude")
    return found


def _draw_seed() -> int:
    import random

    return random.SystemRandom().randrange(_SEED_COUNT)


def _refuse_overwrite(target: Path, text: str, *, force: bool) -> None:
    """Refuse to write over anything unasked, unless it is the same already."""
    if target.exists() and not force and target.read_bytes() != text.encode():
        raise click.UsageError(f"{target} is there already; name another with --out, or --force")


def _army_summary(desk: _Drafter, army: DraftedArmy) -> str:
    """Say in a line what an army comes to."""
    limit, total = (f"{each.normalize():f}" for each in (desk.limit, army.total))
    parts = [f"{total} of {limit} {'points' if desk.composition.has_prices else 'units'}"]
    if desk.composition.has_prices:
        parts.append(_counted(army.units, "unit"))
    else:
        parts.append(f"no points in {desk.system.title}")
    if army.rolls:
        parts.append(f"{len(army.rolls)} rolled")
    warnings = len(army.verdict.findings)
    parts.append(f"legal, {_counted(warnings, 'warning')}" if warnings else "legal")
    return ", ".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _print_contradiction(desk: _Drafter, found: NoLegalDraft) -> None:
    """Name the rules and wishes that no army can keep together."""
    show.result(f"{desk.system.title}: there is no such army; these contradict each other:")
    for words, source in dict.fromkeys((g.message, f"{g.code}; {g.source}") for g in found.rules):
        show.result(f"  {words} [{source}]")
