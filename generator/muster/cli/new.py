"""`muster new`: write a commented starting point for an army or a rule system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.army_files import MAX_ID_LENGTH, ArmyFiles, as_id
from muster.cli.name_matching import match_name
from muster.cli.options import FINE, open_library, refuse_overwrite
from muster.problems import MusterError, display_path
from muster.yamlfile.textfile import leads_out, link_problem, read_text

if TYPE_CHECKING:
    from muster.armies import Verdict
    from muster.systems import Library, System

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_GAP = re.compile(r"\{\{([a-z]+)(?::([a-z0-9-]+))?(?:\|([^}]*))?\}\}")
"""A gap of a scaffold: `{{word}}`, `{{word:kind}}` or `{{word:kind|default}}`."""

_GITIGNORE = """\
# What `muster build` writes, and what belongs to this machine.
/build/
/.venv/
"""

_NEXT_STEPS = """\
# After each change:
#   muster check {0}     {1}
#   muster build {0}     prints its roster, cards and sheet
"""
_NAME_LINE = re.compile(r"^name:.*$", re.MULTILINE)
_BOOK_LINE = re.compile(r"^book: *([a-z0-9-]+).*$", re.MULTILINE)


@click.group("new")
def new_command() -> None:
    """Write a commented starting point that builds as it is."""


@new_command.command("army")
@click.argument("name")
@click.option(
    "--system", "system_id", metavar="SYSTEM", help="Rule system; required if there are several."
)
@click.option("--book", "book_id", metavar="BOOK", help="Army book.")
def new_army_command(*, name: str, system_id: str | None, book_id: str | None) -> int:
    """Write armies/<system>/<NAME>.yaml, a legal army to build on."""
    refuse_bad_name(name)
    library = open_library()
    system = library.system(_choose_system(library, system_id))
    target = Path("armies", system.id, f"{name}.yaml")
    _refuse_existing([target])
    text = _army_text(library, system, name, book_id)
    write_files({target: text})
    word = ArmyFiles(library).name_for(system.id, name)
    show.note(f"next: muster check {word}; muster build {word}")
    show.note(f"units, sizes and prices: muster list {system.id} --book {_book_of(text)}")
    return FINE


@new_command.command("system")
@click.argument("name")
def new_system_command(*, name: str) -> int:
    """Write content/<NAME>, a small rule system to adapt, and an army for it.

    A .gitignore that leaves out what is built is added if there is none.
    """
    refuse_bad_name(name)
    library = open_library()
    if name in library.systems():
        raise click.UsageError(f"a rule system {name!r} already exists")
    scaffold = _find_scaffold(library, "system")
    if scaffold is None:
        raise click.ClickException("templates/new/system is missing; reinstall Muster")
    values = {"id": name, "title": title_of_id(name), "army": "First army"}
    files = {}
    for path in sorted([*scaffold.rglob("*.yaml"), *scaffold.rglob("*.md")]):
        part = path.relative_to(scaffold)
        text = fill_gaps(read_text(path, shown_as=display_path(path), within=scaffold), values)
        if part == Path("army.yaml"):
            files[Path("armies", name, "first.yaml")] = text
        else:
            files[Path("content", name) / part] = text
    _refuse_existing(files)
    if not Path(".gitignore").exists():
        files[Path(".gitignore")] = _GITIGNORE
    write_files(files)
    show.note(
        f"next: muster lint {name}; muster check armies/{name}/first.yaml; muster build {name}"
    )
    return FINE


def title_of_id(name: str) -> str:
    """Return an id as a title: `first-army` becomes `First army`."""
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


def fill_gaps(text: str, values: Mapping[str, str]) -> str:
    """Return a scaffold with its gaps `{{word}}`, `{{word:kind}}`, `{{word:kind|default}}` filled.

    A gap is filled with the value of `word:kind`, or else of `word`, or else with its default;
    the default of a gap without one is its kind.
    """

    def fill(gap: re.Match[str]) -> str:
        word, kind, default = gap.groups()
        return values.get(f"{word}:{kind}", values.get(word, default or kind or ""))

    return _GAP.sub(fill, text)


def refuse_bad_name(name: str) -> None:
    """Refuse a name that cannot be an id, and suggest the nearest that can.

    Raises:
        click.UsageError: If it is not an id, or too long for one.
    """
    if not _ID.fullmatch(name) or len(name) > MAX_ID_LENGTH:
        nearest = as_id(name)
        hint = f" such as {nearest}" if nearest else " such as advance-guard"
        raise click.UsageError(
            f"read {name[:80]!r}, expected a name of lower-case letters, digits and hyphens,{hint}"
        )


def _refuse_existing(files: Iterable[Path]) -> None:
    for path in files:
        refuse_overwrite(path, advice="choose another name")


def _choose_system(library: Library, name: str | None) -> str:
    """Return the id of the system of that name, or of the only one there is, or of the user's."""
    systems = library.systems()
    if name is not None:
        return library.find_system(name).id
    own = [key for key, system in systems.items() if system.own]
    if len(systems) == 1 or len(own) == 1:
        return (own or list(systems))[0]
    raise click.UsageError(f"choose the rule system: --system {'|'.join(systems)}")


def _army_text(library: Library, system: System, name: str, book_id: str | None) -> str:
    """Return the text of a new army: from its system's scaffold, or from an existing army."""
    from muster.armies import book_ids, find_books, load_book

    folders = library.book_folders(system.id)
    books = book_ids(system, folders)
    if book_id is not None:
        book_id = match_name(book_id, [(key, key) for key in books], "army book")
    scaffold = _find_scaffold(library, f"armies/{system.id}.yaml")
    if scaffold is None:
        return _copy_of_legal_army(library, system, name, book_id)
    text = read_text(scaffold, shown_as=display_path(scaffold), within=scaffold.parent)
    default = next((gap[2] for gap in _GAP.finditer(text) if gap[1] == "book"), None)
    chosen = book_id or (default if default in find_books(system, folders) else None)
    word = ArmyFiles(library).name_for(system.id, name)
    values = {"title": title_of_id(name), "army": word}
    if chosen is None:
        return re.sub(r"^book:.*\n", "", fill_gaps(text, values), flags=re.MULTILINE)
    values["book"] = chosen
    first_of_type: dict[str, str] = {}
    for unit in load_book(system, chosen, folders).units.values():
        first_of_type.setdefault(f"unit:{unit.entry.id}", unit.id)
    with_units = fill_gaps(text, {**values, **first_of_type})
    # A book's first unit of a type may have rules that make the army illegal; the type has none.
    return with_units if _is_legal(library, with_units) else fill_gaps(text, values)


def _book_of(text: str) -> str:
    """Return the army book that a new army names; `units`, the types of unit, without one."""
    from muster.documents.army_book import UNITS_ID

    named = re.search(r"^book: *(\S+)", text, re.MULTILINE)
    return named[1] if named else UNITS_ID


def _copy_of_legal_army(library: Library, system: System, name: str, book_id: str | None) -> str:
    """Return the text of the shortest legal army of the system, under the new name.

    For another army book its units, or types of unit, take the places of the army's own. What is
    not legal then is repaired, if the solver is installed.

    Raises:
        click.ClickException: If no army of the system is legal.
        MusterError: If none is, since the files of the system cannot be read.
    """
    from muster.armies import army_from_document, check, load_composition
    from muster.yamlfile import document_from_text

    word = ArmyFiles(library).name_for(system.id, name)
    armies = library.armies(system.id).values()
    cost = ", and what does it cost" if load_composition(system).has_prices else ""
    question = f"is it legal{cost}?"
    steps = f"{_NEXT_STEPS.format(word, question)}system:"
    texts = [read_text(army.path, shown_as=display_path(army.path)) for army in armies]
    copies: list[str] = []
    for text in sorted(texts, key=len):
        copy = _NAME_LINE.sub(f"name: {title_of_id(name)}", text, count=1)
        copy = re.sub(r"^system:", steps, copy, count=1, flags=re.MULTILINE)
        copies += [copy] if book_id is None else _copies_for_book(library, system, copy, book_id)
    for copy in copies:
        if _is_legal(library, copy):
            return copy
    for copy in copies if book_id is not None else ():
        repaired = _repaired(library, copy)
        if repaired:
            return repaired
    for army, text in zip(armies, texts, strict=True):
        name = display_path(army.path)
        try:
            check(army_from_document(document_from_text(text, name), library))
        except MusterError as error:
            # A broken table, not the army, is what has to be mended first.
            if all(problem.location.file != name for problem in error.problems):
                raise
    raise click.ClickException(
        f"there is no template for a new army of {system.title};"
        f" write templates/new/armies/{system.id}.yaml, or put a legal army into armies/{system.id}"
    )


def _copies_for_book(library: Library, system: System, text: str, book_id: str) -> list[str]:
    """Return an army with another book: as it is, with units of the book, with bare types."""
    from muster.armies import find_books, load_book, load_composition

    composition = load_composition(system)
    folders = library.book_folders(system.id)
    named = _BOOK_LINE.search(text)
    types = {entry.id: entry.id for entry in composition.entries.values()}
    if named is not None and named[1] in find_books(system, folders):
        units = load_book(system, named[1], folders).units.values()
        types |= {unit.id: unit.entry.id for unit in units}
    first_of_type: dict[str, str] = {}
    for unit in load_book(system, book_id, folders).units.values():
        first_of_type.setdefault(unit.entry.id, unit.id)
    if named is not None:
        text = _BOOK_LINE.sub(f"book: {book_id}", text, count=1)
    else:
        text = re.sub(r"^(system:.*)$", rf"\1\nbook: {book_id}", text, count=1, flags=re.MULTILINE)
    levels = "|".join(sorted(composition.bottom_levels))
    unit_key = re.compile(rf"\b({levels}): *([a-z0-9][a-z0-9-]*)")

    def with_units(names: Mapping[str, str]) -> str:
        def replace(found: re.Match[str]) -> str:
            type_id = types.get(found[2])
            return f"{found[1]}: {names.get(type_id, type_id)}" if type_id else found[0]

        return unit_key.sub(replace, text)

    return [text, with_units(first_of_type), with_units({})]


def _repaired(library: Library, text: str) -> str:
    """Return the text of an army made legal; empty if it cannot be read, or is not repaired."""
    from muster.armies import army_from_document
    from muster.cli.options import has_solver
    from muster.yamlfile import document_from_text
    from muster.yamlfile.editing import edit_document

    if not has_solver():
        return ""
    from muster.solver.cpsat import SolverGaveUpError
    from muster.solver.repairs import RepairedArmy, repair_army

    try:
        army = army_from_document(document_from_text(text, "new.yaml"), library)
        repair = repair_army(army, library)
    except (MusterError, SolverGaveUpError):
        return ""
    if not isinstance(repair, RepairedArmy):
        return ""
    return edit_document(army.document, repair.edits).text


def _is_legal(library: Library, text: str) -> bool:
    """Return whether a text is an army that can be read and is legal."""
    from muster.armies import army_from_document, check
    from muster.yamlfile import document_from_text

    try:
        verdict: Verdict = check(army_from_document(document_from_text(text, "new.yaml"), library))
    except MusterError:
        return False
    return verdict.legal


def _find_scaffold(library: Library, name: str) -> Path | None:
    """Return a scaffold by its path below templates/new, the user's own first; None if missing.

    Raises:
        MusterError: If it is a link that leads out of the templates.
    """
    for folder in library.templates():
        scaffold = folder / "new" / name
        if scaffold.exists():
            if leads_out(scaffold, folder):
                raise MusterError([link_problem(display_path(scaffold))])
            return scaffold
    return None


def write_files(files: Mapping[Path, str]) -> None:
    """Write new files, all or none of them, and print their names."""
    from muster.building.store import refuse_linked_folder, write_whole

    for path in files:
        refuse_linked_folder(path.parent)
    written: list[Path] = []
    try:
        for path, text in files.items():
            write_whole(path, text.encode())
            written.append(path)
    except OSError:
        # Half of a system would be in the way of the next try.
        for path in written:
            path.unlink(missing_ok=True)
        raise
    # Only now: whoever reads the names may stop early, as `head` does.
    for path in written:
        show.result(f"wrote {path}")
