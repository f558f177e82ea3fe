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
from muster.cli.army_files import ArmyFiles, has_army_suffix
from muster.cli.options import (
    FINDINGS,
    FINE,
    PAPERS,
    UNREADABLE,
    format_option,
    open_library,
)
from muster.problems import MusterError, display_path

if TYPE_CHECKING:
    from muster.armies.translation_lag import TranslationLag
    from muster.documents.changes import ArmyChange, ChangeItem, Changes, EditionLabel
    from muster.editions.compare import Comparison
    from muster.editions.effects import EditionSource, Effect
    from muster.problems import Problem
    from muster.systems import Library, System

_EXAMPLE = "muster diff v1:content/my-rules content/my-rules"
_EXAMPLE_OF_ARMIES = "muster diff old.yaml new.yaml"


class EditionError(click.ClickException):
    """An edition cannot be found, or the request for it makes no sense."""

    exit_code = UNREADABLE


@dataclass(frozen=True, slots=True)
class OpenedEdition:
    """An edition: the name that was typed for it, its data, and its system if it has files."""

    name: str
    data: dict[str, Any]
    system: System | None = None


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option(
    "--system", metavar="SYSTEM", help="Compare this system; OLD and NEW are git revisions."
)
@click.option(
    "--sheet",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write a printable sheet of the changes, as .pdf or .html (of editions only).",
)
@click.option(
    "--paper",
    type=click.Choice(PAPERS, case_sensitive=False),
    default="a4",
    show_default=True,
    help="Paper size of the sheet.",
)
@format_option
def diff_command(
    *,
    old: str,
    new: str | None,
    system: str | None,
    sheet: Path | None,
    paper: str,
    output_format: str,
) -> int:
    """Show what changed between two editions of a rule system, or between two armies.

    For editions, OLD and NEW are each a system's folder or id, a folder at a git revision such as
    v1:content/my-rules, or a file that `muster export` wrote. With --system SYSTEM they are
    revisions; without NEW, OLD is compared with the current files. It also prints which armies are
    affected.

    If OLD and NEW are two armies, named by file or name, their units, costs and verdicts are
    compared.

    Exit codes: 0 no difference, 1 differences, 2 an edition or an army cannot be read.
    """
    library = open_library()
    armies = _army_files(old, new, library)
    if armies is not None:
        if system is not None or sheet is not None:
            raise EditionError("--system and --sheet are for editions, not for two army files")
        from muster.cli.diff_armies import diff_armies

        return diff_armies(*armies, library, output_format)
    from muster.documents.changed_prose import names_in
    from muster.documents.changes import gather_changes
    from muster.editions.compare import compare_editions
    from muster.languages import speaking

    if new is None and system is None:
        if old not in library.systems() and _army_files(old, old, library):
            raise EditionError(f"read one army, expected two, such as `{_EXAMPLE_OF_ARMIES}`")
        raise EditionError(
            f"read one edition, expected two, such as `{_EXAMPLE}`, or --system SYSTEM"
        )
    if sheet is not None and sheet.suffix not in (".pdf", ".html"):
        raise EditionError(f"read {sheet.name!r}, expected a name that ends in .pdf or .html")
    with ExitStack() as stack:
        before = open_edition(old, system, library, stack)
        after = open_edition(new or system or "", system, library, stack)
        comparison = compare_editions(before.data, after.data)
        effects = _army_effects(before, after, library, comparison)
        labels = _edition_label(before), _edition_label(after)
        names = names_in(before.data, after.data)
        changes = gather_changes(labels, comparison.changes, comparison.missing, effects, names)
        if sheet is not None:
            # On paper in the language of the edition; the terminal speaks English.
            with speaking(labels[1].language):
                compared = compare_editions(before.data, after.data)
                told = gather_changes(labels, compared.changes, compared.missing, effects, names)
            _write_sheet(told, sheet, paper, library)
        if output_format == "json":
            data = _diff_as_json(before, after, comparison, effects)
            show.data({**data, "translations": _lags_as_json(after)})
        else:
            print_changes(changes)
            _print_lags(after)
    return FINDINGS if comparison.changes else FINE


def _army_files(old: str, new: str | None, library: Library) -> tuple[Path, Path] | None:
    """Return the files of two armies; None if OLD and NEW are editions.

    Raises:
        MusterError: If one is an army's file, and the other names no army.
    """
    if new is None:
        return None
    files = ArmyFiles(library)
    # No edition is a YAML file, so what stands beside one is an army, unless it is a folder.
    words = (old, new)
    beside_file = any(has_army_suffix(path) and path.is_file() for path in map(Path, words))
    beside_file = beside_file and not any(Path(word).is_dir() for word in words)
    try:
        first, second = files.find(old), files.find(new)
    except MusterError:
        if beside_file:
            raise
        return None
    armies = all(has_army_suffix(each) and each.is_file() for each in (first, second))
    return (first, second) if armies or beside_file else None


def open_edition(
    word: str, system: str | None, library: Library, stack: ExitStack
) -> OpenedEdition:
    """Open an edition by what was typed for it.

    Args:
        word: A folder, an exported file, `REVISION:FOLDER`, a revision, or a system's id.
        system: The id of the system to take from a revision that is given without a folder.
        library: The systems that can be named by their id.
        stack: Removes the files of a revision when it is closed.

    Raises:
        EditionError: If it is none of them.
        MusterError: If it cannot be read.
    """
    path = Path(word)
    if path.is_file():
        from muster.editions.snapshot import read_snapshot

        return OpenedEdition(word, read_snapshot(path, word))
    for folder in [path, *([path / "content" / system] if system else [])]:
        if (folder / "system.yaml").is_file():
            return _open_folder(folder.resolve(), display_path(folder.resolve()))
    revision, colon, inside = word.partition(":")
    known = library.systems()
    if not colon and word in known:
        return _open_folder(known[word].path, display_path(known[word].path))
    if not colon and (system is None or path.exists()):
        raise EditionError(
            f"read {word!r}, expected a system's folder or id, an exported file, or a git revision"
            f" and folder, such as `{_EXAMPLE}`; or two armies, by file or by a name of one system"
        )
    from muster.building.revisions import RevisionError, unpacked_revision

    inside = inside if colon else f"./content/{system}"
    name = word if colon else f"{word}:content/{system}"
    try:
        target = stack.enter_context(unpacked_revision(revision, inside, Path.cwd()))
    except RevisionError as error:
        raise EditionError(str(error)) from None
    return _open_folder(target, name)


def _open_folder(folder: Path, name: str) -> OpenedEdition:
    """Open a system's folder under the name that was typed for it.

    Raises:
        MusterError: If it cannot be read; its problems have the name in the place of the folder.
    """
    from muster.editions.snapshot import edition_data
    from muster.systems.system import open_system

    try:
        system = open_system(folder)
        return OpenedEdition(name, edition_data(system), system)
    except MusterError as error:
        raise MusterError(_renamed(problem, folder, name) for problem in error.problems) from None


def _renamed(problem: Problem, folder: Path, name: str) -> Problem:
    file = problem.location.file.replace(str(folder), name)
    return replace(problem, location=replace(problem.location, file=file))


def _army_effects(
    old: OpenedEdition, new: OpenedEdition, library: Library, comparison: Comparison
) -> list[Effect] | None:
    """Check all armies of both systems under both editions; None if one has no files."""
    from muster.editions.effects import judge_armies

    if old.system is None or new.system is None:
        return None
    armies = {
        key: army.path
        for system in dict.fromkeys((old.system.id, new.system.id))
        for key, army in library.armies(system).items()
    }
    old_source = _edition_source(old.name, old.system, library)
    new_source = _edition_source(new.name, new.system, library)
    return list(judge_armies(armies, old_source, new_source, comparison.renames))


def _edition_source(name: str, system: System, library: Library) -> EditionSource:
    """Return what armies are checked against under an edition."""
    from muster.editions.effects import EditionSource

    # The books in the folder of the system as it is now belong to that edition alone.
    current = library.systems().get(system.id)
    own = {current.path / "books"} if current else set()
    folders = [folder for folder in library.book_folders(system.id) if folder not in own]
    return EditionSource(system, folders, name)


def _edition_label(edition: OpenedEdition) -> EditionLabel:
    """Return what is printed of an edition at the head of the changes."""
    from muster.documents.changes import EditionLabel

    system = edition.data["system"]
    identity = edition.data.get("identity") or {}
    return EditionLabel(
        system["title"],
        system["edition"],
        edition.name,
        system["source"],
        identity.get("language", "en"),
    )


def _diff_as_json(
    old: OpenedEdition,
    new: OpenedEdition,
    comparison: Comparison,
    effects: list[Effect] | None,
) -> dict[str, Any]:
    return {
        "old": {"name": old.name, **old.data["system"]},
        "new": {"name": new.name, **new.data["system"]},
        "changes": [change.as_json() for change in comparison.changes],
        "armies": None if effects is None else [effect.as_json() for effect in effects],
        "missing": list(comparison.missing),
    }


def print_changes(changes: Changes) -> None:
    """Print the changes under the heading of each part, the armies, and how many they are."""
    old, new = changes.old, changes.new
    show.note(f"{old.title} {old.edition} ({old.name}) → {new.title} {new.edition} ({new.name})")
    for section in changes.sections:
        show.result(click.style(section.title, bold=True))
        for item in section.items:
            show.result(f"  {_change_line(item)}")
    for army in changes.armies or ():
        _print_army(army)
    for what in changes.missing:
        show.note(f"not compared: {what}, because one of the editions does not contain it")
    if changes.armies is None:
        show.note("armies were not checked: an exported file does not contain what that needs")
    show.note(_count_text(changes))


def _translation_lags(edition: OpenedEdition) -> list[TranslationLag] | None:
    """Return what translations of an edition have not followed; None if they cannot be read."""
    from muster.armies.translation_lag import translation_lags

    if edition.system is None:
        return None
    try:
        return translation_lags(edition.system)
    except MusterError as error:
        show.problems(error.problems)
        return None


def _lags_as_json(edition: OpenedEdition) -> list[dict[str, Any]] | None:
    lags = _translation_lags(edition)
    return None if lags is None else [lag.as_json() for lag in lags]


def _print_lags(edition: OpenedEdition) -> None:
    """Print which texts of the new edition its translations have not followed."""
    for lag in _translation_lags(edition) or ():
        if lag.texts:
            show.result(click.style(f"Translation: {lag.language}", bold=True) + f" ({lag.file})")
        for text in lag.texts:
            words = " → ".join(part for part in (text.old, text.new) if part)
            show.result(f"  {show.change_sign(text.kind)} {text.place}: {words}")
        count = show.counted(len(lag.texts), "text")
        followed = f"{count} not followed" if lag.texts else "has followed every text"
        show.note(f"translation {lag.language}: {followed}")


def _count_text(changes: Changes) -> str:
    """Return the number of changes, and of the armies that they affect if armies were checked."""
    count = changes.count
    text = show.counted(count, "change") if count else "no changes"
    if changes.armies is None:
        return text
    affected = len(changes.armies)
    return f"{text}; {affected} of {affected + changes.untouched} armies affected"


def _change_line(item: ChangeItem) -> str:
    """Return a change in one line: its sign, its place, the old and the new value."""
    sign = show.change_sign(item.kind)
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
    """Return the words of a change with those removed and added marked as `git diff` does."""
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


def _write_sheet(changes: Changes, sheet: Path, paper: str, library: Library) -> None:
    """Write a printable sheet of the changes, as PDF or HTML by the name of its file.

    Raises:
        EditionError: If it cannot be printed.
    """
    from muster.building.bounds import ExceededError, bounded
    from muster.building.store import write_result
    from muster.limits import PRINT_MEGABYTES, PRINT_SECONDS
    from muster.rendering.environment import TemplateEnvironment
    from muster.rendering.libraries import require_libraries
    from muster.rendering.plain_pages import changes_html, changes_pdf
    from muster.rendering.printed import PrintError

    if sheet.suffix == ".pdf":
        require_libraries("a sheet whose name ends in .html is written without it")
    templates = TemplateEnvironment(library.templates())
    try:
        with bounded(PRINT_SECONDS, PRINT_MEGABYTES):
            if sheet.suffix == ".pdf":
                data = changes_pdf(templates, changes, paper).data
            else:
                data = changes_html(templates, changes).encode()
    except ExceededError as error:
        text = f"cannot print {sheet}: {error}"
        raise EditionError(text) from None
    except PrintError as error:
        raise EditionError(str(error)) from None
    write_result(sheet, data)
    show.note(f"wrote {sheet}")


def older_editions(word: str, systems: Sequence[str], library: Library) -> OlderEditions:
    """Read the older edition of each system, as pairs of a system's id and its JSON.

    Args:
        word: A folder, an exported file or `REVISION:FOLDER`, which is an edition of one system;
            or a revision, which may hold an edition of each.
        systems: The ids of the systems to read; none means all.
        library: The systems that can be named by their id.

    Raises:
        EditionError: If there is no such edition, or if it is of none of the systems.
        MusterError: If it cannot be read.
    """
    ids = list(systems or library.systems())
    if not ids:
        raise EditionError("there is no rule system here, and so no rulebook to mark changes in")
    with ExitStack() as stack:
        editions = {
            edition.data["system"]["id"]: edition.data
            for edition in _open_older(word, ids, library, stack)
        }
    older = [(key, json.dumps(editions[key])) for key in ids if key in editions]
    if not older:
        names = ", ".join(editions)
        raise EditionError(f"{word} is an edition of {names}, which is not part of this build")
    return tuple(older)


def _open_older(
    word: str, ids: list[str], library: Library, stack: ExitStack
) -> Iterator[OpenedEdition]:
    """Yield the edition that *word* names by itself, or else each system's edition at a revision.

    Raises:
        EditionError: If no system has an edition at that revision.
    """
    try:
        yield open_edition(word, None, library, stack)
    except EditionError:
        if ":" in word:
            raise
    else:
        return
    errors: list[EditionError] = []
    for key in ids:
        try:
            yield open_edition(word, key, library, stack)
        except EditionError as error:
            errors.append(error)
            show.note(f"{key}: {error.message}; changes are not marked in its rulebooks")
    if len(errors) == len(ids):
        raise errors[0]
