"""Owns the step from a file's data to a model.

Does not read files, and does not put faults into words; `checking` does, when there are any.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from generator.problems import MusterError
from generator.reading.document import Document

Model = TypeVar("Model", bound=BaseModel)


def read_model(
    model_class: type[Model],
    document: Document,
    *,
    context: dict[str, Any] | None = None,
    passing: bool = False,
) -> Model:
    """Hold a file to a model, or recall what came of the same content before.

    Args:
        model_class: What the top level must be.
        document: The file.
        context: For validators that need to know more, as Pydantic hands it on; with it, nothing
            is recalled.
        passing: Whether the model is only a step to something else, and not worth keeping.

    Raises:
        MusterError: With all faults of the file, in the order of the file (the first 100).
    """
    lasting = context is None and not passing
    what = f"{model_class.__module__}.{model_class.__qualname__}"
    if lasting and (known := document.recall(what, model_class)) is not None:
        return known
    try:
        model = model_class.model_validate(document.data, context=context)
    except ValidationError as error:
        from generator.reading.checking import problems_of  # noqa: PLC0415 - for faults only

        raise MusterError(problems_of(error, model_class, document)) from None
    if lasting:
        document.keep(what, model)
    return model
