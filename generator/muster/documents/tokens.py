"""The sheet of tokens of a rule system: what stands on each, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass

from muster.documents.own_language import in_own_language
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.problems import MusterError
from muster.systems import System
from muster.systems.tokens import token_problems


@dataclass(frozen=True, slots=True)
class PrintedToken:
    """A kind of token, and how many of it are printed."""

    label: str
    text: str
    """What stands large instead of a symbol; empty if it has one."""
    symbol: str
    """The outline of its symbol; empty if it has none."""
    tone: str
    shape: str
    number: int
    light: bool = False
    """Whether it is white with its symbol in its colour, instead of white on the colour."""
    colour: str = ""
    """Its own colour; empty if it has that of its tone."""


@dataclass(frozen=True, slots=True)
class TokenSheet:
    """All tokens of a rule system."""

    system: str
    language: str
    edition: str
    credit: str
    tokens: tuple[PrintedToken, ...]
    look: PageLook = PLAIN_LOOK

    @property
    def number(self) -> int:
        """How many tokens are printed."""
        return sum(token.number for token in self.tokens)


@in_own_language
def gather_tokens(system: System) -> TokenSheet | None:
    """Gather the tokens of a system; None if it has none.

    Raises:
        MusterError: If an id is used twice, or there is no such symbol.
    """
    tokens = system.tokens
    if tokens is None:
        return None
    problems = tuple(token_problems(system.document("tokens.yaml"), tokens))
    if problems:
        raise MusterError(problems)
    identity = system.identity
    printed = tuple(
        PrintedToken(
            token.label,
            token.text or "",
            tokens.outline(token),
            token.tone,
            token.shape,
            token.number,
            token.light,
            token.colour or "",
        )
        for token in tokens.tokens
    )
    return TokenSheet(
        system.title,
        identity.language,
        identity.edition,
        identity.source.credit,
        printed,
        gather_look(system),
    )
