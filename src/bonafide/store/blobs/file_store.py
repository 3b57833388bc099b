"""Files of organizations (reports as PDF, what a register sent) in a local folder or an S3-compatible bucket.

A file is written and read whole. Who may have it, and what it is called to people, is kept in the database and not here.
"""

import hashlib
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import UUID

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, S3Store

from bonafide.errors import ConfigurationError, InternalFailure, NotFound, ServerBusy
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
MAX_NAME_CHARACTERS = 200
_NAME = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)+")
"""Only the last part has a dot: what is a folder is never a file. Some disks don't tell capitals from small letters."""
_NO_BUCKET = "<Code>NoSuchBucket</Code>"
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What was written: `size` in bytes, `sha256` in hexadecimal. Keep it: the storage itself does not tell the content type."""

    name: str
    size: int
    sha256: str
    content_type: str


class FileStore:
    """The files of all organizations. Every function takes the organization first, and reaches only what is below its id."""

    def __init__(self, storage: LocalStore | S3Store) -> None:
        self._storage = storage

    @classmethod
    def open(cls, address: str, options: Mapping[str, str] | None = None) -> "FileStore":
        """The files at `file:///folder`, made if need be, or `s3://bucket/prefix`; a bucket is reached when it is first used.

        `options` are those of `S3_OPTIONS`; what they leave out, obstore takes from the usual `AWS_…` variables or the machine's
        role. An endpoint without encryption has to stand in `options`. Raises `ConfigurationError`.
        """
        return cls(open_storage(address, options if options is not None else {}))

    async def put(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> StoredFile:
        """Keep a file, in place of the one of that name; it is there whole or not at all.

        Raises `ServerBusy`, and `ValueError` for a name that is not of our form.
        """
        key = _build_key(organization_id, name)
        # A folder can't keep it, and says so.
        attributes = {"Content-Type": content_type} if isinstance(self._storage, S3Store) else None
        with translate_unavailable():
            # In one piece: of an upload in many, what an interruption leaves behind is hidden and paid for.
            await obstore.put_async(self._storage, key, content, attributes=attributes, use_multipart=False)
        return StoredFile(name, len(content), hashlib.sha256(content).hexdigest(), content_type)

    async def put_new(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> None:
        """Keep a file unless there is one of that name, which then stays: of many who make it at once, the first counts.

        On a server that ignores `If-None-Match` (Amazon's knows it) it is the last one. Raises as `put` does.
        """
        key = _build_key(organization_id, name)
        attributes = {"Content-Type": content_type} if isinstance(self._storage, S3Store) else None
        with translate_unavailable(), suppress(AlreadyExistsError):
            await obstore.put_async(self._storage, key, content, attributes=attributes, mode="create", use_multipart=False)

    async def get(self, organization_id: UUID, name: str, sha256: str | None = None) -> bytes:
        """The file's content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` when it is not what the digest is of."""
        key = _build_key(organization_id, name)
        with translate_unavailable(), translate_not_found():
            found = await obstore.get_async(self._storage, key)
            content = bytes(await found.bytes_async())
        if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
            _log.error("a stored file is damaged", file=key)
            raise InternalFailure("The stored file is damaged: its content is not what was kept.")
        return content

    async def exists(self, organization_id: UUID, name: str) -> bool:
        """Whether there is such a file; a bucket that is not there looks like one without it. Raises `ServerBusy`."""
        key = _build_key(organization_id, name)
        try:
            with translate_unavailable(), translate_not_found():
                await obstore.head_async(self._storage, key)
        except NotFound:
            return False
        return True

    async def delete(self, organization_id: UUID, name: str) -> None:
        """Remove the file; it may be gone already. Raises `ServerBusy`."""
        key = _build_key(organization_id, name)
        try:
            with translate_unavailable(), translate_not_found():
                await obstore.delete_async(self._storage, key)
        except NotFound:
            return

    async def list_all(self) -> AsyncIterator[tuple[UUID, str]]:
        """The organization and name of every file that is there, in no order; others are passed over. Raises `ServerBusy`."""
        with translate_unavailable():
            async for found in obstore.list(self._storage):
                for meta in found:
                    owned = _parse_key(meta["path"])
                    if owned is not None:
                        yield owned


def _parse_key(key: str) -> tuple[UUID, str] | None:
    """The organization and the name that a key was made of."""
    owner, _, name = key.partition("/")
    try:
        organization_id = UUID(owner)
        return (organization_id, name) if _build_key(organization_id, name) == key else None
    except ValueError:
        return None


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


def _build_key(organization_id: UUID, name: str) -> str:
    """Where a file lies. The names are this service's own, so that another form is a fault of it: `ValueError`."""
    if len(name) > MAX_NAME_CHARACTERS or _NAME.fullmatch(name) is None:
        raise ValueError(f"{name[:MAX_NAME_CHARACTERS]!r} is not a file's name: folder/name.ext of small letters, digits, - and _")
    return f"{organization_id}/{name}"


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
