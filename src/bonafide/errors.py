"""Every exception that this package raises on purpose, as one tree.

    BonafideError
    |- ConfigurationError          the operator must change a setting or a file
    |- ApiError                    an answer of the HTTP API: `code` and `status`
    |  |- InvalidJson              400 INVALID_JSON
    |  |- ValidationFailed         400 VALIDATION_ERROR
    |  |  |- BodyTooLarge          413 VALIDATION_ERROR
    |  |  `- UnsupportedMediaType  415 VALIDATION_ERROR
    |  |- MissingApiKey, InvalidApiKey, RevokedApiKey, ExpiredApiKey   401
    |  |- ScopeMissing, Forbidden  403 UNAUTHORIZED
    |  |- NotFound                 404 NOT_FOUND
    |  |- SearchNotFound           404 SEARCH_NOT_FOUND
    |  |- MatchNotFound            400 MATCH_NOT_FOUND
    |  |- MethodNotAllowed         405 METHOD_NOT_ALLOWED
    |  |- Conflict                 409 CONFLICT
    |  |- StaleWrite               409 STALE_WRITE
    |  |- SignInRefused            403 UNAUTHORIZED
    |  |- RateLimited              429 RATE_LIMITED
    |  |  `- SignInPaused          429 RATE_LIMITED
    |  |- InternalFailure          500 INTERNAL_ERROR
    |  `- ServerBusy               503 SERVER_ERROR
    |- SourceError                 a source could not be asked or understood: `code`, `retryable`
    |  |- SourceTimeout, SourceRateLimited, UpstreamFailed, SourceUnavailable   (retryable)
    |  `- SourceNotFound, InvalidInput, ParseFailed, SourceAuthFailed, UnknownSourceFailure
    |- AddressRefused              an outbound address that is not public
    |- BackupDamaged               a backup that is not whole
    |- RefreshRefused              a load that must not replace the last good data
    `- SegmentCorrupt              an index file that does not verify

A class says what happened; its docstring is the message where none is given. It does not decide what is logged or how it is
rendered: one handler in `api/protocol/responses.py` does that.
"""

import math
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class BonafideError(Exception):
    """Something went wrong."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message if message is not None else (type(self).__doc__ or "").strip())

    @property
    def message(self) -> str:
        """The sentence for a person."""
        return str(self.args[0])


class ConfigurationError(BonafideError):
    """A setting or a file of this installation is not usable."""


# ------------------------------------------------------------------------------------------------------------ API answers


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One refused field: where it stands in the request (`params.name`) and why it was refused."""

    path: str
    message: str


class ApiError(BonafideError):
    """The request can't be answered."""

    code = "INTERNAL_ERROR"
    status = 500

    def __init__(self, message: str | None = None, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = headers if headers is not None else {}


class InvalidJson(ApiError):
    """The body is not a JSON object in UTF-8."""

    code, status = "INVALID_JSON", 400


class ValidationFailed(ApiError):
    """A field of the request is not valid."""

    code, status = "VALIDATION_ERROR", 400

    def __init__(self, message: str | None = None, *, details: list[FieldProblem] | None = None) -> None:
        super().__init__(message)
        self.details = details if details is not None else []

    @classmethod
    def of_field(cls, path: str, message: str) -> "ValidationFailed":
        """The refusal of a request for the value of one field."""
        return cls(f"The request is not valid: {path}: {message}", details=[FieldProblem(path, message)])


class BodyTooLarge(ValidationFailed):
    """The body is larger than this service accepts."""

    status = 413


class UnsupportedMediaType(ValidationFailed):
    """The body must be application/json."""

    status = 415


class MissingApiKey(ApiError):
    """No API key was given: send `Authorization: Bearer <key>` or `X-API-Key: <key>`."""

    code, status = "MISSING_API_KEY", 401


class InvalidApiKey(ApiError):
    """This API key is not known."""

    code, status = "INVALID_API_KEY", 401


class RevokedApiKey(ApiError):
    """This API key was revoked."""

    code, status = "REVOKED_API_KEY", 401


class ExpiredApiKey(ApiError):
    """This API key has expired."""

    code, status = "EXPIRED_API_KEY", 401


class ScopeMissing(ApiError):
    """This API key does not have the scope that the request needs."""

    code, status = "UNAUTHORIZED", 403


class Forbidden(ApiError):
    """Whoever is signed in may not do this."""

    code, status = "UNAUTHORIZED", 403


class NotFound(ApiError):
    """There is nothing at this address."""

    code, status = "NOT_FOUND", 404


class SearchNotFound(ApiError):
    """There is no such search."""

    code, status = "SEARCH_NOT_FOUND", 404


class MatchNotFound(ApiError):
    """The match is not one of this search's matches."""

    code, status = "MATCH_NOT_FOUND", 400


class MethodNotAllowed(ApiError):
    """This address does not take that method."""

    code, status = "METHOD_NOT_ALLOWED", 405


class Conflict(ApiError):
    """The request contradicts what is stored."""

    code, status = "CONFLICT", 409


class StaleWrite(ApiError):
    """The record was changed by someone else since it was read."""

    code, status = "STALE_WRITE", 409


class RateLimited(ApiError):
    """Too many requests: wait until the window resets."""

    code, status = "RATE_LIMITED", 429


class SignInRefused(ApiError):
    """The e-mail address or the password is not right."""

    code, status = "UNAUTHORIZED", 403


class SignInPaused(RateLimited):
    """Too many attempts to sign in have failed."""

    def __init__(self, wait: timedelta) -> None:
        self.wait_s = math.ceil(wait.total_seconds())
        sentence = f"Too many attempts to sign in have failed. Try again in {self.wait_s} seconds."
        super().__init__(sentence, headers={"Retry-After": str(self.wait_s)})


class InternalFailure(ApiError):
    """The service failed on this request; it has been logged under the request id."""

    code, status = "INTERNAL_ERROR", 500


class ServerBusy(ApiError):
    """The service can't answer at the moment; try again shortly."""

    code, status = "SERVER_ERROR", 503


# ------------------------------------------------------------------------------------------------------------ sources


class SourceErrorCode(StrEnum):
    """The closed set of `errors.<check>.code`; distinct from the API's own codes."""

    TIMEOUT = "TIMEOUT"
    RATE_LIMITED = "RATE_LIMITED"
    UPSTREAM_ERROR = "UPSTREAM_ERROR"
    UNAVAILABLE = "UNAVAILABLE"
    NOT_FOUND = "NOT_FOUND"
    INVALID_INPUT = "INVALID_INPUT"
    PARSE_ERROR = "PARSE_ERROR"
    AUTH_ERROR = "AUTH_ERROR"
    UNKNOWN = "UNKNOWN"


class SourceError(BonafideError):
    """A source could not be looked up."""

    code = SourceErrorCode.UNKNOWN
    retryable = False
    retry_after_s: float | None = None
    """How long the source asked us to wait, if it did."""
    moved_to: str | None = None
    """The address to which the source sends us, if it does; nobody has judged it."""


class SourceTimeout(SourceError):
    """The source did not answer in time."""

    code, retryable = SourceErrorCode.TIMEOUT, True


class SourceRateLimited(SourceError):
    """The source asked us to slow down."""

    code, retryable = SourceErrorCode.RATE_LIMITED, True


class UpstreamFailed(SourceError):
    """The source answered with an error."""

    code, retryable = SourceErrorCode.UPSTREAM_ERROR, True


class SourceUnavailable(SourceError):
    """The source could not be reached, or its data is not loaded."""

    code, retryable = SourceErrorCode.UNAVAILABLE, True


class SourceNotFound(SourceError):
    """The source has nothing at the address that it is known by."""

    code, retryable = SourceErrorCode.NOT_FOUND, False


class InvalidInput(SourceError):
    """The source can't be asked this question."""

    code, retryable = SourceErrorCode.INVALID_INPUT, False


class ParseFailed(SourceError):
    """The source's answer or file is not in the layout that is known."""

    code, retryable = SourceErrorCode.PARSE_ERROR, False


class SourceAuthFailed(SourceError):
    """The source refused our credentials."""

    code, retryable = SourceErrorCode.AUTH_ERROR, False


class UnknownSourceFailure(SourceError):
    """The look-up failed in a way that was not foreseen; the log has the details."""


class AddressRefused(BonafideError):
    """The address is not a public one, so it is not fetched."""


class BackupDamaged(BonafideError):
    """The backup is not whole: nothing is restored from it."""


class RefreshRefused(BonafideError):
    """The new data failed its checks; the last good data stays in use."""


class SegmentCorrupt(BonafideError):
    """An index file is damaged, incomplete or of another version."""
