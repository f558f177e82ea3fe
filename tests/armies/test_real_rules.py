"""Test that real rules can be said: of each way to say something, ten of published games.

They are in `real_rules.yaml`, as the composition of the tiny system, and in `real_book.yaml`; that
the solver agrees with the check on them is tested in `tests/solver/test_encoding.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from muster.armies import load_book
from muster.armies.composition import composition_from_document
from muster.systems import open_system
from muster.yamlfile import document_from_text

HERE: Final = Path(__file__).parent
REAL_RULES: Final = (HERE / "real_rules.yaml").read_text(encoding="utf-8")
REAL_BOOK: Final = (HERE / "real_book.yaml").read_text(encoding="utf-8")


def test_ten_real_rules_of_each_kind_are_understood(system: Path) -> None:
    document = document_from_text(REAL_RULES, "composition.yaml")

    composition = composition_from_document(open_system(system), document)

    groups = Counter(rule.id.rpartition("-")[0] for rule in composition.constraints)
    tried = ("any-all", "options", "points", "limit", "each", "contents")
    assert {group: groups[group] for group in tried} == dict.fromkeys(tried, 10)
    assert len(composition.written.grants) == 10


def test_ten_real_limits_of_units_and_of_their_options_are_understood(system: Path) -> None:
    (system / "composition.yaml").write_text(REAL_RULES, encoding="utf-8")
    (system / "books" / "north.yaml").write_text(REAL_BOOK, encoding="utf-8")

    units = load_book(open_system(system), "north").units.values()

    assert len([unit for unit in units if unit.number]) == 10
    assert len([unit for unit in units if unit.may is not None]) == 10
