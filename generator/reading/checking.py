"""Owns the step from each Pydantic error to a problem at its place, in plain words.

Does not validate; `holding` does, and asks here when a file does not fit its model. Branches on
the type of an error and what it carries, never on its wording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from generator.problems import Problem
from generator.reading.document import Document
from generator.reading.expectations import (
    MAPPING,
    SCALARS,
    SHAPES,
    Expected,
    choice,
    choices_of,
    expected,
    shown,
)
from generator.reading.limits import MOST_PROBLEMS
from generator.reading.shape import known_keys
from generator.reading.spelling import did_you_mean

Path = tuple[str | int, ...]

_MOST_LOOKED_AT: Final = 2000
_KEY: Final = "[key]"


@dataclass(slots=True)
class _Fault:
    """A Pydantic error, its way through the data, and the branches of unions it was found in.

    A branch is the number of steps before it, and the tag that Pydantic gives it.
    """

    kind: str
    read: Any
    carried: dict[str, Any]
    said: str
    path: Path
    branches: tuple[tuple[int, str], ...]
    key: bool
    name: str

    @property
    def of_shape(self) -> bool:
        """Tell whether it says no more than that something of another sort was expected."""
        if self.kind in SHAPES:
            return True
        return isinstance(self.read, dict | list) and self.kind in SCALARS


def problems_of(
    error: ValidationError, model: type[BaseModel], document: Document
) -> list[Problem]:
    """Tell all faults of a file, in the order of the file (the first 100)."""
    errors = error.errors(include_url=False)[:_MOST_LOOKED_AT]
    faults = [_fault(each, document.data) for each in errors]
    said = _Teller(model, document)
    problems = [said.tell(group) for group in _groups(faults)]
    problems.sort(key=lambda each: (each.location.line or 0, each.location.column or 0))
    if len(problems) > MOST_PROBLEMS:
        last = problems[MOST_PROBLEMS - 1]
        text = f"there are {error.error_count() - MOST_PROBLEMS} more or so; these come first"
        problems[MOST_PROBLEMS:] = [Problem("more-problems", text, last.location)]
    return problems


# Where in the data


def _fault(error: Any, data: Any) -> _Fault:
    kind: str = error["type"]
    steps: tuple[Any, ...] = error["loc"]
    key = _KEY in steps or kind == "extra_forbidden"
    name = ""
    if kind == "missing":
        *_, last = steps
        name, steps = str(last), steps[:-1]
    path, branches = _walk(data, steps, None if _KEY in steps else error["input"])
    return _Fault(
        kind, error["input"], error.get("ctx", {}), error["msg"], path, branches, key, name
    )


def _walk(data: Any, steps: Sequence[Any], wanted: Any) -> tuple[Path, tuple[tuple[int, str], ...]]:
    """Follow a location through the data, leaving out its steps that are tags of unions.

    A tag may be called like a key of the mapping it stands for. The right way ends at the very
    object that was refused; where several do, it is the one that leaves out least.
    """
    ways = [_follow(data, steps, skipped) for skipped in (None, *range(len(steps)))]
    path, branches, _ = min(
        ways, key=lambda way: (wanted is not None and way[2] is not wanted, len(way[1]))
    )
    return path, branches


def _follow(
    data: Any, steps: Sequence[Any], skipped: int | None
) -> tuple[Path, tuple[tuple[int, str], ...], Any]:
    value = data
    path: list[str | int] = []
    branches: list[tuple[int, str]] = []
    for place, step in enumerate(steps):
        if place != skipped and _holds(value, step):
            value = value[step]
            path.append(step)
        elif step != _KEY:
            branches.append((len(path), str(step)))
    return tuple(path), tuple(branches), value


def _holds(value: Any, step: Any) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)


# Which of a union's complaints to tell


def _groups(faults: list[_Fault]) -> list[list[_Fault]]:
    """Sort faults into what is told as one: of a union, the branch that was most likely meant.

    A value that fits no branch fails all of them, and only one of those was meant. A branch that
    expected another sort of thing altogether was not, if another did not; nor was one that has
    more faults than another. What is left at one place is joined by "or".
    """
    kept = faults
    points = {(f.path[:depth], depth) for f in faults for depth, _ in f.branches}
    for path, depth in sorted(points, key=lambda point: point[1]):
        kept = _likeliest(kept, path, depth)
    groups: dict[Any, list[_Fault]] = {}
    for place, fault in enumerate(kept):
        joined = bool(fault.branches) and fault.branches[-1][0] == len(fault.path)
        told = (fault.path, fault.key) if joined and not fault.name and not fault.key else place
        groups.setdefault(told, []).append(fault)
    return list(groups.values())


def _likeliest(faults: list[_Fault], path: Path, depth: int) -> list[_Fault]:
    branches: dict[str, list[_Fault]] = {}
    for fault in faults:
        if fault.path[:depth] == path:
            tag = next((name for at, name in fault.branches if at == depth), None)
            if tag is not None:
                branches.setdefault(tag, []).append(fault)
    if len(branches) < 2:  # noqa: PLR2004 - nothing to choose from
        return faults
    flat = {tag for tag, found in branches.items() if all(_flat(f, path) for f in found)}
    deep = [tag for tag in branches if tag not in flat]
    if deep:
        plain = [tag for tag in deep if all(f.path == path and not f.name for f in branches[tag])]
        meant = set(plain) or {min(deep, key=lambda tag: len(branches[tag]))}
    else:
        meant = flat
    dropped = {id(f) for tag, found in branches.items() if tag not in meant for f in found}
    return [fault for fault in faults if id(fault) not in dropped]


def _flat(fault: _Fault, path: Path) -> bool:
    return fault.path == path and fault.of_shape


# In which words


class _Teller:
    def __init__(self, model: type[BaseModel], document: Document) -> None:
        self.model = model
        self.document = document

    def tell(self, faults: list[_Fault]) -> Problem:
        fault = faults[0]
        match fault.kind:
            case "missing":
                return self._missing(fault.name, fault.path)
            case "union_tag_not_found":
                return self._missing(_discriminator(fault), fault.path)
            case "union_tag_invalid":
                return self._untold(fault)
            case "extra_forbidden":
                return self._unknown(fault)
            case "value_error" | "assertion_error":
                return self._own(fault)
            case _:
                return self._unexpected(faults)

    def _unexpected(self, faults: list[_Fault]) -> Problem:
        fault = faults[0]
        found = (expected(each.kind, each.carried, each.read) for each in faults)
        wanted = [each for each in found if each is not None]
        if not wanted:
            text = f"read {shown(fault.read)}: {fault.said}"
            return self.document.problem("bad-value", text, fault.path, key=fault.key)
        named = [self._with_keys(each, fault.path) for each in wanted]
        return self._refused(fault.read, named, fault.path, key=fault.key)

    def _untold(self, fault: _Fault) -> Problem:
        name = _discriminator(fault)
        read = fault.read.get(name) if isinstance(fault.read, dict) else fault.read
        wanted = choice(choices_of(fault.carried), read)
        return self._refused(read, [wanted], (*fault.path, name), key=False)

    def _missing(self, name: str, path: Path) -> Problem:
        return self.document.problem("missing-key", f"the key {name!r} is missing here", path)

    def _unknown(self, fault: _Fault) -> Problem:
        name = str(fault.path[-1]) if fault.path else ""
        known = known_keys(self.model, self.document.data, fault.path[:-1])
        listed = f"; known: {', '.join(known)}" if known else ""
        text = f"unknown key {shown(name)}{did_you_mean(name, known)}{listed}"
        return self.document.problem("unknown-key", text, fault.path, key=True)

    def _own(self, fault: _Fault) -> Problem:
        error = fault.carried.get("error")
        text = str(error) or f"read {shown(fault.read)}, which cannot stand here"
        example = str(getattr(error, "example", ""))
        if example in text:
            example = ""
        return self.document.problem("bad-value", text, fault.path, key=fault.key, example=example)

    def _with_keys(self, wanted: Expected, path: Path) -> Expected:
        keys = known_keys(self.model, self.document.data, path) if wanted is MAPPING else []
        if not keys:
            return wanted
        return wanted._replace(words=f"a mapping with the keys {', '.join(keys)}", example="")

    def _refused(self, read: Any, wanted: list[Expected], path: Path, *, key: bool) -> Problem:
        words = " or ".join(dict.fromkeys(each.words for each in wanted))
        hint = next((each.hint for each in wanted if each.hint), "")
        example = next((each.example for each in wanted if each.example), "")
        text = f"read {shown(read)}, expected {words}{hint}"
        code = wanted[0].code
        return self.document.problem(code, text, path, key=key, example=example)


def _discriminator(fault: _Fault) -> str:
    return str(fault.carried.get("discriminator", "")).strip("'")
