"""Owns what documents call things: commands, units, their types, and army books.

Does not know what else is printed of them.
"""

from __future__ import annotations

from generator.armies import Book, Node


def called(node: Node) -> str:
    """Name a command: by its own name, else by its leader's, else by what it is."""
    if node.name or not node.is_branch:
        return node.name or node.title
    leader = next((child.name for child in node.children if child.level == "leader"), "")
    return f"{node.title} of {leader}" if leader else node.title


def type_of(node: Node, *, cited: bool = False) -> str:
    """Name a unit's type, and say if its book only suggests it.

    Args:
        node: The unit.
        cited: Say, too, which lines of the source its profile rests on.
    """
    profile = node.profile
    if profile is None:
        return node.entry_title
    marks = [*["suggested"] * profile.suggested, *[profile.source] * bool(cited and profile.source)]
    return f"{node.entry_title} ({', '.join(marks)})" if marks else node.entry_title


def title_of(book: Book | None) -> str:
    """Name a book, and say if its values are our own invention; empty without a book."""
    if book is None:
        return ""
    return f"{book.title} (sample values)" if book.sample else book.title
