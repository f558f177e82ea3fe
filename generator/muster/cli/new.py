"""`muster new`: write a commented starting point for an army or a rule system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.name_matching import match_name
from muster.cli.options import FINE, library
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.armies import Verdict
    from muster.systems import Library, System

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_ID_LENGTH = 60
_GAP = re.compile(r"\{\{([a-z]+)(?::([a-z0-9-]+))?(?:\|([^}]*))?\}\}")
_NAME_LINE = re.compile(r"^name:.*$", re.MULTILINE)


@click.group("new")
def new_command() -> None:
    """Write a commented starting point that builds at once."""


@new_command.command("army")
@click.argument("name")
@click.option("--system", "system_id", help="The rule system; needed if there are several.")
@click.option("--book", "book_id", help="The army book.")
def new_army_command(*, name: str, system_id: str | None, book_id: str | None) -> int:
    """Write armies/<system>/<NAME>.yaml, a legal army to go on from."""
    _refuse_bad_name(name)
    shelf = library()
    system = shelf.system(_choose_system(shelf, system_id))
    target = Path("armies", system.id, f"{name}.yaml")
    _refuse_overwrite([target])
    text = _army_text(shelf, system, name, book_id)
    _write_files({target: text})
    show.note(f"muster check {target}")
    return FINE


@new_command.command("system")
@click.argument("name")
def new_system_command(*, name: str) -> int:
    """Write content/<NAME>, a small rule system to rewrite, and an army for it."""
    _refuse_bad_name(name)
    shelf = library()
    if name in shelf.systems():
        raise click.UsageError(f"there is a rule system {name!r} already")
    scaffold = _find_scaffold(shelf, "system")
    if scaffold is None:
        raise click.ClickException("templates/new/system is missing; install Muster again")
    said = {"id": name, "title": title_of_id(name), "army": "First army"}
    files = {}
    for path in sorted([*scaffold.rglob("*.yaml"), *scaffold.rglob("*.md")]):
        part = path.relative_to(scaffold)
        text = fill_gaps(path.read_text(encoding="utf-8"), said)
        if part == Path("army.yaml"):
            files[Path("armies", name, "first.yaml")] = text
        else:
            files[Path("content", name) / part] = text
    _refuse_overwrite(files)
    _write_files(files)
    show.note(f"muster lint {name}; muster check armies/{name}/first.yaml; muster build {name}")
    return FINE


def title_of_id(name: str) -> str:
    """Make a title of an id: `first-army` becomes `First army`."""
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


def fill_gaps(text: str, said: Mapping[str, str]) -> str:
    """Fill in the gaps `{{word}}`, `{{word:kind}}` and `{{word:kind|default}}` of a scaffold.

    A gap is looked up as `word:kind` first, then as `word`; else it is its default, which is
    the kind where none is written.
    """

    def fill(gap: re.Match[str]) -> str:
        word, kind, default = gap.groups()
        return said.get(f"{word}:{kind}", said.get(word, default or kind or ""))

    return _GAP.sub(fill, text)


# What is refused


def _refuse_bad_name(name: str) -> None:
    if not _ID.fullmatch(name) or len(name) > _MAX_ID_LENGTH:
        nearest = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_MAX_ID_LENGTH].strip("-")
        hint = f" such as {nearest}" if nearest else " such as advance-guard"
        raise click.UsageError(
            f"read {name[:80]!r}, expected a name of small letters, digits and hyphens{hint}"
        )


def _refuse_overwrite(files: Mapping[Path, str] | list[Path]) -> None:
    """Refuse to write over anything."""
    old = [path for path in files if path.exists()]
    if old:
        raise click.UsageError(f"{old[0]} is there already; choose another name")


# Armies


def _choose_system(shelf: Library, asked: str | None) -> str:
    systems = shelf.systems()
    if asked is not None:
        return match_name(asked, [(key, key) for key in systems], "system")
    own = [key for key, found in systems.items() if found.own]
    if len(systems) == 1 or len(own) == 1:
        return (own or list(systems))[0]
    raise click.UsageError(f"name the rule system: --system {'|'.join(systems)}")


def _army_text(shelf: Library, system: System, name: str, book_id: str | None) -> str:
    """Give the text of a new army: of its system's scaffold, or of a legal army that is there."""
    from muster.armies import book_ids, find_books, load_book

    folders = shelf.book_folders(system.id)
    books = book_ids(system, folders)
    if book_id is not None:
        book_id = match_name(book_id, [(key, key) for key in books], "army book")
    scaffold = _find_scaffold(shelf, f"armies/{system.id}.yaml")
    if scaffold is None:
        return _copy_of_legal_army(shelf, system, name, book_id)
    text = scaffold.read_text(encoding="utf-8")
    default = next((gap[2] for gap in _GAP.finditer(text) if gap[1] == "book"), None)
    chosen = book_id or (default if default in find_books(system, folders) else None)
    plain = {"title": title_of_id(name)}
    if chosen is None:
        return re.sub(r"^book:.*\n", "", fill_gaps(text, plain), flags=re.MULTILINE)
    said = {**plain, "book": chosen}
    by_type: dict[str, str] = {}
    for unit in load_book(system, chosen, folders).units.values():
        by_type.setdefault(f"unit:{unit.entry.id}", unit.id)
    best = fill_gaps(text, {**said, **by_type})
    # A book's first unit of a type may be special; the plain type is always what it says.
    return best if _is_legal(shelf, best) else fill_gaps(text, said)


def _copy_of_legal_army(shelf: Library, system: System, name: str, book_id: str | None) -> str:
    """Take the shortest legal army of the system, under the new name."""
    texts = [found.path.read_text(encoding="utf-8") for found in shelf.armies(system.id).values()]
    for text in sorted(texts, key=len):
        copy = _NAME_LINE.sub(f"name: {title_of_id(name)}", text, count=1)
        if book_id is not None:
            copy = re.sub(r"^book:.*$", f"book: {book_id}", copy, count=1, flags=re.MULTILINE)
        if _is_legal(shelf, copy):
            return copy
    raise click.ClickException(
        f"{system.title} has no starting point: write templates/new/armies/{system.id}.yaml,"
        f" or a first legal army in armies/{system.id}"
    )


def _is_legal(shelf: Library, text: str) -> bool:
    """Tell whether a text is an army that can be read and is legal."""
    from muster.armies import army_from_document, check
    from muster.yamlfile import document_from_text

    try:
        verdict: Verdict = check(army_from_document(document_from_text(text, "new.yaml"), shelf))
    except MusterError:
        return False
    return verdict.legal


def _find_scaffold(shelf: Library, name: str) -> Path | None:
    """Find a scaffold, the folder's own first."""
    for folder in shelf.templates():
        if (folder / "new" / name).exists():
            return folder / "new" / name
    return None


def _write_files(files: Mapping[Path, str]) -> None:
    from muster.building.store import write_whole

    for path, text in files.items():
        write_whole(path, text.encode())
        show.result(f"wrote {path}")
