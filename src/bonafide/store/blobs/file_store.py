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
from bonafide.observability.log import get_logger
from bonafide.store.blobs.storage import open_storage, translate_not_found, translate_unavailable

MAX_NAME_CHARACTERS = 200
_NAME = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)+")
"""Only the last part has a dot: what is a folder is never a file. Some disks don't tell capitals from small letters."""
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
        with translate_unavailable():
            await self._put(key, content, content_type, "overwrite")
        return StoredFile(name, len(content), hashlib.sha256(content).hexdigest(), content_type)

    async def put_new(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> None:
        """Keep a file unless there is one of that name, which then stays: of many who make it at once, the first counts.

        On a server that ignores `If-None-Match` (Amazon's knows it) it is the last one. Raises as `put` does.
        """
        key = _build_key(organization_id, name)
        with translate_unavailable(), suppress(AlreadyExistsError):
            await self._put(key, content, content_type, "create")

    async def _put(self, key: str, content: bytes, content_type: str, mode: Literal["create", "overwrite"]) -> None:
        # A folder can't keep the type, and refuses it.
        attributes = {"Content-Type": content_type} if isinstance(self._storage, S3Store) else None
        # In one piece: what an interrupted upload in parts leaves behind is hidden and paid for.
        await obstore.put_async(self._storage, key, content, attributes=attributes, mode=mode, use_multipart=False)

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
        with suppress(NotFound), translate_unavailable(), translate_not_found():
            await obstore.delete_async(self._storage, key)

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


def _build_key(organization_id: UUID, name: str) -> str:
    """Where a file lies. The names are this service's own, so that another form is a fault of it: `ValueError`."""
    if len(name) > MAX_NAME_CHARACTERS or _NAME.fullmatch(name) is None:
        raise ValueError(f"{name[:MAX_NAME_CHARACTERS]!r} is not a file's name: folder/name.ext of small letters, digits, - and _")
    return f"{organization_id}/{name}"
