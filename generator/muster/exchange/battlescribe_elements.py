"""Make the elements of BattleScribe data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from xml.etree.ElementTree import Element, indent, tostring

from muster.values.number import plain_number

POINTS = "pts"
ARMY_FORCE = "army"
VERSION = "2.03"
PLAIN: dict[str, Any] = {"hidden": False, "collective": False, "import": True}
"""The attributes that all entries have."""


def make_element(tag: str, attributes: Mapping[str, Any], *children: Element | None) -> Element:
    """Return an element; flags and numbers become text, and empty children are left out."""
    texts = {key: _text_of(value) for key, value in attributes.items()}
    element = Element(tag, texts)
    element.extend(child for child in children if child is not None)
    return element


def make_list(tag: str, children: Iterable[Element]) -> Element | None:
    """Return an element that holds others; None without any."""
    made = Element(tag)
    made.extend(children)
    return made if len(made) else None


def make_text(tag: str, text: str) -> Element | None:
    """Return an element with a text; None without any."""
    if not text:
        return None
    made = Element(tag)
    made.text = text
    return made


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain_number(value) if isinstance(value, Decimal) else str(value)


def xml_file(root: Element) -> str:
    """Return a file of XML."""
    indent(root)
    text: str = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}\n'


def make_costs(points: Decimal, *, priced: bool) -> Element | None:
    """Return what something costs; None in a system without points."""
    cost = make_element("cost", {"name": "pts", "typeId": POINTS, "value": points})
    return make_list("costs", [cost]) if priced else None


def query_attributes(what: str, scope: str, value: Decimal) -> dict[str, Any]:
    """Return the attributes of everything that counts something in a scope."""
    return {
        "field": what,
        "scope": scope,
        "value": value,
        "percentValue": False,
        "shared": True,
        "includeChildSelections": False,
        "includeChildForces": True,
    }


def make_constraint(key: str, kind: str, value: Decimal, scope: str, what: str) -> Element:
    """Return a limit of a kind (`min` or `max`) on what is counted in a scope."""
    return make_element(
        "constraint", {**query_attributes(what, scope, value), "id": key, "type": kind}
    )


def join_conditions(parts: list[Element], kind: str) -> Element:
    """Return conditions as one, of which all must hold (`and`) or any (`or`)."""
    plain = [part for part in parts if part.tag == "condition"]
    groups = [part for part in parts if part.tag == "conditionGroup"]
    return make_element(
        "conditionGroup",
        {"type": kind},
        make_list("conditions", plain),
        make_list("conditionGroups", groups),
    )
