"""Files of organizations (reports as PDF, what a register sent) in a local folder or an S3-compatible bucket.

Files are written and read whole.
"""

import hashlib
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

import obstore
from obstore.exceptions import AlreadyExistsError
from obstore.store import LocalStore, S3Store

from bonafide.errors import InternalFailure, NotFound
from bonafide.i18n.message import Message
from bonafide.observability.log import get_logger
from bonafide.store.blobs.storage import open_storage, translate_not_found, translate_unavailable

MAX_NAME_CHARACTERS = 200
_NAME = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)+")
"""Only the last part has a dot, so that no folder has the name of a file. Lower case only, for case-insensitive disks."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A stored file: `size` in bytes, `sha256` in hexadecimal. The caller keeps it: the storage has no content type."""

    name: str
    size: int
    sha256: str
    content_type: str


class FileStore:
    """The files of all organizations. Every function takes the organization first, and accesses only files below its id."""

    def __init__(self, storage: LocalStore | S3Store) -> None:
        self._storage = storage

    @classmethod
    def open(cls, address: str, options: Mapping[str, str] | None = None) -> "FileStore":
        """The files at `file:///folder`, created if needed, or `s3://bucket/prefix`, which is first accessed when it is used.

        `options` are those of `S3_OPTIONS`; for missing ones, obstore uses the usual `AWS_…` variables or the machine's role. An
        endpoint without encryption must be given in `options`. Raises `ConfigurationError`.
        """
        return cls(open_storage(address, options if options is not None else {}))

    async def put(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> StoredFile:
        """Store a file atomically, replacing one of that name.

        Raises `ServerBusy`, and `ValueError` for an invalid name.
        """
        key = _build_key(organization_id, name)
        with translate_unavailable():
            await self._put(key, content, content_type, "overwrite")
        return StoredFile(name, len(content), hashlib.sha256(content).hexdigest(), content_type)

    async def put_new(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> None:
        """Store a file unless one of that name exists: of concurrent writers, the first one wins.

        On a server that ignores `If-None-Match` (Amazon's supports it) the last one wins. Raises as `put` does.
        """
        key = _build_key(organization_id, name)
        with translate_unavailable(), suppress(AlreadyExistsError):
            await self._put(key, content, content_type, "create")

    async def _put(self, key: str, content: bytes, content_type: str, mode: Literal["create", "overwrite"]) -> None:
        # A folder can't store the content type, and refuses it.
        attributes = {"Content-Type": content_type} if isinstance(self._storage, S3Store) else None
        # In a single request: parts of an interrupted multipart upload are hidden but billed.
        await obstore.put_async(self._storage, key, content, attributes=attributes, mode=mode, use_multipart=False)

    async def get(self, organization_id: UUID, name: str, sha256: str | None = None) -> bytes:
        """The file's content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` when its digest differs."""
        key = _build_key(organization_id, name)
        with translate_unavailable(), translate_not_found():
            found = await obstore.get_async(self._storage, key)
            content = bytes(await found.bytes_async())
        if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
            _log.error("stored_file.damaged", file=key)
            raise InternalFailure(Message("The stored file is damaged: its checksum differs."))
        return content

    async def exists(self, organization_id: UUID, name: str) -> bool:
        """Whether the file exists; false also for a missing bucket. Raises `ServerBusy`."""
        key = _build_key(organization_id, name)
        try:
            with translate_unavailable(), translate_not_found():
                await obstore.head_async(self._storage, key)
        except NotFound:
            return False
        return True

    async def delete(self, organization_id: UUID, name: str) -> None:
        """Remove the file, if it exists. Raises `ServerBusy`."""
        key = _build_key(organization_id, name)
        with suppress(NotFound), translate_unavailable(), translate_not_found():
            await obstore.delete_async(self._storage, key)

    async def delete_folder(self, organization_id: UUID, folder: str) -> int:
        """Remove all files of a folder, given as `name/` or `name/name/`, and return how many there were. Raises `ServerBusy`."""
        removed = 0
        for name in [name async for name in self.list_folder(organization_id, folder)]:
            await self.delete(organization_id, name)
            removed += 1
        return removed

    async def list_folder(self, organization_id: UUID, folder: str) -> AsyncIterator[str]:
        """The names of the files of a folder, in no order. Raises `ServerBusy`, and `ValueError` for an invalid folder."""
        prefix = _build_key(organization_id, f"{folder}x.x").removesuffix("x.x")
        with translate_unavailable():
            async for found in obstore.list(self._storage, prefix=prefix):
                for meta in found:
                    owned = _parse_key(meta["path"])
                    if owned is not None:
                        yield owned[1]

    async def list_all(self) -> AsyncIterator[tuple[UUID, str]]:
        """The organization and name of every file, in no order; files with other names are skipped. Raises `ServerBusy`."""
        with translate_unavailable():
            async for found in obstore.list(self._storage):
                for meta in found:
                    owned = _parse_key(meta["path"])
                    if owned is not None:
                        yield owned


def _parse_key(key: str) -> tuple[UUID, str] | None:
    """Split a key into the organization and the name."""
    owner, _, name = key.partition("/")
    try:
        organization_id = UUID(owner)
        return (organization_id, name) if _build_key(organization_id, name) == key else None
    except ValueError:
        return None


def _build_key(organization_id: UUID, name: str) -> str:
    """The key of a file. Names come from this service, so an invalid one is a bug: `ValueError`."""
    if len(name) > MAX_NAME_CHARACTERS or _NAME.fullmatch(name) is None:
        raise ValueError(f"{name[:MAX_NAME_CHARACTERS]!r} is not a file's name: folder/name.ext of small letters, digits, - and _")
    return f"{organization_id}/{name}"
