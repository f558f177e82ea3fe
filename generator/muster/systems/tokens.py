"""The model of `tokens.yaml`: markers of orders, states and losses, to be cut out like cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from muster.limits import MAX_CARD_ITEMS, MAX_EQUAL_TOKENS
from muster.names import repeated
from muster.problems import Problem, did_you_mean
from muster.systems.identity import Tone
from muster.systems.look import Colour, Outline
from muster.systems.symbols import house_symbols
from muster.yamlfile import Document, Flag, Id, Label, StrictModel, WholeNumber

LONGEST_LABEL = 24
"""The most characters of the words below a token's symbol: two lines of a token of 25 mm."""

LONGEST_TEXT = 4
"""The most characters that stand large on a token instead of a symbol."""


class Token(StrictModel):
    """A kind of token, and how many of it are printed."""

    id: Id
    """Id of the kind of token."""
    label: Annotated[Label, Field(max_length=LONGEST_LABEL)]
    """Its words, such as `Disordered`; at most 24 characters."""
    symbol: Id | None = None
    """Symbol above the words: one of Muster's, such as `advance`, `retreat`, `rout`, `stand`,
    `reserve`, `deploy`, `sabres`, `shield`, `drum`, `disorder`, `fragment`, `tremble`, `pin`,
    `prone`, `wound`, `drops`, `burst`, `skull`, `fallen`, `grave`, `broken-flag`, `shackles`,
    `loophole`, `breach`, `barrel`, `smoke`, `star`, `wall` or one for cards, or one of `drawings`.
    """
    text: Annotated[Label, Field(max_length=LONGEST_TEXT)] | None = None
    """Large text instead of a symbol, such as `25%`; at most 4 characters."""
    tone: Tone = "neutral"
    """Its colour. Default: neutral."""
    colour: Colour | None = None
    """Its own colour, if what it stands for has one, such as `"#b3261e"` for a red card. Default:
    that of the tone.
    """
    light: Flag = False
    """`true` for a white token with its symbol in the colour, told from white on the colour at a
    glance and in grey. Default: false.
    """
    shape: Literal["round", "square"] = "round"
    """`round` or `square`. Default: round."""
    number: Annotated[WholeNumber, Field(ge=1, le=MAX_EQUAL_TOKENS)]
    """How many are printed, 1 to 99."""

    @model_validator(mode="after")
    def _check_face(self) -> Token:
        if (self.symbol is None) == (self.text is None):
            text = "a token needs exactly one of `symbol:` and `text:`"
            raise ValueError(text)
        return self


class Tokens(StrictModel):
    """The contents of `tokens.yaml`."""

    tokens: list[Token] = Field(min_length=1, max_length=MAX_CARD_ITEMS)
    """Kinds of token, in the order in which they are printed; at least one."""
    drawings: dict[Id, Outline] = Field(default={}, max_length=MAX_CARD_ITEMS)
    """Symbols of the system's own, as in `cards.yaml`."""

    def outline(self, token: Token) -> str:
        """Return the outline of a token's symbol; empty if it has none."""
        name = token.symbol or ""
        return self.drawings.get(name) or house_symbols().get(name, "")


def token_problems(document: Document, tokens: Tokens) -> Iterator[Problem]:
    """Find ids that are used twice, and symbols that do not exist."""
    known = [*house_symbols(), *tokens.drawings]
    for place, token_id in repeated(token.id for token in tokens.tokens):
        text = f"the id {token_id!r} is used twice"
        yield document.problem("duplicate-id", text, ("tokens", place, "id"))
    for place, token in enumerate(tokens.tokens):
        if token.symbol is not None and token.symbol not in known:
            text = f"there is no symbol {token.symbol!r}{did_you_mean(token.symbol, known)}"
            text += f"; known: {', '.join(known)}"
            yield document.problem("unknown-symbol", text, ("tokens", place, "symbol"))


def unused_drawings(document: Document, tokens: Tokens) -> Iterator[Problem]:
    """Find drawings that no token uses."""
    used = {token.symbol for token in tokens.tokens}
    for name in tokens.drawings:
        if name not in used:
            text = f"no token uses the drawing {name!r}"
            yield document.problem("unused-drawing", text, ("drawings", name))
