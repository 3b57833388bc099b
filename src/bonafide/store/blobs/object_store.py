"""Content-addressed files in a folder that machines share or in a bucket. They never change.

Large files are transferred in parts, so that memory stays bounded. Content that does not match its name is refused.
"""

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import timedelta
from io import RawIOBase
from pathlib import Path

import anyio
import obstore
from obstore.store import LocalStore, S3Store
from typing_extensions import Buffer

from bonafide.errors import NotFound, SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.store.blobs.storage import open_storage, translate_not_found, translate_unavailable

PART_BYTES = 8 * 1024**2
MAX_PARTS = 9_000
"""The most parts of one upload; S3 accepts ten thousand."""
PARTS_AT_ONCE = 3
AT_ONCE = 4
"""Concurrent transfers of the files of one generation."""
LARGE_TIMEOUT = timedelta(hours=1)
"""The time limit for one file, however large; a server that stops responding is abandoned much sooner."""
MAX_SMALL_BYTES = 64 * 1024**2
"""The largest object that is read into memory."""
LISTED_AT_ONCE = 1000
_PLACE = re.compile(r"[a-z]+/[A-Za-z0-9][A-Za-z0-9._-]*")
_NAME = re.compile(r"[0-9a-f]{64}")


class ContentAddressedStore:
    """All objects. `place` is `<world>/<source>`, a name the SHA-256 of the content in hexadecimal.

    All methods raise `ServerBusy` when the storage is unavailable.
    """

    def __init__(self, storage: LocalStore | S3Store) -> None:
        self._storage = storage

    @classmethod
    def open(cls, address: str, options: Mapping[str, str]) -> "ContentAddressedStore":
        """The objects at `file:///folder` or `s3://bucket/prefix`. Raises `ConfigurationError`."""
        return cls(open_storage(address, options, LARGE_TIMEOUT))

    async def sizes(self, place: str) -> dict[str, int]:
        """The objects of a place, by name, with their sizes in bytes."""
        found: dict[str, int] = {}
        with translate_unavailable():
            async for batch in obstore.list(self._storage, prefix=_check_place(place), chunk_size=LISTED_AT_ONCE):
                found.update((Path(item["path"]).name, item["size"]) for item in batch)
        return {name: size for name, size in found.items() if _NAME.fullmatch(name) is not None}

    async def put(self, place: str, content: bytes) -> str:
        """Store a small object and return its name."""
        name = hashlib.sha256(content).hexdigest()
        with translate_unavailable():
            await obstore.put_async(self._storage, _build_key(place, name), content, use_multipart=False)
        return name

    async def put_file(self, place: str, name: str, path: Path, size: int) -> None:
        """Store a file's content atomically; it must have this size and match the name."""
        part = max(PART_BYTES, size // MAX_PARTS + 1)
        with translate_unavailable():
            await obstore.put_async(
                self._storage,
                _build_key(place, name),
                path,
                use_multipart=size > part,
                chunk_size=part,
                max_concurrency=PARTS_AT_ONCE,
            )

    async def get(self, place: str, name: str) -> bytes:
        """A small object's content. Raises `NotFound`, and `SegmentCorrupt` when it does not match its name."""
        with translate_unavailable(), translate_not_found():
            found = await obstore.get_async(self._storage, _build_key(place, name))
            if found.meta["size"] > MAX_SMALL_BYTES:
                raise SegmentCorrupt(Message("The object {folder}/{name} is too large for a description.", folder=place, name=name))
            content = bytes(await found.bytes_async())
        if hashlib.sha256(content).hexdigest() != name:
            raise SegmentCorrupt(Message("The object {folder}/{name} is damaged: its checksum differs.", folder=place, name=name))
        return content

    async def get_file(self, place: str, name: str, path: Path) -> None:
        """Write an object's content to a new file and sync it. Raises as `get` does, and `OSError`."""
        digest = hashlib.sha256()
        with path.open("xb", buffering=0) as file:
            async for part in self._parts(place, name):
                await anyio.to_thread.run_sync(_append_part, file, digest, part)
            await anyio.to_thread.run_sync(os.fsync, file.fileno())
        if digest.hexdigest() != name:
            raise SegmentCorrupt(Message("The object {folder}/{name} is damaged: its checksum differs.", folder=place, name=name))

    async def _parts(self, place: str, name: str) -> AsyncIterator[Buffer]:
        # Without ranges, which not every S3-compatible server supports.
        with translate_unavailable(), translate_not_found():
            found = await obstore.get_async(self._storage, _build_key(place, name))
            parts = found.stream(min_chunk_size=PART_BYTES)
        while True:
            with translate_unavailable():
                part = await anext(parts, None)
            if part is None:
                return
            yield part

    async def delete(self, place: str, name: str) -> None:
        """Remove an object, if it exists."""
        with suppress(NotFound), translate_unavailable(), translate_not_found():
            await obstore.delete_async(self._storage, _build_key(place, name))

    async def sweep(self, place: str) -> None:
        """Remove the remains of interrupted uploads from a folder; in a bucket, a lifecycle rule has to."""
        if isinstance(self._storage, LocalStore) and self._storage.prefix is not None:
            folder = Path(self._storage.prefix) / _check_place(place)
            await asyncio.to_thread(_remove_partial_uploads, folder)


def _append_part(file: RawIOBase, digest: "hashlib._Hash", part: Buffer) -> None:
    digest.update(part)
    rest = memoryview(part)
    while rest:
        rest = rest[file.write(rest) or 0 :]


def _remove_partial_uploads(folder: Path) -> None:
    for half in folder.glob("*#*"):
        half.unlink(missing_ok=True)


def _build_key(place: str, name: str) -> str:
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"{name[:80]!r} is not the name of an object")
    return f"{_check_place(place)}/{name}"


def _check_place(place: str) -> str:
    if _PLACE.fullmatch(place) is None:
        raise ValueError(f"{place[:80]!r} is not a place of objects")
    return place
