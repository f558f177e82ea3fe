"""Owns `muster new`: commented starting points for an army or a rule system.

Does not hold their text: that lies in templates/new, where a folder's own takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import show
from generator.cli.choices import FINE, library
from generator.cli.naming import find
from generator.problems import MusterError

if TYPE_CHECKING:
    from generator.armies import Verdict
    from generator.systems import Library, System

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 60
_BLANK = re.compile(r"\{\{([a-z]+)(?::([a-z0-9-]+))?(?:\|([^}]*))?\}\}")
_NAME = re.compile(r"^name:.*$", re.MULTILINE)


@click.group("new")
def command() -> None:
    """Write a commented starting point that builds at once."""


@command.command("army")
@click.argument("name")
@click.option("--system", "system_id", help="The rule system; needed if there are several.")
@click.option("--book", "book_id", help="The army book.")
def army(*, name: str, system_id: str | None, book_id: str | None) -> int:
    """Write armies/<system>/<NAME>.yaml, a legal army to go on from."""
    _refuse_bad(name)
    shelf = library()
    system = shelf.system(_system(shelf, system_id))
    target = Path("armies", system.id, f"{name}.yaml")
    _refuse_old([target])
    text = _army_text(shelf, system, name, book_id)
    _write({target: text})
    show.note(f"muster check {target}")
    return FINE


@command.command("system")
@click.argument("name")
def system(*, name: str) -> int:
    """Write content/<NAME>, a small rule system to rewrite, and an army for it."""
    _refuse_bad(name)
    shelf = library()
    if name in shelf.systems():
        raise click.UsageError(f"there is a rule system {name!r} already")
    scaffold = _scaffold(shelf, "system")
    if scaffold is None:
        raise click.ClickException("templates/new/system is missing; install Muster again")
    said = {"id": name, "title": titled(name), "army": "First army"}
    files = {}
    for path in sorted([*scaffold.rglob("*.yaml"), *scaffold.rglob("*.md")]):
        part = path.relative_to(scaffold)
        text = filled(path.read_text(encoding="utf-8"), said)
        if part == Path("army.yaml"):
            files[Path("armies", name, "first.yaml")] = text
        else:
            files[Path("content", name) / part] = text
    _refuse_old(files)
    _write(files)
    show.note(f"muster lint {name}; muster check armies/{name}/first.yaml; muster build {name}")
    return FINE


def titled(name: str) -> str:
    """Make a title of an id: `first-army` becomes `First army`."""
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


def filled(text: str, said: Mapping[str, str]) -> str:
    """Fill in the gaps `{{word}}`, `{{word:kind}}` and `{{word:kind|default}}` of a scaffold.

    A gap is looked up as `word:kind` first, then as `word`; else it is its default, which is
    the kind where none is written.
    """

    def fill(gap: re.Match[str]) -> str:
        word, kind, default = gap.groups()
        return said.get(f"{word}:{kind}", said.get(word, default or kind or ""))

    return _BLANK.sub(fill, text)


# What is refused


def _refuse_bad(name: str) -> None:
    if not _ID.fullmatch(name) or len(name) > _LONGEST:
        nearest = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_LONGEST].strip("-")
        hint = f" such as {nearest}" if nearest else " such as advance-guard"
        raise click.UsageError(
            f"read {name[:80]!r}, expected a name of small letters, digits and hyphens{hint}"
        )


def _refuse_old(files: Mapping[Path, str] | list[Path]) -> None:
    """Refuse to write over anything."""
    old = [path for path in files if path.exists()]
    if old:
        raise click.UsageError(f"{old[0]} is there already; choose another name")


# Armies


def _system(shelf: Library, asked: str | None) -> str:
    systems = shelf.systems()
    if asked is not None:
        return find(asked, [(key, key) for key in systems], "system")
    own = [key for key, found in systems.items() if found.own]
    if len(systems) == 1 or len(own) == 1:
        return (own or list(systems))[0]
    raise click.UsageError(f"name the rule system: --system {'|'.join(systems)}")


def _army_text(shelf: Library, system: System, name: str, book_id: str | None) -> str:
    """Give the text of a new army: of its system's scaffold, or of a legal army that is there."""
    from generator.armies import book_ids, find_books, load_book

    folders = shelf.book_folders(system.id)
    books = book_ids(system, folders)
    if book_id is not None:
        book_id = find(book_id, [(key, key) for key in books], "army book")
    scaffold = _scaffold(shelf, f"armies/{system.id}.yaml")
    if scaffold is None:
        return _copied(shelf, system, name, book_id)
    text = scaffold.read_text(encoding="utf-8")
    default = next((gap[2] for gap in _BLANK.finditer(text) if gap[1] == "book"), None)
    chosen = book_id or (default if default in find_books(system, folders) else None)
    plain = {"title": titled(name)}
    if chosen is None:
        return re.sub(r"^book:.*\n", "", filled(text, plain), flags=re.MULTILINE)
    said = {**plain, "book": chosen}
    by_type: dict[str, str] = {}
    for unit in load_book(system, chosen, folders).units.values():
        by_type.setdefault(f"unit:{unit.entry.id}", unit.id)
    best = filled(text, {**said, **by_type})
    # A book's first unit of a type may be special; the plain type is always what it says.
    return best if _legal(shelf, best) else filled(text, said)


def _copied(shelf: Library, system: System, name: str, book_id: str | None) -> str:
    """Take the shortest legal army of the system, under the new name."""
    texts = [found.path.read_text(encoding="utf-8") for found in shelf.armies(system.id).values()]
    for text in sorted(texts, key=len):
        copy = _NAME.sub(f"name: {titled(name)}", text, count=1)
        if book_id is not None:
            copy = re.sub(r"^book:.*$", f"book: {book_id}", copy, count=1, flags=re.MULTILINE)
        if _legal(shelf, copy):
            return copy
    raise click.ClickException(
        f"{system.title} has no starting point: write templates/new/armies/{system.id}.yaml,"
        f" or a first legal army in armies/{system.id}"
    )


def _legal(shelf: Library, text: str) -> bool:
    """Tell whether a text is an army that can be read and is legal."""
    from generator.armies import army_from, check
    from generator.reading import document_from_text

    try:
        verdict: Verdict = check(army_from(document_from_text(text, "new.yaml"), shelf))
    except MusterError:
        return False
    return verdict.legal


def _scaffold(shelf: Library, name: str) -> Path | None:
    """Find a scaffold, the folder's own first."""
    for folder in shelf.templates():
        if (folder / "new" / name).exists():
            return folder / "new" / name
    return None


def _write(files: Mapping[Path, str]) -> None:
    from generator.pipeline.store import write_whole

    for path, text in files.items():
        write_whole(path, text.encode())
        show.result(f"wrote {path}")
