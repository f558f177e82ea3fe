"""Write the files of the list builder: its page, styles, scripts, service worker, and data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from muster import __version__
from muster.languages import translations

if TYPE_CHECKING:
    from muster.rendering.environment import TemplateEnvironment

_FACES = ("MusterSans-Regular", "MusterSans-SemiBold")
"""The faces of the page; all others would make it much larger."""

JUDGE = ("words", "exact", "names", "army", "prices", "judges", "verdict", "reading")
"""The parts of its script that judge a list, each of which uses those before it only."""

FIRST = (*JUDGE, "lists", "share", "steps", "store", "dom", "editor", "page")
"""The parts of the script that shows a list and its verdict, in the order in which they are put
together."""

_COMPILE_AT_ONCE = "//# allFunctionsCalledOnLoad"
"""Chromium compiles all functions of a script that begins so while it arrives, and beside the page;
others are compiled when they are first called, while the page waits."""

LATER = (
    "collection",
    "derive",
    "remedies",
    "yaml",
    "compare",
    "editions",
    "play",
    "tables",
    "event",
)
"""The parts of the script that is loaded when the first list is shown, or when it is needed."""

SCRIPTS = (*FIRST, *LATER)
"""All parts of both, each of which uses no other while it is loaded but those before it."""


def builder_file(templates: TemplateEnvironment, variant: str, data: Any) -> str:
    """Return the text of a file of the list builder that is no picture.

    Args:
        templates: The templates.
        variant: The name of a shared file, or `system`, `tables` or `pictures` for the data of a
            system, or `words` for those of a language.
        data: The systems that it offers, the data of one, or the tag of the language.
    """
    match variant:
        case "system":
            return _pushed("musterSystems", data.file, _as_text(data.data))
        case "tables" | "pictures":
            return _pushed("musterParts", data.file, data.data)
        case "words":
            return words_file(templates, data)
        case "index.html":
            return templates.render("builder/index.html.j2", frame=data, version=__version__)
        case "sw.js":
            settings = {"version": templates.key(repr(data)), "files": data.files}
            return f"const BUILD = {json.dumps(settings)};\n{templates.read_style('builder/sw.js')}"
    return _shared_file(templates, variant)


def _shared_file(templates: TemplateEnvironment, name: str) -> str:
    """Return the text of a style sheet, a script or an icon, which is the same in every build."""
    match name:
        case "builder.css":
            return "\n".join(templates.read_styles(("base/screen.css", "builder/builder.css")))
        case "fonts.css":
            return templates.inline_faces(_FACES) + "\n"
        case "builder.js":
            return f"{_COMPILE_AT_ONCE}\n{_joined(templates, FIRST)}"
        case "later.js":
            return _joined(templates, LATER)
        case "qr.js":
            licence, end, script = templates.read_style("builder/qr.js").partition("*/")
            return f"{licence}{end}\n{without_comments(script)}\n"
    return templates.read_style(f"builder/{name}")


def _joined(templates: TemplateEnvironment, names: Iterable[str]) -> str:
    scripts = templates.read_styles(f"builder/{name}.js" for name in names)
    return "\n".join(map(without_comments, scripts))


def _pushed(name: str, file: str, data: str) -> str:
    """Return a script that adds the data of a file to a list of the page."""
    entry = f"{{ file: {json.dumps(file)}, data: {data} }}"
    return f"(window.{name} = window.{name} || []).push({entry});\n"


def _as_text(json_text: str) -> str:
    """Return JSON as a text of a script: only what the page reads is parsed then."""
    quoted = json_text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{quoted}'"


_SAID = re.compile(r'\bsay(?:Number)?\(("(?:[^"\\]|\\.)*")(?:, ("(?:[^"\\]|\\.)*"))?')
"""The English words that a script says, or those for one thing and for several."""


def said_words(script: str) -> list[tuple[str, ...]]:
    """Return the messages of a script, each once: its words, or those for one and for several."""
    found = [tuple(map(json.loads, filter(None, each.groups()))) for each in _SAID.finditer(script)]
    return list(dict.fromkeys(found))


def words_file(templates: TemplateEnvironment, language: str) -> str:
    """Return the script with the words of the list builder in a language.

    Args:
        templates: The templates.
        language: The tag of the language, which has a catalogue.
    """
    scripts = "\n".join(templates.read_styles(f"builder/{name}.js" for name in SCRIPTS))
    words = {
        message[0]: said[0] if len(message) == 1 else said
        for message in said_words(scripts)
        for said in [translations(language, *message)]
    }
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"))
    return f"(window.musterWords = window.musterWords || {{}}).{language} = {text};\n"


def without_comments(script: str) -> str:
    """Return one of our scripts without the comments that begin a line, and without indents.

    No text of ours goes over several lines, so that each line is code or a comment.
    """
    lines = []
    within = False
    for line in map(str.strip, script.splitlines()):
        code = line
        if within or line.startswith("/*"):
            _, end, code = line.partition("*/")
            within = not end
        if code.strip() and not code.startswith("//"):
            lines.append(code.strip())
    return "\n".join(lines)
