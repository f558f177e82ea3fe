"""Gather a document in the language of its rule system."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from muster.languages import speaking
from muster.systems import System

Given = ParamSpec("Given")
Gathered = TypeVar("Gathered")


def in_own_language(
    gather: Callable[Concatenate[System, Given], Gathered],
) -> Callable[Concatenate[System, Given], Gathered]:
    """Return a function that gathers a document of a system, in the language of the system."""

    @wraps(gather)
    def gather_in_language(
        system: System, /, *given: Given.args, **named: Given.kwargs
    ) -> Gathered:
        with speaking(system.identity.language):
            return gather(system, *given, **named)

    return gather_in_language
