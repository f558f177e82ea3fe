"""Owns the templates, style sheets and fonts that documents are rendered with.

Does not gather data and does not pack pages. Templates come from the user's own folder first,
then from what is shipped.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import weasyprint
from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)

from generator.rendering.faces import FACES, found
from generator.rendering.figures import badge, data_uri, draw, sign, width_of
from generator.rendering.printer import Printer, PrintError
from generator.rendering.prose import inline, tied

Beside = Sequence[tuple[str, str]]
"""Title and address of each page that a page for screens links to."""

_RULE = (
    '@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style};'
    ' src: url("{address}") format("{form}"); }}'
)


def _place(error: TemplateError, template: str) -> str:
    """Name the template at fault, and the line as far as it is known."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.name or template}, line {error.lineno},"
    step, place = error.__traceback__, template
    while step is not None:
        # Jinja lends the frames of a template its own file and line.
        file = Path(step.tb_frame.f_code.co_filename)
        if file.suffix == ".j2":
            place = f"{file.parent.name}/{file.name}, line {step.tb_lineno},"
        step = step.tb_next
    return place


class Studio:
    """Everything that rendering needs and that is loaded once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Take the template folders, the first having the first word."""
        self.folders = tuple(folders)
        self.heights: dict[str, float] = {}
        """Heights of blocks that were laid out by this studio, in pixels; `sheet` names them."""

    @cached_property
    def _jinja(self) -> Environment:
        jinja = Environment(
            loader=FileSystemLoader([str(folder) for folder in self.folders]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        jinja.filters["inline"] = inline
        jinja.filters["tied"] = tied
        jinja.filters["drawing"] = lambda figure: data_uri(draw(figure))
        jinja.filters["width_px"] = width_of
        jinja.filters["sign"] = lambda token: data_uri(sign(token))
        jinja.globals["badge"] = lambda shape, colour: data_uri(badge(shape, colour))
        return jinja

    @cached_property
    def printer(self) -> Printer:
        """WeasyPrint with the faces loaded."""
        return Printer(self.folders, self.faces)

    def file(self, name: str) -> Path:
        """Find a file of the templates.

        Raises:
            FileNotFoundError: If no template folder has it.
        """
        return found(self.folders, name)

    def style(self, name: str) -> str:
        """Read a style sheet."""
        return self.file(name).read_text(encoding="utf-8")

    @cached_property
    def faces(self) -> str:
        """The `@font-face` rules for print, by file address (TTF: quick to load)."""
        return "\n".join(
            _RULE.format(
                family=family,
                weight=weight,
                style=style,
                address=self.file(f"fonts/{name}.ttf").resolve().as_uri(),
                form="truetype",
            )
            for family, name, weight, style in FACES
        )

    @cached_property
    def inlined_faces(self) -> str:
        """The `@font-face` rules for a self-contained page (WOFF2, only faces that have one)."""
        rules = []
        for family, name, weight, style in FACES:
            try:
                data = self.file(f"fonts/{name}.woff2").read_bytes()
            except FileNotFoundError:
                continue
            address = "data:font/woff2;base64," + b64encode(data).decode()
            rules.append(
                _RULE.format(
                    family=family, weight=weight, style=style, address=address, form="woff2"
                )
            )
        return "\n".join(rules)

    def render(self, template: str, **data: Any) -> str:
        """Fill in a template.

        Raises:
            PrintError: If a template is missing or cannot be filled in; an undefined name in it
                is an error, never an empty string.
        """
        try:
            return self._jinja.get_template(template).render(**data)
        except TemplateError as error:
            text = f"the template {_place(error, template)} cannot be filled in: {error.message}"
            raise PrintError(text) from error

    def macros(self, template: str) -> Any:
        """Give the macros of a template, to be called by name.

        Raises:
            PrintError: If the template is missing or broken.
        """
        try:
            return self._jinja.get_template(template).module
        except TemplateError as error:
            text = f"the template {_place(error, template)} cannot be filled in: {error.message}"
            raise PrintError(text) from error

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that lays out, for what is remembered between builds.

        It covers every template, style and font, and the version of WeasyPrint.
        """
        digest = sha256(weasyprint.__version__.encode())
        for folder in self.folders:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    digest.update(str(path.relative_to(folder)).encode())
                    digest.update(path.read_bytes())
        return digest.hexdigest()
