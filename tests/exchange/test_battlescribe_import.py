"""Test that an imported game judges and prices lists as its BattleScribe data say."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from muster.armies import Verdict, army_from_document, book_ids, check, load_book
from muster.exchange.battlescribe import Omission, read_data_set
from muster.exchange.battlescribe_import import ImportedSystem, import_system
from muster.problems import MusterError
from muster.solver.proofs import lint_fielding
from muster.systems import Library
from muster.systems.lint import lint_system
from muster.yamlfile import document_from_text
from tests.exchange.conftest import FILES, MARSH, changed, write_system

CHIEF = "{unit: newt-chief, arms: club}"


def judge(library: Library, units: str, book: str = "newts", limit: int = 500) -> Verdict:
    text = f"system: marsh-wars\nbook: {book}\nname: A\nlimit: {limit}\nunits: [{units}]\n"
    return check(army_from_document(document_from_text(text, "army.yaml"), library))


def errors(library: Library, units: str, book: str = "newts", limit: int = 500) -> set[str]:
    verdict = judge(library, units, book, limit)
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


@pytest.mark.parametrize(
    ("units", "points"),
    [
        (CHIEF, "60"),
        ("{unit: newt-chief, arms: spear}", "65"),
        # The toad's saddle is always there: 20 + 1.5.
        ("{unit: newt-chief, arms: club, options: [riding-toad]}", "81.5"),
        ("{unit: newt-chief, arms: club, options: [riding-toad, barding, frog-stone]}", "98"),
        # The leader is always there: 6, and four newts of 3.
        ("{unit: newt-band, newt: 4}", "18"),
        ("{unit: newt-band, newt: 9, net: 3, bog-gun: 1, harpoon: 1}", "52.5"),
        # The link sets another price than the shared entry has.
        ("{unit: marsh-eel}", "18"),
        ("{unit: dragonfly, count: 2}", "30"),
    ],
)
def test_prices_are_those_of_the_data(marsh_library: Library, units: str, points: str) -> None:
    assert str(judge(marsh_library, units).points) in {points, f"{points}.0", f"{points}.00"}


@pytest.mark.parametrize(
    ("units", "broken"),
    [
        (CHIEF, set()),
        ("{unit: newt-band, newt: 4}", {"chiefs-min"}),
        (f"{CHIEF}, {CHIEF}, {CHIEF}", {"chiefs-max"}),
        (f"{CHIEF}, {{unit: newt-band, newt: 4, count: 5}}", {"newt-band-type-max"}),
        (f"{CHIEF}, {{unit: newt-band, newt: 3}}", {"newt-band-type-newt"}),
        (f"{CHIEF}, {{unit: newt-band, newt: 10}}", {"newt-band-type-newt"}),
        (f"{CHIEF}, {{unit: newt-band, newt: 5, net: 5}}", set()),
        (f"{CHIEF}, {{unit: newt-band, newt: 5, net: 6}}", {"newt-band-type-net-max"}),
        (f"{CHIEF}, {{unit: newt-band, newt: 7, bog-gun: 2}}", set()),
        (
            f"{CHIEF}, {{unit: newt-band, newt: 7, bog-gun: 2, harpoon: 1}}",
            {"newt-band-type-heavy-arms-max"},
        ),
        (f"{CHIEF}, {{unit: newt-band, newt: 8, bog-gun: 2, harpoon: 1}}", set()),
        ("{unit: newt-chief, arms: club, options: [barding]}", {"newt-chief-type-barding-with"}),
        (
            "{unit: newt-chief, arms: club, options: [frog-stone, reed-flute]}",
            {"charms-max"},
        ),
        (
            "{unit: newt-chief, arms: club, options: [frog-stone], count: 2}",
            {"frog-stone-in-army-max"},
        ),
        (f"{CHIEF}, {{unit: dragonfly, count: 2}}", set()),
        (f"{CHIEF}, {{unit: dragonfly, count: 3}}", {"beasts-max"}),
        (f"{CHIEF}, {{unit: great-newt, count: 2}}", set()),
        ("{unit: great-newt}", {"great-newt-type-shown", "chiefs-min"}),
        # A bare type would be free of what its book says of it.
        (f"{CHIEF}, {{unit: dragonfly-type}}", {"units-of-books"}),
    ],
)
def test_limits_are_those_of_the_data(marsh_library: Library, units: str, broken: set[str]) -> None:
    assert errors(marsh_library, units) == broken


def test_limits_that_change_with_the_limit(marsh_library: Library) -> None:
    three = f"{CHIEF}, {CHIEF}, {CHIEF}"
    beasts = f"{CHIEF}, {{unit: dragonfly, count: 4}}"

    assert errors(marsh_library, three, limit=1000) == set()
    assert errors(marsh_library, beasts, limit=999) == {"beasts-max"}
    assert errors(marsh_library, beasts, limit=1000) == set()
    assert errors(marsh_library, f"{CHIEF}, {{unit: great-newt}}", limit=150) == {
        "rare-share-max",
        "beasts-max",
    }


@pytest.mark.parametrize(
    ("fishers", "waders", "legal"), [(1, 2, True), (1, 1, False), (2, 4, True), (2, 3, False)]
)
def test_limit_that_grows_with_other_units(
    marsh_library: Library, fishers: int, waders: int, *, legal: bool
) -> None:
    units = f"{{unit: heron-king}}, {{unit: fishers, count: {fishers}}},"
    units += f"{{unit: waders, count: {waders}}}"

    assert (errors(marsh_library, units, "herons") == set()) is legal


def test_limit_that_grows_with_several_units(tmp_path: Path) -> None:
    old = """<repeats><repeat field="selections" scope="force" value="2" percentValue="false" \
shared="true" childId="waders" repeats="1" roundUp="false"/></repeats>"""
    new = """<repeats>
      <repeat field="selections" scope="force" value="1" childId="waders" repeats="1"/>
      <repeat field="selections" scope="force" value="1" childId="heron-king" repeats="2"/>
    </repeats>"""
    library = write_system(changed(tmp_path, old, new), tmp_path)

    def broken(fishers: int, rest: str) -> set[str]:
        return errors(library, f"{{unit: fishers, count: {fishers}}}, {rest}", "herons", 2000)

    king = "{unit: heron-king}"
    assert broken(2, king) == set()
    assert broken(3, king) == {"fishers-type-for-each"}
    assert broken(3, f"{king}, {{unit: waders}}") == set()
    assert broken(1, "{unit: dragonfly}") == {"fishers-type-for-each-2", "chiefs-min"}


def test_option_of_one_name_has_its_price_in_each_unit(tmp_path: Path) -> None:
    toad = """<selectionEntries><selectionEntry id="toad" name="Riding toad" type="upgrade">
      <constraints><constraint id="t" field="selections" scope="parent" value="1" type="max"/>
      </constraints><costs><cost name="pts" typeId="pts" value="33"/></costs></selectionEntry>
      </selectionEntries><costs><cost name="pts" typeId="pts" value="95"/></costs>"""
    old = '<costs><cost name="pts" typeId="pts" value="95"/></costs>'
    library = write_system(changed(tmp_path, old, toad), tmp_path)
    king = "{unit: heron-king, options: [riding-toad]}"

    assert judge(library, king, "herons").points == 128
    chief = "{unit: newt-chief, arms: club, options: [riding-toad]}"
    assert str(judge(library, chief).points) == "81.5"


def test_price_for_each_model_is_counted(tmp_path: Path) -> None:
    old = '<costs><cost name="pts" typeId="pts" value="10"/></costs>'
    shells = """<selectionEntry id="shells" name="Shells" hidden="false" type="upgrade"><modifiers>
        <modifier type="increment" field="pts" value="0.5"><repeats>
          <repeat field="selections" scope="parent" value="1" childId="newt" repeats="1"/>
        </repeats></modifier></modifiers><constraints>
          <constraint id="s" field="selections" scope="parent" value="1" type="max"/>
        </constraints><costs><cost name="pts" typeId="pts" value="2"/></costs></selectionEntry>"""
    marker = '<selectionEntry id="leader"'
    data = changed(tmp_path, marker, shells + marker, (old, old))
    library = write_system(data, tmp_path)

    assert judge(library, "{unit: newt-band, newt: 6, options: [shells]}").points == 6 + 18 + 2 + 3
    assert omissions(data)[0][1] == "great-newt"


def test_limit_that_holds_only_in_one_case(tmp_path: Path) -> None:
    old = '<constraint id="band-max" field="selections" scope="force" value="4"'
    new = old.replace('"4"', '"-1"')
    modifier = """<modifiers><modifier type="set" field="band-max" value="1"><conditions>
      <condition field="selections" scope="force" value="1" childId="great-newt" type="atLeast"/>
      </conditions></modifier></modifiers><constraints>"""
    both = (f"<constraints>\n        {old}", f"{modifier}{new}")
    library = write_system(changed(tmp_path, *both), tmp_path)
    bands = f"{CHIEF}, {{unit: newt-band, newt: 4, count: 6}}"

    assert errors(library, bands) == set()
    assert errors(library, f"{bands}, {{unit: great-newt}}") == {"newt-band-type-max"}


def test_limit_that_grows_with_what_nobody_has_stays_0(tmp_path: Path) -> None:
    empty = '<categoryEntry id="ghosts" name="Ghosts" hidden="false"/></categoryEntries>'
    data = changed(tmp_path, "</categoryEntries>", empty, ('childId="waders"', 'childId="ghosts"'))
    library = write_system(data, tmp_path)

    units = "{unit: heron-king}, {unit: waders, count: 4}"
    assert errors(library, units, "herons") == set()
    assert errors(library, f"{units}, {{unit: fishers}}", "herons") == {"fishers-type-max"}


def test_points_of_the_only_force_are_those_of_the_army(tmp_path: Path) -> None:
    old = '<forceEntry id="warband" name="Warband" hidden="false">'
    new = f"""{old}<constraints>
      <constraint id="w" field="pts" scope="roster" value="100" type="max"/>
      <constraint id="v" field="selections" scope="roster" value="1" type="max"/>
    </constraints>"""
    library = write_system(changed(tmp_path, old, new), tmp_path)

    assert errors(library, CHIEF) == set()
    assert errors(library, f"{CHIEF}, {CHIEF}") == {"warband-max"}


def test_units_without_what_they_need_are_too_many(marsh_library: Library) -> None:
    codes = errors(marsh_library, "{unit: heron-king}, {unit: fishers}", "herons")

    assert codes == {"fishers-type-for-each-2"}


@pytest.mark.parametrize(
    ("field", "broken"),
    [
        # 40 points are a quarter of the limit of 160, but more than that of all 100 points.
        ("limit::pts", set()),
        ("pts", {"rare-share-max"}),
    ],
)
def test_percentage_is_of_the_limit_or_of_all_points(
    tmp_path: Path, field: str, broken: set[str]
) -> None:
    limited = 'id="rare-share" field="limit::pts" scope="roster" value="25"'
    data = changed(tmp_path, limited, limited.replace("limit::pts", field))
    library = write_system(data, tmp_path)

    assert errors(library, f"{CHIEF}, {{unit: great-newt}}", limit=160) == broken | {"beasts-max"}


def test_percentage_that_is_open_or_changes(tmp_path: Path) -> None:
    limited = 'value="25" percentValue="true"'
    imported = changed(tmp_path, limited, limited.replace("25", "-1"))

    assert "rare-share-max" not in imported.files["composition.yaml"]
    assert len(imported.omissions) == 2


def test_findings_name_categories(marsh_library: Library) -> None:
    def remedies(units: str, limit: int) -> list[str]:
        return [finding.remedy for finding in judge(marsh_library, units, limit=limit).findings]

    assert remedies("{unit: dragonfly}", 500) == ["Add 1 “Chiefs” unit."]
    rare = f"{CHIEF}, {{unit: great-newt, count: 4}}"
    assert remedies(rare, 500) == [
        "Remove 35 points of “Rare” units.",
        "Remove 2 “Beasts” units.",
    ]


def test_option_that_the_book_does_not_give_is_refused(marsh_library: Library) -> None:
    assert errors(marsh_library, "{unit: heron-king, options: [riding-toad]}", "herons") == {
        "unit-option"
    }


def test_imported_system_has_no_lint(marsh: ImportedSystem, marsh_library: Library) -> None:
    system = marsh_library.system("marsh-wars")

    assert [issue.problem.render() for issue in lint_system(system)] == []
    assert lint_fielding(system, marsh_library) == []
    assert marsh.books == ["newts", "herons"]


def test_values_of_profiles_are_those_of_units(marsh_library: Library) -> None:
    verdict = judge(marsh_library, f"{CHIEF}, {{unit: newt-band, newt: 4}}")
    chief, band = verdict.army.units()

    assert (chief.kind.text("swim"), chief.kind.text("bite")) == ('8"', "+3")
    assert (band.kind.text("swim"), band.kind.text("bite")) == ('6"', "0")


def omissions(imported: ImportedSystem) -> list[tuple[str, str, int | None]]:
    return [(each.kind, each.id, each.location.line) for each in imported.omissions]


def test_report_names_each_thing_with_id_and_line(marsh: ImportedSystem) -> None:
    lines = (MARSH / "newts.cat").read_text(encoding="utf-8").splitlines()
    great_newt = next(n for n, line in enumerate(lines, 1) if 'id="great-newt"' in line)

    assert omissions(marsh) == [("price", "great-newt", great_newt), ("cost", "mud", 5)]
    assert f"newts.cat:{great_newt}:1: Great newt [great-newt]: a change" in marsh.report()


@pytest.mark.parametrize(
    ("old", "new", "kind", "key"),
    [
        ('targetId="charms"', 'targetId="gone"', "missing-link", "l-charms"),
        ('scope="force" value="4"', 'scope="mystery" value="4"', "constraint", "newt-band"),
        ('field="selections" scope="force" value="4"', 'field="mud" scope="force" value="4"',
         "constraint", "newt-band"),
        ('value="8" percentValue="false" shared="true" childId="newt" type="atLeast"',
         'value="8" percentValue="false" shared="true" childId="nobody" type="atLeast"',
         "modifier", "heavy"),
        ('type="atLeast"', 'type="resembles"', "modifier", "f-chiefs"),
        ('targetId="bands" primary="true"', 'targetId="none" primary="true"', "category",
         "newt-band"),
        ('value="25" percentValue="true"', 'value="250" percentValue="true"', "constraint", "rare"),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_told_and_the_rest_is_written(
    tmp_path: Path, old: str, new: str, kind: str, key: str
) -> None:
    imported = changed(tmp_path, old, new)
    library = write_system(imported, tmp_path)

    assert (kind, key) in [(each.kind, each.id) for each in imported.omissions]
    assert "chiefs-min" in errors(library, "{unit: dragonfly}")


@pytest.mark.parametrize(
    ("old", "new", "kind", "key", "read"),
    [
        ('typeId="pts" value="60"', 'typeId="pts" value="6O"', "price", "newt-chief", "'6O'"),
        ('typeId="pts" value="60"', 'typeId="pts" value="60,5"', "price", "newt-chief", "'60,5'"),
        ('field="pts" value="18"', 'field="pts" value="1e3"', "price", "l-eel", "'1e3'"),
        ('field="pts" value="18"', 'field="pts"', "price", "l-eel", "''"),
        ('scope="force" value="4"', 'scope="force" value="four"', "constraint", "newt-band",
         "'four'"),
        ('value="9" percentValue="false" shared="true" type="max"',
         'value="9 to 12" percentValue="false" shared="true" type="max"', "constraint", "newt",
         "'9 to 12'"),
        ('field="chiefs-max" value="3"', 'field="chiefs-max" value="NaN"', "modifier", "f-chiefs",
         "'NaN'"),
        ('value="1000" percentValue', 'value="1000000000000" percentValue', "modifier", "f-chiefs",
         "'1000000000000'"),
        ('scope="roster" value="1" percentValue="false" shared="true" includeChildSelections',
         'scope="roster" value="½" percentValue="false" shared="true" includeChildSelections',
         "constraint", "frog-stone", "'½'"),
        ('childId="any" repeats="1"', 'childId="any" repeats="I"', "constraint", "f-beasts", "'I'"),
        ('value="2" percentValue="false" shared="true" childId="waders"',
         'value="0x2" percentValue="false" shared="true" childId="waders"', "constraint", "fishers",
         "'0x2'"),
        ('value="25" percentValue="true"', 'value="25%" percentValue="true"', "constraint", "rare",
         "'25%'"),
    ],
)  # fmt: skip
def test_bad_number_is_told_and_not_read_as_0(
    tmp_path: Path, old: str, new: str, kind: str, key: str, read: str
) -> None:
    imported = changed(tmp_path, old, new)
    told = {(each.kind, each.id): each for each in imported.omissions}
    library = write_system(imported, tmp_path)

    omission = told[kind, key]
    assert f"read {read} as" in omission.text
    assert "expected a number of at most nine digits, such as 12 or 2.5" in omission.text
    assert omission.location.file.endswith((".cat", ".gst"))
    units = f"{CHIEF}, {{unit: newt-band, newt: 4}}, {{unit: marsh-eel}}"
    assert errors(library, units, limit=2000) <= {"chiefs-max"}


@pytest.mark.parametrize(
    ("old", "new", "kind", "key"),
    [
        ('type="set" field="chiefs-max"', 'type="multiply" field="chiefs-max"', "modifier",
         "f-chiefs"),
        ('type="set" field="pts"', 'type="multiply" field="pts"', "price", "l-eel"),
        ('value="4" percentValue="false" shared="true" type="max"',
         'value="4" percentValue="false" shared="true" type="exactly"', "constraint", "newt-band"),
    ],
)  # fmt: skip
def test_unknown_type_of_change_or_limit_is_told(
    tmp_path: Path, old: str, new: str, kind: str, key: str
) -> None:
    imported = changed(tmp_path, old, new)

    (told,) = [each for each in imported.omissions if (each.kind, each.id) == (kind, key)]
    assert "read type '" in told.text


def test_forces_of_several_kinds_become_a_level(tmp_path: Path) -> None:
    raid = """<forceEntry id="raid" name="Raid" hidden="false"><categoryLinks>
        <categoryLink id="r1" name="Bands" targetId="bands"/>
        <categoryLink id="r2" name="Beasts" targetId="beasts">
          <constraints><constraint id="r3" field="selections" scope="parent" value="1" type="max"/>
        </constraints></categoryLink></categoryLinks></forceEntry></forceEntries>"""
    imported = changed(tmp_path, "</forceEntries>", raid)
    library = write_system(imported, tmp_path)

    def broken(forces: str) -> set[str]:
        text = f"system: marsh-wars\nbook: newts\nname: A\nlimit: 2000\nforces: [{forces}]\n"
        verdict = check(army_from_document(document_from_text(text, "army.yaml"), library))
        return {finding.code for finding in verdict.findings}

    band = "{unit: newt-band, newt: 4}"
    assert broken(f"{{kind: raid, units: [{band}, {{unit: dragonfly}}]}}") == set()
    assert broken("{kind: raid, units: [{unit: dragonfly, count: 2}]}") == {"raid-beasts-max"}
    assert broken(f"{{kind: raid, units: [{CHIEF}]}}") == {"raid-takes"}
    assert broken(f"{{kind: warband, units: [{band}]}}") == {"warband-chiefs-min"}
    assert [i.problem.code for i in lint_fielding(library.system("marsh-wars"), library)] == []


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    link = '<entryLinks><entryLink id="loop" targetId="mount" type="selectionEntry"/></entryLinks>'
    imported = changed(tmp_path, '<costs><cost name="pts" typeId="pts" value="4"/></costs>', link)

    assert "too-deep" in {each.kind for each in imported.omissions}


def test_links_that_multiply_without_end_are_refused(tmp_path: Path) -> None:
    links = "".join(
        f'<entryLink id="x{n}" targetId="mount" type="selectionEntry"/>' for n in range(9)
    )
    old = '<costs><cost name="pts" typeId="pts" value="4"/></costs>'
    with pytest.raises(MusterError) as caught:
        changed(tmp_path, old, f"<entryLinks>{links}</entryLinks>")

    assert caught.value.problems[0].code == "too-many-parts"


def test_more_than_a_file_may_hold_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster.yamlfile.parsing.MAX_NODES", 200)
    with pytest.raises(MusterError) as caught:
        changed(tmp_path, "Marsh Wars", "Marsh Wars")

    (problem,) = caught.value.problems
    assert problem.code == "too-many-values"
    assert "import fewer catalogues" in problem.text


@pytest.mark.parametrize("seed", range(12))
def test_damaged_data_are_refused_or_make_a_system_that_can_be_read(
    seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    files = []
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for _ in range(3):
            found = chance.choice(list(re.finditer(r'(?<!xmlns)="([^"]*)"', text)))
            value = chance.choice(["", "-1", "0.3333", "nobody", "x" * 500, "limit::pts", "bands"])
            text = text[: found.start(1)] + value + text[found.end(1) :]
        copy = tmp_path / file.name
        copy.write_text(text, encoding="utf-8")
        files.append(copy)
    try:
        imported = import_system(read_data_set(files), "marsh-wars")
    except MusterError:
        return
    system = write_system(imported, tmp_path).system("marsh-wars")

    assert [i.problem.render() for i in lint_system(system) if i.severity == "error"] == []
    for book in book_ids(system):
        load_book(system, book)


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    name = "&#x27;{{7*7}} &lt;script&gt; : # - [a] &amp; *x &quot; &#10; yes" + "z" * 400
    imported = changed(tmp_path, 'name="Dragonfly"', f'name="{name}"')
    library = write_system(imported, tmp_path)
    unit = next(key for key in imported.files["books/newts.yaml"].split() if "7-7" in key)
    verdict = judge(library, f"{CHIEF}, {{unit: {unit}}}")

    assert verdict.legal
    assert verdict.price.lines[1].node.title.startswith("'{{7*7}} <script> : # - [a] & *x \"")


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ([MARSH / "newts.cat"], "no-game-system"),
        ([MARSH / "marsh.gst", MARSH / "marsh.gst"], "no-game-system"),
    ],
)
def test_just_one_game_system_is_expected(files: list[Path], code: str) -> None:
    with pytest.raises(MusterError) as caught:
        read_data_set(files)

    assert caught.value.problems[0].code == code


def test_other_xml_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.cat"
    file.write_text('<catalogue id="x" xmlns="http://example.org/"/>', encoding="utf-8")
    with pytest.raises(MusterError) as caught:
        read_data_set([file])

    assert caught.value.problems[0].code == "no-battlescribe"


def test_omission_is_one_line(marsh: ImportedSystem) -> None:
    told: list[Any] = [str(each) for each in marsh.omissions]

    assert all(isinstance(each, Omission) for each in marsh.omissions)
    assert all("\n" not in each for each in told)


HIDES = """<modifiers><modifier type="set" field="hidden" value="true"><conditions>
      <condition field="selections" scope="force" value="1" childId="great-newt" type="atLeast"/>
      </conditions></modifier></modifiers><constraints>"""
"""Hides an entry with a great newt; its constraints follow."""


def test_nobody_must_have_a_unit_that_is_hidden(tmp_path: Path) -> None:
    old = '<constraint id="band-max" field="selections" scope="force" value="4"'
    least = f'{old.replace("band-max", "band-min").replace("4", "1")} type="min"/>'
    both = (f"<constraints>\n        {old}", f"{HIDES}{least}{old}")
    library = write_system(changed(tmp_path, *both), tmp_path)
    band = "{unit: newt-band, newt: 4}"

    assert errors(library, CHIEF) == {"newt-band-type-min"}
    assert errors(library, f"{CHIEF}, {band}") == set()
    assert errors(library, f"{CHIEF}, {{unit: great-newt}}") == set()
    assert errors(library, f"{CHIEF}, {band}, {{unit: great-newt}}") == {"newt-band-type-shown"}


def test_no_unit_must_have_a_part_that_is_hidden(tmp_path: Path) -> None:
    old = '<constraints>\n            <constraint id="leader-min"'
    new = old.replace("<constraints>", HIDES)
    library = write_system(changed(tmp_path, old, new), tmp_path)
    band, led = "{unit: newt-band, newt: 4}", "{unit: newt-band, newt: 4, options: [band-leader]}"

    assert errors(library, f"{CHIEF}, {band}") == {"newt-band-type-band-leader-min"}
    assert errors(library, f"{CHIEF}, {led}") == set()
    assert errors(library, f"{CHIEF}, {band}, {{unit: great-newt}}") == set()
    assert len(errors(library, f"{CHIEF}, {led}, {{unit: great-newt}}")) == 1


def test_a_unit_that_is_shown_in_one_case_must_be_there_only_then(tmp_path: Path) -> None:
    old = '<constraint id="band-max" field="selections" scope="force" value="4"'
    least = f'{old.replace("band-max", "band-min").replace("4", "1")} type="min"/>'
    shows = HIDES.replace('value="true"', 'value="false"')
    band = 'id="newt-band" name="Newt band" hidden="false"'
    both = (f"<constraints>\n        {old}", f"{shows}{least}{old}")
    data = changed(tmp_path, *both, (band, band.replace("false", "true")))
    library = write_system(data, tmp_path)

    assert errors(library, CHIEF) == set()
    assert errors(library, f"{CHIEF}, {{unit: great-newt}}") == {"newt-band-type-min"}
