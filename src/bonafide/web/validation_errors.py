"""Convert pydantic's validation errors into API errors, with the path and a sentence for each refused field."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bonafide.errors import ApiError, FieldProblem, InvalidJson, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import FIELD, FIELDS
from bonafide.model.validation_messages import describe_validation_error

MAX_PROBLEMS = 20
"""The most that one response lists: a body may have thousands of unknown fields."""
MAX_NAME_CHARACTERS = 60
"""The part of an unknown field's name that is repeated in the sentence and compared with the known names."""


def to_api_error(error: ValidationError, model: type[BaseModel]) -> ApiError:
    """The error for input that `model` refused: `InvalidJson` if pydantic cannot parse it as JSON, else `ValidationFailed`."""
    found = error.errors(include_url=False, include_input=False)
    if found[0]["type"] == "json_invalid":
        # JSON allows lone surrogates and hundreds of levels; pydantic does not.
        return InvalidJson(Message("The body is not valid JSON."))
    problems = [problem for details in found[:MAX_PROBLEMS] for problem in _to_field_problems(details, model)]
    return ValidationFailed.of_fields(problems[:MAX_PROBLEMS])


def describe_unknown_name(kind: Message, name: str, known: Sequence[str]) -> Message:
    """The sentence for an unknown name of a `kind` ("field", "parameter"). It suggests the closest known name."""
    shown = name[:MAX_NAME_CHARACTERS]
    meant = get_close_matches(shown, known, n=1)
    if meant:
        return Message("unknown {kind} '{name}'; did you mean '{known}'?", kind=kind, name=shown, known=meant[0])
    return Message("unknown {kind} '{name}'", kind=kind, name=shown)


def _to_field_problems(details: ErrorDetails, model: type[BaseModel]) -> list[FieldProblem]:
    # A rule about several fields has the object's path, and names the fields to change.
    context = details.get("ctx", {})
    fields = context.get(FIELDS, (context[FIELD],) if FIELD in context else ())
    paths = [_join_path([*details["loc"], field]) for field in fields] or [_join_path(details["loc"])]
    if details["type"] == "extra_forbidden":
        known = _list_field_names(model, details["loc"][:-1])
        message = describe_unknown_name(Message("field"), str(details["loc"][-1]), known)
    else:
        message = describe_validation_error(details)
    return [FieldProblem(path, message) for path in paths]


def _join_path(places: Sequence[object]) -> str:
    return ".".join(str(part)[:MAX_NAME_CHARACTERS] for part in places)


def _list_field_names(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The wire names of the fields at `path` inside `model`; none where that is not an object."""
    inner: type[BaseModel] | None = model
    for part in path:
        field = None if inner is None else next((field for field in inner.model_fields.values() if field.alias == part), None)
        inner = inner if isinstance(part, int) else None if field is None else _find_model(field.annotation)
    return [] if inner is None else [field.alias or name for name, field in inner.model_fields.items()]


def _find_model(annotation: Any) -> type[BaseModel] | None:
    """The model that an annotation such as `list[Model] | None` holds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for model in map(_find_model, get_args(annotation)) if model is not None), None)
