"""Write data as a YAML file that Muster reads back as the same data."""

from __future__ import annotations

from typing import Any

import yaml

_MAX_WIDTH = 100


class _Writer(yaml.SafeDumper):
    """Writes every value in full: Muster's files have no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return that nothing is written as an alias of something else."""
        del data
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002 - its own
        """Indent the entries of a list below its key."""
        del indentless
        super().increase_indent(flow, False)  # noqa: FBT003 - its only form


def yaml_text(data: Any, comment: str = "") -> str:
    """Return data as YAML, keys in their order, lists of plain values in one line.

    Args:
        data: Mappings, lists, texts, whole numbers and flags.
        comment: Lines that stand before it.
    """
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    text = yaml.dump(
        data,
        Dumper=_Writer,
        allow_unicode=True,
        default_flow_style=None,
        sort_keys=False,
        width=_MAX_WIDTH,
    )
    return head + text
