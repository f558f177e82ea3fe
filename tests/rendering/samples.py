"""Small documents to render: a card, a deck, a sheet, a roster."""

from __future__ import annotations

from typing import Any

from muster.documents.army_book import ArmyBook, BookUnit, RuleGroup, UnitGroup
from muster.documents.cards import Card, CardBlock, CardRow, Deck, LargeFigure, LossBox, LossTrack
from muster.documents.derived_values import DerivedCell
from muster.documents.roster import ColumnKey, Roster, RosterEntry, RosterFinding, RosterSection
from muster.documents.sheet import Sheet, SheetBlock, SheetSide, SidePhase
from muster.documents.table_view import ColumnHead, Footnote, PrintedCell, TableLine, TableView

NUMBER = DerivedCell("4", "number")


def card(title: str = "Guards", rows: int = 3, **changes: Any) -> Card:
    lines = tuple(CardRow(f"Row {n}", (NUMBER, DerivedCell("", "blank"))) for n in range(rows))
    held: dict[str, Any] = {
        "id": title,
        "title": title,
        "facts": ("Foot", "6 stands"),
        "command": "First line",
        "army": "The army",
        "nation": "Prussia",
        "colour": "#1f3a5f",
        "shape": "circle",
        "cost": "24 points",
        "options": ("Veterans",),
        "symbol": "M10 10 H90 V90 H10 Z",
        "figures": (LargeFigure("move", DerivedCell("15\u202fcm", "number")),),
        "losses": LossTrack("Stands", (LossBox(1), LossBox(2, "½"))),
        "tallies": (),
        "boxes": ("Order",),
        "blocks": (CardBlock("Move", "movement", ("Open", "Rough"), lines),),
        "faults": (),
    }
    return Card(**{**held, **changes})


def book_unit(title: str = "Musketeers", **changes: Any) -> BookUnit:
    held: dict[str, Any] = {
        "id": title.lower(),
        "title": title,
        "type": "Foot",
        "options": ("Veterans",),
        "facts": (CardRow("Charge bonus", (NUMBER,)),),
        "values": (NUMBER,),
        "size": "3, 4 or 6 stands",
        "price": "3 per stand",
        "points": "9, 12 or 18",
        "costs": (),
        "unknown": False,
        "notes": "Steady.",
    }
    return BookUnit(**{**held, **changes})


def army_book(*units: BookUnit, **changes: Any) -> ArmyBook:
    held: dict[str, Any] = {
        "system": "Club rules",
        "id": "prussia",
        "title": "Prussia",
        "colour": "#1f3a5f",
        "shape": "circle",
        "language": "en",
        "edition": "1.0",
        "credit": "Our own.",
        "has_points": True,
        "source": "",
        "nation": "Prussia",
        "notes": "",
        "facts": (),
        "suggests": "",
        "groups": (UnitGroup("Units", (ColumnKey("Move", "move in line"),), units),),
        "leaders": (),
        "leader_choices": (),
        "choices": (),
        "rules": (RuleGroup("Units", ()),),
    }
    return ArmyBook(**{**held, **changes})


def deck(*cards: Card) -> Deck:
    return Deck("Club rules", "The army", "en", "1.0", "Our own.", legal=True, cards=cards)


def view(title: str = "Movement", rows: int = 3, label: str = "Foot", **changes: Any) -> TableView:
    lines = tuple(
        TableLine(f"{label} {n}", (PrintedCell("15 cm", "number"), PrintedCell("", "blank")))
        for n in range(rows)
    )
    held: dict[str, Any] = {
        "id": "movement",
        "title": title,
        "form": "grid",
        "lines": lines,
        "heads": (ColumnHead("Open"), ColumnHead("Rough")),
    }
    return TableView(**{**held, **changes})


def block(title: str = "Movement", *views: TableView, **changes: Any) -> SheetBlock:
    return SheetBlock("movement", title, "a remark", "movement", views or (view(title),), **changes)


def side(
    *blocks: SheetBlock, columns: tuple[int, ...] = (1, 1), title: str = "The turn"
) -> SheetSide:
    phases = (SidePhase("Move", "movement", here=True), SidePhase("Fire", "fire", here=False))
    return SheetSide(
        title, columns, blocks or (block(),), (Footnote("a", "Read so.", "L1"),), phases
    )


def sheet(*sides: SheetSide, **changes: Any) -> Sheet:
    held: dict[str, Any] = {
        "system": "club",
        "title": "Club rules",
        "subtitle": "Quick reference",
        "orientation": "landscape",
        "language": "en",
        "edition": "1.0",
        "scale": "28 mm",
        "unit": "centimetres",
        "credit": "Our own.",
        "conventions": ("Plus is *good*.",),
        "sides": sides or (side(),),
    }
    return Sheet(**{**held, **changes})


def entry(name: str = "Guards", **changes: Any) -> RosterEntry:
    held: dict[str, Any] = {
        "name": name,
        "type": "Foot",
        "options": ("Veterans",),
        "strength": "6 stands",
        "values": (NUMBER,),
        "how": "6 × 4",
        "points": "24",
        "boxes": 6,
        "count": 1,
        "kind": "unit",
        "depth": 0,
        "faulty": False,
    }
    return RosterEntry(**{**held, **changes})


def roster(entries: int = 3, **changes: Any) -> Roster:
    own = tuple(entry(f"Unit {n}") for n in range(entries))
    move = ColumnKey("Mv", "Move in the open")
    held: dict[str, Any] = {
        "system": "Club rules",
        "army": "The army",
        "book": "Prussia",
        "colour": "#1f3a5f",
        "shape": "circle",
        "language": "en",
        "edition": "1.0",
        "credit": "Our own.",
        "legal": True,
        "has_points": True,
        "points": "72",
        "limit": "100",
        "missing": (),
        "keys": (move,),
        "sections": (RosterSection("First line", "command", own, "72", keys=(move,)),),
        "findings": (),
        "units": f"{entries} units",
    }
    return Roster(**{**held, **changes})


def told(message: str = "A unit has too many stands.") -> RosterFinding:
    found = "It has 9; it may have 4–8."
    return RosterFinding("error", "Guards", message, found, "The army, L1", "Take 1 off.")
