"""The directives that may stand in the braces of prose, and how one is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from muster.problems import did_you_mean
from muster.values import LengthUnit
from muster.values.quantity import Operation, Quantity, Rounding


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """`{table: ID}`: the table stands here."""

    table: str


@dataclass(frozen=True, slots=True)
class NameTable:
    """`{ref: ID}`: the table by its number; `| words` stand before it in brackets."""

    table: str
    capital: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class NameChapter:
    """`{chapter: ID/SECTION | words}`: another place of the book."""

    chapter: str
    section: str
    words: str


@dataclass(frozen=True, slots=True)
class CellQuery:
    """A row, a column or a cell of a table: how each is found, in the order written."""

    table: str
    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShowCell:
    """`{value: TABLE key=…}`: the text of a cell."""

    spot: CellQuery
    words: str = ""


@dataclass(frozen=True, slots=True)
class ShowLabel:
    """`{label: TABLE row=…}`: the label of a row or column; `plain` in running text."""

    spot: CellQuery
    plain: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """`{given: 9 as roll}`, `{given: 20 cm}`: a number or length that an example supposes."""

    amount: Quantity
    signed: bool
    name: str


@dataclass(frozen=True, slots=True)
class Let:
    """`{let: NAME = TABLE key=…}`: a cell's number gets a name; prints nothing.

    `{let: NAME = TABLE per-band}` names the length of one band, which the table states.
    """

    name: str
    spot: CellQuery
    per_band: bool = False


@dataclass(frozen=True, slots=True)
class Show:
    """`{show: NAME}`: a named value."""

    name: str


Operand = str | Quantity
"""What is reckoned with: a name, or an amount typed here."""


@dataclass(frozen=True, slots=True)
class Calculate:
    """`{sum: a b -1}` and its like: computes from names and numbers; may name the result."""

    operation: Operation
    operands: tuple[Operand, ...]
    rounding: Rounding
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class ResolveRoll:
    """`{rolled: TABLE key=… dice=@die}`: works out a cell that is rolled, by what the dice show."""

    spot: CellQuery
    dice: tuple[Operand, ...]
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """`{fact: 20 cm | L118}`: a figure that stands in no table, with its source lines."""

    text: str
    lines: str
    name: str = ""
    amount: Quantity | None = None
    """What is named: the number or length that the text is."""


@dataclass(frozen=True, slots=True)
class IndexTerm:
    """`{index: term > below}`: an entry of the index; prints nothing."""

    term: str
    below: str


@dataclass(frozen=True, slots=True)
class AllErrata:
    """`{errata}`: the list of all errata."""


@dataclass(frozen=True, slots=True)
class AllBlanks:
    """`{blanks}`: the list of all blanks to fill in."""


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
    | AllErrata
    | AllBlanks
)

STANDALONE = (PlaceTable, AllErrata, AllBlanks)
"""The directives that stand alone in their line: what they print is no part of a sentence."""


LONGEST_DIRECTIVE = 300
"""Characters of the longest directive."""

_NUMBER = re.compile(r"[+−-]?[0-9]{1,9}(?:\.[0-9]{1,4})?")
_LENGTH = re.compile(rf"({_NUMBER.pattern})(cm|mm|\"|″)?")
_UNITS = {"cm": LengthUnit.CM, "mm": LengthUnit.MM, '"': LengthUnit.INCH, "″": LengthUnit.INCH}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_SOURCE_LINES = re.compile(
    r"L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(, ?L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*"
)


class BadDirective(ValueError):  # noqa: N818 - as `BadValue`: it is a bad directive
    """Say what is wrong with a directive: a stable code, words, and an example that would do."""

    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


def parse_directive(body: str) -> Directive:
    """Read what stands between two braces.

    Raises:
        BadDirective: If it is none of the verbs, or lacks what its verb needs.
    """
    if len(body) > LONGEST_DIRECTIVE:
        text = f"a directive of {len(body)} characters, expected at most {LONGEST_DIRECTIVE}"
        raise BadDirective("long-directive", text)
    verb, colon, rest = body.partition(":")
    verb, written = verb.strip(), rest.strip()
    if verb in _BARE_VERBS:
        if colon:
            raise BadDirective("bad-directive", f"`{{{verb}}}` takes nothing", f"{{{verb}}}")
        return _BARE_VERBS[verb]()
    if verb not in _PARSERS:
        known = ", ".join([*_PARSERS, *_BARE_VERBS])
        hint = did_you_mean(verb, [*_PARSERS, *_BARE_VERBS])
        text = f"read the verb {verb[:40]!r}, expected one of: {known}{hint}"
        raise BadDirective("unknown-verb", text, EXAMPLES["value"])
    if not written:
        text = f"`{{{verb}: …}}` needs something behind the colon"
        raise BadDirective("missing-argument", text, EXAMPLES[verb])
    return _PARSERS[verb](verb, written)


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
    **{way: f"{{{way}: rate score as total}}" for way in ("sum", "product", "least", "most")},
    **{way: f"{{{way}: rate score as rest}}" for way in ("less", "quotient")},
    "rolled": "{rolled: rates row=foot column=fleeing dice=@score as run}",
    "fact": "{fact: 20 cm | L118}",
    "index": "{index: horse > charges}",
}
"""What each verb looks like, to be shown with a fault."""


def _error(verb: str, text: str, code: str = "bad-directive") -> BadDirective:
    return BadDirective(code, text, EXAMPLES[verb])


def _single_id(verb: str, written: str) -> str:
    """Give the one id that a verb takes."""
    if len(written.split()) != 1 or "=" in written or "|" in written:
        raise _error(verb, f"read {written[:60]!r}, expected one id")
    return written


def _parse_table(verb: str, written: str) -> Directive:
    return PlaceTable(_single_id(verb, written))


def _parse_ref(verb: str, written: str) -> Directive:
    table, words = _split_words(verb, written)
    return NameTable(_single_id(verb, table), verb == "Ref", words)


def _split_words(verb: str, written: str) -> tuple[str, str]:
    """Part what is named from the words to print instead, if there are any."""
    named, bar, words = (part.strip() for part in written.partition("|"))
    if bar and not words:
        raise _error(verb, "no words stand behind the bar", "missing-argument")
    if not named:
        raise _error(verb, "nothing is named before the bar", "missing-argument")
    return named, words


def _parse_chapter(verb: str, written: str) -> Directive:
    place, words = _split_words(verb, written)
    chapter, _, section = _single_id(verb, place).partition("/")
    return NameChapter(chapter, section, words)


def _parse_cell_query(verb: str, words: Sequence[str]) -> CellQuery:
    """Read a table's id and `key=value` pairs; a value may hold spaces, e.g. `row=-3 to -2`."""
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
        raise _error(verb, f"read {words[0][:40]!r}, expected a table first", "missing-argument")
    return CellQuery(words[0], tuple(keys))


def _parse_value(verb: str, written: str) -> Directive:
    named, instead = _split_words(verb, written)
    return ShowCell(_parse_cell_query(verb, named.split()), instead)


def _parse_label(verb: str, written: str) -> Directive:
    named, instead = _split_words(verb, written)
    spot = _parse_cell_query(verb, named.split())
    if len(spot.keys) != 1:
        raise _error(verb, "a label is that of one row or one column", "missing-argument")
    return ShowLabel(spot, verb == "label", instead)


def _split_name(verb: str, words: list[str]) -> tuple[list[str], str]:
    """Take `as NAME` off the end."""
    if "as" not in words:
        return words, ""
    at = words.index("as")
    if at != len(words) - 2:
        raise _error(verb, "`as` is followed by one name, at the end", "missing-argument")
    return words[:at], _parse_name(verb, words[-1])


def _parse_name(verb: str, word: str) -> str:
    if not _NAME.fullmatch(word):
        raise _error(verb, f"read {word[:40]!r}, expected a name in small letters")
    return word


def _parse_quantity(text: str) -> Quantity | None:
    found = _LENGTH.fullmatch(text)
    if found is None:
        return None
    return Quantity(Fraction(found[1].replace("−", "-")), _UNITS.get(found[2] or ""))


def _parse_operand(verb: str, word: str) -> Operand:
    """Read what is reckoned with: a number or length such as `5cm`, or a name."""
    amount = _parse_quantity(word)
    return _parse_name(verb, word) if amount is None else amount


def _parse_given(verb: str, written: str) -> Directive:
    words, name = _split_name(verb, written.split())
    amount = _parse_quantity("".join(words))
    if amount is None:
        raise _error(verb, f"read {' '.join(words)[:40]!r}, expected a number or a length")
    return Given(amount, words[0].startswith("+"), name)


def _parse_let(verb: str, written: str) -> Directive:
    name, equals, rest = written.partition("=")
    words = rest.split()
    if not equals or not words:
        raise _error(verb, "expected a name, `=`, and a cell", "missing-argument")
    if words[1:] == ["per-band"]:
        return Let(
            _parse_name(verb, name.strip()), _parse_cell_query(verb, words[:1]), per_band=True
        )
    return Let(_parse_name(verb, name.strip()), _parse_cell_query(verb, words))


def _parse_show(verb: str, written: str) -> Directive:
    return Show(_parse_name(verb, _single_id(verb, written)))


_PAIR = 2
_MOST_OPERANDS = 20


def _split_silently(words: list[str]) -> tuple[list[str], bool]:
    """Take `silently` off the end."""
    silent = words[-1:] == ["silently"]
    return (words[:-1] if silent else words), silent


def _parse_calculation(verb: str, written: str) -> Directive:
    words, name = _split_name(verb, written.split())
    words, silent = _split_silently(words)
    rounding = words[-1] if words and words[-1] in ("down", "up") else ""
    words = words[:-1] if rounding else words
    parts = tuple(_parse_operand(verb, word) for word in words)
    fewest = _PAIR if verb != "sum" else 1
    most = _PAIR if verb in ("less", "quotient") else _MOST_OPERANDS
    if not fewest <= len(parts) <= most:
        wanted = "two" if most == _PAIR else f"at least {'one' if fewest == 1 else 'two'}"
        raise _error(verb, f"read {len(parts)} parts, expected {wanted}", "missing-argument")
    return Calculate(_OPERATIONS[verb], parts, _ROUNDING[rounding], silent, name)


def _parse_roll(verb: str, written: str) -> Directive:
    words, name = _split_name(verb, written.split())
    words, silent = _split_silently(words)
    if not words:
        raise _error(verb, "no table is named", "missing-argument")
    spot = _parse_cell_query(verb, words)
    shown = [value.split() for key, value in spot.keys if key == _DICE_KEY]
    if len(shown) != 1:
        raise _error(verb, "what the dice show is said once: dice=…", "missing-argument")
    if len(shown[0]) > _MOST_OPERANDS:
        raise _error(verb, f"read {len(shown[0])} dice, expected at most {_MOST_OPERANDS}")
    dice = tuple(_parse_operand(verb, word.removeprefix("@")) for word in shown[0])
    keys = tuple((key, value) for key, value in spot.keys if key != _DICE_KEY)
    return ResolveRoll(CellQuery(spot.table, keys), dice, silent, name)


_DICE_KEY = "dice"
_OPERATIONS: dict[str, Operation] = {
    "sum": "sum",
    "less": "less",
    "product": "product",
    "quotient": "quotient",
    "least": "least",
    "most": "most",
}
_ROUNDING: dict[str, Rounding] = {"": "", "down": "down", "up": "up"}


def _parse_fact(verb: str, written: str) -> Directive:
    text, bar, behind = (part.strip() for part in written.partition("|"))
    words, name = _split_name(verb, behind.split())
    lines = " ".join(words)
    if not bar or not _SOURCE_LINES.fullmatch(lines):
        told = f"read {lines[:40]!r}" if bar else "there is no bar"
        raise _error(verb, f"{told}, expected source lines behind a bar", "fact-without-source")
    if not text:
        raise _error(verb, "no figure stands before the bar", "missing-argument")
    amount = _parse_quantity("".join(text.split())) if name else None
    if name and amount is None:
        raise _error(verb, f"read {text[:40]!r}, expected a number or a length to be named")
    return Fact(text, lines, name, amount)


def _parse_index(verb: str, written: str) -> Directive:
    term, above, below = (part.strip() for part in written.partition(">"))
    if not term or (above and not below) or ">" in below:
        raise _error(verb, f"read {written[:60]!r}, expected a term, or a term > a term below")
    return IndexTerm(term, below)


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
    **dict.fromkeys(_OPERATIONS, _parse_calculation),
    "rolled": _parse_roll,
    "fact": _parse_fact,
    "index": _parse_index,
}
_BARE_VERBS: dict[str, Callable[[], Directive]] = {"errata": AllErrata, "blanks": AllBlanks}
VERBS = (*_PARSERS, *_BARE_VERBS)
"""Every verb."""
