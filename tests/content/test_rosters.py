"""Facts about the rosters of all sample armies: whose they are, no ids, no empty column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from muster.armies import Army, Composition, check, load_army
from muster.armies.written_composition import iter_fields
from muster.documents.cards import gather_cards
from muster.documents.roster import Roster, gather_roster
from muster.documents.short_roster import SHORT_FORMS, sign
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS, PT_PER_MM
from muster.rendering.roster_columns import one_line_size
from muster.rendering.roster_pages import ROSTER_MARGIN_MM, roster_html, roster_pdf
from muster.systems import Library
from tests.pages.printed import Pdf, lines_of_text, unit_rows
from tests.scaffold import SHIPPED

ROOT = Path(__file__).parents[2]
SIXTH = ROOT / "tests" / "sixth"
TEMPLATES = TemplateEnvironment([ROOT / "templates"])
FILES = [
    *(path for name in SHIPPED for path in sorted((ROOT / "armies" / name).glob("*.yaml"))),
    *sorted((SIXTH / "armies" / "sixth").glob("*.yaml")),
]

each_army = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


@cache
def read(path: Path) -> tuple[Army, Roster]:
    army = load_army(path, Library(SIXTH if SIXTH in path.parents else ROOT))
    return army, gather_roster(army.system, army, check(army))


def told(roster: Roster) -> Iterator[str]:
    """Yield every text of a roster but its findings."""
    yield from (roster.book, roster.units, roster.losses)
    for rows in (roster.facts, *(section.facts for section in roster.sections)):
        yield from (cell.text for row in rows for cell in row.values)
    for section in roster.sections:
        yield section.title
        for entry in section.entries:
            yield from (entry.name, entry.type, entry.strength, *entry.options)
            yield from (cell.text for cell in entry.values)
            yield from (cell.text for row in entry.facts for cell in row.values)


def untitled_ids(army: Army) -> set[str]:
    """Return the ids that differ from their titles by more than capitals."""
    composition = army.composition
    titles = {**{e.id: e.title for e in composition.entries.values()}}
    titles |= {option.id: option.title for option in composition.options.values()}
    for node in army.nodes():
        for spec in node.kind.field_specs.values():
            titles |= spec.of
        if node.profile is not None:
            titles[node.profile.id] = node.profile.title
        if node.book is not None:
            titles[node.book.id] = node.book.title
    return {key for key, title in titles.items() if key.replace("-", " ") != title.lower()}


@each_army
def test_no_id_and_no_line_of_the_source_stands_on_a_roster(path: Path) -> None:
    army, roster = read(path)
    ids = untitled_ids(army)

    assert [text for text in told(roster) if ids_in(text, ids)] == []
    texts = [*told(roster), *(finding.rule for finding in roster.findings)]
    assert [text for text in texts if "suggested" in text or "of the source" in text] == []


def hyphenated_keys(composition: Composition) -> set[str]:
    """Return the keys with a hyphen of a composition that are no words of its titles."""
    keys, titles = {rule.id for rule in composition.constraints}, ""
    for known in (composition.entries, composition.options, composition.levels):
        for key, each in known.items():
            keys.add(key)
            titles += f" {each.title}"
    for _, key, spec in iter_fields(composition.written):
        keys |= {key, *spec.of}
        titles += f" {spec.title} {' '.join(spec.of.values())}"
    return {key for key in keys if "-" in key and key not in titles.casefold()}


@each_army
def test_no_line_of_the_army_file_stands_on_a_roster(path: Path) -> None:
    _, roster = read(path)

    said = roster_html(TEMPLATES, roster, "full", "index.html")

    assert "army file</span>" not in said
    assert re.search(r"·\s*line \d", said) is None


@each_army
def test_no_finding_on_a_roster_has_a_key_of_the_system(path: Path) -> None:
    army, roster = read(path)
    keys = hyphenated_keys(army.composition)
    texts = [
        text
        for each in roster.findings
        for text in (each.where, each.message, each.found, each.rule, each.remedy)
    ]
    texts += [
        text
        for rule in army.composition.constraints
        for text in (rule.message, rule.remedy, rule.cure)
    ]

    assert [text for text in texts if ids_in(text, keys)] == []
    assert len(keys) >= 5


def ids_in(text: str, ids: set[str]) -> set[str]:
    """Return the ids in a text: the whole of it, or a word with a hyphen."""
    return ids & {text, *re.findall(r"\w+(?:-\w+)+", text)}


def test_an_id_would_be_found() -> None:
    army, _ = read(ROOT / "armies" / "order-markers" / "typical.yaml")

    assert "kgl" in untitled_ids(army)
    assert ids_in("kgl", {"kgl", "very-large"}) == {"kgl"}
    assert ids_in("is very-large, C-in-C", {"kgl", "very-large"}) == {"very-large"}


@each_army
def test_roster_has_no_empty_column(path: Path) -> None:
    _, roster = read(path)

    for form in (lambda held: held, *SHORT_FORMS):
        for section in form(roster).sections:
            units = [entry for entry in section.entries if entry.values]
            for place, key in enumerate(section.keys):
                cells = [unit.values[place] for unit in units]
                assert any(cell.kind == "blank" or cell.text not in {"", "–"} for cell in cells), (
                    key
                )
            heads = (section.has_sizes, section.has_points, section.has_losses)
            assert heads == (
                any(entry.strength for entry in section.entries),
                any(entry.points for entry in section.entries),
                any(entry.tracks or entry.losses_of for entry in section.entries),
            )


@each_army
def test_every_leader_is_named_with_what_the_system_says_of_leaders(path: Path) -> None:
    army, roster = read(path)
    entries = [entry for section in roster.sections for entry in section.entries]
    leaders = {entry.name: entry for entry in entries if entry.kind == "leader"}

    for node in army.nodes():
        if node.level == "leader":
            assert (node.name or node.title) in leaders

    for form in SHORT_FORMS[:3]:
        said = [
            name
            for section in form(roster).sections
            for entry in (section.led_by, *section.entries)
            if entry is not None
            for name in (entry.name, entry.led_by.name if entry.led_by else "")
        ]
        assert set(leaders) <= set(said)


@each_army
def test_what_stands_beside_a_unit_is_broken_after_commas_only(path: Path) -> None:
    _, roster = read(path)
    texts = [
        cell.text
        for section in roster.sections
        for entry in section.entries
        if entry.kind == "unit"
        for row in entry.facts
        for cell in row.values
    ]

    assert [text for text in texts if " " in text.replace(", ", "")] == []


def test_who_leads_a_unit_stands_beside_its_name_on_every_form() -> None:
    _, roster = read(ROOT / "armies" / "lshm-skirmish" / "typical.yaml")

    for form in (lambda held: held, *SHORT_FORMS[:3]):
        facts = [
            cell.text.replace("\u00a0", " ")
            for section in form(roster).sections
            for entry in section.entries
            if entry.name == "Grenadier company"
            for row in entry.facts
            for cell in row.values
        ]
        assert "Captain Hale, Sergeant Dobbs" in facts


@each_army
def test_head_and_every_card_say_whose_army_it_is(path: Path) -> None:
    army, roster = read(path)
    deck = gather_cards(army.system, army, check(army))

    assert roster.book
    assert [card.title for card in deck.cards if not card.nation] == []


@each_army
def test_no_command_or_group_is_called_by_the_bare_word_of_its_level(path: Path) -> None:
    army, roster = read(path)
    bare = {
        level.title
        for level in army.composition.levels.values()
        if level.id != army.composition.top.id
    }
    empty = {node.title for node in army.nodes() if node.is_branch and not node.children}
    heads = {section.title for section in roster.sections if section.kind != "army"}
    heads |= {
        entry.name
        for section in roster.sections
        for entry in section.entries
        if entry.kind == "group"
    }

    assert heads & (bare - empty) == set()


@each_army
def test_every_unit_with_a_size_or_tallies_has_boxes_on_both_forms(path: Path) -> None:
    _, roster = read(path)
    boxes = sum(
        entry.box_count * entry.count for section in roster.sections for entry in section.entries
    )

    for variant in ("full", "short"):
        html = roster_html(TEMPLATES, roster, variant, "index.html")
        assert len(re.findall('class="tick[ a-z]*"', html)) == boxes


@each_army
@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_page_for_a_tournament_has_one_line_a_unit_wherever_its_type_stays_large_enough(
    path: Path, paper: str, tmp_path: Path
) -> None:
    _, roster = read(path)
    file = tmp_path / "roster.pdf"
    room_pt = (PAPERS[paper].width_mm - 2 * ROSTER_MARGIN_MM) * PT_PER_MM
    most = 1 if one_line_size(sign(roster), room_pt, 13) >= 9.5 else 2

    file.write_bytes(roster_pdf(TEMPLATES, roster, "tournament", paper, {}).data)

    rows = list(unit_rows(Pdf(file).tags))
    assert len(rows) > 1
    assert [row.text for row in rows if lines_of_text(row) > most] == []
