"""`muster export`: a system, or an army, in the forms of other programs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.army_files import ArmyFiles
from muster.cli.options import FINE, open_library
from muster.problems import MusterError

if TYPE_CHECKING:
    from muster.armies import Verdict
    from muster.exchange.list_text import ListForm
    from muster.systems import Library

_LIST_FORMS: tuple[ListForm, ...] = ("markdown", "bbcode", "text")
REPORT = "export-report.txt"
_FORMATS = ("json", "csv", *_LIST_FORMS, "battlescribe")


@click.command("export")
@click.argument("what", metavar="SYSTEM|ARMY")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(_FORMATS),
    default="json",
    show_default=True,
    help="JSON of a system; CSV or BattleScribe data of a system or an army; text of an army.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="File to write to instead of stdout; of a system as CSV or BattleScribe data, a folder.",
)
def export_command(*, what: str, output_format: str, out: Path | None) -> int:
    """Print a system or an army for other programs, or write it to files.

    JSON holds a whole system, and `muster diff` can read it. CSV of a system is a file for each
    table and each army book, in a folder; of an army, a row for each unit. An army as text has
    its total, its verdict and every unit, as the list builder copies it. As BattleScribe data, a
    system is a .gst file and a .cat file for each book, an army a roster (.ros).
    """
    library = open_library()
    if output_format == "json":
        from muster.editions.snapshot import edition_data

        data = edition_data(library.find_system(_system_of(library, what)))
        if out is None:
            show.data(data)
        else:
            _write({"": f"{show.json_text(data)}\n"}, out)
    elif output_format == "csv":
        _write(_csv_files(library, what, out), out)
    elif output_format == "battlescribe":
        _write(_battlescribe_files(library, what, out), out)
    else:
        from muster.exchange.list_text import list_as_text

        form = next(form for form in _LIST_FORMS if form == output_format)
        _write({"": list_as_text(_verdict_of(library, what, form), form)}, out)
    return FINE


def _system_of(library: Library, what: str) -> str:
    """Return a word that names a system, for JSON.

    Raises:
        click.UsageError: If it names an army.
    """
    if what not in library.systems():
        with suppress(MusterError):
            file = ArmyFiles(library).find(what)
            if file.exists():
                call = show.command("check", what, "--format", "json")
                text = f"{what!r} is an army, and JSON is that of a system; of an army: `{call}`"
                raise click.UsageError(text)
    return what


def _verdict_of(library: Library, what: str, form: ListForm) -> Verdict:
    """Return the verdict on the army that a word names.

    Raises:
        MusterError: If no army has this name, or it cannot be read.
        click.UsageError: If it names a system.
    """
    from muster.armies import check, load_army

    try:
        file = ArmyFiles(library).find(what, list(library.systems()))
    except MusterError:
        systems = library.matching_systems(what)
        if len(systems) != 1:
            raise
        armies = [f"{systems[0]}/{name}" for name in library.armies(systems[0])]
        call = show.command("export", (armies or ["my-army"])[0], "--format", form)
        text = (
            f"{what!r} is a rule system, and {form} is for an army, such as `{call}`; a system has"
            f" --format json, csv and battlescribe"
        )
        raise click.UsageError(text) from None
    return check(load_army(file, library))


def _named(library: Library, what: str, out: Path | None, form: str) -> str | Verdict:
    """Return the id of the system, or the verdict on the army, that a word names.

    Raises:
        MusterError: If nothing has this name, or it cannot be read.
        click.UsageError: If a system is to be printed, which takes several files.
    """
    from muster.armies import check, load_army

    systems, armies, problems = ArmyFiles(library).choose([what])
    if problems:
        raise MusterError(problems)
    if len(armies) > 1:
        raise click.UsageError(f"{what!r} is a folder of several armies; name one of them")
    if armies:
        return check(load_army(Path(armies[0].file), library))
    if out is None:
        call = show.command("export", what, "--format", form, "--out", "folder")
        raise click.UsageError(f"a system is several files; say where they go, such as `{call}`")
    return systems[0]


def _csv_files(library: Library, what: str, out: Path | None) -> dict[str, str]:
    """Return the CSV files of a system, or the one of an army, by their names in the folder."""
    from muster.exchange.csv_tables import army_csv

    named = _named(library, what, out, "csv")
    return _system_csv(library, named) if isinstance(named, str) else {"": army_csv(named)}


def _battlescribe_files(library: Library, what: str, out: Path | None) -> dict[str, str]:
    """Return a system as a game system with catalogues and a report, or an army as a roster."""
    from muster.armies import book_ids, load_book, load_composition
    from muster.exchange.battlescribe_export import export_system
    from muster.exchange.battlescribe_roster import export_roster

    named = _named(library, what, out, "battlescribe")
    if not isinstance(named, str):
        return {"": export_roster(named)}
    system = library.system(named)
    folders = library.book_folders(named)
    books = [load_book(system, book_id, folders) for book_id in book_ids(system, folders)]
    exported = export_system(load_composition(system), books)
    if exported.omissions:
        number = show.counted(len(exported.omissions), "thing")
        show.note(f"{number} that the data cannot say: see {REPORT}")
    report = "".join(f"{text}\n" for text in exported.omissions)
    return {**exported.files, **({REPORT: report} if report else {})}


def _system_csv(library: Library, system_id: str) -> dict[str, str]:
    from muster.armies import book_ids, load_book, load_composition
    from muster.documents.army_book import UNITS_ID, gather_army_book
    from muster.exchange.csv_tables import book_csv, table_csv

    system = library.system(system_id)
    scales = [(scale.id, scale.title) for scale in system.scales]
    files = {f"tables/{table.id}.csv": table_csv(table, scales) for table in system.tables()}
    if system.has_file("composition.yaml"):
        composition = load_composition(system)
        folders = library.book_folders(system.id)
        books = [load_book(system, book_id, folders) for book_id in book_ids(system, folders)]
        for book in books or (None,):
            printed = gather_army_book(system, book, language="en")
            name = book.id if book is not None else UNITS_ID
            files[f"books/{name}.csv"] = book_csv(composition, book, printed)
    return files


def _write(files: dict[str, str], out: Path | None) -> None:
    """Print the only file, or write it to *out*; several go into the folder *out* by their names.

    What is printed is UTF-8, whatever the terminal, so that it can be piped into a file.
    """
    from muster.building.store import write_result

    for name, text in files.items():
        if out is None:
            click.echo(text.encode(), nl=False)
        else:
            write_result(out / name if name else out, text.encode())
    if out is not None:
        show.note(f"wrote {out}" if "" in files else f"wrote {len(files)} files to {out}")
