"""Typed values of a cell: they parse from text, print back, and show on a page."""

from muster.values.absent import BLANK, DASH, BadAbsent, Blank, Dash
from muster.values.angle import Angle, BadAngle
from muster.values.band import BadBand, Band
from muster.values.cell import FORMS, BadCell, BadForm, Parsed, parse_value, read_cell
from muster.values.cost import BadCost, Cost, InexactCostError
from muster.values.count import BadCount, Count
from muster.values.dice import BadDice, Dice
from muster.values.distance import BadDistance, BadSpan, Distance, LengthUnit, MeasureError, Span
from muster.values.fraction import BadFraction, Fraction
from muster.values.modifier import BadModifier, Modifier
from muster.values.number import BadNumber, Number
from muster.values.percent import BadPercent, Percent
from muster.values.scaled import BadScaled, Scaled
from muster.values.target import BadTarget, Target
from muster.values.text import BadText, Text
from muster.values.value import BadValue, Value

__all__ = [
    "BLANK",
    "DASH",
    "FORMS",
    "Angle",
    "BadAbsent",
    "BadAngle",
    "BadBand",
    "BadCell",
    "BadCost",
    "BadCount",
    "BadDice",
    "BadDistance",
    "BadForm",
    "BadFraction",
    "BadModifier",
    "BadNumber",
    "BadPercent",
    "BadScaled",
    "BadSpan",
    "BadTarget",
    "BadText",
    "BadValue",
    "Band",
    "Blank",
    "Cost",
    "Count",
    "Dash",
    "Dice",
    "Distance",
    "Fraction",
    "InexactCostError",
    "LengthUnit",
    "MeasureError",
    "Modifier",
    "Number",
    "Parsed",
    "Percent",
    "Scaled",
    "Span",
    "Target",
    "Text",
    "Value",
    "parse_value",
    "read_cell",
]
