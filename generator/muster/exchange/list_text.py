"""An army list as text for forums and chats, as the list builder copies it (share.js)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from muster.armies import Node, Verdict
from muster.armies.fields import format_number, lower_first, upper_first, with_noun

ListForm = Literal["text", "markdown", "bbcode"]
"""The forms that a list is written in."""

_MARKDOWN_SIGNS = re.compile(r"[\\`*_[\]<>#|]")
_ZERO_WIDTH_SPACE = "\u200b"


@dataclass(frozen=True, slots=True)
class _Form:
    """How a form writes bold text, the head, a command, an item at a depth, and plain text."""

    bold: Callable[[str], str]
    head: Callable[[str], str]
    command: Callable[[str], str]
    bullet: str
    escape: Callable[[str], str]


_FORMS: dict[ListForm, _Form] = {
    "text": _Form(
        bold=lambda text: text,
        head=lambda text: f"{text}\n{'=' * len(text)}",
        command=lambda text: f"\n{text}",
        bullet="-",
        escape=lambda text: text,
    ),
    "markdown": _Form(
        bold=lambda text: f"**{text}**",
        head=lambda text: f"# {text}",
        command=lambda text: f"\n**{text}**\n",
        bullet="-",
        escape=lambda text: _MARKDOWN_SIGNS.sub(r"\\\g<0>", text),
    ),
    "bbcode": _Form(
        bold=lambda text: f"[b]{text}[/b]",
        head=lambda text: f"[b]{text}[/b]",
        command=lambda text: f"\n[b]{text}[/b]",
        bullet="•",
        escape=lambda text: text.replace("[", f"[{_ZERO_WIDTH_SPACE}"),
    ),
}


def list_as_text(verdict: Verdict, form: ListForm) -> str:
    """Return an army with its verdict as text, just as the list builder copies it."""
    return "\n".join(_lines(verdict, _FORMS[form])) + "\n"


def _lines(verdict: Verdict, form: _Form) -> Iterator[str]:
    army = verdict.army
    yield form.head(form.escape(army.name))
    parts = [army.system.title, army.book.title if army.book else ""]
    total = _total_text(verdict)
    judged = "legal" if verdict.legal else "not legal"
    verdict_text = upper_first(f"{total}, {judged}" if total else judged)
    yield form.escape(f"{', '.join(filter(None, parts))}. {verdict_text}") + "."
    points = {
        id(line.node): format_number(line.points)
        for line in verdict.price.lines
        if line.points is not None
    }

    def tell(node: Node, depth: int) -> Iterator[str]:
        text = form.escape(_node_text(node, points.get(id(node), "")))
        if node.is_branch and depth < 1:
            yield form.command(text)
        else:
            yield _item(form, max(depth - 1, 0), form.bold(text) if node.is_branch else text)
        for child in node.children:
            yield from tell(child, depth + 1)

    for child in army.root.children:
        yield from tell(child, 0 if child.is_branch else 1)
    for finding in verdict.findings:
        text = f"{upper_first(finding.severity)}: {finding.message} {finding.remedy}".strip()
        yield _item(form, 0, form.escape(text))


def _item(form: _Form, depth: int, text: str) -> str:
    return f"{'  ' * depth}{form.bullet} {text}"


def _total_text(verdict: Verdict) -> str:
    """Return the points and the limit: `218.5 of 250 points`; empty in a system without points."""
    total, limit = verdict.price.total, verdict.army.limit
    if total is None:
        return ""
    if limit is None:
        return with_noun(total, "point", "points")
    return f"{format_number(total)} of {format_number(limit)} points"


def _node_text(node: Node, points: str) -> str:
    details = ", ".join(node_details(node))
    label = node.label if node.count == 1 else f"{node.count} × {node.label}"
    return (
        label
        + (f" ({details})" if details else "")
        + (f", {points}" if points else "")
        + (f". {node.notes}" if node.notes else "")
    )


def node_details(node: Node, *, with_size: bool = True, with_options: bool = True) -> list[str]:
    """Return what a node is made of, in words: its size, its own values, its options."""
    size = node.entry.size if node.entry is not None else None
    details = []
    if with_size and size is not None and isinstance(node.value(size), int):
        details.append(node.strength)
    own = (name for name in node.kind.field_specs if name in node.fields and name != size)
    details += [_field_text(node, name) for name in own]
    return [*details, *(node.option_titles if with_options else ())]


def _field_text(node: Node, name: str) -> str:
    spec = node.kind.field_spec(name)
    title = spec.title if spec is not None and spec.title else name
    if spec is not None and spec.form == "flag":
        return title if node.fields[name] else f"not {lower_first(title)}"
    return f"{title}: {node.kind.shown(name)}"
