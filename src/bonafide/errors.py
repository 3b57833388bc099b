"""Every exception that this package raises on purpose, as one tree.

    BonafideError
    |- ConfigurationError          the operator must change a setting or a file
    |- ApiError                    an error response of the HTTP API: `code` and `status`
    |  |- InvalidJson              400 INVALID_JSON
    |  |- ValidationFailed         400 VALIDATION_ERROR
    |  |  |- BodyTooSlow           408 VALIDATION_ERROR
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
    |- SourceError                 a source could not be queried or understood: `code`, `is_retryable`
    |  |- SourceTimeout, SourceRateLimited, UpstreamFailed, SourceUnavailable   (retryable)
    |  `- SourceNotFound, InvalidInput, ParseFailed, SourceAuthFailed, UnknownSourceFailure
    |- AddressRefused              an outbound address that is not public
    |- BackupDamaged               a backup that is not whole
    |- RefreshRefused              a load that must not replace the last good data
    |  `- LoadLimitExceeded        a load whose files exceed a limit of the source
    `- SegmentCorrupt              an index file that does not verify

A class says what happened, and `default_message` is its message where none is given. Logging and rendering are up to the handler in
`api/protocol/responses.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import ClassVar

from bonafide.i18n.message import Message, plural_message


class BonafideError(Exception):
    """Base of every exception that this package raises on purpose."""

    default_message: ClassVar[Message] = Message("Something went wrong.")

    def __init__(self, message: Message | None = None) -> None:
        super().__init__(message if message is not None else self.default_message)

    @property
    def message(self) -> Message:
        """The sentence for a person."""
        return Message.untranslated(self.args[0])


class ConfigurationError(BonafideError):
    """A setting or a file of this installation can't be used."""

    default_message = Message("A setting or a file of this installation can’t be used.")


# ------------------------------------------------------------------------------------------------------------ API answers


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One refused field: its path in the request (`params.name`) and why it was refused."""

    path: str
    message: Message


class ApiError(BonafideError):
    """The request failed."""

    default_message = Message("The request failed.")
    code = "INTERNAL_ERROR"
    status = 500

    def __init__(self, message: Message | None = None, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = headers if headers is not None else {}


class InvalidJson(ApiError):
    """The body must be a JSON object in UTF-8."""

    default_message = Message("The body must be a JSON object in UTF-8.")
    code, status = "INVALID_JSON", 400


class ValidationFailed(ApiError):
    """The request is invalid."""

    default_message = Message("The request is invalid.")
    code, status = "VALIDATION_ERROR", 400

    def __init__(
        self, message: Message | None = None, *, details: list[FieldProblem] | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message, headers=headers)
        self.details = details if details is not None else []

    @classmethod
    def of_field(cls, path: str, message: Message) -> "ValidationFailed":
        """The error for the value of one field."""
        return cls.of_fields([FieldProblem(path, message)])

    @classmethod
    def of_fields(cls, problems: Sequence[FieldProblem]) -> "ValidationFailed":
        """The error for these problems, of which the message names the first. An empty path is the request as a whole."""
        path, problem = problems[0].path, problems[0].message
        if path == "":
            sentence = Message("The request is invalid: {problem}", problem=problem)
        else:
            sentence = Message("The request is invalid: {path}: {problem}", path=path, problem=problem)
        return cls(sentence, details=list(problems))


class BodyTooSlow(ValidationFailed):
    """The body did not arrive in time."""

    default_message = Message("The body did not arrive in time. Send it again, faster.")

    status = 408


class BodyTooLarge(ValidationFailed):
    """The body is too large."""

    default_message = Message("The body is too large.")

    status = 413


class UnsupportedMediaType(ValidationFailed):
    """The body must be `application/json`."""

    default_message = Message("The body must be `application/json`.")

    status = 415

    @classmethod
    def of_header(cls, name: str, message: Message, headers: dict[str, str] | None = None) -> "UnsupportedMediaType":
        """The error for the value of a header; `headers` are those of the response."""
        error = cls(message, details=[FieldProblem(name, message)])
        error.headers.update(headers if headers is not None else {})
        return error


class MissingApiKey(ApiError):
    """No API key provided. Send `Authorization: Bearer <key>` or `X-API-Key: <key>`."""

    default_message = Message("No API key provided. Send `Authorization: Bearer <key>` or `X-API-Key: <key>`.")
    code, status = "MISSING_API_KEY", 401


class InvalidApiKey(ApiError):
    """Invalid API key."""

    default_message = Message("Invalid API key.")
    code, status = "INVALID_API_KEY", 401


class RevokedApiKey(ApiError):
    """This API key was revoked."""

    default_message = Message("This API key was revoked.")
    code, status = "REVOKED_API_KEY", 401


class ExpiredApiKey(ApiError):
    """This API key has expired."""

    default_message = Message("This API key has expired.")
    code, status = "EXPIRED_API_KEY", 401


class ScopeMissing(ApiError):
    """This API key lacks the scope that the request needs."""

    default_message = Message("This API key lacks the scope that the request needs.")
    code, status = "UNAUTHORIZED", 403


class Forbidden(ApiError):
    """The signed-in user may not do this."""

    default_message = Message("You don’t have permission to do this.")
    code, status = "UNAUTHORIZED", 403


class NotFound(ApiError):
    """Nothing exists at this address."""

    default_message = Message("We couldn’t find this page.")
    code, status = "NOT_FOUND", 404


class SearchNotFound(ApiError):
    """We couldn't find that search."""

    default_message = Message("We couldn’t find that search.")
    code, status = "SEARCH_NOT_FOUND", 404


class MatchNotFound(ApiError):
    """This search has no such match."""

    default_message = Message("This search has no such match.")
    code, status = "MATCH_NOT_FOUND", 400


class MethodNotAllowed(ApiError):
    """This method is not allowed at this address."""

    default_message = Message("This method is not allowed at this address.")
    code, status = "METHOD_NOT_ALLOWED", 405


class Conflict(ApiError):
    """The request conflicts with the stored data."""

    default_message = Message("The request conflicts with the stored data.")
    code, status = "CONFLICT", 409


class StaleWrite(ApiError):
    """The record has changed since you read it."""

    default_message = Message("The record has changed since you read it.")
    code, status = "STALE_WRITE", 409


class RateLimited(ApiError):
    """Too many requests. Wait until the rate limit resets."""

    default_message = Message("Too many requests. Wait until the rate limit resets.")
    code, status = "RATE_LIMITED", 429


class SignInRefused(ApiError):
    """The email address or password is incorrect."""

    default_message = Message("The email address or password is incorrect.")
    code, status = "UNAUTHORIZED", 403


class SignInPaused(RateLimited):
    """Too many attempts to sign in have failed."""

    def __init__(self, wait: timedelta) -> None:
        self.wait_s = math.ceil(wait.total_seconds())
        sentence = plural_message(
            "Too many failed sign-in attempts. Try again in {n} second.",
            "Too many failed sign-in attempts. Try again in {n} seconds.",
            self.wait_s,
        )
        super().__init__(sentence, headers={"Retry-After": str(self.wait_s)})


class InternalFailure(ApiError):
    """An internal error occurred. It was logged under the request ID."""

    default_message = Message("An internal error occurred. It was logged under the request ID.")
    code, status = "INTERNAL_ERROR", 500


class ServerBusy(ApiError):
    """The service is temporarily unavailable. Try again shortly."""

    default_message = Message("The service is temporarily unavailable. Try again shortly.")
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

    @property
    def is_retryable(self) -> bool:
        """Whether a retry may succeed."""
        return self in _RETRYABLE


_RETRYABLE = frozenset(
    {SourceErrorCode.TIMEOUT, SourceErrorCode.RATE_LIMITED, SourceErrorCode.UPSTREAM_ERROR, SourceErrorCode.UNAVAILABLE}
)


class SourceError(BonafideError):
    """The source could not be queried."""

    default_message = Message("The source could not be queried.")
    code = SourceErrorCode.UNKNOWN
    retry_after_s: float | None = None
    """How long the source wants us to wait, if it says so."""
    moved_to: str | None = None
    """The address to which the source redirects, unchecked; None without a redirect."""

    @property
    def is_retryable(self) -> bool:
        """Whether a retry may succeed."""
        return self.code.is_retryable


class SourceTimeout(SourceError):
    """The source did not respond in time."""

    default_message = Message("The source did not respond in time.")
    code = SourceErrorCode.TIMEOUT


class SourceRateLimited(SourceError):
    """The source limits the rate of requests."""

    default_message = Message("The source limits the rate of requests.")
    code = SourceErrorCode.RATE_LIMITED


class UpstreamFailed(SourceError):
    """The source returned an error."""

    default_message = Message("The source returned an error.")
    code = SourceErrorCode.UPSTREAM_ERROR


class SourceUnavailable(SourceError):
    """The source is unreachable, or its data is not loaded."""

    default_message = Message("The source is unreachable, or its data is not loaded.")
    code = SourceErrorCode.UNAVAILABLE


class SourceNotFound(SourceError):
    """The source's address no longer exists."""

    default_message = Message("The source’s address no longer exists.")
    code = SourceErrorCode.NOT_FOUND


class InvalidInput(SourceError):
    """The source does not support this query."""

    default_message = Message("The source does not support this query.")
    code = SourceErrorCode.INVALID_INPUT


class ParseFailed(SourceError):
    """The source's data is not in the expected format."""

    default_message = Message("The source’s data is not in the expected format.")
    code = SourceErrorCode.PARSE_ERROR


class SourceAuthFailed(SourceError):
    """The source rejected our credentials."""

    default_message = Message("The source rejected our credentials.")
    code = SourceErrorCode.AUTH_ERROR


class UnknownSourceFailure(SourceError):
    """The lookup failed unexpectedly. The log has the details."""

    default_message = Message("The lookup failed unexpectedly. The log has the details.")


class AddressRefused(BonafideError):
    """The address is not public, so it is not fetched."""

    default_message = Message("The address is not public, so it is not fetched.")


class MailServerUnavailable(BonafideError):
    """The mail server can't be reached, or accepts no mail from this service."""

    default_message = Message("The mail server can’t be reached.")


class BackupDamaged(BonafideError):
    """The backup is incomplete. Nothing was restored from it."""

    default_message = Message("The backup is incomplete. Nothing was restored from it.")


class PackTooLarge(BonafideError):
    """An examiner's pack would have more than it may have."""

    default_message = Message("The pack would be too large. Request packs of shorter periods.")


class BatchFileInvalid(BonafideError):
    """The file of a batch can't be read."""

    default_message = Message("The file can’t be read.")


class RefreshRefused(BonafideError):
    """The new data failed its checks. The last good data stays in use."""

    default_message = Message("The new data failed its checks. The last good data stays in use.")


class LoadLimitExceeded(RefreshRefused):
    """A file exceeds a limit of its source. The last good data stays in use."""

    default_message = Message("A file exceeds a limit of its source. The last good data stays in use.")
    limit: str = ""
    """The name of the limit, as in `limits` of `source.yml`."""
    value: int = 0
    """Its value."""


class SegmentCorrupt(BonafideError):
    """An index file is damaged, incomplete or of another version."""

    default_message = Message("An index file is damaged, incomplete or of another version.")
