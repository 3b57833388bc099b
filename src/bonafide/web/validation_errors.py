"""Convert validation errors of pydantic into field problems with sentences for a person.

The validator's own words speak of inputs, types and models; a caller has fields. No rule is decided here, only worded.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bonafide.errors import ApiError, FieldProblem, InvalidJson, ValidationFailed
from bonafide.model.base import FIELD

MAX_PROBLEMS = 20
"""Told at once; a body with thousands of unknown fields gets no answer of thousands of lines."""
MAX_NAME_CHARACTERS = 60
"""Of an unknown field's name that are repeated and compared with the known ones."""
_SENTENCES = {
    "missing": "is required",
    "bool_type": "must be true or false",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "uuid_type": "must be a UUID",
    "uuid_parsing": "must be a UUID",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have a length of at least {min_length}",
    "string_too_long": "must have a length of at most {max_length}",
    "too_short": "must have a length of at least {min_length}",
    "too_long": "must have a length of at most {max_length}",
    "enum": "must be one of {expected}",
    "literal_error": "must be {expected}",
    "value_error": "{error}",
}


def to_api_error(error: ValidationError, model: type[BaseModel]) -> ApiError:
    """The answer to a request that `model` refused: `InvalidJson` if it is not JSON to the validator, else `ValidationFailed`."""
    found = error.errors(include_url=False, include_input=False)
    if found[0]["type"] == "json_invalid":
        # What JSON leaves open and the validator does not accept: lone surrogates, hundreds of levels.
        return InvalidJson("The body is not JSON that can be read.")
    return create_validation_error([_to_field_problem(details, model) for details in found[:MAX_PROBLEMS]])


def create_validation_error(problems: Sequence[FieldProblem]) -> ValidationFailed:
    """The answer to a request with these problems; its sentence is the first of them."""
    first = problems[0]
    subject = f"{first.path}: " if first.path != "" else ""
    return ValidationFailed(f"The request is not valid: {subject}{first.message}", details=list(problems))


def describe_unknown_name(kind: str, name: str, known: Sequence[str]) -> str:
    """The sentence on a name (a "field", a "parameter") that does not exist; names the one that was probably meant."""
    shown = name[:MAX_NAME_CHARACTERS]
    meant = get_close_matches(shown, known, n=1)
    return f"unknown {kind} '{shown}'" + "".join(f"; did you mean '{name}'?" for name in meant)


def _to_field_problem(details: ErrorDetails, model: type[BaseModel]) -> FieldProblem:
    # A rule about several fields is the object's, and names the one to mend.
    places = [*details["loc"], *(value for name, value in details.get("ctx", {}).items() if name == FIELD)]
    path = ".".join(str(part)[:MAX_NAME_CHARACTERS] for part in places)
    if details["type"] == "extra_forbidden":
        return FieldProblem(
            path, describe_unknown_name("field", str(details["loc"][-1]), _list_field_names(model, details["loc"][:-1]))
        )
    return FieldProblem(path, _build_sentence(details))


def _build_sentence(details: ErrorDetails) -> str:
    sentence = _SENTENCES.get(details["type"])
    if sentence is None:
        return details["msg"].removeprefix("Input should be ")
    values = {name: f"{value:g}" if isinstance(value, float) else value for name, value in details.get("ctx", {}).items()}
    return sentence.format_map(values)


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
