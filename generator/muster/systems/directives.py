"""The directives that may stand in the braces of prose, and how one is parsed.

A directive is a verb, a colon and an argument: `{value: rates row=foot column=open}`. What it comes
to is worked out in `evaluation`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast, get_args

from muster.problems import did_you_mean
from muster.values import LengthUnit
from muster.values.quantity import Operation, Quantity, Rounding


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """`{table: ID}`: prints the table here."""

    table: str


@dataclass(frozen=True, slots=True)
class NameTable:
    """`{ref: ID}`: the number of a table; after `| words` it stands in brackets."""

    table: str
    capital: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class NameChapter:
    """`{chapter: ID/SECTION | words}`: a reference to another chapter or section."""

    chapter: str
    section: str
    words: str


@dataclass(frozen=True, slots=True)
class CellQuery:
    """A row, a column or a cell of a table, found by pairs of key and value as written."""

    table: str
    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShowCell:
    """`{value: TABLE key=…}`: the text of a cell, or `| words` instead."""

    query: CellQuery
    words: str = ""


@dataclass(frozen=True, slots=True)
class ShowLabel:
    """`{label: TABLE row=…}`: the label of a row or column, or `| words` instead.

    A `plain` label may begin with a small letter, as in the middle of a sentence.
    """

    query: CellQuery
    plain: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """`{given: 9 as roll}`, `{given: 20 cm}`: a number or length that an example assumes.

    A `signed` one is printed with its plus sign.
    """

    quantity: Quantity
    signed: bool
    name: str


@dataclass(frozen=True, slots=True)
class Let:
    """`{let: NAME = TABLE key=…}`: names the number in a cell; prints nothing.

    `{let: NAME = TABLE per-band}` names the length of one band, which the table states.
    """

    name: str
    query: CellQuery
    per_band: bool = False


@dataclass(frozen=True, slots=True)
class Show:
    """`{show: NAME}`: a named number or length."""

    name: str


Operand = str | Quantity
"""An operand of a calculation: a name, or a number or length typed here."""


@dataclass(frozen=True, slots=True)
class Calculate:
    """`{sum: a b -1 up as NAME}` and the like: an operation; a `silent` one prints nothing."""

    operation: Operation
    operands: tuple[Operand, ...]
    rounding: Rounding
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class ResolveRoll:
    """`{rolled: TABLE key=… dice=@die}`: what a roll in a cell comes to, with these dice."""

    query: CellQuery
    dice: tuple[Operand, ...]
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """`{fact: 20 cm | L118 as NAME}`: a figure that stands in no table, with its source lines."""

    text: str
    lines: str
    name: str = ""
    quantity: Quantity | None = None
    """The number or length that the text states, if it is named."""


@dataclass(frozen=True, slots=True)
class IndexTerm:
    """`{index: TERM > BELOW}`: an entry of the index; prints nothing."""

    term: str
    below: str


@dataclass(frozen=True, slots=True)
class NameErratum:
    """`{erratum: ID}`: a small number that leads to an entry of the errata."""

    erratum: str


@dataclass(frozen=True, slots=True)
class AllErrata:
    """`{errata}`: the list of all errata."""


Directive = (
    PlaceTable
    | NameTable
    | NameChapter
    | ShowCell
    | ShowLabel
    | Given
    | Let
    | Show
    | Calculate
    | ResolveRoll
    | Fact
    | IndexTerm
    | NameErratum
    | AllErrata
)

STANDALONE = (PlaceTable, AllErrata)
"""The directives that must stand alone in their line: they print no part of a sentence."""

LONGEST_DIRECTIVE = 300
"""Characters of the longest directive."""

_NUMBER = re.compile(r"[+−-]?[0-9]{1,9}(?:\.[0-9]{1,4})?")
_LENGTH = re.compile(rf"({_NUMBER.pattern})(cm|mm|\"|″)?")
_UNITS = {"cm": LengthUnit.CM, "mm": LengthUnit.MM, '"': LengthUnit.INCH, "″": LengthUnit.INCH}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_SOURCE_LINES = re.compile(
    r"L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(, ?L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*"
)


class BadDirective(ValueError):  # noqa: N818 - like `BadValue`: it is a bad directive
    """A directive that cannot be parsed or evaluated.

    `code` is stable, and `example`, if there is one, is a directive that would be right.
    """

    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


def parse_directive(body: str) -> Directive:
    """Parse what stands between two braces.

    Raises:
        BadDirective: If the verb is unknown, or the argument is not what the verb takes.
    """
    if len(body) > LONGEST_DIRECTIVE:
        text = f"read a directive of {len(body)} characters, expected at most {LONGEST_DIRECTIVE}"
        raise BadDirective("long-directive", text)
    verb, colon, rest = body.partition(":")
    verb, argument = verb.strip(), rest.strip()
    if verb in _BARE_VERBS:
        if colon:
            raise BadDirective("bad-directive", f"`{{{verb}}}` takes no argument", f"{{{verb}}}")
        return _BARE_VERBS[verb]()
    if verb not in _PARSERS:
        known = ", ".join([*_PARSERS, *_BARE_VERBS])
        hint = did_you_mean(verb, [*_PARSERS, *_BARE_VERBS])
        text = f"read the verb {verb[:40]!r}, expected one of {known}{hint}"
        raise BadDirective("unknown-verb", text, EXAMPLES["value"])
    if not argument:
        text = f"`{{{verb}: …}}` needs an argument after the colon"
        raise BadDirective("missing-argument", text, EXAMPLES[verb])
    return _PARSERS[verb](verb, argument)


EXAMPLES = {
    "table": "{table: kinds-of-ground}",
    "ref": "{ref: kinds-of-ground}",
    "Ref": "{Ref: kinds-of-ground}",
    "chapter": "{chapter: panic/standing-firm | standing firm}",
    "value": "{value: rates row=foot column=open}",
    "label": "{label: rates row=foot}",
    "Label": "{Label: rates column=open}",
    "given": "{given: 9 as score}",
    "let": "{let: rate = rates row=foot column=open}",
    "show": "{show: rate}",
    **{verb: f"{{{verb}: rate score as total}}" for verb in ("sum", "product", "least", "most")},
    **{verb: f"{{{verb}: rate score as rest}}" for verb in ("less", "quotient")},
    "rolled": "{rolled: rates row=foot column=fleeing dice=@score as run}",
    "fact": "{fact: 20 cm | L118}",
    "index": "{index: horse > charges}",
    "erratum": "{erratum: lost-line}",
}
"""A directive of each verb with an argument, to be shown with an error."""


def _error(verb: str, text: str, code: str = "bad-directive") -> BadDirective:
    return BadDirective(code, text, EXAMPLES[verb])


def _single_id(verb: str, argument: str) -> str:
    """Check that an argument is one id, and return it."""
    if len(argument.split()) != 1 or "=" in argument or "|" in argument:
        raise _error(verb, f"read {argument[:60]!r}, expected one id")
    return argument


def _parse_table(verb: str, argument: str) -> Directive:
    return PlaceTable(_single_id(verb, argument))


def _parse_ref(verb: str, argument: str) -> Directive:
    table, words = _split_words(verb, argument)
    return NameTable(_single_id(verb, table), verb == "Ref", words)


def _split_words(verb: str, argument: str) -> tuple[str, str]:
    """Split an argument at the bar: what is named, and the words to print for it, if any."""
    named, bar, words = (part.strip() for part in argument.partition("|"))
    if bar and not words:
        raise _error(verb, "expected words after the bar (`|`), or no bar", "missing-argument")
    if not named:
        raise _error(verb, "nothing is named before the bar (`|`)", "missing-argument")
    return named, words


def _parse_chapter(verb: str, argument: str) -> Directive:
    place, words = _split_words(verb, argument)
    chapter, _, section = _single_id(verb, place).partition("/")
    return NameChapter(chapter, section, words)


def _parse_cell_query(verb: str, words: Sequence[str]) -> CellQuery:
    """Parse a table's id and `key=value` pairs; a value may hold spaces, as `row=-3 to -2` does."""
    keys: list[tuple[str, str]] = []
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if equals and value and key:
            keys.append((key, value))
        elif keys and not equals:
            keys[-1] = (keys[-1][0], f"{keys[-1][1]} {word}")
        else:
            raise _error(verb, f"read {word[:40]!r}, expected key=value")
    if "=" in words[0]:
        raise _error(
            verb, f"read {words[0][:40]!r}, expected the id of a table first", "missing-argument"
        )
    return CellQuery(words[0], tuple(keys))


def _parse_value(verb: str, argument: str) -> Directive:
    named, words = _split_words(verb, argument)
    return ShowCell(_parse_cell_query(verb, named.split()), words)


def _parse_label(verb: str, argument: str) -> Directive:
    named, words = _split_words(verb, argument)
    query = _parse_cell_query(verb, named.split())
    if len(query.keys) != 1:
        text = f"read {len(query.keys)} keys, expected one: a row or a column"
        raise _error(verb, text, "missing-argument")
    return ShowLabel(query, verb == "label", words)


def _split_name(verb: str, words: list[str]) -> tuple[list[str], str]:
    """Split `as NAME` from the end; the name is empty if there is none."""
    if "as" not in words:
        return words, ""
    at = words.index("as")
    if at != len(words) - 2:
        raise _error(verb, "expected `as` and one name at the end", "missing-argument")
    return words[:at], _parse_name(verb, words[-1])


def _parse_name(verb: str, word: str) -> str:
    if not _NAME.fullmatch(word):
        raise _error(verb, f"read {word[:40]!r}, expected a name in lower-case letters")
    return word


def _parse_quantity(text: str) -> Quantity | None:
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    return Quantity(Fraction(match[1].replace("−", "-")), _UNITS.get(match[2] or ""))


def _parse_operand(verb: str, word: str) -> Operand:
    """Parse what is calculated with: a number or length such as `5cm`, or a name."""
    quantity = _parse_quantity(word)
    return _parse_name(verb, word) if quantity is None else quantity


def _parse_given(verb: str, argument: str) -> Directive:
    words, name = _split_name(verb, argument.split())
    quantity = _parse_quantity("".join(words))
    if quantity is None:
        raise _error(verb, f"read {' '.join(words)[:40]!r}, expected a number or a length")
    return Given(quantity, words[0].startswith("+"), name)


def _parse_let(verb: str, argument: str) -> Directive:
    name, equals, rest = argument.partition("=")
    words = rest.split()
    if not equals or not words:
        raise _error(verb, "expected a name, `=` and a cell", "missing-argument")
    name = _parse_name(verb, name.strip())
    per_band = words[1:] == ["per-band"]
    return Let(name, _parse_cell_query(verb, words[:1] if per_band else words), per_band)


def _parse_show(verb: str, argument: str) -> Directive:
    return Show(_parse_name(verb, _single_id(verb, argument)))


_PAIR = 2
_MOST_OPERANDS = 20


def _split_silently(words: list[str]) -> tuple[list[str], bool]:
    """Split `silently` from the end; the second result is whether it stood there."""
    silent = words[-1:] == ["silently"]
    return (words[:-1] if silent else words), silent


def _parse_calculation(verb: str, argument: str) -> Directive:
    words, name = _split_name(verb, argument.split())
    words, silent = _split_silently(words)
    rounding = words[-1] if words and words[-1] in get_args(Rounding) else ""
    words = words[:-1] if rounding else words
    operands = tuple(_parse_operand(verb, word) for word in words)
    fewest = _PAIR if verb != "sum" else 1
    most = _PAIR if verb in ("less", "quotient") else _MOST_OPERANDS
    if not fewest <= len(operands) <= most:
        expected = "two" if most == _PAIR else f"at least {'one' if fewest == 1 else 'two'}"
        text = f"read {len(operands)} numbers and names, expected {expected}"
        raise _error(verb, text, "missing-argument")
    # Both words were looked up in their types.
    operation, rounded = cast("Operation", verb), cast("Rounding", rounding)
    return Calculate(operation, operands, rounded, silent, name)


def _parse_roll(verb: str, argument: str) -> Directive:
    words, name = _split_name(verb, argument.split())
    words, silent = _split_silently(words)
    if not words:
        raise _error(verb, "expected the id of a table first", "missing-argument")
    query = _parse_cell_query(verb, words)
    dice_keys = [value.split() for key, value in query.keys if key == _DICE_KEY]
    if len(dice_keys) != 1:
        text = f"read `dice=…` {len(dice_keys)} times, expected it once"
        raise _error(verb, text, "missing-argument")
    if len(dice_keys[0]) > _MOST_OPERANDS:
        raise _error(verb, f"read {len(dice_keys[0])} dice, expected at most {_MOST_OPERANDS}")
    dice = tuple(_parse_operand(verb, word.removeprefix("@")) for word in dice_keys[0])
    keys = tuple((key, value) for key, value in query.keys if key != _DICE_KEY)
    return ResolveRoll(CellQuery(query.table, keys), dice, silent, name)


_DICE_KEY = "dice"


def _parse_fact(verb: str, argument: str) -> Directive:
    text, bar, after = (part.strip() for part in argument.partition("|"))
    words, name = _split_name(verb, after.split())
    lines = " ".join(words)
    if not bar or not _SOURCE_LINES.fullmatch(lines):
        read = f"read {lines[:40]!r}" if bar else "there is no bar (`|`)"
        raise _error(verb, f"{read}, expected source lines after a bar", "fact-without-source")
    if not text:
        raise _error(verb, "expected a figure before the bar (`|`)", "missing-argument")
    quantity = _parse_quantity("".join(text.split())) if name else None
    if name and quantity is None:
        raise _error(verb, f"read {text[:40]!r}, expected a number or a length to name")
    return Fact(text, lines, name, quantity)


def _parse_index(verb: str, argument: str) -> Directive:
    term, above, below = (part.strip() for part in argument.partition(">"))
    if not term or (above and not below) or ">" in below:
        raise _error(verb, f"read {argument[:60]!r}, expected a term, or a term > a term below it")
    return IndexTerm(term, below)


def _parse_erratum(verb: str, argument: str) -> Directive:
    return NameErratum(_single_id(verb, argument))


_PARSERS: dict[str, Callable[[str, str], Directive]] = {
    "table": _parse_table,
    "ref": _parse_ref,
    "Ref": _parse_ref,
    "chapter": _parse_chapter,
    "value": _parse_value,
    "label": _parse_label,
    "Label": _parse_label,
    "given": _parse_given,
    "let": _parse_let,
    "show": _parse_show,
    **dict.fromkeys(get_args(Operation), _parse_calculation),
    "rolled": _parse_roll,
    "fact": _parse_fact,
    "index": _parse_index,
    "erratum": _parse_erratum,
}
_BARE_VERBS: dict[str, Callable[[], Directive]] = {"errata": AllErrata}
"""The verbs without an argument."""

VERBS = (*_PARSERS, *_BARE_VERBS)
"""All verbs."""
