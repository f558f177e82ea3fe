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
from muster.yamlfile.nodes import MAX_PROBLEMS, KeyPath
from muster.yamlfile.wording import reworded

Model = TypeVar("Model", bound=BaseModel)


def read_model(
    model_class: type[Model],
    document: Document,
    *,
    context: dict[str, Any] | None = None,
) -> Model:
    """Return what a file holds as a model, in the words of the document's `wording` if it has one.

    Args:
        model_class: The model of the top level.
        document: The file.
        context: More that validators need to know, as Pydantic passes it on.

    Raises:
        MusterError: With all faults of the file, in the order of the file (the first 100).
    """
    try:
        model = model_class.model_validate(document.data, context=context)
    except ValidationError as error:
        raise MusterError(problems_from(error, model_class, document)) from None
    return model if document.wording is None else reworded(model, document)


class Expected(NamedTuple):
    """The expectation of a field: code of the problem, form in words, example and hint."""

    code: str
    words: str
    example: str = ""
    hint: str = ""


_TEXT = Expected("wrong-type", "text")
_LIST = Expected("wrong-type", "a list", "[first, second] or lines that begin with a dash")
EXPECTED_MAPPING = Expected(
    "wrong-type", "a mapping of keys and values", "{id: rough, label: Rough}"
)
_WHOLE = Expected(
    "bad-whole", "a whole number of up to nine digits, without a sign or leading zeros"
)
_SIGNED = Expected("bad-signed", "a whole number of up to nine digits, with or without a sign")
_FLAG = Expected("bad-flag", "true or false", "true")
_ID = Expected("bad-id", "an id: lower-case letters, digits and single hyphens", "old-guard")
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
"""Types of errors that only mean another kind of value: a text for a list, or the like."""

SCALAR_ERRORS: Final = frozenset({*EXPECTATIONS, "literal_error", "enum"}) - SHAPE_ERRORS
"""Types of errors that also mean only that, if a list or a mapping was read."""

_PATTERNS = {ID_PATTERN: _ID, LINE_PATTERN: _LINE}
_QUOTED_WORD = re.compile(r"'((?:[^'\\]|\\.)*)'")
_BOUND_ERRORS = {
    "greater_than_equal": ("ge", "{} or more"),
    "less_than_equal": ("le", "{} or less"),
    "greater_than": ("gt", "more than {}"),
    "less_than": ("lt", "less than {}"),
}


def describe_expected(error_type: str, context: Mapping[str, Any], value: Any) -> Expected | None:
    """Return what the field that refused a value expected; None for an unknown type of error.

    Args:
        error_type: The error's `type`.
        context: The error's `ctx`.
        value: The value that was refused.
    """
    if error_type in EXPECTATIONS:
        return EXPECTATIONS[error_type]
    if error_type in ("literal_error", "enum"):
        return expect_one_of(_QUOTED_WORD.findall(str(context.get("expected"))), value)
    if error_type == "string_pattern_mismatch":
        pattern = str(context.get("pattern"))
        return _PATTERNS.get(
            pattern, Expected("bad-text", f"text that matches the pattern {pattern}")
        )
    if error_type in _BOUND_ERRORS:
        key, words = _BOUND_ERRORS[error_type]
        return Expected("out-of-bounds", words.format(context.get(key)))
    return _expect_size(error_type, context)


def union_tags(context: Mapping[str, Any]) -> list[str]:
    """Return the words by which a union of models distinguishes its members."""
    return _QUOTED_WORD.findall(str(context.get("expected_tags")))


def show_value(value: Any) -> str:
    """Return a value as a message quotes it, short enough for a line."""
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if value == "":
        return "nothing"
    # Cut before it is escaped: the text may have thousands of characters.
    text = repr(value[:61] if isinstance(value, str) else value)
    return text if len(text) <= 62 else f"{text[:60]}…"  # noqa: PLR2004 - about half a line


def expect_one_of(words: list[str], value: Any) -> Expected:
    """Return that one of some words was expected, with the word that may have been meant."""
    hint = did_you_mean(value, words) if isinstance(value, str) else ""
    listed = " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"  # noqa: PLR2004
    return Expected("bad-choice", listed, "", hint)


def _expect_size(error_type: str, context: Mapping[str, Any]) -> Expected | None:
    minimum, maximum = context.get("min_length"), context.get("max_length")
    if error_type == "string_too_short":
        if minimum == 1:
            return Expected("empty", "some text")
        return Expected("too-short", f"text of at least {minimum} characters")
    if error_type == "string_too_long":
        return Expected("too-long", f"text of at most {maximum} characters")
    if error_type == "too_short":
        return Expected("too-few", f"at least {minimum} {'entry' if minimum == 1 else 'entries'}")
    if error_type == "too_long":
        count = context.get("actual_length")
        actual = f", not {count}" if count is not None else ""
        entries = "entry" if maximum == 1 else "entries"
        return Expected("too-many", f"at most {maximum} {entries}{actual}")
    return None


def known_keys(model: type[BaseModel], data: Any, path: KeyPath) -> list[str]:
    """Return the keys that a mapping may have, as files write them, in the order of the model.

    Where several models are possible, only those whose fixed words (`kind: grid`) the mapping has
    are considered; if it has none of them, all are.

    Args:
        model: The model of the whole file.
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


_MAX_ERRORS: Final = 2000
_KEY_STEP: Final = "[key]"
"""The step that Pydantic puts at the end of the path to a key that it refuses."""


@dataclass(slots=True)
class _FieldError:
    """A Pydantic error, its path through the data, and the branches of unions it was found in.

    Attributes:
        type: The type of error, as Pydantic names it.
        value: The value that was refused.
        context: What Pydantic adds to the type, such as a bound.
        message: Pydantic's own words.
        path: The path to the value.
        branches: For each branch of a union, the number of steps before it, and its tag.
        is_key: Whether a key was refused rather than a value.
        name: The key that is missing; else empty.
    """

    type: str
    value: Any
    context: dict[str, Any]
    message: str
    path: KeyPath
    branches: tuple[tuple[int, str], ...]
    is_key: bool
    name: str

    @property
    def is_of_shape(self) -> bool:
        """Whether the error only means that another kind of value was expected."""
        if self.type in SHAPE_ERRORS:
            return True
        return isinstance(self.value, dict | list) and self.type in SCALAR_ERRORS


def problems_from(
    error: ValidationError, model: type[BaseModel], document: Document
) -> list[Problem]:
    """Return all problems of a file, in the order of the file (the first 100)."""
    details = error.errors(include_url=False)[:_MAX_ERRORS]
    errors = [_field_error(each, document.data) for each in details]
    writer = _ProblemWriter(model, document)
    problems = [writer.problem(group) for group in _group_errors(errors)]
    problems.sort(key=lambda each: (each.location.line or 0, each.location.column or 0))
    if len(problems) > MAX_PROBLEMS:
        last = problems[MAX_PROBLEMS - 1]
        text = (
            f"there are about {error.error_count() - MAX_PROBLEMS} more problems; these come first"
        )
        problems[MAX_PROBLEMS:] = [Problem("more-problems", text, last.location)]
    return problems


def _field_error(error: Any, data: Any) -> _FieldError:
    """Return one of Pydantic's errors with its place in the data."""
    error_type: str = error["type"]
    steps: tuple[Any, ...] = error["loc"]
    is_key = _KEY_STEP in steps or error_type == "extra_forbidden"
    name = ""
    if error_type == "missing":
        *_, last = steps
        name, steps = str(last), steps[:-1]
    path, branches = _locate_in_data(data, steps, None if _KEY_STEP in steps else error["input"])
    return _FieldError(
        error_type, error["input"], error.get("ctx", {}), error["msg"], path, branches, is_key, name
    )


def _locate_in_data(
    data: Any, steps: Sequence[Any], refused: Any
) -> tuple[KeyPath, tuple[tuple[int, str], ...]]:
    """Return the path that an error's location stands for, and its steps that are tags of unions.

    A tag may have the name of a key of the mapping that it stands for. The right path ends at the
    very object that was refused; if several do, it is the one with the fewest tags.
    """
    candidates = [_follow_steps(data, steps, skipped) for skipped in (None, *range(len(steps)))]
    path, branches, _ = min(
        candidates, key=lambda each: (refused is not None and each[2] is not refused, len(each[1]))
    )
    return path, branches


def _follow_steps(
    data: Any, steps: Sequence[Any], skipped: int | None
) -> tuple[KeyPath, tuple[tuple[int, str], ...], Any]:
    value = data
    path: list[str | int] = []
    branches: list[tuple[int, str]] = []
    for index, step in enumerate(steps):
        if index != skipped and _has_step(value, step):
            value = value[step]
            path.append(step)
        elif step != _KEY_STEP:
            branches.append((len(path), str(step)))
    return tuple(path), tuple(branches), value


def _has_step(value: Any, step: Any) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)


def _group_errors(errors: list[_FieldError]) -> list[list[_FieldError]]:
    """Return errors in groups, each of which becomes one problem.

    A value that fits no branch of a union fails all of them, though its author meant only one.
    Two kinds of branches are dropped: those that expected another kind of value, if some branch
    expected this kind, and those with more errors than another. What remains at one place is
    joined by "or".
    """
    likely = errors
    unions = {(error.path[:depth], depth) for error in errors for depth, _ in error.branches}
    for path, depth in sorted(unions, key=lambda union: union[1]):
        likely = _keep_likely_branches(likely, path, depth)
    groups: dict[Any, list[_FieldError]] = {}
    for index, error in enumerate(likely):
        at_union = bool(error.branches) and error.branches[-1][0] == len(error.path)
        joined = at_union and not error.name and not error.is_key
        group_key = (error.path, error.is_key) if joined else index
        groups.setdefault(group_key, []).append(error)
    return list(groups.values())


def _keep_likely_branches(
    errors: list[_FieldError], path: KeyPath, depth: int
) -> list[_FieldError]:
    """Return the errors without those of unlikely branches of one union."""
    branches: dict[str, list[_FieldError]] = {}
    for error in errors:
        if error.path[:depth] == path:
            tag = next((name for at, name in error.branches if at == depth), None)
            if tag is not None:
                branches.setdefault(tag, []).append(error)
    if len(branches) < 2:  # noqa: PLR2004 - nothing to choose from
        return errors
    other_shape = {
        tag
        for tag, own in branches.items()
        if all(error.path == path and error.is_of_shape for error in own)
    }
    right_shape = [tag for tag in branches if tag not in other_shape]
    if right_shape:
        plain = [
            tag
            for tag in right_shape
            if all(error.path == path and not error.name for error in branches[tag])
        ]
        meant = set(plain) or {min(right_shape, key=lambda tag: len(branches[tag]))}
    else:
        meant = other_shape
    dropped = {id(error) for tag, own in branches.items() if tag not in meant for error in own}
    return [error for error in errors if id(error) not in dropped]


class _ProblemWriter:
    """Puts the errors of one file into words."""

    def __init__(self, model: type[BaseModel], document: Document) -> None:
        self.model = model
        self.document = document

    def problem(self, errors: list[_FieldError]) -> Problem:
        """Return the problem that a group of errors amounts to."""
        error = errors[0]
        match error.type:
            case "missing":
                return self._missing(error.name, error.path)
            case "union_tag_not_found":
                return self._missing(_discriminator(error), error.path)
            case "union_tag_invalid":
                return self._unknown_tag(error)
            case "extra_forbidden":
                return self._unknown_key(error)
            case "value_error" | "assertion_error":
                return self._value_error(error)
            case _:
                return self._unexpected(errors)

    def _unexpected(self, errors: list[_FieldError]) -> Problem:
        error = errors[0]
        described = (describe_expected(each.type, each.context, each.value) for each in errors)
        expectations = [self._with_keys(each, error.path) for each in described if each is not None]
        if not expectations:
            text = f"read {show_value(error.value)}: {error.message}"
            return self.document.problem("bad-value", text, error.path, key=error.is_key)
        return self._refused(error.value, expectations, error.path, key=error.is_key)

    def _unknown_tag(self, error: _FieldError) -> Problem:
        name = _discriminator(error)
        value = error.value.get(name) if isinstance(error.value, dict) else error.value
        expected = expect_one_of(union_tags(error.context), value)
        return self._refused(value, [expected], (*error.path, name), key=False)

    def _missing(self, name: str, path: KeyPath) -> Problem:
        return self.document.problem("missing-key", f"the key {name!r} is missing here", path)

    def _unknown_key(self, error: _FieldError) -> Problem:
        name = str(error.path[-1]) if error.path else ""
        known = known_keys(self.model, self.document.data, error.path[:-1])
        listed = f"; known: {', '.join(known)}" if known else ""
        text = f"there is no key {show_value(name)}{did_you_mean(name, known)}{listed}"
        return self.document.problem("unknown-key", text, error.path, key=True)

    def _value_error(self, error: _FieldError) -> Problem:
        raised = error.context.get("error")
        text = str(raised) or f"read {show_value(error.value)}, which is not allowed here"
        example = str(getattr(raised, "example", ""))
        if example in text:
            example = ""
        return self.document.problem(
            "bad-value", text, error.path, key=error.is_key, example=example
        )

    def _with_keys(self, expected: Expected, path: KeyPath) -> Expected:
        """Return an expected mapping with its keys named, as far as they are known."""
        if expected is not EXPECTED_MAPPING:
            return expected
        keys = known_keys(self.model, self.document.data, path)
        if not keys:
            return expected
        return expected._replace(words=f"a mapping with the keys {', '.join(keys)}", example="")

    def _refused(
        self, value: Any, expectations: list[Expected], path: KeyPath, *, key: bool
    ) -> Problem:
        words = " or ".join(dict.fromkeys(each.words for each in expectations))
        hint = next((each.hint for each in expectations if each.hint), "")
        example = next((each.example for each in expectations if each.example), "")
        text = f"read {show_value(value)}, expected {words}{hint}"
        code = expectations[0].code
        return self.document.problem(code, text, path, key=key, example=example)


def _discriminator(error: _FieldError) -> str:
    """Return the key by which a union distinguishes its members."""
    return str(error.context.get("discriminator", "")).strip("'")
