"""Test files that do not fit their model: each problem, its code, place and words."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationInfo, field_validator, model_validator

from muster.problems import MusterError, Problem
from muster.yamlfile import (
    Document,
    Flag,
    Id,
    Line,
    Prose,
    SourceLines,
    StrictModel,
    WholeNumber,
    document_from_text,
    read_model,
)

Found = tuple[str, int | None, int | None]


class BadDiceError(ValueError):
    """Stands in for the error of a value type."""

    def __init__(self, read: str) -> None:
        self.example = "2d6+1"
        super().__init__(f"read {read!r}, expected dice")


class Labelled(StrictModel):
    band: Line
    label: Line


class Reference(StrictModel):
    table: Id
    row: Line
    column: Line | None = None


class Mention(StrictModel):
    field: Id


class Count(StrictModel):
    kind: Literal["count"]
    of: Id
    count: WholeNumber = 1
    max: WholeNumber | None = None


class Share(StrictModel):
    kind: Literal["share"]
    of: Id
    share: Line = ""
    limits: list[WholeNumber] = []


class Step(StrictModel):
    id: Id
    steps: list[Step] = []


class Side(Enum):
    LEFT = "left"
    RIGHT = "right"


class Sample(StrictModel):
    id: Id = "x"
    title: Line = "x"
    notes: list[Prose] = []
    size: WholeNumber = 1
    stated: Flag = True
    source: SourceLines = "L1"
    unit: Literal["cm", "in"] = "cm"
    side: Side = Side.LEFT
    level: Literal["unit", "leader"] | Id = "unit"
    bands: list[Line | Labelled] = Field(default=[], max_length=3)
    lot: list[Line] = Field(default=["x"], min_length=1, max_length=2)
    row: Line | Reference | Mention | None = None
    rule: Annotated[Count | Share, Field(discriminator="kind")] | None = None
    rules: list[Annotated[Count | Share, Field(discriminator="kind")]] = []
    stats: dict[Id, Line] = {}
    only_for: dict[Id, list[Line]] | None = Field(default=None, alias="for")
    steps: list[Step] = []
    pair: tuple[Line, WholeNumber] | None = None
    colour: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")] = "#000000"
    plain: int = 1
    exact: Decimal = Field(default=Decimal(1), ge=0, lt=10)
    code: Annotated[str, Field(min_length=2)] = "xy"
    dice: Line = "d6"
    inner: Labelled | None = None
    many: Line | list[Line] = "x"

    @field_validator("dice")
    @classmethod
    def _dice(cls, raw: str, info: ValidationInfo) -> str:
        if raw.startswith("2d6++"):
            raise BadDiceError(raw)
        if raw == "silent":
            raise ValueError
        if raw == "asserted":
            raise AssertionError(raw)
        if info.context and raw not in info.context["dice"]:
            text = "no such dice here"
            raise ValueError(text)
        return raw

    @model_validator(mode="after")
    def _sound(self) -> Sample:
        if self.size == 13:
            text = "a size of 13 is bad luck"
            raise ValueError(text)
        return self


def problems(text: str, model: type[StrictModel] = Sample) -> list[Problem]:
    document = document_from_text(text, "army.yaml")
    with pytest.raises(MusterError) as caught:
        read_model(model, document)
    assert all(problem.render() for problem in caught.value.problems)
    return list(caught.value.problems)


def found(text: str) -> list[Found]:
    return [(each.code, each.location.line, each.location.column) for each in problems(text)]


BROKEN = [
    # Keys
    pytest.param("titel: A\n", [("unknown-key", 1, 1)], id="an unknown key"),
    pytest.param("inner: {band: 1}\n", [("missing-key", 1, 8)], id="a missing key"),
    pytest.param("only_for: {}\n", [("unknown-key", 1, 1)], id="a name that files do not use"),
    pytest.param("a: 1\nid: x\nb: [1]\n", [("unknown-key", 1, 1), ("unknown-key", 3, 1)], id="two"),
    pytest.param(
        "inner: {bnad: 1, label: x}\n",
        [("missing-key", 1, 8), ("unknown-key", 1, 9)],
        id="a misspelt key that is needed",
    ),
    pytest.param("stats: {A b: x}\n", [("bad-id", 1, 9)], id="a bad id as key"),
    pytest.param("for:\n  arm: foot\n", [("wrong-type", 2, 8)], id="text for a list, by alias"),
    # Ids and lines
    *(
        pytest.param(f"id: {bad}\n", [("bad-id", 1, 5)], id=f"id {bad}")
        for bad in ("A", "a_b", "+1", "12:30", "~", ".inf", "No", "a b", "1.5", "0x1F", "Über")
    ),
    pytest.param("id:\n", [("bad-id", 1, 4)], id="nothing for an id"),
    pytest.param(f"id: {'x' * 81}\n", [("too-long", 1, 5)], id="a long id"),
    pytest.param("title:\n", [("empty", 1, 7)], id="nothing for a line"),
    pytest.param("title: '  '\n", [("empty", 1, 8)], id="blanks for a line"),
    pytest.param('title: "a\\nb"\n', [("bad-line", 1, 8)], id="two lines for one"),
    pytest.param(f"title: {'x' * 301}\n", [("too-long", 1, 8)], id="a long line"),
    pytest.param("title: [a]\n", [("wrong-type", 1, 8)], id="a list for a line"),
    pytest.param("title: {a: b}\n", [("wrong-type", 1, 8)], id="a mapping for a line"),
    pytest.param("notes: [a, '']\n", [("empty", 1, 12)], id="an empty note"),
    pytest.param("code: x\n", [("too-short", 1, 7)], id="a short text"),
    pytest.param("colour: red\n", [("bad-text", 1, 9)], id="another pattern"),
    # Numbers and flags
    *(
        pytest.param(f"size: {bad}\n", [("bad-whole", 1, 7)], id=f"size {bad}")
        for bad in ("+1", "010", "1_000", "1.0", "1e3", "0x1F", "12:30", "-1", "~", ".inf", "x")
    ),
    *(
        pytest.param(f"stated: {bad}\n", [("bad-flag", 1, 9)], id=f"flag {bad}")
        for bad in ("yes", "No", "on", "off", "True", "1", "~", "y")
    ),
    pytest.param("size: 2026-11-21\n", [("bad-whole", 1, 7)], id="a date"),
    pytest.param("size: [1]\n", [("bad-whole", 1, 7)], id="a list for a number"),
    pytest.param("stated:\n", [("bad-flag", 1, 8)], id="nothing for a flag"),
    pytest.param("plain: x\n", [("wrong-type", 1, 8)], id="no number"),
    pytest.param("exact: x\n", [("wrong-type", 1, 8)], id="no exact number"),
    pytest.param("exact: -1\n", [("out-of-bounds", 1, 8)], id="a number too small"),
    pytest.param("exact: 10\n", [("out-of-bounds", 1, 8)], id="a number too large"),
    pytest.param("source: L2-1\n", [("bad-lines", 1, 9)], id="lines upside down"),
    pytest.param("source: page 3\n", [("bad-lines", 1, 9)], id="a page"),
    # Choices
    pytest.param("unit: mm\n", [("bad-choice", 1, 7)], id="another word"),
    pytest.param("unit: [cm]\n", [("bad-choice", 1, 7)], id="a list for a word"),
    pytest.param("side: midle\n", [("bad-choice", 1, 7)], id="no member"),
    pytest.param("level: A b\n", [("bad-choice", 1, 8)], id="a word or an id"),
    pytest.param("level: [a]\n", [("bad-choice", 1, 8)], id="a list for a word or an id"),
    # Lists and mappings
    pytest.param("notes: a\n", [("wrong-type", 1, 8)], id="text for a list"),
    pytest.param("notes:\n", [("wrong-type", 1, 7)], id="nothing for a list"),
    pytest.param("notes: {a: b}\n", [("wrong-type", 1, 8)], id="a mapping for a list"),
    pytest.param("stats: a\n", [("wrong-type", 1, 8)], id="text for a mapping"),
    pytest.param("stats: [a]\n", [("wrong-type", 1, 8)], id="a list for a mapping"),
    pytest.param("inner: a\n", [("wrong-type", 1, 8)], id="text for a model"),
    pytest.param("inner:\n", [("wrong-type", 1, 7)], id="nothing for a model"),
    pytest.param("lot: []\n", [("too-few", 1, 6)], id="too short a list"),
    pytest.param("lot: [a, b, c]\n", [("too-many", 1, 6)], id="too long a list"),
    pytest.param("pair: [a, x]\n", [("bad-whole", 1, 11)], id="within a pair"),
    pytest.param("pair: [a]\n", [("missing-key", 1, 7)], id="half a pair"),
    pytest.param(
        "steps:\n  - id: a\n    steps:\n      - {id: b, steps: [{id: C}]}\n",
        [("bad-id", 4, 30)],
        id="a step of a step of a step",
    ),
    # Unions
    pytest.param("bands: [1-2, [x]]\n", [("wrong-type", 1, 14)], id="neither text nor mapping"),
    pytest.param("bands: ['']\n", [("empty", 1, 9)], id="empty text, no mapping meant"),
    pytest.param("bands: [{band: 1}]\n", [("missing-key", 1, 9)], id="a mapping meant"),
    pytest.param("bands: [{}]\n", [("missing-key", 1, 9)] * 2, id="an empty mapping meant"),
    pytest.param("bands: [{band: 1, lable: 2, label: 3}]\n", [("unknown-key", 1, 19)], id="a key"),
    pytest.param("row: {table: a, rwo: b, row: c}\n", [("unknown-key", 1, 17)], id="of two models"),
    pytest.param("row: {field: A}\n", [("bad-id", 1, 14)], id="the other of two models"),
    pytest.param("row: [a]\n", [("wrong-type", 1, 6)], id="none of three"),
    pytest.param("many: [a, '']\n", [("empty", 1, 11)], id="text or list, in the list"),
    pytest.param("many: {a: b}\n", [("wrong-type", 1, 7)], id="neither text nor list"),
    pytest.param("rule: {kind: cuont, of: x}\n", [("bad-choice", 1, 14)], id="no such kind"),
    pytest.param("rule: {of: x}\n", [("missing-key", 1, 7)], id="no kind"),
    pytest.param("rule: {kind: [count]}\n", [("bad-choice", 1, 14)], id="a kind that is a list"),
    pytest.param("rule: x\n", [("wrong-type", 1, 7)], id="no rule"),
    pytest.param("rule: {kind: count, of: A}\n", [("bad-id", 1, 25)], id="in a kind"),
    pytest.param("rules: [{kind: count}]\n", [("missing-key", 1, 9)], id="a key of a kind"),
    pytest.param(
        "rules: [{kind: count, of: x, count: x}]\n", [("bad-whole", 1, 37)], id="a key like a kind"
    ),
    pytest.param(
        "rules:\n- {kind: count, of: x, count: 1, max: x}\n"
        "- {kind: share, of: y, share: x, a: 1}\n",
        [("bad-whole", 2, 39), ("unknown-key", 3, 34)],
        id="behind a key like a kind",
    ),
    pytest.param(
        "rules: [{kind: share, of: y, share: x, limits: [1, x]}]\n",
        [("bad-whole", 1, 52)],
        id="in a list behind a key like a kind",
    ),
    # Errors of validators
    pytest.param("dice: 2d6++1\n", [("bad-value", 1, 7)], id="a bad value"),
    pytest.param("dice: silent\n", [("bad-value", 1, 7)], id="an error without words"),
    pytest.param("dice: asserted\n", [("bad-value", 1, 7)], id="an assertion"),
    pytest.param("id: x\nsize: 13\n", [("bad-value", 1, 1)], id="a bad whole"),
    # Many at once, in the order of the file
    pytest.param(
        "size: x\nid: A\nstated: yes\nzz: 1\nunit: ell\nrules: [{kind: q}, {kind: count}]\n",
        [
            ("bad-whole", 1, 7),
            ("bad-id", 2, 5),
            ("bad-flag", 3, 9),
            ("unknown-key", 4, 1),
            ("bad-choice", 5, 7),
            ("bad-choice", 6, 16),
            ("missing-key", 6, 20),
        ],
        id="seven faults",
    ),
]


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_what_does_not_fit_is_told_at_its_place(text: str, expected: list[Found]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("titel: A\n", ["'titel'", "did you mean 'title'?", "known: id, title, notes", "for,"]),
        ("zzzzz: A\n", ["'zzzzz'", "known: id"]),
        ("inner: {band: 1}\n", ["'label'", "missing"]),
        ("inner: {bnad: 1, label: x}\n", ["'band'"]),
        ("inner: x\n", ["'x'", "a mapping with the keys band, label"]),
        ("size: 010\n", ["'010'", "a whole number"]),
        ("size: [1]\n", ["a list", "a whole number"]),
        ("stated: yes\n", ["'yes'", "true or false"]),
        ("stated: {}\n", ["an empty mapping", "true or false"]),
        ("title:\n", ["nothing", "some text"]),
        ("title: []\n", ["an empty list", "text"]),
        (f"title: {'y' * 5000}\n", ["yyy…", "300 characters"]),
        ("unit: mm\n", ["'mm'", "cm or in"]),
        ("side: lfet\n", ["left or right", "did you mean 'left'?"]),
        ("level: A b\n", ["unit or leader or an id"]),
        ("rule: {kind: cuont}\n", ["'cuont'", "count or share", "did you mean 'count'?"]),
        ("rule: {kind: count, of: x, mx: 1}\n", ["known: kind, of, count, max", "'max'"]),
        ("rules: [{kind: share, of: x, mx: 1}]\n", ["known: kind, of, share, limits"]),
        ("bands: [[x]]\n", ["text or a mapping with the keys band, label"]),
        ("steps: [{id: a, steps: [{id: b, stesp: []}]}]\n", ["did you mean 'steps'?"]),
        ("lot: []\n", ["an empty list", "at least 1 entry"]),
        ("lot: [a, b, c]\n", ["at most 2 entries, not 3"]),
        ("colour: red\n", ["'red'", "#[0-9a-f]{6}"]),
        ("exact: -1\n", ["0 or more"]),
        ("dice: 2d6++1\n", ["read '2d6++1', expected dice"]),
        ("dice: silent\n", ["'silent'"]),
        ("size: 13\n", ["bad luck"]),
    ],
)
def test_a_fault_says_what_was_read_and_what_was_expected(text: str, words: list[str]) -> None:
    told = " / ".join(problem.text for problem in problems(text))

    assert all(word in told for word in words), told
    assert "Input should" not in told


def test_no_message_is_long_however_much_was_read() -> None:
    (problem,) = problems(f"size: {'9' * 15_000}\n")

    assert len(problem.text) < 200
    assert len(problem.render()) < 500


def test_the_example_of_a_bad_value_is_passed_on_unless_it_is_told_already() -> None:
    (problem,) = problems("dice: 2d6++1\n")
    (told,) = problems("dice: 2d6++2d6+1\n")

    assert problem.example == "2d6+1"
    assert told.example == ""


def test_a_fault_of_an_unknown_type_is_told_in_pydantics_words() -> None:
    class Other(StrictModel):
        share: float = Field(multiple_of=0.5)

    (problem,) = problems("share: 0.3\n", Other)

    assert problem.code == "bad-value"
    assert problem.text.startswith("read '0.3': ")


def test_a_missing_key_at_the_top_points_at_the_first_key() -> None:
    class Needy(StrictModel):
        id: Id
        title: Line

    told = problems("# head\n\ntitle: A\n", Needy)

    assert [(each.code, each.location.line) for each in told] == [("missing-key", 3)]
    assert told[0].line_text == "title: A"


def test_a_sound_file_becomes_its_model() -> None:
    text = "id: a\nsize: 4\nfor: {arm: [foot]}\nbands: [1-2, {band: 3+, label: 3 or more}]\n"

    sample = read_model(Sample, document_from_text(text, "a.yaml"))

    assert (sample.id, sample.size, sample.only_for) == ("a", 4, {"arm": ["foot"]})
    assert sample.bands == ["1-2", Labelled(band="3+", label="3 or more")]


def test_a_context_reaches_the_validators() -> None:
    document = document_from_text("dice: d8\n", "a.yaml")

    assert read_model(Sample, document, context={"dice": ["d8"]}).dice == "d8"
    with pytest.raises(MusterError, match="no such dice"):
        read_model(Sample, document, context={"dice": ["d6"]})


@pytest.mark.parametrize(
    "text",
    [
        "notes: [" + "[], " * 30_000 + "]",
        "bands: [" + "[], " * 30_000 + "]",
        "rules: [" + "{kind: count}, " * 10_000 + "]",
        "\n".join(f"k{n}: x" for n in range(30_000)),
        "stats: {" + ", ".join(f"K{n}: x" for n in range(30_000)) + "}",
    ],
)
def test_of_very_many_faults_the_first_hundred_are_told(text: str) -> None:
    told = problems(text)

    assert len(told) <= 101
    assert told[-1].code in ("more-problems", "too-many")


def test_a_way_that_leads_nowhere_ends_where_the_data_does() -> None:
    # A model that turns its data into something else before it looks leaves its errors nowhere.
    class Turned(StrictModel):
        deep: dict[str, dict[str, WholeNumber]]

        @model_validator(mode="before")
        @classmethod
        def _turn(cls, data: Any) -> Any:
            return {"deep": {"a": {"b": data["flat"]}}}

    document = Document("a.yaml", "flat: x\n", {"flat": "x"})

    with pytest.raises(MusterError) as caught:
        read_model(Turned, document)

    (problem,) = caught.value.problems
    assert (problem.code, problem.location.line, problem.location.column) == ("bad-whole", 1, 1)


def test_real_type_annotations_of_a_mapping_of_models_are_followed() -> None:
    class Outer(StrictModel):
        parts: dict[Id, list[Labelled] | Labelled] = {}

    (problem,) = problems("parts: {a: [{band: 1, label: 2, lable: 3}]}\n", Outer)

    assert problem.code == "unknown-key"
    assert "known: band, label" in problem.text


def test_keys_within_what_has_no_model_are_told_without_known_ones() -> None:
    class Inner(StrictModel):
        a: Line

    class Loose(StrictModel):
        parts: Any = None

        @field_validator("parts")
        @classmethod
        def _held(cls, raw: Any) -> Any:
            return {name: Inner.model_validate(each) for name, each in raw.items()}

    (problem,) = problems("parts: {x: {b: 1, a: 2}}\n", Loose)

    assert problem.code == "unknown-key"


def test_a_bad_key_and_its_bad_value_are_told_both() -> None:
    class Outer(StrictModel):
        parts: dict[Id, Line | Labelled]

    told = problems("parts: {A: []}\n", Outer)

    assert [(each.code, each.location.column) for each in told] == [
        ("bad-id", 9),
        ("wrong-type", 12),
    ]
