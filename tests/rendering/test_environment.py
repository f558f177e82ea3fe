"""Tests of templates: which folder comes first, and how faults are reported."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.glyphs import FACES
from muster.rendering.printed import PrintError
from tests.rendering.conftest import TEMPLATES


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a template folder of the user's own."""
    (tmp_path / "sheet").mkdir()
    return tmp_path


def write(own: Path, text: str, name: str = "own.html.j2") -> TemplateEnvironment:
    (own / "sheet" / name).write_text(text, encoding="utf-8")
    return TemplateEnvironment([own, TEMPLATES])


def test_own_template_takes_the_place_of_a_shipped_one(own: Path) -> None:
    templates = write(own, "mine: {{ name }}", "print.html.j2")

    assert templates.render("sheet/print.html.j2", name="x") == "mine: x"
    assert templates.find_file("sheet/print.html.j2") == own / "sheet" / "print.html.j2"
    assert templates.find_file("sheet/sheet.css") == TEMPLATES / "sheet" / "sheet.css"


def test_values_are_escaped(own: Path) -> None:
    assert write(own, "{{ name }}").render("sheet/own.html.j2", name="<b>") == "&lt;b&gt;"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n{{ nothing }}", "sheet/own.html.j2, line 2, cannot be filled in: 'nothing' is undef"),
        ("{{ name.nothing }}", "sheet/own.html.j2, line 1, cannot be filled in: 'str object' has"),
        ("\n\n{% if %}", "sheet/own.html.j2, line 3, cannot be filled in: Expected an expression"),
        ('{% include "nothing.j2" %}', "cannot be filled in: there is no template 'nothing.j2'"),
        ("{{ name | nothing }}", "line 1, cannot be filled in: No filter named 'nothing'"),
    ],
    ids=["undefined", "attribute", "syntax", "include", "filter"],
)
def test_template_that_cannot_be_filled_in_is_told(text: str, said: str, own: Path) -> None:
    with pytest.raises(PrintError) as caught:
        write(own, text).render("sheet/own.html.j2", name="x")

    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "{{ 1 / 0 }}",
        "{{ 1 + name }}",
        "{{ name[name] }}",
        "{{ range('a') }}",
        "{{ name.upper(1) }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% include 'sheet/own.html.j2' %}",
    ],
)
def test_wrong_expression_is_the_templates_mistake_and_no_bug(text: str, own: Path) -> None:
    with pytest.raises(PrintError, match=r"the template sheet/own\.html\.j2, line 1, cannot be"):
        write(own, text).render("sheet/own.html.j2", name="x")


def test_what_our_own_function_raises_is_no_mistake_of_a_template(own: Path) -> None:
    with pytest.raises(AttributeError):
        write(own, "{{ 5 | drawing }}").render("sheet/own.html.j2")


@dataclass(frozen=True)
class Figure:
    """Stands for what is printed: its fields may be read, its methods are not for templates."""

    name: str = "Old Guard"
    values: dict[str, list[int]] = field(default_factory=lambda: {"move": [4, 6]})
    file: Path = Path(__file__)

    def erase(self) -> str:
        raise AssertionError


@pytest.mark.parametrize(
    "text",
    [
        "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
        "{{ joiner }}",
        "{{ lipsum.__globals__ }}",
        "{{ dict.__base__ }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ ('' | attr('__class__')).__mro__ }}",
        "{{ (figure | attr('erase'))() }}",
        "{{ [figure] | map(attribute='__class__') | first }}",
        "{{ '{0.__class__}'.format(figure) }}",
        "{{ '{0.__class__}'.format_map({'0': figure}) }}",
        "{{ ('{0.__class__}' | safe).format(figure) }}",
        "{% set f = '{0.__class__}'.format %}{{ f(figure) }}",
        "{{ (['{0.__class__}'] | map('attr', 'format') | first)(figure) }}",
        "{{ badge.__globals__ }}",
        "{{ range.__self__ }}",
        "{{ range(100001) | list }}",
        "{{ namespace.__init__ }}",
        "{{ self._TemplateReference__context }}",
        "{{ self.__init__.__globals__ }}",
        "{{ loop }}",
        "{% for _ in [1] %}{{ loop.__init__.__globals__ }}{% endfor %}",
        "{% macro m() %}{% endmacro %}{{ m._environment }}",
        "{% macro m() %}{% endmacro %}{{ m.__init__.__globals__ }}",
        "{% import 'sheet/own.html.j2' as t %}{{ t.__loader__ }}",
        "{% import 'sheet/own.html.j2' as t %}{{ t._body_stream }}",
        "{% include '/etc/passwd' %}",
        "{% include '../secret.j2' %}",
        "{% include 'sheet/../../secret.j2' %}",
        "{% import '../secret.j2' as t %}",
        "{% extends '../secret.j2' %}",
        "{{ figure.erase() }}",
        "{{ figure.file.read_text() }}",
        "{{ figure.__init__ }}",
        "{{ figure['__class__'] }}",
        "{{ figure.values.clear() }}",
        "{{ figure.values.update(a=1) }}",
        "{{ figure.values.move.append(1) }}",
        "{{ figure.values.move.clear() }}",
        "{% do figure.values.move.append(1) %}",
        "{% set figure.name = 'x' %}",
    ],
)
def test_template_reaches_nothing_but_its_data(text: str, own: Path) -> None:
    (own / "secret.j2").write_text("secret")
    mine = own / "templates"
    (mine / "sheet").mkdir(parents=True)
    figure = Figure()

    with pytest.raises(PrintError, match="cannot be filled in"):
        write(mine, text).render("sheet/own.html.j2", figure=figure)

    assert figure == Figure()


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{{ figure.name.upper() }}", "OLD GUARD"),
        ("{{ figure.values.get('move') | join('-') }}", "4-6"),
        ("{% for key, value in figure.values.items() %}{{ key }}{% endfor %}", "move"),
        ("{% for _ in range(3) %}{{ loop.cycle('a', 'b') }}{% endfor %}", "aba"),
        ("{% set n = namespace(sum=0) %}{% set n.sum = n.sum + 2 %}{{ n.sum }}", "2"),
        ("{% macro m(a) %}{{ a }}{{ caller() }}{% endmacro %}{% call m(1) %}2{% endcall %}", "12"),
        ("{% block a %}x{% endblock %}{{ self.a() }}", "xx"),
    ],
)
def test_template_may_do_what_templates_do(text: str, printed: str, own: Path) -> None:
    assert write(own, text).render("sheet/own.html.j2", figure=Figure()) == printed


@pytest.mark.parametrize("name", ["sheet/print.html.j2", "sheet/sheet.css", "base/screen.js"])
def test_template_file_that_links_elsewhere_is_refused(name: str, own: Path) -> None:
    mine = own / "templates"
    (mine / name).parent.mkdir(parents=True)
    (own / "secret").write_text("secret")
    (mine / name).symlink_to(own / "secret")
    templates = TemplateEnvironment([mine, TEMPLATES])

    with pytest.raises(PrintError, match="this is a link out of its folder"):
        _ = templates.render(name) if name.endswith(".j2") else templates.read_style(name)


def test_font_that_links_elsewhere_is_in_no_page(own: Path) -> None:
    (own / "templates" / "fonts").mkdir(parents=True)
    (own / "secret").write_text("secret")
    (own / "templates" / "fonts" / "MusterSans-Regular.woff2").symlink_to(own / "secret")

    with pytest.raises(PrintError, match="this is a link out of its folder"):
        _ = TemplateEnvironment([own / "templates", TEMPLATES]).inlined_faces


def test_template_that_is_no_text_is_told(own: Path) -> None:
    (own / "sheet" / "own.html.j2").write_bytes(b"\xff")

    with pytest.raises(PrintError, match="not valid UTF-8"):
        TemplateEnvironment([own]).render("sheet/own.html.j2")


def test_template_that_is_missing_is_told(own: Path) -> None:
    with pytest.raises(PrintError, match=r"the template sheet/no\.j2 cannot be filled in"):
        TemplateEnvironment([own]).render("sheet/no.j2")


def test_style_that_is_missing_is_an_error(own: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"sheet/no\.css"):
        TemplateEnvironment([own, TEMPLATES]).read_style("sheet/no.css")


def test_every_face_is_declared_for_print(templates: TemplateEnvironment) -> None:
    assert templates.faces.count("@font-face") == len(FACES)
    assert "data:" not in templates.faces


def test_only_faces_that_are_small_go_into_a_page(templates: TemplateEnvironment) -> None:
    files = list(TEMPLATES.rglob("*.woff2"))

    assert templates.inlined_faces.count("@font-face") == len(files) // 2
    assert (
        templates.inlined_letters.count("unicode-range: U+384-3CE, U+400-491;") == len(files) // 2
    )
    assert "file:" not in templates.inlined_faces + templates.inlined_letters
