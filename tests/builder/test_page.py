"""Test the page of the list builder in Chromium as a player uses it, from a folder and a server."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect
from pypdf import PdfReader

from muster.armies import army_from_document, check, load_army
from muster.documents.cards import parts_for
from muster.documents.share_link import list_link
from muster.systems import Library
from muster.tables import Lookup
from muster.yamlfile import document_from_text
from tests.builder.conftest import ROOT, expected, library
from tests.builder.pages import (
    ILLEGAL,
    TYPICAL,
    Open,
    add,
    begin,
    export,
    export_and_bring_back,
    file_of,
    list_of,
    open_file,
    row,
    verdict,
)
from tests.picture_samples import SVG
from tests.qr_codes import text_of_code
from tests.scaffold import lay_out
from tests.web.conftest import Look, violations, write_builder, write_pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-page")]

SAMPLES = sorted((ROOT / "armies").glob("*/*.yaml"))
NAMES = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"\'&'
"""A name that would run if it were taken for code."""


def test_a_list_is_built_from_nothing(start: Open) -> None:
    page = start()
    begin(page)
    row(page, "army", "add commander").click()
    row(page, "army", "add command").click()
    row(page, "commands[0]", "add general").click()
    row(page, "commands[0]", "add group").click()
    add(page, "commands[0].groups[0]", "Grenadiers")
    unit = "commands[0].groups[0].units[0]"
    row(page, unit, "more").click()
    row(page, unit).click()
    row(page, unit, "name").last.fill("Old Guard")
    row(page, unit, "notes").fill("In the second line")
    row(page, unit, "count").fill("2")

    data = list_of(page)

    assert data["book"] == "prussia"
    (made,) = data["commands"][0]["groups"][0]["units"]
    assert made == {
        "unit": "grenadiers",
        "stands": made["stands"],
        "name": "Old Guard",
        "notes": "In the second line",
        "count": "2",
    }
    army = army_from_document(document_from_text(json.dumps(data), "army.yaml"), library())
    told = verdict(page)
    assert told["points"] == float(check(army).points or 0)
    assert f"{told['points']:g} of 100 points" in page.locator(".total").inner_text()


def test_units_are_duplicated_reordered_moved_and_removed(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    units = "commands[0].groups[0].units"
    row(page, f"{units}[0]").click()
    row(page, f"{units}[0]", "duplicate").click()
    row(page, f"{units}[1]", "down").click()
    expect(row(page, f"{units}[2]", "down")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    before = list_of(page)["commands"][0]["groups"][0]["units"]
    row(page, f"{units}[1]", "move").select_option(label="Group “Horse guns”")
    moved = list_of(page)["commands"][0]["groups"]
    row(page, "commands[0].groups[1].units[1]", "remove").click()

    assert [unit["unit"] for unit in before] == ["cuirassiers", "cuirassiers", "hussars"]
    assert [unit["unit"] for unit in moved[1]["units"]] == ["light-artillery", "cuirassiers"]
    assert len(list_of(page)["commands"][0]["groups"][1]["units"]) == 1


def test_a_row_is_dragged_to_another_command(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    line = page.locator("li", has=row(page, "commands[0].groups[0].units[1]")).locator(".line")

    line.drag_to(page.locator("li", has=row(page, "commands[0].groups[1]")).locator(".line").first)

    groups = list_of(page)["commands"][0]["groups"]
    assert [unit["unit"] for unit in groups[1]["units"]] == ["light-artillery", "hussars"]


def test_a_row_is_dragged_by_a_finger(browser: Browser, home: Path) -> None:
    phone = browser.new_context(viewport={"width": 360, "height": 800}, has_touch=True)
    page = phone.new_page()
    page.goto((home / "index.html").as_uri())
    open_file(page, TYPICAL)
    session = phone.new_cdp_session(page)

    def touch(kind: str, *place: float) -> None:
        points = [{"x": place[0], "y": place[1]}] if place else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def middle(path: str, part: str) -> tuple[float, float]:
        box = page.locator(f'li[data-id="{path}"] > .line {part}').bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.locator('li[data-id="commands[0].groups[0].units[1]"]').scroll_into_view_if_needed()
    start = middle("commands[0].groups[0].units[1]", ".grip")
    end = middle("commands[0].groups[0].units[0]", ".name")
    touch("touchStart", *start)
    for step in range(1, 6):
        x, y = (a + (b - a) * step / 5 for a, b in zip(start, end, strict=True))
        touch("touchMove", x, y)
    touch("touchEnd")

    units = list_of(page)["commands"][0]["groups"][0]["units"]
    assert [unit["unit"] for unit in units] == ["hussars", "cuirassiers"]
    assert page.evaluate("Muster.app.open") == "", "a drag opens nothing"
    phone.close()


def test_keys_move_a_unit_into_the_next_command_and_back(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0].units[1]").focus()
    before = list_of(page)
    page.keyboard.press("Alt+ArrowDown")
    groups = list_of(page)["commands"][0]["groups"]
    expect(row(page, "commands[0].groups[1].units[0]")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")

    assert [unit["unit"] for unit in groups[1]["units"]] == ["hussars", "light-artillery"]
    assert list_of(page) == before


def test_a_unit_is_not_moved_under_a_book_that_lacks_it(start: Open) -> None:
    page = start()
    data = {
        "system": "slaughterloo",
        "book": "sample-human",
        "divisions": [
            {"units": [{"unit": "guard-fusiliers", "figures": "10"}]},
            {"book": "sample-undead"},
        ],
    }
    page.evaluate("list => { Muster.store.save('x', list, '1'); location.hash = '#x'; }", data)
    row(page, "divisions[0].units[0]").click()
    row(page, "divisions[0].units[0]", "move").select_option(index=1)

    expect(page.locator("#note")).to_contain_text("has no unit “guard-fusiliers”")
    assert list_of(page) == data


def test_every_change_can_be_undone_and_done_again(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    first = list_of(page)
    more = row(page, "commands[0].groups[0].units[0]", "more")
    for _ in range(12):
        more.click()
    last = list_of(page)
    page.locator("h1").click()
    for _ in range(6):
        page.keyboard.press("Control+z")
    for _ in range(6):
        page.get_by_role("button", name="Undo").click()
    undone = list_of(page)
    for _ in range(12):
        page.get_by_role("button", name="Redo").click()

    assert (undone, list_of(page)) == (first, last)
    assert first != last


def test_options_that_are_not_allowed_say_why(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0].units[0]").click()
    page.get_by_text("not allowed for this unit").click()

    barred = page.locator(".options details label").all_inner_texts()

    assert barred
    assert all("✗" in each for each in barred), "each says which rule it would break"
    page.locator(".options details input").first.click()
    assert verdict(page)["legal"] is False, "a draft that is not legal is told, not prevented"


def test_a_value_that_makes_no_list_is_not_taken(start: Open) -> None:
    page = start()
    open_file(page, ROOT / "armies" / "slaughterloo" / "typical.yaml")
    page.evaluate("Muster.app.edit(Muster.set(Muster.app.list, [], 'kind', 'undead'))")

    expect(page.locator("#note")).to_contain_text("which the army book 'sample-human' says")
    assert "kind" not in list_of(page)


def test_a_list_of_rules_that_changed_since_is_not_lost(start: Open) -> None:
    page = start()
    data = {"system": "slaughterloo", "name": "Old list", "divisions": [{"units": [{"unit": "x"}]}]}
    page.evaluate("list => Muster.store.save('old', list, '1')", data)
    page.reload()
    page.get_by_role("link", name="Old list").click()
    expect(page.locator("#note")).to_contain_text("does not fit the rules as they are here")

    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert "unit: x" in Path(download.value.path()).read_text(encoding="utf-8")


def test_a_list_stays_through_a_reload_in_the_middle_of_typing(start: Open) -> None:
    page = start()
    begin(page)
    row(page, "army").click()
    row(page, "army", "notes").press_sequentially("Half a sen")
    page.reload()

    expect(row(page, "army").first).to_contain_text("First army")
    assert list_of(page)["notes"] == "Half a sen"


def test_two_tabs_on_one_list_lose_nothing(start: Open, context: BrowserContext) -> None:
    page = start()
    open_file(page, TYPICAL)
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".tree")
    row(page, "commands[0].groups[0].units[0]", "more").click()

    expect(other.locator("#note")).to_contain_text("changed in another tab")
    assert list_of(other) == list_of(page)
    other.get_by_role("button", name="Undo").click()
    expect(page.locator("#note")).to_contain_text("changed in another tab")
    assert list_of(other) == list_of(page)
    assert list_of(page)["commands"][0]["groups"][0]["units"][0]["stands"] == "5"


def test_verdict_leads_to_its_unit_and_applies_its_remedy(start: Open) -> None:
    page = start()
    open_file(page, ILLEGAL)
    before = verdict(page)
    finding = page.locator(".verdict .finding", has_text="24 figures")
    finding.get_by_role("button", name="24th of Foot").first.click()
    expect(row(page, "divisions[0].units[0]").first).to_be_focused()
    expect(finding).to_contain_text("24 figures")
    expect(finding).to_contain_text("it may have 8–20")
    expect(finding).not_to_contain_text("of the source")

    finding.get_by_role("button", name="Set figures to 20").click()

    after = verdict(page)
    assert len(after["findings"]) < len(before["findings"])
    assert list_of(page)["divisions"][0]["units"][0]["figures"] == "20"


def test_what_the_book_says_of_an_army_is_no_choice(start: Open) -> None:
    page = start()
    begin(page, book="Prussia")
    row(page, "army").click()
    form = page.locator(".more")
    expect(form).to_contain_text("Prussian (as the book says)")
    said = form.inner_text()
    row(page, "army", "book").select_option("")
    row(page, "army", "staff").select_option("french")
    row(page, "army", "book").select_option("austria")

    expect(form).to_contain_text("Austrian (as the book says)")
    assert "read '" not in said
    assert "staff" not in list_of(page)


def test_a_yes_or_no_has_two_answers(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, "army").click()
    answer = row(page, "army", "multiplayer")
    offered = answer.locator("option").all_inner_texts()
    first = answer.input_value()
    answer.select_option("true")
    changed = list_of(page)
    answer.select_option("false")

    assert (offered, first) == (["yes", "no"], "false")
    assert changed["multiplayer"] == "true"
    assert "multiplayer" not in list_of(page)


def test_findings_of_the_open_row_stand_once_where_the_verdict_is_beside_it(start: Open) -> None:
    page = start()
    open_file(page, ILLEGAL)
    path = "divisions[0].units[0]"
    row(page, path).first.click()
    mine = page.locator(".finding:visible", has_text="24 figures")
    expect(mine).to_have_count(2)
    page.set_viewport_size({"width": 1280, "height": 900})

    expect(mine).to_have_count(1)
    expect(page.locator(".verdict .finding.own")).to_have_attribute("data-of", path)


def test_name_of_a_list_is_whole_on_a_phone(start: Open) -> None:
    page = start()
    page.set_viewport_size({"width": 320, "height": 700})
    open_file(page, TYPICAL)
    row(page, "army").click()
    row(page, "army", "name").last.fill("The army of the Rhine and all who march with it in spring")

    told = page.locator("h1").evaluate(
        "e => [e.scrollWidth <= e.clientWidth, getComputedStyle(e).overflow,"
        " document.documentElement.scrollWidth <= 320]"
    )
    assert told == [True, "visible", True]


def test_a_list_without_a_name_is_called_so_everywhere(start: Open) -> None:
    page = start()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".tree")
    titles = {page.locator("h1").inner_text(), row(page, "army").locator(".label").inner_text()}
    page.get_by_role("link", name="All lists").click()

    assert {each.strip("▸▾ ") for each in titles} == {"List without a name"}
    expect(page.locator(".lists a")).to_have_text("List without a name")


@pytest.mark.parametrize("device", ["phone", "desk"])
def test_units_to_choose_from_have_sizes_and_no_keyboard_over_them(
    device: str, browser: Browser, home: Path
) -> None:
    is_phone = device == "phone"
    context = browser.new_context(has_touch=is_phone, is_mobile=is_phone)
    page = context.new_page()
    page.goto((home / "index.html").as_uri())
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0]", "add unit").click()
    hussars = page.locator("dialog li", has=page.get_by_role("button", name="Add Hussars"))
    expect(hussars.first).to_contain_text("Light cavalry, 1 stand")
    focus = page.evaluate("document.activeElement.type")
    context.close()

    assert (focus == "search") is not is_phone


@pytest.mark.parametrize("view", ["Roster", "Cards", "Play"])
@pytest.mark.parametrize("width", [320, 1280])
def test_mark_of_a_loss_is_in_its_box(view: str, width: int, start: Open) -> None:
    page = start()
    page.set_viewport_size({"width": width, "height": 900})
    open_file(page, TYPICAL)
    page.get_by_role("link", name=view, exact=True).click()
    page.wait_for_selector(".loss-mark")

    astray = page.locator(".loss-mark").evaluate_all(
        """marks => marks.filter((mark) => {
          const [inner, box] = [mark, mark.parentElement].map((e) => e.getBoundingClientRect());
          return inner.left < box.left || inner.right > box.right || inner.bottom > box.bottom;
        }).map((mark) => mark.textContent)"""
    )
    assert astray == []


def test_roster_leads_to_a_copy_in_the_list_builder(
    context: BrowserContext, tmp_path: Path
) -> None:
    write_pages(library(), "seven-years-war", tmp_path, ("roster", "builder"))
    folder = tmp_path / "seven-years-war" / "armies" / "typical"
    page = context.new_page()
    page.goto((folder / "roster.html").as_uri())
    page.get_by_role("link", name="Edit a copy").click()
    page.wait_for_selector(".tree")

    assert list_of(page) == load_army(TYPICAL, library()).document.data


def test_a_total_over_the_limit_has_a_remedy(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, "army").click()
    row(page, "army", "limit").fill("210")
    finding = page.locator(".verdict .finding", has_text="costs more than the limit")
    finding.locator(".fix").first.click()

    found = verdict(page)
    assert found["legal"], "the remedy breaks no other rule"
    assert found["points"] <= 210
    assert list_of(page)["limit"] == "210"
    page.get_by_role("button", name="Undo").click()
    assert verdict(page)["legal"] is False


def test_a_remedy_is_offered_on_either_side(start: Open) -> None:
    page = start()
    open_file(page, ILLEGAL)
    finding = page.locator(".verdict .finding", has_text="a multiple of 4").first
    expect(finding).to_contain_text("18 figures")

    expect(finding.locator(".fix")).to_have_text(
        ["Set figures to 16", "Set figures to 20", "Remove Fusiliers “18th of Foot”"]
    )


def test_a_unit_too_many_may_go_to_another_command(start: Open) -> None:
    page = start()
    open_file(page, ILLEGAL)
    finding = page.locator(".verdict .finding", has_text="A Division holds 1 to 6 units")
    page.get_by_role("button", name="Move Town militia “Leaderless band” to Division").click()

    expect(finding).to_have_count(0)
    divisions = list_of(page)["divisions"]
    assert divisions[1]["units"][-1]["name"] == "Leaderless band"


def test_a_price_that_nobody_knows_is_asked_for(start: Open) -> None:
    page = start()
    data = {
        "system": "slaughterloo",
        "divisions": [{"units": [{"unit": "line-infantry", "figures": "8"}]}],
    }
    page.evaluate("list => { Muster.store.save('x', list, '1'); location.hash = '#x'; }", data)
    finding = page.locator(".verdict .finding", has_text="No price is known")
    finding.locator(".fix").click()

    focused = page.evaluate("document.activeElement.dataset.key")
    assert focused.startswith("divisions[0].units[0] ")
    page.keyboard.type("4")
    expect(finding).to_have_count(0)


def test_arithmetic_of_a_line_is_shown(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0].units[1]").click()

    expect(page.locator(".working")).to_have_text("Price: 2 × 4 × 3 = 24")


def test_what_still_fits_is_marked_and_filtered(start: Open) -> None:
    page = start()
    begin(page)
    row(page, "army", "add command").click()
    row(page, "commands[0]", "add group").click()
    row(page, "commands[0].groups[0]", "add unit").click()
    items = page.locator("dialog li")
    expect(items.last.locator(".hint").last).to_contain_text("fit")
    page.get_by_label("Search").fill("grenad")
    found = items.all_inner_texts()
    page.get_by_label("Search").fill("")
    page.get_by_role("button", name="Add Hussars", exact=True).click()
    page.get_by_label("Only what still fits").check()
    expect(page.locator("dialog li", has_text="Musketeers")).to_have_count(0)

    assert all("renad" in each for each in found)
    assert found
    assert items.count() > 0


def test_units_without_a_book_show_values_and_are_filtered_by_arm(start: Open) -> None:
    page = start()
    open_file(page, ROOT / "armies" / "lshm-skirmish" / "typical.yaml")
    row(page, "army", "add unit").click()
    line = page.locator("dialog li", has_text="Line infantry")
    expect(line.locator(".values")).to_contain_text("Range12″Crit at5")
    expect(page.locator("dialog li .hint.good")).to_have_count(page.locator("dialog li").count())

    page.get_by_label("Arm").select_option(label="Horse")

    expect(page.locator("dialog li b")).to_have_text(["Mounted"])
    page.get_by_label("Search").fill("grenadiers")
    expect(page.locator("dialog")).to_contain_text("No unit matches all of that.")


def test_pictures_of_units_are_shown_before_they_are_added(
    browser: Browser, tmp_path: Path
) -> None:
    lay_out(tmp_path, "club")
    composition = tmp_path / "content" / "club" / "composition.yaml"
    written = yaml.safe_load(composition.read_text(encoding="utf-8"))
    entry = next(each for each in written["entries"] if each["level"] == "unit")
    entry["picture"] = {"file": "soldier.svg", "alt": "A soldier", "credit": "Drawn by Anna"}
    composition.write_text(json.dumps(written), encoding="utf-8")
    (tmp_path / "content" / "club" / "soldier.svg").write_text(SVG, encoding="utf-8")
    home = write_builder(Library(tmp_path), tmp_path / "build")
    page = browser.new_page()
    page.goto((home / "index.html").as_uri())
    page.get_by_label("Rules").select_option("club")
    page.get_by_role("button", name="Begin").click()
    page.locator(".adders .main").first.click()

    picture = page.locator("dialog").get_by_alt_text("A soldier")
    expect(picture).to_be_visible()
    expect(page.locator("dialog")).to_contain_text("Drawn by Anna")
    assert picture.evaluate("image => image.naturalWidth") > 0
    page.close()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_sample_is_opened_and_saved_as_what_check_reads(path: Path, start: Open) -> None:
    page = start()
    open_file(page, path)

    saved = page.evaluate("Muster.writeYaml(Muster.app.list)")

    again = army_from_document(document_from_text(saved, "army.yaml"), library())
    wanted = check(load_army(path, library())).as_json()
    found = check(again).as_json()
    assert found["lines"] == wanted["lines"]
    assert [each["code"] for each in found["findings"]] == [
        each["code"] for each in wanted["findings"]
    ]


COMMENTED = """# Made for the spring event.
system: slaughterloo
book: sample-human   # the humans
name: Commented
limit: 900
commander: {name: Nay, experience: raw}
# First comes the best.
divisions:
  - name: Best
    general: {experience: average}  # he is late
    units:
      # The guard never
      # dies.
      - {unit: guard-fusiliers, name: Guard, figures: 10}  # painted
      - {unit: fusiliers, name: Second, figures: 12}
      - unit: fusiliers
        figures: 12   # one is broken
        name: Third
# The end.
"""
COMMENTS = ("# Made for the spring event.", "# the humans", "# First comes the best.",
            "# he is late", "# The guard never", "# dies.", "# painted", "# one is broken",
            "# The end.")  # fmt: skip


def test_comments_of_a_file_are_kept(start: Open, tmp_path: Path) -> None:
    file = tmp_path / "army.yaml"
    file.write_text(COMMENTED, encoding="utf-8")
    page = start()
    open_file(page, file)
    expect(page.locator("#note")).to_contain_text("9 comments")
    assert file_of(page) == COMMENTED.splitlines(), "an unchanged list is the very file"

    page.get_by_role("link", name="Build").click()
    units = "divisions[0].units"
    row(page, f"{units}[0]").focus()
    page.keyboard.press("Alt+ArrowDown")
    row(page, f"{units}[1]", "more").click()
    row(page, f"{units}[2]").click()
    row(page, f"{units}[2]", "remove").click()
    page.reload()
    expect(row(page, f"{units}[0]")).to_be_visible()
    lines = file_of(page)

    assert next(line for line in lines if "Guard" in line).endswith("# painted")
    place = next(n for n, line in enumerate(lines) if "Guard" in line)
    assert [line.strip() for line in lines[place - 2 : place]] == ["# The guard never", "# dies."]
    assert lines[0] == "# Made for the spring event."
    assert lines[-1] == "# one is broken", "what it was about has gone, the comment has not"
    text = "\n".join(lines)
    assert all(text.count(comment) == 1 for comment in COMMENTS)
    again = army_from_document(document_from_text(text, "army.yaml"), library())
    assert expected(again) == verdict(page)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_changed_sample_keeps_its_comments(path: Path, start: Open) -> None:
    page = start()
    open_file(page, path)
    row(page, "army").first.click()
    row(page, "army", "player").fill("Anna")
    text = "\n".join(file_of(page))

    comments = re.findall(r"(?:^|\s)#(.*)", path.read_text(encoding="utf-8"))
    assert all(text.count(comment.strip()) >= 1 for comment in comments)
    again = army_from_document(document_from_text(text, "army.yaml"), library())
    assert again.player == "Anna"
    assert expected(again) == verdict(page)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("system: huzzah\nname: [a\n", "line 3: A bracket or a quotation mark is not closed"),
        ("system: huzzah\nname: &anchor x\n", "line 2: Read “&”"),
        ("system: huzzah\n\tname: x\n", "line 2: Read a tab"),
        ("system: huzzah\nname: a\nname: b\n", "line 3: The key 'name' stands twice"),
        ("system: huzzah\nunits:\n  - {unit: dragon}\n", "line 3: there is no unit 'dragon'"),
        ("system: nowhere\n", "This list builder has no rules “nowhere”"),
        ("- a\n", "expected an army"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(
    text: str, told: str, start: Open, tmp_path: Path
) -> None:
    file = tmp_path / "army.yaml"
    file.write_text(text, encoding="utf-8")
    page = start()

    page.set_input_files("input[type=file]", file)

    expect(page.locator("#note")).to_contain_text(told, ignore_case=True)


def test_a_link_holds_the_whole_list(start: Open, browser: Browser) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Share").click()
    expect(page.get_by_label("Link to this list")).to_have_value(re.compile("#list="))
    link = page.get_by_label("Link to this list").input_value()
    elsewhere = browser.new_context()
    other = elsewhere.new_page()
    other.goto(link)
    other.wait_for_selector(".tree")
    found = list_of(other)
    other.goto(link)
    other.wait_for_selector(".tree")
    kept = other.evaluate("Muster.store.lists().length")
    elsewhere.close()

    assert found == list_of(page)
    assert len(link.split("#list=")[1]) < 1200
    assert kept == 1, "the same link twice is the same list"


@pytest.mark.parametrize(
    "army", ["slaughterloo/typical", "huzzah/large", "seven-years-war/illegal"]
)
def test_code_of_a_tournament_roster_opens_the_list_with_its_verdict(
    army: str, start: Open
) -> None:
    read = load_army(ROOT / "armies" / f"{army}.yaml", library())
    link = list_link("https://club.example/lists", read)

    page = start("#" + link.partition("/#")[2])
    page.wait_for_selector(".tree")

    expect(page.locator("#note")).to_contain_text("This list came by a link.")
    expect(page.locator("#note")).not_to_contain_text("of the rules")
    found = verdict(page)
    assert found == expected(read)
    assert list_of(page) == read.document.data


def test_a_list_of_another_edition_says_so(start: Open) -> None:
    page = start()
    begin(page)
    fragment = page.evaluate("Muster.toFragment('1.0 of 1999', Muster.app.list)")
    page.evaluate("localStorage.clear()")
    other = start("#" + fragment)

    expect(other.locator("#note")).to_contain_text("This list came by a link.")
    notice = other.locator(".edition")
    expect(notice).to_contain_text("made for edition 1.0 of 1999 of the rules")
    expect(notice).to_contain_text("What each unit cost at the time is not known.")


def test_another_edition_tells_what_it_changed(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    told = {"total": "200", "legal": False, "findings": []}
    page.evaluate(
        "told => { const [kept] = Muster.store.lists();"
        " Muster.store.save(kept.id, kept.list, '1.0', { ...kept, told }); }",
        told,
    )
    page.reload()

    notice = page.locator(".edition")
    expect(notice).to_contain_text("made for edition 1.0 of the rules")
    expect(notice).to_contain_text(
        "Then it was 200 points, not legal; now it is 218.5 points, legal"
    )


CAMERA = """window.BarcodeDetector = class {
  detect() { return Promise.resolve([{ rawValue: "https://club.example/#" + window.code }]); }
};
const stream = () => Promise.resolve(document.createElement("canvas").captureStream());
Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia: stream } });
HTMLMediaElement.prototype.play = () => Promise.resolve();"""
"""A camera that sees the code of a list."""


def test_code_of_a_roster_is_scanned(start: Open, context: BrowserContext) -> None:
    context.add_init_script(CAMERA)
    link = list_link("https://club.example", load_army(TYPICAL, library()))
    page = start()
    page.evaluate("code => { window.code = code; }", link.partition("/#")[2])
    page.get_by_role("button", name="Scan a code").click()
    page.wait_for_selector(".tree")

    expect(page.locator("h1")).to_have_text("Advance guard in Silesia")
    assert page.locator("dialog.scan").count() == 0


@pytest.mark.parametrize(
    "fragment",
    ["#list=", "#list=AAAA", "#list=" + "A" * 100_000, "#list=%%%", "#list=q1Yqzi8t", "#nobody"],
)
def test_a_broken_link_is_told(fragment: str, start: Open) -> None:
    page = start(fragment)

    told = "not on this device" if fragment == "#nobody" else "link is incomplete"
    expect(page.locator("#note")).to_contain_text(told)


BOMB = """async () => {
  const bytes = new Blob(['["1",{"system":"huzzah","name":"' + "x".repeat(3e7) + '"}]']).stream();
  const stream = bytes.pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}"""


def test_a_small_link_to_a_huge_list_is_refused(start: Open) -> None:
    page = start()
    fragment = page.evaluate(BOMB)
    assert len(fragment) < 100_000
    page.evaluate("fragment => { location.hash = '#list=' + fragment; }", fragment)

    expect(page.locator("#note")).to_contain_text("link is incomplete")


def test_a_link_of_100_kilobytes_opens(start: Open) -> None:
    page = start()
    chance = random.Random(1)  # noqa: S311 - nothing to guess
    unit = {"unit": "line-infantry", "figures": "8"}
    units = [{**unit, "notes": f"{chance.getrandbits(800):0200x}"} for _ in range(900)]
    data = {"system": "slaughterloo", "name": "Long", "divisions": [{"units": units}]}
    fragment = page.evaluate("list => Muster.toFragment('1', list)", data)
    assert len(fragment) > 100_000
    page.evaluate("fragment => { location.hash = '#' + fragment; }", fragment)
    page.wait_for_selector(".tree")

    assert list_of(page) == data


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('{"system":"huzzah","__proto__":{"name":"x"}}', "there is no key"),
        ('{"system":"constructor"}', "has no rules “constructor”"),
        ('{"system":"huzzah","units":[{"unit":"toString"}]}', "does not fit the rules"),
        ('{"system":"huzzah","units":{"length":"1000000000"}}', "expected a list"),
    ],
)
def test_a_list_made_to_harm_is_told(written: str, told: str, start: Open) -> None:
    page = start()
    fragment = page.evaluate("text => Muster.toFragment('1', JSON.parse(text))", written)
    page.evaluate("fragment => { location.hash = '#' + fragment; }", fragment)

    expect(page.locator("#note")).to_contain_text(told)
    assert page.evaluate("({}).name") is None


def test_hostile_names_are_text(start: Open, tmp_path: Path) -> None:
    data = {
        "system": "slaughterloo",
        "name": NAMES,
        "player": NAMES,
        "notes": NAMES,
        "divisions": [
            {"name": NAMES, "units": [{"unit": "line-infantry", "figures": "8", "name": NAMES}]}
        ],
    }
    file = tmp_path / "army.yaml"
    file.write_text(json.dumps(data), encoding="utf-8")
    page = start()
    open_file(page, file)
    row(page, "divisions[0].units[0]").click()
    for view in ("Roster", "Cards", "Play", "Share"):
        page.get_by_role("link", name=view).click()
        expect(page.locator(f"#content > .{view.lower()}")).to_contain_text("onerror")
    page.on("dialog", lambda dialog: dialog.accept(NAMES.replace("/", "")))
    page.get_by_role("link", name="All lists").click()
    expect(page.locator(".lists")).to_contain_text("onerror")
    page.get_by_role("button", name="Folder of").click()
    expect(page.locator(".folder summary")).to_contain_text("onerror")

    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0


def test_a_list_as_long_as_any_is_opened(start: Open, tmp_path: Path) -> None:
    units = [{"unit": "line-infantry", "figures": "3"}] * 990
    data = {"system": "slaughterloo", "name": "Horde", "divisions": [{"units": units}]}
    file = tmp_path / "army.yaml"
    file.write_text(json.dumps(data), encoding="utf-8")
    page = start()
    open_file(page, file)

    expect(page.locator(".tree .node")).to_have_count(992)
    row(page, "divisions[0].units[0]", "more").click()
    expect(page.locator(".verdict .finding")).to_have_count(50)


def test_texts_for_forums_say_what_the_list_is(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)

    texts = {
        form: page.evaluate(f"Muster.asText('{form}', Muster.app.system, Muster.app.list)")
        for form in ("text", "Markdown", "BBCode")
    }

    assert texts["Markdown"].startswith("# Advance guard in Silesia\n")
    assert texts["BBCode"].startswith("[b]Advance guard in Silesia[/b]\n")
    for text in texts.values():
        assert "218.5 of 250 points, legal" in text
        assert "Cuirassiers “Leib-Karabiniers” (5 stands" in text


def test_losses_stay_ticked_on_roster_and_cards(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Roster").click()
    page.get_by_role("checkbox", name="Loss 3 of 5, Cuirassiers “Leib-Karabiniers”").click()
    page.reload()
    page.wait_for_selector(".roster-view")
    ticked = page.locator('.tick[aria-checked="true"]').count()
    page.get_by_role("link", name="Cards").click()
    page.wait_for_selector(".unit-card")
    on_cards = page.locator('.tick[aria-checked="true"]').count()
    page.get_by_role("button", name="Clear all ticks").click()
    cleared = page.locator('.tick[aria-checked="true"]').count()
    page.get_by_role("button", name="Tick them again").click()

    assert (ticked, on_cards, cleared) == (3, 3, 0)
    assert page.locator('.tick[aria-checked="true"]').count() == 3


def test_what_units_without_a_size_collect_is_ticked_on_the_roster(start: Open) -> None:
    page = start()
    open_file(page, ROOT / "armies" / "huzzah" / "typical.yaml")
    page.get_by_role("link", name="Roster").click()
    page.wait_for_selector(".roster-view")
    page.get_by_role("checkbox", name=re.compile("Staggers 2 of .*Stipsics")).first.click()
    page.get_by_role("link", name="Cards").click()
    page.wait_for_selector(".unit-card")

    assert page.locator('.tick[aria-checked="true"]').count() == 2


def test_cards_show_values_and_marks_of_losses(start: Open) -> None:
    page = start()
    open_file(page, ROOT / "armies" / "slaughterloo" / "typical.yaml")
    page.get_by_role("link", name="Cards").click()
    card = page.locator(".unit-card", has_text="Duke’s Own")

    expect(card.locator(".figures")).to_contain_text("9Morale")
    expect(card.locator("tr", has_text="Line")).to_contain_text("15\u202fcm")
    expect(card.get_by_role("checkbox", name="Loss 4 of 16")).to_contain_text("1")
    ogres = page.locator(".unit-card", has_text="Ogre grenadiers")
    box = ogres.get_by_role("checkbox", name="Loss 1 of 8")
    box.click()
    expect(box).to_have_attribute("aria-checked", "mixed")
    box.click()
    expect(box).to_have_attribute("aria-checked", "true")


def play(page: Page, army: str) -> None:
    open_file(page, ROOT / "armies" / f"{army}.yaml")
    page.get_by_role("link", name="Play").click()
    page.wait_for_selector("details.table")


def table(page: Page, table_id: str) -> Any:
    return page.locator(f"details[data-table={table_id}]")


def test_a_table_answers_a_tap_and_numbers(start: Open) -> None:
    page = start()
    play(page, "slaughterloo/typical")
    kills = table(page, "kill-table")
    kills.locator("summary").click()
    kills.locator("tbody tr").nth(3).locator("td").nth(2).click()
    tapped = kills.locator("output b").inner_text()
    inputs = kills.locator("input")
    inputs.nth(0).fill("5")
    inputs.nth(1).fill("12")

    told = library().system("slaughterloo").table("kill-table")
    assert isinstance(told, Lookup)
    shown = kills.locator("tbody tr").nth(3).locator("td").nth(2).inner_text()
    assert tapped == shown
    assert kills.locator("output b").inner_text() == told.entry(Decimal(5), Decimal(12)).show()
    inputs.nth(0).fill("-99")
    expect(kills.locator("output")).to_contain_text("No row for -99")


def test_rows_of_the_unit_in_hand_are_marked(start: Open) -> None:
    page = start()
    play(page, "lshm-skirmish/typical")
    morale = table(page, "morale")
    morale.locator("summary").click()
    hand = page.get_by_role("button", name="Light infantry “Riflemen”")
    hand.click()

    expect(page.locator(".in-play .unit-card h3")).to_have_text("Riflemen")
    expect(morale.locator("tr.own th")).to_have_text("Light infantry")
    hand.click()
    expect(morale.locator("tr.own")).to_have_count(0)
    expect(page.locator(".in-play .unit-card")).to_have_count(0)


def test_losses_of_all_units_are_ticked_beside_the_tables(start: Open) -> None:
    page = start()
    play(page, "seven-years-war/typical")
    page.get_by_role("button", name="Cuirassiers “Leib-Karabiniers”").click()
    box = page.get_by_role(
        "checkbox", name="Loss 2 of 3, Grenadiers “Grenadier battalion Billerbeck”"
    )
    box.click()
    page.get_by_role("link", name="Roster").click()

    expect(box).to_have_attribute("aria-checked", "true")


def test_tables_of_the_present_phase_are_open(start: Open) -> None:
    page = start()
    play(page, "seven-years-war/typical")
    system = library().system("seven-years-war")
    phases = {each.id: each.phase for each in system.tables()}

    def open_phases() -> set[str]:
        ids = page.locator("details.table[open][data-table]").evaluate_all(
            "all => all.map(each => each.dataset.table)"
        )
        return {phases[each] for each in ids}

    turn = page.locator(".turn output")
    first = (turn.inner_text(), open_phases())
    page.get_by_role("button", name="Next phase").click()
    page.reload()
    page.wait_for_selector("details.table")
    second = (turn.inner_text(), open_phases())
    for _ in range(6):
        page.get_by_role("button", name="Next phase").click()
    page.get_by_role("button", name="Phase before").click()
    page.get_by_role("button", name="Next phase").click()

    assert first == ("Turn 1 · Command changes", {"command"})
    assert second == ("Turn 1 · Movement", {"movement"})
    expect(turn).to_have_text("Turn 2 · Command changes")
    page.get_by_role("button", name="Clear all ticks").click()
    expect(turn).to_have_text("Turn 1 · Command changes")


def test_sheet_of_an_army_leaves_out_what_does_not_concern_it(start: Open) -> None:
    page = start()
    play(page, "seven-years-war/typical")
    system = library().system("seven-years-war")
    army = load_army(TYPICAL, library())
    concerns = parts_for(army.nodes())
    tables = {each.id for each in system.tables() if concerns(each)}

    shown = page.locator("details.table").evaluate_all("all => all.map(e => e.dataset.table)")

    rows = {
        each.id: [row.id for row in each.rows if concerns(row)]
        for each in system.tables()
        if each.id in tables and not all(concerns(row) for row in each.rows)
    }
    assert set(shown) == tables
    assert rows, "some rows do not concern this army"
    for table_id, left in rows.items():
        opened = table(page, table_id)
        opened.locator("summary").first.click()
        lines = opened.locator("tbody tr:not(.group), .words > div")
        expect(lines).not_to_have_count(0)
        assert 0 < lines.count() <= len(left)
    page.get_by_label("Find a table").fill("rout")
    visible = page.locator("details.table:visible")
    assert 0 < visible.count() < len(tables)


def test_dice_are_rolled(start: Open) -> None:
    page = start()
    play(page, "huzzah/typical")
    dice = page.locator(".dice")
    dice.get_by_label("Number").select_option("5")
    for _ in range(8):
        dice.get_by_role("button", name="Roll").click()

    rolls = dice.locator(".rolls li").all_inner_texts()
    assert len(rolls) == 6
    for roll in rolls:
        match = re.match(r"5D6: ((?:[1-6] ){4}[1-6]) = (\d+); ", roll)
        assert match
        assert sum(map(int, match[1].split())) == int(match[2])


def test_cards_are_printed_nine_to_a_page_with_cut_marks(start: Open) -> None:
    page = start()
    open_file(page, ROOT / "armies" / "slaughterloo" / "typical.yaml")
    page.get_by_role("link", name="Cards").click()
    page.evaluate("document.fonts.load('600 1em \"Muster Sans\"').then(() => {})")
    page.wait_for_selector(".unit-card")
    cards = page.locator(".unit-card").count()
    printed = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))
    page.emulate_media(media="print")
    sizes = page.locator(".unit-card").evaluate_all(
        "all => all.map(e => [e.offsetWidth, e.offsetHeight, e.scrollHeight - e.clientHeight])"
    )

    assert len(printed.pages) == -(-cards // 9)
    assert {(width, height) for width, height, _ in sizes} == {(238, 333)}, "63 by 88 mm"
    assert max(over for *_, over in sizes) <= 0, "no card holds more than its paper"
    assert page.locator(".cut-marks:visible").count() == -(-cards // 9)


def test_no_unit_is_split_between_pages_of_a_roster(start: Open) -> None:
    page = start()
    open_file(page, ROOT / "armies" / "slaughterloo" / "large.yaml")
    page.get_by_role("link", name="Roster").click()
    page.wait_for_selector(".roster-view")
    labels = page.locator(".roster-view .entry b").all_inner_texts()
    reader = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))
    texts = [each.extract_text() for each in reader.pages]
    ends = [text.strip().splitlines()[-1] for text in texts]

    assert len(texts) > 1
    for text in texts[1:]:
        first = text.strip().splitlines()[0]
        assert any(first.startswith(label[:12]) for label in labels) or first.startswith(
            ("Division", "General", "C-in-C", "Findings")
        ), first
    assert not any(end.startswith("Division “") for end in ends), "no head without a unit below"


def test_roster_is_printed_without_the_tools_of_the_page(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Roster").click()
    page.wait_for_selector(".roster-view")
    page.emulate_media(media="print")

    assert page.get_by_role("button", name="Print").is_hidden()
    assert page.get_by_role("link", name="Build").is_hidden()
    assert page.get_by_role("heading", name="Advance guard in Silesia", level=2).is_visible()
    assert page.pdf(format="A4").count(b"/Type /Page\n") <= 3


FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("", "QuotaExceededError");
};"""
FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new Error("forbidden"); }
});"""


@pytest.mark.parametrize(
    ("script", "told"), [(FULL, "no room left"), (FORBIDDEN, "saves nothing")], ids=["full", "none"]
)
def test_storage_that_is_full_or_forbidden_is_told(
    script: str, told: str, start: Open, context: BrowserContext
) -> None:
    context.add_init_script(script)
    page = start()
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0].units[0]", "more").click()

    expect(page.locator("#warning")).to_contain_text(told)
    assert "6" in row(page, "commands[0].groups[0].units[0]", "fewer").locator("..").inner_text()


def test_a_page_that_kept_nothing_asks_before_it_is_closed(
    start: Open, context: BrowserContext
) -> None:
    context.add_init_script(FULL)
    page = start()
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0].units[0]", "more").click()
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.close(run_before_unload=True)

    other = context.new_page()
    other.wait_for_timeout(1_000)
    assert asked == ["beforeunload"]


def test_what_is_kept_stays_when_the_room_is_full(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    kept = page.url
    page.evaluate(f"() => {{ {FULL} }}")
    row(page, "commands[0].groups[0].units[0]", "more").click()
    expect(page.locator("#warning")).to_contain_text("no room left")
    with page.expect_download() as download:
        page.get_by_role("link", name="Share").click()
        page.get_by_role("button", name="Download").click()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("about:blank")
    page.goto(kept)
    page.wait_for_selector(".tree")

    assert "stands: 6" in Path(download.value.path()).read_text(encoding="utf-8")
    assert list_of(page)["commands"][0]["groups"][0]["units"][0]["stands"] == "5"


def test_a_system_that_cannot_be_loaded_is_told(home: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.route("**/systems/seven-years-war.js", lambda route: route.abort())
    page.goto((home / "index.html").as_uri())
    page.get_by_label("Rules").select_option("seven-years-war")
    expect(page.locator("#note")).to_contain_text("systems/seven-years-war.js is missing")
    page.unroute_all()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".tree")).to_be_visible()
    page.close()


def test_without_the_file_of_tables_all_else_works(home: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.route("**/*.tables.js", lambda route: route.abort())
    page.goto((home / "index.html").as_uri())
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Play").click()
    expect(page.locator("main")).to_contain_text("The tables of these rules are missing")
    page.get_by_role("link", name="Cards").click()
    expect(page.locator(".unit-card")).not_to_have_count(0)
    page.get_by_role("link", name="Build").click()
    row(page, "commands[0].groups[0]", "add unit").click()
    expect(page.locator("dialog li").first).to_contain_text("points")
    page.close()


def test_first_verdict_waits_for_no_other_script(home: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.route("**/later.js", lambda route: route.abort())
    link = list_link("https://club.example", load_army(TYPICAL, library()))
    page.goto((home / "index.html").as_uri() + "#" + link.partition("#")[2])
    expect(page.locator(".told")).to_have_text("✓ Legal")
    expect(page.locator("head link[href='fonts.css']")).to_be_attached()
    page.get_by_role("link", name="Roster").click()
    expect(page.locator("#note")).to_contain_text("later.js is missing")
    page.unroute_all()
    page.get_by_role("link", name="Advance guard in Silesia").click()
    page.get_by_role("link", name="Roster").click()
    expect(page.locator(".roster-view")).to_be_visible()
    page.close()


def test_what_is_missing_from_the_collection_is_told(start: Open, tmp_path: Path) -> None:
    page = start()
    open_file(page, TYPICAL)
    row(page, "commands[0].groups[0].units[1]").click()
    row(page, "commands[0].groups[0].units[1]", "owned").fill("1")
    expect(page.locator(".missing")).to_have_text("1 × Hussars (the list has 2, you own 1)")
    export_and_bring_back(page, tmp_path)

    expect(page.locator(".missing")).to_have_count(1)


def test_what_somebody_owns_is_counted_without_a_list(start: Open) -> None:
    page = start()
    page.get_by_role("link", name="What you own").click()
    page.get_by_label("Rules").select_option(label="Seven Years War")
    prussian, austrian = (
        page.locator("details", has=page.locator(f'summary:text-is("{book}")'))
        for book in ("Prussia", "Austria")
    )
    prussian.locator("summary").click()
    prussian.get_by_label("Hussars", exact=True).fill("1")
    austrian = austrian.get_by_label("Hussars", exact=True)
    expect(page.locator(".collection [role=status]")).to_have_text("1 unit")
    assert austrian.input_value() == "", "those of another book are others"
    page.get_by_role("link", name="All lists").click()
    expect(page.get_by_role("button", name="Export all")).to_be_visible()
    open_file(page, TYPICAL)

    expect(page.locator(".missing")).to_have_text("1 × Hussars (the list has 2, you own 1)")


def test_what_an_older_version_counted_is_still_owned(start: Open) -> None:
    page = start()
    page.evaluate("localStorage.setItem('muster-owned seven-years-war', '[[\"hussars\", 1]]')")
    open_file(page, TYPICAL)

    expect(page.locator(".missing")).to_have_text("1 × Hussars (the list has 2, you own 1)")


def test_keys_stay_where_a_remedy_was_applied(start: Open) -> None:
    page = start()
    open_file(page, ILLEGAL)
    page.locator(".verdict").get_by_role("button", name="Set figures to 20").first.focus()
    page.keyboard.press("Enter")

    expect(row(page, "divisions[0].units[0]").first).to_be_focused()


def test_two_lists_are_compared(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="All lists").click()
    page.get_by_role("button", name="Duplicate").click()
    page.get_by_role("link", name="(copy)").click()
    row(page, "commands[0].groups[0].units[0]", "more").click()
    row(page, "commands[0].groups[0].units[1]").click()
    row(page, "commands[0].groups[0].units[1]", "remove").click()
    page.get_by_role("link", name="Share").click()
    page.get_by_label("With another list").select_option(label="Advance guard in Silesia")

    told = page.locator(".compare").inner_text()
    assert "This list: 200 of 250 points; the other: 218.5 of 250 points." in told
    assert "Only in the other\n2 × Hussars, 4 stands, 24" in told
    assert "5 stands, High morale, 27.5" in told


def test_lists_are_kept_in_folders(start: Open) -> None:
    page = start()
    page.on("dialog", lambda dialog: dialog.accept("Spring event"))
    open_file(page, TYPICAL)
    page.get_by_role("link", name="All lists").click()
    page.get_by_role("button", name="Folder of Advance guard in Silesia").click()
    page.get_by_role("link", name="Advance guard in Silesia").click()
    row(page, "commands[0].groups[0].units[0]", "more").click()
    page.get_by_role("link", name="All lists").click()

    folder = page.locator("details.folder", has_text="Spring event")
    expect(folder.get_by_role("link", name="Advance guard in Silesia")).to_be_visible()


def test_folders_hold_folders(start: Open) -> None:
    page = start()
    page.on("dialog", lambda dialog: dialog.accept(" Events / Spring//Final "))
    open_file(page, TYPICAL)
    page.get_by_role("link", name="All lists").click()
    page.get_by_role("button", name="Folder of Advance guard in Silesia").click()
    inner = page.locator("details.folder details.folder details.folder")
    expect(inner.locator("> summary")).to_have_text("Final")
    page.get_by_text("Events").click()

    expect(page.get_by_role("link", name="Advance guard in Silesia")).to_be_hidden()
    assert page.evaluate("Muster.store.lists()[0].folder") == "Events/Spring/Final"


def test_all_lists_are_exported_and_imported(start: Open, tmp_path: Path) -> None:
    page = start()
    open_file(page, TYPICAL)
    file = export(page, tmp_path)
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".lists")).to_have_count(0)
    page.set_input_files("input[type=file]", file)

    expect(page.locator(".lists")).to_contain_text("Advance guard in Silesia")


def test_a_large_export_is_imported_once(start: Open, tmp_path: Path) -> None:
    page = start()
    made = {"system": "seven-years-war", "notes": "x" * 300}
    lists = [{"list": {**made, "name": f"Army {n}"}, "edition": "2.4"} for n in range(4000)]
    file = tmp_path / "muster-lists.json"
    file.write_text(json.dumps({"musterLists": lists}), encoding="utf-8")
    assert file.stat().st_size > 1_500_000

    page.set_input_files("input[type=file]", file)
    expect(page.get_by_text("4000 lists were added.")).to_be_visible()
    page.set_input_files("input[type=file]", file)
    expect(page.get_by_text("0 lists were added.")).to_be_visible()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "It is damaged: download it again."),
        ("[]", "It is not an export from this list builder."),
    ],
)
def test_a_file_that_is_no_export_adds_nothing(
    start: Open, tmp_path: Path, text: str, told: str
) -> None:
    page = start()
    file = tmp_path / "lists.json"
    file.write_text(text, encoding="utf-8")

    page.set_input_files("input[type=file]", file)

    expect(page.get_by_text(told)).to_be_visible()
    assert page.evaluate("Muster.store.lists().length") == 0


def test_a_limit_is_read_with_a_comma_and_never_ignored(start: Open) -> None:
    page = start()
    rules = page.get_by_label("Rules")
    rules.select_option(label="Seven Years War")
    limit = page.get_by_label("Limit in points")
    limit.fill("a hundred")
    page.get_by_role("button", name="Begin").click()
    expect(limit).to_have_attribute("aria-invalid", "true")
    limit.fill("120,5")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".tree")

    assert list_of(page)["limit"] == "120.5"


def test_the_limit_of_an_event_is_read_with_a_comma_and_never_ignored(start: Open) -> None:
    page = start("#event")
    page.set_input_files("input[type=file]", TYPICAL)
    limit = page.get_by_label("Limit of the event")
    limit.fill("200,5")
    expect(page.locator(".event")).to_contain_text("218.5 of 200.5")
    limit.fill("200 points")

    expect(page.get_by_text("Enter the limit as a number")).to_be_visible()
    expect(page.locator(".event")).to_have_count(0)


def test_an_organiser_checks_many_lists_at_once(start: Open, tmp_path: Path) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Share").click()
    field = page.get_by_label("Link to this list")
    expect(field).to_have_value(re.compile("#list="))
    link = field.input_value()
    page.get_by_role("link", name="All lists").click()
    page.get_by_role("link", name="Check the lists of an event").click()
    page.wait_for_selector(".organiser")
    broken = tmp_path / "broken.yaml"
    broken.write_text("system: huzzah\nname: [\n", encoding="utf-8")
    page.set_input_files("input[type=file]", [ILLEGAL, broken])
    expect(page.locator(".event tbody tr")).to_have_count(2)
    page.get_by_label("Links, one in each line").fill(f"{link}\n#list=AAAA")
    page.get_by_role("button", name="Add the links").click()
    expect(page.locator(".event tbody tr")).to_have_count(4)
    page.get_by_label("Limit of the event").fill("100")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()

    rows = list(csv.DictReader(Path(download.value.path()).read_text("utf-8").splitlines()))
    assert [row["verdict"] for row in rows] == [
        "not legal",
        "unreadable",
        "not legal",
        "unreadable",
    ]
    assert (rows[2]["army"], rows[2]["points"], rows[2]["limit"]) == (
        *("Advance guard in Silesia", "218.5", "100"),
    )
    assert "line 3" in rows[1]["findings"]
    expect(page.get_by_text("4 lists: 0 legal")).to_be_visible()


def keep_and_open(page: Page) -> None:
    page.get_by_role("button", name="Save and open").click()
    page.wait_for_selector(".tree")


def test_a_list_from_a_link_is_kept_from_an_event_with_its_edition(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    fragment = page.evaluate("Muster.toFragment('1.0 of 1999', Muster.app.list, Muster.app.told)")
    page.evaluate("localStorage.clear()")
    other = start("#event")
    other.get_by_label("Links, one in each line").fill("#" + fragment)
    other.get_by_role("button", name="Add the links").click()
    keep_and_open(other)

    expect(other.locator(".edition")).to_contain_text("made for edition 1.0 of 1999 of the rules")
    expect(other.locator(".edition")).to_contain_text("218.5 points, legal, as it was then")


def test_a_file_is_kept_from_an_event_with_its_comments(start: Open) -> None:
    page = start("#event")
    page.set_input_files("input[type=file]", TYPICAL)
    keep_and_open(page)

    assert file_of(page) == TYPICAL.read_text(encoding="utf-8").splitlines()


def test_an_organiser_is_told_of_a_file_that_is_too_large(start: Open, tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text("# " + "x" * 1_000_000, encoding="utf-8")
    page = start("#event")
    page.set_input_files("input[type=file]", path)

    expect(page.locator(".event details")).to_contain_text("It is larger than 1 MB.")


@pytest.mark.parametrize(
    ("language", "looks"),
    [
        ("en", [(320, "light", True), (768, "light", False), (1920, "dark", True)]),
        ("de", [(320, "dark", True), (1280, "light", False)]),
    ],
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    language: str, looks: list[Look], home: Path, browser: Browser
) -> None:
    context = browser.new_context(locale=language, viewport={"width": 320, "height": 700})
    page = context.new_page()
    told: dict[str, list[str]] = {}

    def look(view: str) -> None:
        page.wait_for_timeout(300)  # What opens fades in.
        for width, scheme, contrast in looks:
            page.set_viewport_size({"width": width, "height": 700})
            page.emulate_media(color_scheme=scheme)
            place = f"{view} {width} {scheme}"
            told[place] = violations(page, contrast=contrast)
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                told[place].append(f"{wide} px wide")

    page.goto((home / "index.html").as_uri())
    page.wait_for_selector(".home select")
    expect(page.locator("html")).to_have_attribute("lang", language)
    look("home")
    page.goto((home / "index.html").as_uri() + "#event")
    page.set_input_files("input[type=file]", ILLEGAL)
    page.wait_for_selector(".event")
    look("event")
    page.goto((home / "index.html").as_uri() + "#owned")
    page.wait_for_selector(".collection details")
    page.locator("details summary").evaluate_all("all => all.forEach(e => e.click())")
    look("owned")
    for path in (ILLEGAL.with_name("typical.yaml"), ILLEGAL):
        page.goto((home / "index.html").as_uri() + "#")
        open_file(page, path)
    row(page, "divisions[0].units[0]").click()
    page.wait_for_selector(".fix")
    look("build")
    row(page, "divisions[0]", "add unit").click()
    look("dialog")
    page.keyboard.press("Escape")
    for view in ("roster", "cards", "play", "share"):
        page.locator(f'nav a[href$="/{view}"]').click()
        page.wait_for_selector(f"#content > .{view}")
        if view == "play":
            page.locator("details.table summary").evaluate_all("all => all.forEach(e => e.click())")
        if view == "share":
            page.locator(".compare select").select_option(index=1)
            page.wait_for_selector(".compare li")
        look(view)
    context.close()

    found = {place: each for place, each in told.items() if each}
    assert found == {}, json.dumps(found)


@pytest.fixture(scope="module")
def served(home: Path) -> Iterator[str]:
    """Return the address of the folder on a server of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(home)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_page_works_offline_after_the_first_visit_and_asks_nobody_else(
    served: str, browser: Browser
) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.goto(served)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    context.set_offline(True)
    page.reload()
    begin(page)
    title = page.locator("h1").inner_text()
    page.get_by_role("link", name="Play").click()
    expect(page.locator("details.table")).not_to_have_count(0)
    context.close()

    assert title == "First army"
    assert {url for url in asked if not url.startswith((served, "blob:", "data:"))} == set()


def test_code_of_a_link_can_be_read(start: Open) -> None:
    page = start()
    open_file(page, TYPICAL)
    page.get_by_role("link", name="Share").click()
    page.get_by_role("button", name="Show as a code").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    text = "https://club.example/lists/#list=x-_9"

    code = page.evaluate("text => Muster.encodeQr(text, { ecc: 'L', border: 0 })", text)

    assert code["version"] == 3
    assert text_of_code(code["data"], code["maskPattern"]) == text


def test_phones_find_an_icon_of_the_size_that_they_are_promised(home: Path) -> None:
    manifest = json.loads((home / "manifest.webmanifest").read_text(encoding="utf-8"))
    promised = {each["src"]: each["sizes"] for each in manifest["icons"]}
    page = (home / "index.html").read_text(encoding="utf-8")
    (touch,) = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
    sizes = {}
    for file in home.glob("icon-*.png"):
        with Image.open(file) as icon:
            sizes[file.name] = f"{icon.width}x{icon.height}"

    assert {name: size for name, size in promised.items() if name != "icon.svg"} == {
        name: size for name, size in sizes.items() if name != touch
    }
    assert {"192x192", "512x512"} <= set(promised.values())
    assert sizes[touch] == "180x180"
    assert "icon-512.png" in (home / "sw.js").read_text(encoding="utf-8")


def test_shell_and_a_system_are_small(home: Path) -> None:
    def size(path: Path) -> int:
        return len(gzip.compress(path.read_bytes()))

    # Other languages, the script that draws codes, and icons are loaded when they are asked for.
    files = [each for each in home.iterdir() if each.is_file()]
    asked = ("words-", "qr.js", "icon-")
    shell = sum(size(each) for each in files if not each.name.startswith(asked))

    systems = [each for each in (home / "systems").iterdir() if each.name.count(".") == 1]
    assert systems
    for system in systems:
        assert shell + size(system) <= 120_000
