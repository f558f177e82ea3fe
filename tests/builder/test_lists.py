"""Test that `muster check` reads whatever list the list builder makes, and judges it alike."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from muster.armies import army_from_document, load_army
from muster.documents.list_builder import gather_builder_system
from muster.names import plain_form
from muster.rendering.builder_files import SCRIPTS
from muster.systems import Library
from muster.yamlfile import Document, document_from_text
from tests.armies.conftest import GRANTING
from tests.builder.conftest import ROOT, SIXTH, expected, library, system_data
from tests.builder.test_edges import Tiny
from tests.solver.lists import Lists

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-lists")]

SYSTEMS = [*((name, ROOT) for name in sorted(library().systems())), ("sixth", SIXTH)]
LISTS = 12
CHANGES = 25

MAKE = """([data, count, changes]) => {
  const M = Muster, system = new M.System(JSON.parse(data));
  let seed = 1;
  const chance = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
  const one = (all) => all[chance(all.length)];
  const made = [];
  for (let n = 0; n < count; n += 1) {
    let list = { system: system.id };
    if (system.books.size && chance(4)) { list.book = one([...system.books.keys()]); }
    if (system.prices) { list.limit = String(100 * chance(9)); }
    list = M.newList(system, list);
    for (let step = 0; step < changes; step += 1) {
      const { nodes } = M.readArmy(system, list), node = one(nodes), path = M.keyPath(node.path);
      const level = system.levels.get(node.level);
      const isListed = typeof path[path.length - 1] === "number";
      const what = chance(9);
      if (node.isBranch && what < 5) {
        const below = one([...system.below.get(level.id), ...[...level.leaders].map(([key, led]) => ({ key, led }))]);
        if (below.led) {
          if (below.led.many || !node.item[below.key]) { list = M.addLeader(system, list, path, below.key, below.led).list; }
        } else if (system.bottom.has(below.id)) {
          list = M.addUnit(system, list, path, below, one(M.unitsFor(system, node.book, below))[0]).list;
        } else { list = M.addCommand(system, list, path, below).list; }
      } else if (what === 5 && isListed) { list = M.duplicate(list, path);
      } else if (what === 6 && isListed) { list = M.shift(list, path, chance(2) ? 1 : -1);
      } else if (what === 7 && node.entry && system.options.size) {
        const own = node.item.options ?? [], id = one([...system.options.keys()]);
        list = own.includes(id) ? M.withoutOption(list, path, id) : M.set(list, path, "options", [...own, id]);
      } else if (what === 8 && path.length && chance(2)) {
        const home = one(nodes.filter((each) => each.isBranch && level?.under.includes(each.level) && !each.path.startsWith(node.path)));
        list = home ? M.move(list, path, M.keyPath(home.path), level.key).list : M.remove(list, path);
      }
      const verdict = M.verdictOf(system, list);
      const finding = verdict.findings.length && chance(3) === 0 ? one(verdict.findings) : null;
      const fixes = finding ? M.fixesFor(system, list, verdict, finding) : [];
      if (fixes.length) { list = one(fixes).list; }
    }
    const yaml = M.writeYaml(list), again = M.readYaml(yaml).data;
    made.push([list, yaml, again, M.asJson(M.verdictOf(system, list))]);
  }
  return JSON.stringify(made);
}"""  # noqa: E501 - a script is read in its own lines


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """Return a page with all scripts of the list builder."""
    opened = browser.new_page()
    folder = ROOT / "templates" / "builder"
    texts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    opened.add_script_tag(content="\n".join(texts))
    return opened


def test_names_are_compared_as_check_compares_them(page: Page) -> None:
    words = ["Regulars, B class", "a--5", ",-5", "x-y", "-2", "4–7", "D.6", "6.5", "O’Neil_s", "--"]

    found = page.evaluate("words => words.map(Muster.plainForm)", words)

    assert found == [plain_form(word) for word in words]


@pytest.mark.parametrize(("system_id", "root"), SYSTEMS, ids=[name for name, _ in SYSTEMS])
def test_a_list_that_the_page_made_is_read_and_judged_alike(
    system_id: str, root: Path, page: Page
) -> None:
    source, data = library(root), system_data(system_id, root)

    made = json.loads(page.evaluate(MAKE, [data, LISTS, CHANGES]))

    for written, yaml, again, verdict in made:
        assert again == written, yaml
        assert document_from_text(yaml, "army.yaml").data == written, yaml
        army = army_from_document(Document("army.yaml", yaml, written), source)
        assert expected(army) == verdict, yaml


FIXES = """([data, list, code]) => {
  const M = Muster, system = new M.System(JSON.parse(data)), verdict = M.verdictOf(system, list);
  const finding = verdict.findings.find((each) => each.code === code);
  return M.fixesFor(system, list, verdict, finding).map((fix) => fix.label);
}"""


@pytest.mark.parametrize(
    ("code", "book", "unit", "fix"),
    [
        ("unit-option", "hollow", "{unit: lost-lamps, figures: 6, options: [torches]}",
         "Leave out “Torches”"),
        ("unit-number", "lamplit", "{unit: street-lamps, figures: 6, count: 3}",
         "Remove 1 of 3 × Street lamps"),
        ("lamps-for-figures", "lamplit", "{unit: bearers, figures: 6, lamps: 4}", "Set lamps to 3"),
    ],
)  # fmt: skip
def test_page_offers_to_mend_what_books_and_sums_say(
    code: str, book: str, unit: str, fix: str, page: Page
) -> None:
    text = f"system: sixth\nbook: {book}\nlimit: 100\nwarbands: [{{units: [{unit}]}}]\n"
    written = document_from_text(text, "army.yaml").data

    labels = page.evaluate(FIXES, [system_data("sixth", SIXTH), written, code])

    assert fix in labels


def test_a_wrong_unit_is_removed_rather_than_made_smaller(page: Page) -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "illegal.yaml", library())
    given = [system_data("slaughterloo"), army.document.data]

    saved = page.evaluate(FIXES, [*given, "over-limit"])
    officered = page.evaluate(FIXES, [*given, "unit-officer"])

    assert "Remove Flying cavalry “Borrowed bats”" in saved
    assert [each for each in saved if "Borrowed bats” to" in each] == []
    assert len(officered) == len({*officered}) == 5
    assert officered[-1].startswith("Remove ")


SHIELDS_FOR_CORE = """
kind: only-if
of: {options: [shields]}
needs: {where: {slot: [core]}}
within: unit
"""
BARRED = """([data, list]) => {
  const M = Muster, system = new M.System(JSON.parse(data));
  const tried = M.trial(system, list, ["units", 0]);
  return M.added(tried, (item) => ({ ...item, options: ["shields"] }));
}"""


@pytest.mark.parametrize(("rank", "barred"), [("1", ["Tried."]), ("2", [])])
def test_page_bars_no_option_that_the_army_permits(
    rank: str, barred: list[str], page: Page, tmp_path: Path
) -> None:
    # Horse is core under a chief of rank 2.
    source = Library(Tiny(SHIELDS_FOR_CORE, GRANTING).write(tmp_path))
    data = gather_builder_system(source.system("tiny"), source.book_folders("tiny")).data
    written = {"chief": {"rank": rank}, "units": [{"unit": "horse", "stands": "2"}]}

    assert page.evaluate(BARRED, [data, {"system": "tiny", **written}]) == barred


TRY_FIXES = """([data, lists]) => {
  const M = Muster, system = new M.System(JSON.parse(data));
  return lists.flatMap((list) => {
    const verdict = M.verdictOf(system, M.readList(system, list).list);
    const count = (each, code) => each.findings.filter((found) => found.code === code).length;
    return verdict.findings.map((finding) => {
      const fixes = M.fixesFor(system, verdict.army.data, verdict, finding);
      const gone = fixes.every((fix) => {
        const after = M.verdictOf(system, fix.list);
        const here = (all) => all.filter((each) => each.code === finding.code && each.path === finding.path).length;
        return count(after, finding.code) < count(verdict, finding.code) || here(after.findings) < here(verdict.findings);
      });
      return [finding.code, fixes.length, gone];
    });
  });
}"""  # noqa: E501 - a script is read in its own lines


@pytest.mark.parametrize(("system_id", "root"), SYSTEMS, ids=[name for name, _ in SYSTEMS])
def test_a_button_applies_the_remedy_of_nearly_every_finding(
    system_id: str, root: Path, page: Page
) -> None:
    samples = root.glob(f"armies/{system_id}/*.yaml")
    lists = [load_army(path, library(root)).document.data for path in sorted(samples)]
    chances = (random.Random(seed) for seed in range(5))  # noqa: S311 - nothing to guess
    lists += [Lists(system_id, chance, root).army(12).document.data for chance in chances]

    found = page.evaluate(TRY_FIXES, [system_data(system_id, root), lists])

    # What no rule tells, the page asks for instead.
    tried = [(code, fixes) for code, fixes, _ in found if code not in {"price-unknown", "no-limit"}]
    assert tried
    assert all(gone for *_, gone in found), "a remedy that does not cure"
    mended = sum(fixes > 0 for _, fixes in tried)
    assert mended >= 0.9 * len(tried), [code for code, fixes in tried if not fixes]
    assert all(fixes for code, fixes in tried if code == "over-limit"), tried
