"""Owns what a command says when an extra that it needs is not installed.

Does not install anything.
"""

from __future__ import annotations

from importlib.util import find_spec

import click


def has_solver() -> bool:
    """Tell whether the extra `solver` is installed, without loading it."""
    return find_spec("ortools") is not None


def need_solver(command: str) -> None:
    """Refuse a command that cannot work without the extra `solver`.

    Raises:
        click.UsageError: If it is not installed.
    """
    if not has_solver():
        raise click.UsageError(
            f"`muster {command}` needs the extra `solver` (OR-tools): `make` installs it, or"
            " install muster[solver]"
        )
