"""Owns the facts about rewriting: what is set stands there, and the player's words stay.

Does not know armies; a list of entries is a list of entries.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml.error import YAMLError

from muster.problems import MusterError
from muster.yamlfile import document_from_text, rewriting
from muster.yamlfile.editing import Repeat, rewrite_document
from muster.yamlfile.rewriting import count_comments

HEAD: Final = "# Made."
ROLLED: Final = {"quality": "raw", "rolled": "quality 2D6 = 4 + 3 = 7"}


def rewritten(text: str, *edits: Repeat) -> str:
    document = document_from_text(dedent(text).lstrip("\n"), "list.yaml")
    return rewrite_document(document, edits, HEAD).removeprefix(f"{HEAD}\n")


def data(text: str) -> object:
    return document_from_text(text, "list.yaml").data


def test_heading_stands_on_top() -> None:
    document = document_from_text("# Mine\na: b\n", "list.yaml")

    assert rewrite_document(document, [], HEAD) == "# Made.\n# Mine\na: b\n"


LINES: Final = 'quality: raw\n  rolled: "quality 2D6 = 4 + 3 = 7"\n'
BRACED: Final = 'quality: raw, rolled: "quality 2D6 = 4 + 3 = 7"'


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("a: {b: c}  # x\n", ("a",), f"a: {{b: c, {BRACED}}} # x\n"),
        ("a: {}\n", ("a",), f"a: {{{BRACED}}}\n"),
        (
            "a:\n  b: c   # x\n\n  # y\n  d: [e]\n",
            ("a",),
            f"a:\n  b: c   # x\n  {LINES}\n  # y\n  d: [e]\n",
        ),
        ("a:\n  # y\n  d: [e]\n# z\n", ("a",), f"a:\n  # y\n  {LINES}  d: [e]\n# z\n"),
        ("a:\n  b: |\n    one\n    two\n", ("a",), f"a:\n  {LINES}  b: |\n    one\n    two\n"),
        ("a: b\n", (), f"a: b\n{LINES.replace('  ', '')}"),
    ],
)
def test_new_keys_stand_behind_the_last_plain_value(
    before: str, path: tuple[str, ...], after: str
) -> None:
    assert rewritten(before, Repeat(path, (ROLLED,))) == after


@pytest.mark.parametrize(
    "text",
    [
        "a: {b: c}\n# after braces\nd: e\n",
        "a:\n  - b: [c, d]\n  # after brackets\n  - {e: f}  # behind\n",
        "a:\n  - [b,\n    c]\n\n  # after a blank line\n  - d\n",
        "a: '{# no comment'\nb: {c: '# none'}\n# one\nd: '#~'\n",
    ],
)
def test_comment_behind_braces_is_kept(text: str) -> None:
    assert count_comments(rewritten(text)) == count_comments(text)
    assert data(rewritten(text)) == data(text)


def test_lines_that_end_as_on_windows_are_read() -> None:
    text = "a: {b: c}\r\n# one\r\nd: e  # two\r\n"

    new = rewritten(text, Repeat(("a",), ({"q": "r"},)))

    assert data(new) == {"a": {"b": "c", "q": "r"}, "d": "e"}
    assert count_comments(new) == {"# one": 1, "# two": 1}


def test_comment_is_what_stands_outside_of_values() -> None:
    text = "# a\nb: '# c'  # d\ne: f#g\nh: |\n  # i\nj: \"k # l\"  # d\n"

    assert count_comments(text) == {"# a": 1, "# d": 2}


def test_key_that_is_there_keeps_its_place_and_quotes() -> None:
    text = rewritten("a: {name: 'X', b: c}\n", Repeat(("a",), ({"name": "X 1"},)))

    assert text == "a: {name: 'X 1', b: c}\n"


@pytest.mark.parametrize("width", range(1, 100))
def test_no_space_is_lost_where_the_first_line_behind_a_comment_is_full(width: int) -> None:
    words = f"{'x' * width} y z"
    text = f"a:\n  # one\n  - {{b: {words}}}\n  # two\n  - {{b: c}}\n"

    new = rewritten(text, Repeat(("a", 0), (ROLLED,)))

    assert data(new) == {"a": [{"b": words, **ROLLED}, {"b": "c"}]}


def test_no_scalar_turns_into_something_else() -> None:
    text = "a: [010, on, 12:30, +1, 1_000, ~, True, 0x1F, 1e3, 2001-12-14, 12.50, null, 'no']\n"

    assert rewritten(text) == text


def test_entry_becomes_several_and_comments_stay_where_they_were() -> None:
    text = rewritten(
        """
        units:
          # the best
          - {unit: foot, count: 2}  # guards
          # the rest
          - unit: foot  # f
            count: 2  # two

          # last of all
          - {unit: horse}
        """,
        Repeat(("units", 0), ({"count": None, "q": "a"}, {"count": None, "q": "b"})),
        Repeat(("units", 1), ({"count": None, "q": "c"}, {"count": None, "q": "d"})),
    )

    assert text == dedent(
        """
        units:
          # the best
          - {unit: foot, q: a}      # guards
          - {unit: foot, q: b}
          # the rest
          - unit: foot  # f
            q: c
          - unit: foot
            q: d
            # two

          # last of all
          - {unit: horse}
        """
    ).lstrip("\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- count: 2  # n\n    b: c\n", "- b: c # n\n"),
        ("- count: 2\n    # y\n    b: c\n", "- b: c\n    # y\n"),
        ("- b: c\n    count: 2  # n\n    # y\n", "- b: c # n\n    # y\n"),
        ("- b: c # m\n    # y\n    count: 2 # n\n", "- b: c # m\n    # n\n    # y\n"),
    ],
)
def test_comment_of_a_key_that_goes_stays(before: str, after: str) -> None:
    text = rewritten(f"a:\n  {before}z: z\n", Repeat(("a", 0), ({"count": None},)))

    assert re.sub(" +#", " #", text) == re.sub(" +#", " #", f"a:\n  {after}z: z\n")


def test_aliases_are_written_out_so_that_each_is_edited_by_itself() -> None:
    text = "a:\n  - &one {b: &two c, d: [x]}  # first\n  - *one\n  - {b: *two}\n"

    new = rewritten(text, Repeat(("a", 0), (ROLLED,)), Repeat(("a", 1), ({"b": "e"},)))

    assert data(new) == {
        "a": [{"b": "c", "d": ["x"], **ROLLED}, {"b": "e", "d": ["x"]}, {"b": "c"}]
    }
    assert "&" not in new
    assert "# first" in new


entries = st.tuples(
    st.booleans(),  # in braces
    st.booleans(),  # a comment behind
    st.integers(0, 2),  # lines of comment before
    st.booleans(),  # a blank line before
    st.integers(0, 3),  # copies; 0 is left alone
    st.permutations(["unit: foot", "name: Levy", "count: 3", "options: [a, b]"]),
)


def laid_out(
    written: list[tuple[bool, bool, int, bool, int, list[str]]],
) -> tuple[str, list[Repeat]]:
    lines = ["# top", "name: X  # named", "units:"]
    edits = []
    for place, (braces, behind, before, blank, copies, keys) in enumerate(written):
        if blank and place:
            lines.append("")
        lines += [f"  # before {place}.{n}" for n in range(before)]
        comment = f"  # behind {place}" if behind else ""
        if braces:
            lines.append(f"  - {{{', '.join(keys)}}}{comment}")
        else:
            own = [f"    {key}" for key in keys]
            own[0] = f"  - {keys[0]}{comment}"
            lines += own
        if copies:
            said = [{"q": str(n), "count": None, "rolled": f"q {n}"} for n in range(copies)]
            edits.append(Repeat(("units", place), tuple(said)))
    return "\n".join([*lines, "# end", ""]), edits


@settings(max_examples=300, deadline=None)
@given(st.lists(entries, min_size=1, max_size=5))
def test_every_comment_is_kept_once(
    written: list[tuple[bool, bool, int, bool, int, list[str]]],
) -> None:
    text, edits = laid_out(written)

    new = rewrite_document(document_from_text(text, "list.yaml"), edits, HEAD)

    kept = sorted(re.findall(r"# .*", text))
    assert sorted(re.findall(r"# .*", new)) == sorted(["# Made.", *kept])


# What cannot be kept


def test_text_that_would_not_say_what_it_must_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "_rewritten", lambda *_: "a: something else\n")

    with pytest.raises(MusterError) as caught:
        rewritten("a: b\n")

    assert [problem.code for problem in caught.value.problems] == ["cannot-rewrite"]


def test_library_that_gives_up_is_a_problem_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: object) -> str:
        raise YAMLError

    monkeypatch.setattr(rewriting, "_rewritten", give_up)

    with pytest.raises(MusterError) as caught:
        rewritten("a: b\n")

    assert [problem.code for problem in caught.value.problems] == ["cannot-rewrite"]
