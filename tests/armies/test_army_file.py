"""Test army files: reading reports each problem at its line, and writing reads back the same."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.armies import army_from_document, check, load_army
from muster.armies.army_text import LINE_WIDTH, format_army, quote_scalar
from muster.limits import MAX_ENTRIES, MAX_SIZE, MAX_UNITS
from muster.problems import MusterError
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import ROOT, Read
from tests.scaffold import spoil

LIBRARY = Library(ROOT)
HEAD = "system: seven-years-war\nbook: prussia\ncommander: {name: King}\n"


def problems(text: str) -> list[tuple[str, int | None]]:
    with pytest.raises(MusterError) as caught:
        army_from_document(document_from_text(text, "army.yaml"), LIBRARY)
    return [(problem.code, problem.location.line) for problem in caught.value.problems]


def test_unknown_option_lists_those_of_the_unit_the_nearest_first(system: Path, read: Read) -> None:
    names = ["none", *(f"relic-{number}" for number in range(1, 15)), "shield"]
    options = "".join(f"  - {{id: {name}, title: {name}}}\n" for name in names)
    spoil(system / "composition.yaml", "options:\n", f"options:\n{options}")
    rule = (
        "  - {id: no-pikes, kind: excludes, of: {entry: [guns]}, bars: {options: [pikes]}, "
        "within: unit, message: Tried., rule: {chapter: army}}\n"
    )
    spoil(system / "composition.yaml", "constraints:\n  []\n", f"constraints:\n{rule}")

    with pytest.raises(MusterError) as caught:
        read("units: [{unit: guns, stands: 2, options: [relik-14]}]")

    (problem,) = caught.value.problems
    assert problem.text.startswith(
        "there is no option 'relik-14' for Guns (did you mean 'relic-14'?); known: relic-14, "
    )
    assert "pikes" not in problem.text
    assert problem.text.count(",") == 11
    assert problem.text.endswith(" and 5 more")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("units: [{unit: hussar, stands: 3}]", [("unknown-unit", 4)]),
        ("units: [{stands: 3}]", [("missing-unit", 4)]),
        ("units: [{unit: [hussars], stands: 3}]", [("missing-unit", 4)]),
        ("units: [{unit: hussars}]", [("missing-size", 4)]),
        ("units: [{unit: hussars, stands: -1}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: three}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: [3]}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: '03'}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: 3, figures: 3}]", [("unknown-key", 4)]),
        ("units: [{unit: hussars, stands: 3, weapon: rifle}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: 3, count: 0}]", [("bad-count", 4)]),
        ("units: [{unit: hussars, stands: 3, count: 1000}]", [("bad-count", 4)]),
        ("units: [{unit: hussars, stands: 3, count: two}]", [("bad-count", 4)]),
        ("units: [{unit: hussars, stands: 3, options: [rifel]}]", [("unknown-option", 4)]),
        ("units: [{unit: hussars, stands: 3, options: [[a]]}]", [("unknown-option", 4)]),
        ("units: [{unit: hussars, stands: 3, options: rifle}]", [("wrong-type", 4)]),
        (
            "units: [{unit: hussars, stands: 3, options: [rifle, rifle]}]",
            [("option-twice", 4)],
        ),
        ("units: [{unit: hussars, stands: 3, name: [a]}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: 3, book: saxony}]", [("unknown-book", 4)]),
        ("units: [{unit: hussars, stands: 3, book: [saxony]}]", [("wrong-type", 4)]),
        ("units: {unit: hussars, stands: 3}", [("wrong-type", 4)]),
        ("units: [hussars]", [("wrong-type", 4)]),
        ("units: [[hussars]]", [("wrong-type", 4)]),
        ("unit: hussars", [("unknown-key", 4)]),
        ("divisions: []", [("unknown-key", 4)]),
        ("commands: [{genral: {name: A}}]", [("unknown-key", 4)]),
        ("commands: [{general: Zieten}]", [("wrong-type", 4)]),
        ("commands: [{general: {training: fencing}}]", [("bad-value", 4)]),
        ("commands: [{general: {stands: 3}}]", [("unknown-key", 4)]),
        ("commands: [{commands: []}]", [("unknown-key", 4)]),
        ("wing-commanders: {name: A}", [("wrong-type", 4)]),
        ("wing-commanders: [{price: cheap}]", [("bad-value", 4)]),
        ("multiplayer: yes", [("bad-value", 4)]),
        ("limit: lots", [("bad-limit", 4)]),
        ("limit: '1e3'", [("bad-limit", 4)]),
        ("limit: [3]", [("bad-limit", 4)]),
        ("limit: -5", [("bad-limit", 4)]),
        ("limit: -0.5", [("bad-limit", 4)]),
        ("limit: .inf", [("bad-limit", 4)]),
        ("limit: .nan", [("bad-limit", 4)]),
        ("units: [{unit: hussars, stands: .inf}]", [("bad-value", 4)]),
        ("units: [{unit: hussars, stands: 3, count: -2}]", [("bad-count", 4)]),
        ("works: [{work: hill, height: -1}]", [("bad-value", 4)]),
        ("wing-commanders: [{price: -50}]", [("bad-value", 4)]),
        ("staff: french", [("not-of-the-book", 4)]),
        ("scale: 20mm", [("unknown-scale", 4)]),
        ("works: [{work: moat, length: 4}]", [("unknown-work", 4)]),
        ("works: [{unit: hussars, stands: 3}]", [("missing-unit", 4)]),
        ("works: [{work: town, wide: 'true'}]", [("unknown-key", 4)]),
    ],
)
def test_problem_is_reported_at_its_line(body: str, expected: list[tuple[str, int]]) -> None:
    assert problems(HEAD + body) == expected


def test_all_problems_of_a_list_are_reported_at_once() -> None:
    text = HEAD + (
        "limit: x\nunits:\n  - {unit: nobody}\n  - {unit: hussars, speed: 9}\n"
        "groups:\n  - units: [3]\n    colour: red\n"
    )

    assert sorted(problems(text), key=str) == [
        ("bad-limit", 4),
        ("missing-size", 7),
        ("unknown-key", 10),
        ("unknown-key", 7),
        ("unknown-unit", 6),
        ("wrong-type", 9),
    ]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "commander: [{name: A}, {name: B}]",
            (
                "read a list, expected one commander-in-chief such as {name: Anna}; "
                "an army has one commander-in-chief, so leave out the others"
            ),
        ),
        (
            "commander: [{name: A}]",
            (
                "read a list, expected one commander-in-chief such as {name: Anna}; "
                "an army has one commander-in-chief"
            ),
        ),
        (
            "commander:",
            (
                "read nothing, expected the keys of a commander-in-chief such as {name: Anna}, "
                "or {} for one without a name"
            ),
        ),
        (
            "commander: Zieten",
            "read 'Zieten', expected the keys of a commander-in-chief such as {name: Anna}",
        ),
        (
            "commands: [[]]",
            "read an empty list, expected the keys of a command such as {name: Anna}",
        ),
        ("units: [{unit: light-cavalry, stands: }]", "read nothing, expected a whole number"),
    ],
)
def test_what_was_read_and_expected_is_told(body: str, text: str) -> None:
    head = "system: seven-years-war\n"

    with pytest.raises(MusterError) as caught:
        army_from_document(document_from_text(head + body, "a.yaml"), LIBRARY)

    assert [problem.text for problem in caught.value.problems] == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "system: slaughterloo\nbook: sample-human\n"
                "divisions: [{units: [{unit: bone-musketeers}]}]"
            ),
            "there is no unit 'bone-musketeers' (it is one of the army book 'sample-undead')",
        ),
        ("system: order-markers\nscale: 20mm", "read '20mm', expected one of 15mm, 25mm"),
    ],
)  # fmt: skip
def test_nothing_far_from_what_was_meant_is_suggested(text: str, expected: str) -> None:
    with pytest.raises(MusterError) as caught:
        army_from_document(document_from_text(text, "a.yaml"), LIBRARY)

    (problem,) = caught.value.problems
    assert problem.text.startswith(expected)
    assert "did you mean" not in problem.text


def test_option_as_a_key_says_where_options_are_listed(system: Path, read: Read) -> None:
    spoil(system / "composition.yaml", "title: Shields", "title: Large shields")
    for key in ("shields", "Large shields"):
        with pytest.raises(MusterError) as caught:
            read(f"units: [{{unit: foot, stands: 3, {key}: true}}]")
        (problem,) = caught.value.problems
        assert f"there is no key '{key}' for " in problem.text
        assert problem.text.endswith("; list this option in `options:`")
        assert problem.example == "options: [shields]"


def test_unknown_unit_names_the_nearest_and_what_the_book_has() -> None:
    with pytest.raises(MusterError) as caught:
        army_from_document(document_from_text(HEAD + "units: [{unit: husars}]", "a.yaml"), LIBRARY)

    text = caught.value.problems[0].text
    assert "hussars" in text
    assert "known in Prussia: musketeers" in text
    assert "heavy-cavalry" in text


def test_labels_as_printed_are_understood_where_an_id_is_expected(system: Path) -> None:
    army = army_from_document(
        document_from_text(
            "system: Tiny!\nscale: 15 mm\nbook: The North\n"
            "units: [{unit: AXEMEN, drill: Old hands, options: [Pikes]}]\n",
            "army.yaml",
        ),
        Library(system.parent.parent),
    )
    (unit,) = army.root.children

    assert (army.system.id, army.scale, unit.kind.text("book")) == ("tiny", "15mm", "north")
    assert (unit.kind.text("unit"), unit.kind.text("drill")) == ("axemen", "old")
    assert [option.id for option in unit.kind.options] == ["shields", "pikes"]


def test_units_that_differ_in_their_writing_only_are_of_one_kind(read: Read) -> None:
    army = read("units: [{unit: Foot, stands: 3, drill: OLD}, {unit: foot, stands: 3, drill: old}]")

    assert army.root.children[0].kind is army.root.children[1].kind


def test_type_may_be_named_by_its_singular_or_plural(system: Path, read: Read) -> None:
    spoil(
        system / "composition.yaml",
        "title: Horse\n",
        "title: Horse\n    one: rider\n    many: riders\n",
    )

    army = read("units: [{unit: Rider, stands: 3}, {unit: riders, stands: 3}]")

    assert [node.kind.text("unit") for node in army.root.children] == ["horse", "horse"]


def test_label_of_the_book_comes_before_one_of_a_type(system: Path, read: Read) -> None:
    spoil(system / "books" / "north.yaml", "title: Axemen", "title: FOOT")

    army = read("book: north\nunits: [{unit: Foot}, {unit: foot, stands: 3}]")

    assert [node.kind.text("unit") for node in army.root.children] == ["axemen", "foot"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "units: [{unit: foot, stands: 3, options: [Arms!]}]",
            "read 'Arms!', expected one of shields (Arms), pikes (arms)",
        ),
        ("units: [{unit: MEN, stands: 3}]", "read 'MEN', expected one of horse (Men), guns (Men)"),
        ("units: [{unit: foot, stands: 3, drill: green}]", "expected one of raw (Green), old (Gr"),
    ],
)
def test_ambiguous_label_is_told_with_the_ids(
    body: str, text: str, system: Path, read: Read
) -> None:
    composition = system / "composition.yaml"
    for old, new in (
        ("title: Shields", "title: Arms"),
        ("title: Pikes", "title: arms"),
        ("title: Horse", "title: Men"),
        ("title: Guns", "title: Men"),
        ("{raw: Raw, old: Old hands}", "{raw: Green, old: Green}"),
    ):
        spoil(composition, old, new)

    with pytest.raises(MusterError) as caught:
        read(body)

    assert [problem.code for problem in caught.value.problems] == ["unclear-name"]
    assert text in caught.value.problems[0].text


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("units: [{unit: axe men, stands: 3}]", "'axemen'"),
        ("units: [{unit: foot, stands: 3, drill: hands}]", "'old'"),
        ("units: [{unit: foot, stands: 3, options: [shieldwall]}]", "'shields'"),
        ("units: [{unit: foot, stands: 3, book: northern}]", "'north'"),
    ],
)
def test_suggestion_goes_by_the_label_too(body: str, hint: str, read: Read) -> None:
    with pytest.raises(MusterError) as caught:
        read(f"book: north\n{body}")

    assert f"did you mean {hint}?" in caught.value.problems[0].text


def test_list_of_pairs_without_blanks_is_told_what_it_misses() -> None:
    with pytest.raises(MusterError, match="a blank is missing after the colon"):
        army_from_document(
            document_from_text(f"{HEAD}units:\n  - unit:hussars\n    stands:3\n", "a.yaml"), LIBRARY
        )


def test_army_names_its_system() -> None:
    assert problems("name: A") == [("missing-key", 1)]
    assert problems("system: [a]") == [("missing-key", 1)]
    assert problems("name: A\nsystem: seven-years-wars") == [("unknown-system", 2)]


def test_missing_required_field_is_reported() -> None:
    text = "system: slaughterloo\ncommander: {name: A}\ndivisions:\n  - units:\n"
    gun = "      - {unit: artillery, figures: 2}\n"

    assert problems(text + gun) == [("missing-key", 2), ("missing-key", 5)]


def test_list_of_too_many_entries_is_refused() -> None:
    units = "\n".join("  - {unit: hussars, stands: 1}" for _ in range(MAX_ENTRIES))

    # The number of units is exceeded first, at the unit that does so.
    place = ("too-many-units", 4 + MAX_UNITS + 1)
    assert sorted(problems(f"{HEAD}units:\n{units}")) == [("too-many-units", 1), place]


def test_counts_that_are_too_large_together_are_refused_where_they_become_so() -> None:
    unit = "  - {unit: hussars, stands: 3, count: 400}\n"

    assert problems(f"{HEAD}units:\n{unit * 4}") == [("too-many-units", 7)]


def test_size_beyond_all_play_is_refused_with_the_limit_and_an_example() -> None:
    units = "units: [{unit: hussars, stands: {size}}]"
    with pytest.raises(MusterError) as caught:
        army_from_document(
            document_from_text(HEAD + units.replace("{size}", "100000"), "a.yaml"), LIBRARY
        )
    army = document_from_text(HEAD + units.replace("{size}", str(MAX_SIZE)), "a.yaml")

    (problem,) = caught.value.problems
    assert (problem.code, problem.location.line) == ("bad-size", 4)
    assert problem.location.column == units.index("{size}") + 1
    assert problem.text == "read '100000', expected at most 999 stands"
    assert problem.example == "stands: 12"
    assert next(army_from_document(army, LIBRARY).units()).size == MAX_SIZE


def test_size_that_an_army_book_states_is_held_to_the_same_limit(system: Path, read: Read) -> None:
    spoil(system / "books" / "north.yaml", 'stands: "4"', 'stands: "1000"')

    with pytest.raises(MusterError) as caught:
        read("book: north\nunits: [{unit: axemen}]")

    assert [problem.code for problem in caught.value.problems] == ["bad-size"]


def test_broken_book_is_reported_with_the_problems_of_the_list(system: Path, read: Read) -> None:
    (system / "books" / "south.yaml").write_text("id: south\ntitle: South\n", encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        read("book: south\nunits: [{unit: in-the-book}, {unit: foot}]\nlimit: x")

    assert [p.code for p in caught.value.problems] == ["missing-key", "missing-size", "bad-limit"]


def test_broken_system_is_reported_as_it_is(system: Path, read: Read) -> None:
    (system / "system.yaml").write_text("id: tiny\n", encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        read("name: A")

    assert {p.code for p in caught.value.problems} == {"missing-key"}


def test_army_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    path.write_text(HEAD + "limit: 12.5\nname: A\n", encoding="utf-8")

    army = load_army(path, LIBRARY)

    assert (army.name, army.limit, army.scale) == ("A", Decimal("12.5"), "15mm")


def test_army_without_a_name_is_called_after_its_system() -> None:
    army = army_from_document(document_from_text("system: slaughterloo", "a.yaml"), LIBRARY)

    assert army.name == "Slaughterloo"


def test_book_beside_the_army_hides_a_shipped_one(tmp_path: Path) -> None:
    folder = tmp_path / "content" / "slaughterloo" / "books"
    folder.mkdir(parents=True)
    book = "id: sample-human\ntitle: My own\nunits: [{id: mine, title: Mine, type: cavalry}]\n"
    (folder / "sample-human.yaml").write_text(book, encoding="utf-8")
    text = "system: slaughterloo\nbook: sample-human\n"

    army = army_from_document(document_from_text(text, "a.yaml"), Library(tmp_path, ROOT))

    assert army.book is not None
    assert army.book.title == "My own"


SCALARS = st.one_of(
    st.sampled_from(["hussars", "3", "true", "-1", "rifle", "prussia", "", "–", "blank"]),
    st.text(max_size=8),
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["units", "unit", "groups", "commands", "general", "stands", "options", "count",
                 "name", "book", "limit", "scale", "works", "work", "multiplayer", "notes"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)  # fmt: skip


@given(
    st.dictionaries(st.sampled_from(["units", "groups", "commands", "commander", "name"]), TREES)
)
def test_no_list_however_broken_raises_anything_else(tree: dict[str, object]) -> None:
    document = document_from_text(HEAD, "a.yaml")
    document.data.update(tree)

    with suppress(MusterError):
        assert army_from_document(document, LIBRARY).root.order == 0


# Writing

LINE = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp", "Cn", "Co")),
    min_size=1,
    max_size=40,
)
LEAF = st.dictionaries(st.sampled_from(["unit", "name", "stands"]), LINE, max_size=3)


@given(LINE)
def test_any_line_is_read_as_it_was(text: str) -> None:
    data = {"name": text, "commander": {"name": text}, "units": [{"options": [text]}]}

    assert document_from_text(format_army(data), "army.yaml").data == data


@given(st.lists(LEAF, max_size=3), LINE)
def test_levels_of_command_are_read_as_they_were(units: list[dict[str, str]], name: str) -> None:
    data: dict[str, Any] = {
        "system": "any",
        "commands": [{"name": name, "groups": [{"units": units}, {"units": []}]}],
        "units": units,
    }

    assert document_from_text(format_army(data, ["A comment."]), "army.yaml").data == data


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Leib-Karabiniers", "Leib-Karabiniers"),
        ("Duke’s Own", "Duke’s Own"),
        ("1st battalion", "1st battalion"),
        ("2nd-rate", "2nd-rate"),
        ("12", "12"),
        ("true", '"true"'),
        ("No", '"No"'),
        ("12:30", '"12:30"'),
        ("1e5", '"1e5"'),
        ("010", '"010"'),
        ("Foot, 1st", '"Foot, 1st"'),
        ("- dash", '"- dash"'),
        ("a # b", '"a # b"'),
    ],
)
def test_text_is_quoted_where_it_could_be_taken_for_something_else(text: str, written: str) -> None:
    assert quote_scalar(text) == written


def test_long_unit_goes_on_below_within_the_width() -> None:
    unit = {"unit": "musketeers", **{f"field-{n}": "word " * 4 + "end" for n in range(8)}}
    text = format_army({"units": [unit]})

    assert max(map(len, text.splitlines())) <= LINE_WIDTH
    assert text.splitlines()[2].startswith("     field-")
    assert document_from_text(text, "army.yaml").data == {"units": [unit]}


def price_by_stands(system: Path) -> None:
    """Let the number of stands of a foot name the row of its price."""
    row = "row: {field: type}}, times: stands}]\n  - id: horse"
    spoil(system / "composition.yaml", row, "row: {field: stands}}}]\n  - id: horse")
    foot = "  - {id: foot, label: Foot"
    rows = '  - {id: "5", label: Five, cells: ["40"]}\n  - {id: "10", label: Ten, cells: ["75"]}\n'
    spoil(system / "tables" / "costs.yaml", foot, rows + foot)


def test_number_without_a_row_is_told_at_each_of_its_lines(system: Path, read: Read) -> None:
    price_by_stands(system)

    with pytest.raises(MusterError) as caught:
        read("units:\n  - {unit: foot, stands: 12}\n  - {unit: foot, stands: 5}\n"
             "  - {unit: foot, stands: 7}\n  - {unit: axemen, book: north}")  # fmt: skip

    problems = caught.value.problems
    assert [(each.code, each.location.line) for each in problems] == [
        ("unknown-cell", line) for line in (3, 5, 6)
    ]
    known = "expected one of 5, 10, foot, horse, ditch, unknown, light, the rows of “Costs”"
    assert [each.text for each in problems] == [
        f"read '12', {known}",
        f"read '7', {known}",
        f"stands of Axemen: read '4', {known}",
    ]


def test_number_of_the_army_without_a_row_is_told_at_its_line(system: Path, read: Read) -> None:
    field = "fields: {width: {form: whole, title: Width}}, leaders: {chief:"
    spoil(system / "composition.yaml", "leaders: {chief:", field)
    rule = (
        "  - {id: few, kind: count, of: {level: unit}, within: army, message: Few., "
        "rule: {chapter: army}, allowed: [{table: sizes, row: {field: width}}]}\n"
    )
    spoil(system / "composition.yaml", "constraints:\n  []\n", f"constraints:\n{rule}")
    army = read("width: 7\nunits: [{unit: foot, stands: 4}]")

    with pytest.raises(MusterError) as caught:
        check(army)

    (problem,) = caught.value.problems
    assert problem.location.line == 2
    assert "width of Army: read '7', expected one of foot, horse, guns" in problem.text
