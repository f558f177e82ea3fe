"""The templates, style sheets and fonts that documents are rendered with, loaded once."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)

from muster.rendering.drawings import (
    data_uri,
    draw_badge,
    draw_formation,
    draw_symbol,
    draw_token,
    ink_on,
    width_of,
)
from muster.rendering.fingerprint import templates_fingerprint
from muster.rendering.glyphs import FACES, find_template_file
from muster.rendering.printer import Printer, PrintError
from muster.rendering.prose_html import inline_html, tie_marks

SiblingPages = Sequence[tuple[str, str]]
"""Title and address of each page that an HTML page links to."""

_FACE_RULE = (
    '@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style};'
    ' src: url("{address}") format("{form}"); }}'
)


def split_measure(text: str) -> tuple[str, str]:
    """Return the number and the unit of a length such as `20 cm`; of others, no unit."""
    number, _, unit = text.rpartition("\u202f")
    return (number, unit) if number and unit.isalpha() else (text, "")


def _template_location(error: TemplateError, template: str) -> str:
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
    """Turn what Jinja raises into a PrintError that names the template and the line."""
    try:
        yield
    except TemplateError as error:
        where = _template_location(error, template)
        text = f"the template {where} cannot be filled in: {error.message}"
        raise PrintError(text) from error


class TemplateEnvironment:
    """Templates, style sheets and fonts, each loaded once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Store the template folders; a file is taken from the first that has it."""
        self.folders = tuple(folders)
        self.heights: dict[str, float] = {}
        """Heights of blocks that were laid out in this process, in CSS pixels."""

    @cached_property
    def _jinja(self) -> Environment:
        jinja = Environment(
            loader=FileSystemLoader([str(folder) for folder in self.folders]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        jinja.filters["inline"] = inline_html
        jinja.filters["tied"] = tie_marks
        jinja.filters["drawing"] = lambda figure: data_uri(draw_formation(figure))
        jinja.filters["width_px"] = width_of
        jinja.filters["sign"] = lambda token: data_uri(draw_token(token))
        jinja.filters["ink_on"] = ink_on
        jinja.filters["measure"] = split_measure
        jinja.globals["symbol"] = lambda outline, colour: data_uri(draw_symbol(outline, colour))
        jinja.globals["badge"] = lambda shape, colour: data_uri(draw_badge(shape, colour))
        return jinja

    @cached_property
    def printer(self) -> Printer:
        """The printer, with the typefaces loaded."""
        return Printer(self.folders, self.faces)

    def find_file(self, name: str) -> Path:
        """Return the path of a template file.

        Raises:
            FileNotFoundError: If no template folder has it.
        """
        return find_template_file(self.folders, name)

    def read_style(self, name: str) -> str:
        """Return the text of a style sheet or script."""
        return self.find_file(name).read_text(encoding="utf-8")

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
            )
            for family, name, weight, style in FACES
        )

    @cached_property
    def inlined_faces(self) -> str:
        """The `@font-face` rules for a self-contained page (WOFF2, for the faces that have it)."""
        rules = []
        for family, name, weight, style in FACES:
            try:
                data = self.find_file(f"fonts/{name}.woff2").read_bytes()
            except FileNotFoundError:
                continue
            address = "data:font/woff2;base64," + b64encode(data).decode()
            rules.append(
                _FACE_RULE.format(
                    family=family, weight=weight, style=style, address=address, form="woff2"
                )
            )
        return "\n".join(rules)

    def render(self, template: str, **data: Any) -> str:
        """Return the text of a filled-in template.

        Raises:
            PrintError: If a template is missing or cannot be filled in; an undefined name is an
                error, never an empty string.
        """
        with _template_errors(template):
            return self._jinja.get_template(template).render(**data)

    def render_screen(
        self, template: str, styles: Sequence[str], script: str = "base/screen.js", **data: Any
    ) -> str:
        """Return a self-contained HTML page, which brings its fonts, styles and script.

        Raises:
            PrintError: As `render` does.
        """
        return self.render(
            template,
            faces=self.inlined_faces,
            style="\n".join(self.read_styles(styles)),
            script=self.read_style(script) if script else "",
            **data,
        )

    def macros(self, template: str) -> Any:
        """Return the macros of a template, as attributes to call.

        Raises:
            PrintError: If the template is missing or broken.
        """
        with _template_errors(template):
            return self._jinja.get_template(template).module

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of templates and renderers, part of the key of every stored result."""
        return templates_fingerprint(self.folders)

    def key(self, *parts: object) -> str:
        """Return the key of a stored result: a hash of its parts and of the fingerprint."""
        text = "\0".join([self.fingerprint, *map(str, parts)])
        return sha256(text.encode()).hexdigest()[:24]
