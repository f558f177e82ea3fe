"""Owns what a cell can hold: typed values that parse from text, print back, and show on a page.

Does not read files or know tables: a value is the same wherever it stands.
"""

from generator.values.absent import BLANK, DASH, BadAbsent, Blank, Dash
from generator.values.angle import Angle, BadAngle
from generator.values.band import BadBand, Band
from generator.values.cell import FORMS, BadCell, BadForm, Parsed, parse_value, read_cell
from generator.values.cost import BadCost, Cost, InexactCostError
from generator.values.count import BadCount, Count
from generator.values.dice import BadDice, Dice
from generator.values.distance import (
    BadDistance,
    BadSpan,
    Distance,
    MeasureError,
    Span,
    Unit,
)
from generator.values.fraction import BadFraction, Fraction
from generator.values.modifier import BadModifier, Modifier
from generator.values.number import BadNumber, Number
from generator.values.percent import BadPercent, Percent
from generator.values.scaled import BadScaled, Scaled
from generator.values.target import BadTarget, Target
from generator.values.text import BadText, Text
from generator.values.value import BadValue, Value

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
    "MeasureError",
    "Modifier",
    "Number",
    "Parsed",
    "Percent",
    "Scaled",
    "Span",
    "Target",
    "Text",
    "Unit",
    "Value",
    "parse_value",
    "read_cell",
]
