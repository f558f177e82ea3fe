"""Owns small documents to render: a card, a deck, a sheet, a roster.

Does not render them.
"""

from __future__ import annotations

from typing import Any

from generator.documents.cards import Card, CardBlock, CardRow, Deck, LossBox
from generator.documents.derived import Answer
from generator.documents.roster import Entry, Key, Roster, Section, Told
from generator.documents.sheet import Block, Phase, Sheet, Side
from generator.documents.views import Cell, Footnote, Head, Line, View

NUMBER = Answer("4", "number")


def card(title: str = "Guards", rows: int = 3, **changes: Any) -> Card:
    lines = tuple(CardRow(f"Row {n}", (NUMBER, Answer("", "blank"))) for n in range(rows))
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
        "losses": (LossBox(1), LossBox(2, "½")),
        "losses_label": "Stands",
        "boxes": ("Order",),
        "blocks": (CardBlock("Move", "movement", ("Open", "Rough"), lines),),
        "faults": (),
    }
    return Card(**{**held, **changes})


def deck(*cards: Card) -> Deck:
    return Deck("Club rules", "The army", "en", "1.0", "Our own.", legal=True, cards=cards)


def view(title: str = "Movement", rows: int = 3, label: str = "Foot", **changes: Any) -> View:
    lines = tuple(
        Line(f"{label} {n}", (Cell("15 cm", "number"), Cell("", "blank"))) for n in range(rows)
    )
    held: dict[str, Any] = {
        "id": "movement",
        "title": title,
        "form": "grid",
        "lines": lines,
        "heads": (Head("Open"), Head("Rough")),
    }
    return View(**{**held, **changes})


def block(title: str = "Movement", *views: View, **changes: Any) -> Block:
    return Block("movement", title, "a remark", "movement", views or (view(title),), **changes)


def side(*blocks: Block, columns: tuple[int, ...] = (1, 1), title: str = "The turn") -> Side:
    phases = (Phase("Move", "movement", here=True), Phase("Fire", "fire", here=False))
    return Side(title, columns, blocks or (block(),), (Footnote(1, "Read so.", "L1"),), phases)


def sheet(*sides: Side, **changes: Any) -> Sheet:
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


def entry(name: str = "Guards", **changes: Any) -> Entry:
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
    return Entry(**{**held, **changes})


def roster(entries: int = 3, **changes: Any) -> Roster:
    own = tuple(entry(f"Unit {n}") for n in range(entries))
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
        "keys": (Key("Mv", "Move in the open"),),
        "sections": (Section("First line", "command", own, "72"),),
        "findings": (),
        "units": f"{entries} units",
        "has_sizes": True,
        "has_losses": True,
        "suggests": False,
    }
    return Roster(**{**held, **changes})


def told(message: str = "A unit has too many stands.") -> Told:
    return Told("error", "Guards", message, "4–8", "9", "The army, L1", "Take 1 off.", "line 6")
