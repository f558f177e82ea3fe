"""Test the judge at the edges of every kind of constraint, and that bugs put into it are found.

The rules are those by which the solver's encodings are tried, and some of our own.
"""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from muster.armies import Army, army_from_document, check
from muster.armies.verdict import with_event_limit
from muster.documents.list_builder import gather_builder_system
from muster.systems import Library
from muster.yamlfile import Document, document_from_text
from tests.armies.conftest import (
    ARMED,
    BOOK,
    COMPOSITION,
    COSTS,
    GRANTING,
    LIMITED_BOOK,
    PRICED_OPTIONS,
    SIZES,
    SYSTEM,
)
from tests.armies.constraint_samples import FOOT, HORSE, SAMPLES, units
from tests.armies.test_real_rules import REAL_BOOK, REAL_RULES
from tests.builder.conftest import as_told, disagreements, judge_source, verdicts
from tests.solver.lists import Lists
from tests.solver.test_encoding import (
    RULES,
    RULES_ON_CONTENTS,
    RULES_ON_OPTIONS,
    RULES_ON_THE_LIMIT,
)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-edges")]

RANDOM_LISTS = 40

EDGES = {
    "share-of-none": "kind: share\npart: {entry: [horse]}\nwhole: {level: unit}\nmax: 0%\n"
    "within: army",
    "share-of-all": "kind: share\npart: {entry: [foot]}\nwhole: {level: unit}\nmin: 100%\n"
    "within: army",
    "share-of-points": "kind: share\npart: {entry: [guns]}\nwhole: {level: unit}\nby: points\n"
    "max: 1/3\nwithin: army",
    "share-of-stands": "kind: share\npart: {entry: [horse]}\nwhole: {level: unit}\nby: stands\n"
    "min: 1/4\nmax: 1/2\nwithin: wing",
    "many-sorts": "kind: alike\nof: {level: unit}\nattribute: type\nwithin: army",
    "two-sorts": "kind: variety\nof: {level: unit}\nattribute: type\nmax: 2\nwithin: army",
    "steps-below-a-top": "kind: count\nof: {level: unit}\nsum: stands\nwithin: unit\nmin: 3\n"
    "max: 20\nstep: 4",
    "warning-beside-error": "kind: count\nstated: false\nof: {entry: [foot]}\nsum: stands\n"
    "within: unit\nallowed: [4-6]\nremedy: ask the organiser",
    "not-both-in-an-army": "kind: excludes\nof: {entry: [foot], where: {drill: [old]}}\n"
    "bars: {entry: [horse, guns]}\nwithin: army",
    "old-hands-only": "kind: only-if\nof: {options: [pikes]}\nneeds: {where: {drill: [old]}}\n"
    "within: unit",
    "size-of-the-type": "kind: available\nof: {level: unit}\nwithin: unit\n"
    "cell: {table: sizes, row: {field: type}}",
    "touching": "kind: count\nof: {entry: [foot]}\nwithin: army\nallowed: [1-2, 3-4]",
    "price-for-stands": "kind: share\npart: {entry: [guns]}\nwhole: {level: unit}\n"
    "by: [price]\nwhole-by: stands\nmax: 1/3\nwithin: army",
    "least-for-stands": "kind: share\npart: {entry: [horse]}\nwhole: {level: unit}\nby: number\n"
    "whole-by: stands\nmin: 1/3\nwithin: wing",
    "titles-of-types": "kind: count\nof: {level: unit}\neach: type\nmax: 1\nwithin: army\n"
    "remedy: ask the organiser",
    "titles-of-drills": "kind: count\nof: {level: unit}\neach: drill\nsum: stands\nmin: 4\n"
    "within: unit\nremedy: drill them",
    "few-points": "kind: count\nof: {level: unit}\nby: points\nmin: 20\nmax: 30\nwithin: army",
    "odd-points-of-a-unit": "kind: count\nof: {level: unit}\nby: points\nstep: 4\nwithin: unit",
    "at-a-limit": "kind: count\nof: {entry: [foot]}\nmax: 0\nwithin: army\n"
    "when: [{limit: 8.75}]\nunless: {limit: over 8 to under 8.75}",
    "within-each-other": "kind: count\nof: {entry: [foot]}\nsum: stands\nmax: 4\nwithin: unit\n"
    "when: {any: [{of: {entry: [horse]}, within: army, max: 0},\n"
    "  {all: [{of: {level: unit}, sum: stands, min: 3}, {of: {options: [pikes]}, by: options,"
    " min: 1}]}]}",
    "cured": "kind: requires\nof: {entry: [horse]}\nneeds: {options: [shields]}\nwithin: wing\n"
    "cure: Give someone a shield.",
}
"""Further rules for the tiny system, at the ends of shares and in unusual forms."""

ARMIES = [
    units(*[FOOT] * 5),
    units(FOOT),
    units(FOOT, HORSE),
    units(FOOT, FOOT, HORSE),
    units(FOOT, FOOT, FOOT, HORSE),
    units(*["unit: foot, stands: 1"] * 3, "unit: horse, stands: 1"),
    units("unit: horse, stands: 1, count: 2", "unit: foot, stands: 1, count: 2"),
    units("unit: guns, stands: 2, price: 2.5", "unit: foot, stands: 3", "unit: horse, stands: 1"),
    units("unit: guns, stands: 3", "unit: foot, stands: 8", "unit: guns, stands: 7"),
    units(f"{FOOT}, options: [pikes, shields], drill: old", f"{HORSE}, options: [pikes]"),
    "book: north\n" + units("unit: axemen", "unit: axemen, options: [pikes]", HORSE),
    units("unit: foot, stands: 5, options: [pikes]", "unit: horse, stands: 2, drill: old"),
    "chief: {rank: 2}\nwings: [{units: [{unit: horse, stands: 1, count: 3}]}]",
    "limit: 20\n" + units("unit: foot, stands: 4", "unit: horse, stands: 3"),
    "limit: 30\nbook: north\n" + units("unit: axemen, count: 3", HORSE),
    "limit: 8.75\nname: <script>alert(1)</script>\n" + units(f"{FOOT}, name: Old “guard”"),
]
"""Lists at the edges of the shares, counts and values that the rules name."""

BUGS = {
    "a share that is just reached": ("share.above(most)", "!share.below(most)"),
    "the least share": ("share.below(least)", "!share.above(least)"),
    "ranges that touch": ("last[1].plus(ONE)", "last[1]"),
    "a step beyond the range": ("!top.below(low) && top.below(number)", "top.below(number)"),
    "the commonest value": (".above(values.get(one)) ? other", ".below(values.get(one)) ? other"),
    "one value too many": ("values.size <= most", "values.size < most"),
    "the number of a unit": ("worth.times(node.count)", "worth"),
    "options of the book": ("!node.givenOptions.includes(option)", "true"),
    "a condition of above": ("within = within.above;", "within = null;"),
    "the order of findings": ("one.node.order - other.node.order", "0"),
    "a warning": ("rule.stated === false ?", "rule.stated === true ?"),
    "the other rules on a number": ("remedyByAllRules(rule, node, limit) ||", '"" ||'),
    "a price that is not exact": ("points.decimals() === undefined", "false"),
    "the stated remedy": ('violation.withoutStated ? "" :', "false ? 0 :"),
    "the end of a limit": ("price.total.above(army.limit)", "!price.total.below(army.limit)"),
    "any of several": ("condition.any.some", "condition.any.every"),
    "all of several": ("condition.all.every", "condition.all.some"),
    "several, for a number": ("const decisive = Boolean(condition.any)", "const decisive = false"),
    "the open end of a limit": ("(!highOpen && number", "(number"),
    "no limit as a condition": ("army.limit !== null && inBand", "army.limit === null || inBand"),
    "points that have begun": ("rule.begun ? share.ceil()", "rule.begun ? share.floor()"),
    "no limit to count by": ("if (limit === null) { return null; }", "limit ??= ZERO;"),
    "the warning without a limit": ("findings.unshift(noLimit(army))", ""),
    "the limit of a unit's rule": ("if (each.byLimit) {", "if (false) {"),
    "options whether it has any": ("&& !whateverOptions", ""),
    "options that are named": ("!named.length || named.includes(option.id)", "true"),
    "the price of an option": ("filter((term) => applies(node, term)).reduce", "reduce"),
    "a cheaper option": ("LEAST_POINTS : ZERO", "ZERO : ZERO"),
    "several fields": ("sum.plus(node.number(name))", "node.number(name)"),
    "each value by itself": ("worth.number.times(node.count)", "node.count"),
    "the title of a value": ('name === "unit" || name === "type"', "false"),
    "the whole of another kind": ("rule.whole_by ?? rule.by", "rule.by"),
    "a share of the limit": ('rule.whole === "limit" ? limit ?? ZERO : counted', "counted"),
    "what is granted first": ("...attributes, ...this.granted", "...this.granted, ...attributes"),
    "what the list says": ("if (this.granted.has(name)) { return this.granted.get(name); }", ""),
    "where a grant counts": ("enclosing.get(node)", "enclosing.get(army.root)"),
    "the number of a book's unit": ("(numbers.get(key) ?? ZERO).plus", "ZERO.plus"),
    "the number of an ally": (": profile.alliedNumber", ": profile.number"),
    "what it comes with": ("&& !profile.options.includes(option)", ""),
    "a dash": ("if (value?.dash) { continue; }", ""),
}  # fmt: skip
"""What each bug is about, and the words of the judge that it replaces."""


def cited(rule: str) -> str:
    """Return a constraint with an id, a message and a citation, as an item of a composition."""
    written = (
        f"id: tried\nmessage: Tried.\nrule: {{chapter: army, source: L1}}\n{dedent(rule).strip()}"
    )
    return "\n".join(f"    {line}" for line in written.splitlines()).replace("    ", "  - ", 1)


class Tiny(NamedTuple):
    """A composition of the tiny system with one more rule or none, and its book."""

    rule: str = ""
    composition: str = COMPOSITION
    book: str = BOOK

    @property
    def has_samples(self) -> bool:
        """Whether the lists that are written here are lists of it."""
        return self.composition is not REAL_RULES

    def write(self, root: Path) -> Path:
        """Write the system into a folder; return the folder."""
        folder = root / "content" / "tiny"
        for name in ("tables", "books"):
            (folder / name).mkdir(parents=True)
        # Some numbers of horse have no exact price.
        costs = COSTS.replace("5 per stand", "5 per 3 stand")
        (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
        (folder / "tables" / "costs.yaml").write_text(costs, encoding="utf-8")
        (folder / "tables" / "sizes.yaml").write_text(SIZES, encoding="utf-8")
        (folder / "books" / "north.yaml").write_text(self.book, encoding="utf-8")
        second = (
            "  - {id: few-stands, kind: count, message: Few., rule: {chapter: army},"
            " of: {level: unit}, sum: stands, within: unit, max: 7}"
        )
        constraint = f"{cited(self.rule)}\n" if self.rule else ""
        text = f"{self.composition}{constraint}{second}\n"
        (folder / "composition.yaml").write_text(text, encoding="utf-8")
        return root


WORDED = COMPOSITION.replace(
    "constraints:\n", "words: {arm: {foot: marching, horse: riding}}\nconstraints:\n"
)
ONE_ARM = (
    "kind: alike\nof: {level: unit, where: {arm: [foot, horse]}}\nattribute: arm\nwithin: army"
)
MASS = "kind: count\nof: {where: {slot: [mass, pike]}}\nwithin: wing\nmax: 2"
SYSTEMS = {
    **{name: Tiny(rule) for name, rule in (RULES | EDGES).items()},
    **{f"sample-{kind}": Tiny(each.rule) for kind, each in SAMPLES.items()},
    **{
        name: Tiny(rule, PRICED_OPTIONS)
        for name, rule in (RULES_ON_OPTIONS | RULES_ON_THE_LIMIT).items()
    },
    **{name: Tiny(rule, ARMED) for name, rule in RULES_ON_CONTENTS.items()},
    "grants": Tiny(MASS, GRANTING),
    "words-of-attributes": Tiny(ONE_ARM, WORDED),
    "limited-book": Tiny("", COMPOSITION, LIMITED_BOOK),
    "real-rules": Tiny("", REAL_RULES, REAL_BOOK),
}
"""Each rule, in the tiny system that it is for."""


class Tried(NamedTuple):
    """The data of a system, and the lists to judge."""

    data: str
    armies: list[Army]


Corpus = dict[str, Tried]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Return, for each rule, the data of the tiny system with it, and the lists to judge."""
    found: Corpus = {}
    for name, tiny in SYSTEMS.items():
        library = Library(tiny.write(tmp_path_factory.mktemp("tiny")))
        written = [*ARMIES, *(army for each in SAMPLES.values() for army in each[1:])]
        armies = [
            army_from_document(document_from_text(f"system: tiny\n{army}\n", "army.yaml"), library)
            for army in (written if tiny.has_samples else ())
        ]
        for seed in range(RANDOM_LISTS if tiny.composition is COMPOSITION else 3 * RANDOM_LISTS):
            chance = random.Random(seed)  # noqa: S311 - nothing to guess
            army = Lists("tiny", chance, library.folder).army()
            if seed % 8 == 0:
                written_army = deepcopy(army.document.data)
                written_army.pop("limit", None)
                army = army_from_document(Document("army.yaml", "", written_army), library)
            armies.append(army)
        data = gather_builder_system(library.system("tiny"), library.book_folders("tiny")).data
        found[name] = Tried(data, armies)
    return found


def test_judge_agrees_at_the_edges_of_every_rule(corpus: Corpus, judge: Page) -> None:
    wrong = {name: disagreements(judge, *each)[:1] for name, each in corpus.items()}

    assert {name: each for name, each in wrong.items() if each} == {}


@pytest.mark.parametrize("limit", ["0", "12", "30", "2000"])
@pytest.mark.parametrize("name", ["grants", "limits-as-conditions", "real-rules", "limited-book"])
def test_judge_agrees_where_the_limit_of_an_event_decides(
    name: str, limit: str, corpus: Corpus, judge: Page
) -> None:
    data, armies = corpus[name]
    told = []
    for army in armies:
        changed, warnings = with_event_limit(army, Decimal(limit))
        verdict = check(changed)
        told.append(as_told(replace(verdict, findings=(*warnings, *verdict.findings))))

    assert verdicts(judge, data, [army.document.data for army in armies], limit) == told


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_in_the_judge_is_found(name: str, corpus: Corpus, browser: Browser) -> None:
    right, wrong = BUGS[name]
    assert judge_source().count(right) >= 1
    page = browser.new_page()
    page.add_script_tag(content=judge_source().replace(right, wrong))

    found = any(disagreements(page, *each) for each in corpus.values())
    page.close()

    assert found
