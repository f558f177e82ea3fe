"""What the checks of a composition, its cards and its tables have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from muster.armies.possible_values import Possibilities, References, filter_issues
from muster.problems import MusterError
from muster.systems import System
from muster.systems.lint import LintIssue
from muster.tables import Table
from muster.yamlfile import Document, KeyPath


class Linter:
    """The base class of the checks, which also record the names that a file refers to."""

    def __init__(
        self, system: System, possible: Possibilities, references: References, document: Document
    ) -> None:
        self.system = system
        self.possible = possible
        self.references = references
        self.document = document
        self.written = possible.composition.written

    def error(self, code: str, text: str, path: KeyPath) -> LintIssue:
        """Return an error at a place of the file."""
        return LintIssue("error", self.document.problem(code, text, path))

    def load_table(self, table_id: str, path: KeyPath) -> tuple[Table | None, list[LintIssue]]:
        """Return a table, or what is wrong with a reference to it.

        Only an unknown id is reported here: a table that cannot be read is reported elsewhere.
        """
        self.references.tables.add(table_id)
        try:
            return self.system.table(table_id), []
        except MusterError as error:
            if table_id in self.system.table_ids():
                return None, []
            return None, [self.error("unknown-table", error.problems[0].text, (*path, "table"))]

    def check_filter(
        self, where: Mapping[str, Sequence[str]], path: KeyPath, key: str = "where"
    ) -> Iterator[LintIssue]:
        """Check a filter by attributes, and record these."""
        self.references.attributes |= set(where)
        yield from filter_issues(self.possible, self.document, where, (*path, key))
