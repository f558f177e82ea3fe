"""Find systems, armies and templates, shipped with Muster or in the user's own folder.

The folders `content/`, `armies/` and `templates/` of the working folder come before the shipped
ones, file by file: a user adds to what is shipped, or replaces a part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path

from muster.dependencies import CachedResult, get_or_make, record_listing
from muster.names import find_names, likely_name, matching_names
from muster.problems import Location, MusterError, Problem, did_you_mean, display_path
from muster.systems.file_names import VISIBLE_YAML, is_good_name, name_problem
from muster.systems.system import System, open_system
from muster.yamlfile.textfile import leads_out, link_problem

ROOT_NAMES = ("content", "armies", "templates")
"""The folders, shipped and the user's own, that documents are made from."""

STARTERS_FOLDER = "new"
"""The folder of what `muster new` copies, below `templates`: nothing in it is rendered."""


def shipped_root() -> Path:
    """Return the folder that holds the shipped `content/`, `templates/` and `armies/`.

    In an installed wheel it is inside the package; in a checkout it is the top folder.
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / "shipped"
    return inside if inside.is_dir() else package.parent.parent


@dataclass(frozen=True, slots=True)
class LibraryItem:
    """A system or army file that was found, and whether it is the user's own."""

    id: str
    path: Path
    own: bool


class Library:
    """The systems, armies and templates available to one working folder."""

    def __init__(self, folder: Path | None = None, shipped: Path | None = None) -> None:
        self.folder = (folder or Path.cwd()).resolve()
        self.shipped = (shipped or shipped_root()).resolve()
        self._opened: dict[str, CachedResult[System]] = {}

    def roots(self, name: str) -> list[tuple[Path, bool]]:
        """Return the folders with a name such as `armies`, and whether each is the user's own.

        Raises:
            MusterError: If the user's own is a link that leads out of the working folder.
        """
        record_listing(self.folder, name)
        shipped = self.shipped / name
        own = self.folder / name
        if own.is_symlink() and leads_out(own, self.folder):
            raise MusterError([link_problem(display_path(own))])
        roots = [(own, True)] if own.is_dir() and own != shipped else []
        return [*roots, (shipped, False)]

    def systems(self) -> dict[str, LibraryItem]:
        """Return all rule systems by id, sorted; the user's own hide shipped ones."""
        items: dict[str, LibraryItem] = {}
        for root, own in self.roots("content"):
            record_listing(root, "*/system.yaml")
            for path in sorted(root.glob("*/system.yaml")):
                items.setdefault(path.parent.name, LibraryItem(path.parent.name, path.parent, own))
        return dict(sorted(items.items()))

    def armies(self, system_id: str) -> dict[str, LibraryItem]:
        """Return all army files of a system by id, sorted; the user's own hide shipped ones.

        Those that `refused_armies` finds are left out.
        """
        items: dict[str, LibraryItem] = {}
        for path, own, problem in self._army_files(system_id):
            if problem is None:
                items.setdefault(path.stem, LibraryItem(path.stem, path, own))
        return dict(sorted(items.items()))

    def refused_armies(self, system_id: str) -> list[Problem]:
        """Return the problems of army files whose name is no id, or that lie elsewhere."""
        return [problem for _, _, problem in self._army_files(system_id) if problem is not None]

    def _army_files(self, system_id: str) -> Iterator[tuple[Path, bool, Problem | None]]:
        """Yield the army files of a system, whether each is the user's own, and its problem."""
        for root, own in self.roots("armies"):
            folder = root / system_id
            record_listing(folder, VISIBLE_YAML)
            top = self.folder if own else self.shipped
            is_elsewhere = leads_out(folder, top)
            for path in sorted(folder.glob(VISIBLE_YAML)):
                problem = None
                if is_elsewhere or (path.is_symlink() and leads_out(path, top)):
                    problem = link_problem(display_path(path))
                elif not is_good_name(path.stem):
                    problem = name_problem(path)
                yield path, own, problem

    def book_folders(self, system_id: str) -> list[Path]:
        """Return the folders that hold army books of a system, the user's own first.

        A user adds books to a shipped system by putting them into `content/<id>/books` of the
        working folder, without the rest of the system.

        Raises:
            MusterError: If the system's folder is a link that leads out of the working folder.
        """
        roots = [root / system_id for root, _ in self.roots("content")]
        for root in roots:
            record_listing(root, "books")
            if root.is_symlink():
                self._refuse_link(root)
        folders = [root / "books" for root in roots]
        return [folder for folder in folders if folder.is_dir()]

    def templates(self) -> list[Path]:
        """Return the template folders, the user's own first."""
        return [root for root, _ in self.roots("templates") if root.is_dir()]

    def own_templates(self) -> list[str]:
        """Return the names of the user's own templates, style sheets and fonts, sorted.

        A copy of a shipped file, as every clone of Muster has them, changes no page.
        """
        shipped = [root for root, own in self.roots("templates") if not own]
        return sorted(
            path.relative_to(root).as_posix()
            for root, own in self.roots("templates")
            if own
            for path in root.rglob("*")
            if path.is_file()
            and path.relative_to(root).parts[0] != STARTERS_FOLDER
            and not any(_is_copy(path, each / path.relative_to(root)) for each in shipped)
        )

    def system(self, system_id: str) -> System:
        """Return a system by id or title, opened when it is first needed.

        Raises:
            MusterError: If there is none of that name, or its `system.yaml` has problems.
        """
        return get_or_make(self._opened, system_id, lambda: self._open(system_id))

    def find_system(self, name: str) -> System:
        """Return the system that a person means, who may abbreviate or misspell its id or title.

        Raises:
            MusterError: If there is none of that name, or several, or its `system.yaml` has
                problems.
        """
        found = self.matching_systems(name) or [likely_name(name, self._titles())]
        return self.system(found[0] if len(found) == 1 and found[0] else name)

    def matching_systems(self, name: str) -> list[str]:
        """Return the ids of the systems of a name, which may be abbreviated, or be a title.

        Titles are read only if it is no id.
        """
        return [name] if name in self.systems() else matching_names(name, self._titles())

    def _titles(self) -> list[tuple[str, str]]:
        return [(key, self._title_of(key)) for key in self.systems()]

    def _open(self, system_id: str) -> System:
        systems = self.systems()
        if system_id not in systems:
            known = list(systems)
            titles = self._titles()
            found = find_names(system_id, titles)
            if len(found) == 1:
                return self.system(found[0])
            matching = matching_names(system_id, titles)
            text = f"{system_id!r} matches more than one rule system: {', '.join(matching)}"
            if len(matching) < 2:  # noqa: PLR2004 - one is not several
                hint = did_you_mean(system_id, known, dict(titles))
                text = f"there is no rule system {system_id!r}{hint}; known: {', '.join(known)}"
            location = Location(str(self.folder / "content"), None, None)
            raise MusterError((Problem("unknown-system", text, location),))
        self._refuse_link(systems[system_id].path)
        return open_system(systems[system_id].path)

    def _refuse_link(self, folder: Path) -> None:
        """Refuse a folder that is a link out of the working folder, or of the shipped one.

        Raises:
            MusterError: If it is.
        """
        top = self.shipped if folder.is_relative_to(self.shipped) else self.folder
        if leads_out(folder, top):
            raise MusterError([link_problem(display_path(folder))])

    def _title_of(self, system_id: str) -> str:
        """Return the title of a system; empty if its `system.yaml` has problems."""
        try:
            return self.system(system_id).title
        except MusterError:
            return ""


def _is_copy(path: Path, of: Path) -> bool:
    """Return whether a file has the bytes of another, which may be missing."""
    return of.is_file() and cmp(path, of, shallow=False)
