"""Test the list of words to avoid: where they are found, and where they may stand."""

import re
from pathlib import Path

import pytest
import yaml

from muster.systems import open_system
from muster.systems.style import find_style_issues
from tests.scaffold import lay_out

STYLE = "avoid: [{words: ever after, write: from then on}, {words: upon, write: on}]\n"


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = lay_out(tmp_path)
    (folder.parent / "style.yaml").write_text(STYLE, encoding="utf-8")
    return folder


def found(content: Path) -> list[tuple[str, int | None, int | None, str]]:
    return [
        (Path(each.location.file).name, each.location.line, each.location.column, each.text)
        for each in (issue.problem for issue in find_style_issues(open_system(content)))
    ]


def add(path: Path, text: str) -> int:
    """Add text behind a file and return the line on which it begins."""
    before = path.read_text(encoding="utf-8")
    path.write_text(before + text, encoding="utf-8")
    return before.count("\n") + 1


def test_scaffold_has_no_words_to_avoid(content: Path) -> None:
    assert found(content) == []


def test_words_in_prose_are_found_at_their_place_across_lines_too(content: Path) -> None:
    line = add(content / "prose" / "02-turn.md", "\nIt rests Upon a wall and ever\nafter.\n")

    upon, after = found(content)

    assert upon[:3] == ("02-turn.md", line + 1, 10)
    assert upon[3] == "read “upon”, which is avoided here; write on"
    assert after[:3] == ("02-turn.md", line + 1, 26)
    assert after[3] == "read “ever after”, which is avoided here; write from then on"


def test_part_of_another_word_is_not_meant(content: Path) -> None:
    add(content / "prose" / "02-turn.md", "\nThereupon the upon-going forever after.\n")

    assert found(content) == []


def test_words_in_tables_are_found_but_not_in_what_the_source_prints(content: Path) -> None:
    errata = content / "errata.yaml"
    text = errata.read_text(encoding="utf-8")
    text = text.replace("then nothing", "upon nothing").replace("leaves the", "upon the")
    errata.write_text(text, encoding="utf-8")

    (issue,) = found(content)

    assert issue[0] == "errata.yaml"
    assert "reason:" in text.splitlines()[(issue[1] or 0) - 1]


def test_without_a_list_nothing_is_avoided(content: Path) -> None:
    (content.parent / "style.yaml").unlink()
    add(content / "prose" / "02-turn.md", "\nUpon it.\n")

    assert found(content) == []


def test_list_that_cannot_be_read_is_an_error(content: Path) -> None:
    (content.parent / "style.yaml").write_text("avoid: [{word: upon}]\n", encoding="utf-8")

    issues = find_style_issues(open_system(content))

    assert {issue.severity for issue in issues} == {"error"}
    assert "unknown-key" in {issue.problem.code for issue in issues}


def unasked(content: Path, read: str, question: str = "") -> list[tuple[str, str, str]]:
    """Return what lint says of the scaffold's erratum when it is read so."""
    (content.parent / "style.yaml").write_text("avoid: []\nask: [agree/agreed]\n", encoding="utf-8")
    errata = content / "errata.yaml"
    text = re.sub(r"(?m)^    (question|treatment|certainty):.*\n", "", errata.read_text("utf-8"))
    asked = f"    question: {question}\n" if question else ""
    rest = f"    read: {read}\n    treatment: printed\n    certainty: likely\n{asked}"
    errata.write_text(re.sub(r"(?m)^    read:.*\n", rest, text, count=1), encoding="utf-8")
    return [
        (issue.severity, issue.problem.code, issue.problem.text)
        for issue in find_style_issues(open_system(content))
    ]


def test_erratum_that_players_must_agree_on_needs_a_question(content: Path) -> None:
    ((severity, code, text),) = unasked(content, "Agree what it costs.")

    assert (severity, code) == ("error", "no-question")
    assert text.startswith("read “agree” in the entry ")


def test_erratum_that_asks_its_question_or_settles_its_point_is_fine(content: Path) -> None:
    assert unasked(content, "Agree what it costs.", "What does it cost?") == []
    assert unasked(content, "The disagreement is settled.") == []


def test_our_style_sheet_knows_the_words_that_send_players_to_their_opponent() -> None:
    style = yaml.safe_load((ROOT / "content" / "style.yaml").read_text(encoding="utf-8"))

    assert any(words.split("/")[0] == "agree" for words in style["ask"])


ROOT = Path(__file__).resolve().parents[2]
OLD_FORMS = [
    *("They speak against it.", "It spoke against the roll.", "What came down to us is short."),
    *("It is to their harm.", "It falls back, whether they like it or not."),
    *("Whether he likes or not, he halts.", "He or she rolls.", "His or her dice count."),
    *("So doth the enemy.", "The unit discharges its muskets.", "The gun was eliminated."),
    *("Ammunition is exhausted.", "Reckon the total.", "It fires upon them."),
]


@pytest.mark.parametrize("sentence", OLD_FORMS)
def test_words_that_our_style_avoids_are_found_in_every_form(sentence: str, content: Path) -> None:
    style = (ROOT / "content" / "style.yaml").read_text(encoding="utf-8")
    (content.parent / "style.yaml").write_text(style, encoding="utf-8")
    assert found(content) == []
    line = add(content / "prose" / "02-turn.md", f"\n{sentence}\n")

    (issue,) = found(content)

    assert issue[:2] == ("02-turn.md", line + 1)


def test_every_word_that_our_guide_forbids_is_on_the_list(content: Path) -> None:
    guide = (ROOT / "content" / "STYLE.md").read_text(encoding="utf-8")
    style = (ROOT / "content" / "style.yaml").read_text(encoding="utf-8")
    (content.parent / "style.yaml").write_text(style, encoding="utf-8")
    rows = re.findall(r"(?m)^\| [^|]+ \| ([^|]+) \|$", guide)[2:]
    forbidden = [word.strip() for row in rows for word in row.split(",")]
    forbidden += re.findall(r"“([^”]+)”", re.findall(r"run out of”, not ([^.]+)", guide)[0])
    assert len(forbidden) > 15
    for word in forbidden:
        add(content / "prose" / "02-turn.md", f"\nIt is {word} it.\n")

    assert len(found(content)) == len(forbidden), found(content)
