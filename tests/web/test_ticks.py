"""Tests in a browser of the boxes of cards and rosters: they can be ticked, and stay ticked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.roster_pages import roster_html
from muster.systems import Library
from tests.plans import make_plan
from tests.scaffold import spoil
from tests.web.conftest import ROOT, axe_violations, quiet_context, write_pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

SYSTEM = "slaughterloo"
NO_STORE = """
Object.defineProperty(window, "localStorage", { get() { throw new Error("forbidden"); } });
"""
FULL_STORE = "Storage.prototype.setItem = () => { throw new Error('full'); };"


@pytest.fixture(scope="module")
def armies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Render the decks and rosters of a system; return the folder of its armies."""
    out = tmp_path_factory.mktemp("ticks")
    write_pages(Library(ROOT), SYSTEM, out, ("cards", "roster", "web"))
    return out / SYSTEM / "armies"


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """Return a telephone whose pages may say nothing on the console."""
    with quiet_context(browser, 360, 800, has_touch=True, color_scheme="dark") as context:
        yield context


def opened(context: BrowserContext, path: Path) -> Page:
    page = context.new_page()
    page.goto(path.as_uri())
    return page


def cards_and_roster(context: BrowserContext, army: Path) -> tuple[Page, Page]:
    """Open the deck and the roster of an army."""
    return opened(context, army / "cards.html"), opened(context, army / "roster.html")


def box(page: Page, label: str) -> Locator:
    """Return a box by its whole label."""
    return page.get_by_role("checkbox", name=label, exact=True)


def ticked(page: Page) -> list[str]:
    """Return the labels of what is ticked; a half tick ends in `half`."""
    found: list[str] = page.locator(".ticks [aria-checked]").evaluate_all(
        """all => all.filter(each => each.ariaChecked !== "false").map(each =>
             each.ariaLabel + (each.ariaChecked === "mixed" ? " half" : ""))"""
    )
    return found


def test_a_tick_takes_those_before_it_and_is_still_there_after_a_reload(
    armies: Path, phone: BrowserContext
) -> None:
    page = opened(phone, armies / "typical" / "cards.html")
    box(page, "Figures 3 of 10 (to fill in), Black Hats").tap()
    box(page, "Order, Black Hats").tap()
    page.reload()

    assert ticked(page) == [
        *(f"Figures {n}, Black Hats" for n in ("1 of 10", "2 of 10", "3 of 10 (to fill in)")),
        "Order, Black Hats",
    ]
    box(page, "Figures 2 of 10, Black Hats").tap()
    box(page, "Order, Black Hats").tap()
    assert ticked(page) == ["Figures 1 of 10, Black Hats"]
    page.reload()
    assert ticked(page) == ["Figures 1 of 10, Black Hats"]


@pytest.mark.parametrize("name", ["cards", "roster"])
def test_boxes_are_large_enough_for_a_thumb_and_apart(
    name: str, armies: Path, phone: BrowserContext
) -> None:
    page = opened(phone, armies / "typical" / f"{name}.html")
    what = "Figures" if name == "cards" else "Losses"
    first = box(page, f"{what} 1 of 10, Black Hats").bounding_box()
    second = box(page, f"{what} 2 of 10, Black Hats").bounding_box()

    assert first
    assert second
    assert min(first["width"], first["height"]) > 31.5
    assert second["x"] - first["x"] - first["width"] > 3.5


def test_a_box_in_halves_takes_two_ticks(armies: Path, phone: BrowserContext) -> None:
    page = opened(phone, armies / "typical" / "cards.html")
    first = box(page, "Figures 1 of 8, Large Lads")
    second = page.get_by_role("checkbox", name="Figures 2 of 8 (6), Large Lads")
    second.tap()

    assert ticked(page) == ["Figures 1 of 8, Large Lads", "Figures 2 of 8 (6), Large Lads half"]
    second.tap()
    expect(second).to_be_checked()
    second.tap()
    first.tap()
    assert ticked(page) == []


def test_cards_and_roster_of_an_army_show_the_same_losses(
    armies: Path, phone: BrowserContext
) -> None:
    cards, roster = cards_and_roster(phone, armies / "typical")
    box(cards, "Figures 2 of 10, Black Hats").tap()
    box(cards, "Order, Black Hats").tap()

    expect(box(roster, "Losses 2 of 10, Black Hats")).to_be_checked()
    assert ticked(roster) == ["Losses 1 of 10, Black Hats", "Losses 2 of 10, Black Hats"]
    box(roster, "Losses 3 of 10 (to fill in), Black Hats").tap()
    expect(box(cards, "Figures 3 of 10 (to fill in), Black Hats")).to_be_checked()
    expect(box(cards, "Order, Black Hats")).to_be_checked()
    site = opened(phone, armies.parent / "web" / "army-typical.html")
    assert ticked(site) == [
        f"Losses {n}, Black Hats" for n in ("1 of 10", "2 of 10", "3 of 10 (to fill in)")
    ]
    assert ticked(opened(phone, armies / "large" / "cards.html")) == []


def test_a_group_has_lost_what_its_units_have_lost(phone: BrowserContext, tmp_path: Path) -> None:
    write_pages(Library(ROOT), "seven-years-war", tmp_path, ("cards",))
    page = opened(phone, tmp_path / "seven-years-war" / "armies" / "typical" / "cards.html")
    lost = page.locator(".card", has=page.get_by_role("heading", name="Second line")).locator(
        ".track [aria-checked=true]"
    )

    page.get_by_role("checkbox", name="Stands 2 of 4, Meyerinck 1", exact=True).click()
    expect(lost).to_have_count(2)
    page.get_by_role("checkbox", name="Stands 1 of 4, Meyerinck 2", exact=True).click()
    expect(lost).to_have_count(3)
    page.get_by_role("checkbox", name="Stands 2 of 4, Meyerinck 1", exact=True).click()
    expect(lost).to_have_count(2)

    page.reload()
    expect(lost).to_have_count(2)


def test_each_of_several_equal_units_has_its_card_and_its_row(
    armies: Path, phone: BrowserContext
) -> None:
    cards, roster = cards_and_roster(phone, armies / "large")
    names = cards.locator(".card:has(.track)").evaluate_all("all => all.map(e => e.dataset.unit)")
    rows = roster.locator(".row").evaluate_all("all => all.map(e => e.dataset.unit)")
    assert len(set(names)) == len(names)
    assert sorted(names) == sorted(rows)

    cards.locator(".card:has(.track)").nth(4).locator(".tick").nth(1).tap()

    changed = roster.locator('.row:has([aria-checked="true"])')
    expect(changed).to_have_count(1)
    assert changed.get_attribute("data-unit") == names[4]
    numbered = roster.locator(".row:has(.copy)")
    told = numbered.locator(".track").first.get_attribute("aria-label") or ""
    assert told.endswith(" 1")


def test_two_losses_take_a_box_in_halves_on_the_roster_too(
    armies: Path, phone: BrowserContext
) -> None:
    cards, roster = cards_and_roster(phone, armies / "typical")
    box(roster, "Losses 2 of 8 (6), Large Lads").tap()

    assert ticked(roster) == ["Losses 1 of 8, Large Lads", "Losses 2 of 8 (6), Large Lads half"]
    expect(box(cards, "Figures 1 of 8, Large Lads")).to_be_checked()
    assert ticked(cards)[-1] == "Figures 2 of 8 (6), Large Lads half"


def test_units_of_one_name_have_their_own_boxes(armies: Path, phone: BrowserContext) -> None:
    page = opened(phone, armies / "typical" / "roster.html")
    tracks = page.get_by_role("group", name="Losses, 2nd of Foot")
    tracks.nth(1).get_by_role("checkbox").nth(4).tap()
    page.reload()

    checked = [len(each.get_by_role("checkbox", checked=True).all()) for each in tracks.all()]
    assert checked == [0, 5]


def test_ticks_are_cleared_and_brought_back(armies: Path, phone: BrowserContext) -> None:
    page = opened(phone, armies / "typical" / "cards.html")
    clear = page.get_by_role("button", name="Clear all ticks")
    expect(clear).to_be_hidden()
    box(page, "Figures 2 of 10, Black Hats").tap()
    clear.tap()
    assert ticked(page) == []
    page.get_by_role("button", name="Undo").tap()
    assert len(ticked(page)) == 2
    clear.tap()
    page.reload()
    assert ticked(page) == []
    expect(clear).to_be_hidden()


@pytest.mark.parametrize("trouble", [NO_STORE, FULL_STORE], ids=["forbidden", "full"])
def test_ticks_work_where_nothing_may_be_kept(
    trouble: str, armies: Path, phone: BrowserContext
) -> None:
    phone.add_init_script(trouble)
    page = opened(phone, armies / "typical" / "cards.html")
    box(page, "Figures 2 of 10, Black Hats").tap()

    assert len(ticked(page)) == 2
    page.get_by_role("button", name="Clear all ticks").tap()
    assert ticked(page) == []
    page.get_by_role("button", name="Undo").tap()
    page.reload()
    assert ticked(page) == []


@pytest.mark.parametrize(
    "kept", ["[", "7", "null", '{"a": 1}', '[["Black Hats | Figures", -3], 4, null]']
)
def test_what_cannot_be_read_is_no_tick(kept: str, armies: Path, phone: BrowserContext) -> None:
    path = armies / "typical" / "cards.html"
    page = opened(phone, path)
    box(page, "Figures 2 of 10, Black Hats").tap()
    page.evaluate("kept => Object.keys(localStorage).forEach(k => localStorage[k] = kept)", kept)
    page.reload()

    assert ticked(page) == []
    box(page, "Figures 2 of 10, Black Hats").tap()
    assert len(ticked(page)) == 2


def test_of_a_changed_list_the_ticks_that_fit_are_kept(
    phone: BrowserContext, tmp_path: Path
) -> None:
    army = tmp_path / "armies" / SYSTEM / "mine.yaml"
    army.parent.mkdir(parents=True)
    army.write_bytes((ROOT / "armies" / SYSTEM / "typical.yaml").read_bytes())
    path = tmp_path / "roster.html"

    def write() -> Path:
        plan = make_plan(Library(tmp_path), [SYSTEM], ["roster"], ["html"])
        roster = next(job.data for job in plan.jobs if job.path.endswith("/mine/roster.html"))
        templates = TemplateEnvironment(Library(ROOT).templates())
        path.write_text(roster_html(templates, roster, "full", "index.html"), encoding="utf-8")
        return path

    page = opened(phone, write())
    for label in ("Losses 9 of 10, Black Hats", "Losses 2 of 8 (6), Large Lads"):
        box(page, label).tap()
    spoil(army, "name: Black Hats", "name: White Hats")
    write()
    page.reload()
    assert ticked(page) == ["Losses 1 of 8, Large Lads", "Losses 2 of 8 (6), Large Lads half"]
    box(page, "Losses 1 of 10, White Hats").tap()
    spoil(army, "name: White Hats", "name: Black Hats")
    write()
    page.reload()
    assert len(ticked(page)) == 11


def test_a_track_is_worked_by_keys(armies: Path, phone: BrowserContext) -> None:
    page = opened(phone, armies / "typical" / "roster.html")
    box(page, "Losses 1 of 10, Black Hats").focus()
    for key in ("ArrowRight", "ArrowRight", "Space", "Home"):
        page.keyboard.press(key)

    assert len(ticked(page)) == 3
    page.keyboard.press("Enter")
    assert ticked(page) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.ariaLabel") == "Losses 1 of 20, Trained band"


def test_a_number_of_losses_is_written(phone: BrowserContext, armies: Path, tmp_path: Path) -> None:
    text = (armies / "typical" / "roster.html").read_text(encoding="utf-8")
    start = text.index('<span class="row" ')
    end = text.index("</td>", start)
    path = tmp_path / "many.html"
    field = '<span data-kept="losses"><span class="box"></span> of 900</span>'
    path.write_text(text[:start] + field + text[end:], encoding="utf-8")
    page = opened(phone, path)
    number = page.get_by_label("Losses of 900, Duke’s Own")
    number.fill("1000")
    number.blur()
    page.reload()

    assert number.input_value() == "900"


@pytest.mark.parametrize("pointer", ["finger", "mouse"])
def test_boxes_are_large_enough_to_hit(pointer: str, armies: Path, browser: Browser) -> None:
    context = browser.new_context(has_touch=pointer == "finger")
    for path in ("cards.html", "roster.html"):
        page = opened(context, armies / "large" / path)
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            small = page.locator(".ticks [aria-checked]").evaluate_all(
                """all => all.map(each => each.getBoundingClientRect())
                     .filter(each => Math.min(each.width, each.height) < 23.9).length"""
            )
            assert (path, width, small) == (path, width, 0)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["cards.html", "roster.html"])
def test_axe_finds_nothing(name: str, scheme: str, armies: Path, phone: BrowserContext) -> None:
    page = phone.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto((armies / "typical" / name).as_uri())
    for each in page.locator(".ticks .tick:nth-child(3)").all()[:4]:
        each.tap()
    told = [
        f"{each['id']}: {node['html'][:120]}"
        for each in axe_violations(page)
        for node in each["nodes"]
    ]

    assert told == [], told


def test_a_print_shows_empty_boxes(armies: Path, phone: BrowserContext) -> None:
    page = opened(phone, armies / "typical" / "roster.html")
    held = box(page, "Losses 1 of 10, Black Hats")
    held.tap()
    fill = "each => getComputedStyle(each).backgroundImage"
    assert held.evaluate(fill) != "none"
    page.emulate_media(media="print")

    assert held.evaluate(fill) == "none"
    expect(page.get_by_role("button", name="Clear all ticks")).to_be_hidden()


def test_without_scripts_boxes_are_plain(armies: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = opened(context, armies / "typical" / "cards.html")

    assert page.locator(".tick").count() > 50
    assert page.get_by_role("checkbox").count() == 0
    assert page.get_by_role("button").count() == 0
    context.close()


def test_what_the_source_leaves_blank_is_written_in_and_kept(
    armies: Path, phone: BrowserContext
) -> None:
    page = opened(phone, armies / "typical" / "cards.html")
    page.get_by_role("textbox", name="Exp, Sir Henry Stoat", exact=True).fill("+2")
    box(page, "Order, Black Hats").tap()
    page.get_by_role("button", name="Clear all ticks").tap()
    page.reload()

    assert page.get_by_role("textbox", name="Exp, Sir Henry Stoat").input_value() == "+2"
    assert page.get_by_role("textbox", name="Exp, Baron Kettle").input_value() == ""
    assert ticked(page) == []
    assert axe_violations(page) == []


def test_what_is_written_on_a_sheet_holds_for_the_sheet_of_an_army(
    phone: BrowserContext, tmp_path: Path
) -> None:
    write_pages(Library(ROOT), "huzzah", tmp_path, ("sheet",))
    page = opened(phone, tmp_path / "huzzah" / "quick-reference.html")
    name = "Orders to give, Rearm (roll: side 2)"
    page.get_by_role("textbox", name=name, exact=True).fill("Guns load again")
    other = opened(phone, tmp_path / "huzzah" / "armies" / "typical" / "quick-reference.html")

    field = other.get_by_role("textbox", name=name, exact=True)
    assert field.input_value() == "Guns load again"
    labels = page.locator("textarea.blank").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert len(labels) == len(set(labels)) > 5
    assert page.locator("textarea.blank").evaluate_all("all => all.every(e => e.offsetHeight > 23)")
    assert axe_violations(page) == []
