"""`muster diff`: open two editions of a rule system and print what changed between them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.building.jobs import OlderEditions
from muster.cli import show
from muster.cli.options import FINDINGS, FINE, UNREADABLE, format_option, library
from muster.problems import Location, MusterError

if TYPE_CHECKING:
    from muster.documents.changes import ArmyChange, ChangeItem, Changes, EditionLabel
    from muster.editions.compare import Comparison
    from muster.editions.effects import EditionShelf, Effect
    from muster.systems import Library, System

_MARKS = {"changed": "~", "added": "+", "removed": "-", "renamed": "=", "moved": ">"}
_COLOURS = {"changed": "yellow", "added": "green", "removed": "red", "renamed": "cyan"}
_EXAMPLE = "muster diff v1:content/my-rules content/my-rules"


class EditionError(click.ClickException):
    """Say that one of the two editions cannot be had."""

    exit_code = UNREADABLE


@dataclass(frozen=True, slots=True)
class OpenedEdition:
    """An edition: what people call it, its data, and its system where there are files."""

    name: str
    data: dict[str, Any]
    system: System | None = None


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--system", metavar="ID", help="OLD and NEW are revisions; compare this system.")
@click.option(
    "--sheet",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a printable sheet of what changed, too: a .pdf or .html.",
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Of it."
)
@format_option
def diff_command(
    *, old: str, new: str | None, system: str | None, sheet: Path | None, paper: str, form: str
) -> int:
    """Tell what changed between two editions of a rule system, and what armies notice.

    OLD and NEW are each a system's folder or id, a folder at a git revision such as
    v1:content/my-rules, or a file that `muster export` wrote. With --system ID they are
    revisions, and without NEW the revision is compared with what lies here now.

    Exit codes: 0 no difference, 1 differences, 2 an edition cannot be read.
    """
    from muster.documents.changes import gather_changes
    from muster.editions.compare import compare_editions

    if new is None and system is None:
        text = f"one edition was named, expected two, such as `{_EXAMPLE}`, or --system ID"
        raise EditionError(text)
    if sheet is not None and sheet.suffix not in (".pdf", ".html"):
        text = f"read {sheet.name!r}, expected a name that ends in .pdf or .html"
        raise EditionError(text)
    shelf = library()
    with ExitStack() as stack:
        sides = [open_edition(word, system, shelf, stack) for word in (old, new or system or "")]
        found = compare_editions(sides[0].data, sides[1].data)
        effects = _army_effects(sides[0], sides[1], shelf, found)
        editions = _printed_edition(sides[0]), _printed_edition(sides[1])
        changes = gather_changes(editions, found.changes, found.missing, effects)
        if sheet is not None:
            _write_sheet(changes, sheet, paper, shelf)
        if form == "json":
            show.data(_diff_as_json(sides, found, effects))
        else:
            print_changes(changes)
    return FINDINGS if found.changes else FINE


def open_edition(word: str, system: str | None, shelf: Library, stack: ExitStack) -> OpenedEdition:
    """Read one edition, whatever it is named by.

    Args:
        word: A folder, an exported file, `REVISION:FOLDER`, a revision, or a system's id.
        system: The system that a bare revision is asked for.
        shelf: The systems in reach.
        stack: Keeps a revision laid out until all is done.

    Raises:
        SideError: If it is none of them.
        MusterError: If it cannot be read.
    """
    path = Path(word)
    if path.is_file():
        from muster.editions.snapshot import read_snapshot

        return OpenedEdition(word, read_snapshot(path, word))
    for folder in [path, *([path / "content" / system] if system else [])]:
        if (folder / "system.yaml").is_file():
            return _open_folder(folder.resolve(), show.relative_path(folder.resolve()))
    revision, colon, inside = word.partition(":")
    known = shelf.systems()
    if not colon and word in known:
        return _open_folder(known[word].path, show.relative_path(known[word].path))
    if not colon and (system is None or path.exists()):
        text = f"{word!r} is no system's folder, no exported file, and no id of a system here"
        text += f"; a git revision is written REVISION:FOLDER, such as `{_EXAMPLE}`"
        raise EditionError(text)
    from muster.building.revisions import RevisionError, unpacked_revision

    inside = inside if colon else f"./content/{system}"
    called = word if colon else f"{word}:content/{system}"
    try:
        target = stack.enter_context(unpacked_revision(revision, inside, Path.cwd()))
    except RevisionError as error:
        raise EditionError(str(error)) from None
    return _open_folder(target, called)


def _open_folder(folder: Path, called: str) -> OpenedEdition:
    """Open a system's folder; faults are told by the name that people gave for it.

    Raises:
        MusterError: If it cannot be read.
    """
    from muster.editions.snapshot import edition_data
    from muster.systems.system import open_system

    try:
        system = open_system(folder)
        return OpenedEdition(called, edition_data(system), system)
    except MusterError as fault:
        raise MusterError(
            replace(
                each,
                location=Location(
                    each.location.file.replace(str(folder), called),
                    each.location.line,
                    each.location.column,
                ),
            )
            for each in fault.problems
        ) from None


def _army_effects(
    old: OpenedEdition, new: OpenedEdition, shelf: Library, found: Comparison
) -> list[Effect] | None:
    """Judge the armies in reach under both editions; None if one has no files to judge by."""
    from muster.editions.effects import judge_armies

    if old.system is None or new.system is None:
        return None
    armies = {
        key: each.path
        for system in dict.fromkeys((old.system.id, new.system.id))
        for key, each in shelf.armies(system).items()
    }
    versions = [_version(each, each.system, shelf) for each in (old, new) if each.system]
    return list(judge_armies(armies, versions[0], versions[1], found.renames))


def _version(each: OpenedEdition, system: System, shelf: Library) -> EditionShelf:
    from muster.editions.effects import EditionShelf

    # The books of the system that lies here now belong to that edition alone.
    here = shelf.systems().get(system.id)
    own = {here.path / "books"} if here else set()
    folders = [folder for folder in shelf.book_folders(system.id) if folder not in own]
    return EditionShelf(system, folders, each.name)


def _printed_edition(each: OpenedEdition) -> EditionLabel:
    from muster.documents.changes import EditionLabel

    said = each.data["system"]
    identity = each.data.get("identity") or {}
    return EditionLabel(
        said["title"], said["edition"], each.name, said["source"], identity.get("language", "en")
    )


def _diff_as_json(
    sides: list[OpenedEdition], found: Comparison, effects: list[Effect] | None
) -> dict[str, Any]:
    return {
        **{
            key: {"name": each.name, **each.data["system"]}
            for key, each in zip(("old", "new"), sides, strict=True)
        },
        "changes": [change.as_json() for change in found.changes],
        "armies": None if effects is None else [effect.as_json() for effect in effects],
        "missing": list(found.missing),
    }


def print_changes(changes: Changes) -> None:
    """Print what changed, under the heading of each part."""
    old, new = changes.old, changes.new
    show.note(f"{old.title} {old.edition} ({old.name}) → {new.title} {new.edition} ({new.name})")
    for section in changes.sections:
        show.result(click.style(section.title, bold=True))
        for item in section.items:
            show.result(f"  {_change_line(item)}")
    for army in changes.armies or ():
        _print_army(army)
    for what in changes.missing:
        show.note(f"not compared: {what}, which one of the two does not hold")
    if changes.armies is None:
        show.note("armies are not judged: an exported file has no files to judge them by")
    show.note(_count_text(changes))


def _count_text(changes: Changes) -> str:
    count = changes.count
    said = f"{count or 'no'} change{'' if count == 1 else 's'}"
    if changes.armies is None:
        return said
    armies = len(changes.armies)
    return f"{said}; {armies} of {armies + changes.untouched} armies notice"


def _change_line(item: ChangeItem) -> str:
    sign = click.style(_MARKS[item.kind], fg=_COLOURS.get(item.kind), bold=True)
    place = f"{item.place}: " if item.place else ""
    by = f" ({item.by})" if item.by else ""
    remark = f"; {item.remark}" if item.remark else ""
    if item.words:
        return f"{sign} {place}{_marked_words(item)}{remark}"
    match item.kind:
        case "added":
            text = item.new
        case "removed":
            text = item.old
        case "moved":
            text = " ".join(part for part in (item.old, item.new) if part)
        case _:
            text = f"{item.old} → {item.new}"
    return f"{sign} {place}{text}{by}{remark}".rstrip(": ")


def _marked_words(item: ChangeItem) -> str:
    """Mark words that went and came, as word differences are usually written."""
    runs = []
    for mark, text in item.words:
        match mark:
            case "-":
                runs.append(click.style(f"[-{text}-]", fg="red"))
            case "+":
                runs.append(click.style(f"{{+{text}+}}", fg="green"))
            case _:
                runs.append(text)
    return " ".join(runs)


def _print_army(army: ArmyChange) -> None:
    show.result(click.style(f"Army: {army.name}", bold=True) + f" ({army.file})")
    by = f" ({army.by})" if army.by else ""
    text = f"{army.old} → {army.new}{by}"
    show.result(f"  {click.style(text, fg='red') if army.grave else text}")
    for remark in army.remarks:
        show.result(f"  {remark}")


def _write_sheet(changes: Changes, sheet: Path, paper: str, shelf: Library) -> None:
    """Write the sheet of what changed.

    Raises:
        SideError: If it cannot be printed.
    """
    from muster.building.store import write_whole
    from muster.rendering.environment import TemplateEnvironment
    from muster.rendering.plain_pages import changes_html, changes_pdf
    from muster.rendering.printer import PrintError

    studio = TemplateEnvironment(shelf.templates())
    try:
        if sheet.suffix == ".pdf":
            data = changes_pdf(studio, changes, paper).data
        else:
            data = changes_html(studio, changes).encode()
    except PrintError as error:
        raise EditionError(str(error)) from None
    write_whole(sheet, data)
    show.note(f"wrote {sheet}")


if TYPE_CHECKING:
    from muster.systems import Library


def older_editions(word: str, systems: Sequence[str], shelf: Library) -> OlderEditions:
    """Read the older edition of each system, as pairs of a system's id and JSON.

    Args:
        word: A folder, an exported file or `REVISION:FOLDER`, of one system; or a revision, of
            which every system is asked for.
        systems: The systems that are built; none named means all.
        shelf: The systems in reach.

    Raises:
        SideError: If there is no such edition, or it is of none of the systems.
        MusterError: If it cannot be read.
    """
    wanted = list(systems or shelf.systems())
    with ExitStack() as stack:
        found = {
            each.data["system"]["id"]: each for each in _open_older(word, wanted, shelf, stack)
        }
    kept = [(key, json.dumps(found[key].data)) for key in wanted if key in found]
    if not kept:
        text = f"{word} is an edition of {', '.join(found) or 'nothing'}, which is not built here"
        raise EditionError(text)
    return tuple(kept)


def _open_older(
    word: str, wanted: list[str], shelf: Library, stack: ExitStack
) -> Iterator[OpenedEdition]:
    try:
        yield open_edition(word, None, shelf, stack)
    except EditionError:
        if ":" in word:
            raise
    else:
        return
    faults: list[EditionError] = []
    for key in wanted:
        try:
            yield open_edition(word, key, shelf, stack)
        except EditionError as fault:
            faults.append(fault)
            show.note(f"{key}: {fault.message}; its books say nothing of changes")
    if len(faults) == len(wanted):
        raise faults[0]
