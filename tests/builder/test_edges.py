"""Test the judge at the edges of every kind of constraint, and that bugs put into it are found.

The rules are those by which the solver's encodings are tried, and some of our own.
"""

from __future__ import annotations

import random
from pathlib import Path
from textwrap import dedent

import pytest
from playwright.sync_api import Browser, Page

from muster.armies import Army, army_from_document
from muster.documents.list_builder import gather_builder_system
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import BOOK, COMPOSITION, COSTS, SIZES, SYSTEM
from tests.armies.constraint_samples import FOOT, HORSE, SAMPLES, units
from tests.builder.conftest import disagreements, judge_source
from tests.solver.lists import Lists
from tests.solver.test_encoding import RULES

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
    "the order of findings": ("one.node.order - other.node.order || one.each", "one.each"),
    "a warning": ("rule.stated === false ?", "rule.stated === true ?"),
    "the other rules on a number": ("remedyByAllRules(rule, node) ||", '"" ||'),
    "a price that is not exact": ("points.decimals() === undefined", "false"),
    "the stated remedy": ('violation.withoutStated ? "" :', "false ? 0 :"),
    "the end of a limit": ("price.total.above(army.limit)", "!price.total.below(army.limit)"),
    "a dash": ("if (value?.dash) { continue; }", ""),
}  # fmt: skip
"""What each bug is about, and the words of the judge that it replaces."""


def write_tiny(root: Path, rule: str) -> Path:
    """Write the tiny system with one constraint; return its root."""
    folder = root / "content" / "tiny"
    for name in ("tables", "books"):
        (folder / name).mkdir(parents=True)
    # Some numbers of horse have no exact price.
    costs = COSTS.replace("5 per stand", "5 per 3 stand")
    (folder / "system.yaml").write_text(SYSTEM, encoding="utf-8")
    (folder / "tables" / "costs.yaml").write_text(costs, encoding="utf-8")
    (folder / "tables" / "sizes.yaml").write_text(SIZES, encoding="utf-8")
    (folder / "books" / "north.yaml").write_text(BOOK, encoding="utf-8")
    cited = (
        f"id: tried\nmessage: Tried.\nrule: {{chapter: army, source: L1}}\n{dedent(rule).strip()}"
    )
    constraint = "\n".join(f"    {line}" for line in cited.splitlines()).replace("    ", "  - ", 1)
    second = (
        "  - {id: few-stands, kind: count, message: Few., rule: {chapter: army}, of: {level: unit},"
        " sum: stands, within: unit, max: 7}"
    )
    text = f"{COMPOSITION}{constraint}\n{second}\n"
    (folder / "composition.yaml").write_text(text, encoding="utf-8")
    return root


Corpus = dict[str, tuple[str, list[Army]]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Return, for each rule, the data of the tiny system with it, and the lists to judge."""
    found: Corpus = {}
    rules = {**RULES, **EDGES, **{f"sample-{kind}": each.rule for kind, each in SAMPLES.items()}}
    for name, rule in rules.items():
        library = Library(write_tiny(tmp_path_factory.mktemp("tiny"), rule))
        written = [*ARMIES, *(army for each in SAMPLES.values() for army in each[1:])]
        armies = [
            army_from_document(document_from_text(f"system: tiny\n{army}\n", "army.yaml"), library)
            for army in written
        ]
        for seed in range(RANDOM_LISTS):
            chance = random.Random(seed)  # noqa: S311 - nothing to guess
            armies.append(Lists("tiny", chance, library.folder).army())
        data = gather_builder_system(library.system("tiny"), library.book_folders("tiny")).data
        found[name] = data, armies
    return found


def test_judge_agrees_at_the_edges_of_every_rule(corpus: Corpus, judge: Page) -> None:
    wrong = {name: disagreements(judge, *each)[:1] for name, each in corpus.items()}

    assert {name: each for name, each in wrong.items() if each} == {}


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_in_the_judge_is_found(name: str, corpus: Corpus, browser: Browser) -> None:
    right, wrong = BUGS[name]
    assert judge_source().count(right) >= 1
    page = browser.new_page()
    page.add_script_tag(content=judge_source().replace(right, wrong))

    found = any(disagreements(page, *each) for each in corpus.values())
    page.close()

    assert found
