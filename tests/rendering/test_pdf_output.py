"""Tests of writing PDFs: every object can be read again; books for a press or an archive."""

from __future__ import annotations

import json
import re
import shutil
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import page
import pydyf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from weasyprint import HTML

from muster.documents.rulebook import gather_rulebook
from muster.problems import MusterError
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.pdf_output import UA_1, PdfTarget, Separation, UnprintableError, write_pdf
from muster.rendering.printed import PrintError
from muster.rendering.rulebook_pages import rulebook_pdf
from muster.systems import open_system
from muster.systems.lint import prose_issues
from muster.systems.press_profile import PressProfile
from tests.pages.printed import MM
from tests.press import press_profile
from tests.scaffold import lay_out

PAGE = "<html lang=en><title>Sample</title><h1>One</h1><p>abc <a href='#x'>x</a><p id=x>é 12"


def made() -> pydyf.PDF:
    return UA_1.make_pdf(HTML(string=PAGE).render())


def objects(data: bytes) -> list[str]:
    """Return all objects of a PDF with their streams, except those that locate others."""
    reader = PdfReader(BytesIO(data), strict=True)
    found = []
    for number in range(1, int(str(reader.trailer["/Size"]))):
        each: Any = reader.get_object(number)
        if each.get("/Type") not in {"/ObjStm", "/XRef"}:
            told = f"{each} {each.get_data() if hasattr(each, 'get_data') else ''}"
            found.append(re.sub(r"IndirectObject\((\d+), 0, \d+\)", r"\1 0 R", told))
    return found


def test_every_object_is_as_pydyf_writes_it() -> None:
    usual = BytesIO()
    made().write(usual, b"1.7", compress=True)

    ours = write_pdf(made())

    assert len(objects(ours)) > 30
    assert objects(ours) == objects(usual.getvalue())
    assert len(ours) < 1.05 * len(usual.getvalue())


@given(texts=st.lists(st.text("a(Ü)\\日 "), max_size=300), told=st.booleans())
def test_any_number_of_objects_can_be_read_again(*, texts: list[str], told: bool) -> None:
    pdf = pydyf.PDF()
    pdf.pages["Count"] = 0
    if told:
        pdf.info["Title"] = pydyf.String("All")
    numbers = []
    for at, text in enumerate(texts):
        about = pydyf.Dictionary({"Text": pydyf.String(text)})
        pdf.add_object(pydyf.Stream([b"x" * at], about) if at % 3 == 0 else about)
        numbers.append(len(pdf.objects) - 1)

    reader = PdfReader(BytesIO(write_pdf(pdf)), strict=True)

    read: list[Any] = [reader.get_object(number) for number in numbers]
    assert [str(each["/Text"]) for each in read] == texts
    assert [len(each.get_data()) for each in read[::3]] == list(range(0, len(texts), 3))
    assert (reader.metadata is not None) == told


@pytest.mark.parametrize("is_compressed", [True, False])
def test_no_stream_ends_with_a_carriage_return(*, is_compressed: bool) -> None:
    texts = (b"BT %d ET" % n for n in range(10_000))
    text = next(each for each in texts if zlib.compress(each, 9).endswith(b"\r"))
    extra = {} if is_compressed else {"Filter": "/FlateDecode"}
    held = text if is_compressed else zlib.compress(text, 9)
    pdf = pydyf.PDF()
    pdf.add_object(pydyf.Stream([held], {"Mark": 1, **extra}, compress=is_compressed))

    written = write_pdf(pdf)

    assert b"\r\nendstream" not in written
    assert f"/Length {len(zlib.compress(text, 9)) + 1}".encode() in written
    read: Any = PdfReader(BytesIO(written), strict=True).get_object(pdf.objects[-3].number)
    assert (read.get_data(), read["/Mark"]) == (text, 1)


@pytest.mark.parametrize(("variant", "version"), [("pdf/a-3a", "1.7"), ("pdf/x-4", "1.6")])
def test_id_of_a_file_is_that_of_its_content(variant: str, version: str) -> None:
    target = PdfTarget(variant)

    def ids(more: str = "") -> list[str]:
        data = target.write(target.make_pdf(HTML(string=PAGE + more).render()))
        assert data.startswith(f"%PDF-{version}".encode())
        return [str(each) for each in PdfReader(BytesIO(data)).trailer["/ID"]]  # type: ignore[attr-defined]  # pypdf's types

    first, second = ids("<p>z")
    assert first == second
    assert len(first) == 32
    assert ids("<p>y") != [first, second]


def test_file_for_screen_readers_has_no_id() -> None:
    assert "/ID" not in PdfReader(BytesIO(UA_1.write(made()))).trailer


def test_same_objects_give_the_same_bytes() -> None:
    assert UA_1.write(made()) == UA_1.write(made())


EDITION = 'id: road\ntitle: Road\ndate: "2025-01-31"\npaper: a5\n'
A5 = (0, 0, 148, 210)
PRESS = "pdf: x-4\nprofile: press\n"


def print_book(templates: TemplateEnvironment, folder: Path, said: str) -> bytes:
    """Print an edition of the club's rules."""
    shutil.rmtree(folder / "content", ignore_errors=True)
    lay_out(folder)
    system_folder = folder / "content" / "club"
    (system_folder / "editions").mkdir(exist_ok=True)
    (system_folder / "editions" / "press.icc").write_bytes(press_profile())
    (system_folder / "editions" / "road.yaml").write_text(EDITION + said, encoding="utf-8")
    system = open_system(system_folder)
    return rulebook_pdf(templates, gather_rulebook(system, system.edition("road")), {}).data


def boxes(data: bytes) -> dict[str, set[tuple[float, ...]]]:
    """Return the boxes of all pages in millimetres."""
    pages = PdfReader(BytesIO(data)).pages
    return {
        name: {tuple(round(float(each) / MM, 2) for each in getattr(page, name)) for page in pages}
        for name in ("mediabox", "trimbox", "bleedbox")
    }


def grown(by: float) -> set[tuple[float, ...]]:
    return {(-by, -by, A5[2] + by, A5[3] + by)}


@pytest.mark.parametrize(
    ("said", "paper", "bleed"),
    [
        ("", 0, 0),
        ("bleed: 3 mm\n", 3, 3),
        ("crop: true\n", 6, 0),
        ("bleed: 3 mm\ncrop: true\n", 9, 3),
        ("bleed: 8.5mm\ncrop: true\n", 17, 8.5),
    ],
    ids=["neither", "bleed", "crop", "both", "wide bleed"],
)
def test_trim_bleed_and_paper_are_as_the_edition_says(
    said: str, paper: float, bleed: float, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    found = boxes(print_book(templates, tmp_path, said))

    assert found == {"mediabox": grown(paper), "trimbox": grown(0), "bleedbox": grown(bleed)}


def test_ground_of_the_cover_reaches_into_the_bleed_and_no_further(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    data = print_book(templates, tmp_path, "bleed: 3 mm\ncrop: true\n")

    content = PdfReader(BytesIO(data)).pages[0].get_contents()
    assert content is not None
    grounds = {
        tuple(round(float(each) * 0.75 / MM, 1) for each in words[:4])
        for words in map(str.split, content.get_data().decode("latin-1").splitlines())
        if words[-1:] == ["re"] and len(words) == 5
    }
    # The drawing above, and the panel with the title below it.
    assert {(-3, -3, 154, 141.6), (-3, 138.6, 154, 74.4)} <= grounds


def test_archive_is_pdf_a_3_and_holds_the_data_once(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    data = print_book(templates, tmp_path, "pdf: a-3\n")

    (tmp_path / "archive.pdf").write_bytes(data)
    profile = page.ValidationProfile.PDF_A_3A
    report = page.validate_pdf(tmp_path / "archive.pdf", profile=profile)
    assert [each.message for each in report.failures] == []
    reader = PdfReader(BytesIO(data))
    (held,) = reader.attachments["club.json"]
    assert json.loads(held)["system"]["id"] == "club"
    files: Any = reader.root_object["/AF"]
    assert [each.get_object()["/AFRelationship"] for each in files] == ["/Data"]


def test_archive_is_the_same_twice(templates: TemplateEnvironment, tmp_path: Path) -> None:
    first = print_book(templates, tmp_path, "pdf: a-3\n")

    assert print_book(templates, tmp_path, "pdf: a-3\n") == first
    assert b"/CreationDate" not in first


def test_what_a_book_is_printed_for_does_not_change_what_it_says(tmp_path: Path) -> None:
    lay_out(tmp_path)
    folder = tmp_path / "content" / "club"
    (folder / "editions").mkdir(exist_ok=True)
    digests = set()
    (folder / "editions" / "press.icc").write_bytes(press_profile())
    for said in ("", "bleed: 3 mm\n", "pdf: a-3\n", PRESS):
        (folder / "editions" / "road.yaml").write_text(EDITION + said, encoding="utf-8")
        system = open_system(folder)
        digests.add(gather_rulebook(system, system.edition("road")).digest)

    assert len(digests) == 1


def operators(data: bytes) -> list[tuple[bytes, tuple[float, ...]]]:
    """Return every operation that sets a colour, on pages and in their forms, with its operands."""
    found = []
    for each in PdfReader(BytesIO(data)).pages:
        forms = each.get("/Resources", {}).get("/XObject", {}).values()
        streams = [each.get_contents(), *(form.get_object() for form in forms)]
        for stream in streams:
            content: Any = stream
            lines = content.get_data().splitlines()
            found += [
                (words[-1], tuple(map(float, words[:-1])))
                for words in map(bytes.split, lines)
                if words[-1:] and words[-1] in {b"rg", b"RG", b"k", b"K", b"g", b"G", b"cs", b"sc"}
            ]
    return found


def test_press_gets_inks_and_its_own_profile(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    data = print_book(templates, tmp_path, f"bleed: 3 mm\ncrop: true\n{PRESS}")

    colours = operators(data)
    assert {operator for operator, _ in colours} == {b"k", b"K"}
    assert (b"k", (0, 0, 0, 1)) in colours  # black text
    assert any(inks[0] > 0 for _, inks in colours)
    reader = PdfReader(BytesIO(data))
    intents: Any = reader.root_object["/OutputIntents"]
    (intent,) = intents
    assert intent["/S"] == "/GTS_PDFX"
    assert intent["/Info"] == "Press of no name"
    assert intent["/DestOutputProfile"].get_object().get_data() == press_profile()
    assert b"/DeviceRGB" not in data
    assert boxes(data) == {"mediabox": grown(9), "trimbox": grown(0), "bleedbox": grown(3)}


def test_press_gets_no_links_and_a_fixed_day_and_name(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    data = print_book(templates, tmp_path, PRESS)

    reader = PdfReader(BytesIO(data))
    assert not any("/Annots" in each for each in reader.pages)
    assert reader.outline
    facts: Any = reader.metadata
    assert facts["/CreationDate"].startswith("D:20250131000000")
    assert facts["/ModDate"].startswith("D:20250131000000")
    assert facts["/Trapped"] == "/False"
    held: Any = reader.root_object["/Metadata"].get_object()
    told = held.get_data()
    assert b"<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>" in told
    assert print_book(templates, tmp_path, PRESS) == data


def test_other_books_of_a_press_have_other_names(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    name = re.compile(rb"xmp\.did:([0-9a-f-]{36})")
    first, second = (
        name.findall(print_book(templates, tmp_path, f"{PRESS}subtitle: {said}\n"))
        for said in ("One", "Two")
    )

    assert len(first) == len(second) == 1
    assert first != second


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (b"no profile at all", "editions/press.icc is not a complete ICC profile"),
        (press_profile()[:-1], "editions/press.icc is not a complete ICC profile"),
        (
            press_profile().replace(b"prtr", b"mntr"),
            "class 'mntr' for CMYK, expected the profile of a press",
        ),
        (
            press_profile().replace(b"CMYK", b"RGB ", 1),
            "class 'prtr' for RGB, expected the profile of a press",
        ),
        (None, "editions/press.icc: there is no such file"),
    ],
    ids=["text", "cut short", "monitor", "RGB", "missing"],
)
def test_no_profile_of_a_press_is_told_at_its_name(
    held: bytes | None, said: str, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    print_book(templates, tmp_path, "")
    folder = tmp_path / "content" / "club"
    (folder / "editions" / "road.yaml").write_text(EDITION + PRESS, encoding="utf-8")
    if held is None:
        (folder / "editions" / "press.icc").unlink()
    else:
        (folder / "editions" / "press.icc").write_bytes(held)
    system = open_system(folder)

    flaws = [each.problem for each in prose_issues(system)]
    with pytest.raises(MusterError) as caught:
        gather_rulebook(system, system.edition("road"))

    assert [said in each.text for each in flaws] == [True]
    assert (flaws[0].code, flaws[0].location.line) == ("no-profile", 6)
    assert caught.value.problems == tuple(flaws)


@pytest.mark.parametrize(
    "said",
    ["pdf: x-4\n", "profile: press\n", "pdf: a-3\nprofile: press\n"],
    ids=["no profile", "no variant", "archive"],
)
def test_press_and_profile_go_together(
    said: str, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    with pytest.raises(MusterError, match="`pdf: x-4` and `profile:`"):
        print_book(templates, tmp_path, said)


def test_profile_that_cannot_be_used_stops_the_print(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    print_book(templates, tmp_path, "")
    folder = tmp_path / "content" / "club"
    (folder / "editions" / "road.yaml").write_text(EDITION + PRESS, encoding="utf-8")
    spoilt = press_profile().replace(b"mft1", b"none")
    (folder / "editions" / "press.icc").write_bytes(spoilt)
    system = open_system(folder)

    with pytest.raises(PrintError, match=r"the profile press\.icc cannot be used"):
        rulebook_pdf(templates, gather_rulebook(system, system.edition("road")), {})


def test_image_is_no_ink() -> None:
    pdf = pydyf.PDF()
    pdf.add_object(pydyf.Stream([b""], {"Subtype": "/Image"}))

    with pytest.raises(UnprintableError, match="print images"):
        Separation(PressProfile("press", press_profile()), "name", "2025-01-31").finish(pdf)


@pytest.mark.parametrize(
    ("colour", "inks"),
    [
        ((0, 0, 0), (0, 0, 0, 1)),
        ((1, 1, 1), (0, 0, 0, 0)),
        ((0.25, 0.25, 0.25), (0, 0, 0, 0.75)),
    ],
    ids=["black", "white", "grey"],
)
def test_greys_print_in_black_alone(colour: tuple[float, float, float], inks: object) -> None:
    assert (
        Separation(PressProfile("press", press_profile()), "", "2025-01-31").inks(*colour) == inks
    )


def test_blue_prints_in_cyan_and_magenta() -> None:
    separation = Separation(PressProfile("press", press_profile()), "", "2025-01-31")

    cyan, magenta, yellow, black = separation.inks(0.1, 0.2, 0.6)

    assert min(cyan, magenta) > 0.5
    assert yellow == 0
    assert black < 0.5


def test_profile_of_the_sixth_system_is_made_by_our_formula() -> None:
    held = Path(__file__).parents[1] / "sixth" / "content" / "sixth" / "editions" / "nowhere.icc"

    assert held.read_bytes() == press_profile()
