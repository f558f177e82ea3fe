"""A rule system: its folder and its parts, each read when it is first needed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from muster.dependencies import (
    CachedResult,
    get_or_make,
    record_file,
    record_listing,
    tracked_property,
)
from muster.problems import Location, MusterError, Problem, Problems, did_you_mean, display_path
from muster.systems.file_names import (
    VISIBLE_PO,
    VISIBLE_PROSE,
    VISIBLE_YAML,
    is_good_name,
    name_problem,
)
from muster.systems.identity import Chapter, Identity, Phase, Scale, is_language
from muster.tables import Definitions, Table, read_table
from muster.yamlfile import Document, read_document, read_model

if TYPE_CHECKING:
    from muster.systems.errata import Errata
    from muster.systems.layouts import Cards, WrittenSheet
    from muster.systems.pictures import PictureFile
    from muster.systems.prose import Prose
    from muster.systems.rulebook_edition import Edition
    from muster.systems.search_words import SearchWords
    from muster.systems.tokens import Tokens
    from muster.systems.translations import Speaker, Translation

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class System:
    """A rule system, read part by part from its folder.

    With a `speaker`, its texts are in other words: those of a translation.
    """

    def __init__(self, folder: Path, identity: Identity, speaker: Speaker | None = None) -> None:
        self.folder = folder
        self.identity = identity
        self.speaker = speaker
        self.written_in = identity.language
        """The language that the files are written in, whatever the texts are translated into."""
        self._tables: dict[str, CachedResult[Table]] = {}
        self._translations: dict[str, CachedResult[Translation]] = {}
        self._in_languages: dict[str, CachedResult[System]] = {}

    @property
    def id(self) -> str:
        """The system's id, which is also the name of its folder."""
        return self.identity.id

    @property
    def title(self) -> str:
        """The system's title as printed."""
        return self.identity.title

    @property
    def chapters(self) -> list[Chapter]:
        """The chapters, in the order of the book."""
        return self.identity.chapters

    @property
    def phases(self) -> list[Phase]:
        """The phases, in turn order."""
        return self.identity.phases

    @property
    def scales(self) -> list[Scale]:
        """The figure scales."""
        return self.identity.scales

    def chapter(self, chapter_id: str) -> Chapter:
        """Return a chapter by id.

        Raises:
            KeyError: If the system has none of that id.
        """
        for chapter in self.chapters:
            if chapter.id == chapter_id:
                return chapter
        raise KeyError(chapter_id)

    def path_in_system(self, path: Path) -> str:
        """Return the path of a file, beginning with the system's folder: `huzzah/errata.yaml`."""
        return str(Path(self.folder.name) / path.relative_to(self.folder))

    def display_path(self, path: Path) -> str:
        """Return the path of a file as problems show it: relative to the working folder."""
        return display_path(path)

    def document(self, *parts: str) -> Document:
        """Read a file of the system's folder.

        Raises:
            MusterError: If it is missing or is not readable YAML.
        """
        path = self.folder.joinpath(*parts)
        document = read_document(path, shown_as=display_path(path), within=self.folder)
        return self.worded(document, "/".join(parts).removesuffix(".yaml"))

    def worded(self, document: Document, part: str) -> Document:
        """Return a document whose texts are read in the system's language.

        Args:
            document: The document; it gets a wording if the system is a translated one.
            part: Its path in the system without its ending, such as `tables/orders`.
        """
        if self.speaker is not None:
            from muster.systems.translations import FileWording  # noqa: PLC0415 - few systems are

            document.wording = FileWording(self.speaker, part)
        return document

    def translation_files(self) -> list[Path]:
        """Return the files of all translations, sorted."""
        from muster.systems.translations import (  # noqa: PLC0415 - `check` does not need it
            TRANSLATIONS_FOLDER,
        )

        folder = self.folder / TRANSLATIONS_FOLDER
        record_listing(folder, VISIBLE_PO)
        return sorted(folder.glob(VISIBLE_PO))

    def translation_languages(self) -> list[str]:
        """Return the languages that the system has translations into, sorted.

        `muster lint` reports files whose name is no language.
        """
        return [path.stem for path in self.translation_files() if is_language(path.stem)]

    def translation(self, language: str) -> Translation:
        """Return a translation, read when it is first needed.

        Raises:
            MusterError: If its file cannot be read, or has words that say other figures.
        """
        from muster.systems.translations import (  # noqa: PLC0415 - `check` does not need it
            TRANSLATIONS_FOLDER,
            read_translation,
        )

        path = self.folder / TRANSLATIONS_FOLDER / f"{language}.po"
        return get_or_make(
            self._translations,
            language,
            lambda: read_translation(path, shown_as=display_path(path), within=self.folder),
        )

    def in_language(self, language: str | None) -> System:
        """Return the system with its texts in a language, as far as they are translated.

        It is the system itself if that is its own language, or has no translation; `de-AT` takes
        the texts of `de` if it has none of its own.
        """
        if self.speaker is not None or not language or language == self.identity.language:
            return self
        known = self.translation_languages()
        fitting = [each for each in (language, language.partition("-")[0]) if each in known]
        return self._in_translation(fitting[0]) if fitting else self

    def _in_translation(self, language: str) -> System:
        def make() -> System:
            return self.spoken_by(self.translation(language), language)

        return get_or_make(self._in_languages, language, make)

    def spoken_by(self, speaker: Speaker, language: str = "") -> System:
        """Return the system, to be read anew, with its texts in the words of a speaker."""
        path = self.folder / "system.yaml"
        document = read_document(path, shown_as=display_path(path), within=self.folder)
        spoken = System(self.folder, self.identity, speaker)
        spoken.written_in = self.written_in
        identity = read_model(Identity, spoken.worded(document, "system"))
        language = language or identity.language
        spoken.identity = identity.model_copy(update={"language": language})
        return spoken

    def has_file(self, *parts: str) -> bool:
        """Return whether the folder has a file, or something in its place that cannot be read."""
        path = self.folder.joinpath(*parts)
        record_file(path)
        return os.path.lexists(path)

    def yaml_ids(self, folder: str) -> list[str]:
        """Return the ids of the YAML files in one of the system's folders, sorted.

        Raises:
            MusterError: If a file has a name that cannot be an id.
        """
        record_listing(self.folder / folder, VISIBLE_YAML)
        paths = list(self.folder.joinpath(folder).glob(VISIBLE_YAML))
        misnamed = sorted(path for path in paths if not is_good_name(path.stem))
        Problems(map(name_problem, misnamed)).raise_if_any()
        return sorted(path.stem for path in paths)

    def table_ids(self) -> list[str]:
        """Return the ids of all tables, sorted."""
        return self.yaml_ids("tables")

    def table(self, table_id: str) -> Table:
        """Return a table, read when it is first needed.

        Raises:
            MusterError: If there is no such table, or its file has problems.
        """
        return get_or_make(self._tables, table_id, lambda: self._read_table(table_id))

    def _read_table(self, table_id: str) -> Table:
        name = f"{table_id}.yaml"
        if not _ID.fullmatch(table_id) or not self.has_file("tables", name):
            hint = did_you_mean(table_id, self.table_ids())
            location = Location(display_path(self.folder / "tables"), None, None)
            text = f"there is no table {table_id!r} in {self.title}{hint}"
            raise MusterError((Problem("unknown-table", text, location),))
        document = self.document("tables", name)
        table = read_table(document, [scale.id for scale in self.scales])
        if table.id != table_id:
            raise MusterError((file_name_problem(document, table.id, table_id),))
        return table

    def has_glossary_terms(self, table_id: str) -> bool:
        """Return whether a book's glossary has the terms of a table; false if it is unreadable."""
        try:
            table = self.table(table_id)
        except MusterError:
            return False
        return isinstance(table, Definitions) and table.glossary

    def tables(self) -> list[Table]:
        """Return all tables, in the order of their ids.

        Raises:
            MusterError: With the problems of all their files.
        """
        problems = Problems()
        tables = []
        for table_id in self.table_ids():
            try:
                tables.append(self.table(table_id))
            except MusterError as error:
                problems.extend(error.problems)
        problems.raise_if_any()
        return tables

    @tracked_property
    def errata(self) -> Errata:
        """The errata; none for a system without the file.

        Raises:
            MusterError: If the file has problems.
        """
        from muster.systems.errata import Errata  # noqa: PLC0415 - `check` does not need it

        if not self.has_file("errata.yaml"):
            return Errata(entries=[])
        return read_model(Errata, self.document("errata.yaml"))

    def sheet_ids(self) -> list[str]:
        """Return the ids of the quick-reference sheets, sorted."""
        return self.yaml_ids("sheets")

    def sheet(self, sheet_id: str) -> WrittenSheet:
        """Read a sheet file.

        Raises:
            MusterError: If it is missing or has problems.
        """
        from muster.systems.layouts import WrittenSheet  # noqa: PLC0415 - `check` does not need it

        return read_model(WrittenSheet, self.document("sheets", f"{sheet_id}.yaml"))

    def chapter_files(self) -> dict[str, Path]:
        """Return the files of the chapters by name, sorted; a system without prose has none."""
        folder = self.folder / "prose"
        record_listing(folder, VISIBLE_PROSE)
        return {path.name: path for path in sorted(folder.glob(VISIBLE_PROSE))}

    @tracked_property
    def readable_prose(self) -> Prose:
        """The chapters of the rules as far as they can be read, with the problems of the rest."""
        from muster.systems.prose import read_prose  # noqa: PLC0415 - `check` does not need it

        return read_prose(self)

    @property
    def prose(self) -> Prose:
        """The chapters of the rules; none for a system without a folder of prose.

        Raises:
            MusterError: With the problems of all chapters, as far as reading finds them.
        """
        prose = self.readable_prose
        Problems(prose.problems).raise_if_any()
        return prose

    def table_number(self, table_id: str) -> str:
        """Return the number of a table, such as `13.1`; empty if no chapter places the table."""
        return self.readable_prose.numbers.get(table_id, "")

    def edition_ids(self) -> list[str]:
        """Return the ids of the editions of the rulebook, sorted."""
        return self.yaml_ids("editions")

    def edition(self, edition_id: str) -> Edition:
        """Read an edition of the rulebook.

        Raises:
            MusterError: If its file is missing or has problems.
        """
        from muster.systems.rulebook_edition import Edition  # noqa: PLC0415 - not for `check`

        document = self.document("editions", f"{edition_id}.yaml")
        document.wording = None  # An edition is written in its own language.
        edition = read_model(Edition, document)
        if edition.language and self.speaker is None:
            self._check_language(document, edition.language)
        return edition

    def _check_language(self, document: Document, language: str) -> None:
        """Raise a MusterError if an edition is to be in a language that no text is in."""
        own = self.identity.language
        known = [each.lower() for each in (own.partition("-")[0], *self.translation_languages())]
        if {language.lower(), language.partition("-")[0].lower()} & {*known}:
            return
        new = language.partition("-")[0].lower()
        text = (
            f"read {language!r}, expected {own!r}, the language of the system, or that of a file in"
            f" translations/, where there is {', '.join(known[1:]) or 'none'}:"
            f" `muster translate {self.id} {new}` begins one"
        )
        raise MusterError([document.problem("untranslated-language", text, ("language",))])

    def edition_pictures(self, edition: Edition) -> dict[str, PictureFile]:
        """Return the pictures of an edition by their places, as `Edition.picture_files` names them.

        They are read when they are first asked for.
        """
        if not edition.has_pictures:
            return {}  # The standard edition may have no file.
        document = self.document("editions", f"{edition.id}.yaml")
        return dict(edition.picture_files(document, self.folder / "editions"))

    @tracked_property
    def picture_file(self) -> PictureFile | None:
        """The system's picture, if it has one; it is read when it is first asked for."""
        from muster.systems.pictures import picture_file  # noqa: PLC0415 - `check` does not need it

        written = self.identity.picture
        return picture_file(written, self.folder, self.document("system.yaml"), ())

    @tracked_property
    def cards(self) -> Cards | None:
        """What unit cards and rosters show; None for a system without the file.

        Raises:
            MusterError: If the file has problems.
        """
        from muster.systems.layouts import Cards  # noqa: PLC0415 - `check` does not need it

        if not self.has_file("cards.yaml"):
            return None
        return read_model(Cards, self.document("cards.yaml"))

    @tracked_property
    def tokens(self) -> Tokens | None:
        """The tokens to cut out; None for a system without the file.

        Raises:
            MusterError: If the file has problems.
        """
        from muster.systems.tokens import Tokens  # noqa: PLC0415 - `check` does not need it

        if not self.has_file("tokens.yaml"):
            return None
        return read_model(Tokens, self.document("tokens.yaml"))

    @tracked_property
    def search_words(self) -> SearchWords:
        """The synonyms for the search of the web edition; a system without the file has none.

        Raises:
            MusterError: If the file has problems.
        """
        from muster.systems.search_words import (  # noqa: PLC0415 - `check` does not need it
            SEARCH_FILE,
            SearchWords,
        )

        if not self.has_file(SEARCH_FILE):
            return SearchWords.model_construct(synonyms=[])
        return read_model(SearchWords, self.document(SEARCH_FILE))


def open_system(folder: Path) -> System:
    """Return the rule system of a folder. Only `system.yaml` is read now.

    Raises:
        MusterError: If the folder has no `system.yaml`, or that has problems.
    """
    path = folder / "system.yaml"
    document = read_document(path, shown_as=display_path(path), within=folder)
    identity = read_model(Identity, document)
    if identity.id != folder.name or not _ID.fullmatch(folder.name):
        text = f"read the id {identity.id!r}, expected {folder.name!r}, the folder's name"
        raise MusterError((document.problem("id-is-not-folder-name", text, ("id",)),))
    return System(folder, identity)


def file_name_problem(document: Document, read: str, expected: str) -> Problem:
    """Return the problem of a file whose id is not its name."""
    text = f"read the id {read!r}, expected {expected!r}, the file's name"
    return document.problem("id-is-not-file-name", text, ("id",))
