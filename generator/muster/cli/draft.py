"""`muster draft`: write legal armies that meet a request, or print the rules that forbid them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.army_files import ArmyFiles
from muster.cli.name_matching import match_name
from muster.cli.options import (
    FINDINGS,
    FINE,
    SEED,
    draw_seed,
    open_library,
    refuse_overwrite,
    require_solver,
)
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.armies import Army
    from muster.armies.themes import Drafting, Theme
    from muster.solver.cpsat import Conflict
    from muster.solver.draft_context import DraftContext
    from muster.solver.drafting import DraftedArmy
    from muster.systems import Library, System

_NO_THEME = "any"
"""The theme of a system that has none: every type is as likely as any other."""

_MAX_ARMIES = 100
"""The largest number of armies that one command drafts."""

_TRIES_PER_ARMY = 5
"""The number of seeds that are tried for each army that is to differ from the others."""


@dataclass(frozen=True, slots=True)
class DraftOptions:
    """The options that describe an army, as they were typed."""

    system: str
    book: str | None
    limit: str | None
    theme: str | None
    like: str | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]


@click.command("draft")
@click.argument("system")
@click.option("--book", metavar="BOOK", help="Army book. [default: chosen by the seed]")
@click.option(
    "--limit",
    metavar="N",
    help="Points to spend, or number of units in a system without points. [default: the system's"
    " usual limit]",
)
@click.option(
    "--include",
    multiple=True,
    metavar="UNIT[=COUNT]",
    help="Include this unit, or this many of it; may be repeated.",
)
@click.option(
    "--exclude", multiple=True, metavar="UNIT", help="Leave this unit out; may be repeated."
)
@click.option(
    "--like",
    metavar="ARMY",
    help="Draft an army similar to this one, at --limit or its own limit.",
)
@click.option(
    "--theme",
    metavar="THEME",
    help="Theme that sets the proportions; `muster list` shows the themes.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="The same seed gives the same army. [default: random, and printed]",
)
@click.option(
    "--count",
    type=click.IntRange(1, _MAX_ARMIES),
    default=1,
    metavar="N",
    help="Draft N different armies, using consecutive seeds.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER|FILE",
    help="Folder or file to write to. [default: armies/SYSTEM]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
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
    """Draft legal armies that spend their limit, as army files to build on.

    Each level of command is filled in the proportions of a theme. Values that the rules leave to
    dice are rolled. In a system without points, --limit counts units. If no army meets the
    request, the rules and options that conflict are listed.
    """
    require_solver("draft")
    from muster.building.store import write_result
    from muster.solver.cpsat import Conflict, SolverGaveUpError
    from muster.solver.draft_context import TooLargeError

    if theme is not None and like is not None:
        raise click.UsageError("use --theme or --like, not both")
    if count > 1 and out is not None and out.suffix == ".yaml":
        raise click.UsageError(f"{out} is a file, expected a folder for {count} armies")
    options = DraftOptions(system, book, limit, theme, like, include, exclude)
    drafter = _Drafter(open_library(), options)
    if seed is None:
        seed = draw_seed()
    written = 0
    try:
        for army_seed, army in drafter.armies(seed, count):
            if isinstance(army, Conflict):
                _print_contradiction(drafter.system, army)
                return FINDINGS
            target = drafter.target_path(out, army_seed)
            data = army.text.encode()
            if not target.is_file() or target.read_bytes() != data:
                refuse_overwrite(target, force=force)
            write_result(target, data)
            show.result(f"wrote {target}: {_army_summary(drafter, army)}")
            written += 1
    except TooLargeError as error:
        raise click.UsageError(str(error)) from None
    except SolverGaveUpError as error:
        raise click.ClickException(f"{error}; ask for less, or try another seed") from None
    if written < count:
        show.note(f"only {written} different armies were found")
    show.note(f"next: {show.command('check', str(drafter.target_path(out, seed)))}")
    return FINE


def _army_summary(drafter: _Drafter, army: DraftedArmy) -> str:
    """Return an army's total, size, rolls and verdict in one line."""
    limit, total = show.decimal_text(drafter.limit), show.decimal_text(army.total)
    parts = [f"{total} of {limit} {drafter.limit_noun}"]
    if drafter.composition.has_prices:
        parts.append(show.counted(army.units, "unit"))
    else:
        parts.append("the rules have no points")
    if army.rolls:
        parts.append(f"{len(army.rolls)} rolled")
    warnings = len(army.verdict.findings)
    parts.append(f"legal, {show.counted(warnings, 'warning')}" if warnings else "legal")
    return ", ".join(parts)


def _print_contradiction(system: System, conflict: Conflict) -> None:
    """Print the rules and options that no army can meet together."""
    show.result(f"{system.title}: no army meets the request; these rules conflict:")
    rules = [(group.message, f"{group.code}; {group.source}") for group in conflict.rules]
    for words, source in dict.fromkeys(rules):
        show.result(f"  {words} [{source}]")


class _Drafter:
    """Drafts armies as the options describe them, and names their files.

    It reads what all armies share once, and keeps the draft context of each army book.
    """

    def __init__(self, library: Library, options: DraftOptions) -> None:
        from muster.armies import book_ids
        from muster.armies.composition import load_composition
        from muster.armies.themes import load_drafting

        self.library = library
        self.options = options
        self.system: System = library.find_system(options.system)
        self.composition = load_composition(self.system)
        self.drafting: Drafting = load_drafting(self.system)
        self.folders = library.book_folders(self.system.id)
        self.books = book_ids(self.system, self.folders)
        self.example = self._read_example()
        self.theme = self._choose_theme()
        self._refuse_bad_theme()
        self.limit = self._choose_limit()
        self.limit_noun = "points" if self.composition.has_prices else "units"
        self.contexts: dict[str | None, DraftContext] = {}

    def _read_example(self) -> Army | None:
        """Read the army of `--like`, given by its file or by its name."""
        from muster.armies import load_army

        if self.options.like is None:
            return None
        path = ArmyFiles(self.library, [self.system.id]).find(self.options.like)
        army = load_army(path, self.library)
        if army.system.id != self.system.id:
            raise click.UsageError(
                f"{path} is an army for {army.system.title}, expected one for {self.system.title}"
            )
        return army

    def _choose_theme(self) -> Theme:
        """Return the theme of the example, of `--theme` or of the system, or else no theme."""
        from muster.armies.themes import Theme, load_theme, theme_ids
        from muster.solver.draft_context import theme_like

        if self.example is not None:
            return theme_like(self.example, f"like {self.example.name}")
        known = [(key, load_theme(self.system, key).title) for key in theme_ids(self.system)]
        if self.options.theme is not None and not known:
            raise click.UsageError(
                f"there are no themes for {self.system.title}; leave out --theme"
            )
        if self.options.theme is not None:
            return load_theme(self.system, match_name(self.options.theme, known, "theme"))
        if self.drafting.theme is not None:
            return load_theme(self.system, self.drafting.theme)
        return Theme(id=_NO_THEME, title="Any")

    def _refuse_bad_theme(self) -> None:
        """Refuse a theme or drafting layout that names something that does not exist.

        Raises:
            MusterError: With the errors of both files.
        """
        from muster.armies import load_book
        from muster.armies.lint_themes import theme_issues
        from muster.armies.possible_values import Possibilities

        books = [load_book(self.system, key, self.folders) for key in self.books]
        themes = [] if self.example is not None or self.theme.id == _NO_THEME else [self.theme.id]
        issues = theme_issues(self.system, Possibilities(self.composition, books), themes)
        problems = [issue.problem for issue in issues if issue.severity == "error"]
        if problems:
            raise MusterError(problems)

    def _choose_limit(self) -> Decimal:
        """Return the limit of `--limit`, of the example or of the system, in points or units."""
        from muster.armies.fields import read_points, read_whole

        raw = self.options.limit
        if raw is None:
            if self.example is not None:
                return self.example.limit or self._total_of(self.example)
            if self.drafting.limit is None:
                raise click.UsageError(
                    f"there is no usual limit for {self.system.title}; use --limit N"
                )
            return Decimal(self.drafting.limit)
        try:
            limit = read_points(raw) if self.composition.has_prices else Decimal(read_whole(raw))
        except ValueError:
            limit = Decimal(0)
        if limit <= 0:
            expected = (
                "a number of points above 0 such as 250 or 12.5"
                if self.composition.has_prices
                else "a whole number of units above 0 such as 12"
            )
            raise click.UsageError(f"--limit: read {raw!r}, expected {expected}")
        return limit

    def _total_of(self, army: Army) -> Decimal:
        """Return the points of an army, or the number of its units in a system without points."""
        from muster.armies import check
        from muster.armies.vocabulary import LEADER

        points = check(army).points
        units = (node for node in army.nodes() if not node.is_branch and node.level != LEADER)
        return points if points is not None else Decimal(sum(node.count for node in units))

    def armies(self, seed: int, count: int) -> Iterator[tuple[int, DraftedArmy | Conflict]]:
        """Yield up to *count* different armies, each with its seed; stop at an impossible one."""
        from muster.solver.cpsat import Conflict
        from muster.solver.drafting import DraftHeader, draft_army

        seen: set[str] = set()
        for number in range(seed, seed + count * _TRIES_PER_ARMY):
            context = self.context(number)
            header = DraftHeader(self.name(number), self.header_comments(number))
            draft = draft_army(context, self.library, number, header)
            if isinstance(draft, Conflict):
                yield number, draft
                return
            if draft.fingerprint not in seen:
                seen.add(draft.fingerprint)
                yield number, draft
            if len(seen) == count:
                return

    def context(self, seed: int) -> DraftContext:
        """Return the draft context of a seed's army book, built when it is first needed."""
        book = self._choose_book(seed)
        if book not in self.contexts:
            self.contexts[book] = self._build_context(book)
        return self.contexts[book]

    def _choose_book(self, seed: int) -> str | None:
        """Return the id of the book of `--book`, of the example's, or of one that is drawn."""
        import random

        if self.options.book is not None:
            return match_name(self.options.book, [(key, key) for key in self.books], "army book")
        if self.example is not None:
            book = self.example.root.kind.book
            return book.id if book is not None else None
        if not self.books:
            return None
        suitable = [key for key in self.books if self._has_all_included(key)]
        return random.Random(f"book {seed}").choice(suitable or self.books)  # noqa: S311 - no secret

    def _has_all_included(self, book: str) -> bool:
        """Return whether a book has all units of `--include`."""
        try:
            self._included(self._known_units(book))
        except click.ClickException:
            return False
        return True

    def _build_context(self, book_id: str | None) -> DraftContext:
        from muster.armies import load_book
        from muster.solver.draft_context import DraftContext, DraftRequest, unit_types_in

        book = load_book(self.system, book_id, self.folders) if book_id is not None else None
        known = self._known_units(book_id)
        include = self._included(known)
        # A unit that only another book has may be excluded too: the book may have been drawn.
        everywhere = [unit for key in (None, *self.books) for unit in self._known_units(key)]
        names = list(dict.fromkeys([*known, *everywhere]))
        exclude = frozenset(match_name(typed, names, "unit") for typed in self.options.exclude)
        both = sorted(exclude & include.keys())
        if both:
            raise click.UsageError(f"{both[0]} is both included and excluded")
        own = frozenset(key for key, _ in known)
        also = unit_types_in(self.example) if self.example is not None else frozenset[str]()
        request = DraftRequest(self.limit, include, exclude & own, also)
        return DraftContext(self.composition, book, self.drafting, self.theme, request)

    def _known_units(self, book_id: str | None) -> list[tuple[str, str]]:
        """Return the id and the title of each unit that an army of a book can have."""
        from muster.armies import load_book
        from muster.solver.draft_context import DraftContext, DraftRequest

        book = load_book(self.system, book_id, self.folders) if book_id is not None else None
        request = DraftRequest(self.limit)
        context = DraftContext(self.composition, book, self.drafting, self.theme, request)
        return [(key, unit.title) for key, unit in context.nameable_units.items()]

    def _included(self, known: list[tuple[str, str]]) -> dict[str, int | None]:
        """Return the id of each unit of `--include`, with its number if one was given."""
        include: dict[str, int | None] = {}
        for typed in self.options.include:
            name, equals, number = typed.partition("=")
            count = _parse_count(typed, number) if equals else None
            include[match_name(name, known, "unit")] = count
        return include

    def name(self, seed: int) -> str:
        """Return the name of an army, made of its book, theme and seed."""
        book = self.context(seed).book
        title = book.title if book is not None else self.system.title
        theme = self.theme.title
        return f"{title}, {theme[:1].lower()}{theme[1:]}, no. {seed}"

    def header_comments(self, seed: int) -> list[str]:
        """Return comments that tell how an army was drafted, with the command that repeats it."""
        options = self.options
        book = self.context(seed).book
        limit = show.decimal_text(self.limit)
        words = ["muster", "draft", self.system.id]
        words += ["--book", book.id] if book is not None else []
        words += ["--limit", limit]
        for name, values in (("--include", options.include), ("--exclude", options.exclude)):
            for value in values:
                words += [name, value]
        words += ["--like", options.like] if options.like is not None else []
        if options.like is None and self.theme.id != _NO_THEME:
            words += ["--theme", self.theme.id]
        words += ["--seed", str(seed)]
        origin = f"Drafted by Muster: {limit} {self.limit_noun}, {self.theme.title}."
        return [f"{origin} To draft the same army again:", shlex.join(words)]

    def target_path(self, out: Path | None, seed: int) -> Path:
        """Return the file for the army of a seed; *out* is a `.yaml` file or a folder."""
        if out is not None and out.suffix == ".yaml":
            return out
        book = self.context(seed).book
        stem = f"{book.id if book is not None else self.system.id}-{self.theme.id}-{seed}"
        return (out or Path("armies", self.system.id)) / f"{stem}.yaml"


def _parse_count(typed: str, number: str) -> int:
    """Return the number of an `--include` option, at least 1; *typed* is the whole option."""
    from muster.armies.fields import read_whole

    try:
        count = read_whole(number)
    except ValueError as error:
        raise click.UsageError(f"--include {typed}: {error}, such as hussars=2") from None
    if not count:
        raise click.UsageError(f"--include {typed}: to leave a unit out, use --exclude")
    return count
