"""Validate a file against its model; each error becomes a problem at its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from muster.problems import MusterError, Problem, did_you_mean
from muster.yamlfile.document import Document
from muster.yamlfile.models import (
    BAD_FLAG,
    BAD_LINES,
    BAD_SIGNED,
    BAD_WHOLE,
    ID_PATTERN,
    LINE_PATTERN,
)
from muster.yamlfile.nodes import MAX_PROBLEMS

Model = TypeVar("Model", bound=BaseModel)


def read_model(
    model_class: type[Model],
    document: Document,
    *,
    context: dict[str, Any] | None = None,
) -> Model:
    """Return the model of a file.

    Args:
        model_class: What the top level must be.
        document: The file.
        context: What validators need to know besides, as Pydantic hands it on.

    Raises:
        MusterError: With all faults of the file, in the order of the file (the first 100).
    """
    try:
        return model_class.model_validate(document.data, context=context)
    except ValidationError as error:
        raise MusterError(problems_from(error, model_class, document)) from None


class Expected(NamedTuple):
    """A problem's code, the form that was expected, an example, and a hint to put behind."""

    code: str
    words: str
    example: str = ""
    hint: str = ""


_TEXT = Expected("wrong-type", "text")
_LIST = Expected("wrong-type", "a list", "[first, second] or lines that begin with a dash")
EXPECTED_MAPPING = Expected(
    "wrong-type", "a mapping of keys and values", "{id: rough, label: Rough}"
)
_WHOLE = Expected("bad-whole", "a whole number of up to nine digits, without a sign or zeros ahead")
_SIGNED = Expected("bad-signed", "a whole number of up to nine digits, with or without a sign")
_FLAG = Expected("bad-flag", "true or false", "true")
_ID = Expected("bad-id", "an id: small letters, digits and single hyphens", "old-guard")
_LINE = Expected("bad-line", "text in one line, without tabs")
_LINES = Expected("bad-lines", "lines of the source, the lower number first", "L85, L216-234")
_NUMBER = Expected("wrong-type", "a number", "4")

EXPECTATIONS: Final = {
    "string_type": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "dict_type": EXPECTED_MAPPING,
    "mapping_type": EXPECTED_MAPPING,
    "model_type": EXPECTED_MAPPING,
    "model_attributes_type": EXPECTED_MAPPING,
    BAD_WHOLE: _WHOLE._replace(example="4"),
    BAD_SIGNED: _SIGNED._replace(example="+2"),
    BAD_FLAG: _FLAG,
    BAD_LINES: _LINES,
    "int_type": _NUMBER,
    "int_parsing": _NUMBER,
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
}
SHAPE_ERRORS: Final = frozenset(
    kind for kind, each in EXPECTATIONS.items() if each in (_TEXT, _LIST, EXPECTED_MAPPING)
)
"""Errors that say no more than that text stands for a list, or the like."""

SCALAR_ERRORS: Final = frozenset({*EXPECTATIONS, "literal_error", "enum"}) - SHAPE_ERRORS
"""Errors that mean the same when what was read is a list or a mapping."""

_PATTERNS = {ID_PATTERN: _ID, LINE_PATTERN: _LINE}
_QUOTED_WORD = re.compile(r"'((?:[^'\\]|\\.)*)'")
_BOUND_ERRORS = {
    "greater_than_equal": ("ge", "or more"),
    "less_than_equal": ("le", "or less"),
    "greater_than": ("gt", "or more, itself left out"),
    "less_than": ("lt", "or less, itself left out"),
}


def describe_expected(kind: str, carried: Mapping[str, Any], read: Any) -> Expected | None:
    """Say what a field expected that refused a value; None if the error is of no known type.

    Args:
        kind: The error's `type`.
        carried: Its `ctx`.
        read: The value.
    """
    if kind in EXPECTATIONS:
        return EXPECTATIONS[kind]
    if kind in ("literal_error", "enum"):
        return _expect_one_of(_QUOTED_WORD.findall(str(carried.get("expected"))), read)
    if kind == "string_pattern_mismatch":
        pattern = str(carried.get("pattern"))
        return _PATTERNS.get(pattern, Expected("bad-text", f"a text of the pattern {pattern}"))
    if kind in _BOUND_ERRORS:
        key, words = _BOUND_ERRORS[kind]
        return Expected("out-of-bounds", f"{carried.get(key)} {words}")
    return _expect_size(kind, carried)


def union_tags(carried: Mapping[str, Any]) -> list[str]:
    """List the words that a union of models tells its members by."""
    return _QUOTED_WORD.findall(str(carried.get("expected_tags")))


def expect_one_of(words: list[str], read: Any) -> Expected:
    """Say that one of some words was expected, and which of them may have been meant."""
    return _expect_one_of(words, read)


def show_value(read: Any) -> str:
    """Write what was read so that it fits into a line."""
    if isinstance(read, dict):
        return "a mapping" if read else "an empty mapping"
    if isinstance(read, list):
        return "a list" if read else "an empty list"
    if read == "":
        return "nothing"
    # Cut first: the text may have thousands of characters.
    text = repr(read[:61] if isinstance(read, str) else read)
    return text if len(text) <= 62 else f"{text[:60]}…"  # noqa: PLR2004 - about half a line


def _expect_one_of(words: list[str], read: Any) -> Expected:
    hint = did_you_mean(read, words) if isinstance(read, str) else ""
    listed = " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"  # noqa: PLR2004
    return Expected("bad-choice", listed, "", hint)


def _expect_size(kind: str, carried: Mapping[str, Any]) -> Expected | None:
    least, most = carried.get("min_length"), carried.get("max_length")
    if kind == "string_too_short":
        if least == 1:
            return Expected("empty", "some text")
        return Expected("too-short", f"text of at least {least} characters")
    if kind == "string_too_long":
        return Expected("too-long", f"text of at most {most} characters")
    if kind == "too_short":
        return Expected("too-few", f"at least {least} {'entry' if least == 1 else 'entries'}")
    if kind == "too_long":
        counted = carried.get("actual_length")
        found = f", not {counted}" if counted is not None else ""
        return Expected("too-many", f"at most {most} {'entry' if most == 1 else 'entries'}{found}")
    return None


def known_keys(model: type[BaseModel], data: Any, path: tuple[str | int, ...]) -> list[str]:
    """List the keys that a mapping may have, as files write them, in the order of the model.

    Where several models are possible, those count whose fixed words (`kind: grid`) are the
    mapping's own; if there are none such, all do.

    Args:
        model: What the whole file is held to.
        data: The whole file.
        path: The way to the mapping.
    """
    shapes: list[Any] = [model]
    value = data
    for step in path:
        shapes = [
            inner for each in _matching_shapes(shapes, value) for inner in _shapes_at(each, step)
        ]
        value = value[step]
    keys: dict[str, None] = {}
    for each in _matching_shapes(shapes, value):
        if _is_model(each):
            keys.update(dict.fromkeys(_field_annotations(each)))
    return list(keys)


def _matching_shapes(shapes: list[Any], value: Any) -> list[Any]:
    leaves = [leaf for shape in shapes for leaf in _union_members(shape)]
    if not isinstance(value, Mapping):
        return leaves
    return [leaf for leaf in leaves if _matches_literals(leaf, value)] or leaves


def _union_members(shape: Any) -> Iterator[Any]:
    origin = get_origin(shape)
    if origin is Annotated:
        yield from _union_members(get_args(shape)[0])
    elif origin is Union or origin is UnionType:
        for each in get_args(shape):
            yield from _union_members(each)
    else:
        yield shape


def _shapes_at(shape: Any, step: str | int) -> list[Any]:
    if _is_model(shape):
        fields = _field_annotations(shape)
        return [fields[str(step)]] if step in fields else []
    if get_origin(shape) is None:
        return []
    # The last argument is what a dict, a list or a tuple holds.
    return [each for each in get_args(shape) if each is not Ellipsis][-1:]


def _matches_literals(shape: Any, value: Mapping[str, Any]) -> bool:
    if not _is_model(shape):
        return False
    return all(
        value[name] in get_args(annotation)
        for name, annotation in _field_annotations(shape).items()
        if get_origin(annotation) is Literal and name in value
    )


def _is_model(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, BaseModel)


def _field_annotations(model: type[BaseModel]) -> dict[str, Any]:
    return {each.alias or name: each.annotation for name, each in model.model_fields.items()}


KeyPath = tuple[str | int, ...]

_MAX_ERRORS: Final = 2000
_KEY_STEP: Final = "[key]"


@dataclass(slots=True)
class _FieldError:
    """A Pydantic error, its way through the data, and the branches of unions it was found in.

    A branch is the number of steps before it, and the tag that Pydantic gives it.
    """

    kind: str
    value: Any
    context: dict[str, Any]
    message: str
    path: KeyPath
    branches: tuple[tuple[int, str], ...]
    is_key: bool
    name: str

    @property
    def of_shape(self) -> bool:
        """Tell whether it says no more than that something of another sort was expected."""
        if self.kind in SHAPE_ERRORS:
            return True
        return isinstance(self.value, dict | list) and self.kind in SCALAR_ERRORS


def problems_from(
    error: ValidationError, model: type[BaseModel], document: Document
) -> list[Problem]:
    """Tell all faults of a file, in the order of the file (the first 100)."""
    errors = error.errors(include_url=False)[:_MAX_ERRORS]
    faults = [_field_error(each, document.data) for each in errors]
    said = _ProblemWriter(model, document)
    problems = [said.problem(group) for group in _group_errors(faults)]
    problems.sort(key=lambda each: (each.location.line or 0, each.location.column or 0))
    if len(problems) > MAX_PROBLEMS:
        last = problems[MAX_PROBLEMS - 1]
        text = f"there are {error.error_count() - MAX_PROBLEMS} more or so; these come first"
        problems[MAX_PROBLEMS:] = [Problem("more-problems", text, last.location)]
    return problems


# Where in the data


def _field_error(error: Any, data: Any) -> _FieldError:
    kind: str = error["type"]
    steps: tuple[Any, ...] = error["loc"]
    key = _KEY_STEP in steps or kind == "extra_forbidden"
    name = ""
    if kind == "missing":
        *_, last = steps
        name, steps = str(last), steps[:-1]
    path, branches = _locate_in_data(data, steps, None if _KEY_STEP in steps else error["input"])
    return _FieldError(
        kind, error["input"], error.get("ctx", {}), error["msg"], path, branches, key, name
    )


def _locate_in_data(
    data: Any, steps: Sequence[Any], wanted: Any
) -> tuple[KeyPath, tuple[tuple[int, str], ...]]:
    """Follow a location through the data, leaving out its steps that are tags of unions.

    A tag may be called like a key of the mapping it stands for. The right way ends at the very
    object that was refused; where several do, it is the one that leaves out least.
    """
    ways = [_follow_steps(data, steps, skipped) for skipped in (None, *range(len(steps)))]
    path, branches, _ = min(
        ways, key=lambda way: (wanted is not None and way[2] is not wanted, len(way[1]))
    )
    return path, branches


def _follow_steps(
    data: Any, steps: Sequence[Any], skipped: int | None
) -> tuple[KeyPath, tuple[tuple[int, str], ...], Any]:
    value = data
    path: list[str | int] = []
    branches: list[tuple[int, str]] = []
    for place, step in enumerate(steps):
        if place != skipped and _has_step(value, step):
            value = value[step]
            path.append(step)
        elif step != _KEY_STEP:
            branches.append((len(path), str(step)))
    return tuple(path), tuple(branches), value


def _has_step(value: Any, step: Any) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)


# Which of a union's complaints to tell


def _group_errors(faults: list[_FieldError]) -> list[list[_FieldError]]:
    """Sort faults into what is told as one: of a union, the branch that was most likely meant.

    A value that fits no branch fails all of them, and only one of those was meant. A branch that
    expected another sort of thing altogether was not, if another did not; nor was one that has
    more faults than another. What is left at one place is joined by "or".
    """
    kept = faults
    points = {(f.path[:depth], depth) for f in faults for depth, _ in f.branches}
    for path, depth in sorted(points, key=lambda point: point[1]):
        kept = _keep_likely_branch(kept, path, depth)
    groups: dict[Any, list[_FieldError]] = {}
    for place, fault in enumerate(kept):
        joined = bool(fault.branches) and fault.branches[-1][0] == len(fault.path)
        told = (
            (fault.path, fault.is_key) if joined and not fault.name and not fault.is_key else place
        )
        groups.setdefault(told, []).append(fault)
    return list(groups.values())


def _keep_likely_branch(faults: list[_FieldError], path: KeyPath, depth: int) -> list[_FieldError]:
    branches: dict[str, list[_FieldError]] = {}
    for fault in faults:
        if fault.path[:depth] == path:
            tag = next((name for at, name in fault.branches if at == depth), None)
            if tag is not None:
                branches.setdefault(tag, []).append(fault)
    if len(branches) < 2:  # noqa: PLR2004 - nothing to choose from
        return faults
    flat = {
        tag for tag, found in branches.items() if all(_is_shape_error_at(f, path) for f in found)
    }
    deep = [tag for tag in branches if tag not in flat]
    if deep:
        plain = [tag for tag in deep if all(f.path == path and not f.name for f in branches[tag])]
        meant = set(plain) or {min(deep, key=lambda tag: len(branches[tag]))}
    else:
        meant = flat
    dropped = {id(f) for tag, found in branches.items() if tag not in meant for f in found}
    return [fault for fault in faults if id(fault) not in dropped]


def _is_shape_error_at(fault: _FieldError, path: KeyPath) -> bool:
    return fault.path == path and fault.of_shape


# In which words


class _ProblemWriter:
    def __init__(self, model: type[BaseModel], document: Document) -> None:
        self.model = model
        self.document = document

    def problem(self, faults: list[_FieldError]) -> Problem:
        fault = faults[0]
        match fault.kind:
            case "missing":
                return self._missing(fault.name, fault.path)
            case "union_tag_not_found":
                return self._missing(_discriminator_of(fault), fault.path)
            case "union_tag_invalid":
                return self._unknown_tag(fault)
            case "extra_forbidden":
                return self._unknown(fault)
            case "value_error" | "assertion_error":
                return self._value_error(fault)
            case _:
                return self._unexpected(faults)

    def _unexpected(self, faults: list[_FieldError]) -> Problem:
        fault = faults[0]
        found = (describe_expected(each.kind, each.context, each.value) for each in faults)
        wanted = [each for each in found if each is not None]
        if not wanted:
            text = f"read {show_value(fault.value)}: {fault.message}"
            return self.document.problem("bad-value", text, fault.path, key=fault.is_key)
        named = [self._with_keys(each, fault.path) for each in wanted]
        return self._refused(fault.value, named, fault.path, key=fault.is_key)

    def _unknown_tag(self, fault: _FieldError) -> Problem:
        name = _discriminator_of(fault)
        read = fault.value.get(name) if isinstance(fault.value, dict) else fault.value
        wanted = expect_one_of(union_tags(fault.context), read)
        return self._refused(read, [wanted], (*fault.path, name), key=False)

    def _missing(self, name: str, path: KeyPath) -> Problem:
        return self.document.problem("missing-key", f"the key {name!r} is missing here", path)

    def _unknown(self, fault: _FieldError) -> Problem:
        name = str(fault.path[-1]) if fault.path else ""
        known = known_keys(self.model, self.document.data, fault.path[:-1])
        listed = f"; known: {', '.join(known)}" if known else ""
        text = f"unknown key {show_value(name)}{did_you_mean(name, known)}{listed}"
        return self.document.problem("unknown-key", text, fault.path, key=True)

    def _value_error(self, fault: _FieldError) -> Problem:
        error = fault.context.get("error")
        text = str(error) or f"read {show_value(fault.value)}, which cannot stand here"
        example = str(getattr(error, "example", ""))
        if example in text:
            example = ""
        return self.document.problem(
            "bad-value", text, fault.path, key=fault.is_key, example=example
        )

    def _with_keys(self, wanted: Expected, path: KeyPath) -> Expected:
        keys = (
            known_keys(self.model, self.document.data, path) if wanted is EXPECTED_MAPPING else []
        )
        if not keys:
            return wanted
        return wanted._replace(words=f"a mapping with the keys {', '.join(keys)}", example="")

    def _refused(self, read: Any, wanted: list[Expected], path: KeyPath, *, key: bool) -> Problem:
        words = " or ".join(dict.fromkeys(each.words for each in wanted))
        hint = next((each.hint for each in wanted if each.hint), "")
        example = next((each.example for each in wanted if each.example), "")
        text = f"read {show_value(read)}, expected {words}{hint}"
        code = wanted[0].code
        return self.document.problem(code, text, path, key=key, example=example)


def _discriminator_of(fault: _FieldError) -> str:
    return str(fault.context.get("discriminator", "")).strip("'")
