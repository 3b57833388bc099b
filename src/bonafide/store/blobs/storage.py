"""Open the storage at an address, a local folder or an S3-compatible bucket, and translate its errors."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, S3Store

from bonafide.errors import ConfigurationError, NotFound, ServerBusy
from bonafide.i18n.message import Message
from bonafide.observability.log import get_logger

CONNECT_TIMEOUT = timedelta(seconds=3)
REQUEST_TIMEOUT = timedelta(seconds=20)
"""The time limit for the transfer of one file."""
MAX_RETRIES = 2
RETRY_TIMEOUT = timedelta(seconds=10)
"""Seconds after which nothing is retried: a caller waits for the response."""
S3_OPTIONS = frozenset(
    {
        "endpoint",
        "region",
        "access_key_id",
        "secret_access_key",
        "session_token",
        "virtual_hosted_style_request",
        "server_side_encryption",
        "sse_kms_key_id",
    }
)
"""The accepted options of obstore. Some unknown ones make it panic (0.12)."""
_NO_BUCKET = "<Code>NoSuchBucket</Code>"
_log = get_logger(__name__)


def open_storage(address: str, options: Mapping[str, str], timeout: timedelta = REQUEST_TIMEOUT) -> LocalStore | S3Store:
    """Open the storage at an address. Raises `ConfigurationError`.

    `timeout` is for the transfer of one file; a server that stops responding has `REQUEST_TIMEOUT`.
    """
    scheme = urlsplit(address).scheme
    if scheme == "file":
        return _open_folder(address)
    if scheme == "s3":
        return _open_bucket(address, options, timeout)
    raise ConfigurationError(Message("The address of the file storage must be file:///folder or s3://bucket/prefix."))


def _open_folder(address: str) -> LocalStore:
    parts = urlsplit(address)
    if parts.netloc not in {"", "localhost"} or parts.path in {"", "/"}:
        raise ConfigurationError(Message("The address of the file storage has no folder. Use file:///path/to/folder."))
    try:
        return LocalStore(Path(unquote(parts.path)), mkdir=True)
    except (OSError, BaseError) as error:
        raise ConfigurationError(
            Message("The folder of the file storage can’t be created: {error}", error=_get_first_line(error))
        ) from error


def _open_bucket(address: str, options: Mapping[str, str], timeout: timedelta) -> S3Store:
    unknown = sorted(set(options) - S3_OPTIONS)
    if unknown:
        raise ConfigurationError(
            Message(
                "Unknown options of the file storage: {unknown}. Known options: {known}.",
                unknown=", ".join(unknown),
                known=", ".join(sorted(S3_OPTIONS)),
            )
        )
    # Not every S3-compatible server supports bulk deletion, and only single files are deleted.
    config: Any = {"disable_bulk_delete": True, **options}
    try:
        return S3Store.from_url(
            address,
            config=config,
            client_options={
                "allow_http": options.get("endpoint", "").startswith("http://"),
                "connect_timeout": CONNECT_TIMEOUT,
                "read_timeout": REQUEST_TIMEOUT,
                "timeout": timeout,
            },
            retry_config={"max_retries": MAX_RETRIES, "retry_timeout": RETRY_TIMEOUT},
        )
    except (ValueError, TypeError, BaseError) as error:
        # The values may be secrets: no message repeats them.
        raise ConfigurationError(
            Message("The file storage can’t be opened with this address (s3://bucket/prefix) and these options.")
        ) from error


@contextmanager
def translate_not_found() -> Iterator[None]:
    """Convert "no such file" to `NotFound`; a missing bucket is a different error."""
    try:
        yield
    except FileNotFoundError as error:
        if _NO_BUCKET in str(error):
            raise
        raise NotFound(Message("We couldn’t find that file.")) from error


@contextmanager
def translate_unavailable() -> Iterator[None]:
    """Convert other errors of the storage to `ServerBusy`; the details are only logged."""
    try:
        yield
    except FileNotFoundError as error:
        raise _create_server_busy(Message("The file storage is not set up: its bucket or folder is missing."), error) from error
    except (PermissionDeniedError, UnauthenticatedError) as error:
        raise _create_server_busy(Message("The file storage denies access to this service."), error) from error
    except (BaseError, OSError) as error:
        raise _create_server_busy(Message("The file storage is unavailable. Try again shortly."), error) from error


def _create_server_busy(message: Message, error: Exception) -> ServerBusy:
    _log.warning("file_storage.unavailable", problem=_get_first_line(error))
    return ServerBusy(message)


def _get_first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
