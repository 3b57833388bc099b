"""Convert validation errors of business records into messages for each field.

Everything typed is a text, so that the validator's words about types say nothing. No rule is decided here, only worded.
"""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bonafide.errors import FieldProblem

_SENTENCES = {
    "missing": "is required",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} elements",
    "string_pattern_mismatch": "must be an e-mail address",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a whole number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "bool_parsing": "must be true or false",
    "value_error": "{error}",
}
"""By the validator's code; the one pattern that a record knows is that of e-mail addresses."""
_INSTANT = "must be an instant as records have it: 2026-11-20T14:33:00.125Z"


def to_field_problems(error: ValidationError) -> list[FieldProblem]:
    """A sentence for each refused field, by its path on the wire (`people.0.name`)."""
    return [_to_field_problem(details) for details in error.errors(include_url=False, include_input=False)]


def _to_field_problem(details: ErrorDetails) -> FieldProblem:
    path = ".".join(str(part) for part in details["loc"])
    if details["type"].startswith(("datetime", "timezone")):
        return FieldProblem(path, _INSTANT)
    sentence = _SENTENCES.get(details["type"], details["msg"])
    return FieldProblem(path, sentence.format_map(details.get("ctx", {})))
