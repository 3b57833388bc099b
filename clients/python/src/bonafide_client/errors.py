"""The errors that the client raises.

BonafideClientError
 |- ApiError              the service refused a request; its subclasses are by status
 |- ConnectionFailed      no response arrived
 |- UnexpectedResponse    a response is not what the API describes
 |- WaitTimedOut          a result was not final in time
 |- VerificationNotMade   a verification failed, with a reason
 `- InvalidWebhook        a webhook has no valid signature
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class BonafideClientError(Exception):
    """The base class of all errors of this client."""


class ApiError(BonafideClientError):
    """The service refused a request.

    `code` is stable and for programs (`VALIDATION_ERROR`); `message` is for people and can change. Quote `request_id` when you
    report a problem. `details` has a path and a message for each invalid field.
    """

    STATUS: ClassVar[int | None] = None

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code = str(body.get("code", "UNKNOWN"))
        self.message = str(body.get("error", f"The service responded with status {status}."))
        self.request_id = str(body.get("requestId") or headers.get("x-request-id", ""))
        self.details: list[dict[str, str]] = list(body.get("details") or [])
        self.headers = dict(headers)
        super().__init__(f"{status} {self.code}: {self.message} (request {self.request_id})")


class RequestInvalid(ApiError):
    """The request is invalid: `details` names the fields (400)."""

    STATUS = 400


class KeyRefused(ApiError):
    """The API key is missing, unknown, expired or revoked (401)."""

    STATUS = 401


class ScopeMissing(ApiError):
    """The API key lacks a scope (403)."""

    STATUS = 403


class ResourceNotFound(ApiError):
    """The organization has no such resource (404)."""

    STATUS = 404


class StateConflict(ApiError):
    """The request contradicts the stored state (409)."""

    STATUS = 409


class RateLimitExceeded(ApiError):
    """The key has exceeded its rate limit, and the retries have ended (429)."""

    STATUS = 429


class ServiceFailed(ApiError):
    """The service failed or is at capacity, and the retries have ended (500 and above)."""


class ConnectionFailed(BonafideClientError):
    """No response arrived, and the retries have ended."""


class UnexpectedResponse(BonafideClientError):
    """A response is not what the API describes, for example that of a proxy."""


class WaitTimedOut(BonafideClientError):
    """A result was not final in the time that the caller allowed. It can still become final."""


class VerificationNotMade(BonafideClientError):
    """A verification failed. Its text is the reason and what a person can do."""


class InvalidWebhook(BonafideClientError):
    """A webhook has no valid signature, or is too old: respond with 401 and ignore it."""


_BY_STATUS = {
    error.STATUS: error for error in (RequestInvalid, KeyRefused, ScopeMissing, ResourceNotFound, StateConflict, RateLimitExceeded)
}
_FIRST_SERVER_ERROR = 500


def build_api_error(status: int, body: Any, headers: Mapping[str, str]) -> ApiError:
    """The error of an unsuccessful response; `body` is its decoded JSON, or None."""
    error_type = _BY_STATUS.get(status, ServiceFailed if status >= _FIRST_SERVER_ERROR else ApiError)
    return error_type(status, body if isinstance(body, Mapping) else {}, headers)
