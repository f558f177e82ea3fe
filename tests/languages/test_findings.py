"""Tests that findings, remedies and prices are said in the language that is spoken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from muster.armies import Verdict, army_from_document, check
from muster.armies.verdict import with_event_limit
from muster.languages import speaking
from muster.systems import Library, System
from muster.yamlfile import document_from_text
from tests.armies.constraint_samples import SAMPLES
from tests.builder.test_edges import ARMIES, SYSTEMS
from tests.cases.test_cases import CASES, HERE, LIBRARY, army_document
from tests.languages.conftest import content_words, words_in
from tests.scaffold import SHIPPED

LISTS = [*ARMIES, *(army for sample in SAMPLES.values() for army in sample[1:])]
CODE = {"limit", "muster"}
"""What a remedy names as a file writes it."""


def texts_of(verdict: Verdict) -> Iterator[str]:
    """Yield all that a page prints of a verdict."""
    for finding in verdict.findings:
        yield from (finding.label, finding.message, finding.allowed, finding.actual)
        yield from (str(finding.rule), finding.remedy)
    for line in verdict.price.lines:
        yield from (line.working, line.label, line.points_each)
    yield from verdict.price.missing


def judged(text: str, library: Library, limit: str = "") -> Verdict:
    army = army_from_document(document_from_text(text, "army.yaml"), library)
    return check(with_event_limit(army, Decimal(limit))[0] if limit else army)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.usefixtures("no_words")
def test_every_word_of_a_verdict_is_of_the_catalogues_or_of_the_content(
    name: str, tmp_path: Path
) -> None:
    library = Library(SYSTEMS[name].write(tmp_path))
    known = content_words(tmp_path) | CODE
    left = set()
    for text in LISTS if SYSTEMS[name].has_samples else ():
        with speaking("de"):
            for limit in ("", "10"):
                verdict = judged(f"system: tiny\n{text}\n", library, limit)
                left |= {
                    each for each in texts_of(verdict) if words_in(each) - known - words_in(text)
                }

    assert left == set()


@pytest.mark.parametrize("system_id", SHIPPED)
@pytest.mark.usefixtures("no_words")
def test_every_word_of_the_cases_is_of_the_catalogues_or_of_the_content(system_id: str) -> None:
    known = content_words(LIBRARY.shipped / "content" / system_id) | CODE
    left = set()
    for path in CASES:
        if path.parent.name == system_id:
            document = army_document(path)
            with speaking("de"):
                verdict = check(army_from_document(document, LIBRARY))
            own = known | words_in(document.text)
            left |= {text for text in texts_of(verdict) if words_in(text) - own}

    assert left == set()


def test_verdicts_of_two_languages_are_not_mixed(tmp_path: Path) -> None:
    library = Library(SYSTEMS["touching"].write(tmp_path))
    text = "system: tiny\nlimit: 10\n" + ARMIES[0]

    english = judged(text, library)
    with speaking("de"):
        german = judged(text, library)
    again = judged(text, library)

    assert [finding.actual for finding in german.findings] == ["45 Punkte", "5 Foot"]
    assert list(texts_of(again)) == list(texts_of(english))
    assert "45 points" in list(texts_of(english))


@pytest.mark.parametrize(
    ("language", "actual", "allowed", "remedy"),
    [
        ("en", "5 stands", "3, 4 or 6 stands", "Remove 1 stand."),
        ("de", "5 Basen", "3, 4 oder 6 Basen", "1 Base entfernen."),
        ("fr", "5 stands", "3, 4 ou 6 stands", "Retirer 1 stand."),
    ],
)
def test_finding_in_each_language(language: str, actual: str, allowed: str, remedy: str) -> None:
    class Translated:
        def system(self, system_id: str) -> System:
            return LIBRARY.system(system_id).in_language(language)

        def book_folders(self, system_id: str) -> Sequence[Path]:
            return LIBRARY.book_folders(system_id)

    case = HERE / "seven-years-war" / "battalion-of-five-stands.yaml"
    with speaking(language):
        verdict = check(army_from_document(army_document(case), Translated()))

    (finding,) = verdict.findings
    assert (finding.actual, finding.allowed, finding.remedy) == (actual, allowed, remedy)
