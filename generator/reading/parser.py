"""Owns the choice of YAML parser: libyaml's where PyYAML has it, else the one in Python.

Does not build anything: both give the same events, one after the other, and no more is read than
is asked for. That is what makes limits work; libyaml's own tree builder recurses in C and can be
made to overflow the stack.
"""

from __future__ import annotations

from typing import Protocol

from yaml.events import Event
from yaml.parser import Parser as Grammar
from yaml.reader import Reader
from yaml.scanner import Scanner


class Parser(Protocol):
    """Gives the events of a text, one after the other."""

    def get_event(self) -> Event | None:
        """Give the next event."""
        ...


class PlainParser(Reader, Scanner, Grammar):
    """The parser in Python: slow, but everywhere."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Grammar.__init__(self)


def parser(text: str) -> Parser:
    """Begin to parse a text."""
    try:
        from yaml._yaml import CParser  # noqa: PLC0415 - a PyYAML without libyaml lacks it
    except ImportError:
        return PlainParser(text)
    return CParser(text)
