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
from bonafide.observability.log import get_logger

CONNECT_TIMEOUT = timedelta(seconds=3)
REQUEST_TIMEOUT = timedelta(seconds=20)
"""For one whole file to go or come."""
MAX_RETRIES = 2
RETRY_TIMEOUT = timedelta(seconds=10)
"""After this nothing is tried again: somebody waits for the answer."""
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
"""The options that obstore is given. Of those that are no option of S3 some make it panic, which nothing catches (0.12)."""
_NO_BUCKET = "<Code>NoSuchBucket</Code>"
_log = get_logger(__name__)


def open_storage(address: str, options: Mapping[str, str], timeout: timedelta = REQUEST_TIMEOUT) -> LocalStore | S3Store:
    """The storage at an address, for `FileStore` and for what else is kept in one. Raises `ConfigurationError`.

    `timeout` is for one whole file to come; a server that falls silent has `REQUEST_TIMEOUT`.
    """
    scheme = urlsplit(address).scheme
    if scheme == "file":
        return _open_folder(address)
    if scheme == "s3":
        return _open_bucket(address, options, timeout)
    raise ConfigurationError("the address of the files is neither file:///folder nor s3://bucket/prefix")


def _open_folder(address: str) -> LocalStore:
    parts = urlsplit(address)
    if parts.netloc not in {"", "localhost"} or parts.path in {"", "/"}:
        raise ConfigurationError("the address of the files has no folder: it is written file:///path/of/the/folder")
    try:
        return LocalStore(Path(unquote(parts.path)), mkdir=True)
    except (OSError, BaseError) as error:
        raise ConfigurationError(f"the folder of the files can't be made: {_get_first_line(error)}") from error


def _open_bucket(address: str, options: Mapping[str, str], timeout: timedelta) -> S3Store:
    unknown = sorted(set(options) - S3_OPTIONS)
    if unknown:
        raise ConfigurationError(f"the files know no option {', '.join(unknown)}; known are {', '.join(sorted(S3_OPTIONS))}")
    # Not every S3-compatible server can delete many at once, and we delete one.
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
        raise ConfigurationError("the files can't be opened with this address (s3://bucket/prefix) and these options") from error


@contextmanager
def translate_not_found() -> Iterator[None]:
    """Turn "no such file" into `NotFound`; a bucket that is not there is no answer about a file."""
    try:
        yield
    except FileNotFoundError as error:
        if _NO_BUCKET in str(error):
            raise
        raise NotFound("There is no such file.") from error


@contextmanager
def translate_unavailable() -> Iterator[None]:
    """Turn what else the storage raises into `ServerBusy`; the log has the details, the client no part of them."""
    try:
        yield
    except FileNotFoundError as error:
        raise _create_server_busy("The file storage is not set up: its bucket or folder is missing.", error) from error
    except (PermissionDeniedError, UnauthenticatedError) as error:
        raise _create_server_busy("The file storage refuses this service.", error) from error
    except (BaseError, OSError) as error:
        raise _create_server_busy("The file storage can't be used at the moment; try again shortly.", error) from error


def _create_server_busy(message: str, error: Exception) -> ServerBusy:
    _log.warning("the file storage can't be used", problem=_get_first_line(error))
    return ServerBusy(message)


def _get_first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
