"""The request for a build, and its jobs: each is one document in one file, with a fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from muster import __version__

KINDS = ("tokens", "sheet", "cards", "roster", "book", "rulebook", "web", "builder")
FORMATS = ("html", "pdf")
INDEX_GROUP = "index"
"""The kind and the group of the two files that list a build, which every build writes."""
DEFAULT_CACHE_MB = 512
"""The default for the largest size of the cache of printed documents; 0 means no cache."""

OlderEditions = tuple[tuple[str, str], ...]
"""Pairs of a system's id and an older edition as JSON: rulebooks mark what changed since then."""


class ChosenArmy(NamedTuple):
    """An army that is built without the rest of its system."""

    system: str
    id: str
    """The name of the folder of its documents."""
    file: str
    """The absolute path of its file."""
    elsewhere: bool
    """Whether the file lies where no other build finds it, such as among downloads."""


@dataclass(frozen=True, slots=True)
class Request:
    """The request for one build; `folder` is the working folder, whose content takes precedence.

    If neither systems nor armies are named, all systems are built. If no paper is, sheets and army
    books are printed on A4 and on Letter, and the documents of armies on A4. If no scale is, sheets
    show all scales, and the documents of an army show its own. If no unit is (`cm`, `in`), lengths
    stay in the system's own.
    """

    folder: Path
    systems: tuple[str, ...] = ()
    kinds: tuple[str, ...] = KINDS
    formats: tuple[str, ...] = FORMATS
    papers: tuple[str, ...] = ()
    scale: str = ""
    unit: str = ""
    since: OlderEditions = ()
    backs: str = ""
    """The edge over which sheets are turned, `long` or `short`, if cards get backs."""
    builder_at: str = ""
    """The address at which the list builder is published, if rosters for tournaments link to it."""
    languages: tuple[str, ...] = ()
    """The languages to print in, such as `de`. If none is named, a system's own and those of its
    translations, in which armies, books and tokens get only pages for screens.
    """
    armies: tuple[ChosenArmy, ...] = ()
    """Armies to build beside the systems; their own documents, without pages of the website."""

    @property
    def key(self) -> str:
        """The key of its record; it differs between versions and installations of Muster."""
        place = str(Path(__file__).parent)
        return sha256(repr((__version__, place, self)).encode()).hexdigest()[:16]

    @property
    def covers_all_systems(self) -> bool:
        """Whether all systems are built, because none is named and no army either."""
        return not self.systems and not self.armies

    @property
    def covers_all_kinds(self) -> bool:
        """Whether documents of all kinds are built, in all formats and languages."""
        is_whole = set(self.kinds) == set(KINDS) and set(self.formats) == set(FORMATS)
        return is_whole and not self.languages

    @property
    def index_language(self) -> str:
        """The language of the index: the only one that is asked for, else English."""
        return self.languages[0] if len(self.languages) == 1 else "en"

    def is_in_language(self, tag: str) -> bool:
        """Return whether documents in a language are built; `de` stands for `de-AT` too."""
        return not self.languages or bool({tag, tag.partition("-")[0]} & set(self.languages))


@dataclass(frozen=True, slots=True)
class DeferredData:
    """The fingerprint of data that is only gathered if its document is due."""

    fingerprint: str


_latest_hashed: tuple[object, str] = (None, "")


def data_fingerprint(data: object) -> str:
    """Return the hash of frozen data.

    The latest hash is kept, since several files in a row are made from the same data.
    """
    global _latest_hashed  # noqa: PLW0603 - a cache of one entry
    if isinstance(data, DeferredData):
        return data.fingerprint
    if _latest_hashed[0] is not data or data is None:
        _latest_hashed = (data, sha256(repr(data).encode()).hexdigest()[:32])
    return _latest_hashed[1]


@dataclass(frozen=True, slots=True)
class Job:
    """One document in one file."""

    path: str
    kind: str
    format: str
    variant: str
    paper: str
    title: str
    system: str
    army: str
    data: Any
    beside: tuple[tuple[str, str], ...] = ()
    """Title and file name of each other page for screens in the same folder."""
    group: str = ""
    """The id of the group of jobs whose data is gathered together."""
    language: str = ""
    """The language of a translation or edition; empty for that of the system itself."""

    @property
    def layout_key(self) -> str:
        """The key of the layout that this job shares with others; empty if it shares none.

        Of two jobs with the same key, the later one uses the measurements of the first. Cards of
        one size are measured once, however many are printed on a page, and a cover is as wide as
        its book is thick.
        """
        small_cards = self.kind == "cards" and self.variant != "4-up"
        shares = small_cards or self.kind in {"rulebook", "cover"}
        return self.group if shares and self.format == "pdf" else ""

    def fingerprint(self, templates_fingerprint: str) -> str:
        """Return the hash of everything that the file is made from."""
        layout = (__version__, templates_fingerprint, self.kind, self.format, self.variant)
        whole = ((*layout, self.paper), self.path, self.beside, data_fingerprint(self.data))
        return sha256(repr(whole).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """The facts about a system that the index page shows, with the look of its pages."""

    id: str
    title: str
    edition: str
    accent: str
    ornament: str


@dataclass(frozen=True, slots=True)
class ArmySummary:
    """The facts about an army that the index page shows."""

    id: str
    name: str
    system: str
    legal: bool
    points: str
    limit: str
    findings: int
    own: bool
    elsewhere: str = ""
    """The path of its file, if that lies where no other build finds it."""


GatheredJobs = tuple[list[Job], list[ArmySummary]]
"""The jobs of a group with their data, and the armies that were read for them."""
