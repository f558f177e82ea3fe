"""Owns checked models of files: strict Pydantic models, and their errors as located problems.

Does not read files and does not know what the models are for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from generator.problems import MusterError, Problem
from generator.reading.document import Document
from generator.reading.spelling import did_you_mean

Model = TypeVar("Model", bound=BaseModel)
_Path = tuple[str | int, ...]

MOST_LINE = 300
MOST_PROSE = 4000
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_LINES = re.compile(r"L\d{1,5}(-\d{1,5})?(, L\d{1,5}(-\d{1,5})?)*", re.ASCII)


class Strict(BaseModel):
    """A model that takes the keys that it names and no others, and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def shown(data: object) -> str:
    """Show what was read, shortened."""
    if isinstance(data, dict):
        return "keys with values"
    if isinstance(data, list):
        return "a list"
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}…'"  # noqa: PLR2004


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError(f"read {shown(text)}, expected an id such as line-infantry")
    return text


def _line(text: str) -> str:
    if not text.strip() or "\n" in text or len(text) > MOST_LINE:
        raise ValueError(
            f"read {shown(text)}, expected one line of 1 to {MOST_LINE} characters"
        )
    return text


def _prose(text: str) -> str:
    if not text.strip() or len(text) > MOST_PROSE:
        raise ValueError(f"read {shown(text)}, expected a text of 1 to {MOST_PROSE} characters")
    return text


def _lines(text: str) -> str:
    if not _LINES.fullmatch(text):
        raise ValueError(f"read {shown(text)}, expected source lines such as L85, L172-174")
    return text


def _whole(data: object) -> object:
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    if not isinstance(data, str) or not _WHOLE.fullmatch(data):
        raise ValueError(f"read {shown(data)}, expected a whole number such as 4")
    return int(data)


def _flag(data: object) -> object:
    if isinstance(data, bool):
        return data
    if data not in ("true", "false"):
        raise ValueError(f"read {shown(data)}, expected true or false")
    return data == "true"


Id = Annotated[str, AfterValidator(_id)]
"""An id: small letters, digits and hyphens."""
Line = Annotated[str, AfterValidator(_line)]
"""One line of text."""
Prose = Annotated[str, AfterValidator(_prose)]
"""A text of one or more lines."""
Lines = Annotated[str, AfterValidator(_lines)]
"""Lines of a source: `L85, L172-174`."""
Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number of at most nine digits, without a sign or leading zeros."""
Flag = Annotated[bool, BeforeValidator(_flag)]
"""`true` or `false`; no other word is either."""


def read_model(model: type[Model], document: Document, *, context: Any = None) -> Model:
    """Check a document against a model.

    Raises:
        MusterError: With every fault of the file, each at its line and column.
    """
    try:
        return model.model_validate(document.data, context=context)
    except ValidationError as error:
        raise MusterError(problems_of(error, model, document)) from None


def problems_of(
    error: ValidationError, model: type[BaseModel], document: Document
) -> tuple[Problem, ...]:
    """Turn Pydantic's errors into problems, one a place, in the order of the file."""
    found: dict[tuple[_Path, str], Problem] = {}
    for each in error.errors(include_url=False):
        path = _walk(document.data, each["loc"])
        problem = _problem(each, path, model, document)
        found.setdefault((path, problem.code), problem)
    deep = [path for path, _ in found]
    kept = [
        problem
        for (path, code), problem in found.items()
        # Of the branches of a union, the one that got furthest is the one that was meant.
        if code != "wrong-type" or not any(p[: len(path)] == path and p != path for p in deep)
    ]
    # A part that an alias repeats stands in one place only.
    once = {(problem.location, problem.code): problem for problem in kept}.values()
    return tuple(sorted(once, key=lambda p: (p.location.line or 0, p.location.column or 0)))


def _walk(data: Any, loc: Iterable[str | int]) -> _Path:
    """Follow Pydantic's path through the data, leaving out names of union branches."""
    path: list[str | int] = []
    parts = list(loc)
    for number, part in enumerate(parts):
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        elif number == len(parts) - 1 and isinstance(data, dict) and isinstance(part, str):
            pass
        else:
            continue
        path.append(part)
    return tuple(path)


def _problem(each: Any, path: _Path, model: type[BaseModel], document: Document) -> Problem:
    kind, context, read = each["type"], each.get("ctx") or {}, each["input"]
    match kind:
        case "extra_forbidden":
            known = sorted(_known(model, each["loc"][:-1]))
            name = str(each["loc"][-1])
            hint = did_you_mean(name, known)
            text = f"unknown key {name!r}{hint}"
            text += f" (known: {', '.join(known)})" if known else ""
            return document.problem("unknown-key", text, path, key=True)
        case "missing":
            name = str(each["loc"][-1])
            return document.problem("missing-key", f"the key {name!r} is missing", path[:-1])
        case "value_error":
            return document.problem("bad-value", str(context.get("error", each["msg"])), path)
        case "literal_error":
            text = f"read {shown(read)}, expected {context['expected']}"
            return document.problem("bad-value", text, path)
        case "too_short" | "too_long":
            sign, bound = (
                ("at least", context["min_length"])
                if kind == "too_short"
                else ("at most", context["max_length"])
            )
            text = f"read {context['actual_length']} parts, expected {sign} {bound}"
            return document.problem("wrong-length", text, path)
        case _:
            text = f"read {shown(read)}, expected {_expected(kind, each)}"
            return document.problem("wrong-type", text, path)


_EXPECTED = {
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "keys with values",
    "model_type": "keys with values",
    "model_attributes_type": "keys with values",
}


def _expected(kind: str, each: Any) -> str:
    return _EXPECTED.get(kind) or str(each["msg"])


def _known(model: type[BaseModel], loc: Iterable[str | int]) -> set[str]:
    """Give the keys that a model takes at a place, over all branches of unions on the way."""
    here: list[Any] = [model]
    for part in loc:
        after = [child for each in here for child in _children(each, part)]
        if after:
            here = after
    return {
        field.alias or name
        for each in here
        for one in _models(each)
        for name, field in one.model_fields.items()
    }


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    if get_origin(annotation) in (Annotated, Union, UnionType):
        for each in get_args(annotation):
            yield from _models(each)


def _children(annotation: Any, part: str | int) -> Iterator[Any]:
    for model in _models(annotation):
        for name, field in model.model_fields.items():
            if (field.alias or name) == part:
                yield field.annotation
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Annotated, Union, UnionType):
        for each in args:
            if get_origin(each) in (list, dict, Annotated, Union, UnionType):
                yield from _children(each, part)
    elif (origin is list and isinstance(part, int)) or (origin is dict and len(args) == 2):  # noqa: PLR2004
        yield args[-1]


class Problems:
    """Collects problems of several files or steps and raises them together."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def add(self, problem: Problem) -> None:
        """Keep one."""
        self._problems.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep several."""
        self._problems.extend(problems)

    def during(self, act: Callable[[], Model]) -> Model | None:
        """Do something and keep its problems; None if there were any."""
        try:
            return act()
        except MusterError as error:
            self.extend(error.problems)
            return None

    def raise_if_any(self) -> None:
        """Raise all that were kept, if there are any.

        Raises:
            MusterError: With all of them.
        """
        if self._problems:
            raise MusterError(self._problems)
