"""Owns what may stand in the braces of prose: a closed set of verbs, one type a verb.

Does not look anything up (`reckoning` does) and does not find the braces in a text (`prose`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from generator.reading import did_you_mean

LONGEST = 300
"""Characters of the longest directive."""

_NUMBER = re.compile(r"[+−-]?[0-9]{1,9}(?:\.[0-9]{1,4})?")
_LENGTH = re.compile(rf"({_NUMBER.pattern})(cm|mm|\"|″)?")
_UNITS = {"": "", "cm": "cm", "mm": "mm", '"': "in", "″": "in"}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_LINES = re.compile(r"L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(, ?L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*")


class BadDirective(ValueError):  # noqa: N818 - as `BadValue`: it is a bad directive
    """Say what is wrong with a directive: a stable code, words, and an example that would do."""

    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


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
class Spot:
    """A row, a column or a cell of a table: how each is found, in the order written."""

    table: str
    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShowCell:
    """`{value: TABLE key=…}`: the text of a cell."""

    spot: Spot
    words: str = ""


@dataclass(frozen=True, slots=True)
class ShowLabel:
    """`{label: TABLE row=…}`: the label of a row or column; `plain` in running text."""

    spot: Spot
    plain: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """`{given: 9 as roll}`, `{given: 20 cm}`: a number or length that an example supposes."""

    number: Decimal
    signed: bool
    unit: str
    name: str


@dataclass(frozen=True, slots=True)
class Let:
    """`{let: NAME = TABLE key=…}`: a cell's number gets a name; prints nothing."""

    name: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Show:
    """`{show: NAME}`: a named value."""

    name: str


Way = Literal["sum", "less", "product", "quotient", "least", "most"]


@dataclass(frozen=True, slots=True)
class Reckon:
    """`{sum: a b -1}` and its like: computes from names and numbers; may name the result."""

    way: Way
    parts: tuple[str | Decimal, ...]
    rounding: Literal["", "down", "up"]
    silent: bool
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """`{fact: 20 cm | L118}`: a figure that stands in no table, with its source lines."""

    text: str
    lines: str


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
    | Reckon
    | Fact
    | IndexTerm
    | AllErrata
    | AllBlanks
)

ALONE = (PlaceTable, AllErrata, AllBlanks)
"""The directives that stand alone in their line: what they print is no part of a sentence."""


def parse_directive(body: str) -> Directive:
    """Read what stands between two braces.

    Raises:
        BadDirective: If it is none of the verbs, or lacks what its verb needs.
    """
    if len(body) > LONGEST:
        text = f"a directive of {len(body)} characters, expected at most {LONGEST}"
        raise BadDirective("long-directive", text)
    verb, colon, rest = body.partition(":")
    verb, written = verb.strip(), rest.strip()
    if verb in _WHOLE:
        if colon:
            raise BadDirective("bad-directive", f"`{{{verb}}}` takes nothing", f"{{{verb}}}")
        return _WHOLE[verb]()
    if verb not in _VERBS:
        known = ", ".join([*_VERBS, *_WHOLE])
        hint = did_you_mean(verb, [*_VERBS, *_WHOLE])
        text = f"read the verb {verb[:40]!r}, expected one of: {known}{hint}"
        raise BadDirective("unknown-verb", text, EXAMPLES["value"])
    if not written:
        text = f"`{{{verb}: …}}` needs something behind the colon"
        raise BadDirective("missing-argument", text, EXAMPLES[verb])
    return _VERBS[verb](verb, written)


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
    "fact": "{fact: 20 cm | L118}",
    "index": "{index: horse > charges}",
}
"""What each verb looks like, to be shown with a fault."""


def _bad(verb: str, text: str, code: str = "bad-directive") -> BadDirective:
    return BadDirective(code, text, EXAMPLES[verb])


def _one(verb: str, written: str) -> str:
    """Give the one id that a verb takes."""
    if len(written.split()) != 1 or "=" in written or "|" in written:
        raise _bad(verb, f"read {written[:60]!r}, expected one id")
    return written


def _table(verb: str, written: str) -> Directive:
    return PlaceTable(_one(verb, written))


def _ref(verb: str, written: str) -> Directive:
    table, words = _worded(verb, written)
    return NameTable(_one(verb, table), verb == "Ref", words)


def _worded(verb: str, written: str) -> tuple[str, str]:
    """Part what is named from the words to print instead, if there are any."""
    named, bar, words = (part.strip() for part in written.partition("|"))
    if bar and not words:
        raise _bad(verb, "no words stand behind the bar", "missing-argument")
    if not named:
        raise _bad(verb, "nothing is named before the bar", "missing-argument")
    return named, words


def _chapter(verb: str, written: str) -> Directive:
    place, words = _worded(verb, written)
    chapter, _, section = _one(verb, place).partition("/")
    return NameChapter(chapter, section, words)


def _spot(verb: str, words: Sequence[str]) -> Spot:
    """Read a table's id and `key=value` pairs; a value may hold spaces, e.g. `row=-3 to -2`."""
    keys: list[tuple[str, str]] = []
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if equals and value and key:
            keys.append((key, value))
        elif keys and not equals:
            keys[-1] = (keys[-1][0], f"{keys[-1][1]} {word}")
        else:
            raise _bad(verb, f"read {word[:40]!r}, expected key=value")
    if "=" in words[0]:
        raise _bad(verb, f"read {words[0][:40]!r}, expected a table first", "missing-argument")
    return Spot(words[0], tuple(keys))


def _value(verb: str, written: str) -> Directive:
    named, instead = _worded(verb, written)
    return ShowCell(_spot(verb, named.split()), instead)


def _label(verb: str, written: str) -> Directive:
    named, instead = _worded(verb, written)
    spot = _spot(verb, named.split())
    if len(spot.keys) != 1:
        raise _bad(verb, "a label is that of one row or one column", "missing-argument")
    return ShowLabel(spot, verb == "label", instead)


def _named(verb: str, words: list[str]) -> tuple[list[str], str]:
    """Take `as NAME` off the end."""
    if "as" not in words:
        return words, ""
    at = words.index("as")
    if at != len(words) - 2:
        raise _bad(verb, "`as` is followed by one name, at the end", "missing-argument")
    return words[:at], _name(verb, words[-1])


def _name(verb: str, word: str) -> str:
    if not _NAME.fullmatch(word):
        raise _bad(verb, f"read {word[:40]!r}, expected a name in small letters")
    return word


def _number(word: str) -> Decimal | None:
    return Decimal(word.replace("−", "-")) if _NUMBER.fullmatch(word) else None


def _given(verb: str, written: str) -> Directive:
    words, name = _named(verb, written.split())
    found = _LENGTH.fullmatch("".join(words))
    number = _number(found[1]) if found else None
    if found is None or number is None:
        raise _bad(verb, f"read {' '.join(words)[:40]!r}, expected a number or a length")
    return Given(number, found[1].startswith("+"), _UNITS[found[2] or ""], name)


def _let(verb: str, written: str) -> Directive:
    name, equals, rest = written.partition("=")
    if not equals or not rest.split():
        raise _bad(verb, "expected a name, `=`, and a cell", "missing-argument")
    return Let(_name(verb, name.strip()), _spot(verb, rest.split()))


def _show(verb: str, written: str) -> Directive:
    return Show(_name(verb, _one(verb, written)))


_PAIR = 2
_MOST_PARTS = 20


def _reckon(verb: str, written: str) -> Directive:
    words, name = _named(verb, written.split())
    silent = bool(words) and words[-1] == "silently"
    words = words[:-1] if silent else words
    rounding = words[-1] if words and words[-1] in ("down", "up") else ""
    words = words[:-1] if rounding else words
    parts = [_number(word) if _NUMBER.fullmatch(word) else _name(verb, word) for word in words]
    fewest = _PAIR if verb != "sum" else 1
    most = _PAIR if verb in ("less", "quotient") else _MOST_PARTS
    if not fewest <= len(parts) <= most:
        wanted = "two" if most == _PAIR else f"at least {'one' if fewest == 1 else 'two'}"
        raise _bad(verb, f"read {len(parts)} parts, expected {wanted}", "missing-argument")
    kept = tuple(part for part in parts if part is not None)
    return Reckon(_WAYS[verb], kept, _ROUNDING[rounding], silent, name)


_WAYS: dict[str, Way] = {
    "sum": "sum",
    "less": "less",
    "product": "product",
    "quotient": "quotient",
    "least": "least",
    "most": "most",
}
_ROUNDING: dict[str, Literal["", "down", "up"]] = {"": "", "down": "down", "up": "up"}


def _fact(verb: str, written: str) -> Directive:
    text, bar, lines = (part.strip() for part in written.partition("|"))
    if not bar or not _LINES.fullmatch(lines):
        told = f"read {lines[:40]!r}" if bar else "there is no bar"
        raise _bad(verb, f"{told}, expected source lines behind a bar", "fact-without-source")
    if not text:
        raise _bad(verb, "no figure stands before the bar", "missing-argument")
    return Fact(text, lines)


def _index(verb: str, written: str) -> Directive:
    term, above, below = (part.strip() for part in written.partition(">"))
    if not term or (above and not below) or ">" in below:
        raise _bad(verb, f"read {written[:60]!r}, expected a term, or a term > a term below")
    return IndexTerm(term, below)


_VERBS: dict[str, Callable[[str, str], Directive]] = {
    "table": _table,
    "ref": _ref,
    "Ref": _ref,
    "chapter": _chapter,
    "value": _value,
    "label": _label,
    "Label": _label,
    "given": _given,
    "let": _let,
    "show": _show,
    **dict.fromkeys(_WAYS, _reckon),
    "fact": _fact,
    "index": _index,
}
_WHOLE: dict[str, Callable[[], Directive]] = {"errata": AllErrata, "blanks": AllBlanks}
VERBS = (*_VERBS, *_WHOLE)
"""Every verb."""
