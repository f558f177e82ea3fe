"""Write content/REFERENCE.md: every key of every kind of file, from the schemas that editors use.

Usage: python .ci/write_reference.py [FILE]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muster.armies.army_schema import ARMY_KEYS
from muster.armies.constraints import Constraint
from muster.cli.catalogue import file_schemas
from muster.tables.file_models import WrittenTable
from muster.yamlfile.descriptions import described_schema

TARGET = Path(__file__).resolve().parent.parent / "content" / "REFERENCE.md"
HEAD = """# Every key of every file

Made from the descriptions in the schemas that `muster schema` prints and editors show
(`make reference` writes it anew); do not edit it. [README.md](README.md) explains how the files
belong together.

An id is of small letters, digits and hyphens. A list is `[a, b]`, a mapping `{key: value}`. Keys in
**bold** must be there.

## Which value counts

A unit's attribute or field has the value that is found first: in the army list; in what the state
of the army gives it (`grants:`); in its options, the
first that has it; in its profile in the book (`attributes:`, `fields:`, `stats:`); in its type
(`attributes:`); the default of the type's field; in the levels above it, the nearest first; in the
book (`attributes:`, `nation:`); the default of a field of its level, or of one above. `type`,
`unit`, `level` and `book` are attributes of every unit: the ids of its type, of itself in its book
(without one, its type), of its level, and of its book.
"""
FILES = {
    "system": "`system.yaml`",
    "table-grid": "`tables/*.yaml` of kind `grid`",
    "table-lookup": "`tables/*.yaml` of kind `lookup`",
    "table-modifiers": "`tables/*.yaml` of kind `modifiers`",
    "table-results": "`tables/*.yaml` of kind `results`",
    "table-sequence": "`tables/*.yaml` of kind `sequence`",
    "table-definitions": "`tables/*.yaml` of kind `definitions`",
    "table-diagram": "`tables/*.yaml` of kind `diagram`",
    "errata": "`errata.yaml`",
    "composition": "`composition.yaml`",
    "book": "`books/*.yaml`",
    "sheet": "`sheets/*.yaml`",
    "cards": "`cards.yaml`",
    "tokens": "`tokens.yaml`",
    "search": "`search.yaml`",
    "edition": "`editions/*.yaml`",
    "drafting": "`drafting.yaml`",
    "theme": "`themes/*.yaml`",
    "style": "`style.yaml`",
}
"""The kinds of files, in the order of the reference."""

Schema = dict[str, Any]

SHARED = {"Constraint": described_schema(Constraint), "Table": described_schema(WrittenTable)}
"""Parts whose keys several others have too: these are told once."""

MANY = 9
"""A key that may hold so many parts or more holds a “value”, as on cards."""


def reference() -> str:
    """Return the whole reference as Markdown."""
    schemas = file_schemas()
    lines = [HEAD]
    for title, schema in SHARED.items():
        lines += [f"## {title}", "", *_part(schema, shared=True)]
    seen: set[str] = set()
    for name in [*FILES, *(set(schemas) - set(FILES))]:
        schema = schemas[name]
        lines += [f"## {FILES.get(name, name)}", "", *_part(schema)]
        for part, nested in _nested(schema):
            if part not in seen and part not in SHARED:
                seen.add(part)
                lines += [f"### {_title(part)}", "", *_part(nested)]
    lines += ["## Army files", "", "Beside these, an army file has the keys of its system:"]
    lines += ["the lists of its levels, its leaders, and the fields of each.", ""]
    lines += ["| key | says |", "| --- | --- |"]
    lines += [f"| `{key}` | {text} |" for key, text in ARMY_KEYS.items()]
    return "\n".join(lines) + "\n"


def _nested(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the parts of a schema in the order in which their keys come."""
    parts: dict[str, Schema] = schema.get("$defs", {})
    waiting, done = [schema], set()
    while waiting:
        found = re.findall(r"#/\$defs/(\w+)", str(waiting.pop(0).get("properties", {})))
        for name in found:
            if name not in done:
                done.add(name)
                waiting.append(parts[name])
                yield name, parts[name]


def _part(schema: Schema, *, shared: bool = False) -> Iterator[str]:
    """Yield the lines of one part: what it is, and a table of its keys."""
    keys: Schema = schema.get("properties", {})
    text = " ".join(schema.get("description", "").split())
    for title, base in () if shared else SHARED.items():
        if set(base["properties"]) <= set(keys):
            keys = {
                key: value for key, value in keys.items() if value != base["properties"].get(key)
            }
            text += f" It has the keys of every [{title.lower()}](#{title.lower()}), and these:"
    required = schema.get("required", [])
    yield from (text, "", "| key | holds | says |", "| --- | --- | --- |")
    for key, value in keys.items():
        name = f"**`{key}`**" if key in required else f"`{key}`"
        yield f"| {name} | {_holds(value)} | {value.get('description', '')} |".replace("  ", " ")
    yield ""


def _holds(value: Schema) -> str:  # noqa: PLR0911 - one case for each form of schema
    """Return in words what a key holds."""
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{_title(name).lower()}](#{_title(name).lower().replace(' ', '-')})"
    for several in ("anyOf", "oneOf"):
        if several in value:
            parts = [_holds(part) for part in value[several] if part.get("type") != "null"]
            if len(parts) >= MANY:
                return "value: a table cell, a field, or a calculation"
            return " or ".join(dict.fromkeys(parts))
    if "const" in value:
        return f"`{value['const']}`"
    if "enum" in value:
        return ", ".join(f"`{choice}`" for choice in value["enum"])
    kind = value.get("type")
    if kind == "array":
        return f"list: {_holds(value['items'])}"
    if kind == "object":
        inner = [*value.get("patternProperties", {}).values(), value.get("additionalProperties")]
        texts = [_holds(part) for part in inner if isinstance(part, dict) and part]
        return f"mapping: {texts[0]}" if texts else "mapping"
    if kind == "string" and "a-z0-9" in value.get("pattern", ""):
        return "id"
    words = {"integer": "whole number", "number": "number", "boolean": "`true` or `false`"}
    return words.get(str(kind), "text")


def _title(model: str) -> str:
    """Return the name of a model as words: `WrittenCardBlock` is `Card block`."""
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", model.removeprefix("Written")).lower()
    return words[:1].upper() + words[1:]


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else TARGET).write_text(reference(), encoding="utf-8")
