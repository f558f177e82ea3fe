"""Owns how the text between two braces of prose is read: verbs, keys, numbers, lengths, names.

Does not find the braces in a text (`prose`) and does not look anything up (`reckoning`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from generator.reading import did_you_mean
from generator.systems.amounts import Amount, Rounding, Way
from generator.systems.directives import (
    AllBlanks,
    AllErrata,
    Directive,
    Fact,
    Given,
    IndexTerm,
    Let,
    NameChapter,
    NameTable,
    Part,
    PlaceTable,
    Reckon,
    Rolled,
    Show,
    ShowCell,
    ShowLabel,
    Spot,
)
from generator.values import Unit

LONGEST = 300
"""Characters of the longest directive."""

_NUMBER = re.compile(r"[+−-]?[0-9]{1,9}(?:\.[0-9]{1,4})?")
_LENGTH = re.compile(rf"({_NUMBER.pattern})(cm|mm|\"|″)?")
_UNITS = {"cm": Unit.CM, "mm": Unit.MM, '"': Unit.INCH, "″": Unit.INCH}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_LINES = re.compile(r"L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(, ?L[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*")


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
    "rolled": "{rolled: rates row=foot column=fleeing dice=@score as run}",
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


def _amount(text: str) -> Amount | None:
    found = _LENGTH.fullmatch(text)
    if found is None:
        return None
    return Amount(Fraction(found[1].replace("−", "-")), _UNITS.get(found[2] or ""))


def _part(verb: str, word: str) -> Part:
    """Read what is reckoned with: a number or length such as `5cm`, or a name."""
    amount = _amount(word)
    return _name(verb, word) if amount is None else amount


def _given(verb: str, written: str) -> Directive:
    words, name = _named(verb, written.split())
    amount = _amount("".join(words))
    if amount is None:
        raise _bad(verb, f"read {' '.join(words)[:40]!r}, expected a number or a length")
    return Given(amount, words[0].startswith("+"), name)


def _let(verb: str, written: str) -> Directive:
    name, equals, rest = written.partition("=")
    words = rest.split()
    if not equals or not words:
        raise _bad(verb, "expected a name, `=`, and a cell", "missing-argument")
    if words[1:] == ["per-band"]:
        return Let(_name(verb, name.strip()), _spot(verb, words[:1]), per_band=True)
    return Let(_name(verb, name.strip()), _spot(verb, words))


def _show(verb: str, written: str) -> Directive:
    return Show(_name(verb, _one(verb, written)))


_PAIR = 2
_MOST_PARTS = 20


def _silently(words: list[str]) -> tuple[list[str], bool]:
    """Take `silently` off the end."""
    silent = words[-1:] == ["silently"]
    return (words[:-1] if silent else words), silent


def _reckon(verb: str, written: str) -> Directive:
    words, name = _named(verb, written.split())
    words, silent = _silently(words)
    rounding = words[-1] if words and words[-1] in ("down", "up") else ""
    words = words[:-1] if rounding else words
    parts = tuple(_part(verb, word) for word in words)
    fewest = _PAIR if verb != "sum" else 1
    most = _PAIR if verb in ("less", "quotient") else _MOST_PARTS
    if not fewest <= len(parts) <= most:
        wanted = "two" if most == _PAIR else f"at least {'one' if fewest == 1 else 'two'}"
        raise _bad(verb, f"read {len(parts)} parts, expected {wanted}", "missing-argument")
    return Reckon(_WAYS[verb], parts, _ROUNDING[rounding], silent, name)


def _rolled(verb: str, written: str) -> Directive:
    words, name = _named(verb, written.split())
    words, silent = _silently(words)
    if not words:
        raise _bad(verb, "no table is named", "missing-argument")
    spot = _spot(verb, words)
    shown = [value.split() for key, value in spot.keys if key == _DICE]
    if len(shown) != 1:
        raise _bad(verb, "what the dice show is said once: dice=…", "missing-argument")
    if len(shown[0]) > _MOST_PARTS:
        raise _bad(verb, f"read {len(shown[0])} dice, expected at most {_MOST_PARTS}")
    dice = tuple(_part(verb, word.removeprefix("@")) for word in shown[0])
    keys = tuple((key, value) for key, value in spot.keys if key != _DICE)
    return Rolled(Spot(spot.table, keys), dice, silent, name)


_DICE = "dice"
_WAYS: dict[str, Way] = {
    "sum": "sum",
    "less": "less",
    "product": "product",
    "quotient": "quotient",
    "least": "least",
    "most": "most",
}
_ROUNDING: dict[str, Rounding] = {"": "", "down": "down", "up": "up"}


def _fact(verb: str, written: str) -> Directive:
    text, bar, behind = (part.strip() for part in written.partition("|"))
    words, name = _named(verb, behind.split())
    lines = " ".join(words)
    if not bar or not _LINES.fullmatch(lines):
        told = f"read {lines[:40]!r}" if bar else "there is no bar"
        raise _bad(verb, f"{told}, expected source lines behind a bar", "fact-without-source")
    if not text:
        raise _bad(verb, "no figure stands before the bar", "missing-argument")
    amount = _amount("".join(text.split())) if name else None
    if name and amount is None:
        raise _bad(verb, f"read {text[:40]!r}, expected a number or a length to be named")
    return Fact(text, lines, name, amount)


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
    "rolled": _rolled,
    "fact": _fact,
    "index": _index,
}
_WHOLE: dict[str, Callable[[], Directive]] = {"errata": AllErrata, "blanks": AllBlanks}
VERBS = (*_VERBS, *_WHOLE)
"""Every verb."""
