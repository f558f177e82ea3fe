"""The templates, style sheets and fonts that documents are rendered with, loaded once."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import BuiltinMethodType, CodeType, MethodType
from typing import TYPE_CHECKING, Any, ClassVar

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    Environment,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateRuntimeError,
    TemplateSyntaxError,
)
from jinja2.bccache import Bucket
from jinja2.loaders import split_template_path
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from muster.languages import say, say_number
from muster.problems import MusterError, display_path
from muster.rendering.column_widths import has_short_figures, share_width
from muster.rendering.diagrams import draw_diagram, draw_token, rows_of, space_on_sheet, width_of
from muster.rendering.drawings import (
    data_uri,
    draw_badge,
    draw_emblem,
    draw_rays,
    draw_symbol,
    draw_token_face,
    ink_on,
    lighten,
    qr_code,
)
from muster.rendering.fingerprint import templates_fingerprint
from muster.rendering.glyphs import FACES, find_template_file
from muster.rendering.printed import PICTURE_SCHEME, PrintError
from muster.rendering.prose_html import inline_html, keep_compounds, set_fractions, tie_marks
from muster.rendering.unit_columns import losses_em, parts_of, units_a_line, widths_em
from muster.yamlfile.textfile import LARGEST_BINARY, read_bytes, read_text

if TYPE_CHECKING:
    from muster.rendering.printer import Printer
    from muster.systems.pictures import Picture

SiblingPages = Sequence[tuple[str, str]]
"""Title and address of each page that an HTML page links to."""

SCREEN_SCRIPTS = ("web/stems.js", "web/find.js", "base/screen.js", "base/fit.js")
"""The scripts of a page for screens: its filter, which asks what the web edition's search asks."""

_FACE_RULE = (
    '@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style};'
    ' src: url("{address}") format("{form}");{more} }}'
)

_LETTER_RANGES = "U+384-3CE, U+400-491"
_LETTERS = re.compile("[\u0384-\u03ce\u0400-\u0491]")
"""Greek and Cyrillic letters, for which pages include fonts of their own."""


def split_measure(text: str) -> tuple[str, str]:
    """Return the number and the unit of a length such as `20 cm`; of others, no unit."""
    number, _, unit = text.rpartition("\u202f")
    return (number, unit) if number and unit.isalpha() else (text, "")


def _embedded(picture: Picture) -> str:
    """Return a picture as an address that holds its data, for pages for screens."""
    return f"data:{picture.media_type};base64,{b64encode(picture.data).decode()}"


_MOST_CUT = 0.3
"""The most of a picture's width or height that may be cut off to fill a frame."""


def fills_frame(picture: Picture, width: float, height: float) -> bool:
    """Return whether a picture fills a frame, cut at its edges; else it is shown whole in it."""
    ratio = picture.width / picture.height * height / width
    return min(ratio, 1 / ratio) >= 1 - _MOST_CUT


def _say(message: str, /, **values: object) -> Markup:
    """Return words of the interface, which are HTML, with values that are escaped."""
    return Markup(say(str(message), **_escaped(values)))  # noqa: S704 - our own words


def _say_number(one: str, many: str, number: object, /, **values: object) -> Markup:
    """Return words for a number of things, which are HTML, with values that are escaped.

    Raises:
        TemplateRuntimeError: If it is given something else than a number.
    """
    if not isinstance(number, int | Decimal):
        text = f"say_number was given {number!r}, expected a number such as 3"
        raise TemplateRuntimeError(text)
    return Markup(say_number(str(one), str(many), number, **_escaped(values)))  # noqa: S704 - as above


def _escaped(values: dict[str, object]) -> dict[str, object]:
    return {name: escape(value) for name, value in values.items()}


_SCRIPT = re.compile("(?<=<script>).*?(?=</script>)", re.DOTALL)
_SAID_IN_SCRIPT = re.compile(r'say\(("[^"\\]*")\)')


def speak_script(script: str) -> str:
    """Return a script in which each `say("words")` is the words in the language of the document."""
    return _SAID_IN_SCRIPT.sub(
        lambda found: json.dumps(say(json.loads(found[1])), ensure_ascii=False), script
    )


_WRONG_EXPRESSIONS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What Python raises for an expression such as `1 / 0` or `1 + "a"`."""


def _is_raised_in_template(error: Exception) -> bool:
    """Return whether a template is at fault, rather than one of our own functions."""
    if isinstance(error, (TemplateError, RecursionError)):
        return True
    entry = error.__traceback__
    file = ""
    while entry is not None:
        file = entry.tb_frame.f_code.co_filename
        entry = entry.tb_next
    return file.endswith(".j2") or Path(file).parent.name in ("jinja2", "markupsafe")


def _template_location(error: Exception, template: str) -> str:
    """Return the name of the template at fault, and its line as far as that is known."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.name or template}, line {error.lineno},"
    entry, location = error.__traceback__, template
    while entry is not None:
        # Jinja gives the frames of a template the file and line of the template.
        file = Path(entry.tb_frame.f_code.co_filename)
        if file.suffix == ".j2":
            location = f"{file.parent.name}/{file.name}, line {entry.tb_lineno},"
        entry = entry.tb_next
    return location


@contextmanager
def _template_errors(template: str) -> Iterator[None]:
    """Turn what a template's own text causes into a PrintError that names it and the line."""
    try:
        yield
    except MusterError as error:
        raise PrintError("; ".join(problem.render() for problem in error.problems)) from error
    except (TemplateError, *_WRONG_EXPRESSIONS) as error:
        if not _is_raised_in_template(error):
            raise
        where = _template_location(error, template)
        message = getattr(error, "message", error)
        if isinstance(error, RecursionError):
            message = "it extends, includes or calls itself without end"
        text = f"the template {where} cannot be filled in: {message}"
        raise PrintError(text) from error


class _Loader(BaseLoader):
    """Loads templates from the first folder that has them; no name or link leads elsewhere."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        del environment
        try:
            # A name with `..` in it is no template.
            name = "/".join(split_template_path(template))
            path = find_template_file(self._folders, name)
        except FileNotFoundError:
            text = f"there is no template {template!r}"
            raise TemplateNotFound(template, text) from None
        return _read_template_text(self._folders, path), str(path), None


class _CompiledTemplates(BytecodeCache):
    """Keeps compiled templates while this process runs, for all environments."""

    _held: ClassVar[dict[tuple[str, str], CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._held.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._held[bucket.key, bucket.checksum] = bucket.code


def _read_template_text(folders: Sequence[Path], path: Path) -> str:
    """Return the text of a file of a template folder.

    Raises:
        MusterError: If it is not a regular file of UTF-8, or a link that leads out of the folder.
    """
    return read_text(path, shown_as=display_path(path), within=_folder_of(folders, path))


def _folder_of(folders: Sequence[Path], path: Path) -> Path:
    """Return the template folder in which a file was found."""
    return next(each for each in folders if path.is_relative_to(each))


_PLAIN_TYPES = (str, int, float, Decimal, tuple, list, dict)


class _Sandbox(ImmutableSandboxedEnvironment):
    """Fills in templates of strangers: they see data, and call what is listed here.

    Jinja's sandbox hides what begins with an underscore and forbids to change lists and mappings.
    Beyond that, a template calls its macros, blocks and loops, the functions among our globals, and
    the methods of plain values except `format`; of no other object a method.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.globals = {"range": safe_range, "namespace": Namespace}

    def is_safe_callable(self, obj: Any) -> bool:
        """Return whether a template may call an object."""
        if isinstance(obj, (Macro, BlockReference, LoopContext)):
            return True
        if isinstance(obj, BuiltinMethodType):
            return isinstance(obj.__self__, _PLAIN_TYPES)
        if isinstance(obj, MethodType):
            return isinstance(obj.__self__, (LoopContext, Markup))
        return any(obj is each for each in self.globals.values())


class _Macros:
    """The macros of a template, of which the user's own may have others than the shipped one."""

    def __init__(self, template: str, module: Any) -> None:
        self._template = template
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        macro = getattr(self._module, name, None)
        if not isinstance(macro, Macro):
            text = f"the template {self._template} has no macro {name!r}, expected those of ours"
            raise PrintError(text)

        def call(*given: Any, **named: Any) -> Any:
            with _template_errors(self._template):
                return macro(*given, **named)

        return call


class TemplateEnvironment:
    """Templates, style sheets and fonts, each loaded once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Store the template folders; a file is taken from the first that has it."""
        self.folders = tuple(folders)
        self.heights: dict[str, float] = {}
        """Heights of blocks that were laid out in this process, in CSS pixels."""
        self.pictures: dict[str, Picture] = {}
        """The pictures of the document that was filled in last, by their addresses."""

    @cached_property
    def _jinja(self) -> Environment:
        jinja = _Sandbox(
            loader=_Loader(self.folders),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=_CompiledTemplates(),
        )
        jinja.filters["inline"] = inline_html
        jinja.filters["fractions"] = set_fractions
        jinja.filters["tied"] = tie_marks
        jinja.filters["unbroken"] = keep_compounds
        jinja.filters["box_lines"] = lambda track, widths, count: track.lines(
            widths.boxes_a_line(track, count)
        )
        jinja.filters["drawing"] = lambda figure, row=(), space=None: data_uri(
            draw_diagram(figure, self.folders, tuple(each for each, _ in row), space)
        )
        jinja.filters["width_px"] = lambda figure, row=(), space=None: width_of(
            figure, self.folders, tuple(each for each, _ in row), space
        )
        jinja.globals["space_on_sheet"] = space_on_sheet
        jinja.filters["rows"] = rows_of
        jinja.filters["qr_code"] = qr_code
        jinja.filters["sign"] = lambda token: data_uri(draw_token(token))
        jinja.filters["ink_on"] = ink_on
        jinja.filters["lighten"] = lighten
        jinja.filters["measure"] = split_measure
        jinja.globals["emblem"] = lambda *drawn: data_uri(draw_emblem(*drawn))
        jinja.globals["rays"] = lambda *drawn: data_uri(draw_rays(*drawn))
        jinja.globals["token_face"] = lambda *drawn: data_uri(draw_token_face(*drawn))
        jinja.filters["parts_of_units"] = parts_of
        jinja.filters["widths_in"] = widths_em
        jinja.filters["losses_em"] = losses_em
        jinja.filters["units_a_line_of"] = units_a_line
        jinja.filters["widths_of_columns"] = share_width
        jinja.filters["has_short_figures"] = has_short_figures
        jinja.globals["symbol"] = lambda outline, colour: data_uri(draw_symbol(outline, colour))

        def picture_address(picture: Picture) -> str:
            address = f"{PICTURE_SCHEME}:{picture.digest}"
            self.pictures[address] = picture
            return address

        jinja.globals["say"] = _say
        jinja.globals["say_number"] = _say_number
        jinja.globals["picture"] = picture_address
        jinja.globals["embedded"] = _embedded
        jinja.globals["fills"] = fills_frame
        jinja.globals["badge"] = lambda shape, colour: data_uri(draw_badge(shape, colour))
        return jinja

    @cached_property
    def printer(self) -> Printer:
        """The printer, with the typefaces loaded.

        Raises:
            OSError: If Pango or another library that WeasyPrint needs is missing.
        """
        from muster.rendering.printer import Printer  # noqa: PLC0415 - imports WeasyPrint

        return Printer(self.folders, self.faces, self.pictures)

    def find_file(self, name: str) -> Path:
        """Return the path of a template file.

        Raises:
            FileNotFoundError: If no template folder has it.
        """
        return find_template_file(self.folders, name)

    def read_style(self, name: str) -> str:
        """Return the text of a style sheet or script.

        Raises:
            PrintError: If it cannot be read.
        """
        with _template_errors(name):
            return _read_template_text(self.folders, self.find_file(name))

    def read_picture(self, name: str) -> bytes:
        """Return the bytes of a picture.

        Raises:
            PrintError: If it cannot be read.
        """
        with _template_errors(name):
            path = self.find_file(name)
            return read_bytes(path, display_path(path), within=_folder_of(self.folders, path))

    def read_script(self, name: str) -> str:
        """Return the text of a script, with its words in the language of the document.

        Raises:
            PrintError: If it cannot be read.
        """
        return speak_script(self.read_style(name))

    def read_styles(self, names: Iterable[str]) -> list[str]:
        """Return the texts of style sheets."""
        return [self.read_style(name) for name in names]

    @cached_property
    def faces(self) -> str:
        """The `@font-face` rules for print, by file address (TTF: quick to load)."""
        return "\n".join(
            _FACE_RULE.format(
                family=family,
                weight=weight,
                style=style,
                address=self.find_file(f"fonts/{name}.ttf").resolve().as_uri(),
                form="truetype",
                more="",
            )
            for family, name, weight, style in FACES
        )

    @cached_property
    def inlined_faces(self) -> str:
        """The `@font-face` rules for a self-contained page (WOFF2, for the faces that have it)."""
        return self._inline_faces("")

    @cached_property
    def inlined_letters(self) -> str:
        """The rules for Greek and Cyrillic, which only pages that have such letters include."""
        return self._inline_faces("-letters", f" unicode-range: {_LETTER_RANGES};")

    def inline_faces(self, names: Collection[str]) -> str:
        """Return the `@font-face` rules of some faces, by the names of their files."""
        return self._inline_faces("", faces=[face for face in FACES if face[1] in names])

    def _inline_faces(
        self, ending: str, more: str = "", faces: Iterable[tuple[str, str, int, str]] = FACES
    ) -> str:
        rules = []
        for family, name, weight, style in faces:
            try:
                path = self.find_file(f"fonts/{name}{ending}.woff2")
            except FileNotFoundError:
                continue
            with _template_errors(path.name):
                folder = _folder_of(self.folders, path)
                data = read_bytes(path, display_path(path), LARGEST_BINARY, within=folder)
            address = "data:font/woff2;base64," + b64encode(data).decode()
            rules.append(
                _FACE_RULE.format(
                    family=family,
                    weight=weight,
                    style=style,
                    address=address,
                    form="woff2",
                    more=more,
                )
            )
        return "\n".join(rules)

    def render(self, template: str, **data: Any) -> str:
        """Return the text of a filled-in template.

        Raises:
            PrintError: If a template is missing or cannot be filled in; an undefined name is an
                error, never an empty string.
        """
        self.pictures.clear()
        with _template_errors(template):
            return self._jinja.get_template(template).render(**data)

    def render_screen(
        self,
        template: str,
        styles: Sequence[str],
        scripts: Sequence[str] = SCREEN_SCRIPTS,
        **data: Any,
    ) -> str:
        """Return a self-contained HTML page, which brings its fonts, styles and scripts.

        Raises:
            PrintError: As `render` does.
        """
        page = self.render(
            template,
            faces=self.inlined_faces,
            style="\n".join(self.read_styles(styles)),
            script="\n".join(self.read_styles(scripts)),
            **data,
        )
        page = _SCRIPT.sub(lambda found: speak_script(found[0]), page)
        if not page.isascii() and _LETTERS.search(page):
            page = page.replace(self.inlined_faces, f"{self.inlined_faces}\n{self.inlined_letters}")
        return page

    def macros(self, template: str) -> Any:
        """Return the macros of a template, as attributes to call, each of which may raise as here.

        Raises:
            PrintError: If the template is missing or broken, or has no such macro.
        """
        with _template_errors(template):
            return _Macros(template, self._jinja.get_template(template).module)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of templates and renderers, part of the key of every stored result."""
        return templates_fingerprint(self.folders)

    def key(self, *parts: object) -> str:
        """Return the key of a stored result: a hash of its parts and of the fingerprint."""
        text = "\0".join([self.fingerprint, *map(str, parts)])
        return sha256(text.encode()).hexdigest()[:24]
