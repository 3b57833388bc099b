"""Shared components of the OpenAPI description: headers, parameters, security schemes, errors, examples.

Operations are described in their own modules. Nothing here is used while a request is served.
"""

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from itertools import groupby
from typing import Any

from bonafide import errors
from bonafide.errors import ApiError, FieldProblem, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import Document

_EXAMPLE_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"apiKey": []}]
SECURITY_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <API key>` (recommended)"},
    "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "`X-API-Key: <API key>`"},
}
COMMON_HEADERS = ("X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_HEADERS_BY_STATUS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def _describe_header(description: str, schema: dict[str, Any], *, required: bool = True) -> dict[str, Any]:
    return {"description": description, "required": required, "schema": schema}


_COUNT = {"type": "integer", "minimum": 0}
HEADERS = {
    "X-Request-Id": _describe_header(
        "The ID of this request: the one that was sent, or a new UUID.", {"type": "string", "maxLength": 128}
    ),
    "X-RateLimit-Limit": _describe_header("The number of requests that the API key may make per window of 60 seconds.", _COUNT),
    "X-RateLimit-Remaining": _describe_header("The number of requests left in this window.", _COUNT),
    "X-RateLimit-Reset": _describe_header("The time at which the window resets, as a Unix timestamp.", _COUNT),
    "Retry-After": _describe_header("The number of seconds to wait before the next request.", {"type": "integer", "minimum": 1}),
    "WWW-Authenticate": _describe_header("The authentication scheme.", {"type": "string", "const": "Bearer"}),
    "Idempotent-Replayed": _describe_header(
        "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
        {"type": "string", "const": "true"},
        required=False,
    ),
    "Warning": _describe_header(
        "The fields of the body that were ignored because they are unknown, for an API key that ignores them.",
        {"type": "string"},
        required=False,
    ),
    "Preference-Applied": _describe_header("The preference that was applied.", {"type": "string", "const": "respond-async"}),
    "Location": _describe_header("The URL of the result.", {"type": "string"}),
    "Repr-Digest": _describe_header("The SHA-256 digest of the content (RFC 9530).", {"type": "string"}),
    "Content-Language": _describe_header("The language of the messages in the body.", {"type": "string", "enum": [*Language]}),
    "Vary": _describe_header("The request headers that select the response: `Accept-Language`.", {"type": "string"}),
}
PARAMETERS = {
    "SearchId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the search (`meta.searchId`).",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "ReportId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the report (`reportId`).",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "BusinessId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the business record.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "ScreeningId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the screening (`meta.screeningId`).",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "DismissalId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the dismissal.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "EventId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the event.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "WebhookEndpointId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the webhook endpoint.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d",
    },
    "RiskRulesVersion": {
        "name": "version",
        "in": "path",
        "required": True,
        "description": "The number of a version of the risk rules; 0 is the built-in one.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 0,
    },
    "VerificationId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The `reportFetchId` of a verification, or its `meta.verificationId`.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _EXAMPLE_ID,
    },
    "EvidenceNumber": {
        "name": "number",
        "in": "path",
        "required": True,
        "description": "The index of a raw response in the report's `evidence`, starting at 0.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 0,
    },
    "DiscrepancyId": {
        "name": "discrepancyId",
        "in": "path",
        "required": True,
        "description": "The ID of the discrepancy.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "8a7b6c5d-4e3f-4a2b-9c1d-0e9f8a7b6c5d",
    },
    "ReviewId": {
        "name": "reviewId",
        "in": "path",
        "required": True,
        "description": "The ID of the ownership review.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a",
    },
    "PackId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the pack.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "0c9d8e7f-6a5b-4c3d-9e2f-1a0b9c8d7e6f",
    },
    "BatchId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the batch.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "4b3f0f2e-3a41-4c58-8d0f-6f0e2f1c9a77",
    },
    "CaseId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the case.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "3f8a1c6e-5b2d-4e7f-9a0c-1d2e3f4a5b6c",
    },
    "ManualCheckId": {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "The ID of the manual check.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "5e8d3b7a-1c4f-4a6d-8b9e-2f0a1c3d5e7f",
    },
    "DiscrepancyField": {
        "name": "field",
        "in": "path",
        "required": True,
        "description": "The field of the discrepancy, as the list of discrepancies names it.",
        "schema": {"type": "string"},
        "example": "people.1",
    },
    "AttachmentId": {
        "name": "attachmentId",
        "in": "path",
        "required": True,
        "description": "The ID of the attachment.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e",
    },
    "DocumentId": {
        "name": "documentId",
        "in": "path",
        "required": True,
        "description": "The ID of the document.",
        "schema": {"type": "string", "format": "uuid"},
        "example": "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e",
    },
    "X-Request-Id": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "Your own ID for this request: 1 to 128 printable ASCII characters. Any other value is replaced by a UUID.",
        "schema": {"type": "string"},
        "example": "7d0f3b52-5b0e-4c57-9b3c-1a2f0e6d9c44",
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "Makes the request safe to retry: for 24 hours, a request with the same key returns the first response and is not run "
            "again, even if the service was terminated in between. A search that was interrupted is continued under its ID. The "
            "response has its own request ID, and is in the language of the request that repeats it. The same key with a different "
            "body gives `CONFLICT`."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
        "example": "onboarding-10042-attempt-1",
    },
    "Accept-Language": {
        "name": "Accept-Language",
        "in": "header",
        "description": (
            "The preferred language of messages, summaries and PDF reports: `en` or `fr`. Without either, they are in English. "
            "Field names and codes never change."
        ),
        "schema": {"type": "string"},
        "example": "fr-CA, en;q=0.5",
    },
    "Prefer": {
        "name": "Prefer",
        "in": "header",
        "description": "`respond-async` requests an immediate response (202), before the search has run.",
        "schema": {"type": "string"},
        "example": "respond-async",
    },
}


def reference_parameter(name: str) -> dict[str, Any]:
    """A reference to a shared parameter."""
    return {"$ref": f"#/components/parameters/{name}"}


def reference_header(name: str) -> dict[str, Any]:
    """A reference to a shared header."""
    return {"$ref": f"#/components/headers/{name}"}


def reference_example(name: str) -> dict[str, Any]:
    """References to one of the example documents, as the `examples` of a body."""
    return {name: {"$ref": f"#/components/examples/{name}"}}


def load_examples() -> dict[str, Any]:
    """The example documents: fictitious, and valid (a test parses each with its model)."""
    found = sorted(files("bonafide.api").joinpath("examples").iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".json"): {"value": json.loads(file.read_text("utf-8"))} for file in found}


def describe_query_parameters(model: type[Document]) -> list[dict[str, Any]]:
    """The parameters of a query that `model` reads."""
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    required = schema.get("required", [])
    definitions = {f"#/components/schemas/{name}": definition for name, definition in schema.get("$defs", {}).items()}
    return [
        _describe_query_parameter(name, _inline_definition(field, definitions), required=name in required)
        for name, field in schema["properties"].items()
    ]


def _inline_definition(field: dict[str, Any], definitions: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The parameter with the values of its enumeration: nothing else may refer to it, and then it is no component."""
    definition = definitions.get(field.get("$ref", ""), {})
    kept = {name: value for name, value in field.items() if name != "$ref"}
    return {**{name: value for name, value in definition.items() if name not in {"title", "description"}}, **kept}


def _describe_query_parameter(name: str, field: dict[str, Any], *, required: bool) -> dict[str, Any]:
    description = field.pop("description", "")
    # A parameter is absent or has a value: a query string has no null.
    choices = [choice for choice in field.pop("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        field.pop("default", None)
        field.update(choices[0])
    return {"name": name, "in": "query", "required": required, "description": description, "schema": field}


_CONSOLE_ERRORS: tuple[type[ApiError], ...] = (errors.Forbidden, errors.SignInRefused, errors.SignInPaused)
"""Errors of the console only."""


def list_api_errors() -> list[type[ApiError]]:
    """Every error that the API returns."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ApiError)]
    return [kind for kind in kinds if kind is not ApiError and kind not in _CONSOLE_ERRORS]


def build_error_examples() -> dict[str, Any]:
    """An example of every error, by the name that `describe_error_responses` refers to."""
    return {
        kind.__name__: {"summary": f"{kind.code}: {kind().message}", "value": _build_error_example(kind())}
        for kind in list_api_errors()
    }


def _build_error_example(error: ApiError) -> dict[str, Any]:
    body: dict[str, Any] = {"error": str(error.message), "code": error.code, "requestId": _EXAMPLE_ID}
    if type(error) is ValidationFailed:
        problem = FieldProblem(
            "sanctionScreening", Message.untranslated("unknown field 'sanctionScreening'; did you mean 'sanctionsScreening'?")
        )
        body["error"] = str(ValidationFailed.of_field(problem.path, problem.message).message)
        body["details"] = [{"path": problem.path, "message": str(problem.message)}]
    return body


def describe_error_responses(kinds: Iterable[type[ApiError]]) -> dict[int | str, dict[str, Any]]:
    """The descriptions of these errors' responses, by status."""
    by_status = groupby(sorted(kinds, key=_get_status), key=_get_status)
    return {status: _describe_error_response(status, list(same)) for status, same in by_status}


def _get_status(kind: type[ApiError]) -> int:
    return kind.status


def _describe_error_response(status: int, kinds: list[type[ApiError]]) -> dict[str, Any]:
    names = (*COMMON_HEADERS, "Content-Language", "Vary", *_HEADERS_BY_STATUS.get(status, ()))
    examples = {name: reference for kind in kinds for name, reference in reference_example(kind.__name__).items()}
    return {
        "description": ", ".join(f"`{code}`" for code in dict.fromkeys(kind.code for kind in kinds)),
        "headers": {name: reference_header(name) for name in names},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}, "examples": examples}},
    }
