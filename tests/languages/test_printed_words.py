"""Tests that documents of a German system say German words, and no English ones of ours."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from muster.building.jobs import Job, Request
from muster.documents.index_page import ArmyDocuments, BuildIndex, BuiltFile, SystemDocuments
from muster.documents.rulebook import Rulebook, gather_rulebook, read_editions
from muster.documents.website import make_searchable
from muster.editions.snapshot import edition_data
from muster.problems import MusterError
from muster.rendering.dispatch import RenderOptions, render_document
from muster.rendering.environment import TemplateEnvironment
from muster.systems import Library
from tests.languages.conftest import content_words, words_in
from tests.plans import build_plan, make_plan
from tests.scaffold import SYSTEM, lay_out, spoil

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
KINDS = ("roster", "cards", "sheet", "book", "tokens", "rulebook", "web")


TOKENS = """
tokens:
  - {id: routed, label: Routed, text: 25%, number: 2, shape: round, tone: morale}
"""


class _Seen(HTMLParser):
    """Collects what a reader or a screen reader is told by a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        told = {"alt", "aria-label", "title", "placeholder", "data-label"}
        self.texts += [value for name, value in attrs if name in told and value]

    def handle_endtag(self, _: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            # What a style sheet prints beside the text, such as page numbers.
            for rule in re.findall(r"content: *([^;}]*)", data):
                self.texts += re.findall(r'"([^"]*)"', rule)
        elif self._inside != "script":
            self.texts.append(data)


def seen_on(page: str) -> list[str]:
    """Return the texts of a page."""
    parser = _Seen()
    parser.feed(page)
    return [text.strip() for text in parser.texts if text.strip()]


class Recorder(TemplateEnvironment):
    """Templates that keep the pages they fill in."""

    def __init__(self) -> None:
        super().__init__([TEMPLATES])
        self.pages: list[str] = []

    def render(self, template: str, **data: Any) -> str:
        page = super().render(template, **data)
        self.pages.append(page)
        return page


def jobs_of(folder: Path, kind: str, *formats: str) -> list[Job]:
    plan = make_plan(Library(folder), [SYSTEM], [kind], formats, ("a4",))
    assert plan.problems == []
    jobs = [job for job in plan.jobs if job.kind == kind]
    assert jobs
    return jobs


def print_job(templates: TemplateEnvironment, job: Job) -> str:
    options = RenderOptions(job.kind, job.format, job.variant, job.paper, "index.html", job.beside)
    return render_document(templates, options, job.data, {}).data.decode("utf-8", "replace")


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """Return a folder with a German system."""
    content = lay_out(tmp_path)
    spoil(content / "system.yaml", "unit: cm", "language: de\nunit: cm")
    spoil(tmp_path / "armies" / SYSTEM / "first.yaml", "\nname: ", "\nplayer: Ada\nname: ")
    (content / "tokens.yaml").write_text(TOKENS, encoding="utf-8")
    return tmp_path


OURS = {"muster", "cm", "qr"}
"""Names and signs, which are the same in every language."""


@pytest.mark.parametrize(
    ("kind", "format_"),
    [
        *((kind, "html") for kind in KINDS),
        *(pytest.param(kind, "pdf", marks=pytest.mark.slow) for kind in KINDS if kind != "web"),
    ],
)
@pytest.mark.usefixtures("no_words")
def test_every_word_is_of_the_catalogues_or_of_the_content(
    kind: str, format_: str, german: Path
) -> None:
    known = content_words(german) | OURS
    templates = Recorder()
    for job in jobs_of(german, kind, format_):
        templates.pages.clear()
        page = print_job(templates, job)
        if job.variant == "finds":
            # What the search shows of each entry: its title, where it is, and its text.
            rows = [json.loads(row.rstrip(",")) for row in page.splitlines() if row[:2] == '["']
            templates.pages = [" ".join((row[1], row[2], row[4])) for row in rows]
        assert templates.pages or not job.path.endswith((".html", ".pdf")), job.path
        left = {
            text for page in templates.pages for text in seen_on(page) if words_in(text) - known
        }
        assert left == set(), job.path


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("roster", {"Armeeliste", "Zulässig", "Verluste", "Stärke", "Summe", "Alle Dokumente"}),
        ("sheet", {"Ausgabe 1.0", "Zentimeter", "Erstellt mit Muster."}),
        ("book", {"Armeebuch", "Preis", "Punkte", "Eine Armee aufstellen"}),
        ("rulebook", {"Inhalt", "Vor dem Spiel zu klären", "Glossar", "Register", "Impressum"}),
        ("web", {"Inhalt", "Suche", "Farben", "Regelausgabe 1.0"}),
        ("tokens", {"Marker", "2 zum Ausschneiden auf Papier"}),
        ("cards", {"Alle Dokumente", "Nichts auf dieser Seite enthält alle diese Wörter."}),
    ],
)
def test_page_of_a_german_system_is_german(kind: str, said: set[str], german: Path) -> None:
    page = print_job(TemplateEnvironment([TEMPLATES]), jobs_of(german, kind, "html")[0])

    assert '<html lang="de">' in page
    texts = seen_on(page)
    assert {word for word in said if not any(word in text for text in texts)} == set()
    assert not [text for text in texts if "{" in text]


def changed_book(folder: Path) -> Rulebook:
    """Return the German rulebook of a system in which nearly everything changed."""
    system = Library(folder).system(SYSTEM)
    old = json.loads(json.dumps(edition_data(system)))
    old["tables"][0]["rows"][0]["label"] = "Earlier"
    old["tables"].pop()
    old["prose"][1]["paragraphs"][0] = "Earlier."
    old["prose"].pop()
    del old["books"]
    return gather_rulebook(system, read_editions(system)[0], json.dumps(old))


@pytest.mark.usefixtures("no_words")
def test_every_word_of_a_list_of_changes_is_of_the_catalogues_or_of_the_content(
    german: Path,
) -> None:
    known = content_words(german) | OURS | {"earlier", "label"}
    templates = Recorder()
    options = RenderOptions("rulebook", "html")
    render_document(templates, options, make_searchable(changed_book(german)), {})

    left = {text for page in templates.pages for text in seen_on(page) if words_in(text) - known}
    assert left == set()


def test_list_of_changes_in_a_german_book_is_german(german: Path) -> None:
    book = changed_book(german)
    assert book.changes is not None

    titles = {section.title for section in book.changes.sections}
    assert {title for title in titles if title.startswith("Kapitel: ")}
    page = render_document(
        *(TemplateEnvironment([TEMPLATES]), RenderOptions("rulebook", "html")),
        *(make_searchable(book), {}),
    ).data.decode()
    assert '<span class="ch-kind changed">geändert</span>' in page
    assert "Änderungen in dieser Ausgabe" in page


def test_edition_has_a_language_of_its_own(german: Path) -> None:
    edition = german / "content" / SYSTEM / "editions" / "standard.yaml"
    text = edition.read_text(encoding="utf-8")
    edition.write_text(f"{text}\nlanguage: fr-CA\n", encoding="utf-8")
    translations = german / "content" / SYSTEM / "translations"
    translations.mkdir()
    (translations / "fr.po").write_text('msgid "Movement"\nmsgstr "Mouvement"\n', "utf-8")

    page = print_job(TemplateEnvironment([TEMPLATES]), jobs_of(german, "rulebook", "html")[0])

    assert '<html lang="fr-CA">' in page
    texts = seen_on(page)
    assert "Sommaire" in texts
    assert "Inhalt" not in texts


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("roster", "roster.html", '"Alle Haken entfernen"'),
        ("sheet", "quick-reference.html", '" von "'),
        ("web", "search.js", '"Nichts gefunden"'),
        ("web", "reading.js", '"Erklärung"'),
    ],
)
def test_scripts_of_a_german_system_say_german_words(
    kind: str, name: str, said: str, german: Path
) -> None:
    job = next(job for job in jobs_of(german, kind, "html") if job.path.endswith(f"/{name}"))
    script = print_job(TemplateEnvironment([TEMPLATES]), job)

    assert said in script
    assert not re.search(r"\bsay\(", script)


def test_documents_of_two_languages_are_not_mixed_by_one_process(german: Path) -> None:
    templates = TemplateEnvironment([TEMPLATES])
    job = jobs_of(german, "roster", "html")[0]
    spoil(german / "content" / SYSTEM / "system.yaml", "language: de", "language: en")
    english = jobs_of(german, "roster", "html")[0]

    pages = [seen_on(print_job(templates, each)) for each in (job, english, job)]

    assert pages[0] == pages[2]
    assert "Verluste" in pages[0]
    assert "Losses" not in pages[0]
    assert "Losses" in pages[1]
    assert "Verluste" not in pages[1]


def test_one_worker_prints_systems_of_two_languages_in_turn(german: Path, tmp_path: Path) -> None:
    lay_out(german, "guild")
    plan = make_plan(Library(german), ["club", "guild"], ["roster"], ["html"])
    assert plan.problems == []
    plan.jobs.sort(key=lambda job: (job.path.rpartition("/")[2], job.path))

    outcome = build_plan(plan, tmp_path / "out", [TEMPLATES], "mark", workers=1)

    assert not outcome.failed
    for job in plan.jobs:
        texts = seen_on((tmp_path / "out" / job.path).read_text(encoding="utf-8"))
        german_and_english = ("Summe" in texts, "Total" in texts)
        assert german_and_english == ((True, False) if job.system == SYSTEM else (False, True))


def test_arithmetic_of_a_price_has_the_decimal_mark_of_the_language(german: Path) -> None:
    page = print_job(TemplateEnvironment([TEMPLATES]), jobs_of(german, "roster", "html")[0])

    assert "6 × (3 + 0,5) = 21" in page


def test_titles_of_documents_are_in_the_language_of_their_system(german: Path) -> None:
    titles = {job.title for job in jobs_of(german, "roster", "html", "pdf")}
    assert "Armeeliste auf einer Seite" in titles


@pytest.mark.parametrize("kind", KINDS)
def test_document_in_another_language_is_another_document(kind: str, german: Path) -> None:
    before = jobs_of(german, kind, "html")[0]
    spoil(german / "content" / SYSTEM / "system.yaml", "language: de", "language: de-AT")
    after = jobs_of(german, kind, "html")[0]

    assert before.path == after.path
    assert before.fingerprint("same") != after.fingerprint("same")


@pytest.mark.parametrize("language", ["nl", "German", "xx-YY", "d"])
def test_language_without_words_is_refused_at_its_place(language: str, german: Path) -> None:
    system = german / "content" / SYSTEM / "system.yaml"
    spoil(system, "language: de", f"language: {language}")

    with pytest.raises(MusterError) as raised:
        Library(german).system(SYSTEM)

    (problem,) = raised.value.problems
    assert problem.location.line == 1 + system.read_text("utf-8").split("language:")[0].count("\n")
    assert f"read {language!r}, expected one of de, en, fr" in problem.render()
    assert "such as de or en-GB" in problem.render()


@pytest.mark.parametrize("language", ["en-GB", "de-AT", "fr-CA", "DE"])
def test_language_with_a_region_is_taken(language: str, german: Path) -> None:
    system = german / "content" / SYSTEM / "system.yaml"
    spoil(system, "language: de", f"language: {language}")

    assert Library(german).system(SYSTEM).identity.language == language


def index_in(language: str) -> str:
    """Return the index of a build with a system that is in two languages, as a page."""
    pages = ("club/web/index.html", "club/web-de/index.html")
    files = tuple(BuiltFile(path, "web", "Klub", "html", "", "1 kB", 2) for path in pages)
    army = ArmyDocuments("x", "X", legal=False, points="1,5", limit="2", findings=2, files=())
    club = SystemDocuments("club", "Klub", "1.0", files, (army,))
    index = BuildIndex("0.1.0", (club,), ("?",), waiting=1, language=language)
    options = RenderOptions("index", "html", "", "", "index.html", ())
    return render_document(TemplateEnvironment([TEMPLATES]), options, index, {}).data.decode()


def test_index_of_a_build_is_in_the_language_that_is_asked_for() -> None:
    german = seen_on(index_in("de"))

    assert {"Am Tisch", "Nicht zulässig", "Was nicht erzeugt werden konnte"} <= set(german)
    assert "· 1,5 von 2 Punkten · 2 Beanstandungen" in german
    assert Request(Path(), languages=("de",)).index_language == "de"
    assert Request(Path(), languages=("de", "en")).index_language == "en"
    assert "At the table" in seen_on(index_in("en"))


@pytest.mark.usefixtures("no_words")
def test_every_word_of_the_index_is_of_the_catalogues() -> None:
    ours = {"muster", "klub", "kb", "html", "club", "web"}
    assert {text for text in seen_on(index_in("de")) if words_in(text) - ours} == set()


def test_index_searches_a_game_in_all_its_languages() -> None:
    (games,) = re.findall(r'data-games="([^"]*)"', index_in("en"))
    assert json.loads(html.unescape(games)) == [
        ["Klub", "club/web/"],
        ["Klub", "club/web-de/"],
    ]
