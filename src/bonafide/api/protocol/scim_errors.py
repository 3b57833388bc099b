"""Errors of requests to `/scim/v2` as SCIM writes them (RFC 7644, section 3.12)."""

import json
from types import MappingProxyType

from starlette.types import Scope

from bonafide.errors import (
    ApiError,
    BodyTooLarge,
    InvalidJson,
    MissingApiKey,
    NotFound,
    StaleWrite,
    ValidationFailed,
)
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.services.provisioning.conflicts import AlreadyExists

SCIM_PREFIX = "/scim/v2"
SCIM_MEDIA_TYPE = "application/scim+json"
ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error"
_SENTENCES = MappingProxyType({
    MissingApiKey: Message("No provisioning token provided. Send `Authorization: Bearer <token>`."),
    NotFound: Message("There is no such resource."),
})  # fmt: skip
"""Sentences for errors whose default message is about the API or the console."""


class ScimRefused(ApiError):
    """The request violates SCIM. `scim_type` is one of the keywords of RFC 7644, or None."""

    code = "VALIDATION_ERROR"

    def __init__(self, message: Message, scim_type: str | None, status: int = 400) -> None:
        super().__init__(message)
        self.scim_type = scim_type
        self.status = status


def is_scim_request(scope: Scope) -> bool:
    """Whether the path of the request is one of SCIM's, known or not."""
    path: str = scope.get("path", "")
    return path == SCIM_PREFIX or path.startswith(f"{SCIM_PREFIX}/")


def get_scim_status(error: ApiError) -> int:
    """The status of the response: SCIM has 412 for a version that is not the current one."""
    return 412 if isinstance(error, StaleWrite) else error.status


def write_scim_error(error: ApiError, language: Language) -> str:
    """The body of the response, with the sentence in this language."""
    sentence = error.message
    if sentence == error.default_message:
        sentence = _SENTENCES.get(type(error), sentence)
    body = {"schemas": [ERROR_SCHEMA], "status": str(get_scim_status(error)), "detail": translate(sentence, language)}
    scim_type = _get_scim_type(error)
    return json.dumps(body if scim_type is None else {**body, "scimType": scim_type}, ensure_ascii=False)


def _get_scim_type(error: ApiError) -> str | None:
    if isinstance(error, ScimRefused):
        return error.scim_type
    if isinstance(error, AlreadyExists):
        return "uniqueness"
    if isinstance(error, InvalidJson):
        return "invalidSyntax"
    if isinstance(error, ValidationFailed) and not isinstance(error, BodyTooLarge) and error.status == ValidationFailed.status:
        return "invalidValue"
    return None
