"""Name what rules count, in the words of the players: “squadrons of heavy cavalry”."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muster.armies.army import NodeKind
from muster.armies.constraints import CountRule
from muster.armies.fields import (
    join_words,
    lower_first,
    plural_of,
)
from muster.armies.vocabulary import LEADER, Entry, FieldSpec, Level, Selector
from muster.languages import quoted, say


def nouns_of(kind: NodeKind, selector: Selector) -> tuple[str, str]:
    """Return the singular and the plural noun of what a selector matches."""
    composition = kind.composition
    if selector.options:
        titles = [quoted(composition.options[name].title) for name in selector.options]
        words = join_words(titles, "or")
        return words, words
    if selector.entry:
        nouns = [entry_nouns(composition.entries[name]) for name in selector.entry]
        one, many = (join_words(words, "or") for words in zip(*nouns, strict=True))
        return one, many
    level = composition.levels.get(selector.level or "")
    if level is not None:
        one = lower_first(level.title)
        many = plural_of_level(level)
    elif selector.level == LEADER:
        one, many = say("leader"), say("leaders")
    else:
        one, many = say("unit"), say("units")
    flags = [name for name, values in selector.where.items() if values == ["true"]]
    if flags:
        spec = composition.spec(flags[0])
        noun = lower_first(spec.title) if spec and spec.title else flags[0].replace("-", " ")
        return noun, noun
    described = [one, many]
    chosen = [(composition.spec(name), name, values) for name, values in selector.where.items()]
    # Each value is put before the noun, so begin with the last: the first then stands first.
    for spec, name, values in reversed(chosen):
        if spec is None or not spec.of:
            words = list_values(kind, name, values, "or")
            described = [describe_noun(noun, words) for noun in described]
    for spec, name, values in chosen:
        if spec is not None and spec.of:
            words = f"{lower_first(spec.title or name)} {_name_choices(spec, values)}"
            described = [say("{thing} with {value}", thing=each, value=words) for each in described]
    return described[0], described[1]


def plural_of_level(level: Level) -> str:
    """Return the noun for several commands of a level: `groups`, else the key of their list."""
    return level.many or (level.key or level.title).replace("-", " ")


def describe_noun(noun: str, words: str) -> str:
    """Return a noun with what it is: `German unit`."""
    return say("{value} {thing}", value=words, thing=noun)


def _name_choices(spec: FieldSpec, values: Sequence[str]) -> str:
    """Join the titles of choices; their ids if a comma in a title would make the list unclear."""
    titles = [spec.of.get(value, value) for value in values]
    if any("," in title for title in titles):
        titles = [value.replace("-", " ") for value in values]
    return join_words([lower_first(title) for title in titles], "or")


def entry_nouns(entry: Entry) -> tuple[str, str]:
    """Return the singular and the plural of an entry: its own nouns, else made of its title."""
    one = entry.one or lower_first(entry.title)
    return one, entry.many or plural_of(one)


def title_of_value(kind: NodeKind, name: str, value: str) -> str:
    """Return what players call a value: the title of a unit, a type or a choice."""
    units = kind.book.units if kind.book is not None else {}
    named = units.get(value) or kind.composition.entries.get(value)
    if name in {"unit", "type"} and named is not None:
        return named.title
    spec = kind.composition.spec(name)
    return spec.of.get(value, value) if spec is not None else kind.composition.word_for(name, value)


def title_of_field(kind: NodeKind, name: str) -> str:
    """Return what players call a field or attribute, for the middle of a sentence."""
    spec = kind.field_spec(name) or kind.composition.spec(name)
    return lower_first(spec.title) if spec and spec.title else name.replace("-", " ")


def quoted_in_list(kind: NodeKind, name: str) -> str:
    """Return a value as a page shows it, in quotes if a comma would make a list unclear."""
    shown = kind.shown(name)
    return quoted(shown) if "," in shown else shown


def counted_nouns(rule: CountRule, kind: NodeKind) -> tuple[str, str]:
    """Return what a rule counts, for one and for several."""
    if rule.one:
        return rule.one, rule.many or rule.one
    if rule.sum is not None:
        return nouns_of_sum(rule.sum, kind)
    if rule.by == "number":
        return nouns_of(kind, rule.of)
    if rule.by == "options":
        return _nouns_of_options(rule.of, kind)
    return say("point"), say("points")


def _nouns_of_options(selector: Selector, kind: NodeKind) -> tuple[str, str]:
    """Return the nouns of the options that are counted: `of “Rifles” and “Shields”`."""
    if not selector.options:
        return say("option"), say("options")
    titles = [quoted(kind.composition.options[name].title) for name in selector.options]
    if len(titles) == 1:
        return titles[0], titles[0]
    return (say("of {things}", things=join_words(titles)),) * 2


def nouns_of_share(
    selector: Selector | str, by: str | list[str], kind: NodeKind
) -> tuple[str, str]:
    """Return what a part or a whole of a share counts, for one and for several."""
    if by == "number" and isinstance(selector, Selector):
        return nouns_of(kind, selector)
    return nouns_of_sum(by, kind)


def nouns_of_sum(name: str | list[str], kind: NodeKind) -> tuple[str, str]:
    """Return the singular and the plural noun of the values of some fields, or of points."""
    if not isinstance(name, str):
        nouns = [nouns_of_sum(each, kind) for each in name]
        one, many = (join_words(words, "or") for words in zip(*nouns, strict=True))
        return one, many
    if name in {"points", "option-points"}:
        return say("point"), say("points")
    if name == "options":
        return say("option"), say("options")
    spec = kind.field_spec(name) or kind.composition.spec(name)
    noun = lower_first(spec.title or name) if spec else name
    return (spec.one or noun, spec.many or noun) if spec else (noun, noun)


def list_values(kind: NodeKind, name: str, values: Iterable[str], last: str = "and") -> str:
    """Return the words for values of an attribute, with *last* before the last of them."""
    return join_words([kind.composition.word_for(name, value) for value in values], last)
