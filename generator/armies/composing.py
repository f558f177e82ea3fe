"""Owns how a system's composition comes from its file: read, held together, and kept.

Does not say what a composition is (see `vocabulary` and `composition`).
"""

from __future__ import annotations

from generator.armies.composition import Composition, prices
from generator.armies.soundness import faults_of
from generator.armies.vocabulary import WrittenComposition
from generator.problems import MusterError
from generator.reading import Document, read_model
from generator.systems import System
from generator.uses import Kept, keep

FILE = "composition.yaml"


def load_composition(system: System) -> Composition:
    """Read a system's composition; it is read once for each system.

    Raises:
        MusterError: If the file is missing or has faults: all of them, each at its place.
    """
    # The system itself keeps it: a register of our own would keep every system alive.
    kept: dict[str, Kept[Composition]] = vars(system)
    return keep(kept, "kept composition", lambda: compose(system, system.document(FILE)))


def compose(system: System, document: Document) -> Composition:
    """Make a composition of a document, and hold its references to each other.

    Raises:
        MusterError: With all faults of the file.
    """
    written = read_model(WrittenComposition, document)
    problems = faults_of(written, document, {chapter.id for chapter in system.chapters})
    if problems:
        raise MusterError(tuple(problems))
    return Composition(
        system=system,
        written=written,
        document=document,
        levels={level.id: level for level in written.levels},
        entries={entry.id: entry for entry in written.entries},
        options={option.id: option for option in written.options},
        below={
            level.id: tuple(each for each in written.levels if level.id in each.under)
            for level in written.levels
        },
        bottom=frozenset(entry.level for entry in written.entries),
        prices=any(True for _ in prices(written)),
    )
