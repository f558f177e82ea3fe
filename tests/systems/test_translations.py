"""Tests of translations: which text is printed, what is refused, and what has not followed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from muster.armies import check, load_army
from muster.armies.lint_translations import lint_translations
from muster.armies.system_texts import system_texts
from muster.armies.translating import update_translation
from muster.armies.translation_lag import translation_lags
from muster.dependencies import record_dependencies
from muster.documents.rulebook import gather_rulebook
from muster.problems import MusterError
from muster.systems import Library
from muster.systems.lint import lint_system
from muster.systems.prose_blocks import split_blocks
from muster.systems.rulebook_edition import Edition
from muster.systems.system import System, open_system
from muster.systems.translations import read_translation
from tests.scaffold import lay_out, spoil

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
GERMAN = Edition(id="german", title="Deutsche Ausgabe", date="2026-11-22", language="de")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def translate(folder: Path, *pairs: tuple[str, str], extra: str = "") -> Path:
    """Write a translation of some texts."""
    path = folder / "translations" / "de.po"
    path.parent.mkdir(exist_ok=True)
    quoted = [tuple(json.dumps(text, ensure_ascii=False) for text in pair) for pair in pairs]
    entries = [f"msgid {text}\nmsgstr {said}\n\n" for text, said in quoted]
    path.write_text(HEAD + "".join(entries) + extra, encoding="utf-8")
    return path


def german_book(folder: Path) -> str:
    """Return all that the German rulebook shows."""
    return json.dumps(
        asdict(gather_rulebook(open_system(folder), GERMAN)), ensure_ascii=False, default=str
    )


def codes(folder: Path) -> list[str]:
    return [issue.problem.code for issue in lint_translations(open_system(folder))]


def search_codes(folder: Path) -> list[str]:
    """Return what `muster lint` says of the words for searching."""
    issues = lint_system(open_system(folder))
    return [each.problem.code for each in issues if "synonym" in each.problem.code]


def refusal(path: Path) -> str:
    with pytest.raises(MusterError) as refused:
        read_translation(path, shown_as="de.po")
    return str(refused.value)


# What is printed


def test_a_german_rulebook_says_titles_labels_notes_and_prose_in_german(folder: Path) -> None:
    translate(
        folder,
        ("Movement", "Bewegung"),
        ("Foot", "Fußtruppen"),
        ("Some words have a meaning of their own.", "Einige Wörter haben eine eigene Bedeutung."),
    )
    book = german_book(folder)
    assert "Bewegung" in book
    assert '"Movement"' not in book
    assert "Fußtruppen" in book
    assert "Einige Wörter haben eine eigene Bedeutung." in book


def test_a_text_without_translation_stays_english(folder: Path) -> None:
    translate(folder, ("Movement", "Bewegung"), ("Morale", ""))
    assert '"Morale"' in german_book(folder)


def test_the_system_itself_stays_as_it_is_written(folder: Path) -> None:
    translate(folder, ("Movement", "Bewegung"))
    system = open_system(folder)
    german = system.in_language("de")
    assert german.table("movement").title == "Bewegung"
    assert system.table("movement").title == "Movement"
    assert german.identity.language == "de"


def test_a_region_takes_the_texts_of_its_language(folder: Path) -> None:
    translate(folder, ("Movement", "Bewegung"))
    assert open_system(folder).in_language("de-AT").table("movement").title == "Bewegung"


def test_a_language_without_translation_is_the_system_itself(folder: Path) -> None:
    system = open_system(folder)
    assert system.in_language("fr") is system
    assert system.in_language(None) is system


def test_an_entry_for_one_place_wins_there_and_nowhere_else(folder: Path) -> None:
    place = 'msgctxt "tables/movement.title"\nmsgid "Movement"\nmsgstr "Bewegungsweiten"\n'
    translate(folder, ("Movement", "Bewegung"), extra=place)
    german = open_system(folder).in_language("de")
    assert german.table("movement").title == "Bewegungsweiten"
    assert german.chapter("movement").title == "Bewegung"


def test_a_doubtful_translation_is_not_printed(folder: Path) -> None:
    translate(folder, extra='#, fuzzy\nmsgid "Movement"\nmsgstr "Schießen"\n')
    assert open_system(folder).in_language("de").table("movement").title == "Movement"
    (doubtful,) = [
        issue
        for issue in lint_translations(open_system(folder))
        if issue.problem.code == "doubtful-translation"
    ]
    assert doubtful.severity == "error"


def test_synonyms_are_not_judged_by_a_translation_that_cannot_be_read(folder: Path) -> None:
    words = "synonyms:\n  - [movement, marching]\ntranslations:\n  de:\n    - [Bewegung, Marsch]\n"
    (folder / "search.yaml").write_text(words, encoding="utf-8")
    path = translate(folder, ("Movement", "Bewegung"))
    assert not search_codes(folder)

    path.write_text(path.read_text(encoding="utf-8") + 'msgid "x\n', encoding="utf-8")

    assert not search_codes(folder)


def test_sections_keep_the_names_that_references_give_them(folder: Path) -> None:
    translate(folder, ("The roll", "Der Wurf"))
    german = open_system(folder).in_language("de")
    chapter = german.prose.chapter("shooting")
    assert chapter is not None
    assert [(each.title, each.slug) for each in chapter.sections] == [("Der Wurf", "the-roll")]


def test_ids_figures_and_forms_are_never_offered_for_translation(folder: Path) -> None:
    texts = {each.text for each in system_texts(open_system(folder))}
    assert "Movement" in texts
    assert not texts & {"movement", "distance", "modifier", "d6", "2d6", "foot"}


# What is refused


@pytest.mark.parametrize(
    ("text", "said", "code"),
    [
        ("Up to 4 stands", "Bis 5 Basen", "translated-figures"),
        ("Roll 2D6", "3W6 würfeln", "translated-figures"),
        ("A modifier of -1", "Ein Modifikator von 1", "translated-figures"),
        ("See {ref: orders}", "Siehe {ref: befehle}", "translated-directive"),
        ("See {ref: orders}", "Siehe dort", "translated-directive"),
    ],
)
def test_figures_and_directives_are_protected(
    folder: Path, text: str, said: str, code: str
) -> None:
    path = translate(folder, (text, said))
    message = refusal(path)
    assert f"[{code}]" in message
    assert "de.po:4:" in message


def test_dice_have_the_letter_of_the_language(folder: Path) -> None:
    path = translate(folder, ("Roll 2D6", "2W6 würfeln"))
    assert read_translation(path, shown_as="de.po").by_text["", "Roll 2D6"].said == "2W6 würfeln"


def test_words_in_directives_are_translated(folder: Path) -> None:
    text = "{label: movement row=foot | Foot} walks.{index: marching > on foot}"
    said = "{label: movement row=foot | Infanterie} geht.{index: Marsch > zu Fuß}"
    path = translate(folder, (text, said))
    assert read_translation(path, shown_as="de.po").by_text["", text].said == said


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        (b'msgid "a"\nmsgstr "\xe4"\n', "2", "not-utf-8"),
        (b'msgid "a"\n', "1", "bad-po"),
        (b'msgstr "a"\n', "1", "bad-po"),
        (b'msgid "a"\nmsgid "b"\n', "2", "bad-po"),
        (b'msgid "a\nmsgstr "b"\n', "1", "bad-po"),
        (b'msgid "a"\nmsgstr "b\\q"\n', "2", "bad-po"),
        (b'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n', "2", "bad-po"),
        (b'"a"\n', "1", "bad-po"),
        (b'msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "3", "entry-twice"),
        (b'msgid ""\nmsgstr "Content-Type: text/plain; charset=latin-1\\n"\n', "1", "not-utf-8"),
        (b'msgid ""\nmsgstr "POT-Creation-Date: x\\n"\n', "1", "bad-po"),
        (b'msgid ""\nmsgstr "Plural-Forms: nplurals=x\\n"\n', "1", "bad-po"),
        (
            b'msgid "a"\nmsgstr ""\n' + b'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n' * 300,
            "",
            "too-long",
        ),
        (b"".join(b'msgid "%d"\nmsgstr ""\n' % n for n in range(10_100)), "20001", "too-many"),
        (b"# " + b"a" * 2_100_000, "", "file-too-large"),
        (b'msgid "a"\nmsgstr "\x07"\n', "2", "bad-character"),
    ],
)
def test_a_hostile_file_is_refused_with_its_line(
    tmp_path: Path, content: bytes, line: str, code: str
) -> None:
    path = tmp_path / "de.po"
    path.write_bytes(content)
    message = refusal(path)
    assert f"[{code}]" in message
    assert message.startswith(f"de.po:{line}")


def test_a_translation_that_is_too_long_for_its_place_is_an_error(folder: Path) -> None:
    translate(folder, ("Movement", "Be" + "we gung" * 60))
    assert codes(folder)[0] == "long-translation"


# What has not followed


def test_lint_says_which_texts_have_no_translation_and_where_they_stand(folder: Path) -> None:
    pairs = [(each.text, each.text) for each in system_texts(open_system(folder))]
    translate(folder, *[pair for pair in dict.fromkeys(pairs) if pair[0] != "Foot"])
    issues = lint_translations(open_system(folder))
    assert [issue.problem.code for issue in issues] == ["missing-translation"]
    assert "Foot" in issues[0].problem.line_text
    assert issues[0].severity == "error"


def test_lint_says_which_translation_has_no_text_any_more(folder: Path) -> None:
    translate(folder, ("Movement", "Bewegung"), ("Swimming", "Schwimmen"))
    stale = [
        issue.problem
        for issue in lint_translations(open_system(folder))
        if issue.problem.code == "stale-translation"
    ]
    assert [problem.location.line for problem in stale] == [7]
    assert 'msgid "Swimming"' in stale[0].line_text


def test_a_whole_translation_has_no_findings(folder: Path) -> None:
    texts = dict.fromkeys(each.text for each in system_texts(open_system(folder)))
    translate(folder, *[(text, text) for text in texts])
    assert codes(folder) == []


# muster translate


@pytest.fixture
def updated(folder: Path) -> Callable[[], str]:
    """Return what updates the German translation and returns the file's text."""

    def update() -> str:
        path = folder / "translations" / "de.po"
        system: System = open_system(folder)
        result = update_translation(system, "de", system_texts(system), path, "de.po")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(result.data)
        return result.data.decode()

    return update


def test_a_new_file_has_every_text_once_and_is_read_again(
    folder: Path, updated: Callable[[], str]
) -> None:
    text = updated()
    assert text.count('msgid "Movement"\nmsgstr ""\n') == 1
    written = {each.text for each in system_texts(open_system(folder))}
    assert {entry.text for entry in open_system(folder).translation("de").entries} == written


def test_updating_again_changes_nothing(updated: Callable[[], str]) -> None:
    assert updated() == updated()


def test_a_changed_text_keeps_its_translation_as_doubtful(
    folder: Path, updated: Callable[[], str]
) -> None:
    translate(folder, ("Some words have a meaning of their own.", "Einige Wörter bedeuten mehr."))
    spoil(folder / "prose" / "02-turn.md", "Some words have", "Some words may have")
    text = updated()
    assert '#, fuzzy\n#| msgid "Some words have a meaning of their own."' in text
    assert 'msgid "Some words may have a meaning of their own."\nmsgstr "Einige Wörter bed' in text


def test_the_translation_of_a_text_that_is_gone_is_kept_and_comes_back(
    folder: Path, updated: Callable[[], str]
) -> None:
    translate(folder, ("Movement", "Bewegung"), ("Zzyzx qqq", "Schwimmen"))
    text = updated()
    assert '#~ msgid "Zzyzx qqq"\n#~ msgstr "Schwimmen"' in text
    spoil(folder / "prose" / "02-turn.md", "Some words have a meaning of their own.", "Zzyzx qqq")
    text = updated()
    assert 'msgid "Zzyzx qqq"\nmsgstr "Schwimmen"' in text
    assert "#~" not in text


def test_an_entry_for_one_place_stays_when_the_file_is_updated(
    folder: Path, updated: Callable[[], str]
) -> None:
    place = 'msgctxt "tables/movement.title"\nmsgid "Movement"\nmsgstr "Bewegungsweiten"\n'
    translate(folder, ("Movement", "Bewegung"), extra=place)
    updated()
    german = open_system(folder).in_language("de")
    assert german.table("movement").title == "Bewegungsweiten"
    assert german.chapter("movement").title == "Bewegung"


# What else reads a system


def test_a_fault_in_translated_prose_stands_in_the_translation(folder: Path) -> None:
    text = "Some words have a meaning of their own."
    translate(folder, ("Movement", "Bewegung"), (text, "Einige <b>Wörter</b> bedeuten mehr."))
    problems = [
        issue.problem
        for issue in lint_translations(open_system(folder))
        if issue.problem.code != "missing-translation"
    ]
    assert [problem.code for problem in problems] == ["raw-html"]
    assert problems[0].location.file.endswith("translations/de.po")
    assert problems[0].location.line == 7


def test_every_block_of_prose_is_one_text_however_it_is_wrapped() -> None:
    text = '## A head\n\nOne\nline.\n\n!!! note "Title"\n    Its\n    text.\n\n- an\n  item\n'
    words = [block.words for block in split_blocks(text) if block.words]
    assert words == ["A head", "One line.", "Title", "Its text.", "an item"]


def test_prose_that_is_put_together_again_reads_the_same(folder: Path) -> None:
    for path in sorted((folder / "prose").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        again = "\n".join(block.with_words(block.words) for block in split_blocks(text))
        assert " ".join(again.split()) == " ".join(text.split())
        assert [block.words for block in split_blocks(again)] == [
            block.words for block in split_blocks(text)
        ]


def test_an_army_is_read_and_judged_as_without_a_translation(folder: Path) -> None:
    army = folder.parents[1] / "armies" / "club" / "first.yaml"
    library = Library(folder.parents[1], folder.parents[1])
    before = check(load_army(army, library))
    texts = dict.fromkeys(each.text for each in system_texts(open_system(folder)))
    translate(folder, *[(text, f"{text} auch") for text in texts if "{" not in text])
    after = check(load_army(army, Library(folder.parents[1], folder.parents[1])))
    assert (after.legal, after.points) == (before.legal, before.points)


def test_diff_tells_what_a_translation_has_not_followed(folder: Path) -> None:
    texts = dict.fromkeys(each.text for each in system_texts(open_system(folder)))
    translate(folder, *[(text, text) for text in texts], ("Swimming rules", "Schwimmen"))
    words = "Some words have a meaning of their own."
    spoil(folder / "prose" / "02-turn.md", words, "Some words may have a meaning of their own.")
    spoil(folder / "tables" / "movement.yaml", "label: Rough}", "label: Zzyzx qqq}")
    [lag] = translation_lags(open_system(folder))
    found = {(each.kind, each.old, each.new) for each in lag.texts}
    assert ("changed", words, "Some words may have a meaning of their own.") in found
    assert ("added", "", "Zzyzx qqq") in found
    assert ("removed", "Swimming rules", "") in found


def test_a_german_rulebook_depends_on_its_translation(folder: Path) -> None:
    path = translate(folder, ("Movement", "Bewegung"))
    system = open_system(folder)
    for _ in range(2):  # The second time from the cache.
        with record_dependencies() as dependencies:
            gather_rulebook(system, GERMAN)
        assert str(path) in {dependency.path for dependency in dependencies}


def test_a_file_that_is_named_after_no_language_is_an_error(folder: Path) -> None:
    path = translate(folder, ("Movement", "Bewegung"))
    path.rename(path.with_name("german.po"))
    assert codes(folder) == ["bad-language"]
    assert open_system(folder).translation_languages() == []


def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    path = translate(folder, ("Movement", "Bewegung"))
    path.rename(tmp_path / "elsewhere.po")
    path.symlink_to(tmp_path / "elsewhere.po")
    assert codes(folder) == ["link-leads-out"]
