"""Describe the validation errors of business records that were entered as text."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bonafide.errors import FieldProblem
from bonafide.i18n.message import Message
from bonafide.model.validation_messages import describe_validation_error

_EMAIL = Message("must be an email address")
_INSTANT = Message("must be a date and time in the format 2026-11-20T14:33:00.125Z")


def to_record_problems(error: ValidationError) -> list[FieldProblem]:
    """The problem of each refused field, by its path on the wire (`people.0.name`)."""
    return [
        FieldProblem(".".join(str(part) for part in details["loc"]), _describe_record_error(details))
        for details in error.errors(include_url=False, include_input=False)
    ]


def _describe_record_error(details: ErrorDetails) -> Message:
    if details["type"] == "string_pattern_mismatch":  # the only pattern of a record is that of email addresses
        return _EMAIL
    return _INSTANT if details["type"].startswith(("datetime", "timezone")) else describe_validation_error(details)
