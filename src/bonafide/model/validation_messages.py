"""Describe pydantic's validation errors as messages for a person.

Pydantic's own messages describe inputs and types; these describe fields.
"""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

from bonafide.i18n.message import Message, join_values, plural_message
from bonafide.model.base import MESSAGE

_QUOTED = re.compile(r"'([^']*)'")
_SENTENCES = {
    "missing": Message("is required"),
    "bool_type": Message("must be true or false"),
    "bool_parsing": Message("must be true or false"),
    "string_type": Message("must be a string"),
    "string_unicode": Message("must be a string"),
    "int_type": Message("must be a whole number"),
    "int_parsing": Message("must be a whole number"),
    "int_from_float": Message("must be a whole number"),
    "int_parsing_size": Message("is too large"),
    "float_type": Message("must be a number"),
    "finite_number": Message("must be a finite number"),
    "list_type": Message("must be an array"),
    "tuple_type": Message("must be an array"),
    "model_type": Message("must be an object"),
    "dict_type": Message("must be an object"),
    "uuid_type": Message("must be a UUID"),
    "uuid_parsing": Message("must be a UUID"),
    "greater_than_equal": Message("must be at least {ge}"),
    "less_than_equal": Message("must be at most {le}"),
    "string_pattern_mismatch": Message("must match the pattern {pattern}"),
    "date_type": Message("must be a date (YYYY-MM-DD)"),
    "date_parsing": Message("must be a date (YYYY-MM-DD)"),
    "date_from_datetime_parsing": Message("must be a date (YYYY-MM-DD)"),
    "date_from_datetime_inexact": Message("must be a date (YYYY-MM-DD)"),
    "datetime_type": Message("must be a date-time"),
    "datetime_parsing": Message("must be a date-time"),
    "datetime_from_date_parsing": Message("must be a date-time"),
    "datetime_object_invalid": Message("must be a date-time"),
    "timezone_aware": Message("must have a time zone"),
    "base64_decode": Message("must be base64"),
}
"""By pydantic's error type."""
_CHOICES = frozenset({"enum", "literal_error"})
_COLLECTIONS = frozenset({"List", "Tuple", "Set", "Frozenset", "Dictionary", "Generator"})
"""The types whose length is a number of items. A validated text has a length in characters."""


def describe_validation_error(details: ErrorDetails) -> Message:
    """The message for one error; pydantic's own for a type that the table does not have."""
    context = details.get("ctx", {})
    if isinstance(context.get(MESSAGE), Message):
        return Message.untranslated(context[MESSAGE])
    if details["type"] == "value_error":
        # The message of a validator of this package.
        return Message.untranslated(context["error"].args[0])
    values = {name: f"{value:g}" if isinstance(value, float) else value for name, value in context.items()}
    if details["type"].endswith(("too_short", "too_long")):
        return _describe_length(details["type"], context)
    if details["type"] in _CHOICES:
        return _describe_choice(context["expected"])
    sentence = _SENTENCES.get(details["type"])
    if sentence is None:
        return Message.untranslated(details["msg"].removeprefix("Input should be "))
    return sentence.fill(**values)


def _describe_choice(expected: str) -> Message:
    # Pydantic's text is an English list: `'AB', 'BC' or 'FED'`.
    choices = _QUOTED.findall(expected) or [expected]
    if len(choices) == 1:
        return Message("must be {expected}", expected=choices[0])
    return Message("must be one of {expected}", expected=join_values(choices))


def _describe_length(error_type: str, context: Mapping[str, Any]) -> Message:
    is_text = context.get("field_type") not in _COLLECTIONS
    if error_type.endswith("too_short"):
        minimum = context["min_length"]
        if is_text:
            return plural_message("must have at least {n} character", "must have at least {n} characters", minimum)
        return plural_message("must have at least {n} item", "must have at least {n} items", minimum)
    maximum = context["max_length"]
    if is_text:
        return plural_message("must have at most {n} character", "must have at most {n} characters", maximum)
    return plural_message("must have at most {n} item", "must have at most {n} items", maximum)
