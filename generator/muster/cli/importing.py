"""`muster import`: write a rule system from the data of another program."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from muster.cli import show
from muster.cli.options import FINE, open_library, refuse_overwrite

REPORT = "import-report.txt"


@click.group("import")
def import_command() -> None:
    """Write a rule system from the data of another program."""


@import_command.command("battlescribe")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE.gst FILE.cat ...",
)
@click.option(
    "--system",
    "system_id",
    metavar="NAME",
    help="Id of the new system. Default: made of the game's name.",
)
def import_battlescribe_command(*, files: tuple[Path, ...], system_id: str | None) -> int:
    """Write content/<NAME> from a game system and its catalogues, zipped or not.

    Each catalogue that is no library becomes an army book. What Muster cannot say is listed, with
    its entry and line, in import-report.txt beside the new files.
    """
    from muster.cli.new import refuse_bad_name, write_files
    from muster.exchange.battlescribe import read_data_set
    from muster.exchange.battlescribe_import import import_system
    from muster.exchange.battlescribe_parts import slug

    if system_id is not None:
        refuse_bad_name(system_id)
    data = read_data_set(files)
    name = system_id or slug(data.system.get("name"))
    folder = Path("content", name)
    if name in open_library().systems():
        raise click.UsageError(f"a rule system {name!r} already exists; choose another --system")
    refuse_overwrite(folder, advice="choose another --system")
    imported = import_system(data, name)
    texts = {folder / file: text for file, text in imported.files.items()}
    write_files({**texts, folder / REPORT: imported.report()})
    books = show.counted(len(imported.books), "book")
    rules = show.counted(imported.constraints, "rule")
    show.note(f"{show.counted(imported.units, 'unit')} in {books}, {rules}")
    if imported.omissions:
        counts = Counter(omission.kind for omission in imported.omissions)
        kinds = ", ".join(f"{number} × {kind}" for kind, number in counts.most_common())
        show.note(f"not carried over, see {folder / REPORT}: {kinds}")
    show.note(
        f"next: muster lint {name}; muster draft {name} --book {imported.books[0]} --limit 500"
    )
    return FINE
