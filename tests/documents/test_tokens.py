"""Test the sheet of tokens: what stands on each, and what is wrong with `tokens.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.documents.tokens import PrintedToken, gather_tokens
from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.lint import lint_system
from muster.systems.symbols import house_symbols
from tests.scaffold import spoil

TOKENS = """\
drawings: {moth: M0 0 H9 V9 Z}
tokens:
  - {id: disordered, label: Disordered, symbol: disorder, tone: morale, number: 12}
  - {id: lit, label: Lit, symbol: moth, shape: square, number: 2}
  - {id: losses, label: Losses, text: 25%, number: 3}
"""


def write(content: Path, text: str = TOKENS) -> Path:
    path = content / "tokens.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def issues(content: Path) -> list[tuple[str, str, int | None]]:
    return [
        (issue.severity, issue.problem.code, issue.problem.location.line)
        for issue in lint_system(open_system(content))
    ]


def test_token_has_a_symbol_of_ours_or_its_systems_or_a_text(content: Path) -> None:
    write(content)

    sheet = gather_tokens(open_system(content))

    assert sheet is not None
    assert sheet.tokens == (
        PrintedToken("Disordered", "", house_symbols()["disorder"], "morale", "round", 12),
        PrintedToken("Lit", "", "M0 0 H9 V9 Z", "neutral", "square", 2),
        PrintedToken("Losses", "25%", "", "neutral", "round", 3),
    )
    assert sheet.number == 17
    assert issues(content) == []


def test_system_without_the_file_has_no_tokens(content: Path) -> None:
    assert gather_tokens(open_system(content)) is None


def test_problems_of_tokens_are_found_all_at_once(content: Path) -> None:
    path = write(content)
    spoil(path, "id: lit", "id: disordered")
    spoil(path, "symbol: moth", "symbol: disordr")

    with pytest.raises(MusterError) as caught:
        gather_tokens(open_system(content))

    assert [problem.code for problem in caught.value.problems] == ["duplicate-id", "unknown-symbol"]
    assert "did you mean 'disorder'?" in caught.value.problems[1].text
    assert issues(content) == [
        ("warning", "unused-drawing", 1),
        ("error", "duplicate-id", 4),
        ("error", "unknown-symbol", 4),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("text: 25%, ", "", "a token needs exactly one of `symbol:` and `text:`"),
        ("text: 25%", "text: 25%, symbol: wound", "exactly one of `symbol:` and `text:`"),
        ("text: 25%", "text: one quarter", "at most 4"),
        ("number: 3", "number: 0", "1"),
        ("number: 3", "number: 100", "99"),
        ("label: Losses", f"label: {'Losses ' * 4}", "at most 24"),
        ("text: 25%", "text: 25%, shape: oval", "expected round or square"),
    ],
)
def test_token_that_cannot_be_printed_is_an_error_of_lint(
    old: str, new: str, said: str, content: Path
) -> None:
    spoil(write(content), old, new)

    (issue,) = lint_system(open_system(content))

    assert issue.severity == "error"
    assert issue.problem.location.line == 5
    assert said in issue.problem.text
