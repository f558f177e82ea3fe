"""Tests of every shipped HTML page: it is self-contained and well formed."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]

VOID = {"meta", "link", "br", "img", "input", "hr", "source", "wbr"}
LEVELS = {f"h{n}": n for n in range(1, 7)}


class Reading(HTMLParser):
    """The content of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, *names: str) -> list[dict[str, str]]:
        return [held for name, held in self.tags if name in names]

    def every(self, key: str) -> list[str]:
        return [held[key] for _, held in self.tags if key in held]


@pytest.fixture(scope="module")
def screens(built: Path) -> dict[str, Reading]:
    """Every HTML page that was built, by its path."""
    paths = sorted(built.rglob("*.html"))
    return {
        str(path.relative_to(built)): Reading(path.read_text(encoding="utf-8")) for path in paths
    }


def skipped(levels: list[int]) -> bool:
    """Return whether headings begin below the first level or skip one."""
    return any(level > before + 1 for before, level in zip([0, *levels], levels, strict=False))


def is_there(folder: Path, address: str) -> bool:
    """Return whether an address leads to a file, and to an element of it if it names one.

    The list builder opens the list that an address holds.
    """
    name, _, place = address.partition("#")
    file = folder / name
    if name.endswith("builder/index.html") and place.startswith("list="):
        return file.is_file()
    return file.is_file() and (not place or place in places(file))


@cache
def places(file: Path) -> frozenset[str]:
    """Return the ids of a page."""
    return frozenset(Reading(file.read_text(encoding="utf-8")).every("id"))


def faults(reading: Reading, here: Path) -> list[str]:
    """Return the faults of a page that stands at a path."""
    told = [f"ends out of turn: {fault}" for fault in reading.faults]
    told += [f"never ends: {tag}" for tag in reading.open]
    if not reading.tags or not reading.all("html")[0].get("lang"):
        told.append("has no language")
    levels = [LEVELS[tag] for tag, _ in reading.tags if tag in LEVELS]
    if levels.count(1) != 1 or skipped(levels):
        told.append(f"headings: {levels}")
    ids = reading.every("id")
    told += [f"id twice: {each}" for each in sorted(set(ids)) if ids.count(each) > 1]
    labels = {held.get("for") for held in reading.all("label")}
    told += [
        f"no label: {held}"
        for held in reading.all("input", "select", "textarea")
        if held.get("id") not in labels and "aria-label" not in held
    ]
    told += [f"no alt: {held}" for held in reading.all("img") if not held.get("alt")]
    for address in (*reading.every("src"), *reading.every("href")):
        if address.startswith("#"):
            if address[1:] not in ids:
                told.append(f"leads nowhere: {address}")
        elif not address.startswith("data:") and not is_there(here.parent, address):
            told.append(f"leads nowhere: {address[:60]}")
    style = "".join(reading.words) + "".join(reading.every("style"))
    told += [
        f"style fetches {each[:40]}"
        for each in re.findall(r"url\(\s*[\"']?([^\"')]*)|@import", style)
        if not each.startswith("data:")
    ]
    told += [f"names {each!r}" for each in reading.every("aria-labelledby") if each not in ids]
    return told


def test_every_page_for_screens_is_in_order(screens: dict[str, Reading], built: Path) -> None:
    told = {name: faults(reading, built / name) for name, reading in screens.items()}

    assert {name: each for name, each in told.items() if each} == {}
    assert len(told) > 30


GOOD = '<html lang="en"><h1 id="a">A</h1><a href="#a">x</a></html>'


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ('<html><h1 id="a">A</h1><a href="#a">x</a></html>', "has no language"),
        (GOOD.replace("h1", "h2"), "headings: [2]"),
        (GOOD.replace("</h1>", "</h1><h1>B</h1>"), "headings: [1, 1]"),
        (GOOD.replace("</h1>", "</h1><h3>B</h3>"), "headings: [1, 3]"),
        (GOOD.replace("</h1>", "</h1><p id='a'></p>"), "id twice: a"),
        (GOOD.replace("</h1>", "</h1><input id='q'>"), "no label: {'id': 'q'}"),
        (GOOD.replace("</h1>", "</h1><img src='data:,'>"), "no alt: {'src': 'data:,'}"),
        (GOOD.replace("#a", "#b"), "leads nowhere: #b"),
        (GOOD.replace("#a", "nothing.html"), "leads nowhere: nothing.html"),
        (GOOD.replace("#a", "https://x.example"), "leads nowhere: https://x.example"),
        (GOOD.replace("</h1>", "</h1><style>a{b:url(x.png)}</style>"), "style fetches x.png"),
        (GOOD.replace("</h1>", "</h1><style>@import 'x'</style>"), "style fetches "),
        (GOOD.replace("</h1>", "</h1><p>"), "ends out of turn: </html>"),
    ],
    ids=[
        "language",
        "first level",
        "two titles",
        "skipped level",
        "id twice",
        "label",
        "alt",
        "anchor",
        "file",
        "network",
        "style url",
        "style import",
        "nesting",
    ],
)
def test_check_of_pages_can_fail(spoilt: str, said: str, tmp_path: Path) -> None:
    assert faults(Reading(GOOD), tmp_path / "a.html") == []
    assert said in faults(Reading(spoilt), tmp_path / "a.html")


def test_every_page_leads_to_the_index(screens: dict[str, Reading], built: Path) -> None:
    for name, reading in screens.items():
        homes = [(built / name).parent / address for address in reading.every("href")]
        if name != "index.html":
            assert built / "index.html" in [home.resolve() for home in homes], name


SITES = {"web", "web-de", "builder", "systems"}
"""Folders of pages that are made of several files, of which the index names the first page."""


def test_index_leads_to_every_file(screens: dict[str, Reading], built: Path) -> None:
    files = {
        str(path.relative_to(built))
        for path in built.rglob("*")
        if path.is_file() and ".muster" not in path.parts and path.parent != built
        if path.parent.name not in SITES or path.name == "index.html"
    }

    led = set(screens["index.html"].every("href"))
    assert files - led == set()
    assert "builder/index.html" in led
    assert not [name for name in led if name.startswith("builder/") and name not in files]


def test_pages_carry_their_fonts(built: Path) -> None:
    for path in built.rglob("*.html"):
        # All pages of a site share one file of fonts.
        site = path.parent.name in SITES
        fonts = path.with_name("fonts.css") if site else path
        faces = re.findall(r"@font-face [^}]*src: url\(\"data:font/woff2", fonts.read_text("utf-8"))

        # The list builder has no serif, so that it loads sooner.
        assert len(faces) >= (2 if path.parent.name == "builder" else 3), path
        # The script of the list builder asks for them, when its first page is there.
        asks = path.with_name("builder.js") if path.parent.name == "builder" else path
        assert not site or '"fonts.css"' in asks.read_text("utf-8"), path
