"""Owns `muster diff`: two editions of a rule system in, what changed between them out.

Does not compare; `comparing` does. Reads folders, git revisions and exported files alike.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import show
from generator.cli.choices import FINDINGS, FINE, UNREADABLE, form_option, library
from generator.problems import Location, MusterError

if TYPE_CHECKING:
    from generator.comparing.compare import Comparison
    from generator.comparing.effects import Effect, Version
    from generator.documents.changes import ArmyNote, Changes, Edition, Item
    from generator.systems import Library, System

_SIGNS = {"changed": "~", "added": "+", "removed": "-", "renamed": "=", "moved": ">"}
_TONES = {"changed": "yellow", "added": "green", "removed": "red", "renamed": "cyan"}
_TWO_SIDES = "muster diff v1:content/my-rules content/my-rules"


class SideError(click.ClickException):
    """Say that one of the two editions cannot be had."""

    exit_code = UNREADABLE


@dataclass(frozen=True, slots=True)
class Side:
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
@form_option
def command(
    *, old: str, new: str | None, system: str | None, sheet: Path | None, paper: str, form: str
) -> int:
    """Tell what changed between two editions of a rule system, and what armies notice.

    OLD and NEW are each a system's folder or id, a folder at a git revision such as
    v1:content/my-rules, or a file that `muster export` wrote. With --system ID they are
    revisions, and without NEW the revision is compared with what lies here now.

    Exit codes: 0 no difference, 1 differences, 2 an edition cannot be read.
    """
    from generator.comparing.compare import compare
    from generator.documents.changes import gather_changes

    if new is None and system is None:
        text = f"one edition was named, expected two, such as `{_TWO_SIDES}`, or --system ID"
        raise SideError(text)
    if sheet is not None and sheet.suffix not in (".pdf", ".html"):
        text = f"read {sheet.name!r}, expected a name that ends in .pdf or .html"
        raise SideError(text)
    shelf = library()
    with ExitStack() as stack:
        sides = [side(word, system, shelf, stack) for word in (old, new or system or "")]
        found = compare(sides[0].data, sides[1].data)
        effects = _effects(sides[0], sides[1], shelf, found)
        editions = _edition(sides[0]), _edition(sides[1])
        changes = gather_changes(editions, found.changes, found.missing, effects)
        if sheet is not None:
            _print(changes, sheet, paper, shelf)
        if form == "json":
            show.data(_as_json(sides, found, effects))
        else:
            tell(changes)
    return FINDINGS if found.changes else FINE


def side(word: str, system: str | None, shelf: Library, stack: ExitStack) -> Side:
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
        from generator.comparing.saved import read_saved

        return Side(word, read_saved(path, word))
    for folder in [path, *([path / "content" / system] if system else [])]:
        if (folder / "system.yaml").is_file():
            return _opened(folder.resolve(), show.shorter(folder.resolve()))
    revision, colon, inside = word.partition(":")
    known = shelf.systems()
    if not colon and word in known:
        return _opened(known[word].path, show.shorter(known[word].path))
    if not colon and (system is None or path.exists()):
        text = f"{word!r} is no system's folder, no exported file, and no id of a system here"
        text += f"; a git revision is written REVISION:FOLDER, such as `{_TWO_SIDES}`"
        raise SideError(text)
    from generator.pipeline.revisions import RevisionError, laid_out

    inside = inside if colon else f"./content/{system}"
    called = word if colon else f"{word}:content/{system}"
    try:
        target = stack.enter_context(laid_out(revision, inside, Path.cwd()))
    except RevisionError as error:
        raise SideError(str(error)) from None
    return _opened(target, called)


def _opened(folder: Path, called: str) -> Side:
    """Open a system's folder; faults are told by the name that people gave for it.

    Raises:
        MusterError: If it cannot be read.
    """
    from generator.comparing.edition import edition_data
    from generator.systems.system import open_system

    try:
        system = open_system(folder)
        return Side(called, edition_data(system), system)
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


def _effects(old: Side, new: Side, shelf: Library, found: Comparison) -> list[Effect] | None:
    """Judge the armies in reach under both editions; None if one has no files to judge by."""
    from generator.comparing.effects import effects

    if old.system is None or new.system is None:
        return None
    armies = {
        key: each.path
        for system in dict.fromkeys((old.system.id, new.system.id))
        for key, each in shelf.armies(system).items()
    }
    versions = [_version(each, each.system, shelf) for each in (old, new) if each.system]
    return list(effects(armies, versions[0], versions[1], found.renames))


def _version(each: Side, system: System, shelf: Library) -> Version:
    from generator.comparing.effects import Version

    # The books of the system that lies here now belong to that edition alone.
    here = shelf.systems().get(system.id)
    own = {here.path / "books"} if here else set()
    folders = [folder for folder in shelf.book_folders(system.id) if folder not in own]
    return Version(system, folders, each.name)


def _edition(each: Side) -> Edition:
    from generator.documents.changes import Edition

    said = each.data["system"]
    identity = each.data.get("identity") or {}
    return Edition(
        said["title"], said["edition"], each.name, said["source"], identity.get("language", "en")
    )


def _as_json(sides: list[Side], found: Comparison, effects: list[Effect] | None) -> dict[str, Any]:
    return {
        **{
            key: {"name": each.name, **each.data["system"]}
            for key, each in zip(("old", "new"), sides, strict=True)
        },
        "changes": [change.as_json() for change in found.changes],
        "armies": None if effects is None else [effect.as_json() for effect in effects],
        "missing": list(found.missing),
    }


def tell(changes: Changes) -> None:
    """Print what changed, under the heading of each part."""
    old, new = changes.old, changes.new
    show.note(f"{old.title} {old.edition} ({old.name}) → {new.title} {new.edition} ({new.name})")
    for section in changes.sections:
        show.result(click.style(section.title, bold=True))
        for item in section.items:
            show.result(f"  {_told(item)}")
    for army in changes.armies or ():
        _tell_army(army)
    for what in changes.missing:
        show.note(f"not compared: {what}, which one of the two does not hold")
    if changes.armies is None:
        show.note("armies are not judged: an exported file has no files to judge them by")
    show.note(_summary(changes))


def _summary(changes: Changes) -> str:
    count = changes.count
    said = f"{count or 'no'} change{'' if count == 1 else 's'}"
    if changes.armies is None:
        return said
    armies = len(changes.armies)
    return f"{said}; {armies} of {armies + changes.untouched} armies notice"


def _told(item: Item) -> str:
    sign = click.style(_SIGNS[item.kind], fg=_TONES.get(item.kind), bold=True)
    place = f"{item.place}: " if item.place else ""
    by = f" ({item.by})" if item.by else ""
    remark = f"; {item.remark}" if item.remark else ""
    if item.words:
        return f"{sign} {place}{_marked(item)}{remark}"
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


def _marked(item: Item) -> str:
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


def _tell_army(army: ArmyNote) -> None:
    show.result(click.style(f"Army: {army.name}", bold=True) + f" ({army.file})")
    by = f" ({army.by})" if army.by else ""
    text = f"{army.old} → {army.new}{by}"
    show.result(f"  {click.style(text, fg='red') if army.grave else text}")
    for remark in army.remarks:
        show.result(f"  {remark}")


def _print(changes: Changes, sheet: Path, paper: str, shelf: Library) -> None:
    """Write the sheet of what changed.

    Raises:
        SideError: If it cannot be printed.
    """
    from generator.pipeline.store import write_whole
    from generator.rendering.changes import changes_html, changes_pdf
    from generator.rendering.printer import PrintError
    from generator.rendering.studio import Studio

    studio = Studio(shelf.templates())
    try:
        if sheet.suffix == ".pdf":
            data = changes_pdf(studio, changes, paper).data
        else:
            data = changes_html(studio, changes).encode()
    except PrintError as error:
        raise SideError(str(error)) from None
    write_whole(sheet, data)
    show.note(f"wrote {sheet}")
