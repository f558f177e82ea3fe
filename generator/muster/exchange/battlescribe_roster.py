"""Write an army as a roster of BattleScribe, over the data that `battlescribe_export` writes."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from xml.etree.ElementTree import Element

from muster.armies import Node, Verdict
from muster.armies.army import NodeKind
from muster.armies.books import Book
from muster.exchange.battlescribe import SPACE
from muster.exchange.battlescribe_contents import Contents, contents_of
from muster.exchange.battlescribe_elements import (
    ARMY_FORCE,
    POINTS,
    VERSION,
    make_costs,
    make_element,
    make_list,
    make_text,
    xml_file,
)
from muster.exchange.battlescribe_export import army_of, catalogue_id


def export_roster(verdict: Verdict) -> str:
    """Return an army as a `.ros` file: one force for each army book, each unit with its costs."""
    return _Roster(verdict).text()


class _Roster:
    """Writes one roster."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.army = verdict.army
        self.priced = self.army.composition.has_prices
        self._numbers = count(1)
        lines = verdict.price.lines
        self._points = {id(line.node): line.each for line in lines if line.each is not None}
        """What one of each node costs, as far as that is known."""
        self._contents: dict[tuple[str, str], Contents] = {}

    def text(self) -> str:
        """Return the file."""
        army, system = self.army, self.army.system
        total = self.verdict.price.total
        attributes = {
            "id": self._id(),
            "name": army.name,
            "battleScribeVersion": VERSION,
            "gameSystemId": system.id,
            "gameSystemName": system.title,
            "gameSystemRevision": 1,
            "xmlns": f"{SPACE}rosterSchema",
        }
        limit = None
        if army.limit is not None and self.priced:
            limit = make_element(
                "costLimit", {"name": "pts", "typeId": POINTS, "value": army.limit}
            )
        root = make_element(
            "roster",
            attributes,
            make_costs(total, priced=True) if total is not None else None,
            make_list("costLimits", [limit] if limit is not None else []),
            make_list("forces", self._forces()),
            make_text("customNotes", army.root.notes),
        )
        return xml_file(root)

    def _id(self) -> str:
        return f"{self.army.system.id}.{next(self._numbers)}"

    def _forces(self) -> Iterator[Element]:
        books: dict[str, Book | None] = {}
        for node in self._nodes():
            books.setdefault(node.book.id if node.book is not None else "", node.book)
        for key, book in books.items():
            mine = (n for n in self._nodes() if (n.book.id if n.book is not None else "") == key)
            # Equal units are selections of their own, as each has its own contents.
            selections = [self._selection(n) for n in mine for _ in range(n.count)]
            attributes = {
                "id": self._id(),
                "name": self.army.composition.top.title,
                "entryId": ARMY_FORCE,
                "catalogueId": catalogue_id(self.army.system, book),
                "catalogueRevision": 1,
                "catalogueName": book.title if book is not None else self.army.system.title,
            }
            yield make_element("force", attributes, make_list("selections", selections))

    def _nodes(self) -> Iterator[Node]:
        return (node for node in self.army.nodes() if node.entry is not None)

    def _selection(self, node: Node) -> Element:
        found = self._contents_of(node)
        attributes = {"id": self._id(), "name": node.title, "entryId": found.id}
        if node.name:
            attributes["customName"] = node.name
        chosen = found.chosen(node.kind)
        numbers = {item.id: number for item, number in chosen}
        inner = []
        own = self._points.get(id(node), found.cost)
        for item, number in chosen:
            points = item.cost * number
            points += sum(
                (rate * numbers.get(key, 0) for key, rate in item.rates.items()), Decimal(0)
            )
            own -= points if id(node) in self._points else 0
            kind = "model" if item.is_model else "upgrade"
            parts = {"id": self._id(), "name": item.name, "entryId": item.id}
            parts |= {"number": str(number), "type": kind, "from": "entry"}
            inner.append(make_element("selection", parts, make_costs(points, priced=self.priced)))
        entry = node.entry
        category = []
        if entry is not None:
            named = {"id": self._id(), "name": entry.title, "entryId": f"type.{entry.id}"}
            category.append(make_element("category", {**named, "primary": True}))
        return make_element(
            "selection",
            {**attributes, "number": 1, "type": "unit", "from": "entry"},
            make_text("customNotes", node.notes),
            make_list("selections", inner),
            make_costs(own, priced=self.priced),
            make_list("categories", category),
        )

    def _contents_of(self, node: Node) -> Contents:
        """Return the contents of a unit, leader or work, which the system's data hold too."""
        profile, entry, book = node.profile, node.entry, node.book
        assert entry is not None  # noqa: S101 - only nodes with an entry are written
        own = book if profile is not None else None
        key = profile.id if profile is not None else entry.id
        start = own.id if own is not None else ""
        if (start, key) not in self._contents:
            composition = self.army.composition
            root = army_of(composition, own)
            given = node.kind.given_options
            kind = NodeKind(composition, entry.level, entry, profile, own, given, {}, root)
            name = f"{start or self.army.system.id}.{key}"
            self._contents[start, key] = contents_of(kind, name)
        return self._contents[start, key]
