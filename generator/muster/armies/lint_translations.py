"""Check translations of a system: what has not followed its texts, and what cannot be printed."""

from __future__ import annotations

from collections.abc import Iterator

from muster.armies.system_texts import PlacedText, system_texts
from muster.problems import Location, MusterError, Problem, did_you_mean
from muster.systems import System
from muster.systems.identity import expected_language, is_language
from muster.systems.lint import LintIssue, as_errors, as_warning
from muster.systems.translations import Translation, misfit

_MOST_TOLD = 20
"""Missing texts that are reported one by one; of more, the last report tells the number. Also texts
that are gone for which the nearest one is sought."""

_MISSING = "missing-translation"
"""The code for a text of the system that has no translation."""
_DOUBTFUL = "doubtful-translation"
"""The code for a text that has changed since it was translated: it is printed untranslated."""
_UNTRANSLATED = (_MISSING, _DOUBTFUL)


def lint_translations(system: System) -> list[LintIssue]:
    """Check every translation of a system. One that has faults of its own is not compared."""
    issues = as_errors(_misnamed(system))
    languages = system.translation_languages()
    if not languages:
        return issues
    try:
        texts = system_texts(system)
    except MusterError:
        return issues  # Reported where the system itself is checked.
    for language in languages:
        try:
            translation = system.translation(language)
        except MusterError as error:
            issues += as_errors(error.problems)
            continue
        issues += as_errors(_misfits(translation, texts))
        issues += map(as_warning, _stale_entries(translation, texts))
        issues += as_errors(_doubtful_entries(translation, texts))
        issues += map(as_warning, _dead_entries(translation))
        issues += as_errors(_missing_texts(translation, texts))
        # Missing translations do not stop the prose from being checked: it is read untranslated.
        if all(
            issue.severity == "warning" or issue.problem.code in _UNTRANSLATED for issue in issues
        ):
            issues += as_errors(_prose_problems(system, language))
    return issues


def _misnamed(system: System) -> Iterator[Problem]:
    for path in system.translation_files():
        if not is_language(path.stem):
            text = f"read {path.name!r}, expected {expected_language()}, and .po"
            yield Problem("bad-language", text, Location(system.display_path(path)))


def _misfits(translation: Translation, texts: list[PlacedText]) -> Iterator[Problem]:
    """Yield translations that are too long for a place of their text."""
    seen = set()
    for each in texts:
        entry = translation.translated(each.text, each.place)
        if entry is not None and entry.line not in seen:
            fault = misfit(entry, each.place, each.room)
            if fault is not None:
                seen.add(entry.line)
                yield translation.problem(*fault, entry)


def _stale_entries(translation: Translation, texts: list[PlacedText]) -> Iterator[Problem]:
    """Yield the entries whose text is gone, or does not stand where they say."""
    written = {each.text for each in texts}
    placed = {(each.place, each.text) for each in texts}
    gone = 0
    for entry in translation.entries:
        if entry.text not in written:
            gone += 1
            hint = did_you_mean(entry.text, written) if gone <= _MOST_TOLD else ""
            words = f"the system has no such text any more: it was changed or removed{hint}"
            yield translation.problem("stale-translation", words, entry)
        elif entry.place and (entry.place, entry.text) not in placed:
            words = f"this text does not stand at {entry.place}; the entry has no effect"
            yield translation.problem("stale-translation", words, entry)


def _doubtful_entries(translation: Translation, texts: list[PlacedText]) -> Iterator[Problem]:
    """Yield the entries whose text has changed since it was translated."""
    written = {each.text for each in texts}
    for entry in translation.entries:
        if entry.doubtful and entry.text in written:
            words = (
                "the text has changed since it was translated, and is printed untranslated: mend "
                "it, and remove `fuzzy`"
            )
            yield translation.problem(_DOUBTFUL, words, entry)


def _dead_entries(translation: Translation) -> Iterator[Problem]:
    """Yield one problem if the file keeps entries for texts that are gone (`#~`)."""
    if translation.obsolete:
        line = 1 + next(n for n, each in enumerate(translation.lines) if each.startswith("#~"))
        words = (
            f"{translation.obsolete} entries from here on (#~) are for texts that are gone: remove"
            " them, unless an older edition is still compared in this language"
        )
        yield Problem("dead-translation", words, Location(translation.file, line, 1))


def missing_texts(
    translation: Translation, texts: list[PlacedText], *, doubtful: bool = False
) -> list[PlacedText]:
    """Return the texts that have no translation, each once.

    Args:
        translation: The translation.
        texts: The texts of the system.
        doubtful: Whether a text counts whose translation is doubtful.
    """
    missing: dict[str, PlacedText] = {}
    for each in texts:
        entry = translation.entry(each.text, each.place)
        is_known = entry is not None and (bool(entry.said) or entry.doubtful)
        if not is_known or (doubtful and entry is not None and entry.doubtful):
            missing.setdefault(each.text, each)
    return list(missing.values())


def _missing_texts(translation: Translation, texts: list[PlacedText]) -> Iterator[Problem]:
    missing = missing_texts(translation, texts)
    for number, each in enumerate(missing[:_MOST_TOLD], 1):
        more = len(missing) - _MOST_TOLD
        rest = f"; {more} more have none" if number == _MOST_TOLD and more > 0 else ""
        words = f"no translation in {translation.file}: it is printed as it stands here{rest}"
        yield each.problem(_MISSING, words)


def _prose_problems(system: System, language: str) -> Iterator[Problem]:
    """Yield what is wrong with the chapters as translated, such as a heading without a word."""
    try:
        translated = system.in_language(language)
        yield from translated.readable_prose.problems
    except MusterError as error:
        yield from error.problems
