"""How an endpoint is declared: what its documentation says, and the rules that hold because it says so.

The scope named here is enforced here, and a query string is refused where no parameters are named. The documents' shapes come from
the models; `openapi` makes one document of it all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from bonafide.api.auth import requires
from bonafide.api.components import ANSWER_HEADERS, SECURITY, error_answers, example, header, parameter, query_parameters
from bonafide.api.idempotency import OperationRoute
from bonafide.api.parameter_sources import Source, handler_of
from bonafide.api.query import NoParameters, query_of
from bonafide.errors import (
    ApiError,
    BodyTooLarge,
    Conflict,
    ExpiredApiKey,
    InternalFailure,
    InvalidApiKey,
    InvalidJson,
    MissingApiKey,
    RateLimited,
    RevokedApiKey,
    ScopeMissing,
    ServerBusy,
    UnsupportedMediaType,
    ValidationFailed,
)
from bonafide.model.base import Document
from bonafide.model.accounts.organizations import Scope

F = TypeVar("F", bound=Callable[..., Any])
SCHEMAS = "#/components/schemas/{model}"
_ALWAYS: tuple[type[ApiError], ...] = (
    *(ValidationFailed, MissingApiKey, InvalidApiKey, RevokedApiKey, ExpiredApiKey, ScopeMissing),
    *(RateLimited, InternalFailure, ServerBusy),
)
_WITH_BODY: tuple[type[ApiError], ...] = (InvalidJson, BodyTooLarge, UnsupportedMediaType)


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer: what it means, its document, the example file that shows it, headers beyond the usual.

    One without a document is a file of `media_type`, or has no content; one with both is either, as `Accept` prefers.
    """

    meaning: str
    model: type[Document] | UnionType | None = None
    """A union where the body says which of several documents it is."""
    example: str | None = None
    further_examples: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API. `errors` are those beyond the ones that follow from the rest."""

    operation_id: str
    summary: str
    tag: str
    scope: Scope
    answers: Mapping[int, Answer]
    errors: tuple[type[ApiError], ...] = ()
    body: type[Document] | None = None
    body_example: str | None = None
    body_rule: Mapping[str, Any] = field(default_factory=dict)
    """What the model refuses beyond what its schema says, as a JSON schema."""
    query: type[Document] | None = None
    path_id: str = "SearchId"
    """The shared parameter that `{id}` in the path is."""
    parameters: tuple[dict[str, Any], ...] = field(default=())


def endpoint(router: APIRouter, method: str, paths: tuple[str, ...], operation: Operation) -> Callable[[F], F]:
    """Register a function under its path and the aliases that follow it. Its docstring is the operation's description."""
    rules: list[Source] = [requires(operation.scope)]
    if operation.query is None:
        rules.append(query_of(NoParameters))

    def register(function: F) -> F:
        handler = handler_of(function, rules)
        for path in paths:
            alias = "" if path == paths[0] else "Alias"
            router.add_api_route(
                path,
                handler,
                methods=[method],
                route_class_override=OperationRoute,
                operation_id=f"{operation.operation_id}{alias}",
                summary=operation.summary if alias == "" else f"{operation.summary} (alias of {method} {router.prefix}{paths[0]})",
                tags=[operation.tag],
                status_code=min(operation.answers),
                responses=_answers(method, operation),
                openapi_extra=_request(method, path, operation),
                response_model=None,
                response_class=_class_of(operation),
            )
        return function

    return register


def _class_of(operation: Operation) -> type[Response]:
    """What the framework describes an answer as that says nothing more of itself: JSON, where there are documents."""
    return JSONResponse if any(answer.model is not None for answer in operation.answers.values()) else Response


def _answers(method: str, operation: Operation) -> dict[int | str, dict[str, Any]]:
    usual = ANSWER_HEADERS if method != "POST" else (*ANSWER_HEADERS, "Idempotent-Replayed")
    successes: dict[int | str, dict[str, Any]] = {
        status: {
            "model": answer.model,
            "description": answer.meaning,
            "headers": {name: header(name) for name in (*usual, *answer.headers)},
            "content": _content(answer),
        }
        for status, answer in operation.answers.items()
    }
    return {**successes, **error_answers(_errors(method, operation))}


def _content(answer: Answer) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if answer.example is not None:
        named = [example(name) for name in (answer.example, *answer.further_examples)]
        content["application/json"] = {"examples": {name: one for examples in named for name, one in examples.items()}}
    if answer.media_type is not None:
        content[answer.media_type] = {"schema": {"type": "string", "contentEncoding": "binary"}}
    return content


def _errors(method: str, operation: Operation) -> list[type[ApiError]]:
    kinds = [*_ALWAYS, *operation.errors]
    if operation.body is not None:
        kinds += _WITH_BODY
    if method == "POST" and Conflict not in kinds:
        kinds.append(Conflict)
    return kinds


def _request(method: str, path: str, operation: Operation) -> dict[str, Any]:
    parameters = [
        *([parameter(operation.path_id)] if "{id}" in path else []),
        *(query_parameters(operation.query) if operation.query is not None else []),
        *operation.parameters,
        *([parameter("Idempotency-Key")] if method == "POST" else []),
        parameter("X-Request-Id"),
    ]
    described: dict[str, Any] = {"security": SECURITY, "parameters": parameters, "x-scope": operation.scope.value}
    if operation.body is not None and operation.body_example is not None:
        schema = {**operation.body.model_json_schema(ref_template=SCHEMAS), **operation.body_rule}
        media = {"schema": schema, "examples": example(operation.body_example)}
        described["requestBody"] = {"required": True, "content": {"application/json": media}}
    return described
