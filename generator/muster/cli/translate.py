"""`muster translate`: write or update the file in which a system's texts are translated."""

from __future__ import annotations

import click

from muster.cli import show
from muster.cli.options import FINE, open_library
from muster.problems import display_path


@click.command("translate")
@click.argument("system", metavar="SYSTEM")
@click.argument("language", metavar="LANGUAGE")
def translate_command(*, system: str, language: str) -> int:
    """Write or update content/SYSTEM/translations/LANGUAGE.po, such as de for German.

    The file has every text of the system once, to be translated with any editor of gettext files.
    Texts that are new or have changed are added; what is translated already stays, also if its
    text is gone.
    """
    from muster.armies.system_texts import system_texts
    from muster.armies.translating import update_translation
    from muster.building.store import write_whole
    from muster.systems.identity import expected_language, is_language
    from muster.systems.translations import TRANSLATIONS_FOLDER
    from muster.yamlfile.textfile import leads_out

    library = open_library()
    opened = library.find_system(system)
    if not is_language(language):
        raise click.UsageError(
            f"read the language {language[:40]!r}, expected {expected_language()}"
        )
    if language == opened.identity.language:
        raise click.UsageError(f"{opened.title} is written in {language!r} itself")
    if not opened.folder.is_relative_to(library.folder):
        raise click.UsageError(
            f"{opened.title} is shipped with Muster; to translate it, copy its folder"
            f" to content/{opened.id} in the working folder first"
        )
    path = opened.folder / TRANSLATIONS_FOLDER / f"{language}.po"
    if leads_out(path, opened.folder):
        raise click.UsageError(f"{display_path(path)} is a link out of the system's folder")
    name = display_path(path)
    updated = update_translation(opened, language, system_texts(opened), path, name)
    path.parent.mkdir(exist_ok=True)
    write_whole(path, updated.data)
    show.result(
        f"{name}: {updated.translated} translated, {updated.doubtful} doubtful,"
        f" {updated.missing} missing, {updated.obsolete} of texts that are gone"
    )
    return FINE
