"""Test the parsing of YAML: what stays text, what is refused and at which place.

Each broken file is read within two seconds, and raises `MusterError` and nothing else.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.problems import MusterError, Problem
from muster.yamlfile import document_from_text, parsing, read_document
from muster.yamlfile.nodes import MAX_ALIASES, MAX_DEPTH, MAX_NODES, MAX_PROBLEMS, MAX_SCALAR_LENGTH

# The worst takes 1.0 to 1.3 s of an idle processor, and up to 5.3 s of one which is shared.
SLOWEST = 10.0
MIB = 1024 * 1024
Found = tuple[str, int | None, int | None]


@pytest.fixture(autouse=True)
def other_tests_cost_no_time() -> Iterator[None]:
    """Keep the collector of garbage from walking what earlier tests have left in memory."""
    gc.freeze()
    yield
    gc.unfreeze()


def problems(text: str) -> list[Problem]:
    begun = thread_time()
    with pytest.raises(MusterError) as caught:
        document_from_text(text, "army.yaml")
    assert thread_time() - begun < SLOWEST
    for problem in caught.value.problems:
        assert problem.location.file == "army.yaml"
        assert problem.render()
    return list(caught.value.problems)


def found(text: str) -> list[Found]:
    return [(each.code, each.location.line, each.location.column) for each in problems(text)]


# What stays as it was written

TRAPS = [
    *("+1", "-4", "010", "0x1F", "0o17", "0b1", "1e3", "1_000", "1.0", ".5", "-0"),
    *("12:30", "1:2:3", "190:20:30", "2026-11-21", "2001-12-14t21:59:43.10-05:00"),
    *("on", "off", "yes", "No", "y", "n", "true", "False", "~", "null", "Null"),
    *(".inf", "-.inf", ".NaN", "=", "<", "7+", "2d6+1", "15cm", '6"', "–", "½", "’"),
    *("a#b", "a:b", "x<<y", "up to -4", "d10+30cm", "+d6", "25%", "@4"[1:], "٣"),
]


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("form", ["a: {}\n", "a: [{}]\n", "a:\n  - {}\n", "a: '{}'\n", "{}: a\n"])
def test_a_plain_word_stays_the_text_that_was_written(trap: str, form: str) -> None:
    data = document_from_text(form.format(trap), "a.yaml").data

    assert data in ({"a": trap}, {"a": [trap]}, {trap: "a"})


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param("a:\nb: ''\n", {"a": "", "b": ""}, id="nothing is empty text"),
        pytest.param("a: 1\r\nb: 2\r\n", {"a": "1", "b": "2"}, id="CRLF"),
        pytest.param("a: 1\rb: 2\r", {"a": "1", "b": "2"}, id="CR"),
        pytest.param("a: x\n  y\n\n  z\n", {"a": "x y\nz"}, id="a folded plain text"),
        pytest.param("a: >-\n  x\n  y\n", {"a": "x y"}, id="a folded block"),
        pytest.param("a: |\n  x\n\ty\n".replace("\t", "  "), {"a": "x\ny\n"}, id="a block"),
        pytest.param("a: [b,\n\tc]\n", {"a": ["b", "c"]}, id="a tab within a list"),
        pytest.param("a:\tb\n", {"a": "b"}, id="a tab behind a colon"),
        pytest.param("---\na: b\n...\n", {"a": "b"}, id="marks of one document"),
        pytest.param("'<<': b\n", {"<<": "b"}, id="a quoted merge key"),
        pytest.param("a: <<\n", {"a": "<<"}, id="a merge key as value"),
        pytest.param('a: "\\u00bd \\x41\\n\\tb"\n', {"a": "½ A\n\tb"}, id="escapes"),
        pytest.param("a: &x [b]\nc: *x\n", {"a": ["b"], "c": ["b"]}, id="an alias"),
        pytest.param("a: &x b\nc: *x\n", {"a": "b", "c": "b"}, id="an alias of text"),
        pytest.param("&x a: [1]\nc: *x\n", {"a": ["1"], "c": "a"}, id="an anchored key"),
        pytest.param("# a\na: b # c\n", {"a": "b"}, id="comments"),
        pytest.param("{}\n", {}, id="an empty mapping"),
        pytest.param("? a\n: b\n", {"a": "b"}, id="a plain key written at length"),
        pytest.param("a: {b, c: [d: e]}", {"a": {"b": "", "c": [{"d": "e"}]}}, id="flow pairs"),
        pytest.param("a: [{b: {}}, []]", {"a": [{"b": {}}, []]}, id="nested"),
        pytest.param("\ufeffa: b", {"a": "b"}, id="a byte order mark"),
    ],
)
def test_legal_yaml_comes_as_dicts_lists_and_text(text: str, data: object) -> None:
    assert document_from_text(text, "a.yaml").data == data


# What is refused

DEEP_BLOCK = "\n".join("  " * n + "a:" for n in range(MAX_DEPTH + 2))
BOMB = "a: &a [x, x]\n" + "".join(
    f"{this}: &{this} [{', '.join([f'*{last}'] * 9)}]\n"
    for last, this in zip("abcde", "bcdef", strict=True)
)
ALIAS_LADDER = "a: &a [x]\n" + "".join(f"k{n}: &k{n} [*k{n - 1}]\n" for n in range(1, 25)).replace(
    "*k0", "*a"
)

BROKEN = [
    # Nothing, or no mapping
    pytest.param("", [("empty-file", None, None)], id="empty"),
    pytest.param("\n\n", [("empty-file", None, None)], id="only blank lines"),
    pytest.param("# Orders\n", [("empty-file", None, None)], id="only comments"),
    pytest.param("---\n", [("empty-file", 2, 1)], id="only a document mark"),
    pytest.param("- a\n- b\n", [("not-a-mapping", 1, 1)], id="a list"),
    pytest.param("orders\n", [("not-a-mapping", 1, 1)], id="a word"),
    pytest.param("~\n", [("not-a-mapping", 1, 1)], id="null"),
    pytest.param("*a\n", [("not-a-mapping", 1, 1)], id="an alias"),
    # Documents and directives
    pytest.param("a: 1\n---\nb: 2\n", [("second-document", 2, 1)], id="two documents"),
    pytest.param("a: 1\n---\n", [("second-document", 2, 1)], id="an empty second document"),
    pytest.param("%YAML 1.1\n---\na: 1\n", [("yaml-directive", 1, 1)], id="a version"),
    pytest.param("%TAG ! tag:x,1:\n---\na: 1\n", [("yaml-directive", 1, 1)], id="a tag prefix"),
    pytest.param("%YAML 3.0\n---\na: 1\n", [("yaml-syntax", 1, 1)], id="a version to come"),
    pytest.param("%x\n", [("yaml-syntax", 1, 3)], id="a percent sign at the head"),
    pytest.param("a: 1\n...\nb: 2\n", [("yaml-syntax", 3, 1)], id="more behind the end"),
    # Tags
    pytest.param("a: !!int 3\n", [("yaml-tag", 1, 4)], id="a tagged number"),
    pytest.param("a: !!str 3\n", [("yaml-tag", 1, 4)], id="a tagged text"),
    pytest.param("a: ! 3\n", [("yaml-tag", 1, 4)], id="a bare tag"),
    pytest.param("!!map {a: b}\n", [("yaml-tag", 1, 1)], id="a tagged top"),
    pytest.param("a: !!set {b, c}\n", [("yaml-tag", 1, 4)], id="a set"),
    pytest.param("!!str a: b\n", [("yaml-tag", 1, 1)], id="a tagged key"),
    pytest.param("a: !!binary aGk=\n", [("yaml-tag", 1, 4)], id="bytes"),
    pytest.param(
        "a: 1\nb: !!python/object/apply:os.system ['true']\n", [("yaml-tag", 2, 4)], id="a call"
    ),
    pytest.param("a: !!python/name:os.system\n", [("yaml-tag", 1, 4)], id="a name of Python"),
    pytest.param("a: !!python/object:x.Y {b: c}\n", [("yaml-tag", 1, 4)], id="a Python object"),
    pytest.param("a: !x!y z\n", [("yaml-syntax", 1, 4)], id="an unknown tag handle"),
    pytest.param("a: !<x\n", [("yaml-syntax", 1, 7)], id="an open tag"),
    # Keys
    pytest.param("a: 1\na: 2\n", [("duplicate-key", 2, 1)], id="a key twice"),
    pytest.param("a: {b: 1, b: 2}\n", [("duplicate-key", 1, 11)], id="a key twice in a line"),
    pytest.param("a: 1\n'a': 2\n", [("duplicate-key", 2, 1)], id="a key twice, quoted"),
    pytest.param(
        "a: 1\nb: {c: 1, c: 2}\na: 3\nd: [{e: 1, e: 2}]\na: 4\n",
        [
            ("duplicate-key", 2, 11),
            ("duplicate-key", 3, 1),
            ("duplicate-key", 4, 12),
            ("duplicate-key", 5, 1),
        ],
        id="four keys twice",
    ),
    pytest.param("a: &a {b: 1}\nc:\n  <<: *a\n", [("merge-key", 3, 3)], id="a merge key"),
    pytest.param("<<: {a: 1}\nb: 1\n", [("merge-key", 1, 1)], id="a merge key at the top"),
    pytest.param("? [a, b]\n: c\n", [("bad-key", 1, 3)], id="a list as key"),
    pytest.param("? {a: b}\n: c\n", [("bad-key", 1, 3)], id="a mapping as key"),
    pytest.param("? a: [b]\n: c\nd: e\n", [("bad-key", 1, 3)], id="a block mapping as key"),
    pytest.param("{[a]: b}\n", [("bad-key", 1, 2)], id="a list as key in a line"),
    pytest.param("a: &a b\n*a : c\n", [("bad-key", 2, 1)], id="an alias as key"),
    pytest.param("?\n: b\n", [("empty-key", 1, 2)], id="no key"),
    pytest.param("{: b}\n", [("yaml-syntax", 1, 2)], id="no key in a mapping in a line"),
    pytest.param(": b\n", [("yaml-syntax", 1, 1)], id="no key in a line of its own"),
    pytest.param("'': b\n", [("empty-key", 1, 1)], id="an empty key"),
    pytest.param("? " * 30 + "a", [("bad-key", 1, 3), ("too-deep", 1, 41)], id="keys in keys"),
    pytest.param(
        f"? [{'b, ' * MAX_NODES}]\n: c\n",
        [("bad-key", 1, 3), ("too-many-values", 1, 3 * MAX_NODES - 2)],
        id="a key of very many values",
    ),
    # Aliases
    pytest.param("a: *b\n", [("unknown-anchor", 1, 4)], id="an anchor to nowhere"),
    pytest.param("a: *b\nc: &b d\n", [("unknown-anchor", 1, 4)], id="an anchor further down"),
    pytest.param("a: &a [*a]\n", [("alias-loop", 1, 8)], id="a list within itself"),
    pytest.param("&a {b: *a}\n", [("alias-loop", 1, 8)], id="a mapping within itself"),
    pytest.param("a: &a\n  b: [[*a]]\n", [("alias-loop", 2, 8)], id="a loop further down"),
    pytest.param("a: &a 1\nb: &a 2\n", [("duplicate-anchor", 2, 4)], id="an anchor twice"),
    pytest.param("a: * b\n", [("yaml-syntax", 1, 5)], id="a bare star"),
    pytest.param("a: & b\n", [("yaml-syntax", 1, 5)], id="a bare ampersand"),
    pytest.param(BOMB, [("too-many-values", 6, 20)], id="an alias bomb"),
    pytest.param(
        "a: &a b\nc: [" + "*a, " * (MAX_ALIASES + 1) + "]",
        [("too-many-aliases", 2, 5 + 4 * MAX_ALIASES)],
        id="many aliases",
    ),
    pytest.param(ALIAS_LADDER, [("too-deep", 20, 12)], id="depth by aliases"),
    # Depth and size
    pytest.param(DEEP_BLOCK, [("too-deep", MAX_DEPTH + 1, 2 * MAX_DEPTH + 1)], id="deep, in block"),
    pytest.param("a: " + "[" * 30, [("too-deep", 1, 3 + MAX_DEPTH)], id="deep lists"),
    pytest.param("{a: " * 30, [("too-deep", 1, 1 + 4 * MAX_DEPTH)], id="deep mappings"),
    pytest.param("a:\n" + "- " * 30 + "b", [("too-deep", 2, 2 * MAX_DEPTH - 1)], id="deep dashes"),
    pytest.param("a: " + "x" * (MAX_SCALAR_LENGTH + 1), [("too-long", 1, 4)], id="a huge text"),
    pytest.param(
        "x" * (MAX_SCALAR_LENGTH + 1) + "\n", [("not-a-mapping", 1, 1)], id="only a huge text"
    ),
    pytest.param(
        f'? "{"x" * (MAX_SCALAR_LENGTH + 1)}"\n: b', [("too-long", 1, 3)], id="a huge key"
    ),
    pytest.param(
        f"a: [{'b, ' * MAX_NODES}]", [("too-many-values", 1, 5 + 3 * (MAX_NODES - 3))], id="many"
    ),
    # Characters
    pytest.param('a: "\\0"\n', [("bad-character", 1, 4)], id="NUL escaped"),
    pytest.param('a: 1\nb: "x\\e[2J"\n', [("bad-character", 2, 4)], id="escape escaped"),
    pytest.param('a: "\\L"\n', [("bad-character", 1, 4)], id="line separator escaped"),
    pytest.param('"\\a": b\n', [("bad-character", 1, 1)], id="bell in a key"),
    pytest.param('a: "\\ud800"\n', [("yaml-syntax", 1, 7)], id="lone surrogate escaped"),
    pytest.param('a: "\\q"\n', [("yaml-syntax", 1, 5)], id="an unknown escape"),
    pytest.param('a: "\\xZZ"\n', [("yaml-syntax", 1, 7)], id="a broken escape"),
    pytest.param("a: \ud800\n", [("bad-character", 1, 4)], id="lone surrogate"),
    pytest.param("a: \0\n", [("bad-character", 1, 4)], id="NUL"),
    # Tabs and indents
    pytest.param("a:\n\tb: c\n", [("yaml-syntax", 2, 1)], id="a tab as indent"),
    pytest.param("a:\n  b: c\n\td: e\n", [("yaml-syntax", 3, 1)], id="a tab as indent, later"),
    pytest.param("a:\n  \tb: c\n", [("yaml-syntax", 2, 3)], id="a tab behind blanks"),
    pytest.param("a: |\n\tb\n", [("yaml-syntax", 2, 1)], id="a tab in a block"),
    pytest.param("a:\n  - b\n c: d\n", [("yaml-syntax", 3, 2)], id="an indent between"),
    pytest.param("a: 1\n  b: 2\n", [("yaml-syntax", 2, 4)], id="an indent too deep"),
    pytest.param("- a\nb: c\n", [("not-a-mapping", 1, 1)], id="a key in a list"),
    pytest.param("a:\n- b\n- c\n  d\n -e: f\n", [("yaml-syntax", 5, 4)], id="a dash indented"),
    # Quotes and brackets
    pytest.param("a: 'b\nc: d\n", [("yaml-syntax", 1, 4)], id="an unclosed quote"),
    pytest.param('a: 1\nb: "c\nd: e\n', [("yaml-syntax", 2, 4)], id="unclosed double quotes"),
    pytest.param("a: 'it's'\n", [("yaml-syntax", 1, 8)], id="an apostrophe within quotes"),
    pytest.param('a: "b" c\n', [("yaml-syntax", 1, 8)], id="text behind quotes"),
    pytest.param("a: 'b\n---\n'\n", [("yaml-syntax", 1, 4)], id="a document within quotes"),
    pytest.param("a: [b, c\nd: e\n", [("yaml-syntax", 1, 4)], id="an unclosed list"),
    pytest.param("a: {b: c\n", [("yaml-syntax", 1, 4)], id="an unclosed mapping"),
    pytest.param("a: [b}\n", [("yaml-syntax", 1, 6)], id="a list closed by a brace"),
    pytest.param("a: {b]}\n", [("yaml-syntax", 1, 6)], id="a bracket in a mapping"),
    pytest.param("a: [b]]\n", [("yaml-syntax", 1, 7)], id="a bracket too many"),
    pytest.param("a: ]\n", [("yaml-syntax", 1, 4)], id="a closing bracket alone"),
    pytest.param("]\n", [("yaml-syntax", 1, 1)], id="nothing but a bracket"),
    pytest.param("a: [,]\n", [("yaml-syntax", 1, 5)], id="nothing before a comma"),
    pytest.param("a: , b\n", [("yaml-syntax", 1, 4)], id="a comma ahead"),
    # Colons, dashes and other signs
    pytest.param("a: b: c\n", [("yaml-syntax", 1, 5)], id="two colons"),
    pytest.param("a: 1\nb\nc: 2\n", [("yaml-syntax", 2, 1)], id="no colon"),
    pytest.param("a: 1\nb 2\n", [("yaml-syntax", 2, 1)], id="no colon in the last line"),
    pytest.param("a: - b\n", [("yaml-syntax", 1, 4)], id="a dash behind a colon"),
    pytest.param("a: ? b\n", [("yaml-syntax", 1, 4)], id="a question mark"),
    pytest.param("a: @b\n", [("yaml-syntax", 1, 4)], id="an at sign"),
    pytest.param("a: `b`\n", [("yaml-syntax", 1, 4)], id="a backtick"),
    pytest.param("a: %b\n", [("yaml-syntax", 1, 4)], id="a percent sign"),
    pytest.param("a: | b\n", [("yaml-syntax", 1, 6)], id="text behind a bar"),
    pytest.param("a: >0\n b\n", [("yaml-syntax", 1, 5)], id="an indent of 0"),
    # CRLF counts as one line end
    pytest.param("a: 1\r\nb: 2\r\na: 3\r\n", [("duplicate-key", 3, 1)], id="CRLF"),
    # Several at once, up to the one after which nothing can be read
    pytest.param(
        "a: !!int 1\na: 2\n<<: 3\nb: *c\nd: 'e\n",
        [
            ("yaml-tag", 1, 4),
            ("duplicate-key", 2, 1),
            ("merge-key", 3, 1),
            ("unknown-anchor", 4, 4),
            ("yaml-syntax", 5, 4),
        ],
        id="five faults",
    ),
]


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_a_broken_file_is_told_at_its_place(text: str, expected: list[Found]) -> None:
    assert found(text)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("a: 1\na: 2\n", ["duplicate-key"]),
        ("<<: {a: 1}\nb: 1\n", ["merge-key"]),
        ("a: !!set {b, c}\n", ["yaml-tag"]),
        ("? [a, [b, {c: d}]]\n: c\n", ["bad-key"]),
    ],
)
def test_a_fault_is_told_once(text: str, codes: list[str]) -> None:
    assert [each.code for each in problems(text)] == codes


SHAPES = [
    *("[", "{", "{a: ", "[a, ", "- ", "? ", "a: ", "- [\n", "[[[]]],", "[],", "]", "}", "a:\n"),
    *("&a ", "*a ", "!a ", "!", "&", "*", "%", "'", '"', "#", ",", ":", "- a\n", "a: b\n", "x"),
    *("--- ", "---\n", "...\n", "%YAML 1.1\n", "\n", "\r", "\t", " ", "|\n", ">", "\\", "é", "🎲"),
    *("? a\n", "[?", "a: &a [*a]\n", "a: |\n  b\n", "<<: *a\n", '"\\u0041', "@", "`", "x: !!int\n"),
]


@pytest.mark.parametrize("ahead", ["", "a: ", "a: [", 'a: "'])
@pytest.mark.parametrize("shape", SHAPES)
def test_nearly_two_mebibytes_of_anything_are_refused_at_once(shape: str, ahead: str) -> None:
    text = ahead + shape * (1_900_000 // len(shape.encode()))

    if ahead == "a: " and shape in ("#", "\n", "\r", "\t", " ", "...\n"):
        # These are a key with next to nothing behind it.
        begun = thread_time()
        assert document_from_text(text, "army.yaml").data["a"] in ("", "...")
        assert thread_time() - begun < SLOWEST
    else:
        assert problems(text)


@pytest.mark.parametrize("raw", [b"[", b"a: [", b"{a: [", b"- ", b"\0"])
def test_five_mebibytes_are_refused_without_being_read(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "army.yaml"
    path.write_bytes(raw * (5 * MIB // len(raw)))
    begun = thread_time()

    with pytest.raises(MusterError) as caught:
        read_document(path)

    assert thread_time() - begun < 0.5
    assert [each.code for each in caught.value.problems] == ["file-too-large"]


def test_only_so_many_faults_are_told() -> None:
    told = problems("a: 1\n" * 5000)

    assert len(told) == MAX_PROBLEMS + 1
    assert told[-1].code == "more-problems"


def test_a_duplicate_key_says_where_the_first_stands() -> None:
    (problem,) = problems("title: A\nnotes: b\ntitle: C\n")

    assert "'title'" in problem.text
    assert "line 1" in problem.text
    assert problem.line_text == "title: C"


def test_a_very_long_key_twice_is_told_shortly() -> None:
    key = "x" * 1000

    (problem,) = problems(f"{key}: 1\n{key}: 2\n")

    assert len(problem.render()) < 300


def test_a_misspelt_alias_names_the_nearest_anchor() -> None:
    (problem,) = problems("a: &guards x\nb: *gaurds\n")

    assert "'guards'" in problem.text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a:\n\tb: c\n", "indent with spaces"),
        ("a: b: c\n", "quoted"),
        ("a: 'b\n", "never closed"),
        ("a: [b\nc: d\n", "closing ]"),
        ("a: {b: c\n", "closing }"),
        ("a: @b\n", "quoted"),
        ("a: * b\n", "quoted"),
        ("a: !!int 3\n", "!!int"),
        ("<<: {a: b}\n", "write the keys out"),
        ("a: 1\n---\nb: 2\n", "second document"),
        ("b\nc\n", "a colon"),
    ],
)
def test_a_fault_is_told_in_plain_words(text: str, word: str) -> None:
    assert word in problems(text)[0].text


def test_the_limits_themselves_are_within_reach() -> None:
    deep = "a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    many = f"a: [{'b, ' * (MAX_NODES - 3)}]"
    aliases = "a: &a b\nc: [" + "*a, " * MAX_ALIASES + "]"
    long = "a: " + "x" * MAX_SCALAR_LENGTH

    for text in (deep, many, aliases, long):
        assert document_from_text(text, "a.yaml").data


def test_depth_through_aliases_counts_up_to_the_limit() -> None:
    inner = MAX_DEPTH - 5
    text = f"a: &a {'[' * inner}{']' * inner}\nb: {{}}\n"

    assert document_from_text(text.replace("{}", "[[[[*a]]]]"), "a.yaml").data
    assert found(text.replace("{}", "[[[[[*a]]]]]")) == [("too-deep", 2, 9)]


def test_depth_through_aliases_adds_up() -> None:
    eight = "[" * 8 + "{}" + "]" * 8
    text = "\n".join(
        [f"a: &a {eight.format('x')}", f"b: &b {eight.format('*a')}", f"c: {eight.format('*b')}"]
    )

    assert found(text)[0][:2] == ("too-deep", 3)


def test_a_fault_without_a_place_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # Bad characters never reach the parser, so that it is handed one past the guard.
    monkeypatch.setattr("muster.yamlfile.document.check_text", lambda text, _: text)

    assert found("a: \x01") == [("yaml-syntax", None, None)]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yaml._yaml", None)
    assert isinstance(parsing.open_parser("a: b"), parsing.PythonParser)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\na: 2\n", ("duplicate-key", 2, 1)),
        ("<<: {a: 1}\n", ("merge-key", 1, 1)),
        ("a: " + "[" * 100_000, ("too-deep", 1, 3 + MAX_DEPTH)),
        ("a: !!python/name:os.system\n", ("yaml-tag", 1, 4)),
        ("a:\n\tb: c\n", ("yaml-syntax", 2, 1)),
        ("a: [b\nc: d\n", ("yaml-syntax", None, None)),
        ("%YAML 1.1\n---\na: 1\n", ("yaml-directive", 1, 1)),
        ("a: &a [*a]\n", ("alias-loop", 1, 8)),
    ],
)
def test_the_parser_in_python_has_the_same_guards(text: str, expected: Found) -> None:
    (first, *_) = found(text)

    assert first[0] == expected[0]
    if expected[1] is not None:
        assert first == expected


@pytest.mark.usefixtures("plain")
def test_the_parser_in_python_reads_the_same() -> None:
    document = document_from_text("a: +1\nb: [on, {c: 010}]\n", "a.yaml")

    assert document.data == {"a": "+1", "b": ["on", {"c": "010"}]}
    assert document.locate(("b", 1, "c")).column == 13


@given(st.text(st.sampled_from("ab:-[]{},?&*!|>'\"%@`#<~ \t\n\r\\0é\ud800\0"), max_size=60))
def test_no_text_whatever_raises_anything_else(text: str) -> None:
    try:
        document = document_from_text(text, "a.yaml")
    except MusterError as error:
        assert str(error)  # noqa: PT017 - either outcome is fine, a traceback is not
    else:
        document.locate(("a", 0, "b"))


@given(st.binary(max_size=80))
def test_no_bytes_whatever_raise_anything_else(raw: bytes) -> None:
    try:
        document_from_text(raw.decode("latin-1"), "a.yaml")
    except MusterError as error:
        assert str(error)  # noqa: PT017 - either outcome is fine, a traceback is not


@pytest.mark.parametrize(
    ("text", "place", "words", "example"),
    [
        (
            "a: {unit:hussars, b: 3}",
            (1, 5),
            "read 'unit:hussars', expected a blank",
            "unit: hussars",
        ),
        ("a:\n  - {b: 3, stands:3}", (2, 12), "read 'stands:3', expected a blank", "stands: 3"),
        ("a: 1\nname:King\n", (2, 1), "read 'name:King', expected a blank", "name: King"),
        ("name: 'King's Own'", (1, 13), "apostrophe before this ends", 'name: "King\'s Own"'),
        ("a: {name: 'King's Own', b: 'c'}", (1, 17), "apostrophe", 'name: "King\'s Own"'),
        ("a: ['King's', 'b']", (1, 11), "apostrophe before this ends", '"King\'s"'),
        ("a: ['b' 'c']", (1, 9), "expected a comma or the closing ]", "cells: [1, 2]"),
        ("a: 'b' c", (1, 8), "expected the next key here", "label: '8\" guns'"),
        ("a:\n  - {b: 1, c: 3,", (2, 5), "the mapping that opens here has no", "{id: rough}"),
        ("a: {b: [1, 2, # why\n", (1, 8), "the list that opens here has no", "cells: [1, 2]"),
        ("a:\n  - {b: 1,\n\n  - {b: 2}\n", (2, 5), "has no closing }", "{id: rough}"),
        ("a: {b: 1,, c: 2}\n", (1, 10), "no value can begin here", 'label: "[all]"'),
    ],
)
def test_frequent_slip_is_named_with_its_own_example(
    text: str, place: tuple[int, int], words: str, example: str
) -> None:
    (problem,) = problems(text)

    assert (problem.location.line, problem.location.column) == place
    assert words in problem.text
    assert problem.example == example


@pytest.mark.parametrize("text", ["{12:30}", "{a:b: 1}", "{'a:b'}", "{https://a.b}", "{a:b: ''}"])
def test_colon_in_a_key_or_a_time_misses_no_blank(text: str) -> None:
    assert document_from_text(f"a: {text}", "army.yaml").data["a"]
