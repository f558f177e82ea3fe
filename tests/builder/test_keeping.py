"""Test how the list builder keeps lists: their steps, their edition, and lists in two tabs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.builder.conftest import ROOT
from tests.builder.pages import (
    TYPICAL,
    Open,
    export,
    export_and_bring_back,
    file_of,
    list_of,
    open_file,
    row,
)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-page")]

UNIT = "commands[0].groups[0].units[0]"

LOADED = """async () => {
  while (!Muster.editionNotice) { await new Promise((next) => { setTimeout(next, 20); }); }
}"""
"""Waits until the page has the script that would show the notice."""


def size(page: Page) -> str:
    """Return the size of the first unit of the typical army."""
    found: str = list_of(page)["commands"][0]["groups"][0]["units"][0]["stands"]
    return found


def keep(page: Page, change: str) -> None:
    """Change what is kept of the only list, such as `kept.edition = "1.0"`, and show it anew."""
    page.evaluate(
        "() => { const key = 'muster-list ' + Muster.app.id;"
        f" const kept = JSON.parse(localStorage.getItem(key)); {change};"
        " localStorage.setItem(key, JSON.stringify(kept)); }"
    )
    page.reload()
    page.wait_for_selector(".tree, .home")


def exported(page: Page, folder: Path) -> list[dict[str, Any]]:
    """Return the lists of an export."""
    found: list[dict[str, Any]] = json.loads(export(page, folder).read_text("utf-8"))["musterLists"]
    return found


def test_steps_are_there_after_leaving_the_list_and_after_a_reload(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    for _ in range(3):
        row(page, UNIT, "more").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name="All lists").click()
    page.get_by_role("link", name="Advance guard in Silesia").click()
    page.reload()
    page.get_by_role("button", name="Redo").click()
    again = size(page)
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()

    assert (again, size(page)) == ("8", "5")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_thousand_steps_take_little_room(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    room = page.evaluate(
        "() => { const { app } = Muster; for (let n = 1; n <= 1000; n += 1)"
        " { app.edit({ ...app.list, notes: 'Note ' + n }); }"
        " return localStorage.getItem('muster-steps ' + app.id).length; }"
    )
    page.reload()
    back = page.evaluate(
        "() => { let n = 0; while (Muster.app.steps.past.length) { Muster.app.undo(); n += 1; }"
        " return n; }"
    )

    assert room < 100_000
    assert back == 1000
    assert "notes" not in list_of(page)


def test_steps_leave_with_their_list_and_come_back_with_it(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, UNIT, "more").click()
    page.get_by_role("link", name="All lists").click()
    page.get_by_role("button", name="Delete").click()
    left = page.evaluate("Object.keys(localStorage)")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name="Advance guard in Silesia").click()
    page.get_by_role("button", name="Undo").click()

    assert left == []
    assert size(page) == "5"


FULL_BUT_FOR_THE_LIST = """() => {
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith("muster-steps ") && value.length > 3000) {
      throw new DOMException("", "QuotaExceededError");
    }
    set.call(this, key, value);
  };
}"""


def test_the_oldest_steps_go_first_when_the_room_is_full(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.evaluate(FULL_BUT_FOR_THE_LIST)
    page.evaluate(
        "() => { for (let n = 1; n <= 200; n += 1)"
        " { Muster.app.edit({ ...Muster.app.list, notes: 'Note ' + n }); } }"
    )
    expect(page.locator("#warning")).to_contain_text("oldest steps of Undo are no longer kept")
    page.reload()
    kept = page.evaluate("Muster.app.steps.past.length")
    page.get_by_role("button", name="Undo").click()

    assert 0 < kept < 200
    assert list_of(page)["notes"] == "Note 199"


FULL_ONCE = """() => {
  const set = Storage.prototype.setItem, sizeBut = (key) => Object.keys(localStorage)
    .filter((each) => each !== key).reduce((sum, each) => sum + localStorage[each].length, 0);
  const most = sizeBut("") + 6000;
  Storage.prototype.setItem = function (key, value) {
    if (sizeBut(key) + value.length > most) { throw new DOMException("", "QuotaExceededError"); }
    set.call(this, key, value);
  };
}"""


def test_a_list_takes_the_room_of_steps_and_is_kept(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.evaluate(
        "() => { for (let n = 1; n <= 600; n += 1)"
        " { Muster.app.edit({ ...Muster.app.list, notes: 'Note ' + n }); } }"
    )
    page.evaluate(FULL_ONCE)
    page.evaluate(
        "() => Muster.store.save('other', { ...Muster.app.list, notes: 'x'.repeat(9000) }, '1')"
    )

    assert page.evaluate("'muster-list other' in localStorage")
    assert page.evaluate("Muster.store.problem") == ""
    assert "no longer kept" in page.evaluate("Muster.store.loss")


def test_another_edition_is_told_until_it_is_accepted(start: Open, tmp_path: Path) -> None:
    page = start()
    open_file(page, TYPICAL)
    edition = page.evaluate("Muster.app.edition")
    # The cuirassiers cost less then, and one finding less was told.
    keep(page, "kept.edition = '1.0'; kept.told.prices[5] = '20'; kept.told.total = '211'")
    prices = page.evaluate("JSON.parse(localStorage['muster-list ' + Muster.app.id]).told.prices")
    changed = page.locator(".edition .then-now tbody tr")
    expect(changed).to_have_count(1)
    expect(changed.locator("td").first).to_have_text("20")
    row(page, UNIT, "more").click()
    page.reload()
    expect(page.locator(".edition")).to_contain_text("Then it was 211 points, legal")
    expect(changed).to_have_count(1)
    (told,) = exported(page, tmp_path)
    page.get_by_role("link", name="Advance guard in Silesia").click()
    page.get_by_role("button", name="Accept edition").click()
    expect(page.locator(".edition")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".tree")
    page.evaluate(LOADED)

    assert prices[5] == "20"
    assert told["edition"] == "1.0"
    assert told["told"]["total"] == "211"
    assert told["told"]["list"]["commands"][0]["groups"][0]["units"][0]["stands"] == "5"
    assert exported(page, tmp_path)[0]["edition"] == edition


def test_an_edition_comes_back_with_an_export(start: Open, tmp_path: Path) -> None:
    page = start()
    open_file(page, TYPICAL)
    keep(page, "kept.edition = '1.0'; kept.told.prices[5] = '20'")
    page.wait_for_selector(".edition")
    export_and_bring_back(page, tmp_path)

    expect(page.locator(".edition .then-now tbody tr")).to_have_count(1)


def test_prices_that_changed_within_an_edition_are_told(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    keep(page, "kept.told.prices[5] = '20'")

    expect(page.locator(".edition")).to_contain_text("although they are still edition")
    page.get_by_role("button", name="Accept the changed rules").click()
    expect(page.locator(".edition")).to_have_count(0)


def test_a_list_with_units_that_are_gone_is_opened_without_them(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    keep(page, "kept.edition = '1.0'; kept.list.commands[0].groups[0].units[1].unit = 'lancers'")
    expect(page.locator("#note")).to_contain_text("there is no unit 'lancers'")
    kept = page.evaluate("Muster.store.lists()[0].list")
    page.get_by_role("button", name="Open it without that").click()
    notice = page.locator(".edition")
    expect(notice).to_contain_text("No longer in these rules")
    expect(notice.get_by_role("listitem").first).to_contain_text("(12 points)")
    row(page, UNIT, "more").click()
    page.reload()
    expect(notice).to_contain_text("No longer in these rules")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the list as it was").click()

    assert kept["commands"][0]["groups"][0]["units"][1]["unit"] == "lancers"
    assert len(list_of(page)["commands"][0]["groups"][0]["units"]) == 1
    assert "lancers" in Path(download.value.path()).read_text(encoding="utf-8")


def second_tab(page: Page, context: BrowserContext) -> Page:
    """Return another tab that has the same list open."""
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".tree")
    return other


def delete_in(tab: Page) -> None:
    tab.get_by_role("link", name="All lists").click()
    tab.get_by_role("button", name="Delete").click()


def test_a_list_deleted_in_another_tab_stays_deleted(start: Open, context: BrowserContext) -> None:
    page = start()
    open_file(page, TYPICAL)
    other = second_tab(page, context)
    delete_in(other)
    expect(page.locator("#notice")).to_contain_text("deleted in another tab")
    row(page, UNIT, "more").click()
    kept = page.evaluate("Muster.store.lists().length")
    page.get_by_role("button", name="Close it").click()
    expect(page.locator(".home")).to_contain_text("None yet")

    assert kept == 0


@pytest.mark.parametrize("way", ["button", "leaving"])
def test_a_list_deleted_in_another_tab_is_kept_as_new(
    way: str, start: Open, context: BrowserContext
) -> None:
    page = start()
    open_file(page, TYPICAL)
    other = second_tab(page, context)
    delete_in(other)
    row(page, UNIT, "more").click()
    if way == "button":
        page.get_by_role("button", name="Save it as a new list").click()
    else:
        page.get_by_role("link", name="All lists").click()
        expect(page.locator("#note")).to_contain_text("saved as a new list")
    expect(page.locator("#notice section")).to_have_count(0)
    page.reload()
    page.get_by_role("button", name="Undo").click()

    assert size(page) == "5"
    assert page.evaluate("Muster.store.lists().length") == 1


def test_a_list_kept_as_new_has_its_folder_and_the_comments_of_its_file(
    start: Open, context: BrowserContext
) -> None:
    page = start()
    open_file(page, TYPICAL)
    other = second_tab(page, context)
    other.on("dialog", lambda dialog: dialog.accept("Spring"))
    other.get_by_role("link", name="All lists").click()
    other.get_by_role("button", name="Folder of Advance guard in Silesia").click()
    other.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Save it as a new list").click()
    expect(page.locator("#notice section")).to_have_count(0)
    lines = file_of(page)
    page.get_by_role("link", name="All lists").click()

    assert lines == TYPICAL.read_text(encoding="utf-8").splitlines()
    folder = page.locator("details.folder", has_text="Spring")
    expect(folder.get_by_role("link", name="Advance guard in Silesia")).to_be_visible()


def test_a_deletion_that_is_undone_takes_back_the_notice(
    start: Open, context: BrowserContext
) -> None:
    page = start()
    open_file(page, TYPICAL)
    other = second_tab(page, context)
    delete_in(other)
    expect(page.locator("#notice section")).to_have_count(1)
    other.get_by_role("button", name="Undo").click()

    expect(page.locator("#notice section")).to_have_count(0)


def test_steps_of_two_tabs_are_one_history(start: Open, context: BrowserContext) -> None:
    page = start()
    open_file(page, TYPICAL)
    other = second_tab(page, context)
    row(page, UNIT, "more").click()
    expect(other.locator("#note")).to_contain_text("changed in another tab")
    row(other, UNIT, "more").click()
    expect(page.locator("#note")).to_contain_text("changed in another tab")
    row(page, UNIT, "more").click()
    sizes = [size(page)]
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
        sizes.append(size(page))

    assert sizes == ["8", "7", "6", "5"]


def test_unit_in_hand_stays_through_a_reload(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Play").click()
    hand = page.get_by_role("button", name="Cuirassiers “Leib-Karabiniers”")
    hand.click()
    page.reload()

    expect(hand).to_have_attribute("aria-pressed", "true")


def test_share_of_a_lone_list_says_nothing_of_others(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Share").click()
    expect(page.get_by_role("heading", name="Text")).to_be_visible()

    assert "null" not in page.locator("#content").inner_text()


def test_one_error_is_counted_as_one(start: Open) -> None:
    page = start("#event")
    page.wait_for_selector(".organiser")
    page.set_input_files("input[type=file]", TYPICAL)
    page.get_by_label("Limit of the event").fill("100")

    expect(page.locator(".event summary")).to_have_text("1 error, 1 warning")


def test_link_back_is_as_wide_as_a_finger(start: Open) -> None:
    page = start()
    page.set_viewport_size({"width": 320, "height": 640})
    open_file(page, TYPICAL)

    box = page.locator(".top .back").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44


def test_several_files_are_added_at_once_and_each_only_once(start: Open, tmp_path: Path) -> None:
    page = start()
    (tmp_path / "broken.yaml").write_text("system: nowhere\n", encoding="utf-8")
    armies = ROOT / "armies" / "seven-years-war"
    files = [armies / "small.yaml", TYPICAL, TYPICAL, tmp_path / "broken.yaml"]
    page.set_input_files("input[type=file]", files)

    expect(page.locator(".lists li")).to_have_count(2)
    note = page.locator("#note")
    expect(note).to_contain_text("2 lists were added. 1 was here already. broken.yaml cannot")
    page.set_input_files("input[type=file]", [TYPICAL, armies / "small.yaml"])
    expect(note).to_contain_text("0 lists were added. 2 were here already.")
    expect(page.locator(".lists li")).to_have_count(2)


def test_lists_are_found_by_words_and_sorted(start: Open) -> None:
    page = start()
    armies = sorted((ROOT / "armies" / "slaughterloo").glob("*.yaml"))
    page.set_input_files("input[type=file]", [*armies, TYPICAL])
    names = page.locator(".lists a")
    expect(names).to_have_count(len(armies) + 1)
    page.get_by_label("Sort by").select_option(label="Name")
    sorted_names = names.all_inner_texts()
    page.get_by_label("Find a list").fill("seven advance")
    found = names.all_inner_texts()
    page.get_by_label("Find a list").fill("nowhere")

    assert sorted_names == sorted(sorted_names, key=str.lower)
    assert found == ["Advance guard in Silesia"]
    expect(page.locator(".home")).to_contain_text("No list matches all of that.")


def test_a_search_opens_the_folders_of_what_it_finds(start: Open) -> None:
    page = start()
    page.set_input_files("input[type=file]", sorted((ROOT / "armies" / "huzzah").glob("*.yaml")))
    page.on("dialog", lambda dialog: dialog.accept("Events"))
    page.get_by_role("button", name="Folder of").first.click()
    page.locator(".folder summary").click()
    inside = page.locator(".folder .lists a")
    expect(inside).to_be_hidden()
    name = inside.text_content()
    page.get_by_label("Find a list").fill(name or "")

    expect(inside).to_be_visible()


VALUES_KEPT = """async () => {
  while (!Muster.store.list(Muster.app.id).told.values) {
    await new Promise((next) => { setTimeout(next, 20); });
  }
}"""
"""Waits until the page keeps the values of the units."""

OTHER_RANGE = (
    "kept.told.values[1].forEach((pairs) => pairs.forEach((pair) => {"
    " if (pair[0] === 'Shooting range') { pair[1] = '99 cm'; } }))"
)
"""Makes the range of all units another one."""


def test_values_of_another_edition_are_told(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.evaluate(VALUES_KEPT)
    keep(page, f"kept.edition = '1.0'; {OTHER_RANGE}")
    changed = page.locator(".edition .then-now tbody tr")

    expect(changed.first).to_contain_text("Shooting range")
    assert changed.first.locator("td").all_inner_texts()[:2] == ["Shooting range", "99 cm"]
    assert "99" not in changed.first.locator("td").last.inner_text()


def test_values_that_changed_within_an_edition_are_told_until_they_are_accepted(
    start: Open,
) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.evaluate(VALUES_KEPT)
    before = page.evaluate("Muster.store.lists()[0].changed")
    keep(page, OTHER_RANGE)

    expect(page.locator(".edition")).to_contain_text("although they are still edition")
    assert page.evaluate("Muster.store.lists()[0].changed") == before, "nobody changed the list"
    page.get_by_role("button", name="Accept the changed rules").click()
    page.evaluate(VALUES_KEPT)
    page.reload()
    page.wait_for_selector(".tree")
    page.evaluate(LOADED)
    expect(page.locator(".edition")).to_have_count(0)


def test_values_in_another_language_are_not_compared(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.evaluate(VALUES_KEPT)
    keep(page, f"kept.told.values[0] = 'de'; {OTHER_RANGE}")
    page.evaluate(
        """async () => {
          while (Muster.store.lists()[0].told.values[0] === "de") {
            await new Promise((next) => { setTimeout(next, 20); });
          }
        }"""
    )

    expect(page.locator(".edition")).to_have_count(0)
