"""Parse the query parameters of a request strictly: known names, each once, one spelling.

Ignoring a misspelt filter would return the wrong results. The model checks ranges and formats. ADR 18 says why FastAPI's parsing is
not used.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import TypeVar, get_args
from urllib.parse import parse_qsl

from fastapi import Request
from pydantic import ValidationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.web.validation_errors import MAX_NAME_CHARACTERS, describe_unknown_name, to_api_error

D = TypeVar("D", bound=Document)
MAX_PARAMETERS = 50
_WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_FLAG = re.compile(r"true|false")
_NOTHING = re.compile(r"(?!)")


def create_query_parser(model: type[D]) -> Callable[[Request], Awaitable[D]]:
    """A dependency: the query parameters as a `model`. Raises `ValidationFailed`."""
    literals = {(field.alias or name): _get_literal_pattern(field.annotation) for name, field in model.model_fields.items()}

    @cache
    def get_defaults() -> D:
        # Documents are frozen, so that all requests without parameters can share one.
        return _parse_query(b"", model, literals)

    async def query(request: Request) -> D:
        text: bytes = request.scope["query_string"]
        return _parse_query(text, model, literals) if text else get_defaults()

    return query


def _parse_query(text: bytes, model: type[D], literals: Mapping[str, re.Pattern[str]]) -> D:
    """The query string as a `model`; `literals` has the pattern of values in JSON syntax of each parameter."""
    given = _parse_pairs(text)
    problems = _find_problems([name for name, _ in given], list(literals))
    if len(problems) > 0:
        raise ValidationFailed.of_fields(problems)
    # Text becomes a number or a flag only in JSON syntax and where the model expects one; the model rejects the rest.
    typed = {name: json.loads(value) if literals[name].fullmatch(value) is not None else value for name, value in given}
    try:
        return model.model_validate_json(json.dumps(typed), strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        raise to_api_error(error, model) from None


class NoParameters(Document):
    """The query of an operation without query parameters."""


def _get_literal_pattern(annotation: object) -> re.Pattern[str]:
    kinds = {annotation, *get_args(annotation)}
    if bool in kinds:
        return _FLAG
    return _WHOLE_NUMBER if int in kinds else _NOTHING


def _parse_pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except ValueError:
        message = Message(
            "The query string must have at most {limit} name=value pairs in percent-encoded UTF-8.", limit=MAX_PARAMETERS
        )
        raise ValidationFailed(message) from None


def _find_problems(names: list[str], known: list[str]) -> list[FieldProblem]:
    strange = [name for name in dict.fromkeys(names) if name not in known]
    repeated = [name for name in known if names.count(name) > 1]
    return [
        *(FieldProblem(name[:MAX_NAME_CHARACTERS], describe_unknown_name(Message("parameter"), name, known)) for name in strange),
        *(FieldProblem(name, Message("is given more than once")) for name in repeated),
    ]
