"""Find the army files that a person names: by file, by the army's name, or by a folder of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from muster.cli import show
from muster.cli.name_matching import MAX_LISTED
from muster.problems import Location, MusterError, Problem, did_you_mean, display_path

if TYPE_CHECKING:
    from muster.building.jobs import ChosenArmy
    from muster.systems import Library

ARMY_SUFFIXES = (".yaml", ".yml")

MAX_ID_LENGTH = 60


class _KnownArmy(NamedTuple):
    system: str
    id: str
    path: Path
    own: bool


class ArmyFiles:
    """The army files of a library, and how a person may name them.

    A file goes by its path; an army below `armies/` also by its name, such as `my-army`, or by
    `system/my-army` where several systems have one of that name.
    """

    def __init__(self, library: Library, systems: Iterable[str] | None = None) -> None:
        """Take the library, and the only systems whose armies go by their names, if not all."""
        self.library = library
        self._systems = systems

    @cached_property
    def _known(self) -> list[_KnownArmy]:
        return [
            _KnownArmy(system, army.id, army.path, army.own)
            for system in (self.library.systems() if self._systems is None else self._systems)
            for army in self.library.armies(system).values()
        ]

    @cached_property
    def _by_path(self) -> dict[Path, _KnownArmy]:
        return {army.path.resolve(): army for army in self._known}

    def find(self, word: str, systems: Sequence[str] = ()) -> Path:
        """Return the army file that a word names; it need not be readable.

        A file of that name comes first, then the user's own army, then a shipped one.

        Args:
            word: The word as it was typed.
            systems: The systems that the word might have named instead, for the message.

        Raises:
            MusterError: If no army has this name, or several have.
        """
        path = Path(word)
        if path.is_file() or (path.exists() and not path.is_dir()):
            return path
        matching = self._named(word)
        matching = [army for army in matching if army.own] or matching
        if len(matching) == 1:
            return Path(display_path(matching[0].path))
        if matching:
            files = ", ".join(f"{a.system}/{a.id} ({display_path(a.path)})" for a in matching)
            text = f"{word!r} is an army of several systems; name one of them as {files}"
            raise _name_error("ambiguous-army", text)
        if path.exists() or path.suffix in ARMY_SUFFIXES or path.is_absolute():
            return path  # Whoever reads it says what is wrong with it.
        raise _name_error("unknown-army", self._unknown_text(word, systems))

    def _named(self, word: str) -> list[_KnownArmy]:
        """Return the armies of a name, which may have the suffix of a file and a system before."""
        system, _, name = word.rpartition("/")
        stem, dot, suffix = name.rpartition(".")
        if f"{dot}{suffix}" in ARMY_SUFFIXES:
            name = stem
        ids = {name, as_id(name)}
        return [a for a in self._known if a.id in ids and (not system or a.system == system)]

    def _unknown_text(self, word: str, systems: Sequence[str]) -> str:
        """Return that a word names no army; with *systems*, that it names none of these either."""
        ids = list(dict.fromkeys(army.id for army in sorted(self._known, key=lambda a: not a.own)))
        hint = did_you_mean(word, [*systems, *ids])
        armies = show.listed(ids, MAX_LISTED) or "none"
        if not systems:
            return f"there is no army {word!r}, and no file of this name{hint}; known: {armies}"
        return (
            f"there is no rule system, no army and no file {word!r}{hint};"
            f" known systems: {', '.join(systems)}; known armies: {armies}"
        )

    def find_all(self, word: str) -> list[Path]:
        """Return the army files that a word names: one, or all YAML files below a folder.

        Hidden files and folders, and the folders of rule systems, are left out.

        Raises:
            MusterError: As for `find`, or if there is no army file below the folder.
        """
        if not Path(word).is_dir():
            return [self.find(word)]
        found: list[Path] = []
        for folder, folders, files in os.walk(word):
            if "system.yaml" in files:
                folders.clear()
                continue
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found += [
                Path(folder, name)
                for name in sorted(files)
                if name.endswith(ARMY_SUFFIXES) and not name.startswith(".")
            ]
        if not found:
            text = "there is no army file in this folder, expected files such as my-army.yaml"
            raise MusterError([Problem("no-army", text, Location(word))])
        return found

    def name_for(self, system: str, army_id: str) -> str:
        """Return the shortest name of an army of the working folder, which need not exist yet."""
        own = self.library.folder != self.library.shipped
        rivals = [a for a in self._known if a.id == army_id and a.system != system]
        if army_id in self.library.systems() or any(a.own or not own for a in rivals):
            return f"{system}/{army_id}"
        return army_id

    def choose(self, words: Iterable[str]) -> tuple[list[str], list[ChosenArmy], list[Problem]]:
        """Return the systems and the armies that words name, and what is wrong with the others.

        A system comes before an army of the same name. An army whose file lies elsewhere than the
        armies of its system gets its documents' folder from the name of its file.
        """
        known = list(self.library.systems())
        systems: list[str] = []
        armies: list[ChosenArmy] = []
        problems: list[Problem] = []
        for word in dict.fromkeys(words):
            if word in known:
                systems.append(word)
                continue
            try:
                armies.append(self._choose_army(self.find(word, known), armies))
            except MusterError as error:
                problems += error.problems
        return systems, list(dict.fromkeys(armies)), problems

    def _choose_army(self, path: Path, chosen: list[ChosenArmy]) -> ChosenArmy:
        """Return an army file with its system and the name of its documents' folder.

        Raises:
            MusterError: If the file cannot be read, or another army has the same folder.
        """
        from muster.armies import load_army
        from muster.building.jobs import ChosenArmy

        # A link is followed to know the army, but its own path is kept: its reader may refuse it.
        known = self._by_path.get(path.resolve())
        if known is not None:
            return ChosenArmy(known.system, known.id, str(known.path), elsewhere=False)
        system = load_army(path, self.library).system.id
        army = ChosenArmy(system, as_id(path.stem) or "army", str(path.absolute()), elsewhere=True)
        others = [(a.system, a.id, str(a.path)) for a in self._known]
        others += [(a.system, a.id, a.file) for a in chosen if a != army]
        for other_system, other_id, other_file in others:
            if (other_system, other_id) == (army.system, army.id):
                text = (
                    f"{display_path(Path(other_file))} has the same name, and so would its"
                    " documents; rename one of the two"
                )
                raise MusterError([Problem("same-name", text, Location(display_path(path)))])
        return army


def as_id(name: str) -> str:
    """Return a name as an id: `My army (2)` becomes `my-army-2`; empty without any letter."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:MAX_ID_LENGTH].strip("-")


def _name_error(code: str, text: str) -> MusterError:
    """Return the error of a name that was looked for below `armies/`."""
    return MusterError([Problem(code, text, Location("armies"))])


def refuse_shipped(path: Path, library: Library, advice: str) -> None:
    """Refuse to write beside or over an army file that came with an installed Muster.

    Raises:
        click.UsageError: If the file is one; the message ends with *advice*.
    """
    file = path.resolve()
    if file.is_relative_to(library.shipped) and not file.is_relative_to(library.folder):
        raise click.UsageError(f"{path} came with Muster and stays as it is; {advice}")


def ignored_files_warning(folder: Path) -> str:
    """Return a warning that names the files below `armies/` that no build finds; empty if none.

    Builds find `armies/SYSTEM/NAME.yaml`. Only names are looked at, so that a build of nothing new
    stays quick.
    """
    armies = folder / "armies"
    ignored = [path for suffix in ARMY_SUFFIXES for path in armies.glob(f"*{suffix}")]
    ignored += armies.glob("*/*.yml")
    names = sorted(display_path(path) for path in ignored if not path.name.startswith("."))
    if not names:
        return ""
    shown = show.listed(names, MAX_LISTED)
    return f"ignored: {shown}; expected army files such as armies/SYSTEM/my-army.yaml"
