"""Declare an endpoint: its documentation, its scope and its parameters in one value.

The scope is enforced here, further scopes by the services. An operation without query parameters rejects a query string. The models
define the schemas; `openapi` builds the description.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, UnionType
from typing import Any, TypeVar

from fastapi import APIRouter, Depends
from starlette.responses import JSONResponse, Response

from bonafide.api.description.components import (
    COMMON_HEADERS,
    SECURITY,
    describe_error_responses,
    describe_query_parameters,
    reference_example,
    reference_header,
    reference_parameter,
)
from bonafide.api.protocol.dependencies import require_scope
from bonafide.api.protocol.file_form import FILE_FORM
from bonafide.api.protocol.operation_route import OperationRoute
from bonafide.api.protocol.query_string import NoParameters, create_query_parser
from bonafide.api.protocol.upload_body import FILE_PART, MULTIPART, UPLOAD_BODY
from bonafide.errors import (
    ApiError,
    BodyTooLarge,
    BodyTooSlow,
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
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document

F = TypeVar("F", bound=Callable[..., Any])
SCHEMAS = "#/components/schemas/{model}"
_COMMON_ERRORS: tuple[type[ApiError], ...] = (
    *(ValidationFailed, MissingApiKey, InvalidApiKey, RevokedApiKey, ExpiredApiKey, ScopeMissing),
    *(RateLimited, InternalFailure, ServerBusy),
)
_BODY_ERRORS: tuple[type[ApiError], ...] = (InvalidJson, BodyTooSlow, BodyTooLarge, UnsupportedMediaType)
TEXT_FILE: Mapping[str, Any] = MappingProxyType({"type": "string"})
"""The schema of a file that is text in UTF-8."""
BINARY_FILE: Mapping[str, Any] = MappingProxyType({"type": "string", "contentEncoding": "binary"})
"""The schema of any other file."""


@dataclass(frozen=True, slots=True)
class OperationResponse:
    """A successful response: its meaning, its document, its example file, and headers beyond the common ones.

    A response without a document is a file of `media_type`, or has no content; with both it is either, as `Accept` prefers.
    """

    meaning: str
    model: type[Document] | UnionType | None = None
    """A union if the body can be one of several documents."""
    example: str | None = None
    further_examples: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    media_type: str | None = None
    further_media_types: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The media types of files that a parameter chooses instead, with their schemas."""


@dataclass(frozen=True, slots=True)
class OperationSpec:
    """One operation of the API. `errors` are those beyond the ones that follow from the rest."""

    operation_id: str
    summary: str
    tag: str
    scope: Scope
    answers: Mapping[int, OperationResponse]
    errors: tuple[type[ApiError], ...] = ()
    body: type[Document] | None = None
    body_example: str | None = None
    body_media_types: Mapping[str, str] = field(default_factory=dict)
    """The media types of files that may be sent instead of `body`, with what such a file is."""
    form_fields: Mapping[str, str] = field(default_factory=dict)
    """The parts of a form besides a large file, with what each is."""
    query: type[Document] | None = None
    further_scopes: Mapping[str, Scope] = field(default_factory=dict)
    """By field or parameter, the scope that it requires besides `scope`, because it reads or does something of another resource."""
    path_id: str = "SearchId"
    """The shared parameter that describes `{id}` in the path."""
    parameters: tuple[dict[str, Any], ...] = field(default=())


def endpoint(router: APIRouter, method: str, paths: tuple[str, ...], operation: OperationSpec) -> Callable[[F], F]:
    """Register a function under its path and the aliases that follow it. Its docstring is the operation's description."""
    rules = [Depends(require_scope(operation.scope))]
    if operation.query is None:
        rules.append(Depends(create_query_parser(NoParameters)))

    if MULTIPART in operation.body_media_types:
        rules.append(FILE_FORM if operation.form_fields else UPLOAD_BODY)

    def register(function: F) -> F:
        for path in paths:
            is_alias = path != paths[0]
            original = f"{method} {router.prefix}{paths[0]}"
            router.add_api_route(
                path,
                function,
                methods=[method],
                dependencies=rules,
                route_class_override=OperationRoute,
                operation_id=f"{operation.operation_id}Alias" if is_alias else operation.operation_id,
                summary=f"{operation.summary} (alias of {original})" if is_alias else operation.summary,
                description=f"Alias of `{original}`, with identical requests and responses." if is_alias else None,
                tags=[operation.tag],
                status_code=min(operation.answers),
                responses=_describe_responses(method, operation),
                openapi_extra=_describe_request(method, path, operation),
                response_model=None,
                response_class=_choose_response_class(operation),
            )
        return function

    return register


def _choose_response_class(operation: OperationSpec) -> type[Response]:
    """The default media type of the described responses: JSON if there are documents."""
    return JSONResponse if any(answer.model is not None for answer in operation.answers.values()) else Response


def _describe_responses(method: str, operation: OperationSpec) -> dict[int | str, dict[str, Any]]:
    usual = (
        *COMMON_HEADERS,
        *(("Idempotent-Replayed",) if method == "POST" else ()),
        *(("Warning",) if operation.body is not None else ()),
    )
    written = ("Content-Language", "Vary")
    successes: dict[int | str, dict[str, Any]] = {
        status: {
            "model": answer.model,
            "description": answer.meaning,
            "headers": {
                name: reference_header(name) for name in (*usual, *(written if answer.model is not None else ()), *answer.headers)
            },
            "content": _describe_content(answer),
        }
        for status, answer in operation.answers.items()
    }
    return {**successes, **describe_error_responses(_list_errors(method, operation))}


def _describe_content(answer: OperationResponse) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if answer.example is not None:
        named = [reference_example(name) for name in (answer.example, *answer.further_examples)]
        content["application/json"] = {"examples": {name: one for examples in named for name, one in examples.items()}}
    if answer.media_type is not None:
        content[answer.media_type] = {"schema": dict(BINARY_FILE)}
    return content | {media_type: {"schema": dict(schema)} for media_type, schema in answer.further_media_types.items()}


def _list_errors(method: str, operation: OperationSpec) -> list[type[ApiError]]:
    kinds = [*_COMMON_ERRORS, *operation.errors]
    if operation.body is not None:
        kinds += _BODY_ERRORS
    if method == "POST" and Conflict not in kinds:
        kinds.append(Conflict)
    return kinds


def _describe_request(method: str, path: str, operation: OperationSpec) -> dict[str, Any]:
    parameters = [
        *([reference_parameter(operation.path_id)] if "{id}" in path else []),
        *(describe_query_parameters(operation.query) if operation.query is not None else []),
        *operation.parameters,
        *([reference_parameter("Idempotency-Key")] if method == "POST" else []),
        reference_parameter("Accept-Language"),
        reference_parameter("X-Request-Id"),
    ]
    described: dict[str, Any] = {"security": SECURITY, "parameters": parameters, "x-scope": operation.scope.value}
    if operation.further_scopes:
        described["x-further-scopes"] = {name: scope.value for name, scope in operation.further_scopes.items()}
    if operation.body is not None and operation.body_example is not None:
        media = {
            "schema": operation.body.model_json_schema(ref_template=SCHEMAS),
            "examples": reference_example(operation.body_example),
        }
        files = {
            media_type: {"schema": _describe_file(media_type, meaning, operation.form_fields)}
            for media_type, meaning in operation.body_media_types.items()
        }
        described["requestBody"] = {"required": True, "content": {"application/json": media, **files}}
    return described


def _describe_file(media_type: str, meaning: str, fields: Mapping[str, str]) -> dict[str, Any]:
    return _describe_form(meaning, fields) if media_type == MULTIPART else {"type": "string", "description": meaning}


def _describe_form(meaning: str, fields: Mapping[str, str]) -> dict[str, Any]:
    file = {"type": "string", "contentMediaType": "application/octet-stream", "description": meaning}
    texts = {name: {"type": "string", "description": description} for name, description in fields.items()}
    return {"type": "object", "required": [FILE_PART], "properties": {FILE_PART: file, **texts}}
