"""A request's query parameters, as strictly as a body: known names only, each once, numbers and flags in one spelling.

A misspelt filter that is ignored answers another question than was asked. Ranges and formats are the model's.
"""

import json
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar, get_args
from urllib.parse import parse_qsl

from fastapi import Request
from pydantic import ValidationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.model.base import Document
from bonafide.web.problems import MAX_NAME_CHARACTERS, refused, unknown, validation_failed

D = TypeVar("D", bound=Document)
MAX_PARAMETERS = 50
_WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_FLAG = re.compile(r"true|false")
_NOTHING = re.compile(r"(?!)")


def query_of(model: type[D]) -> Callable[[Request], Awaitable[D]]:
    """A dependency: the query parameters as a `model`. Raises `ValidationFailed`."""
    literals = {(field.alias or name): _literal(field.annotation) for name, field in model.model_fields.items()}

    async def query(request: Request) -> D:
        given = _pairs(request.scope["query_string"])
        problems = _problems([name for name, _ in given], list(literals))
        if len(problems) > 0:
            raise refused(problems)
        # What is spelled like a number or a flag is one where the model wants one; all else stays text, and the model says why not.
        typed = {name: json.loads(text) if literals[name].fullmatch(text) is not None else text for name, text in given}
        try:
            return model.model_validate_json(json.dumps(typed), strict=True, by_alias=True, by_name=False)
        except ValidationError as error:
            raise validation_failed(error, model) from None

    return query


class NoParameters(Document):
    """The query of an operation that takes none."""


def _literal(annotation: object) -> re.Pattern[str]:
    kinds = {annotation, *get_args(annotation)}
    if bool in kinds:
        return _FLAG
    return _WHOLE_NUMBER if int in kinds else _NOTHING


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except ValueError:
        raise ValidationFailed(
            f"The query string is not at most {MAX_PARAMETERS} name=value pairs in percent-encoded UTF-8."
        ) from None


def _problems(names: list[str], known: list[str]) -> list[FieldProblem]:
    strange = [name for name in dict.fromkeys(names) if name not in known]
    repeated = [name for name in known if names.count(name) > 1]
    return [
        *(FieldProblem(name[:MAX_NAME_CHARACTERS], unknown("parameter", name, known)) for name in strange),
        *(FieldProblem(name, "is given more than once") for name in repeated),
    ]
