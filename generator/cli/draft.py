"""Owns `muster draft`: wishes in, army files out, or why there is no such army.

Does not draft (see `solving.draft`) and does not know what an army looks like.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, library
from generator.cli.extras import need_solver
from generator.cli.naming import find
from generator.problems import MusterError

if TYPE_CHECKING:
    from generator.armies import Army
    from generator.armies.themes import Drafting, Theme
    from generator.solving.draft import Drafted, Impossible
    from generator.solving.draft_kit import Kit
    from generator.systems import Library, System

_SEEDS = 1_000_000
"""As many seeds are drawn from: a number that people can read out to each other."""

_ANY = "any"
"""The theme of a system that has none: every type is as likely as any other."""

_MOST = 100
"""As many armies are drafted at once."""

_TRIES = 5
"""As many seeds are tried for each army that is to differ from the others."""


@dataclass(frozen=True, slots=True)
class Asked:
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
    type=click.IntRange(1, _MOST),
    default=1,
    metavar="K",
    help="Draft K different armies, with one seed after the other.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR|FILE", help="Where to.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
def command(  # noqa: PLR0913 - one for each option
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
    need_solver("draft")
    from generator.pipeline.store import write_whole
    from generator.solving.cpsat import TooHardError
    from generator.solving.draft import Impossible
    from generator.solving.draft_kit import TooLargeError

    if theme is not None and like is not None:
        raise click.UsageError("name a theme or an army to be like, not both")
    if count > 1 and out is not None and out.suffix == ".yaml":
        raise click.UsageError(f"{out} is one file; name a folder for {count} armies")
    shelf = library()
    asked = Asked(system, book, limit, theme, like, include, exclude)
    desk = _Desk(shelf, asked)
    if seed is None:
        seed = _drawn()
    told = 0
    try:
        for number, army in desk.armies(seed, count):
            if isinstance(army, Impossible):
                _contradicted(desk, army)
                return FINDINGS
            target = desk.target(out, number)
            _refuse_old(target, army.text, force=force)
            write_whole(target, army.text.encode())
            show.result(f"wrote {target}: {_said(desk, army)}")
            told += 1
    except TooLargeError as fault:
        raise click.UsageError(str(fault)) from None
    except TooHardError as fault:
        raise click.ClickException(f"{fault}; ask for less, or with another seed") from None
    if told < count:
        show.note(f"no more than {told} different armies were found")
    show.note(f"muster check {desk.target(out, seed)}")
    return FINE


class _Desk:
    """What is asked for, read and ready; one kit for each book."""

    def __init__(self, shelf: Library, asked: Asked) -> None:
        from generator.armies import book_ids
        from generator.armies.composing import load_composition
        from generator.armies.themes import load_drafting

        self.shelf = shelf
        self.asked = asked
        self.system: System = shelf.system(asked.system)
        self.composition = load_composition(self.system)
        self.drafting: Drafting = load_drafting(self.system)
        self.folders = shelf.book_folders(self.system.id)
        self.books = book_ids(self.system, self.folders)
        self.example = self._example()
        self.theme = self._theme()
        self._refuse_flawed()
        self.limit = self._limit()
        self.kits: dict[str | None, Kit] = {}

    # What was asked for

    def _example(self) -> Army | None:
        from generator.armies import read_army

        if self.asked.like is None:
            return None
        path = Path(self.asked.like)
        known = self.shelf.armies(self.system.id)
        if not path.exists() and self.asked.like in known:
            path = known[self.asked.like].path
        army = read_army(path, self.shelf)
        if army.system.id != self.system.id:
            raise click.UsageError(f"{path} is an army of {army.system.title}")
        return army

    def _theme(self) -> Theme:
        from generator.armies.themes import Theme, load_theme, theme_ids
        from generator.solving.draft_like import like

        if self.example is not None:
            return like(self.example, f"like {self.example.name}")
        known = [(key, load_theme(self.system, key).title) for key in theme_ids(self.system)]
        if self.asked.theme is not None and not known:
            raise click.UsageError(f"{self.system.title} has no themes: leave --theme out")
        if self.asked.theme is not None:
            return load_theme(self.system, find(self.asked.theme, known, "theme"))
        if self.drafting.theme is not None:
            return load_theme(self.system, self.drafting.theme)
        return Theme(id=_ANY, title="Any")

    def _refuse_flawed(self) -> None:
        """Refuse a theme or layout that names what is not there."""
        from generator.armies import load_book
        from generator.armies.lint_themes import theme_flaws
        from generator.armies.possible import Prospects

        books = [load_book(self.system, key, self.folders) for key in self.books]
        themes = [] if self.example is not None or self.theme.id == _ANY else [self.theme.id]
        flaws = theme_flaws(self.system, Prospects(self.composition, books), themes)
        faults = [flaw.problem for flaw in flaws if flaw.severity == "error"]
        if faults:
            raise MusterError(faults)

    def _limit(self) -> Decimal:
        from generator.armies.fields import read_points, read_whole

        raw = self.asked.limit
        if raw is None:
            if self.example is not None:
                return self.example.limit or self._size(self.example)
            if self.drafting.limit is None:
                raise click.UsageError(f"{self.system.title} has no usual limit: say --limit N")
            return Decimal(self.drafting.limit)
        try:
            found = read_points(raw) if self.composition.prices else Decimal(read_whole(raw))
        except ValueError as fault:
            raise click.UsageError(f"--limit: {fault}") from None
        if found <= 0:
            raise click.UsageError(f"--limit: read {raw!r}, expected more than 0")
        return found

    def _size(self, army: Army) -> Decimal:
        """Give what an army without a limit comes to."""
        from generator.armies import check
        from generator.armies.composition import LEADER

        points = check(army).points
        units = (node for node in army.nodes() if not node.is_branch and node.level != LEADER)
        return points if points is not None else Decimal(sum(node.count for node in units))

    def _book(self, seed: int) -> str | None:
        """Give the book's id: as asked for, the example's, or drawn."""
        import random

        if self.asked.book is not None:
            return find(self.asked.book, [(key, key) for key in self.books], "army book")
        if self.example is not None:
            book = self.example.root.sort.book
            return book.id if book is not None else None
        if not self.books:
            return None
        able = [key for key in self.books if self._has_all(key)]
        return random.Random(f"book {seed}").choice(able or self.books)  # noqa: S311 - no secret

    def _has_all(self, book: str) -> bool:
        """Tell whether a book has all units that are wished for."""
        try:
            self._wished(self._known(book))
        except click.ClickException:
            return False
        return True

    def kit(self, seed: int) -> Kit:
        """Give what the army of a seed is drafted from."""
        book = self._book(seed)
        if book not in self.kits:
            self.kits[book] = self._kit(book)
        return self.kits[book]

    def _kit(self, book_id: str | None) -> Kit:
        from generator.armies import load_book
        from generator.solving.draft_kit import Kit, Wishes
        from generator.solving.draft_like import types_in

        book = load_book(self.system, book_id, self.folders) if book_id is not None else None
        known = self._known(book_id)
        include = self._wished(known)
        # Nothing is lost where a unit is not wanted that the book does not have.
        everywhere = [pair for key in (None, *self.books) for pair in self._known(key)]
        named = list(dict.fromkeys([*known, *everywhere]))
        exclude = frozenset(find(each, named, "unit") for each in self.asked.exclude)
        both = sorted(exclude & include.keys())
        if both:
            raise click.UsageError(f"{both[0]} is both included and excluded")
        own = frozenset(key for key, _ in known)
        also = types_in(self.example) if self.example is not None else frozenset[str]()
        wishes = Wishes(self.limit, include, exclude & own, also)
        return Kit(self.composition, book, self.drafting, self.theme, wishes)

    def _known(self, book_id: str | None) -> list[tuple[str, str]]:
        """List the units that may be named with a book, by id and title."""
        from generator.armies import load_book
        from generator.solving.draft_kit import Kit, Wishes

        book = load_book(self.system, book_id, self.folders) if book_id is not None else None
        bare = Kit(self.composition, book, self.drafting, self.theme, Wishes(self.limit))
        return [(key, what.title) for key, what in bare.known.items()]

    def _wished(self, known: list[tuple[str, str]]) -> dict[str, int | None]:
        include: dict[str, int | None] = {}
        for each in self.asked.include:
            word, _, number = each.partition("=")
            include[find(word, known, "unit")] = _count(each, number) if "=" in each else None
        return include

    # What comes of it

    def armies(self, seed: int, count: int) -> Iterator[tuple[int, Drafted | Impossible]]:
        """Draft different armies, each with its seed; the first impossible one is the last."""
        from generator.solving.draft import Head, Impossible, draft

        seen: set[str] = set()
        for number in range(seed, seed + count * _TRIES):
            kit = self.kit(number)
            head = Head(self.name(number), self.comments(number))
            found = draft(kit, self.shelf, number, head)
            if isinstance(found, Impossible):
                yield number, found
                return
            if found.imprint not in seen:
                seen.add(found.imprint)
                yield number, found
            if len(seen) == count:
                return

    def name(self, seed: int) -> str:
        """Name an army by its book, theme and seed."""
        book = self.kit(seed).book
        title = book.title if book is not None else self.system.title
        theme = self.theme.title
        return f"{title}, {theme[:1].lower()}{theme[1:]}, no. {seed}"

    def comments(self, seed: int) -> list[str]:
        """Say at the head of a file how its army was drafted, and how it is drafted again."""
        asked = self.asked
        book = self.kit(seed).book
        words = ["muster", "draft", self.system.id]
        words += ["--book", book.id] if book is not None else []
        words += ["--limit", f"{self.limit.normalize():f}"]
        for name, values in (("--include", asked.include), ("--exclude", asked.exclude)):
            for value in values:
                words += [name, value]
        words += ["--like", asked.like] if asked.like is not None else []
        if asked.like is None and self.theme.id != _ANY:
            words += ["--theme", self.theme.id]
        words += ["--seed", str(seed)]
        limit = f"{self.limit.normalize():f} {'points' if self.composition.prices else 'units'}"
        told = f"Drafted by Muster: {limit}, {self.theme.title}. The same again:"
        return [told, shlex.join(words)]

    def target(self, out: Path | None, seed: int) -> Path:
        """Give the file for the army of a seed."""
        if out is not None and out.suffix == ".yaml":
            return out
        book = self.kit(seed).book
        stem = f"{book.id if book is not None else self.system.id}-{self.theme.id}-{seed}"
        return (out or Path("armies", self.system.id)) / f"{stem}.yaml"


def _count(each: str, number: str) -> int:
    from generator.armies.fields import read_whole

    try:
        found = read_whole(number)
    except ValueError as fault:
        raise click.UsageError(f"--include {each}: {fault}, such as hussars=2") from None
    if not found:
        raise click.UsageError(f"--include {each}: none of a unit is --exclude")
    return found


def _drawn() -> int:
    import random

    return random.SystemRandom().randrange(_SEEDS)


def _refuse_old(target: Path, text: str, *, force: bool) -> None:
    """Refuse to write over anything unasked, unless it is the same already."""
    if target.exists() and not force and target.read_bytes() != text.encode():
        raise click.UsageError(f"{target} is there already; name another with --out, or --force")


def _said(desk: _Desk, army: Drafted) -> str:
    """Say in a line what an army comes to."""
    limit, total = (f"{each.normalize():f}" for each in (desk.limit, army.total))
    parts = [f"{total} of {limit} {'points' if desk.composition.prices else 'units'}"]
    if desk.composition.prices:
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


def _contradicted(desk: _Desk, found: Impossible) -> None:
    """Name the rules and wishes that no army can keep together."""
    show.result(f"{desk.system.title}: there is no such army; these contradict each other:")
    for words, source in dict.fromkeys((g.words, f"{g.code}; {g.source}") for g in found.rules):
        show.result(f"  {words} [{source}]")
