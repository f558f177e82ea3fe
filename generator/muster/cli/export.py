"""`muster export`: a system, or an army, in the forms of other programs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.army_files import ArmyFiles
from muster.cli.options import FINE, open_library
from muster.problems import MusterError

if TYPE_CHECKING:
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
    named = _find(library, what)
    if isinstance(named, Path):
        if output_format == "json":
            call = show.command("check", what, "--format", "json")
            text = f"{what!r} is an army, and JSON is that of a system; of an army: `{call}`"
            raise click.UsageError(text)
        _write({"": _army_text(library, named, output_format)}, out)
    elif output_format == "json" and out is None:
        show.data(_edition_data(library, named))
    else:
        _write(_system_files(library, named, output_format, out), out)
    return FINE


def _find(library: Library, what: str) -> str | Path:
    """Return the id of the system, or the file of the army, that a word names.

    Raises:
        MusterError: If nothing has this name, or the army cannot be read.
        click.UsageError: If it names a folder of several armies.
    """
    systems, armies, problems = ArmyFiles(library).choose([what])
    if problems:
        # A system goes by a misspelt name, too, where nothing else has it.
        with suppress(MusterError):
            return library.find_system(what).id
        raise MusterError(problems)
    if len(armies) > 1:
        raise click.UsageError(f"{what!r} is a folder of several armies; name one of them")
    return Path(armies[0].file) if armies else systems[0]


def _army_text(library: Library, file: Path, output_format: str) -> str:
    """Return an army in a format other than JSON.

    Raises:
        MusterError: If it cannot be read.
    """
    from muster.armies import check, load_army
    from muster.exchange.battlescribe_roster import export_roster
    from muster.exchange.csv_tables import army_csv
    from muster.exchange.list_text import list_as_text

    verdict = check(load_army(file, library))
    if output_format == "csv":
        return army_csv(verdict)
    if output_format == "battlescribe":
        return export_roster(verdict)
    return list_as_text(verdict, next(form for form in _LIST_FORMS if form == output_format))


def _system_files(
    library: Library, system_id: str, output_format: str, out: Path | None
) -> dict[str, str]:
    """Return the files of a system by their names in the folder *out*, or its only file by none.

    Raises:
        MusterError: If it cannot be read.
        click.UsageError: If armies only have the format, or several files have no folder.
    """
    if output_format in _LIST_FORMS:
        armies = [f"{system_id}/{name}" for name in library.armies(system_id)]
        call = show.command("export", (armies or ["my-army"])[0], "--format", output_format)
        text = (
            f"{system_id!r} is a rule system, and {output_format} is for an army, such as `{call}`;"
            f" a system has --format json, csv and battlescribe"
        )
        raise click.UsageError(text)
    if output_format == "json":
        return {"": f"{show.json_text(_edition_data(library, system_id))}\n"}
    if out is None:
        call = show.command("export", system_id, "--format", output_format, "--out", "folder")
        raise click.UsageError(f"a system is several files; say where they go, such as `{call}`")
    return (_system_csv if output_format == "csv" else _system_battlescribe)(library, system_id)


def _edition_data(library: Library, system_id: str) -> dict[str, Any]:
    from muster.editions.snapshot import edition_data

    return edition_data(library.system(system_id))


def _system_battlescribe(library: Library, system_id: str) -> dict[str, str]:
    """Return a game system with a catalogue for each book, and a report of what they lack."""
    from muster.armies import book_ids, load_book, load_composition
    from muster.exchange.battlescribe_export import export_system

    system = library.system(system_id)
    folders = library.book_folders(system_id)
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
