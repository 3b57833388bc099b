"""The sentences for pydantic's validation errors, in one table.

Pydantic's own messages describe inputs and types. These describe fields, to a person.
"""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bonafide.errors import FieldProblem

_SENTENCES = {
    "missing": "is required",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
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
"""By pydantic's error type."""
_RECORD_EMAIL = "must be an e-mail address"
_RECORD_INSTANT = "must be an instant as records have it: 2026-11-20T14:33:00.125Z"


def describe_validation_error(details: ErrorDetails) -> str:
    """The sentence for one error; pydantic's own message for a type that the table does not have."""
    sentence = _SENTENCES.get(details["type"])
    if sentence is None:
        return details["msg"].removeprefix("Input should be ")
    values = {name: f"{value:g}" if isinstance(value, float) else value for name, value in details.get("ctx", {}).items()}
    return sentence.format_map(values)


def to_record_problems(error: ValidationError) -> list[FieldProblem]:
    """A problem for each refused field of a business record that was typed as text, by its path on the wire (`people.0.name`)."""
    return [
        FieldProblem(".".join(str(part) for part in details["loc"]), _describe_record_error(details))
        for details in error.errors(include_url=False, include_input=False)
    ]


def _describe_record_error(details: ErrorDetails) -> str:
    if details["type"] == "string_pattern_mismatch":  # a record's only pattern is that of e-mail addresses
        return _RECORD_EMAIL
    return _RECORD_INSTANT if details["type"].startswith(("datetime", "timezone")) else describe_validation_error(details)
