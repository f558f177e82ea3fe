"""The templates, style sheets and fonts that documents are rendered with, loaded once."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)

from muster.rendering.drawings import data_uri, draw_badge, draw_formation, draw_token, width_of
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
        try:
            return self._jinja.get_template(template).render(**data)
        except TemplateError as error:
            where = _template_location(error, template)
            text = f"the template {where} cannot be filled in: {error.message}"
            raise PrintError(text) from error

    def macros(self, template: str) -> Any:
        """Return the macros of a template, as attributes to call.

        Raises:
            PrintError: If the template is missing or broken.
        """
        try:
            return self._jinja.get_template(template).module
        except TemplateError as error:
            where = _template_location(error, template)
            text = f"the template {where} cannot be filled in: {error.message}"
            raise PrintError(text) from error

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of all that lays out and writes, for keys of what is remembered."""
        return templates_fingerprint(self.folders)
